// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_files.h"

#include <cstring>
#include <fstream>

#include <fmt/core.h>

#include "base/test_folder.h"
#include "geometry/test_meshes.h"

namespace spindrift {
namespace {

namespace fs = std::filesystem;

class MeshFiles : public TestFolder {
  protected:
    fs::path file(const char* name, const std::string& bytes) const {
        write_bytes(path(name), bytes);
        return path(name);
    }
    fs::path path(const char* name) const { return TestFolder::file(name); }

    // "name:line: what" of the first error.
    static std::string first_error(const Result<TriangleMesh>& result) {
        if (result) return "none";
        const Error& error = result.errors()[0];
        EXPECT_FALSE(error.remedy.empty());
        return fmt::format("{}:{}: {}", fs::path(error.where.file).filename().string(), error.where.line, error.what);
    }
};

const TriangleMesh kBox = test_meshes::box({0.0F, 0.0F, 0.0F}, {1.0F, 2.0F, 3.0F});

std::string bytes_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(MeshFiles, PlyReturnsWhatWasWritten) {
    TriangleMesh mesh = kBox;
    ASSERT_TRUE(write_ply(mesh, path("plain.ply")));
    EXPECT_EQ(read_mesh(path("plain.ply")).value(), mesh);
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const auto f = static_cast<float>(i);
        mesh.normals.push_back({f, 0.1F, -f});
        mesh.velocities.push_back({1e-30F, f, 1e30F});
        mesh.colours.push_back({std::uint8_t(i), std::uint8_t{255}, std::uint8_t{0}});
    }
    ASSERT_TRUE(write_ply(mesh, path("full.PLY")));
    EXPECT_EQ(read_mesh(path("full.PLY")).value(), mesh);
    // The layout other programs rely on.
    const std::string bytes = bytes_of(path("full.PLY"));
    EXPECT_TRUE(bytes.starts_with("ply\nformat binary_little_endian 1.0\n"));
    EXPECT_NE(bytes.find("float x\nproperty float y\nproperty float z\nproperty float nx\n"), std::string::npos);
    EXPECT_NE(bytes.find("float vx\nproperty float vy\nproperty float vz\nproperty uchar red\n"), std::string::npos);
    EXPECT_NE(bytes.find("property list uchar int vertex_indices\nend_header\n"), std::string::npos);
    EXPECT_EQ(bytes.size(), bytes.find("end_header\n") + 11 + 8 * 39 + 12 * 13);
}

TEST_F(MeshFiles, PlyTextWithPolygonsAndUnknownParts) {
    const auto mesh =
        read_ply(file("a.ply",
                      "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 4\nproperty double x\n"
                      "property float y\nproperty float quality\nproperty float z\nelement face 1\n"
                      "property uchar flags\nproperty list uchar uint vertex_index\nelement edge 1\n"
                      "property int v1\nend_header\n0 0 9 0\n1 0 9 0\n1 1 9 0\n0 1 9 0.5\n7 4 0 1 2 3\n5\n"));
    ASSERT_TRUE(mesh) << mesh.errors().text();
    EXPECT_EQ(mesh.value().triangles, (std::vector<Vec<std::uint32_t, 3>>{{0U, 1U, 2U}, {0U, 2U, 3U}}));
    EXPECT_EQ(mesh.value().positions[3], (Vec<float, 3>{0.0F, 1.0F, 0.5F}));
}

// Every file that stops early is an error; none is read beyond its end (the address sanitizer watches).
TEST_F(MeshFiles, CutOffFilesAreErrors) {
    TriangleMesh mesh = kBox;
    mesh.normals = mesh.positions;
    ASSERT_TRUE(write_ply(mesh, path("whole.ply")));
    const std::string whole = bytes_of(path("whole.ply"));
    for (std::size_t size = 0; size < whole.size(); size += 7)
        EXPECT_FALSE(read_ply(file("cut.ply", whole.substr(0, size)))) << size;
    EXPECT_EQ(first_error(read_ply(file("cut.ply", whole.substr(0, whole.size() - 1)))),
              "cut.ply:0: face 11 of 12 cannot be read");
}

TEST_F(MeshFiles, PlyErrorsSayWhere) {
    const std::string start = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n";
    EXPECT_EQ(first_error(read_ply(file("a.ply", "stl\n"))), "a.ply:1: is no PLY file");
    EXPECT_EQ(first_error(read_ply(file("a.ply", "ply\nformat binary_big_endian 1.0\n"))),
              "a.ply:2: the format 'binary_big_endian' cannot be read");
    EXPECT_EQ(first_error(read_ply(file("a.ply", start + "property half z\n"))), "a.ply:6: 'half' is no type");
    EXPECT_EQ(first_error(read_ply(file("a.ply", start + "end_header\n0 0\n0 0\n0 0\n"))),
              "a.ply:0: its vertices have no x, y and z");
    const std::string face = "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
    EXPECT_EQ(first_error(read_ply(file("a.ply", start + face + "0 0 0\n1 0 x\n0 1 0\n3 0 1 2\n"))),
              "a.ply:11: vertex 1 of 3 cannot be read");
    EXPECT_EQ(first_error(read_ply(file("a.ply", start + face + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"))),
              "a.ply:13: face 0 of 1 cannot be read");
    EXPECT_EQ(first_error(read_ply(file("a.ply",
                                        "ply\nformat ascii 1.0\nelement vertex 99999999999\n"
                                        "property float x\nend_header\n"))),
              "a.ply:0: claims 99999999999 of 'vertex', more than it has bytes");
}

TEST_F(MeshFiles, ObjFacesInAllForms) {
    const auto mesh = read_mesh(file(
        "a.obj",
        "# a pyramid\nmtllib x.mtl\no thing\nv 0 0 0\nv 1 0 0\r\nv 1 1 0 1.0\n\nv 0 1 0\nv .5 .5 1e0\n"
        "vt 0 0\nvn 0 0 1\ng sides\nf 1/1/1 2/1/1 5\nf 2//1 3//1 -1\nf -3 -2 -1\ns off\nf 4 1 5\nf 4 3 2 1 # base\n"));
    ASSERT_TRUE(mesh) << mesh.errors().text();
    EXPECT_EQ(mesh.value().triangles.size(), 6U);
    EXPECT_NEAR(signed_volume(mesh.value()), 1.0 / 3, 1e-7);
    EXPECT_EQ(test_meshes::expect_closed_manifold(mesh.value()), 2);
}

TEST_F(MeshFiles, ObjErrorsSayWhere) {
    EXPECT_EQ(first_error(read_obj(file("a.obj", "v 0 0 0\nv 1 0\n"))), "a.obj:2: a position needs three numbers");
    EXPECT_EQ(first_error(read_obj(file("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n"))),
              "a.obj:5: '4' is no corner of a face: there are 3 positions so far");
    EXPECT_EQ(first_error(read_obj(file("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n"))),
              "a.obj:4: '0' is no corner of a face: there are 3 positions so far");
    EXPECT_EQ(first_error(read_obj(file("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n"))), "a.obj:3: a face with 2 corners");
    EXPECT_EQ(first_error(read_obj(file("a.obj", "curv2 1 2\n"))), "a.obj:1: 'curv2' is not understood");
    EXPECT_EQ(first_error(read_obj(file("a.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"))),
              "a.obj:0: position 0 is not finite");
    EXPECT_EQ(first_error(read_obj(file("a.obj", ""))), "a.obj:0: has no faces");
}

std::string binary_stl(const TriangleMesh& mesh, const char* header) {
    std::string bytes(header);
    bytes.resize(80);
    const auto put = [&](const void* from, std::size_t size) { bytes.append(static_cast<const char*>(from), size); };
    const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
    put(&count, 4);
    for (const auto& t : mesh.triangles) {
        bytes.append(12, '\0');
        for (int i = 0; i < 3; ++i) put(&mesh.positions[t[i]], 12);
        bytes.append(2, '\0');
    }
    return bytes;
}

TEST_F(MeshFiles, StlBinaryAndTextAreWelded) {
    // Some programs begin binary files with the word that marks text.
    for (const char* header : {"made by a program", "solid but binary"}) {
        const auto mesh = read_mesh(file("a.stl", binary_stl(kBox, header)));
        ASSERT_TRUE(mesh) << mesh.errors().text();
        EXPECT_EQ(mesh.value().positions.size(), 8U);
        EXPECT_EQ(test_meshes::expect_closed_manifold(mesh.value()), 2);
        EXPECT_DOUBLE_EQ(signed_volume(mesh.value()), 6);
    }
    std::string text = "solid box\n";
    for (const auto& t : kBox.triangles) {
        text += " facet normal 0 0 0\n  outer loop\n";
        for (int i = 0; i < 3; ++i) {
            const auto& p = kBox.positions[t[i]];
            text += fmt::format("   vertex {:e} {} {}\n", p[0], p[1], p[2]);
        }
        text += "  endloop\n endfacet\n";
    }
    const auto mesh = read_mesh(file("b.stl", text + "endsolid box\n"));
    ASSERT_TRUE(mesh) << mesh.errors().text();
    EXPECT_DOUBLE_EQ(signed_volume(mesh.value()), 6);
    EXPECT_EQ(mesh.value().positions.size(), 8U);
}

TEST_F(MeshFiles, StlErrorsSayWhere) {
    const std::string whole = binary_stl(kBox, "x");
    EXPECT_EQ(first_error(read_stl(file("a.stl", whole.substr(0, 300)))),
              "a.stl:0: ends after 300 bytes; 12 triangles take 684");
    EXPECT_EQ(first_error(read_stl(file("a.stl", "solid a\nfacet normal 0 0 1\nvertex 0 0 0\nendfacet\n"))),
              "a.stl:4: a facet with 1 corners");
    EXPECT_EQ(first_error(read_stl(file("a.stl", "solid a\nfacet normal 0 0 1\nvertex 0 0\n"))),
              "a.stl:3: a vertex needs three numbers");
    EXPECT_EQ(first_error(read_stl(file("a.stl", "solid a\nvertex 0 0 0\n"))), "a.stl:2: the file ends within a facet");
    EXPECT_EQ(first_error(read_stl(file("a.stl", "hello\n"))), "a.stl:1: 'hello' is no word of an STL file");
}

TEST_F(MeshFiles, MissingFilesAndUnknownKindsAreErrors) {
    EXPECT_NE(first_error(read_mesh(path("none.obj"))).find("none.obj:0: cannot be read: No such file"),
              std::string::npos);
    EXPECT_EQ(first_error(read_mesh(path("a.fbx"))), "a.fbx:0: '.fbx' is no mesh that can be read");
    EXPECT_FALSE(write_ply(kBox, path("no") / "folder" / "a.ply"));
}

}  // namespace
}  // namespace spindrift
