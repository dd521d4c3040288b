// SPDX-License-Identifier: Apache-2.0
#include "gas/advance_velocity.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/profile.h"
#include "gas/forces.h"
#include "gas/substances.h"
#include "schemes/divergence.h"

namespace spindrift {
namespace {

// What should flow out of each cell through the centres of its faces: what swells, less what flows through cut faces
// off their centres.
template <int Dim>
std::optional<Field<float, Dim>> wanted_outflow(const GasState<Dim>& gas, const GasDomain<Dim>& domain) {
    const DomainBoundary<Dim>& boundary = domain.boundary;
    std::optional<Field<float, Dim>> wanted = wanted_divergence(gas, domain.world);
    if (wanted) {
        const auto dx = static_cast<float>(domain.world.domain.grid.dx);
        for_each_tile(gas.tiles(), [&](Slot slot) {
            const float* level = boundary.level.tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) wanted->tile(slot)[n] *= level[n] < 0 ? dx : 0.0F;
        });
    }
    if (boundary.cut.empty()) return wanted;
    if (!wanted) wanted.emplace(gas.tiles_ptr());
    allow_for_cut_faces(*wanted, gas.velocity, boundary.level, boundary.wall_velocity, boundary.cut);
    return wanted;
}

// Whether anything changes the velocity in a step of dt that begins now, but for the gas itself.
template <int Dim>
bool is_pushed(const GasState<Dim>& gas, const GasDomain<Dim>& domain, double dt) {
    const GasWorld<Dim>& world = domain.world;
    const auto rises = [](const Substance<Dim>& s) { return s.buoyancy != 0; };
    const auto acts = [&](const Force<Dim>& f) { return f.acts({gas.time, gas.time + dt}); };
    const auto drives = [&](const GasSource<Dim>& s) { return s.velocity && s.is_on(gas.time); };
    return domain.settings.vorticity != 0 || std::ranges::any_of(world.substances, rises) ||
           std::ranges::any_of(world.forces, acts) || std::ranges::any_of(world.sources, drives);
}

template <int Dim>
void project(GasState<Dim>& gas, Field<float, Dim>& q, GasDomain<Dim>& domain, double time,
             const Field<float, Dim>* wanted, StepReport& report) {
    const ProfileScope scope("pressure");
    const GasSettings& settings = domain.settings;
    const DomainProjectionReport projected = domain.projection.project(gas.velocity, q, domain.boundary, wanted,
                                                                       settings.solver, settings.pressure_tolerance);
    set_wall_velocity(gas.velocity, domain.boundary, time);
    merge(report.pressure, projected.solve);
    report.divergence = projected.divergence;
    report.cells = projected.cells;
    report.direct = projected.direct;
}

// Forces, without the part that is a gradient: pressure balances that part at once, so that it moves nothing.  Left
// to the projection at the end of the step, it would first move whatever the step advects.  Returns the pressure that
// does so, as GasState::pressure.
template <int Dim>
Field<float, Dim> push(GasState<Dim>& gas, GasDomain<Dim>& domain, double dt, StepReport& report) {
    DomainBoundary<Dim>& boundary = domain.boundary;
    const bool pushed = is_pushed(gas, domain, dt);
    // What has flowed out so far is what was wanted; past cut faces, what the last projection left off their centres.
    std::optional<Field<float, Dim>> wanted;
    {
        const ProfileScope scope("forces");
        if (pushed && !boundary.cut.empty())
            wanted = outflow<Dim>(gas.velocity, boundary.level, boundary, boundary.plain);
        add_sources(gas, domain.world, boundary, dt);
        add_forces(gas.velocity, gas, domain.world, dt);
        confine_vorticity(gas.velocity, boundary, gas.time, domain.settings.vorticity, dt);
        set_wall_velocity(gas.velocity, boundary, gas.time);
    }
    Field<float, Dim> balance(gas.tiles_ptr());
    if (!pushed) return balance;
    if (!wanted) wanted = wanted_outflow(gas, domain);
    project(gas, balance, domain, gas.time, wanted ? &*wanted : nullptr, report);
    return balance;
}

}  // namespace

template <int Dim>
Field<float, Dim> advance_velocity(GasState<Dim>& gas, GasDomain<Dim>& domain, double dt, StepReport& report) {
    const GasWorld<Dim>& world = domain.world;
    const GasSettings& settings = domain.settings;
    DomainBoundary<Dim>& boundary = domain.boundary;
    const Domain<Dim>& box = world.domain;
    const double after = gas.time + dt;
    FaceField<Dim>& w = gas.velocity;
    Field<float, Dim> balance = push(gas, domain, dt, report);
    {
        const ProfileScope scope("advection");
        w = advected<Dim>(w, advected_velocity_layouts(box, gas.time), {w, box, gas.time}, dt,
                          {settings.trace_rule, settings.scheme});
        move_solids(domain, gas, after);
        set_wall_velocity(w, boundary, after);
    }
    {
        const ProfileScope scope("diffusion");
        for (int a = 0; a < Dim; ++a)
            merge(report.viscosity, diffuse(w[a], velocity_layout(box, a, after), boundary, {.slip = world.solids.slip},
                                            world.viscosity, dt, domain.solver));
    }
    const auto wanted = wanted_outflow(gas, domain);
    project(gas, gas.pressure, domain, after, wanted ? &*wanted : nullptr, report);
    gas.pressure_dt = dt;
    return balance;
}

