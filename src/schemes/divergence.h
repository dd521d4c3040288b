// SPDX-License-Identifier: Apache-2.0
// The two halves of every projection, for liquids and gases: the divergence that is taken out of a velocity, and the
// gradient of what takes it out.  With  q = p dt / (ρ dx),  a velocity, over the faces of a cell with a pressure:
//
//   outflow     Σ ± (open u + (1 − open) u_wall)          no flow through the closed part of a face [Batty07, Ng09]
//   gradient    u −= q_i − q_below,   or ± (q_i − q_surface) / θ  where the surface lies θ away [Gibou02]
//
// There is a pressure where the level is negative: in a liquid that is φ, in a gas that fills its domain −1, with 1 in
// open cells, half way to which the pressure is that of the air outside (θ = 1/2).  `plain` tiles, where they are
// known, have nothing but open faces and such cells in them and beside them, so nothing of this need be read.
#pragma once

#include <span>

#include "grid/beside.h"
#include "linear/poisson.h"
#include "schemes/boundary.h"

namespace spindrift {

// Times dx, of every cell with a pressure; 0 in others.
template <int Dim>
Field<float, Dim> outflow(const FaceField<Dim>& velocity, const Field<float, Dim>& level, const Boundary<Dim>& boundary,
                          std::span<const std::uint8_t> plain = {});

// The pressure on the surface of a liquid, as q, between a liquid cell and one beyond: 0, or linear between what the
// cells have.
template <int Dim>
class SurfacePressure {
  public:
    SurfacePressure(const Field<float, Dim>* field, float to_q) : field_(field), to_q_(to_q) {}
    bool given() const { return field_ != nullptr; }

    class InTile {
      public:
        InTile(const Field<float, Dim>* field, Slot slot, int axis, float to_q) : to_q_(to_q) {
            if (field == nullptr) return;
            own_ = field->tile(slot);
            below_ = values_below(*field, slot, axis);
            above_ = values_above(*field, slot, axis);
        }
        // Of the face below `cell`; theta is counted from the liquid cell, which may lie on either side.
        float below(int cell, float theta, bool liquid_here) const {
            if (own_ == nullptr) return 0;
            const float here = own_[cell], there = below_[cell];
            return to_q_ * (liquid_here ? here + theta * (there - here) : there + theta * (here - there));
        }
        float above(int cell, float theta) const {
            if (own_ == nullptr) return 0;
            const float here = own_[cell], there = above_[cell];
            return to_q_ * (here + theta * (there - here));
        }

      private:
        const float* own_ = nullptr;
        TileValues<Dim> below_, above_;
        float to_q_;
    };
    InTile in_tile(Slot slot, int axis) const { return InTile(field_, slot, axis, to_q_); }

  private:
    const Field<float, Dim>* field_;
    float to_q_;
};

// Whether some cell and the one beside it lie on different sides of the surface.
template <int Dim>
bool surface_between(const float* level, const TileValues<Dim>& beside) {
    int crossings = 0;
    for (int n = 0; n < kTileCells<Dim>; ++n) crossings += (level[n] < 0) != (beside[n] < 0) ? 1 : 0;
    return crossings > 0;
}

template <int Dim>
struct GradientOptions {
    const SurfacePressure<Dim>* surface = nullptr;  // none: zero
    float part = 1;                                 // of the gradient
    std::span<const std::uint8_t> plain{};
};

// On the open faces of cells with a pressure.
template <int Dim>
void subtract_gradient(FaceField<Dim>& velocity, const Field<float, Dim>& q, const Field<float, Dim>& level,
                       const FaceField<Dim>& open, const GradientOptions<Dim>& options = {});

}  // namespace spindrift
