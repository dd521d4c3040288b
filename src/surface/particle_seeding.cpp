// SPDX-License-Identifier: Apache-2.0
#include "surface/particle_seeding.h"

#include <algorithm>
#include <cmath>

#include "surface/particle_levels.h"
#include "surface/places_in_cell.h"

namespace spindrift {
namespace {

// Cells with less than this part of their particles are filled, those with more than this multiple thinned out.
constexpr int kFewest = 2, kMost = 2;
// Attempts to move a particle along the normal to its band [Enright02].
constexpr int kAttractionSteps = 15;
// Cells around a tile that such a particle may cross.
constexpr int kAttractionReach = 4;
constexpr Purpose kSeeding{"particle level set seeding"};

// φ in cells at places in a tile and around it.
template <int Dim>
class TileLevel {
  public:
    TileLevel(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid, Slot slot)
        : per_cell_(static_cast<float>(1 / grid.dx)) {
        block_.load(phi, slot, grid.box);
    }
    float operator()(const Vec<float, Dim>& at) const { return block_(at - kCellCentre<Dim>) * per_cell_; }
    float operator()(const Vec<float, Dim>& at, Vec<float, Dim>& slope) const {
        return block_(at - kCellCentre<Dim>, slope) * per_cell_;  // of the slope the direction alone is of use
    }
    bool holds(const Vec<float, Dim>& at) const { return Block::holds(at - kCellCentre<Dim>); }
    float centre(int cell) const { return block_.at(cell_in_tile<Dim>(cell)) * per_cell_; }

  private:
    using Block = TileBlock<Dim, kAttractionReach>;
    float per_cell_;
    Block block_;
};

// Moves a place along the normal to where its side's φ is at least a radius.  False when there is no such place near.
template <int Dim>
bool attract(Vec<float, Dim>& at, const TileLevel<Dim>& level, float side, float goal) {
    float part = 1;
    for (int n = 0; n < kAttractionSteps; ++n) {
        Vec<float, Dim> slope;
        const float here = level(at, slope);
        if (side * here >= kLeastRadius) return true;
        const float size = length(slope);
        if (!(size > 0)) return false;
        const Vec<float, Dim> there = at + slope * (part * (side * goal - here) / size);
        if (level.holds(there))
            at = there;
        else
            part *= 0.5F;
    }
    return side * level(at) >= kLeastRadius;
}

// One tile's reseeding.
template <int Dim>
class TileSeeding {
  public:
    TileSeeding(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid, const ParticleLevelSetSettings& settings,
                Slot slot)
        : level_(phi, grid, slot),
          box_(grid.box),
          origin_(phi.tiles().origin(slot)),
          settings_(settings),
          band_(static_cast<float>(settings.band)) {}

    // Counts the particles, marks those to be removed by a radius of zero.
    void thin_out(ParticleSet<Dim>& particles, Slot slot) {
        std::vector<Held> all;
        for (std::size_t n = particles.begin(slot); n < particles.end(slot); ++n) {
            const Vec<float, Dim> at = particles.place(n);
            const float distance = side_of(particles.radius[n]) * level_(at);
            const int cell = offset_in_tile(Index<Dim>(at));
            // A cell more than the band, so that what was seeded at its edge is not gone with the next step.
            if (distance > band_ + 1) {
                particles.radius[n] = 0;
            } else if (distance >= -kLeastRadius) {
                all.push_back({cell, distance, n});
                ++held_[static_cast<std::size_t>(cell)];
            }
        }
        std::sort(all.begin(), all.end());
        for (auto p = all.begin(); p != all.end();) {
            const auto end = p + held_[static_cast<std::size_t>(p->cell)];
            if (end - p > kMost * settings_.per_cell)
                for (auto far = p + settings_.per_cell; far != end; ++far) particles.radius[far->particle] = 0;
            p = end;
        }
    }

    // Nothing is seeded within a cell of a particle that escaped.
    void doubt(const Vec<float, Dim>& at) {
        const Index<Dim> cell = map([](float x) { return static_cast<int>(std::floor(x)); }, at);
        const IndexBox<Dim> around{cell - Index<Dim>(1), cell + Index<Dim>(2)};
        for_each_index(intersection(around, {Index<Dim>(0), Index<Dim>(kTileSide)}), [&](const Index<Dim>& c) {
            held_[static_cast<std::size_t>(offset_in_tile(c))] = settings_.per_cell;
        });
    }

