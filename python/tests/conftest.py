# SPDX-License-Identifier: MIT
"""Levels for the tests: the project's samples, made from their JSON, and the real ones in MAPSTONE_CORPUS."""
import os
import pathlib

import pytest

import mapstone

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = {"outpost": "outpost.level", "foundry": "foundry.level", "valley": "valley.map", "bunker": "BUNKER.MAP"}


def pytest_terminal_summary(terminalreporter):
    counts = {kind: len(terminalreporter.stats.get(kind, [])) for kind in ("passed", "failed", "error")}
    terminalreporter.write_line("%d passed, %d failed" % (counts["passed"], counts["failed"] + counts["error"]))


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    """The folder of the samples, as files of the games."""
    folder = tmp_path_factory.mktemp("samples")
    for name, target in SAMPLES.items():
        text = (ROOT / "samples" / (name + ".json")).read_text(encoding="utf-8")
        with mapstone.Document.from_json(text) as document:
            document.save(folder / target)
    for source in list((ROOT / "samples" / "islet").rglob("*.json")) + list((ROOT / "samples" / "keep").glob("*.json")):
        path = folder / source.relative_to(ROOT / "samples")
        path = path.with_name(source.stem if "." in source.stem else source.stem + ".DAT")
        path.parent.mkdir(parents=True, exist_ok=True)
        with mapstone.Document.from_json(source.read_text(encoding="utf-8")) as document:
            document.save(path)
    return folder


@pytest.fixture
def outpost(samples):
    with mapstone.Document.open(samples / "outpost.level") as document:
        yield document


@pytest.fixture(scope="session")
def corpus():
    folder = os.environ.get("MAPSTONE_CORPUS")
    if not folder or not os.path.isdir(folder):
        pytest.skip("MAPSTONE_CORPUS is not set")
    return pathlib.Path(folder)
