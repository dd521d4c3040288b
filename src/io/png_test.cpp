// SPDX-License-Identifier: Apache-2.0
#include "io/png.h"

#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/test_folder.h"
#include "io/safe_file.h"

namespace spindrift {
namespace {

namespace fs = std::filesystem;

class Png : public TestFolder {
  protected:
    fs::path file(const std::string& name = "picture.png") const { return TestFolder::file(name); }
};

std::vector<std::uint8_t> pattern(int width, int height) {
    std::vector<std::uint8_t> rgb;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (const int v : {x, y, x * y}) rgb.push_back(static_cast<std::uint8_t>(v));
    return rgb;
}

TEST_F(Png, ReadsWhatWasWritten) {
    for (const auto& [width, height] : {std::pair{1, 1}, std::pair{7, 3}, std::pair{640, 361}}) {
        const auto rgb = pattern(width, height);
        ASSERT_TRUE(write_png(file(), width, height, rgb));
        const auto back = read_png(file());
        ASSERT_TRUE(back);
        EXPECT_EQ(back.value().width, width);
        EXPECT_EQ(back.value().height, height);
        EXPECT_EQ(back.value().rgb, rgb);
        EXPECT_FALSE(fs::exists(partial_path(file())));
    }
}

// The same bytes another time, and nothing in them that tells when.
TEST_F(Png, SamePixelsSameBytes) {
    ASSERT_TRUE(write_png(file("a.png"), 50, 40, pattern(50, 40)));
    ::sleep(1);
    ASSERT_TRUE(write_png(file("b.png"), 50, 40, pattern(50, 40)));
    const std::string bytes = bytes_of(file("a.png"));
    EXPECT_EQ(bytes, bytes_of(file("b.png")));
    EXPECT_NE(bytes.find("sRGB"), std::string::npos);
    EXPECT_EQ(bytes.find("tIME"), std::string::npos);
    EXPECT_EQ(bytes.find("tEXt"), std::string::npos);
}

TEST_F(Png, SaysWhichFolderIsMissing) {
    const auto written = write_png(file("nowhere/picture.png"), 2, 2, pattern(2, 2));
    ASSERT_FALSE(written);
    EXPECT_NE(written.errors().text().find("nowhere/picture.png"), std::string::npos);
    EXPECT_FALSE(read_png(file("nothing.png")));
}

// A full disk is told, and what stood there before is still whole.
TEST_F(Png, AFullDiskIsTold) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    ASSERT_TRUE(write_png(file(), 5, 5, pattern(5, 5)));
    const std::string before = bytes_of(file());
    fs::create_symlink("/dev/full", partial_path(file()));
    const auto written = write_png(file(), 300, 300, pattern(300, 300));
    ASSERT_FALSE(written);
    EXPECT_NE(written.errors().text().find("No space left"), std::string::npos) << written.errors().text();
    EXPECT_EQ(bytes_of(file()), before);
}

TEST_F(Png, DamagedPicturesAreErrors) {
    ASSERT_TRUE(write_png(file(), 60, 60, pattern(60, 60)));
    const std::string whole = bytes_of(file());
    const auto expect_refused = [&](const std::string& bytes, const char* why) {
        std::ofstream(file("bad.png"), std::ios::binary) << bytes;
        EXPECT_FALSE(read_png(file("bad.png"))) << why;
    };
    expect_refused("", "empty");
    expect_refused("not a picture at all", "text");
    expect_refused(whole.substr(0, whole.size() / 2), "cut off");
    std::string flipped = whole;
    flipped[whole.size() / 2] = static_cast<char>(~flipped[whole.size() / 2]);
    expect_refused(flipped, "a wrong byte");
}

}  // namespace
}  // namespace spindrift
