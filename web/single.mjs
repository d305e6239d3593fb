// SPDX-License-Identifier: MIT
// Puts the whole page, with the module and the samples, into one HTML file that opens from a disk: a classic script, and the worker from a blob,
// since browsers load no modules, no workers and no files from file: addresses.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';

/** What it may take on a disk. */
const limit = 3000000;

const ownImport = /^(?:import|export) .*from '(\.[^']*)';$/gm, anyImport = /^(?:import|export) .*from '(\.[^']*)';$|\bimport\('(\.[^']*)'\)/gm;

/** The modules that one needs, itself last. @param {string} file @param {boolean} later  also those that it loads later @param {Set<string>} [found] */
export function modulesOf(file, later, found = new Set()) {
    const text = readFileSync(file, 'utf8');
    for (const [, own, other] of text.matchAll(later ? anyImport : ownImport)) {
        const needed = join(file, '..', own ?? other ?? '');
        if (!found.has(needed)) modulesOf(needed, later, found);
    }
    return found.add(file);
}

/** A classic script that does what a module does. `start` is what it does with the modules. @param {string} entry @param {string} start */
function scriptOf(entry, start) {
    const modules = [...modulesOf(entry, true)].map((file) => {
        const text = readFileSync(file, 'utf8').replaceAll('import.meta.url', 'location.href');
        const { outputText } = ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, removeComments: true } });
        return `${JSON.stringify(basename(file))}: (exports, require) => {${outputText}}`;
    });
    return `(() => { const made = {}, modules = {${modules.join(',\n')}};
const load = (name) => { const id = name.split('/').at(-1); if (!made[id]) modules[id](made[id] = {}, load); return made[id]; };
${start} })();`.replaceAll('</script', '<\\/script');
}

/** @param {string} folder @param {string} [under] @returns {string[]} */
const filesIn = (folder, under = '') => readdirSync(join(folder, under), { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? filesIn(folder, join(under, one.name)) : [join(under, one.name)]));

/** @param {string} text */
const digest = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Writes the file; false: it is too large. @param {string} to */
export function makeSingle(to) {
    const samples = Object.fromEntries(filesIn('dist/samples').filter((name) => name !== 'start.png').map((name) => [`samples/${name}`, readFileSync(join('dist/samples', name)).toString('base64')]));
    /** @param {string} id @param {string | Uint8Array} content */
    const packed = (id, content) => `<script type="text/plain" id="${id}">${gzipSync(content, { level: 9 }).toString('base64')}</script>\n`;
    const script = scriptOf('page/main.js', `
const unpacked = (id) => new Response(new Blob([Uint8Array.from(atob(document.getElementById(id).textContent), (one) => one.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('gzip')));
Promise.all([unpacked('packed-module').arrayBuffer(), unpacked('packed-worker').blob(), unpacked('packed-samples').json()]).then(([wasm, worker, samples]) => {
    globalThis.mapstoneParts = { wasm, worker: URL.createObjectURL(worker), samples };
    load('main.js');
});`);
    const style = readFileSync('page/style.css', 'utf8');
    const policy = `default-src 'none'; script-src ${digest(script)} 'wasm-unsafe-eval'; style-src ${digest(style)}; connect-src 'none'; img-src blob: data:; worker-src blob:; base-uri 'none'; form-action 'none'`;
    /** @type {[RegExp, string][]} */
    const changes = [
        [/(?<=http-equiv="Content-Security-Policy" content=")[^"]*/, policy], [/<link rel="stylesheet"[^>]*>/, `<style>${style}</style>`], [/<script type="module"[^>]*><\/script>\n/, ''],
        [/samples\/start\.png/, `data:image/png;base64,${readFileSync('dist/samples/start.png').toString('base64')}`],
        [/<\/body>/, `${packed('packed-module', readFileSync('dist/mapstone.wasm'))}${packed('packed-worker', scriptOf('page/worker.js', "load('worker.js');"))}${packed('packed-samples', JSON.stringify(samples))}<script>${script}</script>\n</body>`],
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

if (process.argv[1]?.endsWith('/single.mjs')) process.exit(makeSingle('../out/web/mapstone.html') ? 0 : 1);
