// SPDX-License-Identifier: MIT
// Output of the page: models, JSON, tables, pictures and patches, equal to the command's; and messages about files other than levels.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { seems } from '../page/seems.js';
import { csvOf } from '../page/table.js';
import { bytesOf, digest, native } from './native.mjs';
import { begin, browser, download, families, give, inPage, openPage, picture, server, settle, settled, skip } from './page.mjs';

const fort = families.ns2 ?? [], large = skip || (fort.length ? false : 'there is no corpus');
const place = mkdtempSync(join(tmpdir(), 'mapstone-forms-'));
begin({ width: 1280, height: 720 });
after(() => rmSync(place, { recursive: true }));

/** The file that the menu of forms saves. @param {import('puppeteer-core').Page} page @param {string} name  the beginning of its entry */
const form = (page, name) => download(page, async () => {
    await page.click('[aria-label=More]');
    await (await page.waitForSelector('.menu ::-p-text(Save in another form)'))?.click();
    await (await page.waitForSelector(`.menu ::-p-text(${name})`))?.click();
});
/** @param {Uint8Array} png */
const sizeOf = (png) => [16, 20].map((at) => new DataView(png.buffer, png.byteOffset).getUint32(at));

test('a model, JSON, a table, pictures and a patch', { skip: large }, async () => {
    const { page, errors } = await openPage(browser, server.url), path = fort[0]?.path ?? '', stem = (fort[0]?.name ?? '').replace('.level', '');
    await give(page, fort);
    await settle(page);
    const model = await form(page, 'Model'), out = join(place, 'out.glb');
    assert.equal(native(['convert', '-q', '--lights', 'all', path, '-o', out]).code, 0);
    assert.equal(model.name, `${stem}.glb`);
    assert.deepEqual(new TextDecoder().decode(model.bytes.subarray(0, 4)), 'glTF');
    const nodes = (/** @type {Uint8Array} */ glb) => JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + new DataView(glb.buffer, glb.byteOffset).getUint32(12, true)))).meshes.length;
    assert.ok(nodes(model.bytes) > 0 && nodes(model.bytes) <= nodes(bytesOf(out)));
    const json = await form(page, 'All values');
    assert.equal(digest(json.bytes), digest(native(['dump', path]).bytes));
    const seen = await form(page, 'Picture of the view'), size = await inPage(page, ({ view }) => view.size);
    assert.deepEqual(sizeOf(seen.bytes), size);
    const map = await form(page, 'Picture of the map');
    assert.equal(map.name, `${stem}-map.png`);
    assert.equal(sizeOf(map.bytes)[0], 2048);
    await page.click('#tab-table');
    await page.waitForSelector('#panel-table input');
    await page.type('#panel-table input', 'class = location');
    await settle(page);
    const table = await download(page, async () => (await page.waitForSelector('#panel-table ::-p-text(Save as CSV)'))?.click()), lines = new TextDecoder().decode(table.bytes).trim().split('\r\n');
    assert.equal(lines[0], 'path,className,name,layer,x,y,z');
    assert.deepEqual(lines.slice(1).map((one) => one.split(',')[0]), native(['tree', path, 'objects[class_name~location]']).text.match(/^objects\[\d+\]/gm));
    // A patch of a change has the same effect on the file as the change itself.
    assert.equal(await inPage(page, ({ app }) => app.edit(0, ['objects[0].class_name = location'])), '');
    await settled(page);
    const patch = await download(page, async () => {
        await page.keyboard.down('Control');
        await page.keyboard.down('Shift');
        await page.keyboard.press('s');
        await page.keyboard.up('Shift');
        await page.keyboard.up('Control');
    }), patched = join(place, 'patched.level');
    writeFileSync(join(place, 'a.patch'), patch.bytes);
    assert.equal(native(['patch', path, join(place, 'a.patch'), '-o', patched]).code, 0);
    assert.equal(digest(bytesOf(patched)), await inPage(page, async ({ app }) => (await app.library.call('save', 0)).digest));
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});

test('rows as comma-separated values', () => assert.equal(csvOf([['a', 'b'], ['x,"y"', 1.5], ['two\nlines', '']]), 'a,b\r\n"x,""y""",1.5\r\n"two\nlines",\r\n'));

test('a file that is no level: what it seems to be, and what to do', { skip }, async () => {
    const bytes = (/** @type {string} */ text) => Uint8Array.from(text, (one) => one.charCodeAt(0));
    for (const [name, content, says] of /** @type {[string, string, RegExp][]} */ ([
        ['a.png', '\x89PNG\r\n\x1a\n', /^a\.png seems to be a PNG picture\. Textures are shown/], ['b/c.rar', 'Rar!\x1a\x07', /^c\.rar seems to be a RAR archive\. Unpack it/], ['notes.txt', 'what is to be done', /^notes\.txt seems to be text\. Choose/],
        ['x.html', '<!DOCTYPE html><p>404', /a web page/], ['m.glb', 'glTF\x02\0\0\0', /a glTF model/], ['none', '', /^none is empty/], ['zero.level', '\0'.repeat(64), /nothing but zeros/], ['y.bin', '\x01\x02\x03\x04\x05\x06\x07\x80\x90', /begins with 01 02 03 04 05 06 07 80/],
        ['l.level', 'version https://git-lfs.github.com/spec/v1', /git lfs pull/], ['game.exe', 'MZ\x90\0', /a program for Windows/],
    ])) assert.match(seems(name, bytes(content)), says);
    const { page, errors } = await openPage(browser, server.url), text = join(place, 'notes.txt'), input = /** @type {import('puppeteer-core').ElementHandle<HTMLInputElement>} */ (await page.$('#pick-files'));
    writeFileSync(text, 'what is to be done');
    await input.uploadFile(text);
    await page.waitForSelector('#zone-state .seems', { visible: true, timeout: 60000 });
    assert.match(await page.$eval('#zone-state', (one) => one.textContent ?? ''), /notes\.txt seems to be text\. Choose the file of a level/);
    await picture(page, 'refusal');
    assert.deepEqual(errors, []);
    await page.close();
});

test('light colours: a picture at the start, and a light map', { skip: large }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }, { name: 'prefers-color-scheme', value: 'light' }]);
    await settle(page);
    assert.ok(await page.$eval('#start-picture', (one) => one.getBoundingClientRect().width > 200 && /** @type {HTMLImageElement} */ (one).naturalWidth > 0));
    await picture(page, 'light-start');
    await give(page, fort);
    await settle(page);
    await page.waitForFunction(() => !document.getElementById('status-work')?.textContent);
    /** The share of pixels as bright as the background, and of dark ones: floors are pale. */
    const shares = () => page.$eval('#map canvas', (one) => {
        const canvas = /** @type {HTMLCanvasElement} */ (one), { data = [] } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
        let bright = 0, dark = 0;
        for (let i = 0; i < data.length; i += 4) {
            const mean = ((data[i] ?? 0) + (data[i + 1] ?? 0) + (data[i + 2] ?? 0)) / 3;
            bright += Number(mean > 200);
            dark += Number(mean < 130);
        }
        return [bright, dark].map((count) => (400 * count) / data.length);
    });
    await page.waitForFunction(() => true);
    const [bright = 0, dark = 100] = await shares();
    assert.ok(bright > 20 && dark < 5, `${bright} % bright, ${dark} % dark`);
    await picture(page, 'light-fort');
    assert.deepEqual(errors, []);
    await page.close();
});
