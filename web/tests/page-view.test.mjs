// SPDX-License-Identifier: MIT
// `mapstone view` with the page in Chromium: the command's own server, the page of web/dist, and real files.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bytesOf, command, corpus, digest, native, top } from './native.mjs';
import { inPage, launch, openPage, picture, settle } from './page.mjs';
import { zip } from './zip.mjs';

const skip = existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium') ? false : 'there is no chromium';
const place = mkdtempSync(join(tmpdir(), 'mapstone-shown-')), samples = join(top, 'web/dist/samples');
/** @type {import('puppeteer-core').Browser} */ let browser;
before(async () => {
    if (!skip) browser = await launch();
});
after(async () => {
    await browser?.close();
    rmSync(place, { recursive: true });
});

/** Starts the command. @param {string[]} given @param {NodeJS.ProcessEnv} [more]  without it no browser is opened @returns {Promise<{url: string, end: () => void}>} */
function view(given, more) {
    const child = spawn(command, ['view', ...(more ? [] : ['--print']), '--page', join(top, 'web/dist'), ...given], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...more } });
    return new Promise((resolve, reject) => {
        child.stdout.once('data', (data) => resolve({ url: String(data).trim(), end: () => child.kill() }));
        child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    });
}

/** Opens the page of a server. @param {string} url */
const open = (url) => openPage(browser, new URL('.', url).href, new URL(url).search);
/** Opens it, and waits until it shows a level of a name. @param {string} url @param {string} name */
async function shown(url, name) {
    const { page, errors } = await open(url);
    await page.waitForFunction((wanted) => document.getElementById('file-name')?.textContent === wanted && /** @type {any} */ (globalThis).mapstonePage.app.findings, { timeout: 120000 }, name).catch(async () => assert.fail(`${name} is not shown: ${await page.$eval('body', (one) => /** @type {HTMLElement} */ (one).innerText)}`));
    await settle(page);
    return { page, errors, ...(await inPage(page, ({ app, view: of }) => ({ triangles: of.scene?.triangles ?? 0, known: app.known.map((/** @type {any} */ one) => one.name), files: app.files.map((/** @type {any} */ one) => one.name), pictures: (of.scene?.images ?? []).filter((/** @type {any} */ one) => one.name !== 'placeholder').length }))) };
}
/** @param {import('puppeteer-core').Page} page @param {number} [doc] @returns {Promise<string>} */
const saved = (page, doc = 0) => inPage(page, async ({ app }, number) => (await app.library.call('save', number)).digest, doc);
/** @param {import('puppeteer-core').Page} page @returns {Promise<number>} */
const workers = (page) => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);

test('a file is opened with what is next to it, edited, and leaves nothing in the browser', { skip }, async () => {
    const folder = join(place, 'bunker #1 %41');
    cpSync(join(samples, 'bunker'), folder, { recursive: true });
    writeFileSync(join(folder, 'notes.html'), '<script>1</script>');
    const { url, end } = await view([join(folder, 'L900LEV.MAP')]);
    const { page, errors, triangles, pictures, files } = await shown(url, 'L900LEV.MAP');
    assert.ok(triangles > 100 && pictures > 0, `${triangles}, ${pictures}`);
    assert.deepEqual(files, ['L900LEV.MAP', '900GFX.BIN', 'notes.html']);
    assert.equal(await saved(page), digest(bytesOf(join(folder, 'L900LEV.MAP'))));
    assert.equal(await inPage(page, ({ app }) => app.edit(0, ['map.doors[0].lock = locked'])), '');
    const out = join(place, 'edited.MAP');
    assert.equal(native(['set', '-q', join(folder, 'L900LEV.MAP'), 'map.doors[0].lock=locked', '-o', out]).code, 0);
    assert.equal(await saved(page), digest(bytesOf(out)));
    assert.equal(await workers(page), 0);
    assert.deepEqual(errors, []);
    // The level stays open when the command has ended.
    end();
    assert.equal(await inPage(page, ({ app }) => app.edit(0, ['move map.monsters[0] by 1,1'])), '');
    await page.close();
});

test('a directory is opened, and another of its levels', { skip }, async () => {
    const { url, end } = await view([join(samples, 'keep')]);
    const { page, errors, triangles, known } = await shown(url, '7_10_10.DAT');
    assert.equal(known.filter((/** @type {string} */ one) => one.endsWith('.DAT')).length, 6);
    assert.ok(triangles > 100);
    await page.close();
    end();
    assert.deepEqual(errors, []);
    const game = join(place, 'game');
    mkdirSync(join(game, 'maps/samples'), { recursive: true });
    copyFileSync(join(samples, 'outpost.level'), join(game, 'maps/samples/outpost.level'));
    copyFileSync(join(samples, 'valley.map'), join(game, 'maps/valley.map'));
    const both = await view([game]);
    const first = await shown(both.url, 'outpost.level');
    assert.deepEqual(first.known, ['maps/samples/outpost.level', 'maps/valley.map']);
    await inPage(first.page, ({ app }) => app.emit('open-level', 'maps/valley.map'));
    await first.page.waitForFunction(() => document.getElementById('file-name')?.textContent === 'valley.map' && /** @type {any} */ (globalThis).mapstonePage.app.findings);
    assert.equal(await saved(first.page), digest(bytesOf(join(game, 'maps/valley.map'))));
    // A file that changes is read again, also below a folder called samples.
    assert.equal(native(['set', '-q', '-i', join(game, 'maps/samples/outpost.level'), 'objects[0].class_name=location']).code, 0);
    await first.page.close();
    both.end();
    const again = await view([game]), next = await shown(again.url, 'outpost.level');
    assert.equal(await saved(next.page), digest(bytesOf(join(game, 'maps/samples/outpost.level'))));
    await next.page.close();
    again.end();
    assert.deepEqual([...first.errors, ...next.errors], []);
});

