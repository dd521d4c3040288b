// SPDX-License-Identifier: Apache-2.0
#include "liquid/initial_surface.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "grid/beside.h"
#include "grid/halo.h"

namespace spindrift {
namespace {

// Cells from a solid at which the free surface is looked for, to be continued towards the solid: in steps of kStep, as
// far as redistancing is accurate.
constexpr double kStep = 1.5, kFarthest = 6;
// Cells inside a solid to which the surface is continued: as far as a step looks.
constexpr double kDeepest = 12;
// A surface faces a solid when a step of kProbe cells out of it leads towards the solid, by more than this part of it.
constexpr double kProbe = 0.1, kSlant = 0.01;
// Steps of differences, in cells.
constexpr double kDifference = 1e-3;
// Cells by which a place is moved off where two faces of a shape are equally near, different along each axis.
constexpr std::array<double, 3> kAside{0.011, 0.017, 0.023};

template <int Dim>
struct FreeSurface {
    using Point = Vec<double, Dim>;
    using Distance = std::function<double(const Point&)>;

    Distance shape, solid;
    GridTransform<Dim> grid;
    std::vector<std::pair<int, bool>> walls;  // axis, upper
    IndexBox<Dim> box;

    double to_wall(const Point& p, int axis, bool upper) const {
        const double wall = grid.origin[axis] + (upper ? box.hi[axis] : box.lo[axis]) * grid.dx;
        return upper ? wall - p[axis] : p[axis] - wall;
    }
    // To solids and walls, negative in them.
    double to_barrier(const Point& p) const {
        double nearest = solid ? solid(p) : std::numeric_limits<double>::infinity();
        for (const auto& [axis, upper] : walls) nearest = std::min(nearest, to_wall(p, axis, upper));
        return nearest;
    }
    // Whether the surface at p faces solids or a wall within the gap: a step outwards leads towards them.
    bool faces_barrier(const Point& p, const Point& outward) const {
        const double probe = kProbe * grid.dx;
        const Point beyond = p + outward * probe;
        const auto nearer = [&](double before, double after) {
            return before < kGap * grid.dx && after < before - kSlant * probe;
        };
        if (solid && nearer(solid(p), solid(beyond))) return true;
        return std::any_of(walls.begin(), walls.end(), [&](const auto& wall) {
            return nearer(to_wall(p, wall.first, wall.second), to_wall(beyond, wall.first, wall.second));
        });
    }

    // A place near p where no two faces are equally near.
    Point aside(Point p) const {
        for (int axis = 0; axis < Dim; ++axis) p[axis] += kAside[static_cast<std::size_t>(axis)] * grid.dx;
        return p;
    }
    // The direction in which a distance grows from `here` at p.
    template <class F>
    Point normal(const Point& p, double here, F&& distance) const {
        Point slope;
        for (int axis = 0; axis < Dim; ++axis) {
            Point beside = p;
            beside[axis] += kDifference * grid.dx;
            slope[axis] = distance(beside) - here;
        }
        const double size = length(slope);
        return size > 0 ? slope / size : Point(0.0);
    }

    // The shape as seen from a place.
    struct View {
        Point from;
        double distance = 0;
        Point outward{};
        bool hidden = false;  // its nearest face is at a solid
    };
    View view_from(const Point& p) const {
        View view{.from = p};
        view.distance = shape(view.from);
        view.outward = normal(view.from, view.distance, shape);
        view.hidden = faces_barrier(view.from - view.outward * view.distance, view.outward);
        return view;
    }

    // So far from all solids and walls near p, if there is room: from one after the other.
    Point away_from_barriers(Point p, double away) const {
        const auto barrier = [this](const Point& q) { return to_barrier(q); };
        for (int n = 0; n < 2 * Dim; ++n) {
            const double here = to_barrier(p);
            if (here >= away) break;
            const Point beside = aside(p);
            p += normal(beside, to_barrier(beside), barrier) * (away - here);
        }
        return p;
    }

