#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what `spindrift check` expects of scenes with what runs of them use: processor time and resident memory.

Runs each scene on one thread with all of its files but the film, since ffmpeg is a program of its own.  Time is the
processor's, so that other work on the machine counts little; memory is the most that was ever resident.  --scale 0.4
makes whole runs affordable and says how good the expected steps and costs are; --frames 3 says how good the memory is.
Prints a table as in docs/estimates.md, and ends with 1 if a scene is outside the factors that the page promises.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

TIME_FACTOR, MEMORY_FACTOR = 2, 1.5
PIXELS = [960, 540]  # of a picture


def used_by(command):
    """Processor seconds and MiB of a program that must succeed."""
    with subprocess.Popen(command) as process:
        _, status, use = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return use.ru_utime + use.ru_stime, use.ru_maxrss / 1024


def compare(program, scene, changes):
    """Expected and used: seconds, then MiB."""
    options = [scene, "--threads", "1", "--set", "output.film=false"]
    for change in changes:
        options += ["--set", change]
    told = json.loads(subprocess.run([program, "check", "--json", *options], check=True, capture_output=True).stdout)
    with tempfile.TemporaryDirectory() as folder:
        seconds, mib = used_by([program, "run", "--quiet", "--output", folder + "/run", *options])
    return (told["seconds"], seconds), (told["memory_bytes"] / 2**20, mib)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene", nargs="*", help="names in the catalogue, or files; all of the catalogue when none")
    parser.add_argument("--program", default="build/release/bin/spindrift")
    parser.add_argument("--frames", type=int, help="as many at most, where a whole run would take too long")
    parser.add_argument("--scale", type=float, default=1, help="of cells and pixels along a side, for whole runs in minutes")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="as of spindrift run")
    options = parser.parse_args()

    listed = subprocess.run([options.program, "scenes", "--json"], check=True, capture_output=True, text=True).stdout
    catalogue = [json.loads(line)["name"] for line in listed.splitlines()]
    outside = 0
    print("| scene | frames | seconds | used | ratio | MiB | used | ratio |\n|---|---|---|---|---|---|---|---|")
    for name in options.scene or catalogue:
        told = json.loads(
            subprocess.run([options.program, "check", "--json", name], check=True, capture_output=True).stdout)
        frames = min(told["frames"], options.frames or told["frames"])
        changes = [f"time.frames={frames}", *options.set]
        if options.scale != 1:
            # Periodic sides are whole multiples of 8 cells.
            cells = max(16, round(max(told["cells"]) * options.scale / 8) * 8)
            changes += [f"domain.resolution={cells}", f"camera.resolution={[round(n * options.scale) for n in PIXELS]}"]
        time, memory = compare(options.program, name, changes)
        ratios = time[0] / time[1], memory[0] / memory[1]
        is_well = all(1 / f < r < f for r, f in zip(ratios, (TIME_FACTOR, MEMORY_FACTOR)))
        outside += not is_well
        print(f"| `{name}` | {frames} | {time[0]:.1f} | {time[1]:.1f} | {ratios[0]:.2f} "
              f"| {memory[0]:.0f} | {memory[1]:.0f} | {ratios[1]:.2f} |{'' if is_well else ' outside'}", flush=True)
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
