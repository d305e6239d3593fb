// SPDX-License-Identifier: MIT
// `mapstone view`: the files that it serves, and the requests that it refuses.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { command } from './native.mjs';

const place = mkdtempSync(join(tmpdir(), 'mapstone-view-'));
/** @type {(() => void)[]} */
const ends = [() => rmSync(place, { recursive: true })];
after(() => ends.reverse().forEach((end) => end()));

mkdirSync(join(place, 'page/sub'), { recursive: true });
mkdirSync(join(place, 'game/maps'), { recursive: true });
mkdirSync(join(place, 'game/web'));
writeFileSync(join(place, 'page/index.html'), '<!doctype html><title>page</title>');
writeFileSync(join(place, 'page/sub/one.js'), 'export {};');
writeFileSync(join(place, 'page/mapstone.wasm'), new Uint8Array([0, 97, 115, 109]));
writeFileSync(join(place, 'page/.hidden'), 'no');
writeFileSync(join(place, 'secret.txt'), 'no');
const level = Uint8Array.from({ length: 200000 }, (_, index) => index % 251);
writeFileSync(join(place, 'game/maps/b level #1.map'), level);
writeFileSync(join(place, 'game/maps/a.bin'), 'beside');
writeFileSync(join(place, 'game/maps/.ds'), 'hidden');

/** Starts the command; returns its address. @param {string[]} given @param {NodeJS.ProcessEnv} [browser]  if it should open a browser @returns {Promise<URL>} */
function serve(given, browser) {
    const child = spawn(command, ['view', ...(browser ? [] : ['--print']), '--page', join(place, 'page'), ...given], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...browser } });
    ends.push(() => child.kill());
    return new Promise((resolve, reject) => {
        child.stdout.once('data', (data) => resolve(new URL(String(data).trim())));
        child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    });
}

/**
 * @param {URL} base
 * @param {string} path  below the secret, or absolute with a leading '/'
 * @param {{method?: string, headers?: Record<string, string>}} [options]
 * @returns {Promise<{status: number, headers: import('node:http').IncomingHttpHeaders, body: Buffer}>}
 */
function ask(base, path, { method = 'GET', headers = {} } = {}) {
    return new Promise((resolve, reject) => {
        const whole = path.startsWith('/') ? path : base.pathname + path;
        request({ host: '127.0.0.1', port: base.port, path: whole, method, headers: { host: base.host, ...headers } }, (answer) => {
            /** @type {Buffer[]} */ const parts = [];
            answer.on('data', (part) => parts.push(part));
            answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }));
        }).on('error', reject).end();
    });
}

const served = serve([join(place, 'game/maps/b level #1.map')]);

test('the page and its files', async () => {
    const base = await served;
    assert.equal(base.hostname, '127.0.0.1');
    assert.match(base.href, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/\?opened$/);
    const index = await ask(base, '');
    assert.equal(index.status, 200);
    assert.equal(index.body.toString(), '<!doctype html><title>page</title>');
    assert.match(index.headers['content-type'] ?? '', /^text\/html/);
    assert.match(String(index.headers['content-security-policy']), /connect-src 'self'/);
    assert.equal(index.headers['x-content-type-options'], 'nosniff');
    assert.match((await ask(base, 'sub/one.js')).headers['content-type'] ?? '', /^text\/javascript/);
    assert.equal((await ask(base, 'mapstone.wasm')).headers['content-type'], 'application/wasm');
    const head = await ask(base, 'index.html', { method: 'HEAD' });
    assert.deepEqual([head.status, head.body.length, head.headers['content-length']], [200, 0, String(index.body.length)]);
});

test('the level, what is beside it, and parts of it', async () => {
    const base = await served;
    const opened = JSON.parse((await ask(base, 'opened.json')).body.toString());
    assert.deepEqual(opened.map((/** @type {any} */ one) => [one.name, one.size]), [['b level #1.map', level.length], ['a.bin', 6]]);
    assert.deepEqual((await ask(base, opened[0].url)).body, Buffer.from(level));
    assert.equal((await ask(base, opened[1].url)).body.toString(), 'beside');
    const part = await ask(base, opened[0].url, { headers: { range: 'bytes=100000-100009' } });
    assert.deepEqual([part.status, part.headers['content-range']], [206, `bytes 100000-100009/${level.length}`]);
    assert.deepEqual(part.body, Buffer.from(level.subarray(100000, 100010)));
    const rest = await ask(base, opened[0].url, { headers: { range: `bytes=${level.length - 3}-` } });
    assert.deepEqual(rest.body, Buffer.from(level.subarray(level.length - 3)));
    assert.deepEqual((await ask(base, opened[0].url, { headers: { range: 'bytes=-5' } })).body, Buffer.from(level.subarray(level.length - 5)));
    assert.equal((await ask(base, opened[0].url, { headers: { range: `bytes=${level.length}-` } })).status, 416);
    assert.equal((await ask(base, opened[0].url, { headers: { range: 'bytes=5-2' } })).status, 416);
    assert.equal((await ask(base, 'opened/2/a')).status, 404);
    assert.equal((await ask(base, 'opened/0x/a')).status, 404);
});

