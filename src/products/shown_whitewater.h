// SPDX-License-Identifier: Apache-2.0
// Whitewater as pictures show it: spray and foam are white, bubbles white specks within the liquid.
#pragma once

#include <vector>

#include "liquid/whitewater.h"
#include "render/drop.h"

namespace spindrift {

// Added to the drops there are; those that are about to vanish become smaller.
template <int Dim>
void add_shown_whitewater(std::vector<Drop<Dim>>& drops, const Whitewater<Dim>& whitewater);

}  // namespace spindrift
