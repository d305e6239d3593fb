#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a table of a database as CSV: nulls as empty fields, texts in quotes. DuckDB's reader of SQLite is a
download.

usage: sqlite_csv.py DATABASE TABLE CSV [NAME...]      (only rows of these files and of files below these folders)
"""
import os
import sqlite3
import sys


def cell(value):
    if value is None:
        return ""
    if isinstance(value, str):
        return '"%s"' % value.replace('"', '""')
    return repr(value)


def main():
    path, table, target, *names = sys.argv[1:]
    db = sqlite3.connect(path)
    wanted = {ident for ident, name in db.execute("SELECT id, name FROM file")
              if any(name == one or name.startswith(one.rstrip("/") + "/") for one in map(os.fspath, names))}
    kinds = {name: kind for _, name, kind, *_ in db.execute('PRAGMA table_info("%s")' % table)}
    types = {"INTEGER": (int,), "REAL": (float,), "TEXT": (str,)}
    with open(target, "w", encoding="utf-8", newline="") as out:
        rows = db.execute('SELECT * FROM "%s"' % table)
        titles = [column[0] for column in rows.description]
        out.write(",".join('"%s"' % title for title in titles) + "\n")
        at = titles.index("id" if table == "file" else "file")
        for row in rows:
            if row[at] not in wanted:
                continue
            for title, value in zip(titles, row):
                if value is not None and not isinstance(value, types[kinds[title]]):
                    sys.exit("%s.%s: %r is not %s" % (table, title, value, kinds[title]))
            out.write(",".join(map(cell, row)) + "\n")


main()
