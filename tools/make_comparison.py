#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/comparison.md and its pictures: scenes of the catalogue under several methods, by `spindrift compare`.

usage: make_comparison.py PROGRAM OUTPUT_FOLDER

Runs that are in the output folder already are gone on with.
"""
import subprocess
import sys
from pathlib import Path

from check_docs import wrapped

ROOT = Path(__file__).resolve().parent.parent
SCENES = {"dam-break": ["--methods", "level-set,foster-fedkiw-2001,particle-level-set-2002", "--frames", "30"],
          "ball-splash-pls": ["--methods", "level-set,particle-level-set-2002", "--frames", "24"]}
INTRODUCTION = """# One scene, several methods

`spindrift compare SCENE --methods a,b,c` runs a scene under several methods, each in a folder of its own, and puts
them side by side: pictures at the same times, volume, kinetic and potential energy, divergence and the time that frames
took. `--variant "time.cfl=1" --variant "time.cfl=5; seed=2"` compares settings instead, and both together every
method with every variant. The folder receives

- `comparison.html`: a page for people that needs no other file;
- `comparison.json`: all figures, and a series for each run;
- `comparison.md` and `comparison.png`: the table and the pictures below.

A run that was stopped goes on with `--resume`. The program ends with 0 when all runs have finished, with 1 when one
failed (the others are compared all the same), with 2 when the input is wrong, before the first run begins, and with 130
when it was stopped.

What follows was made by `tools/make_comparison.py`, as the figures of [EMF02] compare methods. Times include
rendering and writing, on [one shared machine](README.md#about-the-timings) that had much else to do, now more and now
less: alone it is several times as fast, and times of different runs do not compare.
"""


def main(program, output):
    page = INTRODUCTION
    for name, options in SCENES.items():
        folder = Path(output) / name
        without = [part for what in ("volumes", "mesh", "film") for part in ("--set", f"output.{what}=false")]
        subprocess.run([program, "compare", str(ROOT / "scenes" / f"{name}.toml"), "-o", str(folder), "--resume", "-q"] + without +
                       options, check=True)
        picture = f"comparison-{name}.png"
        palette = "split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=sierra2_4a"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", folder / "comparison.png", "-filter_complex", palette,
                        ROOT / "docs" / "images" / picture], check=True)
        page += "\n" + (folder / "comparison.md").read_text().replace("(comparison.png)", f"(images/{picture})")
        page += f"\n`{' '.join(['spindrift compare', name] + options)}`\n"
    (ROOT / "docs" / "comparison.md").write_text(wrapped(page))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
