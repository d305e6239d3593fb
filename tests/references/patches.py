#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Patches between saves, and patches of other tests, against docs/mspatch.schema.json, and the number of
lines that report the changes: patches.py path/to/mapstone [path/to/mapstone_tests]. One line per test. Or
only the patches in a directory: patches.py path/to/mapstone --in DIRECTORY; the exit code reports whether
they are valid."""
import base64
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import zlib

TOP = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.path.abspath(sys.argv[1])

try:
    import jsonschema
except ImportError:
    print("1..0 # SKIP there is no jsonschema")
    sys.exit(0)
KEPT = "MAPSTONE_KEPT_PATCHES"

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
    """Faults in the number of human-readable lines, by the counts of an independent differ."""
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
    """Two files each: samples and the results of edits, successive saves of the corpus."""
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


def unpacked(text):
    """The lines of a patch, with those that are packed, and faults in these."""
    lines, wrong = [], []
    for line in text.splitlines():
        value = json.loads(line)
        if value.get("op") != "packed":
            lines.append(line)
            continue
        wrong += [error.message[:200] for error in VALIDATOR.iter_errors(value)]
        inside = zlib.decompress(base64.b64decode(value["data"], validate=True)).decode()
        wrong += ["packed operations have another size"] * (len(inside) != value["size"])
        lines += inside.splitlines()
    return lines, wrong


def faults(text):
    """Faults of a patch: in its lines, and in their order in each of its parts."""
    lines, wrong = unpacked(text)
    values = [json.loads(line) for line in lines]
    wrong += [error.message[:200] for value in values for error in VALIDATOR.iter_errors(value)]
    order = "".join({"mspatch": "f" if "files" in value else "h", "end": "e"}.get(next(iter(value)), "o") for value in values)
    if not re.fullmatch("ho*e|f(ho*e)*", order):
        wrong.append(f"the lines are in another order: {order[:80]}")
    if order.startswith("f") and values[0]["files"] != order.count("h"):
        wrong.append("the first line counts other parts")
    ends = [value["end"]["operations"] for value in values if "end" in value]
    if ends != [len(part) - 1 for part in order.lstrip("f").split("e")[:-1]]:
        wrong.append("an end counts other operations")
    return wrong, len(lines)


def check_all(folder):
    """The patches in a directory, which must not be empty."""
    wrong, files = [], sorted(pathlib.Path(folder).glob("*.mspatch"))
    for file in files:
        wrong += [f"{file.name}: {one}" for one in faults(file.read_text())[0]]
    return wrong if files else ["there are no patches"], len(files)


def made_by_tests(program):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, "test_patch"], env={**os.environ, KEPT: folder}, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, cwd=TOP, check=False)
        wrong, count = check_all(folder)
        return wrong + ["the tests fail"] * (done.returncode != 0), count


def main():
    if sys.argv[2:3] == ["--in"]:
        wrong, count = check_all(sys.argv[3])
        print(f"{count} patches", *wrong[:5], sep="\n")
        return bool(wrong)
    failed = number = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, old, new in pairs(folder):
            number += 1
            plain, file = run("diff", "--patch", old, new).stdout.decode(), pathlib.Path(folder, "file.mspatch")
            wrong, lines = faults(plain)
            run("diff", old, new, "-o", str(file))
            if unpacked(file.read_text()) != (plain.splitlines(), []):
                wrong.append("the file has other operations")
            if file.stat().st_size > os.path.getsize(old) + os.path.getsize(new):
                wrong.append("the file is larger than both levels")
            failed += bool(wrong)
            print(f"{'not ok' if wrong else 'ok'} {number} - {name}: {lines} lines")
            for line in wrong[:5]:
                print("#  ", line)
    for program in sys.argv[2:]:
        wrong, count = made_by_tests(program)
        number += 1
        failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {number} - {count} patches that tests make")
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
