# SPDX-License-Identifier: MIT
"""Documents: opened files, their values, edits and checks."""
from __future__ import annotations

import ctypes
import json
import os
import weakref
from ctypes import byref
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Union

from . import _abi as abi
from ._columns import column
from ._library import Calls, Error, Finding, Output, StaleError, fail, finding_of, json_of, lib, options as make_options, refuse, texts, to_json

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


def format_of(information: Any) -> Format:
    one = information.contents
    return Format(one.id.decode(), one.title.decode(), one.extensions.decode().split(), one.media_type.decode(),
                  one.versions.decode(), one.rows.decode().split())


def formats() -> list[Format]:
    """All formats."""
    return [format_of(lib.mst_format_at(i)) for i in range(lib.mst_format_count())]


class Change(NamedTuple):
    """What an edit did to a value."""

    kind: str  # "set", "add", "remove" or "move"
    path: str
    old: Any  # None: there was none
    new: Any


class Value:
    """A value in a document: a number, a text, a record or a list. Valid until the document is edited.

    `value["name"]` is a field of a record, `value[3]` an element of a list; both may be any path ("origin[0]"). Iterating goes
    over elements, or over the names of fields. `native` is all of it as Python's own objects.
    """

    __slots__ = ("_document", "_handle", "_generation", "path")

    def __init__(self, document: "Document", handle: abi.mst_value, path: str):
        self._document = document
        self._handle = handle
        self._generation = document._generation
        self.path = path

    def _use(self) -> abi.mst_value:
        self._document._use()
        if self._generation != self._document._generation:
            text = "%s: the document was edited after this value was asked for" % (self.path or "the document")
            raise StaleError("argument", Finding("error", "", self.path, text, "", "", None, 0, None, "", text))
        return self._handle

    @property
    def type(self) -> str:
        """ "bool", "integer", "real", "text", "bytes", "record" or "list"."""
        return _TYPES[lib.mst_value_type(byref(self._use()))]

    @property
    def name(self) -> str:
        """The field's name; "" for elements."""
        return lib.mst_value_field(byref(self._use())).name.decode()

    @property
    def documentation(self) -> str:
        """What the format says of the field."""
        return lib.mst_value_field(byref(self._use())).documentation.decode()

    @property
    def unit(self) -> str:
        return lib.mst_value_field(byref(self._use())).unit.decode()

    @property
    def type_name(self) -> str:
        """As the format stores it: "u32", "f32[3]"."""
        return lib.mst_value_field(byref(self._use())).type_name.decode()

    @property
    def span(self) -> tuple[int, int]:
        """Offset and length of its bytes, as `Document.content` has them."""
        offset, length = ctypes.c_uint64(), ctypes.c_uint64()
        lib.mst_value_span(byref(self._use()), byref(offset), byref(length))
        return offset.value, length.value

    @property
    def json(self) -> str:
        """JSON that has every byte of it."""
        return json_of(self._use(), compact=True)

    @property
    def native(self) -> Any:
        """The value as int, float, str, bool, bytes, list or dict. Enumerations are names, flags lists of names; bytes within
        records, and numbers that JSON lacks, are as `json` has them."""
        kind = self.type
        if kind == "bytes":
            return self.bytes
        if kind == "real":
            number = ctypes.c_double()
            if lib.mst_get_real(byref(self._use()), byref(number)) == abi.MST_OK:
                return number.value
        return json.loads(self.json)

    @property
    def bytes(self) -> bytes:
        """The bytes of a text or of what is not interpreted, as they are stored."""
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        fail(lib.mst_get_bytes(byref(self._use()), byref(data), byref(size)))
        return ctypes.string_at(data, size.value)

    def __len__(self) -> int:
        return lib.mst_count(byref(self._use()))

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, key: Union[int, slice, str]) -> "Value":
        handle = self._use()
        found, why = abi.mst_value(), abi.mst_diagnostic()
        if isinstance(key, str):
            fail(lib.mst_find(handle, key.encode(), byref(found), byref(why)), why)
            return Value(self._document, found, self.path + ("." if self.path and not key.startswith("[") else "") + key)
        if isinstance(key, slice):
            first, end, step = key.indices(len(self))
            if step != 1:
                raise refuse("slices of values have no step")
            text = "[%d:%d]" % (first, max(first, end))
            fail(lib.mst_find(handle, text.encode(), byref(found), byref(why)), why)
            return Value(self._document, found, self.path + text)
        index = key if key >= 0 else key + len(self)
        if self.type != "list" or not 0 <= index < len(self) or lib.mst_element(byref(handle), index, byref(found)) != abi.MST_OK:
            raise IndexError("%s[%d]: there are %d" % (self.path, key, len(self)))
        return Value(self._document, found, "%s[%d]" % (self.path, index))

    def __contains__(self, key: str) -> bool:
        return lib.mst_find(self._use(), key.encode(), byref(abi.mst_value()), None) == abi.MST_OK

    def __iter__(self) -> Iterator[Any]:
        if self.type == "record":
            return iter(self.keys())
        if self.type == "list":
            return self._elements()
        raise TypeError("%s is %s: it has no elements" % (self.path, self.type))

    def _children(self) -> Iterator[abi.mst_value]:
        iterator = lib.mst_iterate(byref(self._use()))
        child = abi.mst_value()
        while lib.mst_next(byref(iterator), byref(child)):
            yield child
            child = abi.mst_value()
            self._use()

    def _elements(self) -> Iterator["Value"]:
        for index, child in enumerate(self._children()):
            yield Value(self._document, child, "%s[%d]" % (self.path, index))

    def keys(self) -> list[str]:
        """The names of a record's fields."""
        return [lib.mst_value_field(byref(child)).name.decode() for child in self._children()]

    def items(self) -> Iterator[tuple[str, "Value"]]:
        """The fields of a record by their names."""
        for child in self._children():
            name = lib.mst_value_field(byref(child)).name.decode()
            yield name, Value(self._document, child, "%s.%s" % (self.path, name) if self.path else name)

    def get(self, path: str, default: Any = None) -> Any:
        """What is at a path below, as Python's own object; `default` if nothing is."""
        try:
            return self[path].native
        except Error as error:
            if error.status != "no path":
                raise
            return default

    def select(self, selector: str) -> list["Value"]:
        """Every value that a selector stands for, in the file's order: 'objects[class_name=location]'."""
        found: list[Value] = []
        calls = Calls()

        def take(path: bytes, value: Any) -> None:
            found.append(Value(self._document, abi.mst_value.from_buffer_copy(value.contents), prefix + path.decode()))

        prefix = self.path + "." if self.path else ""
        why, selected = abi.mst_diagnostic(), abi.mst_selected()
        status = lib.mst_select(self._use(), selector.encode(), calls.wrap(abi.mst_select_function, take), None, byref(selected), byref(why))
        calls.ended(status, why)
        return found

    def column(self, path: str = "") -> Any:
        """Numbers of all elements of this list: a scalar or a list of scalars at `path` below each. With numpy it is a read-only
        array that shows the document's own bytes where they lie at equal distances, and a copy otherwise; without numpy a list.
        While there are arrays that show them, the document cannot be edited or closed."""
        return column(self, path)

    def __eq__(self, other: object) -> bool:
        return self.native == (other.native if isinstance(other, Value) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        kind = self.type
        return "<%s: %s>" % (self.path or "document", "%s of %d" % (kind, len(self)) if kind in ("list", "record") else repr(self.native))


class Document:
    """An opened file of a known format. Paths and selectors are those of the command (`mapstone help paths`).

        with mapstone.Document.open("a.level") as document:
            for entity in document.select("objects[class_name=light_point]"):
                print(entity["properties.intensity"].native)
            document["objects[0].class_name"] = "location"
            document.save("b.level")
    """

    def __init__(self, handle: ctypes.c_void_p, keep: Any = None, owned: bool = True):
        self._handle: Optional[ctypes.c_void_p] = handle
        self._keep = keep  # the bytes or the level that it is read from
        self._owned = owned
        self._generation = 0
        self._views: list[weakref.ref[Any]] = []

    # -- opening -----------------------------------------------------------------------------------

    @classmethod
    def open(cls, path: Union[str, os.PathLike[str]], *, format: Optional[str] = None, salvage: bool = False) -> "Document":
        """Opens one file. `mapstone.open` also opens levels of several files, members of archives and disc images."""
        options = make_options(abi.mst_open_options, format=format.encode() if format else None, salvage=salvage)
        handle, why = ctypes.c_void_p(), abi.mst_diagnostic()
        fail(lib.mst_open_file(os.fsencode(path), byref(options), byref(handle), byref(why)), why)
        return cls(handle)

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "", *, format: Optional[str] = None, salvage: bool = False) -> "Document":
        """Opens bytes; the name helps where a format has no mark of its own."""
        data = bytes(data)
        options = make_options(abi.mst_open_options, format=format.encode() if format else None, name=name.encode() or None, salvage=salvage)
        handle, why = ctypes.c_void_p(), abi.mst_diagnostic()
        fail(lib.mst_open_memory(data, len(data), byref(options), byref(handle), byref(why)), why)
        return cls(handle, data)

    @classmethod
    def from_json(cls, text: Union[str, dict[str, Any]], *, format: Optional[str] = None, lenient: bool = False) -> "Document":
        """Makes a document of JSON as `to_json` writes it. Lenient: what is missing is zero or empty."""
        encoded = (text if isinstance(text, str) else to_json(text)).encode()
        options = make_options(abi.mst_open_options, format=format.encode() if format else None, lenient_json=lenient)
        handle, why = ctypes.c_void_p(), abi.mst_diagnostic()
        fail(lib.mst_open_json(encoded, len(encoded), byref(options), byref(handle), byref(why)), why)
        return cls(handle)

    def _use(self) -> ctypes.c_void_p:
        if self._handle is None:
            raise refuse("the document is closed")
        return self._handle

    def _change(self, what: str) -> ctypes.c_void_p:
        """Before everything that moves the document's bytes."""
        handle = self._use()
        self._views = [view for view in self._views if view() is not None]
        if self._views:
            raise BufferError("the document cannot be %s while arrays show its bytes: copy them, or delete them" % what)
        return handle

    def close(self) -> None:
        if self._handle is not None:
            handle = self._change("closed")
            if self._owned:
                lib.mst_close(handle)
            self._handle, self._keep = None, None

    def __enter__(self) -> "Document":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None and self._owned and lib is not None:
            lib.mst_close(self._handle)

    # -- what it is --------------------------------------------------------------------------------

    @property
    def format(self) -> Format:
        return format_of(lib.mst_document_format(self._use()))

    @property
    def name(self) -> str:
        return os.fsdecode(lib.mst_document_name(self._use()))

    @property
    def version(self) -> int:
        """The one that the file has; 0 if its format has none."""
        return lib.mst_document_version(self._use())

    @property
    def is_edited(self) -> bool:
        return bool(lib.mst_is_edited(self._use()))

    @property
    def content(self) -> bytes:
        """The bytes that the spans of values refer to: the file's, or what was parsed of packed or several files."""
        size = ctypes.c_size_t()
        data = lib.mst_document_bytes(self._use(), byref(size))
        return ctypes.string_at(data, size.value)

    @property
    def files(self) -> dict[str, bytes]:
        """The files as they would be saved, by their names."""
        result = {}
        for index in range(lib.mst_document_file_count(self._use())):
            name, size = ctypes.c_char_p(), ctypes.c_size_t()
            data = lib.mst_document_file(self._use(), index, byref(name), byref(size))
            result[os.fsdecode(name.value or b"") or str(index)] = ctypes.string_at(data, size.value)
        return result

    def to_bytes(self) -> bytes:
        """The (first) file as it would be saved."""
        output = Output()
        why = abi.mst_diagnostic()
        return output.bytes(lib.mst_save(self._use(), output.sink, byref(why)), why)

    def to_json(self, *, compact: bool = False) -> str:
        """JSON from which `from_json` makes the same bytes."""
        return json_of(lib.mst_root(self._use()), compact=compact)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the file, or both files of a pair; there is always the old file or the new, never half of one."""
        why = abi.mst_diagnostic()
        fail(lib.mst_save_file(self._use(), os.fsencode(path), byref(why)), why)

    # -- values ------------------------------------------------------------------------------------

    @property
    def root(self) -> Value:
        return Value(self, lib.mst_root(self._use()), "")

    def find(self, path: str) -> Value:
        """The value at a path."""
        return self.root[path]

    def __getitem__(self, path: str) -> Any:
        """What is at a path, as Python's own object: `document["objects[0].class_name"]`."""
        return self.root[path].native

    def __contains__(self, path: str) -> bool:
        return path in self.root

    def get(self, path: str, default: Any = None) -> Any:
        return self.root.get(path, default)

    def select(self, selector: str) -> list[Value]:
        """Every value that a selector stands for: `document.select("objects[class_name=light_point]")`."""
        return self.root.select(selector)

    def column(self, path: str) -> Any:
        """Numbers of all elements of a list: `document.column("mesh.vertices[:].position")`. See `Value.column`."""
        head, bracket, tail = path.partition("[:]")
        return self.find(head).column(tail.lstrip(".") if bracket else "")

    # -- edits -------------------------------------------------------------------------------------

    def __setitem__(self, path: str, value: Any) -> None:
        why = abi.mst_diagnostic()
        fail(lib.mst_set(self._change("edited"), path.encode(), to_json(value).encode(), byref(why)), why)
        self._generation += 1

    def __delitem__(self, path: str) -> None:
        why = abi.mst_diagnostic()
        fail(lib.mst_remove(self._change("edited"), path.encode(), byref(why)), why)
        self._generation += 1

    def insert(self, path: str, value: Any) -> None:
        """Inserts an element before the one at `path`; the index one past the last appends."""
        why = abi.mst_diagnostic()
        fail(lib.mst_insert(self._change("edited"), path.encode(), to_json(value).encode(), byref(why)), why)
        self._generation += 1

    def edit(self, *operations: Union[str, dict[str, Any]], cascade: bool = False, each: bool = False, force: bool = False,
             keep_loose: bool = False, drag: bool = False, world_texture: bool = False,
             allow_loss: bool = False, check: bool = True,
             schema: Optional[Union[str, bytes]] = None, report: Optional[list[Finding]] = None) -> list[Change]:
        """Makes all operations or none: lines of an edit script ("remove objects[3]") or objects ({"op": "set", "path": ...,
        "new": ...}), as `mapstone edit` takes them. New errors refuse them unless `force`. `report` receives what else
        changes, and what stands in the way."""
        handle = self._change("edited")
        list_, why = ctypes.c_void_p(), abi.mst_diagnostic()
        calls, changes = Calls(), []
        try:
            for operation in operations:
                text = (operation if isinstance(operation, str) else to_json(operation)).encode()
                fail(lib.mst_operations_read(byref(list_), text, len(text), 0, None, byref(why)), why)

            def parsed(text: Optional[bytes]) -> Any:
                return None if text is None else json.loads(text)

            def change(one: Any) -> None:
                now = one.contents
                changes.append(Change(_CHANGES[now.kind], now.path.decode(), parsed(now.old), parsed(now.now)))

            checks = check_options(schema=schema)
            options = make_options(abi.mst_edit_options, cascade=cascade, each=each, force=force,
                                           keep_loose=keep_loose, drag=drag, world_texture=world_texture, allow_loss=allow_loss,
                                           checks=ctypes.pointer(checks) if check else None,
                                           change=calls.wrap(abi.mst_change_function, change))
            if report is not None:
                options.report = calls.wrap(abi.mst_report_function, lambda one: report.append(finding_of(one.contents)))
            count = ctypes.c_size_t()
            all_ = lib.mst_operations_all(list_, byref(count))
            calls.ended(lib.mst_edit(handle, all_, count.value, byref(options), byref(why)), why)
        finally:
            lib.mst_operations_free(list_)
        self._generation += 1
        return changes

    # -- checks and conversions --------------------------------------------------------------------

    def check(self, *, information: bool = False, schema: Optional[Union[str, bytes]] = None) -> list[Finding]:
        """What is wrong or odd, in the file's order. `information`: also what is only worth knowing. `schema`: the text of
        editor_setup.xml, which describes the entities of Natural Selection 2."""
        findings: list[Finding] = []
        calls, why = Calls(), abi.mst_diagnostic()
        options = check_options(information, schema)
        report = calls.wrap(abi.mst_report_function, lambda one: findings.append(finding_of(one.contents)))
        calls.ended(lib.mst_check(self._use(), byref(options), report, None, None, byref(why)), why)
        return findings

    def convert(self, *, version: Optional[int] = None, byte_order: Optional[str] = None, format: Optional[str] = None,
                select: Iterable[str] = (), allow_loss: bool = False, losses: Optional[list[Finding]] = None) -> "Document":
        """The same level in another version, byte order or format, as a document of its own. `losses` receives what cannot be
        stored there, which is refused without `allow_loss`."""
        calls, why, result = Calls(), abi.mst_diagnostic(), ctypes.c_void_p()
        selected, count = texts(select)
        options = make_options(abi.mst_convert_options, version=version or 0, has_version=version is not None,
                                          byte_order=byte_order.encode() if byte_order else None,
                                          format=format.encode() if format else None, allow_loss=allow_loss,
                                          select=ctypes.cast(selected, dict(abi.mst_convert_options._fields_)["select"]), select_count=count)
        report = calls.wrap(abi.mst_report_function, lambda one: losses.append(finding_of(one.contents)) if losses is not None else None)
        calls.ended(lib.mst_convert(self._use(), byref(options), report, None, byref(result), byref(why)), why)
        return Document(result)

    def __repr__(self) -> str:
        return "<mapstone.Document (closed)>" if self._handle is None else "<mapstone.Document %s %s>" % (self.format.id, self.name)


def check_options(information: bool = False, schema: Optional[Union[str, bytes]] = None, assets: bool = False) -> abi.mst_check_options:
    text = schema.encode() if isinstance(schema, str) else schema
    return make_options(abi.mst_check_options, schema=text, schema_size=len(text) if text else 0, information=information, assets=assets)
