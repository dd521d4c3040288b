// SPDX-License-Identifier: Apache-2.0
// Small standing waves in a box against linear theory, ω² = g k tanh(k h).
#include <vector>

#include "liquid/test_support.h"

namespace spindrift {
namespace {

// The elevation at the left wall over time, of the box's longest wave released from rest.
struct Record {
    std::vector<double> time, elevation, energy;
};

constexpr double kWidth = 1, kDepth = 0.5, kAmplitude = 0.02, kWaveNumber = M_PI / kWidth;

template <int Dim>
Record slosh(int cells, double seconds, double dt) {
    const double dx = kWidth / cells;
    Index<Dim> size(8);
    size[0] = cells;
    size[1] = 3 * cells / 4;
    const World<Dim> world = tank<Dim>(size, dx);
    ParticleLevelSet2002<Dim> method(world, {});
    // Not a distance where the surface slopes, but within 0.2 % of it.
    LiquidState<Dim> liquid = method.initial_state(
        [](const Vec<double, Dim>& p) { return p[1] - kDepth - kAmplitude * std::cos(kWaveNumber * p[0]); },
        at_rest<Dim>);
    Record record;
    const auto note = [&] {
        record.time.push_back(liquid.time);
        // Half a cell from the wall.
        record.elevation.push_back((last_crossing(liquid, world, Index<Dim>(0), 1) - kDepth) /
                                   std::cos(kWaveNumber * dx / 2));
        record.energy.push_back(totals(liquid, world).energy());
    };
    note();
    run(method, liquid, seconds, dt, [&](const StepReport&) { note(); });
    return record;
}

// The mean period between the first and last time that the elevation falls through zero.
double period(const Record& record) {
    std::vector<double> falls;
    for (std::size_t n = 1; n < record.time.size(); ++n) {
        const double a = record.elevation[n - 1], b = record.elevation[n];
        if (a > 0 && b <= 0) falls.push_back(record.time[n - 1] + (record.time[n] - record.time[n - 1]) * a / (a - b));
    }
    return falls.size() < 2 ? 0 : (falls.back() - falls.front()) / static_cast<double>(falls.size() - 1);
}

double exact_period() { return 2 * M_PI / std::sqrt(kGravity * kWaveNumber * std::tanh(kWaveNumber * kDepth)); }

TEST(Sloshing, PeriodFollowsTheDispersionRelation) {
    const Record record = slosh<2>(64, 4.5 * exact_period(), kFrame / 2);
    const double error = period(record) / exact_period() - 1;
    EXPECT_LT(std::abs(error), 0.01);
    ::testing::Test::RecordProperty("period_error", std::to_string(error));

    // It swings as far down as it was up, and comes back, a little lower: waves are damped by numbers alone, not
    // amplified.
    const double lowest = *std::min_element(record.elevation.begin(), record.elevation.end());
    EXPECT_NEAR(lowest, -kAmplitude, 0.2 * kAmplitude);
    double last_crest = 0;
    for (std::size_t n = 0; n < record.time.size(); ++n)
        if (record.time[n] > 3.5 * exact_period()) last_crest = std::max(last_crest, record.elevation[n]);
    EXPECT_GT(last_crest, 0.6 * kAmplitude);
    EXPECT_LT(last_crest, 1.05 * kAmplitude);
    ::testing::Test::RecordProperty("crest_after_four_periods", std::to_string(last_crest / kAmplitude));
    ::testing::Test::RecordProperty("lowest", std::to_string(lowest / kAmplitude));
}

// The amplitude is a third of a cell: without the sub-cell pressure condition the wave would not feel itself.
TEST(Sloshing, WavesBelowACellAreSeen) {
    const Record record = slosh<2>(16, 2.5 * exact_period(), kFrame / 2);
    const double error = period(record) / exact_period() - 1;
    EXPECT_LT(std::abs(error), 0.06);
    ::testing::Test::RecordProperty("period_error", std::to_string(error));
}

TEST(Sloshing, ThreeDimensionsGiveThePeriodOfTwo) {
    const Record flat = slosh<2>(24, 1.5 * exact_period(), kFrame / 2),
                 deep = slosh<3>(24, 1.5 * exact_period(), kFrame / 2);
    ASSERT_EQ(flat.time.size(), deep.time.size());
    double apart = 0;
    for (std::size_t n = 0; n < flat.time.size(); ++n)
        apart = std::max(apart, std::abs(flat.elevation[n] - deep.elevation[n]));
    EXPECT_LT(apart, 2e-3 * kAmplitude);
    ::testing::Test::RecordProperty("apart", std::to_string(apart / kAmplitude));
}

}  // namespace
}  // namespace spindrift
