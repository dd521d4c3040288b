// SPDX-License-Identifier: Apache-2.0
#include "gas/stable_fluids_1999.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/profile.h"
#include "gas/advance_velocity.h"
#include "gas/sparse_tiles.h"
#include "gas/substances.h"
#include "gas/texture.h"
#include "grid/measure.h"
#include "schemes/solid_forces.h"

namespace spindrift {
namespace {

// Neither has divergence, so it has none.
template <int Dim>
FaceField<Dim> mean(const FaceField<Dim>& a, const FaceField<Dim>& b) {
    FaceField<Dim> between;
    for (int axis = 0; axis < Dim; ++axis) {
        between[axis] = Field<float, Dim>::unfilled(a.tiles_ptr());
        for_each_tile(a.tiles(), [&](Slot slot) {
            const float *x = a[axis].tile(slot), *y = b[axis].tile(slot);
            float* to = between[axis].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) to[n] = 0.5F * (x[n] + y[n]);
        });
    }
    return between;
}

template <int Dim>
std::vector<SolidForce> forces_on_solids(const GasState<Dim>& gas, const GasDomain<Dim>& domain,
                                         const Field<float, Dim>& balance, double dt) {
    const GasWorld<Dim>& world = domain.world;
    const DomainBoundary<Dim>& boundary = domain.boundary;
    if (world.named_solids.names.empty() || !boundary.has_solids()) return {};
    Field<float, Dim> pressure(gas.tiles_ptr());
    const auto scale = static_cast<float>(world.domain.grid.dx / dt);
    for_each_tile(gas.tiles(), [&](Slot slot) {
        const float *bends = gas.pressure.tile(slot), *balances = balance.tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) pressure.tile(slot)[n] = scale * (bends[n] + balances[n]);
    });
    std::vector<SolidForce> forces = solid_forces<Dim>(world.named_solids, gas.velocity, pressure, boundary.level,
                                                       boundary, {world.density, world.viscosity, gas.time});
    for (std::size_t s = 0; s < gas.substances.size(); ++s) {
        const Substance<Dim>& substance = world.substances[s];
        if (substance.at_solids.empty() || !(substance.diffusion > 0)) continue;
        const std::vector<double> fluxes =
            solid_fluxes<Dim>(world.named_solids, gas.substances[s], boundary.level, boundary,
                              substance_walls(substance, gas.time), substance.diffusion);
        for (std::size_t n = 0; n < forces.size(); ++n) forces[n].fluxes.push_back({substance.name, fluxes[n]});
    }
    return forces;
}

}  // namespace

template <int Dim>
struct StableFluids1999<Dim>::Work {
    GasDomain<Dim> domain;
    SolveReport before_step{.converged = true};  // of projections since the last step
};

template <int Dim>
StableFluids1999<Dim>::StableFluids1999(GasWorld<Dim> world, GasSettings settings)
    : work_(new Work{.domain = GasDomain<Dim>(std::move(world), settings)}) {}
template <int Dim>
StableFluids1999<Dim>::~StableFluids1999() = default;
template <int Dim>
StableFluids1999<Dim>::StableFluids1999(StableFluids1999&&) noexcept = default;

template <int Dim>
const GasWorld<Dim>& StableFluids1999<Dim>::world() const {
    return work_->domain.world;
}
template <int Dim>
const GasSettings& StableFluids1999<Dim>::settings() const {
    return work_->domain.settings;
}
template <int Dim>
std::vector<Force<Dim>>& StableFluids1999<Dim>::forces() {
    return work_->domain.world.forces;
}
template <int Dim>
std::vector<GasSource<Dim>>& StableFluids1999<Dim>::sources() {
    return work_->domain.world.sources;
}

