// SPDX-License-Identifier: Apache-2.0
#include "scene/entry_names.h"

#include <cctype>

#include <fmt/format.h>

namespace spindrift {
namespace {

template <class Entry>
void add(EntryNames& names, const char* list, const std::vector<Entry>& entries) {
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (!entries[i].name.empty()) names[fmt::format("{}[{}]", list, i)] = entries[i].name;
}

// "solid[0]" where it begins a word, so that nothing within another is taken for it.
std::string with_names(std::string text, const EntryNames& names) {
    for (const auto& [entry, name] : names) {
        const std::string list = entry.substr(0, entry.find('[')), shown = fmt::format("{} \"{}\"", list, name);
        for (std::size_t at = text.find(entry); at != std::string::npos; at = text.find(entry, at)) {
            const char before = at == 0 ? ' ' : text[at - 1];
            if (std::isalnum(static_cast<unsigned char>(before)) != 0 || before == '.' || before == '_') {
                at += entry.size();
                continue;
            }
            text.replace(at, entry.size(), shown);
            at += shown.size();
        }
    }
    return text;
}

}  // namespace

EntryNames entry_names(const SceneDescription& scene) {
    EntryNames names;
    add(names, "component", scene.component);
    add(names, "liquid", scene.liquid);
    add(names, "solid", scene.solid);
    add(names, "source", scene.source);
    add(names, "wind", scene.wind);
    add(names, "force", scene.force);
    add(names, "control", scene.control);
    add(names, "substance", scene.substance);
    add(names, "probe", scene.probe);
    return names;
}

Errors with_names(const Errors& errors, const EntryNames& names) {
    Errors told;
    for (Error error : errors) {
        error.what = with_names(std::move(error.what), names);  // a remedy may be a path for --set
        told.add(std::move(error));
    }
    return told;
}

}  // namespace spindrift
