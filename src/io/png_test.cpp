// SPDX-License-Identifier: Apache-2.0
#include "io/png.h"

#include <array>
#include <fstream>
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

// The numbers of a 16-bit file are taken as they are, although it states a gamma.
TEST_F(Png, ReadsGreyOfSixteenBits) {
    constexpr std::array<unsigned char, 95> kGrey{
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
        0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x02, 0x10, 0x00, 0x00, 0x00, 0x00, 0xe8, 0x8f, 0xe5,
        0x85, 0x00, 0x00, 0x00, 0x04, 0x67, 0x41, 0x4d, 0x41, 0x00, 0x01, 0x86, 0xa0, 0x31, 0xe8, 0x96,
        0x5f, 0x00, 0x00, 0x00, 0x16, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x60, 0x60, 0x60, 0x60,
        0xfc, 0xff, 0x9f, 0x81, 0x91, 0x61, 0x8e, 0x03, 0x13, 0x23, 0x00, 0x14, 0x42, 0x02, 0xe0, 0x77,
        0x0e, 0x6b, 0xe1, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    std::ofstream(file(), std::ios::binary).write(reinterpret_cast<const char*>(kGrey.data()), kGrey.size());
    const auto grey = read_png_grey(file(), 3);
    ASSERT_TRUE(grey) << grey.errors().text();
    EXPECT_EQ(grey.value().width, 3);
    EXPECT_EQ(grey.value().height, 2);
    EXPECT_EQ(grey.value().values, (std::vector<std::uint16_t>{0, 1, 65535, 256, 40000, 513}));
    const auto refused = read_png_grey(file(), 2);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.errors().text().find("3 × 2 pixels; 2 along a side"), std::string::npos);
}

// Colours by their luminance, 8 bits over the range of 16.
TEST_F(Png, ReadsColoursAsGrey) {
    const std::vector<std::uint8_t> rgb{0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255, 128, 128, 128};
    ASSERT_TRUE(write_png(file(), 6, 1, rgb));
    const auto grey = read_png_grey(file(), 64);
    ASSERT_TRUE(grey);
    EXPECT_EQ(grey.value().values, (std::vector<std::uint16_t>{0, 65535, 13933, 46871, 4732, 32896}));
    std::ofstream(file(), std::ios::binary) << "not a picture at all";
    EXPECT_FALSE(read_png_grey(file(), 64));
    EXPECT_FALSE(read_png_grey(file("nothing.png"), 64));
}

}  // namespace
}  // namespace spindrift
