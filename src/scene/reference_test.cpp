// SPDX-License-Identifier: Apache-2.0
#include "scene/reference.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "scene/read_scene.h"
#include "scene/setting_paths.h"

namespace spindrift {
namespace {

const std::string kFile = SPINDRIFT_SOURCE_DIR "/docs/scene-reference.md";

// SPINDRIFT_UPDATE_DOCS=1 writes the file instead.
TEST(Reference, TheCommittedFileIsUpToDate) {
    const std::string wanted = scene_reference_markdown();
    if (std::getenv("SPINDRIFT_UPDATE_DOCS") != nullptr) std::ofstream(kFile, std::ios::binary) << wanted;
    std::ifstream stream(kFile, std::ios::binary);
    const std::string found{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_TRUE(found == wanted) << kFile << " is out of date; to mend it:\n"
                                 << "SPINDRIFT_UPDATE_DOCS=1 scene_test --gtest_filter=Reference.*";
}

TEST(Reference, TellsEverySetting) {
    const std::string text = scene_reference_markdown();
    for (const SettingPath& path : setting_paths()) {
        const bool heading = text.find("[" + path.name + "]") != std::string::npos;
        EXPECT_TRUE(heading || text.find("| `" + path.name + "` |") != std::string::npos)
            << path.table << "." << path.name;
    }
}

}  // namespace
}  // namespace spindrift
