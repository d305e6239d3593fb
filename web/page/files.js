// SPDX-License-Identifier: MIT
/** Files of an input or a drop, with their folders. */

/** @typedef {import('./worker.js').Given} Given */

/** @param {HTMLInputElement} input @returns {Given[]} */
export const filesOfInput = (input) => [...(input.files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file }));

/** @param {FileSystemEntry} entry @param {Given[]} to */
async function collect(entry, to) {
    if (entry.isFile) {
        const file = await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
        to.push({ name: entry.fullPath.replace(/^\//, ''), file });
        return;
    }
    const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (;;) {
        /** @type {FileSystemEntry[]} */ const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
        if (!some.length) return;
        for (const one of some) await collect(one, to);
    }
}

/** @param {DataTransfer} dropped @returns {Promise<Given[]>} */
export async function filesOfDrop(dropped) {
    const entries = [...dropped.items].map((one) => one.webkitGetAsEntry?.()).filter((one) => one !== null && one !== undefined);
    if (!entries.length) return [...dropped.files].map((file) => ({ name: file.name, file }));
    /** @type {Given[]} */ const files = [];
    for (const one of entries) await collect(one, files);
    return files;
}
