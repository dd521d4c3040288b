// SPDX-License-Identifier: Apache-2.0
// Expressions that have no finite value somewhere: asked at the corners and the middle of where they will be used, at
// several times.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "scene/checks.h"
#include "scene/shape_extent.h"

namespace spindrift {
namespace {

using scene::Vec3;
constexpr int kTimesLookedAt = 33;
constexpr const char* kRemedy = "keep divisions, roots and logarithms away from such places and times";

class Finite {
  public:
    Finite(const SceneDescription& scene, int dim, const Complain& complain)
        : scene_(scene), dim_(dim), complain_(complain), end_(end_time(scene)) {
        domain_ = {scene.domain.origin, scene.domain.origin + scene.domain.size};
    }

    void check_all() const {
        for (std::size_t i = 0; i < scene_.liquid.size(); ++i)
            check(fmt::format("liquid[{}].velocity", i), scene_.liquid[i].velocity, within(scene_.liquid[i].shape), 0,
                  0);
        for (std::size_t i = 0; i < scene_.source.size(); ++i) {
            const scene::Source& source = scene_.source[i];
            const double end = std::min(end_, source.end.value_or(end_));
            const auto path = [i](const char* name) { return fmt::format("source[{}].{}", i, name); };
            check(path("velocity"), source.velocity, within(source.shape), source.start, end);
            if (source.rate) check(path("rate"), *source.rate, within(source.shape), source.start, end);
            if (source.value) check(path("value"), *source.value, within(source.shape), source.start, end);
        }
        for (std::size_t i = 0; i < scene_.force.size(); ++i) {
            const scene::Force& force = scene_.force[i];
            const double end = std::min(end_, force.end.value_or(end_));
            const auto path = [i](const char* name) { return fmt::format("force[{}].{}", i, name); };
            check(path("acceleration"), force.acceleration, domain_, force.start, end);
            check_in_time(path("strength"), force.strength, force.start, end);
            check_in_time(path("center"), force.center, force.start, end);
        }
        for (std::size_t i = 0; i < scene_.wind.size(); ++i) {
            const scene::Wind& wind = scene_.wind[i];
            const Box<double, 3> region{wind.min.value_or(domain_.lo), wind.max.value_or(domain_.hi)};
            check(fmt::format("wind[{}].velocity", i), wind.velocity, region, 0, end_);
            check(fmt::format("wind[{}].strength", i), wind.strength, region, 0, end_);
        }
        for (const scene::Side& side : scene_.domain.sides.sides)
            check("domain.sides", side.velocity, domain_, 0, end_);
        if (scene_.flow.velocity) check("flow.velocity", *scene_.flow.velocity, domain_, 0, end_);
        for (std::size_t i = 0; i < scene_.solid.size(); ++i)
            if (scene_.solid[i].offset)
                check_in_time(fmt::format("solid[{}].offset", i), *scene_.solid[i].offset, 0, end_);
        for (std::size_t i = 0; i < scene_.liquid.size(); ++i)
            if (const auto* wave = std::get_if<scene::Heights>(&scene_.liquid[i].shape))
                check(fmt::format("liquid[{}].height", i), wave->height, domain_, 0, 0);
        check_view();
        check_gravity();
    }

  private:
    // The part of the domain that a shape takes up.
    Box<double, 3> within(const scene::Shape& shape) const {
        Box<double, 3> box = domain_;
        const auto own = extent(shape, dim_);
        for (int axis = 0; own && axis < dim_; ++axis) {
            box.lo[axis] = std::max(box.lo[axis], own->lo[axis]);
            box.hi[axis] = std::max(box.lo[axis], std::min(box.hi[axis], own->hi[axis]));
        }
        return box;
    }

    template <class Value>
    void check(const std::string& path, const Value& value, const Box<double, 3>& box, double from, double to) const {
        for (int k = 0; k < (to > from ? kTimesLookedAt : 1); ++k)
            for (int corner = 0; corner < 9; ++corner) {
                Vec3 place = box.lo;
                for (int axis = 0; axis < dim_; ++axis)
                    place[axis] += (corner == 8 ? 0.5 : corner >> axis & 1) * (box.hi[axis] - box.lo[axis]);
                const double t = from + (to - from) * k / (kTimesLookedAt - 1);
                if (is_finite(value.at(place, t))) continue;
                return complain_(path,
                                 fmt::format("has no finite value at ({:.4g}, {:.4g}, {:.4g}), t = {:.4g} s", place[0],
                                             place[1], place[2], t),
                                 kRemedy);
            }
    }
    template <class Value>
    void check_in_time(const std::string& path, const Value& value, double from, double to) const {
        for (int k = 0; k < (to > from ? kTimesLookedAt : 1); ++k) {
            const double t = from + (to - from) * k / (kTimesLookedAt - 1);
            if (is_finite(value.at(t))) continue;
            return complain_(path, fmt::format("has no finite value at t = {:.4g} s", t), kRemedy);
        }
    }
    void check_view() const {
        const scene::Camera& camera = scene_.camera;
        if (camera.position) check_in_time("camera.position", *camera.position, 0, end_);
        if (camera.look_at) check_in_time("camera.look_at", *camera.look_at, 0, end_);
        check_in_time("camera.fov_degrees", camera.fov_degrees, 0, end_);
        if (scene_.render.sun_direction) check_in_time("render.sun_direction", *scene_.render.sun_direction, 0, end_);
    }
    void check_gravity() const {
        for (int k = 0; k < kTimesLookedAt; ++k) {
            const double t = end_ * k / (kTimesLookedAt - 1);
            if (is_finite(gravity_at(scene_, t))) continue;
            return complain_("gravity", fmt::format("has no finite value at t = {:.4g} s", t), kRemedy);
        }
    }
    static bool is_finite(double v) { return std::isfinite(v); }
    static bool is_finite(const Vec3& v) { return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]); }

    const SceneDescription& scene_;
    int dim_;
    const Complain& complain_;
    double end_;
    Box<double, 3> domain_;
};

}  // namespace

void check_finite(const SceneDescription& scene, int dim, const Complain& complain) {
    Finite(scene, dim, complain).check_all();
}

}  // namespace spindrift
