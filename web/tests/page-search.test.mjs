// SPDX-License-Identifier: MIT
// The search: one field, a list while typing, and a note if nothing is found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findValues, fit } from '../page/values.js';
import { begin, browser, inPage, openPage, openSample, picture, server, settle, skip } from './page.mjs';

begin({ width: 1280, height: 720 });

test('values, and fields by name: the same text first', () => {
    const document = { get: () => ({ $format: 'x', list: [{ name: 'north', lock: 3 }, { name: 'northern', lock: 13, open: true }], north: 1 }) };
    assert.deepEqual(findValues([document], '', 'north', 10), { count: 3, rows: [{ doc: 0, path: 'list[0].name', text: 'north' }, { doc: 0, path: 'list[1].name', text: 'northern' }, { doc: 0, path: 'north', text: '1' }] });
    assert.deepEqual(findValues([document], '', '3', 10).rows.map((one) => one.path), ['list[0].lock']);
    assert.deepEqual(findValues([document], '', 'LOCK', 1), { count: 2, rows: [{ doc: 0, path: 'list[0].lock', text: '3' }] });
    assert.equal(fit('x', 'a.b', 'zz'), -1);
});

test('what is typed is found at once: paths, classes, names, values, offsets', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'outpost');
    await settle(page);
    /** Types into the field, and returns the list. @param {string} text */
    const type = async (text) => {
        await page.focus('#scene');
        await page.keyboard.press('/');
        await page.keyboard.type(text);
        await page.waitForFunction(() => /found|matches/.test(document.querySelector('.found-box:not([hidden]) .found-says')?.textContent ?? ''), { timeout: 30000 });
        await settle(page);
        return page.$eval('.found-box', (one) => ({ says: one.querySelector('.found-says')?.textContent ?? '', kinds: [...one.querySelectorAll('.group-row')].map((each) => each.firstChild?.textContent), first: one.querySelector('.cursor .key')?.textContent, path: /** @type {HTMLInputElement} */ (document.getElementById('path')).value }));
    };
    const selected = () => inPage(page, ({ app }) => app.selected?.path);
    const path = await type('objects[3]');
    assert.deepEqual([path.first, path.kinds[0]], ['objects[3]', 'Paths']);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.selected?.path === 'objects[3]');
    const light = await type('light_');
    assert.ok(light.kinds.includes('Classes'), JSON.stringify(light));
    await picture(page, 'search');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await settle(page);
    assert.match(await inPage(page, ({ app }) => app.thingOf(app.selected)?.className), /light_/);
    // A value that does not occur in names of classes or things.
    const value = await inPage(page, async ({ app }) => String((await app.library.call('get', { doc: 0, path: 'mesh.materials' }))[0]).split('/').at(-1)), found = await type(value);
    assert.deepEqual([found.kinds, found.first], [['Values'], 'mesh.materials[0]'], JSON.stringify(found));
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.selected?.path === 'mesh.materials[0]');
    assert.deepEqual((await type('0x10')).kinds, ['Bytes']);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.hex', { visible: true });
    const before = await selected(), nothing = await type('qqqq');
    assert.match(nothing.says, /^No name or value matches “qqqq”/);
    await page.keyboard.press('Enter');
    await settle(page);
    assert.equal(await selected(), before);
    assert.ok(await page.$eval('.found-box', (one) => !one.hasAttribute('hidden')));
    await page.keyboard.press('Escape');
    assert.ok(await page.$eval('.found-box', (one) => one.hasAttribute('hidden')));
    assert.deepEqual(errors, []);
    await page.close();
});
