# SPDX-License-Identifier: MIT
"""Tests of the add-on in Blender, with the zip from which it is installed:

    blender -b --factory-startup --python tests/blender/addon.py -- ZIP COMMAND CORPUS

Results are judged by the command: `mapstone diff` of the original and the saved level, `mapstone check`.
The last line counts."""
import filecmp
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import traceback

import bpy
import numpy as np
from mathutils import Vector

ZIP, COMMAND, CORPUS = (pathlib.Path(one).resolve() for one in sys.argv[sys.argv.index("--") + 1 :])
WORK = pathlib.Path(tempfile.mkdtemp())
SPLAY = CORPUS / "ns2/ns2lua__splay__4788dc5c.level"
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def command(*arguments, code=0):
    done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done.stdout.splitlines()


def copy_of(source, *beside):
    """A level in a folder of its own, with other files of its folder."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=WORK))
    for one in (source, *beside):
        (shutil.copytree if one.is_dir() else shutil.copyfile)(one, folder / one.name)
    return folder / source.name


def opened(path, **options):
    """The level as the only thing in a new file."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.preferences.addon_enable(module="mapstone_levels")
    assert bpy.ops.import_scene.mapstone(filepath=str(path), textures=False, **options) == {"FINISHED"}
    return next(one for one in bpy.context.scene.collection.children if "mapstone" in one)


def save(path=""):
    return bpy.ops.export_scene.mapstone(filepath=str(path))


def thing(path, file=None):
    return next(one for one in bpy.data.objects if one.get("path") == path and one.get("file") == file)


def refused(call, *words):
    try:
        call()
    except RuntimeError as error:
        assert all(word in str(error) for word in words), error
        return
    raise AssertionError("it was not refused")


def changes(before, after):
    return command("diff", before, after, code=0 if filecmp.cmp(before, after, False) else 1)


def lift(one, height=1):
    one.location = one.location + Vector((0, 0, height))


def level_of(root):
    from mapstone_levels import level

    return level.preview(root)


def numbers(one, name, domain):
    found = np.zeros(len(domain), np.int32)
    one.data.attributes[name].data.foreach_get("value", found)
    return found


def faces():
    """The largest mesh of the level's own faces."""
    found = [one for one in bpy.data.objects if one.get("part_of") == "mesh.faces"]
    return max(found, key=lambda one: len(one.data.polygons))


# ---- all levels ----


@test
def unchanged_levels_keep_their_bytes():
    for source in sorted((CORPUS / "ns2").glob("*.level")):
        path = copy_of(source)
        os.utime(path, (1, 1))
        opened(path)
        for one in [each for each in bpy.data.objects if each.get("part_of") == "mesh.faces"]:
            one.hide_set(False)  # duplicate or self-touching polygons appear this way in Edit Mode
            bpy.context.view_layer.objects.active = one
            bpy.ops.object.mode_set(mode="EDIT")
            bpy.ops.object.mode_set(mode="OBJECT")
        assert save() == {"FINISHED"}
        assert path.stat().st_mtime == 1, source
        assert save(WORK / "same.level") == {"FINISHED"}
        assert filecmp.cmp(source, WORK / "same.level", False), source
        count = sum(len(set(numbers(one, "ns2_face", one.data.polygons))) for one in bpy.data.objects if one.get("part_of"))
        print("   ", source.name, len(bpy.data.objects), "objects", count, "faces")


@test
def other_unchanged_levels_keep_their_bytes():
    mini = CORPUS / "sfa/mini"
    others = [CORPUS / "turok" / name for name in ("synth_level.map", "synth_valley.map")]
    others += [CORPUS / "alien/L111LEV.MAP", mini / "animtest.romlist.zlb", mini / "MAPS.bin"]
    others += sorted((CORPUS / "revenant/v15").glob("44_1*.DAT")) + [CORPUS / "revenant/v8/48_8_9.DAT"]
    for source in others:
        beside = [one for one in mini.iterdir() if one.name != "MAPS.bin"] if source.name == "MAPS.bin" else []
        path = copy_of(source, *beside)
        os.utime(path, (1, 1))
        root = opened(path)
        assert not level_of(root).operations, (source, level_of(root).operations)
        assert save() == {"FINISHED"} and path.stat().st_mtime == 1, source


