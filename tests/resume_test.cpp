// SPDX-License-Identifier: Apache-2.0
// A run ends with the same bytes, on any number of threads and however often it was stopped and killed on the way.
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "tests/program.h"

namespace spindrift::testing {
namespace {

using Resume = CommandLine;

void expect_same_results(const std::filesystem::path& a, const std::filesystem::path& b, const std::string& hint) {
    EXPECT_EQ(state_hashes_of(a), state_hashes_of(b)) << hint;
    const auto in_a = results_of(a), in_b = results_of(b);
    ASSERT_EQ(in_a.size(), in_b.size()) << hint;
    for (const auto& [name, content] : in_a) {
        const auto other = in_b.find(name);
        ASSERT_NE(other, in_b.end()) << name << ", " << hint;
        EXPECT_TRUE(content == other->second) << name << " differs, " << hint;
    }
}

TEST_F(Resume, SameBytesOnAnyNumberOfThreads) {
    const std::string scene = small_scene();
    for (const int threads : {1, 2, 3, 7}) {
        const auto ended =
            spindrift({"run", scene, "-o", text(fmt::format("t{}", threads)), "--threads", fmt::format("{}", threads)});
        ASSERT_EQ(ended.code, 0) << ended.err;
    }
    ASSERT_FALSE(results_of(path("t1")).empty());
    for (const char* other : {"t2", "t3", "t7"}) expect_same_results(path("t1"), path(other), other);
}

// Killed at random moments, in all phases of a run: at the start, between steps, while files are written.
TEST_F(Resume, SameBytesAfterKills) {
    constexpr int kKills = 24;
    const std::string scene = small_scene();
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    ASSERT_EQ(spindrift({"run", scene, "-o", text("whole"), "--threads", "1"}).code, 0);
    const double whole = std::chrono::duration<double>(Clock::now() - start).count();

    const unsigned seed = std::random_device()();
    std::mt19937 rng(seed);
    std::uniform_real_distribution<double> moment(0, 0.9 * whole);
    int kills = 0;
    for (int round = 0; kills < kKills; ++round) {
        ASSERT_LT(round, 20 * kKills) << "it always ends before it is killed";
        const std::string folder = text(fmt::format("killed{}", round));
        for (int again = 0; again < 3; ++again) {
            Program program(folder_,
                            {"run", scene, "-o", folder, "--resume", "-q", "--threads", again % 2 ? "2" : "1"});
            const double after = moment(rng);
            std::this_thread::sleep_for(std::chrono::duration<double>(after));
            program.send(SIGKILL);
            const int code = program.wait().code;
            if (code == 0) break;  // it had ended before
            EXPECT_EQ(code, 128 + SIGKILL);
            ++kills;
        }
        const auto ended = spindrift({"run", scene, "-o", folder, "--resume"});
        ASSERT_EQ(ended.code, 0) << ended.err << "\nseed " << seed << ", round " << round;
        EXPECT_EQ(ended.err.find("differently"), std::string::npos) << ended.err;
        expect_same_results(path("whole"), folder, fmt::format("seed {}, round {}", seed, round));
        EXPECT_EQ(spindrift({"verify", folder}).code, 0);
        std::filesystem::remove_all(folder);
    }
}

// What is to be typed to go on is told with every option that makes the run what it is.
TEST_F(Resume, TellsACommandThatGoesOn) {
    const std::string scene = small_scene();
    const std::vector<std::string> options{"--resolution", "16", "--method", "level-set", "--set", "gravity=[0, -5]"};
    std::vector<std::string> command{"run", scene, "-o", text("out"), "--json", "--frames", "100000"};
    command.insert(command.end(), options.begin(), options.end());
    Program program(folder_, command);
    while (!program.has_ended() && program.out().find('\n') == std::string::npos)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    program.send(SIGINT);
    const auto ended = program.wait();
    ASSERT_EQ(ended.code, 130) << ended.err;
    EXPECT_NE(ended.err.find(fmt::format("spindrift run {} --resolution 16 --method level-set --set 'gravity=[0, -5]' "
                                         "--frames 100000 -o {} --resume",
                                         scene, text("out"))),
              std::string::npos)
        << ended.err;
}

// Ctrl-C ends with 130 soon, in mid-frame, and what was computed is not lost. The run that is stopped is far too long
// to end by itself, however late the signal comes on a busy machine; then it is ended a few frames on.
TEST_F(Resume, SameBytesAfterCtrlC) {
    const std::string scene = small_scene();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const std::string folder = text(fmt::format("stopped{}", signal));
        for (int stop = 0; stop < 3; ++stop) {
            Program program(folder_, {"run", scene, "-o", folder, "--resume", "--json", "--frames", "100000"});
            // Once it has made a frame.
            while (!program.has_ended() && program.out().find('\n') == std::string::npos)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            program.send(signal);
            const auto ended = program.wait();
            ASSERT_EQ(ended.code, 130) << ended.err;
            EXPECT_NE(ended.err.find("--resume"), std::string::npos) << ended.err;
        }
        const std::string frames = fmt::format("{}", state_hashes_of(folder).size() + 2);
        const std::string whole = text(fmt::format("whole{}", signal));
        ASSERT_EQ(spindrift({"run", scene, "-o", folder, "--resume", "--frames", frames}).code, 0);
        ASSERT_EQ(spindrift({"run", scene, "-o", whole, "--frames", frames}).code, 0);
        expect_same_results(whole, folder, fmt::format("after {} frames and signal {}", frames, signal));
        EXPECT_EQ(spindrift({"verify", folder}).code, 0);
    }
}

// The terminal goes away: SIGHUP comes, and nothing can be printed any more.
TEST_F(Resume, SameBytesAfterTheTerminalIsClosed) {
    const std::string scene = small_scene();
    {
        Program program(folder_, {"run", scene, "-o", text("out"), "--json", "--frames", "100000"},
                        {.nobody_reads_errors = true});
        while (!program.has_ended() && program.out().find('\n') == std::string::npos)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        program.send(SIGHUP);
        EXPECT_EQ(program.wait().code, 130);
    }
    const auto after = nlohmann::json::parse(read_file(path("out/manifest.json")));
    EXPECT_EQ(after.at("status"), "stopped");
    const std::string frames = fmt::format("{}", state_hashes_of(path("out")).size() + 2);
    ASSERT_EQ(spindrift({"run", scene, "-o", text("out"), "--resume", "--frames", frames}).code, 0);
    ASSERT_EQ(spindrift({"run", scene, "-o", text("whole"), "--frames", frames}).code, 0);
    expect_same_results(path("whole"), path("out"), "after the terminal was closed");
}

// Settings that change nothing that is there already may be others when a run goes on.
TEST_F(Resume, LooksAndLimitsMayChange) {
    const std::string scene = small_scene();
    const std::string tension = "fluid.surface_tension=50";
    const auto stopped = spindrift({"run", scene, "-o", text("out"), "--set", tension, "--set", "time.max_substeps=3"});
    EXPECT_EQ(stopped.code, 1) << stopped.err;
    for (const char* words : {"time.max_substeps = 3", "surface tension", "--resume --set time.max_substeps="})
        EXPECT_NE(stopped.err.find(words), std::string::npos) << words << "\n" << stopped.err;
    const auto went_on = spindrift({"run", scene, "-o", text("out"), "--set", tension, "--set", "time.max_substeps=500",
                                    "--set", "output.images=false", "--resume"});
    EXPECT_EQ(went_on.code, 0) << went_on.err;
    ASSERT_EQ(spindrift({"run", scene, "-o", text("whole"), "--set", tension}).code, 0);
    EXPECT_EQ(state_hashes_of(path("out")), state_hashes_of(path("whole")));

    const auto refused = spindrift({"run", scene, "-o", text("out"), "--set", "time.cfl=2", "--resume"});
    EXPECT_EQ(refused.code, 2);
    for (const char* words : {"fluid.surface_tension is 0.0728; the run was begun with 50.0",
                              "time.cfl is 2.0; the run was begun with 3.0"})
        EXPECT_NE(refused.err.find(words), std::string::npos) << words << "\n" << refused.err;
}

// Folders are moved and scene files renamed between one day and the next.
TEST_F(Resume, FolderAndSceneMayMove) {
    const std::string scene = small_scene();
    ASSERT_EQ(spindrift({"run", scene, "-o", text("whole")}).code, 0);
    ASSERT_EQ(spindrift({"run", scene, "-o", text("first"), "--frames", "4"}).code, 0);
    std::filesystem::rename(path("first"), path("second"));
    std::filesystem::rename(scene, path("renamed.toml"));
    const auto ended = spindrift({"run", text("renamed.toml"), "-o", text("second"), "--resume"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.err.find("continues after frame 4"), std::string::npos) << ended.err;
    expect_same_results(path("whole"), path("second"), "moved");
}

TEST_F(Resume, ARunCanBeMadeLongerAndRepaired) {
    const std::string scene = small_scene();
    ASSERT_EQ(spindrift({"run", scene, "-o", text("whole")}).code, 0);
    ASSERT_EQ(spindrift({"run", scene, "-o", text("grown"), "--frames", "3"}).code, 0);
    ASSERT_EQ(spindrift({"run", scene, "-o", text("grown"), "--resume"}).code, 0);
    expect_same_results(path("whole"), path("grown"), "made longer");

    const auto frame = path("grown") / "frames/dam.0007.vdb";
    std::filesystem::resize_file(frame, 100);
    const auto verdict = spindrift({"verify", text("grown")});
    EXPECT_EQ(verdict.code, 1);
    EXPECT_NE(verdict.out.find("dam.0007.vdb"), std::string::npos) << verdict.out;
    ASSERT_EQ(spindrift({"run", scene, "-o", text("grown"), "--from", "7"}).code, 0);
    EXPECT_EQ(spindrift({"verify", text("grown")}).code, 0);
    expect_same_results(path("whole"), path("grown"), "repaired");
}

}  // namespace
}  // namespace spindrift::testing
