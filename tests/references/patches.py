#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Patches between saves, against docs/mspatch.schema.json, and how many lines say what changed: patches.py
path/to/mapstone. One line per test."""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.path.abspath(sys.argv[1])

try:
    import jsonschema
except ImportError:
    print("1..0 # SKIP there is no jsonschema")
    sys.exit(0)

VALIDATOR = jsonschema.Draft202012Validator(json.loads((TOP / "docs/mspatch.schema.json").read_text()))
EDITS = {
    "outpost.level": ["objects[7].properties.origin[0] = 30", "duplicate objects[8]", "remove mesh.faces[3]",
                      "remove objects[31]", "mesh.faces[20].material = 1", "move objects[2] to 5"],
    "valley.map": ["actors.records[0].health = 7", "remove actors.records[3]", "sky_material = skies/other"],
    "L900LEV.MAP": ["map.monsters[0].health = 7", "remove map.pickups[2]"],
}
SAMPLES = {"outpost.level": "outpost", "valley.map": "valley", "L900LEV.MAP": "bunker"}


def run(*arguments):
    return subprocess.run([COMMAND, *arguments], stdout=subprocess.PIPE, check=False)


CORPUS = pathlib.Path(os.environ.get("MAPSTONE_CORPUS", TOP.parent / "shared/corpus")) / "histories/ns2"


def lines_shown():
    """What is wrong with the number of lines for people, by the counts of an independent differ."""
    wrong, shown = [], []
    expected = CORPUS / "expected.json"
    for pair in json.loads(expected.read_text()) if expected.exists() else []:
        most = len(pair["properties_changed"]) + 6 + sum(
            pair[key] for key in ("objects_added", "objects_removed", "faces_added", "faces_removed",
                                  "faces_retextured", "faces_reshaped"))
        sides = [str(CORPUS / pair["chain"] / pair[side]) for side in ("old", "new")]
        for old, new in (sides, sides[::-1]):
            count = len(run("diff", old, new).stdout.splitlines())
            shown.append(count)
            if count > min(most, 60):
                wrong.append(f"{pair['chain']} {pair['old']}: {count} lines, at most {min(most, 60)} are expected")
    if shown and statistics.median(shown) > 12:
        wrong.append(f"the median is {statistics.median(shown)} lines")
    return wrong, shown


def pairs(folder):
    """Two files each: samples and what edits make of them, successive saves of the corpus."""
    for name, sample in SAMPLES.items():
        old, new = os.path.join(folder, name), os.path.join(folder, "new-" + name)
        run("convert", "-q", str(TOP / "samples" / (sample + ".json")), "-o", old)
        expressions = [word for edit in EDITS[name] for word in ("-e", edit)]
        assert run("edit", "-q", "--cascade", old, *expressions, "-o", new).returncode == 0, name
        yield name, old, new
    for chain in sorted(CORPUS.glob("*/")):
        saves = sorted(chain.glob("*.level"))
        for old, new in zip(saves, saves[1:]):
            yield f"{chain.name} {old.stem}", str(old), str(new)


def main():
    failed = number = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, old, new in pairs(folder):
            number += 1
            lines = run("diff", "--patch", old, new).stdout.decode().splitlines()
            kinds = [next(iter(json.loads(line))) for line in lines]
            wrong = [error.message[:200] for line in lines for error in VALIDATOR.iter_errors(json.loads(line))]
            if kinds[:1] != ["mspatch"] or kinds[-1:] != ["end"] or set(kinds[1:-1]) - {"op"}:
                wrong.append("the lines are in another order")
            failed += bool(wrong)
            print(f"{'not ok' if wrong else 'ok'} {number} - {name}: {len(lines)} lines")
            for line in wrong[:5]:
                print("#  ", line)
    wrong, shown = lines_shown()
    number += 1
    failed += bool(wrong)
    print(f"{'not ok' if wrong else 'ok'} {number} - few lines say what changed: {shown}")
    for line in wrong:
        print("#  ", line)
    print(f"1..{number}")
    return failed > 0


sys.exit(main())
