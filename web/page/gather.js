// SPDX-License-Identifier: MIT
/** Groups symbols: overlapping ones become one, with a count. */

/** @typedef {{index: number, x: number, y: number, size: number, members: number[]}} Gathered  `index`: of the thing whose symbol is drawn; `members`: of all its things, including `index` */

/** The least distance between two symbols in pixels: a count fits between them. */
const apart = 20, cell = 32;

/** The size of a symbol in pixels: that of an object about 1.2 m wide, within limits. @param {number} away metres @param {number} focal pixels of 1 m that is 1 m away */
export const symbolSize = (away, focal) => Math.min(15, Math.max(8, (1.2 * focal) / Math.max(0.01, away)));

/**
 * @param {Iterable<number>} things  earlier ones keep their symbols
 * @param {(index: number) => [number, number, number] | null} spot  the position and size of a thing in the view; null if it is not visible
 * @returns {Gathered[]}
 */
export function gather(things, spot) {
    /** @type {Map<number, Gathered[]>} */ const cells = new Map();
    /** @type {Gathered[]} */ const all = [];
    const key = (/** @type {number} */ x, /** @type {number} */ y) => 4096 * Math.floor(y) + Math.floor(x);
    for (const index of things) {
        const at = spot(index);
        if (!at) continue;
        const [x, y, size] = at;
        /** @type {Gathered | undefined} */ let into;
        for (let down = -1; down < 2 && !into; down++)
            for (let across = -1; across < 2 && !into; across++)
                into = cells.get(key(x / cell + across, y / cell + down))?.find((one) => Math.hypot(one.x - x, one.y - y) < Math.max(apart, (one.size + size) / 2 + 2));
        if (into) into.members.push(index);
        else {
            const made = { index, x, y, size, members: [index] }, own = key(x / cell, y / cell), there = cells.get(own);
            all.push(made);
            if (there) there.push(made);
            else cells.set(own, [made]);
        }
    }
    return all;
}
