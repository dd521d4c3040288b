// SPDX-License-Identifier: Apache-2.0
// Expressions that have no finite value somewhere, or one out of range: asked all over the place where they will be
// used when that begins, and at its corners and middle later on.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "scene/checks.h"
#include "scene/shape_extent.h"

namespace spindrift {
namespace {

using scene::Vec3;

constexpr const char* kRemedy = "keep divisions, roots and logarithms away from such places and times";
// Moments that are asked are frames and the middle between two, as long as there are not more of them.
constexpr double kMostMoments = 1000;
// Cells along each axis.
constexpr int kAcross2D = 64, kAcross3D = 16;

struct Allowed {
    double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
};

// Where and when a value will be used.
struct Use {
    Box<double, 3> box{};
    double from = 0, to = 0;
    const scene::Shape* shape = nullptr;  // inside of which alone it is asked
};

class Finite {
  public:
    Finite(const SceneDescription& scene, int dim, const Complain& complain)
        : scene_(scene), dim_(dim), complain_(complain), end_(end_time(scene)) {
        domain_ = {scene.domain.origin, scene.domain.origin + scene.domain.size};
    }

    void check_all() const {
        check_liquid();
        check_ground();
        check_sources();
        check_forces();
        check_winds();
        check_controls();
        check_sides();
        if (scene_.flow.velocity) check("flow.velocity", *scene_.flow.velocity, always());
        for (std::size_t i = 0; i < scene_.solid.size(); ++i)
            check_motion(fmt::format("solid[{}]", i), scene_.solid[i].motion);
        for (std::size_t i = 0; i < scene_.source.size(); ++i)
            check_motion(fmt::format("source[{}]", i), scene_.source[i].motion);
        for (std::size_t i = 0; i < scene_.solid.size(); ++i)
            if (scene_.solid[i].wall_values)
                check_wall_values(fmt::format("solid[{}]", i), *scene_.solid[i].wall_values, always());
        check_view();
        if (scene_.gravity.vector)
            check("gravity", *scene_.gravity.vector, always());
        else
            check("gravity", scene_.gravity.down, always());
    }

