// SPDX-License-Identifier: Apache-2.0
// `spindrift compare`: one scene by several methods or with several settings.
#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

#include "tests/program.h"

namespace spindrift::testing {
namespace {

using Compare = CommandLine;
using nlohmann::json;

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++n;
    return n;
}

TEST_F(Compare, MethodsSideBySide) {
    const std::string methods = "level-set,particle-level-set-2002";
    const auto ended =
        spindrift({"compare", small_scene(), "-o", text("out"), "--methods", methods, "--frames", "6", "--json"});
    ASSERT_EQ(ended.code, 0) << ended.err;

    // A line for each run, and the same with its frames in the file.
    const auto lines = ended.lines();
    ASSERT_EQ(lines.size(), 2U) << ended.out;
    const json all = json::parse(read_file(path("out/comparison.json")));
    ASSERT_EQ(all.at("runs").size(), 2U);
    for (std::size_t r = 0; r < 2; ++r) {
        const json& run = all.at("runs")[r];
        EXPECT_EQ(run.at("run"), r == 0 ? "level-set" : "particle-level-set-2002");
        EXPECT_EQ(run.at("method"), run.at("run"));
        for (const auto& [key, value] : lines[r].items()) EXPECT_EQ(run.at(key), value) << key;
        ASSERT_EQ(run.at("series").size(), 7U);

        // Energies are those of physics: at first all is potential, ½ ρ g w h² per metre of depth, and what falls is
        // what moves.  Between two columns of cells the liquid's edge lies where the grid can show it.
        const json &first = run.at("series")[0], &last = run.at("series")[5];
        const double all_potential = 0.5 * 1000 * 9.81 * 0.3 * 0.4 * 0.4;
        EXPECT_NEAR(first.at("potential_energy"), all_potential, 0.03 * all_potential);
        EXPECT_NEAR(first.at("kinetic_energy"), 0, 1e-9);
        const double fallen = first.at("potential_energy").get<double>() - last.at("potential_energy").get<double>();
        EXPECT_GT(fallen, 0.05 * all_potential);
        EXPECT_NEAR(last.at("kinetic_energy"), fallen, 0.15 * fallen);
        EXPECT_EQ(run.at("energy_time"), last.at("time"));
        EXPECT_EQ(run.at("kinetic_energy"), last.at("kinetic_energy"));
        EXPECT_NEAR(last.at("volume"), 0.12, 0.006);
        EXPECT_EQ(run.at("particles").get<int>() > 0, r == 1);
        EXPECT_TRUE(std::filesystem::exists(path("out") / run.at("folder").get<std::string>() / "report.html"));
    }

    // The page needs no other file; it has a row of pictures for each run, and a curve for each in each plot.
    const std::string page = read_file(path("out/comparison.html"));
    EXPECT_EQ(count(page, "<img "), 10U);
    EXPECT_EQ(count(page, "src=\"data:image/png"), 10U);
    for (const char* plot :
         {"Volume", "Volume error", "Kinetic energy", "Potential energy", "Divergence", "Time per frame"})
        EXPECT_EQ(count(page, "<figcaption><b>" + std::string(plot) + "</b>"), 1U) << plot;
    EXPECT_EQ(count(page, "class=\"line s1\""), 6U);
    EXPECT_TRUE(std::filesystem::exists(path("out/comparison.png")));
    EXPECT_NE(read_file(path("out/comparison.md")).find("| time per frame |"), std::string::npos);
}

TEST_F(Compare, VariantsOfSettings) {
    const auto ended = spindrift({"compare", small_scene(), "-o", text("out"), "--variant", "fluid.viscosity=0",
                                  "--variant", "fluid.viscosity=1; liquid[0].max=[0.3, 0.2]", "--frames", "4", "--json",
                                  "--set", "output.images=false"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const auto lines = ended.lines();
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].at("run"), "fluid.viscosity=0");
    EXPECT_EQ(lines[1].at("run"), "fluid.viscosity=1, liquid[0].max=[0.3, 0.2]");
    EXPECT_NEAR(lines[0].at("volume").get<double>(), 0.12, 0.006);
    EXPECT_NEAR(lines[1].at("volume").get<double>(), 0.06, 0.006);
    EXPECT_GT(lines[0].at("kinetic_energy").get<double>(), 4 * lines[1].at("kinetic_energy").get<double>());
    // Without pictures there is no film strip, and all else is there.
    EXPECT_FALSE(std::filesystem::exists(path("out/comparison.png")));
    EXPECT_NE(read_file(path("out/comparison.html")).find("Kinetic energy"), std::string::npos);
}

TEST_F(Compare, GoesOnWhereItWasStopped) {
    const auto command = [&](const std::string& folder) {
        return std::vector<std::string>{"compare",    small_scene(), "-o",         text(folder), "--variant",
                                        "time.cfl=1", "--variant",   "time.cfl=3", "--frames",   "6"};
    };
    ASSERT_EQ(spindrift(command("straight")).code, 0);
    {
        Program program(folder_, command("stopped"));
        while (!program.has_ended() && !std::filesystem::exists(path("stopped/time.cfl=1/images/dam.0002.png")))
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        program.send(SIGINT);
        const auto ended = program.wait();
        ASSERT_EQ(ended.code, 130) << ended.err;
        EXPECT_NE(ended.err.find("--resume"), std::string::npos);
    }
    // Without --resume nothing is overwritten.
    EXPECT_EQ(spindrift(command("stopped")).code, 2);
    auto again = command("stopped");
    again.push_back("--resume");
    ASSERT_EQ(spindrift(again).code, 0);
    for (const char* run : {"time.cfl=1", "time.cfl=3"}) {
        EXPECT_EQ(results_of(path("stopped") / run), results_of(path("straight") / run));
        EXPECT_EQ(read_file(path("stopped") / run / "probes/comparison.csv"),
                  read_file(path("straight") / run / "probes/comparison.csv"));
    }
    EXPECT_EQ(read_file(path("stopped/comparison.png")), read_file(path("straight/comparison.png")));
}

TEST_F(Compare, ARunThatFailsIsShownBesideTheOthers) {
    const auto ended =
        spindrift({"compare", small_scene(), "-o", text("out"), "--variant", "time.max_substeps=1", "--variant",
                   "seed=2", "--frames", "4", "--set", "time.min_substeps=1", "--set", "time.cfl=0.2"});
    ASSERT_EQ(ended.code, 1) << ended.err;
    const json all = json::parse(read_file(path("out/comparison.json")));
    EXPECT_EQ(all.at("runs")[0].at("status"), "failed");
    EXPECT_EQ(all.at("runs")[1].at("status"), "finished");
    EXPECT_NE(read_file(path("out/comparison.html")).find("class=\"failed\""), std::string::npos);
}

// Everything that is wrong is told before the first run, and nothing is written.
TEST_F(Compare, WrongInput) {
    const std::string scene = small_scene();
    const struct {
        std::vector<std::string> arguments;
        std::string told;
    } cases[] = {
        {{"--methods", "level-set,particle-levelset"}, "--methods particle-levelset"},
        {{"--methods", "level-set,particle-levelset"}, "particle-level-set-2002"},
        {{"--methods", "level-set"}, "nothing to compare"},
        {{"--methods", "level-set,level-set"}, "twice"},
        {{"--method", "level-set"}, "--methods level-set"},
        {{"--variant", "time.cfl=1", "--variant", "time.clf=2"}, "time.clf=2"},
        {{"--methods", "level-set,stable-fluids-1999"}, "stable-fluids-1999"},
    };
    for (const auto& one : cases) {
        std::vector<std::string> command{"compare", scene, "-o", text("out")};
        command.insert(command.end(), one.arguments.begin(), one.arguments.end());
        const auto ended = spindrift(command);
        EXPECT_EQ(ended.code, 2) << ended.err;
        EXPECT_NE(ended.err.find(one.told), std::string::npos) << ended.err;
        EXPECT_FALSE(std::filesystem::exists(path("out"))) << ended.err;
    }
}

}  // namespace
}  // namespace spindrift::testing
