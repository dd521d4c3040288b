// SPDX-License-Identifier: Apache-2.0
#include "session/catalogue.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include <fmt/format.h>

#include "base/suggest.h"
#include "io/safe_file.h"
#include "scene/read_scene.h"

namespace spindrift {
namespace fs = std::filesystem;

fs::path catalogue_folder() {
    std::error_code ignored;
    std::vector<fs::path> places;
    if (const char* named = std::getenv("SPINDRIFT_SCENES")) places.emplace_back(named);
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    if (!program.empty()) places.push_back(program.parent_path().parent_path() / "share/spindrift/scenes");
    places.emplace_back(SPINDRIFT_SCENES_FOLDER);
    for (const fs::path& place : places)
        if (fs::is_directory(place, ignored)) return place;
    return {};
}

std::vector<std::string> catalogue_names() {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(catalogue_folder(), ignored))
        if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

Result<fs::path> find_scene(const std::string& path_or_name) {
    if (path_or_name == kStandardInput) return fs::path(path_or_name);
    std::error_code fault;
    const fs::file_status status = fs::status(path_or_name, fault);
    const bool is_name = path_or_name.find('/') == std::string::npos && fs::path(path_or_name).extension() != ".toml";
    // Whatever else it is, reading it says what is wrong with it.
    if (fs::exists(status) && !(is_name && fs::is_directory(status))) return fs::path(path_or_name);
    if (!is_name)
        return file_error(path_or_name, "cannot be read",
                          fs::is_directory(status) ? EISDIR
                          : fault                  ? fault.value()
                                                   : ENOENT);
    const std::vector<std::string> names = catalogue_names();
    if (names.empty())
        return Error{.what = fmt::format("there is no scene '{}': the catalogue is empty", path_or_name),
                     .remedy = "name a scene file by its path, or let SPINDRIFT_SCENES say where the catalogue is",
                     .where = {.file = catalogue_folder().string()}};
    if (std::find(names.begin(), names.end(), path_or_name) == names.end()) {
        Error error = unknown_word("scene", path_or_name, names);
        error.remedy += "; or name a scene file by its path";
        return error;
    }
    return catalogue_folder() / (path_or_name + ".toml");
}

}  // namespace spindrift
