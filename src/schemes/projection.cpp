// SPDX-License-Identifier: Apache-2.0
#include "schemes/projection.h"

#include <array>
#include <cmath>
#include <optional>

#include "grid/measure.h"

namespace spindrift {
namespace {
// The air that a step may reach: as far as the surface goes, and this many cells.
constexpr float kAirMargin = 1;
// Its velocity need not be exact: it is an extrapolation.
constexpr double kAirTolerance = 1e-3;

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

// Σ ± (open u + closed u_wall) of every liquid cell, times dx: what flows out.
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
            if (!b.anything_moves()) continue;
            const Beside<Dim> wall(b.wall_velocity[axis], slot, axis);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float net = (1 - open.above(n)) * wall.above(n) - (1 - open.own[n]) * wall.own[n];
                to[n] += level[n] < 0 ? net : 0;
            }
        }
    });
    return out;
}

// The pressure on the surface, as q, between a liquid cell and one beyond: 0, or linear between what the cells have.
template <int Dim>
class SurfacePressure {
  public:
    SurfacePressure(const Field<float, Dim>* field, float to_q) : field_(field), to_q_(to_q) {}
    bool given() const { return field_ != nullptr; }

    class InTile {
      public:
        InTile(const Field<float, Dim>* field, Slot slot, int axis, float to_q) : to_q_(to_q) {
            if (field != nullptr) values_.emplace(*field, slot, axis);
        }
        // Of the face below `cell`; theta is counted from the liquid cell, which may lie on either side.
        float below(int cell, float theta, bool liquid_here) const {
            if (!values_) return 0;
            const float here = values_->own[cell], there = values_->below(cell);
            return to_q_ * (liquid_here ? here + theta * (there - here) : there + theta * (here - there));
        }
        float above(int cell, float theta) const {
            if (!values_) return 0;
            const float here = values_->own[cell], there = values_->above(cell);
            return to_q_ * (here + theta * (there - here));
        }

      private:
        std::optional<Beside<Dim>> values_;
        float to_q_;
    };
    InTile in_tile(Slot slot, int axis) const { return InTile(field_, slot, axis, to_q_); }

  private:
    const Field<float, Dim>* field_;
    float to_q_;
};

// right += Σ_surface open q_surface / θ.
template <int Dim>
void add_surface_pressure(Field<float, Dim>& right, const SurfacePressure<Dim>& surface, const Field<float, Dim>& phi,
                          const Boundaries<Dim>& b) {
    if (!surface.given()) return;
    for_each_tile(phi.tiles(), [&](Slot slot) {
        for (int axis = 0; axis < Dim; ++axis) {
            const Beside<Dim> level(phi, slot, axis), open(b.open[axis], slot, axis);
            const auto pressure = surface.in_tile(slot, axis);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float here = level.own[n];
                if (!(here < 0)) continue;
                if (const float there = level.below(n); there >= 0) {
                    const float theta = surface_theta(here, there);
                    right.tile(slot)[n] += open.own[n] * pressure.below(n, theta, true) / theta;
                }
                if (const float there = level.above(n); there >= 0) {
                    const float theta = surface_theta(here, there);
                    right.tile(slot)[n] += open.above(n) * pressure.above(n, theta) / theta;
                }
            }
        }
    });
}

// to += wanted in every cell, times the part of it that is not solid: where a solid fills nearly all of a cell, what is
// left must not squirt through a slit of a face.
template <int Dim>
void add_wanted(Field<float, Dim>& to, float wanted, const Boundaries<Dim>& b) {
    if (wanted == 0) return;
    for_each_tile(to.tiles(), [&](Slot slot) {
        const float* room = b.has_solids() ? b.room.tile(slot) : nullptr;
        for (int n = 0; n < kTileCells<Dim>; ++n) to.tile(slot)[n] += room != nullptr ? wanted * room[n] : wanted;
    });
}

// to += scale · from in liquid cells.
template <int Dim>
void add_scaled(Field<float, Dim>& to, const Field<float, Dim>& from, float scale, const Field<float, Dim>& phi) {
    check_same_tiles("project", "phi", phi.tiles(), "swelling", from.tiles());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        for (int n = 0; n < kTileCells<Dim>; ++n)
            if (phi.tile(slot)[n] < 0) to.tile(slot)[n] += scale * from.tile(slot)[n];
    });
}

// u −= ∇q on faces of liquid cells.
template <int Dim>
void subtract_gradient(FaceField<Dim>& velocity, const Field<float, Dim>& q, const SurfacePressure<Dim>& surface,
                       const Field<float, Dim>& phi, const FaceField<Dim>& open_part) {
    for (int axis = 0; axis < Dim; ++axis)
        for_each_tile(phi.tiles(), [&](Slot slot) {
            const Beside<Dim> level(phi, slot, axis), pressure(q, slot, axis);
            const auto on_surface = surface.in_tile(slot, axis);
            const float* open = open_part[axis].tile(slot);
            float* u = velocity[axis].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float here = level.own[n], below = level.below(n);
                if (!(open[n] > 0) || (here >= 0 && below >= 0)) continue;
                if (here < 0 && below < 0) {
                    u[n] -= pressure.own[n] - pressure.below(n);
                } else if (here < 0) {
                    const float theta = surface_theta(here, below);
                    u[n] -= (pressure.own[n] - on_surface.below(n, theta, true)) / theta;
                } else {
                    const float theta = surface_theta(below, here);
                    u[n] += (pressure.below(n) - on_surface.below(n, theta, false)) / theta;
                }
            }
        });
}

