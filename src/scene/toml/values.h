// SPDX-License-Identifier: Apache-2.0
// From TOML values to ours, each with its place and a message that says what was found and what would have been right.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "base/result.h"
#include "base/setting.h"
#include "base/suggest.h"
#include "scene/describe.h"

namespace spindrift {

// A value and what to call it in messages: "liquid[0].radius".
struct TomlItem {
    const toml::node& node;
    std::string path;
};

// "liquid" and "radius" make "liquid.radius".
std::string joined(const std::string& table, std::string_view name);

// What a file holds as --set counts it.
constexpr std::string_view kOverride = "--set ";

class TomlValues {
  public:
    TomlValues(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

    // Known before anything is read; 0 when the scene does not say.
    int dim = 0;
    scene::Up up = scene::Up::y;

    Errors errors{};
    scene::Places places{};

    // Each returns whether the value is good; if not, the error is on the list and `out` as it was.
    bool read(const TomlItem& item, bool& out, const Setting& setting);
    bool read(const TomlItem& item, int& out, const Setting& setting);
    bool read(const TomlItem& item, std::uint64_t& out, const Setting& setting);
    bool read(const TomlItem& item, double& out, const Setting& setting);
    bool read(const TomlItem& item, std::string& out, const Setting& setting);
    bool read(const TomlItem& item, std::vector<std::string>& out, const Setting& setting);
    bool read(const TomlItem& item, std::map<std::string, std::string>& out, const Setting& setting);
    bool read(const TomlItem& item, Vec<double, 3>& out, const Setting& setting);
    bool read(const TomlItem& item, std::vector<Vec<double, 3>>& out, const Setting& setting);
    bool read(const TomlItem& item, Vec<int, 2>& out, const Setting& setting);
    bool read(const TomlItem& item, scene::Rotation& out, const Setting& setting);
    bool read(const TomlItem& item, scene::Color& out, const Setting& setting);
    bool read(const TomlItem& item, scene::FilePath& out, const Setting& setting);
    bool read(const TomlItem& item, scene::ImagePath& out, const Setting& setting);
    bool read(const TomlItem& item, scene::HeightImage& out, const Setting& setting);
    bool read(const TomlItem& item, TimeValue& out, const Setting& setting);
    bool read(const TomlItem& item, FieldValue& out, const Setting& setting);
    bool read(const TomlItem& item, TimeVector& out, const Setting& setting);
    bool read(const TomlItem& item, FieldVector& out, const Setting& setting);
    bool read(const TomlItem& item, scene::CurvePath& out, const Setting& setting);
    bool read(const TomlItem& item, scene::Gravity& out, const Setting& setting);
    bool read(const TomlItem& item, scene::Turn& out, const Setting& setting);
    bool read(const TomlItem& item, scene::Sides& out, const Setting& setting);
    bool read(const TomlItem& item, scene::WallValue& out, const Setting& setting);
    bool read(const TomlItem& item, scene::WallValues& out, const Setting& setting);
    bool read_word(const TomlItem& item, std::string& out, const std::vector<std::string>& words);

    template <class E>
    requires std::is_enum_v<E>
    bool read(const TomlItem& item, E& out, const Setting&) {
        if constexpr (requires { choice_of_flag(out, true); })
            if (item.node.is_boolean()) {
                out = choice_of_flag(out, item.node.value_or(false));
                return true;
            }
        std::string word;
        if (!read_word(item, word, choice_names<E>())) return false;
        for (const auto& choice : choices(E{}))
            if (choice.name == word) out = choice.value;
        return true;
    }
    template <class T>
    bool read(const TomlItem& item, std::optional<T>& out, const Setting& setting) {
        T value{};
        if (!read(item, value, setting)) return false;
        out = std::move(value);
        return true;
    }

    Location place(const toml::source_region& source) const;
    Location place(const toml::node& node) const { return place(node.source()); }

    // Adds an error and returns false.
    bool fail(Location where, std::string what, std::string remedy = "");
    bool fail(const TomlItem& item, std::string what, std::string remedy = "");
    bool wrong_type(const TomlItem& item, std::string_view wanted);

    // Tables and lists at the top of the scene with something wrong in them.
    const std::set<std::string>& failed() const { return failed_; }
    void mark(std::string_view path);

  private:
    bool read_whole(const TomlItem& item, std::int64_t& out);
    bool is_file(const TomlItem& item, const std::string& name, std::initializer_list<std::string_view> endings,
                 std::string_view kind, std::string_view remedy);
    bool in_range(const TomlItem& item, double value, const Setting& setting);
    bool read_vector(const TomlItem& item, Vec<double, 3>& out, const Setting& setting, int length);
    bool read_varying(const TomlItem& item, FieldValue& out, const Setting& setting, Expression::Variables known);
    bool read_expression(const TomlItem& item, FieldValue& out, Expression::Variables known);
    template <class T>
    struct Keys {
        std::vector<std::pair<double, T>> keys{};
        Interpolation interpolation = Interpolation::linear;
    };
    template <class T>
    bool read_keys(const TomlItem& item, Keys<T>& out, const Setting& setting);
    template <class T>
    bool read_key_list(const TomlItem& item, Keys<T>& out, const Setting& setting);
    bool good_length(const TomlItem& item, std::size_t size, std::string_view kind);
    Location place_in_text(const TomlItem& item, const std::string& text, int column) const;

    std::string_view text_;
    std::string file_;
    std::set<std::string> failed_{};
};

}  // namespace spindrift
