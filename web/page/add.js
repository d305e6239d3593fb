// SPDX-License-Identifier: MIT
/** Adding a thing where the view looks: of one of the game's classes, or a copy of a thing in the level. */
import { ask } from './ask.js';
import { vertexBytes } from './bake.js';
import { count, el, parentPath, some } from './dom.js';
import { cross, dot, length, minus, plus, times } from './matrix.js';
import { openPicker } from './picker.js';

/** @typedef {import('./matrix.js').Vector} Vector */
/** @typedef {import('./app.js').Thing} Thing */

/** Where a line of sight meets the plane of a triangle; null if it does not. @param {Vector[]} corners @param {Vector} eye @param {Vector} sight @returns {Vector | null} */
export function meet([a = [0, 0, 0], b = [0, 0, 0], c = [0, 0, 0]], eye, sight) {
    const across = cross(minus(b, a), minus(c, a)), along = dot(across, sight);
    if (Math.abs(along) < 1e-12) return null;
    const far = dot(across, minus(a, eye)) / along;
    return far > 0 ? plus(eye, times(sight, far)) : null;
}

/** Whether a thing can be the model for another one. @param {Thing} one @param {number} doc @param {number} index  of the class */
const isOf = (one, doc, index) => one.doc === doc && one.class === index && one.role !== 'geometry' && one.path.endsWith(']');

/** @param {Thing} one @param {Vector} at */
const away = (one, at) => length(minus(/** @type {Vector} */ (one.world), at));

/** Converts a move in the world to a move along the file's axes. @param {(Vector | null)[]} columns @param {boolean} whole @param {Vector} metres */
const inFile = (columns, whole, metres) => columns.map((one) => {
    const by = one ? dot(metres, one) / dot(one, one) : 0;
    return whole ? Math.round(by) : Number(by.toFixed(4));
});

