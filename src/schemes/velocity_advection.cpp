// SPDX-License-Identifier: Apache-2.0
#include "schemes/velocity_advection.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "grid/collocate.h"
#include "grid/sampler.h"
#include "grid/window_view.h"

namespace spindrift {
namespace {

// A tile whose cells are traced.  Places are in cells; corner is the centre of its first cell.
template <int Dim>
struct TracedTile {
    float corner[Dim], lo[Dim], hi[Dim];  // paths end at lo and hi
    const float* centred[Dim];            // velocity at its cells
    float* moved[Dim];
};

// A tile whose faces along one axis are carried, and what lies below it along that axis.  Places count from where cell
// 0 has its value.
template <int Dim>
struct CarriedTile {
    int axis;
    float corner[Dim], lo[Dim], hi[Dim];
    const float *level, *level_below, *open;
    const float* moved[Dim];
    const float* moved_below[Dim];
};

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "schemes/velocity_advection.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

// In cells: nearer to the surface than this the error estimate would mix in extrapolated velocities.
constexpr float kCorrectedDepth = 1.0F;
// Faces up to here beyond the surface get a value of their own.
constexpr float kCarriedBeyond = 1.5F;

// How far characteristics from a tile go in dt, in whole cells and two more: no farther than the fastest face in it and
// around it.
template <int Dim>
std::vector<int> reaches(const FaceField<Dim>& velocity, double cells_per_speed) {
    const Tiles<Dim>& tiles = velocity.tiles();
    std::vector<float> fastest(tiles.count());
    for_each_tile(tiles, [&](Slot slot) {
        float most = 0;
        for (int axis = 0; axis < Dim; ++axis)
            for (int n = 0; n < kTileCells<Dim>; ++n) most = std::max(most, std::abs(velocity[axis].tile(slot)[n]));
        fastest[static_cast<std::size_t>(slot)] = most;
    });
    std::vector<int> cells(tiles.count());
    for_each_tile(tiles, [&](Slot slot) {
        float most = 0;
        for (int n = 0; n < kNeighbours<Dim>; ++n)
            if (const Slot beside = tiles.neighbour(slot, n); beside != kNoTile)
                most = std::max(most, fastest[static_cast<std::size_t>(beside)]);
        const double far = std::ceil(most * cells_per_speed) + 2;
        cells[static_cast<std::size_t>(slot)] = far < 1e6 ? static_cast<int>(far) : 1000000;
    });
    return cells;
}

// Where what is at cell centres was dt ago (signed_step negative), or will be, from there, in cells: the midpoint rule.
template <int Dim>
VectorField<Dim> displacements(const FaceField<Dim>& velocity, const VectorField<Dim>& centred,
                               const Field<float, Dim>& phi, const Boundaries<Dim>& b, double signed_step,
                               const std::vector<int>& reach, float edge) {
    VectorField<Dim> moved;
    for (int axis = 0; axis < Dim; ++axis) moved[axis] = Field<float, Dim>(phi.tiles_ptr());
    parallel_ranges(phi.tiles().count(), kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
        std::vector<LinearSampler<Dim>> samplers;
        for (int axis = 0; axis < Dim; ++axis) samplers.emplace_back(velocity[axis], Vec<float, Dim>(0.0F));
        for (std::size_t n = begin; n < end; ++n) {
            const auto slot = static_cast<Slot>(n);
            const float* level = phi.tile(slot);
            if (std::none_of(level, level + kTileCells<Dim>, [edge](float v) { return v < edge; })) continue;
            TracedTile<Dim> tile;
            for (int a = 0; a < Dim; ++a) {
                tile.corner[a] = static_cast<float>(phi.tiles().origin(slot)[a]) + 0.5F;
                tile.lo[a] = static_cast<float>(b.box.lo[a]) + 0.5F;
                tile.hi[a] = static_cast<float>(b.box.hi[a]) - 0.5F;
                tile.centred[a] = centred[a].tile(slot);
                tile.moved[a] = moved[a].tile(slot);
            }
            const auto step = static_cast<float>(signed_step);
            if (reach[n] <= kWindowReach) {
                WindowView<Dim> windows[Dim];
                for (int a = 0; a < Dim; ++a) windows[a] = window_view(velocity[a], slot);
                SPINDRIFT_PICK(trace_near_tile<Dim>)(tile, windows, step);
            } else {
                baseline::trace_far_tile<Dim>(tile, samplers.data(), step);
            }
        }
    });
    return moved;
}

// The faces of a tile along an axis; none are carried where there is no tile below, as they are closed.
template <int Dim>
CarriedTile<Dim> carried_tile(int axis, Slot slot, const VectorField<Dim>& moved, const Field<float, Dim>& phi,
                              const Boundaries<Dim>& b, const float* far_away, const float* zeros) {
    const Slot below = phi.tiles().neighbour(slot, side_neighbour<Dim>(axis, false));
    CarriedTile<Dim> tile{};
    tile.axis = axis;
    tile.level = phi.tile(slot);
    tile.level_below = below == kNoTile ? far_away : phi.tile(below);
    tile.open = b.open[axis].tile(slot);
    for (int a = 0; a < Dim; ++a) {
        const float reach =
            a == axis ? 0.0F : 0.5F;  // of faces from the walls: values lie on them, or half a cell away
        tile.corner[a] = static_cast<float>(phi.tiles().origin(slot)[a]);
        tile.lo[a] = static_cast<float>(b.box.lo[a]);
        tile.hi[a] = static_cast<float>(b.box.hi[a]) - 2 * reach;
        tile.moved[a] = moved[a].tile(slot);
        tile.moved_below[a] = below == kNoTile ? zeros : moved[a].tile(below);
    }
    return tile;
}

}  // namespace