# ---- each family ----


def moved_and_set(source, things, *beside):
    """Moves the first thing by a metre and sets properties of others; returns the lines of diff."""
    path = copy_of(source, *beside)
    root = opened(path)
    for (element, file), sets in things.items():
        one = thing(element, file)
        if sets:
            for key, value in sets.items():
                one[key] = value
        else:
            lift(one)
    outcome = level_of(root)
    assert save() == {"FINISHED"}
    assert not level_of(root).operations, level_of(root).operations  # the scene equals the level again
    return path, outcome, changes(source, path)


@test
def natural_selection_2():
    path, outcome, lines = moved_and_set(SPLAY, {("objects[3]", None): {}, ("objects[11]", None): {}})
    assert len(lines) == 2 and all("origin" in line for line in lines), lines
    assert len(outcome.lines) == 2 and len(outcome.operations) == 2, outcome
    root = opened(path)
    one = faces()
    polygon = max(one.data.polygons, key=lambda each: each.area)
    vertex = one.data.vertices[polygon.vertices[0]]
    vertex.co = vertex.co + Vector((0, 0, 0.5))
    room = edits()["room"]
    room()
    assert save() == {"FINISHED"}
    found = changes(SPLAY, path)
    assert sum(line.startswith("+") for line in found) == 1 and any("+ 6 faces" in line for line in found), found
    assert any("mesh.vertices" in line or "reshaped" in line for line in found), found
    assert not level_of(bpy.context.scene.collection.children[0]).operations


@test
def faces_get_other_shapes():
    source = CORPUS / "ns2/NS2Combat__ns2_eem_test_level__f28e6dd4.level"
    for edit, new in (("extrude", 4), ("niche", 5)):
        path = copy_of(source)
        opened(path)
        edits()[edit]()
        assert save() == {"FINISHED"}
        lines = changes(source, path)
        assert any("reshaped" in line for line in lines), lines
        assert any("+ %d faces" % new in line for line in lines) or sum(line[0] == "+" for line in lines) == new, lines
        assert not level_of(bpy.context.scene.collection.children[0]).operations


@test
def lights():
    source = CORPUS / "ns2/NS2Combat__ns2_eem_test_level__f28e6dd4.level"
    path = copy_of(source)
    opened(path)
    one = next(each for each in bpy.data.objects if each.type == "LIGHT" and "intensity" in each)
    was = one["intensity"]
    one.data.energy *= 2
    assert save() == {"FINISHED"}
    (line,) = changes(source, path)
    assert one["path"] in line and "intensity %g -> %g" % (was, 2 * was) in line, line


@test
def layers_and_groups():
    """Things are put on layers and into groups by name; the scene has new collections then."""
    source = CORPUS / "ns2/NS2Combat__Combat_menuBG__31f32f1c.level"
    path = copy_of(source)
    root = opened(path)
    one = next(each for each in root.all_objects if each.get("layers") == "ReadyRoom Props")
    element = one["path"]
    bpy.context.view_layer.objects.active = one
    bpy.ops.mapstone.choose(key="layers", choice="Flight Control Props")
    group = command("get", source, "groups[0].name")[0].strip('"')
    bpy.ops.mapstone.choose(key="group", choice=group)
    assert one["layers"] == "ReadyRoom Props, Flight Control Props" and one["group"] == group
    bpy.ops.mapstone.add(choice="light_point")
    bpy.ops.mapstone.choose(key="layers", choice="ReadyRoom Props")
    assert save() == {"FINISHED"}
    added, changed = sorted(changes(source, path))
    assert element in changed and "layer ReadyRoom Props -> ReadyRoom Props, Flight Control Props" in changed and "-> " + group in changed, changed
    assert added.startswith("+ ") and "light_point" in added, added
    assert command("table", "--csv", "--columns", "layers", "--where", "class_name=light_point", path)[-1] == "ReadyRoom Props"
    root = bpy.context.scene.collection.children[0]
    assert thing(element)["group"] == group and not level_of(root).operations, level_of(root).operations
    was = thing(element)["layers"]
    thing(element)["layers"] = "no such layer"
    refused(save, "no such layer")
    thing(element)["layers"] = was
    assert not level_of(root).operations, level_of(root).operations


