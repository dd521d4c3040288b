// SPDX-License-Identifier: Apache-2.0
#include "surface/particle_level_set.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/random.h"
#include "grid/window_view.h"
#include "particles/tile_block.h"

#define SPINDRIFT_KERNEL_FILE "surface/particle_level_set.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

// Radii, in cells [EMF02 eq. 2].
constexpr float kLeastRadius = 0.1F, kMostRadius = 0.5F;
// A particle on the wrong side by more than the least radius does not know how far from it the surface was.  With the
// least radius it would have to meet a cell's centre to be seen; with the mean, sheets that were lost come back.
constexpr float kEscapedRadius = 0.3F;
// Cells with less than this part of their particles are filled, those with more than this multiple thinned out.
constexpr int kFewest = 2, kMost = 2;
// Tries to bring a particle to its band along the normal [Enright02].
constexpr int kAttractionSteps = 15;
// Cells around a tile that such a particle may cross.
constexpr int kAttractionReach = 4;
constexpr Purpose kSeeding{"particle level set seeding"};

float side_of(float radius) { return radius < 0 ? -1.0F : 1.0F; }
std::size_t number(Slot slot) { return static_cast<std::size_t>(slot); }

// φ in cells at places in a tile and up to Width cells around.
template <int Dim, int Width>
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
    bool holds(const Vec<float, Dim>& at) const { return TileBlock<Dim, Width>::holds(at - kCellCentre<Dim>); }
    float centre(int cell) const { return block_.at(cell_in_tile<Dim>(cell)) * per_cell_; }
    // At all particles of the tile.
    std::vector<float> at_particles(const ParticleSet<Dim>& particles, Slot slot) const {
        static_assert(Width == 1);
        const std::size_t begin = particles.begin(slot), count = particles.end(slot) - begin;
        std::vector<float> levels(count);
        const float* place[Dim];
        for (int a = 0; a < Dim; ++a) place[a] = particles.position[static_cast<std::size_t>(a)].data() + begin;
        SPINDRIFT_PICK(levels_at<Dim>)(block_.first(), place, count, per_cell_, levels.data());
        return levels;
    }

  private:
    float per_cell_;
    TileBlock<Dim, Width> block_;
};

float touching_radius(float side, float level) {
    if (side * level < -kLeastRadius) return side * kEscapedRadius;
    return side * std::clamp(side * level, kLeastRadius, kMostRadius);
}

// Particles of each tile for which is_wanted(radius, side · φ in cells) holds.
template <int Dim>
using ParticlesOfTiles = std::vector<std::vector<NewParticle<Dim>>>;
template <int Dim, class Wanted>
ParticlesOfTiles<Dim> particles_where(const ParticleSet<Dim>& particles, const Field<float, Dim>& phi,
                                      const LevelSetGrid<Dim>& grid, Wanted&& is_wanted,
                                      const std::function<bool(Slot)>& where = {}) {
    ParticlesOfTiles<Dim> found(particles.tiles->count());
    for_each_bin(particles, [&](Slot slot) {
        if (where && !where(slot)) return;
        const std::size_t begin = particles.begin(slot);
        const std::vector<float> levels = TileLevel<Dim, 1>(phi, grid, slot).at_particles(particles, slot);
        for (std::size_t n = 0; n < levels.size(); ++n) {
            const float radius = particles.radius[begin + n];
            if (is_wanted(std::abs(radius), side_of(radius) * levels[n]))
                found[number(slot)].push_back({particles.place(begin + n), radius});
        }
    });
    return found;
}

// Calls f(particle, its place seen from the tile) for the listed particles of a tile and of those around it.
template <int Dim, class F>
void for_each_around(const ParticlesOfTiles<Dim>& lists, const Tiles<Dim>& tiles, Slot slot, F&& f) {
    for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& side) {
        const Slot from = tiles.neighbour(slot, neighbour_number(side));
        if (from == kNoTile || lists[number(from)].empty()) return;
        const Vec<float, Dim> shift(side * kTileSide);
        for (const NewParticle<Dim>& p : lists[number(from)]) f(p, p.position + shift);
    });
}

