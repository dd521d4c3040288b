// SPDX-License-Identifier: Apache-2.0
#include "schemes/projection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include "grid/beside.h"
#include "grid/measure.h"
#include "grid/refit.h"
#include "grid/regions.h"
#include "schemes/divergence.h"
#include "schemes/medium.h"

namespace spindrift {
namespace {
// The air that a step may reach: as far as the surface goes, and this many cells.
constexpr float kAirMargin = 1;
// Air that is pressed out of a closing gap gets arbitrarily fast.  Nothing of it is to be seen, but the surface would
// have to take as many small steps, and liquid that follows would be as fast: faces of air are slowed down to this
// multiple of the fastest face of the liquid.
constexpr float kMostAirSpeed = 2;
// Cells that separate from solids are found in at most this many solves.
constexpr int kMostRounds = 4;
// They pull when their pressure is below zero by more than this part of the largest: what a solve leaves is no pull.
constexpr float kPull = 1e-3F;
// Where the pressure of the step before is good enough to begin with, as in water that comes to rest, what it lacks
// would be added up step by step and move the water.  Then the residual is made smaller by this factor, down to the
// least.
constexpr double kLeastGain = 0.1, kStillTolerance = 1e-6;
// Its velocity need not be exact: it is an extrapolation.
constexpr double kAirTolerance = 1e-3;

// right += Σ_surface open q_surface / θ.
template <int Dim>
void add_surface_pressure(Field<float, Dim>& right, const SurfacePressure<Dim>& surface, const Field<float, Dim>& phi,
                          const FaceField<Dim>& open_part) {
    if (!surface.given()) return;
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* level = phi.tile(slot);
        if (std::none_of(level, level + kTileCells<Dim>, [](float v) { return v < 0; })) return;
        for (int axis = 0; axis < Dim; ++axis) {
            const TileValues<Dim> below = values_below(phi, slot, axis), above = values_above(phi, slot, axis);
            if (!surface_between(level, below) && !surface_between(level, above)) continue;
            const float* open = open_part[axis].tile(slot);
            const TileValues<Dim> open_above = values_above(open_part[axis], slot, axis);
            const auto pressure = surface.in_tile(slot, axis);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                if (!(level[n] < 0)) continue;
                if (below[n] >= 0) {
                    const float theta = surface_theta(level[n], below[n]);
                    right.tile(slot)[n] += open[n] * pressure.below(n, theta, true) / theta;
                }
                if (above[n] >= 0) {
                    const float theta = surface_theta(level[n], above[n]);
                    right.tile(slot)[n] += open_above[n] * pressure.above(n, theta) / theta;
                }
            }
        }
    });
}

// to += scale · from in liquid cells.
template <int Dim>
void add_scaled(Field<float, Dim>& to, const Field<float, Dim>& from, float scale, const Field<float, Dim>& phi) {
    check_same_tiles("project", "phi", phi.tiles(), "expansion", from.tiles());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        for (int n = 0; n < kTileCells<Dim>; ++n)
            if (phi.tile(slot)[n] < 0) to.tile(slot)[n] += scale * from.tile(slot)[n];
    });
}

// Negative in the air of `box` that the surface may get to within the step, and nowhere else.
template <int Dim>
Field<float, Dim> reached_air(const FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundary<Dim>& b,
                              const IndexBox<Dim>& box, float dt, float dx) {
    Field<float, Dim> level(phi.tiles_ptr(), dx);
    for_each_tile(phi.tiles(), [&](Slot slot) {
        if (std::none_of(phi.tile(slot), phi.tile(slot) + kTileCells<Dim>, [](float v) { return v >= 0; })) return;
        const Index<Dim> origin = phi.tiles().origin(slot);
        std::array<float, kTileCells<Dim>> speed2{};
        for (int axis = 0; axis < Dim; ++axis) {
            const float* u = velocity[axis].tile(slot);
            const TileValues<Dim> above = values_above(velocity[axis], slot, axis);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float centred = 0.5f * (u[n] + above[n]);
                speed2[static_cast<std::size_t>(n)] += centred * centred;
            }
        }
        const float* volume = b.has_solids() ? b.volume.tile(slot) : nullptr;
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const float reach = kAirMargin * dx + dt * std::sqrt(speed2[static_cast<std::size_t>(n)]);
            const float here = phi.tile(slot)[n];
            if (!(here >= 0 && here < reach) || (volume != nullptr && volume[n] == 0)) continue;
            if (box.contains(origin + cell_in_tile<Dim>(n))) level.tile(slot)[n] = -dx;
        }
    });
    return level;
}

