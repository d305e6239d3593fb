# SPDX-License-Identifier: MIT
"""Compares documents: differences, patches and merges."""
from __future__ import annotations

import ctypes
import json
from ctypes import byref
from typing import Any, Callable, NamedTuple, Optional, Union

from . import _abi as abi
from . import _arguments as take
from ._document import Document, check_options
from ._held import locked_together
from ._level import Level
from ._library import Calls, Output, json_of, lib, options as make_options, refuse, said

Opened = Union[Document, Level]

_KINDS = ("set", "add", "remove", "move")
_MARKS = dict(zip(_KINDS, "~+->"))
_SORTS = ("content", "view", "part", "derived", "storage")
_CONFLICTS = ("value", "removed by ours", "removed by theirs", "number", "ambiguous")
_PREFERENCES = {None: abi.MST_PREFER_NONE, "ours": abi.MST_PREFER_OURS, "theirs": abi.MST_PREFER_THEIRS}


def _short(value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(one, (int, float)) for one in value):
        return " ".join("%.7g" % one for one in value)
    text = "%.7g" % value if isinstance(value, float) else "..." if isinstance(value, (list, dict)) else json.dumps(value, ensure_ascii=False)
    return text if len(text) < 80 else text[:77] + "..."


class Difference(NamedTuple):
    """A difference between two documents."""

    kind: str  # "set", "add", "remove" or "move"
    sort: str  # "content"; "view" of an editor; "part" of a changed value; "derived"; "storage"
    list: str  # the path of the list whose element has changed; ""
    old_index: Optional[int]
    new_index: Optional[int]
    label: str  # "prop_static rock.model"
    place: str
    path: str  # for "set": the changed value of the element or document
    old: Any  # None: missing
    new: Any
    ambiguous: bool = False  # similar elements have changed, and it may be another one

    def __str__(self) -> str:
        """A line similar to those of `mapstone diff`."""
        index = self.old_index if self.new_index is None else self.new_index
        element = self.list if index is None else "%s[%d]" % (self.list, index)
        text = " ".join(part for part in (_MARKS[self.kind], element, self.label) if part)
        old, new = _short(self.old), _short(self.new)
        return text if self.kind != "set" else "%s: %s %s" % (text, self.path, "changed" if old == new else "%s -> %s" % (old, new))


class Conflict(NamedTuple):
    """Something that both sides of a merge changed."""

    kind: str  # "value", "removed by ours", "removed by theirs", "number" (other files reference another element by it), "ambiguous"
    path: str
    label: str
    base: Any
    ours: Any
    theirs: Any
    decided: Optional[str] = None  # "ours", "theirs" (also for a value of `resolve`); None: undecided, ours is kept
    changed: Optional[str] = None  # of an element that theirs removed: the path, below it, of the value that ours changed


def _native(value: abi.mst_value) -> Any:
    return json.loads(json_of(value, compact=True)) if value.document else None


def _text(text: Optional[bytes]) -> Any:
    return None if text is None else json.loads(text)


def _document(value: Any, name: str) -> Document:
    if isinstance(value, Level):
        return value._only_document(name)
    if not isinstance(value, Document):
        raise TypeError("%s must be a Document or a Level, not %s" % (name, type(value).__name__))
    return value


def diff(old: Opened, new: Opened, *, view: bool = False, parts: bool = False) -> list[Difference]:
    """The changes; elements are matched by content, not by position. `view`: also changes of an editor's view. `parts`: also derived
    values and differences in storage; without all of these, documents may differ although nothing is listed.
    A level means its document."""
    before, after = _document(old, "old"), _document(new, "new")
    found: list[Difference] = []
    calls, why = Calls(), abi.mst_diagnostic()
    wanted = {"content"} | ({"view"} if take.flag(view, "view") else set()) | (set(_SORTS[2:]) if take.flag(parts, "parts") else set())

    def add(one: Any) -> None:
        change = one.contents
        if _SORTS[change.sort] not in wanted:
            return
        kind = _KINDS[change.kind]
        values = (change.old_value, change.new_value) if kind == "set" else (change.old_element, change.new_element)
        index = [None if i == 2 ** 64 - 1 or not change.list else i for i in (change.old_index, change.new_index)]
        found.append(Difference(kind, _SORTS[change.sort], said(change.list), index[0], index[1], said(change.label),
                                said(change.place), said(change.path), _native(values[0]), _native(values[1]), bool(change.ambiguous)))

    with locked_together([before._held, after._held]):
        report = calls.wrap(abi.mst_difference_function, add)
        calls.ended(lib.mst_diff(before._use(), after._use(), None, report, None, byref(why)), why)
    return found


