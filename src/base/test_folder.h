// SPDX-License-Identifier: Apache-2.0
// For tests: a folder of its own for each test, gone afterwards.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace spindrift {

class TestFolder : public ::testing::Test {
  protected:
    TestFolder() {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        std::string name = fmt::format("spindrift_{}_{}_{}", test->test_suite_name(), test->name(), ::getpid());
        std::replace(name.begin(), name.end(), '/', '_');
        folder_ = std::filesystem::temp_directory_path() / name;
        std::filesystem::create_directories(folder_);
    }
    ~TestFolder() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path file(const std::string& name) const { return folder_ / name; }

    std::filesystem::path folder_;
};

inline std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}
inline void write_bytes(const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace spindrift
