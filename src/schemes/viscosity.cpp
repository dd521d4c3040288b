// SPDX-License-Identifier: Apache-2.0
#include "schemes/viscosity.h"

#include "grid/halo.h"

namespace spindrift {
namespace {

// Below this ν dt / dx² nothing would change that single precision could show in a run's length.
constexpr double kNegligible = 1e-6;

// The Helmholtz problem of one component: unknown on open faces of liquid cells.
template <int Dim>
PoissonOperator<Dim> component_operator(int axis, const Field<float, Dim>& phi, const Boundaries<Dim>& b, float mass) {
    return PoissonOperator<Dim>(phi.tiles_ptr(), mass, [&, axis](Slot slot, TileSystem<Dim>& system) {
        const HaloBlock<float, Dim, 2> level(phi, slot);
        const HaloBlock<float, Dim, 1> open(b.open[axis], slot);
        const Index<Dim> back = unit<Dim>(axis), origin = phi.tiles().origin(slot);
        const auto wet = [&](const Index<Dim>& c) { return level(c) < 0 || level(c - back) < 0; };
        const auto unknown = [&](const Index<Dim>& c) { return open(c) > 0 && wet(c); };
        system.clear();
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> c = cell_in_tile<Dim>(n);
            if (!unknown(c)) continue;
            system.ground[n] = mass;
            for (int along = 0; along < Dim; ++along)
                for (const bool up : {false, true}) {
                    const Index<Dim> next = up ? c + unit<Dim>(along) : c - unit<Dim>(along);
                    if (unknown(next)) {
                        if (!up) system.lower[along][n] = 1;
                        if (up && c[along] == kTileSide - 1) system.upper[along][number_in_layer<Dim>(along, n)] = 1;
                        continue;
                    }
                    // A closed face beyond: along the component itself it stands still a cell away; beside it is a
                    // wall, half a cell away, which holds the flow only where it does not slip.
                    if (open(next) > 0) continue;
                    const bool at_container = !b.box.contains(origin + next);
                    const Wall wall = at_container   ? b.walls[static_cast<std::size_t>(along)][up ? 1 : 0]
                                      : b.solid_slip ? Wall::slip
                                                     : Wall::no_slip;
                    if (along == axis)
                        system.ground[n] += 1;
                    else if (wall == Wall::no_slip)
                        system.ground[n] += 2;
                }
        }
    });
}

}  // namespace

template <int Dim>
SolveReport diffuse(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundaries<Dim>& b, double kinematic,
                    double dt, double tolerance) {
    SolveReport total;
    total.converged = true;
    const double number = kinematic * dt / (b.grid.dx * b.grid.dx);
    if (!(number > kNegligible)) return total;
    const auto mass = static_cast<float>(1 / number);
    for (int axis = 0; axis < Dim; ++axis) {
        const PoissonOperator<Dim> a = component_operator(axis, phi, b, mass);
        Field<float, Dim> right = velocity[axis];
        transform_values(right, [mass](float v) { return v * mass; });
        Field<float, Dim> solution = velocity[axis];
        const SolveReport report = solve_poisson(solution, right, a, {.tolerance = tolerance});
        total.converged &= report.converged;
        total.iterations = std::max(total.iterations, report.iterations);
        total.residual = std::max(total.residual, report.residual);
        total.measured_residual = std::max(total.measured_residual, report.measured_residual);
        total.seconds += report.seconds;
        if (!report.failure.empty()) total.failure = report.failure;
        velocity[axis] = std::move(solution);
    }
    return total;
}

template SolveReport diffuse(FaceField<2>&, const Field<float, 2>&, const Boundaries<2>&, double, double, double);
template SolveReport diffuse(FaceField<3>&, const Field<float, 3>&, const Boundaries<3>&, double, double, double);

}  // namespace spindrift
