#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that what the documentation names exists.

usage: check_docs.py [--wrap] [ROOT]       --wrap: first wrap the paragraphs that are too wide

In README.md, CONTRIBUTING.md, CHANGELOG.md and docs/**/*.md:
  - links to files of the project, with their anchors;
  - paths in backticks that begin with a folder of the project;
  - citations such as [Gibou02], which stand in docs/references.bib;
  - lines of prose are at most 120 characters wide.
In docs/papers.md also, in backticks: tests (`Suite.Name`), scenes (`scene:NAME`) and settings (`section.key`).

Prints file:line and what is wrong for each fault, and fails if there is one.
"""

import re
import sys
import textwrap
from pathlib import Path

WIDTH = 120
FOLDERS = "src|apps|bench|tests|tools|scenes|docs|cmake"
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`]+)`")
PATH = re.compile(rf"^(?:{FOLDERS})/[\w./*-]*$")
PATTERN = re.compile(r"/(NAME|FOLDER)\b")  # in recipes, a name to be chosen
CITATION = re.compile(r"\[([A-Z][A-Za-z]+\d\d)\b[^\]]*\](?!\()")
TEST = re.compile(r"^([A-Z]\w*)\.([A-Z]\w*)$")
SETTING = re.compile(r"^[a-z][a-z_-]*\.[a-z_]+$")
TEST_DEFINITION = re.compile(r"^(?:TYPED_TEST|TEST|TEST_F|TEST_P|RC_GTEST_PROP)\(\s*(\w+),\s*(\w+)", re.MULTILINE)


def anchors(page):
    """The anchors of a page's headings, as they are made by the usual viewers of Markdown."""
    found = set()
    for line in page.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"#+\s+(.*)", line):
            text = re.sub(r"[`*]", "", heading.group(1)).strip().lower()
            found.add(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return found


def lines_of_prose(page):
    """Numbered lines outside of fenced blocks."""
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def wrapped(text):
    """The text with every paragraph that has a line too wide wrapped anew; list items keep their indentation."""
    done, paragraph, fenced = [], [], False

    def flush():
        if any(len(line) > WIDTH for line in paragraph):
            marker = re.match(r"\s*(?:[-*]\s+|\d+\.\s+|>\s+)?", paragraph[0]).group(0)
            rest = marker if marker.strip() == ">" else " " * len(marker)
            words = " ".join([paragraph[0][len(marker):]] + [line.removeprefix(marker).strip() for line in paragraph[1:]])
            done.extend(textwrap.wrap(words, WIDTH, initial_indent=marker, subsequent_indent=rest,
                                      break_long_words=False, break_on_hyphens=False))
        else:
            done.extend(paragraph)
        paragraph.clear()

    for line in text.splitlines():
        is_fence = line.lstrip().startswith("```")
        if is_fence or fenced or not line.strip() or line.startswith(("|", "#", "<", "    ")):
            is_continuation = line.startswith("    ") and paragraph and not is_fence and not fenced
            if is_continuation:
                paragraph.append(line)
                continue
            flush()
            done.append(line)
            fenced ^= is_fence
        else:
            if re.match(r"\s*(?:[-*]\s+|\d+\.\s+)", line):
                flush()
            paragraph.append(line)
    flush()
    return "\n".join(done) + "\n"


def tests_of(root):
    """Suite.Name of every test, without the suffixes that the test framework adds."""
    found = set()
    for folder in ("src", "tests"):
        for file in sorted((root / folder).rglob("*_test.cpp")):
            for suite, name in TEST_DEFINITION.findall(file.read_text(encoding="utf-8")):
                found.add(f"{suite}.{name}")
    return found


def settings_of(root):
    """section.key of every setting in the scene reference."""
    found, section = set(), ""
    for line in (root / "docs/scene-reference.md").read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"#+\s+.*?`?\[+([\w.-]+)\]+`?", line):
            section = heading.group(1)
        elif key := re.match(r"\|\s*`([\w.-]+)`", line):
            found.add(f"{section}.{key.group(1)}")
    return found


class Checker:
    """Gathers the faults of all pages."""

    def __init__(self, root):
        self.root = root
        self.faults = []
        self.keys = set(re.findall(r"^@\w+\{(\w+),", (root / "docs/references.bib").read_text(encoding="utf-8"), re.M))
        self.tests = tests_of(root)
        self.settings = settings_of(root)

    def fault(self, page, line, what):
        self.faults.append(f"{page.relative_to(self.root)}:{line}: {what}")

    def check_link(self, page, number, target):
        if re.match(r"[a-z]+:", target):
            return
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            self.fault(page, number, f"link to {target}, which does not exist")
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            self.fault(page, number, f"link to {target}: that page has no such heading")

    def check_named(self, page, number, name):
        """What docs/papers.md names in backticks."""
        if TEST.match(name) and name not in self.tests:
            self.fault(page, number, f"test {name} does not exist")
        elif name.startswith("scene:") and not (self.root / f"scenes/{name[6:]}.toml").exists():
            self.fault(page, number, f"scene {name[6:]} does not exist")
        elif SETTING.match(name) and name not in self.settings and "." + name.rpartition(".")[2] not in (".h", ".md"):
            self.fault(page, number, f"setting {name} is not in the scene reference")

    def check_page(self, page):
        is_changelog, is_papers = page.name == "CHANGELOG.md", page.name == "papers.md"
        is_generated = page.name == "scene-reference.md"
        for number, line in lines_of_prose(page):
            for target in LINK.findall(line):
                self.check_link(page, number, target)
            for code in CODE.findall(line):
                if PATH.match(code) and not PATTERN.search(code) and not is_changelog and not list(self.root.glob(code.rstrip("/"))):
                    self.fault(page, number, f"{code} does not exist")
                if is_papers:
                    self.check_named(page, number, code)
            for key in CITATION.findall(CODE.sub("", line)):
                if key not in self.keys:
                    self.fault(page, number, f"[{key}] is not in docs/references.bib")
            if len(line) > WIDTH and not line.startswith(("|", "<")) and not is_generated and " " in line.strip():
                self.fault(page, number, f"{len(line)} characters wide; wrap at {WIDTH}")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--wrap"]
    root = Path(arguments[0] if arguments else Path(__file__).parent.parent).resolve()
    checker = Checker(root)
    pages = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    pages += sorted((root / "docs").rglob("*.md"))
    for page in pages:
        if "--wrap" in sys.argv and page.name != "scene-reference.md":
            page.write_text(wrapped(page.read_text(encoding="utf-8")), encoding="utf-8")
        checker.check_page(page)
    for fault in checker.faults:
        print(fault)
    print(f"{len(pages)} pages, {len(checker.faults)} faults")
    return 1 if checker.faults else 0


if __name__ == "__main__":
    sys.exit(main())
