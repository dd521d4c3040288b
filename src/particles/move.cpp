// SPDX-License-Identifier: Apache-2.0
#include "particles/move.h"

#include <algorithm>

#include "base/simd.h"
#include "grid/sampler.h"
#include "particles/tile_block.h"

namespace spindrift {
namespace {

// Cells around a tile in which the part of a step mostly ends after which velocities are asked for; those that go
// farther take a slower way.
template <int Dim, PathRule rule>
struct MoveBlock {
    static constexpr int kWidth = rule == PathRule::midpoint ? 3 : 4;
    static constexpr int kSide = kTileSide + 2 * kWidth;
    using Block = TileBlock<Dim, kWidth>;
};

// A tile's particles as the kernel sees them.
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

// What a thread needs to move the particles of one tile after the other.
template <int Dim, PathRule rule>
class Mover {
  public:
    Mover(ParticleSet<Dim>& particles, const FaceField<Dim>& velocity, float cells, const Enclosure<Dim>& enclosure)
        : particles_(particles), velocity_(velocity), far_velocity_(velocity), cells_(cells), enclosure_(enclosure) {}

    void move(Slot slot) {
        const std::size_t begin = particles_.begin(slot);
        MoveTile<Dim> tile;
        tile.count = particles_.end(slot) - begin;
        tile.cells = cells_;
        for (int a = 0; a < Dim; ++a) {
            IndexBox<Dim> box = enclosure_.box;
            ++box.hi[a];  // there is a face beyond the last cell
            auto& block = blocks_[static_cast<std::size_t>(a)];
            block.load(velocity_[a], slot, box);
            tile.velocity[a] = block.first();
            tile.place[a] = particles_.position[static_cast<std::size_t>(a)].data() + begin;
        }
        if (far_.size() < tile.count) far_.resize(tile.count);
        const std::size_t far = SPINDRIFT_PICK(move_rows<Dim, rule>)(tile, far_.data());
        for (std::size_t n = 0; n < far; ++n) move_far(slot, begin + far_[n]);
    }

    // Brings those that went through closed walls back, and marks those that left through open ones.
    void keep_inside(Slot slot, MoveReport& report) {
        const Index<Dim> origin = particles_.tiles->origin(slot);
        for (int a = 0; a < Dim; ++a) {
            const auto axis = static_cast<std::size_t>(a);
            const float lo = static_cast<float>(enclosure_.box.lo[a] - origin[a]) + kWallMargin,
                        hi = static_cast<float>(enclosure_.box.hi[a] - origin[a]) - kWallMargin;
            float* place = particles_.position[axis].data();
            const std::size_t begin = particles_.begin(slot), end = particles_.end(slot);
            int outside = 0;
            for (std::size_t n = begin; n < end; ++n)
                outside |= static_cast<int>(!(place[n] >= lo)) | static_cast<int>(!(place[n] <= hi));
            for (std::size_t n = begin; outside != 0 && n < end; ++n) {
                if (place[n] >= lo && place[n] <= hi) continue;
                const bool above = place[n] > hi;
                if (enclosure_.open[axis][above ? 1 : 0]) {
                    report.left += particles_.radius[n] != 0 ? 1 : 0;
                    particles_.radius[n] = 0;
                } else {
                    place[n] = above ? hi : lo;
                    ++report.held;
                }
            }
        }
    }

  private:
    void move_far(Slot slot, std::size_t n) {
        const Vec<float, Dim> origin(particles_.tiles->origin(slot)), start = particles_.place(n);
        const Vec<float, Dim> first = far_velocity_(origin + start);
        const auto after = [&](float part, const Vec<float, Dim>& u) {
            return far_velocity_(origin + (start + u * (part * cells_)));
        };
        if constexpr (rule == PathRule::midpoint)
            particles_.set_place(n, start + after(0.5F, first) * cells_);
        else
            particles_.set_place(n, start + (first * 0.25F + after(2 / 3.0F, after(1 / 3.0F, first)) * 0.75F) * cells_);
    }

    ParticleSet<Dim>& particles_;
    const FaceField<Dim>& velocity_;
    FaceSampler<Dim> far_velocity_;
    float cells_;
    const Enclosure<Dim>& enclosure_;
    std::array<typename MoveBlock<Dim, rule>::Block, Dim> blocks_;
    std::vector<std::uint32_t> far_;
};

// Pushes particles out of the solids, along the slope of their distance.
template <int Dim>
void push_out_of_solid(ParticleSet<Dim>& particles, Slot slot, const Field<float, Dim>& solid, float dx,
                       MoveReport& report) {
    // A step of at most a tile may end inside a solid that near.
    const float *values = solid.tile(slot), edge = kTileSide * dx;
    if (std::none_of(values, values + kTileCells<Dim>, [=](float v) { return v < edge; })) return;
    LinearSampler<Dim> distance_at(solid);
    const Vec<float, Dim> origin(particles.tiles->origin(slot));
    for (std::size_t n = particles.begin(slot); n < particles.end(slot); ++n) {
        // Twice, because the distance is linear between cells only.
        for (int pass = 0; pass < 2; ++pass) {
            const auto [distance, slope] = distance_at.value_and_gradient(origin + particles.place(n));
            const float size = length(slope);
            if (distance >= 0 || !(size > 0)) break;
            if (pass == 0) ++report.held;
            particles.set_place(n, particles.place(n) + slope * ((kWallMargin - distance / dx) / size));
        }
    }
}

}  // namespace

template <int Dim>
MoveReport move_particles(ParticleSet<Dim>& particles, const FaceField<Dim>& velocity, double dt, double dx,
                          const Enclosure<Dim>& enclosure, PathRule rule) {
    check_same_tiles("move_particles", "particles", *particles.tiles, "velocity", velocity.tiles());
    const Field<float, Dim>* solid = enclosure.solid_distance;
    if (solid != nullptr)
        check_same_tiles("move_particles", "particles", *particles.tiles, "solid distance", solid->tiles());
    const std::size_t tiles = particles.tiles->count();
    std::vector<MoveReport> reports((tiles + kTilesPerBlock<Dim> - 1) / kTilesPerBlock<Dim>);
    parallel_ranges(tiles, kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
        MoveReport& report = reports[begin / kTilesPerBlock<Dim>];
        const auto move = [&](auto&& mover) {
            for (std::size_t tile = begin; tile < end; ++tile) {
                const auto slot = static_cast<Slot>(tile);
                if (particles.begin(slot) == particles.end(slot)) continue;
                mover.move(slot);
                mover.keep_inside(slot, report);
                if (solid != nullptr) push_out_of_solid(particles, slot, *solid, static_cast<float>(dx), report);
            }
        };
        const auto cells = static_cast<float>(dt / dx);
        if (rule == PathRule::midpoint)
            move(Mover<Dim, PathRule::midpoint>(particles, velocity, cells, enclosure));
        else
            move(Mover<Dim, PathRule::third_order>(particles, velocity, cells, enclosure));
    });
    MoveReport total;
    for (const MoveReport& r : reports) total.held += r.held, total.left += r.left;
    return total;
}

#define INSTANTIATE(Dim)                                                                         \
    template MoveReport move_particles(ParticleSet<Dim>&, const FaceField<Dim>&, double, double, \
                                       const Enclosure<Dim>&, PathRule);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
