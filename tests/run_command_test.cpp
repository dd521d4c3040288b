// SPDX-License-Identifier: Apache-2.0
// What `run` prints, which files it writes, and the code it ends with.
#include <algorithm>
#include <cstdlib>

#include <fmt/core.h>

#include "tests/program.h"

namespace spindrift::testing {
namespace {

using Cli = CommandLine;

TEST_F(Cli, RunPrintsOneObjectPerFrame) {
    const auto ended = spindrift({"run", small_scene(), "-o", text("out"), "--json", "--frames", "3"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const auto lines = ended.lines();
    ASSERT_EQ(lines.size(), 4U) << ended.out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_EQ(lines[i].at("frame"), i);
        for (const char* number : {"time", "steps", "seconds", "cells", "particles", "volume", "volume_error",
                                   "max_speed", "divergence", "pressure_iterations", "rss_mib"})
            EXPECT_TRUE(lines[i].at(number).is_number()) << number << " in " << lines[i];
        EXPECT_EQ(lines[i].at("state_hash").get<std::string>().size(), 32U);
    }
    EXPECT_NEAR(lines[3].at("time").get<double>(), 3 / 24.0, 1e-12);
    EXPECT_NEAR(lines[3].at("volume").get<double>(), 0.12, 0.006);
    EXPECT_GT(lines[3].at("steps").get<int>(), 0);
    EXPECT_GT(lines[3].at("max_speed").get<double>(), 0);
    EXPECT_GT(lines[3].at("pressure_iterations").get<int>(), 0);
    EXPECT_GT(lines[3].at("rss_mib").get<double>(), 1);
    EXPECT_FALSE(lines[3].at("stages").empty());
    EXPECT_EQ(state_hashes_of(path("out")).back(), lines[3].at("state_hash"));

    // The log has the same frames, and steps between them.
    int steps = 0;
    for (const auto& line : Ended{.out = read_file(path("out/log.jsonl"))}.lines()) steps += line.at("event") == "step";
    int counted = 0;
    for (const auto& line : lines) counted += line.at("steps").get<int>();
    EXPECT_EQ(steps, counted);
}

// Frames that are half a second apart make a film that moves: 24 pictures a second, or as many as the scene says.
TEST_F(Cli, FilmHasItsOwnRate) {
    if (std::system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") != 0) GTEST_SKIP();
    const auto seconds = [&](const std::string& file) {
        const std::string command = "ffprobe -v error -show_entries format=duration -of csv=p=0 '" + text(file) +
                                    "' > '" + text("seconds") + "'";
        EXPECT_EQ(std::system(command.c_str()), 0);
        return std::stod(read_file(path("seconds")));
    };
    ASSERT_EQ(spindrift({"run", small_scene(), "-o", text("out"), "--frames", "5", "--set", "time.fps=10", "--set",
                         "output.film=true"})
                  .code,
              0);
    EXPECT_NEAR(seconds("out/dam.mp4"), 6 / 24.0, 0.01);
    ASSERT_EQ(spindrift({"film", text("out"), "--set", "output.film_fps=4"}).code, 0);
    EXPECT_NEAR(seconds("out/dam.mp4"), 6 / 4.0, 0.01);
}

TEST_F(Cli, FilesOfSomeFramesAlone) {
    ASSERT_EQ(spindrift({"run", small_scene(), "-o", text("out"), "--frames", "2-3"}).code, 0);
    const auto files = results_of(path("out"));
    EXPECT_TRUE(files.contains("frames/dam.0002.vdb"));
    EXPECT_TRUE(files.contains("frames/dam.0003.vdb"));
    EXPECT_FALSE(files.contains("frames/dam.0001.vdb"));
    EXPECT_EQ(spindrift({"verify", text("out")}).code, 0);
}

TEST_F(Cli, ASceneMayComeFromStandardInput) {
    const std::string scene = read_file(small_scene());
    const auto checked = spindrift({"check", "-"}, {.input = scene});
    EXPECT_EQ(checked.code, 0) << checked.err;
    // More frames than the scene has: it is looked at again.
    const auto ran = spindrift({"run", "-", "-o", text("out"), "--frames", "10"}, {.input = scene});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(results_of(path("out")).contains("frames/scene.0010.vdb"));
    EXPECT_EQ(spindrift({"run", "-", "-o", text("out"), "--frames", "11", "--resume"}, {.input = scene}).code, 0);
    // The folder alone is enough for later stages.
    EXPECT_EQ(spindrift({"render", text("out"), "--frames", "1"}).code, 0);
    const auto empty = spindrift({"check", "-"});
    EXPECT_EQ(empty.code, 2);
    EXPECT_TRUE(empty.err.starts_with("spindrift: -:")) << empty.err;
}

// One line that fits, however narrow the terminal is.
TEST_F(Cli, TheBarFitsTheTerminal) {
    for (const int columns : {20, 40, 120}) {
        const std::string folder = text(std::to_string(columns));
        const auto ended =
            spindrift({"run", small_scene(), "-o", folder, "--frames", "2"}, {.terminal_columns = columns});
        ASSERT_EQ(ended.code, 0) << ended.err;
        int seen = 0;
        std::string drawing = ended.err.substr(0, ended.err.rfind("\r\033[K"));
        for (std::size_t at = drawing.find("\r\033[K"); at != std::string::npos;) {
            const std::size_t next = drawing.find("\r\033[K", at + 1);
            const std::string line = drawing.substr(at + 4, next == std::string::npos ? next : next - at - 4);
            const auto width = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
            EXPECT_LT(width, columns) << line;
            EXPECT_EQ(line.find('\n'), std::string::npos) << line;
            seen += line.find("frame 1/2") != std::string::npos;
            at = next;
        }
        EXPECT_GT(seen, 0) << ended.err;
        if (columns == 120) {
            for (const char* words : {"elapsed", "writing files", "volume", "▏"})
                EXPECT_NE(ended.err.find(words), std::string::npos) << words << "\n" << ended.err;
        }
    }
}

// The whole range of time.cfl, and surface tension beyond that of any liquid.
TEST_F(Cli, EdgesOfRangesRun) {
    const auto runs = [&](const std::string& name, const std::vector<std::string>& sets, double volume = 0.12,
                          double within = 0.05) {
        std::vector<std::string> command{"run", small_scene(), "-o", text(name), "--frames", "3", "--json"};
        for (const std::string& set : sets) command.insert(command.end(), {"--set", set});
        const auto ended = spindrift(command);
        EXPECT_EQ(ended.code, 0) << name << "\n" << ended.err;
        if (ended.code != 0) return;
        EXPECT_NEAR(ended.lines().back().at("volume").get<double>(), volume, within * volume) << name;
    };
    for (const char* cfl : {"0.1", "7.4", "7.6", "10"}) runs(cfl, {fmt::format("time.cfl={}", cfl)});
    runs("tension", {"fluid.surface_tension=100", "time.max_substeps=1000"});
    runs("whole", {"domain.resolution=48.0"});
    // Beyond the side 8 cells of 1/48 m are full of liquid, all 0.5 m high; at no speed none of it comes in.
    runs("inflow", {"domain.sides={left={kind='inflow', velocity=[0, 0]}}"}, 0.12 + 8.0 / 48 * 0.5, 0.005);
}

// A gas has no volume to be kept.
TEST_F(Cli, AGasPrintsNoVolume) {
    write_file(path("gas.toml"),
               "spindrift = 1\nmethod = 'gas'\n[domain]\nsize = [1, 1]\nresolution = 16\n[time]\nframes = 2\n"
               "[output]\nfields = ['velocity', 'pressure']\nfilm = false\n"
               "[[substance]]\nname = 'density'\ninitial = 1\n");
    const auto ended = spindrift({"run", text("gas.toml"), "-o", text("out")});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.err.find("volume"), std::string::npos) << ended.err;
    const auto info = spindrift({"info", text("out/frames/gas.0002.vdb")});
    for (const char* grid : {"density", "velocity", "pressure"})
        EXPECT_NE(info.out.find(grid), std::string::npos) << info.out;
    const auto of_run = spindrift({"info", text("out"), "--json"}).lines().at(0);
    EXPECT_FALSE(of_run.contains("largest_volume_error"));
    EXPECT_FALSE(of_run.contains("lost"));
    EXPECT_NEAR(of_run.at("amounts").at(0).at("amount").get<double>(), 1, 1e-6);
    EXPECT_LT(of_run.at("largest_amount_error").get<double>(), 1e-6);
    for (const char* file : {"out/log.jsonl", "out/manifest.json"})
        EXPECT_EQ(read_file(path(file)).find("\"volume"), std::string::npos) << file;
}

// Warnings and errors look the same wherever they come from.
TEST_F(Cli, MessagesHaveOneForm) {
    const std::string thin = small_scene("[[solid]]\nname = 'lid'\nshape = 'box'\nmin = [0, 3]\nmax = [1, 4]\n");
    const std::string words = "solid \"lid\" lies outside the domain";
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"check", thin}, {"run", thin, "-o", text("out"), "--frames", "1"}}) {
        const auto ended = spindrift(command);
        EXPECT_EQ(ended.code, 0) << ended.err;
        EXPECT_TRUE(ended.err.starts_with("spindrift: warning: " + thin + ":")) << ended.err;
        EXPECT_NE(ended.err.find(words), std::string::npos) << ended.err;
    }
    const auto failed = spindrift(
        {"run", small_scene(), "-o", text("failed"), "--set", "time.max_substeps=1", "--set", "time.cfl=0.1"});
    EXPECT_EQ(failed.code, 1);
    EXPECT_NE(failed.err.find("\nspindrift: frame 1 needs about"), std::string::npos) << failed.err;
}

TEST_F(Cli, CatalogueScenesAreFoundByName) {
    const auto list = spindrift({"scenes", "--json"});
    ASSERT_EQ(list.code, 0) << list.err;
    ASSERT_FALSE(list.lines().empty());
    for (const auto& scene : list.lines()) {
        const std::string name = scene.at("name");
        EXPECT_FALSE(scene.at("title").get<std::string>().empty()) << name;
        EXPECT_EQ(spindrift({"check", name}).code, 0) << name;
    }
    const std::string first = list.lines().at(0).at("name");
    const auto copied = spindrift({"scenes", "copy", first, text("mine")});
    EXPECT_EQ(copied.code, 0) << copied.err;
    EXPECT_EQ(read_file(path("mine") / (first + ".toml")), spindrift({"scenes", "show", first}).out);
    EXPECT_EQ(spindrift({"scenes", "copy", first, text("mine")}).code, 2) << "what is there is not overwritten";
}

}  // namespace
}  // namespace spindrift::testing
