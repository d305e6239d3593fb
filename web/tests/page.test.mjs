// SPDX-License-Identifier: MIT
// The page in a browser: opened files are shown, and a selection in one pane appears in all.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { bytesOf, corpus, top } from './native.mjs';
import { begin, browser, give, inPage, openPage, openSample, picture, server, settle, skip } from './page.mjs';

begin();

/** Clicks a point of the view. @param {import('puppeteer-core').Page} page @param {number} x @param {number} y */
async function clickView(page, x, y) {
    const box = await (await page.$('#scene'))?.boundingBox();
    const clicks = await page.$eval('#view', (one) => one.getAttribute('data-clicks'));
    await page.mouse.click((box?.x ?? 0) + x, (box?.y ?? 0) + y);
    await page.waitForFunction((before) => document.getElementById('view')?.getAttribute('data-clicks') !== before, { timeout: 60000 }, clicks);
    return inPage(page, ({ app }) => app.selected);
}

test('the start page', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await settle(page);
    assert.equal(await page.$eval('h1', (one) => one.textContent), 'Open a level. See what every byte of it does.');
    assert.equal((await page.$$('.sample')).length, 5);
    await picture(page, 'start');
    assert.deepEqual(errors, []);
    await page.close();
});

test('samples are shown, and panes are linked by path', { skip }, async (t) => {
    const { page, errors } = await openPage(browser, server.url);
    for (const id of ['islet', 'outpost', 'bunker', 'valley', 'keep']) {
        await openSample(page, id);
        await settle(page);
        const { triangles, things, calls, materials } = await inPage(page, ({ app, view }) => ({ triangles: view.scene.triangles, things: app.things.length, calls: view.calls, materials: view.scene.batches.length }));
        assert.ok(triangles > 100 && things > 10, `${id}: ${triangles} triangles, ${things} things`);
        assert.ok(calls <= 2 * materials + 2, `${id}: ${calls} draw calls of ${materials} materials`);
        // The middle of the largest visible triangle, from above, is picked as the triangle's source.
        await inPage(page, ({ view }) => view.view(2));
        await settle(page);
        const size = await page.$eval('#scene', (one) => [one.clientWidth, one.clientHeight]);
        let hit = null;
        for (let i = 0; i < 40 && !hit; i++) hit = await clickView(page, ((i * 7) % 19) / 19 * (size[0] ?? 0) * 0.5 + (size[0] ?? 0) / 4, ((i * 5) % 11) / 11 * (size[1] ?? 0) * 0.5 + (size[1] ?? 0) / 4);
        assert.ok(hit?.path, `${id}: nothing is hit`);
        // All panes show it.
        await page.waitForFunction(() => document.querySelector('#tree .row.selected'), { timeout: 60000 });
        const shown = await inPage(page, ({ app }) => ({
            title: document.querySelector('#inspector .where .data')?.textContent, tree: document.querySelector('#tree .row.selected')?.getAttribute('title')?.split(' · ')[0],
            status: document.getElementById('status-path')?.textContent, path: app.selected.path, hash: new URLSearchParams(location.hash.slice(1)).get('path'),
        }));
        assert.deepEqual([shown.title, shown.tree, shown.status, shown.hash], [shown.path, shown.path, shown.path, shown.path], id);
        t.diagnostic(`${id}: ${triangles} triangles, ${things} things, ${calls} draw calls; clicked ${shown.path}`);
        await picture(page, id);
    }
    assert.deepEqual(errors, []);
    await page.close();
});

test('what a click on a wall selects is what the scene says of the triangle there', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'outpost');
    await settle(page);
    // A face in the middle of the picture: look at the middle of the selection from a known face, then click there.
    const chosen = { doc: 0, path: 'mesh.faces[20]' };
    await inPage(page, ({ app }, where) => app.select(where), chosen);
    const point = await inPage(page, async ({ app, view }, where) => {
        const runs = await app.library.call('triangles', where), { low, high } = await app.library.call('bounds', runs);
        const middle = [0, 1, 2].map((axis) => (low[axis] + high[axis]) / 2);
        for (let number = 1; number <= 8; number++) {
            view.camera.set({ pivot: middle, distance: 4, yaw: number * 0.8, pitch: number % 2 ? -0.6 : 0.6 });
            view.lookNow();
            const at = view.onScreen(middle), found = await view.at(at[0], at[1]);
            if (found?.path === where.path) return at;
        }
        return null;
    }, chosen);
    assert.ok(point, 'the face cannot be seen from anywhere');
    await inPage(page, ({ app }) => app.select(null));
    await settle(page);
    assert.deepEqual(await clickView(page, point[0], point[1]), chosen);
    await page.waitForFunction(() => Number(document.getElementById('view')?.dataset.marked) > 0, { timeout: 20000 });
    await picture(page, 'face');
    assert.deepEqual(errors, []);
    await page.close();
});

