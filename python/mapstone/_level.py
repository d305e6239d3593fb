# SPDX-License-Identifier: MIT
"""Levels: files with everything that belongs to them."""
from __future__ import annotations

import ctypes
import os
from ctypes import byref
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Union

from . import _abi as abi
from ._document import Document, check_options
from ._library import Calls, Finding, Output, fail, finding_of, lib, options as make_options, refuse, texts

_ROLES = ("group", "geometry", "collision", "helper", "entity", "light", "camera")
_STATES = ("found", "missing", "outside", "unreadable")
_VIEWS = {"above": abi.MST_VIEW_ABOVE, "oblique": abi.MST_VIEW_OBLIQUE, "dimetric": abi.MST_VIEW_DIMETRIC}

Path = Union[str, os.PathLike]


class Entity(NamedTuple):
    """An object at a position, a light or a camera."""

    class_name: str  # its kind: "ns2_gamerules", "monster"
    name: str
    layer: str
    position: tuple[float, float, float]  # in the file's coordinates
    rotation: tuple[float, float, float, float]  # a quaternion x, y, z, w
    world: tuple[float, float, float]  # the position in metres, Y up
    role: str  # "entity", "light", "camera", ...
    file: str  # of the document: `Level.find`
    path: str  # of its value there: `document.find(entity.path)`


class Asset(NamedTuple):
    """A file that a level names."""

    kind: str  # "model", "texture", "material", ...
    state: str  # "found", "missing", "outside" (of the game's root) or "unreadable"
    name: str
    uses: int  # how often it is named
    file: Optional[str]  # where it was found


