// SPDX-License-Identifier: Apache-2.0
#include "base/profile.h"

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace spindrift {
namespace {

constexpr double kNap = 0.002;
void nap() { std::this_thread::sleep_for(std::chrono::duration<double>(kNap)); }

// "depth name ×calls", one per row.
std::vector<std::string> outline(const Profile& profile) {
    std::vector<std::string> out;
    for (const auto& row : profile.rows()) out.push_back(fmt::format("{} {} x{}", row.depth, row.name, row.calls));
    return out;
}
using Outline = std::vector<std::string>;

void solve() {
    const ProfileScope scope("multigrid");
    nap();
}

void step() {
    const ProfileScope scope("step");
    {
        const ProfileScope advect("advect");
        nap();
    }
    {
        const ProfileScope project("project");
        solve();
        solve();
        nap();
    }
    nap();
}

TEST(Profile, BuildsATreeOfStages) {
    Profile profile;
    const CurrentProfile current(profile);
    step();
    step();
    solve();  // elsewhere: a stage of its own
    EXPECT_EQ(outline(profile),
              (Outline{"0 step x2", "1 advect x2", "1 project x2", "2 multigrid x4", "0 multigrid x1"}));
}

TEST(Profile, TimesAddUp) {
    Profile profile;
    {
        const CurrentProfile current(profile);
        step();
        step();
    }
    const auto rows = profile.rows();
    ASSERT_EQ(rows.size(), 4u);
    const auto &all = rows[0], &advect = rows[1], &project = rows[2], &multigrid = rows[3];
    EXPECT_GE(all.seconds, 10 * kNap);
    EXPECT_GE(all.self_seconds, 2 * kNap);
    EXPECT_GE(advect.seconds, 2 * kNap);
    EXPECT_GE(project.self_seconds, 2 * kNap);
    EXPECT_GE(multigrid.seconds, 4 * kNap);
    EXPECT_NEAR(all.self_seconds, all.seconds - advect.seconds - project.seconds, 1e-9);
    EXPECT_NEAR(project.self_seconds, project.seconds - multigrid.seconds, 1e-9);
    EXPECT_EQ(multigrid.self_seconds, multigrid.seconds);
}

TEST(Profile, StageUnderWayCountsSoFar) {
    Profile profile;
    const CurrentProfile current(profile);
    const ProfileScope outer("outer");
    nap();
    solve();
    const auto rows = profile.rows();
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_GE(rows[0].seconds, 2 * kNap);
    EXPECT_GE(rows[0].self_seconds, kNap);
    EXPECT_GE(rows[1].seconds, kNap);
}

TEST(Profile, RecursionIsNotCountedTwice) {
    Profile profile;
    {
        const CurrentProfile current(profile);
        const ProfileScope level0("cycle");
        const ProfileScope level1("cycle");
        nap();
    }
    EXPECT_EQ(outline(profile), (Outline{"0 cycle x1", "1 cycle x1"}));
    const auto rows = profile.rows();
    EXPECT_LE(rows[1].seconds, rows[0].seconds);
    EXPECT_GE(rows[0].self_seconds, 0);
}

TEST(Profile, NothingIsMeasuredUnlessCurrent) {
    Profile profile;
    step();
    { const CurrentProfile current(profile); }
    step();
    EXPECT_EQ(outline(profile), Outline{});
}

TEST(Profile, IsCurrentForOneThreadOnly) {
    Profile profile;
    const CurrentProfile current(profile);
    const ProfileScope scope("mine");
    std::thread([] { step(); }).join();
    EXPECT_EQ(outline(profile), Outline{"0 mine x1"});
}

TEST(Profile, AnotherOneMayTakeOverForAWhile) {
    Profile outer, inner;
    {
        const CurrentProfile a(outer);
        const ProfileScope scope("render");
        {
            const CurrentProfile b(inner);
            solve();
        }
        solve();
    }
    EXPECT_EQ(outline(outer), (Outline{"0 render x1", "1 multigrid x1"}));
    EXPECT_EQ(outline(inner), Outline{"0 multigrid x1"});
}

TEST(Profile, SurvivesExceptions) {
    Profile profile;
    const CurrentProfile current(profile);
    try {
        const ProfileScope a("a");
        const ProfileScope b("b");
        throw std::runtime_error("out");
    } catch (const std::runtime_error&) {
    }
    solve();
    EXPECT_EQ(outline(profile), (Outline{"0 a x1", "1 b x1", "0 multigrid x1"}));
}

TEST(Profile, NamesNeedNotOutliveTheScope) {
    Profile profile;
    const CurrentProfile current(profile);
    for (int i = 0; i < 4; ++i) const ProfileScope scope(fmt::format("a stage with a long name, number {}", i % 2));
    EXPECT_EQ(outline(profile),
              (Outline{"0 a stage with a long name, number 0 x2", "0 a stage with a long name, number 1 x2"}));
}

TEST(Profile, AddsFramesToARun) {
    Profile run;
    for (int f = 0; f < 3; ++f) {
        Profile frame;
        {
            const CurrentProfile current(frame);
            const ProfileScope scope(f == 1 ? "odd" : "even");
            scope.add_bytes(100);
            solve();
        }
        run.add(frame);
    }
    EXPECT_EQ(outline(run), (Outline{"0 even x2", "1 multigrid x2", "0 odd x1", "1 multigrid x1"}));
    EXPECT_EQ(run.rows()[0].bytes, 200);
    EXPECT_GE(run.rows()[1].seconds, 2 * kNap);
}

TEST(Profile, CanBeginAgain) {
    Profile profile;
    const CurrentProfile current(profile);
    step();
    profile.clear();
    EXPECT_EQ(outline(profile), Outline{});
    solve();
    EXPECT_EQ(outline(profile), Outline{"0 multigrid x1"});
}

TEST(Profile, TableShowsStagesIndentedWithTheirRate) {
    Profile profile;
    {
        const CurrentProfile current(profile);
        const ProfileScope outer("pressure");
        const ProfileScope inner("smooth");
        inner.add_bytes(1'000'000'000);
        nap();
    }
    const std::string table = profile.text();
    EXPECT_EQ(table.find("stage "), 0u) << table;
    EXPECT_NE(table.find("\npressure  "), std::string::npos) << table;
    EXPECT_NE(table.find("\n  smooth  "), std::string::npos) << table;
    EXPECT_NE(table.find("100.0%"), std::string::npos) << table;
    // The bytes were given to the inner stage: its line, the last, is the one with a rate.
    const double rate = std::stod(table.substr(table.rfind(' ')));
    const auto rows = profile.rows();
    EXPECT_EQ(rows[0].bytes, 0);
    EXPECT_NEAR(rate, 1 / rows[1].seconds, 0.01 * rate + 0.01) << table;
}

TEST(ProfileDeathTest, MustNotBeClearedInsideAStage) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(
        {
            Profile profile;
            const CurrentProfile current(profile);
            const ProfileScope scope("busy");
            profile.clear();
        },
        "stage 'busy' is open");
}

}  // namespace
}  // namespace spindrift
