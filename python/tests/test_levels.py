# SPDX-License-Identifier: MIT
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import zipfile

import pytest

import mapstone
from conftest import ROOT


def test_entities(samples):
    with mapstone.open(samples / "outpost.level") as level:
        entities = level.entities()
        assert len(entities) == len(level["objects"])
        for entity in entities:
            assert level.find(entity.file).get(entity.path + ".class_name") == entity.class_name
            origin = level.document.get(entity.path + ".properties.origin")
            assert origin is None or list(entity.position) == pytest.approx(origin)
        assert {entity.role for entity in entities} >= {"entity", "light"}


def test_models_and_pictures(samples):
    for name in ("outpost.level", "valley.map", "BUNKER.MAP"):
        with mapstone.open(samples / name) as level:
            model = level.glb()
            assert b'-col"' not in model and b'-col"' in level.glb(collision=True)
            assert struct.unpack_from("<4sII", model) == (b"glTF", 2, len(model))
            text, materials = level.obj(materials="a.mtl")
            assert text.startswith(b"# metres, Y up\nmtllib a.mtl\n") and text.count(b"\nf ") > 20 and materials.count(b"\nnewmtl ") > 1
            assert level.obj(triangles=True, own_units=True, markers=False)[1] == b"" and level.quake_map().count(b"skip") > 20
            picture = level.png(width=320, height=200)
            assert picture[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack_from(">II", picture, 16) == (320, 200)
    with mapstone.open(samples / "outpost.level") as level, pytest.raises(mapstone.Error):
        level.png(view="below")
    assert b"light_point" in mapstone.fgd()
    with pytest.raises(mapstone.Error):
        mapstone.fgd("turok-map")


def test_edited_models_are_brought_back(samples):
    with mapstone.open(samples / "outpost.level") as level, mapstone.open(samples / "outpost.level") as before:
        model = level.editing_glb(textures=False)
        assert level.import_model(model) == []
        lifted = model.replace(b'"translation":[8,3,8],', b'"translation":[8,4,8],')
        (document, operations), = level.import_model(lifted)
        assert document is level.document and operations == ["move objects[12] by 0,1,0", "move objects[25] by 0,1,0"]
        document.edit(*operations)
        assert [(one.path, one.new) for one in mapstone.diff(before, level)] == [("properties.origin", [8, 4, 8])] * 2
        with pytest.raises(mapstone.Error) as error:
            level.import_model(model)
        assert error.value.status == "refused"
        assert [lines for _, lines in level.import_model(model, other_base=True)] == [["move objects[12] by 0,-1,0", "move objects[25] by 0,-1,0"]]
    with mapstone.open(samples / "outpost.level") as level:
        told = []
        part = level.editing_glb(textures=False, markers=False, only=["location"], select=["objects[0:30]"])
        assert len(part) < len(model) and level.import_model(part) == []
        assert level.import_model(part.replace(b"objects[12]", b"objects[99]"), report=told)[0][1] == ["remove objects[12]"]
        assert "no such element" in told[0].text and told[0].path == "objects[99]"
        assert len(level.editing_glb(textures=False, hide=["location"])) < len(model)


def fans_of(model):
    """The polygons of a model by their face's number: consecutive triangles with the same first corner. Numbers of vertices."""
    size, = struct.unpack_from("<I", model, 12)
    said, binary = json.loads(model[20:20 + size]), model[28 + size:]

    def values(index, kind):
        accessor = said["accessors"][index]
        start = said["bufferViews"][accessor["bufferView"]].get("byteOffset", 0) + accessor.get("byteOffset", 0)
        count = accessor["count"] * {"SCALAR": 1, "VEC2": 2}[accessor["type"]]
        return struct.unpack_from("<%d%s" % (count, kind or {5123: "H", 5125: "I"}[accessor["componentType"]]), binary, start)

    found = {}
    for part in (part for mesh in said["meshes"] for part in mesh["primitives"] if "TEXCOORD_1" in part["attributes"]):
        numbers, listed, last = values(part["attributes"]["TEXCOORD_1"], "f"), values(part["indices"], ""), None
        for a, b, c in zip(listed[::3], listed[1::3], listed[2::3]):
            of_face = found.setdefault(int(numbers[2 * a]) - 1, [])
            if a != last:
                of_face.append([int(numbers[2 * v + 1]) - 1 for v in (a, b)])
            of_face[-1].append(int(numbers[2 * c + 1]) - 1)
            last = a
    return found


def test_faces_are_fans_of_one_polygon(samples):
    with mapstone.open(samples / "outpost.level") as level:
        edges = [one["vertices"] for one in level.document["mesh.edges"]]
        found = fans_of(level.editing_glb(textures=False, polygons=True))
        faces = level.document["mesh.faces"]
        assert len(found) == len(faces) > 100
        for index, face in enumerate(faces):
            border = {edges[side["edge"]][1 if side["flipped"] else 0] for side in face["loops"][0]}
            (polygon,) = found[index]
            assert set(polygon) == border and len(polygon) == len(border)


def test_sidecars_and_games(samples, tmp_path, monkeypatch):
    with mapstone.open(samples / "outpost.level", search_paths=[tmp_path]) as level:
        assert level.sidecar("class.def") is None
        (tmp_path / "class.def").write_bytes(b"content")
    with mapstone.open(samples / "outpost.level", search_paths=[tmp_path]) as level:
        assert level.sidecar("class.def") == b"content"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert mapstone.games() == {}
    (tmp_path / "mapstone").mkdir()
    (tmp_path / "mapstone/games").write_text("ns2\t/games/ns2\ndamaged\n", encoding="utf-8")
    assert mapstone.games() == {"ns2": "/games/ns2"}


def test_descriptions(samples):
    with mapstone.open(samples / "outpost.level") as level:
        assert {"light_point", "tech_point"} <= set(level.document.describe("classes"))
        properties = {one["name"]: one for one in map(json.loads, level.document.describe("class light_point"))}
        assert properties["intensity"]["type"] == "real" and properties["intensity"]["choices"] == []
        with pytest.raises(mapstone.Error):
            level.document.describe("wings")


def test_choices_and_lines(samples):
    with mapstone.open(samples / "BUNKER.MAP") as level, mapstone.open(samples / "BUNKER.MAP") as before:
        kind = level.document.find("map.monsters[0].type")
        assert (2, "face_hugger", "") in kind.choices and level.document.find("map.monsters[0].x").choices == []
        level.document.edit("set map.monsters[0].health = 99")
        (one,) = mapstone.diff(before, level)
        assert str(one) == "~ map.monsters[0] %s: health %d -> 99" % (one.label, before["map.monsters[0].health"])


def test_models_of_several_sectors(samples):
    with mapstone.open(samples / "keep", level="7") as level:
        model = level.editing_glb(textures=False)
        assert level.import_model(model) == []
        size = struct.unpack_from("<I", model, 12)[0]
        json_of = json.loads(model[20:20 + size])
        at = {document.name: i for i, document in enumerate(level.documents)}
        node = next(n for n in json_of["nodes"] if n.get("extras", {}).get("path") == "objects[1]" and n["extras"]["file"] == "7_11_11.DAT")
        node["translation"][2] -= 1024  # to the sector 11,10
        text = json.dumps(json_of).encode()
        edited = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(model) - 20 - size, len(text), 0x4E4F534A) + text + model[20 + size:]
        source, target = level.documents[at["7_11_11.DAT"]], level.documents[at["7_11_10.DAT"]]
        name, count, other = source["objects[1].name"], len(source["objects"]), len(target["objects"])
        place = source["objects[1].position"]
        changes = level.import_model(edited)
        assert {document.name for document, _ in changes} == {"7_11_11.DAT", "7_11_10.DAT"}
        assert dict((document.name, operations) for document, operations in changes)["7_11_11.DAT"] == ["remove objects[1]"]
        for document, operations in changes:
            document.edit(*operations)
        moved = "objects[%d]" % other
        assert len(source["objects"]) == count - 1 and len(target["objects"]) == other + 1 and target[moved + ".name"] == name
        assert list(target[moved + ".position"]) == [place[0], place[1] - 1024, place[2]]


