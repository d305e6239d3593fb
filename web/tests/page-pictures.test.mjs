// SPDX-License-Identifier: MIT
// Images stored in files, in their own pane: equal to the command's, with their palettes, and with the byte of each pixel.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { placeOf } from '../page/rebyte.js';
import { bytesOf, corpus, native } from './native.mjs';
import { begin, browser, give, inPage, openPage, openSample, picture, rules, server, settle, skip } from './page.mjs';

const place = mkdtempSync(join(tmpdir(), 'mapstone-pictures-'));
begin({ width: 1280, height: 720 });
after(() => rmSync(place, { recursive: true }));

test('the place of bytes that a file has once', () => {
    const file = Uint8Array.from([0, 0, 1, 2, 0, 3, 1, 2, 0, 0]);
    assert.deepEqual([[2, 0, 3], [1, 2], [0, 0, 1], [9], [0, 0, 0]].map((one) => placeOf(file, Uint8Array.from(one))), [3, -1, 0, -1, -1]);
});

test('pages of textures: all of them, their pixels and palettes, and the byte of a pixel', { skip: skip || (corpus ? false : 'there is no corpus') }, async () => {
    const path = join(corpus, 'alien/111GFX.BIN'), made = native(['convert', '-q', '-t', 'png', path, '-o', `${place}/`]), file = bytesOf(path);
    assert.equal(made.code, 0, made.said);
    const images = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.png')).sort();
    const { page, errors } = await openPage(browser, server.url);
    await give(page, [{ name: '111GFX.BIN', path }]);
    await page.waitForFunction((count) => document.querySelectorAll('#panel-pictures .small canvas').length === count, { timeout: 60000 }, images.length);
    for (const [index, name] of images.entries()) {
        await page.click(`#panel-pictures [data-at="${index}"]`);
        await page.waitForFunction((at) => document.querySelector(`#panel-pictures [data-at="${at}"][aria-selected=true]`) && document.querySelector('.pictures-area canvas')?.getAttribute('aria-label')?.startsWith(`page_${at}`), {}, index);
        // The command's PNG, decoded by the browser.
        const same = await page.evaluate(async (text) => {
            const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], { type: 'image/png' }), { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
            const [a, b] = [/** @type {HTMLCanvasElement} */ (document.querySelector('.pictures-area canvas')), bitmap].map((one) => {
                const context = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(one.width, one.height).getContext('2d', { willReadFrequently: true }));
                context.drawImage(one, 0, 0);
                return context.getImageData(0, 0, one.width, one.height).data;
            });
            return a?.length === b?.length && [...(a ?? [])].filter((one, at) => one !== b?.[at]).length;
        }, readFileSync(join(place, name)).toString('base64'));
        assert.equal(same, 0, name);
    }
    assert.deepEqual(await rules(page), []);
    await settle(page);
    await picture(page, 'pictures');
    const { at, width, index } = await inPage(page, async ({ app }) => {
        const { at, width, pixels } = await app.library.call('image', 0, 4);
        return { at, width, index: pixels[20 * width + 30] };
    });
    assert.ok(at > 0 && file[at + 20 * width + 30] === index, `${at}: ${index}`);
    const box = await (await page.$('.pictures-area canvas'))?.boundingBox(), zoom = (box?.width ?? 0) / width;
    await page.mouse.click((box?.x ?? 0) + 30.5 * zoom, (box?.y ?? 0) + 20.5 * zoom);
    const wanted = `0x${(at + 20 * width + 30).toString(16)}`;
    await page.waitForFunction((offset) => document.querySelector('#panel-bytes')?.textContent?.includes(offset.slice(2, -1)), {}, wanted);
    assert.deepEqual(errors, []);
    await openSample(page, 'outpost');
    await page.waitForFunction(() => /** @type {HTMLElement} */ (document.querySelector('#tab-pictures')).hidden);
    await page.close();
});

test('mip levels of a texture', { skip: skip || (corpus ? false : 'there is no corpus') }, async () => {
    const path = join(corpus, 'spark/gameroot/provinggrounds/models/props/lamp/lamp_diffuse.dds');
    const { page, errors } = await openPage(browser, server.url);
    await give(page, [{ name: 'lamp_diffuse.dds', path }]);
    await page.waitForSelector('select[aria-label="Mip level"]:not([hidden])');
    const widths = [];
    for (const level of [0, 3, 10]) {
        await page.select('select[aria-label="Mip level"]', String(level));
        await page.waitForFunction((side) => document.querySelector('.pictures-area canvas')?.getAttribute('aria-label')?.endsWith(`${side} by ${side} pixels`), {}, 1024 >> level);
        widths.push(await page.$eval('.pictures-area canvas', (one) => /** @type {HTMLCanvasElement} */ (one).width));
    }
    assert.deepEqual(widths, [1024, 128, 1]);
    assert.equal(await page.$$eval('select[aria-label="Mip level"] option', (all) => all.length), 11);
    assert.deepEqual(await rules(page), []);
    assert.deepEqual(errors, []);
    await page.close();
});
