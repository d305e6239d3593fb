// SPDX-License-Identifier: MIT
// Runs a wasm32-wasi program in node as if it were a native one:
//   node --no-warnings --single-threaded --no-turbo-fast-api-calls wasi-run.mjs ...
// (With threads of its own, node 20 ends in native crashes in some of these programs; also with V8's fast calls,
// which forbid garbage collection, while node's WASI reports memory to V8, which collects.) It sees the files
// below the working directory (relative paths) and everything else (absolute ones).
//
// A test program that tests/cross/cmocka.h runs ends at a failed or skipped test with 0x10000 + 4 * test + result
// (1 failed, 2 skipped); it is then started again after that test.
import { accessSync, constants, readFileSync, readdirSync } from 'node:fs';
import { WASI } from 'node:wasi';

const [program, ...rest] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(program));
// wasi-libc treats '/' and '.' as the same; the directories below '/' are distinguished.
const preopens = { '.': process.cwd() };
for (const entry of readdirSync('/', { withFileTypes: true })) {
  const path = `/${entry.name}`;
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    if (entry.isDirectory()) preopens[path] = path;
  } catch {
    // not readable by us
  }
}
let first = 0;
let failed = false;
let code;
for (;;) {
  const wasi = new WASI({
    version: 'preview1',
    args: [program, ...rest],
    env: { ...process.env, SHIM_FIRST: String(first) },
    preopens,
    returnOnExit: true,
  });
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport });
  try {
    code = wasi.start(instance);
  } catch (error) {
    // A trap: a bad memory access, too deep a stack, abort().
    process.stderr.write(`wasi-run: ${program}: ${error}\n${error.stack ?? ''}\n`);
    code = 134;
  }
  if (code < 0x10000) break;
  failed ||= (code & 3) === 1;
  first = ((code - 0x10000) >> 2) + 1;
}
process.exitCode = failed && code === 0 ? 1 : code;
