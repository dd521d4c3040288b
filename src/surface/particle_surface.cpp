// SPDX-License-Identifier: Apache-2.0
#include "surface/particle_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>
#include <vector>

#include "grid/halo.h"
#include "particles/tile_block.h"
#include "surface/places_in_cell.h"

namespace spindrift {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::infinity();

// Cells along each axis around a particle that learn of it, and beyond which they are far from the liquid.
constexpr int kParticleReach = 2;

constexpr Purpose kFilling{"filling with particles"};

// Spheres that touch a surface do so in a few places; between them their union lies deeper, in the mean by this part of
// the distance between particles: measured.
template <int Dim>
constexpr float kGap = Dim == 2 ? 1.0F : 0.64F;

// The solution of |∇d| = 1, in cells, from the nearest known neighbour along each axis, kUnknown where there is none.
template <int Dim>
float upwind_distance(std::array<float, Dim> d) {
    std::sort(d.begin(), d.end());
    float best = d[0] + 1, sum = d[0], squares = d[0] * d[0];
    for (std::size_t n = 1; n < Dim && d[n] < best; ++n) {
        const auto count = static_cast<float>(n + 1);
        sum += d[n];
        squares += d[n] * d[n];
        best = (sum + std::sqrt(std::max(sum * sum - count * (squares - 1), 0.0F))) / count;
    }
    return best;
}

// Marches outwards from the surface on both sides at once: |φ| in cells of those that are known.
template <int Dim>
class Marcher {
  public:
    Marcher(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid)
        : phi_(phi), grid_(grid), distance_(phi.tiles_ptr(), kUnknown), is_known_(phi.tiles_ptr(), 0) {}

    // From the cells beside the surface, by where it crosses the lines to their neighbours.
    void start() {
        for_each_tile(phi_.tiles(), [&](Slot slot) {
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Cell cell{slot, n};
                const float here = value(cell);
                if (!is_inside_box(cell)) continue;
                float inverse_squares = 0;
                for (int axis = 0; axis < Dim; ++axis) {
                    float nearest = kUnknown;
                    for (const bool up : {false, true}) {
                        const Cell next = beside(cell, axis, up);
                        if (next.slot == kNoTile || (value(next) < 0) == (here < 0)) continue;
                        nearest = std::min(nearest, std::max(here / (here - value(next)), 1e-6F));
                    }
                    inverse_squares += 1 / (nearest * nearest);
                }
                if (!(inverse_squares > 0)) continue;
                distance_.tile(slot)[n] = 1 / std::sqrt(inverse_squares);
                is_known_.tile(slot)[n] = 1;
            }
        });
        for (std::size_t tile = 0; tile < phi_.tiles().count(); ++tile)
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Cell cell{static_cast<Slot>(tile), n};
                if (is_known_.tile(cell.slot)[n] != 0) update_around(cell);
            }
    }

    void run() {
        while (!front_.empty()) {
            const auto [distance, slot, n] = front_.top();
            front_.pop();
            if (is_known_.tile(slot)[n] != 0) continue;
            is_known_.tile(slot)[n] = 1;
            update_around({slot, n});
        }
    }

    const Field<float, Dim>& distance() const { return distance_; }

  private:
    using Cell = TileCell;

    float value(const Cell& cell) const { return phi_.tile(cell.slot)[cell.cell]; }
    bool is_inside_box(const Cell& cell) const {
        return grid_.box.contains(phi_.tiles().origin(cell.slot) + cell_in_tile<Dim>(cell.cell));
    }
    // Without a tile where there is none, or a wall.
    Cell beside(const Cell& cell, int axis, bool up) const {
        Index<Dim> at = cell_in_tile<Dim>(cell.cell);
        const int wall = phi_.tiles().origin(cell.slot)[axis] + at[axis] + (up ? 1 : -1);
        if (wall < grid_.box.lo[axis] || wall >= grid_.box.hi[axis]) return {kNoTile, 0};
        at[axis] += up ? 1 : -1;
        if (at[axis] >= 0 && at[axis] < kTileSide) return {cell.slot, offset_in_tile(at)};
        at[axis] = up ? 0 : kTileSide - 1;
        return {phi_.tiles().neighbour(cell.slot, side_neighbour<Dim>(axis, up)), offset_in_tile(at)};
    }
    void update_around(const Cell& cell) {
        for (int axis = 0; axis < Dim; ++axis)
            for (const bool up : {false, true})
                if (const Cell next = beside(cell, axis, up); next.slot != kNoTile) update(next);
    }
    void update(const Cell& cell) {
        float& distance = distance_.tile(cell.slot)[cell.cell];
        if (is_known_.tile(cell.slot)[cell.cell] != 0) return;
        std::array<float, Dim> known;
        for (int axis = 0; axis < Dim; ++axis) {
            float& nearest = known[static_cast<std::size_t>(axis)] = kUnknown;
            for (const bool up : {false, true})
                if (const Cell next = beside(cell, axis, up);
                    next.slot != kNoTile && is_known_.tile(next.slot)[next.cell] != 0)
                    nearest = std::min(nearest, distance_.tile(next.slot)[next.cell]);
        }
        const float found = upwind_distance<Dim>(known);
        if (!(found < distance) || !(found < static_cast<float>(grid_.band))) return;
        distance = found;
        front_.push({found, cell.slot, cell.cell});
    }

    const Field<float, Dim>& phi_;
    const LevelSetGrid<Dim>& grid_;
    Field<float, Dim> distance_;
    Field<std::uint8_t, Dim> is_known_;
    using Entry = std::tuple<float, Slot, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front_;
};

}  // namespace

