// SPDX-License-Identifier: MIT
/** Finds values and fields of documents by their text, for the search. */

/** @typedef {{paths: string[], texts: string[]}} Leaves  the values without inner values, and their paths */
/** A cache of documents' values, until they change. @type {WeakMap<object, {stamp: string, leaves: Leaves}>} */
const known = new WeakMap();

/** @param {unknown} value @param {string} path @param {Leaves} into */
function collect(value, path, into) {
    if (Array.isArray(value)) value.forEach((one, index) => collect(one, `${path}[${index}]`, into));
    else if (value && typeof value === 'object') for (const [key, one] of Object.entries(value)) !key.startsWith('$') && collect(one, path ? `${path}.${key}` : key, into);
    else if (value !== null) {
        into.paths.push(path);
        into.texts.push(String(value));
    }
}

/** @param {{get: (path: string) => unknown}} document @param {string} stamp  differs after each change */
function leavesOf(document, stamp) {
    const before = known.get(document);
    if (before?.stamp === stamp) return before.leaves;
    /** @type {Leaves} */ const leaves = { paths: [], texts: [] };
    collect(document.get(''), '', leaves);
    known.set(document, { stamp, leaves });
    return leaves;
}

/** The quality of a match: 0 equal, 1 at the beginning, 2 elsewhere in the value, 3 in the field's name; -1 none. @param {string} text @param {string} path @param {string} wanted  in lower case */
export function fit(text, path, wanted) {
    const own = text.toLowerCase();
    if (own === wanted) return 0;
    // Numbers match only as a whole: nearly every digit occurs somewhere.
    const at = /^[-\d.]+$/.test(wanted) ? -1 : own.indexOf(wanted);
    if (at >= 0) return at ? 2 : 1;
    return path.slice(path.lastIndexOf('.') + 1).replace(/\[.*/, '').toLowerCase().includes(wanted) ? 3 : -1;
}

/**
 * @param {{get: (path: string) => unknown}[]} documents @param {string} stamp @param {string} text @param {number} most
 * @returns {{count: number, rows: {doc: number, path: string, text: string}[]}}
 */
export function findValues(documents, stamp, text, most) {
    const wanted = text.toLowerCase(), found = [0, 1, 2, 3].map(() => /** @type {{doc: number, path: string, text: string}[]} */ ([]));
    let count = 0;
    for (const [doc, one] of documents.entries()) {
        const { paths, texts } = leavesOf(one, stamp);
        paths.forEach((path, index) => {
            const own = texts[index] ?? '', rank = fit(own, path, wanted);
            if (rank < 0) return;
            count++;
            const list = found[rank];
            if (list && list.length < most) list.push({ doc, path, text: own });
        });
    }
    return { count, rows: found.flat().slice(0, most) };
}
