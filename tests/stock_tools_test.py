#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a run writes, read by programs that know nothing of Spindrift.

usage: stock_tools_test.py PROGRAM [TEST…]

Volumes by vdb_print and pyopenvdb, checkpoints by h5py, meshes by the few lines below.  What is read is compared with
the scene, the manifest and the checkpoint.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import h5py
    import numpy as np
    import pyopenvdb as vdb
except ImportError as missing:
    sys.exit(f"{missing}: install python3-openvdb and python3-h5py (make deps)")

PROGRAM = None

# A ball that has just been thrown in a box that begins anywhere, over a sphere-shaped bump.
BALL = """
spindrift = 1
title = "Ball"
seed = 7
gravity = 0
[domain]
origin = [-0.3, 0.2, 1.0]
size = [0.8, 0.64, 0.8]
cell_size = 0.04
[time]
fps = 30
frames = 2
[output]
fields = ["surface", "velocity", "vel", "pressure", "collision"]
names = {velocity = "v"}
images = false
film = false
checkpoint_every = 1
[[liquid]]
shape = "sphere"
center = [0.1, 0.56, 1.4]
radius = 0.17
velocity = [0.5, -0.25, 0.125]
[[solid]]
shape = "sphere"
center = [0.1, 0.2, 1.4]
radius = 0.1
"""
ORIGIN = (-0.3, 0.2, 1.0)
CELLS = (20, 16, 20)
DX = 0.04
CENTRE = (0.1, 0.56, 1.4)
RADIUS = 0.17
VELOCITY = (0.5, -0.25, 0.125)

DAM_2D = """
spindrift = 1
[domain]
size = [1.0, 0.5]
resolution = 40
[time]
frames = 1
[output]
fields = ["surface", "velocity"]
images = false
film = false
checkpoint_every = 1
[[liquid]]
shape = "box"
min = [0.0, 0.0]
max = [0.3, 0.4]
"""

POOL = """
spindrift = 1
[domain]
size = [1.0, 0.5, 0.75]
resolution = 16
[time]
frames = 1
[output]
images = false
film = false
[[liquid]]
shape = "plane"
point = [0.0, 0.21, 0.0]
normal = [0.0, 1.0, 0.0]
"""


def run(folder, name, scene):
    """Runs the scene into folder/name and returns that path and its manifest."""
    file = folder / f"{name}.toml"
    file.write_text(scene, encoding="utf-8")
    out = folder / name
    subprocess.run([PROGRAM, "run", str(file), "-o", str(out), "-q"], check=True)
    return out, json.loads((out / "manifest.json").read_text(encoding="utf-8"))


def dense(grid, counts):
    """The grid's values in the box of cells from 0 to counts."""
    values = np.empty(tuple(counts) + ((3,) if "vec" in grid.valueTypeName else ()), dtype=np.float32)
    grid.copyToArray(values, ijk=(0, 0, 0))
    return values


