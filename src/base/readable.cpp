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

}  // namespace spindrift
