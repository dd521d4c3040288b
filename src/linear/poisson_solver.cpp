// SPDX-License-Identifier: Apache-2.0
#include "linear/poisson_solver.h"

#include <chrono>
#include <cmath>
#include <optional>

#include "linear/conjugate_gradients.h"
#include "linear/incomplete_cholesky.h"
#include "linear/null_space.h"
#include "linear/shared_values.h"
#include "linear/tile_vectors.h"

namespace spindrift {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Where the first value is that is not a number or infinite, for the report.
template <int Dim>
std::string first_bad_value(const char* name, const Field<float, Dim>& field) {
    for (std::size_t n = 0; n < field.values().size(); ++n) {
        const float value = field.values()[n];
        if (std::isfinite(value)) continue;
        const auto slot = static_cast<Slot>(n / kTileCells<Dim>);
        const Index<Dim> cell = field.tiles().origin(slot) + cell_in_tile<Dim>(static_cast<int>(n % kTileCells<Dim>));
        std::string place;
        for (int a = 0; a < Dim; ++a) place += fmt::format("{}{}", a > 0 ? ", " : "", cell[a]);
        return fmt::format("{} is {} at cell ({})", name, value, place);
    }
    return fmt::format("{} is too large for its norm to be finite", name);
}

// What cells without an unknown hold does not matter.
template <int Dim>
std::string bad_right_side(Field<float, Dim>& scratch, const Field<float, Dim>& b, const PoissonOperator<Dim>& a) {
    copy(scratch, b);
    a.keep_unknowns(scratch);
    return first_bad_value("the right side", scratch);
}

// The space conjugate gradients works in: fields on tiles, A, and one of the preconditioners.
template <int Dim>
struct TileSpace {
    using Vector = Field<float, Dim>;
    const PoissonOperator<Dim>& a;
    const NullSpace<Dim>& null_space;
    const std::vector<CellGroup>& shared;
    Vector& scratch;
    std::optional<Multigrid<Dim>> multigrid{};
    std::optional<IncompleteCholesky<Dim>> cholesky{};

    double apply(Vector& q, const Vector& p) {
        const double product = a.apply(q, p);
        average_over(shared, q);
        return product;
    }
    double precondition(Vector& z, const Vector& r) {
        if (multigrid)
            multigrid->apply(z, r, scratch);
        else if (cholesky)
            cholesky->apply(z, r);
        else
            copy(z, r);
        average_over(shared, z);
        null_space.remove_means(z);  // constants do not change A z, but would drown it in rounding
        return dot(r, z);
    }
    double advance(Vector& x, Vector& r, double alpha, const Vector& p, const Vector& q) {
        return advance_pair(x, r, static_cast<float>(alpha), p, q);
    }
    void turn(Vector& p, const Vector& z, double beta) {
        if (beta == 0)
            copy(p, z);
        else
            axpby(p, 1.0F, z, static_cast<float>(beta));
    }
};

// Below this ‖b‖² the products of what is left of b fall below what a float holds.
constexpr double kSmallSquare = 1e-18;

// r = the right side with what cannot be solved for taken out; returns its square.
template <int Dim>
double compatible_right_side(Field<float, Dim>& r, const Field<float, Dim>& b, const PoissonOperator<Dim>& a,
                             const NullSpace<Dim>& null_space, const std::vector<CellGroup>& shared) {
    copy(r, b);
    a.keep_unknowns(r);
    average_over(shared, r);
    null_space.remove_means(r);
    return dot(r, r);
}

// Makes x a first guess and turns r from the right side into its residual; returns the residual's square, which is not
// finite if x is not.  A guess whose residual exceeds the right side is worse than zero; one that exceeds it by far, as
// the last step's pressure where nothing changes any more, cannot lead to a small relative residual: its rounding alone
// is larger.
template <int Dim>
double start_from(Field<float, Dim>& x, Field<float, Dim>& r, Field<float, Dim>& scratch, const PoissonOperator<Dim>& a,
                  const std::vector<CellGroup>& shared, double b_squared) {
    if (b_squared == 0) {
        x.fill(0);
        return 0;
    }
    a.keep_unknowns(x);
    average_over(shared, x);
    double r_squared = a.residual(scratch, r, x);
    if (!shared.empty()) {
        average_over(shared, scratch);
        r_squared = dot(scratch, scratch);
    }
    if (!std::isfinite(r_squared)) return r_squared;
    if (r_squared >= b_squared) {
        x.fill(0);
        return b_squared;
    }
    std::swap(r, scratch);
    return r_squared;
}

// ‖b − A x‖ / ‖b‖ of x as it stands, in single precision.
template <int Dim>
double measured_residual(Field<float, Dim>& scratch, const Field<float, Dim>& b, const PoissonOperator<Dim>& a,
                         const Field<float, Dim>& x, const NullSpace<Dim>& null_space,
                         const std::vector<CellGroup>& shared, double b_squared) {
    if (b_squared == 0) return 0;
    double squared = a.residual(scratch, b, x);
    if (null_space.region_count() > 0 || !shared.empty()) {
        average_over(shared, scratch);
        null_space.remove_means(scratch);
        squared = dot(scratch, scratch);
    }
    return std::sqrt(squared / b_squared);
}

}  // namespace

