# SPDX-License-Identifier: MIT
"""Doom's WAD and Quake's BSP29, described by tables alone, in every tool: first_format.py COMMAND. TAP.

The files are written and read here by `struct`, from id Software's published sources."""
import csv
import json
import os
import struct
import subprocess
import sys
import tempfile

COMMAND = os.path.abspath(sys.argv[1])
WAD_LUMPS = {"THINGS": "<hhhhH", "LINEDEFS": "<HHHHHhh", "VERTEXES": "<hh", "SECTORS": "<hh8s8shHH"}
BSP_SIZES = {1: 20, 3: 12, 5: 24, 6: 40, 7: 20, 9: 8, 10: 28, 11: 2, 12: 4, 13: 4, 14: 64}


def wad(lumps):
    data, directory = b"", b""
    for name, content in lumps:
        data += b"\0" * (-len(data) % 4)
        directory += struct.pack("<ii8s", 12 + len(data), len(content), name.encode())
        data += content
    data += b"\0" * (-len(data) % 4)
    return b"PWAD" + struct.pack("<ii", len(lumps), 12 + len(data)) + data + directory


def lumps_of_wad(data):
    count, at = struct.unpack_from("<ii", data, 4)
    found = []
    for i in range(count):
        offset, size, name = struct.unpack_from("<ii8s", data, at + 16 * i)
        assert offset % 4 == 0 and 0 <= offset <= len(data) - size
        found.append((name.rstrip(b"\0").decode(), data[offset : offset + size]))
    return found


def bsp(lumps, order):
    """Lumps are in another order than the directory's, as qbsp and light write them."""
    places, data = {}, b""
    for index in order:
        places[index] = 124 + len(data)
        data += lumps[index] + b"\0" * (-len(lumps[index]) % 4)
    header = b"".join(struct.pack("<ii", places[i], len(lumps[i])) for i in range(15))
    return struct.pack("<i", 29) + header + data


def lumps_of_bsp(data):
    assert struct.unpack_from("<i", data)[0] == 29
    pairs = [struct.unpack_from("<ii", data, 4 + 8 * i) for i in range(15)]
    assert all(124 <= at <= len(data) - size for at, size in pairs)
    return [data[at : at + size] for at, size in pairs]


def rows(form, values):
    return b"".join(struct.pack(form, *row) for row in values)


def pattern(count, seed):
    return bytes((i * 37 + seed) % 251 for i in range(count))


THINGS = [(32, -64, 90, 1, 7), (100, 200, 0, 3004, 7)]
CORNERS = [(0, 0), (256, 0), (256, 256), (0, 256)]
DOOM = [
    ("MAP01", b""),
    ("THINGS", rows("<hhhhH", THINGS)),
    ("LINEDEFS", rows("<HHHHHhh", [(i, (i + 1) % 4, 1, 0, 0, i, -1) for i in range(4)])),
    ("SIDEDEFS", rows("<hh8s8s8sH", [(0, i, b"-", b"-", b"STARTAN3", 0) for i in range(4)])),
    ("VERTEXES", rows("<hh", CORNERS)),
    ("SECTORS", rows("<hh8s8shHH", [(0, 128, b"FLOOR4_8", b"CEIL3_5", 160, 0, 0)])),
    ("REJECT", b"\1\2\3\4\5"),
    ("VERTEXES", b"\1\2\3"),  # no complete element: bytes
]
QUAKE = [pattern(3 * BSP_SIZES.get(i, 7), i) for i in range(15)]
QUAKE[0] = b'{\n"classname" "worldspawn"\n}\n\0'
QUAKE[1] = rows("<ffffi", [(1.0, 0.0, 0.0, 64.5, 0), (0.0, 0.0, 1.0, -8.0, 2)])
QUAKE[3] = rows("<fff", [(0.0, 0.0, 0.0), (64.0, 0.0, 0.5)])
QUAKE[6] = rows("<8fii", [(1.0, 0, 0, 16.0, 0, 0, -1.0, 0, 3, 0)])
QUAKE[14] = rows("<9f7i", [(-1.0, -2.0, -3.0, 1.0, 2.0, 3.0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 2)])
ORDER = [1, 10, 3, 5, 6, 7, 9, 11, 13, 12, 14, 8, 4, 0, 2]


def run(*arguments, code=0):
    done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr if code else done.stdout


def written(name, data):
    with open(name, "wb") as file:
        file.write(data)
    return name


def read(name):
    with open(name, "rb") as file:
        return file.read()


def both():
    return [("doom-wad", written("a.wad", wad(DOOM))), ("quake-bsp", written("a.bsp", bsp(QUAKE, ORDER)))]


def files_are_known_exact_and_without_findings():
    for format_id, name in both():
        assert f"{name}: {format_id}," in run("identify", name)
        assert f"{name}: exact" in run("roundtrip", "--json-too", name)
        run("check", "--strict", "-I", name)
        run("convert", name, "-o", f"{name}.json")
        run("convert", f"{name}.json", "-o", f"again.{name}")
        assert read(name) == read(f"again.{name}")