def field_of(state, name, counts):
    """The same of a checkpoint's field, by what docs/file-formats.md says of it."""
    dims = 2 if counts[2] == 1 else 3
    tiles = state[f"tiles/{state[f'{name}/tiles'][()]}"][:]
    blocks = state[f"{name}/values"][:]
    values = np.full([(n + 7) // 8 * 8 for n in counts[:dims]], state[f"{name}/background"][()], dtype=np.float32)
    for tile, block in zip(tiles, blocks):
        lo = tile * 8
        if (lo >= 0).all() and (lo + 8 <= values.shape).all():
            values[tuple(slice(a, a + 8) for a in lo)] = block
    return values[tuple(slice(0, n) for n in counts[:dims])].reshape(counts)


def read_ply(file):
    """(vertices as a table with named columns, faces)"""
    data = file.read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    header = data[:end].decode("ascii").splitlines()
    assert header[:2] == ["ply", "format binary_little_endian 1.0"], header
    words = [line.split() for line in header]
    counts = {w[1]: int(w[2]) for w in words if w[0] == "element"}
    columns = [w[2] for w in words if w[:2] == ["property", "float"]]
    assert ["property", "list", "uchar", "int", "vertex_indices"] in words, header
    vertices = np.frombuffer(data, dtype=[(c, "<f4") for c in columns], count=counts["vertex"], offset=end)
    faces = np.frombuffer(data, dtype=[("n", "u1"), ("v", "<i4", 3)], count=counts["face"], offset=end + vertices.nbytes)
    assert end + vertices.nbytes + faces.nbytes == len(data), "bytes too many or too few"
    assert (faces["n"] == 3).all(), "not triangles alone"
    return vertices, faces["v"]


def columns(table, *names):
    return np.stack([table[name] for name in names], axis=-1).astype(np.float64)


class StockTools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="spindrift_stock_tools_"))
        cls.ball, cls.manifest = run(cls.folder, "ball", BALL)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def volume(self, frame):
        return str(self.ball / f"frames/ball.{frame:04}.vdb")

    def test_vdb_print_shows_grids_and_metadata(self):
        shown = subprocess.run(["vdb_print", "-l", self.volume(2)], check=True, capture_output=True, text=True)
        self.assertEqual(shown.stderr, "")
        for words in ["fps: 30", "frame: 2", f"scene_hash: {self.manifest['scene']['hash']}", "up_axis: y",
                      "Name: surface", "Name: v", "Name: vel", "Name: pressure", "Name: collision",
                      "class: level set", "class: staggered", "voxel size: 0.04", "unit: m/s", "Tree_vec3s_5_4_3"]:
            self.assertIn(words, shown.stdout)

    def test_metadata_of_the_file(self):
        for frame in range(3):
            _, metadata = vdb.readAll(self.volume(frame))
            record = self.manifest["frames"][frame]
            self.assertEqual(metadata["frame"], frame)
            self.assertEqual(metadata["fps"], 30)
            self.assertAlmostEqual(metadata["time"], frame / 30, places=12)
            self.assertEqual(metadata["up_axis"], "y")
            self.assertEqual(metadata["version"], "spindrift " + self.manifest["version"])
            self.assertEqual(metadata["scene_hash"], self.manifest["scene"]["hash"])
            self.assertEqual(metadata["state_hash"], record["state_hash"])

    def test_classes_and_transforms(self):
        grids, _ = vdb.readAll(self.volume(1))
        classes = {grid.name: grid.gridClass for grid in grids}
        self.assertEqual(classes, {"surface": "level set", "v": "unknown", "vel": "staggered", "pressure": "unknown",
                                   "collision": "level set"})
        for grid in grids:
            # Voxels stand for cell centres; the lower corner of the box is half a cell before the first.
            np.testing.assert_allclose(grid.transform.voxelSize(), [DX] * 3, rtol=1e-12)
            np.testing.assert_allclose(grid.transform.indexToWorld((-0.5, -0.5, -0.5)), ORIGIN, atol=1e-12)
            self.assertEqual(grid.metadata["unit"], {"v": "m/s", "vel": "m/s", "pressure": "m2/s2"}.get(grid.name, "m"))

    def test_the_start_is_what_the_scene_says(self):
        surface = vdb.read(self.volume(0), "surface")
        cells = np.indices(CELLS).reshape(3, -1).T
        places = np.array([surface.transform.indexToWorld(tuple(map(int, c))) for c in cells]).reshape(CELLS + (3,))
        distance = np.linalg.norm(places - CENTRE, axis=-1) - RADIUS
        values = dense(surface, CELLS)
        near = np.abs(distance) < 3 * DX
        self.assertGreater(near.sum(), 500)
        self.assertLess(np.abs(values - distance)[near].max(), 0.1 * DX)
        self.assertTrue(((values < 0) == (distance < 0))[np.abs(distance) > 0.1 * DX].all())

        inside = distance < -2 * DX
        velocity = dense(vdb.read(self.volume(0), "v"), CELLS)
        np.testing.assert_allclose(velocity[inside], np.tile(VELOCITY, (inside.sum(), 1)), atol=1e-6)
        staggered = dense(vdb.read(self.volume(0), "vel"), CELLS)
        np.testing.assert_allclose(staggered[inside], np.tile(VELOCITY, (inside.sum(), 1)), atol=1e-6)

        bump = np.linalg.norm(places - (0.1, 0.2, 1.4), axis=-1) - 0.1
        collision = dense(vdb.read(self.volume(0), "collision"), CELLS)
        both = np.abs(collision) < 0.9 * vdb.read(self.volume(0), "collision").background
        self.assertGreater(both.sum(), 20)
        self.assertLess(np.abs(collision - bump)[both].max(), 1e-5)

    def test_values_continue_those_of_the_checkpoint(self):
        with h5py.File(self.ball / "checkpoints/ball.0002.h5") as file:
            self.assertEqual(file["run/frame"][()], 2)
            # A checkpoint holds the end of the last step before the frame; the frame has moved on from there.
            lag = 2 / 30 - file["state/time"][()]
            self.assertTrue(0 <= lag < 1 / 24, lag)
            state = file["state"]
            vel = dense(vdb.read(self.volume(2), "vel"), CELLS)
            surface, phi = dense(vdb.read(self.volume(2), "surface"), CELLS), field_of(state, "phi", CELLS)
            near = np.abs(phi) < 2 * DX
            self.assertGreater(near.sum(), 500)
            self.assertLess(np.abs(surface - phi)[near].max(), 1.8 * np.abs(vel).max() * lag + 0.1 * DX)
            # At centres: the mean of both faces.
            centred = dense(vdb.read(self.volume(2), "v"), CELLS)
            mean = 0.5 * (vel[:-1, ..., 0] + vel[1:, ..., 0])
            np.testing.assert_allclose(centred[:-1, ..., 0], mean, atol=1e-6)
            self.assertGreater(np.abs(vel).max(), 0.3, "something must move for this to be a test")

    def test_a_2d_volume_is_one_voxel_thick(self):
        out, _ = run(self.folder, "dam", DAM_2D)
        surface = vdb.read(str(out / "frames/dam.0001.vdb"), "surface")
        (_, _, lo), (_, _, hi) = surface.evalActiveVoxelBoundingBox()
        self.assertEqual((lo, hi), (0, 0))
        counts = (40, 20, 1)
        with h5py.File(out / "checkpoints/dam.0001.h5") as file:
            np.testing.assert_array_equal(dense(surface, counts), field_of(file["state"], "phi", counts))
        area = (dense(surface, counts) < 0).sum() * 0.025**2
        self.assertAlmostEqual(area, 0.12, delta=0.012)

    def check_closed(self, vertices, faces):
        """Every edge has two triangles, which run along it in opposite directions; normals point out of the liquid."""
        edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
        self.assertEqual(len(np.unique(edges, axis=0)), len(edges), "an edge is run along twice in one direction")
        directed = set(map(tuple, edges.tolist()))
        self.assertTrue(all((b, a) in directed for a, b in directed), "an edge has a triangle on one side alone")
        self.assertEqual(len(np.unique(faces)), len(vertices), "vertices without a triangle")
        # Around a vertex the triangles form one fan: as many edges leave it as triangles touch it, in one ring.
        following = {}
        for a, b, c in faces.tolist():
            for v, x, y in ((a, b, c), (b, c, a), (c, a, b)):
                following.setdefault(v, {})[x] = y
        for v, ring in following.items():
            start = x = next(iter(ring))
            count = 0
            while True:
                x, count = ring[x], count + 1
                if x == start:
                    break
            self.assertEqual(count, len(ring), f"two surfaces meet in vertex {v}")

        places = columns(vertices, "x", "y", "z")
        normals = columns(vertices, "nx", "ny", "nz")
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-4)
        a, b, c = (places[faces[:, k]] for k in range(3))
        area = np.cross(b - a, c - a) / 2
        volume = np.einsum("ij,ij->i", a, area).sum() / 3
        self.assertGreater(volume, 0, "inside out")
        size = np.linalg.norm(area, axis=1)
        agree = np.einsum("ij,ij->i", area, normals[faces].mean(axis=1))
        self.assertGreater(size[agree > 0].sum() / size.sum(), 0.999, "normals that point inwards")
        centre = np.einsum("ij,ij,ik->k", a, area, a + b + c) / 4 / (3 * volume)
        return places, normals, volume, centre

    def test_the_mesh_is_closed_and_carries_velocities(self):
        vertices, faces = read_ply(self.ball / "mesh/ball.0000.ply")
        self.assertEqual(list(vertices.dtype.names), ["x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz"])
        places, normals, volume, _ = self.check_closed(vertices, faces)
        edges = len(faces) * 3 // 2
        self.assertEqual(len(vertices) - edges + len(faces), 2, "a ball has no holes")
        out = places - CENTRE
        self.assertLess(np.abs(np.linalg.norm(out, axis=1) - RADIUS).max(), 0.1 * DX)
        self.assertGreater(np.einsum("ij,ij->i", out / RADIUS, normals).min(), 0.95)
        self.assertAlmostEqual(volume / (4 / 3 * np.pi * RADIUS**3), 1, delta=0.04)
        np.testing.assert_allclose(columns(vertices, "vx", "vy", "vz"), np.tile(VELOCITY, (len(vertices), 1)), atol=1e-5)

    def test_it_moves_with_its_velocity(self):
        *_, before = self.check_closed(*read_ply(self.ball / "mesh/ball.0000.ply"))
        *_, after = self.check_closed(*read_ply(self.ball / "mesh/ball.0002.ply"))
        np.testing.assert_allclose(before, CENTRE, atol=0.01 * DX)
        np.testing.assert_allclose(after - before, np.array(VELOCITY) * 2 / 30, atol=0.05 * DX)

    def test_a_pool_is_flush_with_its_walls(self):
        out, _ = run(self.folder, "pool", POOL)
        places, _, volume, _ = self.check_closed(*read_ply(out / "mesh/pool.0001.ply"))
        np.testing.assert_allclose(places.min(axis=0), [0, 0, 0], atol=1e-4)
        np.testing.assert_allclose(places.max(axis=0), [1, 0.21, 0.75], atol=2e-3)
        self.assertAlmostEqual(volume, 0.21 * 0.75, delta=0.002)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
