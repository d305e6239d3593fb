// SPDX-License-Identifier: MIT
// Reads levels by the descriptions for Kaitai Struct, and compares all values with the dumps: kaitai.mjs COMMAND FILE...
// The last line counts tests.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import vm from 'node:vm';
import yaml from 'js-yaml';
import compiler from 'kaitai-struct-compiler';
import { KaitaiStream } from 'kaitai-struct';

const [command, ...files] = process.argv.slice(2);
const run = (...given) => execFileSync(command, given, { maxBuffer: 1 << 30, encoding: 'utf8' });
let passed = 0, failed = 0;
const result = (good, text) => {
    if (good) passed++;
    else failed++;
    if (!good) console.log(`not ok ${text}`);
};

// ---- the compiler's output -----------------------------------------------------------------------------

const upper = (id) => id.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
const lower = (id) => upper(id).charAt(0).toLowerCase() + upper(id).slice(1);

/** A reader for a format: its class, and its types by the names that classes have. */
async function readerOf(format) {
    const spec = yaml.load(run('spec', '--as', 'ksy', format));
    const made = await compiler.compile('javascript', spec, null, false);
    const [name] = Object.keys(made), main = upper(spec.meta.id), module = { exports: {} };
    vm.runInThisContext(`(function (module, exports, require) {${made[name]}\n})`)(module, module.exports, createRequire(import.meta.url));
    const types = new Map([[main, spec]]);
    for (const [id, type] of Object.entries(spec.types ?? {})) types.set(upper(id), type);
    return { Main: module.exports[main] ?? module.exports, spec, types };
}

// ---- values ------------------------------------------------------------------------------------------

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const decoder = new TextDecoder('utf-8');

/* The number that a dump's text represents; undefined: it does not represent one. */
function numberOf(text, names) {
    if (text === true || text === false) return Number(text);
    if (typeof text === 'number') return text;
    if (typeof text !== 'string') return undefined;
    const found = Object.entries(names ?? {}).find(([, one]) => one['-orig-id'] === text);
    if (found) return Number(found[0]);
    if (/^0x[0-9a-f]+$/.test(text)) return Number(BigInt(text));
    if (/^~\d+$/.test(text)) return Number(text.slice(1)) - 32768;
    if (/^-?Infinity$/.test(text)) return Number(text);
    return /^NaN/.test(text) ? NaN : undefined;
}

function flagsOf(list, names) {
    let bits = 0n;
    for (const one of list) {
        const found = Object.entries(names ?? {}).find(([, name]) => name['-orig-id'] === one);
        bits |= found ? 1n << BigInt(found[0]) : BigInt(one);
    }
    return Number(bits);
}

const without = (text) => text.replace(/\0+$/, '');

/* Compares values; `at` is the place, for the message. Counts the equal leaves. */
class Comparison {
    constructor(reader) {
        this.reader = reader;
        this.leaves = 0;
        this.unparsed = 0;
    }

    differ(at, dumped, read) {
        throw new Error(`${at || 'the file'}: dump has ${JSON.stringify(dumped)?.slice(0, 80)}, the reader ${JSON.stringify(read, (key, value) => (key.startsWith('_') ? undefined : value))?.slice(0, 80)}`);
    }

    typeOf(value) {
        return this.reader.types.get(value.constructor.name);
    }

    /* The single field of types that only wrap it. */
    unwrap(value, attribute) {
        for (;;) {
            const type = value && typeof value === 'object' && !(value instanceof Uint8Array) && this.typeOf(value);
            if (!type?.['-inline']) return [value, attribute];
            attribute = type.seq.find(({ id }) => id === type['-inline']);
            value = value[lower(attribute.id)];
        }
    }

    text(at, dumped, read) {
        if (read instanceof Uint8Array) read = decoder.decode(read);
        if (dumped?.$raw !== undefined) { // bytes that are not text: as a reader decodes them
            const bytes = Buffer.from(dumped.$raw, 'hex'), end = bytes.indexOf(0);
            if (![decoder.decode(bytes), decoder.decode(end < 0 ? bytes : bytes.subarray(0, end)), bytes.toString('utf16le')].includes(read)) this.differ(at, dumped, read);
        } else if (without(dumped ?? '') !== without(read)) this.differ(at, dumped, read);
        this.leaves++;
    }

    value(at, dumped, read, attribute) {
        [read, attribute] = this.unwrap(read, attribute);
        const flags = attribute?.['-flags'], names = this.reader.spec.enums?.[flags ?? attribute?.enum];
        if (typeof read === 'number') {
            if (flags && read < 0) read += 2 ** (8 * Number(attribute.type[1]));
            const number = Array.isArray(dumped) ? flagsOf(dumped, names) : numberOf(dumped, names);
            const single = attribute?.type?.startsWith?.('f4') ? Math.fround(number) : number;
            if (number === undefined || !(Object.is(single, read) || single === read || (Number.isNaN(single) && Number.isNaN(read)))) this.differ(at, dumped, read);
            this.leaves++;
        } else if (read instanceof Uint8Array && typeof dumped === 'string' && hex(read) === dumped) this.leaves++;
        else if (typeof read === 'string' || read instanceof Uint8Array) this.text(at, dumped, read);
        else if (Array.isArray(read)) this.list(at, dumped ?? [], read, attribute);
        else if (read && typeof read === 'object' && dumped && typeof dumped === 'object') this.object(at, dumped, read);
        else if (!(read === undefined && (dumped === undefined || dumped === null || dumped.length === 0))) this.differ(at, dumped, read);
    }