template <int Dim>
void march(Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid) {
    Marcher<Dim> marcher(phi, grid);
    marcher.start();
    marcher.run();
    const auto band = static_cast<float>(grid.band * grid.dx), dx = static_cast<float>(grid.dx);
    const Field<float, Dim>& distance = marcher.distance();
    for_each_tile(phi.tiles(), [&](Slot slot) {
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            float& value = phi.tile(slot)[n];
            const float magnitude = std::min(distance.tile(slot)[n] * dx, band);
            value = value < 0 ? -magnitude : magnitude;
        }
    });
}

template <int Dim>
void smooth(Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid, int steps) {
    constexpr float kStep = 0.5F;
    const auto dx = static_cast<float>(grid.dx);
    const auto near = static_cast<float>((0.5 * steps + 2) * grid.dx);
    const Field<float, Dim> start = phi;
    for (int step = 0; step < steps; ++step) {
        const Field<float, Dim> before = phi;
        for_each_tile(phi.tiles(), [&](Slot slot) {
            const float* at_start = start.tile(slot);
            if (std::none_of(at_start, at_start + kTileCells<Dim>, [=](float v) { return std::abs(v) < near; })) return;
            TileBlock<Dim, 1> block;
            block.load(before, slot, grid.box);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                if (!(std::abs(at_start[n]) < near)) continue;
                const Index<Dim> cell = cell_in_tile<Dim>(n);
                const float here = block.at(cell), side = at_start[n] < 0 ? -1.0F : 1.0F;
                float squares = 0;
                for (int axis = 0; axis < Dim; ++axis) {
                    // Godunov's choice of one-sided slopes: information comes from the surface.
                    const float down = side * (here - block.at(cell - unit<Dim>(axis))) / dx;
                    const float up = side * (block.at(cell + unit<Dim>(axis)) - here) / dx;
                    const float most = std::max({down, -up, 0.0F});
                    squares += most * most;
                }
                const float sign = at_start[n] / std::sqrt(at_start[n] * at_start[n] + dx * dx);
                phi.tile(slot)[n] = here - kStep * dx * sign * (std::sqrt(squares) - 1);
            }
        });
    }
}

