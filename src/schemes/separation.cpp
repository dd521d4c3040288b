// SPDX-License-Identifier: Apache-2.0
#include "schemes/separation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grid/halo.h"

namespace spindrift {
namespace {

// Distances from a solid's side, in cells, at which the cells beside it are looked for.
constexpr std::array<float, 3> kBeside{0.05F, 0.3F, 0.55F};

template <int Dim>
bool holds(const CellSet<Dim>& cells, const Index<Dim>& cell) {
    return std::binary_search(cells.begin(), cells.end(), cell);
}

// The open part of the face between a cell and the one beside it.
template <int Dim>
float open_between(const Boundary<Dim>& b, const Index<Dim>& cell, int axis, bool above) {
    return b.open[axis].at(above ? cell + unit<Dim>(axis) : cell);
}

template <int Dim, class F>
void for_each_neighbour(const Index<Dim>& cell, F&& f) {
    for (int axis = 0; axis < Dim; ++axis)
        for (const bool above : {false, true}) f(axis, above, above ? cell + unit<Dim>(axis) : cell - unit<Dim>(axis));
}

// Whether a solid closes a part of some face of the cell.
template <int Dim>
bool touches_solid(const Boundary<Dim>& b, const Index<Dim>& cell) {
    bool closed = false;
    for_each_neighbour(cell, [&](int axis, bool above, const Index<Dim>& beside) {
        closed |= b.domain.box.contains(beside) && open_between(b, cell, axis, above) < 1;
    });
    return closed;
}

// Liquid cells beside solids for which is_wanted(pressure) holds.
template <int Dim, class Wanted>
CellSet<Dim> cells_at_solids(const Field<float, Dim>& pressure, const Field<float, Dim>& phi, const Boundary<Dim>& b,
                             Wanted&& is_wanted) {
    std::vector<CellSet<Dim>> of_tiles(phi.tiles().count());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float *solid = b.centre_distance.tile(slot), *level = phi.tile(slot), *p = pressure.tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            if (!(solid[n] < 1 && level[n] < 0 && b.volume.tile(slot)[n] > 0 && is_wanted(p[n]))) continue;
            const Index<Dim> cell = phi.tiles().origin(slot) + cell_in_tile<Dim>(n);
            if (b.domain.box.contains(cell) && touches_solid(b, cell))
                of_tiles[static_cast<std::size_t>(slot)].push_back(cell);
        }
    });
    CellSet<Dim> all;
    for (const CellSet<Dim>& some : of_tiles) all.insert(all.end(), some.begin(), some.end());
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

template <int Dim>
CellSet<Dim> cells_that_pull(const Field<float, Dim>& pressure, const Field<float, Dim>& phi,
                             const Field<float, Dim>& level, const Boundary<Dim>& b, float threshold,
                             const CellSet<Dim>& separating) {
    CellSet<Dim> pulling = cells_at_solids(pressure, phi, b, [=](float p) { return p < -threshold; });
    pulling.insert(pulling.end(), separating.begin(), separating.end());
    std::sort(pulling.begin(), pulling.end());
    pulling.erase(std::unique(pulling.begin(), pulling.end()), pulling.end());

    // From those beside air on to their neighbours.
    const auto is_air = [&](const Index<Dim>& cell) {
        return b.domain.box.contains(cell) && level.at(cell) >= 0 && b.volume.at(cell) > 0;
    };
    std::vector<std::uint8_t> reached(pulling.size());
    std::vector<std::size_t> front;
    const auto reach = [&](std::size_t n) {
        if (reached[n] == 0) front.push_back(n);
        reached[n] = 1;
    };
    for (std::size_t n = 0; n < pulling.size(); ++n)
        for_each_neighbour(pulling[n], [&](int axis, bool above, const Index<Dim>& beside) {
            if (open_between(b, pulling[n], axis, above) > 0 && is_air(beside)) reach(n);
        });
    while (!front.empty()) {
        const Index<Dim> cell = pulling[front.back()];
        front.pop_back();
        // Corners too: along a slanting side the cells it cuts meet in edges.
        for_each_index(IndexBox<Dim>{cell - Index<Dim>(1), cell + Index<Dim>(2)}, [&](const Index<Dim>& beside) {
            const auto found = std::lower_bound(pulling.begin(), pulling.end(), beside);
            if (found != pulling.end() && *found == beside) reach(static_cast<std::size_t>(found - pulling.begin()));
        });
    }
    CellSet<Dim> open_to_air;
    for (std::size_t n = 0; n < pulling.size(); ++n)
        if (reached[n] != 0) open_to_air.push_back(pulling[n]);
    return open_to_air;
}

