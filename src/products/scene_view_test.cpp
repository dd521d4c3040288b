// SPDX-License-Identifier: Apache-2.0
#include "products/scene_view.h"

#include <gtest/gtest.h>

#include "scene/framing.h"
#include "scene/read_scene.h"

namespace spindrift {
namespace {

using Vec3 = Vec<double, 3>;

// All corners of what will be seen lie in the picture, for every 3D scene of the catalogue that leaves the camera to
// us, and it fills the picture along one side.
TEST(SceneView, TheDefaultCameraHasAllOfItInThePicture) {
    int seen_scenes = 0;
    for (const char* name : {"dam-break", "drop-in-pool", "container-fill", "big-domain", "smoke-rings", "still-water",
                             "ball-splash-pls", "river-step", "rising-bubbles"}) {
        const auto read = read_scene(SPINDRIFT_SOURCE_DIR "/scenes/" + std::string(name) + ".toml");
        ASSERT_TRUE(read) << read.errors().text();
        const SceneDescription& scene = read.value();
        if (scene.camera.position) continue;
        ++seen_scenes;
        const Box<double, 3> region = visible_region(scene);
        const Vec<int, 2> size = picture_size(scene);
        const CameraRays rays(camera_of(scene, 0));
        Vec3 lo(1e9), hi(-1e9);
        for (int corner = 0; corner < 8; ++corner) {
            Vec3 p;
            for (int a = 0; a < 3; ++a) p[a] = (corner >> a & 1) != 0 ? region.hi[a] : region.lo[a];
            const Vec3 at = rays.picture_from_world(p);
            lo = min(lo, at), hi = max(hi, at);
        }
        EXPECT_GE(lo[0], 0) << name;
        EXPECT_GE(lo[1], 0) << name;
        EXPECT_LE(hi[0], size[0]) << name;
        EXPECT_LE(hi[1], size[1]) << name;
        EXPECT_GT(std::max((hi[0] - lo[0]) / size[0], (hi[1] - lo[1]) / size[1]), 0.85) << name;
        // The liquid at the start is in it.
        for (const scene::Liquid& liquid : scene.liquid) {
            const auto* ball = std::get_if<scene::Sphere>(&liquid.shape);
            EXPECT_TRUE(ball == nullptr || region.contains(ball->center + Vec3(ball->radius * 0.99))) << name;
        }
    }
    EXPECT_GE(seen_scenes, 7);
}

// The wave stands at the left end of its tank at first: the scene's own camera shows that end.
TEST(SceneView, TheBreakingWaveIsNotCutOff) {
    const auto scene = read_scene(SPINDRIFT_SOURCE_DIR "/scenes/breaking-wave.toml");
    ASSERT_TRUE(scene);
    for (const double t : {0.0, 1.0, 2.0}) {
        const CameraRays rays(camera_of(scene.value(), t));
        for (const Vec3& corner : {Vec3(0, 0, 40), Vec3(0, 17, 40), Vec3(0, 17, 0)})
            EXPECT_GT(rays.picture_from_world(corner)[0], 0) << t;
    }
}

// The camera does not follow the run: it is the same in each frame, and however many are made.
TEST(SceneView, TheDefaultCameraStandsStill) {
    const auto scene = read_scene(SPINDRIFT_SOURCE_DIR "/scenes/dam-break.toml");
    ASSERT_TRUE(scene);
    EXPECT_EQ(camera_of(scene.value(), 0).position, camera_of(scene.value(), 2.5).position);
    EXPECT_EQ(camera_of(scene.value(), 0).look_at, camera_of(scene.value(), 2.5).look_at);
    SceneDescription longer = scene.value();
    longer.time.frames = 1000;
    EXPECT_EQ(camera_of(scene.value(), 0).position, camera_of(longer, 0).position);
}

}  // namespace
}  // namespace spindrift