test('bytes: of a field those that the library says, of a byte its field, of packed ones what they unpack to', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'bunker');
    await page.click('#tab-bytes');
    await inPage(page, ({ app }) => app.select({ doc: 0, path: 'map.doors[1].lock' }));
    await page.waitForFunction(() => /^[0-9a-f]{2}$/.test(document.querySelector('.hex [role=gridcell].chosen')?.textContent ?? ''), { timeout: 60000 });
    const [place] = await inPage(page, ({ app }) => app.library.call('spans', { doc: 0, path: 'map.doors[1].lock' }));
    const bytes = bytesOf(join(top, 'web/dist/samples/bunker/L900LEV.MAP'));
    await settle(page); // rows are made again when a selection is shown
    const cells = await page.$$eval('.hex [role=gridcell].chosen', (all) => all.map((one) => [Number(one.getAttribute('data-offset')), one.textContent]));
    assert.deepEqual(cells, [[place.offset, bytes[place.offset]?.toString(16).padStart(2, '0')]]);
    assert.ok((await page.$$('.hex .around')).length > 1, 'the other bytes of the door are not marked');
    assert.equal((await page.$$('.hex .row')).length < 60, true);
    // The byte after it is the next field.
    await page.click(`.hex [role=gridcell][data-offset="${place.offset + 1}"]`);
    await page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.selected?.path === 'map.doors[1].unknown_05');
    await page.waitForFunction(() => document.querySelector('#tree .row.selected .key')?.textContent === 'unknown_05', { timeout: 60000 });
    await picture(page, 'bytes');
    // An offset typed into the path field.
    await page.focus('#path');
    await page.click('#path', { count: 3 });
    await page.keyboard.type('0x0');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.selected?.path === 'magic', { timeout: 60000 });

    await openSample(page, 'islet');
    const doc = await inPage(page, async ({ app, view }) => {
        for (let i = 0; i < view.scene.triangles; i += 200) {
            const where = await app.origin(i);
            if (where?.path.startsWith('blocks[')) return (app.select({ doc: where.doc, path: where.path.replace(/\.block\..*/, '.block.name') }), where.doc);
        }
        return -1;
    });
    assert.ok(doc > 0, 'no triangle is of a block');
    await page.waitForFunction(() => /unpack to/.test(document.querySelector('.hex-heading')?.textContent ?? ''), { timeout: 60000 });
    await page.waitForFunction(() => /^mod48\.\d/.test([...document.querySelectorAll('.hex .ascii .chosen')].map((one) => one.textContent).join('')), { timeout: 60000 });
    await picture(page, 'packed');
    assert.deepEqual(errors, []);
    await page.close();
});

test('the table filters and sorts, and classes are hidden', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'outpost');
    await page.click('#tab-table');
    await page.waitForSelector('#panel-table input');
    await page.type('#panel-table input', 'class = light_*');
    const all = await inPage(page, ({ app }) => app.things.filter((/** @type {any} */ one) => one.className.startsWith('light_')).length);
    await page.waitForFunction((number) => document.querySelectorAll('#panel-table .row').length === number, { timeout: 20000 }, all);
    await page.click('#panel-table [role=columnheader]:nth-child(5)');
    const heights = await page.$$eval('#panel-table .row', (rows) => rows.map((one) => Number(one.children[4]?.textContent)));
    assert.deepEqual(heights, [...heights].sort((a, b) => a - b));
    await page.click('#panel-table .row:nth-child(2)');
    assert.match(await inPage(page, ({ app }) => app.selected.path), /^objects\[/);
    await picture(page, 'table');
    await page.click('#tab-show');
    const before = await inPage(page, ({ app }) => app.classes.filter((/** @type {any} */ one) => one.hidden).length);
    await page.click('.show-row input');
    assert.equal(await inPage(page, ({ app }) => app.classes.filter((/** @type {any} */ one) => one.hidden).length), before + 1);
    assert.deepEqual(errors, []);
    await page.close();
});

