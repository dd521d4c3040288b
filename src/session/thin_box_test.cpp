// SPDX-License-Identifier: Apache-2.0
// Boxes one to three cells thick, along each axis, with every pair of sides: they run, and what flows stays bounded.
#include "session/scene_run.h"

namespace spindrift {
namespace {

constexpr int kLong = 8, kSteps = 6;
constexpr std::array kKinds{"slip", "no-slip", "open", "inflow"};

struct ThinBox {
    int dim, axis, thick;
    const char *below, *above;   // the thin axis's sides
    const char* of_other_sides;  // "" for slip, or "periodic", or "open" above
    bool gas;

    std::string text() const {
        std::string size, sides;
        for (int a = 0; a < dim; ++a) {
            size += fmt::format("{}{}", a > 0 ? ", " : "", a == axis ? thick : kLong);
            for (const bool upper : {false, true}) {
                std::string kind = a == axis ? (upper ? above : below) : of_other_sides;
                if (kind.empty() || (kind == "open" && a != axis && !upper)) kind = "slip";
                std::string value = '"' + kind + '"';
                if (kind == "inflow") {
                    std::string velocity;
                    for (int b = 0; b < dim; ++b)
                        velocity += fmt::format("{}{}", b > 0 ? ", " : "", b != a ? 0 : upper ? -2 : 2);
                    value = fmt::format("{{kind = \"inflow\", velocity = [{}]}}", velocity);
                }
                sides += fmt::format("{}{}_{} = {}", sides.empty() ? "" : ", ", "xyz"[a], upper ? "max" : "min", value);
            }
        }
        const std::string zeros = dim == 2 ? "0, 0" : "0, 0, 0";
        return fmt::format("spindrift = 1\nmethod = \"{}\"\n[domain]\nsize = [{}]\ncell_size = 1\nsides = {{{}}}\n{}",
                           gas ? "gas" : "particle-level-set-2002", size, sides,
                           gas ? "[gas]\nviscosity = 0.5\n[[substance]]\nname = \"smoke\"\ninitial = \"sin(x) + "
                                 "cos(y)\"\nbuoyancy = 3\n"
                                 "expansion = 1\ndiffusion = 0.1\n"
                               : fmt::format("[[liquid]]\nshape = \"box\"\nmin = [{}]\nmax = [{}]\nvelocity = [{}]\n",
                                             zeros, size, dim == 2 ? "1, 1" : "1, 1, 1"));
    }
};

void expect_runs(const ThinBox& box) {
    SCOPED_TRACE(box.text());
    const auto run = simulation_of(box.text());
    for (int step = 0; step < kSteps; ++step) {
        const StepReport report = run->advance(std::min(0.1, run->stable_dt()));
        ASSERT_EQ(report.failure, "") << "step " << step;
        ASSERT_LT(report.max_speed, 200) << "step " << step;  // NaN fails as well
    }
}

// A gas needs a way out for what comes in.
bool has_balance(const ThinBox& box) {
    const std::string sides = fmt::format("{} {} {}", box.below, box.above, box.of_other_sides);
    return sides.find("inflow") == std::string::npos || sides.find("open") != std::string::npos;
}

// One in so many of all the combinations; the number shares no factor with those of kinds, axes or widths.
void expect_all_run(int dim, bool gas, int one_in) {
    int number = 0;
    for (int axis = 0; axis < dim; ++axis)
        for (int thick = 1; thick <= 3; ++thick)
            for (const char* below : kKinds)
                for (const char* above : kKinds)
                    for (const char* other : {"", "periodic", "open"}) {
                        if (number++ % one_in != 0) continue;
                        const ThinBox box{dim, axis, thick, below, above, other, gas};
                        if (!gas || has_balance(box)) expect_runs(box);
                        if (::testing::Test::HasFatalFailure()) return;
                    }
}

TEST(ThinBox, GasIn2D) { expect_all_run(2, true, 1); }
TEST(ThinBox, GasIn3D) { expect_all_run(3, true, 5); }
TEST(ThinBox, LiquidIn2D) { expect_all_run(2, false, 1); }
TEST(ThinBox, LiquidIn3D) { expect_all_run(3, false, 23); }

// The pressure is that of the air outside on an open side itself, whichever end of a thin axis it is at: gas that is
// pushed along a slot with one open side leaves through it alike.
TEST(ThinBox, OpenSidesOfASlotAreAlike) {
    std::array<double, 2> speed{};
    for (const bool upper : {false, true}) {
        const auto slot = simulation_of(
            fmt::format("spindrift = 1\nmethod = \"stable-fluids-1999\"\n[domain]\nsize = [8, 1]\ncell_size = 1\n"
                        "sides = {{{} = \"open\"}}\n[[substance]]\nname = \"heat\"\ninitial = 1\nexpansion = 1\n",
                        upper ? "top" : "bottom"));
        speed[upper ? 1 : 0] = slot->advance(0.01).max_speed;
    }
    EXPECT_NEAR(speed[0], 1, 1e-4);  // a metre of gas that swells by 1/s
    EXPECT_NEAR(speed[1], 1, 1e-4);
}

}  // namespace
}  // namespace spindrift
