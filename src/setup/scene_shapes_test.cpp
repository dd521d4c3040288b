// SPDX-License-Identifier: Apache-2.0
#include "setup/scene_shapes.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "scene/read_scene.h"

namespace spindrift {
namespace {

constexpr const char* kTetrahedron =
    "v 0.1 0.1 0.1\nv 0.9 0.1 0.1\nv 0.1 0.9 0.1\nv 0.1 0.1 0.9\n"
    "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

const MeshDistance* distance_of(const SceneDescription& scene) {
    ShapeSet<3> set;
    Errors errors;
    add_shape(set, errors, scene, "solid[0]", scene.solid[0].shape, scene::ShapeOp::add);
    EXPECT_TRUE(errors.empty()) << errors.text();
    return std::get<MeshSolid>(set.parts.at(0).shape).distance.get();
}

// Checks, the simulation, its warnings and the report each ask for a scene's meshes.
TEST(SceneShapes, AMeshIsMadeReadyOnce) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "spindrift_scene_shapes_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "body.obj") << kTetrahedron;
    const auto scene = [&](const std::string& solid, int resolution) {
        auto read =
            parse_scene("spindrift = 1\n[domain]\nsize = [1, 1, 1]\nresolution = " + std::to_string(resolution) +
                            "\n[time]\nframes = 1\n[[liquid]]\nshape = \"box\"\nmin = [0, 0, 0]\n"
                            "max = [1, 0.1, 1]\n[[solid]]\nshape = \"mesh\"\nfile = \"body.obj\"\n" +
                            solid,
                        (folder / "scene.toml").string());
        EXPECT_TRUE(read) << read.errors().text();
        return std::move(read).value();
    };
    const MeshDistance* first = distance_of(scene("", 16));
    EXPECT_EQ(distance_of(scene("", 16)), first);
    EXPECT_NE(distance_of(scene("translate = [0, 0.05, 0]\n", 16)), first);
    EXPECT_NE(distance_of(scene("", 24)), first) << "cells of another size";
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace spindrift
