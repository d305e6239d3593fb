// SPDX-License-Identifier: MIT
// Makes faults one at a time in the engine's C code (mutants.mjs) and checks whether a test fails.
//
//   node tests/mutation/engine.mjs BUILD COVERAGE     two builds with all tests: ordinary, and with MAPSTONE_COVERAGE
//
//   COUNT=100     faults, a quarter of each kind, drawn by SEED (1)
//   LIST=FILE     the faults of a file (ten.txt), all of which must be found
//   ONLY=a,b      only drawn faults whose name has one of these words; all of them with COUNT=0
//   JOBS=2        so many at a time
//   EXCEPT=a,b    tests (of ctest) that are not run: these
//   AGAIN=1       known survivors are tried again
//
// Which tests reach a line is recorded once for the current sources (out/mutation/engine/reach-*.json). For a fault only its
// file is compiled, in a directory of its own: no source changes. The tests that reach its lines are linked with that object
// before the library and run, the quickest first, until one fails, crashes, or takes far longer than it should. A fault that
// does not compile, compiles to the same code, or is made in code that src/core/unreachable.h declares unreachable, is
// replaced by the next one.
//
// Results are in out/mutation/engine/results.json and are continued; found faults stay found, and survivors are tried again
// only if the tests changed. Survivors that change nothing are explained in tests/mutation/equivalent.txt. It fails if fewer
// than 90 % of the faults are found, or any of the listed ones is not.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { drawn } from "./mutants.mjs";

const MIN = 0.9;
const KINDS = ["limit", "check", "sign", "order"];
const top = path.resolve(path.dirname(new URL(import.meta.url).pathname), "../..");
process.chdir(top);
const [build, coverage] = [process.argv[2] ?? "build", process.argv[3] ?? "out/coverage"].map((name) => path.resolve(name));
const out = path.join(top, "out/mutation/engine");
const count = Number(process.env.COUNT ?? 100);
const jobs = Number(process.env.JOBS || os.cpus().length);
const words = (name) => (process.env[name] || "").split(",").filter((word) => word);
const only = words("ONLY"), except = [...words("EXCEPT"), "exports", "headers"];
fs.mkdirSync(out, { recursive: true });

const files = ["tables", "read", "write", "files", "check", "edit", "languages", "core", "container"].flatMap((folder) =>
    fs.readdirSync(`src/${folder}`).filter((name) => name.endsWith(".c")).map((name) => `src/${folder}/${name}`));

function hash(...folders) {
    const sum = createHash("sha256").update(except.join());
    const add = (name) => {
        if (fs.statSync(name).isDirectory()) for (const inner of fs.readdirSync(name).sort()) add(path.join(name, inner));
        else if (/\.([ch]|sh|json)$/.test(name)) sum.update(name).update(fs.readFileSync(name));
    };
    for (const folder of folders) add(folder);
    return sum.digest("hex").slice(0, 16);
}

