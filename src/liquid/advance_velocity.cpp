// SPDX-License-Identifier: Apache-2.0
#include "liquid/advance_velocity.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "base/profile.h"
#include "grid/beside.h"
#include "liquid/accounts.h"
#include "liquid/attraction.h"
#include "liquid/compressed_air.h"
#include "liquid/control.h"
#include "liquid/escaped.h"
#include "liquid/mixture.h"
#include "liquid/speeds.h"
#include "liquid/uncovered.h"
#include "liquid/volume_control.h"
#include "schemes/extrapolation.h"
#include "schemes/projection.h"
#include "schemes/solid_forces.h"
#include "schemes/viscosity.h"
#include "schemes/viscous_stress.h"
#include "surface/curvature.h"

namespace spindrift {
namespace {

// Where water closes in on a gap within a step, all of it must leave at once through what little is open, faster than
// the grid can show.  What is more than this many times as fast after the pressure as anything before it is slowed
// down.
constexpr double kMostSpeedup = 4;

// Cells below the surface.  Waves that are too short for the step (of ten cells and less) are not felt deeper than a
// sixth of their length; from kDeep on nothing is left of them.
constexpr float kWavesEnd = 3, kDeep = 6;

template <int Dim>
bool is_accelerated(const LiquidState<Dim>& liquid) {
    return !liquid.acceleration[0].empty();
}

template <int Dim>
void scale(FaceField<Dim>& field, double factor) {
    for (Field<float, Dim>& component : field.component)
        transform_values(component, [k = static_cast<float>(factor)](float v) { return k * v; });
}

// Fields that the same flow takes along share its paths.  Linear interpolation is good enough for velocities that
// advect, and for accelerations.
template <int Dim>
void advect_linearly(std::initializer_list<FaceField<Dim>*> list, const FaceField<Dim>& by,
                     const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt) {
    const Flow<Dim> flow(by, domain.boundaries.domain, stored_velocity_layouts(domain.boundaries.domain, 0));
    const LiquidFaces<Dim> faces{liquid.phi, domain.boundaries.open};
    std::vector<FaceField<Dim>> results(list.size());
    std::vector<AdvectedField<Dim>> fields;
    for (std::size_t axis = 0; axis < Dim; ++axis)
        for (std::size_t n = 0; n < list.size(); ++n) {
            Field<float, Dim>& to = results[n].component[axis];
            to = Field<float, Dim>::unfilled(by.tiles_ptr());
            fields.push_back({&(*(list.begin() + n))->component[axis], &to, &flow.layouts[axis]});
        }
    advect<Dim>(fields, flow, dt, {}, &faces);
    for (std::size_t n = 0; n < list.size(); ++n) **(list.begin() + n) = std::move(results[n]);
}

// What has moved with the flow (`moved`) counts near the surface, what is known in place (`here`) deep inside, where
// flows may be steady but no waves are: in the end `moved` holds both.
template <int Dim>
void join_by_depth(FaceField<Dim>& moved, const FaceField<Dim>& here, const Field<float, Dim>& phi, double dx) {
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* level = phi.tile(slot);
        for (int axis = 0; axis < Dim; ++axis) {
            const TileValues<Dim> below = values_below(phi, slot, axis);
            const float* from = here[axis].tile(slot);
            float* to = moved[axis].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float depth = -0.5F * (level[n] + below[n]) / static_cast<float>(dx);
                const float part = std::clamp((depth - kWavesEnd) / (kDeep - kWavesEnd), 0.0F, 1.0F);
                to[n] += part * (from[n] - to[n]);
            }
        }
    });
}

// Leaves the part of the path's acceleration that the last step knows in liquid.path_acceleration.
template <int Dim>
void advect_velocity(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt) {
    const ProfileScope scope("advection");
    FaceField<Dim>& velocity = liquid.velocity;
    const Boundary<Dim>& boundaries = domain.boundaries;
    if (!is_accelerated(liquid)) return advect(velocity, liquid.phi, boundaries, dt, domain.settings.advection);
    // What advects is the velocity in the middle of the step.
    FaceField<Dim> middle = velocity, upstream = liquid.acceleration, downstream = liquid.path_acceleration;
    add_scaled(middle, liquid.acceleration, 0.5 * dt);
    advect_linearly({&middle, &upstream}, velocity, liquid, domain, 0.5 * dt);
    advect_linearly({&downstream}, velocity, liquid, domain, -0.5 * dt);

    // By how much the acceleration in the middle of paths differs from that where they end, in the last step: the mean
    // of both ways to know it (advance_velocity.h).
    FaceField<Dim> here = std::move(upstream);
    add_scaled(here, liquid.acceleration, -1);
    add_scaled(here, liquid.path_acceleration, 1);
    add_scaled(here, downstream, -1);
    scale(here, 0.5);
    FaceField<Dim> change = here;
    advect_linearly({&change}, middle, liquid, domain, dt);
    join_by_depth(change, here, liquid.phi, domain.grid.dx);
    advect(velocity, middle, liquid.phi, boundaries, dt, domain.settings.advection);
    add_scaled(velocity, change, dt);
    liquid.path_acceleration = std::move(change);
}

