// SPDX-License-Identifier: MIT
// Opening other files while a level has unsaved edits: it stays until they are open, and until the user decides about its changes.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { bytesOf, digest, top } from './native.mjs';
import { inPage, launch, openPage, openSample, picture, serve, settle } from './page.mjs';
import { zip } from './zip.mjs';

const skip = existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium') ? false : 'there is no chromium';
const place = mkdtempSync(join(tmpdir(), 'mapstone-replace-')), samples = join(top, 'web/dist/samples');
const other = join(samples, 'valley.map'), cut = join(place, 'cut.level'), torn = join(place, '7_10_10.DAT'), text = join(place, 'notes.txt');
/** @type {Awaited<ReturnType<typeof serve>>} */ let server;
/** @type {import('puppeteer-core').Browser} */ let browser;
before(async () => {
    if (skip) return;
    server = await serve();
    browser = await launch();
    writeFileSync(cut, bytesOf(join(samples, 'outpost.level')).slice(0, -20));
    const sector = bytesOf(join(samples, 'keep/7_10_10.DAT'));
    writeFileSync(torn, sector.slice(0, sector.length >> 1)); // half of it can be read
    writeFileSync(text, 'nothing that is known');
});
after(async () => {
    await browser?.close();
    server?.close();
    rmSync(place, { recursive: true });
});

/** Drops files from the disk, like a user. @param {import('puppeteer-core').Page} page @param {string[]} files */
async function drop(page, files) {
    const client = await page.createCDPSession(), data = { items: [], files, dragOperationsMask: 1 };
    for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) await client.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
    await client.detach();
}

/** A page with the outpost, edited, and the digest of its saved file. */
async function edited() {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'outpost');
    await page.evaluate(() => {
        const state = /** @type {any} */ (globalThis);
        state.downloads = [];
        state.mapstonePage.app.on('download', (/** @type {any} */ { name }) => state.downloads.push(name));
    });
    await edit(page, 'objects[0].class_name = location');
    return { page, errors, sum: await saved(page) };
}
/** @param {import('puppeteer-core').Page} page @param {string} operation */
async function edit(page, operation) {
    assert.equal(await inPage(page, ({ app }, one) => app.edit(0, [one]), operation), '');
    assert.equal(await label(page), 'Save');
}
/** @param {import('puppeteer-core').Page} page @returns {Promise<string>} */
const saved = (page) => inPage(page, async ({ app }) => (await app.library.call('save', 0)).digest);
/** @param {import('puppeteer-core').Page} page */
const label = (page) => page.$eval('#save-text', (one) => one.textContent);
/** @param {import('puppeteer-core').Page} page @param {string} answer */
async function answer(page, answer) {
    await page.waitForSelector(`dialog[open] [data-answer="${answer}"]`, { timeout: 60000 });
    assert.equal((await page.$$('dialog[open]')).length, 1);
    await page.click(`dialog[open] [data-answer="${answer}"]`);
}
/** @param {import('puppeteer-core').Page} page @param {string} name */
const waitFor = (page, name) => page.waitForFunction((wanted) => document.getElementById('file-name')?.textContent === wanted && /** @type {any} */ (globalThis).mapstonePage.app.findings && !document.querySelector('dialog[open]'), { timeout: 60000 }, name);
/** Checks that the level is still open, with its changes and steps. @param {import('puppeteer-core').Page} page @param {string} sum */
async function stays(page, sum) {
    assert.equal(await page.$eval('#file-name', (one) => one.textContent), 'outpost.level');
    // It can be used again soon after the answer.
    await page.waitForFunction(() => !document.getElementById('app')?.hidden && !document.getElementById('app')?.inert, { timeout: 10000 });
    assert.equal(await label(page), 'Save');
    assert.equal(await saved(page), sum);
    assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).downloads), []);
}

