#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the names that --json prints with docs/output.md, both ways.

usage: output.py COMMAND [CORPUS]

Each name that a command prints has a row in the table of its section, or is named in its text; each row of these tables
has been printed. Every line is one JSON object. Prints TAP.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
PAGE = os.path.join(TOP, "docs", "output.md")
OPEN = {"lists", "classes", "formats", "versions", "sum"}  # their names are the level's


def sections():
    """For each section the names of its tables' first column, and all names in it."""
    found = {}
    for part in open(PAGE, encoding="utf-8").read().split("\n## ")[1:]:
        title, _, text = part.partition("\n")
        rows = [line.split("|")[1] for line in text.split("\n") if line.startswith("| `")]
        found[title] = (set(re.findall(r"`([a-z_0-9]+)`", " ".join(rows))), set(re.findall(r"`([a-z_0-9]+)`", text)))
    return found


def names(value, inside=""):
    """The names of an object, and of the objects in it."""
    if isinstance(value, list):
        for one in value:
            yield from names(one, inside)
    elif isinstance(value, dict):
        for name, one in value.items():
            if inside not in OPEN:
                yield name
            if name not in ("old", "new", "base", "ours", "theirs", "at"):
                yield from names(one, name)


class Session:
    def __init__(self, command, room):
        self.command, self.room = command, room
        self.printed = {}  # by section

    def make(self, sample, name, *edits):
        path = os.path.join(self.room, name)
        subprocess.run([self.command, "convert", "-q", os.path.join(TOP, "samples", sample), "-o", path], check=True)
        if edits:
            self.change(path, *edits)
        return path

    def change(self, path, *edits):
        arguments = [word for one in edits for word in ("-e", one)]
        subprocess.run([self.command, "edit", "-q", "-i", "--force", path, *arguments], check=True)

    def take(self, section, *arguments, stream="stdout", given=b""):
        done = subprocess.run([self.command, *arguments], cwd=self.room, input=given, capture_output=True, check=False)
        self.note(section, getattr(done, stream).decode("utf-8"))

    def note(self, section, text):
        for line in text.splitlines():
            value = json.loads(line)
            if not isinstance(value, dict):
                raise ValueError("not an object: %s" % line[:80])
            self.printed.setdefault(section, set()).update(names(value))


def look(session, corpus):
    """Commands of every section, on levels of all families, and on files that are none."""
    level = session.make("outpost.json", "outpost.level")
    broken, other = os.path.join(session.room, "broken.level"), os.path.join(session.room, "other.txt")
    open(broken, "wb").write(open(level, "rb").read()[:5000])
    open(other, "w", encoding="ascii").write("no level\n")
    bad = session.make("outpost.json", "bad.level", "objects[7].class_name = \"\"", "objects[8].group = 77")
    files = [level, broken, other, bad, os.path.join(TOP, "samples")]
    if corpus:
        files += [corpus]
    session.take("identify", "identify", "--json", *files)
    session.take("info", "info", "--json", level, *files[4:])
    for what in ("--summary", "--assets", "--triggers", "--maps", "--rectangles"):
        session.take("info", "info", "--json", what, *files[4:])
    baseline = os.path.join(session.room, "known")
    subprocess.run([session.command, "check", "-q", bad, "--write-baseline", baseline], capture_output=True, check=False)
    session.take("check", "check", "--json", "--information", *files)
    session.take("check", "check", "--json", "--baseline", baseline, bad)
    session.take("check", "check", "--json", "--input-limit", "100", "-", given=open(level, "rb").read())
    session.take("check", "check", "--codes", "ns2-level", "--json")
    return level


