# SPDX-License-Identifier: MIT
"""No call crashes the interpreter, whatever its arguments, and whatever was closed, edited or collected before."""
import copy
import collections.abc
import ctypes
import gc
import inspect
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import threading

import pytest

import mapstone
from mapstone import _abi, _compare, _document, _level, _library

# The types that a parameter accepts: all others are a TypeError. A parameter that is not listed here fails the test that calls it.
TEXT, PATH, FLAG, NUMBER, DATA, LIST = (str,), (str, bytes, os.PathLike), (bool, int), (bool, int), (bytes, bytearray, memoryview, ctypes.c_void_p), (list, dict, mapstone.Value)
OPENED, NOTHING, ANYTHING = (mapstone.Document, mapstone.Level), (type(None),), (object,)
TAKES = {
    "what": TEXT, "selector": TEXT, "word": TEXT, "name": TEXT, "view": FLAG, "file": PATH, "path": TEXT, "value": ANYTHING, "key": TEXT, "default": ANYTHING, "other": ANYTHING,
    "text": (str, dict), "data": DATA, "patch": DATA + TEXT, "operations": (str, dict), "format": TEXT + NOTHING, "level": PATH + NOTHING,
    "map": TEXT + NOTHING, "search_paths": LIST, "select": LIST, "only": LIST, "hide": LIST, "model": DATA, "schema": DATA + TEXT + NOTHING, "report": (list,) + NOTHING,
    "losses": (list,) + NOTHING, "version": NUMBER + NOTHING, "byte_order": TEXT + NOTHING, "prefer": TEXT + NOTHING, "width": NUMBER, "height": NUMBER,
    "max_texture": NUMBER, "max_lights": NUMBER, "index": NUMBER, "document": OPENED, "old": OPENED, "new": OPENED, "ours": OPENED, "base": OPENED,
    "theirs": OPENED, "_": ANYTHING, "__": ANYTHING, "options": ANYTHING, "png.view": TEXT, "sidecar.name": PATH, "save.path": PATH, "save_as.path": PATH, "open.path": PATH, "levels.path": PATH,
    "Level.path": PATH, "Level.__init__.path": PATH, "materials": TEXT, "fgd.format": TEXT, "template": TEXT + NOTHING, "resolve": (collections.abc.Callable,) + NOTHING,
    "relation": TEXT, "where": TEXT + NOTHING, "columns": LIST, "paths": PATH + LIST,
    "Value.__getitem__.key": TEXT + NUMBER + (slice,), "status": ANYTHING, "finding": (mapstone.Finding,)}
TAKES.update(dict.fromkeys(
    ["salvage", "writable", "lenient", "other_base", "compact", "cascade", "each", "force", "keep_loose", "drag", "world_texture", "allow_loss", "keep_names", "keep_references", "check", "information",
     "assets", "textures", "markers", "labels", "legend", "parts", "triangles", "own_units", "polygons", "collision", "with_data", "reverse", "partial", "exact", "mark"], FLAG))
CLASSES = {"Level": mapstone.Level, "Document": mapstone.Document, "Value": mapstone.Value}
RECORDS = {"Asset", "Change", "Column", "Conflict", "Difference", "Entity", "Finding", "Format", "Table"}  # whose constructors store any arguments
LEFT_AFTER_CLOSE = {"close", "reported", "path", "open", "from_bytes", "from_json", "from_model", "new", "__init__", "__enter__", "__exit__", "__repr__", "__bool__",
                    "__reduce_ex__"}


def takes(owner, name, parameter):
    for key in ("%s.%s.%s" % (owner, name, parameter), "%s.%s" % (name, parameter), parameter):
        if key in TAKES:
            return TAKES[key]
    raise AssertionError("say in TAKES what %s of %s is" % (parameter, name))


@pytest.fixture
def opened(samples):
    """Makes levels with documents and values; closes them after the test."""
    made = []

    def make():
        level = mapstone.open(samples / "outpost.level")
        made.append(level)
        return {"Level": level, "Document": level.document, "Value": level.document.find("objects[0]")}
    yield make
    for level in made:
        level.close()


