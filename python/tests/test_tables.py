# SPDX-License-Identifier: MIT
"""Levels as rows: mapstone.table and, if Dask is installed, mapstone.dask.table."""
import collections
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import time

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
    """The rows compute positions only from the numbers, independently of the scene."""
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
                    apart = [one - other for one, other in zip((x, y, z), own[path].world)]
                    if form.startswith("revenant"):  # a scene draws flat tiles one unit above their floor
                        apart[1] = apart[1] if abs(abs(apart[1]) - 1 / 32) > 1e-3 else 0
                    assert apart == pytest.approx([0, 0, 0], abs=1e-3 + 1e-5 * max(map(abs, own[path].world))), (name, path)
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


def test_properties_as_columns(samples):
    objects = text_of("outpost")["objects"]
    lights = [{one["name"]: one["value"] for one in thing["properties"]} for thing in objects if thing["class_name"] == "light_point"]
    found = mapstone.table([samples / "outpost.level", samples / "valley.map"], relation="entity:light_point", columns=["intensity", "color[1]"])
    expected = [(one["intensity"][0], one["color"][1]) for one in lights]
    assert lights and [row[1] for row in found] == pytest.approx([one[0] for one in expected])  # in the order of the relation
    assert [row[0] for row in found] == pytest.approx([one[1] for one in expected])
    with pytest.raises(mapstone.Error, match="no format of these files knows the class 'lightpoint'"):
        mapstone.table(samples, relation="entity:lightpoint")


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
    """NaN, infinities, 64 bits, repeated names and texts with NUL."""
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


def test_dask_gives_the_same_rows_when_a_worker_dies(samples, tmp_path):
    """A scheduler and three workers on this machine, one of which is killed during the work."""
    distributed = pytest.importorskip("distributed")
    pytest.importorskip("pandas")
    import mapstone.dask
    for i in range(60):
        (tmp_path / ("copy%02d.level" % i)).write_bytes((samples / "outpost.level").read_bytes())
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    address_file = tmp_path / "scheduler.json"
    run = lambda *arguments: subprocess.Popen([sys.executable, "-m", *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: E731
    started = [run("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(address_file))]
    try:
        for _ in range(300):
            if address_file.exists() and address_file.stat().st_size:
                break
            time.sleep(0.1)
        started += [run("distributed.cli.dask_worker", "--scheduler-file", str(address_file), "--nthreads", "1", "--no-nanny", "--no-dashboard")
                    for _ in range(3)]
        with distributed.Client(scheduler_file=str(address_file), timeout="60s") as client:
            client.wait_for_workers(3, timeout=60)
            processes = client.run(os.getpid)
            frame = mapstone.dask.table(tmp_path, columns=["file", "path", "class"], files_per_partition=2)
            assert frame.npartitions == 31  # including scheduler.json, which is not a level
            future = client.compute(frame)
            busy = []
            for _ in range(2000):  # until a worker has work
                busy = busy or [address for address, tasks in client.processing().items() if tasks]
                if busy:
                    break
                time.sleep(0.005)
            os.kill(processes[busy[0]], signal.SIGKILL)
            found = future.result(timeout=120)
            assert len(client.scheduler_info()["workers"]) == 2
    finally:
        for one in started:
            one.kill()
            one.wait()
    expected = mapstone.table(tmp_path, columns=["file", "path", "class"])
    assert collections.Counter(found.itertuples(index=False, name=None)) == collections.Counter(expected)
