// SPDX-License-Identifier: Apache-2.0
// Turbulence as a force: smooth noise, which has independent random vectors at points a unit apart in space and time
// and is interpolated smoothly between them.  Components lie between −1 and 1.  [Perlin85] in spirit: values, not
// gradients.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "grid/dimension.h"
#include "grid/transform.h"

namespace spindrift {

template <int Dim>
Vec<double, Dim> vector_noise(const Vec<double, Dim>& place, double time, std::uint64_t seed);

// An acceleration, m/s²: strength(t) · noise(x / size, t · frequency).
struct Turbulence {
    double size;       // m: of its swirls
    double frequency;  // 1/s
    std::uint64_t seed;
    std::function<double(double time)> strength;

    template <int Dim>
    Vec<double, Dim> at(const Vec<double, Dim>& place, double time) const {
        return vector_noise<Dim>(place / size, time * frequency, seed) * strength(time);
    }
};

// The same at all faces of one tile after another.  Faces share the points of the lattice around them, whose vectors
// are drawn once.
template <int Dim>
class TurbulenceOnTile {
  public:
    TurbulenceOnTile(const Turbulence& force, const GridTransform<Dim>& grid, double time);

    void begin(const Index<Dim>& tile_origin);
    // The component across the faces of an axis.
    void find(int axis, float* out) const;

  private:
    // Points of the lattice at or below faces or centres along an axis of the tile, and how far beyond them these lie,
    // smoothed.
    struct Between {
        int below[kTileSide];
        double share[kTileSide];
    };
    void join_faces(int axis, float* out) const;

    const Turbulence& force_;
    const GridTransform<Dim>& grid_;
    double time_, strength_;
    Index<Dim> origin_{};
    Between on_faces_[Dim], on_centres_[Dim];
    IndexBox<Dim> points_{};  // of the lattice around the tile, where their number is worth it
    std::vector<Vec<double, Dim>> vectors_;
};

extern template class TurbulenceOnTile<2>;
extern template class TurbulenceOnTile<3>;

}  // namespace spindrift
