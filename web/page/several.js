// SPDX-License-Identifier: MIT
/** Several selected elements: the fields that they share, which are changed in all of them as one step. */
import { fieldOf, makeControls } from './control.js';
import { data, el, iconButton, parentPath, some } from './dom.js';
import { describe, fieldsOf } from './fields.js';

/** @typedef {import('./app.js').Where} Where */
/** @typedef {import('./app.js').Row} Row */
/** A shared field: its name, and its row in each element. @typedef {{name: string, rows: Row[]}} Shared */

/** @param {unknown} value @returns {value is number[]} */
const isPlace = (value) => Array.isArray(value) && value.length > 0 && value.length <= 4 && value.every((one) => typeof one === 'number');

/** @param {unknown[]} values */
const allSame = (values) => values.every((one) => JSON.stringify(one) === JSON.stringify(values[0]));

/**
 * One row for a shared field: the value if it is the same everywhere; numbers that differ become NaN in a list, other lists
 * have the elements that all of them share.
 * @param {Row[]} rows @returns {Row}
 */
export function merge(rows) {
    const [first] = rows, values = rows.map(({ value }) => value);
    if (!first) throw new Error('There is no row.');
    if (allSame(values)) return first;
    const lengths = new Set(values.map((one) => (Array.isArray(one) ? one.length : -1)));
    /** @type {unknown} */ let value = typeof first.value === 'boolean' ? first.value : '';
    if (values.every(isPlace) && lengths.size === 1) value = /** @type {number[][]} */ (values)[0]?.map((one, index) => (allSame(/** @type {number[][]} */ (values).map((each) => each[index])) ? one : NaN));
    else if (values.every(Array.isArray)) value = /** @type {unknown[][]} */ (values).reduce((all, one) => all.filter((each) => one.includes(each)));
    return { ...first, value, text: '', mixed: true };
}

/**
 * The new value of one element when the shared one changes from `shown` to `next`: in lists, only the differences are applied.
 * @param {unknown} own @param {unknown} shown @param {unknown} next
 */
export function follow(own, shown, next) {
    if (!Array.isArray(own) || !Array.isArray(shown) || !Array.isArray(next)) return next;
    if (isPlace(own) && next.length === own.length) return own.map((one, index) => (Object.is(shown[index], next[index]) ? one : next[index]));
    return [...own.filter((one) => next.includes(one) || !shown.includes(one)), ...next.filter((one) => !own.includes(one))];
}

/** @param {import('./app.js').App} app */
export function makeSeveral(app) {
    /** By the path of its first row. @type {Map<string, {shared: Shared, shown: Row}>} */ let fields = new Map();
    /** @type {Where[]} */ let all = [];

    /** Sets a value in all of them, and shows the reason if it is refused. @param {Where} where @param {unknown} value @param {HTMLElement} field */
    async function commit(where, value, field) {
        const of = fields.get(where.path);
        if (!of) return;
        field.querySelector('.why')?.remove();
        const operations = of.shared.rows.map((row) => ({ op: 'set', path: row.path, new: follow(row.value, of.shown.value, value) }));
        for (const doc of new Set(all.map((one) => one.doc))) {
            const mine = operations.filter((_, index) => all[index]?.doc === doc);
            const refused = await app.edit(doc, mine, { label: `${of.shared.name} = ${typeof value === 'string' ? value : JSON.stringify(value)} in ${some(mine.length, 'element')}` });
            if (!refused) continue;
            field.append(el('p.why', { role: 'alert' }, refused));
            return;
        }
    }
    const control = makeControls(app, commit);

    /** Cards of the selection. @param {Where[]} selection */
    return async function cards(selection) {
        const elements = [...new Map(selection.map((one) => app.elementOf(one) ?? app.thingOf(one) ?? one).map((one) => [`${one.doc}|${one.path}`, one])).values()];
        const each = await Promise.all(elements.map((one) => fieldsOf(app, one))), [first] = elements;
        /** @type {Shared[]} */ const shared = [];
        for (const [name, row] of each[0] ?? []) {
            const rows = each.map((one) => one.get(name));
            if ((row.type === 'record' || (row.type === 'list' && !isPlace(row.value))) || !rows.every((one) => one?.type === row.type && one?.kind === row.kind)) continue;
            shared.push({ name, rows: /** @type {Row[]} */ (rows) });
        }
        const rows = shared.map((one) => merge(one.rows)), known = first ? await describe(app, first, rows) : [];
        all = elements;
        fields = new Map(shared.map((one, index) => [one.rows[0]?.path ?? '', { shared: one, shown: /** @type {Row} */ (rows[index]) }]));
        /** @type {Map<string, number>} */ const classes = new Map();
        for (const one of elements) {
            const name = app.thingOf(one)?.className ?? parentPath(one.path);
            classes.set(name, (classes.get(name) ?? 0) + 1);
        }
        const head = el('div.card', {}, el('h2', {}, el('span', {}, some(elements.length, 'element')), el('span.grow'), iconButton('frame', 'Fly to them', () => app.emit('frame'), 'F')),
            el('p.where', {}, ...[...classes].flatMap(([name, count], index) => [index ? ' · ' : '', data(`${count} ${name}`)])));
        const made = shared.map(({ name }, index) => {
            const row = /** @type {Row} */ (rows[index]), label = name.includes('.') ? name.slice(name.indexOf('.') + 1) : name;
            const field = fieldOf({ doc: first?.doc ?? 0, path: row.path }, { ...row, name: label }, control, known[index]);
            return field;
        });
        return [head, el('div.card', {}, el('h3', {}, made.length ? 'Fields of all of them' : 'They have no fields in common'), ...made)];
    };
}
