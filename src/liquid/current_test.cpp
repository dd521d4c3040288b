// SPDX-License-Identifier: Apache-2.0
// Waves that a current takes along behave as they do in still water, also when a step takes them on by half their
// length.
#include <complex>

#include "liquid/test_support.h"

namespace spindrift {
namespace {

constexpr int kCells = 64, kHeight = 32;
constexpr double kDx = 1.0 / 48, kAmplitude = 0.2;  // m; cells

struct WaveRecord {
    std::vector<double> time, amplitude;  // s; of its first value

    double largest(double from, double to) const {
        double result = 0;
        for (std::size_t n = 0; n < time.size(); ++n)
            if (time[n] > from && time[n] < to) result = std::max(result, amplitude[n]);
        return result;
    }
};

double angular_frequency(double cells) {
    const double k = 2 * M_PI / (cells * kDx);
    return std::sqrt(kGravity * k * std::tanh(k * kHeight / 2 * kDx));
}

// A standing wave, seen from the current, so many times in a box that repeats; steps of three cells of the current.
WaveRecord wave_on_current(int waves, double speed, ParticleSides sides, double seconds) {
    World<2> world = tank<2>({kCells, kHeight}, kDx);
    world.period[0] = kCells / kTileSide;
    LiquidSettings settings{.cfl = 3, .volume_control = true, .pressure_tolerance = 1e-4};
    settings.particles.sides = sides;
    ParticleLevelSet2002<2> method(world, settings);
    const double k = 2 * M_PI * waves / (kCells * kDx);
    LiquidState<2> liquid = method.initial_state(
        [&](const Vec<double, 2>& p) { return p[1] - 16.3 * kDx - kAmplitude * kDx * std::cos(k * p[0]); },
        [&](const Vec<double, 2>&) { return Vec<double, 2>(speed, 0.0); });
    WaveRecord record;
    const auto note = [&] {
        std::complex<double> sum = 0;
        for (int x = 0; x < kCells; ++x)
            for (int y = 0; y < kHeight; ++y)
                sum += wet_part(liquid, Index<2>{x, y}, kDx) *
                       std::exp(std::complex<double>(0, 2 * M_PI * waves * x / kCells));
        record.time.push_back(liquid.time);
        record.amplitude.push_back(std::abs(sum) * 2 / kCells / kAmplitude);
    };
    note();
    run(method, liquid, seconds, 3 * kDx / speed, [&](const StepReport&) { note(); });
    return record;
}

// When the pressure of a step acted where the current has taken the wave after it, the shorter ones grew fivefold.
TEST(Current, WavesOnItDoNotGrow) {
    for (const ParticleSides sides : {ParticleSides::none, ParticleSides::both})
        for (const int waves : {2, 4, 6, 8, 10, 12}) {
            const WaveRecord record = wave_on_current(waves, 3, sides, 0.6);
            EXPECT_LT(record.largest(0.01, 1), 1) << kCells / waves << " cells long";
        }
}

// Waves of 16 and 32 cells come up again after half a period, nearly as high as they were.
TEST(Current, WavesOnItKeepTheirPeriod) {
    for (const int waves : {2, 4}) {
        const double half = M_PI / angular_frequency(static_cast<double>(kCells) / waves);
        const WaveRecord record = wave_on_current(waves, 3, ParticleSides::both, 1.1 * half);
        EXPECT_LT(*std::min_element(record.amplitude.begin(), record.amplitude.end()), 0.15) << waves;
        EXPECT_GT(record.largest(0.9 * half, 1.1 * half), 0.85) << waves;
        // Low in the middle of the time, high at its ends.
        EXPECT_LT(record.largest(0.45 * half, 0.55 * half), 0.3) << waves;
    }
}

}  // namespace
}  // namespace spindrift
