// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include "grid/beside.h"
#include "particles/move.h"
#include "surface/level_set.h"
#include "surface/local_box.h"

namespace spindrift {
namespace {

// φ in a tile and those around it as kernels see it.
template <int Dim>
struct PhiWindow {
    const float* tile[kNeighbours<Dim>];  // null where there is none
    float background;
    float dx;
    LocalBox box;  // the container
};

// Rows of places, in cells from the tile's lower corner.
template <int Dim>
struct PlaceRows {
    int count = 0;
    int row[kTileCells<Dim> / kTileSide];  // of the tile, from which the places were traced
    alignas(32) float at[Dim][kTileCells<Dim>];
};

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "surface/level_set_advection.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

// Cells from the surface within which φ is advected: what redistancing starts from, and a cell that the places between
// cells need.
constexpr double kAdvectedCells = kAccurateCells + 1;

// How far a path may lead from each tile in the step, in cells: by the fastest faces there and in the tiles around.
template <int Dim>
std::vector<float> longest_paths(const FaceField<Dim>& velocity, float cells) {
    const Tiles<Dim>& tiles = velocity.tiles();
    std::vector<float> own(tiles.count()), longest(tiles.count());
    for_each_tile(tiles, [&](Slot slot) {
        float square = 0;
        for (int axis = 0; axis < Dim; ++axis) {
            const float* u = velocity[axis].tile(slot);
            float most = 0;
            for (int n = 0; n < kTileCells<Dim>; ++n) most = std::max(most, std::abs(u[n]));
            square += most * most;
        }
        own[static_cast<std::size_t>(slot)] = std::sqrt(square) * cells;
    });
    for_each_tile(tiles, [&](Slot slot) {
        float most = 0;
        for (int n = 0; n < kNeighbours<Dim>; ++n)
            if (const Slot beside = tiles.neighbour(slot, n); beside != kNoTile)
                most = std::max(most, own[static_cast<std::size_t>(beside)]);
        longest[static_cast<std::size_t>(slot)] = most;
    });
    return longest;
}

template <int Dim>
PhiWindow<Dim> window_of(const Field<float, Dim>& phi, Slot slot, const LevelSetGrid<Dim>& grid) {
    PhiWindow<Dim> window;
    for (int n = 0; n < kNeighbours<Dim>; ++n) {
        const Slot beside = phi.tiles().neighbour(slot, n);
        window.tile[n] = beside == kNoTile ? nullptr : phi.tile(beside);
    }
    window.background = phi.background();
    window.dx = static_cast<float>(grid.dx);
    window.box = local_box(grid.box, phi.tiles().origin(slot));
    return window;
}

}  // namespace

template <int Dim>
SurfaceSpeed surface_speed(const Field<float, Dim>& phi, const FaceField<Dim>& velocity,
                           const LevelSetGrid<Dim>& grid) {
    const auto band = static_cast<float>(grid.band * grid.dx);
    const auto is_more = [](auto a, auto b) { return a > b || std::isnan(a); };  // which no number is more than
    std::vector<SurfaceSpeed> fastest(phi.tiles().count());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* level = phi.tile(slot);
        std::array<float, kTileCells<Dim>> sums{}, squares{};
        for (int axis = 0; axis < Dim; ++axis) {
            const float* below = velocity[axis].tile(slot);
            const TileValues<Dim> above = values_above(velocity[axis], slot, axis);
            for (std::size_t n = 0; n < kTileCells<Dim>; ++n) {
                const float u = 0.5F * (below[n] + above[static_cast<int>(n)]);
                sums[n] += std::abs(u);
                squares[n] += u * u;
            }
        }
        float sum = 0, square = 0;
        for (std::size_t n = 0; n < kTileCells<Dim>; ++n) {
            if (std::abs(level[n]) < band && is_more(sums[n], sum)) sum = sums[n];
            if (level[n] < 0 && is_more(squares[n], square)) square = squares[n];
        }
        fastest[static_cast<std::size_t>(slot)] = {sum, std::sqrt(double{square})};
    });
    SurfaceSpeed speed;
    for (const SurfaceSpeed& some : fastest) {
        if (is_more(some.axis_sum, speed.axis_sum)) speed.axis_sum = some.axis_sum;
        if (is_more(some.liquid, speed.liquid)) speed.liquid = some.liquid;
    }
    return speed;
}

template <int Dim>
void advect_level_set(Field<float, Dim>& phi, const FaceField<Dim>& velocity, double dt,
                      const LevelSetGrid<Dim>& grid) {
    check_same_tiles("advect_level_set", "phi", phi.tiles(), "velocity", velocity.tiles());
    const std::vector<float> reach = longest_paths(velocity, static_cast<float>(std::abs(dt) / grid.dx));
    const Field<float, Dim> before = phi;
    parallel_ranges(phi.tiles().count(), kTilesPerBlock<Dim> / 2, [&](std::size_t begin, std::size_t end) {
        PathTracer<Dim> tracer(velocity, -dt, grid.dx, grid.box);
        PlaceRows<Dim> places;
        std::array<float*, Dim> place;
        for (std::size_t a = 0; a < Dim; ++a) place[a] = places.at[a];
        for (std::size_t n = begin; n < end; ++n) {
            const auto slot = static_cast<Slot>(n);
            const double cells = std::min(kAdvectedCells + double{reach[n]}, grid.band - 0.01);
            const auto limit = static_cast<float>(cells * grid.dx);
            SPINDRIFT_PICK(find_near_rows<Dim>)(places, before.tile(slot), limit);
            if (places.count == 0) continue;
            tracer.move(slot, place, static_cast<std::size_t>(places.count * kTileSide));
            SPINDRIFT_PICK(sample_rows<Dim>)(window_of(before, slot, grid), places, phi.tile(slot), limit);
        }
    });
}

#define INSTANTIATE(Dim)                                                                                            \
    template SurfaceSpeed surface_speed(const Field<float, Dim>&, const FaceField<Dim>&, const LevelSetGrid<Dim>&); \
    template void advect_level_set(Field<float, Dim>&, const FaceField<Dim>&, double, const LevelSetGrid<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
