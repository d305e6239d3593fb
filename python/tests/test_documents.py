# SPDX-License-Identifier: MIT
import json
import math
import struct
import threading

import pytest

import mapstone
from conftest import ROOT, SAMPLES


def test_opening_and_saving_keeps_every_byte(samples):
    for name in SAMPLES.values():
        data = (samples / name).read_bytes()
        with mapstone.Document.from_bytes(data, name) as document:
            assert document.to_bytes() == data
            assert document.files == {name: data}
            assert not document.is_edited
            assert mapstone.Document.from_json(document.to_json()).to_bytes() == data
            assert mapstone.Document.from_json(document.to_json(compact=True)).to_bytes() == data


@pytest.mark.parametrize("name, lists", [("outpost", ["objects", "layers", "groups", "viewports"]), ("valley", ["world", "actors.animations"]),
                                         ("bunker", ["map.monsters", "map.quads"])])
def test_values_are_those_of_the_json(samples, name, lists):
    wanted = json.loads((ROOT / "samples" / (name + ".json")).read_text(encoding="utf-8"))
    with mapstone.Document.open(samples / SAMPLES[name]) as document:
        assert document.format.id == wanted["$format"]
        for field in lists:
            value = wanted
            for part in field.split("."):
                value = value[part]
            assert document[field] == value, field


def test_kinds_of_values(outpost):
    objects = outpost.find("objects")
    assert (objects.type, len(objects), objects.path) == ("list", 42, "objects")
    assert objects[0].type == "record" and objects[-1].path == "objects[41]"
    assert objects[2:5].native == [objects[i].native for i in (2, 3, 4)]
    assert [v.path for v in objects][:2] == ["objects[0]", "objects[1]"]
    assert "class_name" in objects[0] and "class" not in objects[0]
    assert objects[0].keys()[0] == "has_layers" and objects[0]["has_layers"].native is True
    assert dict(objects[0].items())["class_name"] == objects[0]["class_name"].native
    name = objects[0]["class_name"]
    assert (name.type, name.native, name.name, name.bytes) == ("text", "ready_room_start", "class_name", b"ready_room_start")
    offset, length = name.span
    assert outpost.content[offset:offset + length].endswith(b"ready_room_start")
    origin = objects[0]["properties.origin"]
    assert origin.native == [3, pytest.approx(0.1), 3] and origin[1].type == "real" and isinstance(origin[0].native, float)
    with pytest.raises(IndexError):
        objects[42]
    with pytest.raises(TypeError):
        iter(name)
    assert outpost.get("nothing[3]", 5) == 5 and outpost.get("objects[0].class_name") == "ready_room_start"


def test_selectors(outpost):
    lights = outpost.select("objects[layer=Lights & properties.intensity>8].properties.intensity")
    assert [light.native for light in lights] == [[9], [12]]
    assert all(light.path.startswith("objects[") for light in lights)
    below = outpost.find("mesh").select("faces[0:2].material")
    assert [one.path for one in below] == ["mesh.faces[0].material", "mesh.faces[1].material"]
    with pytest.raises(mapstone.Error) as error:
        outpost.select("objects[")
    assert error.value.status in ("argument", "no path")


def test_errors_say_what_where_and_why(samples, outpost):
    with pytest.raises(mapstone.Error) as error:
        outpost["objects[0].clas_name"]
    assert error.value.status == "no path" and error.value.finding.expected.startswith("class_name")
    data = bytearray((samples / "outpost.level").read_bytes())
    with pytest.raises(mapstone.Error) as error:
        mapstone.Document.from_bytes(data[:-100], "a.level")
    assert error.value.status == "damaged" and error.value.code.startswith("NS2-") and isinstance(error.value.offset, int)
    assert error.value.code in str(error.value)
    with pytest.raises(mapstone.Error) as error:
        mapstone.Document.from_bytes(b"hello, world", "a.txt")
    assert error.value.status == "unknown"
    with pytest.raises(mapstone.Error) as error:
        mapstone.Document.open(samples / "nothing.level")
    assert error.value.status == "io"


def test_closed_documents_and_stale_values(samples):
    document = mapstone.Document.open(samples / "outpost.level")
    value = document.find("objects[0]")
    iterator = iter(document.find("objects"))
    next(iterator)
    document["layers[0].name"] = "Crates"
    with pytest.raises(mapstone.StaleError):
        value.native
    with pytest.raises(mapstone.StaleError):
        next(iterator)
    value = document.find("objects[0]")
    document.close()
    document.close()
    with pytest.raises(mapstone.Error):
        value.native
    with pytest.raises(mapstone.Error):
        document.to_bytes()


