// SPDX-License-Identifier: MIT
/** The fields of a value, and those that it has as lists of names and values (properties of Natural Selection 2). */

/** @typedef {import('./app.js').Where} Where */
/** @typedef {import('./app.js').Row} Row */

/** Fields that are shown of a long list. */
export const most = 40;

/** Whether a row may be a list of names and values. @param {Row} row */
export const mayBePairs = (row) => row.type === 'list' && row.kind === 'record' && (row.count ?? 0) > 0 && (row.count ?? 0) <= most;

/** The values of a list of records that have a name and a value, each called by its name. @param {import('./app.js').App} app @param {Where} where @returns {Promise<Row[]>} */
export async function pairsOf(app, where) {
    const { rows } = await app.rows(where, 0, most), inside = await Promise.all(rows.map((row) => (row.type === 'record' ? app.rows({ doc: where.doc, path: row.path }, 0, 8) : null)));
    return inside.flatMap((one) => {
        const name = one?.rows.find((each) => each.name === 'name' && typeof each.value === 'string'), value = one?.rows.find((each) => each.name === 'value');
        return name && value ? [{ ...value, name: String(name.value) }] : [];
    });
}

/** What is known of rows. @param {import('./app.js').App} app @param {Where} where @param {Row[]} rows @returns {Promise<(import('../mapstone.js').Description | null)[]>} */
export const describe = (app, { doc }, rows) => app.library.call('describe', doc, rows.map(({ path }) => path));

/** All fields of an element, by names that are the same in others like it. @param {import('./app.js').App} app @param {Where} where @returns {Promise<Map<string, Row>>} */
export async function fieldsOf(app, where) {
    const { rows } = await app.rows(where, 0, most), all = new Map(rows.map((row) => [row.name, row]));
    for (const list of rows.filter(mayBePairs))
        for (const row of await pairsOf(app, { doc: where.doc, path: list.path })) if (!all.has(`${list.name}.${row.name}`)) all.set(`${list.name}.${row.name}`, row);
    return all;
}
