// SPDX-License-Identifier: MIT
// Nothing is lost: changes survive a reload, and the loss of the graphics card; without one, everything except the view works.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, digest } from './native.mjs';
import { begin, browser, download, families, give, inPage, openPage, openSample, picture, ready, server, settle, settled, skip } from './page.mjs';

const fort = families.ns2 ?? [], large = skip || (fort.length ? false : 'there is no corpus');
begin({ width: 1280, height: 720 });

/** @param {import('puppeteer-core').Page} page @returns {Promise<string>} */
const saved = (page) => inPage(page, async ({ app }) => (await app.library.call('save', 0)).digest);
/** Selects a value by the field at the top. @param {import('puppeteer-core').Page} page @param {string} path */
async function select(page, path) {
    await page.click('#path', { count: 3 });
    await page.keyboard.type(path);
    await page.keyboard.press('Enter');
    await page.waitForFunction((wanted) => document.querySelector('#inspector .where .data')?.textContent === wanted, {}, path);
    await page.waitForSelector(`[data-path="${path}"]`, { visible: true });
    await settle(page); // it may be shown in two parts
}
/** Types a value into the selection's panel. @param {import('puppeteer-core').Page} page @param {string} path @param {string} value */
async function type(page, path, value) {
    await select(page, path);
    const before = await saved(page);
    await page.click(`[data-path="${path}"]`, { count: 3 });
    await page.keyboard.type(value);
    await page.keyboard.press('Enter');
    for (let i = 0; i < 400 && (await saved(page)) === before; i++) await new Promise((done) => setTimeout(done, 50));
    await settled(page);
}
/** The number of stored levels. @param {import('puppeteer-core').Page} page @returns {Promise<number>} */
const keptLevels = (page) => page.evaluate(() => new Promise((resolve) => {
    const request = indexedDB.open('mapstone', 1);
    request.onsuccess = () => {
        const all = request.result.objectStoreNames.contains('drafts') ? request.result.transaction('drafts').objectStore('drafts').count() : null;
        if (all) all.onsuccess = () => (request.result.close(), resolve(all.result));
        else resolve(0);
    };
    request.onupgradeneeded = () => request.transaction?.abort();
    request.onerror = () => resolve(0);
}));

test('changes are kept over a reload, with their steps, until they are saved', { skip: large }, async () => {
    const { page, errors } = await openPage(browser, server.url), name = fort[0]?.name ?? '';
    page.on('dialog', (dialog) => dialog.accept()); // the browser asks before leaving
    await give(page, fort);
    await type(page, 'objects[0].class_name', 'location');
    const first = await saved(page);
    await type(page, 'objects[1].class_name', 'location');
    const second = await saved(page);
    assert.notEqual(first, second);
    assert.equal(await keptLevels(page), 1);
    await page.reload({ waitUntil: 'load' });
    await ready(page);
    const offer = await page.waitForSelector('.draft', { visible: true });
    assert.equal(await offer?.evaluate((one) => one.firstChild?.textContent), `${name} has 2 changes that were not saved.`);
    await picture(page, 'kept');
    await page.click('.draft .primary');
    await page.waitForFunction(() => document.getElementById('save-text')?.textContent === 'Save', { timeout: 60000 });
    await settled(page);
    assert.equal(await saved(page), second);
    // One is undone, which is stored as well.
    await page.click('[aria-label=Undo]');
    await page.waitForFunction(() => !document.querySelector('[aria-label=Redo]')?.hasAttribute('disabled'));
    await settled(page);
    assert.equal(await saved(page), first);
    await page.reload({ waitUntil: 'load' });
    await ready(page);
    await page.waitForSelector('.draft .primary', { visible: true });
    await page.click('.draft .primary');
    await page.waitForFunction(() => document.getElementById('save-text')?.textContent === 'Save', { timeout: 60000 });
    await settled(page);
    assert.equal(await saved(page), first);
    await page.click('[aria-label=Redo]');
    await page.waitForFunction(() => document.querySelector('[aria-label=Redo]')?.hasAttribute('disabled'));
    await settled(page);
    const file = await download(page, () => page.click('#save'));
    assert.deepEqual([file.name, digest(file.bytes)], [name, second]);
    await page.waitForFunction(() => document.getElementById('save-text')?.textContent === 'Saved');
    for (let i = 0; i < 100 && (await keptLevels(page)); i++) await new Promise((done) => setTimeout(done, 50));
    assert.equal(await keptLevels(page), 0);
    await page.reload({ waitUntil: 'load' });
    await settle(page);
    assert.equal((await page.$$('.draft')).length, 0);
    assert.deepEqual(errors, []);
    await page.close();
});

test('the same file opened again brings its changes back; another tab leaves them alone; they can be given up', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'outpost');
    await type(page, 'objects[0].class_name', 'location');
    const changed = await saved(page), other = await openPage(browser, server.url);
    await settle(other.page);
    assert.equal((await other.page.$$('.draft')).length, 0, 'a tab offers what another works on');
    await page.close({ runBeforeUnload: false });
    await other.page.click('#sample-outpost');
    await other.page.waitForSelector('dialog[open] [data-answer=back]', { timeout: 60000 });
    await other.page.click('[data-answer=back]');
    await other.page.waitForFunction(() => document.getElementById('save-text')?.textContent === 'Save', { timeout: 60000 });
    await settled(other.page);
    assert.equal(await saved(other.page), changed);
    await other.page.close({ runBeforeUnload: false });
    const last = await openPage(browser, server.url);
    await last.page.waitForSelector('.draft', { visible: true });
    await last.page.click('.draft button:last-child');
    await last.page.waitForFunction(() => !document.querySelector('.draft'));
    assert.equal(await keptLevels(last.page), 0);
    assert.deepEqual([...errors, ...other.errors, ...last.errors], []);
    await last.page.close();
});

