// SPDX-License-Identifier: MIT
// A second browser: Debian's firefox-esr opens large levels, shows them, edits them by clicks, and saves the same bytes as Chromium
// and `mapstone edit`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { bytesOf, digest, native } from './native.mjs';
import { families, launch, pictures, serve } from './page.mjs';

// Without a graphics card, Firefox has WebGL only on a screen: it gets a virtual one.
const firefox = process.env.FIREFOX ?? '/usr/bin/firefox-esr', screen = '/usr/bin/Xvfb', skip = existsSync(firefox) && existsSync(screen) ? false : 'there is no firefox-esr, or no Xvfb';
const place = mkdtempSync(join(tmpdir(), 'mapstone-firefox-'));
/** @type {Awaited<ReturnType<typeof serve>>} */ let server;
/** @type {import('node:child_process').ChildProcess} */ let shown;
let display = '';
before(async () => {
    if (skip) return;
    server = await serve();
    shown = spawn(screen, ['-displayfd', '3', '-screen', '0', '1400x900x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    display = await new Promise((resolve) => shown.stdio[3]?.once('data', (/** @type {Buffer} */ number) => resolve(`:${String(number).trim()}`)));
});
after(() => {
    server?.close();
    shown?.kill();
    rmSync(place, { recursive: true });
});

/** A field of each level, and its new value. @type {Record<string, [string, string]>} */
const fields = {
    ns2: ['objects[0].class_name', 'location'], turok: ['actors.records[0].health', '77'], revenant: ['objects[94].state', '3'],
    alien: ['map.monsters[5].health', '9'], sfa: ['blocks[0].packed.block.name', 'mod6.9'],
};

/** Opens files, looks at the picture, sets a field, saves: by clicks and keys, independent of the browser. @param {import('puppeteer-core').Browser} browser @param {string[]} files @param {string} level @param {[string, string]} edit @param {string} folder  downloads are written there @param {string} name  of the picture */
async function run(browser, files, level, [path, value], folder, name) {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 720 });
    page.setDefaultTimeout(120000);
    await page.goto(server.url, { waitUntil: 'load' });
    await page.evaluate(() => delete (/** @type {any} */ (globalThis).showSaveFilePicker));
    const input = /** @type {import('puppeteer-core').ElementHandle<HTMLInputElement>} */ (await page.$('#pick-files'));
    await input.uploadFile(...files);
    await page.waitForFunction((wanted) => document.getElementById('live')?.textContent?.startsWith(`${wanted} is open`), { timeout: 120000 }, level);
    await page.waitForSelector('#view[data-first]');
    const triangles = Number(await page.$eval('#view', (one) => one.getAttribute('data-triangles'))), message = await page.$eval('#view .message', (one) => (one.hasAttribute('hidden') ? '' : one.textContent));
    await page.screenshot({ path: /** @type {`${string}.png`} */ (join(pictures, `${name}.png`)) });
    // A click on the view selects the object there.
    const box = await (await page.$('#scene'))?.boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
    await page.waitForFunction(() => Number(document.getElementById('view')?.dataset.clicks) > 0);
    await page.keyboard.press('/'); // the address of a selection has buttons
    await page.waitForFunction(() => document.activeElement?.id === 'path');
    await page.keyboard.type(path);
    await page.keyboard.press('Enter');
    const control = `[data-path="${path}"]`;
    await page.waitForSelector(control, { visible: true });
    await page.click(control, { count: 3 });
    await page.keyboard.type(value);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.getElementById('save-text')?.textContent === 'Save' || document.querySelector('.field .why'));
    assert.equal(await page.evaluate(() => document.querySelector('.field .why')?.textContent ?? ''), '');
    await page.click('#save');
    // Browsers first create an empty file, and another one next to it. A pair is two downloads.
    const isThere = () => !readdirSync(folder).some((one) => /\.(part|crdownload)$/.test(one)) && (statSync(join(folder, level), { throwIfNoEntry: false })?.size ?? 0) > 0;
    for (let i = 0; i < 1200 && !isThere(); i++) await new Promise((done) => setTimeout(done, 50));
    const saved = new Uint8Array(readFileSync(join(folder, level)));
    await page.close({ runBeforeUnload: false });
    return { triangles, message, saved };
}

for (const [id, [path, value]] of Object.entries(fields))
    test(`open, look, edit, save: ${id}`, { skip: skip || (families[id]?.length ? false : 'there is no corpus'), timeout: 300000 }, async (t) => {
        const files = (families[id] ?? []).map((one) => one.path), level = basename(files[0] ?? ''), out = join(place, `${id}.out`);
        /** @type {Record<string, {triangles: number, message: string | null, saved: Uint8Array}>} */ const results = {};
        for (const browser of /** @type {const} */ (['firefox', 'chromium'])) {
            const folder = mkdtempSync(join(place, `${browser}-`));
            const started = browser === 'chromium' ? await launch({ width: 1280, height: 720 }) : await puppeteer.launch({
                browser: 'firefox', executablePath: firefox, headless: false, env: { ...process.env, DISPLAY: display }, timeout: 180000, protocolTimeout: 300000,
                extraPrefsFirefox: { 'webgl.force-enabled': true, 'browser.download.folderList': 2, 'browser.download.dir': folder, 'browser.download.useDownloadDir': true, 'browser.helperApps.neverAsk.saveToDisk': 'application/octet-stream', 'browser.download.alwaysOpenPanel': false },
            });
            if (browser === 'chromium') {
                const client = await started.target().createCDPSession();
                await client.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
            }
            try {
                results[browser] = await run(started, files, level, [path, value], folder, `judge-${id}-${browser}`);
            } finally {
                await started.close();
            }
        }
        writeFileSync(join(place, 'script'), `${path} = ${value}\n`);
        const done = native(['edit', files[0] ?? '', '--script', join(place, 'script'), '-o', out]);
        assert.equal(done.code, 0, done.said);
        const wanted = digest(bytesOf(out)), { firefox: one, chromium: other } = results;
        t.diagnostic(`${level}: ${one?.triangles} triangles in Firefox, ${other?.triangles} in Chromium; sha256 ${wanted.slice(0, 12)}`);
        assert.deepEqual([one?.message, one?.triangles], ['', other?.triangles]);
        assert.deepEqual([digest(one?.saved ?? ''), digest(other?.saved ?? '')], [wanted, wanted]);
    });
