// SPDX-License-Identifier: MIT
// Makes one HTML file of the whole page, with the module and the samples, that opens from a disk: a classic script, and the worker from a blob,
// since browsers load no modules, workers or files from file: addresses.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { small } from './page.mjs';

/** The most bytes that the file may have. */
const limit = 3000000;

/** Bundles a module, with everything that it loads later, as a classic script. @param {string} entry */
async function scriptOf(entry) {
    const { outputFiles: [made] } = await build({ ...small, bundle: true, format: 'iife', external: ['node:*'], define: { 'import.meta.url': 'location.href' }, entryPoints: [entry], write: false });
    return (made?.text ?? '').replaceAll('</script', '<\\/script');
}

/** @param {string} folder @param {string} [under] @returns {string[]} */
const filesIn = (folder, under = '') => readdirSync(join(folder, under), { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? filesIn(folder, join(under, one.name)) : [join(under, one.name)]));

/** @param {string} text */
const digest = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Writes the file; false if it is too large. @param {string} to */
export async function makeSingle(to) {
    const samples = Object.fromEntries(filesIn('dist/samples').filter((name) => !name.startsWith('start')).map((name) => [`samples/${name}`, readFileSync(join('dist/samples', name)).toString('base64')]));
    /** @param {string} id @param {string | Uint8Array} content */
    const packed = (id, content) => `<script type="text/plain" id="${id}">${gzipSync(content, { level: 9 }).toString('base64')}</script>\n`;
    const script = `
const unpacked = (id) => new Response(new Blob([Uint8Array.from(atob(document.getElementById(id).textContent), (one) => one.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('gzip')));
Promise.all([unpacked('packed-module').arrayBuffer(), unpacked('packed-worker').blob(), unpacked('packed-samples').json()]).then(([wasm, worker, samples]) => {
globalThis.mapstoneParts = { wasm, worker: URL.createObjectURL(worker), samples };
${await scriptOf('page/main.js')}});`;
    const style = readFileSync('dist/page/style.css', 'utf8');
    const policy = `default-src 'none'; script-src ${digest(script)} 'wasm-unsafe-eval'; style-src ${digest(style)}; connect-src 'none'; img-src blob: data:; worker-src blob:; base-uri 'none'; form-action 'none'`;
    /** @type {[RegExp, string][]} */
    const changes = [
        [/(?<=http-equiv="Content-Security-Policy" content=")[^"]*/, policy], [/<link rel="stylesheet"[^>]*>/, `<style>${style}</style>`], [/<script type="module"[^>]*><\/script>\n/, ''],
        [/samples\/start\.png/, `data:image/png;base64,${readFileSync('dist/samples/start.png').toString('base64')}`],
        [/<\/body>/, `${packed('packed-module', readFileSync('dist/mapstone.wasm'))}${packed('packed-worker', await scriptOf('page/worker.js'))}${packed('packed-samples', JSON.stringify(samples))}<script>${script}</script>\n</body>`],
    ];
    let html = readFileSync('page/index.html', 'utf8');
    for (const [what, by] of changes) {
        if (!what.test(html)) throw new Error(`the page has no ${what}`);
        html = html.replace(what, () => by);
    }
    writeFileSync(to, html);
    console.log(`${html.length > limit ? 'OVER ' : 'ok   '} one file        ${String(html.length).padStart(9)} bytes of ${limit}`);
    return html.length <= limit;
}

if (process.argv[1]?.endsWith('/single.mjs')) process.exit((await makeSingle('../out/web/mapstone.html')) ? 0 : 1);