test('an archive is opened, of which only parts are read', { skip }, async () => {
    const folder = join(place, 'archive'), archive = join(folder, 'game.kpf');
    mkdirSync(folder);
    writeFileSync(archive, zip([['levels/outpost.level', bytesOf(join(samples, 'outpost.level'))], ['levels/valley.map', bytesOf(join(samples, 'valley.map'))]], 30 << 20));
    copyFileSync(join(samples, 'valley.map'), join(folder, 'other.map'));
    const { url, end } = await view([archive]);
    const { page, errors, known, files } = await shown(url, 'outpost.level');
    assert.deepEqual(known, ['levels/outpost.level', 'levels/valley.map']);
    assert.deepEqual(files, ['game.kpf']);
    assert.equal(await saved(page), digest(bytesOf(join(samples, 'outpost.level'))));
    const read = await page.evaluate(() => /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource')).filter((one) => one.name.includes('/opened/')).reduce((sum, one) => sum + one.encodedBodySize, 0));
    assert.ok(read < 4 << 20, `${read} bytes were read of ${statSync(archive).size}`);
    await page.close();
    end();
    assert.deepEqual(errors, []);
});

test('the browser that the command opens is led to the level', { skip }, async () => {
    const folder = join(place, 'led'), program = join(place, 'program');
    mkdirSync(folder);
    writeFileSync(program, '#!/bin/sh\nprintf %s "$1" >"$0.part" && mv "$0.part" "$0.page"\n');
    chmodSync(program, 0o755);
    const { url, end } = await view([join(samples, 'valley.map')], { BROWSER: program, TMPDIR: folder });
    for (let i = 0; i < 200 && !existsSync(`${program}.page`); i++) await new Promise((done) => setTimeout(done, 20));
    const page = await browser.newPage();
    await page.goto(pathToFileURL(readFileSync(`${program}.page`, 'utf8')).href);
    await page.waitForFunction(() => document.getElementById('file-name')?.textContent === 'valley.map', { timeout: 120000 });
    assert.ok(page.url().startsWith(url));
    assert.deepEqual(readdirSync(folder), []);
    await page.close();
    end();
});

test('files that are damaged, have changed or are not there are said', { skip }, async () => {
    const folder = join(place, 'bad');
    mkdirSync(folder);
    writeFileSync(join(folder, 'cut.level'), bytesOf(join(samples, 'outpost.level')).slice(0, -20));
    const { url, end } = await view([join(folder, 'cut.level')]);
    const { page, errors } = await open(url);
    await page.waitForSelector('#zone-state .diagnosis', { timeout: 120000 });
    assert.match(await page.$eval('#zone-state', (one) => one.textContent ?? ''), /cut\.level.*\[NS2-[A-Z-]+\]/);
    writeFileSync(join(folder, 'cut.level'), bytesOf(join(samples, 'outpost.level')));
    await page.reload();
    await page.waitForSelector('#zone-state .diagnosis', { timeout: 120000 });
    assert.match(await page.$eval('#zone-state', (one) => one.textContent ?? ''), /cut\.level has changed/);
    assert.deepEqual(errors, []);
    await page.close();
    end();
    const none = await view([]), empty = await open(none.url);
    await empty.page.waitForSelector('.sample');
    await settle(empty.page);
    assert.equal(await empty.page.$eval('#zone-state', (one) => one.textContent), '');
    assert.equal(await workers(empty.page), 0);
    await empty.page.click('#sample-valley');
    await empty.page.waitForFunction(() => document.getElementById('file-name')?.textContent === 'valley.map', { timeout: 120000 });
    assert.deepEqual(empty.errors, []);
    await empty.page.close();
    none.end();
});

/** The largest of some files. @param {string} folder @param {RegExp} wanted */
const largest = (folder, wanted) => readdirSync(join(corpus, folder)).filter((one) => wanted.test(one)).map((one) => join(corpus, folder, one)).sort((a, b) => statSync(b).size - statSync(a).size)[0] ?? '';
if (corpus)
    for (const [id, path] of Object.entries({
        alien: join(corpus, 'alien/L111LEV.MAP'), ns2: largest('ns2', /\.level$/), turok: largest('turok', /\.map$/), revenant: largest('revenant/v15', /\.DAT$/i), sfa: join(corpus, 'sfa/mini/mini.iso'), spark: join(corpus, 'spark/gameroot/provinggrounds/maps/pg_dm6.level'),
    }))
        test(`the largest level: ${id}`, { skip: skip || (existsSync(path) ? false : `${path} is not there`) }, async (t) => {
            const { url, end } = await view([path]), began = Date.now();
            const { page, errors } = await open(url);
            await page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.findings || document.querySelector('.diagnosis'), { timeout: 180000 });
            await settle(page);
            const { name, triangles } = await inPage(page, ({ view: of }) => ({ name: document.getElementById('file-name')?.textContent, triangles: of.scene?.triangles ?? 0 }));
            if (id !== 'sfa') assert.equal(name, path.split('/').at(-1));
            assert.ok(triangles > 10, `${triangles} triangles`);
            t.diagnostic(`${name}: ${triangles} triangles, ${Date.now() - began} ms`);
            await picture(page, `view-${id}`);
            assert.deepEqual(errors, []);
            await page.close();
            end();
        });
