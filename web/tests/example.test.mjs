// SPDX-License-Identifier: MIT
// The example, run as users run it; and the memory of many files and a collection in sequence.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load } from '../dist/mapstone.js';
import { bytesOf, digest, native, top } from './native.mjs';

const place = mkdtempSync(join(tmpdir(), 'mapstone-example-'));
after(() => rmSync(place, { recursive: true }));
const library = await load();
/** @param {string} name @param {string} as */
function made(name, as) {
    const level = library.open(bytesOf(join(top, 'samples', name)), { name: `${as}.json` });
    const bytes = level.save();
    level.close();
    return bytes;
}

test('the example lists entities and saves an edit', () => {
    mkdirSync(join(place, 'node_modules'));
    symlinkSync(join(top, 'web/dist'), join(place, 'node_modules/mapstone'));
    cpSync(join(top, 'web/examples/entities.mjs'), join(place, 'entities.mjs'));
    assert.ok(readFileSync(join(place, 'entities.mjs'), 'utf8').trim().split('\n').length <= 20);
    writeFileSync(join(place, 'a.level'), made('outpost.json', 'a.level'));
    const run = spawnSync(process.execPath, ['entities.mjs', 'a.level', 'location', 'out.level'], { cwd: place, encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    const first = run.stdout.split('\n').find((line) => / location /.test(line)) ?? '';
    const path = first.slice(0, first.indexOf(' '));
    native(['edit', join(place, 'a.level'), '-e', `move ${path} by 0,1,0`, '-o', join(place, 'wanted.level')]);
    assert.equal(digest(bytesOf(join(place, 'out.level'))), digest(bytesOf(join(place, 'wanted.level'))));
});

test('50 files and a collection leave at most 5 MB behind', () => {
    const keep = Object.fromEntries(readdirSync(join(top, 'samples/keep')).filter((name) => /^\d+_\d+_\d+\.json$/.test(name))
        .map((name) => [name.replace('.json', '.DAT'), made(`keep/${name}`, name.replace('.json', '.DAT'))]));
    const files = /** @type {const} */ ([['outpost.json', 'a.level'], ['valley.json', 'valley.map'], ['bunker.json', 'L111LEV.MAP'], ['bunker-textures.json', '111GFX.BIN']])
        .map(([from, as]) => /** @type {const} */ ([as, made(from, as)]));
    const use = (/** @type {import('../dist/mapstone.js').Level} */ level, /** @type {boolean} */ shown) => {
        level.check();
        level.tree();
        level.fields({ offset: 0, length: 64 });
        if (shown) level.picture({ width: 200 });
        if (shown) level.scene();
        level.close();
    };
    const all = (/** @type {number} */ count) => {
        for (let i = 0; i < count; i++) {
            const [name, bytes] = files[i % files.length] ?? ['', new Uint8Array()];
            use(library.open(bytes, { name }), !name.endsWith('.BIN'));
        }
        use(library.openFiles(keep), true);
    };
    all(8); // the instance keeps the memory that the largest needed
    const before = library.memory;
    all(50);
    assert.ok(library.memory - before <= 5 << 20, `${library.memory - before} bytes more`);
});
