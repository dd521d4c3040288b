// SPDX-License-Identifier: Apache-2.0
// The PLY part of geometry/mesh_files.h.  A header names elements and their properties in the order they are stored;
// elements and properties that mean nothing to a mesh are stepped over.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "geometry/mesh_files.h"
#include "geometry/mesh_text.h"

namespace spindrift {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kCutOff = "the file is cut off: copy or export it again";

enum class Type { i8, u8, i16, u16, i32, u32, f32, f64 };

std::optional<Type> type_of(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, Type>, 16> kNames{{{"char", Type::i8},
                                                                        {"uchar", Type::u8},
                                                                        {"short", Type::i16},
                                                                        {"ushort", Type::u16},
                                                                        {"int", Type::i32},
                                                                        {"uint", Type::u32},
                                                                        {"float", Type::f32},
                                                                        {"double", Type::f64},
                                                                        {"int8", Type::i8},
                                                                        {"uint8", Type::u8},
                                                                        {"int16", Type::i16},
                                                                        {"uint16", Type::u16},
                                                                        {"int32", Type::i32},
                                                                        {"uint32", Type::u32},
                                                                        {"float32", Type::f32},
                                                                        {"float64", Type::f64}}};
    for (const auto& [known, type] : kNames)
        if (known == name) return type;
    return std::nullopt;
}

struct Property {
    std::string name;
    Type type;
    std::optional<Type> count_type;  // of a list
};

struct Element {
    std::string name;
    std::size_t count = 0;
    std::vector<Property> properties;
};

struct Header {
    bool binary = false;
    std::vector<Element> elements;
};

std::optional<Error> read_element(Header& header, TextReader& text) {
    Element element;
    element.name = text.word();
    const auto count = number<std::size_t>(text.word());
    if (!count) return text.error("an element without a number", "export the mesh again");
    element.count = *count;
    header.elements.push_back(std::move(element));
    return std::nullopt;
}

std::optional<Error> read_property(Header& header, TextReader& text) {
    if (header.elements.empty()) return text.error("a property before any element", "export the mesh again");
    Property property{};
    std::string_view type = text.word();
    if (type == "list") {
        property.count_type = type_of(text.word());
        if (!property.count_type) return text.error("a list counted in an unknown type", "export the mesh again");
        type = text.word();
    }
    const auto known = type_of(type);
    if (!known) return text.error(fmt::format("'{}' is no type", type), "export the mesh again");
    property.type = *known;
    property.name = text.word();
    header.elements.back().properties.push_back(std::move(property));
    return std::nullopt;
}

Result<Header> read_header(TextReader& text) {
    Header header;
    bool has_format = false;
    if (!text.next_line() || text.word() != "ply") return text.error("is no PLY file", "check the path");
    while (text.next_line()) {
        const std::string_view keyword = text.word();
        std::optional<Error> error;
        if (keyword == "end_header") {
            if (!has_format) return text.error("does not say its format", "export the mesh again");
            return header;
        }
        if (keyword == "format") {
            const std::string_view format = text.word();
            header.binary = has_format = format == "binary_little_endian";
            has_format |= format == "ascii";
            if (!has_format)
                error = text.error(fmt::format("the format '{}' cannot be read", format),
                                   "export the mesh as ascii or binary_little_endian");
        } else if (keyword == "element") {
            error = read_element(header, text);
        } else if (keyword == "property") {
            error = read_property(header, text);
        } else if (keyword != "comment" && keyword != "obj_info") {
            error = text.error(fmt::format("'{}' is no word of a PLY header", keyword), "export the mesh again");
        }
        if (error) return *error;
    }
    return text.error("the header has no end", std::string(kCutOff));
}

// Numbers one after the other, from text or bytes.  NaN for one that is not there: no mesh has a use for it.
class Numbers {
  public:
    Numbers(TextReader& text, bool binary) : text_(text), bytes_(text.rest()), binary_(binary) {}

