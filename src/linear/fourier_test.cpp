// SPDX-License-Identifier: Apache-2.0
#include "linear/fourier.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/random.h"
#include "base/simd.h"

namespace spindrift {
namespace {

using enum FourierSide;
constexpr Purpose kRightSide{"fourier_test right side"};
constexpr double kPi = std::numbers::pi;

class Fourier : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!FourierSolver<2>::available()) GTEST_SKIP() << "this build lacks FFTW";
    }
};

struct Pair {
    FourierSide below, above;
};
constexpr Pair kPairs[] = {{periodic, periodic},        {closed, closed},       {closed, fixed_face},
                           {closed, fixed_centre},      {fixed_face, closed},   {fixed_face, fixed_face},
                           {fixed_face, fixed_centre},  {fixed_centre, closed}, {fixed_centre, fixed_face},
                           {fixed_centre, fixed_centre}};

template <int Dim>
typename FourierSolver<Dim>::Sides all_sides(FourierSide below, FourierSide above) {
    typename FourierSolver<Dim>::Sides sides;
    sides.fill({below, above});
    return sides;
}

template <int Dim>
std::string text(const typename FourierSolver<Dim>::Sides& sides) {
    std::string out;
    for (const auto& [below, above] : sides) out += fmt::format("{} to {}; ", name(below), name(above));
    return out;
}

template <int Dim>
float noise(const Index<Dim>& cell) {
    std::uint64_t id = 0;
    for (int a = 0; a < Dim; ++a) id = id << 20 | static_cast<std::uint32_t>(cell[a] + 1000);
    return Random(1, id, 0, kRightSide).uniform(-1.0F, 1.0F);
}

template <int Dim>
Field<float, Dim> noise_on(const IndexBox<Dim>& box) {
    Field<float, Dim> b(Tiles<Dim>::covering(box));
    assign(b, [](const Index<Dim>& cell) { return noise(cell); });
    return b;
}

// A second opinion on the residual, cell by cell from the definition of the operator.
template <int Dim>
double residual_by_definition(const Field<float, Dim>& x, const Field<float, Dim>& b, const IndexBox<Dim>& box,
                              const typename FourierSolver<Dim>::Sides& sides, double mass, double mean) {
    double rr = 0, bb = 0;
    for_each_index(box, [&](const Index<Dim>& cell) {
        const double own = x.at(cell);
        double r = b.at(cell) - mean - mass * own;
        for (int a = 0; a < Dim; ++a)
            for (const int step : {-1, 1}) {
                Index<Dim> beside = cell;
                beside[a] += step;
                if (box.contains(beside)) {
                    r -= own - x.at(beside);
                    continue;
                }
                beside[a] = step < 0 ? box.hi[a] - 1 : box.lo[a];
                const FourierSide side = sides[static_cast<std::size_t>(a)][step < 0 ? 0 : 1];
                r -= side == periodic ? own - x.at(beside) : side == closed ? 0 : side == fixed_face ? 2 * own : own;
            }
        rr += r * r;
        bb += (b.at(cell) - mean) * (b.at(cell) - mean);
    });
    return std::sqrt(rr / bb);
}

template <int Dim>
void expect_solved(const IndexBox<Dim>& box, const typename FourierSolver<Dim>::Sides& sides, float mass) {
    const Field<float, Dim> b = noise_on(box);
    Field<float, Dim> x(b.tiles_ptr());
    const SolveReport report = FourierSolver<Dim>(box, sides).solve(x, b, mass);
    double mean = 0, cells = 0;
    if (report.regions_made_compatible > 0) {
        for_each_index(box, [&](const Index<Dim>& cell) { mean += b.at(cell), ++cells; });
        mean /= cells;
    }
    const std::string where = fmt::format("{}mass {}", text<Dim>(sides), mass);
    EXPECT_TRUE(report.converged) << where;
    EXPECT_EQ(report.failure, "") << where;
    EXPECT_LE(report.residual, 1e-5) << where;
    EXPECT_NEAR(residual_by_definition(x, b, box, sides, mass, mean), report.residual, 1e-9) << where;
}

// Every pair of sides on every axis, in a box that starts and ends inside tiles, on both sides of the origin.
TEST_F(Fourier, SolvesTheDiscreteSystemForEveryMixtureOfSides2D) {
    const IndexBox<2> box{{-13, -3}, {6, 20}};
    for (const auto& [below0, above0] : kPairs)
        for (const auto& [below1, above1] : kPairs)
            for (const float mass : {0.0F, 0.7F}) expect_solved<2>(box, {{{below0, above0}, {below1, above1}}}, mass);
}

