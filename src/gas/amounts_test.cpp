// SPDX-License-Identifier: Apache-2.0
#include "gas/amounts.h"

#include <gtest/gtest.h>

#include "gas/test_support.h"

namespace spindrift {
namespace {

template <class T>
class Amounts : public ::testing::Test {};
TYPED_TEST_SUITE(Amounts, Dimensions);

const std::array kSchemes{GasSettings{}, GasSettings{.scheme = AdvectionScheme::maccormack},
                          GasSettings{.splitting = Splitting::second_order, .scheme = AdvectionScheme::cubic}};

template <int Dim>
auto ball(const Vec<double, Dim>& centre, double radius) {
    return [=](const Vec<double, Dim>& x) { return length(x - centre) < radius ? 1.0 : 0.0; };
}

template <int Dim>
void stir(GasWorld<Dim>& w) {
    w.velocity_at_start = [](const Vec<double, Dim>& x) { return vector_noise<Dim>(x * 4.0, 0, 3) * 2.0; };
}

// Whatever advects it, by steps of any length, around a solid, between walls or in a periodic box: the sum of a dye
// stays as it is, counted here and not by the ledger, and no value leaves the range of those before.
TYPED_TEST(Amounts, OfADyeInABoxStay) {
    constexpr int Dim = TypeParam::kDim;
    const int n = Dim == 2 ? 40 : 24;
    for (const GasSettings& settings : kSchemes)
        for (const double cfl : {0.5, 2.0, 6.0})
            for (const TestSides sides : {TestSides::closed, TestSides::periodic})
                for (const bool solid : {false, true}) {
                    GasWorld<Dim> w = gas_box<Dim>(n, sides);
                    stir(w);
                    if (solid)
                        w.solids.distance = [](const Vec<double, Dim>& x, double) {
                            return length(x - Vec<double, Dim>(0.7)) - 0.13;
                        };
                    add_substance<Dim>(w, "dye", ball(Vec<double, Dim>(0.4), 0.2));
                    StableFluids1999<Dim> method(std::move(w), settings);
                    GasState<Dim> gas = method.initial_state();
                    const double before = sum(gas.substances[0]);
                    for (int step = 0; step < 12; ++step) {
                        EXPECT_EQ(method.step(gas, cfl / n / largest_speed(gas)).failure, "");
                        const Vec<float, 2> range = range_in_box(gas.substances[0], method.world().domain.box);
                        ASSERT_GE(range[0], 0);
                        ASSERT_LE(range[1], 1);
                    }
                    const auto which = [&] {
                        return ::testing::Message()
                               << "CFL " << cfl << ", sides " << static_cast<int>(sides) << ", solid " << solid
                               << ", scheme " << static_cast<int>(settings.scheme);
                    };
                    EXPECT_NEAR(sum(gas.substances[0]) / before, 1, 1e-3) << which();
                    EXPECT_NEAR(gas.amounts[0].found, sum(gas.substances[0]) * std::pow(1.0 / n, Dim), 1e-6) << which();
                    EXPECT_LT(std::abs(gas.amounts[0].error()), 1e-3) << which();
                }
}

// What a swirl loses is given back there: a puff far away, in gas at rest, keeps its amount.
TYPED_TEST(Amounts, AreCorrectedWhereTheyChange) {
    constexpr int Dim = TypeParam::kDim;
    const int n = Dim == 2 ? 96 : 64;
    for (const GasSettings& settings : kSchemes) {
        GasWorld<Dim> w = gas_box<Dim>(n, TestSides::closed);
        Vec<double, Dim> turning(0.25), resting(0.75);
        w.velocity_at_start = [turning](const Vec<double, Dim>& x) {
            Vec<double, Dim> r = x - turning;
            if constexpr (Dim == 3) r[2] = 0;
            const double fade = std::exp(-dot(r, r) / 0.004);
            Vec<double, Dim> u{};
            u[0] = -20 * r[1] * fade;
            u[1] = 20 * r[0] * fade;
            return u;
        };
        Vec<double, Dim> beside = turning;
        beside[0] += 0.06;
        add_substance<Dim>(w, "dye", [=](const Vec<double, Dim>& x) {
            return std::max(ball(beside, 0.08)(x), ball(resting, 0.1)(x));
        });
        StableFluids1999<Dim> method(std::move(w), settings);
        GasState<Dim> gas = method.initial_state();
        const auto far_away = [&] {
            double sum = 0;
            for_each_index(IndexBox<Dim>{Index<Dim>(n / 2), Index<Dim>(n)},
                           [&](const Index<Dim>& c) { sum += double{gas.substances[0].at(c)}; });
            return sum;
        };
        const double there = far_away(), everywhere = sum(gas.substances[0]);
        for (int step = 0; step < 10; ++step) EXPECT_EQ(method.step(gas, 0.05).failure, "");
        EXPECT_NEAR(sum(gas.substances[0]) / everywhere, 1, 1e-4);
        EXPECT_NEAR(far_away() / there, 1, 1e-5);
    }
}

// A gas that is the same everywhere stays so to the last bit, whatever is missing elsewhere.
TYPED_TEST(Amounts, OfAUniformGasChangeNothing) {
    constexpr int Dim = TypeParam::kDim;
    GasWorld<Dim> w = gas_box<Dim>(24, TestSides::closed);
    stir(w);
    add_substance<Dim>(w, "air", [](const Vec<double, Dim>&) { return 0.7; });
    StableFluids1999<Dim> method(std::move(w), kSchemes[2]);
    GasState<Dim> gas = method.initial_state();
    for (int step = 0; step < 5; ++step) EXPECT_EQ(method.step(gas, 0.05).failure, "");
    const Vec<float, 2> range = range_in_box(gas.substances[0], method.world().domain.box);
    EXPECT_NEAR(range[0], 0.7F, 1e-6);
    EXPECT_NEAR(range[1], 0.7F, 1e-6);
}

// A wind blows dye out through an open side: the ledger follows it, down to nothing.
TYPED_TEST(Amounts, LeaveThroughOpenSides) {
    constexpr int Dim = TypeParam::kDim;
    const int n = 32;
    for (const GasSettings& settings : kSchemes)
        for (const bool upwards : {false, true})
            for (const double crossed : {0.6, 2.5}) {
                GasWorld<Dim> w = gas_box<Dim>(n, TestSides::periodic);
                const Vec<double, Dim> wind = Vec<double, Dim>(unit<Dim>(1)) * (upwards ? 1.0 : -1.0);
                w.domain.sides[1][upwards ? 0 : 1] = {SideKind::prescribed,
                                                      [wind](const Vec<double, Dim>&, double) { return wind; }, true};
                w.domain.sides[1][upwards ? 1 : 0] = {SideKind::open, {}};
                w.velocity_at_start = [wind](const Vec<double, Dim>&) { return wind; };
                add_substance<Dim>(w, "dye", ball(Vec<double, Dim>(0.5), 0.2));
                StableFluids1999<Dim> method(std::move(w), settings);
                GasState<Dim> gas = method.initial_state();
                double at_half_time = 0;
                while (gas.time < 1.2) {
                    EXPECT_EQ(method.step(gas, crossed / n).failure, "");
                    if (gas.time < 0.5) at_half_time = gas.amounts[0].expected;
                    ASSERT_LT(std::abs(gas.amounts[0].error()), 0.01) << "s " << gas.time << ", cells " << crossed;
                }
                EXPECT_GT(at_half_time, 0.3 * gas.amounts[0].largest);
                EXPECT_LT(gas.amounts[0].expected, 0.02 * gas.amounts[0].largest);
                EXPECT_LT(gas.amounts[0].found, 0.01 * gas.amounts[0].largest);
            }
}

// What the flow through a side is off by is not made up for by what is far from there: of two puffs in a wind, the one
// that stays keeps its amount while the other leaves.
TYPED_TEST(Amounts, ThatLeaveChangeNothingThatStays) {
    constexpr int Dim = TypeParam::kDim;
    const int length = 64, width = 24;
    for (const GasSettings& settings : kSchemes)
        for (const double crossed : {0.6, 2.5}) {
            GasWorld<Dim> w = gas_box<Dim>(length, TestSides::periodic);
            w.domain.box.hi = Index<Dim>(width);
            w.domain.box.hi[1] = length;
            const Vec<double, Dim> wind(unit<Dim>(1));
            w.domain.sides[1][0] = {SideKind::prescribed, [wind](const Vec<double, Dim>&, double) { return wind; },
                                    true};
            w.domain.sides[1][1] = {SideKind::open, {}};
            w.velocity_at_start = [wind](const Vec<double, Dim>&) { return wind; };
            Vec<double, Dim> leaving(0.5 * width / length), staying = leaving;
            leaving[1] = 0.8;
            staying[1] = 0.25;
            add_substance<Dim>(w, "dye", [=](const Vec<double, Dim>& x) {
                return std::max(ball(leaving, 0.1)(x), ball(staying, 0.1)(x));
            });
            StableFluids1999<Dim> method(std::move(w), settings);
            GasState<Dim> gas = method.initial_state();
            const auto below = [&](double height) {
                IndexBox<Dim> box = method.world().domain.box;
                box.hi[1] = static_cast<int>(height * length);
                double sum = 0;
                for_each_index(box, [&](const Index<Dim>& c) { sum += double{gas.substances[0].at(c)}; });
                return sum;
            };
            const double before = below(0.5);
            while (gas.time < 0.35) EXPECT_EQ(method.step(gas, crossed / length).failure, "");
            const int scheme = static_cast<int>(settings.scheme);
            EXPECT_NEAR(below(0.5 + gas.time) / before, 1, 2e-3) << "cells " << crossed << ", scheme " << scheme;
            EXPECT_NEAR(below(1) / before, 1, 0.03) << "cells " << crossed << ", scheme " << scheme;
        }
}

// Sources, fading, spreading and warm walls are in the ledger.
TYPED_TEST(Amounts, AreAccountedFor) {
    constexpr int Dim = TypeParam::kDim;
    const int n = 24;
    GasWorld<Dim> w = gas_box<Dim>(n, TestSides::no_slip);
    stir(w);
    add_substance<Dim>(w, "smoke", ball(Vec<double, Dim>(0.4), 0.2));
    w.substances.back().dissipation = 0.5;
    w.substances.back().ambient = 0.1;
    w.substances.back().diffusion = 1e-3;
    add_substance<Dim>(w, "heat", {});
    w.substances.back().at_walls = 1;
    w.substances.back().diffusion = 5e-3;
    GasSource<Dim>& source = w.sources.emplace_back();
    source.distance = [](const Vec<double, Dim>& x, double) { return length(x - Vec<double, Dim>(0.6)) - 0.15; };
    source.substance = 0;
    source.rate = [](const Vec<double, Dim>&, double) { return 3.0; };
    StableFluids1999<Dim> method(std::move(w), kSchemes[2]);
    GasState<Dim> gas = method.initial_state();
    for (int step = 0; step < 10; ++step) EXPECT_EQ(method.step(gas, 0.04).failure, "");
    for (const AmountLedger& ledger : gas.amounts) {
        EXPECT_LT(std::abs(ledger.error()), 1e-3);
        EXPECT_GT(ledger.largest, 0.01);
    }
}

}  // namespace
}  // namespace spindrift
