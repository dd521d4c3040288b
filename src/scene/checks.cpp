// SPDX-License-Identifier: Apache-2.0
#include "scene/checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.h"
#include "scene/describe.h"
#include "scene/framing.h"
#include "scene/methods.h"
#include "scene/shape_extent.h"
#include "scene/wall_values.h"

namespace spindrift {
namespace {

constexpr std::array<const char*, 3> kAxes{"x", "y", "z"};

// More cells along a side cannot be counted by the tiles, nor held by any machine.
constexpr double kMostCells = 16384;
// m.  OpenVDB takes a transform for singular when a voxel has less than 1e-15 m³.
constexpr double kSmallestCell = 2e-5;

const std::vector<std::string>& known_fields() {
    static const std::vector<std::string> names{"surface", "velocity", "vel", "pressure", "collision"};
    return names;
}

template <class S>
void check_names(const std::vector<S>& list, std::string_view kind, const Complain& complain) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (!list[i].name.empty() && !seen.insert(list[i].name).second)
            complain(fmt::format("{}[{}].name", kind, i),
                     fmt::format("is \"{}\", which another {} is called already", list[i].name, kind),
                     "give each its own name");
}

void complain_of_corners(const scene::Vec3& min, const scene::Vec3& max, int axis, const Complain& complain) {
    complain(
        "max",
        fmt::format("is {} along {}, not above min, {}", max[axis], kAxes[static_cast<std::size_t>(axis)], min[axis]),
        "min is the lower corner, max the upper one");
}

// Space repeats itself after whole tiles.
constexpr int kPeriodCells = 8;

// Cells along the first periodic axis that is not whole tiles; 0 where all are.
long misfit(const scene::Domain& domain, int dim, double dx) {
    for (int axis = 0; axis < dim; ++axis) {
        const long cells = std::lround(domain.size[axis] / dx);
        if (domain.sides.at(axis, false).kind == scene::SideKind::periodic && cells % kPeriodCells != 0) return cells;
    }
    return 0;
}
bool fits_periods(const scene::Domain& domain, int dim, double dx) { return misfit(domain, dim, dx) == 0; }

void check_periods(const scene::Domain& domain, int dim, const Complain& complain) {
    const double longest = std::max({domain.size[0], domain.size[1], domain.size[2]});
    const double dx = domain.cell_size ? *domain.cell_size : longest / domain.resolution.value_or(1);
    if (fits_periods(domain, dim, dx)) return;
    // The nearest good number of cells below and above.
    const auto cells = static_cast<int>(std::lround(longest / dx));
    std::vector<int> good;
    for (const int direction : {-1, 1})
        for (int n = cells + direction; n >= 4 && std::abs(n - cells) < 64 * kPeriodCells; n += direction)
            if (fits_periods(domain, dim, longest / n)) {
                good.push_back(n);
                break;
            }
    std::string remedy = "make the lengths of the periodic axes multiples of each other";
    if (!good.empty() && domain.cell_size) {
        std::vector<std::string> sizes;
        for (const int n : good) sizes.push_back(fmt::format("{:.12g}", longest / n));
        remedy = fmt::format("the nearest that fit: cell_size = {}", fmt::join(sizes, " or "));
    } else if (!good.empty()) {
        remedy = fmt::format("the nearest that fit: resolution = {}", fmt::join(good, " or "));
    }
    complain(domain.cell_size ? "cell_size" : "resolution",
             fmt::format("makes a periodic axis {} cells long, which is not a multiple of {}", misfit(domain, dim, dx),
                         kPeriodCells),
             remedy);
}

// What is wrong with a name that files or grids get; empty when nothing is.
std::string fault_of_name(const std::string& name) {
    constexpr std::size_t kLongest = 200;  // bytes; file systems end at 255, and numbers and endings follow
    if (name.empty()) return "is empty";
    if (name.size() > kLongest) return fmt::format("is {} bytes long; {} are the most", name.size(), kLongest);
    if (name == "." || name == "..") return "names a folder";
    for (const char c : name)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return "holds a control character";
    return "";
}
// Brackets number grids of the same name in OpenVDB; a slash would be a folder of the checkpoint.
std::string fault_of_grid_name(const std::string& name) {
    if (name.find_first_of("[]/") != std::string::npos) return "holds one of [ ] /";
    return fault_of_name(name);
}

// Grids in a volume: each has its own name.
void check_grids(const SceneDescription& scene, const Complain& complain) {
    std::vector<std::string> substances, known = known_fields();
    std::vector<std::pair<std::string, std::string>> named;
    for (std::size_t i = 0; i < scene.substance.size(); ++i)
        named.emplace_back(fmt::format("substance[{}].name", i), scene.substance[i].name);
    for (std::size_t i = 0; i < scene.component.size(); ++i)
        named.emplace_back(fmt::format("component[{}].name", i), scene.component[i].name);
    for (const auto& [path, name] : named) {
        if (const std::string fault = fault_of_grid_name(name); !fault.empty())
            complain(path, fault, "it names a grid in the volumes");
        else if (std::find(known.begin(), known.end(), name) != known.end() || name.starts_with("texture"))
            complain(path, fmt::format("is \"{}\", which is the name of another grid in the volumes", name),
                     "give it another name");
        else
            substances.push_back(name);
    }
    known.insert(known.end(), substances.begin(), substances.end());
    for (const auto& [grid, name] : scene.output.names) {
        if (std::find(known.begin(), known.end(), grid) == known.end()) {
            const Error error = unknown_word("field", grid, known);
            complain("output.names", "renames one that is not known: " + error.what, error.remedy);
        } else if (const std::string fault = fault_of_grid_name(name); !fault.empty()) {
            complain("output.names", fmt::format("has a name for {} that {}", grid, fault), "");
        }
    }

    // Under which name each is written.
    std::vector<std::string> written = scene.output.fields;
    written.insert(written.end(), substances.begin(), substances.end());
    std::map<std::string, std::string> owner;
    for (const std::string& grid : written) {
        const auto renamed = scene.output.names.find(grid);
        const std::string& name = renamed == scene.output.names.end() ? grid : renamed->second;
        const auto [first, is_new] = owner.try_emplace(name, grid);
        if (!is_new && first->second != grid)
            complain("output.names", fmt::format("makes {} and {} the same: \"{}\"", first->second, grid, name),
                     "give each grid its own name");
    }
}

// What a 2D picture shows, and the range of its colours.
void check_frame(const SceneDescription& scene, int dim, const Complain& complain) {
    const Box<double, 2> shown = shown_part(scene);
    for (int axis = 0; axis < 2 && dim == 2; ++axis)
        if (!(shown.lo[axis] < shown.hi[axis]))
            complain("camera",
                     fmt::format("shows nothing: along {} its view ends at {}, before it begins at {}",
                                 axis == 0 ? 'x' : 'y', shown.hi[axis], shown.lo[axis]),
                     "camera.min must lie below camera.max");
    if (const scene::Camera& c = scene.camera; c.overlay_max && !(c.overlay_min.value_or(0) < *c.overlay_max))
        complain("camera", fmt::format("has colours from {} to {}", c.overlay_min.value_or(0), *c.overlay_max),
                 "camera.overlay_min must lie below camera.overlay_max");
}

}  // namespace

