// SPDX-License-Identifier: Apache-2.0
// The method "foster-fedkiw-2001": a free-surface liquid whose surface is a level set and particles inside it [FF01].
#pragma once

#include "liquid/liquid_method.h"

namespace spindrift {

template <int Dim>
class FosterFedkiw2001 final : public LiquidMethod<Dim> {
  public:
    // With `settings.particles` by hybrid_surface().
    using LiquidMethod<Dim>::LiquidMethod;
    StepReport step(LiquidState<Dim>& liquid, double dt) override;

  private:
    using LiquidMethod<Dim>::domain_;
    using LiquidMethod<Dim>::solver_;
    void advance_surface(LiquidState<Dim>& liquid, double dt, StepReport& report) override;
};

extern template class FosterFedkiw2001<2>;
extern template class FosterFedkiw2001<3>;

}  // namespace spindrift