template <int Dim>
double kinematic_viscosity(const LiquidDomain<Dim>& domain) {
    double most = domain.world.viscosity;
    for (const LiquidComponent& component : domain.world.components) most = std::max(most, component.viscosity);
    return most / domain.world.density;
}

// Above this ν dt / dx² weight, pressure and friction must balance within a step: see add_viscous_stress below.
constexpr double kThick = 0.05;
template <int Dim>
bool is_thick(const LiquidDomain<Dim>& domain, double dt) {
    return kinematic_viscosity(domain) * dt > kThick * domain.grid.dx * domain.grid.dx;
}

// Of thin liquids, before the forces: friction at walls must not act on a fall that the pressure will stop.
template <int Dim>
void diffuse_velocity(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, const MixedProperties<Dim>& mixed,
                      double dt, StepReport& report) {
    if (is_thick(domain, dt)) return;
    const ProfileScope scope("viscosity");
    stop_at_walls(liquid.velocity, domain.boundaries);
    if (!mixed.viscosity.empty()) {
        merge(report.viscosity, add_viscous_stress(liquid.velocity, liquid.phi, domain.boundaries,
                                                   kinematic_viscosity(domain), dt, {}, mixed.relative()));
        return;
    }
    merge(report.viscosity, diffuse(liquid.velocity, liquid.phi, domain.boundaries, kinematic_viscosity(domain), dt));
}

// Gravity and the forces of the scene, in the middle of the step: to second order where they vary in time.
template <int Dim>
void add_forces(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt) {
    const ProfileScope scope("forces");
    const World<Dim>& world = domain.world;
    FaceField<Dim>& velocity = liquid.velocity;
    const TimeSpan step{liquid.velocity_time, liquid.velocity_time + dt};
    const ForcedFluid<Dim> fluid{.grid = world.grid, .phi = &liquid.phi};
    add_half_of_drag(velocity, world.forces, fluid, step);
    const Vec<double, Dim> gravity = world.gravity(step.middle());
    for (int axis = 0; axis < Dim; ++axis)
        transform_values(velocity[axis], [pull = static_cast<float>(gravity[axis] * dt)](float u) { return u + pull; });
    add_accelerations(velocity, world.forces, fluid, step);
    add_half_of_drag(velocity, world.forces, fluid, step);
    stop_at_walls(velocity, domain.boundaries);
}

// σκ/ρ where there is surface tension.
template <int Dim>
std::optional<Field<float, Dim>> surface_pressure(const Field<float, Dim>& phi, const LiquidDomain<Dim>& domain) {
    const World<Dim>& world = domain.world;
    if (!(world.surface_tension > 0)) return std::nullopt;
    Field<float, Dim> pressure = curvature(phi, domain.grid);
    transform_values(pressure,
                     [k = static_cast<float>(world.surface_tension / world.density)](float v) { return k * v; });
    return pressure;
}

// What the pressure of a step has to meet.
template <int Dim>
struct PressureProblem {
    std::optional<Field<float, Dim>> tension;
    EnclosedAir air;
    std::vector<BubbleGas> gas;
    Field<float, Dim> expansion;  // that is wanted
    const MixedProperties<Dim>& mixed;
};

// `surface_dt` is how long the surface is going to move with the velocity, by which enclosed air is compressed.
template <int Dim>
PressureProblem<Dim> pressure_problem(LiquidState<Dim>& liquid, LiquidDomain<Dim>& domain,
                                      const MixedProperties<Dim>& mixed, double surface_dt) {
    const ProfileScope scope("pressure");
    PressureProblem<Dim> problem{.tension = surface_pressure(liquid.phi, domain),
                                 .air = enclosed_air(liquid.phi, domain),
                                 .gas = {},
                                 .expansion = wanted_expansion(liquid, domain, surface_dt),
                                 .mixed = mixed};
    problem.gas = gas_of_bubbles(problem.air, liquid, domain, surface_dt);
    return problem;
}

