// SPDX-License-Identifier: Apache-2.0
#include "scene/toml/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scene/setting_paths.h"

namespace spindrift {
namespace {

// Where else a key of this name would be right: "in [domain] or in [camera]"; nothing if nowhere or almost everywhere.
std::string other_home(std::string_view name, const std::string& here) {
    std::vector<std::string> homes;
    for (const SettingPath& path : setting_paths()) {
        if (path.name != name) continue;
        if (path.table == here) return "";  // right for another shape
        const std::string home = path.table.empty() ? "at the top of the file, before the first [table]"
                                 : path.in_list     ? fmt::format("in [[{}]]", path.table)
                                                    : fmt::format("in [{}]", path.table);
        if (std::find(homes.begin(), homes.end(), home) == homes.end()) homes.push_back(home);
    }
    return homes.size() > 3 ? "" : fmt::format("{}", fmt::join(homes, " or "));
}

std::string without_index(const std::string& path) { return path.substr(0, path.find('[')); }

}  // namespace

const toml::node* TomlTable::find(std::string_view name, const Setting& setting) {
    known_.emplace_back(name);
    const toml::node* node = table_.get(name);
    if (node != nullptr) {
        values_.places.of[joined(path_, name)] = values_.place(*node);
    } else if (setting.required) {
        const std::string unit = setting.unit.empty() ? "" : fmt::format(", in {}", setting.unit);
        values_.mark(joined(path_, name));
        missing_.push_back({{std::string(name)}, fmt::format("{}: {}{}", name, setting.sentence, unit)});
    }
    return node;
}

void TomlTable::fail(std::string_view name, std::string what, std::string remedy) {
    values_.mark(joined(path_, name));
    // Such as force[0].substance; what is not written itself is placed at the table around it.
    const toml::node* node = table_.at_path(name).node();
    for (std::string_view outer = name; node == nullptr && outer.find_last_of(".[") != std::string_view::npos;) {
        outer = outer.substr(0, outer.find_last_of(".["));
        node = table_.at_path(outer).node();
    }
    values_.fail(values_.place(node == nullptr ? static_cast<const toml::node&>(table_) : *node),
                 fmt::format("{} {}", name.empty() ? path_ : joined(path_, name), what), std::move(remedy));
}

void TomlTable::version(std::string_view name, int& value, const Setting&) {
    const toml::node* node = find(name, {});
    if (node == nullptr) {
        values_.fail(values_.place(table_), "this scene does not say its version",
                     "begin the file with: spindrift = 1");
    } else if (!node->is_integer() || node->as_integer()->get() != value) {
        values_.fail(values_.place(*node), fmt::format("this program reads scenes of version {}", value),
                     "scenes begin with: spindrift = 1");
    }
}

void TomlTable::not_yet(std::string_view name, std::string_view what) {
    if (table_.contains(name)) fail(name, fmt::format("is not available yet: {}", what), "leave it out");
    known_.emplace_back(name);
}

void TomlTable::renamed(std::string_view old_name, std::string_view new_name) {
    if (table_.contains(old_name))
        fail(old_name, fmt::format("is called {} now", new_name), fmt::format("write {} instead", new_name));
    old_names_.emplace_back(old_name);
}

void TomlTable::exactly_one(std::initializer_list<std::string_view> names) {
    at_most_one(names);
    if (std::any_of(names.begin(), names.end(), [&](std::string_view name) { return table_.contains(name); })) return;
    values_.mark(joined(path_, *names.begin()));
    missing_.push_back({{names.begin(), names.end()}, fmt::format("write one of: {}", fmt::join(names, ", "))});
}

void TomlTable::at_most_one(std::initializer_list<std::string_view> names) {
    std::vector<std::string_view> given;
    for (const std::string_view name : names)
        if (table_.contains(name)) given.push_back(name);
    if (given.size() > 1)
        fail(given.back(), fmt::format("contradicts {}", joined(path_, given.front())), "keep one of them");
}

bool TomlTable::is_table(const toml::node& node, std::string_view name) {
    if (node.is_table()) return true;
    const TomlItem item{node, joined(path_, name)};
    if (node.is_array_of_tables())
        values_.fail(item, "is written as a list",
                     fmt::format("there is only one: write [{0}], not [[{0}]]", item.path));
    else
        values_.wrong_type(item, fmt::format("a table [{}]", item.path));
    return false;
}

bool TomlTable::is_list(const toml::node& node, std::string_view name) {
    if (node.is_array()) return true;
    const TomlItem item{node, joined(path_, name)};
    if (node.is_table())
        values_.fail(item, "is written as a single table",
                     fmt::format("there may be several: write [[{0}]], not [{0}]", item.path));
    else
        values_.wrong_type(item, fmt::format("a list of tables [[{}]]", item.path));
    return false;
}

// A setting that is only mistyped is not missing as well.
void TomlTable::complain_about_missing_keys() {
    const auto is_mistyped = [&](const std::string& name) {
        return complete_ && std::any_of(table_.begin(), table_.end(), [&](const auto& entry) {
                   const std::string key(entry.first.str());
                   return std::find(known_.begin(), known_.end(), key) == known_.end() && nearest(key, known_) == name;
               });
    };
    for (const Missing& missing : missing_)
        if (std::none_of(missing.names.begin(), missing.names.end(), is_mistyped))
            values_.fail(values_.place(table_), fmt::format("{} is missing", joined(path_, missing.names.front())),
                         missing.remedy);
    missing_.clear();
}

void TomlTable::complain_about_unknown_keys() {
    if (!complete_) return;
    for (const auto& [key, value] : table_) {
        const std::string name(key.str());
        if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
        if (std::find(old_names_.begin(), old_names_.end(), name) != old_names_.end()) continue;
        std::string remedy = did_you_mean(name, known_);
        if (remedy.empty()) {
            const std::string home = other_home(name, without_index(path_));
            remedy = home.empty() ? fmt::format("there are: {}", fmt::join(known_, ", "))
                                  : fmt::format("it belongs {}", home);
        }
        if (!path_.empty()) values_.mark(path_);
        const std::string table = path_.empty() ? "the top of a scene" : path_;
        values_.fail(values_.place(key.source()), fmt::format("{} has no setting '{}'", table, name.substr(0, 60)),
                     std::move(remedy));
    }
}

}  // namespace spindrift
