// SPDX-License-Identifier: Apache-2.0
// A scene at up to 64 places along the longest side of its box: where is liquid, where a solid?  For estimates.
#pragma once

#include <vector>

#include "scene/description.h"

namespace spindrift {

struct Samples {
    Index<3> counts{};
    Vec<double, 3> origin{}, spacing{};  // m
    std::vector<char> wet{};
    std::vector<char> solid{};
    bool is_complete = true;  // false when liquid has the shape of a mesh

    Index<3> stride() const { return {counts[1] * counts[2], counts[2], 1}; }
    std::size_t slot(const Index<3>& i) const;
    Vec<double, 3> place(const Index<3>& i) const;
    double volume() const { return spacing[0] * spacing[1] * spacing[2]; }  // m³ (m² in 2D) of one
    // The nearest one to a place, in the box.
    Index<3> at(const Vec<double, 3>& place) const;
    double share(const std::vector<char>& marked) const;
};

Samples sampled(const SceneDescription& scene);

// The slots of those inside a shape; the one nearest to its middle if it falls between them; none outside the box.
std::vector<std::size_t> samples_in(const scene::Shape& shape, const Samples& samples, const SceneDescription& scene);

// The liquid at the end of the run: what sources and inflows give falls, gathers in the lowest places that it can reach
// from there, and leaves by open sides.  `height` becomes the longest fall of a jet, m.
struct Poured {
    std::vector<char> wet{};
    double volume = 0;  // m³ (m² in 2D)
    double height = 0;  // m
};
Poured poured(const SceneDescription& scene, const Samples& samples);

// Cells of the tiles within `band` cells of marked samples.
double tile_cells(const SceneDescription& scene, const Samples& samples, const std::vector<char>& marked, int band);
// ... and of all tiles of the box.
double all_tile_cells(const SceneDescription& scene);

// Area of the liquid's surface, m² (m in 2D), by the faces between samples: in the air, and on solids and sides.
struct SurfaceArea {
    double in_air = 0, on_walls = 0;
};
SurfaceArea surface_area(const Samples& samples, const std::vector<char>& wet, int dim);

// What gravity has to gain: the liquid as it is, against the same liquid come to rest.
struct Fall {
    double mean = 0;      // m, of the centre of mass
    double from_top = 0;  // m, of the highest liquid
};

Fall fall_of(const Samples& samples, int up);

// The velocity that the scene gives to liquid at a moment, m/s.
double given_speed(const SceneDescription& scene, double t);

}  // namespace spindrift
