// SPDX-License-Identifier: Apache-2.0
// All settings of a liquid and of how it is simulated; part of describe.h.
#pragma once

#include "base/setting.h"
#include "scene/describe_shapes.h"
#include "scene/description.h"

namespace spindrift::scene {

constexpr auto choices(Advection) {
    return std::array{
        Choice{Advection::maccormack, "maccormack", "second order: keeps swirls and splashes lively"},
        Choice{Advection::semi_lagrangian, "semi-lagrangian", "first order: half the time, more damping"},
        Choice{Advection::cubic, "cubic", "third order in space: keeps the finest swirls, also at small steps"}};
}
constexpr auto choices(ParticleSides) {
    return std::array{Choice{ParticleSides::both, "both", "keeps thin water and thin air: the 2002 paper"},
                      Choice{ParticleSides::inside, "inside", "keeps thin water and loses thin air: the 2001 paper"},
                      Choice{ParticleSides::none, "none", "loses both: the level set alone"}};
}

template <class Visit>
void describe(Visit& visit, Fluid& s) {
    visit.word("material", s.material, material_names(),
               {.sentence = "a liquid from the table below; the settings that follow override its values"});
    if constexpr (Visit::kReads)
        if (const Material* m = find_material(s.material)) {
            s.density = m->density;
            s.viscosity = m->viscosity;
            s.surface_tension = m->surface_tension;
        }
    visit("density", s.density,
          {.sentence = "mass per volume; alone it changes nothing, against viscosity and surface tension it is inertia",
           .unit = "kg/m³",
           .above = 0,
           .to = 1e5,
           .instead = "of the material"});
    visit("viscosity", s.viscosity,
          {.sentence = "dynamic viscosity: 0.001 splashes like water, 10 coils like honey",
           .unit = "Pa·s",
           .from = 0,
           .to = 1e9,
           .instead = "of the material"});
    visit("surface_tension", s.surface_tension,
          {.sentence = "pulls drops round; matters below a few centimetres and shortens the time step there",
           .unit = "N/m",
           .from = 0,
           .to = 100,
           .instead = "of the material"});
}

template <class Visit>
void describe(Visit& visit, Component& s) {
    visit("name", s.name,
          {.sentence = "what others call it by; its part of the liquid is written to the volumes under this name",
           .required = true});
    visit("density", s.density,
          {.sentence = "mass per volume: what is heavier sinks, by a part of its weight; a mixture has the mean",
           .unit = "kg/m³",
           .above = 0,
           .to = 1e5,
           .instead = "as [fluid]"});
    visit("viscosity", s.viscosity,
          {.sentence = "dynamic viscosity; that of a mixture lies between those of its components as their logarithms "
                       "do: half honey, half water flows like oil",
           .unit = "Pa·s",
           .from = 0,
           .to = 1e9,
           .instead = "as [fluid]"});
    visit("color", s.color,
          {.sentence = "its colour, linear red, green, blue: as it is in 2D and in meshes; in 3D pictures the part of "
                       "the light left after a metre of it",
           .from = 0,
           .to = 1,
           .instead = "as [fluid]"});
    visit("scattering", s.scattering,
          {.sentence = "how fast light is scattered in it: 0 is clear, 10 cloudy, 1000 opaque like paint",
           .unit = "1/m",
           .from = 0,
           .to = 1e6,
           .instead = "as [fluid]"});
    visit("scattering_color", s.scattering_color,
          {.sentence = "part of the light that it sends back where it is cloudy",
           .from = 0,
           .to = 1,
           .instead = "`color`, or else as [fluid]"});
}

template <class Visit>
void describe(Visit& visit, LevelSet& s) {
    visit("advection", s.advection, {.sentence = "advection scheme of the velocity"});
    visit(
        "time_order", s.time_order,
        {.sentence = "order in time of the velocity's steps: 2 keeps swirls turning; 1 damps them and takes less time",
         .from = 1,
         .to = 2});
    visit("volume_control", s.volume_control,
          {.sentence = "steers the volume back to what was put in and let out; off, thin sheets shrink away"});
    visit(
        "enclosed_air", s.enclosed_air,
        {.sentence = "air that the liquid encloses resists being pressed together, rises and bursts; off, it is empty "
                     "and closes at once, as in the paper"});
    visit(
        "air_pressure", s.air_pressure,
        {.sentence = "of the open air: air that the liquid encloses is as stiff as air is under this pressure; 1e9 or "
                     "more, and it keeps its volume",
         .unit = "Pa",
         .from = 100,
         .to = 1e12});
    visit("pressure_tolerance", s.pressure_tolerance,
          {.sentence = "residual at which the pressure solve ends, relative to its start: larger is faster and lets "
                       "volume drift",
           .above = 0,
           .to = 0.1});
    visit(
        "max_pressure_iterations", s.max_pressure_iterations,
        {.sentence = "a pressure solve that needs more has not converged: the step is taken again with half its length",
         .unit = "iterations",
         .from = 1,
         .to = 100000});
}

template <class Visit>
void describe(Visit& visit, Particles& s) {
    visit("sides", s.sides,
          {.sentence = "which side of the surface has particles that correct it",
           .instead = "both; with the method foster-fedkiw-2001 inside"});
    visit(
        "per_cell", s.per_cell,
        {.sentence = "particles in each cell near the surface: more keep thinner sheets and cost time and memory; the "
                     "paper has 64 in 3D",
         .from = 1,
         .to = 256});
    visit("reseed_interval", s.reseed_interval,
          {.sentence = "how often cells with too few particles are filled up: seldom keeps what particles know, often "
                       "follows a surface that stretches",
           .unit = "s",
           .above = 0,
           .to = 1e6});
    visit("escape_distance", s.escape_distance,
          {.sentence = "how far on the wrong side of the corrected surface a particle becomes spray, or was air that "
                       "went under: more keeps thin sheets as beads on the grid, less makes drops of them",
           .unit = "cells",
           .above = 0,
           .to = 1e6});
    visit("largest_drop", s.largest_drop,
          {.sentence = "largest radius of a drop of spray; spray that weighs more than such a drop stands for several "
                       "of them (larger drops of water break up in the air)",
           .unit = "m",
           .above = 0,
           .to = 1000});
}

template <class Visit>
void describe(Visit& visit, FosterFedkiw& s) {
    visit(
        "curvature", s.curvature,
        {.sentence =
             "how much the surface must bend outwards before particles that poke out of it count, in radians per cell: "
             "0 lets all of them count, which keeps more thin water and shows their noise; at 1 they hardly "
             "do",
         .from = 0,
         .to = 2});
}

template <class Visit>
void describe(Visit& visit, Flow& s) {
    visit("velocity", s.velocity,
          {.sentence = "advects the liquid through the whole run; nothing else moves it",
           .unit = "m/s",
           .instead = "the liquid moves by itself"});
}

template <class Visit>
void describe(Visit& visit, Whitewater& s) {
    visit("amount", s.amount,
          {.sentence = "how many particles are born, as a factor: 1 looks like water; 0 makes no whitewater",
           .from = 0,
           .to = 1000});
    visit("min_speed", s.min_speed,
          {.sentence = "slower liquid entrains no air; four times as fast it entrains most",
           .unit = "m/s",
           .above = 0,
           .to = 1e4});
    visit("lifetime", s.lifetime,
          {.sentence = "of foam where most air is entrained; elsewhere down to an eighth of it",
           .unit = "s",
           .above = 0,
           .to = 1e6});
    visit("radius", s.radius,
          {.sentence = "mean radius of the particles; half of it makes eight times as many (3D) that look finer",
           .unit = "m",
           .above = 0,
           .to = 1000,
           .instead = "a 600th of the longest side of the box"});
    visit("drag", s.drag,
          {.sentence = "of the air on spray, as a factor on that of a drop of this radius; 0 lets it fly its parabola",
           .from = 0,
           .to = 1e4});
    visit("most", s.most, {.sentence = "particles at a time; with that many, fewer are born", .from = 1, .to = 1e8});
    visit("seed", s.seed, {.sentence = "another number gives other particles of the same amount"});
}

template <class Visit>
void describe(Visit& visit, Wind& s) {
    visit("name", s.name, kEntryName);
    visit("strength", s.strength,
          {.sentence =
               "share of the wind in the velocity of the air at the surface: 0 leaves the liquid to itself, 1 makes "
               "it follow",
           .from = 0,
           .to = 1});
    visit("velocity", s.velocity, {.sentence = "of the wind; 0 calms the liquid", .unit = "m/s"});
    visit("min", s.min, {.sentence = "lower corner of where it blows", .unit = "m", .instead = "everywhere"});
    visit("max", s.max, {.sentence = "upper corner of where it blows", .unit = "m", .instead = "everywhere"});
}

}  // namespace spindrift::scene
