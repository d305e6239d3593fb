// SPDX-License-Identifier: MIT
// Models that were edited elsewhere, dropped on their open level: the changes are listed, and are one step with the result of `mapstone import`.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { nodeOf, withJson } from './glb.mjs';
import { bytesOf, corpus, digest, native, top } from './native.mjs';
import { begin, browser, download, families, give, inPage, openPage, picture, rules, server, settle, settled, skip } from './page.mjs';

const large = skip || (corpus ? false : 'there is no corpus'), outpost = join(top, 'web/dist/samples/outpost.level');
const place = mkdtempSync(join(tmpdir(), 'mapstone-import-'));
begin({ width: 1280, height: 720 });
after(() => rmSync(place, { recursive: true }));

/** Drops files from the disk, like a user. @param {import('puppeteer-core').Page} page @param {string[]} files */
async function drop(page, files) {
    const client = await page.createCDPSession(), data = { items: [], files, dragOperationsMask: 1 };
    for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) await client.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
    await client.detach();
}
/** A model of a level for editing, changed, as a file. @param {string} level @param {string} name @param {(model: any) => void} act */
function edited(level, name, act) {
    const whole = join(place, `whole-${name}`), file = join(place, name), made = native(['convert', '-q', '--for-editing', level, '-o', whole]);
    assert.equal(made.code, 0, made.said);
    writeFileSync(file, withJson(bytesOf(whole), act));
    return file;
}
/** The lines of a list in the question. @param {import('puppeteer-core').Page} page @param {string} label */
const lines = (page, label) => page.$$eval(`dialog [aria-label="${label}"] li`, (all) => all.map((one) => one.firstChild?.textContent ?? ''));
/** The bytes that Save writes. @param {import('puppeteer-core').Page} page */
const save = async (page) => (await download(page, () => page.click('#save'))).bytes;
test('a model dropped on its level: what changes is listed, made as one step, and saved as the command makes it', { skip: large }, async () => {
    const level = families.ns2?.[0]?.path ?? '', out = join(place, 'out.level');
    const [light = '', location = '', tech = ''] = ['light_point', 'location', 'tech_point'].map((kind) => native(['tree', level, `objects[class_name=${kind}]`]).text.match(/objects\[\d+\]/)?.[0]);
    const model = edited(level, 'edited.glb', (all) => {
        nodeOf(all, light).translation[1] += 1.5;
        nodeOf(all, location).translation[0] -= 2;
        // As in Blender, a copy has the extras of its original, and another name.
        all.nodes.push({ ...structuredClone(nodeOf(all, tech)), name: 'copy.001' });
        nodeOf(all, tech).translation[2] += 3;
        const parent = all.nodes.find((/** @type {any} */ one) => one.children?.includes(all.nodes.indexOf(nodeOf(all, tech))));
        (parent ?? all.scenes[0].nodes).children?.push(all.nodes.length - 1) ?? all.scenes[0].nodes.push(all.nodes.length - 1);
    });
    const wanted = native(['import', model, '--onto', level, '--dry-run']);
    assert.equal(wanted.code, 0, wanted.said);
    assert.equal(native(['import', '-q', model, '--onto', level, '-o', out]).code, 0);
    const { page, errors } = await openPage(browser, server.url);
    await give(page, families.ns2 ?? []);
    await settle(page);
    await drop(page, [model]);
    await page.waitForSelector('dialog [data-answer=apply]', { timeout: 120000 });
    assert.deepEqual((await lines(page, 'Operations')).map((one) => one.trim()), wanted.text.trim().split('\n').map((one) => (one.length > 200 ? `${one.slice(0, 197)}…` : one)));
    assert.match(await page.$eval('dialog[open]', (one) => one.textContent ?? ''), /Changes by edited\.glb in .*2fort.*\.level.*as one step of undo/);
    assert.deepEqual(await rules(page), []);
    await picture(page, 'import-list');
    await page.click('dialog [data-answer=apply]');
    await page.waitForFunction(() => document.querySelector('#save-text')?.textContent === 'Save', { timeout: 120000 });
    await settled(page);
    await picture(page, 'import-done');
    assert.equal(digest(await save(page)), digest(bytesOf(out)));
    await page.click('[aria-label=Undo]');
    await page.waitForFunction(() => document.querySelector('[aria-label=Undo]')?.hasAttribute('disabled'));
    await settled(page);
    assert.equal(await inPage(page, async ({ app }) => (await app.library.call('save', 0)).digest), digest(bytesOf(level)), 'one step of undo');
    await page.click('[aria-label=Redo]');
    await page.waitForFunction(() => !document.querySelector('[aria-label=Undo]')?.hasAttribute('disabled'));
    await settled(page);
    assert.equal(await inPage(page, async ({ app }) => (await app.library.call('save', 0)).digest), digest(bytesOf(out)));
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});

