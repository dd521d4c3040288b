// SPDX-License-Identifier: Apache-2.0
#include "schemes/domain_projection.h"

#include <cmath>

#include "grid/measure.h"
#include "schemes/divergence.h"
#include "schemes/step_report.h"

namespace spindrift {
namespace {

// Divergence per cell and speed above which a second solve follows.
constexpr double kTooMuch = 5e-6;

// b = what should flow out less what does.
template <int Dim>
void subtract_from_goal(Field<float, Dim>& b, const Field<float, Dim>* goal) {
    for_each_tile(b.tiles(), [&](Slot slot) {
        float* to = b.tile(slot);
        const float* wanted = goal != nullptr ? goal->tile(slot) : nullptr;
        for (int n = 0; n < kTileCells<Dim>; ++n) to[n] = (wanted != nullptr ? wanted[n] : 0.0F) - to[n];
    });
}

template <int Dim>
IndexBox<Dim> cells_of_tiles(const Domain<Dim>& domain) {
    return {first_cell(domain.tile_box().lo), first_cell(domain.tile_box().hi)};
}

// The fluid cells of a block of tiles without solids, and what its sides mean to the direct solver.
template <int Dim>
std::pair<IndexBox<Dim>, typename FourierSolver<Dim>::Sides> direct_problem(const IndexBox<Dim>& block,
                                                                            const Domain<Dim>& domain) {
    IndexBox<Dim> box = domain.box;
    const IndexBox<Dim> all = cells_of_tiles(domain);
    typename FourierSolver<Dim>::Sides sides{};
    for (int a = 0; a < Dim; ++a)
        for (const bool above : {false, true}) {
            FourierSide& side = sides[static_cast<std::size_t>(a)][above ? 1 : 0];
            const SideKind kind = domain.side(a, above).kind;
            const bool inside = above ? block.hi[a] < all.hi[a] : block.lo[a] > all.lo[a];
            if (inside) {
                // Where tiles end in the midst of the domain their outermost cells are open.
                side = FourierSide::fixed_face;
                (above ? box.hi[a] : box.lo[a]) = above ? block.hi[a] - 1 : block.lo[a] + 1;
            } else {
                side = kind == SideKind::periodic ? FourierSide::periodic
                       : kind == SideKind::open   ? FourierSide::fixed_face
                                                  : FourierSide::closed;
                if (above && kind == SideKind::open) --box.hi[a];
            }
        }
    return {box, sides};
}

// Tiles that end within a period leave a gap that no block shows.
template <int Dim>
bool spans_periods(const DomainBoundary<Dim>& boundary) {
    const Domain<Dim>& domain = boundary.domain;
    const IndexBox<Dim> all = cells_of_tiles(domain);
    for (int a = 0; a < Dim; ++a)
        if (domain.is_periodic(a) && (boundary.block->lo[a] != all.lo[a] || boundary.block->hi[a] != all.hi[a]))
            return false;
    return true;
}

// The largest of what flows out of cells, against what is wanted there.
template <int Dim>
double largest_difference(const Field<float, Dim>& outflow, const Field<float, Dim>* wanted) {
    if (wanted == nullptr) return double{max_abs(outflow)};
    return parallel_max(outflow.tiles().count(), kTilesPerBlock<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        float most = 0;
        for (std::size_t s = begin; s < end; ++s) {
            const float *out = outflow.tile(static_cast<Slot>(s)), *goal = wanted->tile(static_cast<Slot>(s));
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float off = std::abs(out[n] - goal[n]);
                if (!(off <= most)) most = off;
            }
        }
        return static_cast<double>(most);
    });
}

}  // namespace

template <int Dim>
bool DomainProjection<Dim>::has_direct(const DomainBoundary<Dim>& boundary) {
    return boundary.block && spans_periods(boundary) && !boundary.has_solids() && FourierSolver<Dim>::available();
}

template <int Dim>
DomainProjectionReport DomainProjection<Dim>::project(FaceField<Dim>& velocity, Field<float, Dim>& q,
                                                      const DomainBoundary<Dim>& boundary,
                                                      const Field<float, Dim>* wanted_outflow, PressureSolver solver,
                                                      double tolerance) {
    DomainProjectionReport report;
    const Domain<Dim>& domain = boundary.domain;
    report.direct = solver != PressureSolver::multigrid && has_direct(boundary);
    CHECK(report.direct || solver != PressureSolver::fourier, "gas: a direct pressure solve was asked for on {}",
          boundary.tiles->describe());
    if (report.direct) {
        const auto [box, sides] = direct_problem(*boundary.block, domain);
        if (!fourier_) fourier_.emplace(box, sides);
        report.cells = number_in(box);
    } else {
        if (!operator_) operator_ = free_surface_operator(boundary.level, boundary.open);
        report.cells = operator_->unknown_count();
    }

    // Takes out what divergence there is; a second time where single precision left too much, as after a sudden start.
    Field<float, Dim> left = outflow<Dim>(velocity, boundary.level, boundary, boundary.plain);
    const auto take_out = [&](Field<float, Dim>& x) {
        subtract_from_goal(left, wanted_outflow);
        const SolveReport solve =
            report.direct ? fourier_->solve(x, left) : solver_.solve(x, left, *operator_, {.tolerance = tolerance});
        subtract_gradient<Dim>(velocity, x, boundary.level, boundary.open, {.plain = boundary.plain});
        left = outflow<Dim>(velocity, boundary.level, boundary, boundary.plain);
        report.divergence = largest_difference(left, wanted_outflow) / domain.grid.dx;
        return solve;
    };
    report.solve = take_out(q);
    double fastest = 0;
    for (int a = 0; a < Dim; ++a) fastest = std::max(fastest, double{max_abs(velocity[a])});
    if (report.solve.converged && report.divergence * domain.grid.dx > kTooMuch * fastest) {
        Field<float, Dim> more(boundary.tiles);
        merge(report.solve, take_out(more));
        for_each_tile(*boundary.tiles, [&](Slot slot) {
            for (int n = 0; n < kTileCells<Dim>; ++n) q.tile(slot)[n] += more.tile(slot)[n];
        });
    }
    return report;
}

template class DomainProjection<2>;
template class DomainProjection<3>;

}  // namespace spindrift
