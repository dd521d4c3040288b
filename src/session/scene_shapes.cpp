// SPDX-License-Identifier: Apache-2.0
#include "session/scene_shapes.h"

#include <cmath>
#include <filesystem>
#include <memory>
#include <mutex>
#include <numbers>
#include <optional>
#include <vector>

#include "geometry/mesh_distance.h"
#include "geometry/mesh_files.h"

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
Part<Dim> part_of(const scene::Plane& p) {
    return {HalfSpace<Dim>{cut<Dim>(p.point), cut<Dim>(p.normal)}};
}

// The height over the place divided by how steep it is there: a distance near the surface.
template <int Dim>
Part<Dim> heights_part(const scene::Heights& h, int up, double dx) {
    const auto above = [height = h.height, up](const Vec<double, Dim>& p) {
        Vec<double, 3> place;
        for (int a = 0; a < Dim; ++a) place[a] = p[a];
        return p[up] - height.at(place, 0);
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

// Meshes that were made ready last: checks, the simulation, its warnings and its report ask for the same ones.
struct ReadyMesh {
    std::filesystem::path file;
    std::filesystem::file_time_type written;
    scene::Mesh placed;
    double cell;
    std::shared_ptr<const MeshDistance> distance;
};
constexpr std::size_t kMostReadyMeshes = 8;

Result<std::shared_ptr<const MeshDistance>> mesh_distance(const SceneDescription& scene, const scene::Mesh& mesh) {
    static std::mutex mutex;
    static std::vector<ReadyMesh> ready;
    const std::lock_guard lock(mutex);
    const std::filesystem::path file = resolved(scene, mesh.file);
    std::error_code unknown;
    const auto written = std::filesystem::last_write_time(file, unknown);
    const double cell = cell_size(scene);
    if (!unknown)
        for (const ReadyMesh& one : ready)
            if (one.file == file && one.written == written && one.cell == cell && one.placed == mesh)
                return one.distance;

    auto placed = placed_mesh(scene, mesh);
    if (!placed) return std::move(placed).errors();
    auto distance = std::make_shared<const MeshDistance>(std::move(placed).value(), MeshKind::volume, 0, cell);
    if (!unknown) {
        if (ready.size() == kMostReadyMeshes) ready.erase(ready.begin());
        ready.push_back({file, written, mesh, cell, distance});
    }
    return std::shared_ptr<const MeshDistance>(std::move(distance));
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
            else if constexpr (std::is_same_v<std::decay_t<decltype(s)>, scene::Heights>)
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

}  // namespace spindrift
