// SPDX-License-Identifier: MIT
// Ways of opening files in the page: dropped folders, archives and disc images, thousands of files at once; and the page as a single file from a disk.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bytesOf, corpus, digest, top } from './native.mjs';
import { begin, browser, download, inPage, openPage, picture, server, settle, skip } from './page.mjs';
import { zip } from './zip.mjs';

const place = mkdtempSync(join(tmpdir(), 'mapstone-files-')), samples = join(top, 'web/dist/samples');
begin();
after(() => rmSync(place, { recursive: true }));

/** A copy of some samples in a folder of their own. @param {string} folder @param {string[]} names  below the samples, or source and target */
function folderOf(folder, names) {
    for (const name of names) {
        const to = join(place, folder, name);
        mkdirSync(dirname(to), { recursive: true });
        copyFileSync(join(samples, name), to);
    }
    return join(place, folder);
}

/** Drops files or folders from the disk on the page, like a user, and waits until the level is checked. @param {import('puppeteer-core').Page} page @param {string[]} files */
async function drop(page, files) {
    await page.evaluate(() => {
        const state = /** @type {any} */ (globalThis);
        state.opened = false;
        state.mapstonePage.app.on('findings', () => (state.opened = true));
    });
    const client = await page.createCDPSession(), data = { items: [], files, dragOperationsMask: 1 };
    for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) await client.send('Input.dispatchDragEvent', { type, x: 300, y: 400, data });
    await client.detach();
    await page.waitForFunction(() => /** @type {any} */ (globalThis).opened || document.querySelector('#zone-state .diagnosis'), { timeout: 120000 });
    assert.equal(await page.$eval('#zone-state', (one) => one.textContent), '');
    await settle(page);
}

/** @param {import('puppeteer-core').Page} page */
const shown = (page) => inPage(page, ({ app, view }) => ({
    names: app.documents.map((/** @type {any} */ one) => one.name), triangles: view.scene?.triangles ?? 0, things: app.things.length, known: app.known.map((/** @type {any} */ one) => one.name),
    pictures: (view.scene?.images ?? []).filter((/** @type {any} */ one) => one.name !== 'placeholder').length,
}));

test('a folder is dropped: the textures beside a level are found', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await drop(page, [folderOf('game', ['bunker/L900LEV.MAP', 'bunker/900GFX.BIN'])]);
    const folder = await shown(page);
    assert.match(folder.names[0], /L900LEV\.MAP$/);
    assert.ok(folder.triangles > 100 && folder.pictures > 0, JSON.stringify(folder));
    await picture(page, 'dropped-folder');
    // Without the folder there are no pictures.
    await drop(page, [join(samples, 'bunker/L900LEV.MAP')]);
    assert.equal((await shown(page)).pictures, 0);
    assert.deepEqual(errors, []);
    await page.close();
});

test('an archive is dropped: its levels are listed, one is shown, another chosen and saved', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    const archive = join(place, 'game.kpf'), levels = { 'levels/outpost.level': 'outpost.level', 'levels/valley.map': 'valley.map' };
    writeFileSync(archive, zip([...Object.entries(levels).map(([name, from]) => /** @type {[string, Uint8Array]} */ ([name, bytesOf(join(samples, from))])), ['readme.txt', new TextEncoder().encode('no level')]], 3 << 20));
    await drop(page, [archive]);
    const first = await shown(page);
    assert.deepEqual(first.known, Object.keys(levels));
    assert.ok(first.triangles > 100 && first.things > 10);
    const [name = ''] = first.names, other = Object.keys(levels).find((one) => one !== name) ?? '';
    await page.click('#file-menu');
    await page.waitForSelector('.menu [role=menuitem]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.picker [role=combobox]');
    await page.keyboard.type(other.slice(7, 12));
    await page.waitForFunction(() => document.querySelectorAll('.picker [role=option]').length === 1);
    await picture(page, 'archive');
    await page.keyboard.press('Enter');
    await page.waitForFunction((wanted) => /** @type {any} */ (globalThis).mapstonePage.app.documents[0]?.name === wanted, { timeout: 60000 }, other);
    assert.equal((await inPage(page, ({ app }) => app.library.call('save', 0))).digest, digest(bytesOf(join(samples, levels[/** @type {'levels/valley.map'} */ (other)]))));
    await page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.findings, { timeout: 60000 });
    assert.deepEqual(errors, []);
    await page.close();
});

test('an archive without levels says so', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await inPage(page, ({ openFiles }, bytes) => openFiles([{ name: 'other.zip', file: Uint8Array.from(bytes) }]), [...zip([['readme.txt', new TextEncoder().encode('text')]], 0)]);
    assert.match(await page.$eval('#zone-state', (one) => one.textContent ?? ''), /other\.zip.*format/);
    assert.deepEqual(errors, []);
    await page.close();
});