  private:
    void check_ground() const {
        for (std::size_t i = 0; i < scene_.solid.size(); ++i)
            if (const auto* ground = std::get_if<scene::Heights>(&scene_.solid[i].shape))
                check(fmt::format("solid[{}].height", i), ground->height, {domain_});
    }
    void check_motion(const std::string& path, const scene::Motion& motion) const {
        if (motion.offset) check(path + ".offset", *motion.offset, always());
        if (!motion.rotation_degrees) return;
        if (motion.rotation_degrees->angles)
            check(path + ".rotation_degrees", *motion.rotation_degrees->angles, always());
        else
            check(path + ".rotation_degrees", motion.rotation_degrees->angle, always());
    }
    void check_liquid() const {
        for (std::size_t i = 0; i < scene_.liquid.size(); ++i) {
            const scene::Liquid& liquid = scene_.liquid[i];
            check(fmt::format("liquid[{}].velocity", i), liquid.velocity, {within(liquid.shape), 0, 0, &liquid.shape});
            if (const auto* wave = std::get_if<scene::Heights>(&liquid.shape))
                check(fmt::format("liquid[{}].height", i), wave->height, {domain_});
        }
    }
    void check_sources() const {
        for (std::size_t i = 0; i < scene_.source.size(); ++i) {
            const scene::Source& source = scene_.source[i];
            const Use use{within(source.shape), source.start, std::min(end_, source.end.value_or(end_)), &source.shape};
            const auto path = [i](const char* name) { return fmt::format("source[{}].{}", i, name); };
            check(path("velocity"), source.velocity, use);
            if (source.rate) check(path("rate"), *source.rate, use);
            if (source.value) check(path("value"), *source.value, use);
        }
    }
    void check_forces() const {
        for (std::size_t i = 0; i < scene_.force.size(); ++i) {
            const scene::Force& force = scene_.force[i];
            const Use use{domain_, force.start, std::min(end_, force.end.value_or(end_))};
            const auto path = [i](const char* name) { return fmt::format("force[{}].{}", i, name); };
            check(path("acceleration"), force.acceleration, use);
            check(path("strength"), force.strength, use,
                  force.kind == scene::ForceKind::drag && force.strength.varies() ? Allowed{.from = 0} : Allowed{});
            check(path("center"), force.center, use);
        }
    }
    void check_winds() const {
        for (std::size_t i = 0; i < scene_.wind.size(); ++i) {
            const scene::Wind& wind = scene_.wind[i];
            const Use use{{wind.min.value_or(domain_.lo), wind.max.value_or(domain_.hi)}, 0, end_};
            check(fmt::format("wind[{}].velocity", i), wind.velocity, use);
            check(fmt::format("wind[{}].strength", i), wind.strength, use, {0, 1});
        }
    }
    void check_controls() const {
        for (std::size_t i = 0; i < scene_.control.size(); ++i) {
            const scene::Control& control = scene_.control[i];
            const Use use{{control.region_min.value_or(domain_.lo), control.region_max.value_or(domain_.hi)},
                          control.start,
                          std::min(end_, control.end.value_or(end_))};
            const auto path = [i](const char* name) { return fmt::format("control[{}].{}", i, name); };
            if (control.rate) check(path("rate"), *control.rate, use, {.from = 0});
            if (const auto* curve = std::get_if<scene::CurveControl>(&control.kind))
                check(path("speed"), curve->speed, use);
            else if (const auto* volume = std::get_if<scene::VolumeControl>(&control.kind))
                check(path("velocity"), volume->velocity, {within(volume->shape), use.from, use.to, &volume->shape});
            else if (const auto* surface = std::get_if<scene::SurfaceControl>(&control.kind))
                check(path("velocity"), surface->velocity, use);
            else if (const auto* attract = std::get_if<scene::AttractControl>(&control.kind))
                check(path("strength"), attract->strength, use,
                      attract->strength.varies() ? Allowed{.from = 0} : Allowed{});
        }
    }
    void check_sides() const {
        for (int axis = 0; axis < dim_; ++axis)
            for (const bool upper : {false, true}) {
                const scene::Side& side = scene_.domain.sides.at(axis, upper);
                const std::string path = fmt::format("domain.sides.{}", side_name(axis, upper, scene_.domain.up));
                Use use = always();
                (upper ? use.box.lo : use.box.hi)[axis] = (upper ? use.box.hi : use.box.lo)[axis];
                check(path + ".velocity", side.velocity, use);
                if (side.level) check(path + ".level", *side.level, use);
                if (side.wall_values) check_wall_values(path, *side.wall_values, use);
            }
    }
    void check_wall_values(const std::string& path, const scene::WallValues& walls, const Use& use) const {
        for (const auto& [name, wall] : walls.of) check(fmt::format("{}.wall_values.{}", path, name), wall.value, use);
    }
    void check_view() const {
        const scene::Camera& camera = scene_.camera;
        if (camera.position) check("camera.position", *camera.position, always());
        if (camera.look_at) check("camera.look_at", *camera.look_at, always());
        check("camera.fov_degrees", camera.fov_degrees, always(), {1, 170});
        if (scene_.render.sun_direction && check("render.sun_direction", *scene_.render.sun_direction, always()))
            check_direction("render.sun_direction", "has no direction", "it points towards the sun: [1, 2, 1]",
                            [&](double t) { return scene_.render.sun_direction->at(t); });
        if (camera.up && !(length(*camera.up) > 0))
            complain_("camera.up", "has no direction", "write one such as [0, 1, 0]");
        if (camera.position && camera.look_at)
            check_direction("camera", "stands at the point it looks at", "move position or look_at",
                            [&](double t) { return camera.look_at->at(t) - camera.position->at(t); });
    }

    // Whether a vector is never zero.
    template <class F>
    void check_direction(const char* path, const char* what, const char* remedy, F&& at) const {
        for (const double t : moments(always()))
            if (at(t) == Vec3{}) return complain_(path, fmt::format("{} at t = {:.4g} s", what, t), remedy);
    }

    Use always() const { return {domain_, 0, end_}; }

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