    double operator()(const Point& p) const {
        const double here = shape(p), barrier = to_barrier(p);
        const bool is_near =
            barrier < 0 ? barrier > -kDeepest * grid.dx : std::max(barrier, std::abs(here)) < kFarthest * grid.dx;
        if (!is_near || (!view_from(p).hidden && !view_from(aside(p)).hidden)) return here;
        const double there = continued(p, here);
        // What the shape holds in the open is liquid, whatever is near.
        return barrier >= 0 && here < 0 && there >= 0 ? here : there;
    }
    // The free surface as it is seen away from solids and walls, continued to p.
    double continued(const Point& p, double here) const {
        double there = here;
        for (double away = kStep; away <= kFarthest; away += kStep) {
            const Point from = away_from_barriers(p, away * grid.dx);
            if (to_barrier(from) < 0.5 * away * grid.dx) break;  // a gap too narrow to be so far from both its sides
            const View view = view_from(aside(from));
            if (!view.hidden) return view.distance + dot(view.outward, p - view.from);
            there = view.distance;
        }
        return there;
    }
};

}  // namespace

template <int Dim>
std::function<double(const Vec<double, Dim>&)> free_surface_distance(
    const World<Dim>& world, std::function<double(const Vec<double, Dim>&)> shape,
    std::function<double(const Vec<double, Dim>&)> solid) {
    FreeSurface<Dim> surface{std::move(shape), std::move(solid), world.grid, {}, world.box};
    for (int axis = 0; axis < Dim; ++axis)
        for (const bool upper : {false, true})
            if (world.sides[static_cast<std::size_t>(axis)][upper ? 1 : 0] != SideKind::open && world.period[axis] == 0)
                surface.walls.emplace_back(axis, upper);
    return surface;
}

// Replaces φ in each cell of the container by f(φ there, φ in a cell beside it), for all that are in the container.
template <int Dim, class F>
void compare_with_neighbours(Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid, F&& f) {
    Field<float, Dim> next = phi;
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const Index<Dim> origin = phi.tiles().origin(slot);
        float* to = next.tile(slot);
        for (int axis = 0; axis < Dim; ++axis) {
            const TileValues<Dim> below = values_below(phi, slot, axis), above = values_above(phi, slot, axis);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const int place = origin[axis] + cell_in_tile<Dim>(n)[axis];
                if (place > grid.box.lo[axis]) to[n] = f(to[n], below[n]);
                if (place < grid.box.hi[axis] - 1) to[n] = f(to[n], above[n]);
            }
        }
    });
    phi = std::move(next);
}

template <int Dim>
void bound_slopes(Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid) {
    const auto dx = static_cast<float>(grid.dx);
    // Where the surface lies between two cells it stays, and they are less than dx apart.
    compare_with_neighbours(phi, grid, [=](float here, float beside) {
        if ((here < 0) == (beside < 0) || std::abs(here - beside) <= dx) return here;
        return here * dx / std::abs(here - beside);
    });
    for (int layer = 1; layer < grid.band; ++layer)
        compare_with_neighbours(phi, grid, [=](float here, float beside) {
            return (here < 0) == (beside < 0) ? std::clamp(here, -std::abs(beside) - dx, std::abs(beside) + dx) : here;
        });
}

template <int Dim>
double take_out_thin_liquid(Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid, const Field<float, Dim>* room) {
    const auto dx = static_cast<float>(grid.dx);
    const double before = liquid_cells(phi, grid, room);
    Field<float, Dim> without = phi;
    std::atomic<bool> any = false;
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* here = phi.tile(slot);
        if (std::none_of(here, here + kTileCells<Dim>, [=](float v) { return v >= 0 && v < dx; })) return;
        const HaloBlock<float, Dim, 1> around(phi, slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            if (!(here[n] >= 0 && here[n] < dx)) continue;
            const Index<Dim> cell = cell_in_tile<Dim>(n);
            bool is_beside_wet = false;
            for_each_index(IndexBox<Dim>{cell - Index<Dim>(1), cell + Index<Dim>(2)}, [&](const Index<Dim>& beside) {
                is_beside_wet |= around(beside) < 0 && grid.box.contains(phi.tiles().origin(slot) + beside);
            });
            if (is_beside_wet) continue;
            without.tile(slot)[n] = dx;
            any = true;
        }
    });
    if (!any) return 0;
    phi = std::move(without);
    return before - liquid_cells(phi, grid, room);
}

template double take_out_thin_liquid(Field<float, 2>&, const LevelSetGrid<2>&, const Field<float, 2>*);
template double take_out_thin_liquid(Field<float, 3>&, const LevelSetGrid<3>&, const Field<float, 3>*);
template void bound_slopes(Field<float, 2>&, const LevelSetGrid<2>&);
template void bound_slopes(Field<float, 3>&, const LevelSetGrid<3>&);
template std::function<double(const Vec<double, 2>&)> free_surface_distance(
    const World<2>&, std::function<double(const Vec<double, 2>&)>, std::function<double(const Vec<double, 2>&)>);
template std::function<double(const Vec<double, 3>&)> free_surface_distance(
    const World<3>&, std::function<double(const Vec<double, 3>&)>, std::function<double(const Vec<double, 3>&)>);

}  // namespace spindrift