template <int Dim>
Field<float, Dim> advance_velocity_second_order(GasState<Dim>& gas, const FaceField<Dim>& before,
                                                GasDomain<Dim>& domain, double dt, StepReport& report) {
    const GasWorld<Dim>& world = domain.world;
    const GasSettings& settings = domain.settings;
    DomainBoundary<Dim>& boundary = domain.boundary;
    const Domain<Dim>& box = world.domain;
    const double after = gas.time + dt, theta = implicit_part<Dim>(world.viscosity, dt, box.grid.dx);
    const double same_pressure = gas.pressure_dt > 0 ? dt / gas.pressure_dt : 0;
    const bool slip = world.solids.slip;
    // What forces change in the step, and half of that for the velocity in its middle.
    const bool pushed = is_pushed(gas, domain, dt);
    Field<float, Dim> balance = push(gas, domain, dt, report);
    FaceField<Dim> push_of_step = std::exchange(gas.velocity, before);
    FaceField<Dim>& w = gas.velocity;
    if (pushed) add_scaled(push_of_step, before, -1);
    {
        const ProfileScope scope("diffusion");
        for (int a = 0; a < Dim; ++a)
            add_diffusion(w[a], velocity_layout(box, a, gas.time), boundary, {.slip = slip}, world.viscosity,
                          (1 - theta) * dt);
        subtract_gradient<Dim>(w, gas.pressure, boundary.level, boundary.open,
                               {.part = static_cast<float>((1 - theta) * same_pressure), .plain = boundary.plain});
        if (pushed) add_scaled(w, push_of_step, 0.5);
        set_wall_velocity(w, boundary, gas.time);
        for (int a = 0; a < Dim; ++a) follow_walls(w[a], velocity_layout(box, a, gas.time), boundary, {.slip = slip});
    }
    {
        const ProfileScope scope("advection");
        // The advecting velocity is that in the middle of the step; first order in dt is enough for that.  Beyond open
        // sides it is as on them: the still air that comes in has been drawn up to that speed by then.  At rest
        // there, it would advect nothing in after a long step, and the gas on the side would go on as fast as it is,
        // or faster, with nothing to slow it down.
        const double middle = gas.time + 0.5 * dt;
        const AdvectionSettings<Dim> half_way{
            settings.trace_rule == TraceRule::midpoint ? TraceRule::first_order : settings.trace_rule,
            settings.scheme == AdvectionScheme::cubic ? AdvectionScheme::cubic : AdvectionScheme::semi_lagrangian};
        FaceField<Dim> advecting =
            advected<Dim>(w, velocity_layouts(box, gas.time), {before, box, gas.time}, 0.5 * dt, half_way);
        set_wall_velocity(advecting, boundary, middle);
        if (pushed) add_scaled(w, push_of_step, 0.5);
        w = advected<Dim>(w, advected_velocity_layouts(box, middle), {advecting, box, middle}, dt,
                          {settings.trace_rule, settings.scheme});
        move_solids(domain, gas, after);
        set_wall_velocity(w, boundary, after);
    }
    {
        const ProfileScope scope("diffusion");
        subtract_gradient<Dim>(w, gas.pressure, boundary.level, boundary.open,
                               {.part = static_cast<float>(theta * same_pressure), .plain = boundary.plain});
        for (int a = 0; a < Dim; ++a)
            merge(report.viscosity, diffuse(w[a], velocity_layout(box, a, after), boundary, {.slip = slip},
                                            world.viscosity, theta * dt, domain.solver));
    }
    Field<float, Dim> change(gas.tiles_ptr());
    const auto wanted = wanted_outflow(gas, domain);
    project(gas, change, domain, after, wanted ? &*wanted : nullptr, report);
    const auto same = static_cast<float>(same_pressure);
    for_each_tile(gas.tiles(), [&](Slot slot) {
        float* p = gas.pressure.tile(slot);
        const float* more = change.tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) p[n] = same * p[n] + more[n];
    });
    gas.pressure_dt = dt;
    extrapolate_into_slivers(gas.pressure, boundary);
    // Cells that a solid leaves begin with the pressure beside them: from none at all, the next step would push the gas
    // there to and fro, and the solid's friction take some of that up.
    if (world.solids_move) extrapolate_into_solids(gas.pressure, boundary);
    return balance;
}

#define INSTANTIATE(Dim)                                                                                             \
    template Field<float, Dim> advance_velocity(GasState<Dim>&, GasDomain<Dim>&, double, StepReport&);               \
    template Field<float, Dim> advance_velocity_second_order(GasState<Dim>&, const FaceField<Dim>&, GasDomain<Dim>&, \
                                                             double, StepReport&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
