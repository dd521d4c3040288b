// SPDX-License-Identifier: Apache-2.0
// Films: frames piped to the program ffmpeg, which makes H.264 in MP4 of them that every player shows (yuv420p, Rec.
// 709, index at the front).  Nothing goes through a shell.
//
//   auto film = Film::open("drop.mp4", {.width = 960, .height = 540, .fps = 24});
//   if (!film) return film.errors();
//   for (…) if (auto added = film.value().add(srgb8(image, Dither::on)); !added) return added;
//   return film.value().finish();
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "base/result.h"

namespace spindrift {

struct FilmFormat {
    int width = 960;  // pixels; odd sizes get one more row or column, as yuv420p needs
    int height = 540;
    double fps = 24;                          // frames per second
    int quality = 18;                         // x264's constant rate factor: 0 is lossless, 18 looks so, 30 is coarse
    std::filesystem::path ffmpeg = "ffmpeg";  // found on the PATH when it has no folder
};

// The file has its name only after finish(); a film given up before leaves nothing behind.
class Film {
  public:
    static Result<Film> open(const std::filesystem::path& path, const FilmFormat& format);
    Film(Film&&) noexcept;
    Film& operator=(Film&&) noexcept;
    ~Film();

    // Three bytes per pixel, row by row from the top, sRGB.
    Result<void> add(std::span<const std::uint8_t> rgb);
    Result<void> finish();

  private:
    struct Pipe;
    explicit Film(std::unique_ptr<Pipe> pipe);
    std::unique_ptr<Pipe> pipe_;
};

// A film of pictures in files, in this order.  The format's size is that of the first; all must have it.
Result<void> film_from_pngs(const std::filesystem::path& path, std::span<const std::filesystem::path> frames,
                            FilmFormat format);

}  // namespace spindrift
