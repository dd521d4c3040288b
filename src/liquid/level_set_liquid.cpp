// SPDX-License-Identifier: Apache-2.0
#include "liquid/level_set_liquid.h"

#include <cmath>
#include <limits>
#include <optional>

#include "base/profile.h"
#include "grid/activation.h"
#include "grid/collocate.h"
#include "grid/measure.h"
#include "grid/refit.h"
#include "schemes/extrapolation.h"
#include "schemes/projection.h"
#include "schemes/viscosity.h"
#include "surface/curvature.h"
#include "surface/level_set.h"

namespace spindrift {
namespace {

// Sub-steps of the surface stay below this many cells, summed over the axes: the limit of the scheme is one.
constexpr double kSurfaceCfl = 0.9;
// Cells that interpolation and the surface's stencil reach beyond where a step goes.
constexpr int kStencilReach = 3;
// Volume control takes off the error with this time constant, s, or in two steps if they are longer.
constexpr double kVolumeControlTime = 0.01;
// Volume control changes the volume by no more than this part in a step.
constexpr double kMostControl = 0.05;

// Σ|u| over the axes, the largest at a cell within the band: what limits a step of the surface.
template <int Dim>
double largest_axis_sum(const VectorField<Dim>& velocity, const Field<float, Dim>& phi, float reach) {
    return parallel_max(phi.tiles().count(), kTilesPerBlock<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        float most = 0;
        for (std::size_t n = begin; n < end; ++n) {
            const auto slot = static_cast<Slot>(n);
            for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
                if (!(std::abs(phi.tile(slot)[cell]) < reach)) continue;
                float sum = 0;
                for (int axis = 0; axis < Dim; ++axis) sum += std::abs(velocity[axis].tile(slot)[cell]);
                most = std::max(most, sum);
            }
        }
        return static_cast<double>(most);
    });
}

// The fastest liquid cell, by the velocity at its centre.
template <int Dim>
double largest_speed(const FaceField<Dim>& velocity, const Field<float, Dim>& phi) {
    const VectorField<Dim> centred = collocated(velocity);
    return parallel_max(phi.tiles().count(), kTilesPerBlock<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        double most = 0;
        for (std::size_t n = begin; n < end; ++n) {
            const auto slot = static_cast<Slot>(n);
            for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
                if (!(phi.tile(slot)[cell] < 0)) continue;
                double sum = 0;
                for (int axis = 0; axis < Dim; ++axis) {
                    const double u = centred[axis].tile(slot)[cell];
                    sum += u * u;
                }
                if (!(sum <= most)) most = sum;
            }
        }
        return std::sqrt(most);
    });
}

}  // namespace

template <int Dim>
struct LevelSetLiquid<Dim>::Work {
    World<Dim> world;
    LevelSetSettings settings;
    LevelSetGrid<Dim> grid;
    Boundaries<Dim> boundaries;
    PoissonSolver<Dim> solver;

    // Layers of velocity beyond the surface: as far as a step can reach.
    int reach() const { return static_cast<int>(std::ceil(settings.cfl)) + kStencilReach; }
    double cell_volume() const { return std::pow(world.grid.dx, Dim); }
    double volume(const Field<float, Dim>& phi) const {
        return liquid_cells(phi, grid, boundaries.has_solids() ? &boundaries.room : nullptr) * cell_volume();
    }

    void refit_to(LiquidState<Dim>& liquid, const TilesPtr<Dim>& tiles);
    void refit_boundaries(const LiquidState<Dim>& liquid, double time) {
        refit(boundaries, liquid.phi.tiles_ptr(), moving_parts(world, time), time);
    }
    void pour(LiquidState<Dim>& liquid);
    void drain_sinks(LiquidState<Dim>& liquid);
    int advance_surface(Field<float, Dim>& phi, const FaceField<Dim>& velocity, double dt);
    void refit_tiles(LiquidState<Dim>& liquid);

