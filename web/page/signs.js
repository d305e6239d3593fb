// SPDX-License-Identifier: MIT
/** What is drawn over the level: symbols of things, names, and what is selected. */
import { gather, symbolSize } from './gather.js';
import { length, minus } from './matrix.js';
import { arrow, brackets, chips, counts, labels } from './over.js';

/** @typedef {import('./matrix.js').Vector} Vector */

/** The most names, and the least symbol size of things that get a name. */
const namesMost = 24, namedSize = 13;
/** Whether a thing is not worth a symbol at a distance. @param {import('./app.js').Thing} one */
const isQuiet = ({ role, className }) => role === 'light' || /path_?node|way_?point|nav_?(node|point)/i.test(className);

/** @param {import('./app.js').App} app @param {import('./stage.js').Stage} stage */
export function makeSigns(app, stage) {
    const { camera, look, place } = stage;
    /** @type {((context: CanvasRenderingContext2D, at: (p: Vector) => [number, number] | null) => void)[]} */ const overlays = [];
    const onScreen = (/** @type {Vector} */ point) => stage.onScreen(point);

    /** The middle of the selection. @type {Vector | null} */ let middle = null;

    function draw() {
        const context = /** @type {CanvasRenderingContext2D} */ (stage.over.getContext('2d')), { theme, ratio } = stage;
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, stage.wide, stage.high);
        for (const one of overlays) one(context, onScreen);
        drawNames(context);
        const hovered = app.thingOf(app.hovered);
        for (const [thing, dashed] of /** @type {[import('./app.js').Thing | undefined, boolean][]} */ ([[hovered, true], ...app.selection.map((one) => [app.thingOf(one), false])])) {
            const at = thing && onScreen(/** @type {any} */ (thing.world));
            if (at) brackets(context, theme, at, dashed);
        }
        drawTag(context);
    }

    /** @param {CanvasRenderingContext2D} context */
    function drawTag(context) {
        const { theme } = stage;
        const where = app.selected, thing = app.thingOf(where), point = /** @type {Vector | undefined} */ (thing?.world) ?? middle, at = point && onScreen(point);
        if (!where || !at) return;
        const what = thing ? thing.className || thing.name : where.path.split('.').at(-1) || where.path, name = thing?.name && thing.name !== thing.className ? thing.name : where.path;
        chips(context, theme, at, [[what, theme.select ?? '', theme['on-select'] ?? ''], [name, theme.surface ?? '', theme.text ?? '']]);
    }

    /** Draws counts of symbols, and names of places and nearby things. @param {CanvasRenderingContext2D} context */
    function drawNames(context) {
        const { theme, scene } = stage;
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
        stage.draw();
    }

    /** The symbols for the camera's position, as the renderer takes them. */
    function symbols() {
        const overview = camera.distance > stage.reach * 0.45, chosen = new Set(app.selection.map((one) => app.thingOf(one))), f = stage.focal;
        gathered = gather(withSymbols, (index) => {
            const thing = app.things[index];
            if (!thing || (overview && isQuiet(thing) && !chosen.has(thing))) return null;
            const clip = stage.project(/** @type {any} */ (thing.world)), [x, y, , w] = clip;
            if (w < 0.01 || Math.abs(x) > 1.05 * w || Math.abs(y) > 1.05 * w) return null;
            return [...stage.pixels(clip), symbolSize(w, f) * (stage.theme.more ? 1.25 : 1)];
        });
        const points = new Float32Array(7 * gathered.length);
        gathered.forEach(({ index, size }, at) => {
            const one = app.things[index], of = app.classes[one?.class ?? 0];
            points.set([one?.world[0] ?? 0, one?.world[1] ?? 0, one?.world[2] ?? 0, of?.color ?? 7, of?.shape ?? 9, size * stage.ratio, 0], 7 * at);
        });
        place.dataset.symbols = String(gathered.length);
        return points;
    }

    /** Links of the selection, as arrows. */
    overlays.push((context, at) => {
        for (const one of app.selection) {
            const thing = app.thingOf(one);
            if (!thing) continue;
            for (const [from, to] of /** @type {[Vector, Vector][]} */ (stage.scene?.links ?? [])) {
                const near = (/** @type {Vector} */ point) => length(minus(point, /** @type {any} */ (thing.world))) < 0.3;
                if (near(from) || near(to)) arrow(context, stage.theme, at(from), at(to), stage.theme.select ?? '');
            }
        }
    });

    return {
        draw, overlays, isShown, setSymbols, symbols,
        /** @param {Set<string>} layers */
        hideLayers(layers) {
            hiddenLayers = layers;
            setSymbols();
        },
        /** No level is open. */
        clear: () => (withSymbols = []),
        /** The middle of the selected surfaces, if there are any. @param {Vector | null} at */
        setMiddle: (at) => (middle = at),
        get gathered() { return gathered; },
        /** The things that have symbols, also at a distance. */
        get things() { return withSymbols.filter((index) => !isQuiet(/** @type {import('./app.js').Thing} */ (app.things[index]))); },
    };
}
