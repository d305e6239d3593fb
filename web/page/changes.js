// SPDX-License-Identifier: MIT
/** Changes as rows of a list: changes of one element together, in words; many similar ones as one row. */
import { short } from './dom.js';

/** @typedef {{doc: number, change: any, path: string}} One  in the form of `mapstone diff --json`, and its path */
/** @typedef {'added' | 'removed' | 'changed' | 'moved'} Kind */
/** @typedef {{doc: number, kind: Kind, path: string, old: string, label: string, words: string, all: One[], paths: string[]}} Row  `paths`: of the elements; of removed elements, the paths in the older document */

/**
 * The path of a difference in the new document or the old one.
 * @param {any} change  in the form of `mapstone diff --json` @param {boolean} [old]
 */
export function pathOfChange({ at, path = '', note, old_path: oldPath }, old = false) {
    if (!at) return (old && oldPath) || path;
    const index = old ? at.index : (note?.new_index ?? at.index);
    return `${at.list}[${index}]${path ? `${path.startsWith('[') ? '' : '.'}${path}` : ''}`;
}

/** A value in a few words; null if it is too long. @param {unknown} value @returns {string | null} */
export function brief(value) {
    if (Array.isArray(value)) return value.length <= 4 && value.every((one) => typeof one !== 'object' || one === null) ? value.map((one) => brief(one)).join(' ') : null;
    if (typeof value === 'object' && value !== null) return null;
    const text = typeof value === 'number' ? short(Number(value.toFixed(3))) : String(value ?? '');
    return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** @param {One} one */
function wordsOf({ change: { op = 'set', old, new: now, path = '', note, at } }) {
    const value = op === 'remove' ? old : now, name = (at ? path : '').replace(/^properties\./, '').replace(/\.value$/, '');
    if (op === 'set') {
        const [from, to] = [brief(old), brief(now)];
        return from === null || to === null ? `${name} changed`.trim() : `${name} ${from} → ${to}`.trim();
    }
    return brief(value) ?? (note?.place ? `at ${note.place}` : '');
}

/** The name of an element. @param {any} change */
function labelOf({ note, at, old, new: now }) {
    const whole = now ?? old, named = whole && typeof whole === 'object' && !Array.isArray(whole) ? (whole.class_name ?? whole.name ?? whole.type) : undefined;
    return String(note?.label ?? at?.class_name ?? named ?? '');
}

const kinds = /** @type {Record<string, Kind>} */ ({ insert: 'added', add: 'added', remove: 'removed', move: 'moved' });
const isPlace = (/** @type {One} */ { change }) => /(^|\.)(origin|position|world|x|y|z)(\.value)?(\[\d+\])?$/.test(change.path ?? '');

/** @param {One[]} changes @returns {Row[]} */
export function rowsOf(changes) {
    /** @type {Row[]} */ const rows = [];
    for (const one of changes) {
        const { change, doc } = one, kind = kinds[change.op ?? 'set'] ?? 'changed', path = pathOfChange({ ...change, path: change.at ? '' : change.path }), old = pathOfChange({ ...change, path: change.at ? '' : change.path }, true), label = labelOf(change), last = rows.at(-1);
        if (last && kind === 'changed' && change.at && last.doc === doc && last.path === path && last.kind !== 'added' && last.kind !== 'removed') {
            last.all.push(one);
            last.words = `${last.words}, ${wordsOf(one)}`;
            last.kind = last.all.every(isPlace) ? 'moved' : 'changed';
        } else if (last && (kind === 'added' || kind === 'removed') && last.kind === kind && last.doc === doc && last.label === label && listOf(last.path) === listOf(path)) {
            last.all.push(one);
            last.paths.push(kind === 'removed' ? old : path);
            last.words = '';
        } else rows.push({ doc, kind: kind === 'changed' && change.at && isPlace(one) ? 'moved' : kind, path, old, label, words: wordsOf(one), all: [one], paths: [kind === 'removed' ? old : path] });
    }
    return rows;
}

/** The list that an element is in. @param {string} path */
const listOf = (path) => path.replace(/\[\d+\]$/, '');

/** The place of a row, in words. @param {Row} row */
export const placeOf = ({ path, old, kind, paths }) => (paths.length > 1 ? `${listOf(path)}, ${paths.length} of them` : kind === 'removed' ? old : path);

/** The element that a path is in, or leads to. @param {string} path */
export const wholeOf = (path) => path.slice(0, path.lastIndexOf(']') + 1) || path;
