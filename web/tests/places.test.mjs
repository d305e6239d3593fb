// SPDX-License-Identifier: MIT
// The bytes of a value, and the value of a byte: numbers read from these bytes equal the values at the paths.
import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { MapstoneError, load } from '../dist/mapstone.js';
import { bytesOf, corpus, digest, top } from './native.mjs';

const library = await load();
/** @param {string} name @param {string} as */
function made(name, as) {
    const level = library.open(bytesOf(join(top, 'samples', name)), { name: `${as}.json` });
    const bytes = level.save();
    level.close();
    return library.open(bytes, { name: as });
}

/** @type {Record<string, (view: DataView, at: number, little: boolean) => number | bigint>} */
const readers = {
    u8: (view, at) => view.getUint8(at),
    i8: (view, at) => view.getInt8(at),
    u16: (view, at, little) => view.getUint16(at, little),
    i16: (view, at, little) => view.getInt16(at, little),
    u32: (view, at, little) => view.getUint32(at, little),
    i32: (view, at, little) => view.getInt32(at, little),
    f32: (view, at, little) => view.getFloat32(at, little),
};

/** @param {import('../dist/mapstone.js').Level} level @param {boolean} little */
function compareNumbers(level, little) {
    const bytes = level.save(), view = new DataView(bytes.buffer);
    let next = 0, compared = 0;
    const all = level.fields({ offset: 0, length: bytes.length });
    for (const one of all) {
        assert.equal(one.offset, next, one.path);
        next += one.length;
    }
    assert.equal(next, bytes.length);
    for (const one of all.filter((_, index) => index % 31 === 0)) {
        const reader = readers[one.kind ?? ''];
        const shown = one.type === undefined ? null : level.get(one.path);
        if (one.type !== undefined)
            assert.ok(level.at(one.path).some(({ kind, offset = 0, length = 0 }) => kind === 'file' && offset <= one.offset && one.offset + one.length <= offset + length), one.path);
        if (!reader || typeof shown !== 'number') continue;
        assert.equal(Math.fround(shown), Math.fround(Number(reader(view, one.offset, little))), one.path);
        assert.equal(level.pathAt(one.offset)?.path, one.path);
        compared++;
    }
    assert.ok(compared > 50, `${compared} numbers`);
    return all;
}

test('numbers are where their fields are', () => {
    for (const [from, as] of /** @type {const} */ ([['outpost.json', 'outpost.level'], ['valley.json', 'valley.map'], ['bunker.json', 'L111LEV.MAP'], ['keep/7_10_10.json', '7_10_10.DAT']])) {
        const level = made(from, as);
        compareNumbers(level, true);
        assert.deepEqual(level.bytes({ offset: 4, length: 9 }), level.save().slice(4, 13));
        level.close();
    }
});

test('derived numbers belong to what they count', () => {
    const level = made('outpost.json', 'outpost.level');
    const [name] = level.at('objects[0].class_name');
    assert.equal(name?.kind, 'file');
    const [length, text] = level.fields({ offset: name?.offset ?? 0, length: name?.length ?? 0 });
    assert.deepEqual([length?.class, length?.name, length?.path, length?.length], ['derived', 'length', 'objects[0].class_name', 4]);
    assert.equal(text?.text, JSON.stringify(level.get('objects[0].class_name')));
    assert.equal(text?.length, level.get('objects[0].class_name').length);
    assert.throws(() => level.at('objects[0].nothing'), MapstoneError);
    assert.throws(() => level.fields({ file: 1, offset: 0 }), MapstoneError);
    assert.throws(() => level.fields({ packed: 3, offset: 0 }), MapstoneError);
    assert.throws(() => level.bytes({ file: 1, offset: 0 }), MapstoneError);
    assert.equal(level.pathAt(level.save().length), null);
    level.close();
});

