// SPDX-License-Identifier: MIT
/** The level in 3D: the camera, pointer and keys, and the text over it. */
import { markStrays } from './bake.js';
import { byId, eachFrame, el, icon, iconButton, isWithin, some } from './dom.js';
import { gather, symbolSize } from './gather.js';
import { Camera, dot, length, minus, plus, project, times } from './matrix.js';
import { arrow, brackets, chips, counts, labels } from './over.js';
import { Renderer } from './renderer.js';
import { layerOf } from './show.js';

/** @typedef {import('./matrix.js').Vector} Vector */
/** @typedef {import('./app.js').Where} Where */

/** The direction of `render --oblique`. */
const oblique = /** @type {const} */ ([-Math.PI / 4, (-40 * Math.PI) / 180]);
/** The camera's pitch in views that are higher than wide. */
const uprightPitch = -1.17;
/** The most names, and the least symbol size of things that get a name. */
const namesMost = 24, namedSize = 13;
/** The angle of view while flying: that of natural vision. */
const flyingFov = 1;
const turnHint = 'Drag to turn · right-drag to move · wheel to zoom · F to frame';
/** Milliseconds until edges become smooth if the processor does the drawing. */
const stillAfter = 250;
/** Milliseconds to wait for the browser to restore a lost graphics context, before requesting one on another canvas. */
const patience = 1000;
const noPicture = 'This browser does not support 3D. Map, tree, bytes and table all work.';
/** Whether a thing is not worth a symbol at a distance. @param {import('./app.js').Thing} one */
const isQuiet = ({ role, className }) => role === 'light' || /path_?node|way_?point|nav_?(node|point)/i.test(className);

