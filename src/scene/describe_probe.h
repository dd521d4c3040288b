// SPDX-License-Identifier: Apache-2.0
// All settings of probes; part of describe.h.
#pragma once

#include "base/setting.h"
#include "scene/probe_description.h"

namespace spindrift::scene {

template <class Visit>
void describe(Visit& visit, PointProbe& s) {
    visit("position", s.position, {.sentence = "where it measures", .unit = "m", .required = true});
}
template <class Visit>
void describe(Visit& visit, HeightProbe& s) {
    visit("from", s.from,
          {.sentence = "one end of the line, from which heights are measured", .unit = "m", .required = true});
    visit("to", s.to, {.sentence = "the other end of the line", .unit = "m", .required = true});
}
template <class Visit>
void describe(Visit& visit, FluxProbe& s) {
    visit("min", s.min,
          {.sentence = "lower corner; equal to `max` along exactly one axis", .unit = "m", .required = true});
    visit("max", s.max, {.sentence = "upper corner", .unit = "m", .required = true});
}
template <class Visit>
void describe(Visit& visit, WallFluxProbe& s) {
    visit("side", s.side, {.sentence = "side of the domain, such as `bottom`", .instead = "it is `solid` that counts"});
    visit("solid", s.solid, {.sentence = "name of a solid", .instead = "it is `side` that counts"});
    visit("substance", s.substance, {.sentence = "what diffuses through it", .required = true});
}
template <class Visit>
void describe(Visit& visit, ForceProbe& s) {
    visit("solid", s.solid, {.sentence = "name of the solid", .required = true});
}
template <class Visit>
void describe(Visit& visit, TotalProbe& s) {
    visit("about", s.about,
          {.sentence = "point that angular momentum refers to", .unit = "m", .instead = "the world's origin"});
}
template <class Visit>
void describe(Visit& visit, Probe& s) {
    visit("name", s.name, {.sentence = "name of its file", .required = true});
    visit.one_of("kind", s.kind, {.sentence = "what it measures", .required = true});
    visit("rate", s.rate,
          {.sentence = "rows per second, each with the values at its time, interpolated between time steps, and their "
                       "means since the row before",
           .unit = "1/s",
           .above = 0,
           .to = 1e6,
           .instead = "a row for each time step, without means"});
}

}  // namespace spindrift::scene
