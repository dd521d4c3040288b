// SPDX-License-Identifier: Apache-2.0
// What probes need to measure something.
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.h"
#include "scene/methods.h"
#include "scene/shape_extent.h"

namespace spindrift {
namespace {

using scene::Vec3;

class ProbeChecks {
  public:
    ProbeChecks(const SceneDescription& scene, int dim, std::string path, const Complain& complain)
        : scene_(scene), dim_(dim), path_(std::move(path)), complain_(complain) {}

    void operator()(const scene::PointProbe& probe) const {
        if (!is_inside("position", probe.position)) return;
        bool solid = false;
        std::size_t which = 0;
        for (std::size_t i = 0; i < scene_.solid.size(); ++i)
            if (!scene_.solid[i].motion.is_there() &&
                contains(scene_.solid[i].shape, probe.position, dim_, up_axis(scene_)).value_or(false)) {
                solid = scene_.solid[i].op == scene::ShapeOp::add;
                which = i;
            }
        if (solid)
            complain("position", fmt::format("is {}, inside solid[{}]", place_text(probe.position, dim_), which),
                     "move the probe into the fluid");
    }

    void operator()(const scene::HeightProbe& probe) const {
        if (!scene::has_surface(scene_.method))
            return complain("kind",
                            fmt::format("cannot be measured in method \"{}\", which has no surface",
                                        scene::row(scene_.method).name),
                            fmt::format("use method {}", scene::methods_using("liquid")));
        if (probe.from == probe.to) complain("to", "is the same point as from", "a line needs a length");
        is_inside("from", probe.from);
        is_inside("to", probe.to);
    }

    void operator()(const scene::FluxProbe& probe) const {
        int flat = 0;
        for (int axis = 0; axis < dim_; ++axis) {
            flat += probe.min[axis] == probe.max[axis] ? 1 : 0;
            if (probe.min[axis] > probe.max[axis])
                return complain(
                    "max", fmt::format("is {} along {}, below min, {}", probe.max[axis], "xyz"[axis], probe.min[axis]),
                    "min is the lower corner, max the upper one");
        }
        if (flat != 1)
            return complain("max",
                            fmt::format("equals min along {} axes; {} lies across exactly one", flat,
                                        dim_ == 2 ? "a segment" : "a rectangle"),
                            "make min and max equal along the axis of the flow, and there alone");
        is_inside("min", probe.min);
        is_inside("max", probe.max);
    }

    void operator()(const scene::WallFluxProbe& probe) const {
        if (!scene::uses(scene_.method, "substance"))
            return complain("kind",
                            fmt::format("cannot be measured in method \"{}\", which has no substances",
                                        scene::row(scene_.method).name),
                            fmt::format("use method {}", scene::methods_using("substance")));
        std::vector<std::string> names;
        for (const scene::GasSubstance& s : scene_.substance) names.push_back(s.name);
        if (std::find(names.begin(), names.end(), probe.substance) == names.end()) {
            const Error error = unknown_word("substance", probe.substance, names);
            complain("substance", "names one that is not there: " + error.what, error.remedy);
        }
        if (probe.side.has_value() == probe.solid.has_value())
            return complain(probe.side ? "solid" : "side", probe.side ? "is written beside side" : "is missing",
                            "write side or solid: the wall that is measured");
        if (probe.solid) return is_solid(*probe.solid);
        const auto side = side_of_name(*probe.side, dim_, scene_.domain.up);
        if (!side)
            return complain("side", fmt::format("is \"{}\", which is no side of the domain", *probe.side),
                            "there are left, right, bottom, top, front, back, or x_min … z_max");
        const scene::SideKind kind = scene_.domain.sides.at(side->axis, side->upper).kind;
        if (kind != scene::SideKind::slip && kind != scene::SideKind::no_slip)
            complain("side", fmt::format("is \"{}\", which is no wall", *probe.side),
                     "measure what flows through an opening with kind = \"flux\"");
    }

    void operator()(const scene::ForceProbe& probe) const { is_solid(probe.solid); }

    void operator()(const scene::TotalProbe&) const {}

  private:
    void complain(std::string_view setting, std::string what, std::string remedy) const {
        complain_(fmt::format("{}.{}", path_, setting), std::move(what), std::move(remedy));
    }
    // Complains unless a solid of this name has a surface of its own.
    void is_solid(const std::string& name) const {
        std::vector<std::string> names;
        for (const scene::Solid& solid : scene_.solid) {
            if (!solid.name.empty() && solid.op == scene::ShapeOp::add) names.push_back(solid.name);
            if (!name.empty() && solid.name == name && solid.op != scene::ShapeOp::add)
                return complain("solid", fmt::format("is \"{}\", which is cut out of other solids", name),
                                "name the solid that it is cut out of: its surface is a part of that one's");
        }
        if (std::find(names.begin(), names.end(), name) != names.end()) return;
        if (names.empty())
            return complain("solid", fmt::format("is \"{}\", but no solid of the scene has a name", name),
                            "give the [[solid]] that is meant this name");
        const Error error = unknown_word("solid", name, names);
        complain("solid", "names one that is not there: " + error.what, error.remedy);
    }
    bool is_inside(std::string_view setting, const Vec3& place) const {
        for (int axis = 0; axis < dim_; ++axis) {
            const double lo = scene_.domain.origin[axis], hi = lo + scene_.domain.size[axis];
            if (place[axis] >= lo && place[axis] <= hi) continue;
            complain(setting,
                     fmt::format("is {}, outside the domain: {:.4g} to {:.4g} m along {}", place_text(place, dim_), lo,
                                 hi, "xyz"[axis]),
                     "move the probe into the domain");
            return false;
        }
        return true;
    }

    const SceneDescription& scene_;
    int dim_;
    std::string path_;
    const Complain& complain_;
};

}  // namespace

std::optional<NamedSide> side_of_name(std::string_view name, int dim, scene::Up up) {
    for (int axis = 0; axis < dim; ++axis)
        for (const bool upper : {false, true})
            if (name == side_name(axis, upper, up) || name == fmt::format("{}_{}", "xyz"[axis], upper ? "max" : "min"))
                return NamedSide{axis, upper};
    return std::nullopt;
}

void check_probes(const SceneDescription& scene, int dim, const Complain& complain) {
    for (std::size_t i = 0; i < scene.probe.size(); ++i) {
        const std::string path = fmt::format("probe[{}]", i);
        const std::string& name = scene.probe[i].name;
        if (name.empty() || name.size() > 200 || name.find_first_of("/\\\n\r\t\"") != std::string::npos ||
            name[0] == '.')
            complain(path + ".name", "cannot be the name of a file", "use letters, digits, - and _");
        std::visit(ProbeChecks(scene, dim, path, complain), scene.probe[i].kind);
    }
}

}  // namespace spindrift
