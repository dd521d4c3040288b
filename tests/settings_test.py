#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every setting of the scene reference does something.

usage: settings_test.py PROGRAM [TEST…]

Each setting in docs/scene-reference.md is changed in a tiny scene; what it promises to change must differ then: the
state, the volumes, the pictures, which files there are, or what the program says.  A setting without a case fails.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM = None
REFERENCE = Path(__file__).resolve().parent.parent / "docs/scene-reference.md"

FLAT = """
spindrift = 1
[domain]
size = [1.0, 0.5]
resolution = 16
[time]
frames = 2
[output]
film = false
checkpoint_every = 1
[camera]
resolution = [32, 16]
[[liquid]]
name = "dam"
shape = "box"
min = [0.0, 0.0]
max = [0.4, 0.33]
"""
COLOURED = FLAT.replace("[32, 16]", '[320, 160]\noverlay = "velocity"')
DEEP = """
spindrift = 1
[domain]
size = [1.0, 1.0, 1.0]
resolution = 12
[time]
frames = 2
[output]
film = false
[camera]
resolution = [48, 32]
[[liquid]]
shape = "box"
min = [0.0, 0.0, 0.0]
max = [0.4, 0.6, 1.0]
"""
# Deep enough and long enough for spray.
SPLASH = DEEP.replace("[1.0, 1.0, 1.0]", "[1.0, 1.0, 0.25]").replace("resolution = 12", "resolution = 24").replace(
    "frames = 2", "frames = 12").replace("[48, 32]", "[96, 64]").replace("[0.4, 0.6, 1.0]", "[0.4, 0.8, 1.0]")
FOAMY = SPLASH + "[whitewater]\namount = 20\nmin_speed = 0.3\n"


def entry(kind, shape, more=""):
    return f'[[{kind}]]\nshape = "{shape}"\n{more}\n'


BUMP = entry("solid", "sphere", "center = [0.6, 0.0]\nradius = 0.15")
POUR = entry("source", "sphere", "center = [0.7, 0.3]\nradius = 0.1\nvelocity = [0.5, 0.0]")
BLADE = entry("solid", "box", "min = [0.2, 0.1]\nmax = [0.5, 0.25]")
BEAM = entry("solid", "box", "min = [0.1, 0.2, 0.3]\nmax = [0.4, 0.4, 0.7]")
JET = entry("source", "sphere", "center = [0.7, 0.5, 0.5]\nradius = 0.15\nvelocity = [0.5, 0.0, 0.0]")
WIND = '[[wind]]\nstrength = 1\nvelocity = [3, 0]\n'
LEAD = '[[control]]\nname = "lead"\nkind = "curve"\npoints = [[0.1, 0.1], [0.3, 0.3], [0.6, 0.2]]\nradius = 0.1\n'
STIR = '[[control]]\nkind = "volume"\nshape = "sphere"\ncenter = [0.2, 0.2]\nradius = 0.1\nvelocity = [1, 1]\n'
SKIN = STIR.replace('"volume"', '"surface"\nthickness = 0.05')
DRAWN = ('[[control]]\nkind = "attract"\nshape = "sphere"\ncenter = [0.45, 0.25]\nradius = 0.15\nreach = 0.3\n')
MARKED = FLAT.replace("spindrift = 1", 'spindrift = 1\nmethod = "foster-metaxas-1996"').replace("frames = 2", "frames = 4")
FED = MARKED.replace("[time]", 'sides = {left = {kind = "inflow", velocity = [1, 0], level = 0.2}}\n[time]')
PARTICLES = FLAT.replace("spindrift = 1", 'spindrift = 1\nmethod = "particle-level-set-2002"').replace("frames = 2", "frames = 6")
INK = '[[component]]\nname = "ink"\ncolor = [0.7, 0.1, 0.1]\n[[component]]\nname = "oil"\n'
DYED = FLAT.replace("[32, 16]", "[320, 160]").replace("[[liquid]]", INK + '[[liquid]]\ncomponent = "ink"')
DEEP_DYED = DEEP.replace("[[liquid]]", INK + '[[liquid]]\ncomponent = "ink"')
GIVEN = PARTICLES + "[flow]\nvelocity = [0.5, 0]\n"
CUBE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
MESH = entry("liquid", "mesh", 'file = "a.obj"\nscale = 0.5\ntranslate = [0.4, 0.3, 0.2]')


def shape(kind, settings):
    """A ball of liquid in the air, or whatever else the shape is, so that its settings show in the state."""
    return FLAT + entry("liquid", kind, settings)


ROUND = "center = [0.7, 0.3]\nradius = 0.1"
EGG = "center = [0.7, 0.3]\nradii = [0.2, 0.1]"
RING = "center = [0.7, 0.3]\nradius = 0.1\ntube_radius = 0.05"
HILLS = shape("heightmap", 'image = "a.png"\nmin = [0, 0]\nmax = [1, 0.3]')
BAR = "from = [0.6, 0.3]\nto = [0.8, 0.35]\nradius = 0.06"

