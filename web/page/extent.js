// SPDX-License-Identifier: MIT
/**
 * The part of a level to be framed, found as in src/export/view.c for pictures: sky boxes and stray objects far away must not
 * make the level small.
 */

/** @typedef {{low: number, high: number}} Range */
/** The triangles of a baked scene. @typedef {{floats: Float32Array, words: number, triangles: number, isSingle: (triangle: number) => boolean}} Triangles  `words`: numbers per corner; `isSingle`: whether it is single-sided */

const fewest = 50, strayShare = 0.02, thingShare = 0.004, fence = 0.35, most = 20000, directions = 160;
/** The axes of `render --oblique`: across the picture, down, and up in the world. */
const across = [Math.SQRT1_2, 0, -Math.SQRT1_2], down = [0.4545194776720438, -0.766044443118978, 0.4545194776720438], up = [0, 1, 0];
/** Directions towards the viewer: at the angle for a wide window, and at the steeper one for a phone. */
const nears = [[0.541675220419605, 0.6427876096865393, 0.541675220419605], [0.276288587, 0.920504853, 0.276288587]];

/** @param {number[]} axis @param {ArrayLike<number>} p @param {number} [at] */
const along = ([a = 0, b = 0, c = 0], p, at = 0) => a * (p[at] ?? 0) + b * (p[at + 1] ?? 0) + c * (p[at + 2] ?? 0);

/** Weighted quantiles. @param {number[]} values @param {number[]} weights @param {number[]} shares */
function valuesAt(values, weights, shares) {
    const order = Uint32Array.from(values.keys()).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0)), total = weights.reduce((sum, one) => sum + one, 0);
    return shares.map((share) => {
        let below = 0;
        for (const index of order) if ((below += weights[index] ?? 0) >= total * share) return values[index] ?? 0;
        return values[order[order.length - 1] ?? 0] ?? 0;
    });
}

/** @param {Range} range @param {number} least @returns {Range} */
const fenced = ({ low, high }, least) => ({ low: low - (high - low) * fence - least, high: high + (high - low) * fence + least });
/** @param {Range} range @param {number} value */
const within = ({ low, high }, value) => value >= low && value <= high;

/** Areas and centres of a sample of triangles. @param {Triangles} of */
function sample({ floats, words, triangles }) {
    const step = Math.max(1, Math.floor(triangles / most)), areas = [], middles = [];
    for (let t = 0; t < triangles; t += step) {
        const at = 3 * t * words, f = (/** @type {number} */ corner, /** @type {number} */ axis) => /** @type {number} */ (floats[at + corner * words + axis]);
        const [ux, uy, uz] = [f(1, 0) - f(0, 0), f(1, 1) - f(0, 1), f(1, 2) - f(0, 2)], [vx, vy, vz] = [f(2, 0) - f(0, 0), f(2, 1) - f(0, 1), f(2, 2) - f(0, 2)];
        areas.push(Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2);
        middles.push([0, 1, 2].map((axis) => (f(0, axis) + f(1, axis) + f(2, axis)) / 3));
    }
    return { areas, middles, limit: valuesAt(areas, areas.map(() => 1), [0.75])[0] ?? 0 };
}

/** The approximate range of the level along an axis. @param {ReturnType<typeof sample>} of @param {number[][]} things @param {number[]} axis @param {number} least @param {number} square @returns {Range} */
function fenceOf({ areas, middles, limit }, things, axis, least, square) {
    const values = middles.map((one) => along(axis, one)), weights = areas.map((one) => Math.min(one, limit)), total = weights.reduce((sum, one) => sum + one, 0);
    const each = Math.min(total / 3 / Math.max(1, things.length), total * thingShare) || 1;
    for (const one of things) {
        values.push(along(axis, one));
        weights.push(each);
    }
    const whole = values.reduce((range, one) => ({ low: Math.min(range.low, one), high: Math.max(range.high, one) }), { low: Infinity, high: -Infinity });
    if (values.length < fewest) return fenced(whole, least);
    // In a level of squares, some may be far from the others; among a few items, three may be outliers.
    if (axis !== up && square > 0 && whole.high - whole.low < square * 100) return fenced(whole, square);
    const share = strayShare + 3 / values.length, [low = 0, high = 0] = valuesAt(values, weights, [share, 1 - share]);
    return fenced({ low, high }, least);
}