// Tiles with cells where the level is below zero, and those at their sides.
template <int Dim>
TilesPtr<Dim> tiles_around_unknowns(const Field<float, Dim>& level) {
    const Tiles<Dim>& tiles = level.tiles();
    std::vector<std::uint8_t> wanted(tiles.count(), 0);
    for (std::size_t n = 0; n < wanted.size(); ++n) {
        const auto slot = static_cast<Slot>(n);
        const float* values = level.tile(slot);
        if (std::none_of(values, values + kTileCells<Dim>, [](float v) { return v < 0; })) continue;
        wanted[n] = 1;
        for (int axis = 0; axis < Dim; ++axis)
            for (const bool above : {false, true})
                if (const Slot beside = tiles.neighbour(slot, side_neighbour<Dim>(axis, above)); beside != kNoTile)
                    wanted[static_cast<std::size_t>(beside)] = 1;
    }
    std::vector<Index<Dim>> coordinates;
    for (std::size_t n = 0; n < wanted.size(); ++n)
        if (wanted[n] != 0) coordinates.push_back(tiles.coordinate(static_cast<Slot>(n)));
    return Tiles<Dim>::from_coordinates(std::move(coordinates), tiles.period());
}

// The open part of faces between cells of air whose velocity is not given.
template <int Dim>
FaceField<Dim> open_in_air(const Field<float, Dim>& phi, const Boundary<Dim>& b) {
    FaceField<Dim> part = b.open;
    for (const GivenFace<Dim>& face : b.given) part[face.axis].tile(face.slot)[face.cell] = 0;
    for (int axis = 0; axis < Dim; ++axis)
        for_each_tile(phi.tiles(), [&](Slot slot) {
            const float* level = phi.tile(slot);
            const TileValues<Dim> below = values_below(phi, slot, axis);
            float* open = part[axis].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) open[n] = (level[n] < 0) | (below[n] < 0) ? 0.0F : open[n];
        });
    return part;
}

// Slows the faces between cells of air down to a multiple of the fastest face of a liquid cell.
template <int Dim>
void slow_air(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const FaceField<Dim>& open_in_air) {
    const auto is_liquid = [](float here, float below) { return (here < 0) | (below < 0); };
    float fastest = 0;
    for (int axis = 0; axis < Dim; ++axis)
        fastest = std::max(
            fastest,
            parallel_max(phi.tiles().count(), kTilesPerBlock<Dim>, 0.0F, [&](std::size_t begin, std::size_t end) {
                float most = 0;
                for (std::size_t tile = begin; tile < end; ++tile) {
                    const auto slot = static_cast<Slot>(tile);
                    const float *level = phi.tile(slot), *u = velocity[axis].tile(slot);
                    const TileValues<Dim> below = values_below(phi, slot, axis);
                    for (int n = 0; n < kTileCells<Dim>; ++n)
                        most = std::max(most, is_liquid(level[n], below[n]) ? std::abs(u[n]) : 0.0F);
                }
                return most;
            }));
    const float limit = kMostAirSpeed * fastest;
    for (int axis = 0; axis < Dim; ++axis)
        for_each_tile(phi.tiles(), [&](Slot slot) {
            const float* open = open_in_air[axis].tile(slot);
            float* u = velocity[axis].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float slowed = std::clamp(u[n], -limit, limit);
                u[n] = open[n] > 0 ? slowed : u[n];
            }
        });
}

