// SPDX-License-Identifier: MIT
/** Two levels in one view: additions, removals, changes and moves, ghosts of removed elements, and the older level while Space is held. */
import { pathOfChange, wholeOf } from './changes.js';
import { byId, count, el, isWithin } from './dom.js';
import { boxOf } from './matrix.js';

/** @typedef {import('./matrix.js').Vector} Vector */
/** @typedef {import('./changes.js').Kind} Kind */
/** @typedef {{kind: Kind, at: Vector, from: Vector | null, path: string}} Mark */

const signs = /** @type {const} */ ({ added: '+', removed: '−', changed: '=', moved: '→' });
/** Milliseconds after the last change until the differences are computed again. */
const patience = 300;

/**
 * @param {import('./app.js').App} app @param {ReturnType<typeof import('./view.js').makeView>} view
 * @param {{changes: import('./changes.js').One[], rows: import('./changes.js').Row[], olderThings: import('./app.js').Entity[]}} edit @param {ReturnType<typeof import('./map.js').makeMap>} map
 */
export function makeCompare(app, view, edit, map) {
    const flip = el('button', { type: 'button', 'aria-pressed': 'false', title: 'Hold Space' }, 'Show the older one');
    const legend = el('div.float.compare', { hidden: true, role: 'group', 'aria-label': 'What differs' });
    byId('view').append(legend);
    /** @type {Mark[]} */ let marks = [];
    /** The surfaces that differ, and the corners of removed ones. @type {{now: Record<string, number[]>, then: Record<string, number[]>, ghosts: Float32Array} | null} */ let surfaces = null;
    let old = false, flipping = false, waiting = 0;

    function fill() {
        legend.hidden = !app.compared;
        marks = [];
        if (!app.compared) return;
        const counts = { added: 0, removed: 0, changed: 0, moved: 0 };
        /** @type {Set<string>} */ const seen = new Set();
        for (const { change } of edit.changes) {
            const path = pathOfChange(change), before = pathOfChange(change, true), gone = change.op === 'remove';
            const own = gone ? undefined : app.thingOf({ doc: 0, path }), was = edit.olderThings.find((one) => isWithin(before, one.path));
            const key = gone ? `-${before}` : (own?.path ?? path);
            if (seen.has(key)) continue;
            seen.add(key);
            const away = own && was ? Math.hypot(...own.world.map((value, axis) => value - (was.world[axis] ?? 0))) : 0;
            const kind = gone ? 'removed' : change.op === 'insert' || change.op === 'add' ? 'added' : away > 0.005 ? 'moved' : 'changed';
            counts[kind]++;
            const at = gone ? was?.world : own?.world;
            if (at) marks.push({ kind, at: /** @type {any} */ (at), from: kind === 'moved' ? /** @type {any} */ (was?.world) : null, path: gone ? before : (own?.path ?? path) });
        }
        legend.replaceChildren(...Object.entries(counts).map(([kind, number]) => el('span.compare-kind', {}, el(`span.d-${kind}`, {}, signs[/** @type {Kind} */ (kind)]), `${count(number)} ${kind}`)), flip);
        view.draw();
        map.draw();
        clearTimeout(waiting);
        waiting = window.setTimeout(findSurfaces, patience);
    }

    /** Finds the triangles of the differences. */
    async function findSurfaces() {
        if (!app.compared) return;
        const of = (/** @type {Kind[]} */ ...some) => edit.rows.filter((one) => some.includes(one.kind)), paths = (/** @type {import('./changes.js').Row[]} */ all) => all.flatMap((one) => one.paths.map(wholeOf));
        const found = await app.ask('Comparing', 'marks', { added: paths(of('added')), changed: paths(of('changed', 'moved')), removed: paths(of('removed')), before: of('changed', 'moved').map((one) => wholeOf(one.old)) }).catch(() => null);
        if (!app.compared) return;
        surfaces = found;
        tint();
    }
    function tint() {
        view.tint(Object.entries((old ? surfaces?.then : surfaces?.now) ?? {}).map(([kind, runs]) => ({ kind, runs })));
    }

    /** @param {CanvasRenderingContext2D} context @param {Mark} mark @param {(world: Vector) => [number, number] | null} at @param {number} size */
    function drawMark(context, { kind, at: world, from }, at, size) {
        const theme = view.theme(), point = at(world), ink = theme[kind] ?? '', before = from && at(from);
        if (!point) return;
        if (before) {
            // The previous position.
            context.setLineDash([3, 3]);
            context.strokeStyle = ink;
            context.lineWidth = 1.5;
            context.beginPath();
            context.arc(before[0], before[1], size, 0, 7);
            context.stroke();
            context.setLineDash([]);
            if (Math.hypot(point[0] - before[0], point[1] - before[1]) > 3 * size) view.arrow(context, before, point, ink);
        }
        context.fillStyle = ink;
        context.strokeStyle = theme.void ?? '';
        context.lineWidth = 2;
        context.beginPath();
        if (kind === 'removed') context.arc(point[0], point[1], size, 0, 7);
        else context.roundRect(point[0] - size, point[1] - size, 2 * size, 2 * size, 3);
        context.fill();
        context.stroke();
        context.fillStyle = theme.void ?? '';
        context.font = `bold ${Math.round(size * 1.7)}px sans-serif`;
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        context.fillText(signs[kind], point[0], point[1] + 0.5);
        context.textAlign = 'start';
    }

    /** The edges of removed surfaces. @param {CanvasRenderingContext2D} context @param {(world: Vector) => [number, number] | null} at */
    function drawGhosts(context, at) {
        const corners = surfaces?.ghosts ?? new Float32Array();
        if (old || !corners.length) return;
        context.beginPath();
        for (let i = 0; i < corners.length; i += 9) {
            const points = [0, 3, 6].map((each) => at([corners[i + each] ?? 0, corners[i + each + 1] ?? 0, corners[i + each + 2] ?? 0])), [first, ...others] = points;
            if (!first || others.some((one) => !one)) continue;
            context.moveTo(...first);
            for (const one of others) if (one) context.lineTo(...one);
            context.closePath();
        }
        context.setLineDash([4, 3]);
        context.lineWidth = 1;
        context.strokeStyle = view.theme().removed ?? '';
        context.stroke();
        context.setLineDash([]);
    }

    view.overlays.push((context, at) => {
        if (!app.compared) return;
        drawGhosts(context, at);
        for (const one of marks) drawMark(context, one, at, 8);
    });
    map.overlays.push((context, at) => {
        if (!app.compared) return;
        for (const one of marks) drawMark(context, one, (world) => at(world), 5);
    });

    /** Which of the two is wanted; this may change while a scene is being made. */ let wanted = false;
    /** Shows the older level, or the newer one. @param {boolean} on */
    async function show(on) {
        if (!app.compared) return;
        wanted = on;
        if (flipping) return;
        flipping = true;
        while (old !== wanted) {
            old = wanted;
            flip.setAttribute('aria-pressed', String(old));
            app.emit('scene', { scene: await app.ask('Drawing', 'scene', { older: old }), older: true });
            tint();
        }
        flipping = false;
        view.draw();
    }
    flip.addEventListener('click', () => show(!old));
    addEventListener('keydown', (event) => {
        if (event.key !== ' ' || !app.compared || event.repeat || document.activeElement !== view.canvas) return;
        event.preventDefault();
        show(true);
    });
    addEventListener('keyup', (event) => event.key === ' ' && show(false));
    /** Flies to the former position of a removed element. @param {import('./changes.js').Row} row */
    function flyToRemoved({ paths }) {
        const one = marks.find(({ kind, path }) => kind === 'removed' && paths.includes(path)), room = 4;
        if (one) return view.flyToBox(/** @type {Vector} */ (one.at.map((value) => value - room)), /** @type {Vector} */ (one.at.map((value) => value + room)));
        const corners = surfaces?.ghosts ?? new Float32Array();
        if (!corners.length) return app.say('It is no longer in the level, and has no place in the older one.');
        const { low, high } = boxOf(corners);
        view.flyToBox(low, high);
    }
    app.on('show-removed', flyToRemoved);
    app.on(['changes', 'things'], fill);
    app.on('open', () => {
        surfaces = null;
        old = wanted = false;
        flip.setAttribute('aria-pressed', 'false');
        fill();
    });
    fill();
    return { fill };
}
