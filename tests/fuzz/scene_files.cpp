// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <fstream>

#include <fmt/core.h>

#include "io/png.h"
#include "tests/fuzz/random_scene.h"

namespace spindrift::fuzz {
namespace {

void write_file(const std::filesystem::path& file, std::string_view content) {
    std::ofstream(file, std::ios::binary) << content;
}

}  // namespace

void write_scene_files(const std::filesystem::path& folder) {
    // A cube of side 1, a plate as thin as a hundredth, a tetrahedron.
    constexpr std::string_view kFaces =
        "f 1 3 2\nf 2 3 4\nf 5 6 7\nf 6 8 7\nf 1 2 5\nf 2 6 5\nf 3 7 4\nf 4 7 8\nf 1 5 3\nf 3 5 7\nf 2 4 6\nf 4 8 6\n";
    write_file(folder / "cube.obj",
               fmt::format("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n{}", kFaces));
    write_file(folder / "plate.ply",
               "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
               "element face 12\nproperty list uchar int vertex_indices\nend_header\n"
               "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 0.01\n1 0 0.01\n0 1 0.01\n1 1 0.01\n"
               "3 0 2 1\n3 1 2 3\n3 4 5 6\n3 5 7 6\n3 0 1 4\n3 1 5 4\n3 2 6 3\n3 3 6 7\n3 0 4 2\n3 2 4 6\n3 1 3 5\n"
               "3 3 7 5\n");
    std::string stl = "solid t\n";
    constexpr std::array<std::array<const char*, 3>, 4> kTriangles{{{"0 0 0", "0 1 0", "1 0 0"},
                                                                    {"0 0 0", "1 0 0", "0 0 1"},
                                                                    {"0 0 0", "0 0 1", "0 1 0"},
                                                                    {"1 0 0", "0 1 0", "0 0 1"}}};
    for (const auto& t : kTriangles)
        stl += fmt::format("facet normal 0 0 0\nouter loop\nvertex {}\nvertex {}\nvertex {}\nendloop\nendfacet\n", t[0],
                           t[1], t[2]);
    write_file(folder / "tetrahedron.stl", stl + "endsolid t\n");
    constexpr std::array<std::uint8_t, 6> kRedAndGreen{255, 0, 0, 0, 255, 0};
    write_file(folder / "texture.png", png_bytes(2, 1, kRedAndGreen));
    constexpr std::array<std::uint8_t, 18> kHills{0,   0,   0,   90, 90, 90, 255, 255, 255,
                                                  200, 180, 160, 10, 20, 30, 60,  60,  60};
    write_file(folder / "heights.png", png_bytes(3, 2, kHills));
}

}  // namespace spindrift::fuzz
