// SPDX-License-Identifier: Apache-2.0
// What the program prints and the code it ends with.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <fmt/format.h>

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

TEST_F(Cli, WrongInputEndsWithTwo) {
    const auto expect = [&](const std::vector<std::string>& arguments, const std::string& words) {
        const auto ended = spindrift(arguments);
        EXPECT_EQ(ended.code, 2) << ended.err;
        EXPECT_NE((ended.err).find(words), std::string::npos) << "should say '" << words << "':\n" << ended.err;
        EXPECT_TRUE(ended.out.empty()) << ended.out;
    };
    const std::string scene = small_scene();
    expect({"rnu", scene}, "did you mean 'run'?");
    expect({"run", scene, "--resum"}, "did you mean '--resume'?");
    expect({"run", scene, "--frames", "9-3"}, "--frames 9-3");
    expect({"run", scene, "--frames", "many"}, "--frames many");
    expect({"run", scene, "--frames", "1000001"}, "--frames 1000001");
    expect({"run", "dam-break", "--resolution", "16384"}, "--resolution 16384: the run would need about");
    expect({"check", "smoke-plume", "--resolution", "16384"}, "of memory; this machine has");
    expect({"run", text("missing.toml")}, "missing.toml");
    expect({"run", "no-such-scene"}, "no scene 'no-such-scene'");
    expect({"run", scene, "--set", "domain.resolutoin=4"}, "resolution");
    expect({"run", scene, "--resolution", "-4"}, "--resolution: '-4' is not a whole number from 4 to 16384");
    expect({"run", scene, "--threads", "abc"}, "--threads: 'abc' is not a whole number from 1 to 1024");
    expect({"check", scene, "--method", "level-sett"}, "spindrift: --method level-sett: method cannot be");
    expect({"check", scene, "--seed", "dice"}, "spindrift: --seed dice: seed must be a whole number");
    write_file(path("file"), "");
    expect({"run", scene, "-o", text("file/run")}, "file: is a file, not a folder");
    // The scene ends before the wind has no value; the run would not.
    expect({"run", small_scene("[[wind]]\nvelocity = ['sqrt(2 - t)', 0]\n"), "--frames", "72"},
           "wind[0].velocity has no finite value at t = 2.021 s");
    expect({"run"}, "spindrift: SCENE is required");
    expect({"run"}, "see: spindrift run --help");
    expect({}, "check");
    expect({"run", "dam-braek.tml"}, "name a scene file by its path");
    expect({"run", scene, "-o", text("empty"), "--from", "2"}, "holds no run");
    EXPECT_FALSE(std::filesystem::exists(path("empty"))) << "a run that is refused leaves nothing behind";
    expect({"run", scene, "--resolution"}, "--resolution needs a value");
    expect({"run", scene, "more"}, "unexpected argument 'more'");
    expect({"run", scene, "--set", "liquid[3].name='x'"}, "there is liquid[0] alone");
    expect({"--verson"}, "there is no option '--verson'; did you mean '--version'?");
    expect({"scenes", "show"}, "see: spindrift scenes show --help");
    expect({"check", text("missing.toml")}, "missing.toml");
    expect({"verify", text("missing")}, "missing");
    expect({"verify", folder_.string()}, "holds no run");
    expect({"info", text("missing")}, "does not exist");
    write_file(path("broken.toml"), "spindrift = 1\n[domain]\nsize = [1, 1]\nresolutoin = 8\n[tmie]\n");
    const auto ended = spindrift({"run", text("broken.toml")});
    EXPECT_EQ(ended.code, 2);
    EXPECT_NE(ended.err.find("broken.toml:4"), std::string::npos) << ended.err;
    EXPECT_NE(ended.err.find("broken.toml:5"), std::string::npos) << "all mistakes at once: " << ended.err;
}

