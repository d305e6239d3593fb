// SPDX-License-Identifier: MIT
/** Two levels in one view: what was added, removed, changed and moved, and the older one while Space is held. */
import { pathOfChange } from './edit.js';
import { byId, count, el, isWithin } from './dom.js';

/** @typedef {import('./matrix.js').Vector} Vector */

const signs = /** @type {const} */ ({ added: '+', removed: '−', changed: '=', moved: '→' });

/** @param {import('./app.js').App} app @param {ReturnType<typeof import('./view.js').makeView>} view @param {{changes: {change: any}[], olderThings: import('./app.js').Entity[]}} edit */
export function makeCompare(app, view, edit) {
    const flip = el('button', { type: 'button', 'aria-pressed': 'false', title: 'Space, while it is held' }, 'Show the older one');
    const legend = el('div.float.compare', { hidden: true, role: 'group', 'aria-label': 'What differs' });
    byId('view').append(legend);
    /** @type {{kind: keyof typeof signs, at: Vector, from: Vector | null}[]} */ let marks = [];
    let old = false, flipping = false;

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
            if (at) marks.push({ kind, at: /** @type {any} */ (at), from: kind === 'moved' ? /** @type {any} */ (was?.world) : null });
        }
        legend.replaceChildren(...Object.entries(counts).map(([kind, number]) => el('span.compare-kind', {}, el(`span.d-${kind}`, {}, signs[/** @type {'added'} */ (kind)]), `${count(number)} ${kind}`)), flip);
        view.draw();
    }

    view.overlays.push((context, at) => {
        if (!app.compared) return;
        const theme = view.theme();
        for (const { kind, at: world, from } of marks) {
            const point = at(world), ink = theme[kind] ?? '';
            if (!point) continue;
            if (from) view.arrow(context, at(from), point, ink);
            context.fillStyle = ink;
            context.strokeStyle = theme.void ?? '';
            context.lineWidth = 2;
            context.beginPath();
            if (kind === 'removed') context.arc(point[0], point[1], 8, 0, 7);
            else context.roundRect(point[0] - 8, point[1] - 8, 16, 16, 3);
            context.fill();
            context.stroke();
            context.fillStyle = theme.void ?? '';
            context.font = 'bold 13px sans-serif';
            context.textAlign = 'center';
            context.textBaseline = 'middle';
            context.fillText(signs[kind], point[0], point[1] + 0.5);
            context.textAlign = 'start';
        }
    });

    /** Which of them is wanted: while one is being made, that may change. */ let wanted = false;
    /** Shows the older level, or the newer. @param {boolean} on */
    async function show(on) {
        if (!app.compared) return;
        wanted = on;
        if (flipping) return;
        flipping = true;
        while (old !== wanted) {
            old = wanted;
            flip.setAttribute('aria-pressed', String(old));
            app.emit('scene', { scene: await app.ask('Drawing', 'scene', { older: old }), older: true });
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
    for (const name of ['changes', 'things', 'open']) app.on(name, fill);
    fill();
    return { fill };
}