    list(at, dumped, read, attribute) {
        if (dumped?.$stride !== undefined) dumped = [];
        if (!Array.isArray(dumped) || dumped.length !== read.length) this.differ(`${at}, ${read.length} elements`, dumped.length, read);
        for (let i = 0; i < read.length; i++) this.value(`${at}[${i}]`, dumped[i], read[i], attribute);
    }

    /* The contents of a reader's object, by the names of the tables: chunks count as their contents. */
    members(read) {
        const found = new Map();
        const take = (attribute, value) => {
            const name = attribute['-orig-id'] ?? attribute.id;
            if (attribute['-repeated']) {
                if (!found.has(name)) found.set(name, { attribute, value: [] });
                found.get(name).value.push(value);
            } else if (attribute['-derived'] && found.has(name)) return;
            else if (found.has(name)) throw new Error(`${name} is there twice`);
            else found.set(name, { attribute, value });
        };
        const visit = (object) => {
            for (const attribute of this.typeOf(object).seq) {
                const value = object[lower(attribute.id)];
                if (value === undefined) continue;
                if (attribute['-chunks']) value.forEach(visit);
                else take(attribute, value);
            }
        };
        visit(read);
        return found;
    }

    object(at, dumped, read) {
        const members = this.members(read);
        const unparsed = [...members.values()].some(({ attribute }) => attribute['-unparsed']);
        for (const [name, value] of Object.entries(dumped)) {
            if (name.startsWith('$')) continue;
            const member = members.get(name);
            if (member) this.value(at ? `${at}.${name}` : name, value, member.value, member.attribute);
            else if (unparsed) this.unparsed++;
            else if (!(Array.isArray(value) && value.length === 0)) this.differ(`${at}.${name}`, value, undefined);
        }
        for (const [name, { attribute, value }] of members) {
            if (name in dumped || attribute['-derived'] || attribute['-unparsed']) continue;
            const [plain] = this.unwrap(value);
            if (typeof plain === 'number' && attribute['-default'] === (plain >>> 0)) continue;
            if ((plain instanceof Uint8Array || Array.isArray(plain)) && plain.length === 0) continue;
            if (attribute['-optional']) continue;
            this.differ(`${at}.${name}`, undefined, plain);
        }
    }
}

// ---- files -------------------------------------------------------------------------------------------

const formats = run('spec', '--json').split('\n').filter(Boolean).map((line) => JSON.parse(line).format);
const readers = new Map();
for (const format of formats) {
    try {
        readers.set(format, await readerOf(format));
        result(true);
    } catch (error) {
        result(false, `${format}: ${String(error.message ?? error).slice(0, 600)}`);
    }
}

const seen = new Map();
for (const file of files) {
    const dumped = spawnSync(command, ['dump', file], { maxBuffer: 1 << 30, encoding: 'utf8' });
    if (dumped.status !== 0) continue; // damaged, or not a level
    const document = JSON.parse(dumped.stdout), reader = readers.get(document.$format);
    if (!reader) continue;
    const bytes = readFileSync(file);
    const stream = new KaitaiStream(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    const layout = /first one\): (.*)\./.exec(reader.spec.params?.find(({ id }) => id === 'format_layout')?.doc)?.[1].split(', ').findIndex((one) => one.replace(/^\d+ /, '') === document.$layout);
    const about = JSON.parse(run('info', '--json', file));
    const values = { format_version: about.version ?? 0, big_endian: document.$byte_order === 'big', format_layout: Math.max(0, layout ?? 0) };
    const comparison = new Comparison(reader);
    try {
        const read = new reader.Main(stream, null, null, ...(reader.spec.params ?? []).map(({ id }) => values[id]));
        if (reader.spec['-inline']) comparison.value('', document, read);
        else if (hex(read.content) !== bytes.toString('hex')) throw new Error('other bytes');
        result(true);
        const all = seen.get(document.$format) ?? { files: 0, leaves: 0, unparsed: 0 };
        seen.set(document.$format, { files: all.files + 1, leaves: all.leaves + comparison.leaves, unparsed: all.unparsed + comparison.unparsed });
    } catch (error) {
        result(false, `${file} (${document.$format}): ${process.env.TRACE ? error.stack : error.message}`);
    }
}
for (const [format, { files: count, leaves, unparsed }] of [...seen].sort())
    console.log(`${format}: ${count} files, ${leaves} values equal${unparsed ? `, ${unparsed} values in bytes that the description leaves` : ''}`);
for (const format of ['ns2-level', 'turok-map', 'revenant-sector', 'alien-map', 'alien-gfx']) result(seen.get(format)?.leaves > 0, `${format}: no value was compared`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
