// SPDX-License-Identifier: Apache-2.0
#include "scene/overrides.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "scene/setting_paths.h"
#include "scene/toml/values.h"

namespace spindrift {
namespace {

struct Step {
    std::string key;
    std::optional<std::size_t> index;
};

// "liquid[0].radius" as steps; nothing if it is not a path.
std::optional<std::vector<Step>> parsed_path(std::string_view path) {
    std::vector<Step> steps;
    while (true) {
        const std::size_t dot = path.find('.');
        std::string_view part = path.substr(0, dot);
        Step step;
        if (!part.empty() && part.back() == ']') {
            const std::size_t bracket = part.find('[');
            if (bracket == std::string_view::npos) return std::nullopt;
            const std::string_view digits = part.substr(bracket + 1, part.size() - bracket - 2);
            std::size_t index = 0;
            const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
            if (fault != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
            step.index = index;
            part = part.substr(0, bracket);
        }
        if (part.empty() || part.find_first_of(" \t\"'[]") != std::string_view::npos) return std::nullopt;
        step.key = std::string(part);
        steps.push_back(std::move(step));
        if (dot == std::string_view::npos) return steps;
        path.remove_prefix(dot + 1);
    }
}

bool is_bare_word(std::string_view value) {
    const auto fits = [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '/';
    };
    return !value.empty() && std::isalpha(static_cast<unsigned char>(value[0])) != 0 &&
           std::all_of(value.begin(), value.end(), fits);
}

Result<toml::table> parsed_value(const std::string& value, const std::string& source) {
    try {
        toml::table parsed = toml::parse("value = " + value, source);
        if (parsed.size() == 1) return parsed;
        return Error{.what = "the value is more than one", .where = {.file = source}};
    } catch (const toml::parse_error& error) {
        // --set method=gas is easier to type than --set 'method="gas"'.
        if (is_bare_word(value)) return toml::parse("value = \"" + value + "\"", source);
        return Error{.what = fmt::format("the value '{}' is not TOML: {}", value, error.description()),
                     .remedy = "write numbers plainly, texts in \"quotes\", vectors in [brackets]",
                     .where = {.file = source}};
    }
}

// The table of an entry in a list, by number or by name.
Result<toml::table*> entry(toml::array& list, const Step& step, const std::string* name, const std::string& source) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        toml::table* table = list.get(i)->as_table();
        if (table == nullptr) continue;
        const bool is_it = name != nullptr ? (*table)["name"].value<std::string>() == *name : step.index == i;
        if (is_it) return table;
    }
    const std::string range = list.empty() ? "there is none"
                              : list.size() == 1
                                  ? fmt::format("there is {}[0] alone", step.key)
                                  : fmt::format("there are {0}[0] to {0}[{1}]", step.key, list.size() - 1);
    return Error{.what = name != nullptr ? fmt::format("no entry of {} is named '{}'", step.key, *name)
                                         : fmt::format("there is no {}[{}]", step.key, *step.index),
                 .remedy = fmt::format("{}; an entry may also be called by its name", range),
                 .where = {.file = source}};
}

}  // namespace

Result<void> apply_override(toml::table& scene, const std::string& override_text) {
    const std::string source = std::string(kOverride) + override_text;
    const auto wrong = [&](std::string what, std::string remedy) {
        return Error{.what = std::move(what), .remedy = std::move(remedy), .where = {.file = source}};
    };
    const std::size_t equals = override_text.find('=');
    const std::string path = override_text.substr(0, equals);
    const std::optional<std::vector<Step>> steps = parsed_path(path);
    if (equals == std::string::npos || !steps)
        return wrong("this is not path=value", "write for example --set domain.resolution=64");
    Result<toml::table> value = parsed_value(override_text.substr(equals + 1), source);
    if (!value) return std::move(value).errors();

    // Walk to the table that will hold it.  What is made on the way is placed at this --set.
    const toml::source_region here{{}, {}, std::make_shared<const std::string>(source)};
    toml::table* table = &scene;
    for (std::size_t i = 0; i + 1 < steps->size(); ++i) {
        const Step& step = (*steps)[i];
        toml::node* node = table->get(step.key);
        if (node == nullptr && !step.index)
            node = &table->insert(toml::key(step.key, here), toml::table{}).first->second;
        if (node != nullptr && node->is_array() && (step.index || i + 2 < steps->size())) {
            const std::string* name = step.index ? nullptr : &(*steps)[++i].key;
            Result<toml::table*> found = entry(*node->as_array(), step, name, source);
            if (!found) return std::move(found).errors();
            table = found.value();
        } else if (node != nullptr && node->is_table() && !step.index) {
            table = node->as_table();
        } else {
            return wrong(
                fmt::format("'{}' is not a {} in this scene", step.key, step.index ? "list" : "table"),
                node != nullptr && node->is_array_of_tables() ? fmt::format("say which: {}[0]", step.key) : "");
        }
    }
    if (steps->back().index) return wrong("a list's entry cannot be replaced as a whole", "name a setting of it");

    // What the new value excludes goes.
    for (const std::vector<std::string>& group : exclusive_settings())
        if (std::find(group.begin(), group.end(), path) != group.end())
            for (const std::string& other : group)
                if (other != path) table->erase(other.substr(other.rfind('.') + 1));
    const toml::key key(steps->back().key, here);
    table->erase(key.str());
    table->insert_or_assign(key, std::move(*value.value().get("value")));
    return {};
}

}  // namespace spindrift
