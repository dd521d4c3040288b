// SPDX-License-Identifier: Apache-2.0
// Spray as pictures show it.  A drop of the simulation may stand for many: it is drawn as a cloud of some, each of them
// for its share of the many.
#pragma once

#include <vector>

#include "liquid/spray.h"
#include "render/drop.h"

namespace spindrift {

// As floats, which files of spray hold; within the container along axes that repeat with a period, in tiles.
template <int Dim>
std::vector<Drop<Dim>> shown_drops(const Spray<Dim>& spray, const Box<double, Dim>& container,
                                   const Index<Dim>& period);

}  // namespace spindrift
