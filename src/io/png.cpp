// SPDX-License-Identifier: Apache-2.0
#include "io/png.h"

#include <bit>
#include <cerrno>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <png.h>

#include "base/check.h"
#include "io/safe_file.h"

namespace spindrift {
namespace {

// Level 4 takes half the time of zlib's usual 6 on rendered pictures, for files 3 % larger.
constexpr int kCompression = 4;

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

void keep_message(png_structp png, png_const_charp message) {
    *static_cast<std::string*>(png_get_error_ptr(png)) = message;
    png_longjmp(png, 1);
}
void ignore_warning(png_structp /*png*/, png_const_charp /*message*/) {}

// libpng reports failure by a jump back to here, so nothing in this function may need a destructor.
bool encode(std::FILE* file, int width, int height, const std::uint8_t* rgb, std::string& failure) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure, keep_message, ignore_warning);
    png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
    if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, file);
    png_set_compression_level(png, kCompression);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP | PNG_FILTER_PAETH);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int y = 0; y < height; ++y)
        png_write_row(png, rgb + static_cast<std::size_t>(y) * static_cast<std::size_t>(width) * 3);
    png_write_end(png, nullptr);
    png_destroy_write_struct(&png, &info);
    return true;
}

// The pixels of a picture as they are read: `channels` numbers each.
struct Decoded {
    int width = 0, height = 0, channels = 0;
    bool is_too_large = false;
    std::vector<std::uint16_t> values{};
    std::vector<png_bytep> rows{};
};

// As in encode().
bool decode(std::FILE* file, int most, Decoded& picture, std::string& failure) {
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure, keep_message, ignore_warning);
    png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
    if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
        png_destroy_read_struct(&png, &info, nullptr);
        return false;
    }
    png_init_io(png, file);
    png_read_info(png, info);
    picture.width = static_cast<int>(png_get_image_width(png, info));
    picture.height = static_cast<int>(png_get_image_height(png, info));
    picture.is_too_large = picture.width > most || picture.height > most;
    if (!picture.is_too_large) {
        png_set_expand_16(png);
        png_set_strip_alpha(png);
        if constexpr (std::endian::native == std::endian::little) png_set_swap(png);
        png_read_update_info(png, info);
        picture.channels = png_get_channels(png, info);
        const std::size_t row = static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.channels);
        picture.values.resize(row * static_cast<std::size_t>(picture.height));
        for (std::size_t y = 0; y < static_cast<std::size_t>(picture.height); ++y)
            picture.rows.push_back(reinterpret_cast<png_bytep>(&picture.values[y * row]));
        png_read_image(png, picture.rows.data());
        png_read_end(png, nullptr);
    }
    png_destroy_read_struct(&png, &info, nullptr);
    return true;
}

void check_size(int width, int height, std::span<const std::uint8_t> rgb) {
    CHECK(
        width > 0 && height > 0 && rgb.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3,
        "{} bytes for {} × {} pixels", rgb.size(), width, height);
}

}  // namespace

Result<void> write_png(const std::filesystem::path& path, int width, int height, std::span<const std::uint8_t> rgb) {
    check_size(width, height, rgb);
    const std::filesystem::path partial = partial_path(path);
    File file(std::fopen(partial.c_str(), "wb"));
    if (file == nullptr) return file_error(path, "cannot be written", errno);

    std::string failure;
    errno = 0;
    bool written = encode(file.get(), width, height, rgb.data(), failure);
    written = std::fflush(file.get()) == 0 && written;
    const int reason = errno;
    file.reset();
    if (!written) {
        std::error_code ignored;
        std::filesystem::remove(partial, ignored);
        if (reason != 0) return file_error(path, "cannot be written", reason);
        return Error{.what = fmt::format("cannot be written as PNG: {}", failure), .where = {.file = path.string()}};
    }
    return publish_file(partial, path);
}

std::string png_bytes(int width, int height, std::span<const std::uint8_t> rgb) {
    check_size(width, height, rgb);
    char* buffer = nullptr;
    std::size_t size = 0;
    File file(::open_memstream(&buffer, &size));
    std::string failure;
    const bool written = file != nullptr && encode(file.get(), width, height, rgb.data(), failure);
    file.reset();  // only now buffer and size are set
    std::string bytes = buffer == nullptr ? "" : std::string(buffer, size);
    std::free(buffer);
    if (!written) throw std::bad_alloc();  // nothing else can fail in memory
    return bytes;
}

Result<Pixels8> read_png(const std::filesystem::path& path) {
    const File file(std::fopen(path.c_str(), "rb"));
    if (file == nullptr) return file_error(path, "cannot be read", errno);

    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    const auto failed = [&] {
        Error error{.what = fmt::format("is not a whole PNG picture: {}", image.message),
                    .remedy = "make the picture again",
                    .where = {.file = path.string()}};
        png_image_free(&image);
        return error;
    };
    if (png_image_begin_read_from_stdio(&image, file.get()) == 0) return failed();
    image.format = PNG_FORMAT_RGB;
    Pixels8 pixels{static_cast<int>(image.width), static_cast<int>(image.height), {}};
    pixels.rgb.resize(PNG_IMAGE_SIZE(image));
    constexpr png_color kBlack{0, 0, 0};
    if (png_image_finish_read(&image, &kBlack, pixels.rgb.data(), 0, nullptr) == 0) return failed();
    return pixels;
}

Result<Grey16> read_png_grey(const std::filesystem::path& path, int most) {
    const File file(std::fopen(path.c_str(), "rb"));
    if (file == nullptr) return file_error(path, "cannot be read", errno);
    Decoded picture;
    std::string failure;
    if (!decode(file.get(), most, picture, failure))
        return Error{.what = fmt::format("is not a whole PNG picture: {}", failure),
                     .remedy = "make the picture again",
                     .where = {.file = path.string()}};
    if (picture.is_too_large)
        return Error{.what = fmt::format("has {} × {} pixels; {} along a side are the most", picture.width,
                                         picture.height, most),
                     .remedy = "make the picture smaller",
                     .where = {.file = path.string()}};
    Grey16 grey{picture.width, picture.height, {}};
    if (picture.channels == 1) {
        grey.values = std::move(picture.values);
        return grey;
    }
    grey.values.reserve(picture.values.size() / 3);
    for (std::size_t n = 0; n + 2 < picture.values.size(); n += 3)
        grey.values.push_back(static_cast<std::uint16_t>(
            std::lround(0.2126 * picture.values[n] + 0.7152 * picture.values[n + 1] + 0.0722 * picture.values[n + 2])));
    return grey;
}

}  // namespace spindrift
