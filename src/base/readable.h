// SPDX-License-Identifier: Apache-2.0
// Quantities as people read them.
#pragma once

#include <string>

namespace spindrift {

// "1.5 GiB"
std::string bytes_text(double bytes);

// "2 h 5 min"
std::string duration_text(double seconds);

}  // namespace spindrift
