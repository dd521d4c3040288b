// SPDX-License-Identifier: Apache-2.0
// The visitor that reads a structure of settings from a TOML table: every setting it knows, then a complaint about
// every key that it does not.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scene/checks.h"
#include "scene/toml/values.h"

namespace spindrift {

class TomlTable {
  public:
    static constexpr bool kReads = true;

    TomlTable(const toml::table& table, std::string path, TomlValues& values)
        : table_(table), path_(std::move(path)), values_(values), errors_before_(values.errors.size()) {}

    // Reads the structure, then looks at the settings as a whole.
    template <class S>
    bool read(S& structure) {
        describe(*this, structure);
        complain_about_missing_keys();
        complain_about_unknown_keys();
        const Complain complain = [this](std::string_view name, std::string what, std::string remedy) {
            fail(name, std::move(what), std::move(remedy));
        };
        // At the top, tables are compared with each other: all but those that could not be read.
        if constexpr (std::is_same_v<S, SceneDescription>)
            check_scene(structure, values_.dim, std::set(values_.failed()), complain);
        else if (values_.errors.size() == errors_before_)
            check_settings(structure, values_.dim, complain);
        return values_.errors.size() == errors_before_;
    }

    template <class T>
    void operator()(std::string_view name, T& value, const Setting& setting) {
        if (const toml::node* node = find(name, setting)) values_.read({*node, joined(path_, name)}, value, setting);
    }
    void word(std::string_view name, std::string& value, const std::vector<std::string>& words,
              const Setting& setting) {
        if (const toml::node* node = find(name, setting)) values_.read_word({*node, joined(path_, name)}, value, words);
    }
    void version(std::string_view name, int& value, const Setting& setting);
    void not_yet(std::string_view name, std::string_view what);
    void renamed(std::string_view old_name, std::string_view new_name);
    void exactly_one(std::initializer_list<std::string_view> names);
    void at_most_one(std::initializer_list<std::string_view> names);

    template <class S>
    void table(std::string_view name, S& structure, const Setting& setting) {
        static const toml::table kEmpty;
        const toml::node* node = find(name, setting);
        if (node != nullptr && !is_table(*node, name)) return;
        TomlTable(node == nullptr ? kEmpty : *node->as_table(), joined(path_, name), values_).read(structure);
    }

    template <class S>
    void list(std::string_view name, std::vector<S>& structures, const Setting& setting) {
        const toml::node* node = find(name, setting);
        if (node == nullptr || !is_list(*node, name)) return;
        const toml::array& tables = *node->as_array();
        structures.resize(tables.size());
        for (std::size_t i = 0; i < tables.size(); ++i) {
            const TomlItem item{*tables.get(i), joined(path_, name) + "[" + std::to_string(i) + "]"};
            values_.places.of[item.path] = values_.place(item.node);
            const toml::table* one = item.node.as_table();
            if (one == nullptr) {
                values_.wrong_type(item, "a table");
                break;  // the others are likely to be the same mistake
            }
            TomlTable(*one, item.path, values_).read(structures[i]);
        }
    }

    template <class... S>
    void one_of(std::string_view name, std::variant<S...>& variant, const Setting& setting) {
        std::string kind;
        word(name, kind, {std::string(S::kName)...}, setting);
        complete_ = !kind.empty();  // else the keys of the alternative are not known
        (read_if(kind, variant, S{}), ...);
    }

  private:
    const toml::node* find(std::string_view name, const Setting& setting);
    bool is_table(const toml::node& node, std::string_view name);
    bool is_list(const toml::node& node, std::string_view name);
    void fail(std::string_view name, std::string what, std::string remedy);
    void complain_about_missing_keys();
    void complain_about_unknown_keys();

    template <class V, class S>
    void read_if(const std::string& kind, V& variant, S alternative) {
        if (kind != S::kName) return;
        const std::size_t before = values_.errors.size() + missing_.size();
        describe(*this, alternative);
        if (values_.errors.size() + missing_.size() == before)
            check_settings(alternative, values_.dim,
                           [this](std::string_view name, std::string what, std::string remedy) {
                               fail(name, std::move(what), std::move(remedy));
                           });
        variant = std::move(alternative);
    }

    const toml::table& table_;
    std::string path_;
    TomlValues& values_;
    std::size_t errors_before_;
    std::vector<std::string> known_{};
    std::vector<std::string> old_names_{};  // of settings that have another name now; an error says it
    struct Missing {
        std::vector<std::string> names;  // one of which is needed
        std::string remedy;
    };
    std::vector<Missing> missing_{};
    bool complete_ = true;
};

}  // namespace spindrift
