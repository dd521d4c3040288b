// SPDX-License-Identifier: Apache-2.0
// What surrounds a gas and drives it.  Read-only during a run.  Functions are called by many threads at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schemes/advection.h"
#include "schemes/domain_boundary.h"
#include "schemes/domain_projection.h"
#include "schemes/forces.h"
#include "schemes/solid_force.h"
#include "schemes/source.h"
#include "schemes/wall_value.h"

namespace spindrift {

// Something that is advected with the gas:  a_t = −u·∇a + κ∇²a − α a + S  [Stam99] §2.3.
template <int Dim>
struct Substance {
    std::string name;
    double diffusion = 0;            // κ, m²/s
    double dissipation = 0;          // α, 1/s
    double ambient = 0;              // in the air around: what comes in through open sides
    std::optional<double> at_walls;  // held on closed sides; else nothing goes through them
    // What else holds on sides that are no opening, and on each solid; solids beyond the list are insulated.
    std::array<std::array<std::optional<WallValue<Dim>>, 2>, Dim> at_sides{};
    std::vector<WallValue<Dim>> at_solids{};
    double buoyancy = 0;   // m/s² upwards per unit above the ambient value; negative sinks
    double expansion = 0;  // 1/s of divergence per unit above the ambient value
    // The ambient value at a place, for buoyancy; none means `ambient`.
    std::function<double(const Vec<double, Dim>& place)> ambient_at{};
    std::function<double(const Vec<double, Dim>& place)> at_start{};  // none means `ambient`
};

// While it is on, gas inside the shape gains `rate` per second, or is held at `value` at least, and moves with
// `velocity` if that is given.
template <int Dim>
struct GasSource : Source<Dim> {
    int substance = -1;  // -1: velocity alone
    std::function<double(const Vec<double, Dim>& place, double time)> rate{};
    std::function<double(const Vec<double, Dim>& place, double time)> value{};
};

// How the terms of the momentum equation are split in time.
enum class Splitting {
    first_order,  // one term after the other, as in [Stam99]
    second_order  // pressure and viscosity half before advection, half after it
};

struct GasSettings {
    Splitting splitting = Splitting::first_order;
    TraceRule trace_rule = TraceRule::midpoint;
    AdvectionScheme scheme = AdvectionScheme::semi_lagrangian;
    double vorticity = 0;  // ε of vorticity confinement
    PressureSolver solver = PressureSolver::automatic;
    double pressure_tolerance = 1e-5;
    std::optional<double> cfl{};  // cells that the fastest gas may cross in a step; none: any number
    // Sparse tiles: kept are those with a substance further than this from its ambient value, and those around them.
    // None: all tiles of the domain.
    std::optional<double> sparse_threshold{};
};

template <int Dim>
struct GasWorld {
    Domain<Dim> domain;
    Solids<Dim> solids;
    bool solids_move = false;
    NamedSolids<Dim> named_solids;  // forces on these are reported
    double density = 1.2;           // kg/m³, for these forces
    std::vector<Substance<Dim>> substances;
    std::vector<GasSource<Dim>> sources;
    std::vector<Force<Dim>> forces;
    std::function<Vec<double, Dim>(const Vec<double, Dim>& place)> velocity_at_start{};  // m/s; none: at rest
    double viscosity = 0;                                                                // kinematic, m²/s
    std::optional<double> texture_period{};  // s: coordinates for a texture are advected
    int up_axis = 1;
};

}  // namespace spindrift
