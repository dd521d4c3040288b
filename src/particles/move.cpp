// SPDX-License-Identifier: Apache-2.0
#include "particles/move.h"

#include <algorithm>
#include <vector>

#include "base/simd.h"
#include "grid/sampler.h"
#include "particles/tile_block.h"

namespace spindrift {
namespace {

// Cells around a tile in which the part of a step mostly ends after which velocities are asked for; those that go
// farther take a slower way.
constexpr int kReach = 4;
constexpr int kBlockSide = kTileSide + 2 * kReach;

// A tile's places as the kernel sees them.
template <int Dim>
struct MoveTile {
    const float* velocity[Dim];  // the first value of a block
    float* place[Dim];
    std::size_t count;
    float cells;  // that a unit of velocity covers in the step
};

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "particles/move.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

// Particles are kept this far from walls, in cells: inside for certain, and nearer than any radius.
constexpr float kWallMargin = 1e-3F;

}  // namespace

template <int Dim>
void keep_inside(ParticleSet<Dim>& particles, Slot slot, const IndexBox<Dim>& box) {
    const Index<Dim> origin = particles.tiles->origin(slot);
    for (int a = 0; a < Dim; ++a) {
        const float lo = static_cast<float>(box.lo[a] - origin[a]) + kWallMargin,
                    hi = static_cast<float>(box.hi[a] - origin[a]) - kWallMargin;
        float* place = particles.position[static_cast<std::size_t>(a)].data();
        for (std::size_t n = particles.begin(slot); n < particles.end(slot); ++n)
            place[n] = !(place[n] >= lo) ? lo : place[n] > hi ? hi : place[n];
    }
}

template <int Dim>
struct PathTracer<Dim>::Work {
    const FaceField<Dim>& velocity;
    FaceSampler<Dim> far_velocity;
    float cells;
    IndexBox<Dim> box;
    std::array<TileBlock<Dim, kReach>, Dim> blocks{};
    std::vector<std::uint32_t> far{};

    // The place after a step that asks for velocities beyond the blocks.
    Vec<float, Dim> moved_far(const Vec<float, Dim>& origin, const Vec<float, Dim>& start) {
        const Vec<float, Dim> first = far_velocity(origin + start);
        const auto after = [&](float part, const Vec<float, Dim>& u) {
            return far_velocity(origin + (start + u * (part * cells)));
        };
        return start + (first * 0.25F + after(2 / 3.0F, after(1 / 3.0F, first)) * 0.75F) * cells;
    }
};

template <int Dim>
PathTracer<Dim>::PathTracer(const FaceField<Dim>& velocity, double dt, double dx, const IndexBox<Dim>& box)
    : work_(new Work{velocity, FaceSampler<Dim>(velocity), static_cast<float>(dt / dx), box}) {}
template <int Dim>
PathTracer<Dim>::~PathTracer() = default;

template <int Dim>
void PathTracer<Dim>::move(Slot slot, const std::array<float*, Dim>& place, std::size_t count) {
    Work& w = *work_;
    MoveTile<Dim> tile;
    tile.count = count;
    tile.cells = w.cells;
    for (int a = 0; a < Dim; ++a) {
        const auto axis = static_cast<std::size_t>(a);
        IndexBox<Dim> faces = w.box;
        ++faces.hi[a];  // there is a face beyond the last cell
        w.blocks[axis].load(w.velocity[a], slot, faces);
        tile.velocity[a] = w.blocks[axis].first();
        tile.place[a] = place[axis];
    }
    if (w.far.size() < count) w.far.resize(count);
    const std::size_t far = SPINDRIFT_PICK(move_rows<Dim>)(tile, w.far.data());
    const Vec<float, Dim> origin(w.velocity.tiles().origin(slot));
    for (std::size_t n = 0; n < far; ++n) {
        Vec<float, Dim> start;
        for (int a = 0; a < Dim; ++a) start[a] = tile.place[a][w.far[n]];
        const Vec<float, Dim> end = w.moved_far(origin, start);
        for (int a = 0; a < Dim; ++a) tile.place[a][w.far[n]] = end[a];
    }
}

template <int Dim>
void move_particles(ParticleSet<Dim>& particles, const FaceField<Dim>& velocity, double dt, double dx,
                    const IndexBox<Dim>& box) {
    check_same_tiles("move_particles", "particles", *particles.tiles, "velocity", velocity.tiles());
    parallel_ranges(particles.tiles->count(), kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
        PathTracer<Dim> tracer(velocity, dt, dx, box);
        for (std::size_t tile = begin; tile < end; ++tile) {
            const auto slot = static_cast<Slot>(tile);
            const std::size_t first = particles.begin(slot), count = particles.end(slot) - first;
            if (count == 0) continue;
            std::array<float*, Dim> place;
            for (std::size_t a = 0; a < Dim; ++a) place[a] = particles.position[a].data() + first;
            tracer.move(slot, place, count);
            keep_inside(particles, slot, box);
        }
    });
}

#define INSTANTIATE(Dim)                                                      \
    template class PathTracer<Dim>;                                           \
    template void keep_inside(ParticleSet<Dim>&, Slot, const IndexBox<Dim>&); \
    template void move_particles(ParticleSet<Dim>&, const FaceField<Dim>&, double, double, const IndexBox<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
