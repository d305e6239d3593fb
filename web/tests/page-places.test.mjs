// SPDX-License-Identifier: MIT
// The view marks and flies to the selection: not the record that contains everything, nor the first of several findings.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { corpus } from './native.mjs';
import { begin, browser, give, inPage, openPage, openSample, picture, server, settle, skip } from './page.mjs';

begin({ width: 1280, height: 720 });

test('a record with all of the level in it is not a thing, and what has no place says so', { skip: skip || (corpus ? false : 'there is no corpus') }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await give(page, ['L111LEV.MAP', '111GFX.BIN'].map((name) => ({ name, path: join(corpus, 'alien', name) })), { level: 'L111LEV.MAP' });
    for (const [path, title, marked] of /** @type {[string, RegExp, boolean][]} */ ([['map.commands[12]', /^commands\[12\]$/, false], ['map', /^map$/, false], ['map.monsters[0]', /./, true]])) {
        await inPage(page, ({ app }, where) => app.select({ doc: 0, path: where }), path);
        await page.waitForFunction((where) => document.querySelector('#inspector .where .data')?.textContent === where, {}, path);
        await settle(page);
        const shown = await inPage(page, ({ app }) => ({ title: document.querySelector('#inspector h2 span')?.textContent ?? '', marked: document.getElementById('view')?.dataset.marked, nowhere: !document.querySelector('.no-place')?.hasAttribute('hidden'), things: app.selection.filter((/** @type {any} */ one) => app.thingOf(one)).length }));
        assert.match(shown.title, title, path);
        assert.equal(shown.nowhere, path === 'map.commands[12]', path);
        if (!marked) assert.equal(shown.marked, '0', path);
        if (path === 'map.commands[12]') await picture(page, 'no-place');
    }
    assert.deepEqual(errors, []);
    await page.close();
});

test('F8 leads through all findings, to the place of each', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'bunker');
    await settle(page);
    const findings = ['map.doors[1].lock', 'map.doors[1].lock', 'map.doors[0].lock', 'map.commands[0]'].map((path, index) => ({ doc: 0, path, code: 'X', severity: 'warning', message: `number ${index}`, found: '', expected: '' }));
    await inPage(page, ({ app }, all) => ((app.findings = all), app.emit('findings')), findings);
    await page.focus('#scene');
    /** @type {any[]} */ const seen = [];
    for (let i = 0; i < 5; i++) {
        await page.keyboard.press('F8');
        await settle(page);
        await settle(page);
        seen.push(await inPage(page, ({ app, view }) => ({ path: app.selected.path, said: document.getElementById('live')?.textContent, at: app.thingOf(app.selected)?.world, pivot: view.camera.pivot })));
    }
    assert.deepEqual(seen.map((one) => one.path), [...findings, findings[0]].map((one) => one?.path));
    for (const one of seen.filter(({ at }) => at)) assert.ok(Math.hypot(...one.at.map((/** @type {number} */ value, /** @type {number} */ axis) => value - one.pivot[axis])) < 8, JSON.stringify(one));
    assert.ok(seen.slice(0, 3).every(({ at }) => at) && !seen[3].at);
    assert.deepEqual(seen[3].pivot, seen[2].pivot);
    await page.keyboard.down('Shift');
    await page.keyboard.press('F8');
    await page.keyboard.up('Shift');
    await page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.selected.path === 'map.commands[0]');
    assert.deepEqual(errors, []);
    await page.close();
});

test('F shows the front of a surface, from wherever the view is', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'outpost');
    await settle(page);
    const count = await inPage(page, async ({ app }) => (await app.library.call('get', { doc: 0, path: 'mesh.faces' })).length);
    /** @type {string[]} */ const unseen = [];
    for (let i = 0; i < count; i += 4) {
        const face = `mesh.faces[${i}]`;
        await inPage(page, ({ app }, path) => app.select({ doc: 0, path }), face);
        await settle(page);
        await page.focus('#scene');
        await page.keyboard.press('f');
        await settle(page);
        // The middle of its largest triangle is what a click there selects, or is behind a symbol.
        const found = await inPage(page, async ({ app, view }, path) => {
            const runs = await app.library.call('triangles', { doc: 0, path }), { on } = await app.library.call('bounds', runs);
            return view.at(...view.onScreen(on));
        }, face);
        if (found?.path !== face && !found?.path.startsWith('objects[')) unseen.push(`${i}: ${found?.path}`);
    }
    assert.ok(count > 100 && unseen.length === 0, `${unseen.length} of every fourth of ${count}: ${unseen.join(', ')}`);
    assert.deepEqual(errors, []);
    await page.close();
});

test('a lost graphics card comes back with the picture, what is selected, and the changes', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'bunker');
    await inPage(page, ({ app }) => app.edit(0, ['map.doors[0].lock = locked']));
    await inPage(page, ({ app }) => app.select({ doc: 0, path: 'map.doors[0].lock' }));
    await settle(page);
    const colors = () => inPage(page, ({ view }) => {
        view.drawNow(false);
        const copy = document.createElement('canvas'), context = copy.getContext('2d');
        copy.width = view.canvas.width;
        copy.height = view.canvas.height;
        context?.drawImage(view.canvas, 0, 0);
        return new Set(new Uint32Array(context?.getImageData(0, 0, copy.width, copy.height).data.buffer ?? new ArrayBuffer(4))).size;
    });
    const before = await colors();
    assert.ok(before > 100, `${before} colours`);
    await inPage(page, ({ view }) => (/** @type {any} */ (globalThis).lost = view.canvas.getContext('webgl2').getExtension('WEBGL_lose_context')).loseContext());
    await page.waitForFunction(() => /graphics card was lost/.test(document.querySelector('#view .message:not([hidden])')?.textContent ?? ''));
    // Everything else works meanwhile.
    await inPage(page, ({ app }) => app.select({ doc: 0, path: 'map.doors[1].lock' }));
    assert.equal(await inPage(page, ({ app }) => app.edit(0, ['map.doors[1].lock = locked'])), '');
    await inPage(page, () => /** @type {any} */ (globalThis).lost.restoreContext());
    await page.waitForFunction(() => document.querySelector('#view .message')?.hasAttribute('hidden'), { timeout: 60000 });
    await settle(page);
    const now = await colors();
    assert.ok(now > before / 2, `${now} colours, ${before} before`);
    assert.deepEqual(await inPage(page, async ({ app }) => [app.selected.path, await app.library.call('get', { doc: 0, path: 'map.doors[0].lock' })]), ['map.doors[1].lock', 'locked']);
    assert.deepEqual(errors.filter((one) => !/context lost|CONTEXT_LOST/i.test(one)), []);
    await page.close();
});
