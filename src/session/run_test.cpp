// SPDX-License-Identifier: Apache-2.0
#include "session/run.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "base/log.h"
#include "base/test_folder.h"
#include "scene/read_scene.h"
#include "session/fake_simulation.h"
#include "session/output/output_folder.h"
#include "session/output/verify.h"
#include "session/time_steps.h"
#include "setup/plausible_speed.h"

namespace spindrift {
namespace {

namespace fs = std::filesystem;

// Warnings are kept, not shown.
class Run : public TestFolder {
  protected:
    void SetUp() override {
        sink_ = set_log_sink([this](const LogRecord& record) { said_ += std::string(record.text) + "\n"; });
    }
    void TearDown() override { set_log_sink(sink_); }
    RunSettings settings(const char* folder, int frames = 12) const {
        return {.folder = folder_ / folder, .last_frame = frames, .fps = 24, .checkpoint_every = 3};
    }

    std::string said_;
    LogSink sink_;
};

// Of simulations that end a step at each frame, and of those that can be shown between steps.
class EitherRun : public Run, public ::testing::WithParamInterface<bool> {
  protected:
    FakeSimulation simulation() const {
        FakeSimulation fake;
        fake.ends_at_frames = GetParam();
        return fake;
    }
};
INSTANTIATE_TEST_SUITE_P(Kinds, EitherRun, ::testing::Bool());

Manifest manifest() {
    return {.name = "fake",
            .title = "A fake",
            .method = "fake",
            .dim = 2,
            .fps = 24,
            .identity = {.version = "1", .scene_hash = "abc", .simulation = "[domain]\nsize = [1, 1]\n", .seed = 1},
            .scene_file = "fake.toml"};
}

std::string text_of(const fs::path& file) { return read_text_file(file).value(); }

// Name and content of all frames.
std::map<std::string, std::string> frames_of(const fs::path& folder) {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::directory_iterator(folder / "frames"))
        found[entry.path().filename().string()] = text_of(entry.path());
    return found;
}

struct Killed {};

TEST(TimeSteps, DivideWhatIsLeftEvenly) {
    EXPECT_EQ(next_step(1, 0.4).steps_left, 3);
    EXPECT_DOUBLE_EQ(next_step(1, 0.4).dt, 1.0 / 3);
    EXPECT_EQ(next_step(1, std::numeric_limits<double>::infinity()).dt, 1);
    EXPECT_EQ(next_step(0.3, 0.1).steps_left, 3) << "rounding must not add a step";
    EXPECT_EQ(next_step(1, 2).steps_left, 1);
}

TEST(TimeSteps, AFrameIsReachedWithoutAStepThatPassesIt) {
    EXPECT_TRUE(lies_within_step(0.3, 0.4));
    EXPECT_FALSE(lies_within_step(0.4, 0.4));
    EXPECT_FALSE(lies_within_step(0.4 * (1 - 1e-12), 0.4)) << "rounding must not part a step from its end";
    FakeSimulation fake;
    EXPECT_EQ(longest_step(fake, 24, std::nullopt), 1.0 / 24);
    EXPECT_EQ(longest_step(fake, 24, 3), 1.0 / 72);
    fake.ends_at_frames = false;
    EXPECT_TRUE(std::isinf(longest_step(fake, 24, std::nullopt)));
    EXPECT_EQ(longest_step(fake, 24, 3), 1.0 / 72);
}

// Frames are looked at, not stepped to: the steps are the same at any rate, and so is the state.
TEST_F(Run, StepsDoNotDependOnTheFrameRate) {
    const auto steps_at = [&](double fps) {
        FakeSimulation fake;
        fake.ends_at_frames = false;
        std::vector<double> times;
        RunSettings here = settings(fmt::format("at{}", fps).c_str(), static_cast<int>(0.5 * fps));
        here.fps = fps;
        const RunObserver observer{.step_done = [&](const StepRecord& step) { times.push_back(step.time); }};
        EXPECT_EQ(run(fake, manifest(), here, observer).value().status, RunStatus::finished);
        EXPECT_EQ(frames_of(here.folder).size(), static_cast<std::size_t>(here.last_frame) + 1);
        EXPECT_LE(fake.time(), 0.5 + 1e-9) << "no step is taken that no frame needs";
        EXPECT_GT(fake.time(), 0.5 - 2 * fake.pace);
        return times;
    };
    const std::vector<double> times = steps_at(24);
    EXPECT_GT(times.size(), 40U);
    for (const double fps : {10.0, 100.0, 500.0}) EXPECT_EQ(steps_at(fps), times) << fps;

    // What a frame shows lies between: two frames of one step differ.
    const auto frames = frames_of(folder_ / "at500");
    std::size_t pairs = 0;
    for (auto a = frames.begin(), b = std::next(a); b != frames.end(); ++a, ++b) {
        const auto words = [](const std::string& line) { return line.substr(line.find(' ') + 1); };
        EXPECT_NE(words(a->second), words(b->second)) << a->first;
        pairs += words(a->second).substr(0, 32) == words(b->second).substr(0, 32) ? 1 : 0;
    }
    EXPECT_GT(pairs, 50U) << "frames with the same state_hash";
}

TEST_F(Run, AtLeastMinSubstepsPerFrame) {
    for (const bool ends_at_frames : {true, false}) {
        FakeSimulation fake;
        fake.ends_at_frames = ends_at_frames;
        fake.pace = 1;
        RunSettings here = settings(ends_at_frames ? "ends" : "passes", 6);
        here.min_substeps = 3;
        ASSERT_TRUE(run(fake, manifest(), here));
        for (const FrameRecord& frame : read_manifest(here.folder).value().frames)
            EXPECT_EQ(frame.steps, frame.frame > 0 ? 3 : 0) << frame.frame;
    }
}

TEST_F(Run, WritesEveryFrameAndListsIt) {
    FakeSimulation fake;
    std::vector<double> dts;
    int frames = 0;
    const RunObserver observer{.step_done = [&](const StepRecord& step) { dts.push_back(step.report.dt); },
                               .frame_done = [&](const FrameRecord&) { ++frames; }};
    const auto outcome = run(fake, manifest(), settings("out"), observer);
    ASSERT_TRUE(outcome) << outcome.errors().text();
    EXPECT_EQ(outcome.value().status, RunStatus::finished);
    EXPECT_EQ(outcome.value().frame, 12);
    EXPECT_EQ(frames, 13);
    EXPECT_EQ(frames_of(folder_ / "out").size(), 13U);
    EXPECT_NEAR(fake.time(), 0.5, 1e-12);
    EXPECT_GT(*std::min_element(dts.begin(), dts.end()), 0.25 * fake.pace) << "no tiny steps";

    const auto listed = read_manifest(folder_ / "out");
    ASSERT_TRUE(listed) << listed.errors().text();
    EXPECT_EQ(listed.value().status, RunStatus::finished);
    ASSERT_EQ(listed.value().frames.size(), 13U);
    int steps = 0;
    for (const FrameRecord& frame : listed.value().frames) steps += frame.steps;
    EXPECT_EQ(steps, static_cast<int>(dts.size()));
    EXPECT_EQ(OutputFolder(folder_ / "out", "fake").checkpoints().size(), 2U);
    EXPECT_TRUE(verify_run(folder_ / "out").value().faults.empty());
}

// However a run is stopped, and wherever, it ends with the same bytes.
TEST_P(EitherRun, StoppedAnywhereItGoesOnToTheSameFrames) {
    FakeSimulation undisturbed = simulation();
    int steps = 0;
    ASSERT_TRUE(run(undisturbed, manifest(), settings("whole"), {.step_done = [&](const StepRecord&) { ++steps; }}));
    const auto whole = frames_of(folder_ / "whole");
    const auto listed = read_manifest(folder_ / "whole").value().frames;
    ASSERT_GT(steps, 40);

    for (int stop_at = 1; stop_at < steps; stop_at += 7) {
        const std::string name = fmt::format("stopped{}", stop_at);
        RunSettings again = settings(name.c_str());
        int taken = 0;
        const RunObserver observer{.step_done = [&](const StepRecord&) { ++taken; },
                                   .stop_wanted = [&] { return taken == stop_at; }};
        FakeSimulation first = simulation();
        const auto stopped = run(first, manifest(), again, observer);
        ASSERT_TRUE(stopped) << stopped.errors().text();
        ASSERT_EQ(stopped.value().status, RunStatus::stopped) << stop_at;
        EXPECT_EQ(taken, stop_at);

        again.resume = true;
        FakeSimulation second = simulation();
        const auto resumed = run(second, manifest(), again, {.step_done = [&](const StepRecord&) { ++taken; }});
        ASSERT_TRUE(resumed) << resumed.errors().text();
        EXPECT_EQ(taken, steps) << "a stopped run loses no step";
        EXPECT_EQ(frames_of(again.folder), whole) << stop_at;
        const auto frames = read_manifest(again.folder).value().frames;
        ASSERT_EQ(frames.size(), listed.size());
        for (std::size_t i = 0; i < frames.size(); ++i) {
            EXPECT_EQ(frames[i].state_hash, listed[i].state_hash);
            EXPECT_EQ(frames[i].steps, listed[i].steps);
            EXPECT_EQ(frames[i].report.pressure.iterations, listed[i].report.pressure.iterations);
        }
        fs::remove_all(again.folder);
    }
}

TEST_P(EitherRun, KilledAnywhereItGoesOnToTheSameFrames) {
    FakeSimulation undisturbed = simulation();
    ASSERT_TRUE(run(undisturbed, manifest(), settings("whole")));
    const auto whole = frames_of(folder_ / "whole");
    for (int kill_at = 1; kill_at < 60; kill_at += 5) {
        RunSettings again = settings("killed");
        again.resume = true;
        // Twice, at events of any kind; the second time there may be fewer events left.
        bool was_killed = false;
        for (int round = 0; round < 2; ++round) {
            int events = 0;
            const auto event = [&](const auto&) {
                if (++events == kill_at) throw Killed();
            };
            FakeSimulation fake = simulation();
            try {
                ASSERT_TRUE(run(fake, manifest(), again, {.step_done = event, .frame_done = event}));
            } catch (const Killed&) {
                was_killed = true;
            }
        }
        EXPECT_TRUE(was_killed) << kill_at;
        FakeSimulation fake = simulation();
        ASSERT_TRUE(run(fake, manifest(), again));
        EXPECT_EQ(frames_of(again.folder), whole) << kill_at;
        EXPECT_TRUE(verify_run(again.folder).value().faults.empty());
        fs::remove_all(again.folder);
    }
    EXPECT_EQ(said_.find("differently"), std::string::npos) << said_;
}

TEST_P(EitherRun, FailedStepsAreTakenAgainWithHalfTheLength) {
    for (const bool by_nan : {false, true}) {
        FakeSimulation fake = simulation();
        fake.longest_dt = 0.004;
        fake.fails_by_nan = by_nan;
        const RunSettings settings_here = settings(by_nan ? "nan" : "said", 3);
        const auto outcome = run(fake, manifest(), settings_here);
        ASSERT_TRUE(outcome) << outcome.errors().text();
        EXPECT_EQ(outcome.value().status, RunStatus::finished) << outcome.value().failure;
        EXPECT_NEAR(fake.time(), 3.0 / 24, GetParam() ? 1e-12 : 2 * fake.pace);
        const auto frames = read_manifest(settings_here.folder).value().frames;
        EXPECT_GT(frames[1].retries, 0);
    }
}

TEST_F(Run, HopelessStepsEndTheRunAndSayWhy) {
    FakeSimulation fake;
    fake.longest_dt = 0;
    const auto outcome = run(fake, manifest(), settings("out"));
    ASSERT_TRUE(outcome) << outcome.errors().text();
    EXPECT_EQ(outcome.value().status, RunStatus::failed);
    EXPECT_NE(outcome.value().failure.find("failed 7 times"), std::string::npos) << outcome.value().failure;
    EXPECT_NE(outcome.value().failure.find("the step is too long"), std::string::npos) << outcome.value().failure;
    EXPECT_EQ(read_manifest(folder_ / "out").value().status, RunStatus::failed);

    FakeSimulation slow;
    slow.pace = 1e-5;
    const auto endless = run(slow, manifest(), settings("endless"));
    EXPECT_EQ(endless.value().status, RunStatus::failed);
    for (const char* words :
         {"frame 1 needs about", "time.max_substeps = 200", "the pace of a fake", "max_substeps=10000"})
        EXPECT_NE(endless.value().failure.find(words), std::string::npos) << words << "\n" << endless.value().failure;

    FakeSimulation hopeless;
    hopeless.pace = 1e-9;
    const std::string failure = run(hopeless, manifest(), settings("hopeless")).value().failure;
    EXPECT_NE(failure.find("make the cells larger"), std::string::npos) << failure;
}

TEST_F(Run, SpeedsThatNothingExplainsAreToldOnce) {
    FakeSimulation fast;
    fast.speed = 250;
    for (const double plausible : {300.0, 100.0}) {
        RunSettings some = settings(fmt::format("{}", plausible).c_str(), 6);
        some.plausible_speed = plausible;
        said_.clear();
        ASSERT_TRUE(run(fast, manifest(), some));
        const std::string words = "moves at 250 m/s, faster than anything in the scene explains";
        const std::size_t first = said_.find(words);
        EXPECT_EQ(first != std::string::npos, plausible < 250) << said_;
        EXPECT_EQ(said_.rfind(words), first) << said_;
    }
}

TEST(PlausibleSpeed, IsThatOfItsCausesOrTheLimitOfTheMethods) {
    const auto of = [](const std::string& more, const std::string& size = "[1, 1]") {
        const auto scene =
            parse_scene("spindrift = 1\n" + more + "\n[domain]\nsize = " + size + "\nresolution = 16\n", "s.toml");
        EXPECT_TRUE(scene) << scene.errors().text();
        return plausible_speed(scene.value());
    };
    EXPECT_EQ(of(""), 100);                                     // 3 √(2 g √2 m) = 16 m/s is less
    EXPECT_NEAR(of("", "[0.01, 0.01]"), 20 * 0.01 * 24, 1e-9);  // twenty times across in a frame
    EXPECT_GT(of("", "[2000, 1000]"), 600);                     // a fall through the box
    EXPECT_NEAR(of("[[source]]\nshape = \"sphere\"\ncenter = [0.5, 0.5]\nradius = 0.1\nvelocity = [\"90 * t\", 0]\n"
                   "[time]\nend = 2"),
                3 * 180, 1e-6);
}

TEST_F(Run, StrictEndsAtTheFirstWarning) {
    for (const bool strict : {false, true}) {
        FakeSimulation drifting, losing, unconverged;
        drifting.volume_error = 0.2;
        losing.amount_error = -0.07;
        unconverged.converges = false;
        for (auto* fake : {&drifting, &losing, &unconverged}) {
            RunSettings again = settings(fmt::format("{}{}{}", strict, fake == &drifting, fake == &losing).c_str(), 3);
            again.strict = strict;
            const auto outcome = run(*fake, manifest(), again);
            EXPECT_EQ(outcome.value().status, strict ? RunStatus::failed : RunStatus::finished);
        }
    }
    EXPECT_NE(said_.find("off by 20.0 %"), std::string::npos) << said_;
    EXPECT_NE(said_.find("the volume of smoke is off by -7.0 %"), std::string::npos) << said_;
    EXPECT_NE(said_.find("did not converge"), std::string::npos) << said_;
}

TEST_F(Run, FolderWithARunIsNotTouchedWithoutBeingAsked) {
    FakeSimulation fake;
    ASSERT_TRUE(run(fake, manifest(), settings("out", 2)));
    const std::string before = text_of(folder_ / "out" / "manifest.json");
    FakeSimulation other;
    const auto again = run(other, manifest(), settings("out", 2));
    ASSERT_FALSE(again);
    EXPECT_NE(again.errors().text().find("--resume"), std::string::npos) << again.errors().text();
    EXPECT_EQ(text_of(folder_ / "out" / "manifest.json"), before);

    fs::remove(folder_ / "out" / "manifest.json");
    FakeSimulation third;
    EXPECT_FALSE(run(third, manifest(), settings("out", 2))) << "frames without manifest";
}

TEST_F(Run, AnotherRunIsNotContinued) {
    RunSettings again = settings("out", 4);
    FakeSimulation fake;
    ASSERT_TRUE(run(fake, manifest(), again));
    again.resume = true;
    const auto refused = [&](const Manifest& other, const char* word) {
        FakeSimulation next;
        const auto outcome = run(next, other, again);
        ASSERT_FALSE(outcome);
        EXPECT_NE(outcome.errors().text().find(word), std::string::npos) << outcome.errors().text();
    };
    Manifest other = manifest();
    other.identity.version = "2";
    refused(other, "begun with 1");
    other = manifest();
    other.identity.simulation = "[domain]\nsize = [2, 1]\n";
    other.identity.scene_hash = "def";
    refused(other, "domain.size is [2, 1]; the run was begun with [1, 1]");
    other = manifest();
    other.identity.scene_hash = "def";
    refused(other, "file that the scene names");
}

TEST_F(Run, AFinishedRunCanBeMadeLonger) {
    FakeSimulation whole, first, second;
    ASSERT_TRUE(run(whole, manifest(), settings("whole", 12)));
    ASSERT_TRUE(run(first, manifest(), settings("grown", 5)));
    RunSettings longer = settings("grown", 12);
    longer.resume = true;
    const auto outcome = run(second, manifest(), longer);
    ASSERT_TRUE(outcome) << outcome.errors().text();
    EXPECT_EQ(outcome.value().frames_made, 7);
    EXPECT_EQ(frames_of(folder_ / "grown"), frames_of(folder_ / "whole"));

    FakeSimulation third;
    EXPECT_EQ(run(third, manifest(), longer).value().frames_made, 0) << "nothing left to do";
}

TEST_F(Run, DamagedCheckpointFallsBackToTheOneBefore) {
    FakeSimulation whole;
    ASSERT_TRUE(run(whole, manifest(), settings("whole")));
    RunSettings again = settings("out", 9);
    FakeSimulation fake;
    ASSERT_TRUE(run(fake, manifest(), again));
    again.last_frame = 12;
    again.resume = true;
    const auto checkpoints = OutputFolder(again.folder, "fake").checkpoints();
    ASSERT_EQ(checkpoints.size(), 2U);
    fs::resize_file(checkpoints[0].path, fs::file_size(checkpoints[0].path) - 1);
    int start = 0;
    FakeSimulation next;
    ASSERT_TRUE(run(next, manifest(), again, {.started = [&](const RunStart& s) { start = s.frame; }}));
    EXPECT_EQ(start, 6);
    EXPECT_NE(said_.find(checkpoints[0].path.filename().string()), std::string::npos) << said_;
    EXPECT_EQ(frames_of(again.folder), frames_of(folder_ / "whole"));

    // And without any, from the beginning.
    for (const auto& file : OutputFolder(again.folder, "fake").checkpoints()) fs::resize_file(file.path, 100);
    FakeSimulation last;
    ASSERT_TRUE(run(last, manifest(), again, {.started = [&](const RunStart& s) { start = s.frame; }}));
    EXPECT_EQ(start, -1);
    EXPECT_EQ(frames_of(again.folder), frames_of(folder_ / "whole"));
}

TEST_P(EitherRun, FromMakesFramesAgain) {
    FakeSimulation fake = simulation();
    RunSettings again = settings("out");
    again.keep_checkpoints = 0;
    ASSERT_TRUE(run(fake, manifest(), again));
    const auto whole = frames_of(again.folder);
    for (const int from : {0, 5, 6, 12}) {
        for (int frame = from; frame <= 12; ++frame)
            ASSERT_TRUE(write_text_file(again.folder / fmt::format("frames/fake.{:04}.txt", frame), "damaged"));
        EXPECT_FALSE(verify_run(again.folder).value().faults.empty());
        again.from = from;
        FakeSimulation next = simulation();
        ASSERT_TRUE(run(next, manifest(), again));
        EXPECT_EQ(frames_of(again.folder), whole) << from;
        EXPECT_TRUE(verify_run(again.folder).value().faults.empty());
    }
}

// What a run had after the frame it is taken up from is either made again or gone: no file that no list names.
TEST_F(Run, FromLeavesNoFilesOfLaterFrames) {
    FakeSimulation fake;
    RunSettings again = settings("out");
    again.keep_checkpoints = 0;
    ASSERT_TRUE(run(fake, manifest(), again));
    const auto whole = frames_of(again.folder);
    again.from = 6;

    // Stopped on the way.
    int seen = 0;
    FakeSimulation next;
    ASSERT_TRUE(run(next, manifest(), again,
                    {.frame_done = [&](const FrameRecord& frame) { seen = frame.frame; },
                     .stop_wanted = [&] { return seen == 8; }}));
    EXPECT_EQ(frames_of(again.folder).size(), 9U);
    EXPECT_EQ(read_manifest(again.folder).value().frames.size(), 9U);

    // Ended earlier than before.
    again.from = 3;
    again.last_frame = 5;
    FakeSimulation shorter;
    ASSERT_TRUE(run(shorter, manifest(), again));
    EXPECT_EQ(frames_of(again.folder).size(), 6U);
    for (const auto& [name, content] : frames_of(again.folder)) EXPECT_EQ(whole.at(name), content);
    EXPECT_TRUE(verify_run(again.folder).value().faults.empty());
}

// A killed run has frames after its last checkpoint; asked for no more than the checkpoint has, they stay.
TEST_F(Run, FramesThatNeedNotBeMadeAgainStayListed) {
    RunSettings again = settings("out", 5);  // the checkpoint that a finished run has is gone
    FakeSimulation fake;
    ASSERT_TRUE(run(fake, manifest(), again));
    fs::remove(OutputFolder(again.folder, "fake").checkpoints()[0].path);
    again.resume = true;
    again.last_frame = 2;
    FakeSimulation next;
    ASSERT_TRUE(run(next, manifest(), again));
    EXPECT_EQ(read_manifest(again.folder).value().frames.size(), 6U);
    EXPECT_EQ(frames_of(again.folder).size(), 6U);
}

TEST_F(Run, TwoRunsDoNotShareAFolder) {
    FakeSimulation fake;
    bool tried = false;
    const RunObserver observer{.frame_done = [&](const FrameRecord&) {
        if (std::exchange(tried, true)) return;
        RunSettings second = settings("out");
        second.resume = true;
        FakeSimulation other;
        const auto outcome = run(other, manifest(), second);
        ASSERT_FALSE(outcome);
        EXPECT_NE(outcome.errors().text().find("another Spindrift"), std::string::npos);
    }};
    ASSERT_TRUE(run(fake, manifest(), settings("out"), observer));
    EXPECT_TRUE(tried);
}

TEST_F(Run, PlacesThatCannotBeWrittenAreNamed) {
    ASSERT_TRUE(write_text_file(folder_ / "file", ""));
    FakeSimulation fake;
    const auto outcome = run(fake, manifest(), settings("file"));
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.errors().text().find("file: is a file, not a folder"), std::string::npos)
        << outcome.errors().text();
}