// Runs a command; its output, exit status and duration. `until`: ends it when the output matches.
function run(command, { environment = {}, milliseconds = 600000, until, cwd = top, bounded } = {}) {
    return new Promise((resolve) => {
        const begin = performance.now();
        let text = "", late = false, ended = false;
        // a faulty program may use all memory or all of the disk
        const whole = bounded ? ["sh", "-c", 'ulimit -v 8000000; ulimit -f 4000000; exec "$@"', "run", ...command] : command;
        const child = spawn(whole[0], whole.slice(1), {
            cwd, env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"], detached: true });
        const kill = () => {
            ended = true;
            try { process.kill(-child.pid, "SIGKILL"); } catch { /* it has ended */ }
        };
        const clock = setTimeout(() => { late = true; kill(); }, milliseconds);
        const take = (piece) => {
            if (text.length < 1 << 28) text += piece;
            if (until && !ended && until.test(text)) kill();
        };
        child.stdout.on("data", take);
        child.stderr.on("data", take);
        child.on("error", (error) => { throw error; });
        child.on("close", (code, signal) => {
            clearTimeout(clock);
            resolve({ text, code, signal: ended ? null : signal, late, ended, time: performance.now() - begin });
        });
    });
}

// The tests of a build as ctest lists them: {name, command, environment}. Real levels are excluded, so that a clone
// can reproduce the results.
async function testsOf(directory) {
    const { text, code } = await run(["ctest", "--test-dir", directory, "--show-only=json-v1"]);
    if (code !== 0) throw new Error(`no tests in ${directory}: ${text}`);
    return JSON.parse(text.slice(text.indexOf("{"))).tests
        .filter((test) => !except.includes(test.name))
        .map(({ name, command, properties }) => {
            const pairs = properties.find((one) => one.name === "ENVIRONMENT")?.value ?? [];
            const environment = Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
            return { name, command, environment: { ...environment, MAPSTONE_CORPUS: "/nonexistent" } };
        });
}

async function inParallel(items, work) {
    const queue = [...items];
    await Promise.all(Array.from({ length: jobs }, async () => {
        for (let item; (item = queue.shift()); ) await work(item);
    }));
}

// For each test its time, and for each file and line the tests that reach it: from the gcov counts of each test
// alone.
async function reach() {
    const file = path.join(out, `reach-${hash("src", "cli", "tests", "samples")}.json`);
    if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, "utf8"));
    const tests = await testsOf(coverage);
    console.log(`recording which lines ${tests.length} tests reach`);
    const times = {}, lines = {};
    await inParallel(tests, async (test) => {
        const counts = fs.mkdtempSync(path.join(os.tmpdir(), "mapstone-reach-"));
        const ended = await run(test.command, { environment: { ...test.environment, GCOV_PREFIX: counts, GCOV_PREFIX_STRIP: "0" }, milliseconds: 1800000 });
        // a test may exceed its own time limit while lines are counted: the ordinary build decides whether it passes
        if (ended.code !== 0) console.log(`${test.name} fails while lines are counted`);
        times[test.name] = Math.round(ended.time);
        for (const source of files) {
            const place = path.join(coverage, "CMakeFiles/mapstone_objects.dir", path.dirname(source));
            const name = path.join(counts, place, `${path.basename(source)}.gcda`);
            if (!fs.existsSync(name)) continue;
            fs.copyFileSync(path.join(place, `${path.basename(source)}.gcno`), name.replace(/gcda$/, "gcno"));
            const { text, code } = await run(["gcov", "--json-format", "--stdout", name], { cwd: counts });
            if (code !== 0) throw new Error(text);
            for (const one of JSON.parse(text.slice(text.indexOf("{"))).files) {
                const known = path.relative(top, path.resolve(coverage, one.file));
                if (known !== source) continue;
                for (const { line_number: line, count: taken } of one.lines)
                    if (taken > 0) ((lines[source] ??= {})[line] ??= new Set()).add(test.name);
            }
        }
        fs.rmSync(counts, { recursive: true });
    });
    if (!Object.keys(lines).length) throw new Error(`no counts from ${coverage}`);
    const text = JSON.stringify({ times, lines }, (_, value) => (value instanceof Set ? [...value] : value));
    fs.writeFileSync(file, text);
    return JSON.parse(text);
}

// The commands of ninja that compile a source and link an executable.
const commands = JSON.parse(fs.readFileSync(path.join(build, "compile_commands.json"), "utf8"));
const shell = (command, directory) => run(["sh", "-c", command], { cwd: directory });
const quote = (name) => `'${name.replaceAll("'", "'\\''")}'`;