@pytest.mark.parametrize("name, order, list_, field, format_", [
    ("outpost.level", "<", "mesh.vertices", "position", "3f"), ("BUNKER.MAP", "<", "map.vertices", "x", "h"),
    ("islet/WARPTAB.bin", ">", "warps", "position", "3f"), ("islet/WARPTAB.bin", ">", "warps", "layer", "h")])
def test_columns_show_the_bytes(samples, name, order, list_, field, format_):
    """Columns equal the numbers that struct reads from the file."""
    pytest.importorskip("numpy")
    with mapstone.Document.open(samples / name) as document:
        elements, data = document.find(list_), document.content
        starts = [(element[field] if field else element).span[0] for element in elements]
        wanted = [struct.unpack_from(order + format_, data, start) for start in starts]
        column = elements.column(field)
        assert column.shape == ((len(wanted), 3) if format_[0] == "3" else (len(wanted),))
        assert [tuple(row) if format_[0] == "3" else (row,) for row in column.tolist()] == wanted
        assert not column.flags.owndata and not column.flags.writeable
        path = "%s[0]%s" % (list_, "." + field if field else "")
        value = document[path]
        with pytest.raises(BufferError):
            document[path] = value
        with pytest.raises(BufferError):
            document.close()
        part = column[3:5]
        del column
        with pytest.raises(BufferError):
            del document["%s[0]" % list_]
        assert len(part) == 2
        del part
        document[path] = value


def test_columns_that_are_copied(outpost):
    """Elements of different sizes are not equally spaced."""
    numpy = pytest.importorskip("numpy")
    groups = outpost.column("objects[:].has_layers")
    assert groups.tolist() == [int(one) for one in outpost["objects[:].has_layers"]]
    assert numpy.array_equal(outpost.find("mesh.vertices").column("position[1]"), outpost.column("mesh.vertices[:].position")[:, 1])
    with pytest.raises(mapstone.Error):
        outpost.column("objects[:].class_name")


