// SPDX-License-Identifier: Apache-2.0
#include "products/scene_view.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "scene/framing.h"
#include "scene/read_scene.h"

namespace spindrift {
namespace {

using Vec3 = Vec<double, 3>;
namespace fs = std::filesystem;

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

// A mesh needs no more of the picture than a shape of its size, also where it turns and moves.
TEST(SceneView, AMeshIsFramedLikeAShapeOfItsSize) {
    const fs::path folder = fs::temp_directory_path() / fmt::format("spindrift_scene_view_{}", ::getpid());
    fs::create_directories(folder);
    std::ofstream(folder / "box.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                                         "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    const auto camera = [&](const std::string& solid) {
        const auto scene = parse_scene(
            "spindrift = 1\n[domain]\nsize = [8, 8, 8]\nresolution = 16\n[time]\nframes = 1\n"
            "[[liquid]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [8, 1, 8]\n[[solid]]\n" +
                solid,
            (folder / "scene.toml").string());
        EXPECT_TRUE(scene) << scene.errors().text();
        return camera_of(scene.value(), 0);
    };
    for (const std::string motion : {"", "rotation_degrees = '90 * t'\noffset = ['0.3 * t', 0.5, 0]\n"}) {
        const Camera of_mesh = camera("shape = 'mesh'\nfile = 'box.obj'\ntranslate = [3, 1, 3]\n" + motion);
        const Camera of_box = camera("shape = 'box'\nmin = [3, 1, 3]\nmax = [4, 2, 4]\n" + motion);
        EXPECT_LT(length(of_mesh.position - of_box.position), 1e-6) << motion;
        EXPECT_LT(length(of_mesh.look_at - of_box.look_at), 1e-6) << motion;
    }
    fs::remove_all(folder);
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