@test
def layers_and_groups_of_faces():
    """Selected polygons are put on layers and into groups by name; others are unchanged."""
    from mapstone_levels import things

    source = CORPUS / "ns2/NS2Combat__Combat_menuBG__31f32f1c.level"
    path = copy_of(source)
    root = opened(path)
    on = [line for line in command("get", source, "mesh.faces[*].layer") if line]
    layer, group = max(set(on), key=on.count).split(", ")[0], command("get", source, "groups[0].name")[0].strip('"')
    one = faces()
    one.hide_set(False)
    bpy.context.view_layer.objects.active = one
    known = numbers(one, "ns2_face", one.data.polygons)
    chosen = [int(face) for face in dict.fromkeys(known[known > 0].tolist())][:3]
    one.data.polygons.foreach_set("select", np.isin(known, chosen))
    for items in (one.data.vertices, one.data.edges):
        items.foreach_set("select", np.zeros(len(items), bool))
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.context.scene.tool_settings.mesh_select_mode = (False, False, True)
    was = {face: command("get", source, "mesh.faces[%d].layer" % (face - 1)) for face in chosen}
    assert things.labels_of(root, one, "layers") == {names[0] if names else "" for names in was.values()}, was
    assert not level_of(root).operations, "showing something changes nothing"
    bpy.ops.mapstone.choose(key="groups", choice=group)
    assert all(group in names.split(", ") for names in things.labels_of(root, one, "groups"))
    wanted = {"set mesh.faces[%d].group" % (face - 1) for face in chosen}
    assert {line.split(" = ")[0] for line in level_of(root).operations} == wanted, level_of(root).operations
    bpy.ops.mapstone.choose(key="groups", choice=group)  # removed again
    assert not level_of(root).operations, level_of(root).operations
    bpy.ops.mapstone.choose(key="layers", choice=layer)
    off = layer not in next(iter(things.labels_of(root, one, "layers"))).split(", ")
    bpy.ops.mapstone.choose(key="groups", choice=group)
    assert save() == {"FINISHED"}
    for face in chosen:
        layers, groups = (command("get", path, "mesh.faces[%d].%s" % (face - 1, word))[0] for word in ("layer", "group"))
        assert (layer in layers.split(", ")) is not off and group in groups.split(", "), (layers, groups)
    lines = changes(source, path)
    assert len(lines) == 2 and "* 3 faces: layer" in lines[0] and group in lines[1], lines
    root = next(each for each in bpy.context.scene.collection.children if "mapstone" in each)
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    assert not level_of(root).operations, level_of(root).operations


@test
def collections():
    """Turok's areas, Revenant's sectors, maps and blocks of Star Fox Adventures."""
    for source, name, count in (
        (CORPUS / "turok/synth_level.map", "area_0032", 1),
        (CORPUS / "revenant/v15/44_13_8.DAT", "sector_13_8", 100),
        (CORPUS / "sfa/mini/MAPS.bin", "frontend", 4),
        (CORPUS / "sfa/mini/MAPS.bin", "block_13_0", 4),
    ):
        root = opened(source)
        found = next(one for one in root.children_recursive if one.name == name)
        assert len(found.all_objects) >= count, (source, name, len(found.all_objects))
    areas = opened(CORPUS / "turok/synth_level.map")
    (placed,) = [one for one in areas.children if thing("actors.records[1]").name in one.all_objects]
    sector = thing("actors.records[1]")["sector"]
    area = command("get", CORPUS / "turok/synth_level.map", "collision.sectors[%d].sector_set" % sector)[0]
    assert placed.name == "area_%04d" % int(area), (placed.name, area)


