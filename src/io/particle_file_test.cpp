// SPDX-License-Identifier: Apache-2.0
#include "io/particle_file.h"

#include <cstring>

#include <gtest/gtest.h>

#include "io/whole_file.h"

namespace spindrift {
namespace {

// As spray has them.
template <int Dim>
ParticleList<Dim> drops(std::size_t count) {
    ParticleList<Dim> list;
    list.add_attribute("velocity", Dim);
    list.add_attribute("radius", 1);
    list.add_attribute("volume", 1, 0.125);
    resize(list, count);
    return list;
}

std::filesystem::path file_named(const char* name) { return std::filesystem::path(::testing::TempDir()) / name; }

// What goes on from a file gives new particles the ids, and has the bits, of what went straight on.
TEST(ParticleFile, HoldsTheNextIdAndRoundsAsSaid) {
    ParticleList<3> written = drops<3>(1);
    written.next_id = 12345;
    written.position[0][0] = 0.1;
    const std::filesystem::path file = file_named("spindrift_next_id.ply");
    ASSERT_TRUE(write_particles(file, written));
    ParticleList<3> found = drops<3>(0);
    ASSERT_TRUE(read_particles(file, found));
    EXPECT_EQ(found.next_id, 12345U);
    EXPECT_NE(found.position[0][0], 0.1);
    round_as_in_file(written);
    EXPECT_EQ(found.position[0][0], written.position[0][0]);
}

TEST(ParticleFile, HoldsEveryAttribute) {
    ParticleList<3> written = drops<3>(2);
    written.add_attribute("spin", 3);
    written.add_attribute("heat", 1);
    float next = 0;
    for_each_column(written, [&](const std::string& name, auto& values) {
        values[1] = static_cast<std::remove_cvref_t<decltype(values[1])>>(name == "id" ? 77 : ++next);
    });
    const std::filesystem::path file = file_named("spindrift_particles.ply");
    ASSERT_TRUE(write_particles(file, written));
    const auto text = read_text_file(file);
    ASSERT_TRUE(text);
    const std::string& bytes = text.value();
    EXPECT_NE(bytes.find("element vertex 2\n"), std::string::npos);
    std::size_t at = 0;
    for (const char* name : {"x", "y", "z", "vx", "vy", "vz", "radius", "volume", "spin_x", "spin_y", "spin_z", "heat"})
        at = bytes.find(std::string("property float ") + name + "\n", at);
    ASSERT_NE(at, std::string::npos) << "attributes are not in their order";
    const std::string end = "end_header\n";
    const std::size_t start = bytes.find(end) + end.size();
    constexpr std::size_t kFloats = 12, kRow = kFloats * sizeof(float) + sizeof(std::uint32_t);
    ASSERT_EQ(bytes.size(), start + 2 * kRow);
    float values[kFloats];
    std::uint32_t id = 0;
    std::memcpy(values, bytes.data() + start + kRow, sizeof values);
    std::memcpy(&id, bytes.data() + start + kRow + sizeof values, sizeof id);
    for (std::size_t n = 0; n < kFloats; ++n) EXPECT_EQ(values[n], static_cast<float>(n + 1));
    EXPECT_EQ(id, 77U);

    ParticleList<3> found = drops<3>(0);
    const auto read = read_particles(file, found);
    ASSERT_TRUE(read) << read.errors().text();
    Hasher before, after;
    add_columns(before, written);
    add_columns(after, found);
    EXPECT_EQ(after.digest(), before.digest());
    std::filesystem::remove(file);
}

// Runs made before volumes were written can be rendered again.
TEST(ParticleFile, ReadsFilesWithoutVolumes) {
    const std::filesystem::path file = file_named("spindrift_old_spray.ply");
    std::string bytes =
        "ply\nformat binary_little_endian 1.0\ncomment metres, metres per second\nelement vertex 1\n"
        "property float x\nproperty float y\nproperty float z\nproperty float vx\nproperty float vy\n"
        "property float vz\nproperty float radius\nproperty uint id\nend_header\n";
    for (const float value : {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 0.25F})
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    const std::uint32_t id = 77;
    bytes.append(reinterpret_cast<const char*>(&id), sizeof id);
    ASSERT_TRUE(write_text_file(file, bytes));
    ParticleList<3> found = drops<3>(0);
    const auto read = read_particles(file, found);
    ASSERT_TRUE(read) << read.errors().text();
    ASSERT_EQ(found.count(), 1U);
    EXPECT_EQ(found.attribute("velocity").component[2][0], 6);
    EXPECT_EQ(found.attribute("radius").component[0][0], 0.25);
    EXPECT_EQ(found.attribute("volume").component[0][0], 0.125);
    EXPECT_EQ(found.id[0], 77U);
    std::filesystem::remove(file);
}

TEST(ParticleFile, AFileThatIsDamagedIsAnError) {
    const std::filesystem::path file = file_named("spindrift_no_spray.ply");
    ASSERT_TRUE(write_particles(file, drops<2>(3)));
    const std::string whole = read_text_file(file).value();
    ParticleList<2> found = drops<2>(0);
    ASSERT_TRUE(read_particles(file, found));
    EXPECT_EQ(found.count(), 3U);
    std::string without_vz = whole;
    without_vz.erase(whole.find("property float vz\n"), std::strlen("property float vz\n"));
    for (const std::string& text : {whole.substr(0, whole.size() - 1), whole.substr(0, whole.size() - 36),
                                    whole.substr(0, 40), whole + "x", without_vz, std::string()}) {
        ASSERT_TRUE(write_text_file(file, text));
        const auto read = read_particles(file, found);
        ASSERT_FALSE(read) << text.size();
        EXPECT_NE(read.errors().text().find("damaged"), std::string::npos);
    }
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace spindrift
