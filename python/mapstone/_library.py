# SPDX-License-Identifier: MIT
"""The shared library: finds and loads it, converts its errors, arguments and results."""
from __future__ import annotations

import ctypes
import ctypes.util
import json
import math
import ntpath
import os
import pathlib
import sys
from dataclasses import dataclass
from typing import Any, Callable, Optional

from . import _abi as abi

VERSION = "0.1.0"
_STATUS = ("ok", "no memory", "io", "argument", "unknown", "damaged", "no path", "refused", "unsupported", "stopped")
_SEVERITY = ("information", "warning", "error")
_NO_OFFSET = 2 ** 64 - 1


@dataclass(frozen=True)
class Finding:
    """A finding or failure: one line of `mapstone check`."""

    severity: str  # "information", "warning" or "error"
    code: str  # stable, such as "NS2-CHUNK-OVERRUN"; "" if it does not concern a format
    path: str  # such as "objects[12].properties[3].value"; may be empty
    message: str
    expected: str
    found: str
    offset: Optional[int]  # the first affected byte in the file
    length: int
    inner: Optional[int]  # of packed content: the first affected byte in the content packed at `offset`
    file: str  # in a level of several files: the document's
    text: str  # the whole finding on one line

    def __str__(self) -> str:
        return self.text


class Error(Exception):
    """A failure of the library. `finding` is the diagnosis, `status` the kind of failure: "no memory", "io", "argument",
    "unknown", "damaged", "no path", "refused", "unsupported" or "stopped"."""

    def __init__(self, status: str, finding: Finding):
        if not isinstance(finding, Finding):
            raise TypeError("finding must be a Finding, not %s" % type(finding).__name__)
        super().__init__(finding.text or status)
        self.status = status
        self.finding = finding

    def __reduce__(self) -> Any:  # pickle would pass only the text to __init__
        return type(self), (self.status, self.finding)

    @property
    def code(self) -> str:
        return self.finding.code

    @property
    def path(self) -> str:
        return self.finding.path

    @property
    def offset(self) -> Optional[int]:
        return self.finding.offset


class StaleError(Error):
    """A value is used after an edit of its document. Ask the document for it again."""


class ClosedError(Error, ValueError):
    """A level or document is used after it was closed, or a value of it."""


def _candidates() -> list[str]:
    given = os.environ.get("MAPSTONE_LIBRARY")
    if given:
        return [given]
    names = {"win32": ["mapstone.dll", "libmapstone.dll"], "darwin": ["libmapstone.dylib"]}.get(
        sys.platform, ["libmapstone.so.0", "libmapstone.so"])
    inside = [str(file) for folder in _folders() for name in names for file in [folder / name] if file.exists()]
    found = ctypes.util.find_library("mapstone") if sys.platform != "win32" else None  # on Windows it searches all folders of PATH
    return inside + names + ([found] if found else [])


def _folders() -> list[pathlib.Path]:
    """Folders that may contain the library, besides those that the system searches. Since Python 3.8, Windows does not search PATH
    for libraries that Python loads: finds it next to mapstone.exe, in a folder of PATH. Relative names in PATH are skipped: they
    may mean the current folder, which may be untrusted."""
    folders = [pathlib.Path(__file__).resolve().parent]
    if sys.platform == "win32":
        path = os.environ.get("PATH", "").split(";")
        folders += [folder.parent for folder in folders]
        folders += [pathlib.Path(sys.executable).parent] if sys.executable else []
        folders += [pathlib.Path(name) for name in (part.strip('"') for part in path) if _is_whole(name)]
    return folders


def _is_whole(name: str) -> bool:
    """Whether a path of Windows is independent of the current folder and drive."""
    drive, rest = ntpath.splitdrive(name)
    return bool(drive) and rest[:1] in ("\\", "/")


def _load() -> ctypes.CDLL:
    failures = []
    for name in _candidates():
        try:
            library = ctypes.CDLL(name)
        except OSError as error:
            failures.append("%s: %s" % (name, error))
            continue
        for function, (result, arguments) in abi.FUNCTIONS.items():
            one = getattr(library, function, None)
            if one is not None:
                one.restype, one.argtypes = result, arguments
        version = library.mst_version().decode()
        if version.split(".")[:2] != VERSION.split(".")[:2]:
            failures.append("%s: is version %s (expected %s)" % (name, version, VERSION))
            continue
        return library
    raise ImportError("libmapstone cannot be loaded: install it, or name it in MAPSTONE_LIBRARY\n  " + "\n  ".join(failures))


