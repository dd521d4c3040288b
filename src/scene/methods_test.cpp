// SPDX-License-Identifier: Apache-2.0
#include "scene/methods.h"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "scene/read_scene.h"
#include "scene/setting_paths.h"

namespace spindrift {
namespace {

TEST(Methods, RowsNameSectionsAndPapersThatExist) {
    std::ifstream stream(SPINDRIFT_SOURCE_DIR "/docs/references.bib");
    const std::string papers{std::istreambuf_iterator<char>(stream), {}};
    std::set<std::string_view> names;
    for (const scene::MethodRow& row : scene::kMethods) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_EQ(&scene::row(row.method), &row) << row.name;
        const bool is_listed = papers.find("{" + std::string(row.paper) + ",") != std::string::npos;
        EXPECT_TRUE(row.paper.empty() || is_listed) << row.paper;
        for (const std::string_view section : row.sections)
            EXPECT_TRUE(std::any_of(setting_paths().begin(), setting_paths().end(), [&](const SettingPath& path) {
                return path.table.empty() && path.name == section;
            })) << section;
    }
}

// What one method cannot do names those that can, and these accept the scene.
TEST(Methods, WhatAMethodCannotDoNamesThoseThatCan) {
    const std::string smoke =
        "spindrift = 1\n[domain]\nsize = [1, 1]\nresolution = 32\n[[substance]]\nname = 'smoke'\n";
    const auto refused = parse_scene("method = 'level-set'\n" + smoke, "smoke.toml");
    ASSERT_FALSE(refused);
    const std::string told = refused.errors().text();
    EXPECT_NE(told.find("smoke.toml:6:1: substance cannot be simulated by method \"level-set\""), std::string::npos)
        << told;
    EXPECT_NE(told.find("use method " + scene::methods_using("substance")), std::string::npos) << told;
    for (const scene::MethodRow& row : scene::kMethods)
        EXPECT_EQ(static_cast<bool>(parse_scene("method = '" + std::string(row.name) + "'\n" + smoke, "smoke.toml")),
                  scene::is_available(row.method) && scene::uses(row.method, "substance"))
            << row.name;
}

}  // namespace
}  // namespace spindrift
