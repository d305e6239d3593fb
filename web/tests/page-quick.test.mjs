// SPDX-License-Identifier: MIT
// Edits are fast: only changed parts are made again, and the result looks as if the edited file had been opened.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { corpus } from './native.mjs';
import { lookPrint, surfacePrint } from '../page/prints.js';
import { begin, browser, families, give, inPage, opening, openPage, picture, processorTime, server, settle, settled, skip } from './page.mjs';

begin({ width: 1280, height: 720 });

/** Random edits, undos and redos, the same ones each time. @param {import('puppeteer-core').Page} page @param {{seed: number, count: number}} how */
const editByChance = (page, how) => inPage(page, async ({ app }, { seed, count }) => {
    let state = seed;
    /** @param {number} below */
    const next = (below) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
    };
    const done = { edits: 0, refused: 0, undone: 0, redone: 0 };
    /** @param {'undo' | 'redo'} way */
    const go = async (way) => {
        const button = document.querySelector(`[aria-label=${way === 'undo' ? 'Undo' : 'Redo'}]`);
        if (!button || button.hasAttribute('disabled')) return;
        const edited = new Promise((resolve) => app.on('edited', resolve));
        app.emit(way);
        await edited;
        done[way === 'undo' ? 'undone' : 'redone']++;
    };
    for (let i = 0; i < count; i++) {
        const what = next(10), all = app.things, thing = all[next(all.length)];
        if (what < 2) await go('undo');
        else if (what < 3) await go('redo');
        else {
            const { columns } = await app.library.call('axes', { doc: thing.doc, path: thing.path }), by = columns.map((/** @type {unknown} */ one) => (one ? next(5) - 2 : 0));
            const operation = what < 7 ? `move ${thing.path} by ${by.join(',')}` : what < 8 ? `duplicate ${thing.path}` : what < 9 ? `remove ${thing.path}` : `rotate ${thing.path} by 90deg`;
            const why = columns.length || what >= 7 ? await app.edit(thing.doc, [operation], { cascade: true }) : 'it has no place';
            done[why ? 'refused' : 'edits']++;
        }
    }
    return done;
}, how);

/** The differences between the page's state and its state after opening the saved files. @param {import('puppeteer-core').Page} page @param {any} how @returns {Promise<string[]>} */
const differences = (page, how) => inPage(page, async ({ app, view }, options) => {
    const fresh = new app.library.constructor(), files = new Map(app.files.map((/** @type {any} */ one) => [one.name, one]));
    for (const [doc, one] of app.documents.entries())
        for (const [file, { name }] of one.files.entries()) {
            const { bytes } = await app.library.call('save', doc, file), known = [...files.keys()].find((each) => each === (name || one.name) || each.endsWith(`/${name || one.name}`) || (name || one.name).endsWith(`/${each}`));
            if (known) files.set(known, { name: known, file: bytes });
        }
    await fresh.call('open', [...files.values()], { ...app.options, ...options });
    await fresh.call('take');
    const now = view.scene, then = await fresh.call('scene', {}), wrong = [];
    const same = (/** @type {string} */ name, /** @type {unknown} */ one, /** @type {unknown} */ other) => {
        const texts = [one, other].map((each) => JSON.stringify(each, (_, value) => (ArrayBuffer.isView(value) ? [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)] : value)));
        if (texts[0] !== texts[1]) wrong.push(`${name}: ${texts.map((each) => each?.slice(0, 200)).join(' is not ')}`);
    };
    const words = [now, then].map((each) => new Uint8Array(each.vertices));
    if (words[0]?.length !== words[1]?.length || words[0]?.some((value, index) => value !== words[1]?.[index])) wrong.push(`vertices ${words.map((each) => each?.length)}`);
    for (const name of ['triangles', 'seen', 'batches', 'groups', 'links', 'places', 'look', 'points', 'steep', 'minimum', 'maximum', 'materials']) same(name, now[name], then[name]);
    const things = (await fresh.call('entities')).filter((/** @type {any} */ one) => one.doc >= 0), findings = await fresh.call('check');
    same('things', app.things.map((/** @type {any} */ { class: _, ...one }) => one), things);
    same('findings', app.findings, findings);
    fresh.restart();
    return wrong;
}, how);

/** The level with many states: a small real one, since each comparison opens it again. */
const many = corpus ? ['ns2-skulks-with-shotguns__sws2__a8fed37c.level'].map((name) => ({ name, path: join(corpus, 'ns2', name) })) : [];
/** Edits, undos and redos between two comparisons. Levels without things (SFA) are left out: random edits need things. */
const between = 20;
for (const [id, files, times] of /** @type {[string, {name: string, path: string}[], number][]} */ ([...Object.entries(families).filter(([id]) => id !== 'sfa').map(([id, files]) => [id, files, 1]), ...(corpus ? [['sws2', many, 10]] : [])]))
    test(`after edits, undos and redos by chance the picture is that of the saved file: ${id}`, { skip }, async (t) => {
        const { page, errors } = await openPage(browser, server.url);
        await page.setViewport({ width: 800, height: 500 }); // drawing is faster if the processor does it
        await give(page, files, opening[id]);
        const all = { edits: 0, refused: 0, undone: 0, redone: 0 };
        for (let seed = 1; seed <= times; seed++) {
            const done = await editByChance(page, { seed, count: between });
            for (const name of /** @type {(keyof typeof all)[]} */ (Object.keys(all))) all[name] += done[name];
            await settled(page);
            assert.deepEqual(await differences(page, opening[id] ?? {}), [], `${id}, ${seed}`);
        }
        t.diagnostic(`${id}: ${JSON.stringify(all)}, compared ${times} times`);
        assert.ok(all.edits >= times * between * 0.2, JSON.stringify(all));
        await picture(page, `quick-${id}`);
        assert.deepEqual(errors, []);
        await page.close({ runBeforeUnload: false });
    });

