#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks a database of levels the questions of docs/data.md, and counts the answers in the bytes of the files.

usage: data.py COMMAND [CORPUS]

The counts are from the readers of this folder, which know the formats from their descriptions. Prints TAP,
a line for each question, and lines for databases that are written in pieces.
"""

import collections
import hashlib
import math
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import parquet  # noqa: E402
from alien import AlienLevel  # noqa: E402
from ns2 import VALUE, Reader  # noqa: E402
from revenant import RevenantLevel  # noqa: E402
from turok import TurokLevel  # noqa: E402


class Entity:
    """One object of a level of Natural Selection 2, with all its properties: (name, type, components, values)."""

    def __init__(self, version, part):
        if version < 5:
            part.take("Q")
        elif part.number():
            _, count = part.take("II")
            part.take("%dI" % count)
        if version >= 5:
            part.number()
        self.class_name, self.properties = part.narrow().decode(), []
        left = part.number() if version >= 10 else None
        while part.place < part.end and left != 0:
            kind, length = part.take("II")
            end = part.place + length
            if kind == 2:
                self.read(Reader(part.data, part.place, end))
            part.place = end
            left = None if left is None else left - 1

    def read(self, part):
        name, (kind, components, _) = part.narrow().decode(), part.take("III")
        form = VALUE[kind]
        values = [part.wide().decode("utf-16-le") if form == "wide" else part.take(form)[0] for _ in range(components)]
        self.properties.append((name, kind, components, values))

    def all(self, name):
        return [values for known, _, _, values in self.properties if known == name]

    def first(self, name):
        return next(iter(self.all(name)), None)


def value_of(entity, name, component):
    """The first property of a name; None: it has none, or fewer values."""
    values = entity.first(name)
    return values[component] if values is not None and component < len(values) else None


class Ns2:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.path, self.version = path, data[3]
        self.entities = [Entity(data[3], part) for kind, part in Reader(data, 4).chunks() if kind == 1]

    @property
    def places(self):
        """The entities with a position, and the position."""
        found = ((i, entity.first("origin")) for i, entity in enumerate(self.entities))
        return [(i, at) for i, at in found if at and len(at) == 3 and all(math.isfinite(number) for number in at)]


class Corpus:
    def __init__(self, folders):
        self.paths = sorted(os.path.join(top, name) for folder in folders for top, _, names in os.walk(folder) for name in names)
        self.contents = {}
        for path in self.paths:
            with open(path, "rb") as file:
                self.contents[path] = file.read()
        self.ns2 = [Ns2(path) for path in self.paths if self.contents[path][:3] == b"LVL"]
        self.revenant = [(path, RevenantLevel(self.contents[path], os.path.basename(path))) for path in self.paths
                         if re.fullmatch(r"\d+_\d+_\d+\.dat", os.path.basename(path), re.I)]
        self.alien = [(path, AlienLevel(self.contents[path])) for path in self.paths
                      if self.contents[path][:4] == b"FORM" and path.lower().endswith(".map")]
        self.turok = [(path, TurokLevel(self.contents[path])) for path in self.paths
                      if path.lower().endswith(".map") and self.contents[path][1:4] == bytes(3)]

    def things(self):
        return ((level, i, entity) for level in self.ns2 for i, entity in enumerate(level.entities))

    def names(self):
        """(level, class, name) of all entities; an empty name counts as none."""
        for level, _, entity in self.things():
            values = entity.first("name")
            yield level, entity.class_name, (values[0] if values and values[0] else None)


def count(values):
    return sorted(collections.Counter(values).items())


def rows_of(counted):
    return sorted((*(key if isinstance(key, tuple) else (key,)), number) for key, number in counted)


# The answer to each question: from the bytes. `known` are paths of files that the database has, by format.
def answers(corpus, known):
    ns2 = corpus.ns2
    names = list(corpus.names())
    named = {kind for _, kind, name in names if name is not None}
    intensities = [values[0] for _, _, e in corpus.things() if e.class_name == "light_point" for values in e.all("intensity")]
    models = collections.Counter(values[0] for _, _, e in corpus.things() for values in e.all("model"))
    inside = {path for paths in known.values() for path in paths}
    hashes = collections.Counter(hashlib.sha256(corpus.contents[path]).hexdigest() for path in inside)
    spans = [(level.path, level.places) for level in ns2]
    return {
        3: rows_of((h, n) for h, n in hashes.items() if n > 1),
        5: rows_of((level.path, len(level.entities)) for level in ns2),
        6: rows_of(count(e.class_name for _, _, e in corpus.things())),
        7: rows_of(count(kind for level in ns2 for kind in {e.class_name for e in level.entities})),
        8: sorted((level.path,) for level in ns2 if "minimap_extents" not in {e.class_name for e in level.entities}),
        9: rows_of(count(level.path for level, _, e in corpus.things() if e.class_name.startswith("light_"))),
        10: [(sum(intensities) / len(intensities),)],
        11: rows_of(count(level.path for level, _, e in corpus.things() if e.class_name.startswith("light_")
                          for values in e.all("casts_shadows") if values[0] == 1)),
        12: sorted(sorted(models.items(), key=lambda item: (-item[1], item[0]))[:20]),
        13: sorted((path, *(edge(at[k] for _, at in places) for k in range(3) for edge in (min, max))) for path, places in spans if places),
        14: sorted((path, "objects[%d]" % i) for path, places in spans for i, at in places if sum(a * a for a in at) <= 100),
        15: rows_of((key, n) for key, n in count((level.path, name) for level, _, name in names if name is not None) if n > 1),
        16: rows_of(count(kind for _, kind, name in names if name is None and kind in named)),
        17: sorted((*level.sector, level.count) for _, level in corpus.revenant),
        19: rows_of((path, len(level.lists["actors.records"])) for path, level in corpus.turok if level.lists["actors.records"]),
        20: [(len({name.lower() for name in models if name}),)],
    }


def same(found, expected):
    return len(found) == len(expected) and all(
        len(a) == len(b) and all(x == y or (isinstance(x, float) and isinstance(y, float) and math.isclose(x, y, rel_tol=1e-12))
                                 for x, y in zip(a, b)) for a, b in zip(found, expected))


def questions():
    with open(os.path.join(ROOT, "docs", "data.md"), encoding="utf-8") as file:
        text = file.read()
    return [(int(number), title.strip(), sql.strip()) for number, title, sql in
            re.findall(r"^-- (\d+)\. (.*)\n((?:(?!-- \d|```).*\n)+)", text, re.M)]


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def line(self, good, what, *more):
        self.count += 1
        self.failed += not good
        print("%sok %d - %s" % ("" if good else "not ", self.count, what), flush=True)
        for one in more if not good else ():
            print("# %s" % (one,))


def dump(path):
    """All rows of all tables, sorted."""
    db = sqlite3.connect(path)
    tables = [name for name, in db.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY name")]
    return {name: sorted(map(repr, db.execute('SELECT * FROM "%s"' % name))) for name in tables}


def in_pieces(tap, command, folders, whole, work):
    """A run that is killed and continued, shards, and a changing file give the rows of one run."""
    path = os.path.join(work, "killed.db")
    for after in (0.02, 0.1, 0.3, 0.6):
        process = subprocess.Popen([command, "table", "-q", "--update", "-o", path, *folders], stderr=subprocess.DEVNULL)
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        process.wait()
    again = subprocess.run([command, "table", "-q", "--update", "-o", path, *folders], stderr=subprocess.PIPE, check=False)
    tap.line(dump(path) == whole, "a run that was killed four times goes on to the same rows", again.stderr[-300:])
    parts = []
    for i in range(1, 4):
        part = os.path.join(work, "shard%d.db" % i)
        subprocess.run([command, "table", "-q", "--shard", "%d/3" % i, "-o", part, *folders], stderr=subprocess.DEVNULL, check=False)
        parts.append(dump(part))
    together = {name: sorted(row for part in parts for row in part.get(name, [])) for name in whole}
    tap.line(together == whole and all(part["file"] for part in parts), "three shards have the rows of all files, each once")
    refused = subprocess.run([command, "table", "-q", "-o", path, *folders], stderr=subprocess.PIPE, check=False)
    tap.line(refused.returncode == 2 and b"--update" in refused.stderr, "a database that is there is not written over", refused.stderr)


def unsigned(row):
    """SQLite does not keep the sign of a zero."""
    return tuple(value + 0.0 if isinstance(value, float) else value for value in row)


def in_parquet(tap, command, folders, work):
    """The rows of each relation are the same in Parquet, read by its description."""
    database = os.path.join(work, "some.db")
    subprocess.run([command, "table", "-q", "-o", database, *folders], stderr=subprocess.DEVNULL, check=False)
    db = sqlite3.connect(database)
    for relation in ("file", "entity", "property", "relation", "asset", "finding"):
        path = os.path.join(work, relation + ".parquet")
        subprocess.run([command, "table", "-q", "--relation", relation, "-o", path, *folders], stderr=subprocess.DEVNULL, check=False)
        names, rows = parquet.rows(path)
        expected = list(db.execute('SELECT * FROM "%s"' % relation))
        tap.line(bool(rows) and collections.Counter(map(unsigned, rows)) == collections.Counter(expected),
                 "%s in Parquet has the rows of the database" % relation, len(rows), len(expected), names)
    db.close()


def main():
    command = os.path.abspath(sys.argv[1])
    corpus_folder = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("MAPSTONE_CORPUS", "")
    if not os.path.isdir(os.path.join(corpus_folder, "ns2")):
        print("1..0 # SKIP there is no corpus")
        return 0
    folders = [os.path.join(corpus_folder, family) for family in ("ns2", "revenant", "alien", "turok")]
    tap = Tap()
    with tempfile.TemporaryDirectory() as work:
        twice = os.path.join(work, "levels", "7_8_9.dat")
        os.mkdir(os.path.dirname(twice))
        source = next(os.path.join(top, name) for top, _, names in sorted(os.walk(folders[1])) for name in sorted(names)
                      if re.fullmatch(r"\d+_\d+_\d+\.dat", name, re.I))
        shutil.copy(source, twice)
        folders.append(os.path.dirname(twice))
        path = os.path.join(work, "levels.db")
        made = subprocess.run([command, "table", "-q", "-o", path, *folders], stderr=subprocess.PIPE, check=False)
        if b"no SQLite" in made.stderr:
            print("1..0 # SKIP this build has no SQLite")
            return 0
        tap.line(made.returncode in (0, 4) and os.path.exists(path), "a database is made", made.stderr[-300:])
        db = sqlite3.connect(path)
        known = collections.defaultdict(list)
        for form, name in db.execute("SELECT format, name FROM file"):
            known[form].append(name)
        corpus = Corpus(folders)
        expected = answers(corpus, known)
        sizes, forms, versions = collections.Counter(), collections.Counter(), collections.Counter()
        for form, paths in known.items():
            forms[form] = len(paths)
            sizes[form.split("-")[0]] += sum(os.path.getsize(one) for one in paths)
        versions.update(("ns2-level", level.version) for level in corpus.ns2)
        versions.update(("revenant-sector", level.version) for _, level in corpus.revenant)
        expected[2] = rows_of(sizes.items())
        tap.line(forms["ns2-level"] == len(corpus.ns2) and forms["revenant-sector"] == len(corpus.revenant) and
                 forms["turok-map"] == len(corpus.turok) and forms["alien-map"] == len(corpus.alien), "the files are those that are levels",
                 forms)
        for number, title, sql in questions():
            found = sorted(tuple(row) for row in db.execute(sql))
            if number == 1:
                good = dict(found) == dict(forms)
            elif number == 4:
                mine = {row[:2]: row[2] for row in found if row[0] in ("ns2-level", "revenant-sector")}
                good = mine == dict(versions)
            elif number == 18:
                good = sum(row[1] for row in found) == sum(len(level.lists["map.monsters"]) for _, level in corpus.alien)
            else:
                good = bool(found) and same(found, expected[number])
            tap.line(good, "%d. %s" % (number, title), found[:3], expected.get(number, [])[:3])
        expected = sorted((level.path, "objects[%d]" % i, value_of(e, "intensity", 0), value_of(e, "color", 1), value_of(e, "casts_shadows", 0))
                          for level, i, e in corpus.things() if e.class_name == "light_point")
        found = sorted(db.execute('SELECT file_name, path, intensity, "color[1]", casts_shadows FROM ns2_level_light_point'))
        tap.line(bool(found) and same(found, expected), "the view of a class has what its entities have", found[:3], expected[:3])
        tap.line(len(questions()) == 20, "there are twenty questions", len(questions()))
        whole = dump(path)
        db.close()
        in_pieces(tap, command, folders, whole, work)
        in_parquet(tap, command, [folders[0], folders[2]], work)
    print("1..%d" % tap.count)
    return tap.failed != 0


sys.exit(main())
