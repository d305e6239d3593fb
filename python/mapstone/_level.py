# SPDX-License-Identifier: MIT
"""Levels: files with all their sidecars."""
from __future__ import annotations

import contextlib
import ctypes
import os
from ctypes import byref
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Union

from . import _abi as abi
from . import _arguments as take
from ._document import Document, check_options
from ._held import Held, LevelHandle, Unique, locked
from . import _table
from ._library import Calls, ClosedError, Finding, Output, fail, finding_of, lib, memory, options as make_options, refuse, said

_ROLES = ("group", "geometry", "collision", "helper", "entity", "light", "camera")
_STATES = ("found", "missing", "outside", "unreadable")
_VIEWS = {"above": abi.MST_VIEW_ABOVE, "oblique": abi.MST_VIEW_OBLIQUE, "dimetric": abi.MST_VIEW_DIMETRIC}

Path = Union[str, os.PathLike]


class Entity(NamedTuple):
    """An object at a position, a light or a camera."""

    class_name: str  # its class: "ns2_gamerules", "monster"
    name: str
    layer: str
    position: tuple[float, float, float]  # in the file's coordinates
    rotation: tuple[float, float, float, float]  # a quaternion x, y, z, w
    world: tuple[float, float, float]  # the position in metres, Y up
    role: str  # "entity", "light", "camera", ...
    file: str  # of the document, for `Level.find`
    path: str  # of the value in the document: `document.find(entity.path)`


class Asset(NamedTuple):
    """A file that a level references."""

    kind: str  # "model", "texture", "material", ...
    state: str  # "found", "missing", "outside" (of the game's root) or "unreadable"
    name: str
    uses: int  # number of references
    file: Optional[str]  # its path