test('what is dropped is seen at its place in 100 ms', { skip: skip || ((families.ns2 ?? []).length ? false : 'there is no corpus') }, async (t) => {
    const { page, errors } = await openPage(browser, server.url);
    await give(page, families.ns2 ?? []);
    await inPage(page, ({ app, view }) => {
        const thing = app.things.find((/** @type {any} */ one) => one.className === 'tech_point') ?? app.things[5];
        app.select({ doc: thing.doc, path: thing.path });
        return view.frameSelection();
    });
    await settle(page);
    await page.focus('#scene');
    await page.keyboard.press('g');
    // The arrows are there when the worker has told the axes; its note in the status line follows only after a moment.
    await page.waitForFunction(() => !(/** @type {any} */ (globalThis).mapstonePage.app.library.pending) && document.querySelector('.gizmo-numbers:not([hidden])'));
    await settle(page);
    const times = [], works = [];
    for (let i = 0; i < 5; i++) {
        // The end of the upward axis, of 64 pixels.
        const [x, y] = await inPage(page, ({ app, view }) => {
            view.lookNow();
            const box = view.canvas.getBoundingClientRect(), { world } = app.thingOf(app.selected), [from, to] = [world, [world[0], world[1] + view.camera.distance * 0.05, world[2]]].map((one) => view.onScreen(one)), away = Math.hypot(to[0] - from[0], to[1] - from[1]);
            return [0, 1].map((axis) => (axis ? box.top : box.left) + from[axis] + ((to[axis] - from[axis]) / away) * 64);
        });
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x, y - 20, { steps: 4 });
        await settle(page);
        await page.evaluate(() => {
            const state = /** @type {any} */ (globalThis), { app, view } = state.mapstonePage, before = app.thingOf(app.selected).world[1];
            state.drop = {};
            view.canvas.addEventListener('pointerup', () => (state.drop.began = performance.now()), { once: true, capture: true });
            const camera = () => state.drop.began && !state.drop.seen && app.thingOf(app.selected).world[1] !== before && (state.drop.seen = performance.now());
            app.on('camera', camera);
            app.on('edited', () => (state.drop.answered ??= performance.now()));
            app.on('settled', () => (state.drop.settled ??= performance.now()));
        });
        const work = processorTime(browser);
        await page.mouse.up();
        await page.waitForFunction(() => /** @type {any} */ (globalThis).drop.settled, { timeout: 60000 });
        works.push(processorTime(browser) - work);
        const drop = await page.evaluate(() => /** @type {any} */ (globalThis).drop);
        times.push([drop.seen - drop.began, drop.answered - drop.began, drop.settled - drop.began].map(Math.round));
        await settle(page);
    }
    t.diagnostic(`2fort, milliseconds from the drop until it is seen, until the panes show it, until findings and changes are listed: ${times.map((one) => one.join(' / ')).join(', ')}; processor time ${works.join(', ')} ms`);
    const best = Math.min(...times.map(([seen = Infinity]) => seen)); // on an idle machine all of them meet the limit; on a busy one a frame may wait
    assert.ok(best <= 100, `${best} ms`);
    await picture(page, 'dropped');
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});

test('what of a scene has changed', () => {
    const scene = () => /** @type {any} */ ({
        nodes: [{ role: 'group' }, { role: 'geometry', mesh: 0 }, { role: 'entity', className: 'a' }, { role: 'light', light: 0 }], meshes: [{ primitives: [{ material: 0, vertexCount: 3, indexCount: 0, positions: new Float32Array(9) }] }],
        materials: [{ color: [1, 1, 1, 1] }], images: [{ name: 'x', width: 1, height: 1, pixels: new Uint8Array(4) }], lights: [{ kind: 'point', range: 5 }], gridStep: 0,
    });
    const matrices = new Float64Array(48), one = scene(), surface = surfacePrint(one, matrices), look = lookPrint(one, matrices);
    /** @param {(scene: any, matrices: Float64Array) => void} change */
    const changed = (change) => {
        const other = scene(), places = matrices.slice();
        change(other, places);
        return [surfacePrint(other, places) !== surface, lookPrint(other, places) !== look];
    };
    assert.deepEqual(changed(() => undefined), [false, false]);
    assert.deepEqual(changed((of) => (of.meshes[0].primitives[0].positions[4] = 1)), [true, false]);
    assert.deepEqual(changed((of) => (of.images[0].pixels[3] = 255)), [true, false]);
    assert.deepEqual(changed((of) => (of.materials[0].color[0] = 0.5)), [true, false]);
    assert.deepEqual(changed((_, places) => (places[12 + 9] = 1)), [true, false]); // the node with the mesh
    assert.deepEqual(changed((_, places) => (places[24 + 9] = 1)), [false, true]); // a thing
    assert.deepEqual(changed((of) => (of.lights[0].range = 6)), [false, true]);
    assert.deepEqual(changed((of) => (of.nodes[2].className = 'b')), [false, false]);
});
