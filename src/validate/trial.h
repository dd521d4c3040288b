// SPDX-License-Identifier: Apache-2.0
// A scene run in memory, as `spindrift run` would, but without files.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "scene/description.h"
#include "session/gas_simulation.h"
#include "session/surface_simulation.h"

namespace spindrift {

class Trial {
  public:
    // Overrides are "path=value" as in --set.
    static Result<Trial> of_catalogue(const std::string& name, const std::vector<std::string>& overrides);
    static Result<Trial> of_text(const std::string& text, const std::string& name,
                                 const std::vector<std::string>& overrides = {});

    using Watch = std::function<void(const StepReport&)>;  // called after each step
    Result<void> run_until(double time, const Watch& watch = {});

    double time() const { return simulation_->time(); }
    const SceneDescription& scene() const { return scene_; }
    std::string grid() const;  // "64 × 64"
    double dx() const { return cell_size(scene_); }

    template <int Dim>
    const GasState<Dim>& gas() const {
        return as<GasSimulation<Dim>>().state();
    }
    template <int Dim>
    const LiquidState<Dim>& liquid() const {
        return as<SurfaceSimulation<Dim>>().state();
    }
    template <int Dim>
    const World<Dim>& liquid_world() const {
        return as<SurfaceSimulation<Dim>>().world();
    }

  private:
    static Result<Trial> of(Result<SceneDescription> scene);

    template <class T>
    const T& as() const {
        const auto* found = dynamic_cast<const T*>(simulation_.get());
        CHECK(found != nullptr, "trial: the scene {} is of another kind", scene_.title);
        return *found;
    }

    SceneDescription scene_{};
    std::unique_ptr<Simulation> simulation_{};
    int frame_ = 0;  // the last that is complete
};

}  // namespace spindrift
