# SPDX-License-Identifier: MIT
"""Converts callers' arguments for the library: a wrong type is a TypeError, a value out of bounds a ValueError, before any call."""
from __future__ import annotations

import ctypes
import operator
import os
from collections.abc import Iterable
from typing import Any, Callable, Optional


def _wrong(name: str, expected: str, value: Any) -> TypeError:
    return TypeError("%s must be %s, not %s" % (name, expected, type(value).__name__))


def _whole(encoded: bytes, name: str) -> bytes:
    if b"\0" in encoded:  # a C string would end there
        raise ValueError("%s has a null character" % name)
    return encoded


def text(value: Any, name: str) -> bytes:
    if not isinstance(value, str):
        raise _wrong(name, "a str", value)
    return _whole(value.encode(), name)


def optional_text(value: Any, name: str) -> Optional[bytes]:
    return None if value is None else text(value, name) or None


def path(value: Any, name: str = "path") -> bytes:
    try:
        return _whole(os.fsencode(value), name)
    except TypeError:
        raise _wrong(name, "a str, bytes or os.PathLike", value) from None


def optional_path(value: Any, name: str) -> Optional[bytes]:
    return None if value is None else path(value, name) or None


def _several(values: Any, name: str, one: Callable[[Any, str], bytes]) -> tuple[Any, int]:
    if isinstance(values, (str, bytes, bytearray, os.PathLike)) or not isinstance(values, Iterable):  # iterating a text would give its characters
        raise _wrong(name, "a list", values)
    encoded = [one(value, "an element of " + name) for value in values]
    return (ctypes.c_char_p * (len(encoded) + 1))(*encoded, None), len(encoded)


def paths(values: Any, name: str) -> tuple[Any, int]:
    """An array of C strings, and its length."""
    return _several(values, name, path)


def texts(values: Any, name: str) -> tuple[Any, int]:
    return _several(values, name, text)


def flag(value: Any, name: str) -> bool:
    if not isinstance(value, (bool, int)):
        raise _wrong(name, "a bool", value)
    return bool(value)


def number(value: Any, name: str, bits: int = 32) -> int:
    try:
        found = operator.index(value)
    except TypeError:
        raise _wrong(name, "an int", value) from None
    if not 0 <= found < 1 << bits:
        raise ValueError("%s is %d (expected 0 to %d)" % (name, found, (1 << bits) - 1))
    return found


def data(value: Any, name: str) -> bytes:
    try:
        return memoryview(value).tobytes()
    except TypeError:
        raise _wrong(name, "bytes", value) from None


def data_or_text(value: Any, name: str) -> bytes:
    return value.encode() if isinstance(value, str) else data(value, name)


def optional_list(value: Any, name: str) -> list[Any]:
    """A list to append to, also if the caller wants none."""
    if value is not None and not isinstance(value, list):
        raise _wrong(name, "a list", value)
    return [] if value is None else value
