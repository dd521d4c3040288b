// SPDX-License-Identifier: Apache-2.0
#include "base/setting.h"

#include <cmath>

#include <fmt/format.h>

namespace spindrift {

std::string range_text(const Setting& s) {
    const std::string unit = s.unit.empty() ? "" : fmt::format(" {}", s.unit);
    const bool below = std::isfinite(s.to);
    if (std::isfinite(s.above))
        return below ? fmt::format("above {} and at most {}{}", s.above, s.to, unit)
                     : fmt::format("above {}{}", s.above, unit);
    if (std::isfinite(s.from))
        return below ? fmt::format("from {} to {}{}", s.from, s.to, unit) : fmt::format("{}{} or more", s.from, unit);
    return below ? fmt::format("at most {}{}", s.to, unit) : "";
}

}  // namespace spindrift