void check_settings(const scene::Domain& domain, int dim, const Complain& complain) {
    const double longest = std::max({domain.size[0], domain.size[1], domain.size[2]});
    if (domain.cell_size && longest / *domain.cell_size > kMostCells)
        complain("cell_size",
                 fmt::format("makes {:.0f} cells along the longest side; {} are the most", longest / *domain.cell_size,
                             kMostCells),
                 "make cells larger or the box smaller");
    if (domain.cell_size && *domain.cell_size > longest / 4)
        complain("cell_size",
                 fmt::format("makes {:.1f} cells along the longest side; 4 are the least", longest / *domain.cell_size),
                 "make cells smaller");
    if (const double dx = domain.cell_size ? *domain.cell_size : longest / domain.resolution.value_or(1);
        dx < kSmallestCell && longest / dx <= kMostCells)
        complain(domain.cell_size ? "cell_size" : "resolution",
                 fmt::format("makes cells of {:.3g} m; {} m is the smallest that volumes can hold", dx, kSmallestCell),
                 "make the box larger, or cells fewer");
    else
        check_periods(domain, dim, complain);
    if (dim == 2 && domain.up == scene::Up::z) complain("up", "is z, which a 2D scene lacks", "write up = \"y\"");
}

void check_settings(const scene::Time& time, int, const Complain& complain) {
    if (time.end && *time.end * time.fps > 1e6)
        complain("end", fmt::format("makes {:.0f} frames; 1000000 are the most", *time.end * time.fps), "");
    if (time.min_substeps.value_or(1) > time.max_substeps)
        complain("min_substeps",
                 fmt::format("is {}, more than max_substeps, {}", *time.min_substeps, time.max_substeps), "");
}

void check_settings(const scene::Box& box, int dim, const Complain& complain) {
    for (int axis = 0; axis < dim; ++axis)
        if (!(box.min[axis] < box.max[axis])) complain_of_corners(box.min, box.max, axis, complain);
}

void check_settings(const scene::Cylinder& cylinder, int, const Complain& complain) {
    if (cylinder.from == cylinder.to) complain("to", "is the same point as from", "a cylinder needs a length");
}

