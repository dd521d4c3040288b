// SPDX-License-Identifier: Apache-2.0
#include "schemes/explicit_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "schemes/cell_boundary.h"

namespace spindrift {
namespace {

// What flows through a place between two faces of a component, of which `lower` and `upper` are the values: the mean,
// with a share of the one that it comes from.
double convected(double through, double lower, double upper, double share) {
    return through * 0.5 * (lower + upper) + share * std::abs(through) * 0.5 * (lower - upper);
}

}  // namespace

template <int Dim>
void advance_explicitly(CellFlow<Dim>& flow, const Vec<double, Dim>& gravity, double viscosity, double donor_cell,
                        double dt) {
    const DenseFaces<Dim> old = flow.velocity;
    const Dense<CellContent, Dim>& kind = flow.kind;
    const double dx = flow.dx, share = std::min(1.0, donor_cell * fastest_face(flow) * dt / dx);
    for (int a = 0; a < Dim; ++a) {
        const auto axis = static_cast<std::size_t>(a);
        const Dense<double, Dim>& u = old[axis];
        const std::ptrdiff_t own = u.stride(a);
        for_each_cell(flow.faces(a), [&](const Index<Dim>& face) {
            const std::ptrdiff_t n = u.offset(face);
            const bool above = is_liquid(kind[n]), below = is_liquid(kind[n - own]);
            if (!above || !below) {
                // An open side whose opposite side is open as well.
                const bool is_free = (above && is_open(kind[n - own]) && is_open(kind[n + own])) ||
                                     (below && is_open(kind[n]) && is_open(kind[n - 2 * own]));
                if (is_free) flow.velocity[axis][n] = u[n] + dt * gravity[a];
                return;
            }
            double change = gravity[a] + (flow.pressure[n - own] - flow.pressure[n]) / dx;
            for (int b = 0; b < Dim; ++b) {
                const std::ptrdiff_t step = u.stride(b);
                const Dense<double, Dim>& v = old[static_cast<std::size_t>(b)];
                // The velocities along b at both ends of the face, or at the centres of the cells at its sides.
                const double v_lower = 0.5 * (v[n - own] + v[n]), v_upper = 0.5 * (v[n + step - own] + v[n + step]);
                const double lower = b == a ? 0.5 * (u[n - own] + u[n]) : v_lower;
                const double upper = b == a ? 0.5 * (u[n] + u[n + own]) : v_upper;
                change +=
                    (convected(lower, u[n - step], u[n], share) - convected(upper, u[n], u[n + step], share)) / dx;
                change += viscosity * ((u[n - step] + u[n + step]) - 2 * u[n]) / (dx * dx);
            }
            flow.velocity[axis][n] = u[n] + dt * change;
        });
    }
}

double explicit_dt(double speed, double viscosity, double dx, int dim, double courant) {
    double dt = std::numeric_limits<double>::infinity();
    if (speed > 0) dt = courant * dx / speed;
    if (viscosity > 0) dt = std::min(dt, courant * dx * dx / (2 * dim * viscosity));
    return dt;
}

template void advance_explicitly(CellFlow<2>&, const Vec<double, 2>&, double, double, double);
template void advance_explicitly(CellFlow<3>&, const Vec<double, 3>&, double, double, double);

}  // namespace spindrift
