// SPDX-License-Identifier: Apache-2.0
// Reading of numbers that may vary: constants, keyframes, expressions, and vectors of them.
#include <fmt/format.h>

#include "scene/toml/values.h"

namespace spindrift {
namespace {

constexpr std::string_view kVaryingForms =
    "a number, an expression such as \"2 * t\", or keyframes such as [[0, 1], [2, 5]]";

// Whether a list looks like [[t, v], …] rather than like a vector.
bool looks_like_keyframes(const toml::node& node) {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) return false;
    const toml::array* first = list->get(0)->as_array();
    return first != nullptr && first->size() == 2 && first->get(0)->is_number();
}

// Whether it looks like [[t, [x, y, z]], …], or a table that holds that.
bool looks_like_vector_keyframes(const toml::node& node) {
    if (const toml::table* table = node.as_table()) {
        const toml::node* keys = table->get("keyframes");
        return keys != nullptr && looks_like_vector_keyframes(*keys);
    }
    return looks_like_keyframes(node) && node.as_array()->get(0)->as_array()->get(1)->is_array();
}

// Whether it is a vector, or keyframes of vectors, rather than a number or keyframes of numbers.
bool looks_like_vector(const toml::node& node) {
    return looks_like_vector_keyframes(node) || (node.is_array() && !looks_like_keyframes(node));
}

// The byte at which a line and column begin.  Columns count characters.
std::size_t offset_of(std::string_view text, const toml::source_position& place) {
    std::size_t at = 0;
    for (toml::source_index line = 1; line < place.line; ++line) {
        at = text.find('\n', at);
        if (at == std::string_view::npos) return at;
        ++at;
    }
    for (toml::source_index column = 1; column < place.column && at < text.size(); ++column) {
        ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
    }
    return at;
}

}  // namespace

// The place of a column inside a text, if the text stands in the file as it is, without escapes and line breaks.
Location TomlValues::place_in_text(const TomlItem& item, const std::string& text, int column) const {
    Location where = place(item.node);
    if (where.line == 0) return where;
    const std::size_t begin = offset_of(text_, item.node.source().begin);
    if (begin != std::string_view::npos && begin < text_.size() && text_.substr(begin + 1, text.size()) == text &&
        text.find('\n') == std::string::npos)
        where.column += column;
    return where;
}

bool TomlValues::read_expression(const TomlItem& item, FieldValue& out, Expression::Variables known) {
    const std::string& text = item.node.as_string()->get();
    Result<Expression> expression = Expression::parse(text, known);
    if (expression) {
        out = std::move(expression).value();
        return true;
    }
    mark(item.path);
    for (const Error& error : expression.errors())
        fail(place_in_text(item, text, error.where.column),
             fmt::format("{}, character {} of the expression: {}", item.path, error.where.column, error.what),
             error.remedy);
    return false;
}

template <class T>
bool TomlValues::read_key_list(const TomlItem& item, Keys<T>& out, const Setting& setting) {
    const toml::array* list = item.node.as_array();
    if (list == nullptr) return wrong_type(item, "a list [[time, value], …]");
    if (list->empty()) return fail(item, "has no keyframes", "write [[time, value], …]");
    if (!list->get(0)->is_array()) return wrong_type(item, kVaryingForms);
    bool good = true;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const TomlItem key{*list->get(i), fmt::format("{}[{}]", item.path, i)};
        const toml::array* pair = key.node.as_array();
        if (pair == nullptr || pair->size() != 2) {
            good = wrong_type(key, "a keyframe [time, value]");
            continue;
        }
        double t = 0;
        T value{};
        if (!read({*pair->get(0), key.path + "[0]"}, t, Setting{.unit = "s"})) good = false;
        if (!read({*pair->get(1), key.path + "[1]"}, value, setting)) good = false;
        if (good && !out.keys.empty() && t <= out.keys.back().first)
            good = fail(key, fmt::format("is at {} s, not after the one before it at {} s", t, out.keys.back().first),
                        "write keyframes in the order of time");
        out.keys.emplace_back(t, value);
    }
    return good;
}

