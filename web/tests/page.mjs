// SPDX-License-Identifier: MIT
// The page in headless Chromium: serves web/dist, opens files in it, and fails on anything that must not happen.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, extname, join, normalize } from 'node:path';
import { after, before } from 'node:test';
import puppeteer from 'puppeteer-core';
import { corpus, top } from './native.mjs';

const types = /** @type {Record<string, string>} */ ({ '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.png': 'image/png', '.json': 'application/json' });
export const pictures = join(top, 'out/web/page');
mkdirSync(pictures, { recursive: true });
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** The reason why tests in the browser are skipped. */
export const skip = existsSync(chromium) ? false : 'there is no chromium';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The largest of some files. @param {string} folder @param {RegExp} wanted */
const largest = (folder, wanted) => readdirSync(join(corpus, folder)).filter((one) => wanted.test(one)).map((name) => ({ name, path: join(corpus, folder, name) })).sort((a, b) => statSync(b.path).size - statSync(a.path).size).slice(0, 1);
/** The largest level of each family, with its sidecars. @type {Record<string, {name: string, path: string}[]>} */
export const families = corpus ? {
    ns2: largest('ns2', /2fort.*\.level$/), turok: largest('turok', /\.map$/), revenant: largest('revenant/v8', /44_12_8\.DAT$/),
    alien: ['L111LEV.MAP', '111GFX.BIN'].map((name) => ({ name, path: join(corpus, 'alien', name) })), sfa: ['mod6.zlb.bin', 'mod6.tab'].map((name) => ({ name, path: join(corpus, 'sfa/mini/animtest', name) })),
} : {};
/** Options for opening each. @type {Record<string, object>} */
export const opening = { alien: { level: 'L111LEV.MAP' } };

