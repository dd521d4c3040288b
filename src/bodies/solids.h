// SPDX-License-Identifier: Apache-2.0
// The solids of a scene, for liquids and gases alike: those that stand still and those that move as their pose says.
// A solid's distance is evaluated in its own frame, so that what was made ready for a mesh moves along with it.
//
//   SolidSet<3> solids;
//   solids.add({.name = "paddle", .part = {Box<double, 3>{…}}, .pose = …});
//   const PlacedSolids<3>& now = solids.at(time);
//   const double d = now.distance(x);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bodies/pose.h"

namespace spindrift {

template <int Dim>
struct Solid {
    std::string name{};
    typename ShapeSet<Dim>::Part part{};  // in its own frame; cut out of those before it, or added to them
    Pose<Dim> pose{};                     // what is cut out stands still
    bool slip = true;
    bool visible = true;
    bool glass = false;

    bool is_added() const { return part.how == Combine::add; }
};

namespace detail {
template <int Dim>
struct SolidList {
    std::vector<Solid<Dim>> all{};
    std::vector<ShapeSet<Dim>> shapes{};  // of each by itself
    ShapeSet<Dim> still{};                // those that stand still, together
    std::vector<std::size_t> movers{};
};
}  // namespace detail

// All of them at one moment.  Distances are in m, negative inside; infinite when there is no solid.
template <int Dim>
class PlacedSolids {
  public:
    PlacedSolids() = default;
    PlacedSolids(std::shared_ptr<const detail::SolidList<Dim>> list, double time);

    double time() const { return time_; }
    const Placement<Dim>& placement(std::size_t number) const { return placements_[number]; }

    double distance(const Vec<double, Dim>& x) const;
    // Of one solid by itself, as if it were added.
    double distance_to(std::size_t number, const Vec<double, Dim>& x) const {
        const ShapeSet<Dim>& shape = list_->shapes[number];
        return list_->all[number].pose.moves() ? signed_distance(shape, placements_[number].body_from_world(x))
                                               : signed_distance(shape, x);
    }
    // Of the nearest solid, m/s.
    Vec<double, Dim> velocity(const Vec<double, Dim>& x) const;
    // Whose surface is next to a place, of the solids that are added.  The surface of what is cut out belongs to the
    // solid that it is cut out of.
    std::size_t owner(const Vec<double, Dim>& x) const;
    // Whether the surface next to a place is one along which the fluid slips, be it of what is added or cut out.
    bool slips(const Vec<double, Dim>& x) const;
    // Out of the nearest solid, of length 1, where that is a mesh; else zero.
    Vec<double, Dim> mesh_normal(const Vec<double, Dim>& x) const;
    // No part of this solid within the box is faster, m/s.
    double fastest(std::size_t number, const Box<double, Dim>& box) const;

    bool is_of(const std::shared_ptr<const detail::SolidList<Dim>>& list) const { return list_ == list; }

  private:
    // The mover that is nearer than all others and than what stands still; kNone where that is nearest.
    std::size_t nearest_mover(const Vec<double, Dim>& x, double& distance) const;
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    std::shared_ptr<const detail::SolidList<Dim>> list_{};
    double time_ = 0;
    std::vector<Placement<Dim>> placements_{};
};

template <int Dim>
class SolidSet {
  public:
    SolidSet() : list_(std::make_shared<detail::SolidList<Dim>>()) {}

    void add(Solid<Dim> solid);

    const std::vector<Solid<Dim>>& all() const { return list_->all; }
    const ShapeSet<Dim>& still() const { return list_->still; }
    // Numbers of those that move.
    const std::vector<std::size_t>& movers() const { return list_->movers; }
    bool empty() const { return list_->still.parts.empty() && list_->movers.empty(); }

    double distance(const Vec<double, Dim>& x, double time) const {
        return movers().empty() ? signed_distance(still(), x) : at(time).distance(x);
    }

    // Remembered by each thread, since fields are filled by many questions about one moment.
    const PlacedSolids<Dim>& at(double time) const;

  private:
    std::shared_ptr<const detail::SolidList<Dim>> list_;
};

// Those for which wanted(solid) holds; what is cut out of all is cut out of these.
template <int Dim, class Wanted>
SolidSet<Dim> those(const SolidSet<Dim>& solids, Wanted&& wanted) {
    SolidSet<Dim> some;
    for (const Solid<Dim>& solid : solids.all())
        if (solid.is_added() ? wanted(solid) : !some.still().parts.empty()) some.add(solid);
    return some;
}

}  // namespace spindrift
