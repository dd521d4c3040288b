// SPDX-License-Identifier: Apache-2.0
#include "products/spray_file.h"

#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "io/whole_file.h"

namespace spindrift {
namespace {

static_assert(std::endian::native == std::endian::little, "the file says little_endian");

template <class T>
void put(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
template <int Dim>
void put(std::string& bytes, const Vec<double, Dim>& v) {
    for (int axis = 0; axis < 3; ++axis) put(bytes, axis < Dim ? static_cast<float>(v[axis]) : 0.0F);
}

template <class T>
T take(std::string_view& bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
    return value;
}
template <int Dim>
Vec<double, Dim> take_vector(std::string_view& bytes) {
    Vec<double, Dim> v;
    for (int axis = 0; axis < 3; ++axis) {
        const auto value = take<float>(bytes);
        if (axis < Dim) v[axis] = value;
    }
    return v;
}

enum class Volumes { none, written };

constexpr std::size_t drop_bytes(Volumes volumes) {
    return (volumes == Volumes::written ? 8 : 7) * sizeof(float) + sizeof(std::uint32_t);
}

std::string header(std::size_t count, Volumes volumes) {
    std::string text = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment metres, metres per second\nelement vertex {}\n", count);
    for (const char* name : {"x", "y", "z", "vx", "vy", "vz", "radius"})
        text += fmt::format("property float {}\n", name);
    if (volumes == Volumes::written) text += "property float volume\n";
    return text + "property uint id\nend_header\n";
}

}  // namespace

template <int Dim>
Result<void> write_spray(const std::filesystem::path& file, const std::vector<SprayDrop<Dim>>& drops) {
    std::string bytes = header(drops.size(), Volumes::written);
    bytes.reserve(bytes.size() + drop_bytes(Volumes::written) * drops.size());
    for (const SprayDrop<Dim>& drop : drops) {
        put(bytes, drop.position);
        put(bytes, drop.velocity);
        put(bytes, static_cast<float>(drop.radius));
        put(bytes, static_cast<float>(drop.volume));
        put(bytes, drop.id);
    }
    return write_text_file(file, bytes);
}

template <int Dim>
Result<std::vector<SprayDrop<Dim>>> read_spray(const std::filesystem::path& file) {
    const auto text = read_text_file(file);
    if (!text) return text.errors();
    std::string_view bytes = text.value();

    // Nothing else looks like this: the number of drops follows from the length, and the header from the number.
    constexpr std::string_view kEnd = "end_header\n";
    const std::size_t end = bytes.find(kEnd);
    const std::size_t start = end == std::string_view::npos ? bytes.size() : end + kEnd.size();
    const bool has_volumes = bytes.substr(0, start).find(" volume\n") != std::string_view::npos;
    const Volumes volumes = has_volumes ? Volumes::written : Volumes::none;
    const std::size_t count = (bytes.size() - start) / drop_bytes(volumes);
    const std::string expected = header(count, volumes);
    if (bytes.substr(0, start) != expected || bytes.size() != start + count * drop_bytes(volumes))
        return Error{.what = "is no file of spray, or is damaged",
                     .remedy = "`spindrift verify` tells which files of a run are damaged; make them again with --from",
                     .where = {.file = file.string()}};
    bytes.remove_prefix(start);

    std::vector<SprayDrop<Dim>> drops(count);
    for (SprayDrop<Dim>& drop : drops) {
        drop.position = take_vector<Dim>(bytes);
        drop.velocity = take_vector<Dim>(bytes);
        drop.radius = take<float>(bytes);
        if (has_volumes) drop.volume = take<float>(bytes);
        drop.id = take<std::uint32_t>(bytes);
    }
    return drops;
}

#define INSTANTIATE(Dim)                                                                                 \
    template Result<void> write_spray(const std::filesystem::path&, const std::vector<SprayDrop<Dim>>&); \
    template Result<std::vector<SprayDrop<Dim>>> read_spray(const std::filesystem::path&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
