// SPDX-License-Identifier: Apache-2.0
#include "scene/read_scene.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "base/random.h"
#include "scene/reference.h"
#include "scene/test_support.h"
#include "scene/write_scene.h"

namespace spindrift {
namespace {

namespace fs = std::filesystem;
using scene::SideKind;
const fs::path kScenes = fs::path(SPINDRIFT_SOURCE_DIR) / "tests/scenes";

const std::string kMinimal = "spindrift = 1\ndomain = {size = [1, 1], resolution = 32}\n";

SceneDescription parsed(const std::string& text, const std::vector<std::string>& overrides = {}) {
    Result<SceneDescription> scene = parse_scene(text, "scene.toml", overrides);
    EXPECT_TRUE(scene) << scene.errors().text();
    return scene ? std::move(scene).value() : SceneDescription{};
}

std::string errors_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
    const Result<SceneDescription> scene = parse_scene(text, "scene.toml", overrides);
    return scene ? "" : scene.errors().text();
}

std::vector<fs::path> valid_scenes() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(kScenes / "valid")) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(ReadScene, ReadsTheExampleOfTheDocumentation) {
    const SceneDescription scene = parsed(std::string(kExampleScene));
    EXPECT_EQ(scene.dim, 3);
    EXPECT_EQ(cell_counts(scene), (Vec<int, 3>{64, 32, 32}));
    ASSERT_EQ(scene.liquid.size(), 1u);
    EXPECT_EQ(std::get<scene::Box>(scene.liquid[0].shape).max, (Vec<double, 3>{0.5, 0.6, 1}));
}

TEST(ReadScene, LeftOutSettingsHaveTheirDefaults) {
    SceneDescription expected;
    expected.dim = 2;
    expected.domain.size = {1, 1, 0};
    expected.domain.resolution = 32;
    expected.time.frames = 120;
    EXPECT_EQ(parsed(kMinimal), expected);
    EXPECT_EQ(expected.time.fps, 24);
    EXPECT_EQ(expected.time.cfl, 3);
    EXPECT_EQ(expected.fluid.material, "water");
    EXPECT_NEAR(expected.fluid.density, 998, 1);
    EXPECT_EQ(gravity_at(expected, 0), (Vec<double, 3>{0, -9.81, 0}));
    EXPECT_EQ(frame_count(expected), 120);
}

TEST(ReadScene, ReadsEverySetting) {
    const Result<SceneDescription> read = read_scene(kScenes / "valid/everything.toml");
    ASSERT_TRUE(read) << read.errors().text();
    const SceneDescription& scene = read.value();

    EXPECT_EQ(scene.title, "Everything at once");
    EXPECT_EQ(scene.tags, (std::vector<std::string>{"test", "splash"}));
    EXPECT_EQ(scene.seed, 42u);
    EXPECT_EQ(cell_counts(scene), (Vec<int, 3>{64, 32, 32}));
    EXPECT_EQ(frame_count(scene), 60);
    EXPECT_DOUBLE_EQ(gravity_at(scene, 1)[1], -(9.81 + 4.9) / 2);

    EXPECT_EQ(scene.domain.sides.at(1, false).kind, SideKind::no_slip);
    EXPECT_EQ(scene.domain.sides.at(1, true).kind, SideKind::open);
    EXPECT_EQ(scene.domain.sides.at(2, true).kind, SideKind::periodic);
    EXPECT_EQ(scene.domain.sides.at(0, true).kind, SideKind::slip);
    const scene::Side& inflow = scene.domain.sides.at(0, false);
    EXPECT_EQ(inflow.kind, SideKind::inflow);
    EXPECT_DOUBLE_EQ(inflow.velocity.at({0, 0.25, 0}, 1)[0], 0.8);
    EXPECT_DOUBLE_EQ(inflow.velocity.at({0, 0.25, 0}, 1)[2], 0.1);
    EXPECT_DOUBLE_EQ(inflow.level->at(0.5), 0.25);

    // The material's values, but the viscosity as written.
    EXPECT_EQ(scene.fluid.density, 1030);
    EXPECT_EQ(scene.fluid.viscosity, 0.01);
    EXPECT_EQ(scene.level_set.advection, scene::Advection::semi_lagrangian);

    ASSERT_EQ(scene.liquid.size(), 4u);
    EXPECT_EQ(scene.liquid[3].op, scene::ShapeOp::subtract);
    EXPECT_EQ(scene.liquid[2].velocity.at({0.5, 0.25, 0}, 0), (Vec<double, 3>{-0.25, -0.25, 0}));
    ASSERT_EQ(scene.solid.size(), 4u);
    EXPECT_EQ(scene.solid[0].wall, scene::Wall::no_slip);
    EXPECT_EQ(std::get<scene::Heightmap>(scene.solid[3].shape).image.map->columns, 4);
    EXPECT_TRUE(fs::exists(resolved(scene, std::get<scene::Mesh>(scene.solid[2].shape).file)));
    EXPECT_EQ(scene.source[0].end, 1.5);
    EXPECT_EQ(scene.output.names.at("velocity"), "v");
    EXPECT_EQ(scene.camera.position->at(1), (Vec<double, 3>{0, 1.5, 3}));
    EXPECT_EQ(scene.camera.fov_degrees.at(1.9), 45);
    EXPECT_DOUBLE_EQ(scene.render.sun_direction->at(0)[0], 1);
}

