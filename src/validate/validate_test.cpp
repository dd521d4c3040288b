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
                  0.5 * measured(found, name + ": velocity error", "stable-fluids-1999"));
        EXPECT_LT(std::abs(measured(found, name + ": energy error", "gas")),
                  0.5 * std::abs(measured(found, name + ": energy error", "stable-fluids-1999")));
    }
}

}  // namespace
}  // namespace spindrift
