// SPDX-License-Identifier: Apache-2.0
// The method "foster-metaxas-1996": an explicit finite-difference step on cells that are all liquid, all solid or all
// air, with the surface as markers in the liquid [FM96].
#pragma once

#include <array>
#include <functional>
#include <limits>

#include "liquid/settings.h"
#include "liquid/state.h"
#include "liquid/step_limit.h"
#include "liquid/world.h"
#include "schemes/cell_pressure.h"
#include "schemes/step_report.h"
#include "surface/markers.h"

namespace spindrift {

struct FosterMetaxasSettings {
    int markers_across = 4;         // of a cell, along each axis
    double markers_per_second = 0;  // of inflows; 0: as many as are seeded per volume
    double courant = 0.5;           // cells that the fastest liquid may cross in a step
    double donor_cell = 1.5;        // see explicit_step.h
    CellPressureSettings pressure{};
    std::uint64_t seed = 1;
};

// A side of the box as its layer of cells beyond has it.
template <int Dim>
struct CellSide {
    CellContent kind = CellContent::solid;
    std::function<Vec<double, Dim>(const Vec<double, Dim>&, double time)> velocity{};  // of an inflow, m/s
    std::function<double(double time)> level{};  // of an inflow, m along up: above it the side is a wall; none: no end
    double outflow_after = std::numeric_limits<double>::infinity();  // s: then an inflow lets liquid out
};

template <int Dim>
struct FosterMetaxasWorld {
    World<Dim> world;  // its sources are those inside the box
    std::array<std::array<CellSide<Dim>, 2>, Dim> sides{};
    int up = 1;
};

template <int Dim>
class FosterMetaxas1996 {
  public:
    FosterMetaxas1996(FosterMetaxasWorld<Dim> world, FosterMetaxasSettings settings);

    // The liquid at time 0: where `distance` (m, world positions) is negative, moving with `velocity`.
    void start(LiquidState<Dim>& liquid, Markers<Dim>& markers,
               const std::function<double(const Vec<double, Dim>&)>& distance,
               const std::function<Vec<double, Dim>(const Vec<double, Dim>&)>& velocity) const;

    StepLimit step_limit(const LiquidState<Dim>& liquid, const Markers<Dim>& markers) const;

    // Advances by dt.  When report.failure is set the state is no longer usable.
    StepReport step(LiquidState<Dim>& liquid, Markers<Dim>& markers, double dt) const;

    // What the state holds as it is.
    StepReport measured(const LiquidState<Dim>& liquid, const Markers<Dim>& markers) const;

    // φ by the markers, for files and pictures, and as drops of spray the markers that it leaves out.
    void find_surface(LiquidState<Dim>& liquid, const Markers<Dim>& markers) const;

    // The cells at the state's time, labelled, with velocity and pressure.
    CellFlow<Dim> flow_of(const LiquidState<Dim>& liquid, const Markers<Dim>& markers) const;

    const World<Dim>& world() const { return scene_.world; }

  private:
    void place_boundaries(CellFlow<Dim>& flow, double time) const;
    double inflow_velocity(int axis, const Index<Dim>& face, double time) const;
    double largest_inflow(const CellFlow<Dim>& flow, double time) const;

    FosterMetaxasWorld<Dim> scene_;
    FosterMetaxasSettings settings_;
    Dense<CellContent, Dim> standing_;                 // walls that stand still, all else empty
    std::vector<Dense<std::uint8_t, Dim>> in_source_;  // of each source that stands still; empty for others
};

extern template class FosterMetaxas1996<2>;
extern template class FosterMetaxas1996<3>;

}  // namespace spindrift
