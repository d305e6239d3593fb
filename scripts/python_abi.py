#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes python/mapstone/_abi.py, the structs, constants and functions of the public headers for ctypes.

    scripts/python_abi.py [--write]      without --write: exits with 1 if the file does not match the headers

clang parses the headers, so the file cannot differ from the view of a C compiler.
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "python" / "mapstone" / "_abi.py"
SCALARS = {"void": None, "_Bool": "c_bool", "bool": "c_bool", "char": "c_char", "int": "c_int", "unsigned int": "c_uint", "unsigned": "c_uint", "float": "c_float",
           "double": "c_double", "size_t": "c_size_t", "uint8_t": "c_uint8", "int8_t": "c_int8", "uint16_t": "c_uint16",
           "int16_t": "c_int16", "uint32_t": "c_uint32", "int32_t": "c_int32", "uint64_t": "c_uint64", "int64_t": "c_int64",
           "unsigned char": "c_ubyte"}


def declarations():
    tree = subprocess.run(["clang", "-std=c11", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-I", ROOT / "include",
                           ROOT / "include" / "mapstone" / "mapstone.h"], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(tree)["inner"]


class Writer:
    def __init__(self):
        self.known = {}  # names of typedefs -> their names in ctypes
        self.lines = []

    def convert(self, text):
        """The ctypes name of a C type."""
        text = re.sub(r"\b(const|struct|enum)\b", "", text)
        text = re.sub(r"\s+", " ", text).strip()
        if re.search(r"\(\*\) ?\[\d+\]$", text):  # to an array: the colours of a palette
            return "c_void_p"
        function = re.fullmatch(r"(.+?) ?\(\*\)\((.*)\)", text)
        if function:
            arguments = [] if function[2] == "void" else [self.convert(a) for a in split(function[2])]
            return "CFUNCTYPE(%s)" % ", ".join([self.convert(function[1])] + arguments)
        array = re.fullmatch(r"(.+?) ?((?:\[\d+\])+)", text)
        if array:
            kind = self.convert(array[1])
            for count in reversed(re.findall(r"\d+", array[2])):
                kind = "%s * %s" % (kind if re.fullmatch(r"\w+", kind) else "(%s)" % kind, count)
            return kind
        if text.endswith("*"):
            inner = text[:-1].strip()
            if inner == "char":
                return "c_char_p"
            if re.fullmatch("mst_\\w+", inner) and inner not in self.known:  # its members are never read
                return "c_void_p"
            inner = self.convert(inner)
            return "c_void_p" if inner in ("None", "c_void_p", "c_uint8", "c_ubyte") and not text.endswith("**") else "POINTER(%s)" % inner
        if text in SCALARS:
            return SCALARS[text] or "None"
        return self.known[text]

    def typedef(self, node, records):
        name = node["name"]
        kind = node["type"]["qualType"]
        record = records.get(name)
        if record is not None:
            self.known[name] = name
            fields = []
            for field in record.get("inner", []):
                if field["kind"] == "FieldDecl":
                    union = "union" in field["type"].get("desugaredQualType", field["type"]["qualType"])
                    fields.append((field["name"], "_steps" if union else self.convert(field["type"]["qualType"])))
            self.lines += ["", "", "class %s(Structure):" % name, "    _fields_ = ["]
            self.lines += ["        (\"%s\", %s)," % field for field in fields] + ["    ]"]
        elif "(*)" in kind:
            self.known[name] = name
            self.lines += ["", "", "%s = %s" % (name, self.convert(kind))]
        elif kind.startswith("struct "):
            self.known[name] = "c_void"  # only pointers to it exist
        elif kind.startswith("enum "):
            self.known[name] = "c_int"

    def constants(self, node):
        value = 0
        for constant in node.get("inner", []):
            given = [n for n in constant.get("inner", []) if n["kind"] == "ConstantExpr"]
            value = int(given[0]["value"]) if given else value
            self.lines.append("%s = %d" % (constant["name"], value))
            value += 1

    def function(self, node):
        kind = node["type"]["qualType"]
        result = self.convert(kind[:kind.index("(")])
        arguments = [self.convert(p["type"]["qualType"]) for p in node.get("inner", []) if p["kind"] == "ParmVarDecl"]
        self.lines.append("    \"%s\": (%s, [%s])," % (node["name"], result, ", ".join(arguments)))


def split(text):
    """The arguments of a function type."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def generate():
    writer = Writer()
    nodes = [n for n in declarations() if not n.get("isImplicit")]
    ours = [n for n in nodes if n.get("name", "mst_").lower().startswith("mst_")]
    records = {n["name"]: n for n in ours if n["kind"] == "RecordDecl" and n.get("completeDefinition") and "name" in n}
    for node in ours:
        if node["kind"] == "EnumDecl":
            writer.constants(node)
        elif node["kind"] == "TypedefDecl":
            writer.typedef(node, records)
    types, writer.lines = writer.lines, []
    for node in ours:
        if node["kind"] == "FunctionDecl":
            writer.function(node)
    body = types + ["", "", "# Results and arguments.", "FUNCTIONS = {"] + writer.lines + ["}", ""]
    used = sorted(set(re.findall(r"\bc_\w+|\bCFUNCTYPE|\bPOINTER|\bStructure", "\n".join(body))) - {"c_void"} | {"c_uint64", "c_void_p"})
    head = ["# SPDX-License-Identifier: MIT", "# Written by scripts/python_abi.py from the headers in include/mapstone.",
            "from ctypes import (%s)" % ",\n                    ".join(used), "",
            "# The steps of an iteration, which only the library reads.", "_steps = c_uint64 * %d" % STEPS, ""]
    return "\n".join(head + body).replace("POINTER(c_void)", "c_void_p")


# Of 8 bytes each: the larger of mst_step and mst_element_step.
STEPS = 4

if __name__ == "__main__":
    wanted = generate()
    if "--write" in sys.argv:
        TARGET.write_text(wanted, encoding="utf-8")
    elif not TARGET.exists() or TARGET.read_text(encoding="utf-8") != wanted:
        sys.exit("%s is not what the headers say: scripts/python_abi.py --write" % TARGET.relative_to(ROOT))
