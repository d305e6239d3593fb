// SPDX-License-Identifier: MIT
/**
 * The light of a level's lamps, without shadows, computed as in src/export/lamps.c and shade.c: for each cell of a grid the amount
 * of ambient light and the main direction of light, so that a surface of any orientation can be lit there.
 */

/** @typedef {import('../mapstone.js').Scene} Scene */
/** @typedef {import('./extent.js').Triangles} Triangles */
/** @typedef {{position: number[], ahead: number[], color: number[], reach: number, inner: number, outer: number, directional: boolean}} Lamp */
/**
 * @typedef {object} Light
 * @property {Float32Array[]} cells    four numbers for each cell, x first, then y and z: the mean red, green and blue; and a vector towards the main source: light on a surface is multiplied by 1 + the vector's product with the normal
 * @property {number[]} counts         of cells
 * @property {number[]} low            the lowest corner
 * @property {number[]} size           of all cells together
 * @property {number} rest             the light that is the same everywhere
 */

/** Target brightness of surfaces: lit by lamps, and the rest; prelit; textured. As in shade.c. */
const meanRoot = 0.42, restMean = 0.06, prelitMean = 0.17, paintedMean = 0.17, prelitMost = 80, paintedMost = 4;
/** The brightness of colours of materials whose textures are missing. */
const quietMean = 0.19;
const mostCells = 60000, mostLooked = 8000, mostWork = 6e7;
const shares = [0.2126, 0.7152, 0.0722];

/** @param {number} value @param {number} low @param {number} high */
const clamped = (value, low, high) => Math.min(high, Math.max(low, value));
/** @param {number} value */
const toned = (value) => (value * (1 + value / 9)) / (1 + value);
/** @param {number} byte */
const linear = (byte) => (byte / 255) ** 2;

/** @param {Scene} scene @param {Float64Array} matrices  twelve numbers for each node @returns {Lamp[]} */
function lampsOf(scene, matrices) {
    return scene.nodes.flatMap((node, index) => {
        const light = scene.lights[node.light ?? -1], m = matrices.subarray(12 * index, 12 * index + 12);
        if (!light) return [];
        const length = Math.hypot(m[6] ?? 0, m[7] ?? 0, m[8] ?? 0), directional = light.kind === 'directional', color = light.color.map((one) => one * light.intensity);
        if (!(color.reduce((sum, one) => sum + one, 0) > 0) || (!length && light.kind !== 'point')) return [];
        const spot = light.kind === 'spot';
        return [{
            position: [...m.subarray(9, 12)], ahead: [6, 7, 8].map((at) => -(m[at] ?? 0) / (length || 1)), color, directional, reach: light.range > 0 && !directional ? light.range : Infinity,
            inner: spot ? Math.cos(light.innerAngle) : -2, outer: spot ? Math.cos(light.outerAngle) : -2,
        }];
    });
}

/** The strength and direction of a lamp at a point; 0: none. @param {Lamp} one @param {number[]} point @param {number[]} from  receives the direction */
function lightAt({ position, ahead, reach, inner, outer, directional }, point, from) {
    if (directional) return ahead.forEach((value, axis) => (from[axis] = -value)), 1;
    let squared = 0, along = 0;
    for (let axis = 0; axis < 3; axis++) {
        const way = /** @type {number} */ (position[axis]) - /** @type {number} */ (point[axis]);
        from[axis] = way;
        squared += way * way;
        along -= way * /** @type {number} */ (ahead[axis]);
    }
    const share = squared / (reach * reach), away = Math.sqrt(squared) || 1e-9, cosine = along / away;
    if (share >= 1 || cosine <= outer) return 0;
    for (let axis = 0; axis < 3; axis++) from[axis] = /** @type {number} */ (from[axis]) / away;
    return (reach < Infinity ? (1 - share) ** 2 : 1 / (squared + 0.5)) * (cosine >= inner ? 1 : (cosine - outer) / (inner - outer));
}

