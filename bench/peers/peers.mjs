// SPDX-License-Identifier: MIT
// Compares the time of other programs with mapstone's, in one run: Kaitai Struct (a parser generated from turok_level.ksy),
// assimp (reading and writing the GLB), jq (reading and writing the JSON). Prints a table in Markdown. Each figure
// is the best of a few runs of a whole process, except Kaitai's, which excludes the start of Node and warms up first.
// A program that fails, crashes or writes nothing has no figure: it is named below the table.
//   node bench/peers/peers.mjs COMMAND LEVEL DIRECTORY-WITH-node_modules WORK-DIRECTORY
import {execFileSync} from "node:child_process";
import {readFileSync, statSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join, resolve} from "node:path";
import {fileURLToPath} from "node:url";
import {best, milliseconds, row} from "./run.mjs";

const [command, level, modules, work] = process.argv.slice(2).map(path => resolve(path));
const RUNS = 3;
const require = createRequire(join(modules, "x.js"));
const here = dirname(fileURLToPath(import.meta.url));
// The parser is lazy: reads every part.
function readAll(tree) {
  let numbers = 0;
  numbers += tree.version + tree.sky.count;
  numbers += tree.collision.vertices.items.length + tree.collision.sectors.items.length;
  for (const {cell} of tree.grid.cells)
    if (cell.blockCount) numbers += cell.meshes.items.length + cell.paths.items.length;
  return numbers;
}

async function kaitai() {
  const compiler = require("kaitai-struct-compiler"), yaml = require("js-yaml");
  const made = await compiler.compile("javascript", yaml.load(readFileSync(join(here, "turok_level.ksy"), "utf8")), null, false);
  const file = join(modules, "TurokLevel.js");
  writeFileSync(file, made["TurokLevel.js"]);
  const {TurokLevel} = require(file), {KaitaiStream} = require("kaitai-struct");
  const parser = TurokLevel.TurokLevel ?? TurokLevel;
  const bytes = readFileSync(level);
  let shortest = Infinity, count = 0;
  for (let i = 0; i < RUNS; i++) {
    const begin = milliseconds();
    count = readAll(new parser(new KaitaiStream(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))));
    shortest = Math.min(shortest, milliseconds() - begin);
  }
  return {shortest, count, version: require("kaitai-struct-compiler/package.json").version};
}

const version = (program, ...words) => execFileSync(program, words, {encoding: "utf8"});
const [glb, other, json, back] = ["level.glb", "again.glb", "level.json", "level.map"].map(name => join(work, name));
const ours = {
  check: best(RUNS, null, command, "check", "-q", level),
  glb: best(RUNS, glb, command, "convert", level, "-o", glb),
  jsonOut: best(RUNS, json, command, "convert", level, "-o", json),
};
ours.jsonIn = best(RUNS, back, command, "convert", json, "-o", back);
for (const [name, {why}] of Object.entries(ours))
  if (why) throw new Error(`${command}: ${name}: ${why}`);
const {shortest, count, version: kaitaiVersion} = await kaitai();
const objects = {time: shortest};
const rows = [
  {theirs: "Kaitai: the whole level as objects", them: objects, ours: "every field as JSON", us: ours.jsonOut},
  {theirs: "Kaitai: the same", them: objects, ours: "open, check everything", us: ours.check},
  {theirs: "assimp info: reads the GLB", them: best(RUNS, null, "assimp", "info", glb),
   ours: "reads the level, writes the GLB", us: ours.glb},
  {theirs: "assimp export: reads the GLB, writes another", them: best(RUNS, other, "assimp", "export", glb, other),
   ours: "reads the level, writes the GLB", us: ours.glb},
  {theirs: "jq -c .: reads the JSON, writes it", them: best(RUNS, null, "jq", "-c", ".", json),
   ours: "reads the level, writes the JSON", us: ours.jsonOut},
  {theirs: "jq empty: reads the JSON", them: best(RUNS, null, "jq", "empty", json),
   ours: "reads the JSON, writes the level", us: ours.jsonIn},
];
const assimpVersion = /[Vv]ersion (\S+)/.exec(version("assimp", "version"))?.[1];
console.log(`${(statSync(level).size / 1e6).toFixed(1)} MB of level (${count} things), ${(statSync(glb).size / 1e6).toFixed(1)} MB of GLB, ` +
  `${(statSync(json).size / 1e6).toFixed(1)} MB of JSON`);
console.log(`Kaitai Struct ${kaitaiVersion} on Node ${process.version}, assimp ${assimpVersion}, ${version("jq", "--version").trim()}\n`);
console.log("| they | ms | we | ms | they take |\n|---|--:|---|--:|--:|");
for (const one of rows) {
  const line = row(one);
  if (line) console.log(line);
}
for (const {theirs, them} of rows)
  if (them.why) console.log(`\nNo figure for ${theirs}: ${them.why}.`);
