// SPDX-License-Identifier: Apache-2.0
// A surface in a given flow, as a run: scenes with a [flow].
#pragma once

#include "liquid/given_flow.h"
#include "session/surface_simulation.h"
#include "setup/liquid_scene.h"

namespace spindrift {

template <int Dim>
class FlowSimulation : public SurfaceSimulation<Dim> {
  public:
    FlowSimulation(SceneDescription scene, LiquidScene<Dim> start);

    double stable_dt() const override { return method_.stable_dt(this->liquid_); }
    std::string step_limit() const override { return "the speed of the given flow"; }
    StepReport advance(double dt) override { return method_.step(this->liquid_, dt); }
    StepReport measures() const override;
    const World<Dim>& world() const override { return method_.world(); }

  private:
    GivenFlow<Dim> method_;
};

}  // namespace spindrift
