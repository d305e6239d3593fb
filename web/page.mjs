// SPDX-License-Identifier: MIT
// Puts the page beside the package in web/dist/: its files, and the samples of its start page with their pictures.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import ts from 'typescript';
import { modulesOf } from './single.mjs';

/** What the page may take with brotli, without the module: what shows a level, and what is loaded when it is needed. */
const limits = { first: 80000, later: 20000 };

/** The project's JSON of each file of a sample, where its name is another. @type {Record<string, string>} */
const sources = { 'valley.map': 'valley', 'outpost.level': 'outpost', 'bunker/L900LEV.MAP': 'bunker', 'bunker/900GFX.BIN': 'bunker-textures' };

/** The JSON that a file is made of, and which of the two files of a pair it is. @param {string} name */
function sourceOf(name) {
    const own = sources[name];
    if (own) return { json: `../samples/${own}.json`, part: 0 };
    if (name.endsWith('.def')) return { json: '', part: 0 };
    const second = name.endsWith('.tab') && !name.endsWith('TRKBLK.tab');
    for (const one of second ? [name.replace(/\.tab$/, '.bin'), name.replace(/\.tab$/, '.zlb.bin')] : [name, name.replace(/\.DAT$/, '')]) {
        const json = `../samples/${one}.json`;
        if (statSync(json, { throwIfNoEntry: false })) return { json, part: Number(second) };
    }
    throw new Error(`no sample makes ${name}`);
}

async function makeSamples() {
    const { load } = await import('./dist/mapstone.js');
    const { samples } = await import('./page/samples.js');
    const library = await load();
    for (const { id, files, level, map } of samples) {
        const made = new Map();
        for (const name of files) {
            const { json, part } = sourceOf(name), text = new Uint8Array(readFileSync(json || `../samples/${name}`));
            if (json) {
                const document = library.open(text, { name: `${name}.json` });
                made.set(name, document.save(part));
                document.close();
            } else made.set(name, text);
            mkdirSync(dirname(join('dist/samples', name)), { recursive: true });
            writeFileSync(join('dist/samples', name), made.get(name));
        }
        const opened = files.length > 1 ? library.openFiles(made, level ? { name: level } : {}) : library.open(made.get(files[0]), { name: files[0] });
        const plain = /** @type {const} */ ({ view: 'oblique', map, noEntities: true, noLegend: true, noLabels: true, noGrid: true });
        writeFileSync(`dist/samples/${id}.png`, opened.png({ ...plain, width: 200, height: 140 }));
        if (id === 'islet') writeFileSync('dist/samples/start.png', opened.png({ ...plain, width: 1100, height: 900 }));
        opened.close();
    }
}

/** The service worker, with all that the page needs, and a version that changes with any of it. @param {string[]} names */
function keepOffline(names) {
    const needed = ['./', 'mapstone.js', 'mapstone.wasm', ...names.filter((name) => name !== 'offline.js').map((name) => `page/${name}`)];
    const sum = createHash('sha256');
    for (const name of ['index.html', ...needed.slice(1)]) sum.update(readFileSync(`dist/${name}`));
    const text = readFileSync('dist/page/offline.js', 'utf8').replace("'VERSION'", `'${sum.digest('hex').slice(0, 16)}'`).replace('const files = []', `const files = ${JSON.stringify(needed)}`);
    rmSync('dist/page/offline.js');
    writeFileSync('dist/offline.js', text); // beside the page, which is what it answers for
}

/** Makes the page, and says how much of it is downloaded; false: it is over its limit. */
export async function makePage() {
    cpSync('page/index.html', 'dist/index.html');
    mkdirSync('dist/page', { recursive: true });
    const files = readdirSync('page').filter((name) => name !== 'index.html');
    // Without their comments, which are half of some of them.
    for (const name of files)
        if (name.endsWith('.js')) writeFileSync(`dist/page/${name}`, ts.transpileModule(readFileSync(`page/${name}`, 'utf8'), { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022, removeComments: true } }).outputText);
        else cpSync(`page/${name}`, `dist/page/${name}`);
    await makeSamples();
    keepOffline(files);
    const first = new Set([...modulesOf('page/main.js', false), ...modulesOf('page/worker.js', false)].map((name) => basename(name)).concat('style.css', 'offline.js'));
    let fits = true;
    for (const [part, wanted] of /** @type {const} */ ([['first', (/** @type {string} */ name) => first.has(name)], ['later', (/** @type {string} */ name) => !first.has(name)]])) {
        const names = files.filter(wanted).map((name) => (name === 'offline.js' ? `dist/${name}` : `dist/page/${name}`)).concat(part === 'first' ? 'dist/index.html' : []);
        const packed = names.reduce((sum, name) => sum + brotliCompressSync(readFileSync(name)).length, 0), over = packed > limits[part];
        console.log(`${over ? 'OVER ' : 'ok   '} the page, ${part.padEnd(6)} ${String(names.length).padStart(7)} files, with brotli ${String(packed).padStart(7)} of ${limits[part]}`);
        fits &&= !over;
    }
    return fits;
}

if (process.argv[1]?.endsWith('/page.mjs')) process.exit((await makePage()) ? 0 : 1);
