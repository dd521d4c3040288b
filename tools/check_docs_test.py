#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each fault that check_docs.py knows is found in a tree that has it, and not in one that has not."""

import tempfile
import unittest
from pathlib import Path

import check_docs

TREE = {
    "README.md": "# Title\n",
    "CONTRIBUTING.md": "",
    "CHANGELOG.md": "",
    "docs/references.bib": "@article{Gibou02,\n",
    "docs/scene-reference.md": "## `[domain]`\n\n| `size` | the box |\n",
    "docs/page.md": "# Page\n\n## A part of it\n",
    "src/grid/x_test.cpp": "TEST(Suite, Name) {}\n",
    "scenes/dam.toml": "",
}


class CheckDocs(unittest.TestCase):
    def faults(self, page, text):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            for path, content in (TREE | {page: text}).items():
                file = root / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(content, encoding="utf-8")
            checker = check_docs.Checker(root)
            checker.check_page(root / page)
        return checker.faults

    def assert_clean(self, text, page="docs/new.md"):
        self.assertEqual(self.faults(page, text), [])

    def assert_fault(self, text, words, page="docs/new.md"):
        faults = self.faults(page, text)
        self.assertEqual(len(faults), 1, faults)
        self.assertTrue(faults[0].startswith(f"{page}:1: "), faults[0])
        self.assertIn(words, faults[0])

    def test_links(self):
        self.assert_clean("[a](page.md) [b](page.md#a-part-of-it) [c](../README.md) [d](https://example.org)\n")
        self.assert_fault("[a](missing.md)\n", "missing.md")
        self.assert_fault("[a](page.md#no-part)\n", "no such heading")

    def test_paths(self):
        self.assert_clean("`src/grid/x_test.cpp`, `src/grid`, `src/NAME/x.h`, `tools`\n```\n`src/none.h`\n```\n")
        self.assert_fault("`src/grid/none.h`\n", "src/grid/none.h")

    def test_citations(self):
        self.assert_clean("as in [Gibou02], [Gibou02 §3] and [Gibou02](page.md)\n")
        self.assert_fault("as in [Nobody99]\n", "Nobody99")

    def test_papers(self):
        papers = "docs/papers.md"
        self.assert_clean("`Suite.Name` `scene:dam` `domain.size`\n", papers)
        self.assert_fault("`Suite.Other`\n", "test Suite.Other", papers)
        self.assert_fault("`scene:pool`\n", "scene pool", papers)
        self.assert_fault("`domain.colour`\n", "domain.colour", papers)

    def test_width(self):
        wide = "word " * 30
        self.assert_fault(wide + "\n", "wrap at")
        self.assert_clean("|" + wide + "\n")
        self.assert_clean(check_docs.wrapped(wide + "\n"))

    def test_wrapping_keeps_lists(self):
        text = "- " + "word " * 30 + "\n- short\n"
        self.assertEqual([line[:2] for line in check_docs.wrapped(text).splitlines()], ["- ", "  ", "- "])
        self.assertEqual(check_docs.wrapped("a\nb\n"), "a\nb\n")


if __name__ == "__main__":
    unittest.main()