lib = _load()


def json_of(value: abi.mst_value, *, compact: bool) -> str:
    """Lossless JSON of a value of the library."""
    output, why, options_ = Output(), abi.mst_diagnostic(), options(abi.mst_json_options, compact=compact)
    return output.bytes(lib.mst_write_json(ctypes.byref(value), ctypes.byref(options_), output.sink, ctypes.byref(why)), why).decode()


def to_json(value: Any) -> str:
    """JSON for the library: NaN and infinities are texts, numpy's numbers and arrays are like Python's, bytes are
    hexadecimal."""
    return json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    if hasattr(value, "tolist"):  # numpy's
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    native = getattr(value, "native", None)  # a value of a document
    if native is not None:
        return native
    raise TypeError("%s cannot be a value of a level" % type(value).__name__)


def finding_of(diagnostic: abi.mst_diagnostic, file: str = "") -> Finding:
    line = ctypes.create_string_buffer(1200)
    lib.mst_diagnostic_text(ctypes.byref(diagnostic), line, len(line))
    has_offset = diagnostic.offset != _NO_OFFSET
    return Finding(_SEVERITY[diagnostic.severity], said(diagnostic.code), said(diagnostic.path), said(diagnostic.message),
                   said(diagnostic.expected), said(diagnostic.found), diagnostic.offset if has_offset else None, diagnostic.length,
                   diagnostic.inner if has_offset and diagnostic.packed else None, file or said(diagnostic.file), said(line.value))


def finding_that(message: str, path: str = "") -> Finding:
    """A message from the package itself."""
    return Finding("error", "", path, message, "", "", None, 0, None, "", message)


def fail(status: int, diagnostic: Optional[abi.mst_diagnostic] = None) -> None:
    """Raises the error of a status, unless it is MST_OK."""
    if status == abi.MST_OK:
        return
    name = _STATUS[status] if status < len(_STATUS) else str(status)
    finding = finding_of(diagnostic) if diagnostic is not None and diagnostic.status else \
        finding_that(name)
    if status == abi.MST_NO_MEMORY:
        raise MemoryError(finding.text)
    raise Error(name, finding)


def refuse(message: str) -> Error:
    return Error("argument", finding_that(message))


_copy = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_ssize_t)(("PyBytes_FromStringAndSize", ctypes.pythonapi))


def memory(address: Optional[int], size: int) -> bytes:
    """A copy of the library's bytes. ctypes.string_at is limited to 2 GiB, since it takes the size as an int."""
    return _copy(address, size) if address else b""


def said(text: Optional[bytes]) -> str:
    """Decodes a text for output."""
    return (text or b"").decode("utf-8", "replace")


class Calls:
    """Python functions that the library calls. An exception ends the library's call, and is raised again after it."""

    def __init__(self) -> None:
        self.raised: Optional[BaseException] = None

    def wrap(self, kind: Any, function: Callable[..., Any]) -> Any:
        def call(_user: Any, *arguments: Any) -> int:
            try:
                function(*arguments)
                return abi.MST_OK
            except BaseException as error:  # pylint: disable=broad-except
                self.raised = error
                return abi.MST_STOPPED
        return kind(call)

    def ended(self, status: int, diagnostic: Optional[abi.mst_diagnostic] = None) -> None:
        if self.raised is not None:
            raised, self.raised = self.raised, None
            raise raised
        fail(status, diagnostic)


class Output:
    """A sink that stores everything written to it."""

    def __init__(self) -> None:
        self.calls = Calls()
        self._pieces: list[bytes] = []
        write = dict(abi.mst_sink._fields_)["write"]
        self.sink = abi.mst_sink(write=self.calls.wrap(write, lambda data, size: self._pieces.append(memory(data, size))))

    def bytes(self, status: int, diagnostic: Optional[abi.mst_diagnostic] = None) -> bytes:
        self.calls.ended(status, diagnostic)
        return b"".join(self._pieces)


def options(kind: Any, **members: Any) -> Any:
    """A struct of options; sets its size if it begins with one."""
    if kind._fields_[0] == ("size", ctypes.c_size_t):
        members["size"] = ctypes.sizeof(kind)
    return kind(**members)
