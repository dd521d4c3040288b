// SPDX-License-Identifier: Apache-2.0
#include "setup/liquid_scene.h"

#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "setup/scene_forces.h"
#include "setup/scene_shapes.h"
#include "setup/scene_solids.h"

namespace spindrift {
namespace {

SideKind side_of(scene::SideKind kind) {
    switch (kind) {
        case scene::SideKind::no_slip: return SideKind::prescribed;
        case scene::SideKind::open: return SideKind::open;
        default: return SideKind::slip;
    }
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

// What a liquid asks of solids, and what pictures of it show.
template <int Dim>
void add_solids(World<Dim>& world, const SolidSet<Dim>& solids) {
    using Place = Vec<double, Dim>;
    using Distance = std::function<double(const Place&)>;
    const auto still_of = [](const SolidSet<Dim>& of) -> Distance {
        if (of.still().parts.empty()) return nullptr;
        return [of](const Place& p) { return signed_distance(of.still(), p); };
    };
    const auto is_shown = [](const Solid<Dim>& s) { return s.visible && (!s.glass || s.pose.moves()); };
    const SolidSet<Dim> shown = those(solids, is_shown);
    world.solid_distance = still_of(solids);
    world.shown_solids = still_of(shown);
    world.hidden_solids = still_of(those(solids, [](const Solid<Dim>& s) { return !s.visible || s.glass; }));
    world.glass_solids = still_of(those(solids, [](const Solid<Dim>& s) { return s.visible && s.glass; }));
    if constexpr (Dim == 3) {
        const auto is_mesh = [&](const Solid<3>& s) { return std::holds_alternative<MeshSolid>(s.part.shape); };
        if (std::any_of(shown.all().begin(), shown.all().end(), is_mesh))
            world.shown_normal = [shown](const Place& p, double t) { return shown.at(t).mesh_normal(p); };
    }

    world.named_solids = named_solids(solids);

    // Which of them slip: all, none, or each as the scene says.
    const auto slips = [](const Solid<Dim>& solid) { return solid.slip; };
    const bool all = std::all_of(solids.all().begin(), solids.all().end(), slips),
               none = std::none_of(solids.all().begin(), solids.all().end(), slips);
    world.solid_slip = all;
    if (!all && !none) world.solid_slips_at = [solids](const Place& p, double t) { return solids.at(t).slips(p); };

    const Box<double, Dim> domain{world.grid.world_from_cell(Place(world.domain.lo)),
                                  world.grid.world_from_cell(Place(world.domain.hi))};
    for (const std::size_t number : solids.movers()) {
        MovingSolid<Dim>& solid = world.moving_solids.emplace_back();
        solid.visible = solids.all()[number].visible;
        solid.distance = [=](const Place& p, double t) { return solids.at(t).distance_to(number, p); };
        solid.velocity = [=](const Place& p, double t) { return solids.at(t).placement(number).velocity_at(p); };
        solid.fastest = [=](double t) { return solids.at(t).fastest(number, domain); };
    }
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
            world.sides[static_cast<std::size_t>(axis)][upper ? 1 : 0] =
                side_of(scene.domain.sides.at(axis, upper).kind);
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

    add_solids(world, scene_solids<Dim>(errors, scene));

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
        const PlacedSource<Dim> placed = placed_source<Dim>(errors, scene, i);
        if (placed.shape.empty()) continue;
        LiquidSource<Dim>& source = world.sources.emplace_back();
        source.distance = [placed](const Vec<double, Dim>& p, double t) { return placed.distance(p, t); };
        source.velocity = [placed](const Vec<double, Dim>& p, double t) { return placed.velocity(p, t); };
        if (placed.moves())
            source.motion = [placed](const Vec<double, Dim>& p, double t) { return placed.motion(p, t); };
        source.start = entry.start;
        if (entry.end) source.end = *entry.end;
    }

    world.forces = scene_forces<Dim>(errors, scene, {world.domain, world.grid});

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

ParticleLevelSetSettings particle_settings(const SceneDescription& scene) {
    return {.sides = particle_sides(scene),
            .per_cell = scene.particles.per_cell,
            .escape_distance = scene.particles.escape_distance,
            .reseed_interval = scene.particles.reseed_interval,
            .seed = scene.seed};
}

LiquidSettings liquid_settings(const SceneDescription& scene) {
    return {.advection = scheme_of(scene.level_set.advection),
            .time_order = scene.level_set.time_order,
            .cfl = scene.time.cfl,
            .volume_control = scene.level_set.volume_control,
            .enclosed_air = scene.level_set.enclosed_air,
            .air_pressure = scene.level_set.air_pressure,
            .pressure_tolerance = scene.level_set.pressure_tolerance,
            .max_pressure_iterations = scene.level_set.max_pressure_iterations,
            .particles = particle_settings(scene),
            .largest_drop = scene.particles.largest_drop};
}

template Result<LiquidScene<2>> liquid_scene(const SceneDescription&);
template Result<LiquidScene<3>> liquid_scene(const SceneDescription&);

}  // namespace spindrift
