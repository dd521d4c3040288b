// SPDX-License-Identifier: Apache-2.0
#include "liquid/sources.h"

#include <algorithm>
#include <cmath>

namespace spindrift {
namespace {

// Farther from a tile's middle a shape leaves all values in the band as they are, m.
template <int Dim>
double reach(const LevelSetGrid<Dim>& grid) {
    return (grid.band + 0.5 * kTileSide * std::sqrt(double{Dim})) * grid.dx;
}

template <int Dim>
Vec<double, Dim> middle_of(const Tiles<Dim>& tiles, Slot slot, const GridTransform<Dim>& transform) {
    return transform.world_from_cell(Vec<double, Dim>(tiles.origin(slot)) + Vec<double, Dim>(0.5 * kTileSide));
}

}  // namespace

template <int Dim>
TilesPtr<Dim> tiles_of(const LiquidSource<Dim>& source, double time, const GridTransform<Dim>& transform,
                       const LevelSetGrid<Dim>& grid, const IndexBox<Dim>& box, const Index<Dim>& period) {
    std::vector<Index<Dim>> wanted;
    const IndexBox<Dim> coordinates{tile_of_cell(box.lo), tile_of_cell(box.hi - Index<Dim>(1)) + Index<Dim>(1)};
    for_each_index(coordinates, [&](const Index<Dim>& tile) {
        const Vec<double, Dim> middle =
            transform.world_from_cell(Vec<double, Dim>(first_cell(tile)) + Vec<double, Dim>(0.5 * kTileSide));
        if (source.distance(middle, time) < reach(grid)) wanted.push_back(tile);
    });
    return Tiles<Dim>::from_coordinates(std::move(wanted), period);
}

template <int Dim>
void fill_source(LiquidState<Dim>& liquid, const LiquidSource<Dim>& source, const GridTransform<Dim>& transform,
                 const LevelSetGrid<Dim>& grid) {
    const double band = grid.band * grid.dx, time = liquid.time;
    for_each_tile(liquid.tiles(), [&](Slot slot) {
        if (source.distance(middle_of(liquid.tiles(), slot, transform), time) > reach(grid)) return;
        const Index<Dim> origin = liquid.tiles().origin(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> cell = origin + cell_in_tile<Dim>(n);
            float& phi = liquid.phi.tile(slot)[n];
            phi = std::min(phi,
                           static_cast<float>(std::max(source.distance(transform.world_of_centre(cell), time), -band)));
            for (int axis = 0; axis < Dim; ++axis) {
                const Vec<double, Dim> face = transform.world_of_face(axis, cell);
                if (source.distance(face, time) < 0)
                    liquid.velocity[axis].tile(slot)[n] = static_cast<float>(source.velocity(face, time)[axis]);
            }
        }
    });
}

template <int Dim>
void drain(Field<float, Dim>& phi, const LiquidSink<Dim>& sink, const GridTransform<Dim>& transform,
           const LevelSetGrid<Dim>& grid) {
    const double band = grid.band * grid.dx;
    for_each_tile(phi.tiles(), [&](Slot slot) {
        if (sink.distance(middle_of(phi.tiles(), slot, transform)) > reach(grid)) return;
        const Index<Dim> origin = phi.tiles().origin(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const double out = -sink.distance(transform.world_of_centre(origin + cell_in_tile<Dim>(n)));
            float& value = phi.tile(slot)[n];
            value = std::max(value, static_cast<float>(std::min(out, band)));
        }
    });
}

#define INSTANTIATE(Dim)                                                                                \
    template TilesPtr<Dim> tiles_of(const LiquidSource<Dim>&, double, const GridTransform<Dim>&,        \
                                    const LevelSetGrid<Dim>&, const IndexBox<Dim>&, const Index<Dim>&); \
    template void fill_source(LiquidState<Dim>&, const LiquidSource<Dim>&, const GridTransform<Dim>&,   \
                              const LevelSetGrid<Dim>&);                                                \
    template void drain(Field<float, Dim>&, const LiquidSink<Dim>&, const GridTransform<Dim>&,          \
                        const LevelSetGrid<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
