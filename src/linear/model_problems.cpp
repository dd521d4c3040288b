// SPDX-License-Identifier: Apache-2.0
#include "linear/model_problems.h"

#include <cmath>

namespace spindrift {
namespace {

using Point = Vec<double, 3>;

// Positions in a box of side one; a 2D problem is the slice z = 1/2 of the 3D one.
template <int Dim>
Point place(const Vec<double, Dim>& cell_space, int n) {
    Point p(0.5);
    for (int a = 0; a < Dim; ++a) p[a] = cell_space[a] / n;
    return p;
}

template <int Dim>
Point centre(const Index<Dim>& cell, int n) {
    return place(Vec<double, Dim>(cell) + Vec<double, Dim>(0.5), n);
}

// A level that puts the surface at the centre of the cell it belongs to.
constexpr float kJustOutside = 1e-6F;

double dam_height(const Point& p) {
    const double bank = p[0] < 0.4 ? std::tanh((0.4 - p[0]) * 10) : -std::tanh((p[0] - 0.4) * 4);
    return 0.55 + 0.06 * std::sin(9 * p[0] + 1) * std::cos(7 * p[2]) + 0.25 * bank;
}

double sphere_distance(const Point& p) { return length(p - Point(0.55, 0.2, 0.48)) - 0.17; }

// The fraction of a face outside the sphere, by 8 points along each of its sides.
template <int Dim>
float open_fraction(const Index<Dim>& cell, int axis, int n) {
    constexpr int kPoints = 8;
    const Vec<double, Dim> corner(cell);
    Vec<double, Dim> middle = corner + Vec<double, Dim>(0.5);
    middle[axis] -= 0.5;
    const double distance = sphere_distance(place(middle, n)) * n;
    if (distance > 1) return 1;
    if (distance < -1) return 0;
    int open = 0, points = 0;
    IndexBox<Dim> samples{Index<Dim>(0), Index<Dim>(kPoints)};
    samples.hi[axis] = 1;
    for_each_index(samples, [&](const Index<Dim>& s) {
        Vec<double, Dim> p = corner;
        for (int a = 0; a < Dim; ++a)
            if (a != axis) p[a] += (s[a] + 0.5) / kPoints;
        open += sphere_distance(place(p, n)) > 0 ? 1 : 0;
        ++points;
    });
    return static_cast<float>(open) / static_cast<float>(points);
}

template <int Dim, class Level>
ModelProblem<Dim> make_problem(int n, Obstacle obstacle, bool open_walls, Level&& level) {
    ModelProblem<Dim> problem;
    problem.box = {Index<Dim>(0), Index<Dim>(n)};

    // Tiles that hold liquid or touch it.
    const TilesPtr<Dim> all = Tiles<Dim>::covering(problem.box);
    std::vector<std::uint8_t> wanted(all->count(), 0);
    for_each_tile(*all, [&](Slot slot) {
        const Index<Dim> origin = all->origin(slot);
        for (int i = 0; i < kTileCells<Dim> && wanted[static_cast<std::size_t>(slot)] == 0; ++i)
            if (level(origin + cell_in_tile<Dim>(i)) < 1.5) wanted[static_cast<std::size_t>(slot)] = 1;
    });
    std::vector<Index<Dim>> coordinates;
    for (std::size_t slot = 0; slot < all->count(); ++slot)
        if (wanted[slot] != 0) coordinates.push_back(all->coordinate(static_cast<Slot>(slot)));
    const TilesPtr<Dim> tiles = Tiles<Dim>::from_coordinates(std::move(coordinates));

    // Open walls need no tiles beyond them: there the fields have their backgrounds.
    problem.level = Field<float, Dim>::unfilled(tiles, open_walls ? kJustOutside : 3.0F);
    assign(problem.level, level);
    problem.open = FaceField<Dim>(tiles, open_walls ? 1.0F : 0.0F);
    for (int axis = 0; axis < Dim; ++axis)
        assign(problem.open[axis], [&](const Index<Dim>& cell) {
            const bool inside = problem.box.contains(cell), below = problem.box.contains(cell - unit<Dim>(axis));
            if (open_walls ? !inside && !below : !inside || !below) return 0.0F;
            return obstacle == Obstacle::sphere ? open_fraction(cell, axis, n) : 1.0F;
        });
    problem.right_side = Field<float, Dim>(tiles);
    assign(problem.right_side, [&](const Index<Dim>& cell) {
        const Point p = centre(cell, n);
        return problem.box.contains(cell) ? static_cast<float>(std::sin(5 * p[0]) * std::cos(3 * p[1] + 1) + p[2])
                                          : 0.0F;
    });
    return problem;
}

}  // namespace

template <int Dim>
ModelProblem<Dim> dam_problem(int n, Obstacle obstacle, bool sub_cell) {
    return make_problem<Dim>(n, obstacle, false, [=](const Index<Dim>& cell) {
        const Point p = centre(cell, n);
        const double depth = (p[1] - dam_height(p)) * n;
        if (!sub_cell) return depth < 0 ? -1e-6F : 1e3F * static_cast<float>(depth > 1.5) + 1.0F;
        return static_cast<float>(depth);
    });
}

template <int Dim>
ModelProblem<Dim> pool_problem(int n, double fraction) {
    return make_problem<Dim>(n, Obstacle::none, false,
                             [=](const Index<Dim>& cell) { return static_cast<float>(cell[1] + 0.5 - fraction * n); });
}

template <int Dim>
ModelProblem<Dim> closed_problem(int n, Obstacle obstacle) {
    const IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(n)};
    return make_problem<Dim>(n, obstacle, false,
                             [=](const Index<Dim>& cell) { return box.contains(cell) ? -1.0F : 2.0F; });
}

template <int Dim>
ModelProblem<Dim> full_problem(int n) {
    const IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(n)};
    return make_problem<Dim>(n, Obstacle::none, true,
                             [=](const Index<Dim>& cell) { return box.contains(cell) ? -1.0F : kJustOutside; });
}

#define INSTANTIATE(Dim)                                         \
    template ModelProblem<Dim> dam_problem(int, Obstacle, bool); \
    template ModelProblem<Dim> closed_problem(int, Obstacle);    \
    template ModelProblem<Dim> pool_problem(int, double);        \
    template ModelProblem<Dim> full_problem(int);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
