// SPDX-License-Identifier: Apache-2.0
#include "liquid/sources.h"

#include <algorithm>
#include <cmath>

namespace spindrift {

template <int Dim>
TilesPtr<Dim> tiles_of(const LiquidSource<Dim>& source, const GridTransform<Dim>& transform,
                       const LevelSetGrid<Dim>& grid) {
    const TilesPtr<Dim> all = Tiles<Dim>::covering(grid.box);
    const double reach = (grid.band + 0.5 * kTileSide * std::sqrt(double{Dim})) * grid.dx;
    std::vector<Index<Dim>> wanted;
    for (std::size_t n = 0; n < all->count(); ++n) {
        const Vec<double, Dim> middle =
            Vec<double, Dim>(all->origin(static_cast<Slot>(n))) + Vec<double, Dim>(0.5 * kTileSide);
        if (source.distance(transform.world_from_cell(middle)) < reach)
            wanted.push_back(all->coordinate(static_cast<Slot>(n)));
    }
    return Tiles<Dim>::from_coordinates(std::move(wanted));
}

template <int Dim>
void fill_source(LiquidState<Dim>& liquid, const LiquidSource<Dim>& source, const GridTransform<Dim>& transform,
                 const LevelSetGrid<Dim>& grid) {
    const double band = grid.band * grid.dx;
    const double reach = band + 0.5 * kTileSide * std::sqrt(double{Dim}) * grid.dx;
    for_each_tile(liquid.tiles(), [&](Slot slot) {
        const Index<Dim> origin = liquid.tiles().origin(slot);
        if (source.distance(transform.world_from_cell(Vec<double, Dim>(origin) + Vec<double, Dim>(0.5 * kTileSide))) >
            reach)
            return;
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> cell = origin + cell_in_tile<Dim>(n);
            float& phi = liquid.phi.tile(slot)[n];
            phi = std::min(phi, static_cast<float>(std::max(source.distance(transform.world_of_centre(cell)), -band)));
            for (int axis = 0; axis < Dim; ++axis) {
                const Vec<double, Dim> face = transform.world_of_face(axis, cell);
                if (source.distance(face) < 0)
                    liquid.velocity[axis].tile(slot)[n] = static_cast<float>(source.velocity(face, liquid.time)[axis]);
            }
        }
    });
}

#define INSTANTIATE(Dim)                                                                                            \
    template TilesPtr<Dim> tiles_of(const LiquidSource<Dim>&, const GridTransform<Dim>&, const LevelSetGrid<Dim>&); \
    template void fill_source(LiquidState<Dim>&, const LiquidSource<Dim>&, const GridTransform<Dim>&,               \
                              const LevelSetGrid<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
