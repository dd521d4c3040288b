// SPDX-License-Identifier: Apache-2.0
#include "liquid/particle_level_set_2002.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/profile.h"
#include "grid/activation.h"
#include "grid/collocate.h"
#include "grid/refit.h"
#include "liquid/speeds.h"
#include "liquid/volume_control.h"
#include "schemes/extrapolation.h"
#include "schemes/projection.h"
#include "schemes/viscosity.h"
#include "surface/curvature.h"
#include "surface/level_set.h"

namespace spindrift {
namespace {

// Sub-steps of the surface stay below this many cells, summed over the axes: the limit of the scheme is one.
constexpr double kSurfaceCfl = 0.9;
// Steps of the particles: the rule of third order follows curved paths well up to here, in cells, as well as two steps
// of the midpoint rule, with three velocities instead of four and one change of tiles instead of two.
constexpr double kParticleCfl = 5;
// Cells that a solid may move in a step.
constexpr double kSolidCfl = 2;
// Cells that interpolation and the surface's stencil reach beyond where a step goes.
constexpr int kStencilReach = 3;

// Says so if not: nothing may be carried to nowhere.
template <int Dim>
bool is_finite(const FaceField<Dim>& velocity, StepReport& report) {
    if (std::isfinite(largest_component(velocity))) return true;
    report.failure = "a velocity is not finite";
    return false;
}

// Takes out the particles for which unwanted(position in m, signed radius) holds.
template <int Dim, class F>
void remove_particles(ParticleSet<Dim>& particles, const GridTransform<Dim>& grid, F&& unwanted) {
    if (particles.count() == 0) return;
    for_each_bin(particles, [&](Slot slot) {
        const Vec<double, Dim> corner(particles.tiles->origin(slot));
        for (std::size_t n = particles.begin(slot); n < particles.end(slot); ++n) {
            const Vec<double, Dim> p = grid.world_from_cell(corner + Vec<double, Dim>(particles.place(n)));
            if (unwanted(p, particles.radius[n])) particles.radius[n] = 0;
        }
    });
    rebin(particles, particles.tiles);
}

}  // namespace

template <int Dim>
struct ParticleLevelSet2002<Dim>::Work {
    World<Dim> world;
    LiquidSettings settings;
    LevelSetGrid<Dim> grid;
    Boundaries<Dim> boundaries;
    PoissonSolver<Dim> solver;

    // Layers of velocity beyond the surface: as far as a step can reach.
    int reach() const { return static_cast<int>(std::ceil(settings.cfl)) + kStencilReach; }
    double cell_volume() const { return std::pow(world.grid.dx, Dim); }
    const Field<float, Dim>* room() const { return boundaries.has_solids() ? &boundaries.room : nullptr; }
    double volume(const Field<float, Dim>& phi) const { return liquid_cells(phi, grid, room()) * cell_volume(); }

    void refit_to(LiquidState<Dim>& liquid, const TilesPtr<Dim>& tiles);
    void refit_boundaries(const LiquidState<Dim>& liquid, double time) {
        if (world.solid_slips_at)
            boundaries.solid_slips_at = [this, time](const Vec<double, Dim>& p) {
                return world.solid_slips_at(p, time);
            };
        refit(boundaries, liquid.phi.tiles_ptr(), moving_parts(world, time), time);
    }
    std::vector<const LiquidSource<Dim>*> sources_on(double time) const {
        std::vector<const LiquidSource<Dim>*> on;
        for (const LiquidSource<Dim>& source : world.sources)
            if (source.is_on(time)) on.push_back(&source);
        return on;
    }
    void pour(LiquidState<Dim>& liquid);
    void fill_sources(LiquidState<Dim>& liquid, double time);
    void drain_sinks(LiquidState<Dim>& liquid);
    int advance_surface(Field<float, Dim>& phi, const FaceField<Dim>& velocity, double dt);
    void advance_particles(LiquidState<Dim>& liquid, const FaceField<Dim>& velocity, double dt);
    void mend_surface(LiquidState<Dim>& liquid, double dt);
    void throw_spray(LiquidState<Dim>& liquid, std::vector<Particle<Dim>> lost);
    bool has_particles() const { return settings.particles.sides != ParticleSides::none; }
    void refit_tiles(LiquidState<Dim>& liquid);