AIR = """
spindrift = 1
method = "stable-fluids-1999"
[domain]
size = [1.0, 0.5]
resolution = 16
sides = {all = "slip", top = "open"}
[time]
frames = 3
[output]
film = false
[camera]
resolution = [32, 16]
[gas]
viscosity = 0.0
[[substance]]
name = "smoke"
buoyancy = 3.0
[[source]]
name = "fire"
shape = "sphere"
center = [0.5, 0.15]
radius = 0.1
substance = "smoke"
value = 1
"""
WARM_AIR = AIR.replace("buoyancy = 3.0", "buoyancy = 3.0\ndiffusion = 0.05")
WIDE_AIR = AIR.replace("resolution = 16", "resolution = 192")  # tiles enough to leave some out


def png_chunk(kind, data):
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def two_pixels(first, second):
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", bytes([0, 0, 0, 2, 0, 0, 0, 1, 8, 2, 0, 0, 0])) +
            png_chunk(b"IDAT", zlib.compress(bytes([0, *first, *second]))) + png_chunk(b"IEND", b""))


PICTURE = two_pixels((255, 0, 0), (0, 255, 0))
UPHILL = two_pixels((0, 0, 0), (255, 255, 255))
DEEP_AIR = (AIR.replace("[1.0, 0.5]", "[1.0, 0.5, 0.5]").replace("[0.5, 0.15]", "[0.5, 0.15, 0.25]")
            .replace("smoke", "temperature") + '[[substance]]\nname = "density"\ninitial = "y < 0.2 ? 1 : 0"\n')
TEXTURE = '[texture]\npattern = "checker"\n'
PUSH = '[[force]]\nname = "push"\nkind = "vortex"\ncenter = [0.5, 0.2]\nradius = 0.3\nstrength = 20\n'

TOTAL = '[[probe]]\nname = "p"\nkind = "total"\n'
POINT = '[[probe]]\nname = "p"\nkind = "point"\nposition = [0.1, 0.1]\n'
GAUGE = '[[probe]]\nname = "p"\nkind = "height"\nfrom = [0.1, 0]\nto = [0.1, 0.5]\n'
GATE = '[[probe]]\nname = "p"\nkind = "flux"\nmin = [0.3, 0]\nmax = [0.3, 0.5]\n'
WALL = '[[probe]]\nname = "p"\nkind = "wall_flux"\nside = "bottom"\nsubstance = "smoke"\n'
HEATED = (WARM_AIR.replace('top = "open"', 'top = "open", bottom = {kind = "slip", wall_values = {smoke = 1, dye = 2}}')
          + '[[substance]]\nname = "dye"\ndiffusion = 0.1\n' + WALL)
BALL_AND_POST = ('[[solid]]\nname = "ball"\nshape = "sphere"\ncenter = [0.7, 0.2]\nradius = 0.1\nWALL'
                 '[[solid]]\nname = "post"\nshape = "box"\nmin = [0.2, 0]\nmax = [0.3, 0.4]\nWALL')
FORCE_ON_BALL = '[[probe]]\nname = "p"\nkind = "force"\nsolid = "ball"\n'
HEATED_BALL = (WARM_AIR + BALL_AND_POST.replace("WALL", "wall_values = {smoke = 2}\n")
               + WALL.replace('side = "bottom"', 'solid = "ball"'))

