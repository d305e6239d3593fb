// SPDX-License-Identifier: MIT
// From phones to wide screens: no pane pushes the view out of the window, whatever is selected.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { families, give, launch, openPage, opening, picture, rules, serve, settle } from './page.mjs';

const skip = existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium') ? false : 'there is no chromium';
/** @type {Awaited<ReturnType<typeof serve>>} */ let server;
/** @type {import('puppeteer-core').Browser} */ let browser;
before(async () => {
    if (skip) return;
    server = await serve();
    browser = await launch({ width: 1280, height: 720 });
});
after(async () => {
    await browser?.close();
    server?.close();
});

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