@test
def turok():
    source = CORPUS / "turok/synth_level.map"
    _, _, lines = moved_and_set(source, {("actors.records[1]", None): {}, ("actors.records[2]", None): {"health": 77}})
    assert len(lines) == 2 and "origin" in lines[0] and "health" in lines[1] and "77" in lines[1], lines


@test
def alien_trilogy():
    source = CORPUS / "alien/L111LEV.MAP"
    _, _, lines = moved_and_set(source, {("map.monsters[0]", None): {"health": 9}, ("map.doors[1]", None): {"open_time": 99}})
    assert len(lines) == 2 and "health" in lines[0] and "open_time" in lines[1], lines
    path = copy_of(source)
    opened(path)
    one = thing("map.monsters[0]")
    one.location.x += 1  # a cell is a metre
    assert save() == {"FINISHED"}
    (line,) = changes(source, path)
    assert "monsters[0]" in line, line


@test
def revenant():
    source = CORPUS / "revenant/v15/44_13_8.DAT"
    things = {("objects[995]", source.name): {}, ("objects[3]", source.name): {"state": 1}}
    _, _, lines = moved_and_set(source, things, CORPUS / "revenant/class.def")
    assert len(lines) == 2 and "state" in lines[0] and "position" in lines[1], lines


@test
def star_fox_adventures():
    mini = CORPUS / "sfa/mini"
    beside = [one for one in mini.iterdir() if one.name != "MAPS.bin"]
    path = copy_of(mini / "MAPS.bin", *beside)
    root = opened(path)
    lift(thing("objects[0]", "animtest.romlist.zlb"))
    thing("objects[2]", "frontend.romlist.zlb")["regrow_time"] = 240
    assert len(level_of(root).operations) == 2, level_of(root)
    assert save() == {"FINISHED"}
    for name, word in (("animtest.romlist.zlb", "position"), ("frontend.romlist.zlb", "regrow_time")):
        (line,) = changes(mini / name, path.parent / name)
        assert word in line, line
    assert filecmp.cmp(mini / "MAPS.bin", path, False)
    assert not level_of(root).operations, level_of(root).operations


# ---- like through glTF ----


def edits():
    """The edits of tests/blender/edits.py applied to a scene."""
    text = (pathlib.Path(__file__).parent / "edits.py").read_text(encoding="utf-8")
    names = {}
    exec(compile(text.replace("\nmain()\n", "\n"), "edits.py", "exec"), names)
    return names["EDITS"]


@test
def the_same_operations_as_by_gltf():
    for name in ("NS2Combat__ns2_eem_test_level__f28e6dd4", "ns2-skulks-with-shotguns__sws2__a8fed37c"):
        source = CORPUS / ("ns2/%s.level" % name)
        command("convert", "--for-editing", "--no-textures", source, "-o", WORK / "model.glb")
        for edit in edits():
            if edit in os.environ.get("SKIP", "extrude,niche,dissolve").split(","):  # which depend on triangles, and on faces with shared corners
                continue
            by_gltf = [sys.argv[0], "-b", "--factory-startup", "--python", pathlib.Path(__file__).parent / "edits.py", "--"]
            subprocess.run([*by_gltf, WORK / "model.glb", WORK / "edited.glb", edit], check=True, capture_output=True)
            wanted = command("import", WORK / "edited.glb", "--onto", source, "--dry-run", "-q")
            root = opened(source)
            edits()[edit]()
            bpy.context.view_layer.update()
            found = level_of(root).operations
            assert found == wanted, (name, edit, wanted, found)


# ---- interaction ----


@test
def undo_leaves_a_scene_that_saves_right():
    path = copy_of(SPLAY)
    root = opened(path)
    bpy.ops.ed.undo_push(message="imported")
    lift(thing("objects[11]"))
    bpy.ops.ed.undo_push(message="moved")
    bpy.data.objects.remove(thing("objects[3]"))
    bpy.ops.ed.undo_push(message="deleted")
    bpy.ops.ed.undo()
    root = bpy.context.scene.collection.children[0]
    assert level_of(root).operations == ["move objects[11] by 0,1,0"], level_of(root).operations
    assert save() == {"FINISHED"}
    (line,) = changes(SPLAY, path)
    assert "objects[11]" in line
    bpy.ops.ed.undo_push(message="saved")
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    bpy.context.view_layer.update()
    assert save() == {"FINISHED"}  # back to the original state
    assert not changes(SPLAY, path), changes(SPLAY, path)


