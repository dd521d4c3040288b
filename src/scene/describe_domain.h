// SPDX-License-Identifier: Apache-2.0
// All settings of the box, its sides and time; part of describe.h.
#pragma once

#include "base/setting.h"
#include "scene/describe_gas.h"
#include "scene/description.h"

namespace spindrift::scene {

constexpr auto choices(Up) {
    return std::array{Choice{Up::y, "y", "as in Houdini, Maya and USD"}, Choice{Up::z, "z", "as in Blender"}};
}
constexpr auto choices(SideKind) {
    return std::array{Choice{SideKind::slip, "slip", "a wall along which the liquid slides"},
                      Choice{SideKind::no_slip, "no-slip", "a wall to which the liquid sticks"},
                      Choice{SideKind::open, "open", "liquid that reaches it leaves, air comes in"},
                      Choice{SideKind::periodic, "periodic",
                             "what leaves here comes in on the opposite side; the box is then a multiple of 8 cells "
                             "long along this axis"},
                      Choice{SideKind::inflow, "inflow", "liquid comes in with a given velocity"}};
}

template <class Visit>
void describe(Visit& visit, Side& s) {
    visit("kind", s.kind, {.sentence = "what the side is", .required = true});
    visit("velocity", s.velocity,
          {.sentence = "of the liquid that comes in through an inflow; pointing outwards, liquid is drawn out",
           .unit = "m/s"});
    visit("level", s.level,
          {.sentence = "height up to which an inflow brings liquid, measured along up; above it there is air",
           .unit = "m",
           .instead = "the whole side"});
    visit("component", s.component,
          {.sentence = "which [[component]] an inflow brings", .instead = "the liquid of [fluid]"});
    visit("wall_values", s.wall_values, kSideWallValues);
    visit("outflow_after", s.outflow_after,
          {.sentence = "from this time on an inflow lets liquid out instead (method foster-metaxas-1996)",
           .unit = "s",
           .from = 0,
           .to = 1e6,
           .instead = "it stays an inflow"});
}

template <class Visit>
void describe(Visit& visit, Domain& s) {
    visit("size", s.size,
          {.sentence = "sides of the box that is simulated: two numbers make the scene 2D, three 3D",
           .unit = "m",
           .above = 0,
           .to = 1e6,
           .required = true});
    visit("resolution", s.resolution,
          {.sentence = "cells along the longest side; twice as many take about 8 times the memory and 16 times the "
                       "time in 3D",
           .unit = "cells",
           .from = 4,
           .to = 16384});
    visit("cell_size", s.cell_size,
          {.sentence = "side of a cell, instead of resolution: the box may then grow without the detail changing",
           .unit = "m",
           .above = 0,
           .to = 1e5});
    visit.exactly_one({"resolution", "cell_size"});
    visit("origin", s.origin, {.sentence = "lower corner of the box in the world", .unit = "m"});
    visit("up", s.up, {.sentence = "the axis that points up; gravity pulls the other way; y in 2D"});
    visit("sides", s.sides,
          {.sentence = "what the sides of the box are: `all` for those not named, then `left`, `right`, `bottom`, "
                       "`top`, `front`, `back`, or `x_min` … `z_max`",
           .instead = "slip"});
}

template <class Visit>
void describe(Visit& visit, Time& s) {
    visit(
        "fps", s.fps,
        {.sentence = "frames per second; the time steps of liquids do not depend on it, those of gases and of a given "
                     "flow end at each frame",
         .unit = "1/s",
         .above = 0,
         .to = 1e5});
    visit("frames", s.frames,
          {.sentence = "how many frames to make, numbered from 1; frame 0 is the start",
           .unit = "frames",
           .from = 1,
           .to = 1e6,
           .instead = "120, or as many as `end` needs"});
    visit("end", s.end,
          {.sentence = "time of the last frame, instead of frames; rounded up to a whole frame",
           .unit = "s",
           .above = 0,
           .to = 1e6});
    visit.at_most_one({"frames", "end"});
    visit("cfl", s.cfl,
          {.sentence = "cells the liquid may cross in a time step: larger is faster and coarser, above 5 splashes lose "
                       "volume and thin walls may leak",
           .unit = "cells",
           .from = 0.1,
           .to = 10});
    visit("min_substeps", s.min_substeps,
          {.sentence = "at least so many time steps per frame; more make slow motion finer in time",
           .unit = "steps",
           .from = 1,
           .to = 10000,
           .instead = "1 for gases and given flows; liquids take the steps they need"});
    visit("max_substeps", s.max_substeps,
          {.sentence = "a frame that needs more time steps stops the run with an error that says why; may be raised "
                       "when the run is resumed",
           .unit = "steps",
           .from = 1,
           .to = 100000});
}

}  // namespace spindrift::scene