// u −= ± q_surface / θ at the faces of bubbles: surface tension.
template <int Dim>
void pull_at_bubbles(FaceField<Dim>& velocity, const Medium<Dim>& medium, const SurfacePressure<Dim>& surface) {
    if (!surface.given()) return;
    for (const BubbleFace& face : medium.bubble_faces()) {
        const float q = surface.in_tile(face.slot, face.axis).below(face.cell, face.theta, face.liquid_above);
        velocity[face.axis].tile(face.slot)[face.cell] += (face.liquid_above ? q : -q) / face.theta;
    }
}

// The rest of u −= (q_i − q_bubble) / θ, after the same without θ.
template <int Dim>
void subtract_gradient_at_bubbles(FaceField<Dim>& velocity, const Field<float, Dim>& q, const Medium<Dim>& medium) {
    for (const BubbleFace& face : medium.bubble_faces()) {
        const Index<Dim> cell = q.tiles().origin(face.slot) + cell_in_tile<Dim>(face.cell);
        const float difference = q.tile(face.slot)[face.cell] - q.at(cell - unit<Dim>(face.axis));
        velocity[face.axis].tile(face.slot)[face.cell] -= (1 / face.theta - 1) * difference;
    }
}

// What a change of the velocity since `before` is where the density varies.
template <int Dim>
void weigh_change(FaceField<Dim>& velocity, const FaceField<Dim>& before, const FaceField<Dim>* lightness) {
    for (int axis = 0; axis < Dim && lightness != nullptr; ++axis)
        for_each_tile(velocity.tiles(), [&](Slot slot) {
            float* u = velocity[axis].tile(slot);
            const float *old = before[axis].tile(slot), *part = (*lightness)[axis].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) u[n] = old[n] + part[n] * (u[n] - old[n]);
        });
}

// Open parts as the pressure sees them.
template <int Dim>
FaceField<Dim> weighted(const FaceField<Dim>& open, const FaceField<Dim>* lightness) {
    FaceField<Dim> product;
    for (int axis = 0; axis < Dim && lightness != nullptr; ++axis) {
        product[axis] = open[axis];
        for_each_tile(open.tiles(), [&](Slot slot) {
            float* to = product[axis].tile(slot);
            const float* part = (*lightness)[axis].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) to[n] *= part[n];
        });
    }
    return product;
}

// Nothing flows between a bubble and the places without tiles inside it.
template <int Dim>
void close_hollows(FaceField<Dim>& velocity, const Medium<Dim>& medium) {
    for (const HollowFace& face : medium.hollow_faces()) velocity[face.axis].tile(face.slot)[face.cell] = 0;
}

// What each body is to take in and cannot, where `left` flows out of its cells too little.
template <int Dim>
std::vector<double> overflow_by_body(const Field<float, Dim>& left, const ProjectionSettings<Dim>& settings,
                                     double area) {
    const bool is_one = settings.bodies == nullptr || settings.bodies->empty();
    std::vector<double> sums = sums_by_label(left.tiles(), settings.body_count + 1, [&](Slot slot, auto&& add) {
        for (int n = 0; n < kTileCells<Dim>; ++n)
            add(is_one ? settings.body_count : static_cast<std::size_t>(std::abs(settings.bodies->tile(slot)[n])),
                double{left.tile(slot)[n]});
    });
    for (double& flow : sums) flow = std::max(0.0, -flow * area);
    return sums;
}

// What the gas of a bubble yields, C, over all of its cells.
float compliance(const BubbleGas& gas, double dx, double dt) {
    return static_cast<float>(gas.volume * dx * dx / (gas.stiffness * dt * gas.dt));
}

// A with the compliance of each bubble on its diagonal.  It is spread over the bubble's cells, which share a value.
template <int Dim>
PoissonOperator<Dim> with_gas(const PoissonOperator<Dim>& a, const std::vector<CellGroup>& bubbles,
                              const std::vector<BubbleGas>& gas, double dx, double dt) {
    Field<float, Dim> ground(a.tiles_ptr());
    for (std::size_t n = 0; n < bubbles.size(); ++n)
        for (const auto& [slot, cell] : bubbles[n])
            ground.tile(slot)[cell] = compliance(gas[n], dx, dt) / static_cast<float>(bubbles[n].size());
    return PoissonOperator<Dim>(a.tiles_ptr(), a.mass(), [&](Slot slot, TileSystem<Dim>& system) {
        a.expand(slot, system);
        for (int n = 0; n < kTileCells<Dim>; ++n) system.ground[n] += ground.tile(slot)[n];
    });
}