    void drift(LiquidState<Dim>& liquid, double dt, StepReport& report);
    void kick(LiquidState<Dim>& liquid, double dt, StepReport& report);
    void part_from_solids(LiquidState<Dim>& liquid, const CellSet<Dim>& let_go);
    double volume_source(LiquidState<Dim>& liquid, double dt, StepReport& report) const;
    std::optional<Field<float, Dim>> fly_spray(LiquidState<Dim>& liquid, double dt, StepReport& report);
    std::optional<Field<float, Dim>> surface_pressure(const Field<float, Dim>& phi) const;
};

template <int Dim>
ParticleLevelSet2002<Dim>::ParticleLevelSet2002(World<Dim> world, LiquidSettings settings)
    : work_(std::make_unique<Work>()) {
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
ParticleLevelSet2002<Dim>::~ParticleLevelSet2002() = default;
template <int Dim>
ParticleLevelSet2002<Dim>::ParticleLevelSet2002(ParticleLevelSet2002&&) noexcept = default;
template <int Dim>
const World<Dim>& ParticleLevelSet2002<Dim>::world() const {
    return work_->world;
}

template <int Dim>
LiquidState<Dim> ParticleLevelSet2002<Dim>::initial_state(
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
    liquid.particles = ParticleSet<Dim>(tiles);
    work_->refit_boundaries(liquid, 0);
    redistance(liquid.phi, work_->grid);
    work_->refit_tiles(liquid);
    stop_at_walls(liquid.velocity, work_->boundaries);
    if (work_->has_particles()) reseed(liquid.particles, liquid.phi, work_->grid, work_->settings.particles, 0);
    liquid.ledger.initial = work_->volume(liquid.phi);
    return liquid;
}

template <int Dim>
double ParticleLevelSet2002<Dim>::stable_dt(const LiquidState<Dim>& liquid) const {
    const World<Dim>& w = work_->world;
    // Liquid gets to know of a solid that comes down on it a step late.
    double speed = largest_speed(liquid.velocity, liquid.phi);
    for (const MovingSolid<Dim>& solid : w.moving_solids)
        speed = std::max(speed, work_->settings.cfl / kSolidCfl * solid.fastest(liquid.time));
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
int ParticleLevelSet2002<Dim>::Work::advance_surface(Field<float, Dim>& phi, const FaceField<Dim>& velocity,
                                                     double dt) {
    const VectorField<Dim> centred = collocated(velocity);
    const auto band = static_cast<float>(grid.band * grid.dx);
    const double fastest = largest_axis_sum(centred, phi, band);
    const int steps = std::max(1, static_cast<int>(std::ceil(fastest * dt / (kSurfaceCfl * grid.dx))));
    advect_level_set(phi, centred, dt / steps, grid, steps);
    return steps;
}

template <int Dim>
void ParticleLevelSet2002<Dim>::Work::refit_to(LiquidState<Dim>& liquid, const TilesPtr<Dim>& tiles) {
    refit(liquid.phi, tiles);
    refit(liquid.velocity, tiles);
    refit(liquid.pressure, tiles);
    if (has_particles()) throw_spray(liquid, rebin(liquid.particles, tiles));
    refit_boundaries(liquid, liquid.time);
}

template <int Dim>
void ParticleLevelSet2002<Dim>::Work::refit_tiles(LiquidState<Dim>& liquid) {
    refit_to(liquid, tiles_for(liquid.phi, grid));
}

// Fills the sources that are on at this time.
template <int Dim>
void ParticleLevelSet2002<Dim>::Work::fill_sources(LiquidState<Dim>& liquid, double time) {
    for (const LiquidSource<Dim>* source : sources_on(time)) {
        fill_source(liquid.phi, *source, time, world.grid, grid);
        remove_particles(liquid.particles, world.grid, [&](const Vec<double, Dim>& p, float radius) {
            return radius > 0 && source->distance(p, time) < 0;
        });
    }
}

// Gives the sources that are on the tiles they need, their liquid and its velocity.  What leaves them is entered in the
// ledger as it flows; what fills them at first, here.
template <int Dim>
void ParticleLevelSet2002<Dim>::Work::pour(LiquidState<Dim>& liquid) {
    const ProfileScope scope("sources");
    const double last_time = std::exchange(liquid.ledger.poured_until, liquid.time);
    const auto sources = sources_on(liquid.time);
    if (sources.empty()) return;
    bool first = false;
    for (const LiquidSource<Dim>* source : sources) {
        first |= !source->is_on(last_time);
        refit_to(liquid, unite(liquid.phi.tiles_ptr(),
                               tiles_of(*source, liquid.time, world.grid, grid, world.box, world.period)));
    }
    const double before = first ? volume(liquid.phi) : 0;
    fill_sources(liquid, liquid.time);
    if (first) liquid.ledger.flowed_in += volume(liquid.phi) - before;
    for (const LiquidSource<Dim>* source : sources)
        set_velocity_in(*source, liquid.velocity, liquid.time, world.grid, grid);
    stop_at_walls(liquid.velocity, boundaries);
    redistance(liquid.phi, grid);
    if (!has_particles()) return;
    correct_level_set(liquid.phi, liquid.particles, grid, settings.particles);
    settle(liquid.particles, liquid.phi, grid);
    // The surface that leaves them takes its particles with it, and needs others.
    const auto near_source = [&](Slot slot) {
        return std::any_of(sources.begin(), sources.end(), [&](const LiquidSource<Dim>* source) {
            return is_near(*source, liquid.tiles(), slot, liquid.time, world.grid, grid);
        });
    };
    reseed(liquid.particles, liquid.phi, grid, settings.particles, ~static_cast<std::uint32_t>(liquid.step),
           near_source);
}

// Empties the sinks, and enters what they took in the ledger.
template <int Dim>
void ParticleLevelSet2002<Dim>::Work::drain_sinks(LiquidState<Dim>& liquid) {
    if (world.sinks.empty()) return;
    liquid.ledger.flowed_out += volume(liquid.phi);
    for (const LiquidSink<Dim>& sink : world.sinks) {
        drain(liquid.phi, sink, world.grid, grid);
        remove_particles(liquid.particles, world.grid,
                         [&](const Vec<double, Dim>& p, float radius) { return radius < 0 && sink.distance(p) < 0; });
    }
    liquid.ledger.flowed_out -= volume(liquid.phi);
}

// σκ/ρ where there is surface tension.
template <int Dim>
std::optional<Field<float, Dim>> ParticleLevelSet2002<Dim>::Work::surface_pressure(const Field<float, Dim>& phi) const {
    if (!(world.surface_tension > 0)) return std::nullopt;
    Field<float, Dim> pressure = curvature(phi, grid);
    transform_values(pressure,
                     [k = static_cast<float>(world.surface_tension / world.density)](float v) { return k * v; });
    return pressure;
}

// Particles go with the flow, in fewer steps than φ.
template <int Dim>
void ParticleLevelSet2002<Dim>::Work::advance_particles(LiquidState<Dim>& liquid, const FaceField<Dim>& velocity,
                                                        double dt) {
    // Air squeezed out of gaps may be faster than the liquid, but has no volume to be kept.
    const double fastest = largest_speed(velocity, liquid.phi);
    const int steps = std::max(1, static_cast<int>(std::ceil(fastest * dt / (kParticleCfl * grid.dx))));
    Enclosure<Dim> around{.box = grid.box};
    // In solids they go on as φ does there.
    std::vector<Particle<Dim>> lost;
    for (int n = 0; n < steps; ++n) {
        move_particles(liquid.particles, velocity, dt / steps, grid.dx, around, PathRule::third_order);
        const std::vector<Particle<Dim>> beyond = rebin(liquid.particles, liquid.phi.tiles_ptr());
        lost.insert(lost.end(), beyond.begin(), beyond.end());
    }
    throw_spray(liquid, std::move(lost));
}

// φ from the particles that know better, before and after it is made a distance again.  [EMF02] §3.2
template <int Dim>
void ParticleLevelSet2002<Dim>::Work::mend_surface(LiquidState<Dim>& liquid, double dt) {
    if (has_particles()) correct_level_set(liquid.phi, liquid.particles, grid, settings.particles);
    drain_sinks(liquid);
    redistance(liquid.phi, grid);
    if (!has_particles()) return;
    correct_level_set(liquid.phi, liquid.particles, grid, settings.particles);
    throw_spray(liquid, settle(liquid.particles, liquid.phi, grid, settings.escaped));
    const auto seedings = [&](double time) { return std::floor(time / settings.reseed_interval + 1e-6); };
    if (seedings(liquid.time) > seedings(liquid.time - dt))
        reseed(liquid.particles, liquid.phi, grid, settings.particles, static_cast<std::uint32_t>(liquid.step + 1));
}

// Particles that the surface has left behind become drops, which together weigh what it has lost.
template <int Dim>
void ParticleLevelSet2002<Dim>::Work::throw_spray(LiquidState<Dim>& liquid, std::vector<Particle<Dim>> lost) {
    std::erase_if(lost, [](const Particle<Dim>& p) { return !(p.radius < 0); });
    if (lost.empty()) return;
    const double missing = liquid.ledger.expected() - volume(liquid.phi) - volume_of(liquid.spray);
    throw_drops(liquid.spray, lost, liquid.velocity, world.grid, missing);
}

// Drops in flight; returns by how much the cells swell that they land in.
template <int Dim>
std::optional<Field<float, Dim>> ParticleLevelSet2002<Dim>::Work::fly_spray(LiquidState<Dim>& liquid, double dt,
                                                                            StepReport& report) {
    if (liquid.spray.empty()) return std::nullopt;
    SprayWorld<Dim> around{.grid = world.grid,
                           .box = grid.box,
                           .phi = &liquid.phi,
                           .solid = nullptr,
                           .gravity = world.gravity(liquid.time),
                           .sinks = {}};
    if (boundaries.has_solids()) around.solid = &boundaries.solid;
    for (const LiquidSink<Dim>& sink : world.sinks) around.sinks.push_back(sink.distance);
    Field<float, Dim> swelling(liquid.phi.tiles_ptr());
    const FlightReport flight = fly(liquid.spray, swelling, liquid.velocity, dt, around);
    liquid.ledger.flowed_out += flight.flowed_out;
    report.spray_volume = volume_of(liquid.spray) + flight.landed;
    if (flight.landed == 0) return std::nullopt;
    return swelling;
}

// Measures the volume; returns the divergence that takes its error off, 1/s.
template <int Dim>
double ParticleLevelSet2002<Dim>::Work::volume_source(LiquidState<Dim>& liquid, double dt, StepReport& report) const {
    const ProfileScope scope("volume");
    const double expected = liquid.ledger.expected();
    report.volume = volume(liquid.phi) + report.spray_volume;
    report.volume_error = expected > 0 ? (report.volume - expected) / expected : 0;
    return settings.volume_control ? controlling_divergence(report.volume_error, dt) : 0;
}

// Moves the surface.
template <int Dim>
void ParticleLevelSet2002<Dim>::Work::drift(LiquidState<Dim>& liquid, double dt, StepReport& report) {
    // Velocity beyond the surface, as far as this step looks.  [EMF02] §3.3  What carries the surface is free of
    // divergence there; what liquid that gets there has for momentum is not: air pressed out of a gap is faster than
    // anything that presses it.
    FaceField<Dim> carrying;
    {
        const ProfileScope scope("extrapolation");
        extrapolate(liquid.velocity, liquid.phi, boundaries, reach());
        carrying = liquid.velocity;
        report.air = project_air(carrying, liquid.phi, boundaries, box_between_outlets(world), dt, solver);
        for (FaceField<Dim>* velocity : {&carrying, &liquid.velocity}) {
            blow(*velocity, liquid.phi, world.winds, world.grid, liquid.time, reach());
            lead_out(*velocity, world);
        }
    }
    if (!is_finite(carrying, report)) return;
    for (const LiquidSource<Dim>* source : sources_on(liquid.time))
        liquid.ledger.flowed_in += dt * let_out(*source, liquid.phi, liquid.time, world.grid, grid, room());

    // The surface in small steps, its particles in longer ones; what they know of it is put right.  [EMF02] §3.4
    {
        const ProfileScope scope("surface");
        report.surface_steps = advance_surface(liquid.phi, carrying, dt);
    }
    if (has_particles()) {
        const ProfileScope scope("particles");
        advance_particles(liquid, carrying, dt);
    }
    {
        const ProfileScope scope("mending");
        fill_sources(liquid, liquid.time);  // what has left them
        liquid.time += dt;
        refit_boundaries(liquid, liquid.time);
        mend_surface(liquid, dt);
    }
    const ProfileScope scope("volume");
    if (settings.volume_control)
        restore_volume(liquid.phi, carrying, dt, (liquid.ledger.expected() - volume_of(liquid.spray)) / cell_volume(),
                       grid, room());
}

// Where liquid has let go of a solid the surface ends at its side, and particles of liquid inside it mean nothing.
template <int Dim>
void ParticleLevelSet2002<Dim>::Work::part_from_solids(LiquidState<Dim>& liquid, const CellSet<Dim>& let_go) {
    if (let_go.empty()) return;
    let_air_in(liquid.phi, let_go, boundaries, reach());
    remove_particles(liquid.particles, world.grid, [&](const Vec<double, Dim>& p, float radius) {
        const Vec<double, Dim> at = world.grid.cell_from_world(p);
        const Index<Dim> cell = map([](double x) { return static_cast<int>(std::floor(x)); }, at);
        return radius < 0 && boundaries.solid.at(cell) < 0 && liquid.phi.at(cell) > 0;
    });
}

// Changes the velocity: ∂u/∂t = −(u·∇)u + ν∇²u + g − ∇p/ρ,  ∇·u = 0.  [FF01] §6–9
template <int Dim>
void ParticleLevelSet2002<Dim>::Work::kick(LiquidState<Dim>& liquid, double dt, StepReport& report) {
    {
        const ProfileScope scope("advection");
        advect(liquid.velocity, liquid.phi, boundaries, dt, settings.advection);
    }
    {
        const ProfileScope scope("tiles");
        refit_tiles(liquid);
    }
    // Before the forces: friction at walls must not act on a fall that the pressure will stop.
    {
        const ProfileScope scope("viscosity");
        stop_at_walls(liquid.velocity, boundaries);
        report.viscosity = diffuse(liquid.velocity, liquid.phi, boundaries, world.viscosity / world.density, dt);
    }
    {
        const ProfileScope scope("forces");
        const Vec<double, Dim> gravity = world.gravity(liquid.time);
        for (int axis = 0; axis < Dim; ++axis)
            transform_values(liquid.velocity[axis],
                             [pull = static_cast<float>(gravity[axis] * dt)](float u) { return u + pull; });
        stop_at_walls(liquid.velocity, boundaries);
    }
    const std::optional<Field<float, Dim>> swelling = fly_spray(liquid, dt, report);
    const double source = volume_source(liquid, dt, report);
    const ProfileScope scope("pressure");
    const std::optional<Field<float, Dim>> tension = surface_pressure(liquid.phi);
    CellSet<Dim> let_go;
    const ProjectionReport projected = project(liquid.velocity, liquid.pressure, liquid.phi, boundaries, dt,
                                               {.tolerance = settings.pressure_tolerance,
                                                .max_iterations = settings.max_pressure_iterations,
                                                .source = source,
                                                .surface_pressure = tension ? &*tension : nullptr,
                                                .swelling = swelling ? &*swelling : nullptr,
                                                .let_go = &let_go},
                                               solver);
    part_from_solids(liquid, let_go);
    report.pressure = projected.solve;
    report.divergence = projected.divergence;
    report.cells = projected.cells;
    report.overflowed = liquid.ledger.overflowed += dt * projected.overflow;
}

template <int Dim>
StepReport ParticleLevelSet2002<Dim>::step(LiquidState<Dim>& liquid, double dt) {
    Work& w = *work_;
    StepReport report{.dt = dt};
    w.refit_boundaries(liquid, liquid.time);
    w.pour(liquid);
    if (!is_finite(liquid.velocity, report)) return report;
    if (liquid.step == 0) {
        extrapolate(liquid.velocity, liquid.phi, w.boundaries, w.reach());
        w.kick(liquid, dt / 2, report);
    }
    w.drift(liquid, dt, report);
    if (!report.failure.empty()) return report;
    w.kick(liquid, dt, report);

    ++liquid.step;
    report.tiles = liquid.tiles().count();
    report.particles = liquid.particles.count();
    report.drops = liquid.spray.size();
    report.max_speed = largest_speed(liquid.velocity, liquid.phi);
    if (!report.pressure.failure.empty())
        report.failure = "pressure: " + report.pressure.failure;
    else if (!report.air.failure.empty())
        report.failure = "pressure beyond the surface: " + report.air.failure;
    else if (!report.pressure.converged)
        report.failure = "the pressure solve did not converge";
    else if (!report.viscosity.converged)
        report.failure = "the viscosity solve did not converge";
    else if (!std::isfinite(report.max_speed))
        report.failure = "a velocity is not finite";
    return report;
}

template class ParticleLevelSet2002<2>;
template class ParticleLevelSet2002<3>;

}  // namespace spindrift