def test_columns_without_numpy(outpost, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    column = outpost.column("mesh.vertices[:].position")
    assert isinstance(column, list) and list(column[5]) == outpost["mesh.vertices[5].position"]


def test_numbers_that_json_lacks(outpost):
    path = "objects[0].properties.origin"
    outpost[path] = [math.nan, math.inf, -0.0]
    back = [one.native for one in outpost.find(path)]
    assert math.isnan(back[0]) and back[1] == math.inf and math.copysign(1, back[2]) == -1


def test_edits_are_all_or_none(outpost):
    before = outpost.to_bytes()
    changes = outpost.edit("layers[0].name = Crates", {"op": "remove", "path": "objects[3]"}, "move objects[0] by 0,2,0")
    assert [change.kind for change in changes] == ["set", "remove", "set"]
    assert changes[0].old == "Props" and changes[0].new == "Crates"
    assert outpost["objects[0].properties.origin"] == [3, pytest.approx(2.1), 3] and len(outpost.find("objects")) == 41
    after = outpost.to_bytes()
    report = []
    with pytest.raises(mapstone.Error) as error:
        outpost.edit("layers[0].name = Other", "remove mesh.vertices[10]", report=report)
    assert error.value.status == "refused" and report and all(finding.severity == "error" for finding in report)
    assert outpost.to_bytes() == after != before
    with pytest.raises(mapstone.Error) as error:
        outpost.edit("objects[class_name~light_*].properties.intensity=3")
    assert error.value.status == "argument"
    outpost.edit("objects[class_name~light_*].properties.intensity=3", each=True)
    assert {v.native[0] for v in outpost.select("objects[class_name~light_*].properties.intensity")} == {3.0}
    del outpost["objects[0]"]
    outpost.insert("objects[0]", outpost["objects[5]"])
    assert outpost["objects[0]"] == outpost["objects[6]"]


def test_numbers_of_numpy_are_values(outpost):
    numpy = pytest.importorskip("numpy")
    outpost["mesh.vertices[0].position"] = numpy.array([1, 2, 3], dtype="f4")
    outpost["mesh.vertices[1].position[0]"] = numpy.float32(0.5)
    assert outpost["mesh.vertices[0].position"] == [1, 2, 3] and outpost["mesh.vertices[1].position[0]"] == 0.5
    with pytest.raises(TypeError):
        outpost["mesh.vertices[0].position"] = object()


def test_checks_and_conversions(outpost):
    assert outpost.check() == []
    losses = []
    with pytest.raises(mapstone.Error):
        outpost.convert(version=4, losses=losses)
    assert losses and losses[0].severity == "warning"
    assert outpost.convert(version=4, allow_loss=True).version == 4
    clip = outpost.convert(format="ns2-clip", select=["objects[0:3]"])
    assert clip.format.id == "ns2-clip" and len(clip["blocks"]) > 0


def test_pairs_of_files(samples, tmp_path):
    with mapstone.Document.open(samples / "islet" / "HITS.bin") as document:
        assert list(document.files) == ["HITS.bin", "HITS.tab"]
        assert all(data == (samples / "islet" / name).read_bytes() for name, data in document.files.items())
        document.save(tmp_path / "HITS.bin")
    assert (tmp_path / "HITS.tab").read_bytes() == (samples / "islet" / "HITS.tab").read_bytes()


def test_threads_read_one_document(outpost):
    wanted, results = outpost["objects"], []
    threads = [threading.Thread(target=lambda: results.append(outpost["objects"] == wanted)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_real_files(corpus):
    """Every level opens and is saved unchanged; other files give a diagnosis."""
    opened = 0
    for path in sorted(p for p in corpus.rglob("*") if p.is_file() and p.stat().st_size < 1 << 20):
        try:
            document = mapstone.Document.open(path)
        except mapstone.Error as error:
            assert error.status in ("unknown", "damaged", "io", "refused", "unsupported"), path
            continue
        opened += 1
        with document:
            assert path.read_bytes() in document.files.values(), path
    assert opened > 300


def test_new_levels():
    made = {one.id: one.templates for one in mapstone.formats() if one.templates}
    assert made["ns2-level"][:2] == ["empty", "room"] and {"turok-map", "alien-map", "revenant-sector", "sfa-romlist"} <= made.keys()
    for name, templates in made.items():
        for template in templates:
            with mapstone.Document.new(name, template, name="7_3_4.DAT") as document:
                assert document.format.id == name
                assert [finding.code for finding in document.check() if finding.severity != "information"] == []
    with mapstone.Document.new("ns2-level", version=6) as document:
        assert document.version == 6 and len(document.to_bytes()) < 192
    with mapstone.Document.new("revenant-sector", "room", name="7_3_4.DAT") as document:
        assert document["objects[0].position"][:2] == [3344, 4368]
    for what in (b"", b"solid cube", b"{}"):
        with pytest.raises(mapstone.Error):
            mapstone.Document.from_model(what)
    model = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"extras": {"class": "resource_point"}, "translation": [1, 2, 3]}]}
    with mapstone.Document.from_model(json.dumps(model).encode(), "room") as document:
        assert document["objects[3].class_name"] == "resource_point" and document.get("objects[3].properties.origin") == [1, 2, 3]
    for wrong in (("ns2-levle", None), ("ns2-level", "macth"), ("dds", None)):
        with pytest.raises(mapstone.Error) as caught:
            mapstone.Document.new(*wrong)
        assert caught.value.status == "no path"
    with pytest.raises(mapstone.Error):
        mapstone.Document.new("ns2-level", version=3)


def test_names_of_layers_and_materials(outpost):
    assert outpost.labels("objects", "layer")[3] == ["Game"]
    assert outpost.labels("mesh.faces", "group")[1:3] == [["CommanderInvisible"], []]
    outpost["objects[3].layer"] = ["Props", "Lights"]
    outpost["mesh.faces[0].material"] = "materials/outpost/grate.material"
    assert outpost.labels("objects", "layer")[3] == ["Props", "Lights"]
    assert outpost.labels("mesh.faces", "material")[0] == ["materials/outpost/grate.material"]
    assert [value.path for value in outpost.select("mesh.faces[material~*grate*]")] == ["mesh.faces[0]"]
    with pytest.raises(mapstone.Error, match="there is no layer"):
        outpost["objects[3].layer"] = "Prop"
    with pytest.raises(mapstone.Error):
        outpost.labels("mesh.faces", "vertices")
