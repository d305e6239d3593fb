// SPDX-License-Identifier: MIT
/**
 * Converts a scene to the arrays that the graphics card draws: for each material one run of triangles in world coordinates, with
 * three vertices each, so that a vertex's number identifies its triangle.
 */

/** Bytes of a vertex: position (3 floats), normal (3 signed bytes, and 127 for strays), texture (2 floats), colour (4 bytes). */
export const vertexBytes = 28;

/** @typedef {import('../mapstone.js').Scene} Scene */
/**
 * A run of triangles of one primitive of one node.
 * @typedef {object} Part
 * @property {number} node
 * @property {number} primitive
 * @property {number} first  the first triangle
 * @property {number} count
 * @property {number} group  index of its group in `groups`
 */
/**
 * @typedef {object} Baked
 * @property {ArrayBuffer} vertices
 * @property {number} triangles
 * @property {number} seen  the number of leading triangles that players see; all, if they see none
 * @property {{material: number, first: number, count: number, unseen?: boolean}[]} batches  one for each material, opaque ones first; then the same for triangles that players do not see
 * @property {Part[]} parts  in the order of their triangles
 * @property {{layer: string, role: string, className: string, triangles: number}[]} groups
 */

/** @param {Float64Array} to @param {number} at @param {number[]} t @param {number[]} q @param {number[]} s */
function compose(to, at, [tx = 0, ty = 0, tz = 0], [x = 0, y = 0, z = 0, w = 1], [sx = 1, sy = 1, sz = 1]) {
    to[at] = (1 - 2 * (y * y + z * z)) * sx;
    to[at + 1] = 2 * (x * y + z * w) * sx;
    to[at + 2] = 2 * (x * z - y * w) * sx;
    to[at + 3] = 2 * (x * y - z * w) * sy;
    to[at + 4] = (1 - 2 * (x * x + z * z)) * sy;
    to[at + 5] = 2 * (y * z + x * w) * sy;
    to[at + 6] = 2 * (x * z + y * w) * sz;
    to[at + 7] = 2 * (y * z - x * w) * sz;
    to[at + 8] = (1 - 2 * (x * x + y * y)) * sz;
    to[at + 9] = tx;
    to[at + 10] = ty;
    to[at + 11] = tz;
}

/** Twelve numbers for each node: three columns and a translation, to the world. @param {Scene['nodes']} nodes */
export function worldMatrices(nodes) {
    const all = new Float64Array(12 * nodes.length), own = new Float64Array(12);
    nodes.forEach((node, index) => {
        const to = 12 * index, from = 12 * (node.parent ?? -1);
        if (from < 0 || from >= to) return compose(all, to, node.translation, node.rotation, node.scale); // parents precede their children
        compose(own, 0, node.translation, node.rotation, node.scale);
        const p = (/** @type {number} */ i) => /** @type {number} */ (all[from + i]);
        for (let column = 0; column < 4; column++) {
            const [x = 0, y = 0, z = 0] = own.subarray(3 * column, 3 * column + 3), last = column === 3 ? 1 : 0;
            for (let row = 0; row < 3; row++) all[to + 3 * column + row] = p(row) * x + p(3 + row) * y + p(6 + row) * z + last * p(9 + row);
        }
    });
    return all;
}

/** Square roots: the renderer squares them. */
const gamma = new Uint8Array(1025).map((_, index) => Math.round(255 * Math.sqrt(index / 1024)));
/** A linear colour as a byte. @param {number} linear */
const encoded = (linear) => /** @type {number} */ (gamma[Math.min(1024, Math.max(0, Math.round(linear * 1024)))]);

/** Whether the role is invisible to players. @param {{role: string}} one */
export const isUnseen = ({ role }) => role === 'collision' || role === 'helper';

/** @param {Scene} scene @returns {Baked} */
export function bake(scene) {
    /** @type {Baked['groups']} */ const groups = [];
    /** @type {Map<string, number>} */ const groupOf = new Map();
    /** @type {{node: number, primitive: number, material: number, group: number, count: number}[]} */ const pieces = [];
    scene.nodes.forEach((node, index) => {
        const mesh = node.mesh === undefined ? undefined : scene.meshes[node.mesh];
        if (!mesh) return;
        const key = `${node.layer ?? ''}\n${node.role}\n${node.className ?? ''}`;
        let group = groupOf.get(key);
        if (group === undefined) {
            group = groups.push({ layer: node.layer ?? '', role: node.role, className: node.className ?? '', triangles: 0 }) - 1;
            groupOf.set(key, group);
        }
        mesh.primitives.forEach((part, primitive) => {
            const count = Math.floor((part.indices ? part.indexCount : part.vertexCount) / 3);
            const to = groups[/** @type {number} */ (group)];
            if (to) to.triangles += count;
            if (count) pieces.push({ node: index, primitive, material: part.material ?? -1, group: /** @type {number} */ (group), count });
        });
    });
    const blends = (/** @type {number} */ material) => Number(scene.materials[material]?.alphaMode === 'blend');
    const unseen = (/** @type {number} */ group) => isUnseen(groups[group] ?? { role: '' });
    pieces.sort((a, b) => Number(unseen(a.group)) - Number(unseen(b.group)) || blends(a.material) - blends(b.material) || a.material - b.material || a.group - b.group);
    const triangles = pieces.reduce((sum, one) => sum + one.count, 0);
    const vertices = new ArrayBuffer(triangles * 3 * vertexBytes), matrices = worldMatrices(scene.nodes);
    /** @type {Baked['batches']} */ const batches = [];
    /** @type {Part[]} */ const parts = [];
    let at = 0;
    for (const { node, primitive, material, group, count } of pieces) {
        let batch = batches.at(-1);
        if (!batch || batch.material !== material || Boolean(batch.unseen) !== unseen(group)) batches.push((batch = { material, first: at, count: 0, ...(unseen(group) ? { unseen: true } : null) }));
        batch.count += count;
        parts.push({ node, primitive, first: at, count, group });
        put(vertices, at, count, scene.meshes[scene.nodes[node]?.mesh ?? -1]?.primitives[primitive], matrices.subarray(12 * node, 12 * node + 12));
        at += count;
    }
    const seen = batches.find((one) => one.unseen)?.first || triangles;
    return { vertices, triangles, seen, batches, parts, groups };
}

