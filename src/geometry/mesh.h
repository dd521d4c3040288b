// SPDX-License-Identifier: Apache-2.0
// A surface of triangles, and what is wrong with one.  Corners are counter-clockwise seen from outside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/vec.h"

namespace spindrift {

struct TriangleMesh {
    std::vector<Vec<float, 3>> positions;  // m
    std::vector<Vec<std::uint32_t, 3>> triangles;

    // Per position, or empty.
    std::vector<Vec<float, 3>> normals;
    std::vector<Vec<float, 3>> velocities;      // m/s
    std::vector<Vec<std::uint8_t, 3>> colours;  // sRGB

    friend bool operator==(const TriangleMesh&, const TriangleMesh&) = default;
};

// Positive when the triangles of a closed mesh face outward.
double signed_volume(const TriangleMesh& mesh);
double surface_area(const TriangleMesh& mesh);
// lo above hi when there are no positions.
Box<float, 3> bounding_box(const TriangleMesh& mesh);
std::uint64_t state_hash(const TriangleMesh& mesh);

// For each position the first one at the same place: the seams of files that repeat positions are no holes.
std::vector<std::uint32_t> welded_positions(const TriangleMesh& mesh);

// Turns triangles so that neighbours agree, in each connected part as most of its area has it.  Edges of more than two
// triangles part their neighbours.  Returns how many were turned.
std::size_t orient_consistently(TriangleMesh& mesh);

// What may go wrong when a mesh becomes a solid.  Places that coincide count as one.
struct MeshReport {
    std::size_t open_edges = 0;            // of one triangle only: the border of a hole
    std::size_t nonmanifold_edges = 0;     // of three or more
    std::size_t misoriented_edges = 0;     // of two that disagree on which side is outside
    std::size_t degenerate_triangles = 0;  // without area, and left out of all else
    bool inside_out = false;               // encloses less than nothing
    double volume = 0;                     // m³, signed
    double area = 0;                       // m²
    Box<float, 3> bounds;
    // m: the least way through the solid, along inward normals from triangles to walls that face them, by samples; +∞
    // where no wall does.  Liquid at cells larger than this relies on the closing of thin walls.
    double thinnest = 0;

    bool closed() const { return open_edges == 0 && nonmanifold_edges == 0; }
};
MeshReport examine(const TriangleMesh& mesh);

// A line for each thing wrong, with what to do about it; empty for a good mesh.
std::vector<std::string> warnings(const MeshReport& report, double dx);

}  // namespace spindrift