template <int Dim>
Field<float, Dim> with_surface_at(const CellSet<Dim>& cells, const Field<float, Dim>& phi, double dx) {
    Field<float, Dim> level = phi;
    for (const Index<Dim>& cell : cells) level.ref(cell) = static_cast<float>(1e-4 * dx);
    return level;
}

template <int Dim>
CellSet<Dim> cells_that_press(const CellSet<Dim>& cells, const FaceField<Dim>& velocity, const Boundary<Dim>& b) {
    CellSet<Dim> pressed;
    for (const Index<Dim>& cell : cells) {
        float out = 0;
        for_each_neighbour(cell, [&](int axis, bool above, const Index<Dim>& beside) {
            const Index<Dim>& face = above ? beside : cell;
            const float open = b.open[axis].at(face), wall = b.anything_moves() ? b.wall_velocity[axis].at(face) : 0;
            out += (above ? 1.0F : -1.0F) * (open * velocity[axis].at(face) + (1 - open) * wall);
        });
        if (out < 0) pressed.push_back(cell);
    }
    return pressed;
}

template <int Dim>
void let_air_in(Field<float, Dim>& phi, const CellSet<Dim>& separating, const Boundary<Dim>& b, int depth) {
    if (separating.empty()) return;
    const auto dx = static_cast<float>(b.domain.grid.dx);
    const auto deepest = static_cast<float>(-depth);
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* distances = b.centre_distance.tile(slot);
        if (std::none_of(distances, distances + kTileCells<Dim>, [](float v) { return v < 1; })) return;
        const HaloBlock<float, Dim, 1> solid(b.centre_distance, slot);
        const Vec<float, Dim> origin(phi.tiles().origin(slot));
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> cell = cell_in_tile<Dim>(n);
            const float distance = solid(cell);
            if (distance > 1 || distance < deepest) continue;
            Vec<float, Dim> out;
            for (int a = 0; a < Dim; ++a) out[a] = solid(cell + unit<Dim>(a)) - solid(cell - unit<Dim>(a));
            const float size = length(out);
            if (!(size > 0)) continue;
            // The cells at the side of the solid, straight out from here.
            const Vec<float, Dim> here = origin + Vec<float, Dim>(cell) + Vec<float, Dim>(0.5F);
            const bool has_let_go = std::any_of(kBeside.begin(), kBeside.end(), [&](float beyond) {
                const Vec<float, Dim> place = here + ((beyond - distance) / size) * out;
                return holds(separating, map([](float x) { return static_cast<int>(std::floor(x)); }, place));
            });
            if (has_let_go) phi.tile(slot)[n] = std::max(phi.tile(slot)[n], -distance * dx);
        }
    });
}

#define INSTANTIATE(Dim)                                                                                               \
    template CellSet<Dim> cells_that_pull(const Field<float, Dim>&, const Field<float, Dim>&,                          \
                                          const Field<float, Dim>&, const Boundary<Dim>&, float, const CellSet<Dim>&); \
    template Field<float, Dim> with_surface_at(const CellSet<Dim>&, const Field<float, Dim>&, double);                 \
    template CellSet<Dim> cells_that_press(const CellSet<Dim>&, const FaceField<Dim>&, const Boundary<Dim>&);          \
    template void let_air_in(Field<float, Dim>&, const CellSet<Dim>&, const Boundary<Dim>&, int);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