/** @param {Lamp[]} lamps @param {Float32Array} points  around the level @returns {Light} */
function fill(lamps, points) {
    const low = [0, 1, 2].map((axis) => points.reduce((least, value, index) => (index % 3 === axis ? Math.min(least, value) : least), Infinity) - 0.5);
    const size = low.map((least, axis) => points.reduce((top, value, index) => (index % 3 === axis ? Math.max(top, value) : top), -Infinity) + 0.5 - least);
    const cells = Math.min(mostCells, Math.max(512, mostWork / lamps.length / 8)), side = Math.max(0.4, Math.cbrt(size.reduce((all, one) => all * one, 1) / cells));
    const counts = size.map((one) => clamped(Math.ceil(one / side), 2, 128)), [nx = 2, ny = 2, nz = 2] = counts, step = size.map((one, axis) => one / (counts[axis] ?? 1));
    const mean = new Float32Array(4 * nx * ny * nz), main = new Float32Array(4 * nx * ny * nz), from = [0, 0, 0], point = [0, 0, 0];
    for (const one of lamps) {
        const [begin, end] = [-1, 1].map((way) => low.map((least, axis) => clamped(Math.floor(((one.position[axis] ?? 0) + way * (one.directional ? Infinity : one.reach) - least) / (step[axis] ?? 1)) + Math.max(0, way), 0, counts[axis] ?? 0)));
        const [x0 = 0, y0 = 0, z0 = 0] = begin ?? [], [x1 = 0, y1 = 0, z1 = 0] = end ?? [];
        for (let z = z0; z < z1; z++)
            for (let y = y0; y < y1; y++)
                for (let x = x0; x < x1; x++) {
                    point[0] = (low[0] ?? 0) + (x + 0.5) * (step[0] ?? 0);
                    point[1] = (low[1] ?? 0) + (y + 0.5) * (step[1] ?? 0);
                    point[2] = (low[2] ?? 0) + (z + 0.5) * (step[2] ?? 0);
                    const strength = lightAt(one, point, from), at = 4 * ((z * ny + y) * nx + x);
                    if (!strength) continue;
                    let bright = 0;
                    for (let c = 0; c < 3; c++) {
                        const share = 0.25 * strength * /** @type {number} */ (one.color[c]);
                        bright += share * /** @type {number} */ (shares[c]);
                        mean[at + c] = /** @type {number} */ (mean[at + c]) + share;
                    }
                    for (let axis = 0; axis < 3; axis++) main[at + axis] = /** @type {number} */ (main[at + axis]) + 2 * bright * /** @type {number} */ (from[axis]);
                    main[at + 3] = /** @type {number} */ (main[at + 3]) + bright;
                }
    }
    for (let at = 0; at < main.length; at += 4) for (let axis = 0; axis < 3; axis++) main[at + axis] = /** @type {number} */ (main[at + axis]) / (main[at + 3] || 1);
    return { cells: [mean, main], counts, low, size, rest: 0 };
}

/** The light on a surface. @param {Light} light @param {number} c @param {number[]} point @param {number[]} normal */
function litBy({ cells, counts, low, size }, c, point, normal) {
    const [x = 0, y = 0, z = 0] = point.map((one, axis) => clamped(Math.floor(((one - (low[axis] ?? 0)) / (size[axis] ?? 1)) * (counts[axis] ?? 1)), 0, (counts[axis] ?? 1) - 1));
    const at = 4 * ((z * (counts[1] ?? 1) + y) * (counts[0] ?? 1) + x), [mean, main] = cells;
    return (mean?.[at + c] ?? 0) * Math.max(0, normal.reduce((sum, one, axis) => sum + one * (main?.[at + axis] ?? 0), 1));
}

/** The mean colour of an image, linear. @param {{pixels: Uint8Array}} image */
export function meanOf({ pixels }) {
    const sum = [0, 0, 0], step = 4 * Math.max(1, Math.floor(pixels.length / 4 / 500));
    let count = 0;
    for (let i = 0; i < pixels.length; i += step, count++) sum.forEach((value, c) => (sum[c] = value + linear(pixels[i + c] ?? 0)));
    return sum.map((one) => one / Math.max(1, count));
}

/**
 * Computes how surfaces of a scene are lit, for the renderer.
 * @param {Scene} scene @param {Float64Array} matrices @param {Triangles & {batches: import('./bake.js').Baked['batches']}} of @param {ReturnType<typeof import('./extent.js').extentOf>} extent @param {number[][]} means  the mean colours of its images
 */
