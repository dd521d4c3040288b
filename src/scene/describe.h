// SPDX-License-Identifier: Apache-2.0
// All settings of a scene: name, unit, range, consequence.  Whoever reads, writes or explains them is a visitor with
//
//   visit(name, value, setting)                one value
//   visit.word(name, text, words, setting)     a text that is one of several words
//   visit.table(name, structure, setting)      a table
//   visit.list(name, structures, setting)      a list of tables
//   visit.one_of(name, variant, setting)       a word that names the alternative, and beside it that one's settings
//   visit.version(name, number, setting)
//   visit.exactly_one(names), visit.at_most_one(names)      settings that exclude each other
//   visit.not_yet(name, what)                  reserved for what is not built yet
//   visit.renamed(old name, name)              a setting that had another name
//
// and a constant kReads, true if it changes the values.  See base/setting.h.
#pragma once

#include "base/setting.h"
#include "scene/describe_control.h"
#include "scene/describe_domain.h"
#include "scene/describe_foster_metaxas.h"
#include "scene/describe_gas.h"
#include "scene/describe_liquid.h"
#include "scene/describe_output.h"
#include "scene/describe_probe.h"
#include "scene/describe_shapes.h"
#include "scene/description.h"
#include "scene/methods.h"

namespace spindrift {

constexpr auto choices(Interpolation) {
    return std::array{Choice{Interpolation::linear, "linear", "straight lines between keyframes"},
                      Choice{Interpolation::smooth, "smooth", "smooth between keyframes, without overshoot"},
                      Choice{Interpolation::step, "step", "stays until the next keyframe"}};
}

template <class Visit>
void describe(Visit& visit, SceneDescription& s) {
    visit.version("spindrift", s.version, {.sentence = "version of this format", .required = true});
    visit("title", s.title, {.sentence = "name for people", .instead = "none"});
    visit("description", s.description,
          {.sentence = "a sentence for the catalogue: what is to be seen", .instead = "none"});
    visit("tags", s.tags, {.sentence = "words to find it by in the catalogue", .instead = "none"});
    visit("method", s.method, {.sentence = "simulation method"});
    visit("gravity", s.gravity,
          {.sentence = "a number pulls down; a vector wherever it points; it may vary in time, which tilts or shakes "
                       "the tank",
           .unit = "m/s²"});
    visit("seed", s.seed,
          {.sentence = "another number gives another run where chance plays a part; the same number "
                       "the same run, bit by bit"});
    visit.table("domain", s.domain, {.sentence = "The box that is simulated, its cells and its sides."});
    visit.table("time", s.time, {.sentence = "Frames and time steps."});
    visit.table("fluid", s.fluid, {.sentence = "What flows."});
    visit.list("component", s.component,
               {.sentence = "Further liquids, which mix freely with that of [fluid] and with each other. Those of "
                            "[[liquid]], [[source]] and inflows that name one consist of it, all others of [fluid]."});
    visit.table("level-set", s.level_set,
                {.sentence = "Settings of the methods level-set, foster-fedkiw-2001 and particle-level-set-2002."});
    visit.table("particles", s.particles,
                {.sentence = "Settings of the methods foster-fedkiw-2001 and particle-level-set-2002."});
    visit.table("foster-fedkiw", s.foster_fedkiw, {.sentence = "Settings of the method foster-fedkiw-2001."});
    visit.table("foster-metaxas", s.foster_metaxas, {.sentence = "Settings of the method foster-metaxas-1996."});
    visit.table("flow", s.flow,
                {.sentence = "A given velocity, for tests of how well a surface is advected: with it, the methods "
                             "level-set, foster-fedkiw-2001 and particle-level-set-2002 move the surface alone."});
    visit.table("gas", s.gas, {.sentence = "Settings of the methods stable-fluids-1999 and gas."});
    visit.list("substance", s.substance, {.sentence = "What a gas advects: smoke, heat, dye."});
    visit.list("force", s.force, {.sentence = "What drives a liquid, besides gravity, or a gas."});
    visit.table("texture", s.texture,
                {.sentence = "A texture that goes with a gas: in 2D it is the picture, in 3D detail in the smoke."});
    visit.list("liquid", s.liquid, {.sentence = "Liquid that is there at the start."});
    visit.list("solid", s.solid, {.sentence = "Obstacles that stand, or move as `offset` says."});
    visit.list("source", s.source, {.sentence = "Shapes that keep pouring liquid."});
    visit.list("wind", s.wind, {.sentence = "Winds that drive or calm the liquid's surface."});
    visit.list("control", s.control,
               {.sentence = "Velocities that liquid is given on curves, surfaces and in volumes."});
    visit.list("probe", s.probe,
               {.sentence = "Measurements over time, written to probes/NAME.csv and plotted in the report."});
    visit.table("whitewater", s.whitewater,
                {.sentence = "Spray, foam and bubbles, made from the motion of a liquid: see methods/whitewater.md."});
    visit.table("output", s.output, {.sentence = "What is written to the run's folder."});
    visit.table("camera", s.camera, {.sentence = "Where the pictures are taken from."});
    visit.table("render", s.render, {.sentence = "Light and colours of the pictures."});
}

}  // namespace spindrift
