// SPDX-License-Identifier: Apache-2.0
// Control through the air: beyond the surface the velocity need not be the liquid's own.  [EMF02 §3.3]
//
//   u = (1 − α) u_extrapolated + α u_wind
//
// The liquid feels it through what is carried across its surface.  A wind of zero calms it.
#pragma once

#include <functional>
#include <vector>

#include "grid/field.h"
#include "grid/transform.h"

namespace spindrift {

template <int Dim>
struct Wind {
    std::function<double(const Vec<double, Dim>&, double time)> strength;            // α, 0 to 1
    std::function<Vec<double, Dim>(const Vec<double, Dim>&, double time)> velocity;  // m/s
    std::function<double(const Vec<double, Dim>&)> region;  // m, negative inside; empty: everywhere
};

// Mixes the winds, one after the other, into the velocity on faces outside the liquid, up to `layers` cells from it.
template <int Dim>
void blow(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const std::vector<Wind<Dim>>& winds,
          const GridTransform<Dim>& grid, double time, int layers);

}  // namespace spindrift
