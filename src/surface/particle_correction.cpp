// SPDX-License-Identifier: Apache-2.0
#include "surface/particle_correction.h"

#include <cmath>
#include <optional>
#include <utility>

#include "surface/particle_levels.h"
#include "surface/rough_surface.h"

namespace spindrift {
namespace {

// A tile's particles as the kernels see them.
template <int Dim>
struct LevelTile {
    const float* block;  // φ, the first value of a TileBlock of width 1
    const float* place[Dim];
    const float* radius;
    std::size_t count;
    float per_cell;  // 1 / dx
};

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "surface/particle_correction.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

std::size_t number(Slot slot) { return static_cast<std::size_t>(slot); }

// Calls f(kernel's view of the tile, its first particle, room for a list of its particles).
template <int Dim, class F>
void with_level_tile(const ParticleSet<Dim>& particles, const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                     Slot slot, F&& f) {
    TileBlock<Dim, 1> block;
    block.load(phi, slot, grid.box);
    const std::size_t begin = particles.begin(slot);
    LevelTile<Dim> tile{block.first(),
                        {},
                        particles.radius.data() + begin,
                        particles.end(slot) - begin,
                        static_cast<float>(1 / grid.dx)};
    for (int a = 0; a < Dim; ++a) tile.place[a] = particles.position[static_cast<std::size_t>(a)].data() + begin;
    thread_local std::vector<std::uint32_t> list;
    if (list.size() < tile.count) list.resize(tile.count);
    f(tile, begin, list.data());
}

// φ⁺ and φ⁻ of a tile, in metres.
template <int Dim>
struct TwoSides {
    std::array<float, kTileCells<Dim>> above, below;