TEST_F(Fourier, SolvesTheDiscreteSystemForEveryMixtureOfSides3D) {
    const IndexBox<3> box{{-5, -9, 3}, {6, 4, 20}};
    for (const auto& [below0, above0] : kPairs)
        for (const auto& [below1, above1] : kPairs)
            for (const auto& [below2, above2] : kPairs)
                expect_solved<3>(box, {{{below0, above0}, {below1, above1}, {below2, above2}}}, 0);
}

TEST_F(Fourier, SolvesAcrossManyLengths) {
    for (const auto& [below, above] : kPairs)
        for (int n = 1; n <= 40; ++n) {
            expect_solved<2>({{2, -7}, {3 + n % 3, -7 + n}}, all_sides<2>(below, above), 0.3F);
            expect_solved<2>({{-7, 2}, {-7 + n, 3 + n % 3}}, all_sides<2>(below, above), 0.3F);
        }
}

TEST_F(Fourier, SolvesOnThinBoxes) {
    for (const auto& [below, above] : kPairs) {
        expect_solved<3>({{0, 0, 0}, {1, 1, 50}}, all_sides<3>(below, above), 0.1F);
        expect_solved<3>({{0, 0, 0}, {1, 50, 1}}, all_sides<3>(below, above), 0.1F);
        expect_solved<3>({{0, 0, 0}, {50, 1, 1}}, all_sides<3>(below, above), 0.1F);
        expect_solved<3>({{-1, 7, 8}, {0, 8, 9}}, all_sides<3>(below, above), 0.1F);
        expect_solved<2>({{-1, 7}, {0, 8}}, all_sides<2>(below, above), 0.1F);
    }
}

// One cell between walls: each wall adds to the diagonal 0, 2 or 1.
TEST_F(Fourier, SingleCellHasTheDiagonalOfItsWalls) {
    const IndexBox<2> box{{4, -2}, {5, -1}};
    Field<float, 2> b(Tiles<2>::covering(box)), x(b.tiles_ptr());
    b.ref({4, -2}) = 6;
    EXPECT_TRUE(FourierSolver<2>(box, {{{closed, fixed_face}, {fixed_centre, fixed_centre}}}).solve(x, b, 2).converged);
    EXPECT_NEAR(x.at({4, -2}), 6.0 / (2 + 2 + 1 + 1), 1e-6);
}

// The largest error over the box against u = Π of one function per axis that keeps to the sides, in a unit box.
template <int Dim>
double error_of_smooth_solution(int n, FourierSide below, FourierSide above) {
    const double dx = 1.0 / n;
    // The wave number, and the function of s in [0, 1] that goes with it.
    const bool mixed = (below == closed) != (above == closed);
    const double k = below == periodic ? 2 * kPi : mixed ? kPi / 2 : kPi;
    const auto along = [&](double s) { return below == closed ? std::cos(k * s) : std::sin(k * s); };
    // Where a wall lies at a cell's centre, that centre is at 0 or 1 and the box has one cell less there.
    const auto place = [&](int cell) { return (cell + (below == fixed_centre ? 1.0 : 0.5)) * dx; };
    const bool centres = below == fixed_centre && above == fixed_centre;
    const IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(centres ? n - 1 : n)};
    const auto exact = [&](const Index<Dim>& cell) {
        double u = 1;
        for (int a = 0; a < Dim; ++a) u *= along(place(cell[a]));
        return u;
    };
    Field<float, Dim> b(Tiles<Dim>::covering(box)), x(b.tiles_ptr());
    assign(b, [&](const Index<Dim>& cell) {
        const double u = exact(cell);
        return static_cast<float>(u * Dim * k * k * dx * dx);
    });
    EXPECT_TRUE(FourierSolver<Dim>(box, all_sides<Dim>(below, above)).solve(x, b).converged);
    double error = 0;
    for_each_index(box, [&](const Index<Dim>& cell) { error = std::max(error, std::abs(x.at(cell) - exact(cell))); });
    return error;
}

