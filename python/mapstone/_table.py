# SPDX-License-Identifier: MIT
"""Levels as rows of relations, whose columns have a fixed order."""
from __future__ import annotations

import ctypes
import os
from ctypes import byref
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Union

from . import _abi as abi
from . import _arguments as take
from ._held import Unique
from ._library import Error, fail, lib, memory, options as make_options, refuse, said

Path = Union[str, os.PathLike]
_TYPES = {abi.MST_CELL_INTEGER: "int64", abi.MST_CELL_REAL: "double", abi.MST_CELL_TEXT: "text"}


class Column(NamedTuple):
    """A column of a relation."""

    name: str
    type: str  # "int64", "double" or "text"
    documentation: str


class Table:
    """Rows of one relation. `table["x"]` is a column: with numpy an array, in which absent numbers are NaN or masked;
    `for row in table` yields tuples, in which they are None."""

    def __init__(self, columns: list[Column], values: list[list[Any]]):
        self.columns = columns
        self._values = values

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    def __len__(self) -> int:
        return len(self._values[0]) if self._values else 0

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(zip(*self._values))

    def __getitem__(self, name: str) -> Any:
        for column, values in zip(self.columns, self._values):
            if column.name == name:
                return _array(values, column.type)
        raise KeyError(name)

    def to_pandas(self) -> Any:
        """A pandas DataFrame with missing values for absent ones: integers are Int64, texts are objects."""
        import pandas
        return pandas.DataFrame({column.name: pandas.Series(values, dtype=_pandas_type(column.type))
                                 for column, values in zip(self.columns, self._values)})

    def __repr__(self) -> str:
        return "<mapstone.Table of %d rows: %s>" % (len(self), ", ".join(self.names))


def _pandas_type(kind: str) -> str:
    return {"int64": "Int64", "double": "float64"}.get(kind, "object")


def _array(values: list[Any], kind: str) -> Any:
    try:
        import numpy
    except ImportError:
        return list(values)
    if kind == "double":
        return numpy.array([float("nan") if value is None else value for value in values], dtype="f8")
    if kind == "int64":
        return numpy.ma.masked_array([value or 0 for value in values], [value is None for value in values], dtype="i8")
    return numpy.array(values, dtype=object)


def _columns_of(table: Any) -> list[Column]:
    return [Column(said(one.name), _TYPES[one.type], said(one.documentation)) for one in table.columns[:table.column_count]]


def _values_of(one: Any, count: int) -> list[Any]:
    """A column of the library as Python values."""
    has = memory(one.has, count)
    if one.type == abi.MST_CELL_TEXT:
        ends = one.ends[:count] if count else []
        whole = memory(one.bytes, ends[-1] if ends else 0)
        return [whole[begin:end].decode("utf-8", "replace") if there else None for there, begin, end in zip(has, [0, *ends], ends)]
    numbers = (one.integers if one.type == abi.MST_CELL_INTEGER else one.reals)[:count] if count else []
    return [number if there else None for there, number in zip(has, numbers)]


def of_level(handle: Any, relation: bytes, where: Optional[bytes], columns: Any, count: int) -> Table:
    table, why = ctypes.POINTER(abi.mst_table)(), abi.mst_diagnostic()
    fields = dict(abi.mst_table_options._fields_)
    how = make_options(abi.mst_table_options, where=where, columns=ctypes.cast(columns, fields["columns"]), column_count=count)
    fail(lib.mst_level_table(handle, relation, byref(how), byref(table), byref(why)), why)
    try:
        found = table.contents
        return Table(_columns_of(found), [_values_of(one, found.row_count) for one in found.columns[:found.column_count]])
    finally:
        lib.mst_table_free(table)


def schema(relation: str = "entity", format: Optional[str] = None) -> list[Column]:
    """The columns of a relation; for `record` those of a format."""
    table, why = ctypes.POINTER(abi.mst_table)(), abi.mst_diagnostic()
    fail(lib.mst_table_columns(_format(format), take.text(relation, "relation"), byref(table), byref(why)), why)
    try:
        return _columns_of(table.contents)
    finally:
        lib.mst_table_free(table)


def _format(name: Optional[str]) -> Any:
    wanted = take.optional_text(name, "format")
    for i in range(lib.mst_format_count() if wanted else 0):
        one = lib.mst_format_at(i)
        if one.contents.id == wanted:
            return one
    if wanted:
        raise refuse("there is no format '%s'" % name)
    return None


def files(paths: Union[Path, Iterable[Path]]) -> list[tuple[str, bool]]:
    """The files that paths mean, sorted within folders, each with whether it was named."""
    found: list[tuple[str, bool]] = []
    if isinstance(paths, Unique):
        raise TypeError("paths must be a path, or a list of paths, not %s" % type(paths).__name__)
    for path in [paths] if isinstance(paths, (str, bytes, os.PathLike)) else paths:
        name = os.fsdecode(take.path(path, "an element of paths"))
        if not os.path.isdir(name):
            found.append((name, True))
            continue
        for folder, folders, names in os.walk(name):
            folders.sort()
            found.extend((os.path.join(folder, one), False) for one in sorted(names))
    return found


def _knows(format: str, name: str) -> bool:
    return any(one.name == name for one in schema("class", format))


def table(paths: Union[Path, Iterable[Path]], *, relation: str = "entity", where: Optional[str] = None,
          columns: Iterable[str] = ()) -> Table:
    """The rows of a relation, of all levels in `paths`: files, and folders, in which files of unknown formats are skipped.
    `where`: only elements that meet these conditions, as in `Document.select`. `columns`: only these. The relation
    "entity:light_point" is the things of one class, with columns for their properties; formats without that class are skipped.

        lights = mapstone.table("maps", where="class_name~light_*", columns=["file", "class", "x", "y", "z"])
        print(lights["y"].mean(), lights.to_pandas())
    """
    from ._level import Level
    result: Optional[Table] = None
    take.text(relation, "relation")
    take.optional_text(where, "where")
    take.texts(columns, "columns")
    columns = list(columns)
    for name, named in files(paths):
        try:
            level = Level(name)
        except Error as error:
            if named or error.status != "unknown":
                raise
            continue
        with level:
            if relation.startswith("entity:") and not _knows(level.document.format.id, relation[7:]):
                continue
            found = level.table(relation, where=where, columns=columns)
        if result is None:
            result = found
        elif [one[:2] for one in found.columns] != [one[:2] for one in result.columns]:
            raise refuse("%s: %s has the columns of one format" % (name, relation))
        else:
            for to, values in zip(result._values, found._values):
                to.extend(values)
    return result if result is not None else _empty(relation, columns)


def _empty(relation: str, columns: Iterable[str]) -> Table:
    wanted = list(columns)
    if relation.startswith("entity:"):
        raise refuse("no format of these files knows the class '%s'" % relation[7:])
    all_ = [one for one in schema(relation) if not wanted or one.name in wanted]
    return Table(all_, [[] for _ in all_])