// A list [[t, v], …] or a table {keyframes = […], interpolation = "smooth"}.
template <class T>
bool TomlValues::read_keys(const TomlItem& item, Keys<T>& out, const Setting& setting) {
    const toml::table* table = item.node.as_table();
    if (table == nullptr) return read_key_list(item, out, setting);
    if (!table->contains("keyframes") && !table->contains("interpolation"))
        return fail(item, "is a single setting, not a table of them",
                    fmt::format("write {} = value, without brackets around the name",
                                item.path.substr(item.path.find_last_of('.') + 1)));
    bool good = true;
    for (const auto& [key, value] : *table)
        if (key != "keyframes" && key != "interpolation")
            mark(item.path),
                good = fail(place(key.source()), fmt::format("{} has no setting '{}'", item.path, key.str()),
                            "write {keyframes = [[time, value], …], interpolation = \"smooth\"}");
    if (const toml::node* word = table->get("interpolation"))
        if (!read({*word, item.path + ".interpolation"}, out.interpolation, setting)) good = false;
    const toml::node* keys = table->get("keyframes");
    if (keys == nullptr) return fail(item, "has no keyframes", "write {keyframes = [[time, value], …]}");
    return read_key_list({*keys, item.path + ".keyframes"}, out, setting) && good;
}

bool TomlValues::read_varying(const TomlItem& item, FieldValue& out, const Setting& setting,
                              Expression::Variables known) {
    if (item.node.is_string()) return read_expression(item, out, known);
    if (item.node.is_array() || item.node.is_table()) {
        Keys<double> read_ones;
        if (!read_keys(item, read_ones, setting)) return false;
        Keyframes keyframes{.interpolation = read_ones.interpolation};
        for (const auto& [t, value] : read_ones.keys) keyframes.keys.push_back({t, value});
        out = std::move(keyframes);
        return true;
    }
    double constant = 0;
    if (!item.node.is_number()) return wrong_type(item, kVaryingForms);
    if (!read(item, constant, setting)) return false;
    out = constant;
    return true;
}

bool TomlValues::read(const TomlItem& item, TimeValue& out, const Setting& setting) {
    FieldValue value;
    if (!read_varying(item, value, setting, Expression::Variables::time)) return false;
    out = TimeValue(std::move(value));
    return true;
}

bool TomlValues::read(const TomlItem& item, FieldValue& out, const Setting& setting) {
    const auto known = dim == 2 ? Expression::Variables::plane : Expression::Variables::space;
    return read_varying(item, out, setting, known);
}

bool TomlValues::read(const TomlItem& item, TimeVector& out, const Setting& setting) {
    // Keyframes of whole vectors become keyframes of their components.
    if (looks_like_vector_keyframes(item.node)) {
        Keys<Vec<double, 3>> vectors;
        if (!read_keys(item, vectors, setting)) return false;
        for (int axis = 0; axis < (dim == 2 ? 2 : 3); ++axis) {
            Keyframes keyframes{.interpolation = vectors.interpolation};
            for (const auto& [t, value] : vectors.keys) keyframes.keys.push_back({t, value[axis]});
            out.component[static_cast<std::size_t>(axis)] = TimeValue(FieldValue(std::move(keyframes)));
        }
        return true;
    }
    const toml::array* list = item.node.as_array();
    if (list == nullptr) return wrong_type(item, "a vector, or keyframes such as [[0, [1, 2, 3]], [2, [4, 5, 6]]]");
    if (!good_length(item, list->size(), "components")) return false;
    TimeVector value;
    bool good = true;
    for (std::size_t i = 0; i < list->size(); ++i)
        good &= read({*list->get(i), fmt::format("{}[{}]", item.path, i)}, value.component[i], setting);
    if (good) out = std::move(value);
    return good;
}