    void drift(LiquidState<Dim>& liquid, double dt, StepReport& report);
    void kick(LiquidState<Dim>& liquid, double dt, StepReport& report);
    double volume_source(LiquidState<Dim>& liquid, double dt, StepReport& report) const;
    std::optional<Field<float, Dim>> surface_pressure(const Field<float, Dim>& phi) const;
};

template <int Dim>
LevelSetLiquid<Dim>::LevelSetLiquid(World<Dim> world, LevelSetSettings settings) : work_(std::make_unique<Work>()) {
    work_->world = std::move(world);
    work_->settings = settings;
    const World<Dim>& w = work_->world;
    work_->grid = {w.grid.dx, walled_box(w), work_->reach() + 2};
    work_->boundaries.box = work_->grid.box;
    work_->boundaries.walls = w.walls;
    work_->boundaries.grid = w.grid;
    work_->boundaries.solid_distance = w.solid_distance;
    work_->boundaries.solid_slip = w.solid_slip;
}
template <int Dim>
LevelSetLiquid<Dim>::~LevelSetLiquid() = default;
template <int Dim>
LevelSetLiquid<Dim>::LevelSetLiquid(LevelSetLiquid&&) noexcept = default;
template <int Dim>
const World<Dim>& LevelSetLiquid<Dim>::world() const {
    return work_->world;
}

template <int Dim>
LiquidState<Dim> LevelSetLiquid<Dim>::initial_state(
    const std::function<double(const Vec<double, Dim>&)>& distance,
    const std::function<Vec<double, Dim>(const Vec<double, Dim>&)>& velocity) const {
    const World<Dim>& w = work_->world;
    const double band = work_->grid.band * w.grid.dx;

    // Tiles within the band of the liquid, found by the distance at their centres.
    std::vector<Index<Dim>> wanted;
    const TilesPtr<Dim> all = Tiles<Dim>::covering(w.box, w.period);
    const double half_diagonal = 0.5 * kTileSide * std::sqrt(double{Dim}) * w.grid.dx;
    for (std::size_t n = 0; n < all->count(); ++n) {
        const Vec<double, Dim> centre = w.grid.world_from_cell(Vec<double, Dim>(all->origin(static_cast<Slot>(n))) +
                                                               Vec<double, Dim>(0.5 * kTileSide));
        if (distance(centre) < band + half_diagonal) wanted.push_back(all->coordinate(static_cast<Slot>(n)));
    }
    const TilesPtr<Dim> tiles = Tiles<Dim>::from_coordinates(std::move(wanted), w.period);

    LiquidState<Dim> liquid;
    liquid.phi = Field<float, Dim>::unfilled(tiles, static_cast<float>(band));
    assign(liquid.phi, [&](const Index<Dim>& cell) {
        return static_cast<float>(std::clamp(distance(w.grid.world_of_centre(cell)), -band, band));
    });
    liquid.velocity = FaceField<Dim>(tiles);
    for (int axis = 0; axis < Dim; ++axis)
        assign(liquid.velocity[axis], [&](const Index<Dim>& cell) {
            return static_cast<float>(velocity(w.grid.world_of_face(axis, cell))[axis]);
        });
    liquid.pressure = Field<float, Dim>(tiles);
    work_->refit_boundaries(liquid, 0);
    redistance(liquid.phi, work_->grid);
    work_->refit_tiles(liquid);
    stop_at_walls(liquid.velocity, work_->boundaries);
    liquid.ledger.initial = work_->volume(liquid.phi);
    return liquid;
}

template <int Dim>
double LevelSetLiquid<Dim>::stable_dt(const LiquidState<Dim>& liquid) const {
    const World<Dim>& w = work_->world;
    double speed = largest_speed(liquid.velocity, liquid.phi);
    for (const MovingSolid<Dim>& solid : w.moving_solids) speed = std::max(speed, solid.fastest(liquid.time));
    // Gravity adds to the speed during the step itself: v dt + g dt² = cfl dx.
    const double pull = length(w.gravity(liquid.time)), distance = work_->settings.cfl * w.grid.dx;
    const double sum = speed + std::sqrt(speed * speed + 4 * pull * distance);
    const double dt = sum > 0 ? 2 * distance / sum : std::numeric_limits<double>::infinity();
    // The shortest wave that surface tension drives may not cross a cell.  [Brackbill92]
    const double dx = w.grid.dx;
    const double capillary = w.surface_tension > 0
                                 ? std::sqrt(w.density * dx * dx * dx / (4 * M_PI * w.surface_tension))
                                 : std::numeric_limits<double>::infinity();
    return std::min(dt, capillary);
}

