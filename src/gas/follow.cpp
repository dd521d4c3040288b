// SPDX-License-Identifier: Apache-2.0
#include "gas/follow.h"

#include <cmath>

#include "grid/activation.h"
#include "grid/refit.h"

namespace spindrift {
namespace {

template <int Dim>
TilesPtr<Dim> tiles_of_sources(const GasState<Dim>& gas, const GasWorld<Dim>& world, const TilesPtr<Dim>& all) {
    const GridTransform<Dim>& grid = world.enclosure.grid;
    const double half_diagonal = 0.5 * kTileSide * std::sqrt(double{Dim}) * grid.dx;
    std::vector<std::uint8_t> marks(all->count());
    for (const GasSource<Dim>& source : world.sources) {
        if (!source.is_on(gas.time)) continue;
        for_each_tile(*all, [&](Slot slot) {
            const Vec<double, Dim> middle =
                grid.world_from_cell(Vec<double, Dim>(all->origin(slot)) + Vec<double, Dim>(0.5 * kTileSide));
            if (source.distance(middle) < half_diagonal) marks[static_cast<std::size_t>(slot)] = 1;
        });
    }
    return detail::marked_tiles<Dim>(all, marks);
}

}  // namespace

template <int Dim>
void refit_to_smoke(GasState<Dim>& gas, const GasWorld<Dim>& world, double threshold) {
    const TilesPtr<Dim> all = world.enclosure.all_tiles();
    TilesPtr<Dim> wanted = tiles_of_sources(gas, world, all);
    for (std::size_t s = 0; s < gas.substances.size(); ++s) {
        const auto ambient = static_cast<float>(world.substances[s].ambient);
        const auto limit = static_cast<float>(threshold);
        wanted =
            unite(wanted, tiles_where(gas.substances[s], [=](float v) { return !(std::abs(v - ambient) <= limit); }));
    }
    wanted = clip(dilate_tiles(wanted, 1), all->cell_bounds());
    if (same_tiles(*wanted, gas.tiles())) return;
    refit(gas.velocity, wanted);
    refit(gas.pressure, wanted);
    for (Field<float, Dim>& a : gas.substances) refit(a, wanted);
    for (Field<float, Dim>& way : gas.texture) refit(way, wanted);
}

template void refit_to_smoke(GasState<2>&, const GasWorld<2>&, double);
template void refit_to_smoke(GasState<3>&, const GasWorld<3>&, double);

}  // namespace spindrift
