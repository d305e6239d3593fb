// SPDX-License-Identifier: MIT
/** The files that `mapstone view` serves with the page. */

/** @typedef {{name: string, url: string, size: number, named?: boolean}} Opened  `named`: given on the command line, not only next to such a file */

/** Whether `mapstone view` serves this page: its address then contains a secret. */
export const isServed = () => location.protocol.startsWith('http') && (location.search === '?opened' || /\/[0-9a-f]{32}\/$/.test(new URL('.', document.baseURI).pathname));

/** The files, and the name of the one to be opened, if any. */
export async function openedFiles() {
    const answer = await fetch(new URL('opened.json', document.baseURI));
    if (!answer.ok) throw new Error('The files are missing.');
    /** @type {Opened[]} */ const all = await answer.json();
    /** @type {Map<string, import('./worker.js').Given>} */ const files = new Map();
    for (const { name, url, size } of all) {
        let own = name;
        for (let number = 2; files.has(own); number++) own = `${number}/${name}`;
        files.set(own, { name: own, file: { url: new URL(url, document.baseURI).href, name, size } });
    }
    return { files: [...files.values()], named: all.find((one) => one.named)?.name };
}
