// SPDX-License-Identifier: MIT
// From phones to wide screens: no pane pushes the view out of the window, whatever is selected.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, browser, families, give, inPage, opening, openPage, openSample, picture, rules, server, settle, skip } from './page.mjs';

begin({ width: 1280, height: 720 });

for (const [id, files] of Object.entries(families).filter(([name]) => name === 'ns2'))
    test(`nothing pushes the view at any width: ${id}`, { skip }, async () => {
        const { page, errors } = await openPage(browser, server.url);
        await give(page, files, opening[id]);
        await page.click('#tab-table');
        await page.waitForFunction(() => document.querySelector('#panel-table .row, #panel-table .empty:not([hidden])'));
        await page.click((await page.$('#panel-table .row')) ? '#panel-table .row' : '#tree .row');
        await page.waitForSelector('#inspector .field', { timeout: 60000 });
        for (const width of [2560, 1920, 1440, 1280, 1100, 1024, 900, 768, 480, 390, 360]) {
            await page.setViewport({ width, height: width < 768 ? 780 : 800 });
            await settle(page);
            await settle(page);
            const found = await page.evaluate(() => ({
                over: [document.documentElement, ...document.querySelectorAll('#app, #body, #middle, #view, #dock, #left, #right, #bar, #status')].filter((one) => one.clientWidth && one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.id || one.tagName),
                scrolls: document.documentElement.scrollWidth > innerWidth, view: document.getElementById('view')?.getBoundingClientRect().width ?? 0,
            }));
            assert.deepEqual([found.over, found.scrolls], [[], false], `${id} at ${width}`);
            assert.ok(found.view >= Math.min(360, width) * 0.95, `${id} at ${width}: the view is ${found.view} wide`);
            if ([2560, 1024, 768, 360].includes(width)) await picture(page, `width-${id}-${width}`);
            if (id === 'ns2' && [2560, 1280, 1024, 768, 360].includes(width)) assert.deepEqual(await rules(page), [], `axe at ${width}`);
        }
        assert.deepEqual(errors, []);
        await page.close();
    });

test('where panes lie over the view, what is selected is still seen', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await page.setViewport({ width: 768, height: 1024 });
    await openSample(page, 'bunker');
    await settle(page);
    const path = await inPage(page, ({ app, view }) => {
        view.lookNow();
        // The thing that is farthest to the right.
        const [far] = app.things.map((/** @type {any} */ one) => ({ one, at: view.onScreen(one.world) })).filter((/** @type {any} */ { at }) => at && at[1] > 60 && at[1] < view.canvas.clientHeight - 60 && at[0] < view.canvas.clientWidth).sort((/** @type {any} */ a, /** @type {any} */ b) => b.at[0] - a.at[0]);
        app.select({ doc: far.one.doc, path: far.one.path }, { from: 'view' });
        return far.one.path;
    });
    await page.waitForSelector('#right .field', { visible: true });
    await settle(page);
    const seen = await inPage(page, ({ app, view }) => {
        const [x] = view.onScreen(app.thingOf(app.selected).world), box = view.canvas.getBoundingClientRect();
        return { x: box.left + x, left: box.left, right: document.getElementById('right')?.getBoundingClientRect().left, other: document.getElementById('app')?.dataset.left };
    });
    assert.ok(seen.x > seen.left + 20 && seen.x < seen.right - 20, `${path}: ${JSON.stringify(seen)}`);
    assert.equal(seen.other, 'closed');
    await picture(page, 'width-over');
    await inPage(page, ({ app }) => app.select(null));
    await page.click('[aria-label="Selection"]');
    assert.equal(await page.$eval('#app', (one) => /** @type {HTMLElement} */ (one).dataset.left), 'open');
    assert.deepEqual(errors, []);
    await page.close();
});

test('a phone finds, hides layers, and takes steps back', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await page.setViewport({ width: 360, height: 740, hasTouch: true });
    await openSample(page, 'outpost');
    /** Presses an element, and returns its size. @param {string} selector */
    const press = async (selector) => {
        const box = await (await page.waitForSelector(selector, { visible: true }))?.boundingBox();
        assert.ok(box && box.width >= 44 && box.height >= 44 && box.x >= 0 && box.x + box.width <= 360, `${selector}: ${JSON.stringify(box)}`);
        await page.tap(selector);
    };
    await press('#acts [aria-label=Find]');
    await page.keyboard.type('tech_point');
    await page.waitForSelector('.found-box .row', { timeout: 60000 });
    await picture(page, 'phone-find');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.selected, { timeout: 20000 });
    assert.equal(await page.$('#acts [aria-label=Undo]:not([disabled])'), null);
    await inPage(page, ({ app }) => app.edit(0, ['duplicate objects[5]']));
    await press('#acts [aria-label=Undo]');
    await page.waitForFunction(() => !(/** @type {any} */ (globalThis).mapstonePage.app.documents[0].edited), { timeout: 60000 });
    await page.tap('#phone-tabs [data-id=tree]');
    await page.tap('#tab-show');
    await page.waitForSelector('.show-row', { visible: true });
    await picture(page, 'phone-layers');
    await inPage(page, ({ app }) => app.select(null));
    assert.deepEqual(await rules(page), []);
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});

test('on a phone all lists can be reached', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    const place = () => page.$eval('#dock-bar', (one) => one.parentElement?.id);
    await openSample(page, 'bunker');
    const before = await place(); // an earlier test may have opened the lower panes, which the browser keeps
    await page.setViewport({ width: 390, height: 844 });
    await settle(page);
    await page.click('#phone-tabs [data-id=findings]');
    for (const id of ['findings', 'table', 'changes', 'bytes']) {
        await page.click(`#tab-${id}`);
        await page.waitForFunction((name) => (document.getElementById(`panel-${name}`)?.getBoundingClientRect().height ?? 0) > 400, {}, id);
        await settle(page);
        const { left, right, top, bottom, shown } = await page.$eval(`#panel-${id}`, (one) => ({ ...one.getBoundingClientRect().toJSON(), shown: getComputedStyle(one).visibility }));
        assert.deepEqual([left, right, shown, top > 0, bottom <= 844], [0, 390, 'visible', true, true], id);
        if (id === 'table') await picture(page, 'phone-table');
    }
    assert.equal(await page.$eval('#app', (one) => one.getAttribute('data-phone')), 'bytes');
    // Where there is room again, the tabs are where they were.
    await page.setViewport({ width: 1280, height: 720 });
    await settle(page);
    assert.equal(await place(), before);
    assert.deepEqual(errors, []);
    await page.close();
});
