// SPDX-License-Identifier: MIT
/** The levels of the start page; `build.mjs` makes their files of the project's samples. */

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