def good(parameter, allowed, objects):
    """An argument of a valid type."""
    if allowed is OPENED:
        return objects["Document"]
    values = {"path": "objects[0]", "patch": b"no patch", "value": 1, "operations": "objects[0].class_name = location", "data": b"data", "model": b"model",
              "text": "{}", "file": "x", "finding": _library.finding_that("x")}
    return values.get(parameter, "x" if allowed is ANYTHING or str in allowed else 1 if int in allowed else [])


def members(owner):
    """The public names of a class, and the special methods that Python's syntax calls."""
    for name in dir(CLASSES[owner]):
        defined = next(vars(base)[name] for base in CLASSES[owner].__mro__ if name in vars(base))
        ours = any(name in vars(base) for base in CLASSES[owner].__mro__[:-1])
        if ours and (not name.startswith("_") or name.startswith("__")) and (callable(getattr(CLASSES[owner], name)) or isinstance(defined, property)):
            yield name, isinstance(defined, property)


def callables():
    for name in mapstone.__all__:
        if name in CLASSES:
            yield from ((name, method) for method, is_property in members(name) if not is_property and not method.startswith("__reduce"))
        elif name not in RECORDS:
            yield "", name


def called(owner, name, objects, **given):
    function = getattr(objects[owner], name) if owner else getattr(mapstone, name)
    signature = inspect.signature(function)
    positional, named = [], {}
    for parameter in signature.parameters.values():
        if parameter.name not in given and (parameter.default is not parameter.empty or parameter.kind == parameter.VAR_KEYWORD):
            continue
        value = given.get(parameter.name) if parameter.name in given else good(parameter.name, takes(owner, name, parameter.name), objects)
        if parameter.kind == parameter.KEYWORD_ONLY:
            named[parameter.name] = value
        elif parameter.kind == parameter.VAR_KEYWORD:
            named["salvage"] = value
        else:
            positional.append(value)
    small = {"width": 16, "height": 16} if name == "png" else {}
    return function(*positional, **{**small, **named})


def strangers(objects):
    closed = mapstone.Document.from_json(objects["Document"].to_json())
    value = closed.find("objects")
    closed.close()
    return [None, 7, -1, 2 ** 64, 1.5, "x", "\0", "\ud800", b"x", b"\0", [], [None], {}, object(), ctypes.c_void_p(8), closed, value, objects["Level"],
            objects["Document"], objects["Value"], mapstone.Level, len]


def spoiled(value):
    """Whether a text cannot be a C string."""
    return isinstance(value, (str, bytes)) and value in ("\0", b"\0", "\ud800")


