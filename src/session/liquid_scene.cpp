// SPDX-License-Identifier: Apache-2.0
#include "session/liquid_scene.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "session/scene_shapes.h"

namespace spindrift {
namespace {

Wall wall_of(scene::SideKind kind) {
    switch (kind) {
        case scene::SideKind::no_slip: return Wall::no_slip;
        case scene::SideKind::open: return Wall::open;
        default: return Wall::slip;
    }
}

template <int Dim>
Vec<double, 3> in_space(const Vec<double, Dim>& place) {
    Vec<double, 3> where;
    for (int axis = 0; axis < Dim; ++axis) where[axis] = place[axis];
    return where;
}

// Sides that liquid goes through.
template <int Dim>
void add_side(World<Dim>& world, int axis, bool upper, const SceneDescription& scene) {
    const scene::Side& side = scene.domain.sides.at(axis, upper);
    if (side.kind == scene::SideKind::open) open_side(world, axis, upper);
    if (side.kind != scene::SideKind::inflow) return;
    std::function<double(double)> level;
    if (side.level) level = [value = *side.level](double t) { return value.at(t); };
    const auto velocity = [field = side.velocity](const Vec<double, Dim>& p, double t) {
        return components<Dim>(field.at(in_space(p), t));
    };
    let_in<Dim>(world, axis, upper, velocity, std::move(level), up_axis(scene));
}

// The shape of a solid that moves, where it is written, and how far it has moved.
template <int Dim>
struct MoverShape {
    std::shared_ptr<const ShapeSet<Dim>> shape;
    std::function<Vec<double, Dim>(double)> offset;
    bool visible;
};

// A solid that moves.
template <int Dim>
void add_mover(World<Dim>& world, Errors& errors, const SceneDescription& scene, std::size_t number,
               std::vector<MoverShape<Dim>>& shapes) {
    const std::string path = fmt::format("solid[{}]", number);
    const scene::Solid& entry = scene.solid[number];
    auto shape = std::make_shared<ShapeSet<Dim>>();
    add_shape(*shape, errors, scene, path, entry.shape, entry.op);
    if (shape->parts.empty()) return;
    const auto offset = [at = *entry.offset](double t) { return components<Dim>(at.at(t)); };
    const auto speed = [offset](double t) {
        constexpr double kMoment = 1e-3;  // s
        const double before = std::max(0.0, t - kMoment);
        return (offset(t + kMoment) - offset(before)) / (t + kMoment - before);
    };
    MovingSolid<Dim>& solid = world.moving_solids.emplace_back();
    solid.visible = entry.visible;
    solid.distance = [=](const Vec<double, Dim>& p, double t) { return signed_distance(*shape, p - offset(t)); };
    solid.velocity = [=](const Vec<double, Dim>&, double t) { return speed(t); };
    solid.fastest = [=](double t) { return length(speed(t)); };
    shapes.push_back({shape, offset, entry.visible});
}

// Empty when no mesh is seen.
std::function<Vec<double, 3>(const Vec<double, 3>&, double)> shown_mesh_normal(
    const SceneDescription& scene, const ShapeSet<3>& shown, const std::vector<MoverShape<3>>& movers) {
    const bool any = std::any_of(scene.solid.begin(), scene.solid.end(), [](const scene::Solid& solid) {
        return solid.visible && std::holds_alternative<scene::Mesh>(solid.shape);
    });
    if (!any) return nullptr;
    return [shown, movers](const Vec<double, 3>& p, double t) {
        double least = signed_distance(shown, p);
        const MoverShape<3>* nearest = nullptr;
        for (const MoverShape<3>& mover : movers) {
            if (!mover.visible) continue;
            if (const double d = signed_distance(*mover.shape, p - mover.offset(t)); d < least)
                least = d, nearest = &mover;
        }
        return nearest == nullptr ? mesh_normal(shown, p) : mesh_normal(*nearest->shape, p - nearest->offset(t));
    };
}

// Which solids slip: all, none, or each as the scene says.
template <int Dim>
void add_walls(World<Dim>& world, Errors& errors, const SceneDescription& scene) {
    const auto slips = [](const scene::Solid& solid) { return solid.wall == scene::Wall::slip; };
    world.solid_slip = std::all_of(scene.solid.begin(), scene.solid.end(), slips);
    if (world.solid_slip || std::none_of(scene.solid.begin(), scene.solid.end(), slips)) return;
    struct One {
        ShapeSet<Dim> shape;
        std::optional<TimeVector> offset;
        bool slips;
    };
    auto all = std::make_shared<std::vector<One>>();
    for (std::size_t i = 0; i < scene.solid.size(); ++i) {
        One& one = all->emplace_back(One{{}, scene.solid[i].offset, slips(scene.solid[i])});
        add_shape(one.shape, errors, scene, fmt::format("solid[{}]", i), scene.solid[i].shape, scene::ShapeOp::add);
    }
    world.solid_slips_at = [all](const Vec<double, Dim>& p, double t) {
        const One* nearest = nullptr;
        double least = std::numeric_limits<double>::infinity();
        for (const One& one : *all) {
            const Vec<double, Dim> there = one.offset ? p - components<Dim>(one.offset->at(t)) : p;
            const double distance = one.shape.parts.empty() ? least : std::abs(signed_distance(one.shape, there));
            if (distance < least) least = distance, nearest = &one;
        }
        return nearest != nullptr && nearest->slips;
    };
}

// Each entry by itself, for the velocity it starts with.
template <int Dim>
struct Mover {
    ShapeSet<Dim> shape;
    FieldVector velocity;
};

// The last entry that holds the place decides; outside all of them the nearest one.
template <int Dim>
Vec<double, Dim> velocity_at(const std::vector<Mover<Dim>>& movers, const Vec<double, Dim>& place) {
    const Mover<Dim>* best = nullptr;
    double nearest = std::numeric_limits<double>::infinity();
    for (const Mover<Dim>& mover : movers) {
        const double distance = std::max(0.0, signed_distance(mover.shape, place));
        if (distance > nearest) continue;
        nearest = distance;
        best = &mover;
    }
    if (best == nullptr) return {};
    return components<Dim>(best->velocity.at(in_space(place), 0));
}

}  // namespace

template <int Dim>
Result<LiquidScene<Dim>> liquid_scene(const SceneDescription& scene) {
    Errors errors;

    // The container.
    LiquidScene<Dim> out;
    World<Dim>& world = out.world;
    world.grid = {.origin = components<Dim>(scene.domain.origin), .dx = cell_size(scene)};
    const Vec<int, 3> counts = cell_counts(scene);
    for (int axis = 0; axis < Dim; ++axis) {
        world.box.hi[axis] = counts[axis];
        for (const bool upper : {false, true})
            world.walls[static_cast<std::size_t>(axis)][upper ? 1 : 0] =
                wall_of(scene.domain.sides.at(axis, upper).kind);
    }
    world.domain = world.box;
    for (int axis = 0; axis < Dim; ++axis) {
        if (scene.domain.sides.at(axis, false).kind == scene::SideKind::periodic)
            world.period[axis] = counts[axis] / kTileSide;
        for (const bool upper : {false, true}) add_side(world, axis, upper, scene);
    }
    world.density = scene.fluid.density;
    world.viscosity = scene.fluid.viscosity;
    world.surface_tension = scene.fluid.surface_tension;
    world.gravity = [scene](double t) { return components<Dim>(gravity_at(scene, t)); };

    // Solids.
    auto solids = std::make_shared<ShapeSet<Dim>>(), shown = std::make_shared<ShapeSet<Dim>>(),
         hidden = std::make_shared<ShapeSet<Dim>>(), glass = std::make_shared<ShapeSet<Dim>>();
    std::vector<MoverShape<Dim>> shapes_of_movers;
    for (std::size_t i = 0; i < scene.solid.size(); ++i) {
        const scene::Solid& entry = scene.solid[i];
        if (entry.offset)
            add_mover(world, errors, scene, i, shapes_of_movers);
        else
            add_shape(*solids, errors, scene, fmt::format("solid[{}]", i), entry.shape, entry.op);
        if (entry.offset || solids->parts.empty()) continue;
        // What is taken away is taken from all before it, seen or not.
        const bool seen_through = !entry.visible || entry.glass;
        for (const auto& [set, holds] : {std::pair(shown, !seen_through), std::pair(hidden, seen_through),
                                         std::pair(glass, entry.visible && entry.glass)})
            if (entry.op == scene::ShapeOp::add ? holds : !set->parts.empty())
                set->parts.push_back(solids->parts.back());
    }
    if (!shown->parts.empty())
        world.shown_solids = [shown](const Vec<double, Dim>& p) { return signed_distance(*shown, p); };
    if (!hidden->parts.empty())
        world.hidden_solids = [hidden](const Vec<double, Dim>& p) { return signed_distance(*hidden, p); };
    if (!glass->parts.empty())
        world.glass_solids = [glass](const Vec<double, Dim>& p) { return signed_distance(*glass, p); };
    if (!solids->parts.empty())
        world.solid_distance = [solids](const Vec<double, Dim>& p) { return signed_distance(*solids, p); };
    if constexpr (Dim == 3) world.shown_normal = shown_mesh_normal(scene, *shown, shapes_of_movers);
    add_walls(world, errors, scene);

    // The liquid at the start, and how it moves.
    auto liquid = std::make_shared<ShapeSet<Dim>>();
    auto movers = std::make_shared<std::vector<Mover<Dim>>>();
    for (std::size_t i = 0; i < scene.liquid.size(); ++i) {
        const scene::Liquid& entry = scene.liquid[i];
        const std::string path = fmt::format("liquid[{}]", i);
        add_shape(*liquid, errors, scene, path, entry.shape, entry.op);
        if (entry.op != scene::ShapeOp::add || liquid->parts.empty()) continue;
        Mover<Dim>& mover = movers->emplace_back();
        mover.shape.parts.push_back(liquid->parts.back());
        mover.velocity = entry.velocity;
    }

    // What pours.
    for (std::size_t i = 0; i < scene.source.size(); ++i) {
        const auto& entry = scene.source[i];
        auto shape = std::make_shared<ShapeSet<Dim>>();
        add_shape(*shape, errors, scene, fmt::format("source[{}]", i), entry.shape, scene::ShapeOp::add);
        if (shape->parts.empty()) continue;
        LiquidSource<Dim>& source = world.sources.emplace_back();
        source.distance = [shape](const Vec<double, Dim>& p, double) { return signed_distance(*shape, p); };
        source.velocity = [velocity = entry.velocity](const Vec<double, Dim>& p, double t) {
            return components<Dim>(velocity.at(in_space(p), t));
        };
        source.start = entry.start;
        if (entry.end) source.end = *entry.end;
    }

    // What blows.
    for (const scene::Wind& entry : scene.wind) {
        Wind<Dim>& wind = world.winds.emplace_back();
        wind.strength = [strength = entry.strength](const Vec<double, Dim>& p, double t) {
            return strength.at(in_space(p), t);
        };
        wind.velocity = [velocity = entry.velocity](const Vec<double, Dim>& p, double t) {
            return components<Dim>(velocity.at(in_space(p), t));
        };
        if (!entry.min) continue;
        const Box<double, Dim> box{components<Dim>(*entry.min), components<Dim>(*entry.max)};
        wind.region = [box](const Vec<double, Dim>& p) { return signed_distance<Dim>(Shape<Dim>(box), p); };
    }

    out.distance = [liquid](const Vec<double, Dim>& p) { return signed_distance(*liquid, p); };
    out.velocity = [movers](const Vec<double, Dim>& p) { return velocity_at(*movers, p); };
    if (!errors.empty()) return errors;
    return out;
}

bool throws_spray(const SceneDescription& scene) {
    return particle_sides(scene) != ParticleSides::none && !scene.flow.velocity;
}

ParticleSides particle_sides(const SceneDescription& scene) {
    if (scene.method != scene::Method::particle_level_set_2002) return ParticleSides::none;
    switch (scene.particles.sides) {
        case scene::ParticleSides::both: return ParticleSides::both;
        case scene::ParticleSides::inside: return ParticleSides::inside;
        case scene::ParticleSides::none: break;
    }
    return ParticleSides::none;
}

AdvectionScheme scheme_of(scene::Advection advection) {
    switch (advection) {
        case scene::Advection::semi_lagrangian: return AdvectionScheme::semi_lagrangian;
        case scene::Advection::cubic: return AdvectionScheme::cubic;
        case scene::Advection::maccormack: break;
    }
    return AdvectionScheme::maccormack;
}

LiquidSettings liquid_settings(const SceneDescription& scene) {
    return {.advection = scheme_of(scene.level_set.advection),
            .cfl = scene.time.cfl,
            .volume_control = scene.level_set.volume_control,
            .enclosed_air = scene.level_set.enclosed_air,
            .air_pressure = scene.level_set.air_pressure,
            .pressure_tolerance = scene.level_set.pressure_tolerance,
            .max_pressure_iterations = scene.level_set.max_pressure_iterations,
            .particles = {.sides = particle_sides(scene),
                          .per_cell = scene.particles.per_cell,
                          .overlap = 2,
                          .seed = scene.seed},
            .reseed_interval = scene.particles.reseed_interval,
            .largest_drop = scene.particles.largest_drop};
}

template Result<LiquidScene<2>> liquid_scene(const SceneDescription&);
template Result<LiquidScene<3>> liquid_scene(const SceneDescription&);

}  // namespace spindrift
