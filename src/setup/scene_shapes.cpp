// SPDX-License-Identifier: Apache-2.0
#include "setup/scene_shapes.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <mutex>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "geometry/height_field.h"
#include "geometry/mesh_distance.h"
#include "geometry/mesh_files.h"
#include "scene/heights.h"

namespace spindrift {
namespace {

template <int Dim>
using Part = typename ShapeSet<Dim>::Part;
template <int Dim>
Vec<double, Dim> cut(const Vec<double, 3>& v) {
    return components<Dim>(v);
}

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

// About x, then y, then z.
RigidTransform<2> turn(const scene::Rotation& r, const Vec<double, 2>& centre) {
    RigidTransform<2> pose = rotation(radians(r.degrees[2]));
    pose.translation = centre;
    return pose;
}
RigidTransform<3> turn(const scene::Rotation& r, const Vec<double, 3>& centre) {
    RigidTransform<3> pose;
    for (int axis = 0; axis < 3; ++axis) {
        const RigidTransform<3> next = rotation(Vec<double, 3>(unit<3>(axis)), radians(r.degrees[axis]));
        // pose = next · pose: each row of the product mixes the rows so far.
        RigidTransform<3> product;
        for (std::size_t row = 0; row < 3; ++row) {
            product.rotation[row] = {};
            for (std::size_t k = 0; k < 3; ++k)
                product.rotation[row] += pose.rotation[k] * next.rotation[row][static_cast<int>(k)];
        }
        pose = product;
    }
    pose.translation = centre;
    return pose;
}

template <int Dim>
Part<Dim> part_of(const scene::Box& b) {
    if (b.rotate_degrees == scene::Rotation{}) return {Box<double, Dim>{cut<Dim>(b.min), cut<Dim>(b.max)}};
    const Vec<double, Dim> half = cut<Dim>(b.max - b.min) * 0.5;
    return {Box<double, Dim>{-half, half}, Combine::add, turn(b.rotate_degrees, cut<Dim>((b.min + b.max) * 0.5))};
}
template <int Dim>
Part<Dim> part_of(const scene::Sphere& s) {
    return {Sphere<Dim>{cut<Dim>(s.center), s.radius}};
}
template <int Dim>
Part<Dim> part_of(const scene::Ellipsoid& e) {
    return {Ellipsoid<Dim>{{}, cut<Dim>(e.radii)}, Combine::add, turn(e.rotate_degrees, cut<Dim>(e.center))};
}
template <int Dim>
Part<Dim> part_of(const scene::Cylinder& c) {
    return {Cylinder<Dim>{cut<Dim>(c.from), cut<Dim>(c.to), c.radius}};
}
template <int Dim>
Part<Dim> part_of(const scene::Capsule& c) {
    return {Capsule<Dim>{cut<Dim>(c.from), cut<Dim>(c.to), c.radius}};
}
template <int Dim>
Part<Dim> part_of(const scene::Cone& c) {
    return {Cone<Dim>{cut<Dim>(c.from), cut<Dim>(c.to), c.radius, c.radius_to}};
}
template <int Dim>
Part<Dim> torus_part(const scene::Torus& t, int up) {
    Torus<Dim> torus{cut<Dim>(t.center), t.radius, t.tube_radius};
    if constexpr (Dim == 3) torus.axis = t.axis.value_or(Vec<double, 3>(unit<3>(up)));
    return {torus};
}
template <int Dim>
Result<Part<Dim>> polygon_part(const scene::Polygon& p, const SceneDescription& scene) {
    if constexpr (Dim == 3) {
        return Error{.what = "a polygon needs a 2D scene", .where = {.file = scene.places.file}};
    } else {
        Polygon polygon;
        for (const Vec<double, 3>& corner : p.points) polygon.corners.push_back(cut<2>(corner));
        return Part<2>{std::move(polygon)};
    }
}
template <int Dim>
Part<Dim> part_of(const scene::Plane& p) {
    return {HalfSpace<Dim>{cut<Dim>(p.point), cut<Dim>(p.normal)}};
}

// The height over the place divided by how steep it is there: a distance near the surface.
template <int Dim>
Part<Dim> heights_part(const scene::Shape& shape, int up, double dx) {
    const auto above = [height = height_function(shape, Dim, up, dx), up](const Vec<double, Dim>& p) {
        return p[up] - height(in_space(p));
    };
    return {Implicit<Dim>{[=](const Vec<double, Dim>& p) {
        double steep = 0;
        for (int a = 0; a < Dim; ++a) {
            Vec<double, Dim> step;
            step[a] = 0.5 * dx;
            const double slope = (above(p + step) - above(p - step)) / dx;
            steep += slope * slope;
        }
        return above(p) / std::sqrt(std::max(steep, 1e-12));
    }}};
}

// Meshes that were made ready last, by what they were made of: checks, the simulation, its warnings and its report ask
// for the same ones.  A key that is empty is never found again.
template <class Make>
Result<std::shared_ptr<const MeshDistance>> ready_mesh(const std::string& key, double cell, Make&& make) {
    constexpr std::size_t kMost = 8;
    static std::mutex mutex;
    static std::vector<std::pair<std::string, std::shared_ptr<const MeshDistance>>> ready;
    const std::lock_guard lock(mutex);
    for (const auto& [made_of, distance] : ready)
        if (!key.empty() && made_of == key) return distance;
    Result<TriangleMesh> mesh = make();
    if (!mesh) return std::move(mesh).errors();
    auto distance = std::make_shared<const MeshDistance>(std::move(mesh).value(), MeshKind::volume, 0, cell);
    if (ready.size() == kMost) ready.erase(ready.begin());
    ready.emplace_back(key, distance);
    return std::shared_ptr<const MeshDistance>(std::move(distance));
}

Result<std::shared_ptr<const MeshDistance>> mesh_distance(const SceneDescription& scene, const scene::Mesh& mesh) {
    const std::filesystem::path file = resolved(scene, mesh.file);
    std::error_code unknown;
    const auto written = std::filesystem::last_write_time(file, unknown);
    const double cell = cell_size(scene);
    const std::string key =
        unknown ? ""
                : fmt::format("{} {} {} {} {} {}", file.string(), written.time_since_epoch().count(), cell, mesh.scale,
                              fmt::join(mesh.rotate_degrees.degrees.data, " "), fmt::join(mesh.translate.data, " "));
    return ready_mesh(key, cell, [&] { return placed_mesh(scene, mesh); });
}

template <int Dim>
Result<Part<Dim>> mesh_part(const scene::Mesh& m, const SceneDescription& scene) {
    if constexpr (Dim == 2) {
        return Error{.what = "a mesh needs a 3D scene", .where = {.file = scene.places.file}};
    } else {
        auto distance = mesh_distance(scene, m);
        if (!distance) return std::move(distance).errors();
        return Part<3>{MeshSolid{std::move(distance).value()}, Combine::add, std::nullopt};
    }
}

}  // namespace

Result<TriangleMesh> placed_mesh(const SceneDescription& scene, const scene::Mesh& mesh) {
    auto placed = read_mesh(resolved(scene, mesh.file));
    if (!placed) return placed;
    const RigidTransform<3> pose = turn(mesh.rotate_degrees, mesh.translate);
    for (Vec<float, 3>& p : placed.value().positions)
        p = Vec<float, 3>(pose.world_from_local(Vec<double, 3>(p) * mesh.scale));
    return placed;
}

// Sampled twice a cell (3D: once), in the domain and a margin around it, in which the ground goes on level, or again
// from the other side where sides are periodic.
template <int Dim>
typename ShapeSet<Dim>::Part ground_part(const SceneDescription& scene, const scene::Shape& shape) {
    constexpr int kMargin = 16;  // cells: as far as distances matter
    const double dx = cell_size(scene);
    const int up = up_axis(scene);
    const Vec<double, 3> lo = scene.domain.origin, size = scene.domain.size;
    double lowest = lo[up];
    const HeightFunction ground = height_function(shape, Dim, up, dx);
    const auto height = [&](Vec<double, 3> place) {
        for (int a = 0; a < Dim; ++a) {
            const bool periodic = scene.domain.sides.at(a, false).kind == scene::SideKind::periodic;
            const double in = place[a] - lo[a];
            place[a] = lo[a] + (periodic ? in - size[a] * std::floor(in / size[a]) : std::clamp(in, 0.0, size[a]));
        }
        const double h = ground(place);
        lowest = std::min(lowest, h);
        return h;
    };
    const double margin = kMargin * dx;
    const auto steps = [&](int axis, double spacing) {
        return std::max(1, static_cast<int>(std::ceil((size[axis] + 2 * margin) / spacing)));
    };
    if constexpr (Dim == 2) {
        const auto at = [&](double x) { return height({x, lo[1], 0}); };
        HeightSamples<1> samples{{Vec<double, 1>(lo[0] - margin), Vec<double, 1>(lo[0] + size[0] + margin)},
                                 Index<1>(steps(0, 0.5 * dx)),
                                 0};
        height_polygon(samples, at);  // finds the lowest
        samples.bottom = lowest - margin;
        return {height_polygon(samples, at)};
    } else {
        const int first = up == 0 ? 1 : 0, second = up == 2 ? 1 : 2;
        const auto at = [&](double a, double b) {
            Vec<double, 3> place = lo;
            place[first] = a;
            place[second] = b;
            return height(place);
        };
        HeightSamples<2> samples{
            {Vec<double, 2>(lo[first], lo[second]) - Vec<double, 2>(margin),
             Vec<double, 2>(lo[first] + size[first], lo[second] + size[second]) + Vec<double, 2>(margin)},
            Index<2>(steps(first, dx), steps(second, dx)),
            0};
        std::string periodic;
        for (const scene::Side& side : scene.domain.sides.sides)
            periodic += side.kind == scene::SideKind::periodic ? 'p' : '-';
        const std::string key = fmt::format("heights {} {} {} {} {} {}", height_key(shape), dx, up, periodic,
                                            fmt::join(lo.data, " "), fmt::join(size.data, " "));
        auto distance = ready_mesh(key, dx, [&]() -> Result<TriangleMesh> {
            height_mesh(samples, up, at);  // finds the lowest
            samples.bottom = lowest - margin;
            return height_mesh(samples, up, at);
        });
        return {MeshSolid{std::move(distance).value()}};
    }
}

template <int Dim>
void add_shape(ShapeSet<Dim>& set, Errors& errors, const SceneDescription& scene, const std::string& path,
               const scene::Shape& shape, scene::ShapeOp op) {
    const auto complain = [&](const std::string& what, const std::string& remedy) {
        errors.add({.what = path + ": " + what, .remedy = remedy, .where = place_of(scene, path)});
    };
    auto made = std::visit(
        [&](const auto& s) -> Result<Part<Dim>> {
            if constexpr (std::is_same_v<std::decay_t<decltype(s)>, scene::Mesh>)
                return mesh_part<Dim>(s, scene);
            else if constexpr (std::is_same_v<std::decay_t<decltype(s)>, scene::Torus>)
                return torus_part<Dim>(s, up_axis(scene));
            else if constexpr (std::is_same_v<std::decay_t<decltype(s)>, scene::Polygon>)
                return polygon_part<Dim>(s, scene);
            else if constexpr (std::is_same_v<std::decay_t<decltype(s)>, scene::Heights> ||
                               std::is_same_v<std::decay_t<decltype(s)>, scene::Heightmap>)
                return heights_part<Dim>(s, up_axis(scene), cell_size(scene));
            else
                return part_of<Dim>(s);
        },
        shape);
    if (!made) return errors.add(std::move(made).errors());
    Part<Dim> part = std::move(made).value();
    if (const std::string problem = fault<Dim>(part.shape); !problem.empty()) return complain(problem, "");
    part.how = op == scene::ShapeOp::add ? Combine::add : Combine::subtract;
    set.parts.push_back(std::move(part));
}

template void add_shape(ShapeSet<2>&, Errors&, const SceneDescription&, const std::string&, const scene::Shape&,
                        scene::ShapeOp);
template void add_shape(ShapeSet<3>&, Errors&, const SceneDescription&, const std::string&, const scene::Shape&,
                        scene::ShapeOp);
template ShapeSet<2>::Part ground_part<2>(const SceneDescription&, const scene::Shape&);
template ShapeSet<3>::Part ground_part<3>(const SceneDescription&, const scene::Shape&);

}  // namespace spindrift