test('a lost graphics card comes back by itself, and no change is lost', { skip: large }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await give(page, fort);
    await type(page, 'objects[0].class_name', 'location');
    const sum = await saved(page), seen = () => inPage(page, ({ view }) => view.pictureOf(1).toDataURL());
    await inPage(page, ({ app }) => app.select(null));
    await settle(page);
    const before = await seen();
    /** Loses the graphics context, and records the message about it, which may soon be hidden again. */
    const lose = () => page.evaluateHandle(() => {
        const message = /** @type {HTMLElement} */ (document.querySelector('#view .message')), state = /** @type {any} */ (globalThis);
        state.said = '';
        new MutationObserver(() => (state.said ||= message.hidden ? '' : message.textContent)).observe(message, { attributes: true, childList: true, subtree: true });
        const canvas = [...document.querySelectorAll('#view canvas')].find((one) => !one.matches('.spent, .over')), gl = /** @type {HTMLCanvasElement} */ (canvas).getContext('webgl2'), extension = gl?.getExtension('WEBGL_lose_context');
        extension?.loseContext();
        return extension;
    });
    for (const back of [true, false, false]) {
        const lost = await lose();
        await page.waitForFunction(() => /** @type {any} */ (globalThis).said);
        assert.match(await page.evaluate(() => /** @type {any} */ (globalThis).said), /graphics card was lost/);
        // Everything else works meanwhile.
        assert.equal(await saved(page), sum);
        if (back) await page.evaluate((/** @type {any} */ extension) => extension?.restoreContext(), lost); // else the page makes a new canvas
        await page.waitForFunction(() => document.querySelector('#view .message')?.hasAttribute('hidden'), { timeout: 20000 });
        await settle(page);
        assert.equal(await seen(), before, back ? 'given back' : 'not given back');
        assert.equal((await page.$$('#view canvas.spent')).length, back ? 0 : 1);
    }
    // It can be clicked, and edited, as before.
    const clicks = await page.$eval('#view', (one) => one.getAttribute('data-clicks')), box = await (await page.$('#scene'))?.boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
    await page.waitForFunction((last) => document.getElementById('view')?.getAttribute('data-clicks') !== last, { timeout: 20000 }, clicks);
    assert.ok(await inPage(page, ({ app }) => app.selected?.path));
    await type(page, 'objects[1].class_name', 'location');
    await picture(page, 'lost');
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});

test('without WebGL2 the map, the tree, the bytes and the table work', { skip: large }, async () => {
    const { page, errors } = await openPage(browser, server.url, '', () => {
        const usual = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = /** @type {any} */ (function (/** @type {any[]} */ ...given) {
            return given[0] === 'webgl2' ? null : usual.apply(/** @type {any} */ (this), /** @type {any} */ (given));
        });
    });
    await give(page, fort);
    await settle(page);
    assert.equal(await page.$eval('#view .message', (one) => one.textContent), 'This browser does not support 3D. Map, tree, bytes and table all work.');
    // The map has the middle, and shows the level.
    const area = await page.$eval('#map canvas', (one) => one.getBoundingClientRect().toJSON());
    assert.ok(area.width > 500 && area.height > 400, JSON.stringify(area));
    await page.waitForFunction(() => {
        const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('#map canvas')), pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
        return new Set(new Uint32Array(pixels.buffer)).size > 100;
    }, { timeout: 60000 });
    await picture(page, 'without-webgl');
    const spot = await inPage(page, ({ app, map }) => {
        const at = app.things.map((/** @type {any} */ one) => map.onMap(one.world)), box = map.canvas.getBoundingClientRect();
        const index = at.findIndex(([x = 0, y = 0]) => x > 20 && y > 20 && x < box.width - 20 && y < box.height - 20);
        return [box.left + at[index][0], box.top + at[index][1]];
    });
    await page.mouse.click(spot[0], spot[1]);
    await page.waitForFunction(() => document.querySelector('#tree .row.selected') && document.querySelector('#inspector .field'), { timeout: 60000 });
    await page.click('#tab-bytes');
    await page.waitForSelector('.hex .chosen, .hex .around', { timeout: 60000 });
    await page.click('#tab-table');
    await page.waitForSelector('#panel-table .row', { timeout: 60000 });
    await type(page, 'objects[0].class_name', 'location');
    assert.equal(await page.$eval('#save-text', (one) => one.textContent), 'Save');
    assert.equal(await page.$eval('#view .message', (one) => one.textContent), 'This browser does not support 3D. Map, tree, bytes and table all work.');
    assert.notEqual(await saved(page), digest(bytesOf(fort[0]?.path ?? '')));
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});

test('the map takes the middle, and gives it back', { skip: large }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await give(page, fort);
    await settle(page);
    const wide = () => page.evaluate(() => ['#map .map-area', '#view'].map((one) => document.querySelector(one)?.getBoundingClientRect().width ?? 0)), [map = 0, view = 0] = await wide();
    await page.click('[aria-label="Map in the middle"]');
    await settle(page);
    assert.deepEqual(await wide(), [view, map]);
    assert.equal(await page.$eval('[aria-label="Map in the middle"]', (one) => one.getAttribute('aria-pressed')), 'true');
    await picture(page, 'map-in-the-middle');
    await page.click('[aria-label="Map in the middle"]');
    await settle(page);
    assert.deepEqual(await wide(), [map, view]);
    // The key, pressed twice.
    for (let i = 0; i < 2; i++) {
        await page.focus('#scene');
        await page.keyboard.press('m');
        await page.keyboard.press('m');
        await settle(page);
        assert.deepEqual(await wide(), i ? [map, view] : [view, map]);
    }
    assert.deepEqual(errors, []);
    await page.close();
});
