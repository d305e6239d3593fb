// SPDX-License-Identifier: MIT
// Things added with the toolbar's button, where the view looks: of the game's classes, or copies.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { meet } from '../page/add.js';
import { corpus, native } from './native.mjs';
import { begin, browser, families, give, inPage, opening, openPage, picture, server, settle, settled, skip } from './page.mjs';

begin({ width: 1280, height: 720 });

test('a line of sight meets a triangle in its plane', () => {
    assert.deepEqual(meet([[0, 0, 0], [1, 0, 0], [0, 0, 1]], [0.25, 4, 0.25], [0, -1, 0]), [0.25, 0, 0.25]);
    assert.equal(meet([[0, 0, 0], [1, 0, 0], [0, 0, 1]], [0, 4, 0], [1, 0, 0]), null);
    assert.equal(meet([[0, 0, 0], [1, 0, 0], [0, 0, 1]], [0, 4, 0], [0, 1, 0]), null);
});

/** Adds the entry of the list with a name. @param {import('puppeteer-core').Page} page @param {string} name */
async function add(page, name) {
    await page.click('#add');
    await page.waitForSelector('.picker input', { timeout: 120000 });
    await page.type('.picker input', name);
    await settle(page);
    await page.keyboard.press('Enter');
}
/** The selected thing. @param {import('puppeteer-core').Page} page */
const added = (page) => inPage(page, ({ app }) => app.thingOf(app.selected));

const sets = corpus ? { ...families, sfa: [{ name: 'animtest.romlist.zlb', path: join(corpus, 'sfa/mini/animtest.romlist.zlb') }] } : {};
for (const [family, files] of Object.entries(sets))
    test(`${family}: a thing is added in the middle of the view`, { skip }, async () => {
        const { page, errors } = await openPage(browser, server.url);
        await give(page, files, opening[family] ?? {});
        await settle(page);
        const { kind, before, eye, sight } = await inPage(page, ({ app, view }) => ({ eye: view.camera.position, sight: view.camera.ray(0, 0, view.aspect()), kind: app.classes.find((/** @type {any} */ _, /** @type {number} */ index) => app.things.some((/** @type {any} */ each) => each.class === index && each.role !== 'geometry' && each.path.endsWith(']')))?.name, before: app.things.length }));
        const wanted = { ns2: 'light_spot', alien: 'face_hugger' }[family] ?? kind;
        await add(page, wanted);
        await page.waitForFunction((count) => /** @type {any} */ (globalThis).mapstonePage.app.things.length > count || document.querySelector('.refusal:not(.picking)'), { timeout: 120000 }, before);
        const refused = await page.$$eval('.refusal:not(.picking)', (all) => all.map((one) => one.textContent));
        assert.deepEqual(refused, []);
        await settled(page);
        const thing = await added(page);
        assert.equal(thing.className, wanted);
        // It is on the line of sight through the middle of the view; a thing on a grid is in the nearest cell.
        const to = thing.world.map((/** @type {number} */ one, /** @type {number} */ axis) => one - eye[axis]), along = to.reduce((/** @type {number} */ sum, /** @type {number} */ one, /** @type {number} */ axis) => sum + one * sight[axis], 0);
        const off = Math.hypot(...to.map((/** @type {number} */ one, /** @type {number} */ axis) => one - along * sight[axis]));
        assert.ok(along > 0 && off < (family === 'alien' ? 1 : 0.05), `${family}: ${off} m off`);
        await picture(page, `add-${family}`);
        await page.click('[aria-label=Undo]');
        await page.waitForFunction((count) => /** @type {any} */ (globalThis).mapstonePage.app.things.length === count, { timeout: 120000 }, before);
        assert.deepEqual(errors, []);
        await page.close({ runBeforeUnload: false });
    });

test('a class that needs a name is asked for it', { skip: skip || (families.ns2?.length ? false : 'there is no corpus') }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await give(page, families.ns2 ?? []);
    await settle(page);
    const said = native(['edit', families.ns2?.[0]?.path ?? '', '--dry-run', '-e', 'add location']).said, [, needed = ''] = /expected (\w+)=/.exec(said) ?? [];
    assert.notEqual(needed, '', said);
    await add(page, 'location');
    await page.waitForSelector(`dialog input[aria-label=${needed}]`, { timeout: 120000 });
    await page.type(`dialog input[aria-label=${needed}]`, 'The "Annex"');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('#save-text')?.textContent === 'Save', { timeout: 120000 });
    await settled(page);
    const thing = await added(page);
    assert.deepEqual([thing.className, thing.name], ['location', 'The "Annex"']);
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});

test('what has nothing to add has no button for it', { skip: skip || (families.sfa?.length ? false : 'there is no corpus') }, async () => {
    const { page } = await openPage(browser, server.url);
    await give(page, families.sfa ?? []);
    assert.ok(await page.$eval('#add', (one) => /** @type {HTMLElement} */ (one).hidden));
    await page.close();
});
