// SPDX-License-Identifier: Apache-2.0
#include "session/spray_file.h"

#include <bit>
#include <string>

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

}  // namespace

template <int Dim>
Result<void> write_spray(const std::filesystem::path& file, const std::vector<SprayDrop<Dim>>& drops) {
    std::string bytes = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment metres, metres per second\nelement vertex {}\n", drops.size());
    for (const char* name : {"x", "y", "z", "vx", "vy", "vz", "radius"})
        bytes += fmt::format("property float {}\n", name);
    bytes += "property uint id\nend_header\n";
    bytes.reserve(bytes.size() + 32 * drops.size());
    for (const SprayDrop<Dim>& drop : drops) {
        put(bytes, drop.position);
        put(bytes, drop.velocity);
        put(bytes, static_cast<float>(drop.radius));
        put(bytes, drop.id);
    }
    return write_text_file(file, bytes);
}

template Result<void> write_spray(const std::filesystem::path&, const std::vector<SprayDrop<2>>&);
template Result<void> write_spray(const std::filesystem::path&, const std::vector<SprayDrop<3>>&);

}  // namespace spindrift