    void seed(std::vector<NewParticle<Dim>>& added, std::uint32_t step) const {
        for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
            const int held = held_[static_cast<std::size_t>(cell)];
            if (held * kFewest >= settings_.per_cell || !(std::abs(level_.centre(cell)) < band_)) continue;
            const Index<Dim> where = cell_in_tile<Dim>(cell);
            if (!box_.contains(origin_ + where)) continue;
            Random rng(settings_.seed, cell_id(origin_ + where), step, kSeeding);
            PlacesInCell<Dim> places(rng);
            for (int n = held; n < settings_.per_cell; ++n)
                seed_one(added, Vec<float, Dim>(where) + places.next(), rng);
        }
    }

  private:
    struct Held {
        int cell;
        float distance;
        std::size_t particle;
        friend auto operator<=>(const Held&, const Held&) = default;
    };

    void seed_one(std::vector<NewParticle<Dim>>& added, Vec<float, Dim> at, Random& rng) const {
        const float side = level_(at) <= 0 ? -1.0F : 1.0F;
        if (side > 0 && settings_.sides == ParticleSides::inside) return;
        if (!attract(at, level_, side, rng.uniform(kLeastRadius, kLargestRadius))) return;
        if (is_in_box(at)) added.push_back({at, touching_radius(side, level_(at))});
    }
    bool is_in_box(const Vec<float, Dim>& at) const {
        bool inside = true;
        for (int a = 0; a < Dim; ++a)
            inside &= at[a] > static_cast<float>(box_.lo[a] - origin_[a]) &&
                      at[a] < static_cast<float>(box_.hi[a] - origin_[a]);
        return inside;
    }

    TileLevel<Dim> level_;
    IndexBox<Dim> box_;
    Index<Dim> origin_;
    const ParticleLevelSetSettings& settings_;
    float band_;
    std::array<int, kTileCells<Dim>> held_{};
};

}  // namespace

template <int Dim>
SeedingReport reseed(ParticleSet<Dim>& particles, const Field<float, Dim>& phi, const SurfaceTracking<Dim>& tracking,
                     std::uint32_t step, const std::function<bool(Slot)>& where) {
    const ParticleLevelSetSettings& settings = tracking.settings;
    const LevelSetGrid<Dim>& grid = tracking.grid;
    check_same_tiles("reseed", "phi", phi.tiles(), "particles", *particles.tiles);
    if (settings.sides == ParticleSides::none) return {};
    SeedingReport report;
    const std::size_t at_first = particles.count();
    rebin(particles, particles.tiles);  // without those that are marked for removal
    const ParticlesOfTiles<Dim> escaped = particles_nearer_than<Dim>({0, -kLeastRadius}, particles, phi, grid, where);
    const float reach = static_cast<float>((settings.band + 2) * grid.dx);
    ParticlesOfTiles<Dim> added(phi.tiles().count());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        if (where && !where(slot)) return;
        const float* values = phi.tile(slot);
        const bool near = std::any_of(values, values + kTileCells<Dim>, [=](float v) { return std::abs(v) < reach; });
        if (!near && particles.begin(slot) == particles.end(slot)) return;
        TileSeeding<Dim> seeding(phi, grid, settings, slot);
        seeding.thin_out(particles, slot);
        for_each_around(escaped, phi.tiles(), slot,
                        [&](const NewParticle<Dim>&, const Vec<float, Dim>& place) { seeding.doubt(place); });
        seeding.seed(added[static_cast<std::size_t>(slot)], step);
    });

    rebin(particles, particles.tiles);
    report.removed = at_first - particles.count();
    add_particles(particles, added);
    report.added = particles.count() + report.removed - at_first;
    rebin(particles, particles.tiles);  // attraction may have led some to the next tile
    return report;
}

#define INSTANTIATE(Dim)                                                                                    \
    template SeedingReport reseed(ParticleSet<Dim>&, const Field<float, Dim>&, const SurfaceTracking<Dim>&, \
                                  std::uint32_t, const std::function<bool(Slot)>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
