#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that includes point down the layers of Spindrift, and a few habits of its sources.

usage: check_layers.py [ROOT]

Prints file:line and what is wrong for each fault, and fails if there is one.
"""

import re
import sys
from pathlib import Path

# What a folder may include besides itself; and, through these, what they may include.
LAYERS = {
    "base": [],
    "grid": ["base"],
    "geometry": ["grid"],
    "linear": ["grid"],
    "particles": ["geometry", "linear"],
    "surface": ["particles"],
    "schemes": ["particles"],
    "bodies": ["particles"],
    "liquid": ["surface", "schemes", "bodies"],
    "gas": ["surface", "schemes", "bodies"],
    "render": ["geometry", "grid"],
    "io": ["particles", "geometry", "grid"],
    "scene": ["liquid", "gas", "render", "io"],
    "setup": ["scene"],
    "products": ["setup"],
    "session": ["products"],
    "validate": ["session"],
}
LAYERS["bench"] = list(LAYERS)
LAYERS["apps"] = ["session", "validate", "bench"]
LAYERS["bindings"] = ["session"]
LAYERS["tests"] = ["session", "validate", "bench", "apps"]
OUTSIDE_SRC = ["bench", "apps", "bindings", "tests"]

# Headers of other libraries that stay in one place, so that the library can be exchanged.
HOMES = [
    (r"(oneapi/)?tbb/", ["src/base/parallel.cpp"]),
    (r"openvdb/", ["src/io/", "src/geometry/"]),
    (r"fftw3\.h", ["src/linear/"]),
    (r"hdf5\.h", ["src/io/"]),
    (r"toml\+\+/|toml\.hpp", ["src/scene/"]),
    (r"embree\d*/", ["src/render/"]),
    (r"CLI/", ["apps/"]),
    (r"_?(HYPRE|hypre)|mpi\.h", ["bench/hypre/"]),
]

REPEATED = "Meant to be included more than once"  # what a header without #pragma once says of itself
SPDX = "// SPDX-License-Identifier: Apache-2.0"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
THREAD = re.compile(r"std::(thread|jthread|async)\b|\bpthread_create\b")
COMMENT_OR_RAW_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|("(?:\\.|[^"\\\n])*")', re.DOTALL)


def may_include(folder):
    """All folders that folder may include, itself among them."""
    found, waiting = set(), [folder]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += LAYERS[name]
    return found


def without_comments(text):
    """The text with comments and raw strings blanked, lines kept; plain strings stay, for #include needs them."""
    return COMMENT_OR_RAW_STRING.sub(lambda m: m.group(2) or "\n" * m.group(0).count("\n"), text)


def include_fault(path, folder, quote, header):
    """What is wrong with this include, or None."""
    for pattern, homes in HOMES:
        if re.match(pattern, header) and not any(path.startswith(home) for home in homes):
            return f"{header} belongs in {' or '.join(homes)} alone"
    target = header.split("/")[0] if "/" in header else ""
    if target not in LAYERS:
        if quote == '"':
            return f'"{header}": write our headers as "folder/file.h" from src/, those of others in <>'
        return None
    if ".." in header.split("/"):
        return f'"{header}": write the path from src/, without ..'
    if target not in may_include(folder):
        return f"{folder} may not include {header}: only {', '.join(sorted(may_include(folder)))}"
    return None


def faults_of(path, text):
    """Yields (line, message) for one file; path is relative to the root, with slashes."""
    parts = path.split("/")
    folder = parts[1] if parts[0] == "src" else parts[0]
    if folder not in LAYERS or (parts[0] == "src") == (folder in OUTSIDE_SRC):
        yield 1, f"{folder} is no folder of the design; give it a place in LAYERS of tools/check_layers.py"
        return

    lines = text.split("\n")
    if lines[0] != SPDX:
        yield 1, f"the first line must be {SPDX}"
    if path.endswith(".h") and "#pragma once" not in lines and REPEATED not in text:
        yield 1, f"a header needs #pragma once, or the words: {REPEATED}"
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield number, "tab"
        if line != line.rstrip():
            yield number, "blanks at the end of the line"

    may_use_threads = folder in ("base", "tests") or path.endswith("_test.cpp")
    for number, line in enumerate(without_comments(text).split("\n"), 1):
        include = INCLUDE.match(line)
        if include:
            fault = include_fault(path, folder, *include.groups())
            if fault:
                yield number, fault
        elif not may_use_threads and THREAD.search(re.sub(r'"(\\.|[^"\\])*"', "", line)):
            yield number, "threads are made in src/base alone"


def check(root):
    """All faults under root as "file:line: message", and the number of files looked at."""
    faults, count = [], 0
    for top in ["src", *OUTSIDE_SRC]:
        for file in sorted((root / top).rglob("*")):
            if file.suffix in (".h", ".inl", ".cpp"):
                path = file.relative_to(root).as_posix()
                faults += [f"{path}:{line}: {message}" for line, message in faults_of(path, file.read_text("utf-8"))]
                count += 1
    return faults, count


def main(root="."):
    faults, count = check(Path(root))
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{count} files, {len(faults)} faults")
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
