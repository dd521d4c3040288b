// SPDX-License-Identifier: Apache-2.0
#include "setup/scene_controls.h"

#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "geometry/shapes.h"
#include "liquid/curve_control.h"
#include "scene/control_curve.h"
#include "setup/field_function.h"
#include "setup/scene_shapes.h"

namespace spindrift {
namespace {

template <int Dim>
Vec<double, Dim> direction(const Vec<double, Dim>& v) {
    const double size = length(v);
    return size > 0 ? v / size : Vec<double, Dim>{};
}

// Out of the shape, by differences of its distance.
template <int Dim>
Vec<double, Dim> slope(const ShapeSet<Dim>& shape, const Vec<double, Dim>& place, double dx) {
    Vec<double, Dim> out;
    for (int a = 0; a < Dim; ++a) {
        const Vec<double, Dim> step = Vec<double, Dim>(unit<Dim>(a)) * (0.5 * dx);
        out[a] = signed_distance(shape, place + step) - signed_distance(shape, place - step);
    }
    return direction(out);
}

template <int Dim>
class ControlMaker {
  public:
    ControlMaker(Errors& errors, const SceneDescription& scene, std::string path, const scene::Control& control)
        : errors_(errors), scene_(scene), path_(std::move(path)), control_(control) {}

    Control<Dim> operator()(const scene::CurveControl& given) const {
        auto curve = curve_of<Dim>(given);
        if (!curve) {
            errors_.add({.what = path_ + " has points that make no curve", .where = place_of(scene_, path_)});
            return {};
        }
        return control_along<Dim>({.curve = std::move(*curve),
                                   .radius = given.radius,
                                   .speed = [speed = given.speed](double t) { return speed.at(t); },
                                   .travelled = travelled(given.speed, control_.start),
                                   .stretch = given.stretch,
                                   .pull = given.pull});
    }
    Control<Dim> operator()(const scene::VolumeControl& given) const {
        return in_shape(given.shape, given.velocity,
                        [](const ShapeSet<Dim>& shape, const Vec<double, Dim>& x, const Vec<double, Dim>& u) {
                            return WantedVelocity<Dim>{signed_distance(shape, x), u, direction(u)};
                        });
    }
    Control<Dim> operator()(const scene::SurfaceControl& given) const {
        const double dx = cell_size(scene_), thickness = given.thickness;
        return in_shape(
            given.shape, given.velocity,
            [=](const ShapeSet<Dim>& shape, const Vec<double, Dim>& x, const Vec<double, Dim>& u) {
                return WantedVelocity<Dim>{std::abs(signed_distance(shape, x)) - thickness, u, slope(shape, x, dx)};
            });
    }

    Control<Dim> operator()(const scene::AttractControl&) const { return {}; }

  private:
    template <class Wanted>
    Control<Dim> in_shape(const scene::Shape& given, const FieldVector& velocity, Wanted wanted) const {
        auto shape = std::make_shared<ShapeSet<Dim>>();
        add_shape(*shape, errors_, scene_, path_, given, scene::ShapeOp::add);
        Control<Dim> control;
        control.field_at = [=, velocity = field_function<Dim>(velocity)](double t) {
            return [=](const Vec<double, Dim>& x) { return wanted(*shape, x, velocity(x, t)); };
        };
        return control;
    }

    Errors& errors_;
    const SceneDescription& scene_;
    std::string path_;
    const scene::Control& control_;
};

ControlParts parts_of(scene::ControlParts parts) {
    switch (parts) {
        case scene::ControlParts::normal: return ControlParts::normal;
        case scene::ControlParts::tangential: return ControlParts::tangential;
        case scene::ControlParts::both: break;
    }
    return ControlParts::both;
}

}  // namespace

template <int Dim>
std::vector<Control<Dim>> scene_controls(Errors& errors, const SceneDescription& scene) {
    std::vector<Control<Dim>> controls;
    for (std::size_t i = 0; i < scene.control.size(); ++i) {
        const scene::Control& given = scene.control[i];
        if (std::holds_alternative<scene::AttractControl>(given.kind)) continue;
        Control<Dim> control =
            std::visit(ControlMaker<Dim>(errors, scene, fmt::format("control[{}]", i), given), given.kind);
        control.parts = parts_of(given.parts);
        if (given.rate) control.rate = [rate = *given.rate](double t) { return rate.at(t); };
        control.start = given.start;
        if (given.end) control.end = *given.end;
        if (given.region_min && given.region_max)
            control.region = Box<double, Dim>{components<Dim>(*given.region_min), components<Dim>(*given.region_max)};
        controls.push_back(std::move(control));
    }
    return controls;
}

template <int Dim>
std::vector<Attraction<Dim>> scene_attractions(Errors& errors, const SceneDescription& scene,
                                               const GridTransform<Dim>& grid, const IndexBox<Dim>& cells) {
    std::vector<Attraction<Dim>> attractions;
    for (std::size_t i = 0; i < scene.control.size(); ++i) {
        const scene::Control& given = scene.control[i];
        const auto* attract = std::get_if<scene::AttractControl>(&given.kind);
        if (attract == nullptr) continue;
        ShapeSet<Dim> shape;
        add_shape(shape, errors, scene, fmt::format("control[{}]", i), attract->shape, scene::ShapeOp::add);
        if (shape.parts.empty()) continue;
        Attraction<Dim>& one = attractions.emplace_back();
        one.distance = CellDistances<Dim>(cells, grid,
                                          [&](const Vec<double, Dim>& place) { return signed_distance(shape, place); });
        one.reach = attract->reach;
        one.strength = [strength = attract->strength](double t) { return strength.at(t); };
        one.damping = attract->damping;
        one.weight = attract->weight;
        one.start = given.start;
        if (given.end) one.end = *given.end;
    }
    return attractions;
}

#define INSTANTIATE(Dim)                                                                      \
    template std::vector<Attraction<Dim>> scene_attractions(Errors&, const SceneDescription&, \
                                                            const GridTransform<Dim>&, const IndexBox<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

template std::vector<Control<2>> scene_controls(Errors&, const SceneDescription&);
template std::vector<Control<3>> scene_controls(Errors&, const SceneDescription&);

}  // namespace spindrift