test('the address brings back what was selected and the camera', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url, '#path=objects%5B3%5D&camera=1,2,3,14,0.5,-0.25');
    await openSample(page, 'outpost');
    await settle(page);
    const { selected, camera } = await inPage(page, ({ app, view }) => ({ selected: app.selected, camera: view.cameraText() }));
    assert.deepEqual(selected, { doc: 0, path: 'objects[3]' });
    assert.equal(camera, '1,2,3,14,0.5,-0.25');
    // A jump adds a history entry.
    await page.focus('#path');
    await page.keyboard.type('objects[7]');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.selected?.path === 'objects[7]');
    await page.goBack();
    await page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.selected?.path === 'objects[3]');
    assert.deepEqual(errors, []);
    await page.close();
});

test('a damaged file shows its diagnosis, and what can be read of it', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await inPage(page, async ({ openFiles }) => {
        const whole = new Uint8Array(await (await fetch('samples/outpost.level')).arrayBuffer());
        await openFiles([{ name: 'cut.level', file: whole.slice(0, whole.length - 20) }]);
    });
    const text = await page.$eval('#zone-state', (one) => one.textContent ?? '');
    assert.match(text, /cut\.level.*\[NS2-[A-Z-]+\]/);
    await picture(page, 'damaged');
    assert.deepEqual(errors, []);
    await page.close();
});

test('levels of other people open', { skip: skip || (corpus ? false : 'there is no corpus') }, async (t) => {
    const { page, errors } = await openPage(browser, server.url);
    const folder = (/** @type {string} */ name) => readdirSync(join(corpus, name)).map((one) => ({ name: one, path: join(corpus, name, one) }));
    const ns2 = folder('ns2').find((one) => one.name.includes('2fort'));
    const wanted = [
        { id: 'ns2', files: ns2 ? [ns2] : [] },
        { id: 'alien', files: folder('alien').filter((one) => /^(L111LEV\.MAP|111GFX\.BIN)$/.test(one.name)) },
        { id: 'turok', files: folder('turok').filter((one) => one.name.endsWith('.map')).slice(0, 1) },
        { id: 'revenant', files: folder('revenant/v8').filter((one) => one.name === '44_12_8.DAT') },
        { id: 'sfa', files: [{ name: 'mod6.zlb.bin', path: join(corpus, 'sfa/mini/animtest/mod6.zlb.bin') }, { name: 'mod6.tab', path: join(corpus, 'sfa/mini/animtest/mod6.tab') }] },
    ];
    for (const { id, files } of wanted) {
        assert.ok(files.length, `${id} is not there`);
        const began = Date.now();
        await give(page, files, id === 'alien' ? { level: 'L111LEV.MAP' } : {});
        await settle(page);
        const { triangles, first } = await inPage(page, ({ view }) => ({ triangles: view.scene?.triangles ?? 0, first: view.frames }));
        assert.ok(triangles > 10 && first > 0, `${id}: ${triangles} triangles`);
        t.diagnostic(`${basename(files[0]?.path ?? '')}: ${triangles} triangles, open and checked in ${Date.now() - began} ms`);
        await picture(page, `corpus-${id}`);
    }
    assert.deepEqual(errors, []);
    await page.close();
});

test('no request leaves the page, and its policy says so', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'outpost');
    const policy = await page.$eval('meta[http-equiv]', (one) => one.getAttribute('content') ?? '');
    assert.match(policy, /default-src 'none'.*connect-src 'self'/);
    assert.equal(await page.evaluate(() => fetch('https://example.org/').then(() => 'sent', () => 'refused')), 'refused');
    assert.ok(errors.some((one) => /Content Security Policy/.test(one)), 'the browser does not enforce the policy');
    assert.ok(!errors.some((one) => /a request to/.test(one) && !one.includes('example.org')));
    await page.close();
});
