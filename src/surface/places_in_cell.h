// SPDX-License-Identifier: Apache-2.0
// Places for new particles in a cell.
#pragma once

#include <array>
#include <cstdint>

#include "base/random.h"
#include "base/vec.h"

namespace spindrift {

// A cell's own number, for its random numbers.
template <int Dim>
std::uint64_t cell_id(const Index<Dim>& cell) {
    std::uint64_t id = 0;
    for (int a = 0; a < Dim; ++a) id = id << 21 | (static_cast<std::uint64_t>(cell[a]) & 0x1FFFFF);
    return id;
}

// Places in a cell, as many as one likes, none near another: steps of a Kronecker sequence from a random start.  Its
// steps are the powers of the inverse of the root of x^(Dim+1) = x + 1 [Roberts18].
template <int Dim>
class PlacesInCell {
  public:
    explicit PlacesInCell(Random& rng) {
        for (int a = 0; a < Dim; ++a) at_[a] = rng.uniform();
    }
    Vec<float, Dim> next() {
        constexpr std::array<float, 3> kSteps =
            Dim == 2 ? std::array{0.7548777F, 0.5698403F, 0.0F} : std::array{0.8191725F, 0.6710436F, 0.5497005F};
        for (int a = 0; a < Dim; ++a) {
            at_[a] += kSteps[static_cast<std::size_t>(a)];
            if (at_[a] >= 1) at_[a] -= 1;
        }
        return at_;
    }

  private:
    Vec<float, Dim> at_;
};

}  // namespace spindrift
