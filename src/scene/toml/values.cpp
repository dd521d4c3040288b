// SPDX-License-Identifier: Apache-2.0
#include "scene/toml/values.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/png.h"

namespace spindrift {
namespace {

// No length, time or speed of a scene comes near it, and its square is still far from overflow.
constexpr double kLargest = 1e15;
// Longer texts in a message say nothing more.
constexpr std::size_t kLongestQuote = 40;

std::string in_quotes(const std::string& text) {
    std::string out;
    for (const char c : text.substr(0, kLongestQuote)) out += c == '\n' || c == '\r' ? ' ' : c;
    return fmt::format("\"{}{}\"", out, text.size() > kLongestQuote ? "…" : "");
}

// What was found, for messages.
std::string found_text(const toml::node& node) {
    if (const auto* v = node.as_string()) return fmt::format("the text {}", in_quotes(v->get()));
    if (const auto* v = node.as_integer()) return fmt::format("the number {}", v->get());
    if (const auto* v = node.as_floating_point()) return fmt::format("the number {}", v->get());
    if (const auto* v = node.as_boolean()) return v->get() ? "true" : "false";
    if (const auto* v = node.as_array()) return v->empty() ? "an empty list" : fmt::format("a list of {}", v->size());
    if (node.is_table()) return "a table";
    return "a date or time";
}

}  // namespace

std::string joined(const std::string& table, std::string_view name) {
    return table.empty() ? std::string(name) : fmt::format("{}.{}", table, name);
}

Location TomlValues::place(const toml::source_region& source) const {
    if (source.path && source.path->starts_with(kOverride)) return {.file = *source.path};
    return {
        .file = file_, .line = static_cast<int>(source.begin.line), .column = static_cast<int>(source.begin.column)};
}

bool TomlValues::fail(Location where, std::string what, std::string remedy) {
    errors.add({.what = std::move(what), .remedy = std::move(remedy), .where = std::move(where)});
    return false;
}
void TomlValues::mark(std::string_view path) { failed_.emplace(path.substr(0, path.find_first_of(".["))); }

bool TomlValues::fail(const TomlItem& item, std::string what, std::string remedy) {
    mark(item.path);
    return fail(place(item.node), fmt::format("{} {}", item.path, what), std::move(remedy));
}
bool TomlValues::wrong_type(const TomlItem& item, std::string_view wanted) {
    return fail(item, fmt::format("must be {}; found {}", wanted, found_text(item.node)));
}

bool TomlValues::in_range(const TomlItem& item, double value, const Setting& setting) {
    if (!std::isfinite(value)) return fail(item, fmt::format("is {}", value), "write a finite number");
    const std::string unit = setting.unit.empty() ? "" : fmt::format(" {}", setting.unit);
    if (!setting.allows(value))
        return fail(item, fmt::format("is {}{}; it must be {}", value, unit, range_text(setting)));
    if (std::abs(value) > kLargest)
        return fail(item, fmt::format("is {}{}; numbers end at ±{}", value, unit, kLargest));
    return true;
}

bool TomlValues::read(const TomlItem& item, bool& out, const Setting&) {
    const auto* value = item.node.as_boolean();
    if (value == nullptr) return wrong_type(item, "true or false");
    out = value->get();
    return true;
}

// 16 and 16.0 alike.
bool TomlValues::read_whole(const TomlItem& item, std::int64_t& out) {
    if (const auto* value = item.node.as_integer()) {
        out = value->get();
        return true;
    }
    const auto* value = item.node.as_floating_point();
    if (value == nullptr) return wrong_type(item, "a whole number");
    if (!std::isfinite(value->get())) return fail(item, fmt::format("is {}", value->get()), "write a whole number");
    if (value->get() != std::round(value->get()))
        return fail(item, fmt::format("is {}, not a whole number", value->get()));
    if (std::abs(value->get()) > kLargest)
        return fail(item, fmt::format("is {}; numbers end at ±{}", value->get(), kLargest));
    out = static_cast<std::int64_t>(value->get());
    return true;
}

bool TomlValues::read(const TomlItem& item, int& out, const Setting& setting) {
    std::int64_t value = 0;
    if (!read_whole(item, value) || !in_range(item, static_cast<double>(value), setting)) return false;
    if (value > INT32_MAX || value < INT32_MIN) return fail(item, "is too large");
    out = static_cast<int>(value);
    return true;
}

bool TomlValues::read(const TomlItem& item, std::uint64_t& out, const Setting&) {
    std::int64_t value = 0;
    if (!read_whole(item, value)) return false;
    if (value < 0) return fail(item, fmt::format("is {}; it must be 0 or more", value));
    out = static_cast<std::uint64_t>(value);
    return true;
}

bool TomlValues::read(const TomlItem& item, double& out, const Setting& setting) {
    if (!item.node.is_number()) return wrong_type(item, "a number");
    // Whole numbers too that no double holds exactly.
    const double value = item.node.is_integer() ? static_cast<double>(item.node.as_integer()->get())
                                                : item.node.as_floating_point()->get();
    if (!in_range(item, value, setting)) return false;
    out = value + 0.0;  // no negative zero
    return true;
}

bool TomlValues::read(const TomlItem& item, std::string& out, const Setting&) {
    const auto* value = item.node.as_string();
    if (value == nullptr) return wrong_type(item, "a text in quotes");
    out = value->get();
    return true;
}

bool TomlValues::read(const TomlItem& item, std::vector<std::string>& out, const Setting& setting) {
    const toml::array* list = item.node.as_array();
    if (list == nullptr) return wrong_type(item, "a list of texts");
    std::vector<std::string> texts(list->size());
    bool good = true;
    for (std::size_t i = 0; i < texts.size(); ++i)
        good &= read({*list->get(i), fmt::format("{}[{}]", item.path, i)}, texts[i], setting);
    if (good) out = std::move(texts);
    return good;
}

bool TomlValues::read(const TomlItem& item, std::map<std::string, std::string>& out, const Setting& setting) {
    const toml::table* table = item.node.as_table();
    if (table == nullptr) return wrong_type(item, "a table of texts such as {velocity = \"v\"}");
    std::map<std::string, std::string> texts;
    bool good = true;
    for (const auto& [key, value] : *table)
        good &= read({value, joined(item.path, key.str())}, texts[std::string(key.str())], setting);
    if (good) out = std::move(texts);
    return good;
}

bool TomlValues::read_word(const TomlItem& item, std::string& out, const std::vector<std::string>& words) {
    const auto* value = item.node.as_string();
    if (value == nullptr) return wrong_type(item, fmt::format("one of \"{}\"", fmt::join(words, "\", \"")));
    if (std::find(words.begin(), words.end(), value->get()) == words.end())
        return fail(item, fmt::format("cannot be {}", in_quotes(value->get())),
                    fmt::format("{}{}it is one of \"{}\"", did_you_mean(value->get(), words),
                                nearest(value->get(), words).empty() ? "" : "  ", fmt::join(words, "\", \"")));
    out = value->get();
    return true;
}

bool TomlValues::good_length(const TomlItem& item, std::size_t size, std::string_view kind) {
    const bool known = dim != 0;
    if (known ? size == static_cast<std::size_t>(dim) : size == 2 || size == 3) return true;
    if (!known) return fail(item, fmt::format("has {} {}; it must have 2 (2D) or 3 (3D)", size, kind));
    return fail(item, fmt::format("has {} {}, but the scene is {}D: it must have {}", size, kind, dim, dim),
                "the length of domain.size makes a scene 2D or 3D");
}

// `length` numbers, or as many as the scene has dimensions if it is 0.
bool TomlValues::read_vector(const TomlItem& item, Vec<double, 3>& out, const Setting& setting, int length) {
    const toml::array* list = item.node.as_array();
    if (list == nullptr)
        return wrong_type(item, length == 0 && dim == 2 ? "two numbers [x, y]" : "three numbers [x, y, z]");
    if (!list->empty() && list->get(0)->is_array())
        return fail(item, "does not vary in time",
                    item.path.starts_with("solid") || item.path.starts_with("source")
                        ? "what moves is written where it begins, and offset says how far it has moved: "
                          "offset = [[0, [0, 0, 0]], [2, [1, 0, 0]]]"
                        : "write one vector");
    if (length == 0 && !good_length(item, list->size(), list->size() == 1 ? "number" : "numbers")) return false;
    if (length != 0 && list->size() != static_cast<std::size_t>(length))
        return fail(item, fmt::format("has {} numbers; it must have {}", list->size(), length));
    Vec<double, 3> value;
    bool good = true;
    for (std::size_t i = 0; i < list->size(); ++i)
        good &= read({*list->get(i), fmt::format("{}[{}]", item.path, i)}, value[static_cast<int>(i)], setting);
    if (good) out = value;
    return good;
}

bool TomlValues::read(const TomlItem& item, Vec<double, 3>& out, const Setting& setting) {
    return read_vector(item, out, setting, 0);
}

bool TomlValues::read(const TomlItem& item, std::vector<Vec<double, 3>>& out, const Setting& setting) {
    const toml::array* list = item.node.as_array();
    if (list == nullptr) return wrong_type(item, dim == 2 ? "a list [[x, y], …]" : "a list [[x, y, z], …]");
    std::vector<Vec<double, 3>> vectors(list->size());
    bool good = true;
    for (std::size_t i = 0; i < vectors.size(); ++i)
        good &= read({*list->get(i), fmt::format("{}[{}]", item.path, i)}, vectors[i], setting);
    if (good) out = std::move(vectors);
    return good;
}

bool TomlValues::read(const TomlItem& item, scene::Color& out, const Setting& setting) {
    return read_vector(item, out.rgb, setting, 3);
}

bool TomlValues::read(const TomlItem& item, Vec<int, 2>& out, const Setting& setting) {
    const toml::array* list = item.node.as_array();
    if (list == nullptr || list->size() != 2) return wrong_type(item, "two whole numbers such as [960, 540]");
    Vec<int, 2> value;
    bool good = true;
    for (int i = 0; i < 2; ++i)
        good &= read({*list->get(static_cast<std::size_t>(i)), fmt::format("{}[{}]", item.path, i)}, value[i], setting);
    if (good) out = value;
    return good;
}

bool TomlValues::read(const TomlItem& item, scene::Rotation& out, const Setting& setting) {
    if (dim != 2) return read_vector(item, out.degrees, setting, 3);
    if (!item.node.is_number()) return wrong_type(item, "one number in 2D: degrees, counter-clockwise");
    return read(item, out.degrees[2], setting);
}

bool TomlValues::read(const TomlItem& item, scene::FilePath& out, const Setting& setting) {
    scene::FilePath file;
    if (!read(item, file.text, setting)) return false;
    if (dim == 2) return fail(item, "names a mesh, which needs a 3D scene");
    if (!is_file(item, file.text, {".ply", ".obj", ".stl"}, "mesh", "meshes end in .ply, .obj or .stl")) return false;
    out = std::move(file);
    return true;
}

bool TomlValues::read(const TomlItem& item, scene::ImagePath& out, const Setting& setting) {
    scene::ImagePath file;
    if (!read(item, file.text, setting)) return false;
    if (!is_file(item, file.text, {".png"}, "PNG picture", "write the name of a .png file")) return false;
    out = std::move(file);
    return true;
}

bool TomlValues::read(const TomlItem& item, scene::HeightImage& out, const Setting& setting) {
    constexpr int kMostPixels = 4096;  // along a side; the largest domains have as many cells
    scene::ImagePath file;
    if (!read(item, file, setting)) return false;
    const auto picture = read_png_grey(std::filesystem::path(file_).parent_path() / file.text, kMostPixels);
    if (!picture) {
        for (const Error& error : picture.errors())
            fail(item, fmt::format("is {}, which {}", in_quotes(file.text), error.what), error.remedy);
        return false;
    }
    const Grey16& p = picture.value();
    const int least_rows = dim == 2 ? 1 : 2;
    if (p.width < 2 || p.height < least_rows)
        return fail(item,
                    fmt::format("is {}, which has {} × {} pixels: no slope can be told from it", in_quotes(file.text),
                                p.width, p.height),
                    fmt::format("a picture of heights has at least 2 × {} pixels", least_rows));
    auto map = std::make_shared<HeightMap>(HeightMap{p.width, p.height, std::vector<float>(p.values.size())});
    std::transform(p.values.begin(), p.values.end(), map->values.begin(),
                   [](std::uint16_t grey) { return static_cast<float>(grey) / 65535; });
    out = {std::move(file.text), std::move(map)};
    return true;
}

bool TomlValues::is_file(const TomlItem& item, const std::string& name, std::initializer_list<std::string_view> endings,
                         std::string_view kind, std::string_view remedy) {
    if (name.empty() || name.find('\0') != std::string::npos) return fail(item, "names no file");
    const std::filesystem::path path = std::filesystem::path(file_).parent_path() / name;
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (std::find(endings.begin(), endings.end(), extension) == endings.end())
        return fail(item, fmt::format("is {}, which is not the name of a {}", in_quotes(name), kind),
                    std::string(remedy));
    std::error_code fault;
    if (!std::filesystem::is_regular_file(path, fault))
        return fail(item, fmt::format("is {}, but there is no such file", in_quotes(name)),
                    fmt::format("looked for {}; paths are relative to the scene file", path.string()));
    return true;
}

}  // namespace spindrift
