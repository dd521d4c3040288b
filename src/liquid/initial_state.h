// SPDX-License-Identifier: Apache-2.0
// A liquid at time 0.
#pragma once

#include <functional>

#include "liquid/domain.h"

namespace spindrift {

// The liquid where `distance` (m, world positions) is negative, moving with `velocity`.
template <int Dim>
LiquidState<Dim> initial_state(LiquidDomain<Dim>& domain,
                               const std::function<double(const Vec<double, Dim>&)>& distance,
                               const std::function<Vec<double, Dim>(const Vec<double, Dim>&)>& velocity);

}  // namespace spindrift