template <int Dim>
SolveReport PoissonSolver<Dim>::solve(Field<float, Dim>& x, const Field<float, Dim>& b, const PoissonOperator<Dim>& a,
                                      const SolveOptions& options) {
    check_same_tiles("solve", "the operator", a.tiles(), "x", x.tiles());
    check_same_tiles("solve", "the operator", a.tiles(), "b", b.tiles());
    const Clock::time_point start = Clock::now();
    SolveReport report;
    if (r_.empty() || !same_tiles(r_.tiles(), a.tiles()))
        for (Field<float, Dim>* field : {&r_, &p_, &z_, &q_}) *field = Field<float, Dim>(a.tiles_ptr());

    // The residual of the first guess.
    const NullSpace<Dim> null_space(a);
    report.regions_made_compatible = null_space.region_count();
    const std::vector<CellGroup> none;
    const std::vector<CellGroup>& shared = options.shared != nullptr ? *options.shared : none;
    const double b_squared = compatible_right_side(r_, b, a, null_space, shared);
    if (!std::isfinite(b_squared)) {
        report.failure = bad_right_side(r_, b, a);
        report.seconds = seconds_since(start);
        return report;
    }
    if (0 < b_squared && b_squared < kSmallSquare) return solve_in_own_units(x, b, a, options, std::sqrt(b_squared));
    double r_squared = start_from(x, r_, q_, a, shared, b_squared);
    if (!std::isfinite(r_squared)) {
        report.failure = first_bad_value("the first guess", x);
        report.seconds = seconds_since(start);
        return report;
    }

    TileSpace<Dim> space{a, null_space, shared, q_};
    if (options.preconditioner == Preconditioner::multigrid) space.multigrid.emplace(a, options.multigrid);
    if (options.preconditioner == Preconditioner::incomplete_cholesky) space.cholesky.emplace(a);
    bytes_ = 6 * x.bytes() + a.bytes() + a.tiles().bytes() + null_space.bytes() +
             (space.multigrid ? space.multigrid->bytes() : 0) + (space.cholesky ? space.cholesky->bytes() : 0);

    const double target = options.tolerance * options.tolerance * b_squared;
    if (r_squared > target) {
        const KrylovResult krylov = conjugate_gradients(space, x, r_, p_, z_, q_, target, options.max_iterations);
        report.iterations = krylov.iterations;
        if (krylov.broke_down) report.failure = "conjugate gradients broke down: the operator is not positive";
        if (krylov.iterations > 0) r_squared = krylov.residual_squared;
    }
    null_space.remove_means(x);
    report.converged = r_squared <= target;
    report.residual = b_squared > 0 ? std::sqrt(r_squared / b_squared) : 0;
    report.measured_residual = measured_residual(r_, b, a, x, null_space, shared, b_squared);
    report.seconds = seconds_since(start);
    return report;
}

