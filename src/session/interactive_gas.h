// SPDX-License-Identifier: Apache-2.0
// A gas under someone's hands: push it and pour into it between steps, step, look.  Nothing is written and nothing is
// copied: the fields are those of the simulation, valid until the next step.
//
//   auto gas = InteractiveGas<2>::make(scene);
//   gas.value().push({0.5, 0.3}, {0, 2}, 0.1);
//   gas.value().pour("dye", {0.5, 0.3}, 1, 0.05);
//   gas.value().step(1.0 / 60);
//   draw(gas.value().substance("dye"));
#pragma once

#include <memory>
#include <string_view>

#include "session/gas_simulation.h"

namespace spindrift {

template <int Dim>
class InteractiveGas {
  public:
    static Result<InteractiveGas> make(const SceneDescription& scene);

    // Adds to the velocity (m/s) around a place (m), fading towards the radius (m).  Where there is no tile, there is
    // nothing to push.
    void push(const Vec<double, Dim>& place, const Vec<double, Dim>& velocity, double radius);
    // Adds to a substance around a place; false when there is none of that name.
    bool pour(std::string_view substance, const Vec<double, Dim>& place, double amount, double radius);

    StepReport step(double dt);
    double time() const { return simulation_->time(); }

    const FaceField<Dim>& velocity() const { return simulation_->state().velocity; }
    // Null when there is none of that name.
    const Field<float, Dim>* substance(std::string_view name) const;
    const GridTransform<Dim>& grid() const { return simulation_->method().world().domain.grid; }

  private:
    explicit InteractiveGas(std::unique_ptr<GasSimulation<Dim>> simulation) : simulation_(std::move(simulation)) {}
    int number_of(std::string_view substance) const;

    std::unique_ptr<GasSimulation<Dim>> simulation_;
    bool pushed_ = false, poured_ = false;  // since the last step
};

extern template class InteractiveGas<2>;
extern template class InteractiveGas<3>;

}  // namespace spindrift
