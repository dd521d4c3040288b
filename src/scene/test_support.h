// SPDX-License-Identifier: Apache-2.0
// For tests of scene files.
#pragma once

#include <cstdint>
#include <string>

#include "base/random.h"

namespace spindrift {

// The text with one to four small accidents: a byte changed, put in or lost, a piece doubled.
inline std::string mutated(std::string text, Random& rng) {
    static const std::string kBytes = "[]{}=\"'.,#\n\t -+e0179xyzt_()?:\\\xc3\xff";
    const auto any_below = [&rng](std::size_t n) { return rng.uniform_int(static_cast<std::uint32_t>(n)); };
    const std::uint32_t accidents = 1 + any_below(4);
    for (std::uint32_t i = 0; i < accidents && !text.empty(); ++i) {
        const std::size_t at = any_below(text.size());
        const std::size_t length = any_below(20);
        const char byte = kBytes[any_below(kBytes.size())];
        switch (any_below(4)) {
            case 0: text[at] = byte; break;
            case 1: text.insert(at, 1, byte); break;
            case 2: text.erase(at, length); break;
            default: text.insert(at, text.substr(any_below(text.size()), length));
        }
    }
    return text;
}

}  // namespace spindrift