test('others are refused', async () => {
    const base = await served;
    for (const headers of /** @type {Record<string, string>[]} */ ([{ host: 'example.org' }, { host: `127.0.0.1:${Number(base.port) + 1}` }, { origin: 'http://example.org' }, { origin: 'null' }, { origin: `https://${base.host}` }, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]))
        assert.equal((await ask(base, '', { headers })).status, 403, JSON.stringify(headers));
    for (const headers of /** @type {Record<string, string>[]} */ ([{ host: `localhost:${base.port}` }, { origin: base.origin }, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }]))
        assert.equal((await ask(base, '', { headers })).status, 200, JSON.stringify(headers));
    assert.equal((await ask(base, '/')).status, 404);
    assert.equal((await ask(base, '/index.html')).status, 404);
    assert.equal((await ask(base, `/${'0'.repeat(32)}/`)).status, 404);
    assert.equal((await ask(base, '', { method: 'POST' })).status, 405);
    for (const path of ['../secret.txt', '%2e%2e/secret.txt', 'sub/../../secret.txt', 'sub/%2e%2e/%2e%2e/secret.txt', '..%2fsecret.txt', '%2fetc%2fpasswd', '.hidden', 'sub', 'nothing', '%00', '%zz', 'sub%5c..', 'sub//one.js'])
        assert.equal((await ask(base, path)).status, 404, path);
});

test('what is next to a level is data, whatever it is called', async () => {
    for (const name of ['page.html', 'picture.svg', 'code.js', 'text.txt', 'a.json', 'a\nb.html', 'x"<script>.htm']) writeFileSync(join(place, 'game/web', name), '<script>1</script>');
    const base = await serve([join(place, 'game/web/page.html')]);
    const opened = JSON.parse((await ask(base, 'opened.json')).body.toString());
    assert.equal(opened.length, 7);
    assert.deepEqual(opened.filter((/** @type {any} */ one) => one.named).map((/** @type {any} */ one) => one.name), ['page.html']);
    for (const { url, name } of opened) {
        const { status, headers, body } = await ask(base, url);
        assert.deepEqual([status, body.toString()], [200, '<script>1</script>'], name);
        assert.equal(headers['content-type'], 'application/octet-stream', name);
        assert.equal(headers['content-security-policy'], 'sandbox', name);
        assert.equal(headers['x-content-type-options'], 'nosniff', name);
    }
    for (const { status } of await Promise.all(['opened/', 'opened/-1', 'opened/+0', 'opened/%200', 'opened/99', 'opened/18446744073709551616', 'opened/..%2f0'].map((path) => ask(base, path)))) assert.equal(status, 404);
});

test('nothing that is hidden, and nothing that a link leads to', async () => {
    const folder = join(place, 'trap'), outside = join(place, 'outside');
    for (const one of ['maps/deep', '.git', 'maps/.svn', 'maps/real']) mkdirSync(join(folder, one), { recursive: true });
    mkdirSync(outside);
    writeFileSync(join(outside, 'key'), 'secret');
    for (const one of ['.env', '.git/config', 'maps/.svn/entries', 'maps/.hidden.level']) writeFileSync(join(folder, one), 'secret');
    for (const one of ['maps/a.level', 'maps/deep/b.level', 'maps/real/c.level', 'maps/later.level']) writeFileSync(join(folder, one), 'open');
    symlinkSync('../../outside/key', join(folder, 'maps/key.level'));
    symlinkSync(outside, join(folder, 'maps/outside'));
    symlinkSync('.', join(folder, 'maps/again'));
    symlinkSync(folder, join(place, 'trap-link'));
    const names = async (/** @type {URL} */ base) => JSON.parse((await ask(base, 'opened.json')).body.toString()).map((/** @type {any} */ one) => one.name);
    for (const one of [folder, `${folder}/`, join(place, 'trap-link')])
        assert.deepEqual(await names(await serve([one])), ['maps/a.level', 'maps/deep/b.level', 'maps/later.level', 'maps/real/c.level'], one);
    assert.deepEqual(await names(await serve([join(folder, 'maps/a.level')])), ['a.level', 'later.level']);
    // files that the user named are first
    assert.deepEqual((await names(await serve([join(folder, 'maps/key.level'), join(folder, '.env')]))).slice(0, 2), ['key.level', '.env']);

    const base = await serve([folder]), all = JSON.parse((await ask(base, 'opened.json')).body.toString());
    assert.equal((await ask(base, all[2].url)).body.toString(), 'open');
    unlinkSync(join(folder, 'maps/later.level'));
    symlinkSync('../../outside/key', join(folder, 'maps/later.level'));
    assert.equal((await ask(base, all[2].url)).status, 404);
    renameSync(join(folder, 'maps/real'), join(folder, 'maps/was'));
    writeFileSync(join(outside, 'c.level'), 'secret');
    symlinkSync(outside, join(folder, 'maps/real'));
    assert.equal((await ask(base, all[3].url)).status, 404);
});

