// SPDX-License-Identifier: MIT
// The page that `render --tiles` writes, of a level whose names are HTML, as Chromium opens it from a disk.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { native, top } from './native.mjs';
import { launch } from './page.mjs';

const place = mkdtempSync(join(tmpdir(), 'mapstone-tiles-')), samples = join(top, 'samples');
after(() => rmSync(place, { recursive: true }));
const name = '</script><script>globalThis.ran=1</script><!--<script>&lt;';

/** @param {...string} given */
function run(...given) {
    const { code, said } = native(given);
    assert.equal(code, 0, said);
}

test('names of a level do not run in its page', async () => {
    const map = join(place, 'map'), root = join(place, 'root');
    for (const one of [map, join(root, 'IMAGERY')]) mkdirSync(one, { recursive: true });
    run('convert', '-q', ...readdirSync(join(samples, 'keep')).filter((one) => one.endsWith('.json')).map((one) => join(samples, 'keep', one)), '-t', 'revenant-sector', '-o', `${map}/`);
    run('convert', '-q', join(samples, 'keep-imagery'), '-t', 'revenant-image', '-o', `${root}/IMAGERY/Keep/`);
    cpSync(join(samples, 'keep/class.def'), join(map, 'class.def'));
    run('set', '-q', '-i', join(map, '7_11_11.dat'), `objects[name=Aldis the Warden].name=${name}`);
    run('render', '-q', '--view', 'game', map, '--search-path', root, '--tiles', join(place, 'tiles'));
    const browser = await launch();
    try {
        const page = await browser.newPage();
        /** @type {string[]} */ const said = [];
        page.on('console', (message) => !message.text().includes('ERR_FILE_NOT_FOUND') && said.push(message.text())); // missing tiles of empty areas
        page.on('pageerror', (error) => said.push(String(error)));
        await page.goto(pathToFileURL(join(place, 'tiles/index.html')).href, { waitUntil: 'load' });
        await page.waitForFunction(() => [...document.images].some((one) => one.naturalWidth) && document.querySelectorAll('#map span').length > 8);
        assert.deepEqual(said, []);
        const seen = await page.evaluate(() => ({ ran: /** @type {any} */ (globalThis).ran, names: [...document.querySelectorAll('#map span')].map((one) => one.textContent), scripts: document.scripts.length }));
        assert.equal(seen.ran, undefined);
        assert.equal(seen.scripts, 2);
        assert.ok(seen.names.includes(name), seen.names.join());
        // The policy's purpose: to block a script that gets into the page anyway.
        await page.evaluate(() => {
            const script = document.createElement('script');
            script.textContent = 'globalThis.ran = 2';
            document.body.append(script);
        });
        assert.equal(await page.evaluate(() => /** @type {any} */ (globalThis).ran), undefined);
    } finally {
        await browser.close();
    }
});
