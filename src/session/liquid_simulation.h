// SPDX-License-Identifier: Apache-2.0
// A liquid in a run: the method level-set in 2D and 3D.
#pragma once

#include "liquid/particle_level_set_2002.h"
#include "scene/description.h"
#include "session/liquid_outputs.h"
#include "session/liquid_scene.h"
#include "session/simulation.h"

namespace spindrift {

template <int Dim>
class LiquidSimulation : public Simulation {
  public:
    LiquidSimulation(SceneDescription scene, LiquidScene<Dim> start);

    double time() const override { return liquid_.time; }
    double stable_dt() const override { return method_.stable_dt(liquid_); }
    StepReport advance(double dt) override { return method_.step(liquid_, dt); }
    StepReport measures() const override;
    std::size_t particle_count() const override { return liquid_.particles.count() + liquid_.spray.size(); }

    void keep() override { kept_ = liquid_; }
    void go_back() override { liquid_ = kept_; }

    Snapshot snapshot() const override;
    Result<void> load(const Snapshot& snapshot) override;

    std::vector<FrameOutput> outputs() const override { return liquid_outputs(scene_, method_.world(), liquid_); }

    // For who wants to look at it between steps.
    const LiquidState<Dim>& state() const { return liquid_; }
    const World<Dim>& world() const { return method_.world(); }

  private:
    SceneDescription scene_;
    ParticleLevelSet2002<Dim> method_;
    LiquidState<Dim> liquid_;
    LiquidState<Dim> kept_{};
};

}  // namespace spindrift