const image = corpus ? join(corpus, 'sfa/mini/mini.iso') : '';
test('a disc image is dropped: the maps on it are shown with the models beside them', { skip: skip || !existsSync(image) }, async (t) => {
    const { page, errors } = await openPage(browser, server.url);
    await drop(page, [image]);
    const { names, triangles, known } = await shown(page);
    assert.ok(known.some((/** @type {string} */ one) => one.endsWith('animtest.romlist.zlb')), known.join());
    assert.ok(names.length > 0);
    t.diagnostic(`${known.length} known files; ${names[0]}: ${triangles} triangles`);
    await picture(page, 'disc');
    assert.deepEqual(errors, []);
    await page.close();
});

test('8,000 sectors open', { skip }, async (t) => {
    const { page, errors } = await openPage(browser, server.url);
    const whole = await inPage(page, async ({ app, view, openFiles }) => {
        const bytes = [];
        for (const name of ['7_10_10', '7_10_11', '7_11_10', '7_11_11']) bytes.push(new Uint8Array(await (await fetch(`samples/keep/${name}.DAT`)).arrayBuffer()));
        const files = [], began = performance.now();
        for (let x = 0; x < 100; x++) for (let y = 0; y < 80; y++) files.push({ name: `world/8_${x}_${y}.DAT`, file: new File([bytes[(x + y) % 4] ?? ''], `8_${x}_${y}.DAT`) });
        await openFiles(files, {});
        return { known: app.known.length, documents: app.documents.length, things: app.things.length, triangles: view.scene?.triangles ?? 0, said: document.getElementById('zone-state')?.textContent, milliseconds: Math.round(performance.now() - began), memory: await app.library.call('memory') };
    });
    t.diagnostic(JSON.stringify(whole));
    assert.equal(whole.known, 8000);
    assert.ok(whole.documents === 100 && whole.triangles > 100 && whole.things > 1000, whole.said ?? '');
    assert.match(await page.$eval('#inspector', (one) => one.textContent ?? ''), /100 of 8000 sectors are open, around world\/8_0_0\.DAT/);
    await settle(page);
    await picture(page, 'sectors');
    // Any other sector can be opened, and the page has only the visible rows.
    await inPage(page, ({ app }) => app.emit('open-level', 'world/8_99_79.DAT'));
    await page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.documents.some((/** @type {any} */ one) => one.name.endsWith('8_99_79.DAT')), { timeout: 120000 });
    await page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.findings, { timeout: 120000 });
    assert.ok((await page.$$('.row')).length < 400);
    assert.deepEqual(errors, []);
    await page.close();
});

test('the page as one file from a disk', { skip }, async (t) => {
    const file = join(place, 'mapstone.html');
    copyFileSync(join(top, 'out/web/mapstone.html'), file);
    const { page, errors } = await openPage(browser, pathToFileURL(file).href);
    await settle(page);
    assert.equal((await page.$$('.sample')).length, 5);
    assert.ok(await page.$eval('#sample-keep img', (one) => /** @type {HTMLImageElement} */ (one).naturalWidth > 0));
    /** Waits until the page announces that a level is open and checked. @param {string} name */
    const open = (name) => page.waitForFunction((wanted) => document.getElementById('live')?.textContent?.startsWith(`${wanted} is open`), { timeout: 60000 }, name);
    const triangles = () => page.$eval('#view', (one) => Number(one.getAttribute('data-triangles')));
    await page.click('#sample-bunker');
    await open('L900LEV.MAP');
    await settle(page);
    assert.ok((await triangles()) > 100);
    assert.equal(await page.$eval('#status-note', (one) => one.textContent), ''); // no textures are missing
    await page.click('#tab-bytes');
    await page.click('#path');
    await page.keyboard.type('map.doors[1].lock');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.hex .chosen', { timeout: 60000 });
    assert.match(page.url(), /#path=map\.doors%5B1%5D\.lock&camera=/);
    await picture(page, 'one-file');
    const given = join(samples, 'outpost.level'), input = /** @type {import('puppeteer-core').ElementHandle<HTMLInputElement>} */ (await page.$('#pick-files'));
    await input.uploadFile(given);
    await open('outpost.level');
    const saved = await download(page, () => page.click('#save'));
    assert.deepEqual([saved.name, digest(saved.bytes)], ['outpost.level', digest(bytesOf(given))]);
    t.diagnostic(`${Math.round(readFileSync(file).length / 1000)} kB`);
    assert.deepEqual(errors, []);
    await page.close();
});
