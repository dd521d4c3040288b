// SPDX-License-Identifier: Apache-2.0
// A liquid in a run: the methods level-set, particle-level-set-2002 and foster-fedkiw-2001 in 2D and 3D.
#pragma once

#include <memory>

#include "liquid/liquid_method.h"
#include "session/surface_simulation.h"
#include "setup/liquid_scene.h"

namespace spindrift {

template <int Dim>
class LiquidSimulation : public SurfaceSimulation<Dim> {
  public:
    LiquidSimulation(SceneDescription scene, LiquidScene<Dim> start);

    double stable_dt() const override { return method_->stable_dt(this->liquid_); }
    std::string step_limit() const override { return std::string(method_->step_limit(this->liquid_).cause); }
    StepReport advance(double dt) override;
    StepReport measures() const override;
    bool shows_between_steps() const override { return true; }
    StepReport show(double time) override;
    std::vector<SubstanceAmount> amounts() const override;
    const World<Dim>& world() const override { return method_->world(); }

  private:
    std::unique_ptr<LiquidMethod<Dim>> method_;
    StepReport last_;        // of the last step,
    double last_time_ = -1;  // which ended then, s
};

}  // namespace spindrift