async function compile(source, text, directory) {
    const original = path.resolve(source);
    const { command } = commands.find((one) => path.resolve(one.directory, one.file) === original && one.command.includes("mapstone_objects"));
    const copy = path.join(directory, path.basename(source)), object = `${copy}.o`;
    fs.writeFileSync(copy, text);
    // code marked impossible by src/core/unreachable.h is then removed, and a fault in it is not counted
    const flags = `${command.replace(/ -o \S+ -c \S+$/, "").replace(/ -W(?!p,)\S+/g, "")} -DMST_COVERAGE=1`;
    const ended = await shell(`${flags} -Werror=incompatible-pointer-types -Werror=int-conversion -Werror=format ` +
        `-iquote ${quote(path.dirname(original))} -o ${quote(object)} -c ${quote(copy)}`, build);
    return ended.code === 0 ? object : null;
}

const links = new Map();
async function link(executable, object, directory) {
    const target = path.relative(build, executable);
    if (!links.has(target)) {
        const { text } = await run(["ninja", "-C", build, "-t", "commands", target]);
        links.set(target, text.trim().split("\n").pop());
    }
    const made = path.join(directory, path.basename(executable));
    const command = links.get(target).replace(` -o ${target} `, ` -o ${quote(made)} ${quote(object)} `);
    const ended = await shell(command, build);
    if (ended.code !== 0) throw new Error(`cannot link ${target}: ${ended.text}`);
    return made;
}

// Whether tests pass without a fault: determined once for each that fails with one.
const passes = new Map();
async function isSound(test, milliseconds) {
    if (!passes.has(test.name)) passes.set(test.name, run(test.command, { environment: test.environment, milliseconds }).then(({ code }) => code === 0));
    return passes.get(test.name);
}

const originals = new Map();
async function codeOf(source, directory) {
    if (!originals.has(source)) {
        const object = await compile(source, fs.readFileSync(source, "utf8"), directory);
        if (!object) throw new Error(`${source} does not compile as it is`);
        originals.set(source, fs.readFileSync(object));
    }
    return originals.get(source);
}

// Other arguments of tests in the build directory are files and directories that they write.
const isProgram = (file) => {
    const found = fs.statSync(file, { throwIfNoEntry: false });
    return Boolean(found?.isFile() && found.mode & 0o100);
};

async function attempt(mutant, tests, reached, directory) {
    const original = await codeOf(mutant.file, directory);
    const object = await compile(mutant.file, mutant.text, directory);
    if (!object) return { verdict: "invalid" };
    if (original.equals(fs.readFileSync(object))) return { verdict: "same" };
    const names = new Set();
    for (let line = mutant.line; line <= mutant.last; line++) for (const name of reached.lines[mutant.file]?.[line] ?? []) names.add(name);
    const asked = tests.filter((test) => names.has(test.name)).sort((a, b) => reached.times[a.name] - reached.times[b.name]);
    const made = new Map();
    const exchange = async (word) => {
        if (!word.startsWith(`${build}/`) || /\.so/.test(word) || !isProgram(word)) return word;
        if (!made.has(word)) made.set(word, await link(word, object, directory));
        return made.get(word);
    };
    for (const test of asked) {
        const command = [], environment = { ...test.environment };
        for (const word of test.command) command.push(await exchange(word));
        for (const [name, value] of Object.entries(environment)) environment[name] = await exchange(value);
        const milliseconds = 20000 + 8 * reached.times[test.name];
        const ended = await run(command, { environment, milliseconds, until: /^not ok/m, bounded: true });
        if (ended.code === 0 || !(await isSound(test, milliseconds))) continue;
        const how = ended.late ? "late" : ended.signal ? "crashed" : "failed";
        const failed = /^not ok \d+ - (\S+)/m.exec(ended.text)?.[1] ?? "";
        return { verdict: how, by: failed ? `${test.name}:${failed}` : test.name };
    }
    return { verdict: "survived", by: asked.length ? `${asked.length} tests reach it` : "no test reaches it" };
}

// Paragraphs of "FILE FUNCTION", "- before", "+ after", and indented remarks.
function readFaults(file) {
    const faults = new Map();
    for (const paragraph of fs.readFileSync(file, "utf8").split(/\n\s*\n/)) {
        const lines = paragraph.trim().split("\n").filter((line) => !line.startsWith("#"));
        if (lines.length >= 3) faults.set(lines.slice(0, 3).join("\n"), lines.slice(3).map((line) => line.trim()).join(" "));
    }
    return faults;
}