TEST_F(Run, VerifyNamesWhatIsDamaged) {
    FakeSimulation fake;
    ASSERT_TRUE(run(fake, manifest(), settings("out")));
    const fs::path folder = folder_ / "out";
    const auto expect_fault = [&](const fs::path& file, const std::function<void()>& damage) {
        const std::string whole = text_of(file);
        damage();
        const auto verdict = verify_run(folder);
        ASSERT_TRUE(verdict) << verdict.errors().text();
        ASSERT_EQ(verdict.value().faults.size(), 1U) << verdict.value().faults.text();
        EXPECT_EQ(verdict.value().faults[0].where.file, file.string());
        ASSERT_TRUE(write_text_file(file, whole));
        EXPECT_TRUE(verify_run(folder).value().faults.empty());
    };
    const fs::path frame = folder / "frames/fake.0003.txt", manifest_file = folder / "manifest.json";
    expect_fault(frame, [&] { fs::remove(frame); });
    expect_fault(frame, [&] { fs::resize_file(frame, 5); });
    expect_fault(frame, [&] {
        std::string text = text_of(frame);
        text[3] ^= 1;
        ASSERT_TRUE(write_text_file(frame, text));
    });
    const fs::path checkpoint = OutputFolder(folder, "fake").checkpoints()[0].path;
    expect_fault(checkpoint, [&] { fs::resize_file(checkpoint, 1000); });
    expect_fault(manifest_file, [&] { fs::resize_file(manifest_file, 500); });
    expect_fault(manifest_file, [&] {
        std::string text = text_of(manifest_file);
        text.replace(text.find("A fake"), 6, "A fact");
        ASSERT_TRUE(write_text_file(manifest_file, text));
    });
}

}  // namespace
}  // namespace spindrift
