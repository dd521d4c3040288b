// SPDX-License-Identifier: Apache-2.0
#include "gas/diffuse.h"

#include "gas/patch.h"

namespace spindrift {
namespace {

// Below this κ dt / dx² nothing would change that single precision could show.
constexpr double kNegligible = 1e-7;
// Where a cell is tied to itself more firmly than to all others together, conjugate gradients need no help.
constexpr float kFirmMass = 1.0F;
constexpr double kTolerance = 1e-6;

// In cells: solids nearer than this to a face hold it as if they were so far away.
constexpr float kNearest = 0.1F;

// What holds a value from one side: how firmly, and where.
struct Hold {
    float strength = 0, value = 0;
};

template <int Dim>
class TileProblem {
  public:
    TileProblem(const Field<float, Dim>& field, const Lattice<Dim>& lattice, const GasRoom<Dim>& room,
                const GasEnclosure<Dim>& e, bool slip)
        : field_(field), lattice_(lattice), room_(room), e_(e), slip_(slip) {}

    void load(Slot slot) {
        slot_ = slot;
        load_cells(kind_, room_, e_, slot);
        values_.load(field_, lattice_, slot, 2);
        origin_ = room_.tiles->origin(slot);
        if (!on_faces() || !room_.has_solids()) return;
        const int axis = lattice_.face_axis;
        open_.load(room_.open[axis], slot);
        if (sticks()) distance_.load(room_.distance[axis], slot);
        if (sticks() && room_.moves()) solid_velocity_.load(room_.solid_velocity[axis], slot);
    }

    // A centre that is not in a wall; a face with no wall beside it.
    bool is_unknown(const Index<Dim>& c) const {
        if (!beside_tile_exists(c)) return false;
        if (is(kind_, c, GasCell::wall)) return false;
        if (!on_faces()) return true;
        if (is(kind_, c - unit<Dim>(lattice_.face_axis), GasCell::wall)) return false;
        return !room_.has_solids() || (open_(c) > 0 && !is_stuck(c));
    }
    // A face whose middle is in a solid to which the gas sticks.  Gas may still pass it, so it is no wall.
    bool is_stuck(const Index<Dim>& c) const { return sticks() && on_faces() && distance_(c) <= 0; }
    float solid_velocity(const Index<Dim>& c) const { return room_.moves() ? solid_velocity_(c) : 0.0F; }

    float value(const Index<Dim>& c) const { return *values_.at(c); }

    // How far along an axis what a value stands for reaches, in cells: half way to the values beside it, or to a side
    // that holds it from half a cell away.  Differences of fluxes over this length are exact for parabolas, and the
    // system stays symmetric, as lengths differ from one layer to the next only.
    float extent(const Index<Dim>& c, int axis) const {
        if (axis == lattice_.face_axis) return 1;
        const auto& [below, above] = lattice_.ends[static_cast<std::size_t>(axis)];
        const int at = origin_[axis] + c[axis];
        float length = 1;
        if (at == e_.box.lo[axis] && below.how == Beyond::odd) length -= 0.25F;
        if (at == e_.box.hi[axis] - 1 && above.how == Beyond::odd) length -= 0.25F;
        return length;
    }
    Vec<float, Dim> extents(const Index<Dim>& c) const {
        Vec<float, Dim> all;
        for (int a = 0; a < Dim; ++a) all[a] = extent(c, a);
        return all;
    }

    // Towards a neighbour that is no unknown.
    Hold hold(const Index<Dim>& c, int axis, bool above) const {
        const Index<Dim> next = above ? c + unit<Dim>(axis) : c - unit<Dim>(axis);
        const Index<Dim> at = origin_ + next;
        const float here = *values_.at(c), there = *values_.at(next);
        const bool along = axis == lattice_.face_axis;
        const bool beyond = !e_.is_periodic(axis) && (at[axis] < e_.box.lo[axis] || at[axis] >= e_.box.hi[axis]);
        if (!beyond && is_stuck(next)) return {1 / distance_to_solid(c, next), solid_velocity(next)};
        if (along) return {1, there};  // the wall's own face
        if (beyond) {
            const Beyond how = lattice_.ends[static_cast<std::size_t>(axis)][above ? 1 : 0].how;
            if (how == Beyond::odd) return {2, 0.5F * (here + there)};
            if (how == Beyond::constant) return {1, there};
            return {};
        }
        // A solid too thin for faces to see: half a cell away.
        if (!sticks() || !is_solid_face(next)) return {};
        return {2, solid_velocity(next)};
    }

  private:
    bool on_faces() const { return lattice_.face_axis >= 0; }
    bool sticks() const { return !slip_ && on_faces() && room_.holds(); }
    bool is_solid_face(const Index<Dim>& c) const {
        return is(kind_, c, GasCell::wall) || is(kind_, c - unit<Dim>(lattice_.face_axis), GasCell::wall) ||
               !(open_(c) > 0);
    }
    // On the way from an open face to the next, in cells.
    float distance_to_solid(const Index<Dim>& c, const Index<Dim>& next) const {
        const float here = distance_(c), there = distance_(next);
        return std::max(kNearest, here / (here - there));
    }
    bool beside_tile_exists(const Index<Dim>& c) const {
        Index<Dim> side{};
        for (int a = 0; a < Dim; ++a) side[a] = c[a] < 0 ? -1 : c[a] >= kTileSide ? 1 : 0;
        return room_.tiles->neighbour(slot_, neighbour_number(side)) != kNoTile;
    }

