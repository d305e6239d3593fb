// SPDX-License-Identifier: MIT
// The search takes selectors, and shows errors in them; addresses name their file, open samples, and report which file they need.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, isSelector } from '../page/search.js';
import { native } from './native.mjs';
import { begin, browser, families, give, inPage, openPage, picture, ready, server, settle, skip } from './page.mjs';

const fort = families.ns2 ?? [], large = skip || (fort.length ? false : 'there is no corpus');
begin({ width: 1280, height: 720 });

test('selectors are told from paths and words, and their errors have a column', () => {
    assert.deepEqual(['objects[class_name=location]', 'objects[*].class_name', 'objects[-1]', 'objects[2:5]', 'a[x>2'].map(isSelector), [true, true, true, true, true]);
    assert.deepEqual(['objects[3]', 'objects[3].name', 'objects[', 'objects[3', 'light_point', '0x10', 'class:light'].map(isSelector), [false, false, false, false, false, false, false]);
    assert.equal(columnOf('objects[class_name=light', { message: 'a closing bracket must follow at "[class_name=light"' }), 7);
    assert.equal(columnOf('objcts[class_name=x]', { message: 'there is no field "objcts"', path: 'objcts' }), 0);
    assert.equal(columnOf('objects[class=x]', { message: 'the elements have no field', path: 'objects[class=x]' }), 7);
    assert.equal(columnOf('objects[3].nme[a=b]', { message: 'there is no field "nme"', path: 'objects[3].nme' }), 11);
});

test('a selector lists what it stands for, as the command does', { skip: large }, async () => {
    const { page, errors } = await openPage(browser, server.url), path = fort[0]?.path ?? '';
    await give(page, fort);
    await settle(page);
    /** @param {string} text */
    const type = async (text) => {
        await page.focus('#scene');
        await page.keyboard.press('/');
        await page.keyboard.type(text);
        await page.waitForFunction((wanted) => document.querySelector('.found-box:not([hidden])')?.getAttribute('data-for') === wanted, { timeout: 30000 }, text);
        await settle(page);
        return page.$eval('.found-box', (one) => ({ says: one.querySelector('.found-says')?.textContent ?? '', first: one.querySelector('.cursor .key')?.textContent, mark: one.querySelector('mark')?.textContent, before: one.querySelector('.found-where')?.firstChild?.textContent }));
    };
    for (const text of ['objects[class_name=location]', 'objects[class_name~light_*]']) {
        const listed = native(['tree', path, text]);
        assert.equal(listed.code, 0, listed.said);
        const found = await type(text), /** @type {string[]} */ shown = await inPage(page, async ({ app }, selector) => (await app.library.call('matches', selector, 5000)).rows.map((/** @type {any} */ one) => one.path), text);
        assert.ok(shown.length > 1);
        assert.deepEqual(shown, listed.text.match(/^objects\[\d+\]/gm));
        assert.equal(found.says, `${shown.length.toLocaleString('en-GB')} found · Enter selects the first, ↑ ↓ choose`);
        assert.equal(found.first, shown[0]);
    }
    await picture(page, 'selector');
    await page.keyboard.press('Enter');
    await settle(page);
    assert.match(await inPage(page, ({ app }) => app.thingOf(app.selected)?.className), /light_/);
    // All of them together.
    await type('objects[class_name=location]');
    const number = await inPage(page, async ({ app }) => (await app.library.call('matches', 'objects[class_name=location]', 5000)).count);
    await page.keyboard.press('ArrowUp');
    for (let i = 0; i < number; i++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await settle(page);
    assert.equal(await inPage(page, ({ app }) => app.selection.length), number);
    // Errors.
    const cut = await type('objects[class_name=light_point');
    assert.deepEqual([cut.before, cut.mark], ['objects', '[class_name=light_point']);
    assert.match(cut.says, /closing bracket.* column 8$/);
    const field = await type('objects[class=light_point]');
    assert.match(field.says, /did you mean "class_name"\?.* column 8$/);
    await picture(page, 'selector-error');
    assert.deepEqual(errors, []);
    await page.close();
});

test('an address opens its sample, at its place', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url, '#path=map.doors%5B1%5D&camera=1,2,3,14,0.5,-0.25&sample=bunker');
    await page.waitForFunction(() => document.getElementById('live')?.textContent?.includes('is open') || /** @type {any} */ (globalThis).mapstonePage.app.findings, { timeout: 60000 });
    await settle(page);
    const { selected, camera, name } = await inPage(page, ({ app, view }) => ({ selected: app.selected?.path, camera: view.cameraText(), name: app.nameOf(0) }));
    assert.deepEqual([name, selected, camera], ['L900LEV.MAP', 'map.doors[1]', '1,2,3,14,0.5,-0.25']);
    assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('sample'), 'bunker');
    // A reload restores the same view.
    await page.reload({ waitUntil: 'load' });
    await ready(page);
    await page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.findings, { timeout: 60000 });
    assert.equal(await inPage(page, ({ app }) => app.selected?.path), 'map.doors[1]');
    assert.deepEqual(errors, []);
    await page.close();
});

test('an address of a file that is not open says which one it needs', { skip: large }, async () => {
    const name = fort[0]?.name ?? '', hash = `#path=objects%5B12%5D&camera=1,2,3,14,0.5,-0.25&level=${encodeURIComponent(name)}`;
    const { page, errors } = await openPage(browser, server.url, hash);
    assert.equal(await page.$eval('#zone-state', (one) => one.textContent), `This link points at objects[12] in ${name}. Open that file to go there.`);
    await picture(page, 'link');
    await give(page, fort);
    await settle(page);
    assert.deepEqual(await inPage(page, ({ app, view }) => [app.selected?.path, view.cameraText()]), ['objects[12]', '1,2,3,14,0.5,-0.25']);
    // In another file it selects nothing.
    const other = await openPage(browser, server.url);
    await other.page.click('#sample-valley');
    await other.page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.findings, { timeout: 60000 });
    await other.page.evaluate((to) => (location.hash = to), hash);
    await other.page.waitForFunction((wanted) => [...document.querySelectorAll('.refusal:not([hidden])')].some((one) => one.textContent?.includes(wanted)), { timeout: 20000 }, `Open that file to go there.`);
    assert.equal(await inPage(other.page, ({ app }) => app.selected), null);
    assert.deepEqual([...errors, ...other.errors], []);
    await other.page.close();
    await page.close();
});
