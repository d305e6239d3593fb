// SPDX-License-Identifier: MIT
/** Why files do not open, what they seem to be, and what can be done. */
import { el, icon } from './dom.js';
import { seems } from './seems.js';

/** @typedef {import('./worker.js').Given} Given */
/** @typedef {import('./worker.js').Options} Options */

/** The first bytes of a file. @param {Given} one */
async function firstOf({ file }) {
    return file instanceof Uint8Array ? file.subarray(0, 256) : file instanceof Blob ? new Uint8Array(await file.slice(0, 256).arrayBuffer()) : new Uint8Array();
}

/** The name of the file, what is said of it, and ways to open it all the same: their labels, files and options. @param {Given[]} files @param {import('./library.js').Refusal} why @param {Options} options */
export async function refusalOf(files, why, options) {
    const name = options.level ?? options.named ?? files[0]?.name ?? '', one = files.find((each) => each.name === name) ?? files[0];
    const shown = [el('p.diagnosis', { role: 'alert' }, icon('error'), why.message)];
    if (one && why.status === 'unknown format') shown.push(el('p.seems', {}, seems(name, await firstOf(one))));
    /** @type {Record<string, [string, Given[], Options]>} */ const ways = {};
    if (why.status === 'damaged' && !options.salvage) ways.salvage = ['Show what can be read', files, { ...options, salvage: true }];
    if (one && !options.plain) ways.plain = ['Show its bytes', [one], { plain: true }];
    return { name, shown, ways };
}