template <int Dim>
int LevelSetLiquid<Dim>::Work::advance_surface(Field<float, Dim>& phi, const FaceField<Dim>& velocity, double dt) {
    const VectorField<Dim> centred = collocated(velocity);
    const auto band = static_cast<float>(grid.band * grid.dx);
    const double fastest = largest_axis_sum(centred, phi, band);
    const int steps = std::max(1, static_cast<int>(std::ceil(fastest * dt / (kSurfaceCfl * grid.dx))));
    for (int n = 0; n < steps; ++n) advect_level_set(phi, centred, dt / steps, grid);
    return steps;
}

template <int Dim>
void LevelSetLiquid<Dim>::Work::refit_to(LiquidState<Dim>& liquid, const TilesPtr<Dim>& tiles) {
    refit(liquid.phi, tiles);
    refit(liquid.velocity, tiles);
    refit(liquid.pressure, tiles);
    refit_boundaries(liquid, liquid.time);
}

template <int Dim>
void LevelSetLiquid<Dim>::Work::refit_tiles(LiquidState<Dim>& liquid) {
    refit_to(liquid, tiles_for(liquid.phi, grid));
}

// Fills the sources that are on, and enters what they gave in the ledger.
template <int Dim>
void LevelSetLiquid<Dim>::Work::pour(LiquidState<Dim>& liquid) {
    bool any = false;
    for (const LiquidSource<Dim>& source : world.sources) {
        if (!source.is_on(liquid.time)) continue;
        if (!any) liquid.ledger.flowed_in -= volume(liquid.phi);
        any = true;
        refit_to(liquid, unite(liquid.phi.tiles_ptr(), tiles_of(source, liquid.time, world.grid, grid,
                                                                *Tiles<Dim>::covering(world.box, world.period))));
        fill_source(liquid, source, world.grid, grid);
    }
    if (!any) return;
    stop_at_walls(liquid.velocity, boundaries);
    redistance(liquid.phi, grid);
    liquid.ledger.flowed_in += volume(liquid.phi);
}

// Empties the sinks, and enters what they took in the ledger.
template <int Dim>
void LevelSetLiquid<Dim>::Work::drain_sinks(LiquidState<Dim>& liquid) {
    if (world.sinks.empty()) return;
    liquid.ledger.flowed_out += volume(liquid.phi);
    for (const LiquidSink<Dim>& sink : world.sinks) drain(liquid.phi, sink, world.grid, grid);
    liquid.ledger.flowed_out -= volume(liquid.phi);
}

// σκ/ρ where there is surface tension.
template <int Dim>
std::optional<Field<float, Dim>> LevelSetLiquid<Dim>::Work::surface_pressure(const Field<float, Dim>& phi) const {
    if (!(world.surface_tension > 0)) return std::nullopt;
    Field<float, Dim> pressure = curvature(phi, grid);
    transform_values(pressure,
                     [k = static_cast<float>(world.surface_tension / world.density)](float v) { return k * v; });
    return pressure;
}

// Measures the volume; returns the divergence that takes its error off, 1/s.  The error of this moment decays in
// kVolumeControlTime; what keeps coming back is learnt.  [Kim07]
template <int Dim>
double LevelSetLiquid<Dim>::Work::volume_source(LiquidState<Dim>& liquid, double dt, StepReport& report) const {
    const double expected = liquid.ledger.expected();
    report.volume = volume(liquid.phi);
    report.volume_error = expected > 0 ? (report.volume - expected) / expected : 0;
    if (!settings.volume_control) return 0;
    const double rate = 1 / std::max(kVolumeControlTime, 1.5 * dt);
    const double most = kMostControl / dt;
    liquid.ledger.control =
        std::clamp(liquid.ledger.control + 0.5 * rate * rate * report.volume_error * dt, -most, most);
    return std::clamp(-rate * report.volume_error - liquid.ledger.control, -most, most);
}

