// SPDX-License-Identifier: Apache-2.0
// The settings of the method foster-metaxas-1996; part of describe.h.
#pragma once

#include "base/setting.h"
#include "scene/description.h"

namespace spindrift::scene {

constexpr auto choices(CellPressure) {
    return std::array{Choice{CellPressure::relaxation, "relaxation", "sweeps over the cells, as in the paper"},
                      Choice{CellPressure::multigrid, "multigrid",
                             "conjugate gradients with multigrid: pays off from some ten thousand cells on"}};
}

template <class Visit>
void describe(Visit& visit, FosterMetaxas& s) {
    visit("markers_across", s.markers_across,
          {.sentence = "marker particles across a cell along each axis at the start: 5 make the paper's 25 in 2D; with "
                       "fewer, holes open in liquid that is stretched",
           .unit = "markers",
           .from = 1,
           .to = 16});
    visit("inflow_markers", s.inflow_markers,
          {.sentence = "marker particles that inflows and sources put in, all together",
           .unit = "1/s",
           .above = 0,
           .to = 1e8,
           .instead = "as many per volume as at the start"});
    visit("courant", s.courant,
          {.sentence = "cells that the fastest liquid may cross in a time step, which is explicit; viscous steps keep "
                       "the same share of their limit",
           .unit = "cells",
           .from = 0.01,
           .to = 0.95});
    visit("donor_cell", s.donor_cell,
          {.sentence = "share of donor-cell differences in the convective terms, in Courant numbers of the step: 0 is "
                       "the paper's centred equation, in which thin liquids become rougher with time; 1 to 2 keep "
                       "them smooth",
           .from = 0,
           .to = 10});
    visit("pressure", s.pressure, {.sentence = "how the pressure is solved for"});
    visit("pressure_tolerance", s.pressure_tolerance,
          {.sentence = "divergence at which the pressure solve ends; larger is faster and lets volume drift",
           .unit = "1/s",
           .above = 0,
           .to = 10});
    visit("over_relaxation", s.over_relaxation,
          {.sentence = "factor of each change of pressure in the sweeps of relaxation", .from = 1, .to = 1.95});
    visit("max_sweeps", s.max_sweeps,
          {.sentence = "a pressure solve that needs more has not converged: the step is taken again with half its "
                       "length",
           .unit = "sweeps",
           .from = 1,
           .to = 1000000});
}

}  // namespace spindrift::scene
