# SPDX-License-Identifier: MIT
"""Documents: opened files, their values, edits and checks."""
from __future__ import annotations

import contextlib
import ctypes
import itertools
import json
import operator
import os
import weakref
from ctypes import byref
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Optional, Union

from . import _abi as abi
from . import _arguments as take
from ._columns import column
from ._held import DocumentHandle, Held, Unique, locked, locked_together
from ._library import Calls, ClosedError, Error, Finding, Output, StaleError, fail, finding_of, finding_that, json_of, lib, memory, options as make_options, \
    refuse, said, to_json

_TYPES = ("none", "bool", "integer", "real", "text", "bytes", "record", "list")
_CHANGES = ("set", "add", "remove", "move")


class Format(NamedTuple):
    """A format that the library knows."""

    id: str
    title: str
    extensions: list[str]
    media_type: str
    versions: str
    rows: list[str]  # the lists that tables show
    templates: list[str]  # the templates of Document.new, the simplest first


def format_of(information: Any) -> Format:
    one = information.contents
    names = iter(lambda index=itertools.count(): lib.mst_template_name(information, next(index), None), None)
    return Format(said(one.id), said(one.title), said(one.extensions).split(), said(one.media_type), said(one.versions), said(one.rows).split(),
                  [said(name) for name in names])


def formats() -> list[Format]:
    """All formats."""
    return [format_of(lib.mst_format_at(i)) for i in range(lib.mst_format_count())]


class Change(NamedTuple):
    """The effect of an edit on a value."""

    kind: str  # "set", "add", "remove" or "move"
    path: str
    old: Any  # None: it did not exist
    new: Any


