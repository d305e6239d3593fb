// SPDX-License-Identifier: MIT
// The first view of a level: large, whole and lit; panes are closed and opened, and this is remembered.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { extentOf } from '../page/extent.js';
import { gather, symbolSize } from '../page/gather.js';
import { Camera, project } from '../page/matrix.js';
import { begin, browser, families, give, inPage, openPage, openSample, picture, server, settle, skip } from './page.mjs';

begin({ width: 1280, height: 720 });

/** In per cent: the view's share of the window, the share of the view that the level without symbols covers, and the share of the level at the view's edge. @param {import('puppeteer-core').Page} page */
const measure = (page) => inPage(page, ({ app, view }) => {
    const { canvas } = view, before = app.classes.map((/** @type {any} */ one) => one.hidden), share = (100 * canvas.clientWidth * canvas.clientHeight) / (innerWidth * innerHeight);
    for (const one of app.classes) one.hidden = true;
    app.emit('things');
    view.drawNow(false);
    const copy = document.createElement('canvas'), context = copy.getContext('2d'), [wide, high] = [(copy.width = canvas.width), (copy.height = canvas.height)];
    context?.drawImage(canvas, 0, 0);
    const pixels = context?.getImageData(0, 0, wide, high).data ?? [], ground = Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--void').trim().slice(1), 16);
    let level = 0, edge = 0;
    for (let i = 0; i < wide * high; i++) {
        const away = [16, 8, 0].reduce((sum, bits, c) => sum + Math.abs((pixels[4 * i + c] ?? 0) - ((ground >> bits) & 255)), 0), x = i % wide, y = Math.floor(i / wide);
        if (away <= 2) continue;
        level++;
        edge += Number(x < 2 || y < 2 || x >= wide - 2 || y >= high - 2);
    }
    app.classes.forEach((/** @type {any} */ one, /** @type {number} */ index) => (one.hidden = before[index]));
    app.emit('things');
    return { view: share, level: (100 * level) / (wide * high), edge: (100 * edge) / (wide * high), yaw: view.camera.yaw, pitch: view.camera.pitch };
});

for (const [id, files] of Object.entries(families))
    test(`the first picture is the level: ${id}`, { skip: skip || (files.length && files.every(({ path }) => existsSync(path)) ? false : 'it is not there') }, async (t) => {
        const { page, errors } = await openPage(browser, server.url);
        for (const [name, viewport] of /** @type {const} */ ([['wide', { width: 1280, height: 720 }], ['phone', { width: 390, height: 844, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }]])) {
            await page.setViewport(viewport);
            await give(page, files, id === 'alien' ? { level: 'L111LEV.MAP' } : {});
            await settle(page);
            await inPage(page, ({ view }) => view.drawNow(true));
            await picture(page, `first-${id}-${name}`);
            const { view, level, edge, yaw, pitch } = await measure(page);
            t.diagnostic(`${id}, ${name}: the view has ${view.toFixed(1)} % of the window, the level ${level.toFixed(1)} % of the view, ${edge.toFixed(3)} % are at its edge`);
            // Walls of this block bank that only the phone's steeper angle shows make it long: not cutting anything off has priority.
            assert.ok(view >= 60 && level >= (id === 'sfa' && name === 'phone' ? 12 : 25), `${name}: ${view} % of the window, ${level} % of the view`);
            // Faces that point away are ignored when the level is framed; some may be visible edge-on.
            assert.ok(edge <= 0.02, `${name}: ${edge} % are at the edge`);
            if (name === 'wide') assert.deepEqual([yaw, pitch].map((one) => Math.round((one * 180) / Math.PI)), [-45, -40]);
        }
        assert.deepEqual(errors, []);
        await page.close();
    });

test('lamps light the level, and edges are smooth where it stands still', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'outpost');
    await settle(page);
    const { lit, dark, colors, smooth } = await inPage(page, ({ view }) => {
        const read = (/** @type {boolean} */ fine) => {
            view.drawNow(fine);
            const copy = document.createElement('canvas');
            copy.width = view.canvas.width;
            copy.height = view.canvas.height;
            const context = /** @type {CanvasRenderingContext2D} */ (copy.getContext('2d'));
            context.drawImage(view.canvas, 0, 0);
            return context.getImageData(0, 0, copy.width, copy.height).data;
        };
        const all = [...view.scene.look.light.cells[0].filter((/** @type {number} */ _, /** @type {number} */ index) => index % 4 === 0)];
        const count = (/** @type {Uint8ClampedArray} */ pixels) => new Set(new Uint32Array(pixels.buffer)).size;
        return { lit: Math.max(...all), dark: Math.min(...all), colors: count(read(false)), smooth: count(read(true)) };
    });
    assert.ok(lit > 4 * dark, `${lit}, ${dark}`);
    assert.ok(smooth > colors * 1.05, `${smooth} colours with smooth edges, ${colors} without`);
    assert.deepEqual(errors, []);
    await page.close();
});

