// SPDX-License-Identifier: Apache-2.0
// What a random scene is like on the whole, drawn before its settings.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/random.h"
#include "scene/description.h"

namespace spindrift::fuzz {

using scene::Vec3;

// Random numbers of one setting.
class Dice {
  public:
    Dice(std::uint64_t id, std::uint32_t attempt, std::string_view path)
        : rng_(id, hash_bytes(std::as_bytes(std::span(path))), attempt, Purpose("random scenes")) {}

    double between(double lo, double hi) { return lo + (hi - lo) * rng_.uniform(); }
    double power(double lo, double hi) { return std::pow(10.0, between(lo, hi)); }
    bool chance(double p) { return rng_.uniform() < p; }
    int below(int n) { return static_cast<int>(rng_.uniform_int(static_cast<std::uint32_t>(n))); }
    int from_to(int lo, int hi) { return lo + below(hi - lo + 1); }
    template <class List>
    auto any(const List& list) {
        return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
    }

  private:
    Random rng_;
};

// What all settings must agree on for the scene to be valid, small and worth running.
struct Plan {
    int dim = 2;
    scene::Method method{};
    bool is_gas = false;
    bool has_flow = false;
    bool z_up = false;
    Index<3> cells{1, 1, 1};
    double dx = 0;
    Vec3 size{}, origin{};
    std::array<scene::SideKind, 6> sides{};
    double fps = 0;
    int frames = 0;
    int substances = 0;
    int components = 0;  // of a mixture, besides the first

    double longest() const { return std::max({size[0], size[1], size[2]}); }
    double speed() const { return is_gas ? longest() : std::sqrt(9.81 * longest()); }  // m/s
    double end() const { return frames / fps; }                                        // s
};

Plan planned_scene(std::uint64_t id, std::uint32_t attempt);

// Probes that are valid in any domain: totals, and the flux through its middle.
std::string planned_probes(std::uint64_t id, std::uint32_t attempt, const Plan& plan);

}  // namespace spindrift::fuzz