template <int Dim>
void advect(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundaries<Dim>& b, double dt,
            VelocityAdvection scheme) {
    check_same_tiles("advect", "phi", phi.tiles(), "velocity", velocity.tiles());
    check_same_tiles("advect", "phi", phi.tiles(), "boundaries", b.open.tiles());
    const bool corrects = scheme == VelocityAdvection::maccormack;
    const double step = dt / b.grid.dx;
    const auto edge = static_cast<float>(kCarriedBeyond * b.grid.dx),
               corrected_edge = static_cast<float>(-kCorrectedDepth * b.grid.dx), cell = static_cast<float>(b.grid.dx);
    const std::vector<int> reach = reaches(velocity, step);
    const VectorField<Dim> centred = collocated(velocity);
    const VectorField<Dim> back = displacements(velocity, centred, phi, b, -step, reach, edge + 1.1F * cell);
    VectorField<Dim> ahead;
    Field<float, Dim> least, most;
    if (corrects) {
        ahead = displacements(velocity, centred, phi, b, step, reach, corrected_edge + 1.1F * cell);
        least = Field<float, Dim>::unfilled(phi.tiles_ptr());
        most = Field<float, Dim>::unfilled(phi.tiles_ptr());
    }
    const std::vector<float> zeros(kTileCells<Dim>, 0.0F), far_away(kTileCells<Dim>, 1e30F);
    const auto for_each_carried = [&](int axis, const Field<float, Dim>& from, const VectorField<Dim>& moved,
                                      float limit, auto&& work) {
        parallel_ranges(phi.tiles().count(), kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
            LinearSampler<Dim> sampler(from, Vec<float, Dim>(0.0F));
            for (std::size_t n = begin; n < end; ++n) {
                const auto slot = static_cast<Slot>(n);
                const float* level = phi.tile(slot);
                // A face's other cell is no nearer to the liquid than this one less a cell.
                const auto within = [deepest = limit + 1.1F * cell](float v) { return v <= deepest; };
                if (std::none_of(level, level + kTileCells<Dim>, within)) continue;
                const CarriedTile<Dim> tile = carried_tile(axis, slot, moved, phi, b, far_away.data(), zeros.data());
                work(slot, tile, reach[n] <= kWindowReach ? nullptr : &sampler);
            }
        });
    };
    for (int axis = 0; axis < Dim; ++axis) {
        const Field<float, Dim> old = std::move(velocity[axis]);

        // Where it came from.
        Field<float, Dim> carried = old;
        for_each_carried(axis, old, back, edge, [&](Slot slot, const CarriedTile<Dim>& tile, LinearSampler<Dim>* far) {
            float *lo = corrects ? least.tile(slot) : nullptr, *hi = corrects ? most.tile(slot) : nullptr;
            if (far == nullptr)
                SPINDRIFT_PICK(carry_near_tile<Dim>)(tile, window_view(old, slot), edge, carried.tile(slot), lo, hi);
            else
                baseline::carry_far_tile<Dim>(tile, *far, edge, carried.tile(slot), lo, hi);
        });
        if (!corrects) {
            velocity[axis] = std::move(carried);
            continue;
        }

        // Carried back again it should be what it was; half the difference is the error.
        velocity[axis] = carried;
        for_each_carried(axis, carried, ahead, corrected_edge,
                         [&](Slot slot, const CarriedTile<Dim>& tile, LinearSampler<Dim>* far) {
                             const float *was = old.tile(slot), *lo = least.tile(slot), *hi = most.tile(slot);
                             float* out = velocity[axis].tile(slot);
                             if (far == nullptr) SPINDRIFT_PICK(correct_near_tile<Dim>)
                             (tile, window_view(carried, slot), corrected_edge, was, lo, hi, out);
                             else baseline::correct_far_tile<Dim>(tile, *far, corrected_edge, was, lo, hi, out);
                         });
    }
}

template void advect(FaceField<2>&, const Field<float, 2>&, const Boundaries<2>&, double, VelocityAdvection);
template void advect(FaceField<3>&, const Field<float, 3>&, const Boundaries<3>&, double, VelocityAdvection);

}  // namespace spindrift
