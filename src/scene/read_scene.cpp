// SPDX-License-Identifier: Apache-2.0
#include "scene/read_scene.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <tuple>

#include <fmt/format.h>

#include "scene/entry_names.h"
#include "scene/overrides.h"
#include "scene/toml/table.h"

namespace spindrift {
namespace {

// A scene is written by hand or by a small program; what is larger is some other file.
constexpr std::uintmax_t kLargestFile = 16 << 20;

// What the parser says where something is wrong, and what newcomers to TOML have to know there; the first that fits.
struct SyntaxRemedy {
    std::string_view words, remedy;
};
constexpr std::array kSyntaxRemedies{
    SyntaxRemedy{"redefine", "each setting stands once; several liquids, solids or sources are written [[liquid]] …"},
    SyntaxRemedy{"table header", "a table begins with [domain], an entry of a list with [[liquid]]"},
    SyntaxRemedy{"parsing array", "a vector or list is written [1, 2, 3]: with commas, and a bracket at its end"},
    SyntaxRemedy{"control characters", "a text ends with a quotation mark on the same line"},
    SyntaxRemedy{"escape", "a backslash in a text is written twice; paths may have / instead"},
    SyntaxRemedy{"unicode scalar", "a backslash in a text is written twice; paths may have / instead"},
    SyntaxRemedy{"boolean", "write true or false, in small letters"},
    SyntaxRemedy{"saw ','", "write a decimal point, 0.5, and vectors in [brackets]"},
    SyntaxRemedy{"expected a comment", "one setting a line; a comment begins with #"},
    SyntaxRemedy{"expected '='", "a setting is written name = value"},
    SyntaxRemedy{"floating-point",
                 "a number is written 0.5 or 2e-3, without a unit; what is calculated, \"in quotes\""},
    SyntaxRemedy{"integer", "a number is written 0.5 or 2e-3, without a unit; what is calculated, \"in quotes\""},
    SyntaxRemedy{"string", "a text ends with the quotation mark that it begins with"},
    SyntaxRemedy{"value", "texts and expressions stand in \"quotes\", vectors in [brackets], numbers have no unit"},
};

Error syntax_error(const toml::parse_error& fault, const std::string& name) {
    const std::string description(fault.description());
    const toml::source_position& at = fault.source().begin;
    std::string remedy;
    for (const SyntaxRemedy& known : kSyntaxRemedies)
        if (remedy.empty() && description.find(known.words) != std::string::npos) remedy = known.remedy;
    return {.what = fmt::format("this is not TOML: {}", description),
            .remedy = std::move(remedy),
            .where = {name, static_cast<int>(at.line), static_cast<int>(at.column)}};
}

// The dimension and the direction of up, which other settings need when they are read.
void look_ahead(const toml::table& root, TomlValues& values) {
    if (const toml::array* size = root["domain"]["size"].as_array())
        if (size->size() == 2 || size->size() == 3) values.dim = static_cast<int>(size->size());
    if (root["domain"]["up"].value<std::string>() == "z" && values.dim != 2) values.up = scene::Up::z;
}

// Entries of lists that have a name, whether the rest of them is good or not.
EntryNames names_in(const toml::table& root) {
    EntryNames names;
    for (const auto& [list, node] : root)
        if (const toml::array* entries = node.as_array())
            for (std::size_t i = 0; i < entries->size(); ++i)
                if (const toml::table* entry = entries->get(i)->as_table())
                    if (const auto name = (*entry)["name"].value<std::string>(); name && !name->empty())
                        names[fmt::format("{}[{}]", list.str(), i)] = *name;
    return names;
}

// In the order of the file; those of --set last.
Errors sorted(const Errors& errors, const std::string& name) {
    std::vector<Error> list(errors.begin(), errors.end());
    std::stable_sort(list.begin(), list.end(), [&](const Error& a, const Error& b) {
        const auto key = [&](const Error& e) { return std::tuple(e.where.file != name, e.where.line, e.where.column); };
        return key(a) < key(b);
    });
    Errors out;
    for (Error& error : list) out.add(std::move(error));
    return out;
}

}  // namespace

Result<SceneDescription> parse_scene(std::string_view text, const std::string& name,
                                     std::span<const std::string> overrides) {
    toml::table root;
    try {
        root = toml::parse(text, name);
    } catch (const toml::parse_error& fault) {
        return syntax_error(fault, name);
    }

    TomlValues values(text, name);
    for (const std::string& one : overrides) collect(values.errors, apply_override(root, one));
    look_ahead(root, values);
    SceneDescription scene;
    TomlTable(root, "", values).read(scene);
    if (!values.errors.empty()) return with_names(sorted(values.errors, name), names_in(root));

    scene.dim = values.dim;
    if (!scene.time.frames && !scene.time.end) scene.time.frames = scene::kDefaultFrames;
    scene.places = std::move(values.places);
    scene.places.file = name;
    return scene;
}

Result<std::string> read_scene_text(const std::filesystem::path& file) {
    namespace fs = std::filesystem;
    const auto cannot = [&](std::string why) {
        return Error{.what = fmt::format("cannot read the scene: {}", why), .where = {.file = file.string()}};
    };
    std::error_code fault;
    const bool is_input = file == kStandardInput;
    const fs::file_status status = is_input ? fs::file_status{} : fs::status(file, fault);
    if (fault) return cannot(fault.message());
    if (fs::is_directory(status)) return cannot("it is a folder");
    if (!is_input && !fs::is_regular_file(status) && !fs::is_fifo(status))
        return cannot("it is neither a file nor a pipe");
    std::ifstream stream;
    if (!is_input) {
        errno = 0;
        stream.open(file, std::ios::binary);
        if (!stream) return cannot(std::strerror(errno));
    }

    // One byte more than is allowed, so that an endless stream ends.
    std::istream& from = is_input ? std::cin : stream;
    std::string text(kLargestFile + 1, '\0');
    from.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (from.bad()) return cannot("reading failed");
    text.resize(static_cast<std::size_t>(from.gcount()));
    if (text.size() > kLargestFile) return cannot("it is larger than 16 MiB");
    return text;
}

Result<SceneDescription> read_scene(const std::filesystem::path& file, std::span<const std::string> overrides) {
    const Result<std::string> text = read_scene_text(file);
    if (!text) return text.errors();
    return parse_scene(text.value(), file.string(), overrides);
}

}  // namespace spindrift