test('a file that is refused leaves the edited level open', { skip }, async () => {
    const { page, errors, sum } = await edited();
    for (const [file, says] of /** @type {[string, RegExp][]} */ ([[text, /notes\.txt/], [cut, /\[NS2-/]])) {
        await drop(page, [file]);
        await page.waitForSelector('dialog[open] .diagnosis', { timeout: 60000 });
        assert.match(await page.$eval('dialog[open]', (one) => one.textContent ?? ''), says);
        if (file === cut) await picture(page, 'refused');
        await answer(page, '');
        await stays(page, sum);
    }
    // It can be edited further, and everything undone.
    await edit(page, 'objects[1].class_name = location');
    for (const _ of [1, 2]) await inPage(page, ({ app }) => new Promise((done) => (app.on('changes', done), app.emit('undo'))));
    assert.equal(await saved(page), digest(bytesOf(join(samples, 'outpost.level'))));
    assert.equal(await label(page), 'Saved');
    assert.deepEqual(errors, []);
    await page.close();
});

test('an edited level is left only if somebody says so, and is asked for once', { skip }, async () => {
    const { page, errors, sum } = await edited();
    await drop(page, [other]);
    await page.waitForSelector('dialog[open]', { timeout: 60000 });
    assert.match(await page.$eval('dialog[open]', (one) => one.textContent ?? ''), /outpost\.level has changes that are not saved/);
    await picture(page, 'unsaved');
    await answer(page, '');
    await stays(page, sum);
    // Also with Esc, and with the menu's Close.
    await drop(page, [other]);
    await page.waitForSelector('dialog[open]', { timeout: 60000 });
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('dialog[open]'));
    await stays(page, sum);
    await inPage(page, ({ app }) => app.emit('close'));
    await answer(page, '');
    await stays(page, sum);
    // A damaged file is opened as far as it can be read; only then the page asks, once.
    await drop(page, [torn]);
    await answer(page, 'salvage');
    await answer(page, 'lose');
    await waitFor(page, '7_10_10.DAT');
    assert.equal(await label(page), 'Saved');
    await drop(page, [other]);
    await waitFor(page, 'valley.map');
    assert.equal(await saved(page), digest(bytesOf(other)));
    assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).downloads), []);
    assert.deepEqual(errors, []);
    await page.close();
});

test('it can be saved first; what is saved is not asked for', { skip }, async () => {
    const { page, errors } = await edited();
    await drop(page, [other]);
    await answer(page, 'save');
    await waitFor(page, 'valley.map');
    assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).downloads), ['outpost.level']);
    await openSample(page, 'outpost');
    await edit(page, 'objects[0].class_name = location');
    await page.click('#save');
    await page.waitForFunction(() => document.getElementById('save-text')?.textContent === 'Saved', { timeout: 60000 });
    // Another change, also one that is undone, is not saved.
    await edit(page, 'objects[1].class_name = location');
    await inPage(page, ({ app }) => new Promise((done) => (app.on('changes', done), app.emit('undo'))));
    assert.equal(await label(page), 'Saved');
    await inPage(page, ({ app }) => new Promise((done) => (app.on('changes', done), app.emit('undo'))));
    assert.equal(await label(page), 'Save');
    await page.click('#save');
    await page.waitForFunction(() => document.getElementById('save-text')?.textContent === 'Saved', { timeout: 60000 });
    await drop(page, [other]);
    await waitFor(page, 'valley.map');
    await inPage(page, ({ app }) => app.emit('close'));
    await page.waitForFunction(() => document.getElementById('app')?.hidden);
    assert.deepEqual(errors, []);
    await page.close();
});

test('another file of the same archive, a folder that is added, and the start page', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    const archive = join(place, 'game.kpf'), folder = join(place, 'more');
    mkdirSync(folder);
    writeFileSync(join(folder, 'readme.txt'), 'x');
    writeFileSync(archive, zip([['levels/outpost.level', bytesOf(join(samples, 'outpost.level'))], ['levels/valley.map', bytesOf(other)]], 0));
    await drop(page, [archive]);
    await waitFor(page, 'outpost.level');
    await edit(page, 'objects[0].class_name = location');
    const sum = await saved(page);
    for (const act of ['open-level', 'close']) {
        await inPage(page, ({ app }, what) => app.emit(what, 'levels/valley.map'), act);
        await answer(page, '');
        assert.equal(await saved(page), sum);
    }
    await inPage(page, ({ app }) => app.emit('open-level', 'levels/valley.map'));
    await answer(page, 'lose');
    await waitFor(page, 'valley.map');
    await inPage(page, ({ app }) => app.emit('close'));
    await page.waitForFunction(() => document.getElementById('app')?.hidden);
    // Without an open level, a refusal appears on the start page, and the next file opens.
    await drop(page, [text]);
    await page.waitForSelector('#zone-state .diagnosis', { timeout: 60000 });
    await drop(page, [other]);
    await waitFor(page, 'valley.map');
    await settle(page);
    assert.deepEqual(errors, []);
    await page.close();
});
