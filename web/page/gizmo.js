// SPDX-License-Identifier: MIT
/** Moves and rotates the selection, with the pointer or by numbers: along world axes, in metres. */
import { byId, el, iconButton, short } from './dom.js';
import { dot, length, minus, plus, times } from './matrix.js';
import { layerOf } from './show.js';

/** @typedef {import('./matrix.js').Vector} Vector */

const axes = /** @type {{name: 'x' | 'y' | 'z', to: Vector, color: string}[]} */ ([
    { name: 'x', to: [1, 0, 0], color: '#e8622f' }, { name: 'y', to: [0, 1, 0], color: '#2bbd94' }, { name: 'z', to: [0, 0, 1], color: '#5b7cff' },
]);
/** The length of an axis in pixels. */
const long = 64;

/** @param {import('./app.js').App} app @param {ReturnType<typeof import('./view.js').makeView>} view @param {{refuse: (why: string) => void}} edit */
export function makeGizmo(app, view, edit) {
    /** @type {'move' | 'rotate' | ''} */ let mode = '';
    /** @type {{axis: typeof axes[number], at: number, from: Vector} | null} */ let drag = null;
    let by = 0;
    const numbers = el('div.float.gizmo-numbers', { hidden: true, role: 'group', 'aria-label': 'Move by numbers' });
    byId('view').append(numbers);
    const move = iconButton('move', 'Move', () => set(mode === 'move' ? '' : 'move'), 'G'), rotate = iconButton('rotate', 'Turn', () => set(mode === 'rotate' ? '' : 'rotate'), 'R');
    const bar = el('div.float.low-left.gizmo-bar', { role: 'toolbar', 'aria-label': 'Move or rotate', hidden: true }, move, rotate);
    byId('view').append(bar);

    const thing = () => app.thingOf(app.selected);
    /** The file's axes in world coordinates, for the list that contains the thing. @type {{path: string, columns: (Vector | null)[], whole: boolean}} */
    let file = { path: '', columns: [], whole: false };
    async function learn() {
        const one = thing();
        if (!one || !mode) return;
        const path = `${one.doc}|${one.path}`;
        if (file.path === path) return;
        file = { path, columns: [], whole: false };
        const found = await app.ask('Finding out how it moves', 'axes', { doc: one.doc, path: one.path }).catch(() => null);
        if (found && file.path === path) file = { path, ...found };
        if (found && mode === 'move' && !file.columns.some(Boolean)) app.say('It cannot be moved.');
        view.draw();
    }
    /** The file's axis that is parallel to an axis of the world. @param {Vector} to @returns {Vector | null} */
    const along1 = (to) => file.columns.find((one) => one && Math.abs(dot(one, to)) > 0.9 * length(one)) ?? null;
    /** The step of moves along an axis of the world, in metres. @param {Vector} to */
    const step = (to) => (file.whole ? length(along1(to) ?? [1, 0, 0]) : 0.01);

    /** @param {'move' | 'rotate' | ''} to */
    function set(to) {
        mode = to;
        move.setAttribute('aria-pressed', String(mode === 'move'));
        rotate.setAttribute('aria-pressed', String(mode === 'rotate'));
        fill();
        learn();
        view.draw();
    }

    /** The reason why things cannot be moved, or ''. @param {import('./app.js').Thing[]} all */
    function lock(all) {
        const one = all.find((each) => app.locked.has(layerOf(each)));
        return one ? `The layer ${layerOf(one)} is locked. Unlock it in the tab Show to move its things.` : '';
    }

    /** Converts a move in the world to the file's coordinates. @param {Vector} metres @returns {number[]} */
    const inFile = (metres) => file.columns.map((one) => {
        const by = one ? dot(metres, one) / dot(one, one) : 0;
        return file.whole ? Math.round(by) : Number(by.toPrecision(7));
    });

    /** @param {Vector} metres */
    async function moveBy(metres) {
        const all = things();
        const [first] = all;
        if (!first || !length(metres)) return;
        if (lock(all)) return edit.refuse(lock(all));
        await learn();
        const by = inFile(metres);
        if (!by.some(Boolean)) return app.say('That is smaller than the format’s step.');
        // The new position is shown at once; the library's result follows.
        const moved = file.columns.reduce((/** @type {Vector} */ sum, one, index) => (one ? plus(sum, times(one, by[index] ?? 0)) : sum), [0, 0, 0]);
        for (const one of all) one.world = plus(/** @type {Vector} */ (one.world), moved);
        view.draw();
        const why = await app.edit(first.doc, all.filter((one) => one.doc === first.doc).map(({ path }) => `move ${path} by ${by.join(',')}`), { label: `move ${first.path} by ${by.join(', ')}` });
        if (!why) return;
        for (const one of all) one.world = minus(/** @type {Vector} */ (one.world), moved);
        view.draw();
        edit.refuse(why);
    }

    /** @param {number} degrees */
    async function turnBy(degrees) {
        const [first] = things();
        if (!first || !degrees) return;
        if (lock(things())) return edit.refuse(lock(things()));
        const why = await app.edit(first.doc, things().filter((one) => one.doc === first.doc).map(({ path }) => `rotate ${path} by ${short(degrees)}deg`), { label: `rotate ${first.path} by ${short(degrees)}°` });
        if (why) edit.refuse(why);
    }

    /** All selected things. */
    const things = () => [...new Set(app.selection.map((one) => app.thingOf(one)).filter((one) => one !== undefined))];

    function fill() {
        bar.hidden = !thing();
        numbers.hidden = !mode || !thing();
        learn();
        if (numbers.hidden) return;
        const fields = (mode === 'move' ? ['x', 'y', 'z'] : ['degrees']).map((name) => /** @type {HTMLInputElement} */ (el('input', { type: 'text', inputmode: 'decimal', 'aria-label': mode === 'move' ? `Metres along ${name}` : 'Degrees', placeholder: name, size: 6 })));
        const go = () => {
            const given = fields.map((one) => Number(one.value) || 0);
            if (mode === 'move') moveBy(/** @type {Vector} */ (given));
            else turnBy(given[0] ?? 0);
        };
        for (const one of fields) one.addEventListener('keydown', (event) => {
            if (event.key === 'Enter') go();
            else if (event.key === 'Escape') set('');
            event.stopPropagation();
        });
        numbers.replaceChildren(el('span', {}, mode === 'move' ? 'Move by, m' : 'Turn by, °'), ...fields, el('button', { type: 'button', onclick: go }, 'Apply'));
    }

    /** An axis on the screen: its start and its end. @param {Vector} from @param {Vector} to @returns {[number, number][] | null} */
    function onScreen(from, to) {
        const begin = view.onScreen(from), end = view.onScreen(plus(from, times(to, view.camera.distance * 0.05)));
        if (!begin || !end) return null;
        const away = Math.hypot(end[0] - begin[0], end[1] - begin[1]);
        if (away < 0.5) return [begin, begin];
        return [begin, [begin[0] + ((end[0] - begin[0]) / away) * long, begin[1] + ((end[1] - begin[1]) / away) * long]];
    }

    view.overlays.push((context) => {
        const one = thing();
        if (!mode || !one) return;
        const from = /** @type {Vector} */ (one.world), shift = drag && mode === 'move' ? times(drag.axis.to, by) : /** @type {Vector} */ ([0, 0, 0]), at = plus(from, shift);
        for (const axis of axes) {
            if (mode === 'rotate' ? axis.name !== 'y' : !along1(axis.to)) continue;
            const ends = onScreen(at, axis.to);
            if (!ends?.[0] || !ends[1]) continue;
            const [[x0, y0], [x1, y1]] = /** @type {[[number, number], [number, number]]} */ (ends);
            for (const [wide, ink] of /** @type {[number, string][]} */ ([[6, '#000a'], [3, axis.color]])) {
                context.lineWidth = wide;
                context.strokeStyle = ink;
                context.beginPath();
                if (mode === 'rotate') context.ellipse(x0, y0, long * 0.8, long * 0.8 * Math.max(0.15, Math.abs(Math.sin(view.camera.pitch))), 0, 0, 7);
                else {
                    context.moveTo(x0, y0);
                    context.lineTo(x1, y1);
                }
                context.stroke();
            }
            if (mode === 'rotate') continue;
            context.fillStyle = axis.color;
            context.beginPath();
            context.arc(x1, y1, 9, 0, 7);
            context.fill();
            context.fillStyle = '#000';
            context.font = 'bold 11px sans-serif';
            context.textAlign = 'center';
            context.textBaseline = 'middle';
            context.fillText(axis.name.toUpperCase(), x1, y1 + 0.5);
            context.textAlign = 'start';
        }
        if (drag) {
            const end = view.onScreen(at);
            context.font = '12px monospace';
            context.fillStyle = '#000c';
            const text = mode === 'move' ? `${drag.axis.name} ${by >= 0 ? '+' : ''}${by.toFixed(3)} m` : `${by.toFixed(1)}°`;
            if (end) {
                context.fillRect(end[0] + 18, end[1] + 14, 8 * text.length + 8, 20);
                context.fillStyle = '#fff';
                context.textBaseline = 'middle';
                context.fillText(text, end[0] + 22, end[1] + 24);
            }
        }
    });

    view.claims.push((event, phase) => {
        const one = thing(), x = event.offsetX, y = event.offsetY;
        if (phase === 'down') {
            if (!mode || !one || event.button !== 0) return false;
            const from = /** @type {Vector} */ (one.world), begin = view.onScreen(from);
            if (!begin) return false;
            if (mode === 'rotate') {
                const away = Math.hypot(x - begin[0], y - begin[1]);
                if (away < 12 || away > long) return false;
                drag = { axis: /** @type {typeof axes[number]} */ (axes[1]), at: Math.atan2(y - begin[1], x - begin[0]), from };
            } else {
                const axis = axes.find((each) => {
                    if (!along1(each.to)) return false;
                    const end = onScreen(from, each.to)?.[1];
                    return end && Math.hypot(end[0] - x, end[1] - y) < 14;
                });
                if (!axis) return false;
                drag = { axis, at: along(axis.to, from, x, y), from };
            }
            by = 0;
            return true;
        }
        if (!drag) return false;
        if (phase === 'move') {
            if (mode === 'move') {
                const moved = along(drag.axis.to, drag.from, x, y) - drag.at, snap = event.ctrlKey && !file.whole ? 1e-4 : step(drag.axis.to);
                by = Math.round(moved / snap) * snap;
            } else {
                const begin = view.onScreen(drag.from) ?? [0, 0], moved = ((Math.atan2(y - begin[1], x - begin[0]) - drag.at) * -180) / Math.PI, snap = event.ctrlKey ? 0.1 : 15;
                by = Math.round((((moved + 540) % 360) - 180) / snap) * snap;
            }
            view.draw();
            return true;
        }
        const done = drag;
        drag = null;
        if (by && mode === 'move') moveBy(times(done.axis.to, by));
        else if (by) turnBy(by);
        view.draw();
        return true;
    });

    /** The pointer's position along an axis: the point nearest to the line of sight. @param {Vector} axis @param {Vector} from @param {number} x @param {number} y */
    function along(axis, from, x, y) {
        const eye = view.camera.position, sight = view.camera.ray((2 * x) / view.canvas.clientWidth - 1, 1 - (2 * y) / view.canvas.clientHeight, view.aspect());
        const b = dot(axis, sight), w = minus(from, eye), under = 1 - b * b;
        return under < 1e-6 ? 0 : (b * dot(sight, w) - dot(axis, w)) / under;
    }

    app.on(['select', 'things'], fill);
    app.on('open', () => set(''));
    fill();
    return { moveBy, turnBy, set, flip: (/** @type {'move' | 'rotate'} */ to) => thing() && set(mode === to ? '' : to) };
}