bool TomlValues::read(const TomlItem& item, FieldVector& out, const Setting& setting) {
    const toml::array* list = item.node.as_array();
    if (list == nullptr)
        return wrong_type(item, dim == 2 ? "a vector such as [1, 0] or [\"sin(t)\", 0]"
                                         : "a vector such as [1, 0, 0] or [\"sin(t)\", 0, 0]");
    if (!good_length(item, list->size(), "components")) return false;
    const auto known = dim == 2 ? Expression::Variables::plane : Expression::Variables::space;
    FieldVector value;
    bool good = true;
    for (std::size_t i = 0; i < list->size(); ++i)
        good &= read_varying({*list->get(i), fmt::format("{}[{}]", item.path, i)}, value.component[i], setting, known);
    if (good) out = std::move(value);
    return good;
}

bool TomlValues::read(const TomlItem& item, scene::CurvePath& out, const Setting& setting) {
    const toml::array* list = item.node.as_array();
    if (list == nullptr)
        return wrong_type(item, dim == 2 ? "a vector of expressions of s such as [\"s\", \"s^2\"]"
                                         : "a vector of expressions of s such as [\"s\", \"s^2\", 0]");
    if (!good_length(item, list->size(), "components")) return false;
    scene::CurvePath value;
    bool good = true;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const TomlItem one{*list->get(i), fmt::format("{}[{}]", item.path, i)};
        if (one.node.is_array() || one.node.is_table())
            good = wrong_type(one, "a number or an expression of s");
        else
            good &= read_varying(one, value.component[i], setting, Expression::Variables::parameter);
    }
    if (good) out = std::move(value);
    return good;
}

bool TomlValues::read(const TomlItem& item, scene::Turn& out, const Setting& setting) {
    if (!looks_like_vector(item.node)) return read(item, out.angle, setting);
    if (dim == 2)
        return fail(item, "is a vector: in 2D there is one angle", "write a number, an expression or keyframes");
    return read(item, out.angles, setting);
}

bool TomlValues::read(const TomlItem& item, scene::Gravity& out, const Setting& setting) {
    if (!looks_like_vector(item.node)) return read(item, out.down, setting);
    return read(item, out.vector, setting);
}

bool TomlValues::read(const TomlItem& item, scene::WallValue& out, const Setting& setting) {
    using Kind = scene::WallValueKind;
    scene::WallValue wall;
    const toml::table* table = item.node.as_table();
    const toml::node* flux = table != nullptr ? table->get("flux") : nullptr;
    if (const auto* word = item.node.as_string(); word != nullptr && word->get() == "insulated") {
        wall.kind = Kind::insulated;
    } else if (flux != nullptr) {
        wall.kind = Kind::flux;
        if (table->size() > 1) return fail(item, "has more than a flux", "write {flux = 0.1}");
        if (!read({*flux, item.path + ".flux"}, wall.value, setting)) return false;
    } else if (table != nullptr && table->get("keyframes") == nullptr) {
        return fail(item, "is neither a value nor a flux", "write 350, \"insulated\" or {flux = 0.1}");
    } else if (!read(item, wall.value, setting)) {
        return false;
    }
    out = std::move(wall);
    return true;
}

bool TomlValues::read(const TomlItem& item, scene::WallValues& out, const Setting& setting) {
    const toml::table* table = item.node.as_table();
    if (table == nullptr)
        return wrong_type(item, "a table of substances such as {temperature = 350, smoke = \"insulated\"}");
    scene::WallValues walls;
    bool good = true;
    for (const auto& [key, value] : *table) {
        const TomlItem one{value, joined(item.path, key.str())};
        places.of[one.path] = place(value);
        good &= read(one, walls.of[std::string(key.str())], setting);
    }
    if (good) out = std::move(walls);
    return good;
}

}  // namespace spindrift