class Level(Unique):
    """A level with its documents and sidecars.

        with mapstone.open("maps/a.level") as level:
            for entity in level.entities():
                print(entity.class_name, entity.world)
            open("a.glb", "wb").write(level.glb())
    """

    _held = Held("level")
    _documents: dict[int, Document] = {}
    _opened = 0  # number of documents when opened
    _is_writable = False

    def __init__(self, path: Path, *, format: Optional[str] = None, level: Optional[str] = None, map: Optional[str] = None,
                 search_paths: Iterable[Path] = (), salvage: bool = False, writable: bool = False):
        self._calls = Calls()
        self._reported: list[Finding] = []
        self._documents = {}
        reported, name = self._reported, take.path(path)
        paths, count = take.paths(search_paths, "search_paths")
        fields = dict(abi.mst_level_options._fields_)
        options = make_options(abi.mst_level_options,
            format=take.optional_text(format, "format"), level=take.optional_path(level, "level"), map=take.optional_text(map, "map"),
            search_paths=ctypes.cast(paths, fields["search_paths"]), search_path_count=count,
            salvage=take.flag(salvage, "salvage"), writable=take.flag(writable, "writable"), unmapped=True,
            report=self._calls.wrap(fields["report"], lambda file, one: reported.append(finding_of(one.contents, os.fsdecode(file or b"")))))
        handle, why = ctypes.c_void_p(), abi.mst_diagnostic()
        self._calls.ended(lib.mst_level_open(name, byref(options), byref(handle), byref(why)), why)
        self._held = Held("level", LevelHandle(handle.value), (paths, options))
        self._opened = lib.mst_level_count(handle)
        self._is_writable = bool(writable)

    def _changed_with(self, document: Document) -> list[Document]:
        """The documents that an edit of one may change: if they are written together, all, since they reference each other's elements."""
        return [document] + [one for one in self._documents.values() if self._is_writable and one is not document]

    def close(self) -> None:
        with contextlib.suppress(ClosedError), self._held:
            self._held.be_free_to("closed")
            if any(document._showing() for document in self._documents.values()):
                raise BufferError("the level cannot be closed while arrays show its bytes: copy them, or delete them")
            self._held.free()

    def __enter__(self) -> "Level":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # -- documents ---------------------------------------------------------------------------------

    def _document(self, index: int) -> Document:
        known = self._documents.get(index)
        if known is None:
            known = self._documents[index] = Document._of(self._held, self, index)
        return known

    def _only_document(self, name: str) -> Document:
        """The document of a level that must have only one."""
        with self._held:
            if self._opened != 1:
                raise refuse("%s is a level of %d documents: choose one of its documents" % (name, self._opened))
            return self._document(0)

    @property
    @locked
    def documents(self) -> list[Document]:
        """All documents: several sectors, and files that were opened since."""
        return [self._document(i) for i in range(lib.mst_level_count(self._held.handle))]

    @property
    @locked
    def document(self) -> Document:
        """The first document; most levels have only one."""
        return self._document(0)

    @property
    @locked
    def paths(self) -> list[str]:
        """The paths of the documents."""
        handle = self._held.handle
        return [os.fsdecode(lib.mst_level_path(handle, i) or b"") for i in range(lib.mst_level_count(handle))]

    @property
    def reported(self) -> list[Finding]:
        """Problems that did not prevent opening: parts that `salvage` left out, odd archives."""
        return list(self._reported)

    def find(self, file: str) -> Document:
        """The document with the `file` of an entity."""
        name, found, why = take.path(file, "file"), ctypes.c_void_p(), abi.mst_diagnostic()
        with self._held as handle:
            self._calls.ended(lib.mst_level_find(handle, name, byref(found), byref(why)), why)
            indices = (i for i in range(lib.mst_level_count(handle)) if lib.mst_level_document(handle, i) == found.value)
            return self._document(next(indices))

    def sidecar(self, name: str) -> Optional[bytes]:
        """A file that belongs to the level, by name, such as "class.def", found where the library looks for it; None: missing."""
        encoded, data, size = take.path(name, "name"), ctypes.c_void_p(), ctypes.c_size_t()
        with self._held as handle:
            found = lib.mst_level_sidecars(handle).contents
            status = found.find(found.user, encoded, byref(data), byref(size)) if found.find else abi.MST_NO_PATH
            if status != abi.MST_NO_PATH:
                fail(status)
            return memory(data.value, size.value) if status == abi.MST_OK else None

    @locked
    def __getitem__(self, path: str) -> Any:
        return self.document[path]

    def __setitem__(self, path: str, value: Any) -> None:
        self.document[path] = value

    # -- content -----------------------------------------------------------------------------------

    @locked
    def entities(self) -> list[Entity]:
        """The current entities."""
        list_, why = ctypes.POINTER(abi.mst_entities)(), abi.mst_diagnostic()
        fail(lib.mst_level_entities(self._held.handle, byref(list_), byref(why)), why)
        try:
            return [Entity(said(e.class_name), said(e.name), said(e.layer), tuple(e.position), tuple(e.rotation), tuple(e.world),
                           _ROLES[e.role], os.fsdecode(e.file or b""), said(e.path)) for e in list_.contents.items[:list_.contents.count]]
        finally:
            lib.mst_entities_free(list_)

    def table(self, relation: str = "entity", *, where: Optional[str] = None, columns: Iterable[str] = ()) -> "_table.Table":
        """The rows of a relation of the first document: `file`, `entity`, `property`, `relation`, `asset`, `finding` or `record`."""
        name, conditions = take.text(relation, "relation"), take.optional_text(where, "where")
        wanted, count = take.texts(columns, "columns")
        with self._held as handle:
            return _table.of_level(handle, name, conditions, wanted, count)

    def check(self, *, information: bool = False, schema: Optional[Union[str, bytes]] = None, assets: bool = False) -> list[Finding]:
        """Errors and oddities in all documents. `assets`: also missing files that are referenced."""
        findings: list[Finding] = []
        calls, why = Calls(), abi.mst_diagnostic()
        options = check_options(information, schema, assets)
        report = calls.wrap(abi.mst_level_report_function, lambda file, one: findings.append(finding_of(one.contents, os.fsdecode(file or b""))))
        with self._held as handle:
            calls.ended(lib.mst_level_check(handle, byref(options), report, None, None, byref(why)), why)
        return findings

    @locked
    def assets(self) -> list[Asset]:
        """Every file that the documents reference."""
        list_, why = ctypes.POINTER(abi.mst_assets)(), abi.mst_diagnostic()
        fail(lib.mst_level_assets(self._held.handle, byref(list_), byref(why)), why)
        try:
            return [Asset(said(lib.mst_asset_kind_name(a.kind)), _STATES[a.state], os.fsdecode(a.name or b""), a.uses,
                          os.fsdecode(a.file or b"") if a.state == abi.MST_ASSET_FOUND else None) for a in list_.contents.items[:list_.contents.count]]
        finally:
            lib.mst_assets_free(list_)

    @contextlib.contextmanager
    def _scene(self, options: abi.mst_scene_options) -> Iterator[Any]:
        scene, why = ctypes.POINTER(abi.mst_scene)(), abi.mst_diagnostic()
        with self._held as handle:
            fail(lib.mst_level_scene(handle, byref(options), byref(scene), byref(why)), why)
            try:
                yield scene
            finally:
                lib.mst_scene_free(scene)

    def glb(self, *, textures: bool = True, markers: bool = True, max_texture: int = 0, max_lights: int = 0,
            collision: bool = False) -> bytes:
        """The level as binary glTF. `markers`: small boxes for entities. `collision`: names from which Godot makes bodies of geometry."""
        shown = make_options(abi.mst_scene_options, no_textures=not take.flag(textures, "textures"), no_markers=not take.flag(markers, "markers"),
                             max_texture=take.number(max_texture, "max_texture"))
        options = make_options(abi.mst_gltf_options, max_lights=take.number(max_lights, "max_lights"), collision=take.flag(collision, "collision"))
        output, why = Output(), abi.mst_diagnostic()
        with self._scene(shown) as scene:
            return output.bytes(lib.mst_scene_write_glb(scene, byref(options), output.sink, byref(why)), why)

    def editing_glb(self, *, textures: bool = True, markers: bool = True, max_texture: int = 0, only: Iterable[str] = (),
                    hide: Iterable[str] = (), select: Iterable[str] = (), polygons: bool = False) -> bytes:
        """The level as binary glTF for editing in Blender and `import_model`: everything, or the selected classes and elements.
        Parts left out do not count as deleted. `polygons`: consecutive triangles with the same first corner are one polygon, for
        programs that make polygons from them."""
        shown = make_options(abi.mst_scene_options, no_textures=not take.flag(textures, "textures"), no_markers=not take.flag(markers, "markers"),
                             max_texture=take.number(max_texture, "max_texture"))
        lists = {"only": take.texts(only, "only"), "hide": take.texts(hide, "hide"), "select": take.texts(select, "select")}
        fields = dict(abi.mst_editing_options._fields_)
        what = make_options(abi.mst_editing_options, scene=ctypes.pointer(shown),
                            **{name: ctypes.cast(texts, fields[name]) for name, (texts, _) in lists.items()},
                            **{name + "_count": count for name, (_, count) in lists.items()})
        how = make_options(abi.mst_gltf_options, for_editing=True, polygons=take.flag(polygons, "polygons"))
        scene, output, why = ctypes.POINTER(abi.mst_scene)(), Output(), abi.mst_diagnostic()
        with self._held as handle:
            fail(lib.mst_editing_scene(handle, byref(what), byref(scene), byref(why)), why)
            try:
                return output.bytes(lib.mst_scene_write_glb(scene, byref(how), output.sink, byref(why)), why)
            finally:
                lib.mst_scene_free(scene)

    def import_model(self, model: bytes, *, other_base: bool = False, report: Optional[list[Finding]] = None) -> list[tuple[Document, list[str]]]:
        """The changes to a model (.glb, or .gltf in one file) from `editing_glb`: each changed document, with the operations for its
        `edit`. `other_base`: the level may be another version than the exported one. `report` receives parts that are
        imported partly or not at all."""
        bytes_, reported, found = take.data(model, "model"), take.optional_list(report, "report"), []
        calls, why, imported = Calls(), abi.mst_diagnostic(), ctypes.c_void_p()
        options = make_options(abi.mst_import_options, other_base=take.flag(other_base, "other_base"),
                               report=calls.wrap(abi.mst_report_function, lambda one: found.append(finding_of(one.contents))))
        with self._held as handle:
            try:
                calls.ended(lib.mst_import(handle, bytes_, len(bytes_), byref(options), byref(imported), byref(why)), why)
                scripts = [said(lib.mst_imported_script(imported, i)) for i in range(lib.mst_level_count(handle))]
            finally:
                lib.mst_imported_free(imported)
                reported.extend(found)
            return [(self._document(i), script.rstrip("\n").split("\n")) for i, script in enumerate(scripts) if script]

    def _text(self, kind: int, shown: Any, **fields: Any) -> tuple[bytes, bytes]:
        """Exports the level in a text format, with its materials."""
        output, materials, why = Output(), Output(), abi.mst_diagnostic()
        options = make_options(abi.mst_export_options, format=kind, materials_to=materials.sink, **fields)
        with self._scene(shown) as scene:
            text = output.bytes(lib.mst_scene_export(scene, byref(options), output.sink, byref(why)), why)
            return text, materials.bytes(abi.MST_OK)

    def obj(self, *, materials: str = "", triangles: bool = False, own_units: bool = False, markers: bool = True) -> tuple[bytes, bytes]:
        """The level as Wavefront OBJ, and the content of its .mtl if `materials` is the name of that file. Faces are polygons, unless
        `triangles`. Coordinates are metres with Y up or, with `own_units`, in the level's units and axes."""
        shown = make_options(abi.mst_scene_options, no_markers=not take.flag(markers, "markers"))
        return self._text(abi.MST_SCENE_OBJ, shown, materials=take.text(materials, "materials") or None, triangles=take.flag(triangles, "triangles"),
                          own_units=take.flag(own_units, "own_units"))

    def quake_map(self) -> bytes:
        """A map for TrenchBroom and other editors of Quake's maps: a brush for each face, and the entities."""
        return self._text(abi.MST_SCENE_QUAKE_MAP, make_options(abi.mst_scene_options, no_markers=True))[0]

    def png(self, *, view: str = "above", width: int = 0, height: int = 0, textures: bool = True, labels: bool = True,
            legend: bool = True) -> bytes:
        """A picture: a map from above, or "oblique" or "dimetric"."""
        if take.text(view, "view").decode() not in _VIEWS:
            raise refuse("there is no view %r: above, oblique or dimetric" % view)
        shown = make_options(abi.mst_scene_options, no_textures=not take.flag(textures, "textures"))
        options = make_options(abi.mst_picture_options, view=_VIEWS[view], width=take.number(width, "width"), height=take.number(height, "height"),
                               no_labels=not take.flag(labels, "labels"), no_legend=not take.flag(legend, "legend"))
        output, pixels, why = Output(), abi.mst_pixels(), abi.mst_diagnostic()
        with self._scene(shown) as scene:
            try:
                fail(lib.mst_scene_draw(scene, byref(options), byref(pixels), byref(why)), why)
                return output.bytes(lib.mst_pixels_write_png(byref(pixels), output.sink, byref(why)), why)
            finally:
                lib.mst_pixels_free(byref(pixels))

    # -- saving ------------------------------------------------------------------------------------

    @locked
    def save(self) -> None:
        """Writes every edited document to its path, all files or none. The level must be `writable`."""
        why = abi.mst_diagnostic()
        fail(lib.mst_level_save(self._held.handle, None, byref(why)), why)

    def save_as(self, path: Path, index: int = 0) -> None:
        """Writes one document to another file; values that depend on the file's name are updated, which makes values of the document stale."""
        name, at, why = take.path(path), take.number(index, "index"), abi.mst_diagnostic()
        with self._held as handle:
            if at >= lib.mst_level_count(handle):
                raise IndexError("document %d: there are %d" % (at, lib.mst_level_count(handle)))
            document = self._document(at)
            before = document._use()
            if lib.mst_checksum_path(before):
                document._change("renamed")
            try:
                fail(lib.mst_level_save_as(handle, at, name, None, byref(why)), why)
            finally:
                if lib.mst_level_document(handle, at) != before:
                    document._changed()

    def __repr__(self) -> str:
        with contextlib.suppress(ClosedError):
            return "<mapstone.Level %s>" % ", ".join(self.paths[:3])
        return "<mapstone.Level (closed)>"