TEST(ReadScene, TheSidesHaveNamesAsSeenFromTheFront) {
    const SceneDescription z_up = read_scene(kScenes / "valid/z-up.toml").value();
    EXPECT_EQ(z_up.domain.sides.at(1, false).kind, SideKind::open);   // front: y goes away from the viewer
    EXPECT_EQ(z_up.domain.sides.at(2, true).kind, SideKind::inflow);  // top
    EXPECT_EQ(up_axis(z_up), 2);
    EXPECT_EQ(gravity_at(z_up, 0), (Vec<double, 3>{0, 0, -9.81}));
    EXPECT_EQ(z_up.fluid.density, 1500);
    EXPECT_EQ(z_up.fluid.viscosity, 10);
}

TEST(ReadScene, AFrameMoreOnlyWhenTheEndLiesBehindTheLast) {
    const auto frames = [](const std::string& end) {
        return frame_count(parsed(kMinimal + "[time]\nfps = 30\nend = " + end));
    };
    EXPECT_EQ(frames("0.1"), 3);
    EXPECT_EQ(frames("0.101"), 4);
    EXPECT_EQ(frames("1"), 30);
    EXPECT_EQ(frames("0.001"), 1);
}

TEST(ReadScene, KnowsWhereASettingWasWritten) {
    const SceneDescription scene = parsed(std::string(kExampleScene));
    EXPECT_EQ(place_of(scene, "domain.resolution"), (Location{"scene.toml", 6, 14}));
    EXPECT_EQ(place_of(scene, "liquid[0].velocity"), (Location{"scene.toml", 8, 1}));  // not written: its table
    EXPECT_EQ(place_of(scene, "camera.up"), (Location{"scene.toml", 0, 0}));
}

TEST(ReadScene, SaysWhichFileItCannotRead) {
    EXPECT_NE(
        read_scene("nowhere/dam.toml").errors().text().find("nowhere/dam.toml: cannot read the scene: No such file"),
        std::string::npos);
    EXPECT_NE(read_scene(kScenes).errors().text().find("it is a folder"), std::string::npos);
}

TEST(ReadScene, AByteThatIsNotTextHasAPlace) {
    EXPECT_NE(errors_of("spindrift = 1\ntitle = \"\xff\xfe\"\n").find("scene.toml:2:"), std::string::npos);
}

// --set

TEST(Override, ChangesAndAddsSettings) {
    EXPECT_EQ(parsed(kMinimal, {"domain.resolution=64"}).domain.resolution, 64);
    EXPECT_EQ(parsed(kMinimal, {"time.fps=30", "time.frames=7"}).time.frames, 7);
    EXPECT_EQ(parsed(kMinimal, {"domain.size=[2, 1, 1]"}).dim, 3);
    EXPECT_EQ(parsed(kMinimal, {"level-set.advection=semi-lagrangian"}).level_set.advection,
              scene::Advection::semi_lagrangian);
    EXPECT_EQ(parsed(kMinimal, {"fluid.material=\"honey\""}).fluid.viscosity, 10);
    EXPECT_EQ(parsed(kMinimal, {"gravity=1", "gravity=2"}).gravity.down.at(0), 2);  // the last one holds
}

TEST(Override, ReachesEntriesOfLists) {
    const std::string text =
        kMinimal + "[[liquid]]\nname = 'drop'\nshape = 'sphere'\ncenter = [0.5, 0.5]\nradius = 0.1\n";
    EXPECT_EQ(std::get<scene::Sphere>(parsed(text, {"liquid[0].radius=0.2"}).liquid[0].shape).radius, 0.2);
    EXPECT_EQ(std::get<scene::Sphere>(parsed(text, {"liquid.drop.radius=0.3"}).liquid[0].shape).radius, 0.3);
    EXPECT_NE(errors_of(text, {"liquid[1].radius=0.2"}).find("there is no liquid[1]"), std::string::npos);
    EXPECT_NE(errors_of(text, {"liquid.drip.radius=0.2"}).find("no entry of liquid is named 'drip'"),
              std::string::npos);
    EXPECT_NE(errors_of(text, {"liquid.radius=0.2"}).find("say which: liquid[0]"), std::string::npos);
}

