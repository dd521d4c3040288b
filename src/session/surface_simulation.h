// SPDX-License-Identifier: Apache-2.0
// What runs of a liquid's surface share, whether its flow is simulated or given: the state, what is kept of it, and its
// files.
#pragma once

#include "liquid/state.h"
#include "liquid/world.h"
#include "products/whitewater_frames.h"
#include "scene/description.h"
#include "session/simulation.h"
#include "setup/shown_solids.h"

namespace spindrift {

template <int Dim>
class SurfaceSimulation : public Simulation {
  public:
    double time() const override { return liquid_.time; }
    std::size_t particle_count() const override { return liquid_.particles.count() + liquid_.spray.count(); }

    void keep() override {
        shows_kept_ = false;
        kept_ = liquid_;
    }
    void go_back() override { liquid_ = kept_; }

    Snapshot snapshot() const override;
    Result<void> load(const Snapshot& snapshot) override;

    std::vector<FrameOutput> outputs() const override;
    std::vector<FieldView> fields() const override;
    std::function<double(const Vec<double, 3>&)> solid_distance() const override;

    // For who wants to look at it between steps.
    const LiquidState<Dim>& state() const { return liquid_; }
    // What frames show.
    const LiquidState<Dim>& shown() const { return shows_kept_ ? kept_ : liquid_; }
    virtual const World<Dim>& world() const = 0;

  protected:
    SurfaceSimulation(SceneDescription scene, ShownSolids<Dim> solids)
        : scene_(std::move(scene)), shown_solids_(std::move(solids)) {}

    SceneDescription scene_;
    ShownSolids<Dim> shown_solids_;
    LiquidState<Dim> liquid_;
    LiquidState<Dim> kept_{};  // as it was before the step, or as the frame shows it
    bool shows_kept_ = false;
    // No part of the state: it goes on from the files of the frame before.
    mutable WhitewaterFrames<Dim> whitewater_{};
};

extern template class SurfaceSimulation<2>;
extern template class SurfaceSimulation<3>;

}  // namespace spindrift
