#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the cost of many levels as rows: constants from a few, compared with many, and extrapolated to a million.

usage: bench/many_levels.py BUILD DIRECTORY count                (instructions, by callgrind)
       bench/many_levels.py BUILD DIRECTORY [FILES [FEWER]]      (time: 100,000; and 10,000 for the larger outputs)

Makes sectors of Revenant in DIRECTORY, which must not exist: some with 8 objects and some with 160, which define a straight line
for each part of the work: a cost per file, and a cost per row. Then makes files with 8 to 158 objects, 83 on average, like real
ones, and compares the cost of the command with the sum of the lines.

Instructions are the same in each run, and are divided into opening (mst_level_open), rows (mst_level_table) and the rest, which
is mostly writing. Times are processor time, user and system, of one thread, the shortest of several runs; on a busy machine they
vary from run to run. Prints tables in Markdown. Figures that they call computed were not measured.
"""
import os
import re
import shutil
import subprocess
import sys

FEW, SMALL, LARGE = 1000, 8, 160
TIMES = 3  # runs; the shortest counts
PLACES = ["--columns", "file,path,list,class,name,x,y,z,yaw"]
RUNS = {  # name: options, and the file's extension
    "Parquet without `raw`": (["--relation", "entity", *PLACES], "parquet"),
    "Parquet with `raw`": (["--relation", "entity"], "parquet"),
    "Parquet of `property`": (["--relation", "property"], "parquet"),
    "database": ([], "db"),
}


class Run:
    """The command over a directory: processor time in seconds, memory in MB, bytes written."""

    def __init__(self, command, directory, name, times=1):
        options, ending = RUNS[name]
        path = directory.rstrip("/") + "." + ending
        self.user = self.system = 1e9
        for _ in range(times):
            if os.path.exists(path):
                os.remove(path)
            child = subprocess.Popen([command, "table", "-q", "-j1", *options, directory, "-o", path])
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode:
                sys.exit("%s failed" % child.args)
            if usage.ru_utime + usage.ru_stime < self.seconds:
                self.user, self.system = usage.ru_utime, usage.ru_stime
            self.memory = usage.ru_maxrss / 1024
        self.bytes = os.path.getsize(path)
        os.remove(path)

    @property
    def seconds(self):
        return self.user + self.system


def levels(directory):
    return sorted(os.path.join(top, name) for top, _, names in os.walk(directory) for name in names)


class Line:
    """cost = files * file + rows * row, through two points: `files` files with SMALL objects, and with LARGE."""

    def __init__(self, files, small, large):
        self.row = (large - small) / (files * (LARGE - SMALL))
        self.file = small / files - self.row * SMALL

    def of(self, files, rows):
        return files * self.file + rows * self.row


def make(program, directory, files, least, most):
    subprocess.run([program, "make", directory, str(files), str(least), str(most)], check=True)
    return sum(least + (most - least) * (i % 16) // 15 for i in range(files))


# ---- instructions ---------------------------------------------------------------------------------------

PARTS = {"opening": "mst_level_open", "rows": "mst_level_table"}


def count(command, directory, name):
    """Instructions by part, in thousands, and the rest."""
    options, ending = RUNS[name]
    path, profile = directory.rstrip("/") + "." + ending, directory.rstrip("/") + ".callgrind"
    if os.path.exists(path):
        os.remove(path)
    subprocess.run(["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=" + profile, command, "table", "-q", "-j1", *options, directory,
                    "-o", path], check=True, stderr=subprocess.DEVNULL)
    text = subprocess.check_output(["callgrind_annotate", "--inclusive=yes", "--tree=none", "--threshold=100", profile], text=True)
    found = dict((what, int(number.replace(",", "")) / 1e3) for number, what in
                 re.findall(r"^ *([\d,]+) \([\d. %]+\)  (?:.*:)?(PROGRAM TOTALS|mst_level_open|mst_level_table)(?: \[|$)", text, re.M))
    parts = {part: found[function] for part, function in PARTS.items()}
    return {**parts, "writing, and all else": found["PROGRAM TOTALS"] - sum(parts.values()), "together": found["PROGRAM TOTALS"]}


def count_all(command, program, directory):
    few, mixed, files = [os.path.join(directory, "few-%d" % one) for one in (SMALL, LARGE)], os.path.join(directory, "mixed"), 16
    for one, objects in zip(few, (SMALL, LARGE)):
        make(program, one, files, objects, objects)
    rows = make(program, mixed, 2 * files, 8, 158)
    print("| thousands of instructions | %s | %d files, %d rows: said | counted |" % (" | ".join([*PARTS, "writing, and all else", "together"]),
                                                                                     2 * files, rows))
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name in RUNS:
        counted = [count(command, one, name) for one in few]
        lines = {part: Line(files, *(one[part] for one in counted)) for part in counted[0]}
        print("| %s | %s | %.0f | %.0f |" % (name, " | ".join("%.1f + %.2f a row" % (line.file, line.row) for line in lines.values()),
                                             lines["together"].of(2 * files, rows), count(command, mixed, name)["together"]), flush=True)


# ---- times ------------------------------------------------------------------------------------------------


class Model:
    def __init__(self, command, few):
        self.whole, self.bytes = {}, {}
        for name in RUNS:
            runs = [Run(command, one, name, 1 if name == "database" else TIMES) for one in few]
            self.whole[name] = Line(FEW, *(one.seconds for one in runs))
            self.bytes[name] = Line(FEW, *(one.bytes for one in runs))

    def show(self):
        print("| microseconds | a file | a row |\n|---|--:|--:|")
        for name, line in self.whole.items():
            print("| %s | %.0f | %.2f |" % (name, line.file * 1e6, line.row * 1e6))


def hold(command, model, directory, files, rows, names):
    print("\n| %d files, %d rows | said | measured | off | most memory | written | said |\n|---|--:|--:|--:|--:|--:|--:|" % (files, rows))
    measured = {}
    for name in names:
        run = Run(command, directory, name)
        said = model.whole[name].of(files, rows)
        measured[name] = run
        print("| %s | %.1f s | %.1f s (%.1f of it system) | %+.0f %% | %.1f MB | %.1f MB | %.1f MB |" % (
            name, said, run.seconds, run.system, 100 * (run.seconds / said - 1), run.memory, run.bytes / 1e6,
            model.bytes[name].of(files, rows) / 1e6), flush=True)
    return measured


def million(found, size):
    """Extrapolates from the largest runs; `found`: files and run, `size`: bytes read per file."""
    count = 1000000
    print("\nA million of them, computed: %.1f GB are read." % (size * count / 1e9))
    print("| container | one core of this machine | 8 cores | 32 cores | written |\n|---|--:|--:|--:|--:|")
    for name, (files, run) in found.items():
        seconds = run.seconds * count / files
        print("| %s | %s | %s | %s | %.1f GB |" % (name, *("%.0f min" % (seconds / cores / 60) if seconds / cores >= 90 else
                                                   "%.0f s" % (seconds / cores) for cores in (1, 8, 32)),
                                           run.bytes * count / files / 1e9))


def time_all(command, program, directory, files, fewer):
    few = [os.path.join(directory, "few-%d" % one) for one in (SMALL, LARGE)]
    for one, objects in zip(few, (SMALL, LARGE)):
        make(program, one, FEW, objects, objects)
    model = Model(command, few)
    model.show()
    found = {}
    for name, number, kinds in (("fewer", fewer, ["database", "Parquet of `property`"]),
                                ("many", files, ["Parquet without `raw`", "Parquet with `raw`"])):
        made = os.path.join(directory, name)
        rows = make(program, made, number, 8, 158)
        size = sum(map(os.path.getsize, levels(made))) / number
        found.update((kind, (number, run)) for kind, run in hold(command, model, made, number, rows, kinds).items())
    million({name: found[name] for name in RUNS}, size)


def main():
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    build, directory = sys.argv[1:3]
    command, program = os.path.join(build, "mapstone"), os.path.join(build, "bench", "bench_many_levels")
    os.makedirs(directory)
    if sys.argv[3:] == ["count"]:
        count_all(command, program, directory)
    else:
        time_all(command, program, directory, *(int(word) for word in (sys.argv[3:] + ["100000", "10000"][len(sys.argv) - 3:])))
    shutil.rmtree(directory)


main()
