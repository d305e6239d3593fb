# SPDX-License-Identifier: MIT
"""Builds wheels and source archives of the package: a PEP 517 and 660 backend without requirements.

If MAPSTONE_LIBRARY names the shared library, the wheel contains it, and is for one platform: MAPSTONE_PLATFORM, such as
`win_amd64`, or this one. MAPSTONE_LICENCES is the directory with the licences of the libraries linked into it. Without
MAPSTONE_LIBRARY the wheel is for all platforms, and searches the system's directories for the library.
"""
import base64
import gzip
import hashlib
import io
import os
import pathlib
import sys
import sysconfig
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent.parent
NAME = "mapstone"
VERSION = "0.1.0"
METADATA = """Metadata-Version: 2.1
Name: %s
Version: %s
Summary: Opens, checks, shows, edits, writes, compares and converts game levels
License: MIT
Requires-Python: >=3.9
Provides-Extra: numpy
Requires-Dist: numpy; extra == "numpy"
Description-Content-Type: text/markdown

%s"""
TIME = 315532800  # 1980, the earliest time that zip can store: equal sources make equal files


def _metadata():
    return METADATA % (NAME, VERSION, (HERE / "README.md").read_text(encoding="utf-8"))


def _library():
    given = os.environ.get("MAPSTONE_LIBRARY")
    if not given:
        return {}
    ending = {".dll": "mapstone.dll", ".dylib": "libmapstone.dylib"}.get(pathlib.Path(given).suffix, "libmapstone.so.0")
    return {"%s/%s" % (NAME, ending): pathlib.Path(given).read_bytes()}


def _licences():
    given = os.environ.get("MAPSTONE_LICENCES")
    return {"%s-%s.dist-info/licenses/%s.txt" % (NAME, VERSION, path.name): path.read_bytes()
            for path in sorted(pathlib.Path(given).iterdir())} if given else {}


def _files():
    return {"%s/%s" % (NAME, path.name): path.read_bytes()
            for path in sorted((HERE / NAME).iterdir()) if path.name == "py.typed" or path.suffix == ".py"}


def _tag(library):
    platform = os.environ.get("MAPSTONE_PLATFORM") or sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return "py3-none-%s" % (platform if library else "any")


def _wheel(directory, files, tag):
    information = "%s-%s.dist-info" % (NAME, VERSION)
    files = dict(files)
    files[information + "/METADATA"] = _metadata().encode()
    files[information + "/WHEEL"] = ("Wheel-Version: 1.0\nGenerator: mapstone_build\nRoot-Is-Purelib: %s\nTag: %s\n" % (
        "true" if tag.endswith("-any") else "false", tag)).encode()
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += "%s,sha256=%s,%d\n" % (name, digest, len(content))
    files[information + "/RECORD"] = (record + "%s/RECORD,,\n" % information).encode()
    target = "%s-%s-%s.whl" % (NAME, VERSION, tag)
    with zipfile.ZipFile(os.path.join(directory, target), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            one = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            one.compress_type = zipfile.ZIP_DEFLATED
            one.external_attr = 0o100644 << 16
            archive.writestr(one, content)
    return target


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    library = _library()
    return _wheel(wheel_directory, {**_files(), **library, **_licences()}, _tag(library))


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory, {"%s.pth" % NAME: (str(HERE) + "\n").encode()}, _tag({}))


def build_sdist(sdist_directory, config_settings=None):
    top = "%s-%s" % (NAME, VERSION)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        names = ["pyproject.toml", "README.md", "backend/mapstone_build.py"] + sorted(_files())
        contents = [(name, (HERE / name).read_bytes()) for name in names] + [("PKG-INFO", _metadata().encode())]
        for name, content in contents:
            one = tarfile.TarInfo("%s/%s" % (top, name))
            one.size, one.mtime, one.mode = len(content), TIME, 0o644
            archive.addfile(one, io.BytesIO(content))
    target = top + ".tar.gz"
    with open(os.path.join(sdist_directory, target), "wb") as file:
        with gzip.GzipFile("", "wb", 9, file, mtime=TIME) as zipped:
            zipped.write(packed.getvalue())
    return target