test('the page exports what it imports: unchanged, it changes nothing', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await give(page, [{ name: 'outpost.level', path: outpost }]);
    await settle(page);
    const model = await download(page, async () => {
        await page.click('[aria-label=More]');
        await (await page.waitForSelector('.menu ::-p-text(Save in another form)'))?.click();
        await (await page.waitForSelector('.menu ::-p-text(Model to be edited in Blender)'))?.click();
    }), file = join(place, model.name), out = join(place, 'outpost.glb');
    assert.equal(native(['convert', '-q', '--for-editing', outpost, '-o', out]).code, 0);
    assert.equal(model.name, 'outpost-edit.glb');
    assert.equal(digest(model.bytes), digest(bytesOf(out)));
    writeFileSync(file, model.bytes);
    await drop(page, [file]);
    await page.waitForSelector('dialog[open]');
    assert.match(await page.$eval('dialog[open]', (one) => one.textContent ?? ''), /The model has no changes/);
    assert.equal(await page.$('dialog [data-answer=apply]'), null);
    await page.click('dialog [data-answer=""]');
    assert.equal(await page.$eval('#save-text', (one) => one.textContent), 'Saved');
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});

test('what is rounded is said, and nothing is changed until it is confirmed', { skip: large }, async () => {
    const level = join(corpus, 'alien/L111LEV.MAP'), path = native(['tree', level, 'map.monsters[0]']).text.match(/map\.monsters\[\d+\]/)?.[0] ?? '';
    const model = edited(level, 'monster.glb', (all) => (nodeOf(all, path).translation[0] += 600)), wanted = native(['import', model, '--onto', level, '--dry-run']);
    assert.equal(wanted.code, 0, wanted.said);
    assert.match(wanted.said, /warning/);
    const { page, errors } = await openPage(browser, server.url);
    await give(page, families.alien ?? [], { level: 'L111LEV.MAP' });
    await settle(page);
    await drop(page, [model]);
    await page.waitForSelector('dialog [data-answer=apply]', { timeout: 120000 });
    assert.deepEqual(await lines(page, 'Operations').then((all) => all.map((one) => one.trim())), wanted.text.trim().split('\n'));
    const notes = await page.$$eval('dialog [aria-label="Rounded or left out"] li', (all) => all.map((one) => one.textContent ?? ''));
    assert.ok(notes.length > 0);
    for (const note of notes) assert.ok(wanted.said.includes(note.slice(note.indexOf(' ') + 1)), note);
    await page.click('dialog [data-answer=""]');
    assert.equal(await page.$eval('#save-text', (one) => one.textContent), 'Saved', 'cancelled: nothing was changed');
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});

