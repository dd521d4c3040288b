#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs a build into a temporary prefix and uses what is there from another folder, as a user would.

usage: install_test.py BUILD_FOLDER
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path


def main(build):
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder) / "prefix"
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)

        # From a folder that holds nothing else, by the program's name alone.
        environment = {**os.environ, "PATH": f"{prefix / 'bin'}:{os.environ['PATH']}"}
        environment.pop("SPINDRIFT_SCENES", None)

        def spindrift(*words):
            run = subprocess.run(["spindrift", *words], cwd=folder, env=environment, capture_output=True, text=True)
            assert run.returncode == 0, f"spindrift {' '.join(words)}: {run.stderr}"
            return run.stdout

        # The catalogue is the installed one: a change of it shows.
        scene = prefix / "share/spindrift/scenes/dam-break-2d.toml"
        scene.write_text(scene.read_text().replace("title = ", "# changed here\ntitle = "))
        assert "# changed here" in spindrift("scenes", "show", "dam-break-2d"), "the scene is not the installed one"

        # A copy of a scene runs where it was put.
        spindrift("scenes", "copy", "dam-break-2d")
        spindrift("run", "dam-break-2d.toml", "-o", "out", "--resolution", "16", "--frames", "1")
        spindrift("verify", "out")

        documentation = prefix / "share/doc"
        for name in ("README.md", "LICENSE", "scene-reference.md"):
            assert list(documentation.rglob(name)), f"{name} is not installed"
    print("install: ok")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