template <int Dim>
bool is_in_tile(const Index<Dim>& cell) {
    return IndexBox<Dim>{Index<Dim>(0), Index<Dim>(kTileSide)}.contains(cell);
}

// φ⁺ and φ⁻ of a tile, in metres.
template <int Dim>
struct TwoSides {
    std::array<float, kTileCells<Dim>> above, below;

    explicit TwoSides(const float* phi) {
        std::copy_n(phi, kTileCells<Dim>, above.begin());
        below = above;
    }
    // A particle has its say at the cell centres around it, as far as they are in this tile.
    void add(const NewParticle<Dim>& p, const Vec<float, Dim>& place, float dx) {
        const Vec<float, Dim> at = place - kCellCentre<Dim>;
        const Index<Dim> first = map([](float x) { return static_cast<int>(std::floor(x)); }, at);
        for_each_index(IndexBox<Dim>{first, first + Index<Dim>(2)}, [&](const Index<Dim>& cell) {
            if (!is_in_tile(cell)) return;
            const auto n = static_cast<std::size_t>(offset_in_tile(cell));
            const float reach = (std::abs(p.radius) - length(Vec<float, Dim>(cell) - at)) * dx;
            if (p.radius > 0)
                above[n] = std::max(above[n], reach);
            else
                below[n] = std::min(below[n], -reach);
        });
    }
    void write(float* phi) const {
        for (std::size_t n = 0; n < above.size(); ++n) {
            const bool raised = above[n] != phi[n], lowered = below[n] != phi[n];
            if (raised && lowered)
                phi[n] = std::abs(above[n]) < std::abs(below[n]) ? above[n] : below[n];
            else if (raised || lowered)
                phi[n] = raised ? above[n] : below[n];
        }
    }
};

}  // namespace

template <int Dim>
CorrectionReport correct_level_set(Field<float, Dim>& phi, const ParticleSet<Dim>& particles,
                                   const LevelSetGrid<Dim>& grid, const ParticleLevelSetSettings& settings) {
    check_same_tiles("correct_level_set", "phi", phi.tiles(), "particles", *particles.tiles);
    // Whose spheres reach across; they are few.
    const auto part = static_cast<float>(1 - settings.overlap);
    const ParticlesOfTiles<Dim> across =
        particles_where(particles, phi, grid, [=](float radius, float distance) { return distance < part * radius; });

    // Each tile gathers what is said of its own cells: largest and least do not depend on the order.
    const auto dx = static_cast<float>(grid.dx);
    for_each_tile(phi.tiles(), [&](Slot slot) {
        std::optional<TwoSides<Dim>> sides;
        for_each_around(across, phi.tiles(), slot, [&](const NewParticle<Dim>& p, const Vec<float, Dim>& place) {
            if (!sides) sides.emplace(phi.tile(slot));
            sides->add(p, place, dx);
        });
        if (sides) sides->write(phi.tile(slot));
    });

    CorrectionReport report;
    for (const auto& some : across)
        for (const NewParticle<Dim>& p : some) ++(p.radius < 0 ? report.inside : report.outside);
    return report;
}

template <int Dim>
std::vector<Particle<Dim>> settle(ParticleSet<Dim>& particles, const Field<float, Dim>& phi,
                                  const LevelSetGrid<Dim>& grid, double cells) {
    check_same_tiles("settle", "phi", phi.tiles(), "particles", *particles.tiles);
    const auto far = static_cast<float>(cells);
    std::vector<std::vector<Particle<Dim>>> taken(particles.tiles->count());
    for_each_bin(particles, [&](Slot slot) {
        const std::size_t begin = particles.begin(slot);
        const Vec<double, Dim> origin(particles.tiles->origin(slot));
        const std::vector<float> levels = TileLevel<Dim, 1>(phi, grid, slot).at_particles(particles, slot);
        for (std::size_t n = 0; n < levels.size(); ++n) {
            float& radius = particles.radius[begin + n];
            const bool escaped = side_of(radius) * levels[n] < -far;
            if (escaped)
                taken[number(slot)].push_back(
                    {origin + Vec<double, Dim>(particles.place(begin + n)), radius, particles.id[begin + n]});
            radius = escaped ? 0 : touching_radius(side_of(radius), levels[n]);
        }
    });
    std::vector<Particle<Dim>> all;
    for (const auto& some : taken) all.insert(all.end(), some.begin(), some.end());
    return all;
}

