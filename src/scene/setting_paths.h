// SPDX-License-Identifier: Apache-2.0
// The names of all settings, from their descriptions.
#pragma once

#include <string>
#include <vector>

namespace spindrift {

struct SettingPath {
    std::string table;  // "", "domain", "liquid"
    std::string name;
    bool in_list;  // of an entry of a list of tables
};
const std::vector<SettingPath>& setting_paths();

// Groups of paths ("domain.resolution", "domain.cell_size") of which a scene may hold only one.
const std::vector<std::vector<std::string>>& exclusive_settings();

}  // namespace spindrift
