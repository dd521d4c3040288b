// SPDX-License-Identifier: Apache-2.0
// Spray, foam and bubbles of a scene; part of description.h.
#pragma once

#include <cstdint>
#include <optional>

namespace spindrift::scene {

// Made from the liquid's motion, which it does not change.
struct Whitewater {
    double amount = 0;
    double min_speed = 1;
    double lifetime = 2;
    std::optional<double> radius{};
    double drag = 1;
    int most = 200000;
    std::uint64_t seed = 1;
    bool is_there() const { return amount > 0; }
    friend bool operator==(const Whitewater&, const Whitewater&) = default;
};

}  // namespace spindrift::scene
