# SPDX-License-Identifier: MIT
"""Takes the files of "Your first format" from CONTRIBUTING.md, and lists its format and quake.c's: take.py PROJECT OUTPUT."""
import pathlib
import re
import sys

project, output = map(pathlib.Path, sys.argv[1:])
text = (project / "CONTRIBUTING.md").read_text()
for block in re.findall(r"^```c\n(/\* (src/\S+) \*/\n.*?)^```$", text, re.M | re.S):
    path = output / block[1]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block[0])
listed = re.search(r"`(#include \"doom/doom.h\")` and `(&mst_format_doom_wad,)`", text)
formats = (project / "src/formats/formats.c").read_text()
formats = formats.replace('#include "ns2/', f'{listed[1]}\n#include "ns2/', 1)
formats = formats.replace("mst_formats[] = {", f"mst_formats[] = {{ {listed[2]} &mst_format_quake_bsp,", 1)
formats = formats.replace("const mst_format *const", "extern const mst_format mst_format_quake_bsp;\nconst mst_format *const", 1)
(output / "src/formats/formats.c").write_text(formats)
