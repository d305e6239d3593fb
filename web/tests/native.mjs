// SPDX-License-Identifier: MIT
// The references of the tests: the command, and the files that it would find for a level.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const top = fileURLToPath(new URL('../..', import.meta.url));
export const command = process.env.MAPSTONE_COMMAND ?? join(top, 'build/mapstone');
const wanted = process.env.MAPSTONE_CORPUS ?? join(top, '../shared/corpus');
export const corpus = existsSync(wanted) ? wanted : '';

/**
 * Runs the command.
 * @param {string[]} given
 * @param {string | Uint8Array} [input]
 */
export function native(given, input) {
    const run = spawnSync(command, given, { input, maxBuffer: 1 << 30, env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    if (run.status === null) throw new Error(`mapstone ${given.join(' ')}: ${run.error ?? run.signal}`);
    return { code: run.status, bytes: new Uint8Array(run.stdout), text: run.stdout.toString(), said: run.stderr.toString() };
}

/** @param {Uint8Array | string} bytes */
export const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** @param {string} directory @returns {string[]} the paths of all files below it */
export function filesBelow(directory) {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' })
        .map((name) => join(directory, name))
        .filter((path) => statSync(path).isFile())
        .sort();
}

/**
 * A file that is read by slices.
 * @param {string} path
 * @returns {import('../mapstone.js').Slices}
 */
export function slices(path) {
    const { size } = statSync(path);
    return {
        size,
        read(offset, length) {
            const bytes = new Uint8Array(length), file = openSync(path, 'r');
            const count = readSync(file, bytes, 0, length, offset);
            closeSync(file);
            return bytes.subarray(0, count);
        },
    };
}

/**
 * The files among which the command looks for sidecars: in the level's folder, and in the root of its game.
 * @param {string} path
 */
export function withSidecars(path) {
    const folders = path.split('/');
    const last = folders.slice(0, -1).findLastIndex((one) => /^(maps?|levels|models|materials)$/i.test(one));
    const root = last > 0 ? folders.slice(0, last).join('/') : dirname(path);
    /** @type {Record<string, import('../mapstone.js').Slices>} */
    const sidecars = {};
    for (const one of filesBelow(root)) sidecars[relative(root, one)] = slices(one);
    return { name: relative(root, path), sidecars };
}

/** @param {string} path */
export const bytesOf = (path) => new Uint8Array(readFileSync(path));