double covering_radius(int per_cell, int dim) {
    // One and a half times half the diagonal of the cube that is a particle's share: places are not a lattice.
    return 0.75 * std::sqrt(static_cast<double>(dim)) * std::pow(per_cell, -1.0 / dim);
}

template <int Dim>
ParticleSet<Dim> filled(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid, int per_cell, std::uint64_t seed) {
    const auto radius = static_cast<float>(covering_radius(per_cell, Dim));
    const float depth =
        static_cast<float>(grid.dx) * (radius - kGap<Dim> * std::pow(static_cast<float>(per_cell), -1.0F / Dim));
    std::vector<std::vector<NewParticle<Dim>>> added(phi.tiles().count());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        TileBlock<Dim, 1> level;
        level.load(phi, slot, grid.box);
        const Index<Dim> origin = phi.tiles().origin(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> where = cell_in_tile<Dim>(n);
            if (!grid.box.contains(origin + where) || !(level.at(where) < grid.dx)) continue;
            Random rng(seed, cell_id(origin + where), 0, kFilling);
            PlacesInCell<Dim> places(rng);
            for (int k = 0; k < per_cell; ++k) {
                const Vec<float, Dim> at = Vec<float, Dim>(where) + places.next();
                if (level(at - kCellCentre<Dim>) < -depth)
                    added[static_cast<std::size_t>(slot)].push_back({at, -radius});
            }
        }
    });
    ParticleSet<Dim> particles(phi.tiles_ptr());
    add_particles(particles, added);
    return particles;
}

template <int Dim>
Field<float, Dim> surface_of_particles(const ParticleSet<Dim>& particles, double radius, const LevelSetGrid<Dim>& grid,
                                       int smoothing_steps) {
    CHECK(radius < kParticleReach, "surface_of_particles: spheres of {} cells", radius);
    const Tiles<Dim>& tiles = *particles.tiles;
    const auto band = static_cast<float>(grid.band * grid.dx), dx = static_cast<float>(grid.dx);
    Field<float, Dim> phi(particles.tiles, band);
    const IndexBox<Dim> own{Index<Dim>(0), Index<Dim>(kTileSide)};
    for_each_tile(tiles, [&](Slot slot) {
        float* values = phi.tile(slot);
        for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& side) {
            const Slot from = tiles.neighbour(slot, neighbour_number(side));
            if (from == kNoTile) return;
            const Vec<float, Dim> shift = Vec<float, Dim>(side * kTileSide) - kCellCentre<Dim>;
            for (std::size_t n = particles.begin(from); n < particles.end(from); ++n) {
                const Vec<float, Dim> at = particles.place(n) + shift;
                const Index<Dim> cell = map([](float x) { return static_cast<int>(std::floor(x)); }, at);
                const IndexBox<Dim> around{cell - Index<Dim>(kParticleReach - 1),
                                           cell + Index<Dim>(kParticleReach + 1)};
                for_each_index(intersection(own, around), [&](const Index<Dim>& c) {
                    float& value = values[offset_in_tile(c)];
                    const float away = length(Vec<float, Dim>(c) - at) - static_cast<float>(radius);
                    value = std::min(value, away * dx);
                });
            }
        });
    });
    march(phi, grid);
    smooth(phi, grid, smoothing_steps);
    march(phi, grid);
    return phi;
}

#define INSTANTIATE(Dim)                                                                                      \
    template void march(Field<float, Dim>&, const LevelSetGrid<Dim>&);                                        \
    template void smooth(Field<float, Dim>&, const LevelSetGrid<Dim>&, int);                                  \
    template ParticleSet<Dim> filled(const Field<float, Dim>&, const LevelSetGrid<Dim>&, int, std::uint64_t); \
    template Field<float, Dim> surface_of_particles(const ParticleSet<Dim>&, double, const LevelSetGrid<Dim>&, int);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
