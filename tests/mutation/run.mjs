// SPDX-License-Identifier: MIT
// Makes changes one at a time in the formats' tables (mutate.c) and checks whether a test fails.
//
//   node tests/mutation/run.mjs PROGRAM      the tests with mutate.c in them: build/tests/mutation/mutation
//
//   SAMPLE=50     only this many changes, drawn by SEED (1)
//   ONLY=ns2,sfa  only formats whose names begin so; ONLY=name/record.field: only these
//   JOBS=2        this many at a time
//   SLOWEST=3000  tests that take more CPU time (ms) are not run; with SAMPLE 100
//   EXCEPT=a,b    tests whose "group:test" has one of these words are not run
//   AGAIN=1       known survivors are tried again
//
// Results (of SAMPLE and EXCEPT none) are in out/mutation/results.tsv and are continued as long as the tests are the same; when they
// changed, the tests that failed last time are run first. Survivors that survivors.txt explains stay survivors: they count as not
// found, but are listed separately. It fails below 95 %.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const MIN = 0.95;
const program = path.resolve(process.argv[2] ?? "build/tests/mutation/mutation");
const top = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../..");
const out = path.join(top, "out/mutation");
const sample = Number(process.env.SAMPLE || 0);
const seed = Number(process.env.SEED || 1);
const jobs = Number(process.env.JOBS || os.cpus().length);
const slowest = Number(process.env.SLOWEST || (sample ? 100 : 3000));
const only = (process.env.ONLY || "").split(",").filter((name) => name);
const except = (process.env.EXCEPT || "").split(",").filter((name) => name);
process.chdir(top);
fs.mkdirSync(out, { recursive: true });

// The groups of tests that use a family's tables: by their names, and these.
const SHARED = ["test_reference", "test_tables", "test_edit", "test_engine", "test_corpus", "test_findings", "test_gltf"];
const family = (format) => (format === "iguana" ? "turok" : format.split("-")[0]);
const groups = execFileSync(program, { encoding: "utf8" }).trim().split("\n").sort();
const asked = (format) => groups.filter((name) => SHARED.includes(name) || `${name}_`.startsWith(`test_${family(format)}_`));

function hash() {
    return createHash("sha256").update(fs.readFileSync(program)).update(process.env.MAPSTONE_CORPUS || "")
        .update(String(slowest)).digest("hex").slice(0, 16);
}

// Runs one group; its output at descriptor 3, and its exit status.
function run(group, variables, milliseconds) {
    return new Promise((resolve) => {
        let text = "";
        let late = false;
        const child = spawn(program, [group], {
            env: { ...process.env, CMOCKA_MESSAGE_OUTPUT: "TAP", ...variables },
            stdio: ["ignore", "ignore", "ignore", "pipe"],
        });
        const clock = setTimeout(() => {
            late = true;
            child.kill("SIGKILL");
        }, milliseconds);
        child.stdio[3].on("data", (piece) => (text += piece));
        child.on("error", (error) => {
            throw error;
        });
        child.on("close", (code, signal) => {
            clearTimeout(clock);
            resolve({ text, code, signal, late });
        });
    });
}

