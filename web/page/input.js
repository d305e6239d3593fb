// SPDX-License-Identifier: MIT
/** The pointer and the keys in the 3D view. */
import { eachFrame, isWithin } from './dom.js';
import { length, minus, plus, times } from './matrix.js';

/** @typedef {import('./matrix.js').Vector} Vector */
/** @typedef {import('./app.js').Where} Where */

/**
 * Takes the events of the view's canvas.
 * @param {import('./app.js').App} app @param {import('./stage.js').Stage} stage @param {import('./flight.js').Flight} flight
 * @param {{at: (x: number, y: number, next?: boolean) => Promise<Where | null>, isShown: (one: import('./app.js').Thing) => boolean, toSelection: () => void}} view
 */
export function takeInput(app, stage, flight, { at, isShown, toSelection }) {
    const { canvas, camera, look, place } = stage;
    let saving = 0;
    /** Puts the camera into the address when it has stopped. */
    function saveCamera() {
        clearTimeout(saving);
        saving = window.setTimeout(() => app.emit('address'), 300);
    }

    /** Pointers that are down. @type {Map<number, {x: number, y: number}>} */ const pointers = new Map();
    let dragged = false, button = 0, spread = 0;
    /** @type {((event: PointerEvent, phase: 'down' | 'move' | 'up') => boolean)[]} */ const claims = [];
    let claimed = -1;

    canvas.addEventListener('pointerdown', (event) => {
        canvas.focus({ preventScroll: true });
        flight.stop();
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
            flight.moveBy(x / 2, y / 2);
            if (spread) flight.nearBy(spread / Math.max(10, apart), (event.offsetX + other.x) / 2, (event.offsetY + other.y) / 2);
            spread = apart;
        } else if (button === 0 && !event.shiftKey) flight.turnBy(x, y);
        else flight.moveBy(x, y);
        last.x = event.offsetX;
        last.y = event.offsetY;
        stage.draw();
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
    canvas.addEventListener('dblclick', () => toSelection());
    canvas.addEventListener('wheel', (event) => {
        event.preventDefault();
        flight.stop();
        flight.nearBy(1.0015 ** (event.deltaY * (event.deltaMode ? 30 : 1)), event.offsetX, event.offsetY);
        stage.draw();
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
        const speed = stage.reach * 0.35 * passed * (held.has('Shift') ? 4 : held.has('Alt') ? 0.25 : 1);
        const go = (/** @type {string} */ key) => Number(held.has(key));
        const ahead = look.flying ? camera.forward : /** @type {Vector} */ ([Math.sin(camera.yaw), 0, -Math.cos(camera.yaw)]);
        let by = plus(times(ahead, (go('w') - go('s')) * speed), times(camera.right, (go('d') - go('a')) * speed));
        by = plus(by, [0, (go('e') - go('q')) * speed, 0]);
        camera.pivot = plus(camera.pivot, by);
        flight.turnBy(120 * passed * (go('ArrowRight') - go('ArrowLeft')) * (look.flying ? 4 : 2), 120 * passed * (go('ArrowDown') - go('ArrowUp')) * 2);
        stage.draw();
        walking = [...held].some((one) => !['Shift', 'Alt'].includes(one)) ? requestAnimationFrame(walk) : 0;
        if (!walking) saveCamera();
    }
    canvas.addEventListener('keydown', (event) => {
        const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        if (event.ctrlKey || event.metaKey) return;
        if (/^[wasdqe]$|^Arrow/.test(key) && !(event.altKey && key.startsWith('Arrow'))) {
            event.preventDefault();
            flight.stop();
            held.add(key);
            if (!walking) {
                before = performance.now() - 16;
                walking = requestAnimationFrame(walk);
            }
        } else if (key === 'Shift' || key === 'Alt') held.add(key);
        else if (key === '[' || key === ']') stepNear(key === ']' ? 1 : -1);
        else if (/^[1-9]$/.test(key)) flight.toView(Number(key));
        else if (key === '+' || key === '=' || key === '-') {
            flight.nearBy(key === '-' ? 1.2 : 1 / 1.2, stage.wide / 2, stage.high / 2);
            stage.draw();
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

    return { claims };
}