    double next(Type type) {
        if (!binary_) {
            std::string_view word = text_.word();
            while (word.empty() && text_.next_line()) word = text_.word();
            return number<double>(word).value_or(std::numeric_limits<double>::quiet_NaN());
        }
        switch (type) {
            case Type::i8: return take<std::int8_t>();
            case Type::u8: return take<std::uint8_t>();
            case Type::i16: return take<std::int16_t>();
            case Type::u16: return take<std::uint16_t>();
            case Type::i32: return take<std::int32_t>();
            case Type::u32: return take<std::uint32_t>();
            case Type::f32: return take<float>();
            case Type::f64: return take<double>();
        }
        return 0;
    }
    bool at_end() const { return binary_ ? bytes_.empty() : text_.rest().empty(); }

  private:
    template <class T>
    double take() {
        T value;
        if (bytes_.size() < sizeof value) {
            bytes_ = {};
            return std::numeric_limits<double>::quiet_NaN();
        }
        std::memcpy(&value, bytes_.data(), sizeof value);
        bytes_.remove_prefix(sizeof value);
        return static_cast<double>(value);
    }

    TextReader& text_;
    std::string_view bytes_;
    bool binary_;
};

// Where a vertex property goes: component `axis` of one of the mesh's lists.
enum class Target { none, position, normal, velocity, colour };
struct Place {
    Target target = Target::none;
    int axis = 0;
};
Place place_of(std::string_view name) {
    constexpr std::array<std::pair<Target, std::array<std::string_view, 3>>, 4> kNames{
        {{Target::position, {"x", "y", "z"}},
         {Target::normal, {"nx", "ny", "nz"}},
         {Target::velocity, {"vx", "vy", "vz"}},
         {Target::colour, {"red", "green", "blue"}}}};
    for (const auto& [target, axes] : kNames)
        for (int a = 0; a < 3; ++a)
            if (axes[static_cast<std::size_t>(a)] == name) return {target, a};
    return {};
}

bool has_all(const Element& element, Target target) {
    return std::count_if(element.properties.begin(), element.properties.end(),
                         [&](const Property& p) { return place_of(p.name).target == target; }) == 3;
}

// A list is read as its count and then its members; f(members) for a list, f({value}) for a number.
template <class F>
bool read_values(Numbers& numbers, const Property& property, std::vector<double>& values, F&& f) {
    double count = 1;
    if (property.count_type) count = numbers.next(*property.count_type);
    if (!(count >= 0 && count <= 1e6)) return false;
    values.resize(static_cast<std::size_t>(count));
    for (double& v : values) v = numbers.next(property.type);
    return f(values);
}

bool read_vertex(TriangleMesh& mesh, std::size_t i, const Element& element, Numbers& numbers,
                 std::vector<double>& values) {
    bool good = true;
    for (const Property& property : element.properties) {
        const Place place = place_of(property.name);
        good &= read_values(numbers, property, values, [&](const std::vector<double>& v) {
            if (place.target == Target::none) return true;
            if (v.size() != 1 || !std::isfinite(v[0])) return false;
            const auto as_float = static_cast<float>(v[0]);
            if (place.target == Target::position) mesh.positions[i][place.axis] = as_float;
            if (place.target == Target::normal && !mesh.normals.empty()) mesh.normals[i][place.axis] = as_float;
            if (place.target == Target::velocity && !mesh.velocities.empty()) mesh.velocities[i][place.axis] = as_float;
            if (place.target == Target::colour && !mesh.colours.empty())
                mesh.colours[i][place.axis] = static_cast<std::uint8_t>(std::clamp(v[0], 0.0, 255.0));
            return true;
        });
    }
    return good;
}

bool read_face(TriangleMesh& mesh, const Element& element, Numbers& numbers, std::vector<double>& values) {
    bool good = true;
    for (const Property& property : element.properties) {
        good &= read_values(numbers, property, values, [&](const std::vector<double>& corner) {
            if (property.name != "vertex_indices" && property.name != "vertex_index") return true;
            const auto last = static_cast<double>(mesh.positions.size()) - 1;
            for (const double c : corner)
                if (!(c >= 0 && c <= last && c == std::floor(c))) return false;
            for (std::size_t i = 2; i < corner.size(); ++i)
                mesh.triangles.push_back({static_cast<std::uint32_t>(corner[0]),
                                          static_cast<std::uint32_t>(corner[i - 1]),
                                          static_cast<std::uint32_t>(corner[i])});
            return corner.size() >= 3;
        });
    }
    return good;
}

template <class T, int N>
void put(std::string& bytes, const Vec<T, N>& value) {
    bytes.append(reinterpret_cast<const char*>(value.data.data()), sizeof value);
}

}  // namespace

