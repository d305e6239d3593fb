// SPDX-License-Identifier: MIT
// Editing in the page: typing, moving, duplicating and removing give the file that `mapstone edit` makes with the same operations, to
// the byte; undo restores the original file.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { bytesOf, digest, native, top } from './native.mjs';
import { begin, browser, inPage, openPage, openSample, picture, server, settle, skip } from './page.mjs';

const place = mkdtempSync(join(tmpdir(), 'mapstone-page-'));
begin();
after(() => rmSync(place, { recursive: true }));

/** Waits until the list of changes has been requested again after an act. @param {import('puppeteer-core').Page} page @param {() => Promise<unknown>} act */
async function afterChange(page, act) {
    await page.evaluate(() => {
        const state = /** @type {any} */ (globalThis);
        state.changed ??= (state.mapstonePage.app.on('changes', () => state.changed.count++), { count: 0 });
        state.changed.count = 0;
    });
    await act();
    await page.waitForFunction(() => /** @type {any} */ (globalThis).changed.count > 0, { timeout: 60000 });
    await settle(page);
}

/** Types into the control of a field, and presses Enter. @param {import('puppeteer-core').Page} page @param {string} path @param {string} text @param {number} doc */
async function type(page, path, text, doc) {
    await inPage(page, ({ app }, given) => app.select({ doc: given.doc, path: given.path }), { doc, path });
    const control = `[data-path="${path}"]`;
    await page.waitForSelector(control, { timeout: 60000 });
    await page.click(control, { count: 3 });
    await page.keyboard.type(text);
    await afterChange(page, () => page.keyboard.press('Enter'));
}

/** The digests of the files that Save writes, by name. @param {import('puppeteer-core').Page} page @returns {Promise<Record<string, string>>} */
async function save(page) {
    await page.evaluate(() => {
        const state = /** @type {any} */ (globalThis);
        state.saving = {};
        state.mapstonePage.app.on('download', async (/** @type {any} */ { blob, name }) => {
            const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
            state.saving[name] = [...sum].map((one) => one.toString(16).padStart(2, '0')).join('');
        });
    });
    await page.click('#save');
    await page.waitForFunction(() => Object.keys(/** @type {any} */ (globalThis).saving).length > 0 && /^Saved/.test(document.getElementById('status-work')?.textContent ?? ''), { timeout: 60000 });
    return page.evaluate(() => /** @type {any} */ (globalThis).saving);
}

const families = [
    { id: 'outpost', file: 'outpost.level', field: 'objects[0].class_name', value: 'location', set: 'objects[0].class_name = location', thing: 'objects[5]', metres: [0, 2, 0], move: 'move objects[5] by 0,2,0' },
    { id: 'bunker', file: 'bunker/L900LEV.MAP', field: 'map.doors[0].lock', value: 'locked', set: 'map.doors[0].lock = locked', thing: 'map.monsters[0]', cells: [1, 1], move: 'move map.monsters[0] by 1,1' },
    { id: 'valley', file: 'valley.map', field: 'actors.records[0].health', value: '77', set: 'actors.records[0].health = 77', thing: 'actors.records[0]', cells: [10, 0, 5], move: 'move actors.records[0] by 10,0,5' },
    { id: 'keep', file: 'keep/7_10_10.DAT', field: 'objects[0].name', value: 'Meadow', set: 'objects[0].name = Meadow', thing: 'objects[1]', cells: [4, 4, 0], move: 'move objects[1] by 4,4,0' },
    { id: 'islet', file: 'islet/MAPS.bin', second: 'islet/capeclaw.romlist.zlb', field: 'objects[0].cull_distance', value: '90', set: 'objects[0].cull_distance = 90', thing: 'objects[0]', cells: [10, 0, 0], move: 'move objects[0] by 10,0,0' },
];

/**
 * Clicks the view from above until a surface is hit, and waits until all panes show it; returns its path. Revenant's surfaces are its objects; for the
 * others, hits on things are skipped.
 * @param {import('puppeteer-core').Page} page @param {boolean} things
 */