/** Serves a folder. @param {string} [folder] */
export async function serve(folder = 'web/dist') {
    /** @type {string[]} */ const requests = [];
    const server = createServer((request, response) => {
        const path = new URL(request.url ?? '', 'http://localhost').pathname;
        requests.push(path);
        const file = join(top, folder, normalize(path === '/' ? '/index.html' : decodeURIComponent(path)));
        if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
            response.writeHead(404);
            return response.end();
        }
        response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
        response.end(readFileSync(file));
    });
    await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(undefined)));
    const address = server.address();
    return { url: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}/`, requests, close: () => (server.closeAllConnections(), server.close()) };
}

/** @param {{width?: number, height?: number}} [size] */
export async function launch({ width = 1440, height = 900 } = {}) {
    return puppeteer.launch({
        executablePath: chromium, headless: true, timeout: 180000, protocolTimeout: 600000, defaultViewport: { width, height },
        args: ['--no-sandbox', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
    });
}

/** Shared by the tests of a file. @type {Awaited<ReturnType<typeof serve>>} */ export let server;
/** @type {import('puppeteer-core').Browser} */ export let browser;
/** Starts these before the tests of a file, and ends them afterwards. @param {{width?: number, height?: number}} [size] */
export function begin(size) {
    before(async () => {
        if (skip) return;
        server = await serve();
        browser = await launch(size);
    });
    after(async () => {
        await browser?.close();
        server?.close();
    });
}

/**
 * Opens the page in a tab; collects errors and requests to other servers, which fail the test.
 * @param {import('puppeteer-core').Browser} browser @param {string} url @param {string} [hash] @param {() => void} [prepare]  runs in the page before everything else
 */
export async function openPage(browser, url, hash = '', prepare = undefined) {
    const page = await browser.newPage();
    page.setDefaultTimeout(120000);
    page.setDefaultNavigationTimeout(120000);
    /** @type {string[]} */ const errors = [];
    page.on('console', (message) => ['error', 'warn'].includes(message.type()) && !/GPU stall|software WebGL|swiftshader/i.test(message.text()) && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(String(/** @type {any} */ (error).stack ?? error)));
    page.on('request', (request) => !request.url().startsWith(url) && !/^(data|blob):/.test(request.url()) && errors.push(`a request to ${request.url()}`));
    // No one can choose where to save files: they are downloaded, as in browsers that do not ask.
    await page.evaluateOnNewDocument(() => delete (/** @type {any} */ (globalThis).showSaveFilePicker));
    await page.evaluateOnNewDocument(findParts);
    if (prepare) await page.evaluateOnNewDocument(prepare);
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }, { name: 'prefers-color-scheme', value: 'dark' }]);
    await page.goto(url + hash, { waitUntil: 'load' });
    await ready(page);
    return { page, errors };
}

/** Runs in the page: sets `mapstonePage` to the exports of its main module. Opening discards changes, as if the user had chosen so. */
function findParts() {
    const state = /** @type {any} */ (globalThis);
    if (location.protocol === 'file:') return; // a single-file page has no modules
    state.mapstoneReady = new Promise((done) => addEventListener('load', () => done(undefined))).then(async () => {
        const parts = await import(new URL('page/main.js', document.baseURI).href);
        const leaving = async (/** @type {Promise<any>} */ opening) => {
            const timer = setInterval(() => /** @type {HTMLElement | null} */ (document.querySelector('dialog[open] [data-answer=lose]'))?.click(), 20);
            return opening.finally(() => clearInterval(timer));
        };
        state.mapstonePage = { ...parts, openFiles: (/** @type {any[]} */ ...given) => leaving(parts.openFiles(...given)), openSample: (/** @type {string} */ id) => leaving(parts.openSample(id)) };
    });
}
/** Waits until the parts of the page are loaded. @param {import('puppeteer-core').Page} page */
export const ready = (page) => page.evaluate(() => /** @type {any} */ (globalThis).mapstoneReady);
/** Waits until all results of edits are shown. @param {import('puppeteer-core').Page} page */
export const settled = (page) => page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.settled, { timeout: 120000 });

/**
 * Gives files to the page as if they were dropped, and waits until they are shown and checked.
 * @param {import('puppeteer-core').Page} page @param {{name: string, path: string}[]} files @param {object} [options]
 */
export async function give(page, files, options = {}) {
    const all = files.map(({ name, path }) => ({ name, text: readFileSync(path).toString('base64') }));
    await ready(page);
    await page.evaluate(async (given, how) => {
        const made = given.map(({ name, text }) => ({ name, file: new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], name.split('/').at(-1) ?? '') }));
        await /** @type {any} */ (globalThis).mapstonePage.openFiles(made, how);
    }, all, options);
}

/** @param {import('puppeteer-core').Page} page @param {string} id */
export const openSample = (page, id) => page.evaluate(async (one) => (await /** @type {any} */ (globalThis).mapstoneReady, await /** @type {any} */ (globalThis).mapstonePage.openSample(one)), id);

/** @param {import('puppeteer-core').Page} page @param {string} name */
export const picture = (page, name) => page.screenshot({ path: /** @type {`${string}.png`} */ (join(pictures, `${basename(name)}.png`)) });

/** Violations that axe finds. @param {import('puppeteer-core').Page} page @param {string[]} [only]  these rules; otherwise the default ones */
export async function rules(page, only) {
    await page.evaluate(axe);
    return page.evaluate(async (names) => (await /** @type {any} */ (globalThis).axe.run(document, names ? { runOnly: { type: 'rule', values: names } } : {})).violations.map((/** @type {any} */ one) => `${one.id}: ${one.help}: ${one.nodes.map((/** @type {any} */ node) => node.html.slice(0, 160)).slice(0, 3).join(' | ')}`), only);
}

/** Waits for two frames. @param {import('puppeteer-core').Page} page */
export const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(undefined), 60)))));

/**
 * The result of a function of the page's parts.
 * @param {import('puppeteer-core').Page} page @param {(parts: any, given: any) => any} ask @param {any} [given]
 * @returns {Promise<any>}
 */
export const inPage = (page, ask, given) => page.evaluate(`globalThis.mapstoneReady.then(() => (${ask})(globalThis.mapstonePage, ${JSON.stringify(given ?? null)}))`);

/** The bytes that an act makes the browser download, and their name. @param {import('puppeteer-core').Page} page @param {() => Promise<unknown>} act */
export async function download(page, act) {
    const folder = mkdtempSync(join(tmpdir(), 'mapstone-download-')), client = await page.browser().target().createCDPSession();
    try {
        await client.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
        await act();
        for (let i = 0; i < 1200; i++) {
            const [name] = readdirSync(folder).filter((one) => !one.endsWith('.crdownload') && !one.startsWith('.'));
            if (name) return { name, bytes: new Uint8Array(readFileSync(join(folder, name))) };
            await new Promise((done) => setTimeout(done, 50));
        }
        throw new Error('nothing was downloaded');
    } finally {
        await client.detach();
        rmSync(folder, { recursive: true });
    }
}

/** The browser's processes: what each is for, and its milliseconds of processor time so far. @param {import('puppeteer-core').Browser} browser */
export function processes(browser) {
    /** @type {Map<number, {parent: number, kind: string, time: number}>} */ const all = new Map();
    for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
        try {
            const text = readFileSync(`/proc/${id}/stat`, 'utf8'), parts = text.slice(text.lastIndexOf(')') + 2).split(' ');
            all.set(Number(id), { parent: Number(parts[1]), kind: /--type=([a-z-]+)/.exec(readFileSync(`/proc/${id}/cmdline`, 'utf8'))?.[1] ?? '', time: 10 * (Number(parts[11]) + Number(parts[12])) });
        } catch {
            // it has ended
        }
    const own = browser.process()?.pid;
    const isOwn = (/** @type {number} */ id) => {
        for (let at = id; at > 1; at = all.get(at)?.parent ?? 0) if (at === own) return true;
        return false;
    };
    return new Map([...all].filter(([id]) => isOwn(id)));
}
/** Their sum. @param {import('puppeteer-core').Browser} browser */
export const processorTime = (browser) => [...processes(browser).values()].reduce((sum, { time }) => sum + time, 0);
