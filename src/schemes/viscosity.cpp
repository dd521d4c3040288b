// SPDX-License-Identifier: Apache-2.0
#include "schemes/viscosity.h"

#include <algorithm>
#include <optional>

#include "grid/halo.h"

namespace spindrift {
namespace {

// Below this ν dt / dx² nothing would change that single precision could show in a run's length.
constexpr double kNegligible = 1e-7;
// Below this one explicit step differs from the implicit one by the square of it: less than the solve's tolerance.
constexpr double kExplicit = 1e-3;

// What surrounds the faces of one component in a tile.
template <int Dim>
class FaceStencil {
  public:
    FaceStencil(int axis, Slot slot, const Field<float, Dim>& phi, const Boundaries<Dim>& b)
        : axis_(axis), b_(b), origin_(phi.tiles().origin(slot)), level_(phi, slot), open_(b.open[axis], slot) {}

    // Unknown are the open faces of liquid cells.
    bool unknown(const Index<Dim>& c) const {
        return open_(c) > 0 && (level_(c) < 0 || level_(c - unit<Dim>(axis_)) < 0);
    }

    // Calls f(along, up, next, weight, is_unknown) for what the face c exchanges momentum with: other unknown faces,
    // and closed ones.  Along the component itself a closed face stands a cell away; beside it is a wall, half a cell
    // away, which holds the flow only where it does not slip.
    template <class F>
    void for_each_neighbour(const Index<Dim>& c, F&& f) const {
        for (int along = 0; along < Dim; ++along)
            for (const bool up : {false, true}) {
                const Index<Dim> next = up ? c + unit<Dim>(along) : c - unit<Dim>(along);
                if (unknown(next)) {
                    f(along, up, next, 1.0F, true);
                    continue;
                }
                if (open_(next) > 0) continue;
                const bool at_container = !b_.box.contains(origin_ + next);
                const Wall wall = at_container    ? b_.walls[static_cast<std::size_t>(along)][up ? 1 : 0]
                                  : b_.solid_slip ? Wall::slip
                                                  : Wall::no_slip;
                if (along == axis_)
                    f(along, up, next, 1.0F, false);
                else if (wall == Wall::no_slip)
                    f(along, up, next, 2.0F, false);
            }
    }

  private:
    int axis_;
    const Boundaries<Dim>& b_;
    Index<Dim> origin_;
    HaloBlock<float, Dim, 2> level_;
    HaloBlock<float, Dim, 1> open_;
};

// The Helmholtz problem of one component.
template <int Dim>
PoissonOperator<Dim> component_operator(int axis, const Field<float, Dim>& phi, const Boundaries<Dim>& b, float mass) {
    return PoissonOperator<Dim>(phi.tiles_ptr(), mass, [&, axis](Slot slot, TileSystem<Dim>& system) {
        const FaceStencil<Dim> stencil(axis, slot, phi, b);
        system.clear();
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> c = cell_in_tile<Dim>(n);
            if (!stencil.unknown(c)) continue;
            system.ground[n] = mass;
            stencil.for_each_neighbour(c, [&](int along, bool up, const Index<Dim>&, float weight, bool is_unknown) {
                if (!is_unknown) {
                    system.ground[n] += weight;
                } else if (!up) {
                    system.lower[along][n] = weight;
                } else if (c[along] == kTileSide - 1) {
                    system.upper[along][number_in_layer<Dim>(along, n)] = weight;
                }
            });
        }
    });
}

// mass · u, and what moving walls give.
template <int Dim>
Field<float, Dim> right_side(int axis, const Field<float, Dim>& u, const Field<float, Dim>& phi,
                             const Boundaries<Dim>& b, float mass) {
    Field<float, Dim> right = u;
    transform_values(right, [mass](float v) { return v * mass; });
    if (!b.anything_moves()) return right;
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const FaceStencil<Dim> stencil(axis, slot, phi, b);
        const HaloBlock<float, Dim, 1> wall(b.wall_velocity[axis], slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> c = cell_in_tile<Dim>(n);
            if (!stencil.unknown(c)) continue;
            stencil.for_each_neighbour(c, [&](int, bool, const Index<Dim>& next, float weight, bool is_unknown) {
                if (!is_unknown) right.tile(slot)[n] += weight * wall(next);
            });
        }
    });
    return right;
}

