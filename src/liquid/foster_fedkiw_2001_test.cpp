// SPDX-License-Identifier: Apache-2.0
// What the method of 2001 keeps: rest, volume, energy, bits.
#include "liquid/foster_fedkiw_2001.h"

#include "liquid/test_support.h"
#include "surface/hybrid_surface.h"

namespace spindrift {
namespace {

LiquidSettings hybrid(bool volume_control = true) {
    ParticleLevelSetSettings particles;
    particles.per_cell = 8;
    return {.cfl = 5, .volume_control = volume_control, .particles = hybrid_surface(particles)};
}

template <int Dim>
World<Dim> square_tank(int cells) {
    Index<Dim> size(cells);
    if (Dim == 3) size[2] = cells / 2;
    return tank<Dim>(size, 1.0 / cells);
}

template <class D>
class FosterFedkiwTest : public ::testing::Test {};
TYPED_TEST_SUITE(FosterFedkiwTest, Dimensions);

// Particles and all: none is lost, none is drawn out of the surface.
TYPED_TEST(FosterFedkiwTest, StillWaterStaysStill) {
    constexpr int Dim = TypeParam::kDim;
    for (const double depth : {0.45, 0.513}) {
        FosterFedkiw2001<Dim> method(square_tank<Dim>(24), hybrid());
        LiquidState<Dim> liquid =
            method.initial_state([=](const Vec<double, Dim>& p) { return p[1] - depth; }, at_rest<Dim>);
        const std::size_t particles = liquid.particles.count();
        EXPECT_GT(particles, 300U);
        double fastest = 0, error = 0;
        run(method, liquid, Dim == 2 ? 4 : 1, kFrame, [&](const StepReport& report) {
            fastest = std::max(fastest, report.max_speed);
            error = std::max(error, std::abs(report.volume_error));
        });
        EXPECT_LT(fastest, 1e-4) << depth;
        EXPECT_LT(error, 1e-5) << depth;
        EXPECT_GE(liquid.particles.count(), particles) << depth;
        EXPECT_EQ(liquid.spray.count(), 0U) << depth;
    }
}

// A splash throws drops, makes no energy, and keeps its volume: with control but for what vanishes as too thin.
TYPED_TEST(FosterFedkiwTest, ADamBreakKeepsItsVolumeAndMakesNoEnergy) {
    constexpr int Dim = TypeParam::kDim;
    for (const bool volume_control : {false, true}) {
        const World<Dim> world = square_tank<Dim>(Dim == 2 ? 64 : 32);
        FosterFedkiw2001<Dim> method(world, hybrid(volume_control));
        LiquidState<Dim> liquid =
            method.initial_state([](const Vec<double, Dim>& p) { return dam_distance(p, 0.4, 0.6); }, at_rest<Dim>);
        const double energy = totals(liquid, world).energy();
        double error = 0, lost = 0, most = 0;
        std::size_t drops = 0;
        run(method, liquid, 2, kFrame, [&](const StepReport& report) {
            error = std::max(error, std::abs(report.volume_error));
            lost = std::max(lost, report.lost / liquid.ledger.expected());
            drops = std::max(drops, report.drops);
            most = std::max(most, totals(liquid, world).energy() / energy);
        });
        this->RecordProperty(
            volume_control ? "controlled" : "free",
            fmt::format("error {:.4f}, lost {:.4f}, drops {}, energy {:.4f}", error, lost, drops, most));
        EXPECT_LT(error, volume_control ? lost + 2e-3 : 0.12);
        EXPECT_LT(lost, 0.02);
        EXPECT_GT(drops, 0U);
        EXPECT_LT(most, 1.03);
    }
}

// A ball pushed into a tank, and a jet that fills it: what the ledger says is there.
TYPED_TEST(FosterFedkiwTest, MovingSolidsAndSourcesKeepTheLedger) {
    constexpr int Dim = TypeParam::kDim;
    World<Dim> world = square_tank<Dim>(Dim == 2 ? 48 : 24);
    Vec<double, Dim> start(0.25);
    start[0] = 0.6, start[1] = 0.75;
    const auto centre = [start](double t) {
        Vec<double, Dim> c = start;
        c[1] -= std::min(t, 0.5);
        return c;
    };
    world.moving_solids.push_back(
        {.distance = [=](const Vec<double, Dim>& p, double t) { return length(p - centre(t)) - 0.13; },
         .velocity =
             [](const Vec<double, Dim>&, double t) {
                 Vec<double, Dim> u;
                 u[1] = t < 0.5 ? -1 : 0;
                 return u;
             },
         .fastest = [](double t) { return t < 0.5 ? 1.0 : 0.0; }});
    LiquidSource<Dim> source;
    Vec<double, Dim> mouth(0.25);
    mouth[0] = 0.2, mouth[1] = 0.8;
    source.distance = [mouth](const Vec<double, Dim>& p, double) { return length(p - mouth) - 0.1; };
    source.velocity = [](const Vec<double, Dim>&, double) {
        Vec<double, Dim> u;
        u[1] = -1;
        return u;
    };
    world.sources.push_back(source);
    FosterFedkiw2001<Dim> method(world, hybrid());
    LiquidState<Dim> liquid = method.initial_state([](const Vec<double, Dim>& p) { return p[1] - 0.35; }, at_rest<Dim>);
    double error = 0, lost = 0;
    run(method, liquid, 0.8, kFrame, [&](const StepReport& report) {
        error = std::max(error, std::abs(report.volume_error));
        lost = report.lost / liquid.ledger.expected();
    });
    this->RecordProperty("error", fmt::format("{:.5f} {:.5f}", error, lost));
    EXPECT_GT(liquid.ledger.flowed_in, Dim == 2 ? 0.1 : 0.015);
    EXPECT_LT(error, lost + 0.04);  // while the round front of the source becomes that of the jet
    EXPECT_LT(lost, 0.01);
}

TYPED_TEST(FosterFedkiwTest, BitsDoNotDependOnThreadsOrWhoTakesTheStep) {
    constexpr int Dim = TypeParam::kDim;
    World<Dim> world = square_tank<Dim>(Dim == 2 ? 96 : 24);
    world.solid_distance = [](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(0.45)) - 0.15; };
    const auto started = [](const FosterFedkiw2001<Dim>& method) {
        return method.initial_state([](const Vec<double, Dim>& p) { return dam_distance(p, 0.62, 0.71); },
                                    at_rest<Dim>);
    };
    const auto hashes = [](const LiquidState<Dim>& liquid) {
        return std::vector{state_hash(liquid.phi), state_hash(liquid.velocity), state_hash(liquid.particles)};
    };
    expect_same_on_any_threads([&] {
        FosterFedkiw2001<Dim> method(world, hybrid());
        LiquidState<Dim> liquid = started(method);
        for (int n = 0; n < 10; ++n) EXPECT_EQ(method.step(liquid, method.stable_dt(liquid)).failure, "");
        return hashes(liquid);
    });
    FosterFedkiw2001<Dim> method(world, hybrid());
    LiquidState<Dim> liquid = started(method);
    for (int n = 0; n < 5; ++n) EXPECT_EQ(method.step(liquid, 0.02).failure, "");
    FosterFedkiw2001<Dim> fresh(world, hybrid());
    LiquidState<Dim> copy = liquid;
    for (int n = 0; n < 4; ++n) {
        EXPECT_EQ(method.step(liquid, 0.02).failure, "");
        EXPECT_EQ(fresh.step(copy, 0.02).failure, "");
    }
    EXPECT_EQ(hashes(copy), hashes(liquid));
}

}  // namespace
}  // namespace spindrift
