// SPDX-License-Identifier: MIT
// Reads a model by three.js, moves a thing (PATH, by one metre to the right) or nothing, and writes it again, as editors that are made with it do:
// node edit.mjs IN.glb OUT.glb [PATH]
import { readFileSync, writeFileSync } from 'node:fs';

// What Node lacks of a browser, and three.js uses for binary files.
globalThis.self = globalThis;
globalThis.ProgressEvent ??= class {};
globalThis.FileReader = class {
    /** @param {Blob} blob */
    async readAsArrayBuffer(blob) {
        this.result = await blob.arrayBuffer();
        this.onloadend();
    }
};
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
const { GLTFExporter } = await import('three/examples/jsm/exporters/GLTFExporter.js');
const [from, to, path] = process.argv.slice(2);
const bytes = readFileSync(from);
const { scene } = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
if (path) {
    const found = [];
    scene.traverse((node) => node.userData.path === path && found.push(node));
    if (found.length !== 1) throw new Error(`${found.length} things are called ${path}`);
    scene.attach(found[0]); // in the world
    found[0].position.x += 1;
}
writeFileSync(to, Buffer.from(await new GLTFExporter().parseAsync(scene, { binary: true, onlyVisible: false })));
