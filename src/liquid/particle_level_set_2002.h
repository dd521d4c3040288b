// SPDX-License-Identifier: Apache-2.0
// The method "particle-level-set-2002": a free-surface liquid whose surface is a signed distance, corrected by
// particles on both sides of it [EMF02].  Without particles it is the method "level-set".
#pragma once

#include "liquid/liquid_method.h"

namespace spindrift {

template <int Dim>
class ParticleLevelSet2002 final : public LiquidMethod<Dim> {
  public:
    using LiquidMethod<Dim>::LiquidMethod;
    StepReport step(LiquidState<Dim>& liquid, double dt) override;

  private:
    using LiquidMethod<Dim>::domain_;
    using LiquidMethod<Dim>::solver_;
    void advance_surface(LiquidState<Dim>& liquid, double dt, StepReport& report) override;
};

extern template class ParticleLevelSet2002<2>;
extern template class ParticleLevelSet2002<3>;

}  // namespace spindrift