def test_checks_name_missing_files(samples):
    with mapstone.open(samples / "valley.map") as level:
        missing = [asset for asset in level.assets() if asset.state == "missing"]
        assert missing and all(asset.file is None for asset in missing)
        assert len(level.check(assets=True, information=True)) > len(level.check(information=True))


def test_saving_in_place(samples, tmp_path):
    path = tmp_path / "a.level"
    shutil.copy(samples / "outpost.level", path)
    with mapstone.open(path) as level:
        level["layers[0].name"] = "Crates"
        with pytest.raises(mapstone.Error):
            level.save()
        level.save_as(tmp_path / "b.level")
    with mapstone.open(path, writable=True) as level:
        level["layers[0].name"] = "Crates"
        level.save()
    assert path.read_bytes() == (tmp_path / "b.level").read_bytes() != (samples / "outpost.level").read_bytes()
    assert mapstone.Document.open(path)["layers[0].name"] == "Crates"


def test_archives(samples, tmp_path):
    packed = tmp_path / "game.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(samples / "outpost.level", "maps/outpost.level")
        archive.write(samples / "valley.map", "maps/valley.map")
    assert sorted(mapstone.levels(packed)) == [("maps/outpost.level", "ns2-level"), ("maps/valley.map", "turok-map")]
    with pytest.raises(mapstone.Error):
        mapstone.open(packed)
    with mapstone.open(packed, level="maps/valley.map") as level:
        assert level.document.format.id == "turok-map"
    with mapstone.open(str(packed) + "!maps/outpost.level") as level:
        assert level.document.to_bytes() == (samples / "outpost.level").read_bytes()