# section of the reference → setting → (scene, what is changed by --set or by replacing text, what must differ)
CASES = {
    "Top of the file": {
        "spindrift": (FLAT, [("spindrift = 1", "spindrift = 2")], "refused"),
        "title": (FLAT, ["title=\"A\""], "catalogue"),
        "description": (FLAT, ["description=\"A\""], "catalogue"),
        "tags": (FLAT, ["tags=[\"a\"]"], "catalogue"),
        "method": (FLAT, ["method=\"no-such\""], "refused"),
        "gravity": (FLAT, ["gravity=5"], "state"),
        "seed": (FLAT, ["seed=2"], "identity"),
    },
    "[domain]": {
        "size": (FLAT, ["domain.size=[1.0, 0.75]"], "state"),
        "resolution": (FLAT, ["domain.resolution=20"], "state"),
        "cell_size": (FLAT.replace("resolution = 16", "cell_size = 0.0625"), ["domain.cell_size=0.05"], "state"),
        "origin": (FLAT, ["domain.origin=[-0.125, 0]"], "state"),
        "up": (DEEP, ['domain.up="z"'], "state"),
        "sides": (FLAT, [("[time]", 'sides = {all = "no-slip"}\n[time]')], "state"),
    },
    "[domain.sides]": {
        "wall_values": (WARM_AIR, [('top = "open"}', 'top = "open", bottom = {kind = "slip", wall_values = {smoke = 1}}}')],
                        "state"),
        "kind": (FLAT, [("[time]", 'sides = {left = {kind = "no-slip"}}\n[time]')], "state"),
        "velocity": (FLAT.replace("[time]", 'sides = {left = {kind = "inflow", velocity = [1, 0], level = 0.2}}\n[time]'),
                     [("velocity = [1, 0]", "velocity = [0.5, 0]")], "state"),
        "level": (FLAT.replace("[time]", 'sides = {right = {kind = "inflow", velocity = [-1, 0], level = 0.2}}\n[time]'),
                  [("level = 0.2", "level = 0.3")], "state"),
        "component": (DYED.replace("[time]", 'sides = {right = {kind = "inflow", velocity = [-1, 0], level = 0.2}}\n[time]'),
                      [("level = 0.2", 'level = 0.2, component = "oil"')], "state"),
        "outflow_after": (FED, [("level = 0.2", "level = 0.2, outflow_after = 0.05")], "state"),
    },
    "[time]": {
        "fps": (FLAT, ["time.fps=30"], "state"),
        "frames": (FLAT, ["time.frames=3"], "files"),
        "end": (FLAT.replace("frames = 2", "end = 0.08"), ["time.end=0.125"], "files"),
        "cfl": (FLAT.replace("frames = 2", "frames = 4"), ["time.cfl=0.5"], "state"),
        "min_substeps": (FLAT, ["time.min_substeps=4"], "state"),
        "max_substeps": (FLAT, ["time.max_substeps=1", "time.cfl=0.1"], "failure"),
    },
    "[fluid]": {
        "material": (FLAT, ['fluid.material="honey"'], "state"),
        "density": (FLAT + "[fluid]\nviscosity = 5.0\n", ["fluid.density=100"], "state"),
        "viscosity": (FLAT, ["fluid.viscosity=5"], "state"),
        "surface_tension": (FLAT, ["fluid.surface_tension=5"], "state"),
    },
    "[level-set]": {
        "advection": (FLAT, ['level-set.advection="semi-lagrangian"'], "state"),
        "time_order": (FLAT, ["level-set.time_order=1"], "state"),
        "volume_control": (FLAT.replace("frames = 2", "frames = 4"), ["level-set.volume_control=false"], "state"),
        "enclosed_air": (
            FLAT + '[[liquid]]\nshape = "sphere"\ncenter = [0.2, 0.15]\nradius = 0.1\nop = "subtract"\n',
            ["level-set.enclosed_air=false"],
            "state",
        ),
        "air_pressure": (
            FLAT + '[[liquid]]\nshape = "sphere"\ncenter = [0.2, 0.15]\nradius = 0.1\nop = "subtract"\n',
            ["level-set.air_pressure=1000"],
            "state",
        ),
        "pressure_tolerance": (FLAT, ["level-set.pressure_tolerance=0.1"], "state"),
        "max_pressure_iterations": (FLAT, ["level-set.max_pressure_iterations=1"], "failure"),
    },
    "[particles]": {
        "sides": (PARTICLES, ['particles.sides="inside"'], "state"),
        "largest_drop": (SPLASH, ["particles.largest_drop=0.0005"], "pictures"),
        "per_cell": (PARTICLES, ["particles.per_cell=4"], "state"),
        "reseed_interval": (PARTICLES, ["particles.reseed_interval=0.01"], "state"),
        "escape_distance": (SPLASH, ["particles.escape_distance=2"], "state"),
    },
    "[foster-metaxas]": {
        "markers_across": (MARKED, ["foster-metaxas.markers_across=5"], "state"),
        "inflow_markers": (FED, ["foster-metaxas.inflow_markers=5000"], "state"),
        "courant": (MARKED, ["foster-metaxas.courant=0.1"], "state"),
        "donor_cell": (MARKED, ["foster-metaxas.donor_cell=0"], "state"),
        "pressure": (MARKED, ['foster-metaxas.pressure="multigrid"'], "state"),
        "pressure_tolerance": (MARKED, ["foster-metaxas.pressure_tolerance=0.1"], "state"),
        "over_relaxation": (MARKED, ["foster-metaxas.over_relaxation=1.2"], "state"),
        "max_sweeps": (MARKED, ["foster-metaxas.max_sweeps=1"], "state"),
    },
    "[foster-fedkiw]": {
        "curvature": (SPLASH.replace("spindrift = 1", 'spindrift = 1\nmethod = "foster-fedkiw-2001"'), ["foster-fedkiw.curvature=0"], "state"),
    },
    "[whitewater]": {
        "amount": (FOAMY, ["whitewater.amount=5"], "whitewater"),
        "min_speed": (FOAMY, ["whitewater.min_speed=0.6"], "whitewater"),
        "lifetime": (FOAMY, ["whitewater.lifetime=0.1"], "whitewater"),
        "radius": (FOAMY, ["whitewater.radius=0.004"], "whitewater"),
        "drag": (FOAMY, ["whitewater.drag=50"], "whitewater"),
        "most": (FOAMY, ["whitewater.most=20"], "whitewater"),
        "seed": (FOAMY, ["whitewater.seed=2"], "whitewater"),
    },
    "[flow]": {
        "velocity": (GIVEN, ['flow.velocity=["-sin(pi*x)^2 * sin(2*pi*y)", "sin(2*pi*x) * sin(pi*y)^2"]'], "state"),
    },
    "[[wind]]": {
        "name": (FLAT + WIND + 'name = "gale"\n', ["wind.gale.strength=0.5"], "state"),
        "strength": (FLAT + WIND, ["wind[0].strength=0.3"], "state"),
        "velocity": (FLAT + WIND, ["wind[0].velocity=[-3, 0]"], "state"),
        "min": (FLAT + WIND, ["wind[0].min=[0.2, 0]", "wind[0].max=[1, 1]"], "state"),
        "max": (FLAT + WIND + "min = [0, 0]\nmax = [1, 1]\n", ["wind[0].max=[0.3, 1]"], "state"),
    },
    "[[control]]": {
        "name": (FLAT + LEAD, ["control.lead.radius=0.2"], "state"),
        "kind": (FLAT + STIR, [('"volume"', '"surface"\nthickness = 0.05')], "state"),
        "parts": (FLAT + LEAD, ['control[0].parts="normal"'], "state"),
        "rate": (FLAT + LEAD, ["control[0].rate=3"], "state"),
        "start": (FLAT + LEAD, ["control[0].start=0.05"], "state"),
        "end": (FLAT + LEAD, ["control[0].end=0.05"], "state"),
        "region_min": (FLAT + LEAD, ["control[0].region_min=[0.2, 0]", "control[0].region_max=[1, 1]"], "state"),
        "region_max": (FLAT + LEAD + "region_min = [0, 0]\nregion_max = [1, 1]\n", ["control[0].region_max=[0.2, 1]"], "state"),
    },
    'kind = "curve"': {
        "points": (FLAT + LEAD, ["control[0].points=[[0.1, 0.1], [0.3, 0.3]]"], "state"),
        "path": (FLAT + LEAD, [("points = [[0.1, 0.1], [0.3, 0.3], [0.6, 0.2]]", 'path = ["s", "0.2 + 0.1*s"]')], "state"),
        "interpolation": (FLAT + LEAD, ['control[0].interpolation="straight"'], "state"),
        "closed": (FLAT + LEAD, ["control[0].closed=true"], "state"),
        "speed": (FLAT + LEAD, ["control[0].speed=2"], "state"),
        "radius": (FLAT + LEAD, ["control[0].radius=0.2"], "state"),
        "stretch": (FLAT + LEAD, ["control[0].stretch=0.1"], "state"),
        "pull": (FLAT + LEAD, ["control[0].pull=3"], "state"),
    },
    'kind = "volume"': {
        "shape": (FLAT + STIR, [('shape = "sphere"\ncenter = [0.2, 0.2]\nradius = 0.1', 'shape = "box"\nmin = [0.1, 0.1]\nmax = [0.2, 0.3]')],
                  "state"),
        "velocity": (FLAT + STIR, ["control[0].velocity=[1, -1]"], "state"),
    },
    'kind = "surface"': {
        "shape": (FLAT + SKIN, [('shape = "sphere"\ncenter = [0.2, 0.2]\nradius = 0.1', 'shape = "box"\nmin = [0.1, 0.1]\nmax = [0.2, 0.3]')],
                  "state"),
        "thickness": (FLAT + SKIN, ["control[0].thickness=0.1"], "state"),
        "velocity": (FLAT + SKIN, ["control[0].velocity=[1, -1]"], "state"),
    },
    'kind = "attract"': {
        "shape": (FLAT + DRAWN, [('shape = "sphere"\ncenter = [0.45, 0.25]\nradius = 0.15', 'shape = "box"\nmin = [0.3, 0.1]\nmax = [0.6, 0.3]')],
                  "state"),
        "reach": (FLAT + DRAWN, ["control[0].reach=0.2"], "state"),
        "strength": (FLAT + DRAWN, ["control[0].strength=50"], "state"),
        "damping": (FLAT + DRAWN, ["control[0].damping=0"], "state"),
        "weight": (FLAT + DRAWN, ["control[0].weight=1"], "state"),
    },
    "[gas]": {
        "viscosity": (AIR, ["gas.viscosity=0.1"], "state"),
        "density": (AIR + TOTAL, ["gas.density=2"], "probes"),
        "velocity": (AIR, ["gas.velocity=[\"y\", 0]"], "state"),
        "advection": (AIR, ['gas.advection="maccormack"'], "state"),
        "vorticity_confinement": (AIR, ["gas.vorticity_confinement=1"], "state"),
        "tracing": (AIR + PUSH, ['gas.tracing="adaptive"'], "state"),
        "solver": (AIR, ['gas.solver="multigrid"'], "state"),
        "pressure_tolerance": (AIR.replace("[gas]", '[gas]\nsolver = "multigrid"'), ["gas.pressure_tolerance=0.1"], "state"),
        "cfl": (AIR + PUSH, ["gas.cfl=0.01"], "state"),
        "sparse": (WIDE_AIR, ["gas.sparse=true"], "state"),
        "threshold": (WIDE_AIR.replace("[gas]", "[gas]\nsparse = true").replace("buoyancy = 3.0", 'buoyancy = 3.0\ninitial = "0.1"'),
                      ["gas.threshold=0.5"], "state"),
    },
    "[[substance]]": {
        "name": (AIR, ["substance.smoke.buoyancy=5"], "state"),
        "diffusion": (AIR, ["substance[0].diffusion=0.1"], "state"),
        "dissipation": (AIR, ["substance[0].dissipation=2"], "state"),
        "ambient": (AIR, ["substance[0].ambient=0.25"], "state"),
        "ambient_profile": (AIR, ['substance[0].ambient_profile="x"'], "state"),
        "initial": (AIR, ['substance[0].initial="x"'], "state"),
        "wall_value": (AIR.replace("buoyancy = 3.0", "buoyancy = 3.0\ndiffusion = 0.1"), ["substance[0].wall_value=1"], "state"),
        "buoyancy": (AIR, ["substance[0].buoyancy=1"], "state"),
        "expansion": (AIR, ["substance[0].expansion=1"], "state"),
        "color": (AIR, ["substance[0].color=[1, 0, 0]"], "pictures"),
        "opacity": (DEEP_AIR, ["substance[1].opacity=2"], "pictures"),
    },
    "[texture]": {
        "pattern": (AIR + TEXTURE, ['texture.pattern="marble"'], "pictures"),
        "image": (AIR + TEXTURE, [('pattern = "checker"', 'image = "a.png"')], "pictures"),
        "scale": (AIR + TEXTURE, ["texture.scale=0.125"], "pictures"),
        "period": (AIR + TEXTURE, ["texture.period=0.1"], "state"),
        "amount": (AIR + TEXTURE, ["texture.amount=0.5"], "pictures"),
        "low": (AIR + TEXTURE, ["texture.low=[1, 0, 0]"], "pictures"),
        "high": (AIR + TEXTURE, ["texture.high=[1, 0, 0]"], "pictures"),
    },
    "[[force]]": {
        "name": (AIR + PUSH, ["force.push.strength=10"], "state"),
        "kind": (AIR + PUSH, ['force[0].kind="attractor"'], "state"),
        "acceleration": (FLAT + '[[force]]\nkind = "constant"\nacceleration = ["y", 0]\n', ['force[0].acceleration=["2*y", 0]'],
                         "state"),
        "center": (AIR + PUSH, ["force[0].center=[0.4, 0.2]"], "state"),
        "axis": (AIR.replace("[1.0, 0.5]", "[1.0, 0.5, 0.5]").replace("[0.5, 0.15]", "[0.5, 0.15, 0.25]") +
                 PUSH.replace("[0.5, 0.2]", "[0.5, 0.2, 0.2]"), ["force[0].axis=[0, 1, 0]"], "state"),
        "strength": (AIR + PUSH, ["force[0].strength=5"], "state"),
        "radius": (FLAT + PUSH, ["force[0].radius=0.2"], "state"),
        "frequency": (AIR + '[[force]]\nkind = "turbulence"\n', ["force[0].frequency=20"], "state"),
        "substance": (AIR + PUSH, ['force[0].substance="smoke"'], "state"),
        "start": (FLAT + PUSH, ["force[0].start=0.05"], "state"),
        "end": (AIR + PUSH, ["force[0].end=0.05"], "state"),
    },
    "[[component]]": {
        "name": (DYED, ["component.ink.color=[0, 0, 1]"], "pictures"),
        "density": (DYED + POUR, ["component[0].density=1500"], "state"),
        "viscosity": (DYED, ["component[0].viscosity=10"], "state"),
        "color": (DYED, ["component[0].color=[0, 1, 0]"], "pictures"),
        "scattering": (DEEP_DYED, ["component[0].scattering=100"], "pictures"),
        "scattering_color": (DEEP_DYED.replace("color =", "scattering = 100\ncolor ="), ["component[0].scattering_color=[0, 1, 0]"],
                             "pictures"),
    },
    "[[liquid]]": {
        "component": (DYED, ['liquid[0].component="oil"'], "state"),
        "name": (FLAT, ["liquid.dam.max=[0.5, 0.33]"], "state"),
        "shape": (FLAT, [(entry("liquid", "box"), ""), ('shape = "box"\nmin = [0.0, 0.0]\nmax = [0.4, 0.33]',
                                                        'shape = "sphere"\n' + ROUND)], "state"),
        "op": (FLAT + entry("liquid", "sphere", "center = [0.4, 0.3]\nradius = 0.1"), ['liquid[1].op="subtract"'], "state"),
        "velocity": (FLAT, ["liquid[0].velocity=[1, 0]"], "state"),
    },
    "[[solid]]": {
        "wall_values": (WARM_AIR + BUMP, ["solid[0].wall_values={smoke = 1}"], "state"),
        "name": (FLAT + BUMP + 'name = "bump"\n', ["solid.bump.radius=0.2"], "state"),
        "shape": (FLAT + BUMP, [('shape = "sphere"\ncenter', 'shape = "ellipsoid"\nradii = [0.3, 0.1]\ncenter'),
                                ("radius = 0.15", "")], "state"),
        "op": (FLAT + BUMP + entry("solid", "sphere", "center = [0.55, 0.05]\nradius = 0.12"), ['solid[1].op="subtract"'],
               "state"),
        "offset": (FLAT + BUMP, ['solid[0].offset=["t", 0]'], "state"),
        "rotation_degrees": (FLAT + BLADE, ['solid[0].rotation_degrees="90 * t"'], "state"),
        "rotation_axis": (DEEP + BEAM + "rotation_degrees = '90 * t'\n", ["solid[0].rotation_axis=[1, 0, 0]"], "state"),
        "pivot": (FLAT + BLADE + "rotation_degrees = '90 * t'\n", ["solid[0].pivot=[0.2, 0.1]"], "state"),
        "visible": (FLAT.replace("[32, 16]", "[320, 160]") + BUMP, ["solid[0].visible=false"], "pictures"),
        "glass": (DEEP + entry("solid", "sphere", "center = [0.7, 0.3, 0.5]\nradius = 0.25"), ["solid[0].glass=true"],
                  "pictures"),
        "wall": (FLAT + BUMP.replace("0.6", "0.4"), ['solid[0].wall="no-slip"'], "state"),
    },
    "[[source]]": {
        "component": (DYED + POUR, ['source[0].component="oil"'], "state"),
        "name": (FLAT + POUR + 'name = "jet"\n', ["source.jet.radius=0.15"], "state"),
        "shape": (FLAT + POUR, [('shape = "sphere"\ncenter', 'shape = "ellipsoid"\nradii = [0.2, 0.1]\ncenter'),
                                ("radius = 0.1", "")], "state"),
        "offset": (FLAT + POUR, ['source[0].offset=["-t", 0]'], "state"),
        "rotation_degrees": (FLAT + POUR, ['source[0].rotation_degrees=-90'], "state"),
        "rotation_axis": (DEEP + JET + "rotation_degrees = -90\n", ["source[0].rotation_axis=[0, 0, 1]"], "state"),
        "pivot": (FLAT + POUR + "rotation_degrees = 40\n", ["source[0].pivot=[0.5, 0.3]"], "state"),
        "velocity": (FLAT + POUR, ["source[0].velocity=[0, -1]"], "state"),
        "start": (FLAT + POUR, ["source[0].start=0.05"], "state"),
        "end": (FLAT + POUR, ["source[0].end=0.03"], "state"),
        "substance": (AIR + '[[substance]]\nname = "dye"\n', ['source[0].substance="dye"'], "state"),
        "rate": (AIR.replace("value = 1", "rate = 1"), ["source[0].rate=2"], "state"),
        "value": (AIR, ["source[0].value=0.5"], "state"),
    },
    "[output]": {
        "name": (FLAT, ['output.name="other"'], "files"),
        "volumes": (FLAT, ["output.volumes=false"], "files"),
        "mesh": (DEEP, ["output.mesh=false"], "files"),
        "spray": (DEEP, ["output.spray=false"], "files"),
        "images": (FLAT, ["output.images=false"], "files"),
        "film": (FLAT, ["output.film=true"], "files"),
        "film_fps": (FLAT.replace("film = false", "film = true"), ["output.film_fps=6"], "film"),
        "fields": (FLAT, ['output.fields=["surface", "pressure"]'], "volumes"),
        "names": (FLAT, ['output.names={velocity = "v"}'], "volumes"),
        "checkpoint_every": (FLAT, ["output.checkpoint_every=2"], "files"),
        "keep_checkpoints": (FLAT, ["output.keep_checkpoints=1"], "files"),
    },
    "[camera]": {
        "position": (DEEP, ["camera.position=[3, 2, 3]"], "pictures"),
        "look_at": (DEEP, ["camera.look_at=[0, 0.5, 0]"], "pictures"),
        "up": (DEEP, ["camera.up=[0.5, 1, 0]"], "pictures"),
        "fov_degrees": (DEEP, ["camera.fov_degrees=60"], "pictures"),
        "resolution": (FLAT, ["camera.resolution=[48, 24]"], "pictures"),
        "min": (FLAT.replace("[32, 16]", "[320, 160]"), ["camera.min=[0.1, 0]"], "pictures"),
        "max": (FLAT.replace("[32, 16]", "[320, 160]"), ["camera.max=[0.9, 0.4]"], "pictures"),
        "overlay": (FLAT.replace("[32, 16]", "[320, 160]"), ['camera.overlay="velocity"'], "pictures"),
        "overlay_min": (COLOURED, ["camera.overlay_min=0.1"], "pictures"),
        "overlay_max": (COLOURED, ["camera.overlay_max=9"], "pictures"),
        "show_controls": (FLAT.replace("[32, 16]", "[320, 160]") + LEAD, ["camera.show_controls=true"], "pictures"),
    },
    "[render]": {
        "sky_color": (DEEP, ["render.sky_color=[0.1, 0.1, 0.2]"], "pictures"),
        "sun_color": (DEEP, ["render.sun_color=[1, 1, 1]"], "pictures"),
        "sun_direction": (DEEP, ["render.sun_direction=[0, 1, 0.1]"], "pictures"),
        "floor": (DEEP, ['render.floor="plain"'], "pictures"),
        "sea_level": (DEEP + '[render]\nfloor = "sea"\n', ["render.sea_level=0.3"], "pictures"),
        "floor_color": (DEEP, ["render.floor_color=[0.9, 0.2, 0.2]"], "pictures"),
        "outline": (DEEP, ["render.outline=false"], "pictures"),
        "background": (DEEP, ["render.background=false"], "pictures"),
        "absorption": (DEEP, ["render.absorption=[5, 30, 220]"], "pictures"),
        "scattering": (DEEP + "[render]\nscattering_color = [0.9, 0.9, 0.8]\n", ["render.scattering=1000"], "pictures"),
        "scattering_color": (DEEP + "[render]\nscattering = 1000\n", ["render.scattering_color=[0.9, 0.9, 0.8]"],
                             "pictures"),
        "emission": (DEEP, ["render.emission=[4, 1, 0]"], "pictures"),
        "shutter": (SPLASH, ["render.shutter=0"], "pictures"),
        "water_color": (DEEP, ["render.water_color=[0.9, 0.2, 0.2]"], "pictures"),
        "anisotropy": (DEEP_AIR, ["render.anisotropy=0.7"], "pictures"),
        "glow": (DEEP_AIR, ["render.glow=50"], "pictures"),
        "glow_kelvin": (DEEP_AIR + "[render]\nglow = 50\n", ["render.glow_kelvin=3000"], "pictures"),
        "exposure": (DEEP, ["render.exposure=2"], "pictures"),
    },
    'shape = "box"': {
        "min": (FLAT, ["liquid[0].min=[0.1, 0]"], "state"),
        "max": (FLAT, ["liquid[0].max=[0.5, 0.33]"], "state"),
        "rotate_degrees": (FLAT, ["liquid[0].rotate_degrees=20"], "state"),
    },
    "[[probe]]": {
        "name": (FLAT + TOTAL, ['probe[0].name="q"'], "files"),
        "kind": (FLAT + TOTAL, [('kind = "total"', 'kind = "point"\nposition = [0.1, 0.1]')], "probes"),
        "rate": (FLAT + TOTAL, ["probe[0].rate=50"], "probes"),
    },
    'kind = "point"': {"position": (FLAT + POINT, ["probe[0].position=[0.2, 0.1]"], "probes")},
    'kind = "height"': {
        "from": (FLAT + GAUGE, ["probe[0].from=[0.1, 0.05]"], "probes"),
        "to": (FLAT + GAUGE, ["probe[0].to=[0.5, 0.5]"], "probes"),
    },
    'kind = "flux"': {
        "min": (FLAT + GATE, ["probe[0].min=[0.3, 0.2]"], "probes"),
        "max": (FLAT + GATE, ["probe[0].max=[0.3, 0.1]"], "probes"),
    },
    'kind = "wall_flux"': {
        "side": (HEATED, ['probe[0].side="left"'], "probes"),
        "solid": (HEATED_BALL, [('solid = "ball"', 'solid = "post"')], "probes"),
        "substance": (HEATED, ['probe[0].substance="dye"'], "probes"),
    },
    'kind = "force"': {"solid": (FLAT + BALL_AND_POST.replace("WALL", "") + FORCE_ON_BALL, [('solid = "ball"', 'solid = "post"')], "probes")},
    'kind = "total"': {"about": (FLAT + TOTAL, ["probe[0].about=[0.3, 0]"], "probes")},
    'shape = "sphere"': {
        "center": (shape("sphere", ROUND), ["liquid[1].center=[0.7, 0.25]"], "state"),
        "radius": (shape("sphere", ROUND), ["liquid[1].radius=0.12"], "state"),
    },
    'shape = "ellipsoid"': {
        "center": (shape("ellipsoid", EGG), ["liquid[1].center=[0.7, 0.25]"], "state"),
        "radii": (shape("ellipsoid", EGG), ["liquid[1].radii=[0.15, 0.1]"], "state"),
        "rotate_degrees": (shape("ellipsoid", EGG), ["liquid[1].rotate_degrees=30"], "state"),
    },
    'shape = "cylinder"': {
        "from": (shape("cylinder", BAR), ["liquid[1].from=[0.6, 0.25]"], "state"),
        "to": (shape("cylinder", BAR), ["liquid[1].to=[0.9, 0.35]"], "state"),
        "radius": (shape("cylinder", BAR), ["liquid[1].radius=0.09"], "state"),
    },
    'shape = "capsule"': {
        "from": (shape("capsule", BAR), ["liquid[1].from=[0.6, 0.25]"], "state"),
        "to": (shape("capsule", BAR), ["liquid[1].to=[0.9, 0.35]"], "state"),
        "radius": (shape("capsule", BAR), ["liquid[1].radius=0.09"], "state"),
    },
    'shape = "cone"': {
        "from": (shape("cone", BAR), ["liquid[1].from=[0.6, 0.25]"], "state"),
        "to": (shape("cone", BAR), ["liquid[1].to=[0.9, 0.35]"], "state"),
        "radius": (shape("cone", BAR), ["liquid[1].radius=0.09"], "state"),
        "radius_to": (shape("cone", BAR), ["liquid[1].radius_to=0.09"], "state"),
    },
    'shape = "torus"': {
        "center": (shape("torus", RING), ["liquid[1].center=[0.7, 0.25]"], "state"),
        "radius": (shape("torus", RING), ["liquid[1].radius=0.12"], "state"),
        "tube_radius": (shape("torus", RING), ["liquid[1].tube_radius=0.06"], "state"),
        "axis": (DEEP + entry("liquid", "torus", RING.replace("0.3]", "0.7, 0.5]")), ["liquid[1].axis=[1, 0, 0]"], "state"),
    },
    'shape = "polygon"': {
        "points": (shape("polygon", "points = [[0.6, 0.2], [0.9, 0.2], [0.7, 0.4]]"),
                   ["liquid[1].points=[[0.6, 0.2], [0.9, 0.2], [0.7, 0.45]]"], "state"),
    },
    'shape = "plane"': {
        "point": (shape("plane", "point = [0, 0.1]\nnormal = [0, 1]"), ["liquid[1].point=[0, 0.15]"], "state"),
        "normal": (shape("plane", "point = [0, 0.1]\nnormal = [0, 1]"), ["liquid[1].normal=[0.1, 1]"], "state"),
    },
    'shape = "heights"': {
        "height": (shape("heights", "height = 0.1"), ['liquid[1].height="0.1 + 0.05 * sin(6 * x)"'], "state"),
    },
    'shape = "heightmap"': {
        "image": (HILLS, ['liquid[1].image="b.png"'], "state"),
        "min": (HILLS, ["liquid[1].min=[0, 0.1]"], "state"),
        "max": (HILLS, ["liquid[1].max=[0.8, 0.3]"], "state"),
    },
    'shape = "mesh"': {
        "file": (DEEP + MESH, ['liquid[1].file="b.obj"'], "state"),
        "scale": (DEEP + MESH, ["liquid[1].scale=0.4"], "state"),
        "rotate_degrees": (DEEP + MESH, ["liquid[1].rotate_degrees=[0, 0, 20]"], "state"),
        "translate": (DEEP + MESH, ["liquid[1].translate=[0.3, 0.3, 0.2]"], "state"),
    },
}

