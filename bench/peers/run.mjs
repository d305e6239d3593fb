// SPDX-License-Identifier: MIT
// Runs a program a few times: returns the shortest time of its whole process in milliseconds, or the reason why there is
// none. Every run must exit with code 0, not be killed by a signal, and write its output file.
import {spawnSync} from "node:child_process";
import {rmSync, statSync} from "node:fs";

export const milliseconds = () => Number(process.hrtime.bigint()) / 1e6;

export function best(runs, writes, program, ...words) {
  let shortest = Infinity;
  for (let i = 0; i < runs; i++) {
    if (writes) rmSync(writes, {force: true});
    const begin = milliseconds();
    const {status, signal, error} = spawnSync(program, words, {stdio: ["ignore", "ignore", "pipe"], maxBuffer: 1 << 28});
    const time = milliseconds() - begin;
    if (error) return {why: error.code ?? String(error)};
    if (signal) return {why: signal};
    if (status !== 0) return {why: `exit code ${status}`};
    if (writes && !statSync(writes, {throwIfNoEntry: false})?.size) return {why: "nothing was written"};
    shortest = Math.min(shortest, time);
  }
  return {time: shortest};
}

// A row of the table; none if either side failed.
export function row({theirs, them, ours, us}) {
  return them.time && us.time
    ? `| ${theirs} | ${them.time.toFixed(0)} | ${ours} | ${us.time.toFixed(0)} | ${(them.time / us.time).toFixed(1)} times as long |`
    : null;
}
