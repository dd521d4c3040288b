// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_files.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "geometry/mesh_text.h"

namespace spindrift {
namespace {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little, "binary meshes are copied as they are");

// Corners at the same place become one.
void weld(TriangleMesh& mesh) {
    const std::vector<std::uint32_t> first = welded_positions(mesh);
    std::vector<std::uint32_t> number(first.size());
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < first.size(); ++i) {
        if (first[i] != i) continue;
        mesh.positions[kept] = mesh.positions[i];
        number[i] = kept++;
    }
    mesh.positions.resize(kept);
    for (auto& t : mesh.triangles)
        for (int i = 0; i < 3; ++i) t[i] = number[first[t[i]]];
}

// "7", "7/1", "7//3", "7/1/3" or negative, counted from the last; the position's number from 0.
std::optional<std::uint32_t> obj_corner(std::string_view word, std::size_t positions) {
    const auto index = number<long>(word.substr(0, word.find('/')));
    if (!index || *index == 0) return std::nullopt;
    const long from_zero = *index > 0 ? *index - 1 : static_cast<long>(positions) + *index;
    if (from_zero < 0 || from_zero >= static_cast<long>(positions)) return std::nullopt;
    return static_cast<std::uint32_t>(from_zero);
}

bool passed_over_in_obj(std::string_view keyword) {
    constexpr std::array kKnown{"vn", "vt", "vp", "o", "g", "s", "usemtl", "mtllib", "l", "p", "cstype", "deg", "mg"};
    return std::find(kKnown.begin(), kKnown.end(), keyword) != kKnown.end();
}

std::optional<Error> add_obj_face(TriangleMesh& mesh, TextReader& text, std::vector<std::uint32_t>& corners) {
    corners.clear();
    for (std::string_view word = text.word(); !word.empty(); word = text.word()) {
        const auto corner = obj_corner(word, mesh.positions.size());
        if (!corner)
            return text.error(
                fmt::format("'{}' is no corner of a face: there are {} positions so far", word, mesh.positions.size()),
                "export the mesh again; faces must stand after their positions");
        corners.push_back(*corner);
    }
    if (corners.size() < 3)
        return text.error(fmt::format("a face with {} corners", corners.size()), "remove it, or export the mesh again");
    for (std::size_t i = 2; i < corners.size(); ++i) mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
    return std::nullopt;
}

constexpr std::size_t kStlHeader = 84, kStlTriangle = 50;

// Text files begin with "solid"; so do some binary ones, but their size gives them away.
bool is_binary_stl(std::string_view bytes) {
    if (bytes.size() < kStlHeader) return false;
    std::uint32_t count;
    std::memcpy(&count, bytes.data() + 80, sizeof count);
    return bytes.size() == kStlHeader + kStlTriangle * std::size_t{count} || !bytes.starts_with("solid");
}

Result<TriangleMesh> binary_stl(std::string_view bytes, const std::string& file) {
    std::uint32_t count;
    std::memcpy(&count, bytes.data() + 80, sizeof count);
    if (bytes.size() < kStlHeader + kStlTriangle * std::size_t{count})
        return Error{fmt::format("ends after {} bytes; {} triangles take {}", bytes.size(), count,
                                 kStlHeader + kStlTriangle * std::size_t{count}),
                     "the file is cut off: copy or export it again",
                     {.file = file}};
    TriangleMesh mesh;
    for (std::uint32_t t = 0; t < count; ++t) {
        std::array<Vec<float, 3>, 3> corner;
        std::memcpy(&corner, bytes.data() + kStlHeader + kStlTriangle * std::size_t{t} + 12, sizeof corner);
        mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
        mesh.positions.insert(mesh.positions.end(), corner.begin(), corner.end());
    }
    return mesh;
}

Result<TriangleMesh> text_stl(std::string_view bytes, const std::string& file) {
    TriangleMesh mesh;
    TextReader text(bytes, file);
    std::uint32_t in_facet = 0;
    while (text.next_line()) {
        const std::string_view keyword = text.word();
        if (keyword == "vertex") {
            Vec<float, 3> p;
            if (!text.numbers(p)) return text.error("a vertex needs three numbers", "export the mesh again");
            mesh.positions.push_back(p);
            ++in_facet;
        } else if (keyword == "endfacet") {
            if (in_facet != 3)
                return text.error(fmt::format("a facet with {} corners", in_facet), "export the mesh again");
            const auto last = static_cast<std::uint32_t>(mesh.positions.size());
            mesh.triangles.push_back({last - 3, last - 2, last - 1});
            in_facet = 0;
        } else if (keyword != "solid" && keyword != "facet" && keyword != "outer" && keyword != "endloop" &&
                   keyword != "endsolid") {
            return text.error(fmt::format("'{}' is no word of an STL file", keyword), "export the mesh again");
        }
    }
    if (in_facet != 0)
        return text.error("the file ends within a facet", "the file is cut off: copy or export it again");
    return mesh;
}

// What a solid or a surface cannot be made of.
Result<TriangleMesh> checked(TriangleMesh mesh, const std::string& file) {
    if (mesh.triangles.empty()) return Error{"has no faces", "export it as a mesh, with its faces", {.file = file}};
    for (std::size_t i = 0; i < mesh.positions.size(); ++i)
        for (int a = 0; a < 3; ++a)
            if (!std::isfinite(mesh.positions[i][a]))
                return Error{fmt::format("position {} is not finite", i), "export the mesh again", {.file = file}};
    return mesh;
}

}  // namespace

Result<TriangleMesh> read_obj(const fs::path& path) {
    auto bytes = bytes_of_file(path);
    if (!bytes) return std::move(bytes).errors();
    TriangleMesh mesh;
    TextReader text(bytes.value(), path.string());
    std::vector<std::uint32_t> corners;
    while (text.next_line()) {
        const std::string_view keyword = text.word();
        if (keyword == "v") {
            Vec<float, 3> p;
            if (!text.numbers(p)) return text.error("a position needs three numbers", "export the mesh again");
            mesh.positions.push_back(p);
        } else if (keyword == "f") {
            if (auto error = add_obj_face(mesh, text, corners)) return *error;
        } else if (!passed_over_in_obj(keyword)) {
            return text.error(fmt::format("'{}' is not understood", keyword),
                              "export the mesh as plain polygons, without curves or extensions");
        }
    }
    return checked(std::move(mesh), path.string());
}

Result<TriangleMesh> read_stl(const fs::path& path) {
    auto bytes = bytes_of_file(path);
    if (!bytes) return std::move(bytes).errors();
    auto mesh = is_binary_stl(bytes.value()) ? binary_stl(bytes.value(), path.string())
                                             : text_stl(bytes.value(), path.string());
    if (!mesh) return mesh;
    auto whole = checked(std::move(mesh).value(), path.string());
    if (whole) weld(whole.value());
    return whole;
}

Result<TriangleMesh> read_mesh(const fs::path& path) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    if (ending == ".obj") return read_obj(path);
    if (ending == ".ply") return read_ply(path);
    if (ending == ".stl") return read_stl(path);
    return Error{fmt::format("'{}' is no mesh that can be read", ending),
                 "convert it to .obj, .ply or .stl",
                 {.file = path.string()}};
}

}  // namespace spindrift
