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

/** The name of the file, the reason, and the ways to open it anyway. @param {Given[]} files @param {import('./library.js').Refusal} why @param {Options} options */
export async function refusalOf(files, why, options) {
    const name = options.level ?? options.named ?? files[0]?.name ?? '', one = files.find((each) => each.name === name) ?? files[0];
    const shown = [el('p.diagnosis', { role: 'alert' }, icon('error'), why.message)];
    if (one && why.status === 'unknown format') shown.push(el('p.seems', {}, seems(name, await firstOf(one))));
    /** @type {Record<string, {label: string, files: Given[], options: Options}>} */ const ways = {};
    if (why.status === 'damaged' && !options.salvage) ways.salvage = { label: 'Show what can be read', files, options: { ...options, salvage: true } };
    if (one && !options.plain) ways.plain = { label: 'Show its bytes', files: [one], options: { plain: true } };
    return { name, shown, ways };
}
