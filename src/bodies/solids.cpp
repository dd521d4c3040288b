// SPDX-License-Identifier: Apache-2.0
#include "bodies/solids.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace spindrift {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

template <int Dim>
void SolidSet<Dim>::add(Solid<Dim> solid) {
    CHECK(solid.is_added() || !solid.pose.moves(), "SolidSet: what is cut out does not move");
    auto list = std::make_shared<detail::SolidList<Dim>>(*list_);
    ShapeSet<Dim>& shape = list->shapes.emplace_back();
    shape.parts.push_back(solid.part);
    shape.parts.back().how = Combine::add;
    if (solid.pose.moves())
        list->movers.push_back(list->all.size());
    else
        list->still.parts.push_back(solid.part);
    list->all.push_back(std::move(solid));
    list_ = std::move(list);
}

template <int Dim>
const PlacedSolids<Dim>& SolidSet<Dim>::at(double time) const {
    // All solids of a scene and those that pictures show, in turn; the oldest gives way.
    thread_local std::array<PlacedSolids<Dim>, 4> known;
    thread_local std::size_t next = 0;
    for (const PlacedSolids<Dim>& one : known)
        if (one.time() == time && one.is_of(list_)) return one;
    PlacedSolids<Dim>& fresh = known[next];
    next = (next + 1) % known.size();
    fresh = PlacedSolids<Dim>(list_, time);
    return fresh;
}

template <int Dim>
PlacedSolids<Dim>::PlacedSolids(std::shared_ptr<const detail::SolidList<Dim>> list, double time)
    : list_(std::move(list)), time_(time) {
    for (const Solid<Dim>& solid : list_->all) placements_.push_back(solid.pose.at(time));
}

template <int Dim>
std::size_t PlacedSolids<Dim>::nearest_mover(const Vec<double, Dim>& x, double& distance) const {
    std::size_t nearest = kNone;
    distance = signed_distance(list_->still, x);
    for (const std::size_t number : list_->movers)
        if (const double d = distance_to(number, x); d < distance) distance = d, nearest = number;
    return nearest;
}

template <int Dim>
double PlacedSolids<Dim>::distance(const Vec<double, Dim>& x) const {
    double distance = kInfinity;
    nearest_mover(x, distance);
    return distance;
}

template <int Dim>
Vec<double, Dim> PlacedSolids<Dim>::velocity(const Vec<double, Dim>& x) const {
    double distance = kInfinity;
    const std::size_t mover = nearest_mover(x, distance);
    return mover == kNone ? Vec<double, Dim>{} : placements_[mover].velocity_at(x);
}

template <int Dim>
std::size_t PlacedSolids<Dim>::owner(const Vec<double, Dim>& x) const {
    double least = kInfinity;
    std::size_t nearest = 0;
    // What is cut out takes from the solids that stand still before it; movers are added to what that leaves.
    for (const bool moves : {false, true})
        for (std::size_t number = 0; number < list_->all.size(); ++number) {
            const Solid<Dim>& solid = list_->all[number];
            if (solid.pose.moves() != moves) continue;
            const double d = distance_to(number, x);
            if (!solid.is_added())
                least = std::max(least, -d);
            else if (d < least)
                least = d, nearest = number;
        }
    return nearest;
}

template <int Dim>
bool PlacedSolids<Dim>::slips(const Vec<double, Dim>& x) const {
    double least = kInfinity;
    bool slips = false;
    for (std::size_t number = 0; number < list_->all.size(); ++number)
        if (const double d = std::abs(distance_to(number, x)); d < least) least = d, slips = list_->all[number].slip;
    return slips;
}

template <int Dim>
Vec<double, Dim> PlacedSolids<Dim>::mesh_normal(const Vec<double, Dim>& x) const {
    double distance = kInfinity;
    const std::size_t mover = nearest_mover(x, distance);
    if (mover == kNone) return spindrift::mesh_normal(list_->still, x);
    const Placement<Dim>& placed = placements_[mover];
    return placed.world_from_body.rotated(spindrift::mesh_normal(list_->shapes[mover], placed.body_from_world(x)));
}

template <int Dim>
double PlacedSolids<Dim>::fastest(std::size_t number, const Box<double, Dim>& box) const {
    const Placement<Dim>& placed = placements_[number];
    const Box<double, Dim> own = moved(bounding_box(list_->shapes[number]), placed.world_from_body);
    const Box<double, Dim> within = intersection(own, box);
    return placed.fastest_in(within.empty() ? box : within);
}

template class PlacedSolids<2>;
template class PlacedSolids<3>;
template class SolidSet<2>;
template class SolidSet<3>;

}  // namespace spindrift
