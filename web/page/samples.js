// SPDX-License-Identifier: MIT
/** The levels of the start page; `build.mjs` makes their files from the project's samples. */

/** @typedef {{id: string, name: string, game: string, files: string[], level?: string, map?: string}} Sample */

/** @type {Sample[]} */
export const samples = [
    {
        id: 'islet', name: 'Islet', game: 'Star Fox Adv.', level: 'islet/MAPS.bin', map: 'capeclaw',
        files: ['HITS.bin', 'HITS.tab', 'MAPINFO.bin', 'MAPS.bin', 'MAPS.tab', 'TRKBLK.tab', 'WARPTAB.bin', 'globalma.bin', 'capeclaw.romlist.zlb', 'capeclaw/TEX1.bin', 'capeclaw/TEX1.tab', 'capeclaw/mod48.zlb.bin', 'capeclaw/mod48.tab',
            'magicave.romlist.zlb', 'magiccave/TEX1.bin', 'magiccave/TEX1.tab', 'magiccave/mod39.zlb.bin', 'magiccave/mod39.tab'].map((one) => `islet/${one}`),
    },
    { id: 'bunker', name: 'Bunker', game: 'Alien Trilogy', files: ['bunker/L900LEV.MAP', 'bunker/900GFX.BIN'], level: 'bunker/L900LEV.MAP' },
    { id: 'valley', name: 'Valley', game: 'Turok', files: ['valley.map'] },
    { id: 'outpost', name: 'Outpost', game: 'Natural Sel. 2', files: ['outpost.level'] },
    { id: 'keep', name: 'Keep', game: 'Revenant', files: ['7_10_10.DAT', '7_10_11.DAT', '7_11_10.DAT', '7_11_11.DAT', '7_12_10.DAT', '7_12_11.DAT', 'class.def'].map((one) => `keep/${one}`) },
];

/** The files inside a single-file page, by their names. @returns {Record<string, string> | undefined} */
const inside = () => /** @type {any} */ (globalThis).mapstoneParts?.samples;

/** @param {string} name @returns {Promise<Uint8Array>} */
export async function sampleBytes(name) {
    const own = inside()?.[`samples/${name}`];
    if (own) return Uint8Array.from(atob(own), (one) => one.charCodeAt(0));
    const response = await fetch(new URL(`../samples/${name}`, import.meta.url));
    if (!response.ok) throw new Error(`The sample ${name} is missing.`);
    return new Uint8Array(await response.arrayBuffer());
}

/** The address of a sample's picture. @param {string} id */
export function samplePicture(id) {
    const own = inside()?.[`samples/${id}.png`];
    return own ? `data:image/png;base64,${own}` : new URL(`../samples/${id}.png`, import.meta.url).href;
}