// One tile of u += ν dt ∇²u where all walls slip: a row at a time, with weights of one and zero.
template <int Dim>
void explicit_slipping_tile(float* out, int axis, Slot slot, const Field<float, Dim>& u, const Field<float, Dim>& phi,
                            const Boundaries<Dim>& b, float number) {
    using Block = HaloBlock<float, Dim, 1>;
    const HaloBlock<float, Dim, 2> level(phi, slot);
    const Block open(b.open[axis], slot);
    Block values(u, slot), counts, stands;  // along the component itself closed faces count too
    const IndexBox<Dim> around{Index<Dim>(-1), Index<Dim>(kTileSide + 1)};
    const int back = HaloBlock<float, Dim, 2>::stride(axis), run = kTileSide + 2;
    IndexBox<Dim> rows = around;
    rows.hi[Dim - 1] = rows.lo[Dim - 1] + 1;
    const auto wall =
        b.anything_moves() ? std::optional<Block>(std::in_place, b.wall_velocity[axis], slot) : std::nullopt;
    for_each_index(rows, [&](const Index<Dim>& first) {
        const float *l = level.at(first), *o = open.at(first), *w = wall ? wall->at(first) : nullptr;
        float *v = &values(first), *c = &counts(first), *s = &stands(first);
        for (int n = 0; n < run; ++n) {
            const float wet = (l[n] < 0) | (l[n - back] < 0) ? 1.0F : 0.0F;
            c[n] = o[n] > 0 ? wet : 0.0F;
            s[n] = o[n] > 0 ? wet : 1.0F;
            v[n] = o[n] > 0 ? v[n] : w != nullptr ? w[n] : 0.0F;
        }
    });
    for (int row = 0; row < kTileCells<Dim>; row += kTileSide) {
        const Index<Dim> first = cell_in_tile<Dim>(row);
        const float* here = values.at(first);
        const float* unknown = counts.at(first);
        float sum[kTileSide] = {};
        for (int along = 0; along < Dim; ++along) {
            const float* weight = (along == axis ? stands : counts).at(first);
            const int s = Block::stride(along);
            for (int n = 0; n < kTileSide; ++n)
                sum[n] += weight[n - s] * (here[n - s] - here[n]) + weight[n + s] * (here[n + s] - here[n]);
        }
        for (int n = 0; n < kTileSide; ++n) out[row + n] += unknown[n] * number * sum[n];
    }
}

// u += ν dt ∇²u: for a viscosity that hardly matters in a step.
template <int Dim>
Field<float, Dim> explicit_step(int axis, const Field<float, Dim>& u, const Field<float, Dim>& phi,
                                const Boundaries<Dim>& b, float number) {
    bool all_slip = b.solid_slip || !b.has_solids();
    for (const auto& sides : b.walls) all_slip &= sides[0] != Wall::no_slip && sides[1] != Wall::no_slip;
    Field<float, Dim> out = u;
    const auto beyond = static_cast<float>(b.grid.dx);
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* level = phi.tile(slot);
        if (std::none_of(level, level + kTileCells<Dim>, [beyond](float v) { return v < beyond; })) return;
        if (all_slip) return explicit_slipping_tile<Dim>(out.tile(slot), axis, slot, u, phi, b, number);
        const HaloBlock<float, Dim, 1> around(u, slot);
        const FaceStencil<Dim> stencil(axis, slot, phi, b);
        const HaloBlock<float, Dim, 1> wall(b.anything_moves() ? b.wall_velocity[axis] : u, slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> c = cell_in_tile<Dim>(n);
            if (!stencil.unknown(c)) continue;
            const float here = around(c);
            float sum = 0;
            stencil.for_each_neighbour(c, [&](int, bool, const Index<Dim>& next, float weight, bool is_unknown) {
                const float there = is_unknown ? around(next) : b.anything_moves() ? wall(next) : 0;
                sum += weight * (there - here);
            });
            out.tile(slot)[n] = here + number * sum;
        }
    });
    return out;
}

}  // namespace

template <int Dim>
SolveReport diffuse(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundaries<Dim>& b, double kinematic,
                    double dt, double tolerance) {
    SolveReport total;
    total.converged = true;
    const double number = kinematic * dt / (b.grid.dx * b.grid.dx);
    if (!(number > kNegligible)) return total;
    if (number < kExplicit) {
        for (int axis = 0; axis < Dim; ++axis)
            velocity[axis] = explicit_step(axis, velocity[axis], phi, b, static_cast<float>(number));
        return total;
    }
    const auto mass = static_cast<float>(1 / number);
    for (int axis = 0; axis < Dim; ++axis) {
        const PoissonOperator<Dim> a = component_operator(axis, phi, b, mass);
        const Field<float, Dim> right = right_side(axis, velocity[axis], phi, b, mass);
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
