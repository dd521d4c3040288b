// SPDX-License-Identifier: Apache-2.0
// The cases in small: that they run, measure, and show what they are to show.  Their limits hold at full size only.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "validate/cases.h"

namespace spindrift {
namespace {

std::vector<Figure> figures(const std::string& name, double scale) {
    for (const ValidationCase& c : validation_cases())
        if (c.name == name) {
            const auto found = figures_of(c, scale);
            EXPECT_TRUE(found) << found.errors().text();
            return found ? found.value() : std::vector<Figure>{};
        }
    ADD_FAILURE() << "there is no case " << name;
    return {};
}

double measured(const std::vector<Figure>& all, const std::string& name, const std::string& variant) {
    for (const Figure& f : all)
        if (f.name == name && f.variant == variant) return f.measured;
    ADD_FAILURE() << "there is no figure " << name << " of " << variant;
    return std::numeric_limits<double>::quiet_NaN();
}

TEST(Figure, IsJudgedByItsBounds) {
    Figure f{.name = "period", .variant = "", .grid = "", .measured = 1.04};
    EXPECT_FALSE(f.is_judged());
    EXPECT_TRUE(f.is_ok());
    EXPECT_TRUE(Figure(f).near(1, 0.05).is_ok());
    EXPECT_FALSE(Figure(f).near(1, 0.03).is_ok());
    EXPECT_FALSE(Figure(f).near(-1, 0.05).is_ok());
    EXPECT_FALSE(Figure(f).within(1).is_ok());
    EXPECT_TRUE(Figure(f).at_least(1).is_ok());
    EXPECT_FALSE(Figure(f).at_most(1).is_ok());
    f.measured = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(Figure(f).at_most(1).is_ok());
    EXPECT_FALSE(Figure(f).at_least(1).is_ok());
}

TEST(Validate, NamesAreUnlike) {
    const auto all = validation_cases();
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) EXPECT_NE(all[i].name, all[k].name);
}

TEST(Validate, VorticesFadeAsTheyShould) {
    const auto found = figures("taylor-green", 0.5);
    for (const std::string name : {"viscous", "viscous, in a wind", "inviscid"}) {
        EXPECT_LT(measured(found, name + ": velocity error", "gas"),
                  0.3 * measured(found, name + ": velocity error", "stable-fluids-1999"));
        EXPECT_LT(std::abs(measured(found, name + ": energy error", "gas")), 3);
    }
}

TEST(Validate, ALidTurnsTheGas) {
    const auto found = figures("lid-driven-cavity", 0.25);
    for (const std::string name : {"Re 100: lowest u", "Re 100: lowest v", "Re 1000: lowest u", "Re 1000: highest v"}) {
        const double sharp = measured(found, name, "gas"), plain = measured(found, name, "stable-fluids-1999");
        EXPECT_GT(std::abs(sharp), std::abs(plain)) << name;
    }
    EXPECT_NEAR(measured(found, "Re 100: lowest u", "gas"), -0.214, 0.03);
    EXPECT_NEAR(measured(found, "Re 1000: lowest u", "gas"), -0.3886, 0.06);
}

TEST(Validate, SwirlsLeaveACylinderInTime) {
    const auto found = figures("vortex-street", 0.25);
    // Eight cells across are coarse: measured 0.177, 1.294 and 0.339.
    EXPECT_NEAR(measured(found, "Strouhal number", "gas, D/dx = 8"), 0.1643, 0.09 * 0.1643);
    EXPECT_LT(measured(found, "unevenness of periods", "gas, D/dx = 8"), 0.5);
    EXPECT_NEAR(measured(found, "drag", "gas, D/dx = 8"), 1.33, 0.05 * 1.33);
    EXPECT_NEAR(measured(found, "lift, amplitude", "gas, D/dx = 8"), 0.33, 0.1 * 0.33);
}

// At full size: it takes a few seconds.
TEST(Validate, GasBetweenCylindersTurnsThem) {
    for (const Figure& f : figures("couette", 1)) EXPECT_TRUE(f.is_ok()) << f.name << ": " << f.measured;
}

// At half size: 0.974 and 1.044, and 0.978 and 1.012 at full size.
TEST(Validate, TorqueAndWorkOfASolidBalance) {
    const auto found = figures("turning-solid", 0.5);
    EXPECT_NEAR(measured(found, "torque per angular momentum gained", "gas"), 1, 0.05);
    EXPECT_NEAR(measured(found, "work per energy and heat gained", "gas"), 1, 0.06);
}

TEST(Validate, StillWaterPushesABoxUp) {
    const auto found = figures("buoyancy", 0.5);
    for (const char* method : {"particle-level-set-2002", "level-set"}) {
        EXPECT_NEAR(measured(found, "force up, per weight of the water", method), 1, 0.005);
        EXPECT_NEAR(measured(found, "force aside", method), 0, 0.005);
    }
}

TEST(Validate, ADipoleKeepsItsShapeAndSpeed) {
    const auto found = figures("vortex-dipole", 0.25);
    EXPECT_LT(std::abs(measured(found, "peak of vorticity lost over 10 radii", "gas")), 30);
    EXPECT_GT(measured(found, "peak of vorticity lost over 10 radii", "stable-fluids-1999"), 50);
    EXPECT_NEAR(measured(found, "speed", "gas"), 0.987, 0.12);
    EXPECT_LT(measured(found, "speed", "stable-fluids-1999"), 0.8);
}

// Far too coarse for turbulence: it widens, slows and thins out, and its flux stays about the same.
TEST(Validate, APlumeWidensAndSlows) {
    const auto found = figures("plume", 0.4);
    EXPECT_NEAR(measured(found, "radius over height, exponent", "gas"), 1, 0.4);
    EXPECT_NEAR(measured(found, "speed over height, exponent", "gas"), -1.0 / 3, 0.3);
    EXPECT_LT(measured(found, "buoyancy over height, exponent", "gas"), -1);
    EXPECT_NEAR(measured(found, "flux of buoyancy, exponent", "gas"), 0, 0.4);
}

TEST(Validate, AThermalSlowsAsItWidens) {
    const auto found = figures("thermal", 0.3);
    EXPECT_NEAR(measured(found, "exponent of front", "gas"), 0.5, 0.15);
    EXPECT_GT(measured(found, "radius over height", "gas"), 0.05);
}

TEST(Validate, ParticlesKeepANotchedDisk) {
    const auto found = figures("notched-disk", 0.5);
    const auto off = [&](const char* variant) { return measured(found, "distance from the disk, mean", variant); };
    EXPECT_LT(off("both sides"), 0.7 * off("inside only"));
    EXPECT_LT(off("both sides"), 0.7 * off("level set alone"));
    EXPECT_LT(std::abs(measured(found, "area error", "both sides")), 2);
}

TEST(Validate, ParticlesKeepASpiral) {
    const auto found = figures("vortex-in-a-box", 0.5);
    EXPECT_LT(std::abs(measured(found, "area error", "both sides")), 3);
    EXPECT_LT(measured(found, "area error", "level set alone"), -30);
}

TEST(Validate, AStandingWaveSwingsInTime) {
    const auto found = figures("standing-wave", 0.5);
    EXPECT_NEAR(measured(found, "period", "inviscid"), 3.5517, 0.03 * 3.5517);
    EXPECT_LT(std::abs(measured(found, "energy lost per period", "inviscid")), 5);
}

// At full size: it takes seconds.
TEST(Validate, ADamBreaksAsMartinAndMoyceSaw) {
    const auto found = figures("dam-break", 1);
    for (const char* method : {"particle-level-set-2002", "level-set"}) {
        EXPECT_LT(measured(found, "front, clock shifted, rms", method), 4);
        EXPECT_LT(measured(found, "front, rms", method), 12);
        EXPECT_LT(measured(found, "height at the back, largest", method), 0.03);
        EXPECT_LT(measured(found, "volume error, largest", method), 0.5);
    }
}

// At full size: it takes a second.
TEST(Validate, ASolitaryWaveKeepsItsSpeedAndHeight) {
    for (const Figure& f : figures("solitary-wave", 1)) EXPECT_TRUE(f.is_ok()) << f.name << ": " << f.measured;
}

TEST(Validate, ABubbleRisesAsOthersDo) {
    const auto found = figures("rising-bubble", 0.5);
    for (const char* method : {"particle-level-set-2002", "level-set"}) {
        EXPECT_NEAR(measured(found, "highest speed, m/s", method), 0.251, 0.015);
        EXPECT_NEAR(measured(found, "height after 3 s, m", method), 1.13, 0.04);
    }
}

}  // namespace
}  // namespace spindrift
