// SPDX-License-Identifier: Apache-2.0
// Liquids that mix freely.  Each cell's liquid consists of components, of which c_i is the part of its volume:
//
//   ∂c_i/∂t + u·∇c_i = 0,   Σ c_i = 1.
//
// Advection keeps their volumes only nearly, as the surface does.  Each component has an account of what was put in
// and let out; the difference is given back in each step where the mixture is moving and not uniform, within the values
// that the flow has brought together there  [BermejoConde02]: what is pure stays pure, and what rests is left alone.
//
// Drops of spray take along what they consist of; together they count as one mixture.
#pragma once

#include <vector>

#include "liquid/domain.h"
#include "schemes/advection.h"
#include "schemes/viscous_stress.h"

namespace spindrift {

// The part of each component but the first at a place, m, at the start.
template <int Dim>
using ComponentParts = std::function<std::vector<double>(const Vec<double, Dim>&)>;

// By component, m³ (m²).
struct ComponentVolumes {
    std::vector<double> has;  // with what is in drops
    std::vector<double> expected;
};

// By component, m³ (m²): what lies within the surface.
template <int Dim>
std::vector<double> component_volumes(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain);

// The same with what drops hold, and what is expected of both.
template <int Dim>
ComponentVolumes component_totals(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain);

// Gives the liquid at the start its components, and opens their accounts.
template <int Dim>
void start_mixture(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, const ComponentParts<Dim>& parts);

// What advection leaves for the end of the step: of each component but the first, the range of what it was made of.
template <int Dim>
using MixtureLimits = std::vector<AdvectionLimits<Dim>>;

// Advects the components for dt, before the surface moves.
template <int Dim>
MixtureLimits<Dim> advect_mixture(LiquidState<Dim>& liquid, const FaceField<Dim>& velocity,
                                  const LiquidDomain<Dim>& domain, double dt);

// Fills the shapes of the sources that are on at the liquid's time, where they are at the given one, with what they let
// out.  Sources that draw liquid in change nothing.
template <int Dim>
void fill_sources_with_components(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double time,
                                  MixtureLimits<Dim>* limits = nullptr);

// Mixes in what landed drops add to the liquid in the next dt of their age.
template <int Dim>
void mix_in_landed_drops(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt);

// After the surface has moved for dt: gives each component back what advection has taken.
template <int Dim>
void settle_mixture(LiquidState<Dim>& liquid, MixtureLimits<Dim>& limits, const FaceField<Dim>& velocity,
                    const LiquidDomain<Dim>& domain, double dt);

// What varies in a mixture whose components are not alike; what does not is empty.
template <int Dim>
struct MixedProperties {
    FaceField<Dim> lightness{};     // ρ₀/ρ at faces, ρ₀ that of the first component
    Field<float, Dim> density{};    // ρ/ρ₀
    Field<float, Dim> viscosity{};  // over that of the most viscous component

    const FaceField<Dim>* weight() const { return lightness[0].empty() ? nullptr : &lightness; }
    LiquidProperties<Dim> relative() const {
        return {.viscosity = viscosity.empty() ? nullptr : &viscosity, .density = density.empty() ? nullptr : &density};
    }
};

// ρ = Σ c_i ρ_i;  ln μ = Σ c_i ln μ_i  [Arrhenius1887].
template <int Dim>
MixedProperties<Dim> mixed_properties(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain);

// By component, what a source lets out, m³/s (m²/s), of this much in all.
template <int Dim>
std::vector<double> components_let_out(const LiquidState<Dim>& liquid, const LiquidSource<Dim>& source,
                                       const LiquidDomain<Dim>& domain, double flow);

// Enters what has changed since there were these volumes within the surface.
template <int Dim>
void enter_change_of_components(LiquidState<Dim>& liquid, const std::vector<double>& before,
                                const LiquidDomain<Dim>& domain);

// Drops from this number on are new: of what they hold.
template <int Dim>
void enter_new_drops(LiquidState<Dim>& liquid, std::size_t first, const LiquidDomain<Dim>& domain);

// Enters a volume, m³ (m²), of drops that flew out.
template <int Dim>
void enter_outflow_of_drops(LiquidState<Dim>& liquid, double volume);

}  // namespace spindrift
