# SPDX-License-Identifier: MIT
"""Rows of many levels as a DataFrame of Dask, on the caller's scheduler and workers.

    from dask.distributed import Client
    import mapstone.dask
    client = Client("scheduler:8786")
    entities = mapstone.dask.table(["/maps"], columns=["file", "class"])
    print(entities.groupby("class").size().compute())

Every worker reads the files itself: they need the same paths, mapstone and pandas there. Debian: python3-distributed.
"""
from __future__ import annotations

from typing import Any, Iterable, Optional, Union

import dask.dataframe
import pandas

from . import _table
from ._library import Error


def _part(names: list[tuple[str, bool]], relation: str, where: Optional[str], columns: list[str], empty: pandas.DataFrame) -> pandas.DataFrame:
    frames = []
    for name, named in names:
        try:
            frames.append(_table.table([name], relation=relation, where=where, columns=columns).to_pandas())
        except Error as error:
            if named or error.status != "unknown":
                raise
    return pandas.concat(frames, ignore_index=True).astype(empty.dtypes.to_dict()) if frames else empty


def table(paths: Union[_table.Path, Iterable[_table.Path]], *, relation: str = "entity", where: Optional[str] = None,
          columns: Iterable[str] = (), files_per_partition: int = 100) -> Any:
    """The rows of a relation as a Dask DataFrame with a partition for each `files_per_partition` files; nothing is read before it
    is computed. The options are the same as for `mapstone.table`. The caller's machine lists the folders."""
    names, wanted = _table.files(paths), list(columns)
    empty = _table._empty(relation, wanted).to_pandas()
    parts = [names[i:i + files_per_partition] for i in range(0, len(names), files_per_partition)] or [[]]
    return dask.dataframe.from_map(_part, parts, relation=relation, where=where, columns=wanted, empty=empty, meta=empty)