void check_settings(const scene::Cone& cone, int, const Complain& complain) {
    if (cone.from == cone.to) complain("to", "is the same point as from", "a cone needs a length");
    if (!(std::max(cone.radius, cone.radius_to) > 0)) complain("radius", "is 0 at both ends", "make one larger");
}

void check_settings(const scene::Torus& torus, int dim, const Complain& complain) {
    if (torus.tube_radius > torus.radius)
        complain("tube_radius", fmt::format("is {} m, more than radius, {} m", torus.tube_radius, torus.radius),
                 "a ring with no hole left is a sphere or an ellipsoid");
    if (torus.axis && dim == 2) complain("axis", "is for 3D", "in 2D a ring lies in the plane of the picture");
    if (torus.axis && !(length(*torus.axis) > 0)) complain("axis", "has no direction", "write one such as [0, 1, 0]");
}

void check_settings(const scene::Polygon& polygon, int dim, const Complain& complain) {
    if (dim == 3) return complain("shape", "is \"polygon\", which is for 2D", "use a box, a plane or a mesh");
    if (polygon.points.size() < 3)
        return complain("points", fmt::format("has {} corners", polygon.points.size()), "a polygon needs three");
    double area = 0;
    for (std::size_t n = 0; n < polygon.points.size(); ++n) {
        const auto &a = polygon.points[n], &b = polygon.points[(n + 1) % polygon.points.size()];
        area += a[0] * b[1] - a[1] * b[0];
    }
    if (area == 0) complain("points", "enclose no area", "write the corners in order around it");
}

void check_settings(const scene::Heightmap& heightmap, int dim, const Complain& complain) {
    for (int axis = 0; axis < dim; ++axis)
        if (!(heightmap.min[axis] < heightmap.max[axis]))
            complain_of_corners(heightmap.min, heightmap.max, axis, complain);
}

void check_settings(const scene::Plane& plane, int, const Complain& complain) {
    if (!(length(plane.normal) > 0)) complain("normal", "has no direction", "write one such as [0, 1, 0]");
}

namespace {

void check_motion(const scene::Motion& motion, const scene::Shape& shape, int dim, const Complain& complain) {
    if (motion.rotation_axis && dim == 2)
        complain("rotation_axis", "is for 3D", "in 2D everything turns in the plane of the picture");
    else if (motion.rotation_axis && !(length(*motion.rotation_axis) > 0))
        complain("rotation_axis", "has no direction", "write one such as [0, 1, 0]");
    const auto box = extent(shape, dim);
    const bool is_endless = box && !(std::isfinite(box->lo[0]) && std::isfinite(box->hi[0]));
    if (motion.rotation_degrees && !motion.pivot && is_endless)
        complain("pivot", "is missing: the shape has no end and so no middle that it could turn about",
                 "write the point it turns about");
}

}  // namespace

void check_settings(const scene::Solid& solid, int dim, const Complain& complain) {
    if (solid.wall_values && solid.op == scene::ShapeOp::subtract)
        complain("wall_values", "belong to what is cut out", "write them on the solid that it is cut out of");
    if (solid.motion.is_there() && solid.op == scene::ShapeOp::subtract)
        complain(solid.motion.offset ? "offset" : "rotation_degrees", "moves what is to be cut out",
                 "only what is added can move: leave out op or the motion");
    check_motion(solid.motion, solid.shape, dim, complain);
}

void check_settings(const scene::Source& source, int dim, const Complain& complain) {
    check_motion(source.motion, source.shape, dim, complain);
    if (source.end && *source.end <= source.start)
        complain("end", fmt::format("is {} s, not after start, {} s", *source.end, source.start), "");
}

void check_settings(const scene::Force& force, int dim, const Complain& complain) {
    if (dim == 3 && force.axis && !(length(*force.axis) > 0))
        complain("axis", "has no direction", "[0, 1, 0] is the y axis");
    if (force.end && *force.end <= force.start)
        complain("end", fmt::format("is {} s, not after start, {} s", *force.end, force.start), "");
    if (force.kind == scene::ForceKind::drag && !force.strength.varies() && force.strength.at(0) < 0)
        complain("strength", fmt::format("is {}: a drag that pushes, ever faster", force.strength.at(0)),
                 "make it positive");
}

void check_settings(const scene::Wind& wind, int dim, const Complain& complain) {
    if (wind.min.has_value() != wind.max.has_value())
        return complain(wind.min ? "min" : "max", "stands without its other corner", "give both min and max, or none");
    for (int axis = 0; axis < dim && wind.min; ++axis)
        if (!((*wind.min)[axis] < (*wind.max)[axis])) complain_of_corners(*wind.min, *wind.max, axis, complain);
}