def values_are_those_of_the_file():
    both()
    dump = json.loads(run("dump", "a.wad"))
    assert [entry["name"] for entry in dump["entries"]] == [name for name, _ in DOOM]
    for (name, content), entry in zip(DOOM, dump["entries"]):
        if entry.get("type") != name:
            assert entry["data"] == content.hex(), name
            continue
        found = []
        for element in entry[{"VERTEXES": "vertices"}.get(name, name.lower())]:
            flat = []
            for value in element.values():
                flat += value if isinstance(value, list) else [value]
            found.append(tuple(v.encode() if isinstance(v, str) else v for v in flat))
        assert rows(WAD_LUMPS[name], found) == content, name
    assert [entry.get("type") for entry in dump["entries"]] == [None, "THINGS", "LINEDEFS", None, "VERTEXES", "SECTORS", None, None]
    dump = json.loads(run("dump", "a.bsp"))["entries"]
    assert dump[3]["vertices"][1]["position"] == [64, 0, 0.5] and dump[1]["planes"][1]["axis"] == 2
    assert dump[0]["entities"].rstrip("\0") == QUAKE[0].decode().rstrip("\0")
    for index, size in BSP_SIZES.items():
        (elements,) = [value for value in dump[index].values() if isinstance(value, list)]
        assert len(elements) == len(QUAKE[index]) // size, index
    assert run("get", "a.bsp", "entries[6].surfaces[0].v[2]").strip() == "-1"


def tables_have_a_row_for_each_element():
    both()
    lines = list(csv.DictReader(run("table", "--csv", "--rows", "entries[4].vertices", "a.wad").splitlines()))
    assert [(int(line["x"]), int(line["y"])) for line in lines] == CORNERS
    assert [int(line["offset"]) for line in lines] == [read("a.wad").index(DOOM[4][1]) + 4 * i for i in range(4)]


def a_value_changes_its_bytes_alone():
    for _, name in both():
        path = "entries[name=THINGS].things[0].x" if name == "a.wad" else "entries[3].vertices[1].position[2]"
        run("set", name, f"{path}=48", "-o", "b")
        before, after = read(name), read("b")
        assert len(before) == len(after)
        assert [i for i in range(len(before)) if before[i] != after[i]] != []
        if name == "a.wad":
            assert lumps_of_wad(after)[1][1] == rows("<hhhhH", [(48, *THINGS[0][1:]), THINGS[1]])
            assert lumps_of_wad(after)[2:] == DOOM[2:]
        else:
            found = lumps_of_bsp(after)
            assert found[3] == rows("<fff", [(0.0, 0.0, 0.0), (64.0, 0.0, 48.0)])
            assert found[:3] + found[4:] == QUAKE[:3] + QUAKE[4:]


def what_grows_moves_the_rest():
    both()
    run("edit", "a.wad", "-e", 'insert entries[1].things[1] = {"x":1,"y":2,"angle":0,"type":5,"flags":7}', "-o", "b.wad")
    assert lumps_of_wad(read("b.wad")) == [DOOM[0], ("THINGS", rows("<hhhhH", [THINGS[0], (1, 2, 0, 5, 7), THINGS[1]])), *DOOM[2:]]
    run("edit", "a.bsp", "-e", "remove entries[1].planes[0]", "-e", "entries[0].entities = none", "-o", "b.bsp")
    found = lumps_of_bsp(read("b.bsp"))
    assert found[1] == QUAKE[1][20:] and found[0].rstrip(b"\0") == b"none" and found[2:] == QUAKE[2:]
    assert "exact" in run("roundtrip", "--json-too", "b.wad", "b.bsp")


def changes_are_compared_patched_and_merged():
    for _, name in both():
        one, two = ("entries[1].things[0].x", "entries[4].vertices[2].y") if name == "a.wad" else ("entries[3].vertices[0].position[0]", "entries[12].edges[1].vertices[0]")
        run("set", name, f"{one}=5", "-o", "one")
        run("set", name, f"{two}=6", "-o", "two")
        assert " -> 5" in run("diff", name, "one", code=1)
        run("diff", name, "one", "-o", "one.mspatch", code=1)
        run("patch", name, "one.mspatch", "-o", "patched")
        assert read("patched") == read("one")
        run("patch", "--reverse", "one", "one.mspatch", "-o", "back")
        assert read("back") == read(name)
        run("merge", name, "one", "two", "-o", "merged")
        run("set", "one", f"{two}=6", "-o", "both")
        assert read("merged") == read("both")


def what_does_not_fit_is_refused():
    both()
    assert "entries[1].type" in run("set", "a.wad", "entries[1].name=FOO", "-o", "x", code=5)
    run("edit", "a.bsp", "-e", "remove entries[14]", "-o", "x", code=5)
    run("set", "a.bsp", "directory=last", "-o", "x", code=5)
    assert not os.path.exists("x")


def damage_has_a_code_and_a_place():
    damaged = bytearray(wad(DOOM))
    at = struct.unpack_from("<i", damaged, 8)[0] + 16
    struct.pack_into("<i", damaged, at, len(damaged))
    found = run("check", written("d.wad", damaged), code=4)
    assert "WAD-DAMAGED" in found and "entries[1]" in found, found
    found = run("check", written("d.bsp", bsp(QUAKE, ORDER)[:-30]), code=4)
    assert "BSP-DAMAGED" in found, found


def the_reference_describes_the_records():
    for format_id, words in (("doom-wad", ["## thing", "| `angle` | i16 |"]), ("quake-bsp", ["## leaf", "| `normal` | f32[3] |"])):
        reference = run("spec", format_id)
        assert all(word in reference for word in words), reference


def main():
    tests = [test for name, test in globals().items() if callable(test) and "_" in name and test.__code__.co_argcount == 0]
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        os.environ["XDG_STATE_HOME"] = directory
        for number, test in enumerate(tests, 1):
            name = test.__name__.replace("_", " ")
            try:
                test()
                print(f"ok {number} - {name}")
            except AssertionError as error:
                failed += 1
                print(f"not ok {number} - {name}\n# {error}")
        os.chdir("/")
    print(f"1..{len(tests)}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
