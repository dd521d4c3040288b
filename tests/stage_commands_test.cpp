// SPDX-License-Identifier: Apache-2.0
// What is made of the folder of a run: pictures, meshes, films, reports.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "tests/program.h"

namespace spindrift::testing {
namespace {

using Cli = CommandLine;

// Warnings are found once, when the run begins: finding walls and meshes that are too thin takes long.
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

// Whitewater goes on from the files of the frame before: a run that was stopped, and the volumes alone, give the same.
TEST_F(Cli, WhitewaterIsMadeWithTheRunOrLater) {
    write_file(path("dam.toml"),
               "spindrift = 1\n[domain]\nsize = [1, 1]\nresolution = 32\n[time]\nframes = 12\n"
               "[camera]\nresolution = [64, 64]\n[output]\nfilm = false\ncheckpoint_every = 3\n"
               "[[liquid]]\nshape = \"box\"\nmin = [0, 0]\nmax = [0.4, 0.8]\n"
               "[whitewater]\namount = 100\nmin_speed = 0.3\n");
    const std::string run = text("out"), last = "whitewater/dam.0012.ply";
    ASSERT_EQ(spindrift({"run", text("dam.toml"), "-o", run, "-q"}).code, 0);
    const auto whole = results_of(run);
    EXPECT_GT(std::filesystem::file_size(path("out") / last), 5000U);

    // Stopped, and gone on with.
    ASSERT_EQ(spindrift({"run", text("dam.toml"), "-o", text("halves"), "-q", "--frames", "7"}).code, 0);
    ASSERT_EQ(spindrift({"run", text("dam.toml"), "-o", text("halves"), "-q", "--resume"}).code, 0);
    EXPECT_TRUE(results_of(text("halves")) == whole);

    // From the volumes; then with other settings, which another simulation would not need.
    std::filesystem::remove_all(path("out/whitewater"));
    ASSERT_EQ(spindrift({"whitewater", run, "-q"}).code, 0);
    ASSERT_EQ(spindrift({"render", run, "-q"}).code, 0);
    EXPECT_TRUE(results_of(run) == whole);
    ASSERT_EQ(spindrift({"whitewater", run, "-q", "--set", "whitewater.seed=2"}).code, 0);
    EXPECT_FALSE(results_of(run) == whole);
    EXPECT_EQ(spindrift({"verify", run}).code, 0);

    const auto none = spindrift({"whitewater", run, "--set", "whitewater.amount=0"});
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("--set whitewater.amount=1"), std::string::npos) << none.err;
    ASSERT_EQ(
        spindrift({"run", text("dam.toml"), "-o", text("bare"), "-q", "--frames", "1", "--set", "output.volumes=false"})
            .code,
        0);
    const auto bare = spindrift({"whitewater", text("bare")});
    EXPECT_EQ(bare.code, 2);
    EXPECT_NE(bare.err.find("output.volumes"), std::string::npos) << bare.err;
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

}  // namespace
}  // namespace spindrift::testing
