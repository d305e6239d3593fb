// SPDX-License-Identifier: MIT
/** Fingerprints of a scene's parts: after an edit, only parts whose fingerprints differ are made again. */

/** @typedef {import('../mapstone.js').Scene} Scene */

/** Continues a hash over an array, word by word (FNV-1a). @param {number} sum @param {ArrayBufferView | undefined} array */
function over(sum, array) {
    if (!array) return Math.imul(sum ^ 1, 16777619);
    const words = new Uint32Array(array.buffer, array.byteOffset, array.byteLength >> 2);
    for (let i = 0; i < words.length; i++) sum = Math.imul(sum ^ /** @type {number} */ (words[i]), 16777619);
    return Math.imul(sum ^ array.byteLength, 16777619);
}

/** Two hashes, so that collisions are improbable. @param {(ArrayBufferView | undefined)[]} arrays */
const numberOf = (...arrays) => [2166136261, 40503].map((begin) => arrays.reduce(over, begin) >>> 0).join('.');

/** The nodes that have meshes. @param {Scene['nodes']} nodes */
export const meshNodes = (nodes) => nodes.flatMap(({ mesh }, index) => (mesh === undefined ? [] : [index]));

/** The fingerprint of everything that surfaces are drawn from. @param {Scene} scene @param {Float64Array} matrices  twelve numbers for each node */
export function surfacePrint({ nodes, meshes, materials, images }, matrices) {
    const placed = meshNodes(nodes).map((index) => {
        const { mesh, role, layer, className } = nodes[index] ?? {};
        return [mesh, role, layer, className, ...matrices.subarray(12 * index, 12 * index + 12)];
    });
    const shapes = meshes.map(({ primitives }) => primitives.map(({ material, vertexCount, indexCount, positions, normals, texcoords, colors, indices }) => [material, vertexCount, indexCount, numberOf(positions, normals, texcoords, colors, indices)]));
    return JSON.stringify([placed, shapes, materials, images.map(({ name, width, height, pixels }) => [name, width, height, numberOf(pixels)])]);
}

/** The fingerprint of everything that the light and the strays depend on: lamps, and positions of things. @param {Scene} scene @param {Float64Array} matrices */
export const lookPrint = ({ nodes, lights, gridStep }, matrices) => JSON.stringify([lights, gridStep, nodes.flatMap(({ role, light }, index) => (light !== undefined || role === 'entity' || role === 'camera' ? [light ?? -1, numberOf(matrices.subarray(12 * index, 12 * index + 12))] : []))]);