// A power of two loses no digits.
template <int Dim>
SolveReport PoissonSolver<Dim>::solve_in_own_units(Field<float, Dim>& x, const Field<float, Dim>& b,
                                                   const PoissonOperator<Dim>& a, const SolveOptions& options,
                                                   double norm) {
    const int exponent = std::ilogb(norm);
    Field<float, Dim> scaled = b;
    transform_values(scaled, [exponent](float v) { return std::ldexp(v, -exponent); });
    x.fill(0);
    const SolveReport report = solve(x, scaled, a, options);
    transform_values(x, [exponent](float v) { return std::ldexp(v, exponent); });
    return report;
}

template <int Dim>
SolveReport solve_by_relaxation(Field<float, Dim>& x, const Field<float, Dim>& b, const PoissonOperator<Dim>& a,
                                const RelaxationOptions& options) {
    check_same_tiles("relaxation", "the operator", a.tiles(), "x", x.tiles());
    check_same_tiles("relaxation", "the operator", a.tiles(), "b", b.tiles());
    CHECK(options.weight > 0 && options.weight < 2, "relaxation: the weight is {}; it must lie between 0 and 2",
          options.weight);
    const Clock::time_point start = Clock::now();
    SolveReport report;
    const NullSpace<Dim> null_space(a);
    report.regions_made_compatible = null_space.region_count();
    Field<float, Dim> right(a.tiles_ptr()), other(a.tiles_ptr());
    const double b_squared = compatible_right_side(right, b, a, null_space, {});
    if (!std::isfinite(b_squared)) {
        report.failure = bad_right_side(right, b, a);
        report.seconds = seconds_since(start);
        return report;
    }
    const double target = options.tolerance * options.tolerance * b_squared;
    constexpr int kSweepsPerCheck = 8;
    // Slow is not halted: even a thousand cells across, the slowest error still shrinks by more than this between
    // checks.
    constexpr double kNoProgress = 0.99999;
    constexpr int kPatience = 16;
    int halted = 0;
    Field<float, Dim> first = right;
    double r_squared = start_from(x, first, other, a, {}, b_squared);
    if (!std::isfinite(r_squared)) {
        report.failure = first_bad_value("the first guess", x);
        report.seconds = seconds_since(start);
        return report;
    }
    while (r_squared > target && report.iterations < options.max_iterations) {
        for (int sweep = 0; sweep < kSweepsPerCheck && report.iterations < options.max_iterations; ++sweep) {
            a.relax(other, x, right, Colour::red, options.weight);
            a.relax(x, other, right, Colour::black, options.weight);
            ++report.iterations;
        }
        const double before = r_squared;
        r_squared = a.residual(other, right, x);
        if (!std::isfinite(r_squared)) {
            report.failure = first_bad_value("the solution", x);
            break;
        }
        halted = r_squared > kNoProgress * before ? halted + 1 : 0;
        if (r_squared > target && halted == kPatience) {
            report.failure = "relaxation came to a halt: single precision holds no better solution";
            break;
        }
    }
    null_space.remove_means(x);
    report.converged = r_squared <= target;
    report.residual = b_squared > 0 ? std::sqrt(r_squared / b_squared) : 0;
    report.measured_residual = report.residual;
    report.seconds = seconds_since(start);
    return report;
}

template class PoissonSolver<2>;
template class PoissonSolver<3>;
template SolveReport solve_by_relaxation(Field<float, 2>&, const Field<float, 2>&, const PoissonOperator<2>&,
                                         const RelaxationOptions&);
template SolveReport solve_by_relaxation(Field<float, 3>&, const Field<float, 3>&, const PoissonOperator<3>&,
                                         const RelaxationOptions&);

}  // namespace spindrift