@pytest.mark.parametrize("owner, name", callables())
def test_wrong_types_are_type_errors(opened, tmp_path, monkeypatch, owner, name):
    """Passes a value of every type as every parameter of every public name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    objects = opened()
    function = getattr(objects[owner], name) if owner else getattr(mapstone, name)
    for parameter in inspect.signature(function).parameters:
        allowed = takes(owner, name, parameter)
        for value in strangers(objects):
            if objects["Level"]._held.handle is None or objects["Document"]._held.handle is None:
                objects = opened()
            objects["Value"] = objects["Document"].find("objects[0]")
            what = "%s.%s(%s=%r)" % (owner, name, parameter, type(value))
            try:
                called(owner, name, objects, **{parameter: value})
            except TypeError:
                continue
            except (ValueError, IndexError, OSError, mapstone.Error, BufferError) as error:
                assert isinstance(value, allowed), "%s: %r" % (what, error)
                assert allowed not in (TEXT, PATH) or not spoiled(value) or isinstance(error, ValueError), what
            else:
                assert isinstance(value, allowed), what
                assert allowed not in (TEXT, PATH) or not spoiled(value), what


@pytest.mark.parametrize("owner", CLASSES)
def test_use_after_close_is_a_value_error(opened, tmp_path, monkeypatch, owner):
    monkeypatch.chdir(tmp_path)
    objects = opened()
    iterator = iter(objects["Value"].items())
    next(iterator)
    objects["Level"].close()
    other = opened()
    for name, is_property in members(owner):
        if name in LEFT_AFTER_CLOSE or getattr(CLASSES[owner], name) is None:
            continue
        with pytest.raises(mapstone.ClosedError) as error:
            result = getattr(objects[owner], name) if is_property else called(owner, name, {**other, owner: objects[owner]})
            list(result if inspect.isgenerator(result) else ())
            pytest.fail(name)
        assert isinstance(error.value, ValueError) and isinstance(error.value, mapstone.Error) and "closed" in str(error.value)
    with pytest.raises(ValueError):
        next(iterator)
    for parts in ((objects, other), (other, objects)):
        for kind in ("Level", "Document"):
            before, after = (part[kind] for part in parts)
            for call in (mapstone.diff, mapstone.make_patch, lambda a, b: mapstone.merge(a, b, b), lambda a, b: mapstone.merge(b, b, a)):
                with pytest.raises(ValueError):
                    call(before, after)
    with pytest.raises(ValueError):
        mapstone.apply_patch(objects["Level"], b"")
    assert "closed" in repr(objects["Level"]) and "closed" in repr(objects["Document"])
    objects["Level"].close()
    objects["Document"].close()


def test_levels_are_compared_like_their_documents(samples):
    base, ours, theirs = (mapstone.open(samples / "outpost.level") for _ in range(3))
    ours["layers[0].name"] = "Crates"
    theirs.document.edit("objects[17].properties.intensity = 3")
    assert mapstone.diff(base, ours) == mapstone.diff(base.document, ours.document) != []
    again = mapstone.open(samples / "outpost.level")
    mapstone.apply_patch(again, mapstone.make_patch(base, ours))
    assert again["layers[0].name"] == "Crates"
    assert mapstone.merge(ours, base, theirs) == [] and ours["objects[17].properties.intensity"] == [3]
    for one in (base, ours):
        assert mapstone.diff(one, one) == [] and mapstone.merge(one, one, one) == []
    with mapstone.open(samples / "keep") as sectors:
        with pytest.raises(mapstone.Error) as error:
            mapstone.diff(sectors, base)
        assert "old is a level of" in str(error.value)
        assert mapstone.diff(sectors.documents[0], sectors.documents[0]) == []


@pytest.mark.parametrize("name, path", [("HITS.bin", "HITS"), ("outpost.level", "a.level")])
def test_paths_are_not_cut_at_null_characters(samples, tmp_path, name, path):
    source = next(samples.rglob(name))
    document = mapstone.Document.open(source)
    for wrong in (str(tmp_path / path) + "\0.txt", os.fsencode(tmp_path / path) + b"\0", pathlib.PurePosixPath(str(tmp_path / path) + "\0")):
        for call in (document.save, mapstone.open, mapstone.Document.open, mapstone.levels):
            with pytest.raises(ValueError):
                call(wrong)
    assert list(tmp_path.iterdir()) == []


def test_sizes_are_checked(outpost):
    for value in (-1, 1 << 32, 1 << 64):
        with pytest.raises(ValueError):
            outpost.convert(version=value)
    for value in (-43, 42, 1 << 32, 1 << 64, -(1 << 64)):
        with pytest.raises(IndexError):
            outpost.find("objects")[value]
    with pytest.raises(mapstone.Error):
        mapstone.Document.from_bytes(b"", "a.level")
    with pytest.raises(TypeError):
        mapstone.Document.from_bytes(1 << 40)  # bytes() would make so many zeros
    assert mapstone.Document.from_bytes(memoryview(outpost.to_bytes() * 2)[:len(outpost.to_bytes())]).to_bytes() == outpost.to_bytes()


@pytest.mark.parametrize("owner", CLASSES)
def test_levels_documents_and_values_are_not_copied(opened, owner):
    objects = opened()
    for function in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            function(objects[owner])
    if owner != "Level":
        with pytest.raises(TypeError):
            CLASSES[owner](1, 2, 3)
    objects["Level"].close()
    gc.collect()


def test_what_they_give_is_pickled(outpost):
    with pytest.raises(mapstone.Error) as error:
        outpost["objects[0].clas_name"]
    again = pickle.loads(pickle.dumps(error.value))
    assert (type(again), again.status, again.finding, str(again)) == (mapstone.Error, error.value.status, error.value.finding, str(error.value))
    for one in (outpost.format, mapstone.diff(outpost, outpost), error.value.finding):
        assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one


def test_columns_outlive_what_they_show(samples):
    pytest.importorskip("numpy")
    data = (samples / "outpost.level").read_bytes()
    for make in (lambda: mapstone.open(samples / "outpost.level"), lambda: mapstone.Document.open(samples / "outpost.level"),
                 lambda: mapstone.Document.from_bytes(bytes(bytearray(data)), "a.level")):
        opened = make()
        document = getattr(opened, "document", opened)
        array = document.column("mesh.vertices[:].position")
        wanted = array.tolist()
        with pytest.raises(ValueError):
            array.flags.writeable = True
        for one in (document, opened):
            with pytest.raises(BufferError):
                one.close()
        del opened, document, one
        gc.collect()
        spoiled = [mapstone.Document.from_bytes(bytes(bytearray(data)), "a.level") for _ in range(20)]
        assert array.tolist() == wanted and len(spoiled) == 20
        assert pickle.loads(pickle.dumps(array)).tolist() == wanted


def test_columns_in_collected_cycles(samples):
    """Objects that a cycle's finalizers read exist until all of them have run."""
    pytest.importorskip("numpy")
    read = []

    class Cycle:
        def __del__(self):
            read.append(self.array.sum())

    for _ in range(3):
        cycle = Cycle()
        cycle.level = mapstone.open(samples / "outpost.level")
        cycle.array, cycle.itself = cycle.level.document.column("mesh.vertices[:].position"), cycle
        wanted = cycle.array.sum()
        del cycle
        gc.collect()
        assert read.pop() == wanted