test('the browser is led to the page by a file, not by an argument', async () => {
    const browser = join(place, 'browser'), folder = join(place, 'short');
    mkdirSync(folder);
    writeFileSync(browser, '#!/bin/sh\nprintf "%s\\n" "$#" "$@" >"$0.part" && mv "$0.part" "$0.args"\n');
    chmodSync(browser, 0o755);
    const base = await serve([join(place, 'game/maps/a.bin')], { BROWSER: browser, TMPDIR: folder });
    const secret = base.pathname.slice(1, 33);
    for (let i = 0; i < 200 && !existsSync(`${browser}.args`); i++) await new Promise((done) => setTimeout(done, 20));
    const [count, path = ''] = readFileSync(`${browser}.args`, 'utf8').split('\n');
    assert.equal(count, '1');
    assert.ok(path.startsWith(`${folder}/`) && path.endsWith('.html') && !path.includes(secret), path);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.ok(readFileSync(path, 'utf8').includes(`0;url=${base.href}"`));
    // Browsers send these headers for a link in a file, since a file has no origin.
    const led = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    for (const headers of [{ ...led, 'sec-fetch-dest': 'iframe' }, { ...led, 'sec-fetch-mode': 'no-cors' }]) assert.equal((await ask(base, '?opened', { headers })).status, 403);
    for (const other of ['index.html', 'opened.json', 'opened/0/a.bin', 'mapstone.wasm']) assert.equal((await ask(base, other, { headers: led })).status, 403, other);
    assert.equal((await ask(base, '/0123/', { headers: led })).status, 403);
    assert.ok(existsSync(path));
    assert.equal((await ask(base, '?opened', { headers: led })).status, 200);
    assert.ok(!existsSync(path));
    // Also if no browser has requested the page.
    await serve([], { BROWSER: browser, TMPDIR: folder });
    for (let i = 0; i < 200 && !readdirSync(folder).length; i++) await new Promise((done) => setTimeout(done, 20));
    assert.equal(readdirSync(folder).length, 1);
    ends.pop()?.();
    for (let i = 0; i < 200 && readdirSync(folder).length; i++) await new Promise((done) => setTimeout(done, 20));
    assert.deepEqual(readdirSync(folder), []);
});

test('many connections at once, slow and broken ones', async () => {
    const base = await served;
    const idle = Array.from({ length: 40 }, () => connect(Number(base.port), '127.0.0.1'));
    idle.forEach((one) => one.on('error', () => undefined));
    idle.slice(0, 5).forEach((one) => one.write('GET / HT'));
    const all = await Promise.all(Array.from({ length: 20 }, () => ask(base, 'sub/one.js')));
    assert.ok(all.every(({ status }) => status === 200));
    const answers = await Promise.all(['GET /\r\n\r\n', 'nonsense\r\n\r\n', `GET /${'a'.repeat(9000)} HTTP/1.1\r\n`, 'GET / HTTP/1.1\0\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n'].map((text) => new Promise((resolve) => {
        const one = connect(Number(base.port), '127.0.0.1', () => one.write(text));
        let said = '';
        one.on('data', (data) => (said += data)).on('error', () => resolve(said)).on('close', () => resolve(said));
    })));
    assert.deepEqual(answers.map((text) => /** @type {string} */ (text).split(' ')[1]), ['400', '400', '431', '400', '403']);
    idle.forEach((one) => one.destroy());
    assert.equal((await ask(base, '')).status, 200);
});

test('directories, and no files', async () => {
    const base = await serve([join(place, 'game')]);
    const opened = JSON.parse((await ask(base, 'opened.json')).body.toString());
    assert.ok(opened.some((/** @type {any} */ one) => one.name === 'maps/b level #1.map'));
    const none = await serve([]);
    assert.equal(none.search, '');
    assert.equal((await ask(none, 'opened.json')).body.toString(), '[]\n');
    await assert.rejects(serve([join(place, 'nothing')]), /ended with 2/);
});
