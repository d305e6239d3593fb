// SPDX-License-Identifier: MIT
/** Worlds in more sectors than fit into the memory of a browser: opens those around one of them. */

/** The most sectors that are opened together. */
export const mostSectors = 100;

/** The level, column and row in the name of a sector. @param {string} name */
function placeOf(name) {
    const [, level = '', x = '', y = ''] = /(?:^|\/)(\d+)_(\d+)_(\d+)\.dat$/i.exec(name) ?? [];
    return level ? { level: Number(level), x: Number(x), y: Number(y) } : null;
}

/**
 * The sectors of a large world to leave out: all except those nearest to the named one, or to the first. null if the world is small enough.
 * @param {{name: string, id: string}[]} known @param {string | undefined} name
 * @returns {{out: Set<string>, middle: string, sectors: number} | null}
 */
export function farSectors(known, name) {
    const sectors = known.flatMap((one) => {
        const at = one.id === 'revenant-sector' ? placeOf(one.name) : null;
        return at ? [{ name: one.name, at }] : [];
    });
    const middle = sectors.find((one) => one.name === name) ?? sectors[0];
    if (!middle || sectors.length <= mostSectors) return null;
    const away = (/** @type {typeof middle} */ { at }) => (at.level === middle.at.level ? Math.hypot(at.x - middle.at.x, at.y - middle.at.y) : Infinity);
    const far = sectors.map((one) => ({ name: one.name, away: away(one) })).sort((a, b) => a.away - b.away).slice(mostSectors);
    return { out: new Set(far.map((one) => one.name)), middle: middle.name, sectors: sectors.length };
}
