// SPDX-License-Identifier: Apache-2.0
#include "render/pattern.h"

#include <gtest/gtest.h>

namespace spindrift {
namespace {

using Place = Vec<float, 3>;

constexpr std::array kKinds{PatternKind::checker, PatternKind::stripes, PatternKind::noise, PatternKind::marble};

// Opposite sides of a box that repeats itself show the same, and what lies across them joins without a step.
TEST(Pattern, TilesWithoutASeam) {
    for (const PatternKind kind : kKinds)
        for (const double scale : {0.5, 0.25, 0.05}) {  // 2, 4 and 20 to the box
            const Pattern pattern({.kind = kind, .scale = scale, .period = {1, 1, 0}, .dim = 2});
            float step = 0, seam = 0, range = 0;
            for (int i = 0; i < 200; ++i) {
                const float y = static_cast<float>(i) / 200;
                for (const float x : {0.0F, 0.13F, 0.77F}) {
                    EXPECT_NEAR(pattern.brightness({x, y, 0}), pattern.brightness({x + 1, y, 0}), 1e-3);
                    EXPECT_NEAR(pattern.brightness({y, x, 0}), pattern.brightness({y, x - 1, 0}), 1e-3);
                }
                seam = std::max(seam, std::abs(pattern.brightness({0.999F, y, 0}) - pattern.brightness({0, y, 0})));
                for (int j = 0; j < 999; j += 7) {
                    const float x = static_cast<float>(j) / 1000;
                    const float here = pattern.brightness({x, y, 0});
                    step = std::max(step, std::abs(pattern.brightness({x + 0.001F, y, 0}) - here));
                    range = std::max(range, std::abs(here - pattern.brightness({0.05F, 0.05F, 0})));
                }
            }
            EXPECT_LE(seam, 1.05F * step + 1e-4F);
            EXPECT_GT(range, 0.3F);
        }
}

TEST(Pattern, HasTheSizeItIsGiven) {
    const Pattern checker({.kind = PatternKind::checker, .scale = 0.2, .dim = 2});
    EXPECT_FLOAT_EQ(checker.brightness({0.05F, 0.05F, 0}), 1);
    EXPECT_FLOAT_EQ(checker.brightness({0.15F, 0.05F, 0}), 0);
    EXPECT_FLOAT_EQ(checker.brightness({0.15F, 0.15F, 0}), 1);
    EXPECT_FLOAT_EQ(checker.brightness({0.25F, 0.05F, 0}), 1);
    EXPECT_EQ(checker.color({0.15F, 0.05F, 0}), (Rgb{0.02F, 0.03F, 0.08F}));
}

TEST(Pattern, PictureStandsUprightAndRepeats) {
    Image image(2, 4);
    image.at(0, 3) = {1, 0, 0};  // lower left
    const Pattern pattern(image, 1.0);
    EXPECT_EQ(pattern.color({0, 0, 5}), (Rgb{1, 0, 0}));
    EXPECT_EQ(pattern.color({1, 2, 0}), (Rgb{1, 0, 0}));
    EXPECT_EQ(pattern.color({0.5F, 0, 0}), Rgb{});
    EXPECT_EQ(pattern.color({0, 0.5F, 0}), Rgb{});
}

// Drawn out to lines finer than a pixel, a pattern shows its mean; a single sample would be black or white.
TEST(Pattern, WhatAPixelCoversIsItsMean) {
    const Pattern stripes({.kind = PatternKind::stripes, .scale = 0.1, .dim = 2, .low = Rgb(0.0F), .high = Rgb(1.0F)});
    for (int i = 0; i < 40; ++i) {
        const Place x{0, 0.013F * static_cast<float>(i), 0};
        EXPECT_NEAR(stripes.color(x, {0.001F, 0, 0}, {0, 0.2F, 0})[1], 0.5F, 0.05F) << i;
        EXPECT_LT(length(stripes.color(x, {1e-5F, 0, 0}, {0, 1e-5F, 0}) - stripes.color(x)), 1e-3F);
    }
}

// Sheared a hundredfold by a flow, a pixel is a line: samples along it are enough, and they give the same mean.
TEST(Pattern, WhatIsDrawnOutTakesSamplesAlongItsLengthAlone) {
    const Pattern stripes({.kind = PatternKind::stripes, .scale = 0.1, .dim = 2, .low = Rgb(0.0F), .high = Rgb(1.0F)});
    const Place side{0.003F, 0.2F, 0}, other{0.0032F, 0.199F, 0};
    const Pattern::Footprint over = stripes.footprint(side, other);
    EXPECT_LE(over.samples * over.other_samples, 128);
    EXPECT_NEAR(dot(over.side, over.other), 0, 1e-4);
    EXPECT_NEAR(dot(over.side, over.side) + dot(over.other, over.other), dot(side, side) + dot(other, other), 1e-6);
    EXPECT_NEAR(stripes.color({0.02F, 0.03F, 0}, side, other)[1], 0.5F, 0.06F);
}

TEST(Pattern, SeedsGiveOtherNoise) {
    const Pattern a({.kind = PatternKind::noise, .seed = 1}), b({.kind = PatternKind::noise, .seed = 2});
    const Pattern again({.kind = PatternKind::noise, .seed = 1});
    double mean = 0, apart = 0;
    for (int i = 0; i < 1000; ++i) {
        const auto n = static_cast<float>(i);
        const Place x{0.0137F * n, 0.0071F * n, 0.0053F * n};
        EXPECT_EQ(a.brightness(x), again.brightness(x));
        mean += double{a.brightness(x)} / 1000;
        apart += std::abs(double{a.brightness(x)} - double{b.brightness(x)}) / 1000;
    }
    EXPECT_NEAR(mean, 0.5, 0.1);
    EXPECT_GT(apart, 0.1);
}

}  // namespace
}  // namespace spindrift
