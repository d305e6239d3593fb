// SPDX-License-Identifier: MIT
// node --test bench/peers
import assert from "node:assert/strict";
import {existsSync, mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import test from "node:test";
import {best, row} from "./run.mjs";

const shell = text => ["sh", "-c", text];

test("a process that ends well has a time", () => {
  const {time, why} = best(2, null, ...shell("exit 0"));
  assert.ok(time > 0);
  assert.equal(why, undefined);
});

test("a process that a signal ended has none", () => {
  assert.deepEqual(best(2, null, ...shell("kill -ABRT $$")), {why: "SIGABRT"});
  assert.deepEqual(best(2, null, ...shell("kill -SEGV $$")), {why: "SIGSEGV"});
});

test("a process that failed has none", () => {
  assert.deepEqual(best(2, null, ...shell("exit 3")), {why: "exit code 3"});
  assert.deepEqual(best(2, null, "no-such-program-here"), {why: "ENOENT"});
});

test("a process that did not write its file has none", () => {
  const directory = mkdtempSync(join(tmpdir(), "mapstone-peers-"));
  const file = join(directory, "out");
  try {
    assert.deepEqual(best(1, file, ...shell("exit 0")), {why: "nothing was written"});
    assert.deepEqual(best(1, file, ...shell(`: >${file}`)), {why: "nothing was written"});
    // the output of an earlier run does not count
    assert.ok(best(2, file, ...shell(`echo a >${file}`)).time > 0);
    assert.ok(existsSync(file));
    assert.deepEqual(best(1, file, ...shell("exit 0")), {why: "nothing was written"});
  } finally {
    rmSync(directory, {recursive: true});
  }
});

test("what failed on either side is not a row", () => {
  const ok = {time: 30}, twice = {time: 60}, bad = {why: "SIGABRT"};
  assert.equal(row({theirs: "a", them: twice, ours: "b", us: ok}), "| a | 60 | b | 30 | 2.0 times as long |");
  assert.equal(row({theirs: "a", them: bad, ours: "b", us: ok}), null);
  assert.equal(row({theirs: "a", them: ok, ours: "b", us: bad}), null);
});