// Makes a velocity of the liquid divergence-free, but for the expansion that is wanted; the pressure is the first guess
// and the last.
template <int Dim>
ProjectionReport solve_pressure(FaceField<Dim>& velocity, LiquidState<Dim>& liquid, const PressureProblem<Dim>& problem,
                                const LiquidDomain<Dim>& domain, double dt, CellSet<Dim>& separating,
                                PoissonSolver<Dim>& solver) {
    const ProfileScope scope("pressure");
    return project(velocity, liquid.pressure, liquid.phi, domain.boundaries, dt,
                   {.tolerance = domain.settings.pressure_tolerance,
                    .max_iterations = domain.settings.max_pressure_iterations,
                    .surface_pressure = problem.tension ? &*problem.tension : nullptr,
                    .expansion = &problem.expansion,
                    .bubbles = &problem.air.bubbles,
                    .gas = &problem.gas,
                    .bodies = &liquid.bodies.labels.field,
                    .body_count = liquid.bodies.labels.count,
                    .lightness = problem.mixed.weight(),
                    .separating = &separating},
                   solver);
}

// Of thick liquids, after the forces: where weight and friction balance, one without the other is far too much.
// Friction acts on the velocity that the pressure would leave, w = P u: in liquid at rest there is none.  What it does,
// S w − w, is then a force as others are, and the pressure that follows is that of all of them, P (u + S w − w) = P S
// w.
template <int Dim>
void add_friction(LiquidState<Dim>& liquid, const PressureProblem<Dim>& problem, const LiquidDomain<Dim>& domain,
                  double dt, PoissonSolver<Dim>& solver, StepReport& report) {
    if (!is_thick(domain, dt)) return;
    FaceField<Dim> free = liquid.velocity;
    CellSet<Dim> separating;
    merge(report.pressure, solve_pressure(free, liquid, problem, domain, dt, separating, solver).solve);
    const ProfileScope scope("viscosity");
    stop_at_walls(free, domain.boundaries);
    FaceField<Dim> slowed = free;
    merge(report.viscosity, add_viscous_stress(slowed, liquid.phi, domain.boundaries, kinematic_viscosity(domain), dt,
                                               {}, problem.mixed.relative()));
    add_scaled(liquid.velocity, slowed, 1);
    add_scaled(liquid.velocity, free, -1);
}

// ½ ρ ∫ u·v
template <int Dim>
double energy(const FaceField<Dim>& u, const FaceField<Dim>& v, const LiquidState<Dim>& liquid,
              const LiquidDomain<Dim>& domain) {
    return 0.5 * domain.world.density * domain.cell_volume() * wet_product(u, v, liquid.phi, domain.boundaries);
}

// Towards shapes.  Returns the change.
template <int Dim>
FaceField<Dim> add_attraction(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt) {
    const ProfileScope scope("control");
    const World<Dim>& world = domain.world;
    const TimeSpan step{liquid.velocity_time, liquid.velocity_time + dt};
    FaceField<Dim> change =
        attraction(liquid.velocity, liquid.phi, world.attractions, world.gravity(step.middle()), world.grid, step);
    if (change[0].empty()) return change;
    add_scaled(liquid.velocity, change, 1);
    stop_at_walls(liquid.velocity, domain.boundaries);
    return change;
}

// As friction, control acts on the velocity that the pressure would leave.  [FF01] §10
template <int Dim>
ControlledFaces<Dim> add_control(LiquidState<Dim>& liquid, const PressureProblem<Dim>& problem,
                                 const LiquidDomain<Dim>& domain, double dt, PoissonSolver<Dim>& solver,
                                 StepReport& report) {
    const ProfileScope scope("control");
    ControlledFaces<Dim> controlled = controlled_faces(domain.world.controls, liquid.phi, domain.world.grid,
                                                       {liquid.velocity_time, liquid.velocity_time + dt});
    if (controlled.empty()) return controlled;
    FaceField<Dim> free = liquid.velocity;
    CellSet<Dim> separating;
    merge(report.pressure, solve_pressure(free, liquid, problem, domain, dt, separating, solver).solve);
    report.control_energy -= energy(free, free, liquid, domain);
    control(liquid.velocity, free, controlled);
    stop_at_walls(liquid.velocity, domain.boundaries);
    return controlled;
}

