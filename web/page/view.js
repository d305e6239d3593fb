// SPDX-License-Identifier: MIT
/** The level in 3D: draws it, finds what is at a point, and marks what is selected. */
import { markStrays } from './bake.js';
import { byId, eachFrame, el, icon, isPhone, some } from './dom.js';
import { Flight } from './flight.js';
import { takeInput } from './input.js';
import { cross, dot, length, minus, plus, times } from './matrix.js';
import { arrow } from './over.js';
import { Renderer } from './renderer.js';
import { layerOf } from './show.js';
import { makeSigns } from './signs.js';
import { Stage } from './stage.js';
import { makeToolbar } from './toolbar.js';

/** @typedef {import('./matrix.js').Vector} Vector */
/** @typedef {import('./app.js').Where} Where */

/** Milliseconds until edges become smooth if the processor does the drawing. */
const stillAfter = 250;
/** Milliseconds to wait for the browser to restore a lost graphics context, before requesting one on another canvas. */
const patience = 1000;
const noPicture = 'This browser does not support 3D. Map, tree, bytes and table all work.';

/** @param {string} text @returns {[number, number, number]} */
function rgb(text) {
    const number = Number.parseInt(text.trim().slice(1).replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3'), 16);
    return [(number >> 16) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
}

/** @param {import('./app.js').App} app */
export function makeView(app) {
    const stage = new Stage(), flight = new Flight(stage), signs = makeSigns(app, stage), { place, canvas, over, camera, look } = stage;
    const says = el('p#view-says.unseen'), message = el('div.message', { role: 'status' });
    place.append(canvas, over, says, message);
    /** @type {Renderer | null} */ let renderer = null;
    /** Triangles that differ between two levels. @type {{runs: number[], kind: string}[]} */ let tints = [];
    let frames = 0, firstPicture = 0;

    /** The canvas of the level: another one if the browser does not restore the context of the first. */ let surface = canvas;
    const makeRenderer = () => {
        try {
            return new Renderer(surface);
        } catch {
            return null;
        }
    };
    renderer = makeRenderer();
    if (!renderer) message.textContent = noPicture;

    /** Draws again after the graphics context was lost, along with all its resources. */
    function resume() {
        renderer = makeRenderer();
        if (!renderer) return;
        renderer.unseen = look.unseen;
        readTheme();
        message.hidden = Boolean(stage.scene?.triangles);
        if (!stage.scene) return;
        renderer.setScene(stage.scene);
        app.emit('groups', stage.scene.groups);
        mark();
    }

    /** Detects a lost graphics context, and restores it. @param {HTMLCanvasElement} of */
    function watch(of) {
        of.addEventListener('webglcontextlost', (event) => {
            event.preventDefault();
            if (of !== surface) return;
            renderer = null;
            message.textContent = 'The graphics card was lost. The level is drawn again as soon as the browser restores it; everything else works, and no change is lost.';
            message.hidden = false;
            setTimeout(renew, patience, 1);
        });
        of.addEventListener('webglcontextrestored', () => of === surface && resume());
    }
    /** Draws on another canvas, if it is still necessary. @param {number} times  the number of attempts so far */
    function renew(times) {
        if (renderer) return;
        if (surface !== canvas) surface.remove();
        surface = /** @type {HTMLCanvasElement} */ (el('canvas', { 'aria-hidden': 'true' }));
        place.prepend(surface);
        canvas.classList.add('spent');
        watch(surface);
        resume();
        if (!renderer) setTimeout(renew, patience * 2 ** Math.min(6, times), times + 1);
    }
    watch(canvas);

    function readTheme() {
        const style = getComputedStyle(document.documentElement), value = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
        stage.theme = Object.fromEntries(['void', 'select', 'on-select', 'surface', 'text', 'text-2', 'text-3', 'warn', 'added', 'removed', 'changed', 'moved', 'mono'].map((name) => [name, value(name)]));
        if (document.documentElement.classList.contains('contrast')) stage.theme.more = 'yes';
        const colors = [0, 1, 2, 3, 4, 5, 6].map((one) => rgb(value(`c${one}`))).concat([rgb(value('text-3'))]);
        if (renderer) {
            renderer.colors = colors;
            renderer.light = document.documentElement.classList.contains('light');
        }
        stage.draw();
    }

    function lookNow(smooth = false) {
        const clip = stage.aim();
        return { clip, eye: camera.position, right: camera.right, planes: camera.planes(stage.reach), focal: stage.focal * stage.ratio, mode: look.mode, cut: look.cut, wire: look.wire, ceilings: look.ceilings, background: rgb(stage.theme.void ?? '#000000'), strays: stage.isInside(), smooth };
    }

    let still = 0, lastDraw = 0;
    stage.draw = eachFrame(() => {
        clearTimeout(still);
        const now = performance.now(), since = now - lastDraw;
        lastDraw = now;
        drawNow(!renderer?.slow);
        if (renderer?.slow) still = window.setTimeout(() => drawNow(true), since < 3000 ? Math.max(stillAfter, 2 * since) : stillAfter);
    });

    /** @param {boolean} smooth  whether edges are smooth */
    function drawNow(smooth) {
        if (!renderer || !stage.wide || !stage.high) return;
        const wide = Math.round(stage.wide * stage.ratio), high = Math.round(stage.high * stage.ratio);
        if (surface.width !== wide || surface.height !== high) {
            surface.width = over.width = wide;
            surface.height = over.height = high;
        }
        const now = lookNow(smooth);
        const symbols = signs.symbols();
        renderer.setSymbols(symbols);
        renderer.tints = tints.map(({ runs, kind }) => ({ runs, color: rgb(stage.theme[kind] ?? '#ffffff') }));
        renderer.draw(now, rgb(stage.theme.select ?? '#ff6bb3'));
        signs.draw();
        frames++;
        if (stage.scene && !firstPicture) {
            firstPicture = performance.now();
            place.dataset.first = String(Math.round(firstPicture));
        }
        app.emit('camera');
    }

    // ---- the selection --------------------------------------------------------------------------------------

    let turn = 0;
    async function mark() {
        const mine = ++turn, chosen = app.selection, thing = app.thingOf(app.selected);
        /** @type {number[]} */ const runs = [];
        for (const one of chosen.slice(-50)) {
            const own = await app.library.call('triangles', one);
            const more = own.length || !app.thingOf(one) ? own : await app.library.call('triangles', { doc: one.doc, path: app.thingOf(one)?.path });
            runs.push(...more);
        }
        if (mine !== turn) return;
        // A selection of nearly the whole level is not marked: the mark would hide everything else.
        let marked = 0;
        for (let i = 1; i < runs.length; i += 2) marked += runs[i] ?? 0;
        const all = chosen.some((one) => one.path === '') || marked > 0.9 * (stage.scene?.triangles ?? 0);
        if (renderer) renderer.selected = all ? [] : runs;
        const box = runs.length && !all ? await app.library.call('bounds', runs) : null;
        if (mine !== turn) return;
        const middle = box && times(plus(box.low, box.high), 0.5), at = thing?.world ?? middle;
        signs.setMiddle(middle);
        place.dataset.marked = String(all ? 0 : runs.length / 2);
        app.emit('placed', Boolean(at || all));
        says.textContent = !app.selected ? '' : at ? describe(/** @type {Vector} */ (at), thing?.className ?? app.selected.path) : `${app.selected.path} has no place in the level.`;
        stage.draw();
    }

    /** Describes a position relative to the camera. @param {Vector} point @param {string} name */
    function describe(point, name) {
        const to = minus(point, camera.position), ahead = dot(to, camera.forward), right = dot(to, camera.right);
        return `${name} is ${Math.abs(ahead).toFixed(0)} m ${ahead < 0 ? 'behind' : 'ahead'}, ${Math.abs(right).toFixed(0)} m ${right < 0 ? 'left' : 'right'}.`;
    }

    const markHovered = eachFrame(async () => {
        const where = app.hovered;
        const runs = where && !app.thingOf(where) && where.path ? await app.library.call('triangles', where, 2000) : [];
        if (renderer && where === app.hovered) renderer.hovered = runs;
        stage.draw();
    });

    /** Whether a thing or surface is on a locked layer. @param {{layer: string, role: string} | undefined} one */
    const isLocked = (one) => one !== undefined && app.locked.has(layerOf(one));

    /** The value at a point of the view. @param {number} x @param {number} y @param {boolean} [next] take the next one of several @returns {Promise<Where | null>} */
    async function at(x, y, next = false) {
        if (!renderer || (!stage.scene && !app.things.length)) return null;
        const found = renderer.pick(lookNow(), x * stage.ratio, y * stage.ratio);
        if (!found) return null;
        if ('symbol' in found) {
            // A click on the selected thing goes to the next one of the same symbol.
            const members = (signs.gathered[found.symbol]?.members ?? []).filter((index) => !isLocked(app.things[index])), now = members.findIndex((index) => app.things[index] === app.thingOf(app.selected));
            const thing = app.things[members[next && now >= 0 ? (now + 1) % members.length : Math.max(0, now)] ?? -1];
            return thing ? { doc: thing.doc, path: thing.path } : null;
        }
        const origin = await app.origin(found.triangle);
        return origin?.path && !isLocked(origin) ? { doc: origin.doc, path: origin.path } : null;
    }

    /** Flies to the selection; turns if it has surfaces of one direction that are not seen otherwise. */
    async function frameSelection() {
        const thing = app.thingOf(app.selected);
        if (!app.selected) return flight.toAll();
        const runs = renderer?.selected ?? [];
        const box = runs.length ? await app.library.call('bounds', runs) : null;
        const point = /** @type {Vector | undefined} */ (thing?.world);
        if (!box && !point) return app.say('The selection has no place in the level.');
        const low = /** @type {Vector} */ (box?.low ?? point), high = /** @type {Vector} */ (box?.high ?? point);
        const ways = [undefined, ...(box && length(box.front) > 0.9 ? aroundOf(box.front) : [])].map((front) => flight.ofBox(low, high, front));
        flight.to((ways[1] && (ways.find((way) => sees(way, box.on, runs)) ?? ways[1])) ?? /** @type {typeof ways[0]} */ (ways[0]));
    }
    /** A direction, and others to its sides. @param {Vector} front @returns {Vector[]} */
    function aroundOf(front) {
        const side = cross(front, Math.abs(front[1]) > 0.9 ? camera.right : [0, 1, 0]), up = cross(side, front);
        return [front, ...[0.7, 2].flatMap((far) => [up, side, times(side, -1), times(up, -1)].map((by) => plus(front, times(by, far))))];
    }
    /** Whether a camera would see a point of triangles, perhaps behind a symbol. @param {ReturnType<typeof camera.state>} way @param {Vector} point @param {number[]} runs */
    function sees(way, point, runs) {
        const now = camera.state();
        camera.set(way);
        const clip = lookNow(), [x, y] = stage.onScreen(point) ?? [-9, -9], found = renderer?.pick(clip, x * stage.ratio, y * stage.ratio, 0);
        camera.set(now);
        stage.aim();
        return Boolean(found && ('symbol' in found || runs.some((first, index) => index % 2 === 0 && found.triangle >= first && found.triangle < first + (runs[index + 1] ?? 0))));
    }

    /** The view as a picture, with `times` pixels per CSS pixel; 0: as the screen has. @param {number} times */
    function pictureOf(times) {
        const both = /** @type {HTMLCanvasElement} */ (el('canvas')), context = both.getContext('2d');
        stage.fixedRatio = times;
        drawNow(true);
        both.width = surface.width;
        both.height = surface.height;
        context?.drawImage(surface, 0, 0);
        context?.drawImage(over, 0, 0);
        stage.fixedRatio = 0;
        stage.draw();
        return both;
    }
    /** Saves the view as a PNG. */
    const screenshot = () => pictureOf(0).toBlob((blob) => blob && app.emit('download', { blob, name: `${app.nameOf(0).replace(/\.[^.]*$/, '')}.png` }));

    /** Shows what the picture lacks, in the status line. @param {string} text */
    function say(text) {
        byId('status-note').replaceChildren(...(text ? [icon('warning'), text, el('button.plain', { type: 'button', onclick: () => app.emit('add-folder') }, 'Add a folder')] : []));
    }

    /** The previous place of the view in the window. */ let frame = place.getBoundingClientRect();
    /** After a pane was opened or closed: the picture stays in place; a level that was shown as a whole is framed again. */
    function resized() {
        const now = place.getBoundingClientRect();
        if (stage.scene && now.width && now.height && !look.flying) {
            if (flight.isUntouched && !app.selected) flight.toAll(undefined, undefined, true);
            else if (frame.width) {
                camera.distance *= now.height / frame.height;
                flight.moveBy(frame.left + frame.width / 2 - now.left - now.width / 2, frame.top + frame.height / 2 - now.top - now.height / 2);
            }
        }
        frame = now;
        if (now.width) keepSeen();
        stage.draw();
    }
    /** Moves the view as little as necessary to show the selection, if a pane would hide it. */
    function keepSeen() {
        const thing = app.thingOf(app.selected), margin = 40, pane = byId('right').getBoundingClientRect(), end = pane.width && !isPhone() ? Math.min(stage.wide, pane.left - place.getBoundingClientRect().left) : stage.wide;
        stage.aim();
        const at = thing && stage.onScreen(/** @type {Vector} */ (thing.world));
        if (!at || at[1] < 0 || at[1] > stage.high || at[0] < -stage.wide || at[0] > 2 * stage.wide) return;
        flight.moveBy(Math.max(0, margin - at[0]) - Math.max(0, at[0] - end + margin), 0);
    }

    /** @param {string} text  the camera, of an address */
    function setCamera(text) {
        if (!flight.take(text)) return;
        frame = place.getBoundingClientRect();
        stage.draw();
    }

    const setUnseen = () => renderer && (renderer.unseen = look.unseen);
    const input = takeInput(app, stage, flight, { at, isShown: signs.isShown, toSelection: frameSelection });
    const toolbar = makeToolbar(app, stage, flight, { setSymbols: signs.setSymbols, setUnseen, toSelection: frameSelection, screenshot });

    // ---- events of the page ----------------------------------------------------------------------------------

    app.on('open', () => {
        stage.scene = null;
        tints = [];
        firstPicture = 0;
        delete place.dataset.first;
        renderer?.setScene(null);
        signs.clear();
        say('');
        message.textContent = renderer ? 'Making the picture…' : noPicture;
        message.hidden = false;
        stage.draw();
    });
    app.on('scene', ({ scene: made, error, again, older }) => {
        if (older) return renderer?.setScene(made), stage.draw();
        if (made?.same) {
            Object.assign(stage.scene, made);
            return void mark();
        }
        // The light follows later.
        stage.scene = made && stage.scene && again && !made.look ? { ...made, look: stage.scene.look, points: stage.scene.points, steep: stage.scene.steep } : made;
        message.hidden = Boolean(made?.triangles && renderer);
        if (made && !renderer) message.textContent = noPicture;
        else if (!made) message.replaceChildren(error?.message ?? '');
        else if (!made.triangles) message.textContent = 'This file has no geometry. The tree and the table show all of it.';
        const hides = made && made.seen < made.triangles;
        if (!again) look.unseen = false;
        toolbar.show(Boolean(hides));
        if (renderer) renderer.unseen = look.unseen;
        renderer?.setScene(stage.scene);
        app.emit('unseen', look.unseen || !hides);
        if (made) {
            if (!again) {
                const lacking = made.materials.filter((/** @type {any} */ one) => (one.image === undefined || made.images[one.image]?.name === 'placeholder') && /[./]/.test(one.name)).length;
                say(lacking && made.triangles ? `${some(lacking, 'material is', 'materials are')} missing next to this file.` : '');
                stage.measure();
                flight.toAll(undefined, undefined, true);
                app.emit('framed');
            }
            canvas.setAttribute('aria-label', `3D view of ${app.nameOf(0)}, ${some(made.seen, 'triangle')}`);
            app.emit('groups', made.groups);
        }
        place.dataset.triangles = String(made?.triangles ?? 0);
        mark();
        stage.draw();
    });
    app.on('look', ({ strays, ...look }) => {
        if (!stage.scene) return;
        Object.assign(stage.scene, look);
        markStrays(stage.scene.vertices, strays);
        stage.measure();
        renderer?.setScene(stage.scene);
        app.emit('groups', stage.scene.groups);
        mark();
    });
    // The view has moved to another place of the window: the picture cannot stay in place.
    app.on('expanded', () => (frame = new DOMRect()));
    app.on('folded', () => stage.scene && (keepSeen(), stage.draw()));
    app.on('theme', readTheme);
    app.on('things', signs.setSymbols);
    app.on('show', ({ layers, groups }) => {
        renderer?.showGroups(groups);
        signs.hideLayers(layers);
    });
    app.on('select', ({ fly }) => {
        mark().then(() => (fly ? frameSelection() : undefined));
        stage.draw();
    });
    app.on('hover', () => markHovered());
    new ResizeObserver(resized).observe(place);
    readTheme();

    return {
        canvas, camera, look, at, describe, drawNow, frameSelection, pictureOf, readTheme, screenshot, setCamera, claims: input.claims, overlays: signs.overlays,
        pick: (/** @type {number} */ x, /** @type {number} */ y) => renderer?.pick(lookNow(), x * stage.ratio, y * stage.ratio),
        arrow: (/** @type {CanvasRenderingContext2D} */ context, /** @type {[number, number] | null} */ from, /** @type {[number, number] | null} */ to, /** @type {string} */ ink) => arrow(context, stage.theme, from, to, ink),
        draw: () => stage.draw(), onScreen: (/** @type {Vector} */ point) => stage.onScreen(point), theme: () => stage.theme, aspect: () => stage.aspect, lookNow,
        frameAll: (/** @type {number} */ yaw, /** @type {number} */ pitch) => flight.toAll(yaw, pitch), flyTo: (/** @type {Parameters<Flight['to']>} */ ...to) => flight.to(...to), flyToBox: (/** @type {Vector} */ low, /** @type {Vector} */ high) => flight.to(flight.ofBox(low, high)), view: (/** @type {number} */ number) => flight.toView(number), cameraText: () => flight.text,
        withSymbols: () => signs.things, tint: (/** @type {typeof tints} */ all) => ((tints = all), stage.draw()), focus: () => canvas.focus(),
        get size() { return [stage.wide, stage.high]; }, get draws() { return renderer !== null; }, get frames() { return frames; }, get calls() { return renderer?.calls ?? 0; }, get scene() { return stage.scene; },
    };
}
