// SPDX-License-Identifier: Apache-2.0
#include "scene/framing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "render/flat_layout.h"
#include "scene/heights.h"
#include "scene/methods.h"
#include "scene/motion.h"
#include "scene/shape_extent.h"

namespace spindrift {
namespace {

using Vec3 = Vec<double, 3>;
using Box3 = Box<double, 3>;

// When what moves is asked where it is.  How many frames a run has does not count: it may be made longer.
constexpr double kHorizon = 10;  // s
constexpr int kTimes = 101;
constexpr double kSpread = 1;      // heights of the liquid: how far to the sides it is expected to flow
constexpr double kHeadroom = 0.4;  // of the liquid's height above the floor
constexpr double kRunUp = 1;       // the same where it will run against a side of the box
constexpr double kSnap = 0.12;     // of the box's side: the region ends at the box where less would be left over

Box3 domain_of(const SceneDescription& scene) { return {scene.domain.origin, scene.domain.origin + scene.domain.size}; }

// Joins boxes; empty ones do not count.
struct Union {
    Box3 box{Vec3(std::numeric_limits<double>::infinity()), Vec3(-std::numeric_limits<double>::infinity())};
    bool is_there() const { return !box.empty(); }
    void add(const Box3& other) {
        if (!other.empty()) box = {min(box.lo, other.lo), max(box.hi, other.hi)};
    }
};

Box3 clipped(const Box3& box, const Box3& by) { return {max(box.lo, by.lo), min(box.hi, by.hi)}; }

// Around the part of the domain behind a plane: its corners there, and where the plane cuts its edges.
Box3 behind_plane(const scene::Plane& plane, const Box3& domain) {
    Union part;
    const auto corner = [&](int n) {
        Vec3 p;
        for (int a = 0; a < 3; ++a) p[a] = (n >> a & 1) != 0 ? domain.hi[a] : domain.lo[a];
        return p;
    };
    const auto add = [&](const Vec3& p) { part.box = {min(part.box.lo, p), max(part.box.hi, p)}; };
    for (int n = 0; n < 8; ++n) {
        const double here = dot(corner(n) - plane.point, plane.normal);
        if (here <= 0) add(corner(n));
        for (int a = 0; a < 3; ++a) {
            if ((n >> a & 1) != 0) continue;
            const double there = dot(corner(n | 1 << a) - plane.point, plane.normal);
            if ((here < 0) != (there < 0)) add(corner(n) + (corner(n | 1 << a) - corner(n)) * (here / (here - there)));
        }
    }
    return part.box;
}

Box3 below_heights(const HeightFunction& height, const Box3& domain, int up) {
    constexpr int kColumns = 48;
    double highest = domain.lo[up];
    for (int i = 0; i <= kColumns; ++i)
        for (int j = 0; j <= kColumns; ++j) {
            Vec3 place = domain.lo;
            place[0] += domain.size()[0] * i / kColumns;
            place[3 - up] += domain.size()[3 - up] * j / kColumns;
            highest = std::max(highest, height(place));
        }
    Box3 box = domain;
    box.hi[up] = std::min(box.hi[up], highest);
    return box;
}

// Where shapes lie in the domain.
struct Extents {
    const SceneDescription& scene;
    const MeshExtent& mesh_extent;
    Box3 domain = domain_of(scene);
    int up = up_axis(scene);

