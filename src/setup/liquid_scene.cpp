// SPDX-License-Identifier: Apache-2.0
#include "setup/liquid_scene.h"

#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "scene/methods.h"
#include "setup/field_function.h"
#include "setup/scene_controls.h"
#include "setup/scene_domain.h"
#include "setup/scene_forces.h"
#include "setup/scene_shapes.h"
#include "setup/scene_solids.h"
#include "setup/scene_sources.h"
#include "surface/hybrid_surface.h"

namespace spindrift {
namespace {

// The box, and what lets liquid in and out through its sides.
template <int Dim>
void add_domain(World<Dim>& world, const SceneDescription& scene) {
    const Domain<Dim> domain = scene_domain<Dim>(scene);
    world.grid = domain.grid;
    world.domain = world.box = domain.box;
    world.period = domain.period();
    for (int axis = 0; axis < Dim; ++axis)
        for (const bool upper : {false, true}) {
            const DomainSide<Dim>& side = domain.side(axis, upper);
            SideKind& kind = world.sides[static_cast<std::size_t>(axis)][upper ? 1 : 0];
            kind = side.kind;
            if (kind == SideKind::open) open_side(world, axis, upper);
            if (!side.velocity) continue;
            // A source beyond the side; where that ends the liquid slips.
            kind = SideKind::slip;
            std::function<double(double)> level;
            if (const auto& given = scene.domain.sides.at(axis, upper).level)
                level = [value = *given](double t) { return value.at(t); };
            let_in<Dim>(world, axis, upper, side.velocity, std::move(level), up_axis(scene));
            world.sources.back().component = component_number(scene, scene.domain.sides.at(axis, upper).component);
        }
}

// What a liquid asks of solids.
template <int Dim>
void add_solids(World<Dim>& world, const SolidSet<Dim>& solids) {
    using Place = Vec<double, Dim>;
    if (!solids.still().parts.empty())
        world.solid_distance = [solids](const Place& p) { return signed_distance(solids.still(), p); };
    world.named_solids = named_solids(solids);

    const SlipOfSolids<Dim> slip = slip_of(solids);
    world.solid_slip = slip.all;
    world.solid_slips_at = slip.at;

    const Box<double, Dim> domain{world.grid.world_from_cell(Place(world.domain.lo)),
                                  world.grid.world_from_cell(Place(world.domain.hi))};
    for (const std::size_t number : solids.movers()) {
        MovingSolid<Dim>& solid = world.moving_solids.emplace_back();
        solid.distance = [=](const Place& p, double t) { return solids.at(t).distance_to(number, p); };
        solid.velocity = [=](const Place& p, double t) { return solids.at(t).placement(number).velocity_at(p); };
        solid.fastest = [=](double t) { return solids.at(t).fastest(number, domain); };
    }
}

// Each entry by itself, for the velocity it starts with and what it consists of.
template <int Dim>
struct Mover {
    ShapeSet<Dim> shape;
    FieldVector velocity;
    std::size_t component = 0;
};

// The last entry that holds the place decides; outside all of them the nearest one.
template <int Dim>
const Mover<Dim>* mover_at(const std::vector<Mover<Dim>>& movers, const Vec<double, Dim>& place) {
    const Mover<Dim>* best = nullptr;
    double nearest = std::numeric_limits<double>::infinity();
    for (const Mover<Dim>& mover : movers) {
        const double distance = std::max(0.0, signed_distance(mover.shape, place));
        if (distance > nearest) continue;
        nearest = distance;
        best = &mover;
    }
    return best;
}

template <int Dim>
Vec<double, Dim> velocity_at(const std::vector<Mover<Dim>>& movers, const Vec<double, Dim>& place) {
    const Mover<Dim>* mover = mover_at(movers, place);
    return mover == nullptr ? Vec<double, Dim>() : components<Dim>(mover->velocity.at(in_space(place), 0));
}

template <int Dim>
std::vector<double> parts_at(const std::vector<Mover<Dim>>& movers, std::size_t count, const Vec<double, Dim>& place) {
    std::vector<double> parts(count, 0.0);
    if (const Mover<Dim>* mover = mover_at(movers, place); mover != nullptr && mover->component > 0)
        parts[mover->component - 1] = 1;
    return parts;
}

}  // namespace

template <int Dim>
Result<LiquidScene<Dim>> liquid_scene(const SceneDescription& scene) {
    Errors errors;

    LiquidScene<Dim> out;
    World<Dim>& world = out.world;
    add_domain(world, scene);
    world.density = scene.fluid.density;
    world.viscosity = scene.fluid.viscosity;
    world.surface_tension = scene.fluid.surface_tension;
    world.gravity = [scene](double t) { return components<Dim>(gravity_at(scene, t)); };

    const SolidSet<Dim> solids = scene_solids<Dim>(errors, scene);
    add_solids(world, solids);
    out.shown = shown_solids(scene, solids);

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
        mover.component = component_number(scene, entry.component);
    }

    for (std::size_t i = 0; i < scene.source.size(); ++i) {
        LiquidSource<Dim>& source = world.sources.emplace_back(LiquidSource<Dim>{scene_source<Dim>(errors, scene, i)});
        source.component = component_number(scene, scene.source[i].component);
    }
    if (!scene.component.empty()) {
        world.components.push_back({std::string(kFirstComponent), world.density, world.viscosity});
        for (const scene::Component& component : scene.component)
            world.components.push_back({component.name, component.density.value_or(world.density),
                                        component.viscosity.value_or(world.viscosity)});
    }
    world.forces = scene_forces<Dim>(errors, scene, scene_domain<Dim>(scene));

    world.controls = scene_controls<Dim>(errors, scene);
    world.attractions = scene_attractions<Dim>(errors, scene, world.grid, world.box);

    // What blows.
    for (const scene::Wind& entry : scene.wind) {
        Wind<Dim>& wind = world.winds.emplace_back();
        wind.strength = field_function<Dim>(entry.strength);
        wind.velocity = field_function<Dim>(entry.velocity);
        if (!entry.min) continue;
        const Box<double, Dim> box{components<Dim>(*entry.min), components<Dim>(*entry.max)};
        wind.region = [box](const Vec<double, Dim>& p) { return signed_distance<Dim>(Shape<Dim>(box), p); };
    }

    out.distance = [liquid](const Vec<double, Dim>& p) { return signed_distance(*liquid, p); };
    out.parts = [movers, count = scene.component.size()](const Vec<double, Dim>& p) {
        return parts_at(*movers, count, p);
    };
    out.velocity = [movers](const Vec<double, Dim>& p) { return velocity_at(*movers, p); };
    if (!errors.empty()) return errors;
    return out;
}

bool throws_spray(const SceneDescription& scene) {
    if (scene::uses(scene.method, "foster-metaxas")) return true;  // the markers that φ leaves out
    return particle_sides(scene) != ParticleSides::none && !scene.flow.velocity;
}

ParticleSides particle_sides(const SceneDescription& scene) {
    switch (scene::particle_sides(scene)) {
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
    const ParticleLevelSetSettings settings{.sides = particle_sides(scene),
                                            .per_cell = scene.particles.per_cell,
                                            .escape_distance = scene.particles.escape_distance,
                                            .reseed_interval = scene.particles.reseed_interval,
                                            .seed = scene.seed};
    return scene.method == scene::Method::foster_fedkiw_2001 ? hybrid_surface(settings, scene.foster_fedkiw.curvature)
                                                             : settings;
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
