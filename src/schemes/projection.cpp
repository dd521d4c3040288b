// SPDX-License-Identifier: Apache-2.0
#include "schemes/projection.h"

#include <cmath>

namespace spindrift {
namespace {

// What lies beside a tile's cells along an axis, found once per tile.
template <int Dim>
struct Beside {
    Beside(const Field<float, Dim>& field, Slot slot, int axis_)
        : own(field.tile(slot)), stride(tile_stride<Dim>(axis_)), outside(field.background()) {
        const Slot b = field.tiles().neighbour(slot, side_neighbour<Dim>(axis_, false));
        const Slot a = field.tiles().neighbour(slot, side_neighbour<Dim>(axis_, true));
        below_tile = b == kNoTile ? nullptr : field.tile(b);
        above_tile = a == kNoTile ? nullptr : field.tile(a);
    }
    float below(int cell) const {
        if ((cell / stride) % kTileSide > 0) return own[cell - stride];
        return below_tile == nullptr ? outside : below_tile[cell + stride * (kTileSide - 1)];
    }
    float above(int cell) const {
        if ((cell / stride) % kTileSide < kTileSide - 1) return own[cell + stride];
        return above_tile == nullptr ? outside : above_tile[cell - stride * (kTileSide - 1)];
    }
    const float *own, *below_tile, *above_tile;
    int stride;
    float outside;
};

// Σ ± open u of every liquid cell, times dx: what flows out.
template <int Dim>
Field<float, Dim> outflow(const FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundaries<Dim>& b) {
    Field<float, Dim> out(phi.tiles_ptr());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* level = phi.tile(slot);
        float* to = out.tile(slot);
        for (int axis = 0; axis < Dim; ++axis) {
            const Beside<Dim> u(velocity[axis], slot, axis), open(b.open[axis], slot, axis);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float net = open.above(n) * u.above(n) - open.own[n] * u.own[n];
                to[n] += level[n] < 0 ? net : 0;
            }
        }
    });
    return out;
}

// u −= ∇q on faces of liquid cells.
template <int Dim>
void subtract_gradient(FaceField<Dim>& velocity, const Field<float, Dim>& q, const Field<float, Dim>& phi,
                       const Boundaries<Dim>& b) {
    for (int axis = 0; axis < Dim; ++axis)
        for_each_tile(phi.tiles(), [&](Slot slot) {
            const Beside<Dim> level(phi, slot, axis), pressure(q, slot, axis);
            const float* open = b.open[axis].tile(slot);
            float* u = velocity[axis].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float here = level.own[n], below = level.below(n);
                if (!(open[n] > 0) || (here >= 0 && below >= 0)) continue;
                if (here < 0 && below < 0)
                    u[n] -= pressure.own[n] - pressure.below(n);
                else if (here < 0)
                    u[n] -= pressure.own[n] / surface_theta(here, below);
                else
                    u[n] += pressure.below(n) / surface_theta(below, here);
            }
        });
}

template <int Dim>
double largest(const Field<float, Dim>& field, const PoissonOperator<Dim>& a) {
    Field<float, Dim> kept = field;
    a.keep_unknowns(kept);
    return parallel_max(kept.values().size(), kTilesPerBlock<Dim> * kTileCells<Dim>, 0.0,
                        [&](std::size_t begin, std::size_t end) {
                            float most = 0;
                            for (std::size_t n = begin; n < end; ++n) most = std::max(most, std::abs(kept.values()[n]));
                            return static_cast<double>(most);
                        });
}

}  // namespace

template <int Dim>
ProjectionReport project(FaceField<Dim>& velocity, Field<float, Dim>& pressure, const Field<float, Dim>& phi,
                         const Boundaries<Dim>& b, double dt, double tolerance, double source,
                         PoissonSolver<Dim>& solver) {
    check_same_tiles("project", "phi", phi.tiles(), "velocity", velocity.tiles());
    check_same_tiles("project", "phi", phi.tiles(), "pressure", pressure.tiles());
    check_same_tiles("project", "phi", phi.tiles(), "boundaries", b.open.tiles());
    ProjectionReport report;
    const PoissonOperator<Dim> a = free_surface_operator(phi, b.open);
    report.cells = a.unknown_count();

    Field<float, Dim> right = outflow(velocity, phi, b);
    const auto wanted = static_cast<float>(source * b.grid.dx);
    transform_values(right, [wanted](float v) { return wanted - v; });

    const auto to_q = static_cast<float>(dt / b.grid.dx);
    transform_values(pressure, [to_q](float v) { return v * to_q; });
    report.solve = solver.solve(pressure, right, a, {.tolerance = tolerance});
    subtract_gradient(velocity, pressure, phi, b);
    transform_values(pressure, [to_q](float v) { return v / to_q; });

    Field<float, Dim> left = outflow(velocity, phi, b);
    transform_values(left, [wanted](float v) { return v - wanted; });
    report.divergence = largest(left, a) / b.grid.dx;
    return report;
}

template ProjectionReport project(FaceField<2>&, Field<float, 2>&, const Field<float, 2>&, const Boundaries<2>&, double,
                                  double, double, PoissonSolver<2>&);
template ProjectionReport project(FaceField<3>&, Field<float, 3>&, const Field<float, 3>&, const Boundaries<3>&, double,
                                  double, double, PoissonSolver<3>&);

}  // namespace spindrift
