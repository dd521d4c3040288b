#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/gallery.md and its pictures from the catalogue: runs each scene up to the frame that is shown, and takes
one picture of it.

usage: make_gallery.py PROGRAM OUTPUT_FOLDER [NAME ...]

A scene whose folder holds a run already is not run again.  Names choose which scenes to run; the page lists all
that have a picture.
"""
import subprocess
import sys
import tomllib
from pathlib import Path

from check_docs import wrapped

ROOT = Path(__file__).resolve().parent.parent
WIDTH, HEIGHT = 640, 480  # of a picture; with 128 colours it stays well below 300 kB

# The frame that shows most, where it is not two thirds into the run.
FRAMES = {"dam-break": 24, "dam-break-2d": 26, "drop-in-pool": 7, "container-fill": 50, "big-domain": 9,
          "breaking-wave": 137, "breaking-wave-2d": 132, "notched-disk": 96, "vortex-in-a-box": 96,
          "enright-deformation": 20, "stirred-gas": 60, "settle-glass": 40, "campfire": 52,
          "ball-splash-pls": 8, "pour-glass": 30, "vortex-street": 64, "rising-bubbles": 13,
          "rising-bubble-2d": 40, "splash-drop": 8, "jet-tank": 20, "rapids": 30,
          "ellipsoid": 20, "ellipsoid-close": 7,
          "smoke-plume": 30, "smoke-rings": 12, "smoke-around-sphere": 60}

# Fine detail everywhere takes bytes: a smaller picture.
FINE = {"liquid-texture": "256:256"}


def thumbnail(image, to):
    size = FINE.get(to.stem, f"{WIDTH}:{HEIGHT}")
    palette = f"scale={size}:force_original_aspect_ratio=decrease,split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=sierra2_4a"
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", image, "-filter_complex", palette, to], check=True)


def main(program, output, *names):
    pictures = ROOT / "docs" / "images"
    pictures.mkdir(parents=True, exist_ok=True)
    page = ["# Gallery", "", "The catalogue: `spindrift scenes` lists it, `spindrift run NAME` runs one.",
            "Made by `tools/make_gallery.py`.", ""]
    for scene_file in sorted((ROOT / "scenes").glob("*.toml")):
        name = scene_file.stem
        scene = tomllib.loads(scene_file.read_text())
        folder = Path(output) / name
        if not names or name in names:
            frame = FRAMES.get(name, scene.get("time", {}).get("frames", 100) * 2 // 3)
            if not (folder / "manifest.json").exists():
                without = [part for what in ("images", "film", "mesh") for part in ("--set", f"output.{what}=false")]
                subprocess.run([program, "run", str(scene_file), "-o", str(folder), "--frames", str(frame), "-q"] +
                               without, check=True)
            subprocess.run([program, "render", str(folder), "--frames", f"{frame}-{frame}", "-q"], check=True)
            thumbnail(folder / "images" / f"{name}.{frame:04}.png", pictures / f"{name}.png")
        if (pictures / f"{name}.png").exists():
            page += [f"## {scene['title']}", "", f"![{scene['title']}](images/{name}.png)", "",
                     f"{scene['description']} `spindrift run {name}`", ""]
    (ROOT / "docs" / "gallery.md").write_text(wrapped("\n".join(page).rstrip() + "\n"))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
