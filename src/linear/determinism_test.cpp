// SPDX-License-Identifier: Apache-2.0
// Same bits on any number of threads and with every instruction set, for all that works on a system.
#include <functional>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "base/simd.h"
#include "grid/measure.h"
#include "linear/fourier.h"
#include "linear/incomplete_cholesky.h"
#include "linear/model_problems.h"
#include "linear/null_space.h"
#include "linear/poisson_solver.h"
#include "linear/test_support.h"
#include "linear/tile_vectors.h"

namespace spindrift {
namespace {

template <class T>
class LinearDeterminism : public ::testing::Test {};
TYPED_TEST_SUITE(LinearDeterminism, Dimensions);

using Hashes = std::map<std::string, std::uint64_t>;

template <int Dim>
void hash_report(Hasher& hasher, const SolveReport& report, const Field<float, Dim>& x) {
    hasher.add(report.converged).add(report.iterations).add(report.residual).add(report.measured_residual);
    hasher.add(state_hash(x));
}

template <int Dim>
void add_operator(Hashes& hashes, const std::string& of, const PoissonOperator<Dim>& a) {
    const Field<float, Dim> x = random_field<Dim>(a.tiles_ptr(), 1), b = random_field<Dim>(a.tiles_ptr(), 2);
    Field<float, Dim> y(a.tiles_ptr());
    hashes[of + " apply"] = Hasher().add(a.apply(y, x)).add(state_hash(y)).digest();
    hashes[of + " residual"] = Hasher().add(a.residual(y, b, x)).add(state_hash(y)).digest();
    for (const float weight : {1.0F, 1.7F}) {
        a.relax(y, x, b, Colour::red, weight);
        hashes[of + fmt::format(" relax {}", weight)] = state_hash(y);
    }
    a.relax_zero(y, b, Colour::black);
    hashes[of + " relax_zero"] = state_hash(y);
    y = x;
    a.keep_unknowns(y);
    hashes[of + " keep_unknowns"] = state_hash(y);
    NullSpace<Dim>(a).remove_means(y);
    hashes[of + " remove_means"] = state_hash(y);

    Field<float, Dim> scratch(a.tiles_ptr());
    Multigrid<Dim>(a).apply(y, b, scratch);
    hashes[of + " cycle"] = state_hash(y);
    IncompleteCholesky<Dim>(a).apply(y, b);
    hashes[of + " cholesky"] = state_hash(y);

    Field<float, Dim> p = x, r = b;
    hashes[of + " dot"] = Hasher().add(dot(x, b)).digest();
    hashes[of + " advance_pair"] =
        Hasher().add(advance_pair(p, r, 0.3F, b, x)).add(state_hash(p)).add(state_hash(r)).digest();
    axpby(p, 0.7F, b, -0.2F);
    hashes[of + " axpby"] = state_hash(p);
}

template <int Dim>
void add_solvers(Hashes& hashes, const std::string& of, const PoissonOperator<Dim>& a, const Field<float, Dim>& b) {
    const auto add = [&](const std::string& name, auto&& solve) {
        Field<float, Dim> x(a.tiles_ptr());
        Hasher hasher;
        const SolveReport report = solve(x);
        hash_report(hasher, report, x);
        hashes[of + " " + name] = hasher.digest();
    };
    add("multigrid", [&](auto& x) { return solve_poisson(x, b, a); });
    add("incomplete Cholesky", [&](auto& x) {
        return solve_poisson(x, b, a, {.max_iterations = 30, .preconditioner = Preconditioner::incomplete_cholesky});
    });
    add("no preconditioner", [&](auto& x) {
        return solve_poisson(x, b, a, {.max_iterations = 30, .preconditioner = Preconditioner::none});
    });
    add("relaxation", [&](auto& x) { return solve_by_relaxation(x, b, a, {.max_iterations = 30}); });
}

// From the fields up: operators are made anew each time.
template <int Dim>
Hashes everything() {
    Hashes hashes;
    const System<Dim> system = random_system<Dim>(1, 0.0F);
    add_operator(hashes, "random", system.make_operator());
    const ModelProblem<Dim> dam = dam_problem<Dim>(Dim == 2 ? 320 : 40);
    const PoissonOperator<Dim> a = free_surface_operator(dam.level, dam.open);
    add_operator(hashes, "dam", a);
    add_solvers(hashes, "dam", a, dam.right_side);
    const ModelProblem<Dim> closed = closed_problem<Dim>(Dim == 2 ? 300 : 36);
    add_solvers(hashes, "closed", free_surface_operator(closed.level, closed.open), closed.right_side);
    if (FourierSolver<Dim>::available()) {
        typename FourierSolver<Dim>::Sides sides;
        sides.fill({FourierSide::closed, FourierSide::fixed_centre});
        Field<float, Dim> x(closed.right_side.tiles_ptr());
        EXPECT_TRUE(FourierSolver<Dim>(closed.box, sides).solve(x, closed.right_side).converged);
        hashes["fourier"] = state_hash(x);
    }
    return hashes;
}

TYPED_TEST(LinearDeterminism, BitsDoNotDependOnThreads) {
    expect_same_on_any_threads([] { return everything<TypeParam::kDim>(); });
}

TYPED_TEST(LinearDeterminism, BitsDoNotDependOnTheInstructionSet) {
    const InstructionSet best = instruction_set();
    if (best == InstructionSet::baseline) GTEST_SKIP() << "this machine or build has one set only";
    Hashes with_best = everything<TypeParam::kDim>();
    ASSERT_EQ(set_instruction_set(InstructionSet::baseline), InstructionSet::baseline);
    Hashes with_baseline = everything<TypeParam::kDim>();
    set_instruction_set(best);
    // The Fourier library picks its own instructions.
    with_best.erase("fourier");
    with_baseline.erase("fourier");
    EXPECT_EQ(with_best, with_baseline);
}

// A solver keeps its working fields from one solve to the next: what they held must not show.
TYPED_TEST(LinearDeterminism, BitsDoNotDependOnEarlierSolves) {
    constexpr int Dim = TypeParam::kDim;
    const ModelProblem<Dim> dam = dam_problem<Dim>(32), other = closed_problem<Dim>(24);
    const PoissonOperator<Dim> a = free_surface_operator(dam.level, dam.open);
    const PoissonOperator<Dim> b = free_surface_operator(other.level, other.open);
    Field<float, Dim> first(a.tiles_ptr()), x(b.tiles_ptr()), second(a.tiles_ptr());
    PoissonSolver<Dim> solver;
    EXPECT_TRUE(solver.solve(first, dam.right_side, a).converged);
    EXPECT_TRUE(solver.solve(x, other.right_side, b).converged);
    const SolveOptions plain{.max_iterations = 1000, .preconditioner = Preconditioner::none};
    EXPECT_TRUE(solver.solve(second, dam.right_side, a, plain).converged);
    second.fill(0);
    EXPECT_TRUE(solver.solve(second, dam.right_side, a).converged);
    EXPECT_EQ(state_hash(first), state_hash(second));
}

}  // namespace
}  // namespace spindrift
