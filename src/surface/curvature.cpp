// SPDX-License-Identifier: Apache-2.0
#include "surface/curvature.h"

#include <algorithm>
#include <cmath>

#include "grid/halo.h"

namespace spindrift {
namespace {

// In cells: both sides of every face that the surface crosses lie nearer.
constexpr double kNear = 2;

// φ around a tile; beyond the container's walls it is mirrored.
template <int Dim>
class MirroredBlock {
  public:
    MirroredBlock(const Field<float, Dim>& phi, Slot slot, const IndexBox<Dim>& box)
        : values_(phi, slot),
          lo_(box.lo - phi.tiles().origin(slot)),
          hi_(box.hi - phi.tiles().origin(slot) - Index<Dim>(1)) {}
    double operator()(const Index<Dim>& cell) const { return values_(max(lo_, min(hi_, cell))); }

  private:
    HaloBlock<float, Dim, 1> values_;
    Index<Dim> lo_, hi_;
};

// Per cell instead of per metre.
template <int Dim>
double curvature_at(const Index<Dim>& c, const MirroredBlock<Dim>& phi) {
    double slope[Dim], second[Dim], squares = 0, bending = 0;
    for (int a = 0; a < Dim; ++a) {
        const double below = phi(c - unit<Dim>(a)), above = phi(c + unit<Dim>(a));
        slope[a] = 0.5 * (above - below);
        second[a] = above - 2 * phi(c) + below;
        squares += slope[a] * slope[a];
    }
    if (!(squares > 0)) return 0;
    for (int a = 0; a < Dim; ++a) {
        bending += second[a] * (squares - slope[a] * slope[a]);
        for (int b = 0; b < a; ++b) {
            const Index<Dim> along = unit<Dim>(a) + unit<Dim>(b), across = unit<Dim>(a) - unit<Dim>(b);
            const double mixed = 0.25 * (phi(c + along) + phi(c - along) - phi(c + across) - phi(c - across));
            bending -= 2 * slope[a] * slope[b] * mixed;
        }
    }
    return bending / (squares * std::sqrt(squares));
}

}  // namespace

template <int Dim>
Field<float, Dim> curvature(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                            const std::function<bool(Slot)>& where) {
    Field<float, Dim> bend(phi.tiles_ptr());
    const auto near = static_cast<float>(kNear * grid.dx);
    constexpr double kSharpest = Dim - 1;
    for_each_tile(phi.tiles(), [&](Slot slot) {
        if (where && !where(slot)) return;
        const float* level = phi.tile(slot);
        if (std::none_of(level, level + kTileCells<Dim>, [near](float v) { return std::abs(v) < near; })) return;
        const MirroredBlock<Dim> block(phi, slot, grid.box);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            if (!(std::abs(level[n]) < near)) continue;
            const double there = std::clamp(curvature_at(cell_in_tile<Dim>(n), block), -kSharpest, kSharpest);
            // The level through the cell lies φ farther out: 1/κ is longer by that.
            const double away = level[n] / grid.dx / (Dim - 1);
            const double at_surface = there / std::max(1 - there * away, 0.5);
            bend.tile(slot)[n] = static_cast<float>(std::clamp(at_surface, -kSharpest, kSharpest) / grid.dx);
        }
    });
    return bend;
}

template Field<float, 2> curvature(const Field<float, 2>&, const LevelSetGrid<2>&, const std::function<bool(Slot)>&);
template Field<float, 3> curvature(const Field<float, 3>&, const LevelSetGrid<3>&, const std::function<bool(Slot)>&);

}  // namespace spindrift
