// SPDX-License-Identifier: Apache-2.0
// The functions whose maximum is contoured, around one tile: φ, the solid's negated distance, and the sides of the box.
// Samples are named by cells local to the tile; a cube is named by its lowest sample, and places in it go from 0 to 1.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/contour.h"
#include "geometry/contour_topology.h"
#include "grid/halo.h"

namespace spindrift::contouring {

// A bit per function.
using Functions = unsigned;

template <int Dim>
struct Crossing {
    Vec<float, Dim> place;  // in the cube
    int function;           // the one that is zero here
};

// One function within one cube: trilinear, less the bow that its second differences show, which are taken where those
// at both ends of an edge agree, the lesser of the two [MinGibou07].  A curved surface is then found to third order;
// the trilinear interpolant alone would ripple with the cells.  Continuous from cube to cube.
template <int Dim>
struct CubeInterpolant {
    std::array<float, kCorners<Dim>> corner;
    std::array<float, kEdges<Dim>> bend;  // second difference along each edge, in units of the values

    struct ValueGradient {
        float value;
        Vec<float, Dim> gradient;  // per cell; of the trilinear part
    };
    ValueGradient operator()(const Vec<float, Dim>& place) const;
};

template <int Dim>
class TileSamples {
  public:
    // The tile at `coordinate`, whether φ has it or not.
    void load(const Field<float, Dim>& phi, const GridTransform<Dim>& transform, const ContourOptions<Dim>& options,
              const Index<Dim>& coordinate);

    // The maximum; negative inside.  From -1 to kTileSide.
    float value(const Index<Dim>& sample) const { return (plain() ? fields_[0] : maximum_)(sample); }

    // Where the line between two neighbouring samples, the first inside, first leaves the inside of any function.
    Crossing<Dim> crossing(const Index<Dim>& cube, int edge) const;

    CubeInterpolant<Dim> interpolant(int function, const Index<Dim>& cube) const;
    // Of central differences, smooth from cube to cube.
    Vec<float, Dim> smooth_gradient(int function, const Index<Dim>& cube, const Vec<float, Dim>& place) const;

  private:
    using Block = HaloBlock<float, Dim, 2>;
    static constexpr int kLowest = -2, kHighest = kTileSide + 1;

    struct Side {
        int axis;
        float slope;    // per cell: ±dx
        float at_zero;  // at local sample 0
    };

    bool plain() const { return fields_used_ == 1 && sides_used_ == 0; }
    int functions() const { return fields_used_ + sides_used_; }
    float value(int function, const Index<Dim>& sample) const {
        if (function < fields_used_) return fields_[static_cast<std::size_t>(function)](sample);
        const Side& side = sides_[static_cast<std::size_t>(function - fields_used_)];
        return side.at_zero + side.slope * static_cast<float>(sample[side.axis]);
    }

    static void load_block(Block& block, const Field<float, Dim>& field, const Index<Dim>& coordinate);
    void add_sides(const Box<double, Dim>& box_in_cells, const Index<Dim>& origin, double dx, const Index<Dim>& period);
    void extrapolate(Block& block, int axis, int last_inside, int outward) const;
    void find_maximum();

    std::array<Block, 2> fields_;
    std::array<Side, 2 * Dim> sides_;
    Block maximum_;
    int fields_used_ = 0, sides_used_ = 0;
};

// Calls f(offset of corner, weight) for the trilinear weights of a place.
template <int Dim, class F>
void for_each_weight(const Vec<float, Dim>& place, F&& f) {
    for (int corner = 0; corner < kCorners<Dim>; ++corner) {
        float weight = 1;
        for (int a = 0; a < Dim; ++a) weight *= has(static_cast<unsigned>(corner), a) ? place[a] : 1 - place[a];
        f(corner_offset<Dim>(corner), weight);
    }
}

}  // namespace spindrift::contouring