class Value(Unique):
    """A value in a document: a number, a text, a record or a list. Valid until the document is edited.

    `value["name"]` is a field of a record, `value[3]` an element of a list; both may be any path ("origin[0]"). Iterating goes
    over elements, or over the names of fields. `native` converts all of it to Python's own objects.
    """

    __slots__ = ("_document", "_handle", "_generation", "path")

    def __init__(self, *_: Any, **__: Any):
        raise TypeError("values are found in a Document")

    @classmethod
    def _at(cls, document: "Document", handle: abi.mst_value, path: str) -> "Value":
        value = cls.__new__(cls)
        value._document = document
        value._handle = handle
        value._generation = document._generation
        value.path = path
        return value

    @property
    def _held(self) -> Held:
        return self._document._held

    def _use(self) -> abi.mst_value:
        if self._generation != self._document._generation:
            text = "%s: the document was edited after this value was asked for" % (self.path or "the document")
            raise StaleError("argument", finding_that(text, self.path))
        return self._handle

    def _below(self, path: str) -> str:
        return self.path + ("." if self.path and not path.startswith("[") else "") + path

    @property
    @locked
    def type(self) -> str:
        """ "bool", "integer", "real", "text", "bytes", "record" or "list"."""
        return _TYPES[lib.mst_value_type(byref(self._use()))]

    @locked
    def _field(self) -> abi.mst_field_information:
        return lib.mst_value_field(byref(self._use()))  # its texts belong to the format, which always exists

    @property
    def name(self) -> str:
        """The field's name; "" for elements."""
        return said(self._field().name)

    @property
    def documentation(self) -> str:
        """The format's description of the field."""
        return said(self._field().documentation)

    @property
    def unit(self) -> str:
        return said(self._field().unit)

    @property
    def type_name(self) -> str:
        """The stored type: "u32", "f32[3]"."""
        return said(self._field().type_name)

    @property
    @locked
    def choices(self) -> list[tuple[int, str, str]]:
        """The names of the number's values: number (for flags the bit's), name, and meaning, or "" if the name is clear."""
        number, words, found = ctypes.c_int64(), ctypes.c_char_p(), []
        while (name := lib.mst_value_name(byref(self._use()), len(found), byref(number), byref(words))) is not None:
            found.append((number.value, said(name), said(words.value)))
        return found

    @property
    @locked
    def span(self) -> tuple[int, int]:
        """Offset and length of its bytes in `Document.content`."""
        offset, length = ctypes.c_uint64(), ctypes.c_uint64()
        lib.mst_value_span(byref(self._use()), byref(offset), byref(length))
        return offset.value, length.value

    @property
    @locked
    def json(self) -> str:
        """Lossless JSON of the value."""
        return json_of(self._use(), compact=True)

    @property
    def native(self) -> Any:
        """The value as int, float, str, bool, bytes, list or dict. Enumerations are names, flags lists of names; bytes within
        records, and numbers that JSON cannot represent, have the form of `json`."""
        kind = self.type
        if kind == "bytes":
            return self.bytes
        number = self._real() if kind == "real" else None
        return json.loads(self.json) if number is None else number

    @locked
    def _real(self) -> Optional[float]:
        number = ctypes.c_double()
        return number.value if lib.mst_get_real(byref(self._use()), byref(number)) == abi.MST_OK else None

    @property
    @locked
    def bytes(self) -> bytes:
        """The stored bytes of a text, or of an uninterpreted field."""
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        fail(lib.mst_get_bytes(byref(self._use()), byref(data), byref(size)))
        return memory(data.value, size.value)

    @locked
    def __len__(self) -> int:
        return lib.mst_count(byref(self._use()))

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, key: Union[int, slice, str]) -> "Value":
        if isinstance(key, str):
            return self._find(take.text(key, "path"), self._below(key))
        if isinstance(key, slice):
            first, end, step = key.indices(len(self))
            if step != 1:
                raise refuse("slices of values have no step")
            text = "[%d:%d]" % (first, max(first, end))
            return self._find(text.encode(), self.path + text)
        try:
            return self._element(operator.index(key))
        except TypeError:
            raise TypeError("a key must be an int, a slice or a path, not %s" % type(key).__name__) from None

    @locked
    def _find(self, path: bytes, name: str) -> "Value":
        found, why = abi.mst_value(), abi.mst_diagnostic()
        fail(lib.mst_find(self._use(), path, byref(found), byref(why)), why)
        return Value._at(self._document, found, name)

    @locked
    def _element(self, key: int) -> "Value":
        found, count = abi.mst_value(), len(self)
        index = key if key >= 0 else key + count
        if self.type != "list" or not 0 <= index < count or lib.mst_element(byref(self._use()), index, byref(found)) != abi.MST_OK:
            raise IndexError("%s[%d]: there are %d" % (self.path, key, count))
        return Value._at(self._document, found, "%s[%d]" % (self.path, index))

    def __contains__(self, key: str) -> bool:
        path = take.text(key, "path")
        with self._held:
            return lib.mst_find(self._use(), path, byref(abi.mst_value()), None) == abi.MST_OK

    def __iter__(self) -> Iterator[Any]:
        kind = self.type
        if kind == "record":
            return iter(self.keys())
        if kind == "list":
            return self._children(lambda index, child: Value._at(self._document, child, "%s[%d]" % (self.path, index)))
        raise TypeError("%s is %s: it has no elements" % (self.path, kind))

    def _children(self, show: Callable[[int, abi.mst_value], Any]) -> Iterator[Any]:
        with self._held:
            iterator = lib.mst_iterate(byref(self._use()))
        for index in itertools.count():
            with self._held:
                self._use()
                child = abi.mst_value()
                if not lib.mst_next(byref(iterator), byref(child)):
                    return
                shown = show(index, child)
            yield shown

    def _fields(self, child: abi.mst_value) -> tuple[str, "Value"]:
        name = said(lib.mst_value_field(byref(child)).name)
        return name, Value._at(self._document, child, "%s.%s" % (self.path, name) if self.path else name)

    def keys(self) -> list[str]:
        """The names of a record's fields."""
        return [name for name, _ in self.items()]

    def items(self) -> Iterator[tuple[str, "Value"]]:
        """The fields of a record by their names."""
        self._field()
        return self._children(lambda _, child: self._fields(child))

    @locked
    def get(self, path: str, default: Any = None) -> Any:
        """The value at a path below, as Python's own object; `default` if there is none."""
        take.text(path, "path")
        try:
            return self[path].native
        except Error as error:
            if error.status != "no path":
                raise
            return default

    def select(self, selector: str) -> list["Value"]:
        """Every value that a selector matches, in the file's order: 'objects[class_name=location]'."""
        text, found, calls = take.text(selector, "selector"), [], Calls()
        prefix = self.path + "." if self.path else ""

        def add(path: bytes, value: Any) -> None:
            found.append(Value._at(self._document, abi.mst_value.from_buffer_copy(value.contents), prefix + said(path)))

        why, selected = abi.mst_diagnostic(), abi.mst_selected()
        with self._held:
            calls.ended(lib.mst_select(self._use(), text, calls.wrap(abi.mst_select_function, add), None, byref(selected), byref(why)), why)
        return found

    def column(self, path: str = "") -> Any:
        """Numbers of all elements of this list: a scalar or a list of scalars at `path` below each. With numpy the result is a read-only
        array, which shows the document's own bytes if they are equally spaced, and is a copy otherwise; without numpy a list.
        While such arrays exist, the document cannot be edited or closed."""
        take.text(path, "path")
        return column(self, path)

    def __eq__(self, other: object) -> bool:
        return self.native == (other.native if isinstance(other, Value) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        kind = self.type
        return "<%s: %s>" % (self.path or "document", "%s of %d" % (kind, len(self)) if kind in ("list", "record") else repr(self.native))


class Document(Unique):
    """An opened file of a known format. Paths and selectors are written as for the command (`mapstone help get`).

        with mapstone.Document.open("a.level") as document:
            for entity in document.select("objects[class_name=light_point]"):
                print(entity["properties.intensity"].native)
            document["objects[0].class_name"] = "location"
            document.save("b.level")
    """

    _held = Held("document")
    _level: Any = None  # the level that contains the document
    _index = 0  # in the level
    _generation = 0

    def __init__(self, *_: Any, **__: Any):
        raise TypeError("documents are opened: Document.open, from_bytes, from_json")

    @classmethod
    def _of(cls, held: Held, level: Any = None, index: int = 0) -> "Document":
        document = cls.__new__(cls)
        document._held = held
        document._level = level
        document._index = index
        document._views = []
        return document

    # -- opening -----------------------------------------------------------------------------------

    @classmethod
    def _opened(cls, handle: ctypes.c_void_p, keep: Any = None) -> "Document":
        return cls._of(Held("document", DocumentHandle(handle.value), keep))

    @classmethod
    def open(cls, path: Union[str, os.PathLike[str]], *, format: Optional[str] = None, salvage: bool = False) -> "Document":
        """Opens one file. `mapstone.open` also opens levels of several files, members of archives and disc images."""
        options = make_options(abi.mst_open_options, format=take.optional_text(format, "format"), salvage=take.flag(salvage, "salvage"),
                               unmapped=True)  # if another program truncated a mapped file, the interpreter would crash
        handle, why = ctypes.c_void_p(), abi.mst_diagnostic()
        fail(lib.mst_open_file(take.path(path), byref(options), byref(handle), byref(why)), why)
        return cls._opened(handle)

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "", *, format: Optional[str] = None, salvage: bool = False) -> "Document":
        """Opens bytes; the name helps to identify formats without a mark of their own."""
        data = take.data(data, "data")
        options = make_options(abi.mst_open_options, format=take.optional_text(format, "format"), name=take.text(name, "name") or None,
                               salvage=take.flag(salvage, "salvage"))
        handle, why = ctypes.c_void_p(), abi.mst_diagnostic()
        fail(lib.mst_open_memory(data, len(data), byref(options), byref(handle), byref(why)), why)
        return cls._opened(handle, data)

    @classmethod
    def from_json(cls, text: Union[str, dict[str, Any]], *, format: Optional[str] = None, lenient: bool = False) -> "Document":
        """Makes a document from JSON in the form of `to_json`. Lenient: missing values are zero or empty."""
        encoded = _text_or_json(text, "text")
        options = make_options(abi.mst_open_options, format=take.optional_text(format, "format"), lenient_json=take.flag(lenient, "lenient"))
        handle, why = ctypes.c_void_p(), abi.mst_diagnostic()
        fail(lib.mst_open_json(encoded, len(encoded), byref(options), byref(handle), byref(why)), why)
        return cls._opened(handle)

    @classmethod
    def new(cls, format: str, template: Optional[str] = None, *, version: int = 0, name: str = "") -> "Document":
        """Creates a level, in which checks find nothing. Template: one of `Format.templates`, the first by default; version 0: the
        newest; name: of the file, where the content depends on it (a sector's place)."""
        options = make_options(abi.mst_new_options, template_name=take.optional_text(template, "template"), name=take.text(name, "name") or None,
                               version=take.number(version, "version"))
        handle, why = ctypes.c_void_p(), abi.mst_diagnostic()
        fail(lib.mst_new(take.text(format, "format"), byref(options), byref(handle), byref(why)), why)
        return cls._opened(handle)

    @classmethod
    def from_model(cls, model: bytes, template: Optional[str] = None) -> "Document":
        """Makes a level of Natural Selection 2 from a glTF model (.glb) that was not exported from a level: its flat parts become faces,
        lights and nodes with the extra `class` become entities; all are added to the template."""
        data = take.data(model, "model")
        made, imported, why = cls.new("ns2-level", template), ctypes.c_void_p(), abi.mst_diagnostic()
        options = make_options(abi.mst_import_options, onto=made._use())
        fail(lib.mst_import(None, data, len(data), byref(options), byref(imported), byref(why)), why)
        try:
            script = said(lib.mst_imported_script(imported, 0))
        finally:
            lib.mst_imported_free(imported)
        made.edit(script)
        return made

    def _use(self) -> Any:
        """Its handle, within `with self._held`."""
        with self._held as handle:
            return handle if self._level is None else lib.mst_level_document(handle, self._index)

    def _showing(self) -> bool:
        self._views = [view for view in self._views if view() is not None]
        return bool(self._views)

    def _change(self, what: str) -> Any:
        """Call it before anything that moves the document's bytes, within `with self._held`."""
        self._held.be_free_to(what)
        if any(one._showing() for one in self._changed_together()):
            raise BufferError("the document cannot be %s while arrays show its bytes: copy them, or delete them" % what)
        return self._use()

    def _changed_together(self) -> list["Document"]:
        return [self] if self._level is None else self._level._changed_with(self)

    def _changed(self) -> None:
        """Makes its values stale."""
        self._generation += 1

    @contextlib.contextmanager
    def _editing(self, *others: "Document") -> Iterator[Any]:
        with locked_together([one._held for one in (self, *others)]):
            handle = self._change("edited")
            try:
                yield handle
                self._changed()
            finally:
                for one in self._changed_together():
                    if one is not self:
                        one._changed()

    def close(self) -> None:
        with contextlib.suppress(ClosedError), self._held:
            self._change("closed")
            if self._level is None:
                self._held.free()
            self._held, self._level = Document._held, None

    def __enter__(self) -> "Document":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # -- properties --------------------------------------------------------------------------------

    @property
    @locked
    def format(self) -> Format:
        return format_of(lib.mst_document_format(self._use()))

    @property
    @locked
    def name(self) -> str:
        return os.fsdecode(lib.mst_document_name(self._use()) or b"")

    @property
    @locked
    def version(self) -> int:
        """The file's version; 0 if the format has none."""
        return lib.mst_document_version(self._use())

    @property
    @locked
    def is_edited(self) -> bool:
        return bool(lib.mst_is_edited(self._use()))

    @property
    @locked
    def content(self) -> bytes:
        """The bytes that the spans of values refer to: the file's, or the content of packed or several files."""
        size = ctypes.c_size_t()
        data = lib.mst_document_bytes(self._use(), byref(size))
        return memory(data, size.value)

    @property
    @locked
    def files(self) -> dict[str, bytes]:
        """The files by name, with the content that saving would write."""
        result, handle = {}, self._use()
        for index in range(lib.mst_document_file_count(handle)):
            name, size = ctypes.c_char_p(), ctypes.c_size_t()
            data = lib.mst_document_file(handle, index, byref(name), byref(size))
            result[os.fsdecode(name.value or b"") or str(index)] = memory(data, size.value)
        return result

    @locked
    def to_bytes(self) -> bytes:
        """The content that saving would write to the (first) file."""
        output = Output()
        why = abi.mst_diagnostic()
        return output.bytes(lib.mst_save(self._use(), output.sink, byref(why)), why)

    def to_json(self, *, compact: bool = False) -> str:
        """JSON from which `from_json` makes the same bytes."""
        is_compact = take.flag(compact, "compact")
        with self._held:
            return json_of(lib.mst_root(self._use()), compact=is_compact)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the file, or both files of a pair: a failure leaves the old file, never a partial one."""
        name, why = take.path(path), abi.mst_diagnostic()
        with self._held:
            fail(lib.mst_save_file(self._use(), name, byref(why)), why)

    # -- values ------------------------------------------------------------------------------------

    @property
    @locked
    def root(self) -> Value:
        return Value._at(self, lib.mst_root(self._use()), "")

    @locked
    def find(self, path: str) -> Value:
        """The value at a path."""
        root = self.root
        return root._find(take.text(path, "path"), path)

    @locked
    def __getitem__(self, path: str) -> Any:
        """The value at a path, as Python's own object: `document["objects[0].class_name"]`."""
        return self.find(path).native

    @locked
    def __contains__(self, path: str) -> bool:
        return path in self.root

    @locked
    def get(self, path: str, default: Any = None) -> Any:
        return self.root.get(path, default)

    @locked
    def select(self, selector: str) -> list[Value]:
        """Every value that a selector matches: `document.select("objects[class_name=light_point]")`."""
        return self.root.select(selector)

    @locked
    def column(self, path: str) -> Any:
        """Numbers of all elements of a list: `document.column("mesh.vertices[:].position")`. See `Value.column`."""
        take.text(path, "path")
        head, bracket, tail = path.partition("[:]")
        return self.find(head).column(tail.lstrip(".") if bracket else "")

    @locked
    def labels(self, path: str, word: str) -> list[list[str]]:
        """The names that other elements give to each element of a list: `document.labels("mesh.faces", "layer")`. The word is the name of
        the list that has the names, without its s; edits and selectors use the same word."""
        where, what = take.text(path, "path"), take.text(word, "word")
        labels, why, found = ctypes.c_void_p(), abi.mst_diagnostic(), []
        count = len(self.find(path))
        fail(lib.mst_labels_open(byref(labels), self._use(), where, what, byref(why)), why)
        try:
            for element in range(count):
                names: list[str] = []
                while (name := lib.mst_labels_name(labels, element, len(names))) is not None:
                    names.append(said(name))
                found.append(names)
        finally:
            lib.mst_labels_close(labels)
        return found

    # -- edits -------------------------------------------------------------------------------------

    def __setitem__(self, path: str, value: Any) -> None:
        name, text, why = take.text(path, "path"), to_json(value).encode(), abi.mst_diagnostic()
        with self._editing() as handle:
            fail(lib.mst_set(handle, name, text, byref(why)), why)

    def __delitem__(self, path: str) -> None:
        name, why = take.text(path, "path"), abi.mst_diagnostic()
        with self._editing() as handle:
            fail(lib.mst_remove(handle, name, byref(why)), why)

    def insert(self, path: str, value: Any) -> None:
        """Inserts an element before the one at `path`; the index one past the last appends."""
        name, text, why = take.text(path, "path"), to_json(value).encode(), abi.mst_diagnostic()
        with self._editing() as handle:
            fail(lib.mst_insert(handle, name, text, byref(why)), why)

    def edit(self, *operations: Union[str, dict[str, Any]], cascade: bool = False, each: bool = False, force: bool = False,
             keep_loose: bool = False, drag: bool = False, world_texture: bool = False,
             allow_loss: bool = False, keep_names: bool = False, keep_references: bool = False, check: bool = True,
             schema: Optional[Union[str, bytes]] = None, report: Optional[list[Finding]] = None) -> list[Change]:
        """Applies all operations or none: lines of an edit script ("remove objects[3]") or objects ({"op": "set", "path": ...,
        "new": ...}), as for `mapstone edit`. New errors refuse them unless `force`. `report` receives other changes
        and obstacles. Copies get new names unless `keep_names`; references follow a new name or id
        unless `keep_references`."""
        reported, found = take.optional_list(report, "report"), []
        texts = [_text_or_json(operation, "an operation") for operation in operations]
        calls, changes, why = Calls(), [], abi.mst_diagnostic()

        def parsed(text: Optional[bytes]) -> Any:
            return None if text is None else json.loads(text)

        def change(one: Any) -> None:
            now = one.contents
            changes.append(Change(_CHANGES[now.kind], said(now.path), parsed(now.old), parsed(now.now)))

        checks = check_options(schema=schema)
        options = make_options(abi.mst_edit_options, cascade=take.flag(cascade, "cascade"), each=take.flag(each, "each"),
                               force=take.flag(force, "force"), keep_loose=take.flag(keep_loose, "keep_loose"), drag=take.flag(drag, "drag"),
                               world_texture=take.flag(world_texture, "world_texture"), allow_loss=take.flag(allow_loss, "allow_loss"),
                               keep_names=take.flag(keep_names, "keep_names"),
                               keep_references=take.flag(keep_references, "keep_references"),
                               checks=ctypes.pointer(checks) if take.flag(check, "check") else None,
                               change=calls.wrap(abi.mst_change_function, change),
                               report=calls.wrap(abi.mst_report_function, lambda one: found.append(finding_of(one.contents))))
        try:
            with self._editing() as handle, _operations(texts) as (items, count):
                if self._level is not None:
                    checks.sidecars = lib.mst_level_sidecars(self._held.handle)
                calls.ended(lib.mst_edit(handle, items, count, byref(options), byref(why)), why)
        finally:
            reported.extend(found)
        return changes

    # -- checks and conversions --------------------------------------------------------------------

    def check(self, *, information: bool = False, schema: Optional[Union[str, bytes]] = None) -> list[Finding]:
        """Errors and oddities, in the file's order. `information`: also findings of mere interest. `schema`: the text of
        editor_setup.xml, which describes the entities of Natural Selection 2."""
        findings: list[Finding] = []
        calls, why = Calls(), abi.mst_diagnostic()
        options = check_options(information, schema)
        report = calls.wrap(abi.mst_report_function, lambda one: findings.append(finding_of(one.contents)))
        with self._held:
            calls.ended(lib.mst_check(self._use(), byref(options), report, None, None, byref(why)), why)
        return findings

    def describe(self, what: str) -> list[str]:
        """Describes content in words: "triggers", "maps", "rectangles", or "classes", which new entities can have. "class NAME": JSON of each
        property of a new entity of that class."""
        text, output, why = take.text(what, "what"), Output(), abi.mst_diagnostic()
        with self._held:
            sidecars = lib.mst_level_sidecars(self._held.handle) if self._level is not None else None
            options = make_options(abi.mst_describe_options, sidecars=sidecars)
            status = lib.mst_describe(self._use(), text, byref(options), output.sink, byref(why))
            return said(output.bytes(status, why)).splitlines()

    def convert(self, *, version: Optional[int] = None, byte_order: Optional[str] = None, format: Optional[str] = None,
                select: Iterable[str] = (), allow_loss: bool = False, losses: Optional[list[Finding]] = None) -> "Document":
        """The same level in another version, byte order or format, as a new document. `losses` receives values that cannot be
        stored there; they are refused without `allow_loss`."""
        calls, why, result = Calls(), abi.mst_diagnostic(), ctypes.c_void_p()
        lost, found = take.optional_list(losses, "losses"), []
        selected, count = take.texts(select, "select")
        options = make_options(abi.mst_convert_options, version=0 if version is None else take.number(version, "version"),
                               has_version=version is not None, byte_order=take.optional_text(byte_order, "byte_order"),
                               format=take.optional_text(format, "format"), allow_loss=take.flag(allow_loss, "allow_loss"),
                               select=ctypes.cast(selected, dict(abi.mst_convert_options._fields_)["select"]), select_count=count)
        report = calls.wrap(abi.mst_report_function, lambda one: found.append(finding_of(one.contents)))
        try:
            with self._held:
                calls.ended(lib.mst_convert(self._use(), byref(options), report, None, byref(result), byref(why)), why)
        finally:
            lost.extend(found)
        return Document._opened(result)

    def __repr__(self) -> str:
        with contextlib.suppress(ClosedError):
            return "<mapstone.Document %s %s>" % (self.format.id, self.name)
        return "<mapstone.Document (closed)>"


def _text_or_json(value: Any, name: str) -> bytes:
    if not isinstance(value, (str, dict)):
        raise TypeError("%s must be a str or a dict, not %s" % (name, type(value).__name__))
    return (value if isinstance(value, str) else to_json(value)).encode()


@contextlib.contextmanager
def _operations(texts: list[bytes]) -> Iterator[tuple[Any, int]]:
    """The operations that the library parses from texts, and their count."""
    list_, why, count = ctypes.c_void_p(), abi.mst_diagnostic(), ctypes.c_size_t()
    try:
        for text in texts:
            fail(lib.mst_operations_read(byref(list_), text, len(text), 0, None, byref(why)), why)
        items = lib.mst_operations_all(list_, byref(count))
        yield items, count.value
    finally:
        lib.mst_operations_free(list_)


def check_options(information: bool = False, schema: Optional[Union[str, bytes]] = None, assets: bool = False) -> abi.mst_check_options:
    text = None if schema is None else take.data_or_text(schema, "schema")
    return make_options(abi.mst_check_options, schema=text, schema_size=len(text) if text else 0,
                        information=take.flag(information, "information"), assets=take.flag(assets, "assets"))