@test
def a_new_level_is_changed():
    path = WORK / "new.level"
    command("new", "ns2-level", "--template", "room", "-o", path)
    before = copy_of(path)
    root = opened(path)
    lift(next(one for one in bpy.data.objects if one.get("path")))
    bpy.ops.mapstone.add(choice="light_point")
    edits()["room"]()
    assert save() == {"FINISHED"}
    assert not command("check", "--strict", "-q", path)
    lines = changes(before, path)
    assert any("origin" in line for line in lines) and any("+" in line and "light_point" in line for line in lines), lines
    assert any("+ 6 faces" in line for line in lines), lines
    assert root


@test
def mistakes_are_said_first():
    path = copy_of(SPLAY)
    os.utime(path, (1, 1))
    root = opened(path)
    one = faces()
    one.modifiers.new("bevel", "BEVEL")
    refused(save, one.name, "modifier bevel")
    one.modifiers.clear()
    one.scale = (2, 2, 2)
    refused(save, one.name, "apply its scale")
    one.scale = (1, 1, 1)
    empty = bpy.data.objects.new("nothing", bpy.data.meshes.new("nothing"))
    root.objects.link(empty)
    refused(save, "nothing", "no faces")
    bpy.data.objects.remove(empty)
    wrong = bpy.data.objects.new("wrong", None)
    wrong["class"] = "resource_pont"
    root.objects.link(wrong)
    refused(save, "resource_pont")
    bpy.data.objects.remove(wrong)
    assert save() == {"FINISHED"} and path.stat().st_mtime == 1


@test
def panels_know_things():
    from mapstone_levels import things

    root = opened(copy_of(SPLAY, CORPUS / "ns2/editor_setup.xml"))
    assert {"light_spot", "shadow_flag_spawn", "cyst"} <= set(things.classes_of(root)) and things.materials_of(root)
    one = next(each for each in bpy.data.objects if each.get("class") == "tech_point")
    assert "teamNumber" in things.editable_of(one), things.editable_of(one)
    facts = things.facts_of(root, one)
    assert facts["teamNumber"][1][1][:2] == (1, "Marine-only random start"), facts
    bpy.context.view_layer.objects.active = one
    bpy.ops.mapstone.choose(key="teamNumber", choice="1")
    assert one["teamNumber"] == 1
    bpy.ops.mapstone.show(path="mesh.faces[3].material")
    assert bpy.context.mode == "EDIT_MESH"
    bpy.ops.object.mode_set(mode="OBJECT")
    shown = bpy.context.view_layer.objects.active
    chosen = np.zeros(len(shown.data.polygons), bool)
    shown.data.polygons.foreach_get("select", chosen)
    assert set(numbers(shown, "ns2_face", shown.data.polygons)[chosen]) == {4}
    bpy.ops.mapstone.snap(units=16)
    assert bpy.context.scene.tool_settings.use_snap_grid_absolute
    root = opened(CORPUS / "alien/L111LEV.MAP")
    facts = things.facts_of(root, thing("map.monsters[0]"))
    assert (2, "face_hugger") in [choice[:2] for choice in facts["type"][1]], facts["type"]


def main():
    bpy.ops.preferences.addon_install(filepath=str(ZIP), overwrite=True)
    only = os.environ.get("ONLY", "")
    passed = failed = 0
    for function in TESTS:
        if only and only not in function.__name__:
            continue
        try:
            function()
            passed += 1
            print("ok  ", function.__name__, flush=True)
        except Exception:
            failed += 1
            traceback.print_exc()
            print("FAIL", function.__name__, flush=True)
    shutil.rmtree(WORK)
    print("%d passed, %d failed" % (passed, failed), flush=True)
    sys.exit(1 if failed else 0)


main()