const kinds = drawn(files, Number(process.env.SEED || 1));
const listed = process.env.LIST ? [...readFaults(process.env.LIST).keys()] : null;
const every = new Map([...kinds.values()].flat().map((mutant) => [mutant.id, mutant]));
for (const id of listed ?? []) if (!every.has(id)) throw new Error(`${process.env.LIST}: the source has no such line:\n${id}`);
const reached = await reach();
const tests = (await testsOf(build)).filter((test) => test.name in reached.times);
const key = hash("tests");
const store = path.join(out, "results.json");
const results = fs.existsSync(store) ? JSON.parse(fs.readFileSync(store, "utf8")) : {};
const current = (mutant) => {
    const known = results[mutant.id];
    if (!known || (known.verdict === "survived" && (known.key !== key || process.env.AGAIN))) return null;
    return known;
};
function keep(mutant, result) {
    results[mutant.id] = { ...result, key };
    fs.writeFileSync(`${store}.new`, JSON.stringify(results, null, 1));
    fs.renameSync(`${store}.new`, store);
}

// The listed ones, or of each kind as many as requested that are real faults.
const chosen = [];
const lanes = listed ? [{ wanted: Infinity, queue: listed.map((id) => every.get(id)), taken: [] }] : KINDS.map((kind, k) => ({
    wanted: count ? Math.floor((count + KINDS.length - 1 - k) / KINDS.length) : Infinity,
    queue: (kinds.get(kind) ?? []).filter((mutant) => !only.length || count || only.some((word) => mutant.id.includes(word))),
    taken: [],
}));
const usable = (result) => result && !["invalid", "same"].includes(result.verdict);
await Promise.all(Array.from({ length: jobs }, async () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "mapstone-mutant-"));
    for (;;) {
        // those in progress count until they prove not to be faults
        const lane = lanes.find((one) => one.queue.length && one.taken.length < one.wanted);
        if (!lane) break;
        const mutant = lane.queue.shift();
        lane.taken.push(mutant);
        if (count && only.length && !only.some((word) => mutant.id.includes(word))) continue;
        let result = current(mutant);
        if (!result) {
            result = await attempt(mutant, tests, reached, directory);
            keep(mutant, result);
            if (usable(result)) console.log(`${result.verdict.padEnd(8)} ${mutant.kind} ${mutant.file}:${mutant.line} ${result.by}`);
        }
        if (usable(result)) chosen.push({ ...mutant, ...result });
        else lane.taken.splice(lane.taken.indexOf(mutant), 1);
    }
    fs.rmSync(directory, { recursive: true });
}));

const reasons = readFaults("tests/mutation/equivalent.txt");
const survivors = chosen.filter((one) => one.verdict === "survived");
for (const one of survivors)
    console.log(`\nsurvived (${one.kind}, line ${one.line}, ${one.by})${reasons.has(one.id) ? `: equivalent: ${reasons.get(one.id)}` : ""}\n${one.id}`);
for (const kind of KINDS) {
    const of = chosen.filter((one) => one.kind === kind);
    console.log(`${kind.padEnd(6)} ${of.length} faults, ${of.filter((one) => one.verdict !== "survived").length} found`);
}
const found = chosen.length - survivors.length, explained = survivors.filter((one) => reasons.has(one.id)).length;
const late = chosen.filter((one) => one.verdict === "late").length;
console.log(`${chosen.length} faults, ${found} found (${((100 * found) / chosen.length).toFixed(1)} %; ${late} by not coming to an end), ` +
            `${explained} survive and change nothing, ${survivors.length - explained} survive`);
process.exit(chosen.length > 0 && found >= (listed ? listed.length : MIN * chosen.length) ? 0 : 1);
