// SPDX-License-Identifier: Apache-2.0
#include "surface/upwind_advection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "grid/collocate.h"
#include "surface/local_box.h"

namespace spindrift {
namespace {

// A tile as the kernel sees it.
template <int Dim>
struct UpwindTile {
    const float* phi;  // the whole field, of the stage before
    const Slot* neighbours;
    Slot slot;
    float background;
    LocalBox box;                // the container
    const float* start;          // this tile, before the sub-step
    const float* velocity[3]{};  // this tile, at cell centres
    float dx, dt, limit;
};

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "surface/upwind_advection.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

// Cells that nothing may cross in a sub-step, as a sum over the axes.  The scheme is stable up to 1.4.
constexpr double kCourant = 1;

// The largest Σ|u| over the axes of liquid near the surface
// and of the cells beside it, m/s.
template <int Dim>
double fastest_at_surface(const Field<float, Dim>& phi, const VectorField<Dim>& velocity,
                          const LevelSetGrid<Dim>& grid) {
    const auto band = static_cast<float>(grid.band * grid.dx), beside = static_cast<float>(grid.dx);
    std::vector<float> fastest(phi.tiles().count(), 0.0F);
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* level = phi.tile(slot);
        float most = 0;
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            if (!(level[n] > -band && level[n] < beside)) continue;
            float sum = 0;
            for (int axis = 0; axis < Dim; ++axis) sum += std::abs(velocity[axis].tile(slot)[n]);
            most = std::max(most, sum);
        }
        fastest[static_cast<std::size_t>(slot)] = most;
    });
    return fastest.empty() ? 0 : *std::max_element(fastest.begin(), fastest.end());
}

template <int Dim>
std::vector<Slot> tiles_in_band(const Field<float, Dim>& phi, float band) {
    std::vector<std::uint8_t> marked(phi.tiles().count());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* level = phi.tile(slot);
        marked[static_cast<std::size_t>(slot)] =
            std::any_of(level, level + kTileCells<Dim>, [band](float v) { return std::abs(v) < band; }) ? 1 : 0;
    });
    std::vector<Slot> slots;
    for (std::size_t n = 0; n < marked.size(); ++n)
        if (marked[n] != 0) slots.push_back(static_cast<Slot>(n));
    return slots;
}

}  // namespace

template <int Dim>
int advect_level_set_upwind(Field<float, Dim>& phi, const FaceField<Dim>& velocity, double dt,
                            const LevelSetGrid<Dim>& grid) {
    check_same_tiles("advect_level_set_upwind", "phi", phi.tiles(), "velocity", velocity.tiles());
    const VectorField<Dim> centred = collocated(velocity);
    const double cells = fastest_at_surface(phi, centred, grid) * dt / grid.dx;
    CHECK(cells < std::numeric_limits<int>::max(), "advect_level_set_upwind: a step of {} cells", cells);
    const int steps = std::max(1, static_cast<int>(std::ceil(cells / kCourant)));
    // The edge of the band does not move.
    const auto limit = static_cast<float>((grid.band - 0.01) * grid.dx);
    const std::vector<Slot> near = tiles_in_band(phi, limit);
    Field<float, Dim> first = phi, second = phi;
    const auto stage = [&](Field<float, Dim>& out, const Field<float, Dim>& in, float keep) {
        parallel_ranges(near.size(), kTilesPerBlock<Dim> / 2, [&](std::size_t begin, std::size_t end) {
            for (std::size_t n = begin; n < end; ++n) {
                const Slot slot = near[n];
                UpwindTile<Dim> tile{.phi = in.tile(0),
                                     .neighbours = in.tiles().neighbours(),
                                     .slot = slot,
                                     .background = in.background(),
                                     .box = local_box(grid.box, in.tiles().origin(slot)),
                                     .start = phi.tile(slot),
                                     .dx = static_cast<float>(grid.dx),
                                     .dt = static_cast<float>(dt / steps),
                                     .limit = limit};
                for (int axis = 0; axis < Dim; ++axis) tile.velocity[axis] = centred[axis].tile(slot);
                SPINDRIFT_PICK(upwind_tile<Dim>)(tile, out.tile(slot), keep);
            }
        });
    };
    for (int n = 0; n < steps; ++n) {
        stage(first, phi, 0.0F);
        stage(second, first, 0.75F);
        stage(phi, second, 1 / 3.0F);
    }
    return steps;
}

template int advect_level_set_upwind(Field<float, 2>&, const FaceField<2>&, double, const LevelSetGrid<2>&);
template int advect_level_set_upwind(Field<float, 3>&, const FaceField<3>&, double, const LevelSetGrid<3>&);

}  // namespace spindrift
