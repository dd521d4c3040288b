// SPDX-License-Identifier: Apache-2.0
#include "scene/write_scene.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>

#include <fmt/format.h>

#include "scene/toml/text.h"

namespace spindrift {
namespace {

constexpr std::array<std::string_view, 8> kNotSimulation{"title",  "description", "tags",   "whitewater",
                                                         "output", "camera",      "render", "probe"};

class Writer {
  public:
    static constexpr bool kReads = false;
    Writer(int dim, ScenePart part) : dim_(dim), part_(part) {}

    // Values first, tables after them, as TOML wants it.
    std::string text() const {
        std::string out;
        for (const auto& [name, value] : values_) out += fmt::format("{} = {}\n", name, value);
        for (const auto& [name, tables] : tables_) out += tables;
        return out;
    }

    template <class T>
    void operator()(std::string_view name, T& value, const Setting&) {
        if (wanted(name)) values_[std::string(name)] = toml_text(value, dim_);
    }
    template <class T>
    void operator()(std::string_view name, std::optional<T>& value, const Setting& setting) {
        if (value) (*this)(name, *value, setting);
    }
    void word(std::string_view name, std::string& value, const std::vector<std::string>&, const Setting& setting) {
        (*this)(name, value, setting);
    }
    void version(std::string_view name, int& value, const Setting& setting) { (*this)(name, value, setting); }
    void not_yet(std::string_view, std::string_view) {}
    void renamed(std::string_view, std::string_view) {}
    void exactly_one(std::initializer_list<std::string_view>) {}
    void at_most_one(std::initializer_list<std::string_view>) {}

    template <class S>
    void table(std::string_view name, S& structure, const Setting&) {
        if (wanted(name)) tables_[std::string(name)] += fmt::format("\n[{}]\n{}", name, inner(structure));
    }
    template <class S>
    void list(std::string_view name, std::vector<S>& structures, const Setting&) {
        if (!wanted(name)) return;
        for (S& structure : structures)
            tables_[std::string(name)] += fmt::format("\n[[{}]]\n{}", name, inner(structure));
    }
    template <class... S>
    void one_of(std::string_view name, std::variant<S...>& variant, const Setting&) {
        std::visit(
            [&](auto& alternative) {
                values_[std::string(name)] = toml_text(std::string(alternative.kName));
                describe(*this, alternative);
            },
            variant);
    }

  private:
    bool wanted(std::string_view name) const {
        return part_ == ScenePart::all ||
               std::find(kNotSimulation.begin(), kNotSimulation.end(), name) == kNotSimulation.end();
    }
    template <class S>
    std::string inner(S& structure) const {
        Writer writer(dim_, ScenePart::all);
        describe(writer, structure);
        return writer.text();
    }

    int dim_;
    ScenePart part_;
    std::map<std::string, std::string> values_{};
    std::map<std::string, std::string> tables_{};
};

}  // namespace

std::string canonical_text(const SceneDescription& scene, ScenePart part) {
    SceneDescription copy = scene;  // visitors may change what they visit; this one does not
    Writer writer(scene.dim, part);
    describe(writer, copy);
    return writer.text();
}

}  // namespace spindrift