test('what moves to another file of the level changes both, as one step', { skip: large }, async () => {
    const names = ['44_12_8.DAT', '44_13_8.DAT', '44_14_8.DAT'], folder = join(corpus, 'revenant/v8');
    const { page, errors } = await openPage(browser, server.url);
    await give(page, names.map((name) => ({ name: `maps/${name}`, path: join(folder, name) })));
    await settle(page);
    const sums = () => inPage(page, async ({ app }) => Object.fromEntries(await Promise.all(app.documents.map(async (/** @type {any} */ one, /** @type {number} */ doc) => [one.name.split('/').at(-1), (await app.library.call('save', doc)).digest]))));
    const before = await sums();
    assert.deepEqual(before, Object.fromEntries(Object.keys(before).map((name) => [name, digest(bytesOf(join(folder, name)))])));
    const model = await download(page, async () => {
        await page.click('[aria-label=More]');
        await (await page.waitForSelector('.menu ::-p-text(Save in another form)'))?.click();
        await (await page.waitForSelector('.menu ::-p-text(Model to be edited in Blender)'))?.click();
    }), file = join(place, 'sectors.glb');
    // A sector is 1,024 units wide.
    writeFileSync(file, withJson(model.bytes, (all) => (all.nodes.find((/** @type {any} */ one) => one.extras?.file?.endsWith('44_13_8.DAT') && one.extras.path === 'objects[8]').translation[0] += 1024)));
    await drop(page, [file]);
    await page.waitForSelector('dialog [data-answer=apply]', { timeout: 120000 });
    await picture(page, 'import-sectors');
    await page.click('dialog [data-answer=apply]');
    await page.waitForFunction(() => document.querySelector('#save-text')?.textContent === 'Save', { timeout: 120000 });
    await settled(page);
    const changed = await sums();
    assert.deepEqual(Object.keys(before).filter((name) => changed[name] !== before[name]).sort(), ['44_13_8.DAT', '44_14_8.DAT']);
    await page.click('[aria-label=Undo]');
    await page.waitForFunction(() => document.querySelector('[aria-label=Undo]')?.hasAttribute('disabled'));
    await settled(page);
    assert.deepEqual(await sums(), before, 'one step of undo');
    await page.click('[aria-label=Redo]');
    await page.waitForFunction(() => !document.querySelector('[aria-label=Undo]')?.hasAttribute('disabled'));
    await settled(page);
    assert.deepEqual(await sums(), changed);
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});

test('refusals are those of the command, and a model of an earlier version is merged', { skip }, async () => {
    const plain = join(place, 'plain.glb'), newer = join(place, 'newer.level'), bare = join(place, 'bare.glb'), out = join(place, 'merged.level');
    assert.equal(native(['convert', '-q', outpost, '-o', plain]).code, 0);
    const model = edited(outpost, 'moved.glb', (all) => (nodeOf(all, 'objects[12]').translation[1] += 1));
    writeFileSync(bare, withJson(bytesOf(plain), (all) => {
        delete all.scenes[0].extras;
        for (const one of all.nodes) delete one.extras;
    }));
    const { page, errors } = await openPage(browser, server.url);
    await give(page, [{ name: 'outpost.level', path: outpost }]);
    await settle(page);
    for (const file of [plain, bare, join(top, 'README.md').replace('README.md', 'web/dist/samples/start.png')]) {
        const wrong = file.endsWith('.png') ? join(place, 'not-a-model.glb') : file;
        if (wrong !== file) writeFileSync(wrong, bytesOf(file));
        const said = native(['import', wrong, '--onto', outpost, '--dry-run']).said;
        await drop(page, [wrong]);
        await page.waitForSelector('dialog .diagnosis');
        const message = await page.$eval('dialog .diagnosis', (one) => one.textContent ?? '');
        assert.ok(message.length > 20 && said.includes(message.replace(/ \[[A-Z-]+\]$/, '')), `${message}\n${said}`);
        await page.click('dialog [data-answer=""]');
        await page.waitForSelector('dialog', { hidden: true });
    }
    // The level was changed after it was exported: both changes are merged, as with --base.
    assert.equal(native(['set', outpost, 'objects[19].properties.intensity=3', '-q', '-o', newer]).code, 0);
    assert.equal(native(['import', model, '--onto', newer, '--base', outpost, '-q', '-o', out]).code, 0);
    assert.equal(await inPage(page, ({ app }) => app.edit(0, ['objects[19].properties.intensity = 3'])), '');
    await settled(page);
    await drop(page, [model]);
    await page.waitForSelector('dialog [data-answer=apply]');
    assert.match(await page.$eval('dialog[open]', (one) => one.textContent ?? ''), /earlier version/);
    await page.click('dialog [data-answer=apply]');
    await page.waitForSelector('dialog', { hidden: true });
    await page.waitForFunction(() => document.querySelector('#live')?.textContent?.startsWith('Merged'));
    await settled(page);
    assert.equal(digest(await save(page)), digest(bytesOf(out)));
    // If the open level is not the exported one, the page asks for that version.
    await give(page, [{ name: 'newer.level', path: newer }]);
    await settle(page);
    await drop(page, [model]);
    const chosen = page.waitForFileChooser();
    await (await page.waitForSelector('dialog [data-answer=base]'))?.click();
    await (await chosen).accept([outpost]);
    await (await page.waitForSelector('dialog [data-answer=apply]'))?.click();
    await page.waitForSelector('dialog', { hidden: true });
    await page.waitForFunction(() => document.querySelector('#live')?.textContent?.startsWith('Merged'));
    await page.waitForFunction(() => document.querySelector('#save-text')?.textContent === 'Save');
    await settled(page);
    assert.equal(digest(await save(page)), digest(bytesOf(out)));
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});