def test_columns_of_lists_of_different_lengths(outpost):
    """The first list is empty, and shows nothing about the others."""
    outpost.edit("objects[0].layer_masks = []", check=False)
    assert len(outpost["objects[0].layer_masks"]) == 0 and max(len(one) for one in outpost["objects[:].layer_masks"]) > 0
    with pytest.raises(mapstone.Error) as error:
        outpost.find("objects").column("layer_masks")
    assert error.value.status == "argument"
    outpost.edit("objects[class_name~*].layer_masks = []", each=True, check=False)
    assert len(outpost.find("objects").column("layer_masks")) == 42


def test_values_of_before_an_edit(opened):
    objects = opened()
    level, document = objects["Level"], objects["Document"]
    other = level.document
    assert other is document
    stale, iterator = document.find("objects"), iter(document.find("objects"))
    next(iterator)
    level["layers[0].name"] = "Crates"
    for call in (lambda: stale[0], lambda: next(iterator), lambda: stale.column("class_name"), lambda: list(stale), lambda: stale.json, stale.keys):
        with pytest.raises(mapstone.StaleError):
            call()


def test_saving_under_another_name_makes_another_document(samples, tmp_path):
    """A hash over a sector's name changes, so the library opens the sector again."""
    source = sorted((samples / "keep").glob("*.DAT"))[0]
    shutil.copy(source, tmp_path / source.name)
    with mapstone.open(tmp_path / source.name) as level:
        document, value = level.document, level.document.find("objects")
        count = len(value)
        level.save_as(tmp_path / "7_8_9.DAT")
        with pytest.raises(mapstone.StaleError):
            len(value)
        assert level.document is document and len(document.find("objects")) == count and document.name == "7_8_9.DAT"
        with pytest.raises(IndexError):
            level.save_as(tmp_path / "7_8_9.DAT", 1)


def test_files_that_others_shorten(samples, tmp_path):
    for make in (mapstone.open, mapstone.Document.open):
        path = tmp_path / "a.level"
        shutil.copy(samples / "outpost.level", path)
        with make(path) as opened:
            os.truncate(path, 0)
            document = getattr(opened, "document", opened)
            assert document.to_bytes() == (samples / "outpost.level").read_bytes()


