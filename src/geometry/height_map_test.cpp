// SPDX-License-Identifier: Apache-2.0
#include "geometry/height_map.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <gtest/gtest.h>

#include "base/random.h"

namespace spindrift {
namespace {

template <class F>
HeightMap sampled(int columns, int rows, F&& height) {
    HeightMap map{columns, rows, {}};
    for (int row = 0; row < rows; ++row)
        for (int n = 0; n < columns; ++n)
            map.values.push_back(static_cast<float>(height(n / (columns - 1.0), row / std::max(1.0, rows - 1.0))));
    return map;
}

// A slope is one between samples and on the sides, however many samples there are; beyond it is level.
TEST(HeightMap, ASlopeIsStraight) {
    const auto slope = [](double u, double v) { return 0.2 + 0.5 * u + 0.25 * v; };
    for (const int columns : {2, 3, 17}) {
        const HeightMap map = sampled(columns, columns + 3, slope);
        for (double u = 0; u <= 1; u += 0.0625)
            for (double v = 0; v <= 1; v += 0.0625) EXPECT_NEAR(map.at(u, v), slope(u, v), 1e-7);
        EXPECT_EQ(map.at(-3, 0.5), map.at(0, 0.5));
        EXPECT_EQ(map.at(0.25, 7), map.at(0.25, 1));
    }
    EXPECT_NEAR(sampled(9, 1, slope).at(0.3, 0.8), slope(0.3, 0), 1e-7) << "a single row is the same for each v";
}

// Third order between samples, and nowhere beyond them: a step stays between its two heights.
TEST(HeightMap, IsSmoothAndDoesNotOvershoot) {
    const auto waves = [](double u, double v) { return 0.5 + 0.2 * std::sin(5 * u) * std::cos(4 * v); };
    const auto error = [&](int count) {
        const HeightMap map = sampled(count, count, waves);
        double most = 0;
        for (double u = 0.3; u <= 0.7; u += 0.0101)
            for (double v = 0.5; v <= 0.7; v += 0.0101) most = std::max(most, std::abs(map.at(u, v) - waves(u, v)));
        return most;
    };
    EXPECT_GT(error(17) / error(33), 3.5);
    const HeightMap step = sampled(9, 2, [](double u, double) { return u < 0.5 ? 0.0 : 1.0; });
    for (double u = 0; u <= 1; u += 0.01) {
        EXPECT_GE(step.at(u, 0.3), 0);
        EXPECT_LE(step.at(u, 0.3), 1);
    }
}

// Fewer samples: a slope stays one, noise is averaged.
TEST(HeightMap, IsSmoothedToFewerSamples) {
    const auto slope = [](double u, double v) { return 0.1 + 0.7 * u - 0.05 * v; };
    const HeightMap few = smoothed(sampled(230, 101, slope), 16, 13);
    EXPECT_EQ(few.values.size(), 16U * 13U);
    for (double u = 0; u <= 1; u += 0.09) EXPECT_NEAR(few.at(u, 0.4), slope(u, 0.4), 1e-6);

    Random rng(1, 2, 3, Purpose{"height map test"});
    const HeightMap noise = sampled(401, 401, [&](double, double) { return rng.uniform(); });
    const HeightMap calm = smoothed(noise, 21, 21);
    for (int row = 1; row < 20; ++row)
        for (int n = 1; n < 20; ++n)  // the mean of 400 numbers
            EXPECT_NEAR(calm.values[static_cast<std::size_t>(21 * row + n)], 0.5, 5 * 0.29 / 20);
}

// The middle of something unbounded is asked for as well.
TEST(HeightMap, PlacesThatAreNoNumbersHaveAHeight) {
    const HeightMap map{2, 2, {0.25F, 0.25F, 0.25F, 0.25F}};
    const double nowhere = std::numeric_limits<double>::quiet_NaN(), far = std::numeric_limits<double>::infinity();
    for (const double u : {nowhere, far, -far})
        for (const double v : {nowhere, far, -far}) EXPECT_EQ(map.at(u, v), 0.25);
}

}  // namespace
}  // namespace spindrift
