// SPDX-License-Identifier: Apache-2.0
#include "gas/sparse_tiles.h"

#include <algorithm>
#include <cmath>

#include "grid/refit.h"

namespace spindrift {
namespace {

// Adds the tiles of the box that sources which are on reach into.
template <int Dim>
void add_tiles_of_sources(std::vector<Index<Dim>>& tiles, const GasWorld<Dim>& world, double time) {
    const GridTransform<Dim>& grid = world.domain.grid;
    const double half_diagonal = 0.5 * kTileSide * std::sqrt(double{Dim}) * grid.dx;
    for (const GasSource<Dim>& source : world.sources) {
        if (!source.is_on(time)) continue;
        for_each_index(world.domain.tile_box(), [&](const Index<Dim>& tile) {
            const Vec<double, Dim> middle = (Vec<double, Dim>(tile) + Vec<double, Dim>(0.5)) * double{kTileSide};
            if (source.distance(grid.world_from_cell(middle), time) < half_diagonal) tiles.push_back(tile);
        });
    }
}

// Adds the tiles with a substance further than `threshold` from its ambient value.
template <int Dim>
void add_tiles_of_smoke(std::vector<Index<Dim>>& tiles, const GasState<Dim>& gas, const GasWorld<Dim>& world,
                        double threshold) {
    std::vector<std::uint8_t> full(gas.tiles().count());
    const auto limit = static_cast<float>(threshold);
    for (std::size_t s = 0; s < gas.substances.size(); ++s) {
        const auto ambient = static_cast<float>(world.substances[s].ambient);
        for_each_tile(gas.tiles(), [&](Slot slot) {
            std::uint8_t& mark = full[static_cast<std::size_t>(slot)];
            if (mark != 0) return;
            const float* v = gas.substances[s].tile(slot);
            int beyond = 0;
            for (int n = 0; n < kTileCells<Dim>; ++n) beyond |= !(std::abs(v[n] - ambient) <= limit) ? 1 : 0;
            mark = beyond != 0 ? 1 : 0;
        });
    }
    for (std::size_t slot = 0; slot < full.size(); ++slot)
        if (full[slot] != 0) tiles.push_back(gas.tiles().coordinate(static_cast<Slot>(slot)));
}

// As many times the tiles that are wanted a block of them may have.  Its pressure is solved for directly, in less than
// half the time a tile; but all else takes its time in every tile.
constexpr double kMostOfBlock = 1.6;

// The tiles with the gaps between them filled up to a block, if these are few.
template <int Dim>
TilesPtr<Dim> filled_to_block(const TilesPtr<Dim>& tiles) {
    const IndexBox<Dim>& block = tiles->cell_bounds();
    if (static_cast<double>(number_in(block)) > kMostOfBlock * static_cast<double>(tiles->cell_count())) return tiles;
    return Tiles<Dim>::covering(block, tiles->period());
}

// All tiles at most one tile away from some, in the box; null when these are the ones that there are.
template <int Dim>
TilesPtr<Dim> tiles_around(const std::vector<Index<Dim>>& some, const Tiles<Dim>& present, const Domain<Dim>& domain) {
    const IndexBox<Dim> box = domain.tile_box();
    std::vector<std::uint8_t> kept(present.count());
    std::vector<Index<Dim>> wanted;
    const auto want = [&](const Index<Dim>& tile, Slot slot) {
        if (slot != kNoTile) {
            kept[static_cast<std::size_t>(slot)] = 1;
            return;
        }
        for (int a = 0; a < Dim; ++a)
            if (!domain.is_periodic(a) && (tile[a] < box.lo[a] || tile[a] >= box.hi[a])) return;
        wanted.push_back(tile);
    };
    for (const Index<Dim>& tile : some) {
        const Slot slot = present.find(tile);
        for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& side) {
            want(tile + side,
                 slot == kNoTile ? present.find(tile + side) : present.neighbour(slot, neighbour_number(side)));
        });
    }
    if (wanted.empty() && std::all_of(kept.begin(), kept.end(), [](std::uint8_t k) { return k != 0; })) return nullptr;
    for (std::size_t slot = 0; slot < kept.size(); ++slot)
        if (kept[slot] != 0) wanted.push_back(present.coordinate(static_cast<Slot>(slot)));
    return Tiles<Dim>::from_coordinates(std::move(wanted), present.period());
}

}  // namespace

template <int Dim>
void refit_to_smoke(GasState<Dim>& gas, const GasWorld<Dim>& world, double threshold) {
    std::vector<Index<Dim>> full;
    add_tiles_of_sources(full, world, gas.time);
    add_tiles_of_smoke(full, gas, world, threshold);
    TilesPtr<Dim> wanted = tiles_around(full, gas.tiles(), world.domain);
    if (wanted == nullptr) return;
    if (!world.solids.any()) wanted = filled_to_block(wanted);
    if (same_tiles(*wanted, gas.tiles())) return;
    refit(gas.velocity, wanted);
    refit(gas.pressure, wanted);
    for (Field<float, Dim>& a : gas.substances) refit(a, wanted);
    for (Field<float, Dim>& way : gas.texture) refit(way, wanted);
}

template void refit_to_smoke(GasState<2>&, const GasWorld<2>&, double);
template void refit_to_smoke(GasState<3>&, const GasWorld<3>&, double);

}  // namespace spindrift
