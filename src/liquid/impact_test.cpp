// SPDX-License-Identifier: Apache-2.0
// What liquid does to a solid that it hits.
#include "geometry/shapes.h"
#include "liquid/test_support.h"

namespace spindrift {
namespace {

constexpr double kHeight = 0.5;  // m, of the column that collapses

// The pressure on the front of a box that a dam break hits, over density, m²/s², at the end of each step.
struct Record {
    std::vector<double> time, pressure;
    // m²/s, from samples at so many frames a second, each of which shows the last step.
    double impulse(double fps) const {
        double sum = 0;
        for (int frame = 1; frame <= static_cast<int>(fps * time.back()); ++frame) {
            const auto after = std::upper_bound(time.begin(), time.end(), frame / fps);
            if (after != time.begin()) sum += pressure[static_cast<std::size_t>(after - time.begin()) - 1] / fps;
        }
        return sum;
    }
};

Record hit_box(double longest_step) {
    constexpr int kCells = 96;
    constexpr double kDx = 1.5 / kCells;
    World<2> world = tank<2>({kCells, kCells / 2}, kDx);
    const Box<double, 2> box{{0.9, -0.1}, {1.05, 0.15}};
    world.solid_distance = [=](const Vec<double, 2>& p) { return signed_distance<2>(Shape<2>(box), p); };
    ParticleLevelSet2002<2> method(
        world,
        {.cfl = 3, .volume_control = true, .pressure_tolerance = 1e-4, .particles = {.sides = ParticleSides::both}});
    LiquidState<2> liquid =
        method.initial_state([](const Vec<double, 2>& p) { return dam_distance(p, 0.4, kHeight); }, at_rest<2>);
    Record record;
    run(method, liquid, 1.0, longest_step, [&](const StepReport&) {
        const int front = static_cast<int>(std::floor(box.lo[0] / kDx)) - 1;  // the column of cells before it
        double sum = 0;
        int count = 0;
        for (int y = 0; (y + 0.5) * kDx < box.hi[1]; ++y, ++count) sum += liquid.pressure.at({front, y});
        record.time.push_back(liquid.time);
        record.pressure.push_back(sum / count);
    });
    return record;
}

// However short the steps and however many frames show them, the box gets the same push; and what pulls at it is no
// more than the weight of the water.
TEST(Impact, DoesNotDependOnStepsNorFrames) {
    const Record longest = hit_box(kFrame), fine = hit_box(0.002);
    const double exact = fine.impulse(5000);
    for (const Record* record : {&longest, &fine}) {
        for (const double fps : {100, 200, 500}) EXPECT_NEAR(record->impulse(fps), exact, 0.1 * exact) << fps;
        const auto [least, most] = std::minmax_element(record->pressure.begin(), record->pressure.end());
        EXPECT_GT(*least, -kGravity * kHeight);
        EXPECT_NEAR(*most, *std::max_element(fine.pressure.begin(), fine.pressure.end()), 0.3 * *most);
    }
    ::testing::Test::RecordProperty("impulse", std::to_string(exact));
}

}  // namespace
}  // namespace spindrift