TEST(Override, TakesThePlaceOfWhatItExcludes) {
    const SceneDescription scene = parsed(kMinimal, {"domain.cell_size=0.1"});
    EXPECT_FALSE(scene.domain.resolution);
    EXPECT_EQ(scene.domain.cell_size, 0.1);
}

TEST(Override, ErrorsAreToldAsTyped) {
    EXPECT_EQ(errors_of(kMinimal, {"domain.resolution=2"}),
              "--set domain.resolution=2: domain.resolution is 2 cells; it must be from 4 to 16384 cells");
    EXPECT_NE(errors_of(kMinimal, {"tiem.fps=3"}).find("--set tiem.fps=3: the top of a scene has no setting 'tiem'"),
              std::string::npos);
    EXPECT_NE(errors_of(kMinimal, {"time.fsp=3"}).find("--set time.fsp=3: time has no setting 'fsp'"),
              std::string::npos);
    EXPECT_NE(errors_of(kMinimal, {"time.fps"}).find("--set time.fps: this is not path=value"), std::string::npos);
    EXPECT_NE(errors_of(kMinimal, {"=3"}).find("this is not path=value"), std::string::npos);
    EXPECT_NE(errors_of(kMinimal, {"time.fps=[3"}).find("the value '[3' is not TOML"), std::string::npos);
    EXPECT_NE(errors_of(kMinimal, {"time.fps=3\nseed = 3"}).find("the value is more than one"), std::string::npos);
    EXPECT_NE(errors_of(kMinimal, {"time.fps=tru"}).find("time.fps must be a number; found the text \"tru\""),
              std::string::npos);
    EXPECT_NE(errors_of(kMinimal, {"seed.x=3"}).find("seed"), std::string::npos);
}

// Canonical text

TEST(CanonicalText, ReadsBackToAnEqualScene) {
    for (const fs::path& file : valid_scenes()) {
        const Result<SceneDescription> scene = read_scene(file);
        ASSERT_TRUE(scene) << scene.errors().text();
        const std::string canonical = canonical_text(scene.value());
        const Result<SceneDescription> again = parse_scene(canonical, file.string());
        ASSERT_TRUE(again) << again.errors().text() << "\n" << canonical;
        EXPECT_EQ(again.value(), scene.value()) << canonical;
        EXPECT_EQ(canonical_text(again.value()), canonical);
    }
}

TEST(CanonicalText, DoesNotDependOnHowItWasWritten) {
    const std::string other =
        "# a comment\nspindrift = 1\n[time]\nfps = 24.0\n[domain]\nresolution = 32\nsize = [1.0, 1e0]\n";
    EXPECT_EQ(canonical_text(parsed(other)), canonical_text(parsed(kMinimal)));
    EXPECT_NE(canonical_text(parsed(kMinimal, {"seed=2"})), canonical_text(parsed(kMinimal)));
}

TEST(CanonicalText, OfTheSimulationForgetsPicturesAndNames) {
    const auto text = [](const std::vector<std::string>& overrides) {
        return canonical_text(parsed(kMinimal, overrides), ScenePart::simulation);
    };
    EXPECT_EQ(text({"title=x", "camera.overlay=pressure", "render.exposure=2", "output.film=false"}), text({}));
    EXPECT_NE(text({"time.cfl=1"}), text({}));
}

// Whatever is done to a scene, it is read or it is told what is wrong.

TEST(ReadScene, MutationsAreReadOrToldWhatIsWrong) {
    constexpr Purpose kMutations{"scene mutations"};
    int good = 0;
    int bad = 0;
    for (const fs::path& file : valid_scenes()) {
        const std::string text = text_of(file);
        for (std::uint64_t id = 0; id < 500; ++id) {
            Random rng{1, id, 0, kMutations};
            const std::string mutant = mutated(text, rng);
            const Result<SceneDescription> scene = parse_scene(mutant, file.string());
            (scene ? good : bad) += 1;
            if (!scene) {
                ASSERT_FALSE(scene.errors().text().empty()) << mutant;
                continue;
            }
            const Result<SceneDescription> again = parse_scene(canonical_text(scene.value()), file.string());
            ASSERT_TRUE(again) << mutant << "\n" << again.errors().text();
            ASSERT_EQ(again.value(), scene.value()) << mutant;
        }
    }
    EXPECT_GT(good, 50);
    EXPECT_GT(bad, 100);
}

}  // namespace
}  // namespace spindrift
