// SPDX-License-Identifier: Apache-2.0
// The vertices of a contour (geometry/contour.h): one for each patch of surface in each cube, where the patch lies.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/contour.h"
#include "geometry/contour_topology.h"

namespace spindrift::contouring {

// What joining the vertices must know of a cube: a bit field, 0 where no surface passes.
//   bits 0–7 corners inside, 8–13 faces whose inner corners are joined, 14–16 lower faces with vertices of their own,
//   17–31 the cube's first vertex, counted from its tile's first
class Cube {
  public:
    Cube() = default;
    Cube(unsigned inside, unsigned joined, unsigned doubled, std::uint32_t first)
        : bits_(inside | joined << 8 | doubled << 14 | first << 17) {}

    unsigned inside() const { return bits_ & 0xFF; }
    unsigned joined() const { return bits_ >> 8 & 0x3F; }
    unsigned doubled() const { return bits_ >> 14 & 0x7; }
    std::uint32_t first() const { return bits_ >> 17; }

  private:
    std::uint32_t bits_ = 0;
};

template <int Dim>
struct Vertices {
    TilesPtr<Dim> tiles;               // all that hold the lowest sample of a cube with surface, and maybe more
    std::vector<Cube> cubes;           // kTileCells per tile
    std::vector<std::uint32_t> first;  // vertex of each tile
    std::vector<Vec<float, Dim>> positions, normals;

    const Cube* cubes_of(Slot slot) const { return &cubes[static_cast<std::size_t>(slot) * kTileCells<Dim>]; }
};

template <int Dim>
Vertices<Dim> find_vertices(const Field<float, Dim>& phi, const GridTransform<Dim>& transform,
                            const ContourOptions<Dim>& options);

}  // namespace spindrift::contouring
