// SPDX-License-Identifier: MIT
// Validates the JSON of levels by the schemas of their formats: schemas.mjs COMMAND FILE... Every document
// must be valid, and invalid ones made from it must not be. The last line counts tests.
import { execFileSync, spawnSync } from 'node:child_process';
import Ajv2020 from 'ajv/dist/2020.js';

const [command, ...files] = process.argv.slice(2);
const run = (...given) => execFileSync(command, given, { maxBuffer: 1 << 30, encoding: 'utf8' });
const formats = run('spec', '--json').split('\n').filter(Boolean).map((line) => JSON.parse(line).format);
let passed = 0, failed = 0;
const result = (good, text) => {
    if (good) passed++;
    else failed++;
    if (!good) console.log(`not ok ${text}`);
};

const validators = new Map();
for (const format of formats) {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, allErrors: false });
    try {
        validators.set(format, ajv.compile(JSON.parse(run('spec', '--as', 'json-schema', format))));
        result(true);
    } catch (error) {
        result(false, `${format}: ${error.message}`);
    }
}

/** All objects and lists in a document with the paths to them, some from each list. */
function* places(value, path = []) {
    if (value === null || typeof value !== 'object') return;
    yield path;
    for (const key of Array.isArray(value) ? [0, value.length - 1] : Object.keys(value)) if (key in value) yield* places(value[key], [...path, key]);
}

/* Ten documents, each invalid in one place. */
function* wrong(document) {
    const copy = () => structuredClone(document);
    const at = (root, path) => path.reduce((value, key) => value[key], root);
    // not in $content, which is for people and may have any contents
    const objects = [...places(document)].filter((path) => path[0] !== '$content' && !Array.isArray(at(document, path)));
    const pick = (list, n) => list[Math.floor((n * 7919) % list.length)];
    for (let n = 0; n < 4; n++) { // a name that does not exist
        const one = copy();
        at(one, pick(objects, n))[`no_such_${n}`] = 0;
        yield [`an unknown name in ${pick(objects, n).join('.')}`, one];
    }
    const one = copy();
    one.$format = 'other';
    yield ['another format', one];
    const keys = Object.keys(document).filter((key) => !key.startsWith('$'));
    const members = objects.flatMap((path) => Object.keys(at(document, path)).filter((key) => !key.startsWith('$')).map((key) => [...path, key]));
    for (const [n, value] of [[1, { nothing: true }], [2, { nothing: [] }], [3, { $raw: 'xyz' }], [4, { nothing: 'x' }]]) { // a value of no known kind
        const other = copy(), path = pick(members, n);
        at(other, path.slice(0, -1))[path.at(-1)] = value;
        yield [`an object as ${path.join('.')}`, other];
    }
    const less = copy();
    delete less.$format;
    yield ['no format', less];
    if (keys.length === 0) throw new Error('a document without members');
}

const seen = new Map();
for (const file of files) {
    const dumped = spawnSync(command, ['dump', file], { maxBuffer: 1 << 30, encoding: 'utf8' });
    if (dumped.status !== 0) continue; // damaged, or not a level
    const document = JSON.parse(dumped.stdout), validate = validators.get(document.$format);
    if (!validate) continue;
    const valid = validate(document);
    result(valid, `${file}: ${JSON.stringify(validate.errors?.[0])}`);
    const tried = seen.get(document.$format) ?? 0;
    seen.set(document.$format, tried + 1);
    if (tried >= 3) continue;
    let refused = 0;
    for (const [what, other] of wrong(document)) {
        if (!validate(other)) refused++;
        else console.log(`${file}: accepted with ${what}`);
    }
    result(refused === 10, `${file}: ${refused} of 10 wrong documents refused`);
}
const unseen = formats.filter((format) => !seen.has(format));
console.log(`formats without a document: ${unseen.join(' ') || 'none'}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
