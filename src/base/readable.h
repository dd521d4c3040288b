// SPDX-License-Identifier: Apache-2.0
// Quantities as people read them.
#pragma once

#include <string>
#include <string_view>

namespace spindrift {

// "1.5 GiB"
std::string bytes_text(double bytes);

// "2 h 5 min"
std::string duration_text(double seconds);

// "1 cell", "3 cells"
std::string count_text(long long count, std::string_view one);

// "1220", "25 thousand", "1.3 million"
std::string rounded_text(double count);

}  // namespace spindrift