    std::optional<Box3> own_box(const scene::Shape& shape) const {
        const auto* mesh = std::get_if<scene::Mesh>(&shape);
        return mesh == nullptr ? extent(shape, 3) : mesh_extent ? mesh_extent(*mesh) : std::nullopt;
    }
    Box3 of(const scene::Shape& shape, const RigidTransform<3>& to = {}) const {
        if (const auto* plane = std::get_if<scene::Plane>(&shape))
            return behind_plane({to.world_from_local(plane->point), to.rotated(plane->normal)}, domain);
        if (const HeightFunction height = height_function(shape, 3, up)) return below_heights(height, domain, up);
        const auto box = own_box(shape);
        return box ? clipped(moved(*box, to), domain) : domain;
    }
    Pose<3> pose(const scene::Motion& motion, const scene::Shape& shape) const {
        const auto box = std::holds_alternative<scene::Mesh>(shape) ? own_box(shape) : std::nullopt;
        return box ? pose_of<3>(scene, motion, (box->lo + box->hi) * 0.5) : pose_in_space(scene, motion, shape);
    }
};

double time_of(int n) { return kHorizon * n / (kTimes - 1); }

double strongest_gravity(const SceneDescription& scene) {
    double most = 0;
    for (int n = 0; n < kTimes; ++n) most = std::max(most, length(gravity_at(scene, time_of(n))));
    return most;
}

// The largest speed on a lattice of places in a box at the start.
double fastest_in(const FieldVector& velocity, const Box3& box, int dim, double t = 0) {
    constexpr int kAcross = 9;
    double most = 0;
    for_each_index<3>({Index<3>(0), {kAcross, kAcross, dim == 3 ? kAcross : 1}}, [&](const Index<3>& n) {
        Vec3 place = box.lo;
        for (int a = 0; a < dim; ++a) place[a] += box.size()[a] * (n[a] + 0.5) / kAcross;
        most = std::max(most, length(velocity.at(place, t)));
    });
    return most;
}

// Where liquid comes in through a side of the box.
Box3 inflow_extent(const scene::Side& side, int axis, bool upper, const Box3& domain, int up) {
    Box3 box = domain;
    (upper ? box.lo : box.hi)[axis] =
        upper ? box.hi[axis] - 1e-3 * box.size()[axis] : box.lo[axis] + 1e-3 * box.size()[axis];
    if (!side.level || axis == up) return box;
    double level = domain.lo[up];
    for (int n = 0; n < kTimes; ++n) level = std::max(level, side.level->at(time_of(n)));
    box.hi[up] = std::min(box.hi[up], level);
    return box;
}

// The liquid of the scene, and how fast it is at most when it begins.
struct Beginning {
    Union liquid;
    double speed = 0;
    double level_speed = 0;  // to the sides

    Beginning(const SceneDescription& scene, const Extents& extents) {
        const int up = extents.up;
        const auto add = [&](const Box3& box, const FieldVector& velocity, double t) {
            if (box.empty()) return;
            liquid.add(box);
            FieldVector level = velocity;
            level.component[static_cast<std::size_t>(up)] = 0.0;
            speed = std::max(speed, fastest_in(velocity, box, scene.dim, t));
            level_speed = std::max(level_speed, fastest_in(level, box, scene.dim, t));
        };
        for (const scene::Liquid& entry : scene.liquid)
            if (entry.op == scene::ShapeOp::add) add(extents.of(entry.shape), entry.velocity, 0);
        for (const scene::Source& entry : scene.source) add(extents.of(entry.shape), entry.velocity, entry.start);
        for (int axis = 0; axis < scene.dim; ++axis)
            for (const bool upper : {false, true})
                if (const scene::Side& side = scene.domain.sides.at(axis, upper); side.kind == scene::SideKind::inflow)
                    add(inflow_extent(side, axis, upper, extents.domain, up), side.velocity, 0);
    }
};

}  // namespace

Box3 visible_region(const SceneDescription& scene, const MeshExtent& mesh_extent) {
    const Extents extents{scene, mesh_extent};
    const Box3& domain = extents.domain;
    const int up = extents.up;
    if (!scene::has_surface(scene.method) || scene.flow.velocity) return domain;
    const Beginning start(scene, extents);
    if (!start.liquid.is_there()) return domain;

    // Liquid falls to the floor and spreads over it; thrown, it goes on for as long as it falls.
    Box3 wet = start.liquid.box;
    const double g = strongest_gravity(scene), height = wet.hi[up] - domain.lo[up];
    const double fall = g > 0 ? std::sqrt(2 * height / g) : kHorizon;
    const double spread = kSpread * height + start.level_speed * fall;
    const double rise = g > 0 ? std::min(0.5 * start.speed * start.speed / g, height) : spread;
    const auto runs_against = [&](int a, double gap) {
        return a != up && a < scene.dim && gap > 0 && gap < 2 * spread;
    };
    double headroom = kHeadroom;
    for (int a = 0; a < 3; ++a)
        if (runs_against(a, wet.lo[a] - domain.lo[a]) || runs_against(a, domain.hi[a] - wet.hi[a])) headroom = kRunUp;
    for (int a = 0; a < 3; ++a) {
        wet.lo[a] = a != up ? wet.lo[a] - spread : g > 0 ? domain.lo[a] : wet.lo[a] - spread;
        wet.hi[a] += a != up ? spread : std::max(headroom * height, rise);
    }
    Union visible;
    visible.add(clipped(wet, domain));
    for (const scene::Solid& solid : scene.solid) {
        if (!solid.visible || solid.op != scene::ShapeOp::add) continue;
        const Pose<3> pose = extents.pose(solid.motion, solid.shape);
        for (int n = 0; n < (pose.moves() ? kTimes : 1); ++n)
            visible.add(extents.of(solid.shape, pose.at(time_of(n)).world_from_body));
    }
    for (int a = 0; a < 3; ++a) {
        const double most = kSnap * domain.size()[a];
        if (visible.box.lo[a] - domain.lo[a] < most) visible.box.lo[a] = domain.lo[a];
        if (domain.hi[a] - visible.box.hi[a] < most) visible.box.hi[a] = domain.hi[a];
    }
    return visible.box;
}

namespace {

// The entry that fills a place, or null: later ones add to and cut from those before.
template <class Entry>
const Entry* holding(const std::vector<Entry>& entries, const Vec3& place, int dim, int up) {
    const Entry* last = nullptr;
    for (const Entry& entry : entries)
        if (contains(entry.shape, place, dim, up).value_or(false)) last = &entry;
    return last != nullptr && last->op == scene::ShapeOp::add ? last : nullptr;
}

// A 2D liquid at the start, on a lattice of places.
struct FlatStart {
    double fall = 0;    // m: the energy of its height above that at rest, over its weight
    double motion = 0;  // m²/s²: its kinetic energy, over its mass
    double speed = 0;   // m/s: the largest
    double depth = 0;   // m: from its highest point to the lowest place that it can reach