// right += C q_before in bubbles.
template <int Dim>
void add_gas(Field<float, Dim>& right, const std::vector<CellGroup>& bubbles, const std::vector<BubbleGas>& gas,
             double dx, double dt) {
    for (std::size_t n = 0; n < bubbles.size(); ++n) {
        const auto before = static_cast<float>(gas[n].pressure * dt / dx);
        for (const auto& [slot, cell] : bubbles[n])
            right.tile(slot)[cell] += compliance(gas[n], dx, dt) * before / static_cast<float>(bubbles[n].size());
    }
}

// The pressure, where cells of `separating` are part of the surface.
template <int Dim>
ProjectionReport project_within(FaceField<Dim>& velocity, Field<float, Dim>& pressure, const Field<float, Dim>& phi,
                                const Medium<Dim>& medium, const FaceField<Dim>& open_weighed,
                                const CellSet<Dim>& separating, const Boundary<Dim>& b, double dt,
                                const ProjectionSettings<Dim>& settings, PoissonSolver<Dim>& solver) {
    ProjectionReport report;
    const Field<float, Dim> parted =
        separating.empty() ? Field<float, Dim>() : with_surface_at(separating, medium.level(), b.domain.grid.dx);
    const Field<float, Dim>& level = separating.empty() ? medium.level() : parted;
    const bool has_gas = settings.gas != nullptr && !settings.gas->empty();
    PoissonOperator<Dim> a = free_surface_operator(level, medium.conductance());
    if (has_gas) a = with_gas(a, *settings.bubbles, *settings.gas, b.domain.grid.dx, dt);
    report.cells = a.unknown_count();

    const auto to_q = static_cast<float>(dt / b.domain.grid.dx);
    const SurfacePressure<Dim> surface(settings.surface_pressure, to_q);
    FaceField<Dim> before = settings.lightness != nullptr ? velocity : FaceField<Dim>();
    pull_at_bubbles(velocity, medium, surface);
    weigh_change(velocity, before, settings.lightness);
    close_hollows(velocity, medium);
    Field<float, Dim> right = outflow(velocity, level, b);
    transform_values(right, [](float v) { return -v; });
    if (settings.expansion != nullptr)
        add_scaled(right, *settings.expansion, static_cast<float>(b.domain.grid.dx), phi);
    add_surface_pressure(right, surface, level, open_weighed);
    if (has_gas) add_gas(right, *settings.bubbles, *settings.gas, b.domain.grid.dx, dt);

    transform_values(pressure, [to_q](float v) { return v * to_q; });
    SolveOptions how{.tolerance = settings.tolerance,
                     .max_iterations = settings.max_iterations,
                     .preconditioner = Preconditioner::multigrid,
                     .multigrid = {},
                     .shared = settings.bubbles};
    report.solve = solver.solve(pressure, right, a, how);
    if (report.solve.iterations == 0 && report.solve.residual > kStillTolerance) {
        how.tolerance = std::max(kStillTolerance, kLeastGain * report.solve.residual);
        report.solve = solver.solve(pressure, right, a, how);
        report.solve.converged |= report.solve.residual <= settings.tolerance;
    }
    if (settings.lightness != nullptr) before = velocity;
    subtract_gradient(velocity, pressure, level, b.open, {.surface = &surface});
    subtract_gradient_at_bubbles(velocity, pressure, medium);
    weigh_change(velocity, before, settings.lightness);
    close_hollows(velocity, medium);
    transform_values(pressure, [to_q](float v) { return v / to_q; });

    Field<float, Dim> left = outflow(velocity, phi, b);
    if (settings.expansion != nullptr)
        add_scaled(left, *settings.expansion, static_cast<float>(-b.domain.grid.dx), phi);
    a.keep_unknowns(left);
    report.divergence = double{max_abs(left)} / b.domain.grid.dx;
    if (report.solve.regions_made_compatible > 0)
        report.overflow = overflow_by_body(left, settings, std::pow(b.domain.grid.dx, Dim - 1));
    return report;
}

}  // namespace