def fgd(format: str = "ns2-level") -> bytes:  # pylint: disable=redefined-builtin
    """The classes of entities of a format, for editors of Quake's maps."""
    output, why = Output(), abi.mst_diagnostic()
    return output.bytes(lib.mst_write_fgd(take.text(format, "format"), output.sink, byref(why)), why)


def games() -> dict[str, str]:
    """The folders of games that the command remembers (`mapstone game`), by name: for `search_paths`."""
    folder = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA") or os.path.expanduser("~/.config")
    try:
        with open(os.path.join(folder, "mapstone", "games"), encoding="utf-8") as file:
            lines = [line.rstrip("\n").split("\t") for line in file]
    except FileNotFoundError:
        return {}
    return {line[0]: line[1] for line in lines if len(line) == 2}


def levels(path: Path) -> Iterator[tuple[str, str]]:
    """The levels in a directory, archive or disc image: their names for `open(path, level=name)`, and their formats' ids."""
    name, found = take.path(path), []
    calls, why = Calls(), abi.mst_diagnostic()
    add = calls.wrap(abi.FUNCTIONS["mst_level_list"][1][2], lambda one, format: found.append((os.fsdecode(one or b""), said(format.contents.id))))
    calls.ended(lib.mst_level_list(name, None, add, None, byref(why)), why)
    return iter(found)
