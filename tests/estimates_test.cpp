// SPDX-License-Identifier: Apache-2.0
// What `spindrift check` expects of each scene of the catalogue, against a run of it on a small grid.  Counts alone,
// which are the same on every machine: cells times steps for the time, bytes of fields and particles for the memory.
// And what pictures take, against each other.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/memory.h"
#include "grid/dimension.h"
#include "scene/estimate.h"
#include "scene/read_scene.h"
#include "session/catalogue.h"
#include "session/make_run.h"
#include "session/run.h"

namespace spindrift {
namespace {

// What the estimates promise (docs/estimates.md).
constexpr double kTimeFactor = 2, kMemoryFactor = 1.5;

// Cells of the small grid's box, and frames of scenes that do not change for long.
constexpr double kCells2 = 4000, kCells3 = 8000;
constexpr int kFrames = 24;

// Whether the grid is too coarse for some of the liquid that is there at first.
bool loses_liquid(const SceneDescription& scene) {
    const auto simulation = make_simulation(scene);
    EXPECT_TRUE(simulation) << simulation.errors().text();
    const StepReport start = simulation.value()->measures();
    return start.lost > 0.01 * (start.volume + start.lost);
}

// The scene on a grid of a few thousand cells, or as many as its liquid needs; all frames of what pours, as it grows
// until the end.  Without files, unless `more` says otherwise.
SceneDescription small_scene(const std::string& name, int most_frames, const std::vector<std::string>& more = {}) {
    const auto file = find_scene(name);
    EXPECT_TRUE(file) << file.errors().text();
    const auto full = read_scene(file.value());
    EXPECT_TRUE(full) << full.errors().text();
    const SceneDescription& scene = full.value();
    const Vec<int, 3> cells = cell_counts(scene);
    const double share = (scene.dim == 2 ? kCells2 : kCells3) / product(Vec<double, 3>(cells));
    const double longest = std::max({cells[0], cells[1], cells[2]});
    int resolution = static_cast<int>(longest * std::min(1.0, std::pow(share, 1.0 / scene.dim)) + 0.5);
    const auto& sides = scene.domain.sides.sides;
    const auto is_periodic = [](const scene::Side& side) { return side.kind == scene::SideKind::periodic; };
    if (std::any_of(sides.begin(), sides.end(), is_periodic)) resolution = std::max(16, resolution / 16 * 16);
    const int frames = scene.source.empty() ? std::min(most_frames, frame_count(scene)) : frame_count(scene);
    std::vector<std::string> changes{fmt::format("time.frames={}", frames), "output.checkpoint_every=0"};
    for (const char* output : {"volumes", "mesh", "spray", "images", "film"})
        changes.push_back(fmt::format("output.{}=false", output));
    if (scene.whitewater.amount > 0) changes.emplace_back("whitewater.amount=0");  // is not counted
    changes.insert(changes.end(), more.begin(), more.end());
    for (changes.emplace_back();; resolution *= 2) {
        changes.back() = fmt::format("domain.resolution={}", resolution);
        auto small = read_scene(file.value(), changes);
        EXPECT_TRUE(small) << small.errors().text();
        if (2 * resolution > longest || !loses_liquid(small.value())) return std::move(small).value();
    }
}

struct Counts {
    int steps = 0;
    double work = 0;        // cells in tiles, summed over the steps
    double most_cells = 0;  // in tiles
    double bytes = 0;       // held by fields and particles, at most
};

Counts counts_of(const SceneDescription& scene) {
    std::string pattern = (std::filesystem::temp_directory_path() / "spindrift_estimates.XXXXXX").string();
    RunSettings settings = run_settings(scene);
    settings.folder = ::mkdtemp(pattern.data());
    auto manifest = new_manifest(scene, {});
    EXPECT_TRUE(manifest) << manifest.errors().text();
    reset_peak_memory();
    const double before = static_cast<double>(memory_use().bytes);
    auto simulation = make_simulation(scene);
    EXPECT_TRUE(simulation) << simulation.errors().text();
    Counts counts;
    const auto note = [&](const StepRecord& step) {
        const double cells = static_cast<double>(step.report.tiles) * (scene.dim == 2 ? kTileCells<2> : kTileCells<3>);
        counts.work += cells;
        counts.most_cells = std::max(counts.most_cells, cells);
        counts.steps += 1;
    };
    const auto ran = run(*simulation.value(), manifest.value(), settings, {.step_done = note});
    EXPECT_TRUE(ran) << ran.errors().text();
    EXPECT_EQ(ran.value().status, RunStatus::finished) << ran.value().failure;
    counts.bytes = static_cast<double>(memory_use().peak) - before;
    std::filesystem::remove_all(settings.folder);
    return counts;
}

// Processor seconds of a picture of the last frame.
double seconds_of_last_picture(const SceneDescription& scene) {
    std::string pattern = (std::filesystem::temp_directory_path() / "spindrift_estimates.XXXXXX").string();
    RunSettings settings = run_settings(scene);
    settings.folder = ::mkdtemp(pattern.data());
    settings.first_frame = settings.last_frame;
    auto manifest = new_manifest(scene, {});
    EXPECT_TRUE(manifest) << manifest.errors().text();
    auto simulation = make_simulation(scene);
    EXPECT_TRUE(simulation) << simulation.errors().text();
    const auto ran = run(*simulation.value(), manifest.value(), settings);
    EXPECT_TRUE(ran) << ran.errors().text();
    double least = std::numeric_limits<double>::infinity();
    for (const FrameOutput& output : simulation.value()->outputs()) {
        if (output.folder != "images") continue;
        for (int repeat = 0; repeat < 3; ++repeat) {
            const std::clock_t before = std::clock();
            const auto written = output.write(settings.folder / "picture.png", {});
            EXPECT_TRUE(written) << written.errors().text();
            least = std::min(least, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
        }
    }
    std::filesystem::remove_all(settings.folder);
    return least;
}

// What a picture takes depends on the machine, but not how many times longer that of one scene takes than that of
// another.  Processor time on a busy machine varies by half.
TEST(Estimate, PicturesOfScenesCompareAsExpected) {
    constexpr double kFactor = 3;
    struct Picture {
        std::string scene{};
        double expected = 0, taken = 0;
    };
    // A texture takes a while to be drawn out.
    const std::vector<std::pair<std::string, int>> scenes{{"ink-in-2d", 8}, {"dam-break-2d", 8}, {"liquid-texture", 72},
                                                          {"dam-break", 2}, {"smoke-plume", 24}, {"textured-gas", 24}};
    std::vector<Picture> pictures;
    for (const auto& [name, frames] : scenes) {
        const SceneDescription scene =
            small_scene(name, frames, {"output.images=true", "camera.resolution=[320, 320]"});
        pictures.push_back(
            {name, estimate(scene).picture_seconds / frame_count(scene), seconds_of_last_picture(scene)});
    }
    // Against their mean on a logarithmic scale.
    double machine = 0;
    for (const Picture& p : pictures) machine += std::log(p.taken / p.expected) / static_cast<double>(pictures.size());
    for (const Picture& p : pictures) {
        const double ratio = p.expected * std::exp(machine) / p.taken;
        const std::string told = fmt::format("{}: {:.4f} s expected, {:.4f} s taken", p.scene, p.expected, p.taken);
        EXPECT_GT(ratio, 1 / kFactor) << told;
        EXPECT_LT(ratio, kFactor) << told;
    }
}

class CatalogueEstimate : public ::testing::TestWithParam<std::string> {};

TEST_P(CatalogueEstimate, TimeAndMemoryAreWithinTheirFactors) {
    const SceneDescription scene = small_scene(GetParam(), kFrames);
    const SceneEstimate expected = estimate(scene);
    const Counts counts = counts_of(scene);
    const double steps = expected.steps_per_frame * frame_count(scene);
    const std::string told = fmt::format(
        "{}: {:.0f} steps ({} taken), {:.0f} cells at most ({:.0f}), {:.2f} MB of fields ({:.2f})", GetParam(), steps,
        counts.steps, expected.most_cells, counts.most_cells, expected.field_bytes / 1e6, counts.bytes / 1e6);
    const double time = steps * expected.mean_cells / counts.work, memory = expected.field_bytes / counts.bytes;
    EXPECT_GT(time, 1 / kTimeFactor) << told;
    EXPECT_LT(time, kTimeFactor) << told;
    EXPECT_GT(memory, 1 / kMemoryFactor) << told;
    EXPECT_LT(memory, kMemoryFactor) << told;
}

INSTANTIATE_TEST_SUITE_P(Scenes, CatalogueEstimate, ::testing::ValuesIn(catalogue_names()), [](const auto& scene) {
    std::string name = scene.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace spindrift
