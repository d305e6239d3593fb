// SPDX-License-Identifier: MIT
// The documents of the package, with the project's own samples; results are compared with the command's.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MapstoneError, Scene, load, open } from '../dist/mapstone.js';
import { bytesOf, digest, native, top } from './native.mjs';

const place = mkdtempSync(join(tmpdir(), 'mapstone-web-'));
after(() => rmSync(place, { recursive: true }));
/** @param {string} name */
const sample = (name) => bytesOf(join(top, 'samples', name));
/** @param {string} name @param {Uint8Array} bytes */
function put(name, bytes) {
    writeFileSync(join(place, name), bytes);
    return join(place, name);
}

const library = await load();
/** The file made from a sample, which is JSON. @param {string} name @param {string} as */
function made(name, as) {
    const level = library.open(sample(name), { name: `${as}.json` });
    const bytes = level.save();
    level.close();
    put(as, bytes);
    return bytes;
}
const outpost = made('outpost.json', 'outpost.level');
const valley = made('valley.json', 'valley.map');
const bunker = made('bunker.json', 'L111LEV.MAP');
const textures = made('bunker-textures.json', '111GFX.BIN');

test('samples become the files that the command makes', () => {
    for (const [from, id, bytes] of /** @type {const} */ ([['outpost.json', 'ns2-level', outpost], ['valley.json', 'turok-map', valley], ['bunker.json', 'alien-map', bunker]])) {
        const wanted = native(['convert', join(top, 'samples', from), '-t', id, '-o', '-']);
        assert.equal(digest(bytes), digest(wanted.bytes), from);
    }
});

test('what a file is', async () => {
    assert.equal(library.identify(outpost, 'a.level')?.id, 'ns2-level');
    assert.equal(library.identify(new Uint8Array([1, 2, 3])), null);
    assert.ok(library.formats().some((one) => one.id === 'turok-map' && one.title));
    const level = await open(outpost, { name: 'outpost.level' });
    const { name, format, edited, files } = level.information;
    assert.deepEqual({ name, id: format.id, edited, files }, { name: 'outpost.level', id: 'ns2-level', edited: false, files: [{ name: 'outpost.level', size: outpost.length }] });
    assert.deepEqual(level.warnings, []);
    level.close();
});

test('values by path and selector', () => {
    const level = library.open(outpost, { name: 'outpost.level' });
    const path = join(place, 'outpost.level');
    assert.equal(level.get('objects[0].class_name'), native(['get', path, 'objects[0].class_name']).text.trim());
    const found = level.get('objects[class_name=location]');
    assert.ok(found.length > 1 && found.every((/** @type {any} */ one) => one.value.class_name === 'location' && /^objects\[\d+\]$/.test(one.path)));
    assert.throws(() => level.get('objects[0].nothing'), (error) => error instanceof MapstoneError && error.status === 'no such path' && /nothing/.test(error.message));
    level.close();
});

test('an outline as far as it is opened', () => {
    const level = library.open(outpost, { name: 'outpost.level' });
    const { row, rows } = level.tree('objects', { first: 1, count: 2 });
    assert.equal(row.type, 'list');
    assert.deepEqual(rows.map((one) => one.path), ['objects[1]', 'objects[2]']);
    for (const one of rows) {
        assert.equal(one.type, 'record');
        assert.equal(one.label, level.get(`${one.path}.class_name`));
        assert.equal(one.place?.kind, 'file');
    }
    const inside = level.tree('objects[1]').rows;
    assert.equal(inside.length, level.tree('objects[1]').row.count);
    const named = inside.find((one) => one.name === 'class_name');
    assert.equal(named?.value, level.get('objects[1].class_name'));
    const { offset = 0, length = 0 } = named?.place ?? {};
    assert.ok(new TextDecoder().decode(outpost.subarray(offset, offset + length)).includes(level.get('objects[1].class_name')));
    assert.ok(level.tree().rows.every((one) => !one.path.startsWith('.')));
    level.close();
});

test('values set are those that the command sets', () => {
    const level = library.open(outpost, { name: 'outpost.level' });
    const path = join(place, 'outpost.level');
    level.set('objects[0].class_name', 'location');
    assert.ok(level.information.edited);
    native(['set', path, 'objects[0].class_name=location', '-o', join(place, 'set.level')]);
    assert.equal(digest(level.save()), digest(bytesOf(join(place, 'set.level'))));
    const before = level.save();
    assert.throws(() => level.set('objects[0]', 'text'), MapstoneError);
    assert.equal(digest(level.save()), digest(before));
    level.close();
});

