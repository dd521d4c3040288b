// SPDX-License-Identifier: Apache-2.0
#include "session/liquid_simulation.h"

#include <algorithm>
#include <cmath>

#include "grid/measure.h"

namespace spindrift {
namespace {

template <int Dim>
std::size_t count_negative(const Field<float, Dim>& phi) {
    return sum_over_tiles(phi.tiles(), std::size_t{0}, [&](Slot slot) {
        return static_cast<std::size_t>(
            std::count_if(phi.tile(slot), phi.tile(slot) + kTileCells<Dim>, [](float value) { return value < 0; }));
    });
}

}  // namespace

template <int Dim>
LiquidSimulation<Dim>::LiquidSimulation(SceneDescription scene, LiquidScene<Dim> start)
    : SurfaceSimulation<Dim>(std::move(scene)), method_(std::move(start.world), liquid_settings(this->scene_)) {
    this->liquid_ = method_.initial_state(start.distance, start.velocity);
}

template <int Dim>
StepReport LiquidSimulation<Dim>::measures() const {
    const LiquidState<Dim>& liquid = this->liquid_;
    double squares = 0;
    for (int axis = 0; axis < Dim; ++axis) squares += std::pow(double{max_abs(liquid.velocity[axis])}, 2);
    return {.max_speed = std::sqrt(squares),
            .volume = liquid.ledger.expected(),
            .cells = count_negative(liquid.phi),
            .tiles = liquid.tiles().count()};
}

template <int Dim>
StepReport LiquidSimulation<Dim>::show(double time) {
    constexpr double kRounding = 1e-12;  // s
    const double ahead = time - this->liquid_.time;
    this->shows_kept_ = ahead > kRounding;
    if (!this->shows_kept_) return measures();
    this->kept_ = this->liquid_;
    StepReport report = method_.show(this->kept_, ahead);
    report.cells = count_negative(this->kept_.phi);
    return report;
}

template class LiquidSimulation<2>;
template class LiquidSimulation<3>;

}  // namespace spindrift
