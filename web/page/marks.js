// SPDX-License-Identifier: MIT
/** The triangles of elements, for the worker: for all differences between two levels at once. */
import { parentPath } from './dom.js';

/** @typedef {import('../mapstone.js').Scene} Scene */
/** @typedef {{scene: Scene, parts: import('./bake.js').Part[]}} Baked */

/** Joins adjacent runs of triangles. @param {number[]} runs  first and count of each, ascending */
function joined(runs) {
    /** @type {number[]} */ const all = [];
    for (let i = 0; i < runs.length; i += 2) {
        const [first = 0, count = 0] = [runs[i], runs[i + 1]], end = all.length ? (all.at(-2) ?? 0) + (all.at(-1) ?? 0) : -1;
        if (first === end) all[all.length - 1] = (all.at(-1) ?? 0) + count;
        else all.push(first, count);
    }
    return all;
}

/** Runs of triangles that belong to elements or their contents. @param {Baked} of @param {string[]} paths */
export function runsOf({ scene, parts }, paths) {
    const wanted = new Set(paths), /** @type {Map<string, Set<number>>} */ indices = new Map(), /** @type {number[]} */ runs = [];
    if (!wanted.size) return runs;
    /** @param {string} list */
    const inList = (list) => {
        const known = indices.get(list) ?? new Set(paths.filter((one) => one.startsWith(`${list}[`)).map((one) => Number.parseInt(one.slice(list.length + 1), 10)));
        indices.set(list, known);
        return known;
    };
    /** @param {{path?: string, index?: number} | undefined} source */
    const isWanted = (source) => {
        if (!source?.path) return false;
        for (let path = source.index === undefined ? source.path : `${source.path}[${source.index}]`; path; path = parentPath(path)) if (wanted.has(path)) return true;
        return false;
    };
    for (const { node, primitive, first, count } of parts) {
        const own = scene.nodes[node], part = scene.meshes[own?.mesh ?? -1]?.primitives[primitive], { elements } = part ?? {};
        if (isWanted(part?.source) || isWanted(own?.source)) runs.push(first, count);
        else if (part?.source?.path && elements) {
            const some = inList(part.source.path);
            if (some.size) for (let i = 0; i < count; i++) if (some.has(elements[i] ?? -1)) runs.push(first + i, 1);
        }
    }
    return joined(runs);
}

/** The corners of triangles, nine numbers each. @param {Float32Array} floats @param {number} words  numbers per corner @param {number[]} runs @param {number} most */
export function cornersOf(floats, words, runs, most) {
    /** @type {number[]} */ const corners = [];
    for (let run = 0; run < runs.length; run += 2)
        for (let corner = 3 * (runs[run] ?? 0); corner < 3 * ((runs[run] ?? 0) + (runs[run + 1] ?? 0)) && corners.length < 9 * most; corner++) corners.push(...floats.subarray(corner * words, corner * words + 3));
    return Float32Array.from(corners);
}
