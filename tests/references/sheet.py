#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a contact sheet of Natural Selection 2's files and compares its list of missing files with the
corpus's figures.

usage: sheet.py COMMAND [CORPUS]

expected.json has the files that levels, models and materials name, from an independent reader; the
existing files are the corpus's, compared without case. Prints TAP, a line for each kind of file.
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

FOLDERS = ("maps", "models", "materials")
TEXTURES = (".dds", ".png", ".psd", ".tga")
# The files named by entities of classes other than prop_static (a decal its material), which the figures
# leave out; read from the level by hand.
DECALS = {"gameroot/extraentities/maps/ns2_eem_test_level.level": ["materials/numbers/number0.material"]}
OTHERS = {"gameroot/extraentities/maps/ns2_eem_test_level.level": {
    "models/props/refinery/refinery_tram_car2.model": 1, "models/props/generic/terminals/generic_controlpanel_01.model": 2,
    "models/props/refinery/refinery_wallmods_17_panel1.model": 2, "models/props/refinery/refinery_elevator1_platform.model": 1,
    "models/props/generic/terminals/generic_controlpanel_02.model": 3, "models/props/refinery/refinery_glass_01.model": 1}}
LINE = re.compile(r"information: (.+?): (model|material|texture) (.+?) was not found(?:, named (\d+) times)?$")


class Corpus:
    def __init__(self, root, figures):
        self.root, self.figures = root, figures
        self.files = {}
        for folder, _, names in os.walk(root):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), root)
                self.files[path.lower()] = path

    def named_by(self, path):
        """Pairs of kind and name, one for each use."""
        figures = self.figures.get(path, {})
        if path.endswith(".level"):
            models = collections.Counter(figures["props_missing"])
            models.update(OTHERS.get(path, {}))
            models.update(one["model"] for one in figures["placements"])
            materials = figures["materials_missing"] + figures["materials_found"] + DECALS.get(path, [])
            return [("material", name) for name in materials] + [("model", name) for name in models.elements()]
        if path.endswith(".model"):
            own = figures.get("animation_model")
            return [("material", name) for name in figures.get("materials", []) if name] + ([("model", own)] if own else [])
        return [("texture", value) for _, value in figures.get("pairs", [])
                if isinstance(value, str) and value.lower().endswith(TEXTURES) and value[0] not in "*%"]

    def missing(self, path):
        """The missing files of the file and those that it names: how often each is named."""
        parts = path.split("/")
        depth = max((i for i, part in enumerate(parts[:-1]) if part in FOLDERS), default=0)
        root = "/".join(parts[:depth] + [""]) if depth else ""
        uses, lists, seen = collections.Counter(), [path], {path}
        for one in lists:
            for kind, name in self.named_by(one):
                name = name.replace("\\", "/")
                found = self.files.get((root + name).lower()) or (
                    self.files.get((root + name[:-4]).lower() + ".dds") if kind == "texture" else None)
                if not found:
                    uses[kind, name.lower()] += 1
                elif found not in seen:
                    seen.add(found)
                    lists.append(found)
        return uses


def main():
    command = os.path.abspath(sys.argv[1])
    root = os.path.join(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("MAPSTONE_CORPUS", "../shared/corpus"), "spark")
    if not os.path.isdir(root):
        print("ok 1 - no corpus # SKIP no corpus found (MAPSTONE_CORPUS)\n1..1")
        return 0
    with open(os.path.join(root, "expected.json"), encoding="utf-8") as text:
        corpus = Corpus(root, json.load(text))
    with tempfile.TemporaryDirectory() as folder:
        to = os.path.join(folder, "sheet.png")
        ran = subprocess.run([command, "render", "--sheet", "--size", "32", root, "-o", to], stderr=subprocess.PIPE,
                             stdin=subprocess.DEVNULL, check=False)
        drawn = os.path.exists(to) and os.path.getsize(to) > 0
    listed = collections.defaultdict(collections.Counter)
    for line in ran.stderr.decode().splitlines():
        match = LINE.match(line)
        if match:
            path = os.path.relpath(match.group(1), root)
            listed[path][match.group(2), match.group(3).lower()] += int(match.group(4) or 1)
    # damaged files, which are reported as damaged, make the command end with 4
    results = [("one sheet is drawn", drawn and ran.returncode == 4, ran.stderr.decode()[-200:])]
    for ending in (".level", ".model", ".material"):
        wrong, count = [], 0
        for path in sorted(path for path in corpus.files.values() if path.endswith(ending)):
            if "error" in corpus.figures.get(path, {}):
                continue
            wanted = corpus.missing(path)
            count += sum(wanted.values())
            if listed[path] != wanted:
                wrong.append("%s: listed too often %s, too rarely %s" % (path, listed[path] - wanted, wanted - listed[path]))
        results.append(("what each %s lacks is listed (%d names)" % (ending, count), count and not wrong, "\n".join(wrong[:5])))
    for number, (name, good, why) in enumerate(results, 1):
        print("%s %d - %s" % ("ok" if good else "not ok", number, name))
        if not good:
            print("".join("# %s\n" % line for line in why.splitlines()), end="")
    print("1..%d" % len(results))
    return 0 if all(good for _, good, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
