// SPDX-License-Identifier: MIT
// Adds the page to the package in web/dist/: its modules in a few small files, and the samples of its start page with pictures.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, transform } from 'esbuild';

/** Limits of the page with brotli, without the modules: files that show a level, and files loaded later on demand. */
const limits = { first: 75000, later: 31500 };

/** Options for minifying scripts and styles. */
export const small = /** @type {const} */ ({ minify: true, target: 'es2022', legalComments: 'none', logLevel: 'warning' });

/** The project's JSON of each file of a sample, where the names differ. @type {Record<string, string>} */
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
        const plain = /** @type {const} */ ({ view: 'oblique', map, noEntities: true, noLegend: true, noLabels: true, noGrid: true, transparent: true });
        writeFileSync(`dist/samples/${id}.png`, opened.png({ ...plain, width: 200, height: 140 }));
        if (id === 'islet') writeFileSync('dist/samples/start.png', opened.png({ ...plain, width: 1100, height: 900 }));
        opened.close();
    }
}

/** The service worker, with all files that the page needs, and a version that changes with any of them. @param {string[]} names */
async function keepOffline(names) {
    const needed = ['./', 'look.wasm', 'mapstone.wasm', ...names], sum = createHash('sha256');
    for (const name of ['index.html', ...needed.slice(1)]) sum.update(readFileSync(`dist/${name}`));
    const text = readFileSync('page/offline.js', 'utf8').replace("'VERSION'", `'${sum.digest('hex').slice(0, 16)}'`).replace('const files = []', `const files = ${JSON.stringify(needed)}`);
    writeFileSync('dist/offline.js', (await transform(text, small)).code); // next to the page: its scope
}

/** Makes the page, and prints its download sizes; false if it exceeds a limit. */
export async function makePage() {
    cpSync('page/index.html', 'dist/index.html');
    const { metafile: { outputs } } = await build({ ...small, bundle: true, splitting: true, format: 'esm', external: ['node:*'], entryPoints: ['page/main.js', 'page/worker.js', 'page/style.css'], chunkNames: '[name]-[hash]', outdir: 'dist/page', metafile: true });
    await makeSamples();
    await keepOffline(Object.keys(outputs).map((name) => name.replace(/^dist\//, '')));
    const first = new Set(['dist/index.html', 'dist/offline.js', 'dist/page/style.css']);
    /** Adds a file and its static imports. @param {string} name */
    const add = (name) => {
        if (first.has(name)) return;
        first.add(name);
        for (const { path, kind } of outputs[name]?.imports ?? []) if (kind === 'import-statement') add(path);
    };
    for (const name of ['main', 'worker']) add(`dist/page/${name}.js`);
    let fits = true;
    for (const [part, names] of /** @type {['first' | 'later', string[]][]} */ ([['first', [...first]], ['later', Object.keys(outputs).filter((name) => !first.has(name))]])) {
        const packed = names.reduce((sum, name) => sum + brotliCompressSync(readFileSync(name)).length, 0), over = packed > limits[part];
        console.log(`${over ? 'OVER ' : 'ok   '} the page, ${part.padEnd(6)} ${String(names.length).padStart(7)} files, with brotli ${String(packed).padStart(7)} of ${limits[part]}`);
        fits &&= !over;
    }
    return fits;
}

if (process.argv[1]?.endsWith('/page.mjs')) process.exit((await makePage()) ? 0 : 1);