def test_calls_that_close_what_they_use(samples, monkeypatch):
    document = mapstone.Document.open(samples / "outpost.level")

    class Closing:
        def __fspath__(self):
            document.close()
            return "x"

        def tolist(self):
            document.close()
            return 1

    class Report(list):
        def extend(self, _):
            document.close()

    for call in (lambda: document.save(Closing()), lambda: document.insert("objects[0]", Closing())):
        with pytest.raises(mapstone.ClosedError):
            call()
        document = mapstone.Document.open(samples / "outpost.level")
    document.edit("layers[0].name = Crates", report=Report())
    document = mapstone.Document.open(samples / "outpost.level")
    document.edit("objects[0].class_name = no_such_thing", check=False)
    for change in (lambda *_: document.close(), lambda *_: document.edit("remove objects[1]")):
        monkeypatch.setattr("mapstone._document.finding_of", change)
        with pytest.raises(BufferError):
            document.check(information=True, schema='<editor_setup><class name="x"/></editor_setup>')
    assert document.to_bytes()


def in_threads(*functions):
    wrong = []

    def run(function):
        try:
            function()
        except Exception as error:  # pylint: disable=broad-except
            wrong.append(error)
    threads = [threading.Thread(target=run, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def test_threads_close_what_others_read(samples):
    for _ in range(10):
        level = mapstone.open(samples / "outpost.level")
        document, value = level.document, level.document.find("objects")
        started = threading.Barrier(6)

        def read(call, started=started):
            started.wait()
            for _ in range(1000000):  # until it is closed, however late the closing thread runs
                call()

        def close(level=level, started=started):
            started.wait()
            level.close()
        wrong = in_threads(close, *(lambda call=call: read(call) for call in (
            lambda: value[3].native, document.to_bytes, level.entities, lambda: list(value), lambda: document.select("objects[class_name~light_*]"))))
        assert len(wrong) == 5 and all(isinstance(error, mapstone.ClosedError) for error in wrong), wrong


def test_threads_compare_and_edit_in_both_orders(samples):
    one, other = (mapstone.Document.open(samples / "outpost.level") for _ in range(2))

    def swap(a, b):
        for i in range(20):
            a["layers[0].name"] = "Crates %d" % i
            mapstone.diff(a, b)
            b["layers[0].name"] = a["layers[0].name"]
            mapstone.merge(a, b, b)
    assert in_threads(lambda: swap(one, other), lambda: swap(other, one)) == []
    assert one["layers[0].name"].startswith("Crates")


def test_names_of_constants_are_complete():
    def values(prefix):
        return len([name for name in vars(_abi) if name.startswith(prefix)])
    assert len(_compare._CONFLICTS) == values("MST_CONFLICT_")
    assert len(_compare._KINDS) + len(_compare._SORTS) == values("MST_DIFFERENCE_")
    assert len(_document._CHANGES) == values("MST_CHANGE_")
    assert len(_compare._SORTS) == _abi.MST_DIFFERENCE_STORAGE + 1
    assert len(_document._TYPES) == values("MST_TYPE_")
    assert len(_level._ROLES) == values("MST_ROLE_")
    assert len(_level._STATES) == _abi.MST_ASSET_UNREADABLE + 1
    assert _library._STATUS[_abi.MST_STOPPED] == "stopped" and len(_library._STATUS) == _abi.MST_STOPPED + 1
    assert len(_library._SEVERITY) == _abi.MST_ERROR + 1
    assert mapstone.__all__ == sorted(mapstone.__all__)


def test_exiting_with_open_levels(samples):
    script = ("import mapstone, sys, threading\n"
              "level = mapstone.open(sys.argv[1]); value = level.document.find('objects'); iterator = iter(value); next(iterator)\n"
              "mapstone.keep = [level, value, iterator, level.document.column('mesh.vertices[:].position')]\n"
              "threading.Thread(target=lambda: [value.native for _ in range(5)], daemon=True).start()\n")
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run([sys.executable, "-c", script, samples / "outpost.level"], env=environment, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