    std::vector<double> moments(const Use& use) const {
        const double frames = (use.to - use.from) * scene_.time.fps;
        const auto count = static_cast<int>(std::clamp(std::round(2 * frames), 1.0, kMostMoments));
        std::vector<double> list{use.from};
        for (int k = 1; k <= count && use.to > use.from; ++k)
            list.push_back(use.from + (use.to - use.from) * k / count);
        return list;
    }
    // Not where the domain is what is wrong.
    bool has_cells() const {
        const scene::Domain& domain = scene_.domain;
        const double longest = std::max({domain.size[0], domain.size[1], domain.size[2]});
        for (int axis = 0; axis < dim_; ++axis)
            if (!(domain.size[axis] > 0)) return false;
        const double cells = domain.cell_size ? longest / *domain.cell_size : domain.resolution.value_or(0);
        return cells >= 4 && cells <= 16384;
    }

    // The corners of a box and its middle; and, if all are wanted, the centres of its cells, or as many as are enough.
    std::vector<Vec3> places(const Use& use, bool all) const {
        std::vector<Vec3> list = places(use.box, all);
        if (use.shape != nullptr)
            std::erase_if(list, [&](const Vec3& place) {
                return !contains(*use.shape, place, dim_, up_axis(scene_)).value_or(true);
            });
        return list;
    }
    std::vector<Vec3> places(const Box<double, 3>& box, bool all) const {
        std::vector<Vec3> list;
        for (int corner = 0; corner < 9; ++corner) {
            Vec3 place = box.lo;
            for (int axis = 0; axis < dim_; ++axis)
                place[axis] += (corner == 8 ? 0.5 : corner >> axis & 1) * (box.hi[axis] - box.lo[axis]);
            list.push_back(place);
        }
        if (!all || !has_cells()) return list;
        const double dx = cell_size(scene_);
        Index<3> first{}, stride(1), counts(1);
        for (int axis = 0; axis < dim_; ++axis) {
            const auto cell = [&](double x) { return (x - scene_.domain.origin[axis]) / dx - 0.5; };
            first[axis] = static_cast<int>(std::ceil(cell(std::max(box.lo[axis], domain_.lo[axis]))));
            const int last = static_cast<int>(std::floor(cell(std::min(box.hi[axis], domain_.hi[axis]))));
            const int cells = std::max(0, last - first[axis] + 1);
            stride[axis] = std::max(1, cells / (dim_ == 2 ? kAcross2D : kAcross3D));
            counts[axis] = cells / stride[axis];
        }
        for_each_index<3>({{}, counts}, [&](const Index<3>& k) {
            Vec3 place = scene_.domain.origin;
            for (int axis = 0; axis < dim_; ++axis) place[axis] += (first[axis] + k[axis] * stride[axis] + 0.5) * dx;
            list.push_back(place);
        });
        return list;
    }

    // Whether the value is good wherever and whenever it is used; complains of the first that is not.
    bool check(const std::string& path, const FieldValue& value, const Use& use, const Allowed& allowed = {}) const {
        std::vector<Vec3> where{use.box.lo};
        if (value.varies_in_space()) where = places(use, true);
        for (const double t : value.varies_in_time() ? moments(use) : std::vector{use.from}) {
            for (const Vec3& place : where) {
                const double v = value.at(place, t);
                if (std::isfinite(v) && v >= allowed.from && v <= allowed.to) continue;
                const std::string at =
                    (value.varies_in_space() ? place_text(place, dim_) + ", " : "") + fmt::format("t = {:.4g} s", t);
                if (std::isfinite(v))
                    complain_(path,
                              fmt::format("is {:.4g} at {}; it must be from {} to {}", v, at, allowed.from, allowed.to),
                              fmt::format("clamp(…, {}, {}) keeps it there", allowed.from, allowed.to));
                else
                    complain_(path, "has no finite value at " + at, kRemedy);
                return false;
            }
            if (value.varies_in_space()) where = places(use, false);
        }
        return true;
    }
    bool check(const std::string& path, const FieldVector& vector, const Use& use) const {
        return std::all_of(vector.component.begin(), vector.component.end(),
                           [&](const FieldValue& value) { return check(path, value, use); });
    }
    bool check(const std::string& path, const TimeValue& value, const Use& use, const Allowed& allowed = {}) const {
        return check(path, value.value(), use, allowed);
    }
    bool check(const std::string& path, const TimeVector& vector, const Use& use) const {
        return std::all_of(vector.component.begin(), vector.component.end(),
                           [&](const TimeValue& value) { return check(path, value, use); });
    }

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