/** @param {string} text @returns {[number, number, number]} */
function rgb(text) {
    const number = Number.parseInt(text.trim().slice(1).replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3'), 16);
    return [(number >> 16) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
}

/** @param {Float32Array} points */
function boxOf(points) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    points.forEach((value, index) => {
        low[index % 3] = Math.min(low[index % 3] ?? value, value);
        high[index % 3] = Math.max(high[index % 3] ?? value, value);
    });
    return { low, high };
}

/** @param {import('./app.js').App} app */
export function makeView(app) {
    const place = byId('view');
    const canvas = /** @type {HTMLCanvasElement} */ (el('canvas#scene', { tabindex: 0, role: 'application', 'aria-label': '3D view', 'aria-describedby': 'view-says' }));
    const over = /** @type {HTMLCanvasElement} */ (el('canvas.over', { 'aria-hidden': 'true' }));
    const says = el('p#view-says.unseen'), message = el('div.message', { role: 'status' });
    place.append(canvas, over, says, message);
    const camera = new Camera();
    /** @type {Renderer | null} */ let renderer = null;
    /** @type {any} */ let scene = null;
    /** Triangles that differ between two levels. @type {{runs: number[], kind: string}[]} */ let tints = [];
    const look = { mode: 0, cut: Infinity, wire: false, ceilings: true, flying: false, unseen: false };
    let frames = 0, firstPicture = 0;
    /** @type {Vector[]} */ let colors = [];
    /** @type {Record<string, string>} */ let theme = {};
    /** @type {((context: CanvasRenderingContext2D, at: (p: Vector) => [number, number] | null) => void)[]} */ const overlays = [];

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
        message.hidden = Boolean(scene?.triangles);
        if (!scene) return;
        renderer.setScene(scene);
        app.emit('groups', scene.groups);
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
        theme = Object.fromEntries(['void', 'select', 'on-select', 'surface', 'text', 'text-2', 'text-3', 'warn', 'added', 'removed', 'changed', 'moved', 'mono'].map((name) => [name, value(name)]));
        if (document.documentElement.classList.contains('contrast')) theme.more = 'yes';
        colors = [0, 1, 2, 3, 4, 5, 6].map((one) => rgb(value(`c${one}`))).concat([rgb(value('text-3'))]);
        if (renderer) {
            renderer.colors = colors;
            renderer.light = document.documentElement.classList.contains('light');
        }
        draw();
    }

    /** Device pixels per CSS pixel; 0: as the screen has. */ let ratioNow = 0;
    const ratio = () => ratioNow || Math.min(2, devicePixelRatio || 1);
    const aspect = () => canvas.clientWidth / Math.max(1, canvas.clientHeight);
    /** The radius of the level. */
    const reach = () => (scene ? Math.max(1, length(minus(scene.maximum, scene.minimum)) / 2) : 10);
    /** @type {Float32Array} */ let clip = new Float32Array(16);

    /** The width in pixels of an object 1 m wide at a distance of 1 m. */
    const focal = () => canvas.clientHeight / 2 / Math.tan(camera.fov / 2);
    /** Whether the camera is inside the level, where its sky is shown. */
    const isInside = () => camera.position.every((value, axis) => value > (inner.low[axis] ?? 0) && value < (inner.high[axis] ?? 0));
    /** The box around the level without strays. */ let inner = { low: [0, 0, 0], high: [0, 0, 0] };

    function lookNow(smooth = false) {
        clip = camera.matrix(aspect(), reach());
        return { clip, eye: camera.position, right: camera.right, planes: camera.planes(reach()), focal: focal() * ratio(), mode: look.mode, cut: look.cut, wire: look.wire, ceilings: look.ceilings, background: rgb(theme.void ?? '#000000'), strays: isInside(), smooth };
    }

    /** A point of the world in CSS pixels of the view; null if it is behind the camera. @param {Vector} point @returns {[number, number] | null} */
    function onScreen(point) {
        const [x, y, , w] = project(clip, point);
        return w > 0.01 ? [((x / w + 1) / 2) * canvas.clientWidth, ((1 - y / w) / 2) * canvas.clientHeight] : null;
    }

    let still = 0, lastDraw = 0;
    const draw = eachFrame(() => {
        clearTimeout(still);
        const now = performance.now(), since = now - lastDraw;
        lastDraw = now;
        drawNow(!renderer?.slow);
        if (renderer?.slow) still = window.setTimeout(() => drawNow(true), since < 3000 ? Math.max(stillAfter, 2 * since) : stillAfter);
    });

    /** @param {boolean} smooth  whether edges are smooth */
    function drawNow(smooth) {
        if (!renderer || !canvas.clientWidth || !canvas.clientHeight) return;
        const wide = Math.round(canvas.clientWidth * ratio()), high = Math.round(canvas.clientHeight * ratio());
        if (surface.width !== wide || surface.height !== high) {
            surface.width = over.width = wide;
            surface.height = over.height = high;
        }
        const now = lookNow(smooth);
        putSymbols();
        renderer.tints = tints.map(({ runs, kind }) => ({ runs, color: rgb(theme[kind] ?? '#ffffff') }));
        renderer.draw(now, rgb(theme.select ?? '#ff6bb3'));
        drawOver();
        frames++;
        if (scene && !firstPicture) {
            firstPicture = performance.now();
            place.dataset.first = String(Math.round(firstPicture));
        }
        app.emit('camera');
    }

    function drawOver() {
        const context = /** @type {CanvasRenderingContext2D} */ (over.getContext('2d'));
        context.setTransform(ratio(), 0, 0, ratio(), 0, 0);
        context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
        for (const one of overlays) one(context, onScreen);
        drawNames(context);
        const hovered = app.thingOf(app.hovered);
        for (const [thing, dashed] of /** @type {[import('./app.js').Thing | undefined, boolean][]} */ ([[hovered, true], ...app.selection.map((one) => [app.thingOf(one), false])])) {
            const at = thing && onScreen(/** @type {any} */ (thing.world));
            if (at) brackets(context, theme, at, dashed);
        }
        drawTag(context);
    }

    /** The middle of the selection. @type {Vector | null} */ let middle = null;

    /** @param {CanvasRenderingContext2D} context */
    function drawTag(context) {
        const where = app.selected, thing = app.thingOf(where), point = /** @type {Vector | undefined} */ (thing?.world) ?? middle, at = point && onScreen(point);
        if (!where || !at) return;
        const what = thing ? thing.className || thing.name : where.path.split('.').at(-1) || where.path, name = thing && thing.name && thing.name !== thing.className ? thing.name : where.path;
        chips(context, theme, at, [[what, theme.select ?? '', theme['on-select'] ?? ''], [name, theme.surface ?? '', theme.text ?? '']]);
    }

    /** Draws counts of symbols, and names of places and nearby things. @param {CanvasRenderingContext2D} context */
    function drawNames(context) {
        /** @type {import('./over.js').Box[]} */ const taken = [];
        counts(context, theme, gathered, taken);
        const places = (scene?.places ?? []).flatMap((/** @type {any} */ { name, at }) => {
            const spot = at[1] <= look.cut && onScreen(at);
            return spot ? [{ text: name, at: spot, middle: true }] : [];
        });
        const near = gathered.filter(({ size, members }) => size >= namedSize && members.length === 1).sort((a, b) => b.size - a.size);
        labels(context, theme, [...places, ...near.flatMap(({ index, x, y }) => {
            const thing = app.things[index];
            return thing && thing !== app.thingOf(app.selected) ? [{ text: thing.name || thing.className, at: /** @type {[number, number]} */ ([x, y]) }] : [];
        })], taken, namesMost);
    }

    /** @param {import('./app.js').Thing} one */
    const isShown = (one) => !app.classes[one.class]?.hidden && (one.world[1] ?? 0) <= look.cut && !hiddenLayers.has(one.layer);
    /** @type {Set<string>} */ let hiddenLayers = new Set();
    /** The things that have symbols, rare ones first. @type {number[]} */ let withSymbols = [];
    /** @type {import('./gather.js').Gathered[]} */ let gathered = [];

    function setSymbols() {
        const rarity = (/** @type {number} */ index) => app.classes[app.things[index]?.class ?? 0]?.count ?? 0;
        withSymbols = [...app.things.keys()].filter((index) => {
            const one = app.things[index];
            return one && isShown(one) && one.role !== 'geometry';
        }).sort((a, b) => rarity(a) - rarity(b) || a - b);
        draw();
    }

    /** Passes the symbols for the camera's position to the renderer. */
    function putSymbols() {
        const overview = camera.distance > reach() * 0.45, chosen = new Set(app.selection.map((one) => app.thingOf(one))), f = focal();
        gathered = gather(withSymbols, (index) => {
            const thing = app.things[index];
            if (!thing || (overview && isQuiet(thing) && !chosen.has(thing))) return null;
            const [x, y, , w] = project(clip, /** @type {any} */ (thing.world));
            if (w < 0.01 || Math.abs(x) > 1.05 * w || Math.abs(y) > 1.05 * w) return null;
            return [((x / w + 1) / 2) * canvas.clientWidth, ((1 - y / w) / 2) * canvas.clientHeight, symbolSize(w, f) * (theme.more ? 1.25 : 1)];
        });
        const points = new Float32Array(7 * gathered.length);
        gathered.forEach(({ index, size }, at) => {
            const one = app.things[index], of = app.classes[one?.class ?? 0];
            points.set([one?.world[0] ?? 0, one?.world[1] ?? 0, one?.world[2] ?? 0, of?.color ?? 7, of?.shape ?? 9, size * ratio(), 0], 7 * at);
        });
        renderer?.setSymbols(points);
        place.dataset.symbols = String(gathered.length);
    }

    /** Links of the selection, as arrows. */
    overlays.push((context, at) => {
        for (const one of app.selection) {
            const thing = app.thingOf(one);
            if (!thing) continue;
            for (const [from, to] of /** @type {[Vector, Vector][]} */ (scene?.links ?? [])) {
                const near = (/** @type {Vector} */ point) => length(minus(point, /** @type {any} */ (thing.world))) < 0.3;
                if (near(from) || near(to)) arrow(context, theme, at(from), at(to), theme.select ?? '');
            }
        }
    });

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
        const all = chosen.some((one) => one.path === '') || marked > 0.9 * (scene?.triangles ?? 0);
        if (renderer) renderer.selected = all ? [] : runs;
        const box = runs.length && !all ? await app.library.call('bounds', runs) : null;
        if (mine !== turn) return;
        middle = box && times(plus(box.low, box.high), 0.5);
        const at = thing?.world ?? middle;
        place.dataset.marked = String(all ? 0 : runs.length / 2);
        app.emit('placed', Boolean(at || all));
        says.textContent = !app.selected ? '' : at ? describe(/** @type {Vector} */ (at), thing?.className ?? app.selected.path) : `${app.selected.path} has no place in the level.`;
        draw();
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
        draw();
    });

    /** Whether a thing or surface is on a locked layer. @param {{layer: string, role: string} | undefined} one */
    const isLocked = (one) => one !== undefined && app.locked.has(layerOf(one));

    /** The value at a point of the view. @param {number} x @param {number} y @param {boolean} [next] take the next one of several @returns {Promise<Where | null>} */
    async function at(x, y, next = false) {
        if (!renderer || (!scene && !app.things.length)) return null;
        const found = renderer.pick(lookNow(), x * ratio(), y * ratio());
        if (!found) return null;
        if ('symbol' in found) {
            // A click on the selected thing goes to the next one of the same symbol.
            const members = (gathered[found.symbol]?.members ?? []).filter((index) => !isLocked(app.things[index])), now = members.findIndex((index) => app.things[index] === app.thingOf(app.selected));
            const thing = app.things[members[next && now >= 0 ? (now + 1) % members.length : Math.max(0, now)] ?? -1];
            return thing ? { doc: thing.doc, path: thing.path } : null;
        }
        const origin = await app.origin(found.triangle);
        return origin?.path && !isLocked(origin) ? { doc: origin.doc, path: origin.path } : null;
    }

    // ---- the camera ------------------------------------------------------------------------------------------

    /** @type {number} */ let flight = 0;
    /** @param {{pivot: Vector, distance: number, yaw: number, pitch: number}} to @param {boolean} [now] */
    function flyTo(to, now = false) {
        cancelAnimationFrame(flight);
        if (now || matchMedia('(prefers-reduced-motion: reduce)').matches) {
            camera.set(to);
            return draw();
        }
        const from = camera.state(), began = performance.now(), far = length(minus(to.pivot, from.pivot)) / Math.max(1, reach());
        const time = 250 + 350 * Math.min(1, far);
        const around = Math.atan2(Math.sin(to.yaw - from.yaw), Math.cos(to.yaw - from.yaw));
        const step = () => {
            const t = Math.min(1, (performance.now() - began) / time), s = t * t * (3 - 2 * t);
            camera.set({
                pivot: plus(from.pivot, times(minus(to.pivot, from.pivot), s)), distance: from.distance * (to.distance / from.distance) ** s,
                yaw: from.yaw + around * s, pitch: from.pitch + (to.pitch - from.pitch) * s,
            });
            draw();
            flight = t < 1 ? requestAnimationFrame(step) : 0;
        };
        step();
    }
    const stopFlight = () => cancelAnimationFrame(flight);

    /** The camera that shows the level as large as possible next to the controls that float over it. @param {number} yaw @param {number} pitch */
    function overview(yaw, pitch) {
        const to = new Camera(), narrow = canvas.clientWidth < 768, seen = scene?.points ?? new Float32Array();
        const points = pitch < oblique[1] - 0.01 && seen.length ? Float32Array.from([...seen, ...scene?.steep ?? []]) : seen;
        Object.assign(to, { yaw, pitch });
        if (points.length) to.fit(points, canvas.clientWidth, canvas.clientHeight, narrow ? [8, 72, 8, 8] : [52, 6, 52, 6]);
        else to.frame(scene?.minimum ?? [-10, -10, -10], scene?.maximum ?? [10, 10, 10], aspect());
        return to;
    }

    /** The camera of the last automatic overview, to detect whether the user has moved it. */ let untouched = '';
    /** @param {number} [yaw] @param {number} [pitch] @param {boolean} [now] */
    function frameAll(yaw, pitch = oblique[1], now = false) {
        const upright = yaw === undefined && aspect() < 0.8;
        // An upright view looks down more steeply, and along a long level.
        let to = overview(yaw ?? oblique[0], upright ? uprightPitch : pitch);
        if (upright)
            for (const turn of [0, -Math.PI / 2]) {
                const other = overview(turn, uprightPitch);
                if (other.distance < to.distance * 0.85) to = other;
            }
        flyTo(to.state(), now);
        if (now) untouched = cameraText();
    }

    /** Flies to the selection, without turning. */
    async function frameSelection() {
        const thing = app.thingOf(app.selected);
        if (!app.selected) return frameAll();
        const runs = renderer?.selected ?? [];
        const box = runs.length ? await app.library.call('bounds', runs) : null;
        const point = /** @type {Vector | undefined} */ (thing?.world);
        if (!box && !point) return app.say('The selection has no place in the level.');
        const low = /** @type {Vector} */ (box?.low ?? point), high = /** @type {Vector} */ (box?.high ?? point);
        flyToBox(low, high);
    }
    /** Flies to a box. @param {Vector} low @param {Vector} high */
    function flyToBox(low, high) {
        const to = new Camera(), room = Math.max(1.5, length(minus(high, low)) * 0.15);
        Object.assign(to, { yaw: camera.yaw, pitch: Math.min(-0.25, camera.pitch) });
        to.frame(minus(low, [room, room, room]), plus(high, [room, room, room]), aspect(), 0.7);
        flyTo(to.state());
    }

    /** Moves the camera sideways by pixels at the pivot's distance. @param {number} x @param {number} y */
    function moveBy(x, y) {
        const step = (2 * camera.distance * Math.tan(camera.fov / 2)) / canvas.clientHeight;
        camera.pivot = plus(camera.pivot, plus(times(camera.right, -x * step), times(camera.up, y * step)));
    }

    /** @param {number} x @param {number} y */
    function turnBy(x, y) {
        const eye = camera.position, speed = look.flying ? 0.004 : 0.006;
        camera.yaw += (look.flying ? x : -x) * speed;
        camera.pitch = Math.max(-1.55, Math.min(1.55, camera.pitch - y * speed));
        if (look.flying) camera.pivot = plus(eye, times(camera.forward, camera.distance));
    }

    /** @param {number} by @param {number} x @param {number} y  pixels */
    function nearBy(by, x, y) {
        const towards = camera.ray((2 * x) / canvas.clientWidth - 1, 1 - (2 * y) / canvas.clientHeight, aspect()), before = camera.distance;
        camera.distance = Math.max(0.3, Math.min(6 * reach() + 50, before * by));
        const ahead = dot(towards, camera.forward);
        camera.pivot = plus(camera.pivot, times(minus(times(towards, 1 / ahead), camera.forward), before - camera.distance));
        if (camera.distance === 0.3 && by < 1) camera.pivot = plus(camera.pivot, times(camera.forward, reach() * 0.01));
    }

    /** Pointers that are down. @type {Map<number, {x: number, y: number}>} */ const pointers = new Map();
    let dragged = false, button = 0, spread = 0;
    /** @type {((event: PointerEvent, phase: 'down' | 'move' | 'up') => boolean)[]} */ const claims = [];
    let claimed = -1;

    canvas.addEventListener('pointerdown', (event) => {
        canvas.focus({ preventScroll: true });
        stopFlight();
        canvas.setPointerCapture(event.pointerId);
        claimed = claims.findIndex((one) => one(event, 'down'));
        pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
        dragged = pointers.size > 1;
        button = event.button;
        spread = 0;
    });
    canvas.addEventListener('pointermove', (event) => {
        const last = pointers.get(event.pointerId);
        if (!last) return claims.some((one) => one(event, 'move')) ? undefined : hoverAt(event.offsetX, event.offsetY);
        if (claimed >= 0) return void claims[claimed]?.(event, 'move');
        const x = event.offsetX - last.x, y = event.offsetY - last.y;
        if (!dragged && Math.hypot(x, y) < 4) return;
        dragged = true;
        if (pointers.size === 2) {
            const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1] ?? last, apart = Math.hypot(event.offsetX - other.x, event.offsetY - other.y);
            moveBy(x / 2, y / 2);
            if (spread) nearBy(spread / Math.max(10, apart), (event.offsetX + other.x) / 2, (event.offsetY + other.y) / 2);
            spread = apart;
        } else if (button === 0 && !event.shiftKey) turnBy(x, y);
        else moveBy(x, y);
        last.x = event.offsetX;
        last.y = event.offsetY;
        draw();
    });
    /** @param {PointerEvent} event */
    async function up(event) {
        const had = pointers.delete(event.pointerId);
        if (claimed >= 0) {
            claims[claimed]?.(event, 'up');
            claimed = -1;
            return;
        }
        if (!had || dragged || event.type === 'pointercancel') {
            saveCamera();
            return;
        }
        const where = await at(event.offsetX, event.offsetY, event.button === 0);
        if (event.button === 2) {
            if (where) app.select(where, { from: 'view' });
            app.emit('menu', { x: event.clientX, y: event.clientY });
        } else app.select(where, { from: 'view', add: event.ctrlKey || event.metaKey });
        place.dataset.clicks = String(Number(place.dataset.clicks ?? 0) + 1);
    }
    canvas.addEventListener('pointerup', up);
    canvas.addEventListener('pointercancel', up);
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('dblclick', () => frameSelection());
    canvas.addEventListener('wheel', (event) => {
        event.preventDefault();
        stopFlight();
        nearBy(1.0015 ** (event.deltaY * (event.deltaMode ? 30 : 1)), event.offsetX, event.offsetY);
        draw();
        saveCamera();
    }, { passive: false });
    const hoverAt = eachFrame(async (/** @type {number} */ x, /** @type {number} */ y) => {
        if (!pointers.size) app.hover(await at(x, y), 'view');
    });
    canvas.addEventListener('pointerleave', () => app.hover(null, 'view'));

    // ---- keys ------------------------------------------------------------------------------------------------

    /** Keys that are held down. @type {Set<string>} */ const held = new Set();
    let walking = 0, before = 0;
    function walk() {
        const now = performance.now(), passed = Math.min(0.1, (now - before) / 1000);
        before = now;
        const speed = reach() * 0.35 * passed * (held.has('Shift') ? 4 : held.has('Alt') ? 0.25 : 1);
        const go = (/** @type {string} */ key) => Number(held.has(key));
        const ahead = look.flying ? camera.forward : /** @type {Vector} */ ([Math.sin(camera.yaw), 0, -Math.cos(camera.yaw)]);
        let by = plus(times(ahead, (go('w') - go('s')) * speed), times(camera.right, (go('d') - go('a')) * speed));
        by = plus(by, [0, (go('e') - go('q')) * speed, 0]);
        camera.pivot = plus(camera.pivot, by);
        turnBy(120 * passed * (go('ArrowRight') - go('ArrowLeft')) * (look.flying ? 4 : 2), 120 * passed * (go('ArrowDown') - go('ArrowUp')) * 2);
        draw();
        walking = [...held].some((one) => !['Shift', 'Alt'].includes(one)) ? requestAnimationFrame(walk) : 0;
        if (!walking) saveCamera();
    }
    canvas.addEventListener('keydown', (event) => {
        const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        if (event.ctrlKey || event.metaKey) return;
        if (/^[wasdqe]$|^Arrow/.test(key) && !(event.altKey && key.startsWith('Arrow'))) {
            event.preventDefault();
            stopFlight();
            held.add(key);
            if (!walking) {
                before = performance.now() - 16;
                walking = requestAnimationFrame(walk);
            }
        } else if (key === 'Shift' || key === 'Alt') held.add(key);
        else if (key === '[' || key === ']') stepNear(key === ']' ? 1 : -1);
        else if (/^[1-9]$/.test(key)) view(Number(key));
        else if (key === '+' || key === '=' || key === '-') {
            nearBy(key === '-' ? 1.2 : 1 / 1.2, canvas.clientWidth / 2, canvas.clientHeight / 2);
            draw();
        }
    });
    canvas.addEventListener('keyup', (event) => held.delete(event.key.length === 1 ? event.key.toLowerCase() : event.key));
    canvas.addEventListener('blur', () => held.clear());

    /** Selects the next thing in order of distance. @param {number} by */
    function stepNear(by) {
        const from = camera.pivot, all = app.things.filter(isShown).map((one) => ({ one, away: length(minus(/** @type {any} */ (one.world), from)) })).sort((a, b) => a.away - b.away);
        const now = all.findIndex(({ one }) => app.selected && one.doc === app.selected.doc && isWithin(app.selected.path, one.path));
        const next = all[(now + by + all.length) % all.length];
        if (next) app.select({ doc: next.one.doc, path: next.one.path }, { from: 'keys' });
    }

    /** Views by number: overview, from above, six sides, the last one. @param {number} number */
    function view(number) {
        const [yaw, pitch] = [oblique, [0, -1.55], [0, -0.05], [Math.PI, -0.05], [Math.PI / 2, -0.05], [-Math.PI / 2, -0.05], [-oblique[0], oblique[1]], [2.5, oblique[1]]][number - 1] ?? oblique;
        frameAll(yaw, pitch);
    }

    // ---- floating controls ----------------------------------------------------------------------------------

    const turnButton = el('button.icon-button', { type: 'button', 'aria-pressed': 'true', title: 'Drag turns the level', 'aria-label': 'Turn', onclick: () => setFlying(false) }, icon('orbit'));
    const flyButton = el('button.icon-button', { type: 'button', 'aria-pressed': 'false', title: 'Drag looks around; W A S D and Q E move', 'aria-label': 'Fly', onclick: () => setFlying(true) }, icon('fly'));
    /** @param {boolean} on */
    function setFlying(on) {
        look.flying = on;
        turnButton.setAttribute('aria-pressed', String(!on));
        flyButton.setAttribute('aria-pressed', String(on));
        byId('status-hint').textContent = on ? 'Drag to look · W A S D, Q E to fly · Shift for fast' : turnHint;
        const eye = camera.position, before = Math.tan(camera.fov / 2);
        camera.fov = on ? flyingFov : new Camera().fov;
        if (on && camera.distance > reach() / 4) {
            camera.distance = Math.max(2, reach() / 8);
            camera.pivot = plus(eye, times(camera.forward, camera.distance));
        } else camera.distance *= before / Math.tan(camera.fov / 2);
        draw();
    }
    app.on('colours', (/** @type {number} */ mode) => {
        look.mode = mode;
        draw();
    });
    /** @param {string} name @param {string} label @param {() => boolean} flip @param {boolean} on */
    function toggle(name, label, flip, on) {
        const made = iconButton(name, label, () => {
            made.setAttribute('aria-pressed', String(flip()));
            draw();
        });
        made.setAttribute('aria-pressed', String(on));
        return made;
    }
    const wire = toggle('wire', 'Wireframe', () => (look.wire = !look.wire), false);
    const unseen = toggle('layers', 'Show collision and helpers', () => {
        look.unseen = !look.unseen;
        if (renderer) renderer.unseen = look.unseen;
        app.emit('unseen', look.unseen);
        return look.unseen;
    }, false);
    const ceilings = toggle('eye-off', 'Hide ceilings', () => !(look.ceilings = !look.ceilings), false);
    const cutRange = /** @type {HTMLInputElement} */ (el('input', { type: 'range', min: 0, max: 100, value: 100, 'aria-label': 'Cut by height' })), cutSays = el('output', {}, 'no cut');
    const cutPlace = el('span.cut-place', { hidden: true }, cutRange, cutSays);
    const cut = toggle('cut', 'Cut by height', () => {
        cutPlace.hidden = !cutPlace.hidden;
        if (cutPlace.hidden) setCut(Infinity);
        return !cutPlace.hidden;
    }, false);
    /** @param {number} height */
    function setCut(height) {
        look.cut = height;
        cutSays.textContent = height === Infinity ? 'no cut' : `${height.toFixed(1)} m`;
        setSymbols();
        app.emit('cut', height);
    }
    cutRange.addEventListener('input', () => {
        const [low, high] = [scene?.minimum[1] ?? 0, scene?.maximum[1] ?? 1], share = Number(cutRange.value) / 100;
        setCut(share >= 1 ? Infinity : low + (high - low) * share);
    });
    byId('status-hint').textContent = turnHint;
    place.append(
        el('div.float.top-left', { role: 'toolbar', 'aria-label': 'View' }, turnButton, flyButton, wire, unseen, ceilings, cut, cutPlace),
        el('div.float.top-right', { role: 'toolbar', 'aria-label': 'Camera' }, iconButton('frame', 'Fly to the selection', () => frameSelection(), 'F'),
            iconButton('home', 'Overview', () => frameAll(), '1'), iconButton('camera', 'Picture of this view', () => screenshot())),
    );

    /** The view as a picture, with `times` pixels per CSS pixel; 0: as the screen has. @param {number} times */
    function pictureOf(times) {
        const both = /** @type {HTMLCanvasElement} */ (el('canvas')), context = both.getContext('2d');
        ratioNow = times;
        drawNow(true);
        both.width = surface.width;
        both.height = surface.height;
        context?.drawImage(surface, 0, 0);
        context?.drawImage(over, 0, 0);
        ratioNow = 0;
        draw();
        return both;
    }
    /** Saves the view as a PNG. */
    const screenshot = () => pictureOf(0).toBlob((blob) => blob && app.emit('download', { blob, name: `${app.nameOf(0).replace(/\.[^.]*$/, '')}.png` }));

    // ---- the address -----------------------------------------------------------------------------------------

    let saving = 0;
    function saveCamera() {
        clearTimeout(saving);
        saving = window.setTimeout(() => app.emit('address'), 300);
    }
    const cameraText = () => [...camera.pivot, camera.distance].map((one) => Number(one.toFixed(2))).concat([camera.yaw, camera.pitch].map((one) => Number(one.toFixed(3)))).join(',');
    /** @param {string} text */
    function setCamera(text) {
        const [x = NaN, y = NaN, z = NaN, distance = NaN, yaw = NaN, pitch = NaN] = text.split(',').map(Number);
        if (![x, y, z, distance, yaw, pitch].every(Number.isFinite) || distance <= 0) return;
        camera.set({ pivot: [x, y, z], distance, yaw, pitch });
        frame = place.getBoundingClientRect();
        draw();
    }

    /** Shows what the picture lacks, in the status line. @param {string} text */
    function say(text) {
        byId('status-note').replaceChildren(...(text ? [icon('warning'), text, el('button.plain', { type: 'button', onclick: () => app.emit('add-folder') }, 'Add a folder')] : []));
    }

    /** The previous place of the view in the window. */ let frame = place.getBoundingClientRect();
    /** After a pane was opened or closed: the picture stays in place; a level that was shown as a whole is framed again. */
    function resized() {
        const now = place.getBoundingClientRect();
        if (scene && now.width && now.height && !look.flying) {
            if (untouched === cameraText() && !app.selected) frameAll(undefined, undefined, true);
            else if (frame.width) {
                camera.distance *= now.height / frame.height;
                moveBy(frame.left + frame.width / 2 - now.left - now.width / 2, frame.top + frame.height / 2 - now.top - now.height / 2);
            }
        }
        frame = now;
        if (now.width) keepSeen();
        draw();
    }
    /** Moves the view as little as necessary to show the selection, if a pane would hide it. */
    function keepSeen() {
        const thing = app.thingOf(app.selected), margin = 40, pane = byId('right').getBoundingClientRect(), end = pane.width && innerWidth > 767 ? Math.min(canvas.clientWidth, pane.left - place.getBoundingClientRect().left) : canvas.clientWidth;
        clip = camera.matrix(aspect(), reach());
        const at = thing && onScreen(/** @type {Vector} */ (thing.world));
        if (!at || at[1] < 0 || at[1] > canvas.clientHeight || at[0] < -canvas.clientWidth || at[0] > 2 * canvas.clientWidth) return;
        moveBy(Math.max(0, margin - at[0]) - Math.max(0, at[0] - end + margin), 0);
    }

    // ---- events of the page ----------------------------------------------------------------------------------

    app.on('open', () => {
        scene = null;
        tints = [];
        firstPicture = 0;
        delete place.dataset.first;
        renderer?.setScene(null);
        withSymbols = [];
        say('');
        message.textContent = renderer ? 'Making the picture…' : noPicture;
        message.hidden = false;
        draw();
    });
    app.on('scene', ({ scene: made, error, again, older }) => {
        if (older) return renderer?.setScene(made), draw();
        if (made?.same) {
            Object.assign(scene, made);
            return void mark();
        }
        // The light follows later.
        scene = made && scene && again && !made.look ? { ...made, look: scene.look, points: scene.points, steep: scene.steep } : made;
        message.hidden = Boolean(made?.triangles && renderer);
        if (made && !renderer) message.textContent = noPicture;
        else if (!made) message.replaceChildren(error?.message ?? '');
        else if (!made.triangles) message.textContent = 'This file has no geometry. The tree and the table show all of it.';
        const hides = made && made.seen < made.triangles;
        if (!again) {
            look.unseen = false;
            unseen.setAttribute('aria-pressed', 'false');
        }
        unseen.hidden = !hides;
        if (renderer) renderer.unseen = look.unseen;
        renderer?.setScene(scene);
        app.emit('unseen', look.unseen || !hides);
        if (made) {
            if (!again) {
                const lacking = made.materials.filter((/** @type {any} */ one) => (one.image === undefined || made.images[one.image]?.name === 'placeholder') && /[./]/.test(one.name)).length;
                say(lacking && made.triangles ? `${some(lacking, 'material is', 'materials are')} missing next to this file.` : '');
                inner = boxOf(made.points);
                frameAll(undefined, undefined, true);
                app.emit('framed');
            }
            canvas.setAttribute('aria-label', `3D view of ${app.nameOf(0)}, ${some(made.seen, 'triangle')}`);
            app.emit('groups', made.groups);
        }
        place.dataset.triangles = String(made?.triangles ?? 0);
        mark();
        draw();
    });
    app.on('look', ({ strays, ...look }) => {
        if (!scene) return;
        Object.assign(scene, look);
        markStrays(scene.vertices, strays);
        inner = boxOf(scene.points);
        renderer?.setScene(scene);
        app.emit('groups', scene.groups);
        mark();
    });
    // The view has moved to another place of the window: the picture cannot stay in place.
    app.on('expanded', () => (frame = new DOMRect()));
    app.on('folded', () => scene && (keepSeen(), draw()));
    app.on('theme', readTheme);
    app.on('things', setSymbols);
    app.on('show', ({ layers, groups }) => {
        hiddenLayers = layers;
        renderer?.showGroups(groups);
        setSymbols();
    });
    app.on('select', ({ fly }) => {
        mark().then(() => fly && frameSelection());
        draw();
    });
    app.on('hover', () => markHovered());
    new ResizeObserver(resized).observe(place);
    readTheme();

    return { canvas, camera, at, pick: (/** @type {number} */ x, /** @type {number} */ y) => renderer?.pick(lookNow(), x * ratio(), y * ratio()), arrow: (/** @type {CanvasRenderingContext2D} */ context, /** @type {[number, number] | null} */ from, /** @type {[number, number] | null} */ to, /** @type {string} */ ink) => arrow(context, theme, from, to, ink), theme: () => theme, draw, drawNow, withSymbols: () => withSymbols.filter((index) => !isQuiet(/** @type {import('./app.js').Thing} */ (app.things[index]))), frameSelection, frameAll, flyTo, onScreen, cameraText, setCamera, readTheme, screenshot, claims, overlays, view, describe,
        look, pictureOf, tint: (/** @type {typeof tints} */ all) => ((tints = all), draw()), flyToBox, get size() { return [canvas.clientWidth, canvas.clientHeight]; }, get draws() { return renderer !== null; }, get frames() { return frames; }, get calls() { return renderer?.calls ?? 0; }, get scene() { return scene; }, focus: () => canvas.focus(), aspect, lookNow };
}