// Whatever a path leads to, what is wrong with it is told in the same form.
TEST_F(Cli, ScenesThatCannotBeRead) {
    namespace fs = std::filesystem;
    const auto expect = [&](const std::string& scene, const std::string& words) {
        for (const char* verb : {"check", "run"}) {
            const auto ended = spindrift({verb, scene});
            EXPECT_EQ(ended.code, 2) << scene << "\n" << ended.err;
            EXPECT_TRUE(ended.err.starts_with("spindrift: " + scene + ":")) << ended.err;
            EXPECT_NE(ended.err.find(words), std::string::npos) << ended.err;
        }
    };
    fs::create_symlink("loop.toml", path("loop.toml"));
    expect(text("loop.toml"), "Too many levels of symbolic links");
    fs::create_symlink("nowhere.toml", path("dangling.toml"));
    expect(text("dangling.toml"), "No such file or directory");
    expect("/dev/null", "neither a file nor a pipe");
    expect("/dev/zero", "neither a file nor a pipe");
    fs::create_directory(path("folder.toml"));
    expect(text("folder.toml"), "folder");
    write_file(path("file"), "");
    expect(text("file/scene.toml"), "Not a directory");
    expect(text(std::string(300, 'x') + ".toml"), "File name too long");
    write_file(path("large.toml"), std::string(17 << 20, '#'));
    expect(text("large.toml"), "larger than 16 MiB");
    write_file(path("binary.toml"), std::string("\x00\xff\xfe", 3));
    expect(text("binary.toml"), "");
    // Root may read everything.
    fs::create_directory(path("locked"));
    write_file(path("locked/scene.toml"), "");
    fs::permissions(path("locked"), fs::perms::none);
    const auto locked = spindrift({"check", text("locked/scene.toml")}, {.user = 65534});
    fs::permissions(path("locked"), fs::perms::owner_all);
    if (locked.code == 126 || locked.code == 127) GTEST_SKIP() << "the program cannot be run by another user";
    EXPECT_EQ(locked.code, 2);
    EXPECT_NE(locked.err.find("Permission denied"), std::string::npos) << locked.err;
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

// They are found once, when the run begins: finding walls and meshes that are too thin takes long.
TEST_F(Cli, ReportsKeepTheWarningsOfTheRun) {
    const std::string scene = small_scene("[[solid]]\nname = 'lid'\nshape = 'box'\nmin = [0, 3]\nmax = [1, 4]\n");
    const std::string words = "solid &quot;lid&quot; lies outside the domain";
    ASSERT_EQ(spindrift({"run", scene, "-o", text("out"), "--frames", "1"}).code, 0);
    EXPECT_NE(read_file(path("out/report.html")).find(words), std::string::npos);
    ASSERT_EQ(spindrift({"render", text("out")}).code, 0);
    EXPECT_NE(read_file(path("out/report.html")).find(words), std::string::npos);
}

// Across periodic sides as well, where files hold no cells to interpolate with.
TEST_F(Cli, RenderMakesThePicturesOfTheRunAgain) {
    std::ofstream(path("tiles.toml")) << "spindrift = 1\nmethod = 'gas'\n[domain]\nsize = [1, 1]\nresolution = 32\n"
                                         "sides = {all = 'periodic'}\n[time]\nframes = 3\n"
                                         "[gas]\nvelocity = ['1 + sin(tau*y)', 'sin(tau*x)']\n"
                                         "[[substance]]\nname = 'dye'\ninitial = '0.5 + 0.5 * cos(tau * x)'\n"
                                         "[texture]\npattern = 'noise'\nscale = 0.5\nperiod = 0.5\n"
                                         "[camera]\nresolution = [64, 64]\n";
    const auto ran = spindrift({"run", text("tiles.toml"), "-o", text("out")});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const std::string picture = read_file(path("out/images/tiles.0003.png"));
    ASSERT_FALSE(picture.empty());
    ASSERT_EQ(spindrift({"render", text("out")}).code, 0);
    EXPECT_EQ(read_file(path("out/images/tiles.0003.png")), picture);
}

TEST_F(Cli, AFrameThatIsNotThereCannotBeMadeAgain) {
    const std::string scene = small_scene();
    ASSERT_EQ(spindrift({"run", scene, "-o", text("out"), "--frames", "2"}).code, 0);
    const auto ended = spindrift({"run", scene, "-o", text("out"), "--from", "9"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_NE(ended.err.find("has frames up to 2 only"), std::string::npos) << ended.err;
    const auto there = spindrift({"run", scene, "-o", text("out"), "--resume", "--frames", "1"});
    EXPECT_EQ(there.code, 0);
    EXPECT_NE(there.err.find("frames up to 2 are there already"), std::string::npos) << there.err;
}

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

// A run writes the field that colours its pictures; colours of one that it did not write are refused, not left out.
TEST_F(Cli, PicturesHaveTheFieldTheyShow) {
    write_file(path("pool.toml"),
               "spindrift = 1\n[domain]\nsize = [1, 1]\nresolution = 16\n[time]\nframes = 1\n[output]\nfilm = false\n"
               "[[liquid]]\nshape = \"box\"\nmin = [0, 0]\nmax = [0.5, 0.5]\n");
    ASSERT_EQ(spindrift({"run", text("pool.toml"), "-o", text("pool"), "-q"}).code, 0);
    for (const auto& [overlay, field] : {std::pair{"velocity", "vel"}, std::pair{"pressure", "pressure"}}) {
        const auto made = spindrift({"render", text("pool"), "--set", std::string("camera.overlay=") + overlay});
        EXPECT_EQ(made.code, 2) << made.err;
        EXPECT_NE(made.err.find(std::string("\"") + field + "\" among output.fields"), std::string::npos) << made.err;

        const std::string set = std::string("camera.overlay=") + overlay, folder = text(overlay);
        ASSERT_EQ(spindrift({"run", text("pool.toml"), "-o", folder, "-q", "--set", set}).code, 0);
        const std::string picture = read_file(path(overlay) / "images/pool.0001.png");
        ASSERT_EQ(spindrift({"render", folder, "-q"}).code, 0);
        EXPECT_TRUE(read_file(path(overlay) / "images/pool.0001.png") == picture) << overlay;
    }
}

// Made afterwards from the volumes, files are the same as those made during the run.
TEST_F(Cli, LaterStagesMakeTheSameFiles) {
    write_file(path("drop.toml"),
               "spindrift = 1\n[domain]\nsize = [1, 1, 1]\nresolution = 16\n[time]\nframes = 2\n"
               "[camera]\nresolution = [64, 48]\n[output]\nfilm = false\nfields = [\"surface\", \"vel\"]\n"
               "[[liquid]]\nshape = \"sphere\"\ncenter = [0.5, 0.6, 0.5]\nradius = 0.25\n");
    const std::string run = text("out");
    ASSERT_EQ(spindrift({"run", text("drop.toml"), "-o", run}).code, 0);
    const auto whole = results_of(run);
    ASSERT_TRUE(whole.contains("mesh/drop.0002.ply"));
    ASSERT_TRUE(whole.contains("images/drop.0002.png"));
    std::filesystem::remove_all(path("out/mesh"));
    std::filesystem::remove_all(path("out/images"));
    for (const char* stage : {"mesh", "render", "film"}) {
        const auto ended = spindrift({stage, run});
        EXPECT_EQ(ended.code, 0) << stage << ": " << ended.err;
    }
    EXPECT_TRUE(results_of(run) == whole);
    EXPECT_GT(std::filesystem::file_size(path("out/drop.mp4")), 100U);
    EXPECT_EQ(spindrift({"verify", run}).code, 0);

    // Another camera, but not another simulation.
    EXPECT_EQ(spindrift({"render", run, "--set", "camera.fov_degrees=20", "--frames", "2-2"}).code, 0);
    EXPECT_FALSE(results_of(run) == whole);
    EXPECT_EQ(spindrift({"verify", run}).code, 0);
    const auto other = spindrift({"render", run, "--set", "gravity=1"});
    EXPECT_EQ(other.code, 2);
    EXPECT_NE(other.err.find("another simulation"), std::string::npos) << other.err;
    EXPECT_EQ(spindrift({"mesh", text("nothing")}).code, 2);
    std::filesystem::remove(path("out/frames/drop.0001.vdb"));
    const auto missing = spindrift({"mesh", run});
    EXPECT_EQ(missing.code, 2);
    EXPECT_NE(missing.err.find("drop.0001.vdb: is missing"), std::string::npos) << missing.err;
    EXPECT_NE(missing.err.find("--from 1"), std::string::npos) << missing.err;
}

// Drops that came off the liquid are in the pictures, and in those made of the files later.
TEST_F(Cli, SprayIsDrawnDuringTheRunAndLater) {
    for (const std::string deep : {"", ", 0.25"}) {
        write_file(
            path("splash.toml"),
            "spindrift = 1\n[domain]\nsize = [1, 1" + deep +
                "]\nresolution = 24\n[time]\nframes = 14\n[camera]\nresolution = [96, 64]\n[output]\nfilm = false\n"
                "mesh = false\n[[liquid]]\nshape = \"box\"\nmin = [0, 0" +
                (deep.empty() ? "]\nmax = [0.4, 0.8]\n" : ", 0]\nmax = [0.4, 0.8, 1]\n"));
        const std::string run = text("out");
        const auto ended = spindrift({"run", text("splash.toml"), "-o", run});
        ASSERT_EQ(ended.code, 0) << ended.err;
        const auto whole = results_of(run);
        ASSERT_TRUE(whole.contains("images/splash.0014.png"));
        EXPECT_GT(std::filesystem::file_size(path("out/particles/splash.0014.ply")), 300U) << "no drops";
        std::filesystem::remove_all(path("out/images"));
        ASSERT_EQ(spindrift({"render", run}).code, 0);
        EXPECT_TRUE(results_of(run) == whole) << "1, 1" << deep;

        // A file that went is an error; a run that kept none is told of.
        std::filesystem::remove(path("out/particles/splash.0014.ply"));
        const auto missing = spindrift({"render", run});
        EXPECT_EQ(missing.code, 2);
        EXPECT_NE(missing.err.find("splash.0014.ply: is missing"), std::string::npos) << missing.err;
        ASSERT_EQ(spindrift({"run", text("splash.toml"), "-o", text("bare"), "--set", "output.spray=false"}).code, 0);
        EXPECT_EQ(read_file(path("bare/images/splash.0014.png")), whole.at("images/splash.0014.png"));
        const auto bare = spindrift({"render", text("bare")});
        EXPECT_EQ(bare.code, 0) << bare.err;
        EXPECT_NE(bare.err.find("kept no files of spray"), std::string::npos) << bare.err;
        EXPECT_NE(read_file(path("bare/images/splash.0014.png")), whole.at("images/splash.0014.png"));
        std::filesystem::remove_all(path("out"));
        std::filesystem::remove_all(path("bare"));
    }
}

// A film that could not be made is a failure.  The frames are there, and it can be made of them later.
TEST_F(Cli, AMissingFilmIsAFailure) {
    const std::string before = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
    ASSERT_EQ(::setenv("PATH", text("nothing").c_str(), 1), 0);
    const auto ended =
        spindrift({"run", small_scene(), "-o", text("out"), "--frames", "3", "--set", "output.film=true"});
    ASSERT_EQ(::setenv("PATH", before.c_str(), 1), 0);
    EXPECT_EQ(ended.code, 1) << ended.err;
    for (const char* words : {"no film", "spindrift film", "install ffmpeg", "frames up to 3 are complete"})
        EXPECT_NE(ended.err.find(words), std::string::npos) << words << ":\n" << ended.err;
    EXPECT_EQ(state_hashes_of(path("out")).size(), 4U);
    EXPECT_FALSE(std::filesystem::exists(path("out/dam.mp4")));
    EXPECT_EQ(spindrift({"film", text("out")}).code, 0);
    EXPECT_TRUE(std::filesystem::exists(path("out/dam.mp4")));
    EXPECT_EQ(spindrift({"verify", text("out")}).code, 0);
}

// Pictures of a run in progress are made of the frames that are there, and do not disturb it.
TEST_F(Cli, ARunInProgressIsRendered) {
    const std::string scene = small_scene(), out = text("out");
    Program run(folder_, {"run", scene, "-o", out, "--json", "--frames", "100000", "--threads", "1"});
    const auto frames = [&] {
        const std::string so_far = run.out();
        return std::count(so_far.begin(), so_far.end(), '\n');
    };
    while (frames() < 3 && !run.has_ended()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ASSERT_FALSE(run.has_ended());
    const auto rendered = spindrift({"render", out, "--frames", "2", "--set", "camera.resolution=[96, 64]"});
    EXPECT_EQ(rendered.code, 0) << rendered.err;
    EXPECT_NE(rendered.err.find("in progress"), std::string::npos) << rendered.err;
    EXPECT_FALSE(run.has_ended());
    for (const char* file : {"dam.0000.png", "dam.0001.png", "dam.0002.png"}) {
        EXPECT_TRUE(std::filesystem::exists(path("out/preview") / file)) << file;
        EXPECT_NE(read_file(path("out/preview") / file), read_file(path("out/images") / file)) << file;
    }
    EXPECT_EQ(spindrift({"film", out}).code, 2);
    run.send(SIGTERM);
    EXPECT_EQ(run.wait().code, 130);
    EXPECT_EQ(spindrift({"verify", out}).code, 0);
}

// One page in every folder, made again from the folder alone.
TEST_F(Cli, ReportIsMadeOfTheFolderAlone) {
    const auto run = spindrift({"run", small_scene(), "-o", text("out"), "--frames", "3"});
    ASSERT_EQ(run.code, 0);
    EXPECT_NE(run.err.find("out/report.html"), std::string::npos) << run.err;
    const std::string page = read_file(path("out/report.html"));
    EXPECT_NE(page.find("Volume error"), std::string::npos);
    EXPECT_NE(page.find("badge finished"), std::string::npos);

    std::filesystem::remove(path("out/report.html"));
    std::filesystem::remove(path("dam.toml"));
    ASSERT_EQ(spindrift({"report", text("out")}).code, 0);
    EXPECT_TRUE(read_file(path("out/report.html")) == page) << "other bytes than the run wrote";
    EXPECT_EQ(spindrift({"verify", text("out")}).code, 0);

    const auto nothing = spindrift({"report", text("nothing")});
    EXPECT_EQ(nothing.code, 2);
    EXPECT_NE(nothing.err.find("nothing"), std::string::npos) << nothing.err;
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
