// SPDX-License-Identifier: Apache-2.0
#include "scene/toml/text.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace spindrift {
namespace {

template <class Values, class Text>
std::string list_text(const Values& values, Text text) {
    std::vector<std::string> texts;
    for (const auto& value : values) texts.push_back(text(value));
    return fmt::format("[{}]", fmt::join(texts, ", "));
}

// The components a scene of this dimension has.
template <class Components>
std::string vector_text(const Components& components, int dim) {
    std::vector<std::string> texts;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dim); ++axis)
        texts.push_back(toml_text(components[axis]));
    return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string keyframes_text(const Keyframes& keyframes) {
    const std::string keys = list_text(
        keyframes.keys, [](const Keyframe& k) { return fmt::format("[{}, {}]", toml_text(k.t), toml_text(k.value)); });
    if (keyframes.interpolation == Interpolation::linear) return keys;
    return fmt::format("{{interpolation = {}, keyframes = {}}}", toml_text(keyframes.interpolation), keys);
}

}  // namespace

std::string toml_text(bool value) { return value ? "true" : "false"; }
std::string toml_text(int value) { return fmt::format("{}", value); }
std::string toml_text(std::uint64_t value) { return fmt::format("{}", value); }

std::string toml_text(double value) {
    // The shortest digits that read back to the same number; a dot or an exponent makes it a float.
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return text;
}

std::string toml_text(const std::string& value) {
    std::string out = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\')
            out += fmt::format("\\{}", c);
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            out += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + '"';
}

std::string toml_text(const std::vector<std::string>& value) {
    return list_text(value, [](const std::string& text) { return toml_text(text); });
}

std::string toml_text(const std::map<std::string, std::string>& value) {
    std::vector<std::string> texts;
    for (const auto& [key, text] : value) texts.push_back(fmt::format("{} = {}", toml_text(key), toml_text(text)));
    return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

std::string toml_text(const Vec<int, 2>& value) { return fmt::format("[{}, {}]", value[0], value[1]); }
std::string toml_text(const scene::Color& value) { return toml_text(value.rgb, 3); }
std::string toml_text(const scene::FilePath& value) { return toml_text(value.text); }
std::string toml_text(const scene::ImagePath& value) { return toml_text(value.text); }
std::string toml_text(const scene::HeightImage& value) { return toml_text(value.text); }

std::string toml_text(const FieldValue& value) {
    const auto& form = value.form();
    if (const auto* constant = std::get_if<double>(&form)) return toml_text(*constant);
    if (const auto* keyframes = std::get_if<Keyframes>(&form)) return keyframes_text(*keyframes);
    return toml_text(std::get<Expression>(form).text());
}
std::string toml_text(const TimeValue& value) { return toml_text(value.value()); }

std::string toml_text(const scene::WallValues& value) {
    using Kind = scene::WallValueKind;
    std::vector<std::string> texts;
    for (const auto& [name, wall] : value.of) {
        const std::string text = wall.kind == Kind::insulated ? toml_text(std::string("insulated"))
                                 : wall.kind == Kind::flux    ? fmt::format("{{flux = {}}}", toml_text(wall.value))
                                                              : toml_text(wall.value);
        texts.push_back(fmt::format("{} = {}", toml_text(name), text));
    }
    return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

std::string toml_text(const Vec<double, 3>& value, int dim) { return vector_text(value.data, dim); }
std::string toml_text(const std::vector<Vec<double, 3>>& value, int dim) {
    std::vector<std::string> texts;
    for (const Vec<double, 3>& one : value) texts.push_back(toml_text(one, dim));
    return fmt::format("[{}]", fmt::join(texts, ", "));
}
std::string toml_text(const TimeVector& value, int dim) { return vector_text(value.component, dim); }
std::string toml_text(const FieldVector& value, int dim) { return vector_text(value.component, dim); }
std::string toml_text(const scene::CurvePath& value, int dim) { return vector_text(value.component, dim); }

std::string toml_text(const scene::Rotation& value, int dim) {
    return dim == 2 ? toml_text(value.degrees[2]) : toml_text(value.degrees, 3);
}

std::string toml_text(const scene::Turn& value, int dim) {
    return value.angles ? toml_text(*value.angles, dim) : toml_text(value.angle);
}

std::string toml_text(const scene::Gravity& value, int dim) {
    return value.vector ? toml_text(*value.vector, dim) : toml_text(value.down);
}

std::string toml_text(const scene::Sides& value, int dim) {
    constexpr std::array kNames{"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(dim); ++i) {
        const scene::Side& side = value.sides[i];
        std::string text = toml_text(side.kind);
        const std::string walls = side.wall_values ? ", wall_values = " + toml_text(*side.wall_values) : "";
        if (side.kind == scene::SideKind::inflow)
            text = fmt::format("{{kind = {}{}, velocity = {}{}}}", text,
                               side.level ? ", level = " + toml_text(*side.level) : "", toml_text(side.velocity, dim),
                               walls);
        else if (side.wall_values)
            text = fmt::format("{{kind = {}{}}}", text, walls);
        texts.push_back(fmt::format("{} = {}", kNames[i], text));
    }
    return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

}  // namespace spindrift
