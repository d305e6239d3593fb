// SPDX-License-Identifier: MIT
// Every real file: the WebAssembly library and the command report the same.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { MapstoneError, load } from '../dist/mapstone.js';
import { bytesOf, corpus, digest, filesBelow, native, withSidecars } from './native.mjs';

/** @param {string} text */
const lines = (text) => text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
/** Findings without the path of the file. @param {any[]} all */
const plain = (all) => all.map(({ file: _, ...rest }) => rest);

const library = await load();

/**
 * The findings of `mapstone check` in each of the files.
 * @param {string[]} paths
 * @returns {Map<string, any[]>}
 */
function checked(paths) {
    const found = new Map(paths.map((path) => [path, /** @type {any[]} */ ([])]));
    for (const one of lines(native(['check', '--json', '--information', ...paths]).text)) found.get(one.file)?.push(one);
    return found;
}

/** @param {string} path @param {any[]} findings */
function compare(path, findings) {
    const bytes = bytesOf(path);
    let level;
    try {
        level = library.open(bytes, withSidecars(path));
    } catch (error) {
        assert.ok(error instanceof MapstoneError, `${path}: ${error}`);
        assert.deepEqual(plain([error.finding]), plain(findings), path);
        return 'refused';
    }
    try {
        level.information.files.forEach(({ name }, index) => {
            const file = name === '' ? path : join(dirname(path), basename(name));
            assert.equal(digest(level.save(index)), digest(bytesOf(file)), file);
        });
        assert.deepEqual(plain(level.check({ information: true }).findings), plain(findings), path);
        assert.equal(digest(level.dump()), digest(native(['dump', path]).bytes), path);
        const shown = level.tree();
        assert.equal(shown.rows.length, Math.min(shown.row.count ?? 0, 100), path);
        const model = native(['convert', path, '-t', 'glb', '-o', '-']);
        if (model.code === 0) assert.equal(digest(level.model()), digest(model.bytes), `${path}: another model`);
        else assert.throws(() => level.model(), MapstoneError, path);
        return 'opened';
    } finally {
        level.close();
    }
}

for (const family of corpus ? readdirSync(corpus) : []) {
    test(`every file of ${family}`, (t) => {
        const counts = { opened: 0, refused: 0, unknown: 0 }, odd = /** @type {string[]} */ ([]);
        const files = filesBelow(join(corpus, family));
        const known = files.filter((path) => library.identify(bytesOf(path), basename(path), statSync(path).size));
        for (const [path, findings] of checked(known))
            try {
                counts[compare(path, findings)]++;
            } catch (error) {
                odd.push(`${path}: ${error instanceof Error ? error.message : error}`);
            }
        counts.unknown = files.length - known.length;
        t.diagnostic(`${family}: ${JSON.stringify(counts)}`);
        assert.deepEqual(odd, []);
    });
}
if (!corpus) test('real files', { skip: 'there are none' }, () => {});
