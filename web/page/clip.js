// SPDX-License-Identifier: MIT
/** Copying elements and pasting them, within a level and between levels of one format: as JSON, so that it can also be pasted as text. */
import { parentPath, some } from './dom.js';

/** @typedef {{format: string, file: string, list: string, elements: {path: string, value: unknown}[]}} Clip  elements of one list */

/** The last copied text, for browsers that do not give access to the clipboard. */ let last = '';

/** Parses copied elements; null if the text is something else. @param {string} text @returns {Clip | null} */
export function clipOf(text) {
    try {
        const { mapstone: clip } = JSON.parse(text);
        return typeof clip?.list === 'string' && Array.isArray(clip.elements) ? clip : null;
    } catch {
        return null;
    }
}

/** Copies the selected elements. @param {import('./app.js').App} app */
export async function copyElements(app) {
    const all = app.selection.map((one) => app.elementOf(one)).filter((one) => one !== null), [first] = all;
    if (!first) return app.say('The selection is not an element of a list.');
    const list = parentPath(first.path), same = all.filter((one) => one.doc === first.doc && parentPath(one.path) === list), about = app.documents[first.doc];
    const elements = await Promise.all(same.map(async (one) => ({ path: one.path, value: await app.library.call('get', one) })));
    last = JSON.stringify({ mapstone: /** @type {Clip} */ ({ format: about?.format.id ?? '', file: about?.name ?? '', list, elements }) });
    await navigator.clipboard?.writeText(last).catch(() => undefined);
    app.say(`Copied ${some(elements.length, 'element')}.`);
}

/**
 * Pastes elements at the end of their list, and selects them. Elements of the same file are duplicated, so that the copies get new ids.
 * @param {import('./app.js').App} app @param {(why: string) => void} refuse @param {string} [text]  from the clipboard
 */
export async function pasteElements(app, refuse, text = '') {
    const clip = clipOf(text) ?? clipOf(last), doc = app.selected?.doc ?? 0, about = app.documents[doc];
    if (!clip || !about) return app.say('Nothing was copied.');
    if (clip.format !== about.format.id) return refuse(`The copied elements have another format (${clip.format}) and cannot be pasted into ${app.nameOf(doc)}.`);
    try {
        const { row } = await app.rows({ doc, path: clip.list }, 0, 0), end = row.count ?? 0;
        const operations = await Promise.all(clip.elements.map(async ({ path, value }, index) => {
            const there = clip.file === about.name ? await app.library.call('get', { doc, path }).catch(() => undefined) : undefined;
            return JSON.stringify(there) === JSON.stringify(value) ? `duplicate ${path} to ${end + index}` : { op: 'insert', path: `${clip.list}[${end + index}]`, new: value };
        }));
        const why = await app.edit(doc, operations, { label: `paste ${some(operations.length, 'element')}` });
        if (why) return refuse(why);
        operations.forEach((_, index) => app.select({ doc, path: `${clip.list}[${end + index}]` }, { from: 'edit', add: index > 0 }));
    } catch (error) {
        refuse(/** @type {Error} */ (error).message);
    }
}