async function clickSurface(page, things) {
    await inPage(page, ({ view }) => view.view(2));
    await settle(page);
    const box = await (await page.$('#scene'))?.boundingBox(), { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
    for (let i = 0; i < 60; i++) {
        const clicks = await page.$eval('#view', (one) => one.getAttribute('data-clicks'));
        await page.mouse.click(x + width * (0.25 + (((i * 7) % 19) / 19) * 0.5), y + height * (0.25 + (((i * 5) % 11) / 11) * 0.5));
        await page.waitForFunction((before) => document.getElementById('view')?.getAttribute('data-clicks') !== before, { timeout: 60000 }, clicks);
        const hit = await inPage(page, ({ app }, any) => (app.selected && (any || !app.things.some((/** @type {any} */ one) => one.doc === app.selected.doc && one.path === app.selected.path)) ? app.selected.path : ''), things);
        if (!hit) continue;
        await page.waitForFunction((path) => document.querySelector('#tree .row.selected')?.getAttribute('title')?.split(' · ')[0] === path && document.querySelector('#inspector .where .data')?.textContent === path, { timeout: 60000 }, hit);
        return hit;
    }
    return assert.fail('no surface is hit');
}

// Each of these runs is recorded as pictures of its steps.
for (const { id, file, second, field, value, set, thing, cells, metres, move } of families)
    test(`${id}: a surface is clicked, a field set, a thing moved and duplicated, all that undone, done again and saved`, { skip }, async (t) => {
        const { page, errors } = await openPage(browser, server.url);
        await openSample(page, id);
        await settle(page);
        const script = /** @type {string[]} */ ([]), surface = await clickSurface(page, id === 'keep');
        await picture(page, `run-${id}-1-clicked`);
        const path = join(top, 'web/dist/samples', second ?? file), doc = await inPage(page, ({ app }, name) => Math.max(0, app.documents.findIndex((/** @type {any} */ one) => one.name === name)), second ?? '');
        await type(page, field, value, doc);
        script.push(set);
        await picture(page, `run-${id}-2-set`);
        // With the gizmo's numbers, in metres of the world; the library gives the file's coordinates.
        const { columns, whole } = await inPage(page, ({ app }, where) => app.library.call('axes', where), { doc, path: thing });
        assert.ok(columns.some(Boolean), `${thing} cannot be moved`);
        const by = cells ?? columns.map((/** @type {number[]} */ column) => column.reduce((sum, one, axis) => sum + one * (metres?.[axis] ?? 0), 0) / column.reduce((sum, one) => sum + one * one, 0));
        const inWorld = [0, 1, 2].map((axis) => columns.reduce((/** @type {number} */ sum, /** @type {number[] | null} */ column, /** @type {number} */ index) => sum + (column?.[axis] ?? 0) * (by[index] ?? 0), 0));
        await inPage(page, ({ app }, where) => (app.select(where), app.emit('gizmo', 'move')), { doc, path: thing });
        await page.waitForSelector('.gizmo-numbers input', { visible: true });
        for (const [axis, name] of ['x', 'y', 'z'].entries()) {
            await page.focus(`.gizmo-numbers input[placeholder=${name}]`);
            await page.keyboard.type(String(inWorld[axis]));
        }
        await afterChange(page, () => page.keyboard.press('Enter'));
        script.push(move);
        await picture(page, `run-${id}-3-moved`);
        await page.focus('#scene');
        await afterChange(page, async () => {
            await page.keyboard.down('Control');
            await page.keyboard.press('d');
            await page.keyboard.up('Control');
        });
        script.push(`duplicate ${thing}`);
        await picture(page, `run-${id}-4-duplicated`);
        writeFileSync(join(place, 'script'), script.join('\n'));
        const out = join(place, basename(path)), done = native(['edit', path, '--script', join(place, 'script'), '-o', out]);
        assert.equal(done.code, 0, done.said);
        const name = basename(path), wanted = digest(bytesOf(out));
        const digestNow = () => inPage(page, async ({ app }, number) => (await app.library.call('save', number)).digest, doc);
        assert.equal(await digestNow(), wanted, `${id}: ${script.join('; ')}`);
        for (let i = 0; i < script.length; i++)
            await afterChange(page, async () => {
                await page.keyboard.down('Control');
                await page.keyboard.press('z');
                await page.keyboard.up('Control');
            });
        assert.equal(await digestNow(), digest(bytesOf(path)), `${id}: undone`);
        assert.equal(await page.$eval('#save-text', (one) => one.textContent), 'Saved');
        await picture(page, `run-${id}-5-undone`);
        for (let i = 0; i < script.length; i++) await afterChange(page, () => page.click('[aria-label=Redo]'));
        assert.equal(await digestNow(), wanted, `${id}: done again`);
        const saved = await save(page);
        assert.equal(saved[name], wanted);
        await picture(page, `run-${id}-6-saved`);
        t.diagnostic(`${id}: clicked ${surface}; ${script.join('; ')}; ${whole ? 'whole units' : 'any units'}; sha256 ${wanted.slice(0, 12)}`);
        assert.deepEqual(errors, []);
        await page.evaluate(() => /** @type {any} */ (globalThis).mapstonePage.app.library.restart());
        await page.close({ runBeforeUnload: false });
    });

test('what cannot be stored is refused in place, and changes nothing', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'bunker');
    await inPage(page, ({ app }) => app.select({ doc: 0, path: 'map.doors[0].lock' }));
    await page.waitForSelector('[data-path="map.doors[0].lock"]');
    await page.click('[data-path="map.doors[0].lock"]', { count: 3 });
    await page.keyboard.type('300');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.field .why');
    assert.match(await page.$eval('.field .why', (one) => one.textContent ?? ''), /map\.doors\[0\]\.lock/);
    assert.equal(await page.$eval('#save-text', (one) => one.textContent), 'Saved');
    assert.deepEqual(errors, []);
    await page.close();
});

test('the tree may be drawn while it is read again', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'outpost');
    await inPage(page, ({ app }) => app.select({ doc: 0, path: 'objects[3]' }));
    await page.waitForSelector('#tree .row.selected');
    await inPage(page, async ({ app }) => {
        const rows = app.rows.bind(app), tree = /** @type {HTMLElement} */ (document.getElementById('tree')), next = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)));
        /** @type {(value?: unknown) => void} */ let release = () => undefined;
        const held = new Promise((done) => (release = done));
        app.rows = (/** @type {any[]} */ ...asked) => held.then(() => rows(...asked));
        app.emit('edited');
        for (const display of ['none', '']) {
            tree.style.display = display;
            await next();
        }
        release();
    });
    await page.waitForSelector('#tree .row:nth-child(10)');
    assert.deepEqual(errors, []);
    await page.close();
});
