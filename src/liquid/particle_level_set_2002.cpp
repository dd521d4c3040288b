// SPDX-License-Identifier: Apache-2.0
#include "liquid/particle_level_set_2002.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/profile.h"
#include "grid/activation.h"
#include "grid/collocate.h"
#include "grid/refit.h"
#include "liquid/bodies.h"
#include "liquid/compressed_air.h"
#include "liquid/initial_surface.h"
#include "liquid/speeds.h"
#include "liquid/surroundings.h"
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
// Until φ is a distance where the initial shape is not: as deep as redistancing is accurate.
constexpr int kInitialRedistances = 3;
// Where water closes in on a gap within a step, all of it must leave at once through what little is open, faster than
// the grid can show.  What is more than this many times as fast after the pressure as anything before it is slowed
// down.
constexpr double kMostSpeedup = 4;

// Says so if not: nothing may be carried to nowhere.
template <int Dim>
bool is_finite(const FaceField<Dim>& velocity, StepReport& report) {
    if (std::isfinite(largest_component(velocity))) return true;
    report.failure = "a velocity is not finite";
    return false;
}

}  // namespace

template <int Dim>
struct ParticleLevelSet2002<Dim>::Work : Surroundings<Dim> {
    using Base = Surroundings<Dim>;
    using Base::Base;
    using Base::body_volumes, Base::cell_volume, Base::has_particles, Base::reach, Base::room, Base::volume;
    using Base::boundaries, Base::grid, Base::settings, Base::world;
    using Base::close_accounts, Base::drain_sinks, Base::enclosed_air, Base::enter_inflow, Base::fill_sources,
        Base::fly_spray, Base::follow_bodies, Base::growth_by_body, Base::part_from_solids, Base::pour,
        Base::refit_boundaries, Base::refit_tiles, Base::swallow_air, Base::throw_spray;
    PoissonSolver<Dim> solver;

    int advance_surface(Field<float, Dim>& phi, const FaceField<Dim>& velocity, double dt);
    std::vector<Particle<Dim>> advance_particles(LiquidState<Dim>& liquid, const FaceField<Dim>& velocity, double dt);
    void mend_surface(LiquidState<Dim>& liquid, std::vector<Particle<Dim>> left_behind, BodyMove<Dim> move);
    void reseed_in_time(LiquidState<Dim>& liquid, double dt) const;
    void restore_volumes(LiquidState<Dim>& liquid, const FaceField<Dim>& velocity, double dt) const;

    bool begin(LiquidState<Dim>& liquid, double dt, StepReport& report);
    void drift(LiquidState<Dim>& liquid, double dt, StepReport& report);
    void kick(LiquidState<Dim>& liquid, double dt, double drift_dt, StepReport& report);
    std::vector<BubbleGas> gas_of(const EnclosedAir& air, const LiquidState<Dim>& liquid, double dt) const;
    void control_volume(Field<float, Dim>& swelling, const LiquidState<Dim>& liquid, double dt,
                        StepReport& report) const;
    std::optional<Field<float, Dim>> surface_pressure(const Field<float, Dim>& phi) const;
};

template <int Dim>
ParticleLevelSet2002<Dim>::ParticleLevelSet2002(World<Dim> world, LiquidSettings settings)
    : work_(std::make_unique<Work>(std::move(world), settings)) {}
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
    const auto free_surface = free_surface_distance(w, distance, solids_at(w, 0));
    std::atomic<bool> has_hidden_faces = false;
    assign(liquid.phi, [&](const Index<Dim>& cell) {
        const Vec<double, Dim> place = w.grid.world_of_centre(cell);
        const double value = free_surface(place);
        if (value < band && value != distance(place)) has_hidden_faces = true;
        return static_cast<float>(std::clamp(value, -band, band));
    });
    liquid.velocity = FaceField<Dim>(tiles);
    for (int axis = 0; axis < Dim; ++axis)
        assign(liquid.velocity[axis], [&](const Index<Dim>& cell) {
            return static_cast<float>(velocity(w.grid.world_of_face(axis, cell))[axis]);
        });
    liquid.pressure = Field<float, Dim>(tiles);
    liquid.particles = ParticleSet<Dim>(tiles);
    work_->refit_boundaries(liquid, 0);
    const double too_thin = take_out_thin_liquid(liquid.phi, work_->grid, work_->room()) * work_->cell_volume();
    // Beside faces of the shape that are no surface the distance has to be found first: two cells at a time.
    if (has_hidden_faces) bound_slopes(liquid.phi, work_->grid);
    for (int n = has_hidden_faces ? kInitialRedistances : 1; n > 0; --n) redistance(liquid.phi, work_->grid);
    work_->refit_tiles(liquid);
    stop_at_walls(liquid.velocity, work_->boundaries);
    if (work_->has_particles()) reseed(liquid.particles, liquid.phi, work_->grid, work_->settings.particles, 0);
    liquid.ledger.initial = work_->volume(liquid.phi) + too_thin;
    liquid.bodies.labels = found_bodies(liquid.phi, work_->boundaries, work_->grid);
    liquid.bodies.expected = work_->body_volumes(liquid);
    liquid.bodies.lost = std::exchange(liquid.bodies.expected[0], 0.0) + too_thin;
    return liquid;
}

