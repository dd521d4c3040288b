// SPDX-License-Identifier: Apache-2.0
// Shapes from mesh files: as liquid, as solid, as source, in each format; and meshes that are missing or bad.
#include <fmt/format.h>

#include "tests/program.h"

namespace spindrift::testing {
namespace {

// Eight corners and six faces of the unit cube, counter-clockwise from outside.
constexpr const char* kCubeObj =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\nf 2 3 7 6\n";
constexpr int kCubeTriangles[12][3] = {{0, 3, 2}, {0, 2, 1}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                       {3, 7, 6}, {3, 6, 2}, {0, 4, 7}, {0, 7, 3}, {1, 2, 6}, {1, 6, 5}};
constexpr int kCubeCorners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                    {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

std::string cube_stl() {
    std::string text = "solid cube\n";
    for (const auto& triangle : kCubeTriangles) {
        text += "facet normal 0 0 0\nouter loop\n";
        for (const int corner : triangle)
            text += fmt::format("vertex {} {} {}\n", kCubeCorners[corner][0], kCubeCorners[corner][1],
                                kCubeCorners[corner][2]);
        text += "endloop\nendfacet\n";
    }
    return text + "endsolid cube\n";
}

// The first `triangles` of it; inside out on request.
std::string cube_ply(int triangles, bool inside_out) {
    std::string text =
        "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n" +
        fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n", triangles);
    for (const auto& c : kCubeCorners) text += fmt::format("{} {} {}\n", c[0], c[1], c[2]);
    for (int i = 0; i < triangles; ++i) {
        const auto& t = kCubeTriangles[i];
        text +=
            inside_out ? fmt::format("3 {} {} {}\n", t[0], t[2], t[1]) : fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
    }
    return text;
}

class MeshScene : public CommandLine {
  protected:
    void SetUp() override {
        CommandLine::SetUp();
        std::filesystem::create_directories(path("meshes"));
        write_file(path("meshes/cube.obj"), kCubeObj);
        write_file(path("meshes/cube.stl"), cube_stl());
        write_file(path("meshes/cube.ply"), cube_ply(12, false));
        write_file(path("meshes/open.ply"), cube_ply(11, false));
        write_file(path("meshes/inside-out.ply"), cube_ply(12, true));
    }

    std::string scene(const std::string& shapes) const {
        write_file(path("scene.toml"),
                   "spindrift = 1\n[domain]\nsize = [1, 1, 1]\nresolution = 24\n[time]\nframes = 2\n"
                   "[output]\nimages = false\nfilm = false\nmesh = false\n" +
                       shapes);
        return text("scene.toml");
    }
    static std::string entry(const std::string& list, const std::string& file, const std::string& more = "") {
        return fmt::format(
            "[[{}]]\nshape = \"mesh\"\nfile = \"meshes/{}\"\nscale = 0.4\ntranslate = [0.3, 0.2, 0.3]\n{}", list, file,
            more);
    }
    // Of each frame.
    std::vector<double> volumes(const std::string& shapes) {
        const auto ended = spindrift({"run", scene(shapes), "-o", text(fmt::format("out{}", runs_++)), "--json", "-q"});
        EXPECT_EQ(ended.code, 0) << ended.err;
        std::vector<double> list;
        for (const auto& line : ended.lines()) list.push_back(line.at("volume"));
        return list;
    }
    Ended check(const std::string& shapes) const { return spindrift({"check", scene(shapes)}); }

    int runs_ = 0;
};

constexpr const char* kPool = "[[liquid]]\nshape = \"plane\"\npoint = [0, 0.7, 0]\nnormal = [0, 1, 0]\n";

TEST_F(MeshScene, LiquidOfEachFormat) {
    for (const char* file : {"cube.obj", "cube.stl", "cube.ply"}) {
        const auto v = volumes(entry("liquid", file));
        ASSERT_EQ(v.size(), 3U) << file;
        EXPECT_NEAR(v[0], 0.064, 0.002) << file;
        EXPECT_NEAR(v[2], 0.064, 0.003) << file;
    }
}

TEST_F(MeshScene, ScaledTurnedMoved) {
    // A cube that stands on its edge has the same volume, and reaches lower.
    const std::string turned = "rotate_degrees = [0, 0, 45]\n";
    EXPECT_NEAR(volumes(entry("liquid", "cube.obj", turned)).at(0), 0.064, 0.003);
    const auto ended =
        check("[[liquid]]\nshape = \"mesh\"\nfile = \"meshes/cube.obj\"\nscale = 0.4\nrotate_degrees = [0, 0, 180]\n");
    EXPECT_NE(ended.err.find("lies outside the domain: -0.4 to"), std::string::npos) << ended.err;
}

TEST_F(MeshScene, SolidDisplacesLiquid) {
    for (const char* file : {"cube.obj", "cube.stl", "cube.ply"})
        EXPECT_NEAR(volumes(kPool + entry("solid", file)).at(0), 0.7 - 0.064, 0.003) << file;
}

TEST_F(MeshScene, CutOut) {
    EXPECT_NEAR(volumes(kPool + entry("liquid", "cube.obj", "op = \"subtract\"\n")).at(0), 0.7 - 0.064, 0.003);
}

TEST_F(MeshScene, SourcePours) {
    const auto v = volumes(entry("source", "cube.obj", "velocity = [0, -1, 0]\n"));
    EXPECT_GT(v.at(1), 0.05);
    EXPECT_GT(v.at(2), v.at(1));
}

TEST_F(MeshScene, CheckWarnsOfBadMeshes) {
    const auto good = check(entry("liquid", "cube.ply"));
    EXPECT_EQ(good.code, 0);
    EXPECT_NE(good.out.find("no errors, no warnings"), std::string::npos) << good.out;

    const auto open = check(kPool + entry("solid", "open.ply"));
    EXPECT_EQ(open.code, 0) << open.err;
    EXPECT_NE(open.err.find("solid[0]: meshes/open.ply: the surface has holes (3 open edges)"), std::string::npos)
        << open.err;
    EXPECT_NE(open.err.find("scene.toml:17"), std::string::npos) << "the line that names the file: " << open.err;

    const auto inside_out = check(entry("liquid", "inside-out.ply"));
    EXPECT_NE(inside_out.err.find("is inside out"), std::string::npos) << inside_out.err;
    EXPECT_NEAR(volumes(entry("liquid", "inside-out.ply")).at(0), 0.064, 0.002) << "it is used the right way round";
    EXPECT_EQ(spindrift({"check", text("scene.toml"), "--strict"}).code, 2);
    EXPECT_NE(spindrift({"run", text("scene.toml"), "-o", text("told")}).err.find("is inside out"), std::string::npos);
}

TEST_F(MeshScene, CheckAndRunWarnOfLiquidThatAMeshSwallows) {
    const std::string drop = "[[liquid]]\nshape = \"sphere\"\ncenter = [0.5, 0.4, 0.5]\nradius = ";
    const std::string no_room = "liquid[0] lies inside the solids: there is no room for it";
    const auto swallowed = check(drop + "0.1\n" + entry("solid", "cube.obj"));
    EXPECT_EQ(swallowed.code, 0) << swallowed.err;
    EXPECT_NE(swallowed.err.find(no_room), std::string::npos) << swallowed.err;
    EXPECT_NE(spindrift({"run", text("scene.toml"), "-o", text("told")}).err.find(no_room), std::string::npos);
    EXPECT_EQ(check(drop + "0.25\n" + entry("solid", "cube.obj")).err.find(no_room), std::string::npos)
        << "a part of it looks out";
    const std::string box = "[[solid]]\nshape = \"box\"\nmin = [0.2, 0.1, 0.2]\nmax = [0.8, 0.7, 0.8]\n";
    EXPECT_NE(check(entry("liquid", "cube.obj") + box).err.find(no_room), std::string::npos) << "a mesh of liquid";
}

TEST_F(MeshScene, CheckAndRunWarnOfMeshesWithoutArea) {
    write_file(path("meshes/line.obj"), "v 0 0 0\nv 1 1 1\nv 2 2 2\nv 3 3 3\nf 1 2 3\nf 2 3 4\n");
    const auto flat = check(kPool + entry("solid", "line.obj"));
    EXPECT_EQ(flat.code, 0) << flat.err;
    EXPECT_NE(flat.err.find("solid[0]: meshes/line.obj: none of its 2 triangles has an area"), std::string::npos)
        << flat.err;
    const auto ended = spindrift({"run", text("scene.toml"), "-o", text("told")});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.err.find("none of its 2 triangles has an area"), std::string::npos) << ended.err;
}

TEST_F(MeshScene, FilesThatAreMissingOrDamaged) {
    const auto missing = check(entry("liquid", "ship.ply"));
    EXPECT_EQ(missing.code, 2);
    EXPECT_NE(missing.err.find("meshes/ship.ply"), std::string::npos) << missing.err;
    EXPECT_NE(missing.err.find("looked for " + text("meshes/ship.ply")), std::string::npos) << missing.err;

    write_file(path("meshes/half.ply"), cube_ply(12, false).substr(0, 250));
    for (const char* verb : {"check", "run"}) {
        const auto damaged = spindrift({verb, scene(entry("liquid", "half.ply"))});
        EXPECT_EQ(damaged.code, 2) << damaged.out;
        EXPECT_NE(damaged.err.find("half.ply"), std::string::npos) << damaged.err;
    }
}

}  // namespace
}  // namespace spindrift::testing