template <int Dim>
GasState<Dim> StableFluids1999<Dim>::initial_state() const {
    const GasWorld<Dim>& w = work_->domain.world;
    const GridTransform<Dim>& grid = w.domain.grid;
    const TilesPtr<Dim> tiles = w.domain.all_tiles();
    GasState<Dim> gas;
    gas.velocity = FaceField<Dim>(tiles);
    gas.pressure = Field<float, Dim>(tiles);
    if (w.velocity_at_start)
        for (int axis = 0; axis < Dim; ++axis)
            assign(gas.velocity[axis], [&](const Index<Dim>& cell) {
                return static_cast<float>(w.velocity_at_start(grid.world_of_face(axis, cell))[axis]);
            });
    for (const Substance<Dim>& s : w.substances) {
        Field<float, Dim>& a = gas.substances.emplace_back(tiles, static_cast<float>(s.ambient));
        if (s.at_start)
            assign(a, [&](const Index<Dim>& cell) {
                return static_cast<float>(w.domain.box.contains(cell) ? s.at_start(grid.world_of_centre(cell))
                                                                      : s.ambient);
            });
    }
    if (w.texture_period) gas.texture = texture_at_rest(tiles);
    if (work_->domain.settings.sparse_threshold) refit_to_smoke(gas, w, *work_->domain.settings.sparse_threshold);
    if (w.velocity_at_start) {
        take_out_divergence(gas);
    } else {
        refit_boundary(work_->domain, gas, 0);
        set_wall_velocity(gas.velocity, work_->domain.boundary, 0);
    }
    gas.amounts.resize(gas.substances.size());
    spindrift::recount(gas, work_->domain);
    return gas;
}

template <int Dim>
void StableFluids1999<Dim>::recount(GasState<Dim>& gas) const {
    refit_boundary(work_->domain, gas, gas.time);
    spindrift::recount(gas, work_->domain);
}

template <int Dim>
void StableFluids1999<Dim>::take_out_divergence(GasState<Dim>& gas) const {
    refit_boundary(work_->domain, gas, gas.time);
    set_wall_velocity(gas.velocity, work_->domain.boundary, gas.time);
    Field<float, Dim> taken_out(gas.tiles_ptr());
    const DomainProjectionReport projected =
        work_->domain.projection.project(gas.velocity, taken_out, work_->domain.boundary, nullptr,
                                         work_->domain.settings.solver, work_->domain.settings.pressure_tolerance);
    merge(work_->before_step, projected.solve);
}

template <int Dim>
double StableFluids1999<Dim>::stable_dt(const GasState<Dim>& gas) const {
    if (!work_->domain.settings.cfl) return std::numeric_limits<double>::infinity();
    double fastest = 0;
    for (int a = 0; a < Dim; ++a) fastest = std::max(fastest, double{max_abs(gas.velocity[a])});
    return *work_->domain.settings.cfl * work_->domain.world.domain.grid.dx / fastest;
}

template <int Dim>
StepReport StableFluids1999<Dim>::step(GasState<Dim>& gas, double dt) {
    GasDomain<Dim>& domain = work_->domain;
    StepReport report{.dt = dt};
    const SolveReport before_step = std::exchange(work_->before_step, {.converged = true});
    if (!before_step.converged) merge(report.pressure, before_step);
    {
        const ProfileScope scope("tiles");
        const TilesPtr<Dim> before = gas.tiles_ptr();
        if (domain.settings.sparse_threshold) refit_to_smoke(gas, domain.world, *domain.settings.sparse_threshold);
        refit_boundary(domain, gas, gas.time);
        // What was left in tiles that have gone has left.
        if (gas.tiles_ptr() != before) spindrift::recount(gas, domain);
    }

    Field<float, Dim> balance;
    // [Stam99] §3.1: the velocity first, then all that it advects.
    if (domain.settings.splitting == Splitting::first_order) {
        balance = advance_velocity(gas, domain, dt, report);
        advance_substances(gas, domain, gas.velocity, gas.time + dt, dt, report);
    } else {
        const FaceField<Dim> before = gas.velocity;
        balance = advance_velocity_second_order(gas, before, domain, dt, report);
        advance_substances(gas, domain, mean(before, gas.velocity), gas.time + 0.5 * dt, dt, report);
    }

    gas.time += dt;
    ++gas.step;
    report.solids = forces_on_solids(gas, domain, balance, dt);
    report.tiles = gas.tiles().count();
    for (int a = 0; a < Dim; ++a) report.max_speed = std::max(report.max_speed, double{max_abs(gas.velocity[a])});
    report.failure = failure_of(report);
    if (report.failure.empty() &&
        !std::ranges::all_of(gas.amounts, [](const AmountLedger& a) { return std::isfinite(a.found); }))
        report.failure = "a substance is not finite";
    return report;
}

template class StableFluids1999<2>;
template class StableFluids1999<3>;

}  // namespace spindrift