def make_patch(old: Opened, new: Opened, *, with_data: bool = False) -> bytes:
    """Makes a patch (.mspatch) that turns the old document into the new one, byte for byte."""
    before, after = _document(old, "old"), _document(new, "new")
    output, why = Output(), abi.mst_diagnostic()
    options = make_options(abi.mst_patch_options, with_data=take.flag(with_data, "with_data"))
    with locked_together([before._held, after._held]):
        return output.bytes(lib.mst_patch_make(before._use(), after._use(), byref(options), output.sink, byref(why)), why)


def _conflict(one: Any) -> Conflict:
    now = one.contents
    return Conflict(_CONFLICTS[now.kind], said(now.path), said(now.label), _text(now.base), _text(now.ours), _text(now.theirs),
                    (None, "ours", "theirs")[now.decided], said(now.changed) or None)


def apply_patch(document: Opened, patch: Union[bytes, str], *, reverse: bool = False, partial: bool = False,
                exact: bool = False, force: bool = False) -> list[Conflict]:
    """Applies a patch, also to a document with later changes. Changes that do not apply refuse the patch or, with `partial`, are returned.
    New errors, and new numbers that reference nothing, refuse it unless `force`."""
    target, text = _document(document, "document"), take.data_or_text(patch, "patch")
    rejected: list[Conflict] = []
    calls, why = Calls(), abi.mst_diagnostic()
    options = make_options(abi.mst_patch_options, reverse=take.flag(reverse, "reverse"), partial=take.flag(partial, "partial"),
                           exact=take.flag(exact, "exact"), force=take.flag(force, "force"),
                           rejected=calls.wrap(abi.mst_conflict_function, lambda one: rejected.append(_conflict(one))))
    with target._editing() as handle:
        calls.ended(lib.mst_patch_apply(handle, text, len(text), byref(options), byref(why)), why)
    return rejected


def merge(ours: Opened, base: Opened, theirs: Opened, *, prefer: Optional[str] = None, mark: bool = False,
          check: bool = True, resolve: Optional[Callable[[Conflict], Any]] = None) -> list[Conflict]:
    """Merges the changes from `base` to `theirs` into `ours`. Returns the conflicts, in which ours is kept, unless
    `prefer` is "theirs". A result with more errors than both sides is refused. `resolve` is called with each conflict and
    returns "ours", "theirs", None (use `prefer`) or, if both changed a value, ("value", the value instead of both);
    a conflict has the same path each time the same documents are merged."""
    target, origin, other = _document(ours, "ours"), _document(base, "base"), _document(theirs, "theirs")
    if prefer is not None and not isinstance(prefer, str):
        raise TypeError("prefer must be a str, not %s" % type(prefer).__name__)
    if resolve is not None and not callable(resolve):
        raise TypeError("resolve must be a function, not %s" % type(resolve).__name__)
    if prefer not in _PREFERENCES:
        raise refuse("prefer is %r (expected ours or theirs)" % prefer)
    conflicts: list[Conflict] = []
    calls, why = Calls(), abi.mst_diagnostic()
    checks = check_options()
    options = make_options(abi.mst_merge_options, prefer=_PREFERENCES[prefer], mark=take.flag(mark, "mark"),
                           checks=ctypes.pointer(checks) if take.flag(check, "check") else None,
                           conflict=calls.wrap(abi.mst_conflict_function, lambda one: conflicts.append(_conflict(one))))
    values: list[bytes] = []  # must live until the merge ends

    def choose(one: Any, resolution: Any) -> None:
        made = resolve(_conflict(one)) if resolve else None
        if isinstance(made, tuple) and len(made) == 2 and made[0] == "value":
            values.append(json.dumps(made[1]).encode())
            resolution.contents.value = values[-1]
        elif made in ("ours", "theirs"):
            resolution.contents.side = _PREFERENCES[made]
        elif made is not None:
            raise refuse("resolve returned %r (expected ours, theirs, None or (value, ...))" % (made,))

    if resolve:
        options.resolve = calls.wrap(type(options.resolve), choose)
    with target._editing(origin, other) as handle:
        calls.ended(lib.mst_merge(handle, origin._use(), other._use(), byref(options), None, byref(why)), why)
    return conflicts
