// SPDX-License-Identifier: Apache-2.0
#include "scene/motion.h"

#include <cmath>
#include <numbers>

#include "scene/shape_extent.h"

namespace spindrift {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// About the axis where there is one angle; in 2D that is z.
template <int Dim>
std::function<Rotation<Dim>(double)> rotation_of(const scene::Turn& turn, const Vec<double, 3>& axis) {
    if constexpr (Dim == 2) {
        return [angle = turn.angle](double t) { return rotation_by({angle.at(t) * kDegree, angle.rate(t) * kDegree}); };
    } else {
        if (turn.angles)
            return [angles = *turn.angles](double t) {
                return rotation_by(WithRate<Vec<double, 3>>{angles.at(t) * kDegree, angles.rate(t) * kDegree});
            };
        return [angle = turn.angle, axis](double t) {
            return rotation_by({angle.at(t) * kDegree, angle.rate(t) * kDegree}, axis);
        };
    }
}

// Of the part of the shape's box that is in the domain: what is unbounded has no other.
Vec<double, 3> middle_of(const SceneDescription& scene, const scene::Shape& shape) {
    const Box<double, 3> domain{scene.domain.origin, scene.domain.origin + scene.domain.size};
    const Box<double, 3> box = extent(shape, scene.dim).value_or(domain);
    Vec<double, 3> middle;
    for (int a = 0; a < scene.dim; ++a) {
        const bool bounded = std::isfinite(box.lo[a]) && std::isfinite(box.hi[a]);
        const Box<double, 3>& by = bounded ? box : domain;
        middle[a] = 0.5 * (by.lo[a] + by.hi[a]);
    }
    return middle;
}

}  // namespace

template <int Dim>
Pose<Dim> pose_of(const SceneDescription& scene, const scene::Motion& motion, const Vec<double, Dim>& middle) {
    Pose<Dim> pose;
    if (motion.offset)
        pose.offset = [offset = *motion.offset](double t) {
            return WithRate<Vec<double, Dim>>{components<Dim>(offset.at(t)), components<Dim>(offset.rate(t))};
        };
    // What is unbounded has no middle: it does not turn, and torques are about the origin.
    if (motion.pivot)
        pose.pivot = components<Dim>(*motion.pivot);
    else if (std::isfinite(length(middle)))
        pose.pivot = middle;
    if (motion.rotation_degrees) {
        const Vec<double, 3> up(unit<3>(scene.dim == 2 ? 2 : up_axis(scene)));
        pose.rotation = rotation_of<Dim>(*motion.rotation_degrees, motion.rotation_axis.value_or(up));
    }
    return pose;
}

Pose<3> pose_in_space(const SceneDescription& scene, const scene::Motion& motion, const scene::Shape& shape) {
    return pose_of<3>(scene, motion, middle_of(scene, shape));
}

double fastest_part(const SceneDescription& scene, const scene::Motion& motion, const scene::Shape& shape, double t) {
    if (!motion.is_there()) return 0;
    const Placement<3> placed = pose_in_space(scene, motion, shape).at(t);
    const Box<double, 3> domain{scene.domain.origin, scene.domain.origin + scene.domain.size};
    const Box<double, 3> box = moved(extent(shape, scene.dim).value_or(domain), placed.world_from_body);
    Box<double, 3> within{max(box.lo, domain.lo), min(box.hi, domain.hi)};
    for (int a = 0; a < 3; ++a)
        if (!(within.lo[a] <= within.hi[a])) within.lo[a] = domain.lo[a], within.hi[a] = domain.hi[a];
    return placed.fastest_in(within);
}

template Pose<2> pose_of(const SceneDescription&, const scene::Motion&, const Vec<double, 2>&);
template Pose<3> pose_of(const SceneDescription&, const scene::Motion&, const Vec<double, 3>&);

}  // namespace spindrift