class Level:
    """A level with its documents and sidecars.

        with mapstone.open("maps/a.level") as level:
            for entity in level.entities():
                print(entity.class_name, entity.world)
            open("a.glb", "wb").write(level.glb())
    """

    def __init__(self, path: Path, *, format: Optional[str] = None, level: Optional[str] = None, map: Optional[str] = None,
                 search_paths: Iterable[Path] = (), salvage: bool = False, writable: bool = False):
        self._calls = Calls()
        self._reported: list[Finding] = []
        self._keep: list[Any] = [texts(search_paths)]
        self._documents: dict[int, Document] = {}
        self._handle: Optional[ctypes.c_void_p] = None
        paths, count = self._keep[0]
        fields = dict(abi.mst_level_options._fields_)
        options = make_options(abi.mst_level_options,
            format=format.encode() if format else None, level=os.fsencode(level) if level else None,
            map=map.encode() if map else None, search_paths=ctypes.cast(paths, fields["search_paths"]), search_path_count=count,
            salvage=salvage, writable=writable,
            report=self._calls.wrap(fields["report"], lambda file, one: self._reported.append(finding_of(one.contents, os.fsdecode(file or b"")))))
        handle, why = ctypes.c_void_p(), abi.mst_diagnostic()
        self._keep.append(options)
        self._calls.ended(lib.mst_level_open(os.fsencode(path), byref(options), byref(handle), byref(why)), why)
        self._handle = handle

    def _use(self) -> ctypes.c_void_p:
        if self._handle is None:
            raise refuse("the level is closed")
        return self._handle

    def close(self) -> None:
        if self._handle is not None:
            for document in self._documents.values():
                document._change("closed")
            for document in self._documents.values():
                document._handle = None
            lib.mst_level_close(self._handle)
            self._handle = None

    def __enter__(self) -> "Level":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None and lib is not None:
            lib.mst_level_close(self._handle)

    # -- documents ---------------------------------------------------------------------------------

    def _document(self, index: int) -> Document:
        return self._known(lib.mst_level_document(self._use(), index))

    def _known(self, handle: Optional[int]) -> Document:
        known = self._documents.get(handle)
        if known is None:
            known = self._documents[handle] = Document(ctypes.c_void_p(handle), self, owned=False)
        return known

    @property
    def documents(self) -> list[Document]:
        """All of them: several sectors, and files that were opened since."""
        return [self._document(i) for i in range(lib.mst_level_count(self._use()))]

    @property
    def document(self) -> Document:
        """The first one, which most levels are."""
        return self._document(0)

    @property
    def paths(self) -> list[str]:
        """Where the documents were opened from."""
        return [os.fsdecode(lib.mst_level_path(self._use(), i)) for i in range(lib.mst_level_count(self._use()))]

    @property
    def reported(self) -> list[Finding]:
        """What did not keep the level from opening: parts that `salvage` left out, odd archives."""
        return list(self._reported)

    def find(self, file: str) -> Document:
        """The document that an entity names by its `file`."""
        handle, why = ctypes.c_void_p(), abi.mst_diagnostic()
        fail(lib.mst_level_find(self._use(), os.fsencode(file), byref(handle), byref(why)), why)
        return self._known(handle.value)

    def __getitem__(self, path: str) -> Any:
        return self.document[path]

    def __setitem__(self, path: str, value: Any) -> None:
        self.document[path] = value

    # -- what it shows -----------------------------------------------------------------------------

    def entities(self) -> list[Entity]:
        """The entities as they are now."""
        list_, why = ctypes.POINTER(abi.mst_entities)(), abi.mst_diagnostic()
        fail(lib.mst_level_entities(self._use(), byref(list_), byref(why)), why)
        try:
            return [Entity(e.class_name.decode(), e.name.decode(), e.layer.decode(), tuple(e.position), tuple(e.rotation), tuple(e.world),
                           _ROLES[e.role], os.fsdecode(e.file), e.path.decode()) for e in list_.contents.items[:list_.contents.count]]
        finally:
            lib.mst_entities_free(list_)

    def check(self, *, information: bool = False, schema: Optional[Union[str, bytes]] = None, assets: bool = False) -> list[Finding]:
        """What is wrong or odd in all documents. `assets`: also files that are named and missing."""
        findings: list[Finding] = []
        calls, why = Calls(), abi.mst_diagnostic()
        options = check_options(information, schema, assets)
        report = calls.wrap(abi.mst_level_report_function, lambda file, one: findings.append(finding_of(one.contents, os.fsdecode(file))))
        calls.ended(lib.mst_level_check(self._use(), byref(options), report, None, None, byref(why)), why)
        return findings

    def assets(self) -> list[Asset]:
        """Every file that the documents name."""
        list_, why = ctypes.POINTER(abi.mst_assets)(), abi.mst_diagnostic()
        fail(lib.mst_level_assets(self._use(), byref(list_), byref(why)), why)
        try:
            return [Asset(lib.mst_asset_kind_name(a.kind).decode(), _STATES[a.state], os.fsdecode(a.name), a.uses,
                          os.fsdecode(a.file) if a.state == abi.MST_ASSET_FOUND else None) for a in list_.contents.items[:list_.contents.count]]
        finally:
            lib.mst_assets_free(list_)

    def _scene(self, **members: Any) -> Any:
        scene, why = ctypes.POINTER(abi.mst_scene)(), abi.mst_diagnostic()
        fail(lib.mst_level_scene(self._use(), byref(make_options(abi.mst_scene_options, **members)), byref(scene), byref(why)), why)
        return scene

    def glb(self, *, textures: bool = True, markers: bool = True, max_texture: int = 0, max_lights: int = 0) -> bytes:
        """The level as binary glTF. `markers`: small boxes in place of entities."""
        scene, output, why = self._scene(no_textures=not textures, no_markers=not markers, max_texture=max_texture), Output(), abi.mst_diagnostic()
        try:
            options = make_options(abi.mst_gltf_options, max_lights=max_lights)
            return output.bytes(lib.mst_scene_write_glb(scene, byref(options), output.sink, byref(why)), why)
        finally:
            lib.mst_scene_free(scene)

    def png(self, *, view: str = "above", width: int = 0, height: int = 0, textures: bool = True, labels: bool = True,
            legend: bool = True) -> bytes:
        """A picture: a map from above, or "oblique" or "dimetric"."""
        if view not in _VIEWS:
            raise refuse("there is no view %r: above, oblique or dimetric" % view)
        scene, output, why = self._scene(no_textures=not textures), Output(), abi.mst_diagnostic()
        pixels = abi.mst_pixels()
        try:
            options = make_options(abi.mst_picture_options, view=_VIEWS[view], width=width, height=height, no_labels=not labels, no_legend=not legend)
            fail(lib.mst_scene_draw(scene, byref(options), byref(pixels), byref(why)), why)
            return output.bytes(lib.mst_pixels_write_png(byref(pixels), output.sink, byref(why)), why)
        finally:
            lib.mst_pixels_free(byref(pixels))
            lib.mst_scene_free(scene)

    # -- saving ------------------------------------------------------------------------------------

    def save(self) -> None:
        """Writes every edited document to where it was opened from, all files or none. The level must be `writable`."""
        why = abi.mst_diagnostic()
        fail(lib.mst_level_save(self._use(), None, byref(why)), why)

    def save_as(self, path: Path, index: int = 0) -> None:
        """Writes one document to another file; what depends on its name is renewed."""
        why = abi.mst_diagnostic()
        fail(lib.mst_level_save_as(self._use(), index, os.fsencode(path), None, byref(why)), why)

    def __repr__(self) -> str:
        return "<mapstone.Level %s>" % (", ".join(self.paths[:3]) if self._handle is not None else "(closed)")


def levels(path: Path) -> Iterator[tuple[str, str]]:
    """The levels that a directory, archive or disc image holds: their names for `open(path, level=name)`, and their formats' ids."""
    found: list[tuple[str, str]] = []
    calls, why = Calls(), abi.mst_diagnostic()
    take = calls.wrap(abi.FUNCTIONS["mst_level_list"][1][2], lambda name, format: found.append((os.fsdecode(name), format.contents.id.decode())))
    calls.ended(lib.mst_level_list(os.fsencode(path), None, take, None, byref(why)), why)
    return iter(found)
