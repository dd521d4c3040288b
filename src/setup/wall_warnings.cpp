// SPDX-License-Identifier: Apache-2.0
#include "setup/wall_warnings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "scene/methods.h"
#include "setup/scene_solids.h"

namespace spindrift {
namespace {

// Thickness in cells from which walls that move hold: thinner ones jump past the centres of cells, and what was on one
// side of them is then on the other.  A mesh cup of 13 cells, lifted at 0.3 m/s for a second, lost 1.5 % of its water
// through walls of 0.25 cells, 0.6 % at 0.5, 0.3 % at 1, and none at 1.5 and 2.
constexpr double kMovingHolds = 1.5;
// Standing walls hold at any thickness, since the faces that they cross are closed as a whole (the same cup: less than
// 0.03 % in a second down to 0.25 cells); below a cell their shape is that of the grid.
constexpr double kStandingShows = 1;

// The surface is sampled on at most this many places along an axis.
constexpr int kMostSamples = 48;
// Steps of the way through a wall, as a part of the thickest that is looked for.
constexpr int kWaySteps = 40;

template <int Dim>
class WallProbe {
  public:
    WallProbe(const std::function<double(const Vec<double, Dim>&)>& distance, double spacing, double most)
        : distance_(distance), spacing_(spacing), most_(most) {}

    // Looks at the surface within a cube; what is far from it is passed over.
    void look(const Vec<double, Dim>& centre, double half) {
        const double here = distance_(centre);
        if (!(std::abs(here) < half * std::sqrt(double{Dim}) + most_)) return;
        if (half <= 0.5 * spacing_) return sample(centre);
        for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(2)}, [&](const Index<Dim>& k) {
            look(centre + (Vec<double, Dim>(k) - Vec<double, Dim>(0.5)) * half, 0.5 * half);
        });
    }

    double thinnest() {
        if (ways_.empty()) return std::numeric_limits<double>::infinity();
        const auto rank = ways_.begin() + static_cast<std::ptrdiff_t>(ways_.size() / 100);
        std::nth_element(ways_.begin(), rank, ways_.end());
        return *rank;
    }

  private:
    Vec<double, Dim> normal_at(const Vec<double, Dim>& p) const {
        const double reach = 1e-3 * most_;
        Vec<double, Dim> slope;
        for (int axis = 0; axis < Dim; ++axis) {
            Vec<double, Dim> step(0.0);
            step[axis] = reach;
            slope[axis] = distance_(p + step) - distance_(p - step);
        }
        const double size = length(slope);
        return size > 0 ? slope / size : slope;
    }

    // From the surface nearest to a place, through the solid.
    void sample(Vec<double, Dim> p) {
        constexpr int kProjections = 4;
        for (int n = 0; n < kProjections; ++n) {
            const double off = distance_(p);
            if (std::abs(off) < 1e-3 * most_) break;
            p -= normal_at(p) * off;
        }
        const Vec<double, Dim> inward = normal_at(p) * -1.0;
        if (!(std::abs(distance_(p)) < 0.05 * most_) || !(length(inward) > 0)) return;
        bool entered = false;
        // No surface is nearer than the distance: as many steps at once.
        for (int n = 1; n <= kWaySteps;) {
            const double way = most_ * n / kWaySteps, depth = -distance_(p + inward * way);
            if (entered && !(depth > 0)) return ways_.push_back(way);
            entered |= depth > 0;
            n += std::max(1, static_cast<int>(std::min(std::abs(depth) / most_, 1.0) * kWaySteps));
        }
        if (entered) ways_.push_back(std::numeric_limits<double>::infinity());
    }

    const std::function<double(const Vec<double, Dim>&)>& distance_;
    double spacing_, most_;
    std::vector<double> ways_;
};

template <int Dim>
void look_at_walls(Errors& list, const SceneDescription& scene) {
    Errors errors;
    const SolidSet<Dim> solids = scene_solids<Dim>(errors, scene);
    if (!errors.empty()) return;  // check_simulation() tells of them
    const double dx = cell_size(scene);
    const Vec<int, 3> counts = cell_counts(scene);
    Box<double, Dim> box;
    double longest = 0;
    for (int axis = 0; axis < Dim; ++axis) {
        box.lo[axis] = scene.domain.origin[axis];
        box.hi[axis] = box.lo[axis] + counts[axis] * dx;
        longest = std::max(longest, counts[axis] * dx);
    }
    const double spacing = std::max(dx, longest / kMostSamples);
    const auto warn = [&](const std::string& path, std::string what, std::string remedy) {
        list.add({.what = std::move(what), .remedy = std::move(remedy), .where = place_of(scene, path)});
    };
    std::size_t standing = 0, first = 0;
    for (std::size_t i = scene.solid.size(); i-- > 0;)
        if (!scene.solid[i].motion.is_there()) ++standing, first = i;
    if (!solids.still().parts.empty()) {
        const double wall =
            thinnest_wall<Dim>([&](const Vec<double, Dim>& p) { return signed_distance(solids.still(), p); }, box,
                               spacing, kStandingShows * dx);
        if (wall < kStandingShows * dx)
            warn(fmt::format("solid[{}]", first),
                 fmt::format("{}: walls of {:.3g} m are thinner than a cell of {:.3g} m: they part the liquid as whole "
                             "faces of cells do, and their shape is lost",
                             standing == 1 ? fmt::format("solid[{}]", first) : "solids that stand", wall, dx),
                 fmt::format("cells of {:.3g} m or less would show it; or make the walls thicker",
                             wall / kStandingShows));
    }
    for (const std::size_t i : solids.movers()) {
        const double wall = thinnest_wall<Dim>(
            [&](const Vec<double, Dim>& p) { return solids.at(0).distance_to(i, p); }, box, spacing, kMovingHolds * dx);
        if (wall < kMovingHolds * dx)
            warn(fmt::format("solid[{}]", i),
                 fmt::format("solid[{}] moves, and its walls of {:.3g} m are thinner than {:g} cells and will leak", i,
                             wall, kMovingHolds),
                 fmt::format("a cell size of {:.3g} m or less would hold; it is {:.3g} m", wall / kMovingHolds, dx));
    }
}

}  // namespace

template <int Dim>
double thinnest_wall(const std::function<double(const Vec<double, Dim>&)>& distance, const Box<double, Dim>& box,
                     double spacing, double most) {
    WallProbe<Dim> probe(distance, spacing, most);
    double half = 0;
    for (int axis = 0; axis < Dim; ++axis) half = std::max(half, 0.5 * (box.hi[axis] - box.lo[axis]));
    probe.look((box.lo + box.hi) * 0.5, half);
    return probe.thinnest();
}

Errors wall_warnings(const SceneDescription& scene) {
    Errors list;
    if (!scene::has_surface(scene.method) || scene.solid.empty() || scene.flow.velocity) return list;
    if (scene.dim == 2)
        look_at_walls<2>(list, scene);
    else
        look_at_walls<3>(list, scene);
    return list;
}

template double thinnest_wall(const std::function<double(const Vec<double, 2>&)>&, const Box<double, 2>&, double,
                              double);
template double thinnest_wall(const std::function<double(const Vec<double, 3>&)>&, const Box<double, 3>&, double,
                              double);

}  // namespace spindrift
