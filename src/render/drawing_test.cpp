// SPDX-License-Identifier: Apache-2.0
#include "render/drawing.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

double ink(const Image& image) {
    double sum = 0;
    for (const Rgb& pixel : image.pixels) sum += pixel[0];
    return sum;
}

TEST(Drawing, BarsAndLinesCoverTheirArea) {
    Image bar(60, 40);
    draw_bar(bar, {3.25F, 5.5F}, {40.75F, 20.25F}, Rgb(1.0F));
    EXPECT_NEAR(ink(bar), 37.5 * 14.75, 1e-2);
    Image line(60, 40);
    draw_line(line, {10, 8}, {47, 33}, 3, Rgb(1.0F));
    EXPECT_NEAR(ink(line), 3 * std::hypot(37, 25) + 2.25 * 3.14159, 5);
}

TEST(Drawing, DiscsCoverTheirAreaHoweverSmall) {
    for (const float radius : {0.2F, 0.45F, 1.5F, 9.0F}) {
        Image disc(60, 40);
        draw_disc(disc, {30.5F, 20.5F}, radius, Rgb(1.0F));
        EXPECT_NEAR(ink(disc) / (3.14159 * radius * radius), 1, radius < 2 ? 0.3 : 0.01) << radius;
    }
}

TEST(Drawing, NothingHappensOutside) {
    Image image(10, 10);
    draw_bar(image, {-50, -50}, {-10, 80}, Rgb(1.0F));
    draw_line(image, {-5, 30}, {30, 30}, 2, Rgb(1.0F));
    draw_disc(image, {-30, 5}, 8, Rgb(1.0F));
    draw_text(image, 200, -30, 3, "outside", Rgb(1.0F));
    EXPECT_EQ(ink(image), 0);
    draw_text(image, -6, -6, 3, "across", Rgb(1.0F));
    EXPECT_GT(ink(image), 0);
}

// No two letters look the same, all are found, and what is unknown is a question mark.
TEST(Drawing, LettersDiffer) {
    std::set<std::vector<float>> seen;
    const auto drawn = [](const char* text) {
        Image image(text_width("x", 1), text_height(1));
        draw_text(image, 0, 0, 1, text, Rgb(1.0F));
        std::vector<float> dots;
        for (const Rgb& pixel : image.pixels) dots.push_back(pixel[0]);
        return dots;
    };
    for (const char c : std::string("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,:-+=/()%_*?! "))
        EXPECT_TRUE(seen.insert(drawn(std::string(1, c).c_str())).second) << c;
    EXPECT_EQ(drawn("~"), drawn("?"));
}

TEST(Drawing, TextIsAsWideAsItSays) {
    Image image(100, 20);
    draw_text(image, 0, 0, 2, "HH", Rgb(1.0F));
    int last = 0;
    for (int x = 0; x < image.width; ++x)
        for (int y = 0; y < image.height; ++y)
            if (image.at(x, y)[0] > 0) last = x;
    EXPECT_EQ(last + 1, text_width("HH", 2));
}

// Viridis grows brighter all the way: a grey copy still reads.
TEST(Drawing, ColoursAreInOrder) {
    for (int i = 0; i < 100; ++i)
        EXPECT_LT(luminance(viridis(static_cast<float>(i) / 100)), luminance(viridis(static_cast<float>(i + 1) / 100)));
    EXPECT_LT(cool_to_warm(0)[0], cool_to_warm(0)[2]);
    EXPECT_GT(cool_to_warm(1)[0], cool_to_warm(1)[2]);
    EXPECT_EQ(viridis(-3), viridis(0));
    EXPECT_EQ(viridis(7), viridis(1));
}

}  // namespace
}  // namespace spindrift