# Promised by the reference, refused by the program so far.
NOT_YET = "cannot be simulated yet"


def reference_settings():
    """{section: [settings]} of the reference."""
    found, section = {}, None
    for line in REFERENCE.read_text(encoding="utf-8").splitlines():
        heading = re.match(r"#+ `?(.*?)`?$", line)
        row = re.match(r"\| `(\w+)` \|", line)
        if heading:
            section = heading.group(1)
            rows = False
        elif line.startswith("| setting | value"):
            rows = True
        elif row and section and rows:
            found.setdefault(section, []).append(row.group(1))
    return found


class Settings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="spindrift_settings_")
        cls.folder = Path(cls.holder.name)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def outcome(self, scene, sets, what):
        """What is to be compared, of a run of the scene."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        (folder / "a.obj").write_text(CUBE)
        (folder / "b.obj").write_text(CUBE.replace("v 1 0 0", "v 1 0.5 0"))
        (folder / "a.png").write_bytes(PICTURE)
        (folder / "b.png").write_bytes(UPHILL)
        file = folder / "scene.toml"
        file.write_text(scene, encoding="utf-8")
        options = [word for text in sets for word in ("--set", text)]
        if what == "catalogue":
            file.write_text(sets[0] + scene if sets else scene, encoding="utf-8")
            shown = subprocess.run([PROGRAM, "scenes", "--json"], capture_output=True, text=True,
                                   env={**os.environ, "SPINDRIFT_SCENES": str(folder)}, check=True)
            return shown.stdout
        out = folder / "out"
        ended = subprocess.run([PROGRAM, "run", str(file), "-o", str(out), "-q", "--threads", "1", *options],
                               capture_output=True, text=True, check=False)
        if NOT_YET in ended.stderr:
            return NOT_YET
        if what in ("refused", "failure"):
            return ended.returncode
        if ended.returncode != 0:
            return "failed: " + ended.stderr
        manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
        last = manifest["frames"][-1]
        if what == "state":
            return last["state_hash"]
        if what == "identity":
            return manifest["seed"]
        if what == "files":
            return sorted(str(p.relative_to(out)) for p in out.rglob("*") if p.is_file())
        if what == "film":
            return [f["xxh128"] for f in manifest["products"] if f["path"].endswith(".mp4")]
        if what == "probes":
            return [f["xxh128"] for f in manifest["products"] if f["path"].startswith("probes/")]
        if what == "whitewater":
            return [f["xxh128"] for f in last["files"] if f["path"].startswith("whitewater/")]
        ending = {"volumes": ".vdb", "pictures": ".png"}[what]
        return [f["xxh128"] for f in last["files"] if f["path"].endswith(ending)]

    @staticmethod
    def runs(section, setting):
        """Arguments of outcome(), before and after the change."""
        scene, changes, what = CASES[section][setting]
        changed, sets = scene, ()
        for change in changes:
            if isinstance(change, str):
                sets += (change,)
            else:
                changed = changed.replace(*change)
        return (scene, (), what), (changed, sets, what)

    @staticmethod
    def fault(section, setting, before, after):
        what = CASES[section][setting][2]
        if before == NOT_YET and after == NOT_YET:
            return None
        for result in (before, after):
            if isinstance(result, str) and result.startswith("failed"):
                return f"{section} {setting}: {result}"
        if what in ("refused", "failure"):
            wanted = 2 if what == "refused" else 1
            return None if (before, after) == (0, wanted) else f"{section} {setting}: ends with {before}, then {after}"
        return None if before != after else f"{section} {setting}: changes nothing of the {what}"

    def test_every_setting_has_a_case(self):
        self.assertEqual({s: sorted(names) for s, names in reference_settings().items() if s in CASES},
                         {s: sorted(cases) for s, cases in CASES.items()})
        known_elsewhere = {s for s in reference_settings() if s not in CASES}
        self.assertEqual(known_elsewhere, set(), "sections without cases")

    def test_every_setting_does_something(self):
        settings = [(section, setting) for section, cases in CASES.items() for setting in cases]
        needed = sorted({run for one in settings for run in self.runs(*one)})
        with ThreadPoolExecutor(2) as pool:
            outcomes = dict(zip(needed, pool.map(lambda run: self.outcome(*run), needed)))
        faults = [self.fault(*one, *(outcomes[run] for run in self.runs(*one))) for one in settings]
        self.assertEqual("\n".join(fault for fault in faults if fault), "")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
