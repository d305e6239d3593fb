// SPDX-License-Identifier: MIT
// Edits as steps: for each family the result equals that of `mapstone edit`, and all of them can be undone and redone.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { MapstoneError, load } from '../dist/mapstone.js';
import { bytesOf, corpus, digest, native, top } from './native.mjs';

const library = await load();
const place = mkdtempSync(join(tmpdir(), 'mapstone-history-'));
after(() => rmSync(place, { recursive: true }));

/** @param {string} name @param {string} as */
function made(name, as) {
    const level = library.open(bytesOf(join(top, 'samples', name)), { name: `${as}.json` });
    const bytes = level.save();
    level.close();
    return bytes;
}

/**
 * Each edit is a step; at the end the file, the differences and the patch equal the command's.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @param {import('../dist/mapstone.js').Operation[]} script
 */
function compare(name, bytes, script) {
    const file = join(place, name), edited = join(place, `edited-${name}`), lines = join(place, 'script');
    writeFileSync(file, bytes);
    writeFileSync(lines, script.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'));
    const done = native(['edit', file, '--script', lines, '--cascade', '-o', join(place, `new-${name}`)]);
    assert.equal(done.code, 0, done.said);
    const wanted = digest(bytesOf(join(place, `new-${name}`)));
    const level = library.open(bytes, { name }), history = level.history();
    const digests = [digest(level.save())];
    for (const one of script) {
        const { changes, step } = history.edit(one, { cascade: true });
        assert.ok(changes.length > 0, `${name}: ${JSON.stringify(one)}`);
        assert.deepEqual(step?.changes, changes);
        digests.push(digest(level.save()));
    }
    assert.equal(digests.at(-1), wanted, name);
    assert.equal(history.steps.length, script.length);
    for (let turn = 0; turn < 2; turn++) {
        for (let i = script.length; i > 0; i--) {
            assert.equal(digest(level.save()), digests[i]);
            assert.ok(history.undo());
        }
        assert.equal(history.undo(), null);
        assert.ok(!history.canUndo && history.canRedo && !level.information.edited);
        assert.equal(digest(level.save()), digest(bytes));
        while (history.redo());
        assert.equal(digest(level.save()), wanted);
    }
    writeFileSync(edited, level.save());
    assert.deepEqual(history.changes(), native(['diff', '--json', file, edited]).text.split('\n').filter(Boolean).map((line) => JSON.parse(line)));
    const said = native(['diff', file, edited]).text;
    for (const line of history.changesText().split('\n')) assert.ok(said.includes(line.trim()), line);
    const patch = history.patch();
    writeFileSync(join(place, 'patch'), patch);
    const applied = native(['patch', file, join(place, 'patch'), '-o', join(place, `patched-${name}`)]);
    assert.equal(applied.code, 0, applied.said);
    assert.equal(digest(bytesOf(join(place, `patched-${name}`))), wanted);
    assert.ok(history.memory < bytes.length * 2 + 20000, `${history.memory} bytes`);
    level.close();
    assert.equal(history.position, 0);
}

test('samples', () => {
    compare('outpost.level', made('outpost.json', 'outpost.level'), ['move objects[5] by 0,2,0', { op: 'set', path: 'objects[0].class_name', new: 'location' }, 'duplicate objects[3]', 'remove objects[1]', 'rotate objects[6] by 90deg', 'remove mesh.faces[0]']);
    compare('valley.map', made('valley.json', 'valley.map'), ['actors.records[0].scale[0] = 2', 'move actors.records[0] by 10,0,5', 'duplicate actors.records[1]', 'remove actors.records[2]']);
    compare('L111LEV.MAP', made('bunker.json', 'L111LEV.MAP'), ['map.doors[0].lock = 2', 'move map.monsters[0] by 1,0', 'duplicate map.quads[3]', 'remove map.path_nodes[1]']);
    compare('7_10_10.DAT', made('keep/7_10_10.json', '7_10_10.DAT'), ['move objects[0] by 1,1,0', 'duplicate objects[1]', 'remove objects[0]']);
});

test('real files', { skip: !corpus }, () => {
    for (const [path, script] of /** @type {[string, string[]][]} */ ([
        ['ns2/ns2-skulks-with-shotguns__2fort__267190d3.level', ['move objects[7] by 1,0,1', 'duplicate objects[7]', 'remove objects[3]']],
        ['sfa/mini/animtest.romlist.zlb', ['move objects[0] by 1,0,0', 'duplicate objects[1]', 'remove objects[0]']],
    ])) compare(basename(path), bytesOf(join(corpus, path)), script);
});

test('steps that end, begin again, or are refused', () => {
    const bytes = made('outpost.json', 'outpost.level'), level = library.open(bytes, { name: 'outpost.level' });
    const history = level.history();
    assert.equal(level.history(), history);
    assert.equal(history.undo(), null);
    assert.equal(history.redo(), null);
    history.edit('objects[0].class_name = first', { label: 'one' });
    history.edit('objects[0].class_name = second');
    history.undo();
    history.edit('objects[0].class_name = third');
    assert.deepEqual(history.steps.map(({ label }) => label), ['one', 'objects[0].class_name = third']);
    assert.equal(history.redo(), null);
    assert.throws(() => history.edit('objects[0].nothing = 1'), MapstoneError);
    assert.equal(history.position, 2);
    const tried = history.edit('remove objects[0]', { dryRun: true });
    assert.equal(tried.step, null);
    assert.deepEqual([history.position, tried.changes.map((one) => one.path)], [2, ['objects[0]']]);
    assert.equal(history.original.get('objects[0].class_name'), 'ready_room_start');
    history.revert('objects[0].class_name');
    assert.equal(level.get('objects[0].class_name'), 'ready_room_start');
    assert.equal(digest(level.save()), digest(bytes));
    level.set('objects[0].class_name', 'elsewhere'); // not as a step
    assert.throws(() => history.undo(), (error) => error instanceof MapstoneError && error.status === 'refused');
    level.close();
});

test('hundreds of steps take little memory', () => {
    const level = library.open(made('outpost.json', 'outpost.level'), { name: 'outpost.level' }), history = level.history();
    const before = digest(level.save());
    for (let i = 0; i < 300; i++) history.edit(`move objects[${i % 10}] by 0,0.25,0`);
    assert.ok(history.memory < 300 * 1500, `${history.memory} bytes`);
    while (history.undo());
    assert.equal(digest(level.save()), before);
    level.close();
});

test('what was changed elsewhere: a merge with its conflicts, a patch, and an edited model', () => {
    const bytes = made('outpost.json', 'outpost.level'), base = library.open(bytes, { name: 'base.level' }), theirs = library.open(bytes, { name: 'theirs.level' }), ours = library.open(bytes, { name: 'ours.level' }), history = ours.history();
    theirs.edit(['objects[19].properties.intensity = 2.75', 'objects[23].properties.intensity = 2.75', 'remove objects[22]'], { cascade: true });
    history.edit(['objects[19].properties.intensity = 2.5', 'objects[22].properties.intensity = 9', 'remove objects[3]'], { cascade: true });
    const files = Object.entries({ base, ours, theirs }).map(([name, level]) => {
        writeFileSync(join(place, `${name}.level`), level.save());
        return join(place, `${name}.level`);
    }), merged = join(place, 'merged.level'), before = ours.save();
    assert.equal(native(['merge', ...files, '-o', merged]).code, 1);
    const conflicts = history.merge(base, theirs);
    assert.deepEqual(conflicts.map(({ now: _, ...one }) => one), native(['conflicts', '--json', ...files]).text.trim().split('\n').map((line) => JSON.parse(line)));
    assert.deepEqual(conflicts.map(({ path, now }) => [path, now]), [['objects[19].properties.intensity', 'objects[18].properties.intensity'], ['objects[22]', 'objects[21]']]);
    assert.equal(digest(ours.save()), digest(bytesOf(merged)));
    // The step as a patch, applied to the previous state, gives the same.
    const other = library.open(before, { name: 'ours.level' }), patch = other.patchTo(ours, { withData: true });
    assert.deepEqual(other.history().applyPatch(patch), []);
    assert.equal(digest(other.save()), digest(bytesOf(merged)));
    history.undo();
    assert.equal(digest(ours.save()), digest(before));
    const decided = history.merge(base, theirs, { choices: new Map(/** @type {[string, import('../dist/mapstone.js').Choice][]} */ ([['objects[19].properties.intensity', { value: [4] }], ['objects[22]', 'theirs']])) });
    assert.deepEqual(decided.map(({ resolved, now }) => [resolved, now]), [['value', 'objects[18].properties.intensity'], ['theirs', '']]);
    assert.deepEqual(ours.get('objects[18].properties.intensity'), [4]);
    assert.equal(ours.get('objects').length, base.get('objects').length - 2);
    // A model for editing equals the command's, and imports without changes; a model of another level is refused.
    const model = base.model('glb', { forEditing: true }), out = join(place, 'base.glb');
    assert.equal(native(['convert', '-q', '--for-editing', files[0] ?? '', '-o', out]).code, 0);
    assert.equal(digest(model), digest(bytesOf(out)));
    assert.deepEqual(base.importModel(model), { parts: [], findings: [] });
    assert.throws(() => theirs.importModel(model), (error) => error instanceof MapstoneError && error.finding.expected === `SHA-256 ${digest(bytes)}`);
    for (const one of [base, theirs, ours, other]) one.close();
});

test('images and classes', () => {
    const level = library.open(made('bunker-textures.json', '900GFX.BIN'), { name: '900GFX.BIN' }), { images } = level.information, { name, width, height, palette, pixels } = level.image(0);
    assert.deepEqual([images > 0, name, width, height, palette?.length, pixels.length], [true, 'page_0', 256, 256, 1024, 256 * 256]);
    assert.throws(() => level.image(images), MapstoneError);
    assert.deepEqual(level.classes(), []);
    const other = library.open(made('outpost.json', 'outpost.level'), { name: 'outpost.level' }), classes = other.classes();
    assert.ok(classes.includes('location') && classes.includes('light_spot'));
    for (const one of [level, other]) one.close();
});