    const Field<float, Dim>& field_;
    const Lattice<Dim>& lattice_;
    const GasRoom<Dim>& room_;
    const GasEnclosure<Dim>& e_;
    bool slip_;
    Slot slot_ = 0;
    Index<Dim> origin_{};
    HaloBlock<std::uint8_t, Dim, 2> kind_;
    HaloBlock<float, Dim, 2> open_, distance_, solid_velocity_;
    Patch<Dim> values_;
};

}  // namespace

template <int Dim>
SolveReport diffuse(Field<float, Dim>& field, const Lattice<Dim>& lattice, const GasRoom<Dim>& room,
                    const GasEnclosure<Dim>& e, bool slip, double kappa, double dt, PoissonSolver<Dim>& solver) {
    SolveReport report;
    report.converged = true;
    const double number = kappa * dt / (e.grid.dx * e.grid.dx);
    if (!(number > kNegligible)) return report;
    const auto mass = static_cast<float>(1 / number);

    // The system of each tile, and what its holds add to the right side.
    Field<float, Dim> right(room.tiles);
    const PoissonOperator<Dim> a(room.tiles, mass, [&](Slot slot, TileSystem<Dim>& system) {
        system.clear();
        float* b = right.tile(slot);
        if (room.plain[static_cast<std::size_t>(slot)] != 0) {
            std::fill_n(&system.lower[0][0], Dim * kTileCells<Dim>, 1.0F);
            std::fill_n(&system.upper[0][0], Dim * TileSystem<Dim>::kSideCells, 1.0F);
            std::fill_n(system.ground, kTileCells<Dim>, mass);
            for (int n = 0; n < kTileCells<Dim>; ++n) b[n] = mass * field.tile(slot)[n];
            return;
        }
        TileProblem<Dim> problem(field, lattice, room, e, slip);
        problem.load(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> c = cell_in_tile<Dim>(n);
            if (!problem.is_unknown(c)) continue;
            const Vec<float, Dim> extents = problem.extents(c);
            const float volume = product(extents);
            system.ground[n] = mass * volume;
            b[n] = mass * volume * field.tile(slot)[n];
            for (int axis = 0; axis < Dim; ++axis)
                for (const bool above : {false, true}) {
                    const Index<Dim> next = above ? c + unit<Dim>(axis) : c - unit<Dim>(axis);
                    const float area = volume / extents[axis];
                    if (problem.is_unknown(next)) {
                        if (!above) system.lower[axis][n] = area;
                        if (above && c[axis] == kTileSide - 1) system.upper[axis][number_in_layer<Dim>(axis, n)] = area;
                        continue;
                    }
                    const Hold hold = problem.hold(c, axis, above);
                    system.ground[n] += area * hold.strength;
                    b[n] += area * hold.strength * hold.value;
                }
        }
    });

    Field<float, Dim> solution = field;
    report = solver.solve(solution, right, a,
                          {.tolerance = kTolerance,
                           .preconditioner = mass > kFirmMass ? Preconditioner::none : Preconditioner::multigrid});
    // Where nothing was solved for, values stay, but for faces in solids.
    for_each_tile(*room.tiles, [&](Slot slot) {
        if (room.plain[static_cast<std::size_t>(slot)] != 0) {
            std::copy_n(solution.tile(slot), kTileCells<Dim>, field.tile(slot));
            return;
        }
        TileSystem<Dim> system;
        a.expand(slot, system);
        TileProblem<Dim> problem(field, lattice, room, e, slip);
        problem.load(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> c = cell_in_tile<Dim>(n);
            if (system.ground[n] > 0)
                field.tile(slot)[n] = solution.tile(slot)[n];
            else if (problem.is_stuck(c))
                field.tile(slot)[n] = problem.solid_velocity(c);
        }
    });
    return report;
}

template <int Dim>
void add_diffusion(Field<float, Dim>& field, const Lattice<Dim>& lattice, const GasRoom<Dim>& room,
                   const GasEnclosure<Dim>& e, bool slip, double kappa, double dt) {
    const auto number = static_cast<float>(kappa * dt / (e.grid.dx * e.grid.dx));
    if (!(number > static_cast<float>(kNegligible))) return;
    Field<float, Dim> result = field;
    for_each_tile(*room.tiles, [&](Slot slot) {
        float* to = result.tile(slot);
        if (room.plain[static_cast<std::size_t>(slot)] != 0) {
            const HaloBlock<float, Dim, 1> from(field, slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Index<Dim> c = cell_in_tile<Dim>(n);
                float around = -2 * Dim * from(c);
                for (int axis = 0; axis < Dim; ++axis) around += from(c - unit<Dim>(axis)) + from(c + unit<Dim>(axis));
                to[n] += number * around;
            }
            return;
        }
        TileProblem<Dim> problem(field, lattice, room, e, slip);
        problem.load(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> c = cell_in_tile<Dim>(n);
            if (!problem.is_unknown(c)) continue;
            const Vec<float, Dim> extents = problem.extents(c);
            float around = 0;
            for (int axis = 0; axis < Dim; ++axis)
                for (const bool above : {false, true}) {
                    const Index<Dim> next = above ? c + unit<Dim>(axis) : c - unit<Dim>(axis);
                    const Hold hold =
                        problem.is_unknown(next) ? Hold{1, problem.value(next)} : problem.hold(c, axis, above);
                    around += hold.strength * (hold.value - problem.value(c)) / extents[axis];
                }
            to[n] += number * around;
        }
    });
    field = std::move(result);
}

#define INSTANTIATE(Dim)                                                                               \
    template SolveReport diffuse(Field<float, Dim>&, const Lattice<Dim>&, const GasRoom<Dim>&,         \
                                 const GasEnclosure<Dim>&, bool, double, double, PoissonSolver<Dim>&); \
    template void add_diffusion(Field<float, Dim>&, const Lattice<Dim>&, const GasRoom<Dim>&,          \
                                const GasEnclosure<Dim>&, bool, double, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
