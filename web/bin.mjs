#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// The command `mapstone` as WebAssembly, for every system that Node runs on. It lacks threads, the page of `mapstone view`,
// archives other than .zip and .kpf, and links that lead out of a directory.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, parse, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const windows = process.platform === 'win32';

/**
 * A path as the command sees it: there is nothing outside its root, so `..` cannot lead out of the working directory.
 * Windows drives appear as directories with one-letter names.
 * @param {string} argument
 */
function translate(argument) {
    const path = /^\.\.(?:[\\/]|$)/.test(argument) ? resolve(argument) : argument;
    if (!windows || !(/^[a-z]:[\\/]/i.test(path) || (path.includes('\\') && existsSync(dirname(path))))) return path;
    return path.replace(/^([a-z]):/i, (_, drive) => `/${drive.toLowerCase()}`).replaceAll('\\', '/');
}

/** @returns {Record<string, string>} the directories that the command sees, and their real paths */
function directories() {
    if (windows) {
        const drives = [process.cwd(), ...process.argv.slice(2)].map((path) => parse(resolve(path)).root).filter((root) => /^[a-z]:/i.test(root));
        return { '.': process.cwd(), ...Object.fromEntries(drives.map((root) => [`/${root[0]?.toLowerCase()}`, root])) };
    }
    // wasi-libc treats '/' and '.' as the same, but distinguishes the directories in '/'.
    const below = readdirSync('/', { withFileTypes: true }).map((entry) => `/${entry.name}`).filter((path) => {
        try {
            accessSync(path, constants.R_OK | constants.X_OK);
            readdirSync(path);
            return true;
        } catch {
            return false; // a file, or without permission to read
        }
    });
    return { '.': process.cwd(), ...Object.fromEntries(below.map((path) => [path, path])) };
}

// With threads of its own, or V8's fast calls, node 20 crashes in some programs for WASI.
const settings = ['--no-warnings', '--single-threaded', '--no-turbo-fast-api-calls'];
if (settings.every((setting) => process.execArgv.includes(setting))) {
    const { WASI } = await import('node:wasi');
    const module = new WebAssembly.Module(readFileSync(new URL('command.wasm', import.meta.url)));
    const wasi = new WASI({ version: 'preview1', args: ['mapstone', ...process.argv.slice(2).map(translate)], env: process.env, preopens: directories(), returnOnExit: true });
    process.exitCode = wasi.start(new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport }));
} else {
    const ended = spawnSync(process.execPath, [...settings, fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
    process.exitCode = ended.status ?? 1;
}
