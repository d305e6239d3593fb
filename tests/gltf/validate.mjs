// SPDX-License-Identifier: MIT
// Runs the Khronos validator over .glb and .gltf files: node validate.mjs [--json] FILE...
// One line for each file with its counts, and its messages below it; exit status 1 if there is an error or
// a warning anywhere, 2 if a file cannot be read. With --json: one JSON object for each file, one a line.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import validator from 'gltf-validator';

const severities = ['error', 'warning', 'info', 'hint'];
const args = process.argv.slice(2);
const asJson = args.includes('--json');
const files = args.filter((arg) => arg !== '--json');
let status = 0;

if (files.length === 0) {
    console.error('usage: node validate.mjs [--json] FILE...');
    status = 2;
}

for (const file of files) {
    try {
        const bytes = new Uint8Array(await readFile(file));
        const report = await validator.validateBytes(bytes, {
            uri: path.basename(file),
            maxIssues: 1000,
            externalResourceFunction: async (uri) =>
                new Uint8Array(await readFile(path.resolve(path.dirname(file), decodeURIComponent(uri)))),
        });
        const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
        if (numErrors + numWarnings > 0) status = Math.max(status, 1);
        if (asJson) {
            console.log(JSON.stringify({
                file, errors: numErrors, warnings: numWarnings, infos: numInfos, hints: numHints,
                messages, info: report.info,
            }));
        } else {
            console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos, ${numHints} hints`);
            for (const { severity, code, pointer, message } of messages.slice(0, 20))
                console.log(`    ${severities[severity]} ${code} ${pointer ?? ''}: ${message}`);
        }
    } catch (error) {
        console.error(`${file}: ${error.message ?? error}`);
        status = 2;
    }
}
process.exitCode = status;
