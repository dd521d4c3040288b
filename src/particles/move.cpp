// SPDX-License-Identifier: Apache-2.0
#include "particles/move.h"

#include "grid/sampler.h"
#include "particles/tile_block.h"

namespace spindrift {
namespace {

// Cells around a tile in which half a step mostly ends; those that go farther take a slower way.
constexpr int kReach = 3;
// Particles are kept this far from walls, in cells: inside for certain, and nearer than any radius.
constexpr float kWallMargin = 1e-3F;

// The velocity around a tile.
template <int Dim>
class TileVelocity {
  public:
    TileVelocity(const FaceField<Dim>& faces, const IndexBox<Dim>& box) : faces_(faces), box_(box), far_(faces) {}

    void move_to(Slot slot) {
        origin_ = Vec<float, Dim>(faces_.tiles().origin(slot));
        for (int a = 0; a < Dim; ++a) {
            IndexBox<Dim> box = box_;
            ++box.hi[a];  // there is a face beyond the last cell
            block_[static_cast<std::size_t>(a)].load(faces_[a], slot, box);
        }
    }

    SPINDRIFT_INLINE Vec<float, Dim> operator()(const Vec<float, Dim>& at) {
        bool near = true;
        for (int a = 0; a < Dim; ++a) near &= at[a] >= Block::kLowest + 0.5F && at[a] < Block::kHighest;
        return near ? near_by(at) : far_(origin_ + at);
    }

    // For places in the tile itself, or next to it.
    SPINDRIFT_INLINE Vec<float, Dim> near_by(const Vec<float, Dim>& at) const {
        Vec<float, Dim> u;
        unrolled<Dim>([&](auto a) {
            Vec<float, Dim> on_lattice = at - Vec<float, Dim>(0.5F);
            on_lattice[a] = at[a];
            u[a] = block_[a](on_lattice);
        });
        return u;
    }

  private:
    using Block = TileBlock<Dim, kReach>;
    const FaceField<Dim>& faces_;
    IndexBox<Dim> box_;
    FaceSampler<Dim> far_;
    Vec<float, Dim> origin_;
    std::array<Block, Dim> block_;
};

// Keeps a place inside the closed walls.  False when it left through an open one.
template <int Dim>
SPINDRIFT_INLINE bool keep_inside(Vec<float, Dim>& at, const Enclosure<Dim>& enclosure, const Vec<float, Dim>& lo,
                                  const Vec<float, Dim>& hi, std::size_t& held) {
    for (int a = 0; a < Dim; ++a) {
        if (at[a] >= lo[a] && at[a] <= hi[a]) continue;
        const bool above = at[a] > hi[a];
        if (enclosure.open[static_cast<std::size_t>(a)][above ? 1 : 0]) return false;
        at[a] = above ? hi[a] : lo[a];
        ++held;
    }
    return true;
}

// The midpoint rule for all particles of a tile; `cells` is how many a unit of velocity covers in the step.
template <int Dim>
void move_in_tile(ParticleSet<Dim>& particles, Slot slot, TileVelocity<Dim>& u, float cells,
                  const Enclosure<Dim>& enclosure, MoveReport& report) {
    const Index<Dim> origin = particles.tiles->origin(slot);
    const Vec<float, Dim> margin(kWallMargin), lo = Vec<float, Dim>(enclosure.box.lo - origin) + margin,
                                               hi = Vec<float, Dim>(enclosure.box.hi - origin) - margin;
    const float half = 0.5F * cells;
    for (std::size_t n = particles.begin(slot); n < particles.end(slot); ++n) {
        const Vec<float, Dim> start = particles.place(n);
        Vec<float, Dim> at = start + u(start + u.near_by(start) * half) * cells;
        if (!keep_inside(at, enclosure, lo, hi, report.held)) {
            particles.radius[n] = 0;
            ++report.left;
        }
        particles.set_place(n, at);
    }
}

// Pushes particles out of the solids, along the slope of their distance.
template <int Dim>
void push_out_of_solid(ParticleSet<Dim>& particles, Slot slot, const Field<float, Dim>& solid, float dx,
                       MoveReport& report) {
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

// Whether a step of at most a tile may end inside a solid.
template <int Dim>
bool is_near_solid(const Field<float, Dim>& distance, Slot slot, float edge) {
    const float* values = distance.tile(slot);
    return std::any_of(values, values + kTileCells<Dim>, [=](float v) { return v < edge; });
}

}  // namespace

template <int Dim>
MoveReport move_particles(ParticleSet<Dim>& particles, const FaceField<Dim>& velocity, double dt, double dx,
                          const Enclosure<Dim>& enclosure) {
    check_same_tiles("move_particles", "particles", *particles.tiles, "velocity", velocity.tiles());
    const Field<float, Dim>* solid = enclosure.solid_distance;
    if (solid != nullptr)
        check_same_tiles("move_particles", "particles", *particles.tiles, "solid distance", solid->tiles());
    const std::size_t tiles = particles.tiles->count();
    std::vector<MoveReport> reports((tiles + kTilesPerBlock<Dim> - 1) / kTilesPerBlock<Dim>);
    parallel_ranges(tiles, kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
        TileVelocity<Dim> u(velocity, enclosure.box);
        MoveReport& report = reports[begin / kTilesPerBlock<Dim>];
        for (std::size_t tile = begin; tile < end; ++tile) {
            const auto slot = static_cast<Slot>(tile);
            if (particles.begin(slot) == particles.end(slot)) continue;
            u.move_to(slot);
            move_in_tile(particles, slot, u, static_cast<float>(dt / dx), enclosure, report);
            if (solid != nullptr && is_near_solid(*solid, slot, static_cast<float>(kTileSide * dx)))
                push_out_of_solid(particles, slot, *solid, static_cast<float>(dx), report);
        }
    });
    MoveReport total;
    for (const MoveReport& r : reports) total.held += r.held, total.left += r.left;
    return total;
}

#define INSTANTIATE(Dim) \
    template MoveReport move_particles(ParticleSet<Dim>&, const FaceField<Dim>&, double, double, const Enclosure<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