def change(session, level):
    new = session.make("outpost.json", "new.level", "objects[7].properties.origin[0] += 2", "remove objects[9]", "duplicate objects[19]",
                       "remove objects[3].properties[0]", "move objects[12] to 4")
    section = "diff, edit, patch"
    session.take(section, "diff", "--json", level, new)
    session.take(section, "diff", "--json", "--all", level, new)
    twins = session.make("outpost.json", "twins.level", "duplicate objects[19]", "objects[20].properties.origin[0] = 8")
    unclear = session.make("outpost.json", "unclear.level", "duplicate objects[19]", "objects[20].properties.origin[0] = 7",
                           "objects[19].properties.origin[0] = 8", "objects[20].properties.intensity = 7")
    session.take(section, "diff", "--json", twins, unclear)
    section = "merge, conflicts"
    ours = session.make("outpost.json", "ours.level", "objects[19].properties.intensity = 7", "remove objects[7]", "layers[0].name = \"A\"")
    theirs = session.make("outpost.json", "theirs.level", "objects[19].properties.intensity = 8",
                          "objects[7].properties.origin[0] = 7", "remove layers[0]")
    session.take(section, "conflicts", "--json", level, ours, theirs)
    folders = [os.path.join(session.room, name) for name in ("base", "ours", "theirs")]
    for folder, file in zip(folders, (level, ours, theirs)):
        os.mkdir(folder)
        shutil.copy(file, os.path.join(folder, "a.level"))
    lines = os.path.join(session.room, "conflicts.jsonl")
    subprocess.run([session.command, "merge", *folders, "-o", os.path.join(session.room, "merged"), "--conflicts", lines, "--mark"],
                   capture_output=True, check=False)
    session.note(section, open(lines, encoding="utf-8").read())
    in_git(session, level, ours, theirs)


def in_git(session, base, ours, theirs):
    """Conflicts of a merge by git, of which one is resolved."""
    room = os.path.join(session.room, "repository")

    def git(*words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=room, capture_output=True, check=False)

    def put(file, *words):
        shutil.copy(file, os.path.join(room, "a.level"))
        git("add", "-A")
        git("commit", "-qm", *words)

    os.mkdir(room)
    git("init", "-qb", "main")
    put(base, "base")
    git("checkout", "-qb", "theirs")
    put(theirs, "theirs")
    git("checkout", "-q", "main")
    put(ours, "ours")
    git("merge", "theirs")
    level = os.path.join(room, "a.level")
    print(subprocess.run([session.command, "resolve", "-q", level, "objects[19].properties.intensity", "--theirs"], cwd=room,
                   capture_output=True, check=False))
    session.take("merge, conflicts", "conflicts", "--json", level)


def others(session, level):
    section = "The others"
    session.change(level, "objects[7].properties.origin[0] += 1")
    session.take(section, "roundtrip", "--json", level)
    session.take(section, "history", "--json", level)
    subprocess.run([session.command, "undo", "-q", level], check=True, capture_output=True)
    session.take(section, "history", "--json", level)
    session.take(section, "spec", "--json")
    session.take(section, "table", "--lists", level)
    session.take(section, "check", "-q", "--progress", "json", level, level, stream="stderr")


def main():
    command = os.path.abspath(sys.argv[1])
    corpus = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("MAPSTONE_CORPUS", "")
    failed = count = 0
    with tempfile.TemporaryDirectory() as room:
        os.environ.update(XDG_STATE_HOME=room, XDG_CONFIG_HOME=room, HOME=room)
        session = Session(command, room)
        level = look(session, corpus)
        change(session, level)
        others(session, level)
        for title, (rows, words) in sections().items():
            printed = session.printed.get(title, set())
            unknown, unseen = sorted(printed - words), sorted(rows - printed) if corpus and title != "The others" else []
            good = printed and not unknown and not unseen
            failed, count = failed + (not good), count + 1
            print("%s %d - %s: %d names%s%s" % ("ok" if good else "not ok", count, title, len(printed),
                                                "; not in the page: %s" % " ".join(unknown) if unknown else "",
                                                "; never printed: %s" % " ".join(unseen) if unseen else ""))
        print("1..%d" % count)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
