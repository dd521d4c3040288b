// SPDX-License-Identifier: Apache-2.0
#include "liquid/wind.h"

#include <algorithm>

#include "grid/halo.h"

namespace spindrift {

template <int Dim>
void blow(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const std::vector<Wind<Dim>>& winds,
          const GridTransform<Dim>& grid, double time, int layers) {
    if (winds.empty()) return;
    const auto reach = static_cast<float>((layers + 1) * grid.dx);
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const HaloBlock<float, Dim, 1> level(phi, slot);
        const Index<Dim> origin = phi.tiles().origin(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> at = cell_in_tile<Dim>(n);
            if (!(level(at) < reach)) continue;
            for (int axis = 0; axis < Dim; ++axis) {
                if (level(at) < 0 || level(at - unit<Dim>(axis)) < 0) continue;  // the liquid's own
                float& u = velocity[axis].tile(slot)[n];
                const Vec<double, Dim> place = grid.world_of_face(axis, origin + at);
                for (const Wind<Dim>& wind : winds) {
                    if (wind.region && wind.region(place) > 0) continue;
                    const double alpha = std::clamp(wind.strength(place, time), 0.0, 1.0);
                    if (alpha != 0) u += static_cast<float>(alpha * (wind.velocity(place, time)[axis] - u));
                }
            }
        }
    });
}

#define INSTANTIATE(Dim)                                                                         \
    template void blow(FaceField<Dim>&, const Field<float, Dim>&, const std::vector<Wind<Dim>>&, \
                       const GridTransform<Dim>&, double, int);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
