// SPDX-License-Identifier: Apache-2.0
// A gas in a run: the methods stable-fluids-1999 and gas in 2D and 3D.
#pragma once

#include "gas/stable_fluids_1999.h"
#include "render/pattern.h"
#include "scene/description.h"
#include "session/simulation.h"
#include "setup/gas_scene.h"

namespace spindrift {

template <int Dim>
class GasSimulation : public Simulation {
  public:
    GasSimulation(SceneDescription scene, GasScene<Dim> start);

    double time() const override { return gas_.time; }
    double stable_dt() const override { return method_.stable_dt(gas_); }
    std::string step_limit() const override { return "the speed of the gas, with gas.cfl"; }
    StepReport advance(double dt) override;
    StepReport measures() const override;
    bool has_volume() const override { return false; }
    std::vector<SubstanceAmount> amounts() const override;

    void keep() override { kept_ = gas_; }
    void go_back() override { gas_ = kept_; }

    Snapshot snapshot() const override;
    Result<void> load(const Snapshot& snapshot) override;

    std::vector<FrameOutput> outputs() const override;
    std::vector<FieldView> fields() const override;
    std::function<double(const Vec<double, 3>&)> solid_distance() const override;

    // For who wants to look at it or touch it between steps.
    const GasState<Dim>& state() const { return gas_; }
    GasState<Dim>& state() { return gas_; }
    StableFluids1999<Dim>& method() { return method_; }
    const GasWorld<Dim>& world() const { return method_.world(); }

  private:
    Result<void> write_volumes(const std::filesystem::path& file, const FrameStamp& stamp) const;

    SceneDescription scene_;
    ShownSolids<Dim> shown_solids_;
    StableFluids1999<Dim> method_;
    GasState<Dim> gas_;
    GasState<Dim> kept_{};
    std::optional<Pattern> pattern_{};  // of the texture in pictures
};

}  // namespace spindrift