/** @param {import('./app.js').App} app @param {ReturnType<typeof import('./view.js').makeView>} view @param {{refuse: (why: string) => void}} edit */
export function makeAdd(app, view, edit) {
    /** The point that the view looks at: on the surface in its middle, else the point that it turns about. @returns {Vector} */
    function target() {
        const { canvas, camera, scene } = view, found = view.pick(canvas.clientWidth / 2, canvas.clientHeight / 2);
        if (!found || !('triangle' in found)) return camera.pivot;
        const words = vertexBytes / 4, all = new Float32Array(scene.vertices), corner = (/** @type {number} */ one) => /** @type {any} */ ([...all.subarray((3 * found.triangle + one) * words, (3 * found.triangle + one) * words + 3)]);
        return meet([0, 1, 2].map(corner), camera.position, camera.ray(0, 0, view.aspect())) ?? camera.pivot;
    }

    /** The number of elements of a list. @param {number} doc @param {string} path */
    const countOf = async (doc, path) => (await app.rows({ doc, path }, 0, 0)).row.count ?? 0;

    /** Adds a copy of a thing at a point. @param {Thing} like @param {Vector} at */
    async function copy(like, at) {
        const { doc, path, className } = like, list = parentPath(path), end = await countOf(doc, list), { columns, whole } = await app.ask('Finding out how it moves', 'axes', { doc, path }).catch(() => ({ columns: [], whole: false }));
        const by = inFile(columns, whole, minus(at, /** @type {Vector} */ (like.world))), own = `${list}[${end}]`;
        return finish(doc, [`duplicate ${path} to ${end}`, ...(by.some(Boolean) ? [`move ${own} by ${by.join(',')}`] : [])], className, at);
    }

    /** Adds a thing of a class at a point; `given`: required values. @param {number} doc @param {string} list @param {string} kind @param {Vector} at @param {Record<string, string>} [given] @returns {Promise<unknown>} */
    async function add(doc, list, kind, at, given = {}) {
        const near = app.things.filter((one) => one.doc === doc && parentPath(one.path) === list).sort((a, b) => away(a, at) - away(b, at))[0];
        const found = near && (await app.ask('Finding out how it moves', 'axes', { doc, path: near.path }).catch(() => null)), by = near && found ? inFile(found.columns, found.whole, minus(at, /** @type {Vector} */ (near.world))) : at.map((one) => Number(one.toFixed(4)));
        const place = near && found ? near.position.map((one, axis) => Number((one + (by[axis] ?? 0)).toFixed(4))) : by;
        const operation = { op: 'add', path: kind, new: { origin: place, ...given } }, tried = await app.library.call('edit', doc, [operation], { dryRun: true }).catch((error) => ({ error })), [, needed] = /^(\w+)=\.\.\.$/.exec(tried.error?.finding?.expected ?? '') ?? [];
        if (!needed || needed in given) return finish(doc, [operation], kind, at);
        const input = /** @type {HTMLInputElement} */ (el('input', { type: 'text', 'aria-label': needed, spellcheck: 'false' }));
        input.addEventListener('keydown', (event) => event.key === 'Enter' && /** @type {HTMLElement | null} */ (input.closest('dialog')?.querySelector('[data-answer=take]'))?.click());
        const answer = await ask(`Add ${kind}`, [el('p', {}, `${kind} needs a ${needed}: `, input)], { take: 'Add' });
        return answer && input.value ? add(doc, list, kind, at, { ...given, [needed]: input.value }) : undefined;
    }

    /** Applies the operations and selects the new thing. Formats order their elements themselves, so it is looked up by its position. @param {number} doc @param {(string | Record<string, unknown>)[]} operations @param {string} kind @param {Vector} at */
    async function finish(doc, operations, kind, at) {
        const why = await app.edit(doc, operations, { label: `add ${kind}` });
        if (why) return edit.refuse(why);
        const [made] = app.things.filter((one) => one.doc === doc && one.className === kind).sort((a, b) => away(a, at) - away(b, at) || b.path.localeCompare(a.path, 'en', { numeric: true }));
        if (made) app.select({ doc, path: made.path }, { from: 'edit', jump: true });
        app.say(`Added ${kind}${made ? `: ${made.path}` : ''}.`);
    }

    /** Lists the classes below a button. @param {HTMLElement} button */
    async function choose(button) {
        const doc = app.selected?.doc ?? 0, list = app.documents[doc]?.format.rows ?? '', at = target();
        const known = new Set(list ? /** @type {string[]} */ (await app.ask('Listing classes', 'classes', doc).catch(() => [])) : []), likely = app.classes.map((one, index) => ({ ...one, like: app.things.find((each) => isOf(each, doc, index)) }));
        // Some lists have a fixed number of elements.
        const lists = new Map(likely.flatMap(({ like }) => (like ? [[parentPath(like.path), like.path]] : []))), open = new Set();
        for (const [name, path] of lists) if (await app.library.call('edit', doc, [`duplicate ${path}`], { dryRun: true }).then(() => true, () => false)) open.add(name);
        const there = likely.filter(({ name, like }) => like && (known.has(name) || open.has(parentPath(like.path))));
        const choices = [...there.map(({ name, count: number }) => ({ value: name, name, words: `${count(number)} in the level` })), ...[...known].filter((name) => !there.some((one) => one.name === name)).map((name) => ({ value: name, name, words: 'none in the level' }))];
        if (!choices.length) return app.say('Nothing in this level can be added.');
        const like = (/** @type {unknown} */ name) => {
            // The nearest one is likely to be on the same floor and of the same kind.
            const index = app.classes.findIndex((one) => one.name === name);
            return app.things.filter((one) => isOf(one, doc, index)).sort((a, b) => away(a, at) - away(b, at))[0];
        };
        openPicker(button, {
            label: 'Add', current: app.thingOf(app.selected)?.className, choices,
            take: ({ value }) => {
                const one = like(value);
                return known.has(String(value)) ? add(doc, list, String(value), at) : one && copy(one, at);
            },
            more: [el('span.where', {}, `It is placed where the view looks. ${known.size ? 'Classes of the game start with its defaults' : `Others are copies of the nearest one`}: ${some(choices.length, 'class', 'classes')}.`)],
        });
    }
    return { choose };
}
