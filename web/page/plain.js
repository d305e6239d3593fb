// SPDX-License-Identifier: MIT
/** A file of unknown format, for the worker: a level with the operations that need only bytes. */

/** @typedef {import('../mapstone.js').Source} Source */

const nothing = () => [];

/** @param {Source} source @param {string} name @returns {any} a level that has only bytes */
export function plainLevel(source, name) {
    const all = source instanceof ArrayBuffer ? new Uint8Array(source) : source, size = all instanceof Uint8Array ? all.length : all.size;
    /** @param {{offset: number, length?: number}} range */
    const bytes = ({ offset, length = 1 }) => {
        const some = Math.max(0, Math.min(length, size - offset));
        return all instanceof Uint8Array ? all.slice(offset, offset + some) : some ? all.read(offset, some) : new Uint8Array();
    };
    const row = { name, path: '', type: 'bytes', kind: 'bytes', text: `${size} bytes`, place: { kind: 'file', file: 0, offset: 0, length: size } };
    const information = { name, format: { id: '', title: 'Unknown format', extensions: '', versions: '', rows: '' }, version: 0, size, images: 0, edited: false, salvaged: false, files: [{ name, size }] };
    const refuse = () => {
        throw new Error('The format of this file is unknown: only its bytes can be shown.');
    };
    const document = {
        information, bytes, fields: nothing, check: () => ({ findings: [] }), at: () => [row.place], tree: (/** @type {string} */ path) => (path ? refuse() : { row, rows: [] }), save: () => bytes({ offset: 0, length: size }),
        get: (/** @type {string} */ path) => (path ? refuse() : {}), describe: refuse, references: nothing, edit: refuse, dump: refuse,
    };
    return { documents: [document], warnings: [], entities: nothing, scene: refuse, picture: refuse, model: refuse, history: refuse, close: nothing };
}
