// SPDX-License-Identifier: MIT
/** The layers that an element is on, by their names, where each bit of a field is a layer. */
import { el, some } from './dom.js';

/** @typedef {import('./app.js').Where} Where */
/** @typedef {import('./app.js').Row} Row */
/** The most layers that are offered. */
const most = 1000;

/** The names of layers whose ids are the bits of some words. @param {number[]} words @param {Map<number, string>} names  by their ids */
export const namesOfBits = (words, names) => words.flatMap((word, index) => Array.from({ length: 32 }, (_, bit) => ((word >>> bit) & 1 ? (names.get(32 * index + bit) ?? `layer ${32 * index + bit}`) : '')).filter(Boolean));

/** A list of layers with a box for each; null if the format or the file has none. @param {import('./app.js').App} app @param {Where} where @param {Row[]} rows  its fields @param {(import('../mapstone.js').Description | null)[]} known */
export async function layersOf(app, where, rows, known) {
    const masks = rows.findIndex((_, index) => known[index]?.refers?.bits && known[index]?.refers?.key === 'id'), list = known[masks]?.refers?.path ?? 'layers';
    if (masks < 0 && !rows.some(({ name }) => name === 'has_layers')) return null;
    /** @type {any} */ const all = await app.library.call('get', { doc: where.doc, path: list }).catch(() => []);
    if (!Array.isArray(all) || !all.length) return null;
    const names = new Map(all.slice(0, most).map((one) => [Number(one.id), String(one.name)])), value = rows[masks]?.value;
    const on = namesOfBits(Array.isArray(value) ? value : [], names), why = el('p.why', { role: 'alert', hidden: true });
    const boxes = [...names.values()].map((name) => {
        const box = /** @type {HTMLInputElement} */ (el('input', { type: 'checkbox' }));
        box.checked = on.includes(name);
        box.addEventListener('change', async () => {
            const next = box.checked ? [...on, name] : on.filter((one) => one !== name);
            why.textContent = await app.edit(where.doc, [{ op: 'set', path: `${where.path}.layer`, new: next.length ? next : '' }], { label: `layers of ${where.path}` });
            why.hidden = !why.textContent;
        });
        return el('label.flag', {}, box, name);
    });
    return el('div.field', { title: 'Layers' }, el('span.name', {}, 'layers'), el('div.inputs', {}, el('details.flags', {}, el('summary', {}, on.join(', ') || `none of ${some(names.size, 'layer')}`), ...boxes)), why);
}