async function list() {
    const child = spawn(program, [groups[0]], {
        env: { ...process.env, MAPSTONE_MUTATE: "list" },
        stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    for await (const piece of child.stdout) text += piece;
    return text
        .trim()
        .split("\n")
        .map((line) => {
            const [id, names] = line.split("\t");
            const parts = id.split("/");
            return { id, format: parts[0], scope: parts.slice(0, 2).join("/"),
                     name: `${parts[0]}/${names}/${parts[3]}` };
        });
}

// Every test alone: its time, and that it passes.
async function measure(key, families) {
    const file = path.join(out, `tests-${slowest}.json`);
    if (fs.existsSync(file)) {
        const known = JSON.parse(fs.readFileSync(file, "utf8"));
        if (known.key === key) return known.tests;
    }
    const tests = [];
    const queue = groups.filter((name) => SHARED.includes(name) || families.has(name.split("_")[1]));
    const variables = { MAPSTONE_MUTATE_TESTS: "time", MAPSTONE_MUTATE_LONGEST: String(slowest) };
    const work = async () => {
      for (let group; (group = queue.shift()); ) {
        const ended = await run(group, variables, 600000);
        for (const line of ended.text.trim().split("\n")) {
            const [name, time, result] = line.split(" ");
            if (result === "passed") tests.push({ group, name, time: Number(time) });
            else if (result !== "slow") console.log(`${group}: ${name} fails as it is and is not asked`);
        }
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
    tests.sort((a, b) => a.time - b.time);
    fs.writeFileSync(file, JSON.stringify({ key, tests }));
    return tests;
}

// Patterns and reasons: "FORMAT/RECORD.FIELD/CHANGE: why", with * for anything.
function readReasons() {
    const reasons = [];
    const file = path.join(top, "tests/mutation/survivors.txt");
    if (!fs.existsSync(file)) return reasons;
    for (const line of fs.readFileSync(file, "utf8").split("\n")) {
        if (!line.trim() || line.startsWith("#")) continue;
        const [pattern, ...reason] = line.split(": ");
        const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
        reasons.push({ pattern, expression: new RegExp(`^${escaped}$`), reason: reason.join(": "), used: 0 });
    }
    return reasons;
}

// A generator of numbers below 1 that restarts with each seed.
function generator(state) {
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

const key = hash();
let changes = await list();
const tests = (await measure(key, new Set(changes.map((change) => family(change.format))))).filter(
    (test) => !except.some((word) => `${test.group}:${test.name}`.includes(word)));
const byName = new Map(tests.map((test) => [`${test.group}:${test.name}`, test]));
const reasons = readReasons();
// The parameters of placed objects are compared with facts next to the real levels (tests/test_sfa_facts.c).
const facts = path.join(process.env.MAPSTONE_CORPUS ?? path.join(top, "../shared/corpus"), "../formats/sfa-objects.tsv");
if (!fs.existsSync(facts)) {
    console.log(`without ${facts}: changes of sfa-romlist are left out`);
    changes = changes.filter((change) => !change.name.startsWith("sfa-romlist/"));
}
if (only.length)
    changes = changes.filter((change) => only.some((name) => change.name.startsWith(name)));
if (sample) {
    const random = generator(seed);
    for (let i = changes.length - 1; i > 0; i--) {
        const other = Math.floor(random() * (i + 1));
        [changes[i], changes[other]] = [changes[other], changes[i]];
    }
    changes = changes.slice(0, sample);
}

// Earlier results: "key", then "id verdict test".
const file = path.join(out, "results.tsv");
const known = new Map();
const hints = new Map();
if (fs.existsSync(file)) {
    const [before, ...lines] = fs.readFileSync(file, "utf8").trim().split("\n");
    for (const line of lines) {
        const [id, verdict, by] = line.split("\t");
        if (before === key && !except.length && !(verdict === "survived" && process.env.AGAIN)) known.set(id, { verdict, by });
        if (by) hints.set(id, by);
    }
}
const keep = [...new Set([...hints.keys(), ...known.keys()])].map((id) =>
    known.has(id) ? `${id}\t${known.get(id).verdict}\t${known.get(id).by}` : `${id}\thint\t${hints.get(id)}`);
if (!sample && !except.length) fs.writeFileSync(file, `${key}\n${keep.map((line) => `${line}\n`).join("")}`);
for (const [id, result] of known) if (result.verdict === "hint") known.delete(id);

const recent = new Map(); // for each record and format: the tests that failed last
function remember(scope, test) {
    const tests = (recent.get(scope) ?? []).filter((other) => other !== test);
    recent.set(scope, [test, ...tests].slice(0, 4));
}

// Tests in the order in which they are run: lists of tests of one group each.
function* batches(change) {
    const done = new Set();
    const candidates = tests.filter((test) => test.time <= slowest && asked(change.format).includes(test.group));
    const hint = byName.get(hints.get(change.id));
    const first = [hint, ...(recent.get(change.scope) ?? []), ...(recent.get(change.format) ?? [])]
        .filter((test) => test && candidates.includes(test));
    for (const test of first) {
        if (done.has(test)) continue;
        done.add(test);
        yield [test];
    }
    for (const limit of [20, 100, 500, slowest]) {
        const batched = new Map();
        for (const test of candidates) {
            if (test.time > limit || done.has(test)) continue;
            done.add(test);
            batched.set(test.group, [...(batched.get(test.group) ?? []), test]);
        }
        yield* batched.values();
    }
}

async function attempt(change) {
    for (const batch of batches(change)) {
        const limit = 10000 + 10 * batch.reduce((sum, test) => sum + test.time, 0);
        const ended = await run(batch[0].group, {
            MAPSTONE_MUTATE: change.id,
            MAPSTONE_MUTATE_TESTS: batch.map((test) => test.name).join(","),
        }, limit);
        if (ended.code === 125) throw new Error(`${change.id} cannot be made`);
        if (ended.code === 0) continue;
        const name = ended.text.trim().split("\n").pop();
        const test = byName.get(`${batch[0].group}:${name}`) ?? batch[0];
        remember(change.scope, test);
        remember(change.format, test);
        return { verdict: ended.late ? "late" : ended.signal ? "crashed" : "failed", by: `${test.group}:${test.name}` };
    }
    return { verdict: "survived", by: "" };
}

const results = new Map();
const queue = changes.filter((change) => {
    if (known.has(change.id)) results.set(change.id, known.get(change.id));
    return !known.has(change.id);
});
const total = queue.length;
async function work() {
    for (let change; (change = queue.shift()); ) {
        const result = await attempt(change);
        results.set(change.id, result);
        if (!sample && !except.length) fs.appendFileSync(file, `${change.id}\t${result.verdict}\t${result.by}\n`);
        if ((total - queue.length) % 500 === 0) console.log(`${total - queue.length} of ${total}`);
    }
}
await Promise.all(Array.from({ length: Math.min(jobs, os.cpus().length * 2) }, work));

// The report.
const survivors = [];
const figures = new Map();
for (const change of changes) {
    const result = results.get(change.id);
    const one = figures.get(change.format) ?? { all: 0, found: 0, explained: 0 };
    figures.set(change.format, one);
    one.all++;
    if (result.verdict !== "survived") {
        one.found++;
        continue;
    }
    const reason = reasons.find((other) => other.expression.test(change.name));
    if (reason) {
        reason.used++;
        one.explained++;
    }
    survivors.push(`${change.name}\t${change.id}\t${reason ? reason.reason : "UNEXPLAINED"}`);
}
fs.writeFileSync(path.join(out, sample ? "sample.tsv" : "survivors.tsv"), survivors.map((line) => `${line}\n`).join(""));
const sum = { all: 0, found: 0, explained: 0 };
const percent = (one) => `${(Math.floor((1000 * one.found) / one.all) / 10).toFixed(1)} %`;
for (const [format, one] of figures) {
    for (const name of Object.keys(sum)) sum[name] += one[name];
    if (!sample)
        console.log(`${format.padEnd(16)} ${String(one.all).padStart(5)} changes, ${String(one.found).padStart(5)} found ` +
                    `(${percent(one)}), ${one.explained} explained, ${one.all - one.found - one.explained} not`);
}
if (sample)
    for (const line of survivors) console.log(`survived: ${line}`);
for (const reason of reasons)
    if (!reason.used && !sample && !only.length) console.log(`explains nothing: ${reason.pattern}`);
console.log(`${sum.all} changes, ${sum.found} found (${percent(sum)}), ${sum.explained} survive and are explained, ` +
            `${sum.all - sum.found - sum.explained} survive (out/mutation/${sample ? "sample" : "survivors"}.tsv)`);
process.exit(sum.all > 0 && sum.found >= MIN * sum.all ? 0 : 1);