test('a level and its model are opened together; without the level the page explains what to do', { skip }, async () => {
    const model = edited(outpost, 'both.glb', (all) => (nodeOf(all, 'objects[12]').translation[1] += 1));
    const { page, errors } = await openPage(browser, server.url);
    await drop(page, [model]);
    await page.waitForFunction(() => /drop the model/.test(document.querySelector('#zone-state')?.textContent ?? ''));
    await drop(page, [model, outpost]);
    await (await page.waitForSelector('dialog [data-answer=apply]'))?.click();
    await page.waitForFunction(() => document.querySelector('#save-text')?.textContent === 'Save');
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});

test('a .gltf is imported with the buffer and the textures next to it', { skip }, async () => {
    // Another level than that of the tests before, whose changes the page may have kept, and would offer.
    const level = join(place, 'other.level');
    assert.equal(native(['set', outpost, 'objects[19].properties.intensity=5', '-q', '-o', level]).code, 0);
    const model = bytesOf(edited(level, 'parts.glb', (all) => (nodeOf(all, 'objects[12]').translation[1] += 1))), out = join(place, 'parts.level');
    const length = new DataView(model.buffer, model.byteOffset).getUint32(12, true), json = JSON.parse(new TextDecoder().decode(model.subarray(20, 20 + length)));
    const gltf = join(place, 'parts model.gltf'), binary = join(place, 'parts model.bin'), texture = join(place, 'floor.png');
    json.buffers[0].uri = 'parts%20model.bin';
    json.images = [...json.images ?? [], { uri: 'floor.png' }];
    writeFileSync(gltf, JSON.stringify(json));
    writeFileSync(binary, model.subarray(28 + length));
    writeFileSync(texture, bytesOf(join(top, 'web/dist/samples/start.png')));
    assert.equal(native(['import', gltf, '--onto', level, '-q', '-o', out]).code, 0);
    const { page, errors } = await openPage(browser, server.url);
    await drop(page, [gltf, level, texture, binary]);
    await (await page.waitForSelector('dialog [data-answer=apply]'))?.click();
    await page.waitForFunction(() => document.querySelector('#save-text')?.textContent === 'Save');
    await settled(page);
    assert.equal(digest(await save(page)), digest(bytesOf(out)));
    // Without its buffer the library says which file it needs.
    await drop(page, [gltf]);
    await page.waitForSelector('dialog .diagnosis');
    assert.match(await page.$eval('dialog .diagnosis', (one) => one.textContent ?? ''), /parts model\.bin|parts%20model\.bin/);
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});
