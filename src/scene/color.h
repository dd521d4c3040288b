// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/vec.h"

namespace spindrift::scene {

// Linear, relative to white; not limited to 1, for lights.
struct Color {
    Vec<double, 3> rgb{};
    friend bool operator==(const Color&, const Color&) = default;
};

}  // namespace spindrift::scene