    explicit FlatStart(const SceneDescription& scene) {
        constexpr int kAcross = 128;
        const Vec3 origin = scene.domain.origin, size = scene.domain.size;
        const double h = std::max(size[0], size[1]) / kAcross;
        const Index<2> counts{std::max(1, static_cast<int>(std::lround(size[0] / h))),
                              std::max(1, static_cast<int>(std::lround(size[1] / h)))};
        double height = 0, lowest = size[1], highest = 0;
        int wet = 0;
        std::vector<int> free(static_cast<std::size_t>(counts[1]));  // places of each row that no solid takes
        for (int j = 0; j < counts[1]; ++j)
            for (int i = 0; i < counts[0]; ++i) {
                const double y = size[1] * (j + 0.5) / counts[1];
                const Vec3 place = origin + Vec3(size[0] * (i + 0.5) / counts[0], y, 0);
                if (holding(scene.solid, place, 2, 1) != nullptr) continue;
                ++free[static_cast<std::size_t>(j)];
                lowest = std::min(lowest, y);
                const scene::Liquid* liquid = holding(scene.liquid, place, 2, 1);
                if (liquid == nullptr) continue;
                const double v = length(liquid->velocity.at(place, 0));
                ++wet;
                height += y;
                motion += 0.5 * v * v;
                speed = std::max(speed, v);
                highest = std::max(highest, y);
            }
        if (wet == 0) return;
        depth = highest - lowest + size[1] / counts[1];

        // At rest it fills the lowest places.
        double at_rest = 0;
        int left = wet;
        for (int j = 0; j < counts[1] && left > 0; ++j) {
            const int here = std::min(left, free[static_cast<std::size_t>(j)]);
            at_rest += here * size[1] * (j + 0.5) / counts[1];
            left -= here;
        }
        fall = std::max((height - at_rest) / wet, 0.0);
        motion /= wet;
    }
};

// Up to a number whose quarters read well.
double rounded_up(double value) {
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.0, 1.2, 1.6, 2.0, 2.4, 3.2, 4.0, 6.0, 8.0})
        if (value <= step * power * (1 + 1e-9)) return step * power;
    return 10 * power;
}

