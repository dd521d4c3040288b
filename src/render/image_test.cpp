// SPDX-License-Identifier: Apache-2.0
#include "render/image.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "grid/test_support.h"

namespace spindrift {
namespace {

TEST(Image, SrgbCurveAndBack) {
    EXPECT_NEAR(srgb_from_linear(0.2140411F), 0.5F, 1e-5F);  // middle grey of the screen
    for (int i = 0; i <= 255; ++i) {
        const float v = static_cast<float>(i) / 255;
        EXPECT_NEAR(srgb_from_linear(linear_from_srgb(v)), v, 1e-5F);
    }
}

// All 256 steps come back as they were, dithered or not by less than a step.
TEST(Image, BytesSurvive) {
    Image image(256, 3);
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 256; ++x) image.at(x, y) = rgb_from_srgb8(x, 255 - x, 0);
    const auto plain = srgb8(image, Dither::off);
    const auto dithered = srgb8(image, Dither::on);
    for (std::size_t i = 0; i < plain.size(); i += 3) {
        const auto x = static_cast<int>(i / 3 % 256);
        EXPECT_EQ(plain[i], x);
        EXPECT_EQ(plain[i + 1], 255 - x);
        EXPECT_NEAR(dithered[i], x, 1);
    }
}

// A colour between two steps is kept on average.
TEST(Image, DitherKeepsTheMean) {
    for (const float step : {100.1F, 100.5F, 100.8F}) {
        const Image image(120, 120, Rgb(linear_from_srgb(step / 255)));
        const auto bytes = srgb8(image, Dither::on);
        const double mean = std::accumulate(bytes.begin(), bytes.end(), 0.0) / static_cast<double>(bytes.size());
        EXPECT_NEAR(mean, step, 0.02);
    }
}

TEST(Image, WhatIsNoColourIsBlackOrWhite) {
    Image image(3, 1);
    image.at(0, 0) = Rgb(std::numeric_limits<float>::quiet_NaN());
    image.at(1, 0) = Rgb(-5.0F);
    image.at(2, 0) = Rgb(std::numeric_limits<float>::infinity());
    for (const Dither dither : {Dither::off, Dither::on}) {
        const auto bytes = srgb8(image, dither);
        EXPECT_EQ(bytes[0], 0);
        EXPECT_EQ(bytes[3], 0);
        EXPECT_EQ(bytes[6], 255);
    }
}

TEST(Image, SameBytesOnAnyNumberOfThreads) {
    Image image(97, 61);
    for (int y = 0; y < 61; ++y)
        for (int x = 0; x < 97; ++x) image.at(x, y) = Rgb(static_cast<float>(x * y) / 6000, 0.3F, 0.7F);
    expect_same_on_any_threads([&] { return srgb8(image, Dither::on); });
}

}  // namespace
}  // namespace spindrift