template <int Dim>
StepLimit ParticleLevelSet2002<Dim>::step_limit(const LiquidState<Dim>& liquid) const {
    const World<Dim>& w = work_->world;
    struct Speed {
        double value;
        std::string_view cause;
    };
    // Liquid gets to know of a solid that comes down on it a step late.
    const Speed speeds[] = {
        {largest_speed(liquid.velocity, liquid.phi), "the speed of the liquid"},
        {work_->fastest_source(liquid.time), "the speed of a source"},
        {work_->settings.cfl / kSolidCfl * w.fastest_solid(liquid.time), "the speed of a moving solid"}};
    Speed fastest = speeds[0];
    for (const Speed& speed : speeds)
        if (speed.value > fastest.value) fastest = speed;
    // Gravity adds to the speed during the step itself: v dt + g dt² = cfl dx.
    const double pull = length(w.gravity(liquid.time)), distance = work_->settings.cfl * w.grid.dx;
    const double fall = 4 * pull * distance, sum = fastest.value + std::sqrt(fastest.value * fastest.value + fall);
    const double dx = w.grid.dx;
    StepLimit limit{kLongestStep, "what changes in time by itself"};
    const auto shorten = [&](double dt, std::string_view cause) {
        if (dt < limit.dt) limit = {dt, cause};
    };
    if (sum > 0) shorten(2 * distance / sum, fall > fastest.value * fastest.value ? "gravity" : fastest.cause);
    // The shortest wave of the grid, two cells long, has ω² = πg/dx; leaping over each other, surface and velocity
    // follow waves up to ω dt = 2.
    if (pull > 0) shorten(std::sqrt(dx / pull), "gravity (the shortest waves, at this cell size)");
    shorten(capillary_dt(w.density, w.surface_tension, dx), "surface tension (capillary waves, at this cell size)");
    return limit;
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

// σκ/ρ where there is surface tension.
template <int Dim>
std::optional<Field<float, Dim>> ParticleLevelSet2002<Dim>::Work::surface_pressure(const Field<float, Dim>& phi) const {
    if (!(world.surface_tension > 0)) return std::nullopt;
    Field<float, Dim> pressure = curvature(phi, grid);
    transform_values(pressure,
                     [k = static_cast<float>(world.surface_tension / world.density)](float v) { return k * v; });
    return pressure;
}

// Particles go with the flow, in fewer steps than φ.  Returns those that the tiles have left behind.
template <int Dim>
std::vector<Particle<Dim>> ParticleLevelSet2002<Dim>::Work::advance_particles(LiquidState<Dim>& liquid,
                                                                              const FaceField<Dim>& velocity,
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
    return lost;
}

// φ from the particles that know better, before and after it is made a distance again.  [EMF02] §3.2
template <int Dim>
void ParticleLevelSet2002<Dim>::Work::mend_surface(LiquidState<Dim>& liquid, std::vector<Particle<Dim>> left_behind,
                                                   BodyMove<Dim> move) {
    if (has_particles()) correct_level_set(liquid.phi, liquid.particles, grid, settings.particles);
    drain_sinks(liquid, move);
    redistance(liquid.phi, grid);
    if (has_particles()) {
        correct_level_set(liquid.phi, liquid.particles, grid, settings.particles);
        const std::vector<Particle<Dim>> escaped = settle(liquid.particles, liquid.phi, grid, settings.escaped);
        left_behind.insert(left_behind.end(), escaped.begin(), escaped.end());
    }
    // Who has lost or gained what.
    BodyChange<Dim> change{std::move(move)};
    follow_bodies(liquid, change);
    swallow_air(liquid, left_behind);
    throw_spray(liquid, std::move(left_behind), &change);
    close_accounts(liquid, change.match);
}

// Fills up cells with too few particles when it is time, at the end of a step of dt.
template <int Dim>
void ParticleLevelSet2002<Dim>::Work::reseed_in_time(LiquidState<Dim>& liquid, double dt) const {
    if (!has_particles()) return;
    const auto seedings = [&](double time) { return std::floor(time / settings.reseed_interval + 1e-6); };
    if (seedings(liquid.time) > seedings(liquid.time - dt))
        reseed(liquid.particles, liquid.phi, grid, settings.particles, static_cast<std::uint32_t>(liquid.step + 1));
}

// Moves the surface of each body to where it holds what it should.
template <int Dim>
void ParticleLevelSet2002<Dim>::Work::restore_volumes(LiquidState<Dim>& liquid, const FaceField<Dim>& velocity,
                                                      double dt) const {
    const ProfileScope scope("volume");
    std::vector<double> wanted = liquid.bodies.expected;
    const std::vector<double> to_come = volume_to_come(liquid.swallowed, liquid.bodies.labels);
    for (std::size_t b = 0; b < wanted.size(); ++b) wanted[b] = (wanted[b] - to_come[b]) / cell_volume();
    restore_volume(liquid.phi, velocity, dt, wanted, grid, room(), liquid.bodies.labels);
}

// Measures the volume; adds to `swelling` what takes the error of each body off.
template <int Dim>
void ParticleLevelSet2002<Dim>::Work::control_volume(Field<float, Dim>& swelling, const LiquidState<Dim>& liquid,
                                                     double dt, StepReport& report) const {
    const ProfileScope scope("volume");
    const LiquidBodies<Dim>& bodies = liquid.bodies;
    const std::vector<double> volumes = body_volumes(liquid), growth = growth_by_body(swelling, bodies.labels),
                              to_come = volume_to_come(liquid.swallowed, bodies.labels);
    const double expected = liquid.ledger.expected();
    report.volume = report.spray_volume;
    for (const double held : volumes) report.volume += held;
    report.volume_error = expected > 0 ? (report.volume - expected) / expected : 0;
    report.bodies = bodies.labels.count;
    report.lost = bodies.lost;
    std::vector<double> divergence(volumes.size(), 0.0);
    for (std::size_t b = 1; b < volumes.size(); ++b) {
        const double error = volumes[b] + growth[b] + to_come[b] - bodies.expected[b];
        if (expected > 0) report.largest_body_error = std::max(report.largest_body_error, std::abs(error) / expected);
        // What should not be there at all goes as fast as may be.
        divergence[b] = controlling_divergence(bodies.expected[b] > 0 ? error / bodies.expected[b] : 1.0, dt);
    }
    if (settings.volume_control) add_divergence(swelling, divergence, dt, liquid.phi, room(), bodies.labels);
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
    enter_inflow(liquid, dt);

    // The surface in small steps, its particles in longer ones; what they know of it is put right.  [EMF02] §3.4
    {
        const ProfileScope scope("surface");
        report.surface_steps = advance_surface(liquid.phi, carrying, dt);
    }
    std::vector<Particle<Dim>> left_behind;
    if (has_particles()) {
        const ProfileScope scope("particles");
        left_behind = advance_particles(liquid, carrying, dt);
        advect(liquid.swallowed, carrying, dt, grid.dx);
    }
    {
        const ProfileScope scope("mending");
        fill_sources(liquid, liquid.time);  // what has left them
        liquid.time += dt;
        refit_boundaries(liquid, liquid.time);
        mend_surface(liquid, std::move(left_behind), traced_move(liquid.bodies.labels, liquid.phi, carrying, dt, grid));
    }
    if (settings.volume_control) restore_volumes(liquid, carrying, dt);
}

template <int Dim>
std::vector<BubbleGas> ParticleLevelSet2002<Dim>::Work::gas_of(const EnclosedAir& air, const LiquidState<Dim>& liquid,
                                                               double dt) const {
    if (!std::isfinite(settings.air_pressure)) return {};
    return gas_of_bubbles(air, liquid.air, liquid.pressure, liquid.phi, boundaries,
                          settings.air_pressure / world.density, dt);
}

// Changes the velocity: ∂u/∂t = −(u·∇)u + ν∇²u + g − ∇p/ρ,  ∇·u = 0.  [FF01] §6–9  The surface moves with it for
// drift_dt.
template <int Dim>
void ParticleLevelSet2002<Dim>::Work::kick(LiquidState<Dim>& liquid, double dt, double drift_dt, StepReport& report) {
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
    Field<float, Dim> swelling(liquid.phi.tiles_ptr());
    fly_spray(liquid, swelling, dt, report);
    control_volume(swelling, liquid, dt, report);
    const ProfileScope scope("pressure");
    const std::optional<Field<float, Dim>> tension = surface_pressure(liquid.phi);
    const EnclosedAir air = enclosed_air(liquid.phi);
    const std::vector<BubbleGas> gas = gas_of(air, liquid, drift_dt);
    const double fastest = largest_speed(liquid.velocity, liquid.phi);
    CellSet<Dim> let_go;
    const ProjectionReport projected = project(liquid.velocity, liquid.pressure, liquid.phi, boundaries, dt,
                                               {.tolerance = settings.pressure_tolerance,
                                                .max_iterations = settings.max_pressure_iterations,
                                                .surface_pressure = tension ? &*tension : nullptr,
                                                .swelling = &swelling,
                                                .bubbles = &air.bubbles,
                                                .gas = &gas,
                                                .bodies = &liquid.bodies.labels.field,
                                                .body_count = liquid.bodies.labels.count,
                                                .let_go = &let_go},
                                               solver);
    slow_down(liquid.velocity, std::max(kMostSpeedup * std::max(fastest, world.fastest_solid(liquid.time)),
                                        settings.cfl * grid.dx / dt));
    liquid.air = cells_of_bubbles(air.bubbles, liquid.pressure);
    part_from_solids(liquid, let_go);
    report.pressure = projected.solve;
    report.divergence = projected.divergence;
    report.cells = projected.cells;
    for (std::size_t b = 0; b < projected.overflow.size(); ++b) {
        liquid.ledger.overflowed += dt * projected.overflow[b];
        (b == 0 ? liquid.bodies.lost : liquid.bodies.expected[b]) -= dt * projected.overflow[b];
    }
    report.overflowed = liquid.ledger.overflowed;
}

// What comes before the surface moves.  False when the step cannot be taken.
template <int Dim>
bool ParticleLevelSet2002<Dim>::Work::begin(LiquidState<Dim>& liquid, double dt, StepReport& report) {
    refit_boundaries(liquid, liquid.time);
    pour(liquid);
    if (!is_finite(liquid.velocity, report)) return false;
    if (liquid.step == 0) {
        extrapolate(liquid.velocity, liquid.phi, boundaries, reach());
        kick(liquid, dt / 2, dt, report);
    }
    return true;
}

template <int Dim>
StepReport ParticleLevelSet2002<Dim>::step(LiquidState<Dim>& liquid, double dt) {
    Work& w = *work_;
    StepReport report{.dt = dt};
    if (!w.begin(liquid, dt, report)) return report;
    w.drift(liquid, dt, report);
    if (!report.failure.empty()) return report;
    w.reseed_in_time(liquid, dt);
    w.kick(liquid, dt, dt, report);

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

template <int Dim>
StepReport ParticleLevelSet2002<Dim>::show(LiquidState<Dim>& liquid, double dt) {
    Work& w = *work_;
    StepReport report{.dt = dt};
    if (!w.begin(liquid, dt, report)) return report;
    w.drift(liquid, dt, report);
    Field<float, Dim> swelling(liquid.phi.tiles_ptr());
    w.fly_spray(liquid, swelling, dt, report);
    w.control_volume(swelling, liquid, dt, report);  // measures alone: nothing is projected
    report.overflowed = liquid.ledger.overflowed;
    report.tiles = liquid.tiles().count();
    report.particles = liquid.particles.count();
    report.drops = liquid.spray.size();
    report.max_speed = largest_speed(liquid.velocity, liquid.phi);
    return report;
}

template <int Dim>
StepReport ParticleLevelSet2002<Dim>::measured(const LiquidState<Dim>& liquid) const {
    Work& w = *work_;
    w.refit_boundaries(liquid, liquid.time);
    StepReport report{.spray_volume = volume_of(liquid.spray)};
    Field<float, Dim> swelling(liquid.phi.tiles_ptr());
    w.control_volume(swelling, liquid, kLongestStep, report);  // measures alone
    report.overflowed = liquid.ledger.overflowed;
    report.tiles = liquid.tiles().count();
    report.particles = liquid.particles.count();
    report.drops = liquid.spray.size();
    report.max_speed = largest_speed(liquid.velocity, liquid.phi);
    return report;
}

template class ParticleLevelSet2002<2>;
template class ParticleLevelSet2002<3>;

}  // namespace spindrift
