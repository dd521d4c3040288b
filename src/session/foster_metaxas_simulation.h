// SPDX-License-Identifier: Apache-2.0
// A liquid in a run: the method foster-metaxas-1996 in 2D and 3D.
#pragma once

#include "liquid/foster_metaxas_1996.h"
#include "session/surface_simulation.h"
#include "setup/liquid_scene.h"

namespace spindrift {

template <int Dim>
class FosterMetaxasSimulation : public SurfaceSimulation<Dim> {
  public:
    FosterMetaxasSimulation(SceneDescription scene, LiquidScene<Dim> start);

    double stable_dt() const override { return method_.step_limit(this->liquid_, markers_).dt; }
    std::string step_limit() const override { return std::string(method_.step_limit(this->liquid_, markers_).cause); }
    StepReport advance(double dt) override;
    StepReport measures() const override { return method_.measured(this->liquid_, markers_); }
    StepReport show(double time) override;
    std::size_t particle_count() const override { return markers_.count(); }

    void keep() override {
        SurfaceSimulation<Dim>::keep();
        kept_markers_ = markers_;
    }
    void go_back() override {
        SurfaceSimulation<Dim>::go_back();
        markers_ = kept_markers_;
    }
    Snapshot snapshot() const override;
    Result<void> load(const Snapshot& snapshot) override;
    const World<Dim>& world() const override { return method_.world(); }

    // For who wants to look at them between steps.
    const Markers<Dim>& markers() const { return markers_; }

  private:
    FosterMetaxas1996<Dim> method_;
    Markers<Dim> markers_, kept_markers_;
};

}  // namespace spindrift