    explicit TwoSides(const float* phi) {
        std::copy_n(phi, kTileCells<Dim>, above.begin());
        below = above;
    }
    // A particle counts at the cell centres around it, as far as they are in this tile.
    void add(const NewParticle<Dim>& p, const Vec<float, Dim>& place, float dx) {
        const Vec<float, Dim> at = place - kCellCentre<Dim>;
        const Index<Dim> first = map([](float x) { return static_cast<int>(std::floor(x)); }, at);
        const IndexBox<Dim> around{first, first + Index<Dim>(2)};
        for_each_index(intersection(around, {Index<Dim>(0), Index<Dim>(kTileSide)}), [&](const Index<Dim>& cell) {
            const auto n = static_cast<std::size_t>(offset_in_tile(cell));
            const float reach = (std::abs(p.radius) - length(Vec<float, Dim>(cell) - at)) * dx;
            if (p.radius > 0)
                above[n] = std::max(above[n], reach);
            else
                below[n] = std::min(below[n], -reach);
        });
    }
    // φ of a cell that was `before`: where both sides speak, the mean.
    float corrected(std::size_t n, float before) const {
        const bool raised = above[n] != before, lowered = below[n] != before;
        return raised && lowered ? 0.5F * (above[n] + below[n]) : raised ? above[n] : below[n];
    }
};

// The distances, in cells, from the centre of a cell to the nearest particle of either side, if nearer than the largest
// radius.
struct NearestParticles {
    float inside = kLargestRadius, outside = kLargestRadius;
};

// Those of the cells of a tile that are marked.  What is so near to a cell's centre lies in that cell.
template <int Dim>
std::array<NearestParticles, kTileCells<Dim>> nearest_particles(const ParticleSet<Dim>& particles, Slot slot,
                                                                const std::array<bool, kTileCells<Dim>>& marked) {
    std::array<NearestParticles, kTileCells<Dim>> nearest;
    for (std::size_t p = particles.begin(slot); p < particles.end(slot); ++p) {
        const Vec<float, Dim> place = particles.place(p);
        const Index<Dim> cell(place);
        const auto n = static_cast<std::size_t>(offset_in_tile(cell));
        const float radius = particles.radius[p];
        if (!marked[n] || radius == 0) continue;
        float& distance = radius < 0 ? nearest[n].inside : nearest[n].outside;
        distance = std::min(distance, length(place - kCellCentre<Dim> - Vec<float, Dim>(cell)));
    }
    return nearest;
}

// Writes what spheres say to φ of their tile.  An escaped particle does not know how far from it the surface is, so its
// sphere alone must not bring a cell to its side: the particle nearest to the centre does, of whichever side, and the
// surface lies half way to the nearest one of the other.
template <int Dim>
void write_corrected(float* phi, const TwoSides<Dim>& sides, const ParticleSet<Dim>& particles, Slot slot, float dx) {
    std::array<bool, kTileCells<Dim>> changes{};
    bool any = false;
    for (std::size_t n = 0; n < changes.size(); ++n) {
        const float before = phi[n];
        phi[n] = sides.corrected(n, before);
        changes[n] = (phi[n] < 0) != (before < 0);
        any |= changes[n];
    }
    if (!any) return;
    const auto nearest = nearest_particles(particles, slot, changes);
    for (std::size_t n = 0; n < changes.size(); ++n) {
        const auto [inside, outside] = nearest[n];
        if (changes[n] && inside < kLargestRadius && outside < kLargestRadius) phi[n] = 0.5F * (inside - outside) * dx;
    }
}

// Takes out the particles where the surface bends less than that, 1/cells.
template <int Dim>
void keep_where_rough(ParticlesOfTiles<Dim>& particles, double least, const Field<float, Dim>& phi,
                      const LevelSetGrid<Dim>& grid) {
    if (!(least > 0)) return;
    std::vector<std::uint8_t> asked(particles.size());
    for (std::size_t n = 0; n < asked.size(); ++n) asked[n] = particles[n].empty() ? 0 : 1;
    const RoughSurface<Dim> surface(phi, grid, asked);
    for_each_tile(phi.tiles(), [&](Slot slot) {
        if (asked[number(slot)] == 0) return;
        const typename RoughSurface<Dim>::Tile bend(surface, slot);
        std::erase_if(particles[number(slot)], [&](const auto& p) { return bend(p.position) < least; });
    });
}

}  // namespace

template <int Dim>
ParticlesOfTiles<Dim> particles_nearer_than(const Nearness& nearness, const ParticleSet<Dim>& particles,
                                            const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                                            const std::function<bool(Slot)>& where) {
    ParticlesOfTiles<Dim> found(particles.tiles->count());
    for_each_bin(particles, [&](Slot slot) {
        if (where && !where(slot)) return;
        with_level_tile(
            particles, phi, grid, slot, [&](const LevelTile<Dim>& tile, std::size_t begin, std::uint32_t* list) {
                const std::size_t count = SPINDRIFT_PICK(find_nearer<Dim>)(tile, nearness.part, nearness.more, list);
                auto& out = found[number(slot)];
                out.reserve(count);
                for (std::size_t n = 0; n < count; ++n)
                    out.push_back({particles.place(begin + list[n]), particles.radius[begin + list[n]]});
            });
    });
    return found;
}

template <int Dim>
CorrectionReport correct_level_set(Field<float, Dim>& phi, const ParticleSet<Dim>& particles,
                                   const SurfaceTracking<Dim>& tracking) {
    check_same_tiles("correct_level_set", "phi", phi.tiles(), "particles", *particles.tiles);
    // The particles whose spheres reach across; they are few.
    const auto part = static_cast<float>(1 - tracking.settings.overlap);
    ParticlesOfTiles<Dim> across = particles_nearer_than<Dim>({part, 0}, particles, phi, tracking.grid);
    keep_where_rough(across, tracking.settings.least_curvature, phi, tracking.grid);

    // Each tile gathers what is said of its own cells: largest and least do not depend on the order.
    const auto dx = static_cast<float>(tracking.grid.dx);
    for_each_tile(phi.tiles(), [&](Slot slot) {
        std::optional<TwoSides<Dim>> sides;
        for_each_around(across, phi.tiles(), slot, [&](const NewParticle<Dim>& p, const Vec<float, Dim>& place) {
            if (!sides) sides.emplace(phi.tile(slot));
            sides->add(p, place, dx);
        });
        if (sides) write_corrected(phi.tile(slot), *sides, particles, slot, dx);
    });

    CorrectionReport report;
    for (const auto& some : across)
        for (const NewParticle<Dim>& p : some) ++(p.radius < 0 ? report.inside : report.outside);
    return report;
}

template <int Dim>
std::vector<Particle<Dim>> update_radii(ParticleSet<Dim>& particles, const Field<float, Dim>& phi,
                                        const SurfaceTracking<Dim>& tracking) {
    check_same_tiles("update_radii", "phi", phi.tiles(), "particles", *particles.tiles);
    const auto escape = static_cast<float>(tracking.settings.escape_distance);
    std::vector<std::vector<Particle<Dim>>> removed(particles.tiles->count());
    for_each_bin(particles, [&](Slot slot) {
        const Vec<double, Dim> origin(particles.tiles->origin(slot));
        with_level_tile(particles, phi, tracking.grid, slot,
                        [&](const LevelTile<Dim>& tile, std::size_t begin, std::uint32_t* list) {
                            float* radius = particles.radius.data() + begin;
                            const std::size_t count = SPINDRIFT_PICK(fit_radii<Dim>)(
                                tile, radius, escape, tracking.settings.tracker == SurfaceTracker::hybrid, list);
                            for (std::size_t n = 0; n < count; ++n)
                                removed[number(slot)].push_back(
                                    {origin + Vec<double, Dim>(particles.place(begin + list[n])),
                                     std::exchange(radius[list[n]], 0.0F), particles.id[begin + list[n]]});
                        });
    });
    std::vector<Particle<Dim>> all;
    for (const auto& some : removed) all.insert(all.end(), some.begin(), some.end());
    return all;
}

#define INSTANTIATE(Dim)                                                                                     \
    template ParticlesOfTiles<Dim> particles_nearer_than(const Nearness&, const ParticleSet<Dim>&,           \
                                                         const Field<float, Dim>&, const LevelSetGrid<Dim>&, \
                                                         const std::function<bool(Slot)>&);                  \
    template CorrectionReport correct_level_set(Field<float, Dim>&, const ParticleSet<Dim>&,                 \
                                                const SurfaceTracking<Dim>&);                                \
    template std::vector<Particle<Dim>> update_radii(ParticleSet<Dim>&, const Field<float, Dim>&,            \
                                                     const SurfaceTracking<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
