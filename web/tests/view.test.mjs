// SPDX-License-Identifier: MIT
// `mapstone view`: what it serves, and to whom.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
writeFileSync(join(place, 'page/index.html'), '<!doctype html><title>page</title>');
writeFileSync(join(place, 'page/sub/one.js'), 'export {};');
writeFileSync(join(place, 'page/mapstone.wasm'), new Uint8Array([0, 97, 115, 109]));
writeFileSync(join(place, 'page/.hidden'), 'no');
writeFileSync(join(place, 'secret.txt'), 'no');
const level = Uint8Array.from({ length: 200000 }, (_, index) => index % 251);
writeFileSync(join(place, 'game/maps/b level #1.map'), level);
writeFileSync(join(place, 'game/maps/a.bin'), 'beside');
writeFileSync(join(place, 'game/maps/.ds'), 'hidden');

/** Starts the command; its address. @param {string[]} given @returns {Promise<URL>} */
function serve(given) {
    const child = spawn(command, ['view', '--print', '--page', join(place, 'page'), ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
    ends.push(() => child.kill());
    return new Promise((resolve, reject) => {
        child.stdout.once('data', (data) => resolve(new URL(String(data).trim())));
        child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    });
}

/**
 * @param {URL} base
 * @param {string} path  below the secret, or with a leading '/' as it is
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
