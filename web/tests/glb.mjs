// SPDX-License-Identifier: MIT
// Replaces the JSON of a GLB, like a program that edits models: a few lines after the specification of glTF 2.0.

/** @param {Uint8Array} glb @param {(model: any) => void} act */
export function withJson(glb, act) {
    const view = new DataView(glb.buffer, glb.byteOffset, glb.length), length = view.getUint32(12, true), rest = glb.subarray(20 + length);
    const model = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
    act(model);
    const text = new TextEncoder().encode(JSON.stringify(model)), padded = (text.length + 3) & ~3, made = new Uint8Array(20 + padded + rest.length).fill(0x20), head = new DataView(made.buffer);
    made.set(glb.subarray(0, 20));
    head.setUint32(8, made.length, true);
    head.setUint32(12, padded, true);
    made.set(text, 20);
    made.set(rest, 20 + padded);
    return made;
}

/** The node of a model that represents an element. @param {any} model @param {string} path */
export function nodeOf(model, path) {
    const found = model.nodes.find((/** @type {any} */ one) => one.extras?.path === path);
    if (!found) throw new Error(`the model has no ${path}`);
    return found;
}