def test_sectors_are_one_level(samples):
    with mapstone.open(samples / "keep") as level:
        assert len(level.documents) > 1 and {document.format.id for document in level.documents} == {"revenant-sector"}
        files = {entity.file for entity in level.entities()}
        for file in files:
            assert level.find(file) in level.documents


def test_documents_end_with_their_level(samples):
    level = mapstone.open(samples / "outpost.level")
    document = level.document
    assert level.document is document
    level.close()
    with pytest.raises(mapstone.Error):
        document.to_bytes()


def test_what_a_call_raises_ends_it(samples, monkeypatch):
    def spoiled(*_):
        raise KeyError("spoiled")
    monkeypatch.setattr("mapstone._document.finding_of", spoiled)
    document = mapstone.Document.from_bytes((samples / "outpost.level").read_bytes(), "a.level")
    document.edit("objects[0].class_name = no_such_thing", check=False)
    with pytest.raises(KeyError):
        document.check(information=True, schema='<editor_setup><class name="x"/></editor_setup>')


def test_differences_patches_and_merges(samples):
    def opened():
        return mapstone.Document.open(samples / "outpost.level")
    base, ours, theirs = opened(), opened(), opened()
    assert mapstone.diff(base, ours) == []
    ours.edit("remove objects[3]", "layers[0].name = Crates")
    theirs.edit("objects[17].properties.intensity = 3")
    changes = mapstone.diff(base, ours)
    assert sorted((c.kind, c.list) for c in changes) == [("remove", "objects"), ("set", "layers")]
    renamed = next(c for c in changes if c.kind == "set")
    assert (renamed.path, renamed.old, renamed.new, renamed.old_index) == ("name", "Props", "Crates", 0)
    removed = next(c for c in changes if c.kind == "remove")
    assert removed.old["class_name"] == "ns2_gamerules" and removed.new is None and removed.new_index is None
    patch = mapstone.make_patch(base, ours)
    again = opened()
    assert mapstone.apply_patch(again, patch) == [] and again.to_bytes() == ours.to_bytes()
    mapstone.apply_patch(again, patch, reverse=True)
    assert again.to_bytes() == base.to_bytes()
    assert mapstone.merge(ours, base, theirs) == []
    assert ours["objects[16].properties.intensity"] == [3] and ours["layers[0].name"] == "Crates"
    theirs.edit("layers[0].name = Other")
    conflict, = mapstone.merge(ours, base, theirs)
    assert (conflict.base, conflict.ours, conflict.theirs) == ("Props", "Crates", "Other")
    assert conflict.decided is None and conflict.changed is None
    brighter, without = opened(), opened()
    brighter.edit("objects[19].properties.intensity = 3")
    without.edit("remove objects[19]")
    conflict, = mapstone.merge(brighter, base, without)
    assert (conflict.kind, conflict.path, conflict.changed) == ("removed by theirs", "objects[19]", "properties.intensity")
    asked = []
    resolved, = mapstone.merge(ours, base, theirs, resolve=lambda one: asked.append(one.path) or ("value", "Third"))
    assert asked == ["layers[0].name"] and resolved.decided == "theirs" and ours["layers[0].name"] == "Third"
    with pytest.raises(mapstone.Error):
        mapstone.merge(ours, base, theirs, resolve=lambda one: "both")
    with pytest.raises(ZeroDivisionError):
        mapstone.merge(ours, base, theirs, resolve=lambda one: 1 // 0)
    assert ours["layers[0].name"] == "Third"
    assert mapstone.merge(ours, base, theirs, resolve=lambda one: None)[0].decided is None
    assert mapstone.merge(ours, base, theirs, resolve=lambda one: "theirs")[0].decided == "theirs"
    mapstone.merge(ours, base, theirs, prefer="theirs")
    assert ours["layers[0].name"] == "Other"
    with pytest.raises(mapstone.Error):
        mapstone.apply_patch(ours, b"no patch")
    torn, moved = opened(), opened()
    torn.edit("objects[0].group = 77", force=True)
    moved.edit("layers[0].name = Other")
    with pytest.raises(mapstone.Error):
        mapstone.apply_patch(moved, mapstone.make_patch(base, torn))
    assert mapstone.apply_patch(moved, mapstone.make_patch(base, torn), force=True) == []
    assert moved["objects[0].group"] == 77


def test_readme(samples, tmp_path, monkeypatch):
    """The README's examples run, in its order."""
    text = (ROOT / "python" / "README.md").read_text(encoding="utf-8")
    (tmp_path / "maps").mkdir()
    shutil.copy(samples / "outpost.level", tmp_path / "maps" / "a.level")
    monkeypatch.chdir(tmp_path)
    documents = {name: mapstone.Document.open("maps/a.level") for name in ("old", "new", "other", "ours", "base", "theirs")}
    documents["new"]["layers[0].name"] = "Walls"
    names = dict(documents)
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)  # pylint: disable=exec-used
    assert len(blocks) == 6 and documents["other"]["layers[0].name"] == "Walls"
    assert mapstone.Document.open("b.level")["layers[0].name"] == "Crates" and (tmp_path / "a.glb").stat().st_size and (tmp_path / "a.png").exists()


