// SPDX-License-Identifier: MIT
// The command of the package, installed from the packed tarball: it behaves like the native one.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bytesOf, command, corpus, digest, native, top } from './native.mjs';

const place = mkdtempSync(join(tmpdir(), 'mapstone-command-'));
after(() => rmSync(place, { recursive: true }));
const tarball = readdirSync(join(top, 'out/web')).find((name) => /^mapstone-.*\.tgz$/.test(name)) ?? '';
writeFileSync(join(place, 'package.json'), '{ "private": true }');
execFileSync('npm', ['install', '--offline', '--silent', '--no-audit', '--no-fund', join(top, 'out/web', tarball)], { cwd: place });
mkdirSync(join(place, 'maps'));
native(['convert', join(top, 'samples/outpost.json'), '-o', join(place, 'maps/a.level')]);
native(['convert', join(top, 'samples/bunker.json'), '-o', join(place, 'maps/L900LEV.MAP')]);

/**
 * Runs the installed command in the working folder, or in a folder below it.
 * @param {string[]} given
 * @param {{ input?: string | Uint8Array, folder?: string }} [how]
 */
function installed(given, { input, folder = '' } = {}) {
    const run = spawnSync(join(place, 'node_modules/.bin/mapstone'), given, { cwd: join(place, folder), input, maxBuffer: 1 << 28, env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    return { code: run.status, text: run.stdout.toString(), bytes: new Uint8Array(run.stdout), said: run.stderr.toString() };
}

/** Runs the native command. @param {string[]} given @param {string | Uint8Array} [input] */
function here(given, input) {
    const run = spawnSync(command, given, { cwd: place, input, maxBuffer: 1 << 28, env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    return { code: run.status, text: run.stdout.toString(), bytes: new Uint8Array(run.stdout), said: run.stderr.toString() };
}

test('what it prints is what the native command prints', () => {
    for (const given of [['version'], ['check', 'maps/a.level'], ['check', '--json', 'maps'], ['get', 'maps/a.level', 'objects[0].class_name'],
        ['dump', 'maps/a.level'], ['tree', 'maps/a.level'], ['get', 'maps/a.level', 'objects[9999]'], ['check', 'maps/none.level']])
        assert.deepEqual(installed(given), here(given), given.join(' '));
});

test('files that it writes are those of the native command', () => {
    for (const [given, file] of /** @type {const} */ ([[['convert', 'maps/a.level', '-o'], 'a.glb'], [['render', 'maps/a.level', '-o'], 'a.png'],
        [['set', 'maps/a.level', 'objects[0].class_name=location', '-o'], 'b.level'], [['edit', 'maps/a.level', '-e', 'duplicate objects[0]', '-o'], 'c.level']])) {
        assert.equal(installed([...given, `installed-${file}`]).code, 0, file);
        assert.equal(here([...given, `native-${file}`]).code, 0, file);
        assert.equal(digest(bytesOf(join(place, `installed-${file}`))), digest(bytesOf(join(place, `native-${file}`))), file);
    }
});

test('a file changes in place, and keeps a backup', () => {
    copyFileSync(join(place, 'maps/a.level'), join(place, 'd.level'));
    const before = digest(bytesOf(join(place, 'd.level')));
    const run = installed(['set', '-i', '--backup', 'd.level', 'objects[0].class_name=location']);
    assert.equal(run.code, 0, run.said);
    assert.equal(installed(['get', 'd.level', 'objects[0].class_name']).text, 'location\n');
    assert.equal(digest(bytesOf(join(place, 'd.level~'))), before);
});

test('paths lead out of the working directory, and standard input and output are taken', () => {
    assert.equal(installed(['check', '../maps/a.level', '../maps'], { folder: 'maps' }).code, installed(['check', 'maps/a.level', 'maps']).code);
    assert.equal(installed(['get', join(place, 'maps/a.level'), 'objects[0].class_name']).text, installed(['get', 'maps/a.level', 'objects[0].class_name']).text);
    assert.equal(installed(['convert', '../maps/a.level', '-o', '../e.json'], { folder: 'maps' }).code, 0);
    const level = bytesOf(join(place, 'maps/a.level')), json = installed(['dump', '-'], { input: level });
    assert.equal(json.code, 0, json.said);
    assert.equal(digest(installed(['convert', '-', '-f', 'json', '-t', 'ns2-level', '-o', '-'], { input: json.bytes }).bytes), digest(level));
});

test('npx finds it', () => {
    const run = spawnSync('npx', ['--no-install', 'mapstone', 'version'], { cwd: place });
    assert.equal(run.stdout.toString(), here(['version']).text);
});

test('what it cannot do it says', () => {
    const run = installed(['view', '--print', '--page', '.']);
    assert.notEqual(run.code, 0);
    assert.match(run.said, /page/);
});

test('real files of every family', { skip: !corpus }, () => {
    const files = [`${corpus}/alien/L111LEV.MAP`, `${corpus}/turok/synth_level.map`, `${corpus}/revenant/v15`, `${corpus}/sfa/mini`,
        ...readdirSync(`${corpus}/ns2`).filter((name) => name.endsWith('.level')).slice(0, 3).map((name) => `${corpus}/ns2/${name}`)];
    for (const file of files) assert.deepEqual(installed(['check', '--json', file]), here(['check', '--json', file]), file);
    assert.ok(readFileSync(join(place, 'package.json'))); // nothing else was removed
});
