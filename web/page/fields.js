// SPDX-License-Identifier: MIT
/** The fields of a value, and fields stored as lists of names and values (properties of Natural Selection 2). */

/** @typedef {import('./app.js').Where} Where */
/** @typedef {import('./app.js').Row} Row */

/** The most fields that are shown of a list. */
export const most = 40;

/** Whether a row can be a list of names and values. @param {Row} row */
export const mayBePairs = (row) => row.type === 'list' && row.kind === 'record' && (row.count ?? 0) > 0 && (row.count ?? 0) <= most;

/** The values of a list of records with a name and a value, each under its name. @param {import('./app.js').App} app @param {Where} where @returns {Promise<Row[]>} */
export async function pairsOf(app, where) {
    const { rows } = await app.rows(where, 0, most), inside = await Promise.all(rows.map((row) => (row.type === 'record' ? app.rows({ doc: where.doc, path: row.path }, 0, 8) : null)));
    return inside.flatMap((one) => {
        const name = one?.rows.find((each) => each.name === 'name' && typeof each.value === 'string'), value = one?.rows.find((each) => each.name === 'value'), type = one?.rows.find((each) => each.name === 'type');
        return name && value ? [{ ...value, name: String(name.value), means: String(type?.value ?? '') }] : [];
    });
}

/** Fields by meaning: those that users edit, first the element's identity, then its position; and counts, sizes and unknown ones. @param {Row[]} rows @param {(import('../mapstone.js').Description | null)[]} known @param {Set<string>} [elsewhere]  names of lists whose values are shown by their own names */
export function byMeaning(rows, known, elsewhere = new Set()) {
    const all = rows.map((row, index) => ({ row, known: known[index] ?? null })), isRest = (/** @type {typeof all[number]} */ one) => elsewhere.has(one.row.name) || isFolded(one);
    const rest = all.filter(isRest), main = all.filter((one) => !isRest(one));
    const rank = (/** @type {Row} */ { name }) => (/^(class|class_name|type|kind)$/.test(name) ? 0 : /^(name|title)$/.test(name) ? 1 : /^(origin|position|[xyz]|angles|rotation\w*|yaw)$/.test(name) ? 2 : 3);
    return { main: main.sort((one, other) => rank(one.row) - rank(other.row)), rest };
}

/** @param {{row: Row, known: import('../mapstone.js').Description | null}} one */
function isFolded({ row, known }) {
    if (known?.derived || known?.meaning === 'unknown' || /^(unknown|unused|reserved|padding|layer_format$|has_layers$)/.test(row.name)) return true;
    return (row.type === 'list' && row.count === 0) || (row.type === 'bytes' && /^0 /.test(row.text ?? ''));
}

/** Whether a value is a colour: three or four numbers with such a name. @param {Row} row @returns {boolean} */
export const isColor = ({ value, name, means }) => Array.isArray(value) && (value.length === 3 || value.length === 4) && value.every((one) => typeof one === 'number') && (means === 'color' || /colou?r/i.test(name));

/** The descriptions of rows. @param {import('./app.js').App} app @param {Where} where @param {Row[]} rows @returns {Promise<(import('../mapstone.js').Description | null)[]>} */
export const describe = (app, { doc }, rows) => app.library.call('describe', doc, rows.map(({ path }) => path));

/** All fields of an element, by names that similar elements share. @param {import('./app.js').App} app @param {Where} where @returns {Promise<Map<string, Row>>} */
export async function fieldsOf(app, where) {
    const { rows } = await app.rows(where, 0, most), all = new Map(rows.map((row) => [row.name, row]));
    for (const list of rows.filter(mayBePairs))
        for (const row of await pairsOf(app, { doc: where.doc, path: list.path })) if (!all.has(`${list.name}.${row.name}`)) all.set(`${list.name}.${row.name}`, row);
    return all;
}