void check_settings(const scene::Output& output, int, const Complain& complain) {
    std::vector<std::string> seen;
    for (const std::string& field : output.fields) {
        if (std::find(known_fields().begin(), known_fields().end(), field) == known_fields().end()) {
            const Error error = unknown_word("field", field, known_fields());
            complain("fields", "names one that is not known: " + error.what, error.remedy);
        } else if (std::find(seen.begin(), seen.end(), field) != seen.end()) {
            complain("fields", fmt::format("names {} twice", field), "leave out one of them");
        }
        seen.push_back(field);
    }
    if (output.name.find('/') != std::string::npos)
        complain("name", "holds a '/'", "it begins file names; the folder is given with --output");
    else if (const std::string fault = fault_of_name(output.name); !output.name.empty() && !fault.empty())
        complain("name", fault, "it begins the names of all files");
}

namespace {

// What the scene asks for and its method cannot do.
void check_abilities(const SceneDescription& scene, int dim, const Complain& complain) {
    const std::string_view name = scene::row(scene.method).name;
    const auto cannot = [&](std::string_view path, std::string_view section) {
        complain(path, fmt::format("cannot be simulated by method \"{}\"", name),
                 fmt::format("use method {}, or leave it out", scene::methods_using(section)));
    };
    const std::initializer_list<std::pair<std::string_view, bool>> asked{{"liquid", !scene.liquid.empty()},
                                                                         {"wind", !scene.wind.empty()},
                                                                         {"component", !scene.component.empty()},
                                                                         {"flow", scene.flow.velocity.has_value()},
                                                                         {"substance", !scene.substance.empty()},
                                                                         {"force", !scene.force.empty()},
                                                                         {"texture", scene.texture != scene::Texture{}},
                                                                         {"control", !scene.control.empty()},
                                                                         {"whitewater", scene.whitewater.is_there()}};
    for (const auto& [section, is_asked] : asked)
        if (is_asked && !scene::uses(scene.method, section)) cannot(section, section);
    for (int axis = 0; axis < dim; ++axis)
        for (const bool upper : {false, true}) {
            const scene::Side& side = scene.domain.sides.at(axis, upper);
            const std::string path = fmt::format("domain.sides.{}", side_name(axis, upper, scene.domain.up));
            if (side.component && !scene::uses(scene.method, "component")) cannot(path + ".component", "component");
            if (side.outflow_after && !scene::uses(scene.method, "foster-metaxas"))
                cannot(path + ".outflow_after", "foster-metaxas");
            else if (side.outflow_after && side.kind != scene::SideKind::inflow)
                complain(path + ".outflow_after", "is for inflows", "make the side an inflow, or leave it out");
        }
    if (!scene::uses(scene.method, "component"))
        for (std::size_t i = 0; i < scene.source.size(); ++i)
            if (scene.source[i].component) cannot(fmt::format("source[{}].component", i), "component");
    if (!scene::uses(scene.method, "component"))
        for (std::size_t i = 0; i < scene.liquid.size(); ++i)
            if (scene.liquid[i].component) cannot(fmt::format("liquid[{}].component", i), "component");
    if (!scene::uses(scene.method, "substance"))
        for_each_wall_values(scene, dim,
                             [&](const std::string& path, const scene::WallValues&) { cannot(path, "substance"); });
}

}  // namespace

void check_scene(const SceneDescription& scene, int dim, const std::set<std::string>& unread,
                 const Complain& complain) {
    const auto can_see = [&](std::initializer_list<const char*> tables) {
        return std::none_of(tables.begin(), tables.end(), [&](const char* table) { return unread.contains(table); });
    };
    if (!scene::is_available(scene.method))
        complain("method", fmt::format("\"{}\" is planned, but not available yet", choice_name(scene.method)),
                 fmt::format("available: {}", scene::available_methods()));
    check_names(scene.liquid, "liquid", complain);
    check_names(scene.component, "component", complain);
    check_names(scene.solid, "solid", complain);
    check_names(scene.source, "source", complain);
    check_names(scene.wind, "wind", complain);
    check_names(scene.substance, "substance", complain);
    check_names(scene.force, "force", complain);
    check_names(scene.control, "control", complain);
    check_names(scene.probe, "probe", complain);
    if (can_see({"method", "domain", "solid", "substance", "probe"})) check_probes(scene, dim, complain);
    if (can_see({"method", "substance", "component", "output"})) check_grids(scene, complain);
    if (can_see({"method"})) {
        check_abilities(scene, dim, complain);
        scene::row(scene.method).check(scene, dim, unread, complain);
    }
    if (can_see({"domain", "time"})) check_finite(scene, dim, complain);
    if (can_see({"domain", "camera"})) check_frame(scene, dim, complain);
}

}  // namespace spindrift
