// SPDX-License-Identifier: Apache-2.0
// What `check`, `info` and `validate` tell.
#include <algorithm>

#include "tests/program.h"

namespace spindrift::testing {
namespace {

using Cli = CommandLine;

TEST_F(Cli, ValidatePrintsOneObjectPerFigure) {
    const auto ended = spindrift({"validate", "taylor-green", "--json"});
    bool fell_short = false;
    EXPECT_FALSE(ended.lines().empty());
    for (const auto& line : ended.lines()) {
        EXPECT_EQ(line.at("case"), "taylor-green");
        EXPECT_TRUE(line.at("measured").is_number()) << line;
        fell_short |= line.at("verdict") == "falls short";
    }
    EXPECT_EQ(ended.code, fell_short ? 1 : 0);
    const auto unknown = spindrift({"validate", "tailor-green"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("did you mean 'taylor-green'?"), std::string::npos) << unknown.err;
    EXPECT_NE(spindrift({"validate", "--list"}).out.find("taylor-green"), std::string::npos);
}

TEST_F(Cli, CheckTellsWhatASceneNeeds) {
    const auto shown = spindrift({"check", small_scene()});
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_NE(shown.out.find("48 × 24"), std::string::npos) << shown.out;
    const auto ended = spindrift({"check", small_scene(), "--json"});
    ASSERT_EQ(ended.lines().size(), 1U);
    EXPECT_GT(ended.lines()[0].at("memory_bytes").get<double>(), 0);
    EXPECT_TRUE(ended.lines()[0].at("errors").empty());
}

// Within the factors that docs/estimates.md states.
TEST_F(Cli, MemoryIsEstimatedWell) {
    const auto compare = [&](const std::string& name, const std::vector<std::string>& options) {
        std::vector<std::string> arguments{"check", name, "--json"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const auto told = spindrift(arguments);
        ASSERT_EQ(told.code, 0) << told.err;
        arguments[0] = "run";
        for (const char* more : {"-o", "", "-q", "--frames", "6"}) arguments.emplace_back(more);
        arguments[arguments.size() - 4] = text(name);
        const auto ran = spindrift(arguments);
        ASSERT_EQ(ran.code, 0) << ran.err;
        double used = 0;
        for (const auto& line : ran.lines()) used = std::max(used, line.at("rss_mib").get<double>());
        const double estimated = told.lines().at(0).at("memory_bytes").get<double>() / (1 << 20);
        EXPECT_LT(estimated, 1.5 * used) << name;
        EXPECT_GT(estimated, used / 1.5) << name;
    };
    compare("dam-break", {"--resolution", "48", "--set", "output.film=false"});
    compare("dam-break-2d", {"--resolution", "192", "--set", "output.film=false"});
    compare("drop-in-pool", {"--resolution", "56", "--set", "output.images=false"});
    // Volumes in 2D take as much memory as the fields.
    compare("vortex-dipole", {"--set", "time.fps=240", "--set", "output.images=false"});
}

TEST_F(Cli, InfoLooksIntoEveryKindOfFile) {
    ASSERT_EQ(spindrift({"run", small_scene(), "-o", text("out"), "--frames", "2", "--seed", "5"}).code, 0);
    const auto run = spindrift({"info", text("out"), "--json"}).lines().at(0);
    EXPECT_EQ(run.at("status"), "finished");
    EXPECT_EQ(run.at("frames"), 2);
    EXPECT_EQ(run.at("seed"), 5);
    const auto volume = spindrift({"info", text("out/frames/dam.0002.vdb"), "--json"}).lines().at(0);
    EXPECT_EQ(volume.at("frame"), 2);
    EXPECT_EQ(volume.at("grids").at(0).at("name"), "surface");
    const auto state = spindrift({"info", text("out/checkpoints/dam.0002.h5"), "--json"}).lines().at(0);
    EXPECT_EQ(state.at("state_hash"), volume.at("state_hash"));
    EXPECT_NE(spindrift({"info", text("out")}).out.find("finished"), std::string::npos);
}

}  // namespace
}  // namespace spindrift::testing