// Negative in the air of `box` that the surface may get to within the step, and nowhere else.
template <int Dim>
Field<float, Dim> reached_air(const FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundaries<Dim>& b,
                              const IndexBox<Dim>& box, float dt, float dx) {
    Field<float, Dim> level(phi.tiles_ptr(), dx);
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const Index<Dim> origin = phi.tiles().origin(slot);
        std::array<float, kTileCells<Dim>> speed2{};
        for (int axis = 0; axis < Dim; ++axis) {
            const Beside<Dim> u(velocity[axis], slot, axis);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float centred = 0.5f * (u.own[n] + u.above(n));
                speed2[static_cast<std::size_t>(n)] += centred * centred;
            }
        }
        const float* room = b.has_solids() ? b.room.tile(slot) : nullptr;
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const float reach = kAirMargin * dx + dt * std::sqrt(speed2[static_cast<std::size_t>(n)]);
            const float here = phi.tile(slot)[n];
            if (!(here >= 0 && here < reach) || (room != nullptr && room[n] == 0)) continue;
            if (box.contains(origin + cell_in_tile<Dim>(n))) level.tile(slot)[n] = -dx;
        }
    });
    return level;
}

// The open part of faces between cells of air whose velocity is not given.
template <int Dim>
FaceField<Dim> open_in_air(const Field<float, Dim>& phi, const Boundaries<Dim>& b) {
    FaceField<Dim> part = b.open;
    for (const GivenFace<Dim>& face : b.given) part[face.axis].tile(face.slot)[face.cell] = 0;
    for (int axis = 0; axis < Dim; ++axis)
        for_each_tile(phi.tiles(), [&](Slot slot) {
            const Beside<Dim> level(phi, slot, axis);
            for (int n = 0; n < kTileCells<Dim>; ++n)
                if (level.own[n] < 0 || level.below(n) < 0) part[axis].tile(slot)[n] = 0;
        });
    return part;
}

}  // namespace

template <int Dim>
ProjectionReport project(FaceField<Dim>& velocity, Field<float, Dim>& pressure, const Field<float, Dim>& phi,
                         const Boundaries<Dim>& b, double dt, const ProjectionSettings<Dim>& settings,
                         PoissonSolver<Dim>& solver) {
    check_same_tiles("project", "phi", phi.tiles(), "velocity", velocity.tiles());
    check_same_tiles("project", "phi", phi.tiles(), "pressure", pressure.tiles());
    check_same_tiles("project", "phi", phi.tiles(), "boundaries", b.open.tiles());
    ProjectionReport report;
    const PoissonOperator<Dim> a = free_surface_operator(phi, b.open);
    report.cells = a.unknown_count();

    Field<float, Dim> right = outflow(velocity, phi, b);
    const auto wanted = static_cast<float>(settings.source * b.grid.dx);
    transform_values(right, [](float v) { return -v; });
    add_wanted(right, wanted, b);
    if (settings.swelling != nullptr) add_scaled(right, *settings.swelling, static_cast<float>(b.grid.dx / dt), phi);
    const auto to_q = static_cast<float>(dt / b.grid.dx);
    const SurfacePressure<Dim> surface(settings.surface_pressure, to_q);
    add_surface_pressure(right, surface, phi, b);

    transform_values(pressure, [to_q](float v) { return v * to_q; });
    report.solve =
        solver.solve(pressure, right, a, {.tolerance = settings.tolerance, .max_iterations = settings.max_iterations});
    subtract_gradient(velocity, pressure, surface, phi, b.open);
    transform_values(pressure, [to_q](float v) { return v / to_q; });

    Field<float, Dim> left = outflow(velocity, phi, b);
    add_wanted(left, -wanted, b);
    if (settings.swelling != nullptr) add_scaled(left, *settings.swelling, static_cast<float>(-b.grid.dx / dt), phi);
    a.keep_unknowns(left);
    report.divergence = double{max_abs(left)} / b.grid.dx;
    if (report.solve.regions_made_compatible > 0)
        report.overflow = std::max(0.0, -sum(left) * std::pow(b.grid.dx, Dim - 1));
    return report;
}

template <int Dim>
SolveReport project_air(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundaries<Dim>& b,
                        const IndexBox<Dim>& box, double dt, PoissonSolver<Dim>& solver) {
    const auto dx = static_cast<float>(b.grid.dx);
    const Field<float, Dim> level = reached_air(velocity, phi, b, box, static_cast<float>(dt), dx);
    const FaceField<Dim> open = open_in_air(phi, b);
    const PoissonOperator<Dim> a = free_surface_operator(level, open);
    Field<float, Dim> right = outflow(velocity, level, b);
    transform_values(right, [](float v) { return -v; });
    Field<float, Dim> q(phi.tiles_ptr());
    const SolveReport report = solver.solve(q, right, a, {.tolerance = kAirTolerance});
    subtract_gradient(velocity, q, SurfacePressure<Dim>(nullptr, 0), level, open);
    return report;
}

#define INSTANTIATE(Dim)                                                                                \
    template ProjectionReport project(FaceField<Dim>&, Field<float, Dim>&, const Field<float, Dim>&,    \
                                      const Boundaries<Dim>&, double, const ProjectionSettings<Dim>&,   \
                                      PoissonSolver<Dim>&);                                             \
    template SolveReport project_air(FaceField<Dim>&, const Field<float, Dim>&, const Boundaries<Dim>&, \
                                     const IndexBox<Dim>&, double, PoissonSolver<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
