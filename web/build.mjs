// SPDX-License-Identifier: MIT
// Makes web/dist/, the npm package and the page, the page as one file, and packs the package; prints the sizes and fails if one is over its limit.
//   node build.mjs MODULE LOOK COMMAND LICENCES VERSION      (in web/; `make web` calls it)
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { makePage } from './page.mjs';
import { makeSingle } from './single.mjs';

const [module = '', look = '', command = '', licences = '', version = ''] = process.argv.slice(2);

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');
cpSync(module, 'dist/mapstone.wasm');
cpSync(look, 'dist/look.wasm');
cpSync(command, 'dist/command.wasm');
cpSync('mapstone.js', 'dist/mapstone.js');
cpSync('bin.mjs', 'dist/bin.mjs');
cpSync('README.md', 'dist/README.md');
cpSync('../LICENSE', 'dist/LICENSE');
const notices = readdirSync(licences).map((name) => `---- ${name} ----\n\n${readFileSync(`${licences}/${name}`, 'utf8').trim()}\n`);
writeFileSync('dist/LICENSES.txt', `mapstone.wasm, look.wasm and command.wasm contain mapstone (LICENSE), wasi-libc, and these libraries:\n\n${notices.join('\n')}`);
const { devDependencies: _, ...about } = JSON.parse(readFileSync('package.json', 'utf8'));
writeFileSync('dist/package.json', `${JSON.stringify({ ...about, version }, null, 2)}\n`);
execFileSync('node_modules/.bin/biome', ['lint', '--error-on-warnings'], { stdio: 'inherit' });
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.json'], { stdio: 'inherit' });
execFileSync('node_modules/.bin/tsc', ['mapstone.js', '--allowJs', '--checkJs', '--strict', '--declaration', '--emitDeclarationOnly', '--target', 'es2022',
    '--module', 'nodenext', '--lib', 'es2022,dom', '--types', 'node', '--skipLibCheck', '--outDir', 'dist'], { stdio: 'inherit' });

// Limits of the downloads, in bytes after brotli.
/** @type {Record<string, number>} */
const limits = JSON.parse(readFileSync('sizes.json', 'utf8'));
let failed = 0;
for (const [name, limit] of Object.entries(limits)) {
    const bytes = readFileSync(`dist/${name}`);
    const packed = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
    const over = packed.length > limit;
    console.log(`${over ? 'OVER ' : 'ok   '} ${name.padEnd(16)} ${String(bytes.length).padStart(9)} bytes, with brotli ${String(packed.length).padStart(7)} of ${limit}`);
    failed += Number(over);
}
failed += Number(!(await makePage()));
failed += Number(!(await makeSingle('../out/web/mapstone.html')));
// npm keeps the files' modes, which depend on the umask of whoever cloned the project.
for (const name of ['package.json', 'README.md', ...about.files]) chmodSync(`dist/${name}`, Object.values(about.bin).includes(name) ? 0o755 : 0o644);
execFileSync('npm', ['pack', '--silent', '--pack-destination', '../../out/web'], { cwd: 'dist', stdio: ['ignore', 'inherit', 'ignore'] });
process.exit(failed ? 1 : 0);