test('edits are those of the command, all or none', () => {
    const level = library.open(outpost, { name: 'outpost.level' });
    const script = ['duplicate objects[0]', { op: 'set', path: 'objects[1].class_name', new: 'location' }, 'remove objects[2]'];
    const tried = level.edit(script, { dryRun: true });
    assert.equal(digest(level.save()), digest(outpost));
    const { changes } = level.edit(script);
    assert.deepEqual(changes, tried.changes);
    assert.deepEqual(changes.map((one) => [one.change, one.path]), [['add', 'objects[1]'], ['set', 'objects[1].class_name'], ['remove', 'objects[2]']]);
    const file = put('edits', new TextEncoder().encode(script.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')));
    native(['edit', join(place, 'outpost.level'), '--script', file, '-o', join(place, 'edited.level')]);
    assert.equal(digest(level.save()), digest(bytesOf(join(place, 'edited.level'))));
    assert.throws(() => level.edit(['remove objects[0]', 'remove objects[100000]']), MapstoneError);
    assert.equal(digest(level.save()), digest(bytesOf(join(place, 'edited.level'))));
    level.close();
});

test('differences and patches', () => {
    const old = library.open(outpost, { name: 'outpost.level' }), now = library.open(outpost, { name: 'outpost.level' });
    now.edit(['duplicate objects[3]', 'objects[0].class_name = location']);
    const after = now.save(), path = put('now.level', after);
    assert.deepEqual(old.diff(now), native(['diff', '--json', join(place, 'outpost.level'), path]).text.split('\n').filter(Boolean).map((line) => JSON.parse(line)));
    const patch = old.patchTo(now);
    assert.equal(patch, native(['diff', '--patch', join(place, 'outpost.level'), path]).text);
    assert.deepEqual(old.patch(patch), []);
    assert.equal(digest(old.save()), digest(after));
    old.patch(patch, { reverse: true });
    assert.equal(digest(old.save()), digest(outpost));
    assert.throws(() => old.patch('{"not": "a patch"}'), MapstoneError);
    const other = library.open(outpost, { name: 'outpost.level' });
    other.edit('remove objects[0]', { cascade: true });
    const without = other.save();
    assert.throws(() => other.patch(patch), (error) => error instanceof MapstoneError && error.status === 'refused' && error.details.length > 0);
    assert.equal(digest(other.save()), digest(without));
    assert.equal(other.patch(patch, { partial: true }).length, 1);
    other.close();
    old.close();
    assert.throws(() => now.diff(old), /closed/);
    now.close();
});

test('JSON and other formats', () => {
    const level = library.open(outpost, { name: 'outpost.level' });
    const text = level.dump();
    assert.equal(text, native(['dump', join(place, 'outpost.level')]).text);
    const again = library.open(new TextEncoder().encode(text), { name: 'outpost.level.json' });
    assert.equal(digest(again.save()), digest(outpost));
    again.close();
    assert.deepEqual(JSON.parse(level.dump('objects[0]', { compact: true })), level.get('objects[0]'));
    const other = level.convert({ format: 'ns2-clip', allowLoss: true });
    assert.equal(library.identify(other.bytes)?.id, 'ns2-clip');
    assert.ok(other.losses.every((one) => one.severity === 'warning' && one.message));
    level.close();
    const map = library.open(valley, { name: 'valley.map' });
    const turned = map.convert({ byteOrder: 'big' });
    assert.equal(digest(turned.bytes), digest(native(['convert', join(place, 'valley.map'), '--byte-order', 'big', '-o', '-']).bytes));
    map.close();
});

test('sidecars are found, and only those that are given', () => {
    const alone = library.open(bunker, { name: 'L111LEV.MAP' });
    const level = library.open(bunker, { name: 'L111LEV.MAP', sidecars: { '111gfx.bin': textures } });
    assert.ok(alone.scene().images.length < level.scene().images.length);
    assert.deepEqual(level.check().findings, native(['check', '--json', join(place, 'L111LEV.MAP')]).text.split('\n').filter(Boolean).slice(0, -1)
        .map((line) => JSON.parse(line)).map(({ file: _, ...rest }) => rest));
    const far = 'map.quads[0].texture = 5000';
    assert.throws(() => level.edit(far), /ALIEN-QUAD-TEXTURE/);
    alone.edit(far);
    const other = library.open(bunker, { name: 'L111LEV.MAP' }), old = library.open(bunker, { name: 'L111LEV.MAP' });
    other.edit(far);
    const patch = old.patchTo(other);
    level.edit('map.monsters[0].health = 9');
    assert.throws(() => level.patch(patch), /ALIEN-QUAD-TEXTURE/);
    level.patch(patch, { force: true });
    assert.equal(level.get('map.quads[0].texture'), 5000);
    for (const one of [other, old]) one.close();
    alone.close();
    level.close();
    let asked = 0;
    const lazy = { size: textures.length, read: (/** @type {number} */ offset, /** @type {number} */ length) => (asked++, textures.subarray(offset, offset + length)) };
    const sliced = library.open(bunker, { name: 'L111LEV.MAP', sidecars: { '111GFX.BIN': lazy } });
    assert.equal(asked, 0);
    assert.ok(sliced.scene().images.length > 0 && asked > 0);
    sliced.close();
    const broken = { size: bunker.length, read: () => { throw new Error('the disk is gone'); } };
    assert.throws(() => library.open(broken, { name: 'L111LEV.MAP' }), /the disk is gone/);
});

test('the sectors of a folder are one level', () => {
    const files = new Map();
    for (const name of ['7_10_10', '7_10_11', '7_11_10', '7_11_11', '7_12_10', '7_12_11']) {
        const sector = library.open(sample(`keep/${name}.json`), { name: `${name}.DAT.json` });
        files.set(`keep/${name}.DAT`, sector.save());
        sector.close();
    }
    files.set('keep/class.def', sample('keep/class.def'));
    const level = library.openFiles(files);
    assert.equal(level.documents.length, 6);
    assert.deepEqual(level.documents.map((one) => one.information.name).sort(), [...files.keys()].slice(0, 6));
    for (const one of level.documents) assert.equal(digest(one.save()), digest(files.get(one.information.name)));
    assert.ok(level.entities().length > 10);
    const [, second] = level.documents;
    assert.throws(() => library.openFiles({ 'a.level': outpost, 'b.map': valley }), MapstoneError);
    level.close();
    assert.throws(() => second?.save(), /closed/);
    assert.deepEqual(level.documents, []);
});

test('scenes say where their triangles come from', () => {
    const level = library.open(outpost, { name: 'outpost.level' });
    const scene = level.scene();
    assert.ok(scene instanceof Scene && scene.nodes.length > 10 && scene.unitMetres > 0);
    let triangles = 0;
    scene.nodes.forEach((node, index) => {
        for (const [p, part] of (scene.meshes[node.mesh ?? -1]?.primitives ?? []).entries()) {
            assert.equal(part.positions.length, 3 * part.vertexCount);
            const corners = part.indices ?? Uint32Array.from({ length: part.vertexCount }, (_, i) => i);
            assert.ok(corners.every((corner) => corner < part.vertexCount));
            for (let t = 0; t < corners.length / 3; t++, triangles++) {
                const origin = scene.originOf(index, p, t);
                assert.ok(origin, `${node.name}, ${p}, ${t}`);
                if (t % 50 === 0 && origin.file === '' && origin.path) level.tree(origin.path, { count: 0 });
            }
        }
    });
    assert.ok(triangles > 100);
    const entities = level.entities();
    assert.ok(entities.length > 5);
    for (const one of entities) assert.equal(level.get(`${one.path}.class_name`), one.className);
    level.close();
});

test('models and pictures are those of the command', () => {
    const level = library.open(bunker, { name: 'L111LEV.MAP', sidecars: { '111GFX.BIN': textures } });
    const path = join(place, 'L111LEV.MAP');
    assert.equal(digest(level.model()), digest(native(['convert', path, '-t', 'glb', '-o', '-']).bytes));
    const png = level.png({ width: 320 });
    assert.equal(digest(png), digest(native(['render', path, '--size', '320', '-o', '-']).bytes));
    const picture = level.picture({ width: 320 });
    assert.equal(picture.pixels.length, 4 * picture.width * picture.height);
    assert.equal(picture.width, 320);
    assert.equal(JSON.parse(new TextDecoder().decode(level.model('gltf'))).asset.version, '2.0');
    level.close();
});

test('damaged files', () => {
    const cut = outpost.slice(0, outpost.length - 20);
    assert.throws(() => library.open(cut, { name: 'cut.level' }), (error) => error instanceof MapstoneError && error.status === 'damaged' && error.code.startsWith('NS2-') && error.offset !== undefined);
    const text = new TextEncoder().encode('{"$format": "ns2-level",\n "version": }');
    assert.throws(() => library.open(text, { name: 'a.json' }), /line 2, column 13.*expected a value, found }/);
    const sector = library.open(sample('keep/7_10_10.json'), { name: '7_10_10.DAT.json' });
    const part = sector.save(), torn = part.slice(0, Math.floor((part.length * 2) / 3));
    assert.throws(() => library.open(torn, { name: '7_10_10.DAT' }), MapstoneError);
    const saved = library.open(torn, { name: '7_10_10.DAT', salvage: true });
    assert.ok(saved.warnings.length > 0 && saved.information.salvaged);
    sector.close();
    saved.close();
});

test('numbers of all kinds go in and out', () => {
    const level = library.open(outpost, { name: 'outpost.level' });
    const path = level.get('objects[class_name=light_point]')[0].path;
    for (const value of [-0, 0.5, 1e30, 2 ** -149, 'NaN', 'Infinity']) {
        level.set(`${path}.properties.intensity`, value);
        const now = level.get(`${path}.properties.intensity`).flat()[0];
        assert.ok(Object.is(typeof value === 'number' ? Math.fround(now) : now, typeof value === 'number' ? Math.fround(value) : value), `${value}: ${now}`);
    }
    level.set(`${path}.properties.intensity`, -Infinity);
    assert.equal(level.get(`${path}.properties.intensity`).flat()[0], '-Infinity');
    level.close();
    assert.throws(() => level.get('objects'), /closed/);
    level.close();
});

test('levels that are closed leave no memory behind', () => {
    const use = () => {
        const level = library.open(outpost, { name: 'outpost.level' });
        level.scene({ noMarkers: true });
        level.set('objects[0].class_name', 'location');
        level.close();
    };
    for (let i = 0; i < 2; i++) use();
    const before = library.memory;
    for (let i = 0; i < 50; i++) use();
    assert.ok(library.memory - before < 5 << 20, `${library.memory - before} bytes more`);
});