Result<TriangleMesh> read_ply(const fs::path& path) {
    auto bytes = bytes_of_file(path);
    if (!bytes) return std::move(bytes).errors();
    TextReader text(bytes.value(), path.string());
    auto header = read_header(text);
    if (!header) return std::move(header).errors();

    TriangleMesh mesh;
    Numbers numbers(text, header.value().binary);
    std::vector<double> values;
    for (const Element& element : header.value().elements) {
        // A count that the file cannot hold must not be believed: each takes a byte at least.
        if (element.count > bytes.value().size() && !element.properties.empty())
            return Error{fmt::format("claims {} of '{}', more than it has bytes", element.count, element.name),
                         std::string(kCutOff),
                         {.file = path.string()}};
        if (element.name == "vertex") {
            if (!has_all(element, Target::position))
                return Error{"its vertices have no x, y and z", "export the mesh again", {.file = path.string()}};
            mesh.positions.resize(element.count);
            if (has_all(element, Target::normal)) mesh.normals.resize(element.count);
            if (has_all(element, Target::velocity)) mesh.velocities.resize(element.count);
            if (has_all(element, Target::colour)) mesh.colours.resize(element.count);
        }
        for (std::size_t i = 0; i < element.count; ++i) {
            bool good = true;
            if (element.name == "vertex")
                good = read_vertex(mesh, i, element, numbers, values);
            else if (element.name == "face")
                good = read_face(mesh, element, numbers, values);
            else
                for (const Property& p : element.properties)
                    good &= read_values(numbers, p, values, [](auto&) { return true; });
            if (!good) {
                Error error = text.error(fmt::format("{} {} of {} cannot be read", element.name, i, element.count),
                                         std::string(numbers.at_end() ? kCutOff : "export the mesh again"));
                if (header.value().binary) error.where.line = 0;
                return error;
            }
        }
    }
    if (mesh.triangles.empty()) return Error{"has no faces", "export it with its faces", {.file = path.string()}};
    return mesh;
}

Result<void> write_ply(const TriangleMesh& mesh, const fs::path& path) {
    const std::size_t count = mesh.positions.size();
    const auto has = [&](const auto& list, const char* what) {
        CHECK(list.empty() || list.size() == count, "write_ply: {} {} for {} positions", list.size(), what, count);
        return !list.empty();
    };
    const bool normals = has(mesh.normals, "normals"), velocities = has(mesh.velocities, "velocities"),
               colours = has(mesh.colours, "colours");

    std::string bytes = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment metres, metres per second\nelement vertex {}\n", count);
    const auto declare = [&](const char* type, std::initializer_list<const char*> names) {
        for (const char* name : names) bytes += fmt::format("property {} {}\n", type, name);
    };
    declare("float", {"x", "y", "z"});
    if (normals) declare("float", {"nx", "ny", "nz"});
    if (velocities) declare("float", {"vx", "vy", "vz"});
    if (colours) declare("uchar", {"red", "green", "blue"});
    bytes +=
        fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n", mesh.triangles.size());

    bytes.reserve(bytes.size() + 40 * count + 13 * mesh.triangles.size());
    for (std::size_t i = 0; i < count; ++i) {
        put(bytes, mesh.positions[i]);
        if (normals) put(bytes, mesh.normals[i]);
        if (velocities) put(bytes, mesh.velocities[i]);
        if (colours) put(bytes, mesh.colours[i]);
    }
    for (const auto& t : mesh.triangles) {
        bytes += '\3';
        put(bytes, t);
    }

    std::ofstream file(path, std::ios::binary);
    if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())) || !file.flush())
        return Error{"cannot be written: " + std::error_code(errno, std::generic_category()).message(),
                     "check the folder, its permissions and the room on the disk",
                     {.file = path.string()}};
    return {};
}

}  // namespace spindrift
