// SPDX-License-Identifier: Apache-2.0
// A drop of spray, or a speck of foam, as pictures know it.  Floats, as files of spray hold them: a picture made from a
// file later is the same to the bit.
#pragma once

#include <cstdint>

#include "base/vec.h"

namespace spindrift {

enum class DropKind : std::uint8_t {
    water,
    foam,   // white, on water and in the air
    bubble  // white, in the water
};

template <int Dim>
struct Drop {
    Vec<float, Dim> position;    // m
    float radius = 0;            // m
    Vec<float, Dim> velocity{};  // m/s
    float count = 1;             // of such drops, where it stands for several too small to be seen one by one
    DropKind kind = DropKind::water;
};

}  // namespace spindrift