// m/s
double speed_to_show(const SceneDescription& scene) {
    const FlatStart start(scene);
    const double g = strongest_gravity(scene);
    double speed = std::max(2 * std::sqrt(2 * (g * start.fall + start.motion)), start.speed);
    const Box3 domain = domain_of(scene);
    for (const scene::Source& source : scene.source) {
        const Box3 box = extent(source.shape, 2).value_or(domain);
        const double v = fastest_in(source.velocity, clipped(box, domain), 2, source.start);
        const double drop = std::clamp(box.hi[1], domain.lo[1], domain.hi[1]) - domain.lo[1];
        speed = std::max(speed, std::sqrt(v * v + 2 * g * drop));
    }
    for (int axis = 0; axis < 2; ++axis)
        for (const bool upper : {false, true})
            if (const scene::Side& side = scene.domain.sides.at(axis, upper); side.kind == scene::SideKind::inflow)
                speed = std::max(speed, 1.5 * fastest_in(side.velocity, domain, 2));
    for (const scene::Solid& solid : scene.solid)
        for (int n = 0; n < kTimes && solid.motion.is_there(); ++n)
            speed = std::max(speed, 1.5 * fastest_part(scene, solid.motion, solid.shape, time_of(n)));
    if (scene.flow.velocity) speed = std::max(speed, fastest_in(*scene.flow.velocity, domain, 2));
    // Water at rest has a speed all the same, of rounding; it must not fill the colours.
    const double least = 1e-2 * std::sqrt(std::max(g, 1e-3) * scene.domain.size[1]);
    return rounded_up(std::max(speed, least));
}

// Pa
double pressure_to_show(const SceneDescription& scene) {
    const FlatStart start(scene);
    const double g = strongest_gravity(scene), depth = start.depth > 0 ? start.depth : scene.domain.size[1];
    const double at_rest = scene.fluid.density * g * depth;
    if (at_rest > 0) return rounded_up(at_rest);
    const double speed = speed_to_show(scene);
    return rounded_up(0.5 * scene.fluid.density * speed * speed);
}

}  // namespace

Vec<double, 2> overlay_range(const SceneDescription& scene) {
    const scene::Camera& camera = scene.camera;
    const double least = camera.overlay_min.value_or(0);
    if (camera.overlay_max) return {least, *camera.overlay_max};
    const double most = camera.overlay == scene::Overlay::pressure ? pressure_to_show(scene) : speed_to_show(scene);
    return {least, std::max(most, least)};
}

double sea_level(const SceneDescription& scene) {
    if (scene.render.sea_level) return *scene.render.sea_level;
    const Box3 domain = domain_of(scene);
    const int up = up_axis(scene), other = 3 - up;
    if (!scene::has_surface(scene.method)) return domain.lo[up];

    // The middle one of the heights of liquid in columns along the sides of the box.
    constexpr int kColumns = 24, kHeights = 256;
    std::vector<double> heights;
    for (int side = 0; side < 4; ++side)
        for (int n = 0; n < kColumns; ++n) {
            Vec3 place = domain.lo;
            const int along = side < 2 ? 0 : other, across = other - along;
            place[along] += domain.size()[along] * (n + 0.5) / kColumns;
            place[across] += domain.size()[across] * (side % 2 == 0 ? 0.005 : 0.995);
            double height = domain.lo[up];
            for (int k = 0; k < kHeights; ++k) {
                place[up] = domain.lo[up] + domain.size()[up] * (k + 0.5) / kHeights;
                if (holding(scene.liquid, place, 3, up) != nullptr && holding(scene.solid, place, 3, up) == nullptr)
                    height = place[up] + 0.5 * domain.size()[up] / kHeights;
            }
            heights.push_back(height);
        }
    std::nth_element(heights.begin(), heights.begin() + heights.size() / 2, heights.end());
    return heights[heights.size() / 2];
}

Box<double, 2> shown_part(const SceneDescription& scene) {
    const Box3 domain = domain_of(scene);
    return {components<2>(scene.camera.min.value_or(domain.lo)), components<2>(scene.camera.max.value_or(domain.hi))};
}

Vec<int, 2> picture_size(const SceneDescription& scene) {
    if (scene.camera.resolution) return *scene.camera.resolution;
    if (scene.dim == 3) return {960, 540};
    const bool has_surface = scene::has_surface(scene.method);
    return flat_picture_size(shown_part(scene).size(), has_surface,
                             has_surface && scene.camera.overlay != scene::Overlay::none);
}

}  // namespace spindrift