/** Which of the two angles shows a triangle's front, 0 or 1; 2: neither, as for ceilings of rooms, and walls towards the viewer. @param {Float32Array} f @param {number} at @param {number} words */
function seenFrom(f, at, words) {
    const [u = [], v = []] = [1, 2].map((corner) => [0, 1, 2].map((axis) => (f[at + corner * words + axis] ?? 0) - (f[at + axis] ?? 0)));
    const [ux = 0, uy = 0, uz = 0] = u, [vx = 0, vy = 0, vz = 0] = v;
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const first = nears.findIndex((near) => along(near, normal) > 0);
    return first < 0 ? nears.length : first;
}

/** Evenly distributed directions. */
const around = Array.from({ length: directions }, (_, index) => {
    const y = 1 - (2 * index + 1) / directions, flat = Math.sqrt(1 - y * y), turn = index * Math.PI * (3 - Math.sqrt(5));
    return [flat * Math.cos(turn), y, flat * Math.sin(turn)];
});

/** The ranges of the level: across the picture, down, and up. @typedef {{x: Range, y: Range, height: Range}} Fences */

/** Marks triangles outside of fences with 1. @param {Omit<Triangles, 'isSingle'>} of @param {Fences} fences */
export function straysOf({ floats, words, triangles }, { x, y, height }) {
    return Uint8Array.from({ length: triangles }, (_, triangle) => {
        for (let at = 3 * triangle * words, end = at + 3 * words; at < end; at += words) if (within(x, along(across, floats, at)) && within(y, along(down, floats, at)) && within(height, floats[at + 1] ?? 0)) return 0;
        return 1;
    });
}

/**
 * Which triangles are strays, and points around the others: a view of these points shows the level; `steep`: for the steeper angle.
 * @param {Triangles} of @param {number[][]} things  positions of things @param {number} square  side of the level's grid squares; 0: none
 */
export function extentOf(of, things, square) {
    const { floats, words, triangles } = of, sampled = sample(of);
    const x = fenceOf(sampled, things, across, 1, square), y = fenceOf(sampled, things, down, 1, square), height = fenceOf(sampled, things, up, 6, square);
    const [farX, farY, farHeight] = [x, y, height].map((one) => fenced(one, 0));
    const strays = new Uint8Array(triangles), step = triangles > 150000 ? 3 : 1;
    const hulls = nears.map(() => ({ best: new Float64Array(directions).fill(-Infinity), points: new Float32Array(3 * directions) }));
    let shown = 0;
    for (let t = 0; t < triangles; t++) {
        let begins = false, ends = true;
        for (let corner = 0; corner < 3; corner++) {
            const at = (3 * t + corner) * words, px = along(across, floats, at), py = along(down, floats, at), high = floats[at + 1] ?? 0;
            begins ||= within(x, px) && within(y, py) && within(height, high);
            ends &&= within(/** @type {Range} */ (farX), px) && within(/** @type {Range} */ (farY), py) && within(/** @type {Range} */ (farHeight), high);
        }
        strays[t] = Number(!begins);
        const hull = !begins || !ends ? undefined : hulls[of.isSingle(t) ? seenFrom(floats, 3 * t * words, words) : 0];
        if (!hull) continue;
        const { best, points } = hull;
        shown++;
        for (let corner = 0; corner < 3; corner++) {
            const at = (3 * t + corner) * words;
            for (let one = 0; one < directions; one += step) {
                const value = along(/** @type {number[]} */ (around[one]), floats, at);
                if (value <= /** @type {number} */ (best[one])) continue;
                best[one] = value;
                points.set(floats.subarray(at, at + 3), 3 * one);
            }
        }
    }
    const [points, steep] = /** @type {[Float32Array, Float32Array]} */ (hulls.map((one) => one.points.filter((_, index) => one.best[Math.floor(index / 3)] !== -Infinity)));
    return { strays, points: shown ? points : new Float32Array(things.flat()), steep, areas: sampled, fences: { x, y, height } };
}
