// SPDX-License-Identifier: Apache-2.0
// Small copies of pictures.
#pragma once

#include "io/png.h"

namespace spindrift {

// Averages of n × n pixels, with the largest n that leaves at least `width` across; what does not fill a square at the
// edges is cut off.
Pixels8 thumbnail(const Pixels8& in, int width);

}  // namespace spindrift
