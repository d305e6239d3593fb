// SPDX-License-Identifier: MIT
// The site for everyone: rules of accessibility on every page, in light and dark, and nothing wider than the window.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { top } from './native.mjs';
import { launch, picture, rules, serve } from './page.mjs';

const site = join(top, 'out/site');
const skip = !existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium') ? 'there is no chromium' : !existsSync(site) ? 'there is no site' : false;
const pages = skip ? [] : readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html') && !name.startsWith('view/') && !name.startsWith('files/'));
/** One of each kind. */
const kinds = ['index.html', 'search.html?q=light', 'docs/index.html', 'docs/README.html', 'docs/games-turok.html', 'docs/PERFORMANCE.html', 'commands/index.html', 'commands/edit.html', 'formats/index.html', 'formats/ns2-level.html', 'manual/index.html', 'manual/document.html'];
/** @type {Awaited<ReturnType<typeof serve>>} */ let server;
/** @type {import('puppeteer-core').Browser} */ let browser;
/** @type {import('puppeteer-core').Page} */ let page;
before(async () => {
    if (skip) return;
    server = await serve('out/site');
    browser = await launch();
    page = await browser.newPage();
});
after(async () => {
    await browser?.close();
    server?.close();
});

/** @param {string} name @param {number} width @param {string} scheme */
async function open(name, width, scheme) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.setViewport({ width, height: 900 });
    await page.goto(server.url + name, { waitUntil: 'load' });
}
const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('every page of the site: rules of accessibility, and nothing wider than a phone', { skip }, async () => {
    assert.ok(pages.length > 100, `${pages.length} pages`);
    for (const [at, name] of pages.entries()) {
        await open(name, 390, at % 2 ? 'light' : 'dark');
        assert.deepEqual([await tooWide(), await rules(page)], [0, []], name);
    }
});

test('a page of each kind at four widths, in light and dark', { skip }, async () => {
    for (const name of kinds) for (const [width, scheme] of /** @type {[number, string][]} */ ([[390, 'light'], [768, 'dark'], [1280, 'light'], [1920, 'dark']])) {
        await open(name, width, scheme);
        assert.deepEqual([await tooWide(), await rules(page)], [0, []], `${name} at ${width}, ${scheme}`);
        if (name === 'index.html' || name.startsWith('docs/games')) await picture(page, `site-${name.replace(/\W/g, '-')}-${width}`);
    }
});
