// SPDX-License-Identifier: Apache-2.0
#include "liquid/world.h"

#include <algorithm>
#include <limits>

namespace spindrift {
namespace {

// Cells beyond an open side: what leaves in one step must find room.
constexpr int kMargin = 8;

// How far a point lies beyond a side, m: positive outside.  Widens the box by the margin.
template <int Dim>
std::function<double(const Vec<double, Dim>&)> beyond_side(World<Dim>& world, int axis, bool upper) {
    int& side = upper ? world.box.hi[axis] : world.box.lo[axis];
    const double place = world.grid.origin[axis] + side * world.grid.dx;
    side += upper ? kMargin : -kMargin;
    return [=](const Vec<double, Dim>& p) { return upper ? p[axis] - place : place - p[axis]; };
}

}  // namespace

template <int Dim>
std::function<double(const Vec<double, Dim>&)> solids_at(const World<Dim>& world, double time) {
    if (world.moving_solids.empty()) return world.solid_distance;
    return [&world, time](const Vec<double, Dim>& p) {
        double nearest = world.solid_distance ? world.solid_distance(p) : std::numeric_limits<double>::infinity();
        for (const MovingSolid<Dim>& solid : world.moving_solids) nearest = std::min(nearest, solid.distance(p, time));
        return nearest;
    };
}

template <int Dim>
IndexBox<Dim> walled_box(const World<Dim>& world) {
    constexpr int kEndless = 1 << 24;
    IndexBox<Dim> box = world.box;
    for (int axis = 0; axis < Dim; ++axis)
        if (world.period[axis] > 0) box.lo[axis] = -kEndless, box.hi[axis] = kEndless;
    return box;
}

template <int Dim>
IndexBox<Dim> box_between_outlets(const World<Dim>& world) {
    IndexBox<Dim> box = world.box;
    for (const Margin& margin : world.outlets) (margin.upper ? box.hi[margin.axis] : box.lo[margin.axis]) = margin.side;
    return box;
}

template <int Dim>
void open_side(World<Dim>& world, int axis, bool upper) {
    world.outlets.push_back({axis, upper, upper ? world.box.hi[axis] : world.box.lo[axis]});
    const auto beyond = beyond_side(world, axis, upper);
    world.sinks.push_back({.distance = [beyond](const Vec<double, Dim>& p) { return -beyond(p); }});
}

template <int Dim>
void let_in(World<Dim>& world, int axis, bool upper,
            std::function<Vec<double, Dim>(const Vec<double, Dim>&, double time)> velocity,
            std::function<double(double time)> level, int up) {
    const auto beyond = beyond_side(world, axis, upper);
    const double skin = 1e-3 * world.grid.dx;  // faces that lie in the side belong to the margin
    const auto above_level = [level, up](const Vec<double, Dim>& p, double t) { return level ? p[up] - level(t) : -1; };
    LiquidSource<Dim> source;
    source.distance = [=](const Vec<double, Dim>& p, double t) {
        return level ? std::max(-beyond(p) - skin, above_level(p, t)) : -beyond(p) - skin;
    };
    source.mouth = [=](const Vec<double, Dim>& p, double) { return -beyond(p) - skin; };
    source.velocity = [=](const Vec<double, Dim>& p, double t) {
        return above_level(p, t) < 0 ? velocity(p, t) : Vec<double, Dim>(0.0);
    };
    world.sources.push_back(std::move(source));
}

template <int Dim>
void end_sources_at_outlets(World<Dim>& world) {
    using Distance = std::function<double(const Vec<double, Dim>&, double)>;
    for (const Margin& margin : world.outlets) {
        const double place = world.grid.origin[margin.axis] + margin.side * world.grid.dx;
        const auto end = [&](Distance& shape) {
            if (!shape) return;
            shape = [=, within = std::move(shape)](const Vec<double, Dim>& p, double t) {
                return std::max(within(p, t), margin.upper ? p[margin.axis] - place : place - p[margin.axis]);
            };
        };
        for (LiquidSource<Dim>& source : world.sources) {
            end(source.distance);
            end(source.mouth);
        }
    }
}

template <int Dim>
void lead_out(FaceField<Dim>& velocity, const World<Dim>& world) {
    const Tiles<Dim>& tiles = velocity.tiles();
    for (const Margin& margin : world.outlets)
        for (std::size_t n = 0; n < tiles.count(); ++n) {
            const auto slot = static_cast<Slot>(n);
            const Index<Dim> origin = tiles.origin(slot);
            const int axis = margin.axis;
            if (margin.upper ? origin[axis] + kTileSide <= margin.side : origin[axis] >= margin.side) continue;
            for (int c = 0; c < kTileCells<Dim>; ++c) {
                Index<Dim> cell = origin + cell_in_tile<Dim>(c);
                if (!world.box.contains(cell) || (margin.upper ? cell[axis] < margin.side : cell[axis] >= margin.side))
                    continue;
                const bool at_plane = cell[axis] == margin.side;
                const bool at_wall = cell[axis] == world.box.lo[axis];
                cell[axis] = margin.side;
                if (!at_plane && !at_wall) velocity[axis].tile(slot)[c] = velocity[axis].at(cell);
                for (int a = 0; a < Dim; ++a)
                    if (a != axis) velocity[a].tile(slot)[c] = 0;
            }
        }
}

template <int Dim>
std::vector<MovingPart<Dim>> moving_parts(const World<Dim>& world, double time) {
    std::vector<MovingPart<Dim>> parts;
    for (const MovingSolid<Dim>& solid : world.moving_solids) parts.push_back({solid.distance, solid.velocity, true});
    for (const LiquidSource<Dim>& source : world.sources)
        if (source.is_on(time))
            parts.push_back({source.mouth ? source.mouth : source.distance, source.velocity, false});
    return parts;
}

#define INSTANTIATE(Dim)                                                                                           \
    template std::function<double(const Vec<double, Dim>&)> solids_at(const World<Dim>&, double);                  \
    template IndexBox<Dim> walled_box(const World<Dim>&);                                                          \
    template IndexBox<Dim> box_between_outlets(const World<Dim>&);                                                 \
    template void end_sources_at_outlets(World<Dim>&);                                                             \
    template void open_side(World<Dim>&, int, bool);                                                               \
    template void let_in(World<Dim>&, int, bool, std::function<Vec<double, Dim>(const Vec<double, Dim>&, double)>, \
                         std::function<double(double)>, int);                                                      \
    template void lead_out(FaceField<Dim>&, const World<Dim>&);                                                    \
    template std::vector<MovingPart<Dim>> moving_parts(const World<Dim>&, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
