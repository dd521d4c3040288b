// SPDX-License-Identifier: Apache-2.0
#include "schemes/viscosity.h"

#include <algorithm>
#include <vector>

#include "grid/beside.h"
#include "grid/halo.h"

namespace spindrift {
namespace {

// What a face is to its neighbours: beyond the liquid, unknown, or closed.
constexpr float kDryFace = 0, kUnknownFace = 1, kClosedFace = 2;

// Faces of one component as the kernel sees them: fields, and a tile of each for where there is none.
struct SlipFaces {
    const float *values, *kinds;
    const float *zeros, *closed;
    const Slot* neighbours;
};

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "schemes/viscosity.inl"
#include "base/each_instruction_set.h"

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
                if (along == axis_)
                    f(along, up, next, 1.0F, false);
                else if (!slips(along, up, next))
                    f(along, up, next, 2.0F, false);
            }
    }

  private:
    // What closes a face.
    bool slips(int along, bool up, const Index<Dim>& face) const {
        if (!b_.box.contains(origin_ + face))
            return b_.walls[static_cast<std::size_t>(along)][up ? 1 : 0] != Wall::no_slip;
        return b_.solid_slip || (b_.solid_slips_at && b_.solid_slips_at(b_.grid.world_of_face(axis_, origin_ + face)));
    }

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

// u += ν dt ∇²u where all walls slip: a row at a time.
template <int Dim>
void slipping_step(int axis, Field<float, Dim>& u, const Field<float, Dim>& phi, const Boundaries<Dim>& b,
                   float number) {
    auto values = Field<float, Dim>::unfilled(phi.tiles_ptr()), kinds = Field<float, Dim>::unfilled(phi.tiles_ptr());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float *level = phi.tile(slot), *open = b.open[axis].tile(slot), *from = u.tile(slot);
        const float* wall = b.anything_moves() ? b.wall_velocity[axis].tile(slot) : nullptr;
        const TileValues<Dim> below = values_below(phi, slot, axis);
        float *value = values.tile(slot), *kind = kinds.tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const float wet = (level[n] < 0) | (below[n] < 0) ? kUnknownFace : kDryFace;
            kind[n] = open[n] > 0 ? wet : kClosedFace;
            value[n] = open[n] > 0 ? from[n] : wall != nullptr ? wall[n] : 0.0F;
        }
    });
    const std::vector<float> zeros(kTileCells<Dim>, 0.0F), closed(kTileCells<Dim>, kClosedFace);
    const SlipFaces faces{values.tile(0), kinds.tile(0), zeros.data(), closed.data(), phi.tiles().neighbours()};
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* kind = kinds.tile(slot);
        if (std::none_of(kind, kind + kTileCells<Dim>, [](float k) { return k == kUnknownFace; })) return;
        SPINDRIFT_PICK(slip_tile<Dim>)(u.tile(slot), faces, axis, slot, number);
    });
}

// u += ν dt ∇²u with walls of any kind.
template <int Dim>
void walled_step(int axis, Field<float, Dim>& u, const Field<float, Dim>& phi, const Boundaries<Dim>& b, float number) {
    Field<float, Dim> out = u;
    const auto beyond = static_cast<float>(b.grid.dx);
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* level = phi.tile(slot);
        if (std::none_of(level, level + kTileCells<Dim>, [beyond](float v) { return v < beyond; })) return;
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
    u = std::move(out);
}

// For a viscosity that hardly matters in a step.
template <int Dim>
void explicit_step(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundaries<Dim>& b, float number) {
    bool all_slip = b.solid_slip || !b.has_solids();
    for (const auto& sides : b.walls) all_slip &= sides[0] != Wall::no_slip && sides[1] != Wall::no_slip;
    for (int axis = 0; axis < Dim; ++axis)
        if (all_slip)
            slipping_step(axis, velocity[axis], phi, b, number);
        else
            walled_step(axis, velocity[axis], phi, b, number);
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
        explicit_step(velocity, phi, b, static_cast<float>(number));
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
