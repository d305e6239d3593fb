# SPDX-License-Identifier: MIT
"""Levels as rows: mapstone.table."""
import collections
import json
import math
import os
import pathlib

import pytest

import mapstone

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"


def text_of(name):
    return json.loads((SAMPLES / (name + ".json")).read_text(encoding="utf-8"))


def test_entities_are_the_objects_of_the_file(samples):
    objects = text_of("outpost")["objects"]
    found = mapstone.table(samples / "outpost.level")
    assert [row[found.names.index("class")] for row in found] == [one["class_name"] for one in objects]
    assert [row[found.names.index("path")] for row in found] == ["objects[%d]" % i for i in range(len(objects))]
    with mapstone.open(samples / "outpost.level") as level:
        placed = {one.path: one.world for one in level.entities()}
        for row in level.table(columns=["path", "x", "y", "z"]):
            assert row[0] not in placed or row[1:] == pytest.approx(placed[row[0]], abs=1e-4)
        assert len(placed) > 30


def test_places_are_those_of_the_scene(samples):
    """The rows compute positions from the numbers alone; the scene is built from everything."""
    compared = collections.Counter()
    corpus = os.environ.get("MAPSTONE_CORPUS", "")
    for name, _ in mapstone._table.files([samples] + ([corpus] if os.path.isdir(corpus) else [])):
        try:
            level = mapstone.open(name)
        except mapstone.Error:
            continue
        with level:
            try:
                placed = {(one.file, one.path): one for one in level.entities()}
            except mapstone.Error:
                continue
            form = level.document.format.id
            own = {path: one for (file, path), one in placed.items() if file in ("", os.path.basename(name))}
            for path, x, y, z in level.table(columns=["path", "x", "y", "z"]):
                if path in own and x is not None:
                    assert (x, y, z) == pytest.approx(own[path].world, rel=1e-5, abs=1e-3), (name, path)
                    compared[form] += 1
    assert set(compared) >= {"ns2-level", "turok-map", "alien-map", "revenant-sector"}, compared


def test_where_and_columns(samples):
    objects = text_of("outpost")["objects"]
    lights = [i for i, one in enumerate(objects) if one["class_name"].startswith("light_")]
    found = mapstone.table([samples / "outpost.level"], where="class_name~light_*", columns=["path", "x"])
    assert found.names == ["path", "x"] and [row[0] for row in found] == ["objects[%d]" % i for i in lights] and lights
    with pytest.raises(mapstone.Error, match="no column 'nothing'"):
        mapstone.table(samples / "outpost.level", columns=["nothing"])
    with pytest.raises(mapstone.Error, match="no relation 'nothing'"):
        mapstone.table(samples / "outpost.level", relation="nothing")
    with pytest.raises(TypeError):
        mapstone.table(samples / "outpost.level", columns="path")


def test_columns_never_depend_on_rows(samples):
    known = {}
    for name, _ in mapstone._table.files(samples):
        for relation in ("file", "entity", "property", "relation", "asset", "finding"):
            found = mapstone.table(name, relation=relation)
            assert known.setdefault(relation, found.columns) == found.columns == mapstone.schema(relation)
        with mapstone.open(name) as level:
            form = level.document.format.id
            assert known.setdefault(form, level.table("record").columns) == level.table("record").columns == mapstone.schema("record", form)
    assert len(known) > 10


def test_what_numbers_cannot_say(tmp_path):
    """NaN, infinities, 64 bits, names that repeat and texts with NUL."""
    text = text_of("outpost")
    text["objects"] = text["objects"][:1]
    text["objects"][0]["properties"] = [
        {"name": "origin", "type": "distance", "animated": False, "value": ["NaN", "Infinity", "-Infinity"]},
        {"name": "twice", "type": "string", "animated": False, "value": ["a\0b"]},
        {"name": "twice", "type": "string", "animated": False, "value": [""]}]
    with mapstone.Document.from_json(json.dumps(text), lenient=True) as document:
        document.save(tmp_path / "odd.level")
    found = mapstone.table(tmp_path / "odd.level", relation="property", columns=["seq", "name", "component", "number", "text"])
    rows = [row for row in found if row[1] in ("origin", "twice")]
    assert [row[1:] for row in rows] == [("origin", 0, None, "NaN"), ("origin", 1, None, "Infinity"), ("origin", 2, None, "-Infinity"),
                                         ("twice", 0, None, "a\0b"), ("twice", 0, None, "")]
    assert mapstone.table(tmp_path / "odd.level")["x"].tolist() != [0] and all(math.isnan(x) for x in mapstone.table(tmp_path / "odd.level")["x"])