def test_data_miner(samples, tmp_path, monkeypatch, capsys):
    """The examples of docs/data-miner.md run, and print what their comments state."""
    of_command, of_package = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "data-miner.md").read_text(encoding="utf-8"), re.S)
    shutil.copytree(samples, tmp_path, dirs_exist_ok=True)
    (tmp_path / "BUNKER.MAP").rename(tmp_path / "L900LEV.MAP")
    monkeypatch.chdir(tmp_path)
    exec(compile(of_package, "data-miner.md", "exec"), {})  # pylint: disable=exec-used
    lines = (tmp_path / "entities.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "file,class,name,path,x,y,z"
    assert {line.split(",")[0] for line in lines[1:]} == {"outpost.level", "valley.map", "L900LEV.MAP", "keep/7_11_11.DAT"}
    monkeypatch.setenv("PATH", os.path.dirname(os.environ.get("MAPSTONE_LIBRARY", "")), prepend=os.pathsep)
    monkeypatch.delenv("LD_PRELOAD", raising=False)  # a sanitizer's library, which the command has itself
    if shutil.which("mapstone"):
        exec(compile(of_command, "data-miner.md", "exec"), {})  # pylint: disable=exec-used
        assert capsys.readouterr().out.strip() == re.search(r"print\(.*# (.*)", of_command)[1]


def test_example(samples):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    output = subprocess.run([sys.executable, ROOT / "python" / "examples" / "lights.py", samples], check=True, env=environment,
                            stdout=subprocess.PIPE, text=True).stdout
    with mapstone.open(samples / "outpost.level") as level:
        wanted = len([o for o in level["objects"] if o["class_name"].startswith("light_")])
    assert sum(line.startswith("outpost.level\t") for line in output.splitlines()) == wanted