namespace {

// A cell's own number, for its random numbers.
template <int Dim>
std::uint64_t cell_id(const Index<Dim>& cell) {
    std::uint64_t id = 0;
    for (int a = 0; a < Dim; ++a) id = id << 21 | (static_cast<std::uint64_t>(cell[a]) & 0x1FFFFF);
    return id;
}

// Places in a cell, as many as one likes, none near another: steps of a Kronecker sequence from a random start.  Its
// steps are the powers of the inverse of the root of x^(Dim+1) = x + 1 [Roberts18].
template <int Dim>
class PlacesInCell {
  public:
    explicit PlacesInCell(Random& rng) {
        for (int a = 0; a < Dim; ++a) at_[a] = rng.uniform();
    }
    Vec<float, Dim> next() {
        constexpr std::array<float, 3> kSteps =
            Dim == 2 ? std::array{0.7548777F, 0.5698403F, 0.0F} : std::array{0.8191725F, 0.6710436F, 0.5497005F};
        for (int a = 0; a < Dim; ++a) {
            at_[a] += kSteps[static_cast<std::size_t>(a)];
            if (at_[a] >= 1) at_[a] -= 1;
        }
        return at_;
    }

  private:
    Vec<float, Dim> at_;
};

// Brings a place to where its side's φ is at least a radius, along the normal.  False when there is no such place near.
template <int Dim>
bool attract(Vec<float, Dim>& at, const TileLevel<Dim, kAttractionReach>& level, float side, float goal) {
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
        if (!attract(at, level_, side, rng.uniform(kLeastRadius, kMostRadius))) return;
        if (is_in_box(at)) added.push_back({at, touching_radius(side, level_(at))});
    }
    bool is_in_box(const Vec<float, Dim>& at) const {
        bool inside = true;
        for (int a = 0; a < Dim; ++a)
            inside &= at[a] > static_cast<float>(box_.lo[a] - origin_[a]) &&
                      at[a] < static_cast<float>(box_.hi[a] - origin_[a]);
        return inside;
    }

    TileLevel<Dim, kAttractionReach> level_;
    IndexBox<Dim> box_;
    Index<Dim> origin_;
    const ParticleLevelSetSettings& settings_;
    float band_;
    std::array<int, kTileCells<Dim>> held_{};
};

}  // namespace

template <int Dim>
SeedingReport reseed(ParticleSet<Dim>& particles, const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                     const ParticleLevelSetSettings& settings, std::uint32_t step,
                     const std::function<bool(Slot)>& where) {
    check_same_tiles("reseed", "phi", phi.tiles(), "particles", *particles.tiles);
    if (settings.sides == ParticleSides::none) return {};
    SeedingReport report;
    const std::size_t at_first = particles.count();
    rebin(particles, particles.tiles);  // without those that are marked for removal
    const ParticlesOfTiles<Dim> escaped = particles_where(
        particles, phi, grid, [](float, float distance) { return distance < -kLeastRadius; }, where);
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
        seeding.seed(added[number(slot)], step);
    });

    rebin(particles, particles.tiles);
    report.removed = at_first - particles.count();
    add_particles(particles, added);
    report.added = particles.count() + report.removed - at_first;
    rebin(particles, particles.tiles);  // attraction may have led some to the next tile
    return report;
}

#define INSTANTIATE(Dim)                                                                                               \
    template CorrectionReport correct_level_set(Field<float, Dim>&, const ParticleSet<Dim>&, const LevelSetGrid<Dim>&, \
                                                const ParticleLevelSetSettings&);                                      \
    template SeedingReport reseed(ParticleSet<Dim>&, const Field<float, Dim>&, const LevelSetGrid<Dim>&,               \
                                  const ParticleLevelSetSettings&, std::uint32_t, const std::function<bool(Slot)>&);   \
    template std::vector<Particle<Dim>> settle(ParticleSet<Dim>&, const Field<float, Dim>&, const LevelSetGrid<Dim>&,  \
                                               double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
