// SPDX-License-Identifier: MIT
// Archives and disc images, which are read in slices.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MapstoneError, load } from '../dist/mapstone.js';
import { bytesOf, corpus, digest, slices, top } from './native.mjs';
import { zip } from './zip.mjs';

const library = await load();
/** @param {string} name @param {string} as */
function made(name, as) {
    const level = library.open(bytesOf(join(top, 'samples', name)), { name: `${as}.json` });
    const bytes = level.save();
    level.close();
    return bytes;
}

/** @param {Uint8Array} bytes */
function counted(bytes) {
    const source = { size: bytes.length, total: 0, most: 0, read(/** @type {number} */ offset, /** @type {number} */ length) {
        source.total += length;
        source.most = Math.max(source.most, length);
        return bytes.subarray(offset, offset + length);
    } };
    return source;
}

const outpost = made('outpost.json', 'outpost.level'), valley = made('valley.json', 'valley.map');

test('levels in an archive, stored and packed', () => {
    const source = counted(zip([['maps/outpost.level', outpost], ['maps/valley.map', valley], ['readme.txt', new TextEncoder().encode('text')]], 40 << 20));
    const members = library.members({ 'game.kpf': source });
    assert.deepEqual(members, [{ name: 'maps/outpost.level', size: outpost.length, format: 'ns2-level' }, { name: 'maps/valley.map', size: valley.length, format: 'turok-map' }, { name: 'readme.txt', size: 4 }]);
    assert.ok(source.total < 400000, `${source.total} bytes`);
    for (const [name, bytes] of /** @type {[string, Uint8Array][]} */ ([['maps/outpost.level', outpost], ['maps/valley.map', valley]])) {
        const level = library.openFiles({ 'game.kpf': source }, { name });
        assert.equal(digest(level.save()), digest(bytes));
        level.close();
    }
    assert.ok(source.most <= Math.max(outpost.length, valley.length) + 100 && source.total < 4 << 20, `${source.most}, ${source.total}`);
    assert.throws(() => library.openFiles({ 'game.kpf': source }, { name: 'maps/nothing.level' }), MapstoneError);
});

test('damaged archives', () => {
    const whole = zip([['a.level', outpost], ['b.map', valley]], 0), torn = whole.slice();
    torn.fill(0, outpost.length + 500, outpost.length + 600);
    assert.throws(() => library.openFiles({ 'a.zip': torn }, { name: 'b.map' }), MapstoneError);
    assert.throws(() => library.members({ 'a.zip': whole.slice(0, whole.length - 30) }), (error) => error instanceof MapstoneError && error.status === 'damaged');
    const other = new Uint8Array(100);
    other.set([0x1f, 0x8b, 8]);
    assert.throws(() => library.members({ 'a.gz': other }), (error) => error instanceof MapstoneError && /as a whole/.test(error.message));
    assert.deepEqual(library.members({ 'a.txt': new TextEncoder().encode('a'), b: outpost }, { identify: false }), [{ name: 'a.txt', size: 1 }, { name: 'b', size: outpost.length }]);
});

const image = corpus ? join(corpus, 'sfa/mini/mini.iso') : '';
test('a disc image', { skip: !existsSync(image) }, () => {
    const members = library.members({ 'mini.iso': slices(image) });
    assert.equal(members.length, 28);
    const list = members.find(({ name }) => name.endsWith('animtest.romlist.zlb'));
    assert.ok(list?.format);
    const level = library.openFiles({ 'mini.iso': slices(image) }, { name: list.name });
    assert.equal(digest(level.save()), digest(bytesOf(join(corpus, 'sfa/mini/animtest.romlist.zlb'))));
    level.close();
});
