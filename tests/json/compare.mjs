// SPDX-License-Identifier: MIT
// Whether mst_json_parse accepts the same texts as JSON.parse, with the same values: on texts made at random, most of them changed in a few places, by
// characters or by bytes, after which they may not be UTF-8. Usage: compare.mjs NODES [TEXTS [SEED]]; NODES is tests/json/nodes.c, built. The last line is "N
// passed, N failed".
import { spawnSync } from "node:child_process";
import { isDeepStrictEqual } from "node:util";

const [nodes, count = "200000", seed = "1"] = process.argv.slice(2);

let state = BigInt(seed) * 0x9E3779B97F4A7C15n + 1n;
function random(below) {
    state ^= (state << 13n) & 0xFFFFFFFFFFFFFFFFn;
    state ^= state >> 7n;
    state ^= (state << 17n) & 0xFFFFFFFFFFFFFFFFn;
    return Number((state >> 11n) % BigInt(below));
}
const pick = (list) => list[random(list.length)];

const blanks = ["", "", "", " ", "\n", "\t", "\r\n "];
const pieces = ["a", "Zz", "0", " ", "\\n", "\\\"", "\\\\", "\\/", "\\b\\f\\r\\t", "\\u0041", "\\u00e9", "\\u20AC", "\\ud83d\\ude00", "\\u0000",
    "é", "€", "😀", "\u2028", "[", "}", ",", ":", "//"];
const numbers = ["0", "-0", "1", "-17", "0.5", "1e3", "-2.50E-7", "123456789012345678901234567890", "1E+2", "4.9e-324", "1e999"];
function text(depth) {
    const blank = pick(blanks);
    switch (depth > 5 ? random(4) : random(6)) {
    case 0: return blank + pick(["null", "true", "false"]);
    case 1: return blank + pick(numbers) + pick(blanks);
    case 2:
    case 3: return blank + string();
    case 4: return blank + "[" + Array.from({ length: random(4) }, () => text(depth + 1)).join(pick(blanks) + ",") + pick(blanks) + "]";
    default: return blank + "{" + Array.from({ length: random(4) }, () => pick(blanks) + string() + pick(blanks) + ":" + text(depth + 1)).join(",") + "}";
    }
}
function string() {
    return '"' + Array.from({ length: random(5) }, () => pick(pieces)).join("") + '"';
}

const bits = ["\"", "\\", "{", "}", "[", "]", ",", ":", "-", "+", ".", "e", "0", "9", "u", "\u0001", "\u007f", "\n", " ", "n", "true", "\uFEFF", "\\ud800", "\\udc00",
    "/", "'", "é"];
function changed(whole) {
    const letters = Array.from(whole);
    for (let n = random(4); n > 0; n--) {
        const at = random(letters.length + 1);
        switch (random(3)) {
        case 0: letters.splice(at, 1); break;
        case 1: letters.splice(at, 0, pick(bits)); break;
        default: letters.splice(at, 1, pick(bits)); break;
        }
    }
    return letters.join("");
}

// JavaScript's strings may contain half of a surrogate pair; UTF-8 and a level's text cannot.
function hasHalfPair(one) {
    const escapes = one.replace(/\\[^u]/g, ".").replace(/\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/g, "");
    return /\\u[dD][89a-fA-F]/.test(escapes);
}

// Exchanges, inserts, removes and repeats bytes.
function damaged(whole) {
    let bytes = Buffer.from(whole);
    for (let n = 1 + random(3); n > 0; n--) {
        const at = random(bytes.length + 1), until = Math.min(bytes.length, at + random(3));
        const new_bytes = random(4) ? [random(3) ? 0x7F + random(129) : random(256)] : [...bytes.subarray(at, at + random(9))];
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(new_bytes), bytes.subarray(until)]);
    }
    return bytes;
}

const texts = [];
for (let n = 0; n < Number(count); n++) {
    const one = text(0);
    const way = random(6);
    texts.push(way < 2 ? Buffer.from(one) : way < 5 ? Buffer.from(changed(one)) : damaged(one));
}
const framed = texts.flatMap((one) => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(one.length);
    return [size, one];
});
const run = spawnSync(nodes, { input: Buffer.concat(framed), maxBuffer: 1 << 30 });
if (run.status !== 0) throw new Error(`${nodes} ended with ${run.status ?? run.signal}`);
const lines = run.stdout.toString().split("\n");

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
let passed = 0, accepted = 0;
const failed = [];
texts.forEach((one, i) => {
    let wanted, good = true;
    try {
        const characters = utf8.decode(one);
        wanted = JSON.parse(characters);
        good = !hasHalfPair(characters);
    } catch {
        good = false;
    }
    const agrees = good ? lines[i] !== "refused" && isDeepStrictEqual(JSON.parse(lines[i]), wanted) : lines[i] === "refused";
    if (good) accepted++;
    if (agrees) passed++;
    else failed.push(`${JSON.stringify(one.toString("latin1"))}: ${lines[i]}`);
});

console.log(`${texts.length} texts, of which ${accepted} are JSON`);
for (const one of failed.slice(0, 20)) console.log(one);
console.log(`${passed} passed, ${failed.length} failed`);
process.exit(failed.length ? 1 : 0);