template <int Dim>
void expect_second_order() {
    constexpr Pair kExact[] = {{periodic, periodic}, {closed, closed},         {closed, fixed_face},
                               {fixed_face, closed}, {fixed_face, fixed_face}, {fixed_centre, fixed_centre}};
    for (const auto& [below, above] : kExact) {
        const double coarse = error_of_smooth_solution<Dim>(12, below, above);
        const double fine = error_of_smooth_solution<Dim>(24, below, above);
        EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15) << name(below) << " to " << name(above);
        EXPECT_LT(fine, 0.01) << name(below) << " to " << name(above);
    }
}
TEST_F(Fourier, SmoothSolutionsConvergeAtSecondOrder2D) { expect_second_order<2>(); }
TEST_F(Fourier, SmoothSolutionsConvergeAtSecondOrder3D) { expect_second_order<3>(); }

// A plane problem, extruded along a closed or periodic axis, has the plane's solution in each slice.
TEST_F(Fourier, ExtrusionGivesThePlaneSolutionInEachSlice) {
    const IndexBox<2> plane{{-4, 3}, {15, 14}};
    const Field<float, 2> b2 = noise_on(plane);
    Field<float, 2> x2(b2.tiles_ptr());
    EXPECT_TRUE(FourierSolver<2>(plane, {{{closed, fixed_centre}, {periodic, periodic}}}).solve(x2, b2).converged);

    for (int extruded = 0; extruded < 3; ++extruded) {
        const auto flat = [&](const Index<3>& c) {
            return extruded == 0 ? Index<2>(c[1], c[2]) : extruded == 1 ? Index<2>(c[0], c[2]) : Index<2>(c[0], c[1]);
        };
        IndexBox<3> box;
        FourierSolver<3>::Sides sides;
        const int first = extruded == 0 ? 1 : 0, second = extruded == 2 ? 1 : 2;
        box.lo[extruded] = -1, box.hi[extruded] = 5;
        box.lo[first] = plane.lo[0], box.hi[first] = plane.hi[0];
        box.lo[second] = plane.lo[1], box.hi[second] = plane.hi[1];
        sides.fill({closed, closed});
        sides[static_cast<std::size_t>(first)] = {closed, fixed_centre};
        sides[static_cast<std::size_t>(second)] = {periodic, periodic};
        Field<float, 3> b(Tiles<3>::covering(box)), x(b.tiles_ptr());
        assign(b, [&](const Index<3>& cell) { return b2.at(flat(cell)); });
        EXPECT_TRUE(FourierSolver<3>(box, sides).solve(x, b).converged);
        for_each_index(box, [&](const Index<3>& cell) {
            EXPECT_NEAR(x.at(cell), x2.at(flat(cell)), 1e-4) << "extruded along axis " << extruded;
        });
    }
}

// Axes relabelled in the input are relabelled in the output.
TEST_F(Fourier, AxisPermutationPermutesTheSolution) {
    const IndexBox<3> box{{0, -3, 5}, {9, 14, 17}};
    const FourierSolver<3>::Sides sides = {{{closed, fixed_face}, {periodic, periodic}, {fixed_centre, fixed_centre}}};
    const Field<float, 3> b = noise_on(box);
    Field<float, 3> x(b.tiles_ptr());
    EXPECT_TRUE(FourierSolver<3>(box, sides).solve(x, b).converged);
    for (const std::array<int, 3> from : {std::array{1, 2, 0}, std::array{2, 0, 1}, std::array{2, 1, 0}}) {
        IndexBox<3> turned_box;
        FourierSolver<3>::Sides turned_sides;
        for (int a = 0; a < 3; ++a) {
            const int f = from[static_cast<std::size_t>(a)];
            turned_box.lo[a] = box.lo[f], turned_box.hi[a] = box.hi[f];
            turned_sides[static_cast<std::size_t>(a)] = sides[static_cast<std::size_t>(f)];
        }
        const auto original = [&](const Index<3>& turned) {
            Index<3> cell;
            for (int a = 0; a < 3; ++a) cell[from[static_cast<std::size_t>(a)]] = turned[a];
            return cell;
        };
        Field<float, 3> turned_b(Tiles<3>::covering(turned_box)), turned_x(turned_b.tiles_ptr());
        assign(turned_b, [&](const Index<3>& cell) { return b.at(original(cell)); });
        EXPECT_TRUE(FourierSolver<3>(turned_box, turned_sides).solve(turned_x, turned_b).converged);
        for_each_index(turned_box,
                       [&](const Index<3>& cell) { EXPECT_NEAR(turned_x.at(cell), x.at(original(cell)), 2e-5); });
    }
}

