# SPDX-License-Identifier: MIT
"""The package itself: the structs in ctypes, and what pip installs."""
import ctypes
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

from conftest import ROOT
from mapstone import _abi, _library

sys.path.insert(0, str(ROOT / "python" / "backend"))
import mapstone_build  # noqa: E402  pylint: disable=wrong-import-position


def test_structs_are_those_of_the_compiler(tmp_path):
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        pytest.skip("there is no C compiler")
    structs = {name: one for name, one in vars(_abi).items() if isinstance(one, type) and issubclass(one, ctypes.Structure) and name.startswith("mst_")}
    lines = ['#include <mapstone/mapstone.h>', '#include <stdio.h>', 'int main(void) {']
    for name, one in structs.items():
        lines.append('printf("%s %%zu\\n", sizeof(%s));' % (name, name))
        lines += ['printf("%s.%s %%zu\\n", offsetof(%s, %s));' % (name, field, name, field) for field, _ in one._fields_]
    (tmp_path / "sizes.c").write_text("\n".join(lines + ["}"]))
    subprocess.run([compiler, "-I", ROOT / "include", tmp_path / "sizes.c", "-o", tmp_path / "sizes"], check=True)
    wanted = subprocess.run([tmp_path / "sizes"], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    found = []
    for name, one in structs.items():
        found.append("%s %d" % (name, ctypes.sizeof(one)))
        found += ["%s.%s %d" % (name, field, getattr(one, field).offset) for field, _ in one._fields_]
    assert found == wanted and len(structs) > 40


def test_functions_are_those_of_the_headers():
    declared = set()
    for header in (ROOT / "include" / "mapstone").glob("*.h"):
        declared |= set(re.findall(r"^MST_API [^;(]*?\b(mst_\w+)\(", header.read_text(encoding="utf-8"), re.M))
    assert set(_abi.FUNCTIONS) == declared
    for name in declared:
        assert getattr(_library.lib, name)


def test_generated_file_is_current():
    if not shutil.which("clang"):
        pytest.skip("there is no clang")
    subprocess.run([sys.executable, ROOT / "scripts" / "python_abi.py"], check=True)


def test_wheels_are_the_same_each_time(tmp_path, monkeypatch):
    monkeypatch.delenv("MAPSTONE_LIBRARY", raising=False)
    digests = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        wheel = tmp_path / name / mapstone_build.build_wheel(tmp_path / name)
        source = tmp_path / name / mapstone_build.build_sdist(tmp_path / name)
        digests.append([hashlib.sha256(path.read_bytes()).hexdigest() for path in (wheel, source)])
        assert wheel.name.endswith("-py3-none-any.whl")
        with zipfile.ZipFile(wheel) as archive:
            assert "mapstone/_abi.py" in archive.namelist() and "mapstone/py.typed" in archive.namelist()
    assert digests[0] == digests[1]


@pytest.mark.parametrize("inside", [False, True])
def test_pip_installs_without_an_index(tmp_path, inside):
    library = os.environ.get("MAPSTONE_LIBRARY")
    if not library or subprocess.run([sys.executable, "-m", "pip", "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        pytest.skip("there is no pip, or MAPSTONE_LIBRARY is not set")
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MAPSTONE_LIBRARY")}
    if inside:
        environment["MAPSTONE_LIBRARY"] = library
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--index-url", "http://127.0.0.1:1/", "--target", tmp_path / "site",
                    ROOT / "python"], check=True, env=environment)
    environment.pop("MAPSTONE_LIBRARY", None)
    environment["PYTHONPATH"] = str(tmp_path / "site")
    if not inside:
        environment["MAPSTONE_LIBRARY"] = library
    output = subprocess.run([sys.executable, "-c", "import mapstone; print(mapstone.__file__, mapstone.__version__)"], check=True, cwd=tmp_path,
                            env=environment, stdout=subprocess.PIPE, text=True).stdout.split()
    assert pathlib.Path(output[0]).is_relative_to(tmp_path) and output[1] == _library.VERSION


def test_a_missing_library_is_named():
    environment = dict(os.environ, MAPSTONE_LIBRARY="/nowhere/libmapstone.so", PYTHONPATH=str(ROOT / "python"))
    done = subprocess.run([sys.executable, "-c", "import mapstone"], env=environment, stderr=subprocess.PIPE, text=True)
    assert done.returncode and "MAPSTONE_LIBRARY" in done.stderr and "/nowhere/libmapstone.so" in done.stderr


# ---- Windows: tests only the parsing of names, as there is no Python for Windows here ----


def test_windows_looks_next_to_the_package_and_in_path(monkeypatch):
    monkeypatch.setattr(_library.sys, "platform", "win32")
    monkeypatch.setattr(_library.sys, "executable", "/python/python.exe")
    monkeypatch.setenv("PATH", 'C:\\mapstone;.;;bin;C:bin;\\bin;"D:\\a b";\\\\server\\share\\x;..\\x;"')
    package = pathlib.Path(_library.__file__).resolve().parent
    assert [str(folder) for folder in _library._folders()] == [
        str(package), str(package.parent), "/python", "C:\\mapstone", "D:\\a b", "\\\\server\\share\\x"]


def test_windows_takes_the_first_that_is_there(monkeypatch, tmp_path):
    folders = [tmp_path / name for name in ("package", "nothing", "path")]
    for folder in folders:
        folder.mkdir()
    (folders[0] / "libmapstone.dll").touch()
    (folders[2] / "mapstone.dll").touch()
    monkeypatch.delenv("MAPSTONE_LIBRARY", raising=False)
    monkeypatch.setattr(_library.sys, "platform", "win32")
    monkeypatch.setattr(_library, "_folders", lambda: folders)
    assert _library._candidates() == [str(folders[0] / "libmapstone.dll"), str(folders[2] / "mapstone.dll"), "mapstone.dll", "libmapstone.dll"]
    monkeypatch.setenv("MAPSTONE_LIBRARY", "C:\\x.dll")
    assert _library._candidates() == ["C:\\x.dll"]


def test_elsewhere_path_has_no_libraries(monkeypatch):
    monkeypatch.setattr(_library.sys, "platform", "linux")
    assert _library._folders() == [pathlib.Path(_library.__file__).resolve().parent]
