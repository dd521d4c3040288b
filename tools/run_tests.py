#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a build folder with CTest and ends with one line: "N passed, N failed".

usage: run_tests.py BUILD_FOLDER [arguments for ctest]

Fails when a test failed, when CTest itself failed, and when no test ran.
"""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def main(build, *arguments):
    report = Path(build).resolve() / "tests.xml"
    report.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error", "--output-junit", str(report)]
    code = subprocess.run([*command, *arguments]).returncode

    # "run" is a pass; one disabled or skipped by itself is neither; all else, say a missing program, fails.
    passed, failed, skipped = [], [], []
    cases = ElementTree.parse(report).getroot().iter("testcase") if report.exists() else []
    for case in cases:
        status, note = case.get("status"), case.find("skipped")
        if status == "run":
            passed.append(case.get("name"))
        elif status == "disabled" or (note is not None and note.get("message", "").startswith("SKIP_")):
            skipped.append(case.get("name"))
        else:
            failed.append(case.get("name"))

    print()
    if skipped:
        print("skipped:", *skipped)
    if failed:
        print("failed:", *failed)
    if not passed and not failed:
        print("no test ran")
    elif code != 0 and not failed:
        print(f"ctest itself failed with code {code}")
        failed.append("ctest")
    print(f"{len(passed)} passed, {len(failed)} failed", flush=True)
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
