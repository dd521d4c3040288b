// SPDX-License-Identifier: Apache-2.0
// All settings of a gas; part of describe.h.
#pragma once

#include "base/setting.h"
#include "scene/gas_description.h"

namespace spindrift::scene {

constexpr auto choices(GasAdvection) {
    return std::array{
        Choice{GasAdvection::semi_lagrangian, "semi-lagrangian", "first order: smooth, the paper's own"},
        Choice{GasAdvection::maccormack, "maccormack", "second order, within bounds: keeps detail, twice the time"},
        Choice{GasAdvection::cubic, "cubic", "third order, within bounds: keeps detail and phase"}};
}
constexpr auto choices(GasTracing) {
    return std::array{Choice{GasTracing::midpoint, "midpoint", "second-order Runge-Kutta"},
                      Choice{GasTracing::adaptive, "adaptive", "sub-steps where the velocity changes quickly"}};
}
constexpr auto choices(GasSolver) {
    return std::array{
        Choice{GasSolver::automatic, "automatic", "the fastest that applies"},
        Choice{GasSolver::fft, "fft", "Fourier transforms: all sides periodic, no solids"},
        Choice{GasSolver::cosine, "cosine", "cosine, sine and Fourier transforms: any box without solids"},
        Choice{GasSolver::multigrid, "multigrid", "conjugate gradients with multigrid: everything"}};
}
constexpr auto choices(ForceKind) {
    return std::array{
        Choice{ForceKind::constant, "constant", "`acceleration`, which may vary in place and time"},
        Choice{ForceKind::vortex, "vortex", "turns the fluid about `axis` through `center`, within `radius`"},
        Choice{ForceKind::attractor, "attractor", "pulls towards `center`, within `radius`; negative pushes away"},
        Choice{ForceKind::turbulence, "turbulence",
               "smooth noise with swirls as large as `radius` that change `frequency` times per second"},
        Choice{ForceKind::drag, "drag", "slows the fluid down, by exp(-strength t)"}};
}

constexpr auto choices(TexturePattern) {
    return std::array{Choice{TexturePattern::checker, "checker", "squares, two to a scale"},
                      Choice{TexturePattern::stripes, "stripes", "layers across y, a scale apart"},
                      Choice{TexturePattern::noise, "noise", "clouds as large as the scale, and smaller ones in them"},
                      Choice{TexturePattern::marble, "marble", "veins a scale apart, bent by noise"}};
}

template <class Visit>
void describe(Visit& visit, Gas& s) {
    visit("viscosity", s.viscosity,
          {.sentence = "kinematic viscosity: air has 1.5e-5; more makes the flow smooth",
           .unit = "m²/s",
           .from = 0,
           .to = 1e6});
    visit("density", s.density,
          {.sentence = "mass per volume, for what probes measure in Pa, N or J; it does not change the flow",
           .unit = "kg/m³",
           .above = 0,
           .to = 1e5});
    visit("velocity", s.velocity, {.sentence = "initial velocity; it is made divergence-free", .unit = "m/s"});
    visit("advection", s.advection,
          {.sentence = "advection scheme of velocity and substances: `semi-lagrangian`, `maccormack` or `cubic`",
           .instead = "semi-lagrangian in stable-fluids-1999, cubic in gas"});
    visit("vorticity_confinement", s.vorticity_confinement,
          {.sentence = "drives small swirls that the grid is losing, but also those that it resolves, "
                       "so that laminar flow bends and decaying swirls gain energy; 0.05 to 0.5 for the look of smoke, "
                       "above 1 it stirs by itself",
           .from = 0,
           .to = 100,
           .instead = "0"});
    visit.renamed("vorticity", "vorticity_confinement");
    visit("tracing", s.tracing, {.sentence = "integration of the back-trace"});
    visit("solver", s.solver, {.sentence = "pressure solver"});
    visit("pressure_tolerance", s.pressure_tolerance,
          {.sentence = "residual at which an iterative pressure solve ends, relative to its start",
           .above = 0,
           .to = 0.1});
    visit("cfl", s.cfl,
          {.sentence = "cells the gas may cross in a time step; the method is stable without a limit, but "
                       "large steps smooth",
           .unit = "cells",
           .above = 0,
           .to = 1e6,
           .instead = "no limit: min_substeps steps per frame"});
    visit("sparse", s.sparse,
          {.sentence = "keeps only tiles that hold some substance and those around them: a plume in a tall box costs "
                       "what the plume costs; outside the tiles the pressure is ambient"});
    visit.renamed("follow", "sparse");
    visit("threshold", s.threshold,
          {.sentence = "with sparse: a tile is kept where a substance is further than this from its ambient value",
           .from = 0});
}

constexpr Setting kSolidWallValues{
    .sentence =
        "what the substances of a gas do at it, such as `{temperature = 350, smoke = \"insulated\", dye = {flux = "
        "0.1}}`: a value, which may vary in place and time; or nothing goes through; or so much of it comes in "
        "per m² and s",
    .instead = "insulated"};
constexpr Setting kSideWallValues{
    .sentence =
        "what the substances of a gas do at a side that is no opening, as `wall_values` of a "
        "[solid](#solid); on an inflow, what comes in",
    .instead = "`wall_value` of the substance; its `ambient` on an inflow"};

template <class Visit>
void describe(Visit& visit, GasSubstance& s) {
    visit("name", s.name,
          {.sentence = "density and temperature are drawn as smoke and, with render.glow, as fire", .required = true});
    visit("diffusion", s.diffusion, {.sentence = "diffusion coefficient", .unit = "m²/s", .from = 0, .to = 1e6});
    visit("dissipation", s.dissipation, {.sentence = "rate of exponential decay", .unit = "1/s", .from = 0, .to = 1e6});
    visit("ambient", s.ambient, {.sentence = "its value in the ambient air, which comes in through open sides"});
    visit("ambient_profile", s.ambient_profile,
          {.sentence = "ambient value that buoyancy is measured against, where it varies: an expression of place",
           .instead = "ambient"});
    visit.renamed("surroundings", "ambient_profile");
    visit("initial", s.initial, {.sentence = "initial value: an expression of place", .instead = "ambient"});
    visit.renamed("start", "initial");
    visit("wall_value", s.wall_value,
          {.sentence = "its value on closed sides that have no `wall_values` of it, such as a heated floor",
           .instead = "nothing goes through"});
    visit.renamed("walls", "wall_value");
    visit("buoyancy", s.buoyancy,
          {.sentence = "acceleration upwards per unit above ambient; negative sinks", .unit = "m/s²"});
    visit.renamed("lift", "buoyancy");
    visit("expansion", s.expansion, {.sentence = "rate at which gas expands per unit above ambient", .unit = "1/s"});
    visit(
        "color", s.color,
        {.sentence = "its colour in pictures, linear red, green, blue: of dye in 2D, of the light that smoke scatters "
                     "in 3D, where black stops all; below ambient 2D shows the opposite hue, 3D nothing",
         .from = 0,
         .to = 1,
         .instead = "by its number in 2D, nearly white in 3D"});
    visit("opacity", s.opacity,
          {.sentence = "part of the light that a thin layer of one unit stops in 3D pictures, per metre; 0 is clear",
           .unit = "1/m",
           .from = 0,
           .to = 1e6,
           .instead = "30 over the width of the box; 0 for temperature"});
}

template <class Visit>
void describe(Visit& visit, Texture& s) {
    visit("pattern", s.pattern, {.sentence = "a texture made by rule", .instead = "none"});
    visit("image", s.image,
          {.sentence = "a texture from a PNG file, its lower left corner at that of the box; it repeats itself",
           .instead = "none"});
    visit("scale", s.scale,
          {.sentence = "size of the pattern, or width of the image; fits a whole number of times into a periodic box",
           .unit = "m",
           .above = 0,
           .to = 1e6});
    visit("period", s.period,
          {.sentence = "how long the flow draws the texture out before it fades into a fresh one; longer gives finer "
                       "swirls",
           .unit = "s",
           .above = 0,
           .to = 1e6});
    visit(
        "amount", s.amount,
        {.sentence = "how much shows: in 2D part of the colour, in 3D how far the texture thins and thickens the smoke",
         .from = 0,
         .to = 1});
    visit("low", s.low, {.sentence = "colour of a pattern's dark parts in 2D", .from = 0, .to = 1});
    visit("high", s.high, {.sentence = "colour of its bright parts in 2D", .from = 0, .to = 1});
}

template <class Visit>
void describe(Visit& visit, Force& s) {
    visit("name", s.name, {.sentence = "to call it by in --set", .instead = "its number"});
    visit("kind", s.kind, {.sentence = "what it does", .required = true});
    visit("acceleration", s.acceleration, {.sentence = "of a constant force", .unit = "m/s²"});
    visit("center", s.center, {.sentence = "of a vortex or attractor", .unit = "m"});
    visit("axis", s.axis, {.sentence = "a vortex turns about it (3D)", .instead = "[0, 0, 1]"});
    visit("strength", s.strength,
          {.sentence = "acceleration of a vortex, attractor or turbulence in m/s²; rate of a drag in 1/s"});
    visit("radius", s.radius,
          {.sentence = "reach of a vortex or attractor, size of turbulent swirls", .unit = "m", .above = 0, .to = 1e6});
    visit("frequency", s.frequency, {.sentence = "of turbulence", .unit = "1/s", .from = 0, .to = 1e6});
    visit("substance", s.substance,
          {.sentence =
               "the force is proportional to this substance of a gas: with turbulence, noise where there is smoke",
           .instead = "it acts everywhere"});
    visit("start", s.start, {.sentence = "when it begins", .unit = "s", .from = 0, .to = 1e6});
    visit("end", s.end, {.sentence = "when it stops", .unit = "s", .above = 0, .to = 1e6, .instead = "never"});
}

}  // namespace spindrift::scene
