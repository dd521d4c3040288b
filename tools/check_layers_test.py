#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each fault that check_layers.py knows is found in a tree that has it, and not in one that has not."""

import tempfile
import unittest
from pathlib import Path

import check_layers

HEADER = check_layers.SPDX + "\n#pragma once\n"
SOURCE = check_layers.SPDX + "\n"


class CheckLayers(unittest.TestCase):
    def faults(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files.items():
                file = Path(folder) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            faults, count = check_layers.check(Path(folder))
        self.assertEqual(count, len(files))
        return faults

    def assert_clean(self, path, text):
        self.assertEqual(self.faults({path: text}), [])

    def assert_fault(self, path, text, line, words):
        faults = self.faults({path: text})
        self.assertEqual(len(faults), 1, faults)
        self.assertTrue(faults[0].startswith(f"{path}:{line}: "), faults[0])
        self.assertIn(words, faults[0])

    def assert_include(self, path, header, allowed):
        text = SOURCE + f"\n#include {header}\n"
        if allowed:
            self.assert_clean(path, text)
        else:
            self.assert_fault(path, text, 3, header.strip('<>"'))

    def test_includes_down_are_clean(self):
        for path, header in [
            ("src/grid/a.cpp", "grid/b.h"),
            ("src/grid/a.cpp", "base/b.h"),
            ("src/gas/a.cpp", "base/b.h"),
            ("src/particles/a.cpp", "linear/b.h"),
            ("src/io/a.cpp", "grid/b.h"),
            ("src/session/a.cpp", "render/b.h"),
            ("bench/a.cpp", "session/b.h"),
            ("bench/a.cpp", "bench/b.h"),
            ("apps/cli/a.cpp", "apps/cli/b.h"),
            ("apps/cli/a.cpp", "bench/b.h"),
            ("tests/a_test.cpp", "scene/b.h"),
        ]:
            with self.subTest(path=path, header=header):
                self.assert_include(path, f'"{header}"', allowed=True)

    def test_includes_up_or_sideways_are_faults(self):
        for path, header in [
            ("src/base/a.cpp", "grid/b.h"),
            ("src/grid/a.cpp", "linear/b.h"),
            ("src/geometry/a.cpp", "linear/b.h"),
            ("src/linear/a.cpp", "geometry/b.h"),
            ("src/surface/a.cpp", "schemes/b.h"),
            ("src/bodies/a.cpp", "surface/b.h"),
            ("src/liquid/a.cpp", "gas/b.h"),
            ("src/render/a.cpp", "particles/b.h"),
            ("src/io/a.cpp", "surface/b.h"),
            ("src/scene/a.cpp", "session/b.h"),
            ("src/linear/a_test.cpp", "io/b.h"),
            ("src/linear/a.inl", "geometry/b.inl"),
            ("src/session/a.cpp", "bench/b.h"),
            ("bench/a.cpp", "apps/cli/b.h"),
        ]:
            with self.subTest(path=path, header=header):
                self.assert_include(path, f'"{header}"', allowed=False)
                self.assert_include(path, f"<{header}>", allowed=False)

    def test_our_headers_are_named_from_src(self):
        for header in ['"b.h"', '"../base/b.h"', '"src/base/b.h"', '"base/../grid/b.h"']:
            with self.subTest(header=header):
                self.assert_include("src/grid/a.cpp", header, allowed=False)

    def test_heavy_headers_stay_at_home(self):
        for header, home, elsewhere in [
            ("tbb/parallel_for.h", "src/base/parallel.cpp", "src/base/log.cpp"),
            ("oneapi/tbb/task_arena.h", "src/base/parallel.cpp", "src/base/parallel.h"),
            ("openvdb/openvdb.h", "src/io/vdb.cpp", "src/grid/tiles.cpp"),
            ("openvdb/tools/MeshToVolume.h", "src/geometry/distance.cpp", "tests/vdb_test.cpp"),
            ("fftw3.h", "src/linear/fourier.cpp", "bench/fourier.cpp"),
            ("toml++/toml.h", "src/scene/read.cpp", "src/session/run.cpp"),
            ("embree3/rtcore.h", "src/render/rays.cpp", "src/geometry/mesh.cpp"),
            ("HYPRE_struct_ls.h", "bench/hypre/hypre_compare.cpp", "bench/poisson.cpp"),
        ]:
            with self.subTest(header=header):
                self.assert_include(home, f"<{header}>", allowed=True)
                text = (HEADER if elsewhere.endswith(".h") else SOURCE + "\n") + f"#include <{header}>\n"
                self.assert_fault(elsewhere, text, 3, header)

    def test_threads_are_made_in_base(self):
        code = "std::thread worker;\n"
        self.assert_clean("src/base/parallel.cpp", SOURCE + code)
        self.assert_clean("src/grid/a_test.cpp", SOURCE + code)
        self.assert_clean("tests/a_test.cpp", SOURCE + code)
        self.assert_fault("src/grid/a.cpp", SOURCE + code, 2, "threads")
        self.assert_fault("bench/a.cpp", SOURCE + "auto f = std::async(g);\n", 2, "threads")
        self.assert_clean("src/grid/a.cpp", SOURCE + "std::this_thread::yield();\n")

    def test_comments_and_strings_are_not_code(self):
        self.assert_clean("src/grid/a.cpp", SOURCE + '// std::thread\n/*\n#include "gas/b.h"\n*/\n')
        self.assert_clean("src/grid/a.cpp", SOURCE + 'auto s = "std::thread";\nauto t = R"(\n#include "gas/b.h"\n)";\n')
        self.assert_fault("src/grid/a.cpp", SOURCE + '/* a\n b */\nauto s = "//";\n#include "gas/b.h"\n', 5, "gas/b.h")

    def test_first_line_names_the_licence(self):
        self.assert_fault("src/grid/a.cpp", "int a;\n", 1, "SPDX")
        self.assert_fault("src/grid/a.h", "#pragma once\n", 1, "SPDX")

    def test_headers_are_read_once(self):
        self.assert_clean("src/grid/a.h", HEADER)
        self.assert_fault("src/grid/a.h", SOURCE, 1, "#pragma once")
        self.assert_clean("src/grid/a.h", SOURCE + f"// {check_layers.REPEATED}.\n")
        self.assert_clean("src/grid/a.inl", SOURCE)

    def test_no_tabs_nor_trailing_blanks(self):
        self.assert_fault("src/grid/a.cpp", SOURCE + "\tint a;\n", 2, "tab")
        self.assert_fault("src/grid/a.cpp", SOURCE + "int a; \n", 2, "blanks")

    def test_folders_have_a_place(self):
        for path in ["src/misc/a.cpp", "src/bench/a.cpp", "src/a.cpp"]:
            with self.subTest(path=path):
                self.assert_fault(path, SOURCE, 1, "LAYERS")

    def test_an_empty_tree_is_not_clean(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(check_layers.main(folder), 1)


if __name__ == "__main__":
    unittest.main()
