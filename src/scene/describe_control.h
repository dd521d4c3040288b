// SPDX-License-Identifier: Apache-2.0
// All settings of controls; part of describe.h.
#pragma once

#include "base/setting.h"
#include "scene/describe_shapes.h"
#include "scene/description.h"

namespace spindrift::scene {

constexpr auto choices(CurveKind) {
    return std::array{
        Choice{CurveKind::catmull_rom, "catmull-rom", "smooth, through all points"},
        Choice{CurveKind::bezier, "bezier",
               "cubic: point, two handles, point, two handles, …; 3n + 1 points, or 3n of a closed curve"},
        Choice{CurveKind::straight, "straight", "lines from point to point"}};
}
constexpr auto choices(ControlParts) {
    return std::array{
        Choice{ControlParts::both, "both", "the whole velocity"},
        Choice{
            ControlParts::normal, "normal",
            "its part along the normal of the fake surface alone, the rest is left to the liquid: on a curve that is "
            "its direction, on a surface across it, in a volume the direction of `velocity`"},
        Choice{ControlParts::tangential, "tangential", "all but that part"}};
}

template <class Visit>
void describe(Visit& visit, CurveControl& s) {
    visit("points", s.points,
          {.sentence = "that the curve runs through, or its handles, see `interpolation`", .unit = "m"});
    visit("path", s.path,
          {.sentence = "the curve as expressions of s, which runs from 0 to 1 along it, such as `[\"cos(pi*s)\", "
                       "\"sin(pi*s)\"]`, instead of points",
           .unit = "m",
           .instead = "by its points"});
    visit.exactly_one({"points", "path"});
    visit("interpolation", s.interpolation, {.sentence = "how the curve runs between its points"});
    visit("closed", s.closed, {.sentence = "whether it goes on from the last point to the first"});
    visit("speed", s.speed,
          {.sentence = "along the curve, the paper's C(t), which should rise or fall but not both; negative runs from "
                       "its end to its beginning",
           .unit = "m/s"});
    visit("radius", s.radius,
          {.sentence = "how far from the curve it acts", .unit = "m", .above = 0, .to = 1e6, .required = true});
    visit(
        "stretch", s.stretch,
        {.sentence = "length of the stretch of the curve that acts; it travels with `speed` from one end to the other "
                     "and takes a pocket of liquid along; 0 is a single point",
         .unit = "m",
         .from = 0,
         .to = 1e6,
         .instead = "all of the curve, all the time"});
    visit("pull", s.pull,
          {.sentence = "gathers liquid: velocity towards the curve per distance from it",
           .unit = "1/s",
           .from = 0,
           .to = 1e6});
}
template <class Visit>
void describe(Visit& visit, VolumeControl& s) {
    visit.one_of("shape", s.shape, {.sentence = "where it acts", .required = true});
    visit("velocity", s.velocity, {.sentence = "that liquid in the shape gets", .unit = "m/s", .required = true});
}
template <class Visit>
void describe(Visit& visit, SurfaceControl& s) {
    visit.one_of("shape", s.shape, {.sentence = "whose surface it acts on, from both sides", .required = true});
    visit("thickness", s.thickness,
          {.sentence = "how far from the surface it acts", .unit = "m", .above = 0, .to = 1e6, .required = true});
    visit("velocity", s.velocity, {.sentence = "that liquid there gets", .unit = "m/s", .required = true});
}
template <class Visit>
void describe(Visit& visit, AttractControl& s) {
    visit.one_of("shape", s.shape, {.sentence = "that liquid is drawn to; it stands still", .required = true});
    visit("reach", s.reach,
          {.sentence = "how far from the shape liquid feels it, less and less",
           .unit = "m",
           .above = 0,
           .to = 1e6,
           .required = true});
    visit(
        "strength", s.strength,
        {.sentence = "acceleration towards the shape, and into it: more than gravity lifts liquid up", .unit = "m/s²"});
    visit("damping", s.damping,
          {.sentence = "rate at which liquid in reach comes to rest; 0 lets it swing through the shape",
           .unit = "1/s",
           .from = 0,
           .to = 1e6});
    visit("weight", s.weight,
          {.sentence = "share of its weight that liquid in the shape keeps: 0 fills the shape evenly, 1 lets it sag",
           .from = 0,
           .to = 1});
}
template <class Visit>
void describe(Visit& visit, Control& s) {
    visit("name", s.name, kEntryName);
    visit.one_of("kind", s.kind, {.sentence = "what it follows", .required = true});
    visit("parts", s.parts, {.sentence = "which part of the velocity it sets"});
    visit("rate", s.rate,
          {.sentence = "how fast the liquid takes on the velocity: it is short of it by exp(-rate t)",
           .unit = "1/s",
           .from = 0,
           .to = 1e6,
           .instead = "at once: a hard control"});
    visit("start", s.start, {.sentence = "when it begins", .unit = "s", .from = 0, .to = 1e6});
    visit("end", s.end, {.sentence = "when it stops", .unit = "s", .above = 0, .to = 1e6, .instead = "never"});
    visit("region_min", s.region_min,
          {.sentence = "lower corner of a box outside of which it does nothing", .unit = "m", .instead = "everywhere"});
    visit("region_max", s.region_max, {.sentence = "upper corner of that box", .unit = "m", .instead = "everywhere"});
}

}  // namespace spindrift::scene
