// SPDX-License-Identifier: Apache-2.0
#include "products/spray_file.h"

#include <cstring>

#include <gtest/gtest.h>

#include "io/whole_file.h"

namespace spindrift {
namespace {

TEST(SprayFile, HoldsEveryDrop) {
    std::vector<SprayDrop<3>> drops(2);
    drops[1] = {.position = {1, 2, 3}, .velocity = {4, 5, 6}, .volume = 0.5, .radius = 0.25, .id = 77};
    const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "spindrift_spray.ply";
    ASSERT_TRUE(write_spray(file, drops));
    const auto text = read_text_file(file);
    ASSERT_TRUE(text);
    const std::string& bytes = text.value();
    EXPECT_NE(bytes.find("element vertex 2\n"), std::string::npos);
    const std::string end = "end_header\n";
    const std::size_t start = bytes.find(end) + end.size();
    constexpr std::size_t kDrop = 8 * sizeof(float) + sizeof(std::uint32_t);
    ASSERT_EQ(bytes.size(), start + 2 * kDrop);
    float values[8];
    std::uint32_t id = 0;
    std::memcpy(values, bytes.data() + start + kDrop, sizeof values);
    std::memcpy(&id, bytes.data() + start + kDrop + sizeof values, sizeof id);
    for (int n = 0; n < 6; ++n) EXPECT_EQ(values[n], static_cast<float>(n + 1));
    EXPECT_EQ(values[6], 0.25F);
    EXPECT_EQ(values[7], 0.5F);
    EXPECT_EQ(id, 77U);

    const auto read = read_spray<3>(file);
    ASSERT_TRUE(read) << read.errors().text();
    ASSERT_EQ(read.value().size(), 2U);
    EXPECT_EQ(read.value()[1].position, drops[1].position);
    EXPECT_EQ(read.value()[1].velocity, drops[1].velocity);
    EXPECT_EQ(read.value()[1].radius, 0.25);
    EXPECT_EQ(read.value()[1].volume, 0.5);
    EXPECT_EQ(read.value()[1].id, 77U);
    std::filesystem::remove(file);
}

// Runs made before volumes were written can be rendered again.
TEST(SprayFile, ReadsFilesWithoutVolumes) {
    const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "spindrift_old_spray.ply";
    std::string bytes =
        "ply\nformat binary_little_endian 1.0\ncomment metres, metres per second\nelement vertex 1\n"
        "property float x\nproperty float y\nproperty float z\nproperty float vx\nproperty float vy\n"
        "property float vz\nproperty float radius\nproperty uint id\nend_header\n";
    for (const float value : {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 0.25F})
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    const std::uint32_t id = 77;
    bytes.append(reinterpret_cast<const char*>(&id), sizeof id);
    ASSERT_TRUE(write_text_file(file, bytes));
    const auto read = read_spray<3>(file);
    ASSERT_TRUE(read) << read.errors().text();
    ASSERT_EQ(read.value().size(), 1U);
    EXPECT_EQ(read.value()[0].velocity, (Vec<double, 3>(4, 5, 6)));
    EXPECT_EQ(read.value()[0].radius, 0.25);
    EXPECT_EQ(read.value()[0].volume, 0);
    EXPECT_EQ(read.value()[0].id, 77U);
    std::filesystem::remove(file);
}

TEST(SprayFile, AFileThatIsDamagedIsAnError) {
    const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "spindrift_no_spray.ply";
    ASSERT_TRUE(write_spray(file, std::vector<SprayDrop<2>>(3)));
    const std::string whole = read_text_file(file).value();
    EXPECT_EQ(read_spray<2>(file).value().size(), 3U);
    for (const std::string& text : {whole.substr(0, whole.size() - 1), whole.substr(0, whole.size() - 36),
                                    whole.substr(0, 40), whole + "x", std::string()}) {
        ASSERT_TRUE(write_text_file(file, text));
        const auto read = read_spray<2>(file);
        ASSERT_FALSE(read) << text.size();
        EXPECT_NE(read.errors().text().find("damaged"), std::string::npos);
    }
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace spindrift