export function lightOf(scene, matrices, { floats, words, triangles, batches }, { strays, points, areas: { limit } }, means) {
    const lamps = lampsOf(scene, matrices), light = lamps.length && points.length ? fill(lamps, points) : null;
    const bytes = new Uint8Array(floats.buffer), signed = new Int8Array(floats.buffer), step = Math.ceil(triangles / mostLooked) || 1;
    /** @type {{lit: number, own: number, weight: number}[]} */ const looked = [];
    const bright = { prelit: [0, 0], painted: [0, 0] };
    for (const { material: index, first, count } of batches) {
        const material = scene.materials[index], image = means[material?.image ?? -1], quiet = scene.images[material?.image ?? -1]?.name === 'placeholder';
        for (let t = first; t < Math.min(first + count, triangles); t += step) {
            if (strays[t]) continue;
            const at = 3 * t * words, corner = (/** @type {number} */ k, /** @type {number} */ axis) => floats[at + k * words + axis] ?? 0;
            const normal = [0, 1, 2].map((axis) => (signed[4 * at + 12 + axis] ?? 0) / 127), point = [0, 1, 2].map((axis) => (corner(0, axis) + corner(1, axis) + 2 * corner(2, axis)) / 4);
            const u = [0, 1, 2].map((axis) => corner(1, axis) - corner(0, axis)), v = [0, 1, 2].map((axis) => corner(2, axis) - corner(0, axis));
            const area = Math.hypot((u[1] ?? 0) * (v[2] ?? 0) - (u[2] ?? 0) * (v[1] ?? 0), (u[2] ?? 0) * (v[0] ?? 0) - (u[0] ?? 0) * (v[2] ?? 0), (u[0] ?? 0) * (v[1] ?? 0) - (u[1] ?? 0) * (v[0] ?? 0)) / 2, weight = Math.min(area, limit || area);
            let own = 0, lit = 0;
            for (let c = 0; c < 3; c++) {
                const color = quiet ? quietMean : clamped((material?.color[c] ?? 0.5) * (image?.[c] ?? 1) * (material?.unlit ? linear(bytes[4 * at + 24 + c] ?? 255) : 1), 0, 1);
                own += (shares[c] ?? 0) * color;
                if (light && !material?.unlit) lit += (shares[c] ?? 0) * color * litBy(light, c, point, normal);
            }
            if (material && (material.unlit || image) && (material.unlit || material.doubleSided || (normal[1] ?? 0) > -0.5)) {
                const to = bright[material.unlit ? 'prelit' : 'painted'];
                to[0] = (to[0] ?? 0) + own * weight;
                to[1] = (to[1] ?? 0) + weight;
            }
            if (!material?.unlit && (normal[1] ?? 0) >= -0.5) looked.push({ lit, own, weight });
        }
    }
    const factor = (/** @type {number[]} */ [sum = 0, weight = 0], /** @type {number} */ wanted, /** @type {number} */ top) => (sum > 0 ? clamped((wanted * weight) / sum, 1, top) : 1);
    if (light) scaleTo(light, looked);
    return { light, prelit: factor(bright.prelit, prelitMean, prelitMost), painted: light ? 1 : factor(bright.painted, paintedMean, paintedMost) };
}

/** Scales the light so that surfaces have medium brightness on average. @param {Light} light @param {{lit: number, own: number, weight: number}[]} looked */
function scaleTo(light, looked) {
    const weight = looked.reduce((sum, one) => sum + one.weight, 0), mean = looked.reduce((sum, one) => sum + one.own * one.weight, 0);
    light.rest = mean > 0 ? (restMean * weight) / mean : 1;
    let low = 1e-9, high = 1e9, power = 1;
    for (let i = 0; i < 40; i++) {
        power = Math.sqrt(low * high);
        const sum = looked.reduce((all, one) => all + Math.sqrt(toned(one.lit * power + one.own * light.rest)) * one.weight, 0);
        if (sum < meanRoot * weight) low = power;
        else high = power;
    }
    light.cells[0]?.forEach((value, index, all) => (all[index] = value * power));
}
