// SPDX-License-Identifier: Apache-2.0
#include "liquid/level_set_liquid.h"

#include <cmath>
#include <limits>

#include "base/profile.h"
#include "grid/activation.h"
#include "grid/collocate.h"
#include "grid/measure.h"
#include "grid/refit.h"
#include "schemes/extrapolation.h"
#include "schemes/projection.h"
#include "schemes/viscosity.h"
#include "surface/level_set.h"

namespace spindrift {
namespace {

// Sub-steps of the surface stay below this many cells, summed over the axes: the limit of the scheme is one.
constexpr double kSurfaceCfl = 0.9;
// Cells that interpolation and the surface's stencil reach beyond where a step goes.
constexpr int kStencilReach = 3;
// Volume control takes off the error with this time constant, s: slower than waves, faster than scenes.
constexpr double kVolumeControlTime = 0.1;

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
    void pour(LiquidState<Dim>& liquid);
    int advance_surface(Field<float, Dim>& phi, const FaceField<Dim>& velocity, double dt);
    void refit_tiles(LiquidState<Dim>& liquid);
};

template <int Dim>
LevelSetLiquid<Dim>::LevelSetLiquid(World<Dim> world, LevelSetSettings settings) : work_(std::make_unique<Work>()) {
    work_->world = std::move(world);
    work_->settings = settings;
    const World<Dim>& w = work_->world;
    work_->grid = {w.grid.dx, w.box, work_->reach() + 2};
    work_->boundaries.box = w.box;
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
    const TilesPtr<Dim> all = Tiles<Dim>::covering(w.box);
    const double half_diagonal = 0.5 * kTileSide * std::sqrt(double{Dim}) * w.grid.dx;
    for (std::size_t n = 0; n < all->count(); ++n) {
        const Vec<double, Dim> centre = w.grid.world_from_cell(Vec<double, Dim>(all->origin(static_cast<Slot>(n))) +
                                                               Vec<double, Dim>(0.5 * kTileSide));
        if (distance(centre) < band + half_diagonal) wanted.push_back(all->coordinate(static_cast<Slot>(n)));
    }
    const TilesPtr<Dim> tiles = Tiles<Dim>::from_coordinates(std::move(wanted));

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
    refit(work_->boundaries, tiles);
    redistance(liquid.phi, work_->grid);
    work_->refit_tiles(liquid);
    stop_at_walls(liquid.velocity, work_->boundaries);
    liquid.ledger.initial = work_->volume(liquid.phi);
    return liquid;
}

template <int Dim>
double LevelSetLiquid<Dim>::stable_dt(const LiquidState<Dim>& liquid) const {
    const World<Dim>& w = work_->world;
    // Gravity adds to the speed during the step itself: v dt + g dt² = cfl dx.
    const double speed = largest_speed(liquid.velocity, liquid.phi), pull = length(w.gravity(liquid.time));
    const double distance = work_->settings.cfl * w.grid.dx;
    const double sum = speed + std::sqrt(speed * speed + 4 * pull * distance);
    return sum > 0 ? 2 * distance / sum : std::numeric_limits<double>::infinity();
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
    refit(boundaries, tiles);
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
        refit_to(liquid, unite(liquid.phi.tiles_ptr(), tiles_of(source, world.grid, grid)));
        fill_source(liquid, source, world.grid, grid);
    }
    if (!any) return;
    stop_at_walls(liquid.velocity, boundaries);
    redistance(liquid.phi, grid);
    liquid.ledger.flowed_in += volume(liquid.phi);
}

template <int Dim>
StepReport LevelSetLiquid<Dim>::step(LiquidState<Dim>& liquid, double dt) {
    Work& w = *work_;
    StepReport report{.dt = dt};
    refit(w.boundaries, liquid.phi.tiles_ptr());
    w.pour(liquid);

    // Velocity beyond the surface, as far as this step looks.  [EMF02] §3.3
    {
        const ProfileScope scope("extrapolation");
        extrapolate(liquid.velocity, liquid.phi, w.boundaries, w.reach());
    }

    // The surface, in small steps, then a distance again, on the tiles it needs now.  [FF01] §5
    {
        const ProfileScope scope("surface");
        report.surface_steps = w.advance_surface(liquid.phi, liquid.velocity, dt);
        redistance(liquid.phi, w.grid);
    }

    // ∂u/∂t = −(u·∇)u + ν∇²u + g − ∇p/ρ,  ∇·u = 0.  [FF01] §6–9
    {
        const ProfileScope scope("advection");
        advect(liquid.velocity, liquid.phi, w.boundaries, dt, w.settings.advection);
    }
    w.refit_tiles(liquid);
    const Vec<double, Dim> gravity = w.world.gravity(liquid.time);
    for (int axis = 0; axis < Dim; ++axis)
        transform_values(liquid.velocity[axis],
                         [pull = static_cast<float>(gravity[axis] * dt)](float u) { return u + pull; });
    stop_at_walls(liquid.velocity, w.boundaries);
    {
        const ProfileScope scope("viscosity");
        report.viscosity = diffuse(liquid.velocity, liquid.phi, w.boundaries, w.world.viscosity / w.world.density, dt);
    }
    const double volume = w.volume(liquid.phi), expected = liquid.ledger.expected();
    const double error = expected > 0 ? (volume - expected) / expected : 0;
    const double source = w.settings.volume_control ? -error / kVolumeControlTime : 0;
    {
        const ProfileScope scope("pressure");
        const ProjectionReport projected = project(liquid.velocity, liquid.pressure, liquid.phi, w.boundaries, dt,
                                                   w.settings.pressure_tolerance, source, w.solver);
        report.pressure = projected.solve;
        report.divergence = projected.divergence;
        report.cells = projected.cells;
    }

    liquid.time += dt;
    ++liquid.step;
    report.tiles = liquid.tiles().count();
    report.volume = volume;
    report.volume_error = error;
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
