// SPDX-License-Identifier: Apache-2.0
#include "liquid/liquid_method.h"

#include "liquid/advance_velocity.h"
#include "liquid/escaped.h"
#include "liquid/initial_state.h"
#include "liquid/step_parts.h"

namespace spindrift {

template <int Dim>
LiquidState<Dim> LiquidMethod<Dim>::initial_state(
    const std::function<double(const Vec<double, Dim>&)>& distance,
    const std::function<Vec<double, Dim>(const Vec<double, Dim>&)>& velocity, const ComponentParts<Dim>& parts) const {
    LiquidState<Dim> liquid = spindrift::initial_state(domain_, distance, velocity);
    start_mixture(liquid, domain_, parts);
    return liquid;
}

template <int Dim>
ComponentVolumes LiquidMethod<Dim>::components(const LiquidState<Dim>& liquid) const {
    refit_boundaries(domain_, liquid, liquid.time);
    return component_totals(liquid, domain_);
}

template <int Dim>
StepLimit LiquidMethod<Dim>::step_limit(const LiquidState<Dim>& liquid) const {
    return spindrift::step_limit(liquid, domain_);
}

template <int Dim>
StepReport LiquidMethod<Dim>::show(LiquidState<Dim>& liquid, double dt) {
    StepReport report{.dt = dt};
    if (dt > 0) {
        if (!begin_step(liquid, domain_, dt, solver_, report)) return report;
        advance_surface(liquid, dt, report);
        if (!report.failure.empty()) return report;
        advance_spray(liquid, domain_, dt);
    } else {
        refit_boundaries(domain_, liquid, liquid.time);
        extrapolate_velocity(liquid, domain_, liquid.velocity_time - liquid.time);
    }
    synchronise_velocity(liquid, domain_);
    measure(report, liquid, domain_);
    return report;
}

template <int Dim>
StepReport LiquidMethod<Dim>::measured(const LiquidState<Dim>& liquid) const {
    StepReport report;
    refit_boundaries(domain_, liquid, liquid.time);
    measure(report, liquid, domain_);
    return report;
}

template class LiquidMethod<2>;
template class LiquidMethod<3>;

}  // namespace spindrift
