// SPDX-License-Identifier: Apache-2.0
// Every scene in tests/scenes/malformed says in its first lines what must be said of it: "# expect: …", and, where it
// is not one error, in how many: "# errors: 3".
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scene/read_scene.h"

namespace spindrift {
namespace {

namespace fs = std::filesystem;
const fs::path kFolder = fs::path(SPINDRIFT_SOURCE_DIR) / "tests/scenes/malformed";
constexpr std::string_view kExpect = "# expect: ";

std::vector<std::string> expectations(const fs::path& file) {
    std::vector<std::string> list;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line) && line.starts_with(kExpect);)
        list.push_back(line.substr(kExpect.size()));
    return list;
}

// "# errors: 3"; one if the file does not say.
std::size_t error_count(const fs::path& file) {
    constexpr std::string_view kErrors = "# errors: ";
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
        if (line.starts_with(kErrors)) return std::stoul(line.substr(kErrors.size()));
    return 1;
}

std::vector<fs::path> files() {
    std::vector<fs::path> list;
    for (const auto& entry : fs::directory_iterator(kFolder)) list.push_back(entry.path());
    std::sort(list.begin(), list.end());
    return list;
}

class Malformed : public testing::TestWithParam<fs::path> {};

TEST_P(Malformed, IsToldWhatIsWrong) {
    const Result<SceneDescription> scene = read_scene(GetParam());
    ASSERT_FALSE(scene) << "was read without an error";
    const std::string told = scene.errors().text();
    const std::vector<std::string> expected = expectations(GetParam());
    ASSERT_FALSE(expected.empty()) << "the file begins with no '" << kExpect << "…'";
    for (const std::string& words : expected)
        EXPECT_NE(told.find(words), std::string::npos) << "expected: " << words << "\nwas told:\n" << told;
    // Most files have one mistake, and no second error follows from it.
    EXPECT_EQ(scene.errors().size(), error_count(GetParam())) << told;
    for (const Error& error : scene.errors()) EXPECT_EQ(error.where.file, GetParam().string()) << text(error);
}

std::string test_name(const testing::TestParamInfo<fs::path>& info) {
    std::string name = info.param.stem().string();
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Scenes, Malformed, testing::ValuesIn(files()), test_name);

}  // namespace
}  // namespace spindrift