template <int Dim>
void project_velocity(LiquidState<Dim>& liquid, const PressureProblem<Dim>& problem, LiquidDomain<Dim>& domain,
                      double dt, PoissonSolver<Dim>& solver, StepReport& report) {
    const ProfileScope scope("pressure");
    const LiquidSettings& settings = domain.settings;
    const double fastest = largest_speed(liquid.velocity, liquid.phi);
    CellSet<Dim> separating;
    const ProjectionReport projected = solve_pressure(liquid.velocity, liquid, problem, domain, dt, separating, solver);
    const double speed_limit = std::max(kMostSpeedup * std::max(fastest, domain.world.fastest_solid(liquid.time)),
                                        settings.cfl * domain.grid.dx / dt);
    report.clamped_faces += limit_speed(liquid.velocity, speed_limit);
    liquid.air = cells_of_bubbles(problem.air.bubbles, liquid.pressure);
    const World<Dim>& world = domain.world;
    report.solids = solid_forces(world.named_solids, liquid.velocity, liquid.pressure, liquid.phi, domain.boundaries,
                                 {world.density, world.viscosity / world.density, liquid.time});
    separate_from_solids(liquid, separating, domain);
    liquid.overflow = projected.overflow;
    merge(report.pressure, projected.solve);
    report.divergence = projected.divergence;
    report.cells = projected.cells;
    report.bubbles = problem.air.bubbles.size();
    report.separating += separating.size();
}

}  // namespace

template <int Dim>
void extrapolate_velocity(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt) {
    const ProfileScope scope("extrapolation");
    // Accelerations are extrapolated as the velocities that they lead to, whose values at the sides of solids are
    // known.
    const FaceField<Dim> before = liquid.velocity;
    extrapolate(liquid.velocity, liquid.phi, domain.boundaries, domain.reach());
    if (!is_accelerated(liquid) || dt == 0) return;
    for (FaceField<Dim>* acceleration : {&liquid.acceleration, &liquid.path_acceleration}) {
        scale(*acceleration, 0.5 * dt);
        add_scaled(*acceleration, before, 1);
        extrapolate(*acceleration, liquid.phi, domain.boundaries, domain.reach());
        add_scaled(*acceleration, liquid.velocity, -1);
        scale(*acceleration, 2 / dt);
    }
}

template <int Dim>
void advance_velocity(LiquidState<Dim>& liquid, LiquidDomain<Dim>& domain, double dt, double surface_dt,
                      PoissonSolver<Dim>& solver, StepReport& report) {
    advect_velocity(liquid, domain, dt);
    refit_tiles(liquid, domain);
    FaceField<Dim> before;
    if (domain.settings.time_order > 1 || !domain.world.attractions.empty()) before = liquid.velocity;
    const MixedProperties<Dim> mixed = mixed_properties(liquid, domain);
    diffuse_velocity(liquid, domain, mixed, dt, report);
    add_forces(liquid, domain, dt);
    const FaceField<Dim> attracted = add_attraction(liquid, domain, dt);
    advance_spray(liquid, domain, dt);
    const PressureProblem<Dim> problem = pressure_problem(liquid, domain, mixed, surface_dt);
    add_friction(liquid, problem, domain, dt, solver, report);
    const ControlledFaces<Dim> controlled = add_control(liquid, problem, domain, dt, solver, report);
    project_velocity(liquid, problem, domain, dt, solver, report);
    if (!controlled.empty()) report.control_energy += energy(liquid.velocity, liquid.velocity, liquid, domain);
    if (!attracted[0].empty())  // half of its work at the velocity before, half at that after
        report.control_energy +=
            energy(attracted, before, liquid, domain) + energy(attracted, liquid.velocity, liquid, domain);
    liquid.velocity_time += dt;
    if (domain.settings.time_order == 1) return;
    scale(before, -1 / dt);
    add_scaled(before, liquid.velocity, 1 / dt);
    liquid.acceleration = std::move(before);
    if (liquid.path_acceleration[0].empty())
        liquid.path_acceleration = liquid.acceleration;
    else
        add_scaled(liquid.path_acceleration, liquid.acceleration, 1);
    for (FaceField<Dim>* field : {&liquid.acceleration, &liquid.path_acceleration}) release(*field, controlled);
}

template <int Dim>
void synchronise_velocity(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain) {
    const double dt = liquid.time - liquid.velocity_time;
    if (dt == 0 || !is_accelerated(liquid)) return;
    advect(liquid.velocity, liquid.phi, domain.boundaries, dt, domain.settings.advection);
    add_scaled(liquid.velocity, liquid.acceleration, dt);
    stop_at_walls(liquid.velocity, domain.boundaries);
    liquid.velocity_time = liquid.time;
}

#define INSTANTIATE(Dim)                                                                                       \
    template void extrapolate_velocity(LiquidState<Dim>&, const LiquidDomain<Dim>&, double);                   \
    template void advance_velocity(LiquidState<Dim>&, LiquidDomain<Dim>&, double, double, PoissonSolver<Dim>&, \
                                   StepReport&);                                                               \
    template void synchronise_velocity(LiquidState<Dim>&, const LiquidDomain<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