test('panes are closed and opened by buttons, tabs and keys, and that is remembered', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'bunker');
    await settle(page);
    const state = () => page.$eval('#app', (one) => ['left', 'map', 'dock', 'right'].map((name) => /** @type {HTMLElement} */ (one).dataset[name]));
    assert.deepEqual(await state(), ['open', 'open', 'closed', 'closed']);
    // The selection is shown; the picture stays in place.
    const spot = () => inPage(page, ({ app, view }) => (view.lookNow(), view.onScreen(app.things[0].world).map((/** @type {number} */ one, /** @type {number} */ axis) => one + view.canvas.getBoundingClientRect()[axis ? 'top' : 'left'])));
    const before = await spot();
    await inPage(page, ({ app }) => app.select({ doc: 0, path: 'map.doors[1].lock' }));
    await settle(page);
    assert.deepEqual(await state(), ['open', 'open', 'closed', 'open']);
    const now = await spot();
    assert.ok(Math.hypot(now[0] - before[0], now[1] - before[1]) < 12, `${before} moves to ${now}`);
    await page.click('#tab-bytes');
    await page.waitForSelector('.hex .chosen', { visible: true });
    await page.click('#tab-bytes');
    assert.deepEqual(await state(), ['open', 'open', 'closed', 'open']);
    await page.focus('#scene');
    for (const key of /** @type {const} */ (['T', 'B', 'I'])) await page.keyboard.down('Shift').then(() => page.keyboard.press(key)).then(() => page.keyboard.up('Shift'));
    await page.click('[aria-label="Map"]').catch(() => undefined);
    assert.deepEqual(await state(), ['closed', 'open', 'open', 'closed']);
    await page.reload({ waitUntil: 'load' });
    await openSample(page, 'bunker');
    await inPage(page, ({ app }) => app.select({ doc: 0, path: 'map.doors[1]' }));
    await settle(page);
    assert.deepEqual(await state(), ['closed', 'open', 'open', 'closed']);
    assert.equal(await page.$eval('[aria-label="Selection"]', (one) => one.getAttribute('aria-expanded')), 'false');
    await page.evaluate(() => localStorage.clear());
    assert.deepEqual(errors, []);
    await page.close();
});

test('what is missing is said in one line below', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'outpost');
    await settle(page);
    assert.match(await page.$eval('#status-note', (one) => one.textContent ?? ''), /^4 materials are missing next to this file\.Add a folder$/);
    const [note, view] = await page.evaluate(() => ['status-note', 'view'].map((id) => document.getElementById(id)?.getBoundingClientRect().toJSON()));
    assert.ok(note.top >= view.bottom && note.height <= 24, JSON.stringify(note));
    assert.deepEqual(errors, []);
    await page.close();
});

test('symbols that overlap are one, with a count; nearer, each has its own', () => {
    const places = [[0, 0], [5, 3], [100, 0], [103, 4], [300, 300]], at = (/** @type {number} */ zoom) => gather(places.keys(), (index) => [(places[index]?.[0] ?? 0) * zoom, (places[index]?.[1] ?? 0) * zoom, 8]);
    assert.deepEqual(at(1).map(({ index, members }) => [index, members]), [[0, [0, 1]], [2, [2, 3]], [4, [4]]]);
    assert.deepEqual(at(10).map(({ members }) => members), [[0], [1], [2], [3], [4]]);
    assert.deepEqual(gather([4, 1, 0], (index) => (index === 4 ? null : [0, 0, 8])).map(({ index, members }) => [index, members]), [[1, [1, 0]]]);
    assert.ok(symbolSize(5, 1000) > symbolSize(120, 1000) && symbolSize(1e6, 1000) >= 6);
});

test('what is far away does not make the level small', () => {
    /** @type {number[]} */ const corners = [];
    const quad = (/** @type {number} */ x, /** @type {number} */ z, /** @type {number} */ side, y = 0) => corners.push(x, y, z, x, y, z + side, x + side, y, z, x + side, y, z, x, y, z + side, x + side, y, z + side);
    for (let i = 0; i < 100; i++) quad((i % 10) * 4, Math.floor(i / 10) * 4, 4);
    quad(9000, 9000, 1);
    const { strays, points } = extentOf({ floats: new Float32Array(corners), words: 3, triangles: corners.length / 9, isSingle: () => false }, [], 0);
    assert.deepEqual([...strays.slice(-3)], [0, 1, 1]);
    assert.deepEqual([Math.min(...points), Math.max(...points)], [0, 40]);
});

test('a camera that fits shows all points, and touches the edges', () => {
    const points = Float32Array.from({ length: 300 }, (_, index) => Math.sin(index * 12.9898) * ([40, 5, 15][index % 3] ?? 0)), [wide, high] = [1000, 600];
    for (const yaw of [-0.8, 0, 2]) {
        const camera = new Camera();
        Object.assign(camera, { yaw, pitch: -0.7 });
        camera.fit(points, wide, high, [50, 10, 20, 30]);
        const clip = camera.matrix(wide / high, 100), spots = Array.from({ length: 100 }, (_, index) => project(clip, [points[3 * index] ?? 0, points[3 * index + 1] ?? 0, points[3 * index + 2] ?? 0])).map(([x, y, , w]) => [((x / w + 1) / 2) * wide, ((1 - y / w) / 2) * high]);
        const [xs, ys] = [0, 1].map((axis) => spots.map((one) => one[axis] ?? 0)), edges = [Math.min(...(xs ?? [])) - 50, 980 - Math.max(...(xs ?? [])), Math.min(...(ys ?? [])) - 10, 570 - Math.max(...(ys ?? []))];
        assert.ok(edges.every((one) => one > -0.1), `${yaw}: ${edges}`);
        assert.ok(Math.abs((edges[0] ?? 9) + (edges[1] ?? 9)) < 0.2 || Math.abs((edges[2] ?? 9) + (edges[3] ?? 9)) < 0.2, `${yaw}: ${edges}`);
    }
});
