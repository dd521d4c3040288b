// SPDX-License-Identifier: Apache-2.0
#include "setup/scene_solids.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scene/motion.h"
#include "setup/scene_shapes.h"

namespace spindrift {
namespace {

// Of the domain along axes in which the box is unbounded.
template <int Dim>
Vec<double, Dim> middle_of(const Box<double, Dim>& box, const SceneDescription& scene) {
    Vec<double, Dim> middle;
    for (int a = 0; a < Dim; ++a) {
        middle[a] = 0.5 * (box.lo[a] + box.hi[a]);
        if (!std::isfinite(middle[a])) middle[a] = scene.domain.origin[a] + 0.5 * scene.domain.size[a];
    }
    return middle;
}

// Adds an entry's shape with its pose; not if something is wrong with it.
template <int Dim, class Entry>
void add_entry(SolidSet<Dim>& solids, Errors& errors, const SceneDescription& scene, const std::string& path,
               const Entry& entry, Solid<Dim> solid) {
    constexpr bool is_solid = std::is_same_v<Entry, scene::Solid>;
    ShapeSet<Dim> shape;
    const bool is_ground =
        std::holds_alternative<scene::Heights>(entry.shape) || std::holds_alternative<scene::Heightmap>(entry.shape);
    if (is_ground && is_solid)
        shape.parts.push_back(ground_part<Dim>(scene, entry.shape));
    else
        add_shape(shape, errors, scene, path, entry.shape, scene::ShapeOp::add);
    if (shape.parts.empty()) return;
    const Combine how = solid.part.how;
    solid.part = shape.parts.front();
    solid.part.how = how;
    solid.pose = pose_of<Dim>(scene, entry.motion, middle_of(bounding_box(shape), scene));
    solids.add(std::move(solid));
}

}  // namespace

template <int Dim>
SolidSet<Dim> scene_solids(Errors& errors, const SceneDescription& scene) {
    SolidSet<Dim> solids;
    for (std::size_t i = 0; i < scene.solid.size(); ++i) {
        const scene::Solid& entry = scene.solid[i];
        const std::string path = fmt::format("solid[{}]", i);
        Solid<Dim> solid;
        solid.name = entry.name.empty() ? path : entry.name;
        solid.part.how = entry.op == scene::ShapeOp::add ? Combine::add : Combine::subtract;
        solid.slip = entry.wall == scene::Wall::slip;
        solid.visible = entry.visible;
        solid.glass = entry.glass;
        add_entry(solids, errors, scene, path, entry, std::move(solid));
    }
    return solids;
}

template <int Dim>
NamedSolids<Dim> named_solids(const SolidSet<Dim>& solids) {
    NamedSolids<Dim> named;
    std::vector<std::size_t> named_from_all;
    for (std::size_t n = 0; n < solids.all().size(); ++n) {
        named_from_all.push_back(named.names.size());
        if (!solids.all()[n].is_added()) continue;
        named.names.push_back(solids.all()[n].name);
        named.numbers.push_back(n);
    }
    named.owner = [solids, named_from_all](const Vec<double, Dim>& place, double t) {
        return named_from_all[solids.at(t).owner(place)];
    };
    named.pivot = [solids, numbers = named.numbers](std::size_t n, double t) {
        return solids.at(t).placement(numbers[n]).pivot;
    };
    named.velocity = [solids, numbers = named.numbers](std::size_t n, const Vec<double, Dim>& place, double t) {
        return solids.at(t).placement(numbers[n]).velocity_at(place);
    };
    return named;
}

template <int Dim, class Entry>
SolidSet<Dim> placed_shape(Errors& errors, const SceneDescription& scene, const std::string& path, const Entry& entry) {
    SolidSet<Dim> shape;
    add_entry(shape, errors, scene, path, entry, {});
    return shape;
}

template <int Dim>
SlipOfSolids<Dim> slip_of(const SolidSet<Dim>& solids) {
    const auto slips = [](const Solid<Dim>& solid) { return solid.slip; };
    SlipOfSolids<Dim> slip{.all = std::ranges::all_of(solids.all(), slips)};
    if (!slip.all && std::ranges::any_of(solids.all(), slips))
        slip.at = [solids](const Vec<double, Dim>& x, double t) { return solids.at(t).slips(x); };
    return slip;
}

#define INSTANTIATE(Dim)                                                   \
    template SolidSet<Dim> scene_solids(Errors&, const SceneDescription&); \
    template NamedSolids<Dim> named_solids(const SolidSet<Dim>&);          \
    template SlipOfSolids<Dim> slip_of(const SolidSet<Dim>&);              \
    template SolidSet<Dim> placed_shape(Errors&, const SceneDescription&, const std::string&, const scene::Source&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