template <int Dim>
ProjectionReport project(FaceField<Dim>& velocity, Field<float, Dim>& pressure, const Field<float, Dim>& phi,
                         const Boundary<Dim>& b, double dt, const ProjectionSettings<Dim>& settings,
                         PoissonSolver<Dim>& solver) {
    check_same_tiles("project", "phi", phi.tiles(), "velocity", velocity.tiles());
    check_same_tiles("project", "phi", phi.tiles(), "pressure", pressure.tiles());
    check_same_tiles("project", "phi", phi.tiles(), "boundary", b.open.tiles());
    const bool may_separate = settings.separating != nullptr && b.has_solids();
    CellSet<Dim> separating;
    const FaceField<Dim> before = may_separate ? velocity : FaceField<Dim>();
    const FaceField<Dim> weighed = weighted(b.open, settings.lightness);
    const FaceField<Dim>& open = settings.lightness != nullptr ? weighed : b.open;
    const Medium<Dim> medium(phi, b, open, settings.bubbles);
    ProjectionReport report =
        project_within(velocity, pressure, phi, medium, open, separating, b, dt, settings, solver);
    for (int round = 1; may_separate && round < kMostRounds; ++round) {
        const float threshold = kPull * max_abs(pressure);
        const CellSet<Dim> pull = cells_that_pull(pressure, phi, medium.level(), b, threshold, separating),
                           press = cells_that_press(separating, velocity, b);
        CellSet<Dim> now;
        std::set_difference(pull.begin(), pull.end(), press.begin(), press.end(), std::back_inserter(now));
        if (now == separating) break;
        separating = std::move(now);
        velocity = before;
        const int iterations = report.solve.iterations;
        report = project_within(velocity, pressure, phi, medium, open, separating, b, dt, settings, solver);
        report.solve.iterations += iterations;
    }
    if (may_separate) *settings.separating = std::move(separating);
    return report;
}

template <int Dim>
SolveReport project_air(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundary<Dim>& b,
                        const IndexBox<Dim>& box, double dt) {
    const auto dx = static_cast<float>(b.domain.grid.dx);
    const Field<float, Dim> level = reached_air(velocity, phi, b, box, static_cast<float>(dt), dx);
    const FaceField<Dim> open = open_in_air(phi, b);
    Field<float, Dim> right = outflow(velocity, level, b);
    transform_values(right, [](float v) { return -v; });
    // The air is a layer around the liquid, and the solve lives on its tiles alone.
    const TilesPtr<Dim> tiles = tiles_around_unknowns(level);
    if (tiles->count() == 0) return {.converged = true};
    FaceField<Dim> conductance = open;
    refit(conductance, tiles);
    const PoissonOperator<Dim> a = free_surface_operator(refitted(level, tiles), conductance);
    Field<float, Dim> q(tiles);
    const SolveReport report = PoissonSolver<Dim>().solve(q, refitted(right, tiles), a, {.tolerance = kAirTolerance});
    refit(q, phi.tiles_ptr());
    subtract_gradient(velocity, q, level, open);
    slow_air(velocity, phi, open);
    return report;
}

#define INSTANTIATE(Dim)                                                                              \
    template ProjectionReport project(FaceField<Dim>&, Field<float, Dim>&, const Field<float, Dim>&,  \
                                      const Boundary<Dim>&, double, const ProjectionSettings<Dim>&,   \
                                      PoissonSolver<Dim>&);                                           \
    template SolveReport project_air(FaceField<Dim>&, const Field<float, Dim>&, const Boundary<Dim>&, \
                                     const IndexBox<Dim>&, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
