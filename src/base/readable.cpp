// SPDX-License-Identifier: Apache-2.0
#include "base/readable.h"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace spindrift {

std::string bytes_text(double bytes) {
    const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (; bytes >= 1000 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
    return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 100 ? 0 : 1, units[unit]);
}

std::string duration_text(double seconds) {
    if (seconds < 1) return fmt::format("{:.2f} s", seconds);
    if (seconds < 10) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<long long>(std::llround(seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string count_text(long long count, std::string_view one) {
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string rounded_text(double count) {
    if (count < 9999.5) return fmt::format("{:.0f}", count);
    const char* names[] = {"thousand", "million", "billion"};
    std::size_t name = 0;
    for (count /= 1000; count >= 999.5 && name + 1 < std::size(names); ++name) count /= 1000;
    return fmt::format("{:.{}f} {}", count, count < 9.95 ? 1 : 0, names[name]);
}

}  // namespace spindrift