// Moves the surface.
template <int Dim>
void LevelSetLiquid<Dim>::Work::drift(LiquidState<Dim>& liquid, double dt, StepReport& report) {
    // Velocity beyond the surface, as far as this step looks.  [EMF02] §3.3
    {
        const ProfileScope scope("extrapolation");
        extrapolate(liquid.velocity, liquid.phi, boundaries, reach());
        lead_out(liquid.velocity, world);
    }
    liquid.ledger.flowed_in += dt * given_inflow(liquid.phi, boundaries);

    // In small steps, then a distance again.  [FF01] §5
    const ProfileScope scope("surface");
    report.surface_steps = advance_surface(liquid.phi, liquid.velocity, dt);
    drain_sinks(liquid);
    redistance(liquid.phi, grid);
    liquid.time += dt;
}

// Changes the velocity: ∂u/∂t = −(u·∇)u + ν∇²u + g − ∇p/ρ,  ∇·u = 0.  [FF01] §6–9
template <int Dim>
void LevelSetLiquid<Dim>::Work::kick(LiquidState<Dim>& liquid, double dt, StepReport& report) {
    {
        const ProfileScope scope("advection");
        advect(liquid.velocity, liquid.phi, boundaries, dt, settings.advection);
    }
    refit_tiles(liquid);
    const Vec<double, Dim> gravity = world.gravity(liquid.time);
    for (int axis = 0; axis < Dim; ++axis)
        transform_values(liquid.velocity[axis],
                         [pull = static_cast<float>(gravity[axis] * dt)](float u) { return u + pull; });
    stop_at_walls(liquid.velocity, boundaries);
    {
        const ProfileScope scope("viscosity");
        report.viscosity = diffuse(liquid.velocity, liquid.phi, boundaries, world.viscosity / world.density, dt);
    }
    const double source = volume_source(liquid, dt, report);
    const ProfileScope scope("pressure");
    const std::optional<Field<float, Dim>> tension = surface_pressure(liquid.phi);
    const ProjectionReport projected = project(liquid.velocity, liquid.pressure, liquid.phi, boundaries, dt,
                                               {.tolerance = settings.pressure_tolerance,
                                                .max_iterations = settings.max_pressure_iterations,
                                                .source = source,
                                                .surface_pressure = tension ? &*tension : nullptr},
                                               solver);
    report.pressure = projected.solve;
    report.divergence = projected.divergence;
    report.cells = projected.cells;
}

template <int Dim>
StepReport LevelSetLiquid<Dim>::step(LiquidState<Dim>& liquid, double dt) {
    Work& w = *work_;
    StepReport report{.dt = dt};
    w.refit_boundaries(liquid, liquid.time);
    w.pour(liquid);
    if (liquid.step == 0) {
        extrapolate(liquid.velocity, liquid.phi, w.boundaries, w.reach());
        w.kick(liquid, dt / 2, report);
    }
    w.drift(liquid, dt, report);
    w.kick(liquid, dt, report);

    ++liquid.step;
    report.tiles = liquid.tiles().count();
    report.max_speed = largest_speed(liquid.velocity, liquid.phi);
    if (!report.pressure.failure.empty())
        report.failure = "pressure: " + report.pressure.failure;
    else if (!report.pressure.converged)
        report.failure = "the pressure solve did not converge";
    else if (!report.viscosity.converged)
        report.failure = "the viscosity solve did not converge";
    else if (!std::isfinite(report.max_speed))
        report.failure = "a velocity is not finite";
    return report;
}

template class LevelSetLiquid<2>;
template class LevelSetLiquid<3>;

}  // namespace spindrift
