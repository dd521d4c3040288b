// SPDX-License-Identifier: Apache-2.0
#include "io/film.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/test_folder.h"
#include "io/png.h"
#include "io/safe_file.h"

namespace spindrift {
namespace {

namespace fs = std::filesystem;

bool has_ffmpeg() { return std::system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") == 0; }
#define NEED_FFMPEG() ASSERT_TRUE(has_ffmpeg()) << "ffmpeg is missing: make deps"

class FilmTest : public TestFolder {
  protected:
    fs::path file(const std::string& name = "film.mp4") const { return TestFolder::file(name); }
};

// A bright square that moves.
std::vector<std::uint8_t> frame(int width, int height, int number) {
    std::vector<std::uint8_t> rgb(static_cast<std::size_t>(width * height * 3), 40);
    for (int y = 4; y < 12; ++y)
        for (int x = 4 + 3 * number; x < 12 + 3 * number; ++x) rgb[static_cast<std::size_t>((y * width + x) * 3)] = 230;
    return rgb;
}

Result<void> make_film(const fs::path& path, const FilmFormat& format, int frames) {
    auto film = Film::open(path, format);
    if (!film) return film.errors();
    for (int i = 0; i < frames; ++i)
        if (auto added = film.value().add(frame(format.width, format.height, i)); !added) return added;
    return film.value().finish();
}

// "width,height,pix_fmt,avg_frame_rate,nb_read_frames" of the first video stream.
std::string probe(const fs::path& path) {
    const std::string command = fmt::format(
        "ffprobe -v error -count_frames -select_streams v:0 -of csv=p=0 -show_entries "
        "stream=codec_name,width,height,pix_fmt,avg_frame_rate,nb_read_frames '{}'",
        path.string());
    std::string out;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::array<char, 256> line;
    while (std::fgets(line.data(), line.size(), pipe) != nullptr) out += line.data();
    ::pclose(pipe);
    while (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
}

TEST_F(FilmTest, HoldsItsFrames) {
    NEED_FFMPEG();
    const auto made = make_film(file(), {.width = 96, .height = 64, .fps = 24}, 5);
    ASSERT_TRUE(made) << made.errors().text();
    EXPECT_EQ(probe(file()), "h264,96,64,yuv420p,24/1,5");
    EXPECT_FALSE(fs::exists(partial_path(file())));
    // The index stands before the frames, so that a browser can begin at once.
    const std::string bytes = bytes_of(file());
    EXPECT_LT(bytes.find("moov"), bytes.find("mdat"));
}

TEST_F(FilmTest, OddSizesArePadded) {
    NEED_FFMPEG();
    ASSERT_TRUE(make_film(file(), {.width = 61, .height = 33, .fps = 30}, 3));
    EXPECT_EQ(probe(file()), "h264,62,34,yuv420p,30/1,3");
}

TEST_F(FilmTest, SameFramesSameBytes) {
    NEED_FFMPEG();
    ASSERT_TRUE(make_film(file("a.mp4"), {.width = 96, .height = 64}, 6));
    ASSERT_TRUE(make_film(file("b.mp4"), {.width = 96, .height = 64}, 6));
    EXPECT_EQ(bytes_of(file("a.mp4")), bytes_of(file("b.mp4")));
}

// Names that a shell or ffmpeg could take for something else.
TEST_F(FilmTest, AnyNameWillDo) {
    NEED_FFMPEG();
    for (const char* name : {"a b;touch pwned;.mp4", "$(touch pwned).mp4", "-y.mp4", "http:x.mp4", "100%d.mp4"}) {
        const auto made = make_film(file(name), {.width = 48, .height = 48}, 2);
        EXPECT_TRUE(made) << name;
        EXPECT_GT(fs::file_size(file(name)), 100u) << name;
    }
    EXPECT_FALSE(fs::exists(file("pwned")) || fs::exists("pwned"));
}

TEST_F(FilmTest, OfPicturesInFiles) {
    NEED_FFMPEG();
    std::vector<fs::path> frames;
    for (int i = 0; i < 5; ++i) {
        frames.push_back(file(fmt::format("frame.{:04}.png", i + 1)));
        ASSERT_TRUE(write_png(frames.back(), 96, 64, frame(96, 64, i)));
    }
    const auto made = film_from_pngs(file(), frames, {.fps = 25});
    ASSERT_TRUE(made) << made.errors().text();
    EXPECT_EQ(probe(file()), "h264,96,64,yuv420p,25/1,5");

    // One of another size is named, and the film that was there stays.
    const std::string before = bytes_of(file());
    ASSERT_TRUE(write_png(frames[3], 48, 64, frame(48, 64, 3)));
    const auto refused = film_from_pngs(file(), frames, {.fps = 25});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.errors().text().find("frame.0004.png"), std::string::npos);
    EXPECT_EQ(bytes_of(file()), before);
    EXPECT_FALSE(fs::exists(partial_path(file())));
    EXPECT_FALSE(film_from_pngs(file("none.mp4"), {}, {}));
}

TEST_F(FilmTest, AMissingProgramIsTold) {
    const auto made = make_film(file(), {.width = 48, .height = 48, .ffmpeg = "/nowhere/ffmpeg"}, 2);
    ASSERT_FALSE(made);
    EXPECT_NE(made.errors().text().find("install ffmpeg"), std::string::npos) << made.errors().text();
    EXPECT_FALSE(fs::exists(file()) || fs::exists(partial_path(file())));
}

// Its last words are handed on, whether it ends before or after the frames are written.
TEST_F(FilmTest, AFailureIsToldInTheProgramsWords) {
    NEED_FFMPEG();
    for (const int frames : {1, 60}) {
        const auto made = make_film(file("nowhere/film.mp4"), {.width = 400, .height = 300}, frames);
        ASSERT_FALSE(made);
        EXPECT_NE(made.errors().text().find("No such file or directory"), std::string::npos) << made.errors().text();
    }
}

TEST_F(FilmTest, AFilmWithoutFramesIsNone) {
    NEED_FFMPEG();
    EXPECT_FALSE(make_film(file(), {.width = 48, .height = 48}, 0));
    EXPECT_FALSE(fs::exists(file()) || fs::exists(partial_path(file())));
}

TEST_F(FilmTest, GivenUpItLeavesNothing) {
    NEED_FFMPEG();
    {
        auto film = Film::open(file(), {.width = 96, .height = 64});
        ASSERT_TRUE(film);
        ASSERT_TRUE(film.value().add(frame(96, 64, 0)));
    }
    EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace spindrift