test('packed bytes and what they unpack to', { skip: !corpus }, () => {
    const path = join(corpus, 'sfa/mini/animtest.romlist.zlb'), bytes = bytesOf(path);
    const level = library.open(bytes, { name: basename(path) });
    const packed = level.pathAt(20);
    assert.equal(packed?.class, 'packed');
    assert.equal(packed?.unpackedSize, new DataView(bytes.buffer).getUint32(8)); // the wrapper's third number
    const content = level.bytes({ packed: packed?.offset ?? 0, offset: 0, length: packed?.unpackedSize ?? 0 });
    assert.equal(content.length, packed?.unpackedSize);
    const [place] = level.at('objects[1].position[1]');
    assert.deepEqual(place, { kind: 'packed', file: 0, offset: 16, length: 104, inner: 92, innerLength: 4 });
    assert.equal(new DataView(content.buffer).getFloat32(92), Math.fround(level.get('objects[1].position[1]')));
    const [field] = level.fields({ packed: 16, offset: 93 });
    assert.deepEqual([field?.path, field?.offset, field?.length], ['objects[1].position[1]', 92, 4]);
    assert.equal(digest(level.bytes({ offset: 0, length: bytes.length })), digest(bytes));
    level.close();
});

test('pictures say where things are, and scenes what acts on what', () => {
    const level = made('bunker.json', 'L111LEV.MAP');
    const { width, height, place } = level.picture({ view: 'above', width: 500, noLegend: true });
    assert.deepEqual([place.right, place.down, place.near], [[1, 0, 0], [0, 0, 1], [0, 1, 0]]);
    for (const { world } of level.entities()) {
        const x = ((world[0] ?? NaN) - place.left) * place.scale, y = ((world[2] ?? NaN) - place.top) * place.scale;
        assert.ok(x >= 0 && x < width && y >= 0 && y < height, `${x}, ${y}`);
    }
    const scene = level.scene({ noTextures: true });
    const linked = made('outpost.json', 'outpost.level'), { links } = linked.scene({ noTextures: true });
    linked.close();
    assert.ok(links.length > 0 && links.every(({ from, to }) => from.length === 3 && to.length === 3));
    const [first] = level.entities();
    assert.ok(first && scene.nodesOf(first.path).length > 0);
    assert.deepEqual(scene.nodesOf('map.nothing'), []);
    for (const { primitives } of scene.meshes)
        for (const { positions, minimum, maximum } of primitives)
            for (let axis = 0; axis < 3; axis++) {
                const all = positions.filter((_, index) => index % 3 === axis);
                assert.ok(Math.abs(all.reduce((a, b) => Math.min(a, b)) - Number(minimum[axis])) < 1e-4);
                assert.ok(Math.abs(all.reduce((a, b) => Math.max(a, b)) - Number(maximum[axis])) < 1e-4);
            }
    level.close();
});

test('what is known about values, and what names what', () => {
    const level = made('outpost.json', 'outpost.level');
    const text = level.describe('objects[0].class_name');
    assert.deepEqual([text.type, text.meaning, text.derived, text.place], ['text', 'text', false, false]);
    assert.ok(level.describe('objects[0]').place);
    assert.equal(level.describe('').meaning, 'parts');
    assert.throws(() => level.describe('objects[0].nothing'), MapstoneError);
    const material = level.describe('mesh.faces[0].material');
    assert.deepEqual([material.meaning, material.refers], ['element', { list: 'materials', path: 'mesh.materials' }]);
    const number = level.get('mesh.faces[0].material');
    assert.ok(level.references('mesh.faces[0]').some(({ path, to }) => path === 'mesh.faces[0].material' && to === `mesh.materials[${number}]`));
    const inwards = level.references(`mesh.materials[${number}]`, { inwards: true }).map(({ path }) => path);
    const wanted = level.get('mesh.faces[*].material').filter((/** @type {any} */ one) => one.value === number).map((/** @type {any} */ one) => one.path);
    assert.deepEqual(inwards, wanted);
    level.close();
    const alien = made('bunker.json', 'L111LEV.MAP');
    const lock = alien.describe('map.doors[0].lock');
    assert.equal(lock.meaning, 'named');
    assert.ok(lock.names?.some(({ value, name }) => value === 2 && name === 'locked') && lock.minimum === 0 && lock.maximum === 255);
    assert.deepEqual(alien.describe('map.quads[3].vertices').refers, { list: 'vertices', none: -1, path: 'map.vertices' });
    assert.ok(alien.describe('map.vertex_count').derived);
    alien.close();
});