template <int Dim>
void expect_null_space_handled(FourierSide side) {
    const IndexBox<Dim> box{Index<Dim>(-3), Index<Dim>(10)};
    Field<float, Dim> b(Tiles<Dim>::covering(box)), x(b.tiles_ptr()), x_shifted(b.tiles_ptr());
    assign(b, [](const Index<Dim>& cell) { return noise(cell); });
    FourierSolver<Dim> solver(box, all_sides<Dim>(side, side));
    EXPECT_EQ(solver.solve(x, b).regions_made_compatible, 1U);
    double mean = 0;
    for_each_index(box, [&](const Index<Dim>& cell) { mean += x.at(cell); });
    EXPECT_NEAR(mean / static_cast<double>(product(box.size())), 0, 1e-6);

    // A constant added to the right side is what is removed: the solution stays.
    assign(b, [](const Index<Dim>& cell) { return noise(cell) + 8; });
    const SolveReport report = solver.solve(x_shifted, b);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.residual, 1e-5);
    for_each_index(box, [&](const Index<Dim>& cell) { EXPECT_NEAR(x_shifted.at(cell), x.at(cell), 1e-4); });

    // With mass, or a fixed side, there is nothing to remove.
    EXPECT_EQ(solver.solve(x, b, 0.5F).regions_made_compatible, 0U);
    typename FourierSolver<Dim>::Sides one_fixed = all_sides<Dim>(closed, closed);
    one_fixed[Dim - 1][1] = fixed_face;
    EXPECT_EQ(FourierSolver<Dim>(box, one_fixed).solve(x, b).regions_made_compatible, 0U);
}
TEST_F(Fourier, MeanIsRemovedWhereNoSideIsFixed) {
    expect_null_space_handled<2>(closed);
    expect_null_space_handled<3>(closed);
    expect_null_space_handled<2>(periodic);
    expect_null_space_handled<3>(periodic);
}

TEST_F(Fourier, ConstantOrZeroRightSideOfAClosedBoxGivesZero) {
    const IndexBox<3> box{{0, 0, 0}, {9, 10, 11}};
    FourierSolver<3> solver(box, all_sides<3>(closed, closed));
    for (const float value : {0.0F, 0.1F}) {
        Field<float, 3> b(Tiles<3>::covering(box), value), x(b.tiles_ptr(), 5.0F);
        const SolveReport report = solver.solve(x, b);
        EXPECT_TRUE(report.converged);
        EXPECT_LT(report.residual, 1e-6);
        for_each_index(box, [&](const Index<3>& cell) { EXPECT_NEAR(x.at(cell), 0, 1e-7); });
    }
}

// What is left of a velocity that has come to rest may be smaller than any normal float.
TEST_F(Fourier, RightSidesOfAnySizeConverge) {
    const IndexBox<2> box{{0, 0}, {16, 17}};
    for (const FourierSide side : {closed, fixed_face})
        for (int exponent = 0; exponent <= 45; exponent += 3) {
            Field<float, 2> b = noise_on(box), x(b.tiles_ptr());
            const auto size = static_cast<float>(std::pow(10.0, -exponent));
            for (float& value : b.values()) value *= size;
            const SolveReport report = FourierSolver<2>(box, all_sides<2>(side, side)).solve(x, b);
            EXPECT_TRUE(report.converged) << "right side of 1e-" << exponent << ", residual " << report.residual;
        }
}

TEST_F(Fourier, CellsOutsideTheBoxAreNeitherReadNorWritten) {
    const IndexBox<2> box{{1, 2}, {14, 13}};
    Field<float, 2> b(Tiles<2>::covering({{-8, -8}, {24, 24}})), x(b.tiles_ptr(), 3.0F);
    assign(b, [&](const Index<2>& c) { return box.contains(c) ? noise(c) : std::numeric_limits<float>::quiet_NaN(); });
    EXPECT_TRUE(FourierSolver<2>(box, all_sides<2>(fixed_face, closed)).solve(x, b).converged);
    for_each_index(b.tiles().cell_bounds(), [&](const Index<2>& c) {
        if (!box.contains(c)) {
            EXPECT_EQ(x.at(c), 3.0F);
        }
    });
}