/** Marks the strays: triangles far from the others. @param {ArrayBuffer} vertices @param {Uint8Array} strays */
export function markStrays(vertices, strays) {
    const signed = new Int8Array(vertices);
    strays.forEach((stray, triangle) => {
        for (let corner = 0; corner < 3; corner++) signed[(3 * triangle + corner) * vertexBytes + 15] = stray ? 127 : 0;
    });
}

/** @param {ArrayBuffer} vertices @param {number} first @param {number} count @param {import('../mapstone.js').Primitive | undefined} part @param {Float64Array} m */
function put(vertices, first, count, part, m) {
    if (!part) return;
    const floats = new Float32Array(vertices), bytes = new Uint8Array(vertices), signed = new Int8Array(vertices);
    const [m0 = 0, m1 = 0, m2 = 0, m3 = 0, m4 = 0, m5 = 0, m6 = 0, m7 = 0, m8 = 0, m9 = 0, m10 = 0, m11 = 0] = m;
    // A mirrored mesh reverses the winding.
    const mirrored = m0 * (m4 * m8 - m5 * m7) - m3 * (m1 * m8 - m2 * m7) + m6 * (m1 * m5 - m2 * m4) < 0;
    const { positions, normals, texcoords, colors, indices } = part;
    const words = vertexBytes / 4;
    for (let triangle = 0; triangle < count; triangle++) {
        const base = (first + triangle) * 3 * words;
        for (let corner = 0; corner < 3; corner++) {
            const number = 3 * triangle + (mirrored ? 2 - corner : corner), v = indices ? /** @type {number} */ (indices[number]) : number;
            const x = positions[3 * v] ?? 0, y = positions[3 * v + 1] ?? 0, z = positions[3 * v + 2] ?? 0, to = base + corner * words;
            floats[to] = m0 * x + m3 * y + m6 * z + m9;
            floats[to + 1] = m1 * x + m4 * y + m7 * z + m10;
            floats[to + 2] = m2 * x + m5 * y + m8 * z + m11;
            if (normals) {
                const nx = normals[3 * v] ?? 0, ny = normals[3 * v + 1] ?? 0, nz = normals[3 * v + 2] ?? 0;
                putNormal(signed, 4 * to + 12, m0 * nx + m3 * ny + m6 * nz, m1 * nx + m4 * ny + m7 * nz, m2 * nx + m5 * ny + m8 * nz);
            }
            if (texcoords) {
                floats[to + 4] = texcoords[2 * v] ?? 0;
                floats[to + 5] = texcoords[2 * v + 1] ?? 0;
            }
            for (let i = 0; i < 4; i++) bytes[4 * to + 24 + i] = !colors ? 255 : i < 3 ? encoded(colors[4 * v + i] ?? 1) : Math.round(255 * Math.min(1, Math.max(0, colors[4 * v + 3] ?? 1)));
        }
        if (!normals) flat(floats, signed, base, words);
    }
}

/** @param {Int8Array} to @param {number} at @param {number} x @param {number} y @param {number} z */
function putNormal(to, at, x, y, z) {
    const length = Math.hypot(x, y, z) || 1;
    to[at] = (127 * x) / length;
    to[at + 1] = (127 * y) / length;
    to[at + 2] = (127 * z) / length;
}

/** The normal of a triangle whose mesh has none. @param {Float32Array} floats @param {Int8Array} signed @param {number} base @param {number} words */
function flat(floats, signed, base, words) {
    const f = (/** @type {number} */ corner, /** @type {number} */ axis) => /** @type {number} */ (floats[base + corner * words + axis]);
    const ux = f(1, 0) - f(0, 0), uy = f(1, 1) - f(0, 1), uz = f(1, 2) - f(0, 2), vx = f(2, 0) - f(0, 0), vy = f(2, 1) - f(0, 1), vz = f(2, 2) - f(0, 2);
    for (let corner = 0; corner < 3; corner++) putNormal(signed, 4 * (base + corner * words) + 12, uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}
