// SPDX-License-Identifier: Apache-2.0
// A drop of spray as pictures know it.  Floats, as files of spray hold them: a picture made from a file later is the
// same to the bit.
#pragma once

#include "base/vec.h"

namespace spindrift {

template <int Dim>
struct Drop {
    Vec<float, Dim> position;    // m
    float radius = 0;            // m
    Vec<float, Dim> velocity{};  // m/s
    float count = 1;             // of such drops, where it stands for several too small to be seen one by one
};

}  // namespace spindrift