TEST_F(Fourier, RightSideThatIsNotFiniteIsNamedAndNothingIsWritten) {
    const IndexBox<3> box{{-2, 0, 0}, {9, 10, 11}};
    FourierSolver<3> solver(box, all_sides<3>(closed, fixed_face));
    Field<float, 3> b = noise_on(box), x(b.tiles_ptr(), 2.0F);
    b.ref({-1, 9, 10}) = std::numeric_limits<float>::quiet_NaN();
    const SolveReport with_nan = solver.solve(x, b);
    EXPECT_FALSE(with_nan.converged);
    EXPECT_EQ(with_nan.failure, "the right side is nan at cell (-1, 9, 10)");
    EXPECT_EQ(x.at({0, 0, 0}), 2.0F);

    b.ref({-1, 9, 10}) = -std::numeric_limits<float>::infinity();
    EXPECT_EQ(solver.solve(x, b).failure, "the right side is -inf at cell (-1, 9, 10)");

    // The solver is as good as before.
    b.ref({-1, 9, 10}) = 0;
    EXPECT_LE(solver.solve(x, b).residual, 1e-5);
}

TEST_F(Fourier, SolutionBeyondFloatsIsAFailureAndLeavesNoTrace) {
    const IndexBox<2> box{{0, 0}, {20, 20}};
    FourierSolver<2> solver(box, all_sides<2>(fixed_face, fixed_face));
    Field<float, 2> b(Tiles<2>::covering(box), 3e38F), x(b.tiles_ptr());
    const SolveReport report = solver.solve(x, b);
    EXPECT_FALSE(report.converged);
    EXPECT_EQ(report.failure, "the solution is too large for a float");
    b.fill(1);
    EXPECT_LE(solver.solve(x, b).residual, 1e-5);
}

template <int Dim>
void expect_same_bits_on_any_number_of_threads(const IndexBox<Dim>& box) {
    const int before = thread_count();
    const Field<float, Dim> b = noise_on(box);
    for (const auto& [below, above] : kPairs) {
        Hash128 expected;
        double expected_residual = 0;
        for (const int threads : {1, 2, 3, 7}) {
            set_thread_count(threads);
            Field<float, Dim> x(b.tiles_ptr());
            const SolveReport report = FourierSolver<Dim>(box, all_sides<Dim>(below, above)).solve(x, b);
            const Hash128 hash = hash128_bytes(std::as_bytes(x.values()));
            if (threads == 1) expected = hash, expected_residual = report.residual;
            EXPECT_EQ(hash, expected) << threads << " threads, " << name(below) << " to " << name(above);
            EXPECT_EQ(report.residual, expected_residual) << threads << " threads";
        }
    }
    set_thread_count(before);
}
TEST_F(Fourier, BitsDoNotDependOnThreads) {
    expect_same_bits_on_any_number_of_threads<2>({{-5, 3}, {150, 100}});
    expect_same_bits_on_any_number_of_threads<3>({{-5, 3, 1}, {30, 40, 35}});
}

// FFTW chooses its own instructions by machine; what stands around it must not add to that.
TEST_F(Fourier, OwnKernelsGiveTheSameBitsOnEveryInstructionSet) {
    const InstructionSet before = instruction_set();
    const IndexBox<3> box{{-5, 3, 1}, {30, 40, 35}};
    const Field<float, 3> b = noise_on(box);
    for (const auto& [below, above] : kPairs) {
        Hash128 hashes[2];
        double residuals[2];
        for (const int i : {0, 1}) {
            set_instruction_set(i == 0 ? InstructionSet::baseline : InstructionSet::avx2);
            Field<float, 3> x(b.tiles_ptr());
            residuals[i] = FourierSolver<3>(box, all_sides<3>(below, above)).solve(x, b).residual;
            hashes[i] = hash128_bytes(std::as_bytes(x.values()));
        }
        EXPECT_EQ(hashes[0], hashes[1]) << name(below) << " to " << name(above);
        EXPECT_EQ(residuals[0], residuals[1]) << name(below) << " to " << name(above);
    }
    set_instruction_set(before);
}

TEST(FourierWithoutFftw, StopsAndSaysSo) {
    if (FourierSolver<2>::available()) GTEST_SKIP() << "this build has FFTW";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(FourierSolver<2>({{0, 0}, {8, 8}}, all_sides<2>(closed, closed)), "lacks FFTW");
}

TEST_F(Fourier, OnePeriodicSideIsRefused) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(FourierSolver<2>({{0, 0}, {8, 8}}, {{{periodic, closed}, {closed, closed}}}),
                 "periodic below and closed above");
}

}  // namespace
}  // namespace spindrift
