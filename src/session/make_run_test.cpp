// SPDX-License-Identifier: Apache-2.0
#include "session/make_run.h"

#include <gtest/gtest.h>

#include "scene/read_scene.h"

namespace spindrift {
namespace {

const std::string kLiquid =
    "spindrift = 1\n[domain]\nsize = [1, 1, 1]\nresolution = 16\n[[liquid]]\nshape = 'box'\nmin = [0, 0, 0]\n"
    "max = [1, 0.5, 1]\n[[solid]]\nname = 'cup'\nshape = 'sphere'\ncenter = [0.5, 0.5, 0.5]\nradius = 0.1\n";
const std::string kGas =
    "spindrift = 1\nmethod = 'gas'\n[domain]\nsize = [1, 1, 1]\nresolution = 16\n[[substance]]\nname = 'density'\n";

RunIdentity identity(const std::string& text, const std::vector<std::string>& overrides = {}) {
    const auto scene = parse_scene(text, "s.toml", overrides);
    EXPECT_TRUE(scene) << scene.errors().text();
    return run_identity(scene.value()).value();
}

TEST(RunIdentity, IsThatOfWhatDecidesTheFrames) {
    for (const char* free : {"time.frames=7", "time.max_substeps=9999", "output.mesh=false", "output.name='x'",
                             "output.checkpoint_every=3", "camera.fov_degrees=20", "render.exposure=2", "title='x'",
                             "description='x'", "tags=['x']", "solid[0].visible=false", "solid[0].name='bowl'"}) {
        EXPECT_EQ(identity(kLiquid, {free}).scene_hash, identity(kLiquid).scene_hash) << free;
        EXPECT_TRUE(differences(identity(kLiquid), identity(kLiquid, {free})).empty()) << free;
    }
    for (const char* free : {"substance[0].color=[1, 0, 0]", "substance[0].opacity=3"})
        EXPECT_EQ(identity(kGas, {free}).scene_hash, identity(kGas).scene_hash) << free;

    for (const char* fixed : {"time.fps=30", "time.cfl=2", "time.min_substeps=2", "domain.resolution=17", "gravity=5",
                              "solid[0].radius=0.2", "solid[0].wall='no-slip'", "fluid.viscosity=1", "seed=2",
                              "particles.per_cell=8", "level-set.volume_control=false", "method='level-set'"})
        EXPECT_NE(identity(kLiquid, {fixed}).scene_hash, identity(kLiquid).scene_hash) << fixed;
    EXPECT_NE(identity(kGas, {"substance[0].name='smoke'"}).scene_hash, identity(kGas).scene_hash);
}

TEST(RunIdentity, DifferencesNameTheSetting) {
    const auto told = [](const std::vector<std::string>& overrides) {
        return differences(identity(kLiquid), identity(kLiquid, overrides));
    };
    EXPECT_EQ(told({"time.cfl=2"}), std::vector<std::string>{"time.cfl is 2.0; the run was begun with 3.0"});
    EXPECT_EQ(told({"solid[0].radius=0.2"}),
              std::vector<std::string>{"solid[0].radius is 0.2; the run was begun with 0.1"});
    EXPECT_EQ(told({"solid[0].offset=[0, 't', 0]"}).size(), 1U);
    const auto cell = told({"domain.cell_size=0.0625"});
    ASSERT_EQ(cell.size(), 2U);
    EXPECT_EQ(cell[0], "domain.cell_size is 0.0625; the run was begun without it");
    EXPECT_EQ(cell[1], "domain.resolution is left out; the run was begun with 16");
}

}  // namespace
}  // namespace spindrift
