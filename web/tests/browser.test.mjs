// SPDX-License-Identifier: MIT
// In headless Chromium the package reports the same about every file as in Node, under a policy that allows no other
// server, and without errors.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { load } from '../dist/mapstone.js';
import { bytesOf, corpus, filesBelow, top } from './native.mjs';
import { summary } from './summary.mjs';

const minutes = 10;
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const script = `
import { load } from './mapstone.js';
import { summary } from './summary.mjs';
const post = (what, text) => fetch(what, { method: 'POST', body: text });
addEventListener('error', (event) => post('/error', event.message));
addEventListener('securitypolicyviolation', (event) => post('/error', event.blockedURI));
const library = await load();
const names = await (await fetch('/names')).json(), all = [];
for (const [index, name] of names.entries())
    all.push(await summary(library, name, new Uint8Array(await (await fetch('/file/' + index)).arrayBuffer())));
await post('/done', JSON.stringify(all));
`;
const page = '<!doctype html><meta charset="utf-8"><title>mapstone</title><link rel="icon" href="data:,"><script type="module" src="script.js"></script>';

/**
 * A server of the page, the package and the files.
 * @param {string[]} paths
 * @param {(what: string, text: string) => void} posted
 */
function serve(paths, posted) {
    /** @type {Record<string, () => [string, string | Uint8Array]>} */
    const known = {
        '/': () => ['text/html', page],
        '/script.js': () => ['text/javascript', script],
        '/mapstone.js': () => ['text/javascript', readFileSync(join(top, 'web/dist/mapstone.js'))],
        '/summary.mjs': () => ['text/javascript', readFileSync(join(top, 'web/tests/summary.mjs'))],
        '/mapstone.wasm': () => ['application/wasm', readFileSync(join(top, 'web/dist/mapstone.wasm'))],
        '/names': () => ['application/json', JSON.stringify(paths.map((path) => basename(path)))],
    };
    return createServer(async (request, response) => {
        const what = request.url ?? '';
        if (request.method === 'POST') {
            const parts = [];
            for await (const part of request) parts.push(part);
            response.end();
            posted(what, Buffer.concat(parts).toString());
            return;
        }
        const path = paths[Number(/^\/file\/(\d+)$/.exec(what)?.[1] ?? NaN)];
        const [type, body] = path ? ['application/octet-stream', readFileSync(path)] : (known[what]?.() ?? ['', '']);
        response.writeHead(type ? 200 : 404, { 'content-type': type, 'content-security-policy': policy });
        response.end(body);
    });
}

/** @param {string[]} paths @returns {Promise<any[]>} the page's summaries of them */
async function inBrowser(paths) {
    const profile = mkdtempSync(join(tmpdir(), 'mapstone-web-'));
    const { promise, resolve, reject } = (() => {
        /** @type {any} */ const made = {};
        made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
        return made;
    })();
    const server = serve(paths, (what, text) => (what === '/done' ? resolve(JSON.parse(text)) : reject(new Error(text))));
    await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(undefined)));
    const address = server.address();
    const port = address && typeof address === 'object' ? address.port : 0;
    const browser = spawn('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update',
        '--disable-sync', '--disable-dev-shm-usage', `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`], { stdio: 'ignore', detached: true });
    browser.on('error', reject);
    const timer = setTimeout(() => reject(new Error(`nothing within ${minutes} minutes`)), minutes * 60000);
    try {
        return await promise;
    } finally {
        clearTimeout(timer);
        try {
            process.kill(-(browser.pid ?? 0), 'SIGKILL'); // the browser and its children
        } catch {
            // it has already ended
        }
        server.closeAllConnections();
        server.close();
        rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
}

const has = spawnSync('chromium', ['--version']).status === 0;
test('every file in a browser', { skip: has ? false : 'there is no chromium' }, async (t) => {
    const samples = filesBelow(join(top, 'samples')).filter((path) => path.endsWith('.json'));
    const paths = [...samples, ...(corpus ? filesBelow(corpus) : [])];
    const library = await load();
    /** @type {Awaited<ReturnType<typeof summary>>[]} */
    const wanted = [];
    for (const path of paths) wanted.push(await summary(library, basename(path), bytesOf(path)));
    const found = await inBrowser(paths);
    paths.forEach((path, index) => assert.deepEqual(found[index], wanted[index], path));
    t.diagnostic(`${paths.length} files, of which ${wanted.filter((one) => 'saved' in one).length} open`);
});
