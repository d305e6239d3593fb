#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Things of one class: `--wide` in Parquet has the rows of the class's view in a database.

usage: classes.py COMMAND WORK FILE-OR-DIRECTORY...
"""
import collections
import os
import sqlite3
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "references"))
import parquet  # noqa: E402


def unsigned(row):
    """SQLite does not keep the sign of a zero."""
    return tuple(value + 0.0 if isinstance(value, float) else value for value in row)


def differs(command, work, operands, db, view, kind):
    """The fault of a class; None: none."""
    path = os.path.join(work, "class.parquet")
    made = subprocess.run([command, "table", "-q", "--wide", kind, "-o", path, *operands], stderr=subprocess.PIPE, check=False)
    if made.returncode not in (0, 4):
        return made.stderr.decode()
    names, rows = parquet.rows(path)
    known = db.execute('SELECT %s FROM "%s"' % (",".join('"%s"' % name for name in names), view))
    more, less = collections.Counter(map(unsigned, rows)), collections.Counter(known)
    return None if rows and more == less else "%d rows of %d are not in the view: %s" % (
        (more - less).total(), len(rows), list(more - less)[:1])


def main():
    command, work, *operands = sys.argv[1:]
    path = os.path.join(work, "classes.db")
    subprocess.run([command, "table", "-q", "-o", path, *operands], stderr=subprocess.DEVNULL, check=False)
    db = sqlite3.connect(path)
    views = {name for name, in db.execute("SELECT name FROM sqlite_master WHERE type='view'")}
    passed = failed = 0
    for form, kind, files in db.execute("SELECT f.format, e.class, group_concat(DISTINCT f.name) FROM entity e JOIN file f ON f.id = e.file "
                                        "WHERE e.class IS NOT NULL GROUP BY 1, 2"):
        view = "%s_%s" % (form.replace("-", "_"), kind)
        if view not in views:
            continue
        why = differs(command, work, files.split(","), db, view, kind)
        passed, failed = passed + (why is None), failed + (why is not None)
        if why:
            print("not ok %s: %s" % (view, why))
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


sys.exit(main())
