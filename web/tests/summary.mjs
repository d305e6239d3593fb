// SPDX-License-Identifier: MIT
// The package's results for a file, as digests: the same in Node and in browsers.

/** @param {Uint8Array | string} data */
async function digest(data) {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
    const sum = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
    return Array.from(new Uint8Array(sum), (one) => one.toString(16).padStart(2, '0')).join('');
}

/**
 * @param {import('../dist/mapstone.js').Mapstone} library
 * @param {string} name
 * @param {Uint8Array} bytes
 */
export async function summary(library, name, bytes) {
    let level;
    try {
        level = library.open(bytes, { name });
    } catch (error) {
        return { refused: String(error) };
    }
    try {
        let model;
        try {
            model = await digest(level.model());
        } catch (error) {
            model = String(error);
        }
        return {
            saved: await digest(level.save()),
            findings: await digest(JSON.stringify(level.check({ information: true }))),
            json: await digest(level.dump()),
            rows: await digest(JSON.stringify(level.tree())),
            model,
        };
    } finally {
        level.close();
    }
}
