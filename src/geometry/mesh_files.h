// SPDX-License-Identifier: Apache-2.0
// Meshes in files: OBJ, PLY and STL are read, PLY is written.  Readers take no file that they do not understand
// wholly, and say where and what to do about it.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "geometry/mesh.h"

namespace spindrift {

// By the ending of its name: .obj, .ply or .stl.
Result<TriangleMesh> read_mesh(const std::filesystem::path& path);

// Positions and faces; polygons are fanned from their first corner.  Texture coordinates, normals, materials, groups,
// lines and points are passed over.
Result<TriangleMesh> read_obj(const std::filesystem::path& path);

// Text or binary little endian; x y z and, where they are, nx ny nz, vx vy vz and red green blue.
Result<TriangleMesh> read_ply(const std::filesystem::path& path);

// Text or binary.  Corners at the same place become one position; stored normals are passed over.
Result<TriangleMesh> read_stl(const std::filesystem::path& path);

// Binary little endian: float x y z, nx ny nz, vx vy vz and uchar red green blue, as far as the mesh has them, then
// faces as uchar, int vertex_indices.  Written under the name given: crash-safe writing is io's.
Result<void> write_ply(const TriangleMesh& mesh, const std::filesystem::path& path);

}  // namespace spindrift
