// SPDX-License-Identifier: Apache-2.0
#include "schemes/diffusion.h"

#include <gtest/gtest.h>

#include "gas/test_support.h"

namespace spindrift {
namespace {

template <class T>
class GasDiffusion : public ::testing::Test {};
TYPED_TEST_SUITE(GasDiffusion, Dimensions);

// Swirls in a thick gas die away, whatever the step and whatever the sides: where the explicit part of diffusion made
// rough patterns larger, advection turned them into smooth ones that the implicit part could not take back.
TYPED_TEST(GasDiffusion, ThickGasComesToRestInLongSteps) {
    constexpr int Dim = TypeParam::kDim;
    constexpr GasSettings kSharper{.splitting = Splitting::second_order, .scheme = AdvectionScheme::cubic};
    const int n = Dim == 2 ? 12 : 8;
    for (const SideKind kind : {SideKind::open, SideKind::prescribed, SideKind::slip})
        for (const double number : {1.0, 10.0, 100.0}) {  // viscosity dt / dx²
            GasWorld<Dim> w = gas_box<Dim>(n, TestSides::closed);
            for (auto& ends : w.domain.sides)
                for (DomainSide<Dim>& side : ends) side.kind = kind;
            const double dt = 0.5;  // over six cells at first
            w.viscosity = number / (dt * n * n);
            w.velocity_at_start = [](const Vec<double, Dim>& x) { return vector_noise<Dim>(x * 4.0, 0, 2); };
            StableFluids1999<Dim> method(std::move(w), kSharper);
            GasState<Dim> gas = method.initial_state();
            const double speed = largest_speed(gas);
            for (int step = 0; step < 40; ++step) {
                EXPECT_EQ(method.step(gas, dt).failure, "");
                ASSERT_LT(largest_speed(gas), 1.2 * speed) << "step " << step << ", " << number;
            }
            EXPECT_LT(largest_speed(gas), 0.5 * speed) << number;
        }
}

// A slot between two solid walls, in a periodic box: from `lo` to `hi` along y.
struct Slot1D {
    double lo, hi;
    double distance(double y) const { return std::min(y - lo, hi - y); }
    // From 0 at the lower wall to 1 at the upper one.
    double across(double y) const { return (y - lo) / (hi - lo); }
};

template <int Dim>
GasWorld<Dim> slot_world(int n, const Slot1D& slot) {
    GasWorld<Dim> w = gas_box<Dim>(n, TestSides::periodic);
    w.solids.distance = [slot](const Vec<double, Dim>& x, double) { return slot.distance(x[1]); };
    w.solids.nearest = [slot](const Vec<double, Dim>& x, double) { return slot.across(x[1]) < 0.5 ? 0 : 1; };
    return w;
}

template <int Dim>
WallValue<Dim> wall(WallValueKind kind, double value = 0) {
    return {kind, [value](const Vec<double, Dim>&, double) { return value; }, true};
}

// Largest difference of a field from a function of y, inside the slot.
template <int Dim>
double error_in_slot(const Field<float, Dim>& field, const GasWorld<Dim>& w, const Slot1D& slot,
                     const std::function<double(double)>& exact) {
    double most = 0;
    Index<Dim> cell(3);
    for (cell[1] = 0; cell[1] < w.domain.box.hi[1]; ++cell[1]) {
        const double y = w.domain.grid.world_of_centre(cell)[1];
        if (slot.distance(y) > 0) most = std::max(most, std::abs(field.at(cell) - exact(y)));
    }
    return most;
}

// Slots of one width, shifted by parts of a cell.
template <int Dim>
std::vector<Slot1D> shifted_slots(int n) {
    std::vector<double> shifts{0, 0.4, 0.49, 0.499, 0.5, 0.501, 0.51, 0.55, 0.59, 0.61, 0.7, 0.9};
    if (Dim == 3) shifts = {0.499, 0.52, 0.8};
    std::vector<Slot1D> slots;
    for (const double shift : shifts) slots.push_back({0.25 + shift / n, 0.25 + shift / n + 0.513});
    return slots;
}

// Poiseuille:  u = 4 s (1 − s),  s from wall to wall, with walls wherever in a cell.
template <int Dim>
std::array<double, 2> poiseuille_errors(int n, const Slot1D& slot) {
    GasWorld<Dim> w = slot_world<Dim>(n, slot);
    w.viscosity = 1;
    Force<Dim>& push = w.forces.emplace_back();
    const double f = 8 / ((slot.hi - slot.lo) * (slot.hi - slot.lo));
    push.acceleration = [f](const Vec<double, Dim>&, double) {
        Vec<double, Dim> a{};
        a[0] = f;
        return a;
    };
    push.is_uniform = true;
    StableFluids1999<Dim> method(std::move(w), {});
    GasState<Dim> gas = method.initial_state();
    for (int step = 0; step < 10; ++step) EXPECT_EQ(method.step(gas, 0.2).failure, "");
    const auto exact = [&](double y) { return 4 * slot.across(y) * (1 - slot.across(y)); };
    return {error_in_slot<Dim>(gas.velocity[0], method.world(), slot, exact),
            error_in_slot<Dim>(gas.velocity[0], method.world(), {slot.lo + 0.101 / n, slot.hi - 0.101 / n}, exact)};
}

TYPED_TEST(GasDiffusion, ChannelFlowIsOfSecondOrderWhereverTheWallsAre) {
    constexpr int Dim = TypeParam::kDim;
    for (const int n : {16, 32}) {
        if (Dim == 3 && n > 16) continue;
        for (const Slot1D& slot : shifted_slots<Dim>(n)) {
            const auto [all, solved] = poiseuille_errors<Dim>(n, slot);
            EXPECT_LT(all * n * n, 1.8) << n << " cells, wall at " << slot.lo * n;
            // But for points within a tenth of a cell of a wall, the parabola is exact.
            EXPECT_LT(solved, 1e-3) << n << " cells, wall at " << slot.lo * n;
        }
    }
}

// Couette: a straight line is kept exactly, between walls of which one moves.
TYPED_TEST(GasDiffusion, ShearFlowIsExactWhereverTheWallsAre) {
    constexpr int Dim = TypeParam::kDim;
    const int n = 16;
    for (const Slot1D& slot : shifted_slots<Dim>(n)) {
        GasWorld<Dim> w = slot_world<Dim>(n, slot);
        w.viscosity = 1;
        w.solids.velocity = [slot](const Vec<double, Dim>& x, double) {
            Vec<double, Dim> u{};
            if (slot.across(x[1]) > 0.5) u[0] = 1;
            return u;
        };
        StableFluids1999<Dim> method(std::move(w), {});
        GasState<Dim> gas = method.initial_state();
        for (int step = 0; step < 10; ++step) EXPECT_EQ(method.step(gas, 0.2).failure, "");
        const double error =
            error_in_slot<Dim>(gas.velocity[0], method.world(), slot, [&](double y) { return slot.across(y); });
        EXPECT_LT(error, 2e-4) << "wall at " << slot.lo * n;
    }
}

// Heat between two walls, each with what its own wall says: a given value, a flux or nothing.
TYPED_TEST(GasDiffusion, HeatBetweenSolidsIsAStraightLine) {
    constexpr int Dim = TypeParam::kDim;
    const int n = 16;
    const double kappa = 0.5, flux = 40;
    for (const Slot1D& slot : shifted_slots<Dim>(n)) {
        const double width = slot.hi - slot.lo;
        struct Case {
            WallValue<Dim> lower, upper;
            double at_lower, at_upper;
        };
        for (const Case& c :
             {Case{wall<Dim>(WallValueKind::fixed, 300), wall<Dim>(WallValueKind::fixed, 350), 300, 350},
              Case{wall<Dim>(WallValueKind::flux, flux), wall<Dim>(WallValueKind::fixed, 350),
                   350 + flux / kappa * width, 350},
              Case{wall<Dim>(WallValueKind::fixed, 300), wall<Dim>(WallValueKind::insulated), 300, 300}}) {
            GasWorld<Dim> w = slot_world<Dim>(n, slot);
            add_substance<Dim>(w, "temperature", [](const Vec<double, Dim>&) { return 310.0; });
            w.substances[0].diffusion = kappa;
            w.substances[0].ambient = 310;
            w.substances[0].at_solids = {c.lower, c.upper};
            StableFluids1999<Dim> method(std::move(w), {});
            GasState<Dim> gas = method.initial_state();
            for (int step = 0; step < 12; ++step) EXPECT_EQ(method.step(gas, 2).failure, "");
            const double error = error_in_slot<Dim>(gas.substances[0], method.world(), slot, [&](double y) {
                return c.at_lower + (c.at_upper - c.at_lower) * slot.across(y);
            });
            EXPECT_LT(error, 0.02) << "wall at " << slot.lo * n << ", " << c.at_lower << " to " << c.at_upper;
        }
    }
}

// Every solve is reported: all components of the velocity under viscosity, all substances under diffusion.  A solve
// that fails fails the step.
TYPED_TEST(GasDiffusion, EverySolveIsReported) {
    constexpr int Dim = TypeParam::kDim;
    const auto stepped = [](double viscosity, int substances, bool is_broken) {
        GasWorld<Dim> w = gas_box<Dim>(8, TestSides::no_slip);
        w.viscosity = viscosity;
        w.velocity_at_start = [](const Vec<double, Dim>& x) { return vector_noise<Dim>(x * 4.0, 0, 2); };
        for (int s = 0; s < substances; ++s) {
            add_substance<Dim>(w, "heat", [](const Vec<double, Dim>& x) { return x[0] * x[0]; });
            w.substances.back().diffusion = 0.1;
        }
        StableFluids1999<Dim> method(std::move(w), {});
        GasState<Dim> gas = method.initial_state();
        if (is_broken) gas.substances[0].tile(0)[0] = std::numeric_limits<float>::quiet_NaN();
        return method.step(gas, 0.1);
    };
    EXPECT_EQ(stepped(0, 0, false).viscosity.iterations, 0);
    const StepReport one = stepped(0.1, 1, false), two = stepped(0.1, 2, false);
    EXPECT_GE(one.viscosity.iterations, 2 * Dim) << "no component needs fewer than two";
    EXPECT_GT(one.diffusion.iterations, 0);
    EXPECT_EQ(two.diffusion.iterations, 2 * one.diffusion.iterations);
    EXPECT_EQ(one.failure, "");
    EXPECT_EQ(stepped(0, 2, true).failure.substr(0, 10), "diffusion:");
}

// The same at the sides of the box.
TYPED_TEST(GasDiffusion, HeatBetweenSidesIsAStraightLine) {
    constexpr int Dim = TypeParam::kDim;
    const int n = 12;
    const double kappa = 0.5, flux = -40;
    for (int axis = 0; axis < Dim; ++axis)
        for (const WallValueKind lower : {WallValueKind::fixed, WallValueKind::flux}) {
            GasWorld<Dim> w = gas_box<Dim>(n, TestSides::closed);
            add_substance<Dim>(w, "temperature", [](const Vec<double, Dim>&) { return 310.0; });
            w.substances[0].diffusion = kappa;
            auto& sides = w.substances[0].at_sides[static_cast<std::size_t>(axis)];
            sides[0] = wall<Dim>(lower, lower == WallValueKind::flux ? flux : 290);
            sides[1] = wall<Dim>(WallValueKind::fixed, 350);
            StableFluids1999<Dim> method(std::move(w), {});
            GasState<Dim> gas = method.initial_state();
            for (int step = 0; step < 12; ++step) EXPECT_EQ(method.step(gas, 5).failure, "");
            const double slope = lower == WallValueKind::flux ? -flux / kappa : 60;
            for_each_index(method.world().domain.box, [&](const Index<Dim>& c) {
                const double x = method.world().domain.grid.world_of_centre(c)[axis];
                EXPECT_NEAR(gas.substances[0].at(c), 350 - slope * (1 - x), 0.01);
            });
        }
}

// Between insulated walls cos(π s) decays with κ π² / width², and what there is stays: to second order, wherever the
// walls cut the cells.
TYPED_TEST(GasDiffusion, InsulatedSolidsKeepTheAmount) {
    constexpr int Dim = TypeParam::kDim;
    const double pi = std::numbers::pi, kappa = 0.02;
    for (const int n : {16, 32}) {
        if (Dim == 3 && n > 16) continue;
        for (const Slot1D& slot : shifted_slots<Dim>(n)) {
            GasWorld<Dim> w = slot_world<Dim>(n, slot);
            add_substance<Dim>(w, "dye", [=](const Vec<double, Dim>& x) { return std::cos(pi * slot.across(x[1])); });
            w.substances[0].diffusion = kappa;
            StableFluids1999<Dim> method(std::move(w), {});
            GasState<Dim> gas = method.initial_state();
            const double width = slot.hi - slot.lo, end = 0.5 * width * width / (kappa * pi * pi);
            auto boundary =
                make_boundary(method.world().domain, method.world().solids, {.friction = true, .diffusion = true});
            refit(boundary, gas.tiles_ptr(), method.world().solids, 0);
            const auto amount = [&] {
                double sum = 0;
                for_each_index(method.world().domain.box, [&](const Index<Dim>& c) {
                    sum += double{boundary.volume.at(c)} * gas.substances[0].at(c);
                });
                return sum;
            };
            const double before = amount(), cells = std::pow(n, Dim);
            for (int step = 0; step < 64; ++step) EXPECT_EQ(method.step(gas, end / 64).failure, "");
            EXPECT_NEAR(amount(), before, 2e-4 * cells) << n << " cells, wall at " << slot.lo * n;
            const double decay = std::pow(1 + 0.5 / 64, -64);  // as implicit steps have it
            const double error = error_in_slot<Dim>(gas.substances[0], method.world(), slot,
                                                    [&](double y) { return decay * std::cos(pi * slot.across(y)); });
            EXPECT_LT(error * n * n, 6) << n << " cells, wall at " << slot.lo * n;
        }
    }
}

// Two halves of a boundary on either side of a wall thinner than a cell, each with its own: nothing gets through.
TYPED_TEST(GasDiffusion, NothingDiffusesThroughAThinWall) {
    constexpr int Dim = TypeParam::kDim;
    const int n = 16;
    for (const WallValueKind kind : {WallValueKind::insulated, WallValueKind::fixed}) {
        GasWorld<Dim> w = gas_box<Dim>(n, TestSides::closed);
        w.solids.distance = [](const Vec<double, Dim>& x, double) { return std::abs(x[0] - 0.507) - 0.01; };
        w.solids.nearest = [](const Vec<double, Dim>&, double) { return 0; };
        add_substance<Dim>(w, "heat", [](const Vec<double, Dim>& x) { return x[0] < 0.507 ? 1.0 : 0.0; });
        w.substances[0].diffusion = 0.1;
        w.substances[0].at_solids = {wall<Dim>(kind, 1)};
        StableFluids1999<Dim> method(std::move(w), {});
        GasState<Dim> gas = method.initial_state();
        for (int step = 0; step < 10; ++step) EXPECT_EQ(method.step(gas, 0.5).failure, "");
        Index<Dim> left(n / 2), right(n / 2);
        left[0] = 2;
        right[0] = n - 3;
        EXPECT_NEAR(gas.substances[0].at(left), 1, 1e-3);
        const float beyond = gas.substances[0].at(right);
        EXPECT_TRUE(kind == WallValueKind::fixed ? beyond > 0.8F : std::abs(beyond) < 1e-3F) << beyond;
    }
}

}  // namespace
}  // namespace spindrift
