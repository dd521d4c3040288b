// SPDX-License-Identifier: Apache-2.0
#include "session/report/pictures.h"

#include <algorithm>

#include <fmt/format.h>

#include "io/png.h"
#include "session/report/html.h"
#include "session/report/thumbnail.h"

namespace spindrift {
namespace {

// As many as fit side by side.
constexpr std::size_t kPictures = 6;
constexpr int kPictureWidth = 480;

// A larger film stays beside the report: browsers are slow with pages of many megabytes.
constexpr std::uint64_t kLargestFilm = std::uint64_t{24} << 20;

struct Picture {
    const FrameRecord* frame;
    const FileRecord* file;
};

std::vector<Picture> pictures_of(const Manifest& manifest) {
    std::vector<Picture> all;
    for (const FrameRecord& frame : manifest.frames)
        for (const FileRecord& file : frame.files)
            if (file.path.starts_with("images/")) all.push_back({&frame, &file});
    return all;
}

// First, last, and evenly between.
std::vector<Picture> some_of(const std::vector<Picture>& all) {
    if (all.size() <= kPictures) return all;
    std::vector<Picture> some;
    for (std::size_t i = 0; i < kPictures; ++i) some.push_back(all[i * (all.size() - 1) / (kPictures - 1)]);
    return some;
}

std::string picture_figure(const std::filesystem::path& folder, const Picture& picture) {
    const auto pixels = read_png(folder / picture.file->path);
    if (!pixels) return "";
    const Pixels8 small = thumbnail(pixels.value(), kPictureWidth);
    return fmt::format(
        "<figure><img width=\"{}\" height=\"{}\" alt=\"frame {}\" src=\"{}\"><figcaption>frame {}, {:.2f} "
        "s</figcaption>"
        "</figure>\n",
        small.width, small.height, picture.frame->frame,
        html::data_uri("image/png", png_bytes(small.width, small.height, small.rgb)), picture.frame->frame,
        picture.frame->time);
}

std::string film_of(const std::filesystem::path& folder, const Manifest& manifest) {
    const auto film = std::find_if(manifest.products.begin(), manifest.products.end(),
                                   [](const FileRecord& file) { return file.path.ends_with(".mp4"); });
    if (film == manifest.products.end()) return "";
    std::string source = film->path;
    if (film->checksum.bytes <= kLargestFilm) {
        const auto bytes = read_text_file(folder / film->path);
        if (!bytes) return "";
        source = html::data_uri("video/mp4", bytes.value());
    }
    return fmt::format("<video controls loop muted autoplay playsinline src=\"{}\"></video>\n", html::escaped(source));
}

}  // namespace

std::string film_section(const std::filesystem::path& folder, const Manifest& manifest) {
    const std::string film = film_of(folder, manifest);
    std::string strip;
    for (const Picture& picture : some_of(pictures_of(manifest))) strip += picture_figure(folder, picture);
    if (film.empty() && strip.empty()) return "";
    return fmt::format("<section>\n<h2>{}</h2>\n{}<div class=\"strip\">\n{}</div>\n</section>\n",
                       film.empty() ? "Pictures" : "Film", film, strip);
}

}  // namespace spindrift
