# SPDX-License-Identifier: MIT
"""Reads numbers of all elements of a list at once."""
from __future__ import annotations

import ctypes
import re
import weakref
from ctypes import byref
from typing import Any

from . import _abi as abi
from ._library import fail, lib, refuse

_KINDS = {"f32": abi.MST_F32, "f64": abi.MST_F64, "u8": abi.MST_U8, "i8": abi.MST_I8, "u16": abi.MST_U16, "i16": abi.MST_I16,
          "u32": abi.MST_U32, "i32": abi.MST_I32, "u64": abi.MST_U64, "i64": abi.MST_I64}
_CTYPES = {"f32": ctypes.c_float, "f64": ctypes.c_double, "u8": ctypes.c_uint8, "i8": ctypes.c_int8, "u16": ctypes.c_uint16,
           "i16": ctypes.c_int16, "u32": ctypes.c_uint32, "i32": ctypes.c_int32, "u64": ctypes.c_uint64, "i64": ctypes.c_int64}
_SMALL = {"f32": "f4", "f64": "f8", "u8": "u1", "i8": "i1", "u16": "u2", "i16": "i2", "u32": "u4", "i32": "i4", "u64": "u8", "i64": "i8"}


def _shape(value: Any) -> tuple[str, int]:
    """The storage of a value: the kind of its numbers, and their count."""
    kind = value.type
    if kind == "list" and not len(value):
        return "f64", 0
    if kind == "list":
        inner, count = _shape(value[0])
        return inner, count * len(value)
    found = re.match(r"([fui]\d+)", value.type_name)
    if found:
        return found[1], 1
    return {"real": "f64", "bool": "u8"}.get(kind, "i64"), 1


def column(list_: Any, path: str) -> Any:
    with list_._held:
        return _column(list_, path)


def _column(list_: Any, path: str) -> Any:
    component = re.fullmatch(r"(.+)\[(\d+)\]", path)
    if component:  # after a slice, the library would read an index as an element's
        whole, index = _column(list_, component[1]), int(component[2])
        return [row[index] for row in whole] if isinstance(whole, list) else whole[:, index]
    elements = len(list_)
    first = (list_[0][path] if path else list_[0]) if elements else None
    if first is None:
        return _array([], "f64", 0, 1)
    kind, components = _shape(first)
    if components == 0:
        return _empty(list_, path, elements)
    if first.type not in ("list", "integer", "real", "bool"):
        raise refuse("%s: these are not numbers" % first.path)
    data = (_CTYPES[kind] * (elements * components))()
    read = ctypes.c_uint64()
    why = abi.mst_diagnostic()
    found = list_["[:].%s" % path if path else "[:]"]
    target = abi.mst_target(type=_KINDS[kind], components=components, data=ctypes.cast(data, ctypes.c_void_p), capacity=elements)
    fail(lib.mst_read(byref(found._use()), byref(target), byref(read), byref(why)), why)
    view = _view(list_, first, path, data, kind, components)
    return _array(data, kind, read.value, components) if view is None else view


def _empty(list_: Any, path: str, elements: int) -> Any:
    for element in list_:
        one = element[path] if path else element
        if len(one):
            raise refuse("%s has %d components (expected none)" % (one.path, len(one)))
    return _array([], "f64", elements, 0)


def _array(data: Any, kind: str, elements: int, components: int) -> Any:
    try:
        import numpy
    except ImportError:
        rows = [tuple(data[i * components:(i + 1) * components]) for i in range(elements)]
        return [row[0] for row in rows] if components == 1 else rows
    array = numpy.array(data, dtype=_SMALL[kind]).reshape((elements,) if components == 1 else (elements, components))
    array.flags.writeable = False
    return array


def _view(list_: Any, first: Any, path: str, data: Any, kind: str, components: int) -> Any:
    """The document's own bytes as an array, if they are equally spaced and match the numbers that the library read."""
    try:
        import numpy
    except ImportError:
        return None
    elements, document = len(list_), list_._document
    start, length = first.span
    last = (list_[-1][path] if path else list_[-1]).span[0]
    stride = (last - start) // (elements - 1) if elements > 1 else length
    if length != ctypes.sizeof(_CTYPES[kind]) * components or stride < length or start + stride * (elements - 1) != last:
        return None
    size = ctypes.c_size_t()
    base = lib.mst_document_bytes(document._use(), byref(size))
    span = last + length - start
    if not base or last + length > size.value:
        return None

    class Window(ctypes.c_uint8 * span):  # type: ignore[misc]
        """Bytes of a document, which stays open as long as this exists."""

    window = Window.from_address(base + start)
    window.held = document._held
    bytes_ = numpy.frombuffer(memoryview(window).toreadonly(), dtype="u1")  # arrays based on it cannot be made writable
    expected = numpy.frombuffer(data, dtype=_SMALL[kind])
    for order in "<>":
        array = numpy.ndarray((elements, components), dtype=order + _SMALL[kind], buffer=bytes_, strides=(stride, ctypes.sizeof(_CTYPES[kind])))
        if numpy.array_equal(array.astype(_SMALL[kind]).view("u1"), expected.reshape((elements, components)).view("u1")):
            document._views.append(weakref.ref(window))
            return array[:, 0] if components == 1 else array
    return None
