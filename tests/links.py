#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""References that would not link on other systems, read from the objects of this build: functions that other
systems lack, and calls of the page's modules into files of the command that web/CMakeLists.txt does not
list. The builds themselves are in .ci/run full-platforms.

    links.py CC NM DIRECTORY      (the directory of mapstone_objects.dir and mapstone_command.dir; in the top directory)
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

# Functions of the C library used outside of src/system and cli/system: C11, and the additions common to
# mingw-w64, wasi-libc and musl.
C_LIBRARY = set("""
asin assert atan2 atanf calloc ceil cos errno fflush fgets floor fmax fmaxf fmin fminf fmod free getenv gmtime hypot isalnum isalpha
isdigit isspace isupper ldexp lround malloc memchr memcmp memcpy memmove memset pow qsort realloc remainder sin sincos snprintf sqrt
sqrtf stderr stdin stdout strchr strcmp strcspn strerror strftime strlen strncat strncmp strpbrk strrchr strspn strstr strtod strtof
strtol strtoll strtoul strtoull tanf time tolower toupper vsnprintf
asprintf getopt_long optarg opterr optind optopt strcasecmp strdup strncasecmp strtok_r
""".split())
LIBRARIES = re.compile(r"XML_|spng_|deflate|inflate|_GLOBAL_OFFSET_TABLE_$|__stack_chk_fail$")
# Internal names of functions in glibc's headers.
INTERNAL = {"__assert_fail": "assert", "__errno_location": "errno", "__ctype_b_loc": "isalnum", "__ctype_tolower_loc": "tolower", "__ctype_toupper_loc": "toupper"}


def symbols(nm, objects):
    """By object: its undefined and defined symbols."""
    needed, defined = {}, {}
    for line in subprocess.run([nm, "--print-file-name", *objects], check=True, capture_output=True, text=True).stdout.splitlines():
        path, rest = line.split(":", 1)
        kind, name = rest.split()[-2:]
        (needed if kind == "U" else defined).setdefault(path, set()).add(name)
    return needed, defined


def plain(name):
    name = INTERNAL.get(name, name)
    return re.sub(r"^__(?:isoc\d+_)?(\w+?)(?:_chk)?$", r"\1", name)


def objects_of(directory, target):
    everything = glob.glob(f"{directory}/{target}.dir/**/*.o", recursive=True)
    return [path for path in everything if os.path.exists(path.split(".dir/")[1][:-2])]  # otherwise it is a leftover


def not_elsewhere(needed, defined):
    own = set().union(*defined.values())
    for path, names in sorted(needed.items()):
        if "/system/" in path:
            continue
        for name in sorted(names - own):
            if not LIBRARIES.match(name) and plain(name) not in C_LIBRARY:
                yield f"{path.split('.dir/')[1][:-2]}: {name}: do Windows, WebAssembly and musl have this? If so, add it to links.py"


def not_in_page(cc, nm, library, command):
    with open("web/CMakeLists.txt", encoding="utf-8") as file:
        listed = {os.path.normpath("web/" + name) for name in re.findall(r"\.\./cli/\S+\.c", file.read())}
    listed = {name.replace("console_wasi", "console_posix") for name in listed}
    parts = [path for path in command if path.split(".dir/")[1][:-2] in listed]
    if len(parts) != len(listed):
        yield "web/CMakeLists.txt: files of the command that are not there: " + " ".join(sorted(listed))
    with tempfile.TemporaryDirectory() as directory:
        for source in glob.glob("web/bridge/*.c"):  # host's code: wasm's attributes are unknown to it
            parts.append(f"{directory}/{os.path.basename(source)}.o")
            subprocess.run([cc, "-w", "-std=c11", "-Iinclude", "-c", source, "-o", parts[-1]], check=True)
        needed, defined = symbols(nm, parts)
    there = set().union(*defined.values(), *symbols(nm, library)[1].values())
    elsewhere = symbols(nm, command)[1]
    for name in sorted(set().union(*needed.values()) - there):
        for path, names in elsewhere.items():
            if name in names:
                yield f"web/CMakeLists.txt lacks {path.split('.dir/')[1][:-2]}, which has {name}"


def main():
    cc, nm, directory = sys.argv[1:]
    library, command = objects_of(directory, "mapstone_objects"), objects_of(directory, "mapstone_command")
    wrong = [*not_elsewhere(*symbols(nm, library + command)), *not_in_page(cc, nm, library, command)]
    print(*wrong, sep="\n")
    return 1 if wrong or not library or not command else 0


sys.exit(main())
