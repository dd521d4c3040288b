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
#include "scene/describe_gas.h"
#include "scene/describe_probe.h"
#include "scene/description.h"
#include "scene/methods.h"

namespace spindrift {

constexpr auto choices(Interpolation) {
    return std::array{Choice{Interpolation::linear, "linear", "straight lines between keyframes"},
                      Choice{Interpolation::smooth, "smooth", "smooth between keyframes, without overshoot"},
                      Choice{Interpolation::step, "step", "stays until the next keyframe"}};
}

constexpr auto choices(FloorKind) {
    return std::array{Choice{FloorKind::checker, "checker", "squares, which show distances"},
                      Choice{FloorKind::plain, "plain", "one colour, `floor_color`"},
                      Choice{FloorKind::sea, "sea", "water up to the horizon around the box, at `sea_level`"},
                      Choice{FloorKind::none, "none", "no ground: the haze of the horizon goes on below"}};
}
// Scenes may also say whether there is a floor.
constexpr FloorKind choice_of_flag(FloorKind, bool flag) { return flag ? FloorKind::checker : FloorKind::none; }

namespace scene {

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
constexpr auto choices(ShapeOp) {
    return std::array{Choice{ShapeOp::add, "add", "joins it to the shapes above"},
                      Choice{ShapeOp::subtract, "subtract", "cuts it out of the shapes above"}};
}
constexpr auto choices(Wall) {
    return std::array{Choice{Wall::slip, "slip", "the liquid slides along it"},
                      Choice{Wall::no_slip, "no-slip", "the liquid sticks to it"}};
}
constexpr auto choices(Overlay) {
    return std::array{Choice{Overlay::none, "none", "the liquid alone"},
                      Choice{Overlay::velocity, "velocity", "arrows"},
                      Choice{Overlay::pressure, "pressure", "colours"}};
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
    visit("wall_values", s.wall_values, kSideWallValues);
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
    visit("sides", s.sides, {.sentence = "which side of the surface has particles that correct it"});
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
void describe(Visit& visit, Flow& s) {
    visit("velocity", s.velocity,
          {.sentence = "advects the liquid through the whole run; nothing else moves it",
           .unit = "m/s",
           .instead = "the liquid moves by itself"});
}

constexpr Setting kFrom{.sentence = "centre of one end", .unit = "m", .required = true};
constexpr Setting kTo{.sentence = "centre of the other end", .unit = "m", .required = true};
constexpr Setting kRadius{.sentence = "radius", .unit = "m", .above = 0, .to = 1e6, .required = true};
constexpr Setting kCenter{.sentence = "centre", .unit = "m", .required = true};
constexpr Setting kTurn{.sentence = "turn about the centre: about x, then y, then z (in 2D one number)", .unit = "°"};

template <class Visit>
void describe(Visit& visit, Box& s) {
    visit("min", s.min, {.sentence = "lower corner", .unit = "m", .required = true});
    visit("max", s.max, {.sentence = "upper corner", .unit = "m", .required = true});
    visit("rotate_degrees", s.rotate_degrees, kTurn);
}
template <class Visit>
void describe(Visit& visit, Sphere& s) {
    visit("center", s.center, kCenter);
    visit("radius", s.radius, kRadius);
}
template <class Visit>
void describe(Visit& visit, Ellipsoid& s) {
    visit("center", s.center, kCenter);
    visit("radii", s.radii,
          {.sentence = "half the length along each axis", .unit = "m", .above = 0, .to = 1e6, .required = true});
    visit("rotate_degrees", s.rotate_degrees, kTurn);
}
template <class Visit>
void describe(Visit& visit, Cylinder& s) {
    visit("from", s.from, kFrom);
    visit("to", s.to, kTo);
    visit("radius", s.radius, kRadius);
}
template <class Visit>
void describe(Visit& visit, Capsule& s) {
    visit("from", s.from, kFrom);
    visit("to", s.to, kTo);
    visit("radius", s.radius, kRadius);
}
template <class Visit>
void describe(Visit& visit, Cone& s) {
    visit("from", s.from, kFrom);
    visit("to", s.to, kTo);
    visit("radius", s.radius, {.sentence = "radius at `from`", .unit = "m", .from = 0, .to = 1e6, .required = true});
    visit("radius_to", s.radius_to, {.sentence = "radius at `to`; 0 makes a tip", .unit = "m", .from = 0, .to = 1e6});
}
template <class Visit>
void describe(Visit& visit, Torus& s) {
    visit("center", s.center, kCenter);
    visit("radius", s.radius,
          {.sentence = "from the centre to the middle of the tube",
           .unit = "m",
           .above = 0,
           .to = 1e6,
           .required = true});
    visit("tube_radius", s.tube_radius,
          {.sentence = "radius of the tube", .unit = "m", .above = 0, .to = 1e6, .required = true});
    visit("axis", s.axis,
          {.sentence = "the tube goes round it (3D); its length does not matter", .instead = "that which points up"});
}
template <class Visit>
void describe(Visit& visit, Polygon& s) {
    visit("points", s.points,
          {.sentence = "corners in order, [[x, y], …], at least three; the last is joined to the first",
           .unit = "m",
           .required = true});
}
template <class Visit>
void describe(Visit& visit, Plane& s) {
    visit("point", s.point, {.sentence = "any point of the plane", .unit = "m", .required = true});
    visit("normal", s.normal,
          {.sentence = "points out of the shape, which fills all behind it; its length does not "
                       "matter",
           .required = true});
}
template <class Visit>
void describe(Visit& visit, Heights& s) {
    visit("height", s.height,
          {.sentence = "up to which it is filled, along up: a number, or an expression of the place beneath",
           .unit = "m",
           .required = true});
}
template <class Visit>
void describe(Visit& visit, Mesh& s) {
    visit("file", s.file,
          {.sentence = "a closed triangle mesh (.ply, .obj, .stl), relative to the scene file", .required = true});
    visit("scale", s.scale,
          {.sentence = "factor from the file's unit to metres, 0.01 for centimetres", .above = 0, .to = 1e6});
    visit("rotate_degrees", s.rotate_degrees,
          {.sentence = "turn about the file's origin, after scale: about x, then y, then z", .unit = "°"});
    visit("translate", s.translate, {.sentence = "move, after the turn", .unit = "m"});
}

constexpr Setting kEntryName{.sentence = "to call it by in --set", .instead = "its number"};
constexpr Setting kEntryShape{.sentence = "what it looks like", .required = true};
constexpr Setting kEntryOp{.sentence = "how it joins the shapes above it in the same list"};

template <class Visit>
void describe(Visit& visit, Liquid& s) {
    visit("name", s.name, kEntryName);
    visit.one_of("shape", s.shape, kEntryShape);
    visit("op", s.op, kEntryOp);
    visit("velocity", s.velocity, {.sentence = "initial velocity", .unit = "m/s"});
}
// Of an entry that may move, among its own settings.
template <class Visit>
void describe(Visit& visit, Motion& s) {
    visit("offset", s.offset,
          {.sentence = "how far it has moved from where its shape is written; a solid that moves pushes the fluid, a "
                       "source that moves takes its velocity along",
           .unit = "m",
           .instead = "it stands still"});
    visit("rotation_degrees", s.rotation_degrees,
          {.sentence = "how far it has turned about the pivot: one angle about `rotation_axis` (in 2D "
                       "counter-clockwise), of any number of turns, or three about x, then y, then z",
           .unit = "°",
           .instead = "it does not turn"});
    visit("rotation_axis", s.rotation_axis,
          {.sentence = "the axis of one angle (3D); a screw that turns by a positive angle moves along it",
           .instead = "that which points up"});
    visit("pivot", s.pivot,
          {.sentence = "the point that it turns about, where the shape is written; it moves with `offset`. The torque "
                       "on a solid is about its pivot, also where it does not turn",
           .unit = "m",
           .instead = "the middle of the shape"});
}
template <class Visit>
void describe(Visit& visit, Solid& s) {
    visit("name", s.name, kEntryName);
    visit.one_of("shape", s.shape, kEntryShape);
    visit("op", s.op, kEntryOp);
    visit("wall", s.wall, {.sentence = "how the liquid moves along it"});
    visit("wall_values", s.wall_values, kSolidWallValues);
    describe(visit, s.motion);
    for (const char* floats : {"density", "mass", "floating"})
        visit.not_yet(floats, "bodies that float are planned; a solid moves as offset and rotation_degrees say");
    visit("visible", s.visible, {.sentence = "whether pictures show it"});
    visit("glass", s.glass,
          {.sentence = "drawn as a thin, clear pane along its surface, through which the liquid is seen (3D liquids; "
                       "solids that stand still)"});
}
template <class Visit>
void describe(Visit& visit, Source& s) {
    visit("name", s.name, kEntryName);
    visit.one_of("shape", s.shape, kEntryShape);
    describe(visit, s.motion);
    visit("velocity", s.velocity,
          {.sentence = "with which the liquid leaves the source; 0 only keeps the shape full; it turns with a source "
                       "that turns, and adds to how that moves",
           .unit = "m/s"});
    visit("start", s.start, {.sentence = "when it begins to pour", .unit = "s", .from = 0, .to = 1e6});
    visit("end", s.end, {.sentence = "when it stops", .unit = "s", .above = 0, .to = 1e6, .instead = "never"});
    visit("substance", s.substance, {.sentence = "what a source of a gas gives; without one it only blows"});
    visit("rate", s.rate, {.sentence = "how much of the substance a source of a gas adds", .unit = "1/s"});
    visit("value", s.value, {.sentence = "how much of the substance there is at least in a source of a gas"});
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

template <class Visit>
void describe(Visit& visit, Output& s) {
    visit("name", s.name, {.sentence = "start of all file names", .instead = "the scene file's name"});
    visit("volumes", s.volumes,
          {.sentence = "frames/NAME.0001.vdb: the fields below, for renderers and for later "
                       "stages"});
    visit("mesh", s.mesh, {.sentence = "mesh/NAME.0001.ply: the surface as triangles with velocities (3D only)"});
    visit("spray", s.spray,
          {.sentence = "particles/NAME.0001.ply: drops of spray as points with velocity and radius (liquids with "
                       "particles only)"});
    visit("images", s.images, {.sentence = "images/NAME.0001.png: what the camera sees"});
    visit("film", s.film, {.sentence = "NAME.mp4, made of the images"});
    visit("film_fps", s.film_fps,
          {.sentence = "images that the film shows in a second; more than time.fps is fast motion, fewer slow motion",
           .unit = "1/s",
           .from = 0.01,
           .to = 1000,
           .instead = "time.fps; 24 where that is below 12, 60 where it is above 60"});
    visit("fields", s.fields,
          {.sentence = "grids in a volume: surface, velocity, vel (staggered), pressure, collision; each adds to the "
                       "disk space"});
    visit("names", s.names, {.sentence = "other names for grids, such as {velocity = \"v\"}", .instead = "none"});
    visit("checkpoint_every", s.checkpoint_every,
          {.sentence = "a killed run goes on from the last checkpoint; 0 writes none",
           .unit = "frames",
           .from = 0,
           .to = 1e6});
    visit("keep_checkpoints", s.keep_checkpoints,
          {.sentence = "older ones are removed; 0 keeps all, so that a run can branch anywhere", .from = 0, .to = 1e6});
}

template <class Visit>
void describe(Visit& visit, Camera& s) {
    visit("position", s.position,
          {.sentence = "where it stands (3D)", .unit = "m", .instead = "far enough to see the whole box"});
    visit("look_at", s.look_at,
          {.sentence = "the point in the middle of the picture (3D)", .unit = "m", .instead = "the middle of the box"});
    visit("up", s.up, {.sentence = "the direction that is up in the picture (3D)", .instead = "that of the domain"});
    visit("fov_degrees", s.fov_degrees,
          {.sentence = "angle of view from left to right", .unit = "°", .from = 1, .to = 170});
    visit("resolution", s.resolution,
          {.sentence = "width and height of the picture; a film needs even numbers",
           .unit = "pixels",
           .from = 16,
           .to = 16384,
           .instead = "[960, 540] in 3D; the shape of the box in 2D"});
    visit("min", s.min, {.sentence = "lower corner of what is shown (2D)", .unit = "m", .instead = "that of the box"});
    visit("max", s.max, {.sentence = "upper corner of what is shown (2D)", .unit = "m", .instead = "that of the box"});
    visit("overlay", s.overlay, {.sentence = "drawn over the liquid in 2D"});
    visit("overlay_min", s.overlay_min,
          {.sentence = "speed (m/s) or pressure (Pa) that has the first colour of the overlay", .instead = "0"});
    visit("overlay_max", s.overlay_max,
          {.sentence = "speed (m/s) or pressure (Pa) that has the last colour, the same in all frames",
           .instead = "an estimate from the energy and depth of the liquid at the start"});
}

template <class Visit>
void describe(Visit& visit, Render& s) {
    visit("sky_color", s.sky_color,
          {.sentence = "light from all around, linear red, green, blue", .from = 0, .to = 1000});
    visit("sun_color", s.sun_color, {.sentence = "light of the sun; its size is its strength", .from = 0, .to = 1000});
    visit("sun_direction", s.sun_direction,
          {.sentence = "towards the sun; its length does not matter",
           .instead = "from above and the left, a little beyond what the camera shows"});
    visit("floor", s.floor, {.sentence = "the ground below the box; true is `checker`, false `none`"});
    visit("sea_level", s.sea_level,
          {.sentence = "height of the sea around the box, along up; in the box the bottom keeps `floor_color`",
           .unit = "m",
           .instead = "that of the liquid at the sides of the box at the start; the bottom of the box of a gas"});
    visit("floor_color", s.floor_color, {.sentence = "part of the light it sends back", .from = 0, .to = 1});
    visit("outline", s.outline, {.sentence = "the edges of the box and a hint of its panes (3D)"});
    visit("background", s.background,
          {.sentence = "the sky behind everything (3D); without it the background is white"});
    visit("water_color", s.water_color,
          {.sentence = "part of the light left after a metre of liquid; `absorption` overrides it",
           .from = 0,
           .to = 1,
           .instead = "of the material"});
    visit("absorption", s.absorption,
          {.sentence = "how fast the liquid absorbs red, green and blue light: a part exp(-absorption × depth) is left",
           .unit = "1/m",
           .from = 0,
           .to = 1e6,
           .instead = "of the material"});
    visit("scattering", s.scattering,
          {.sentence = "how fast light is scattered in the liquid: 0 is clear, 10 cloudy, 1000 opaque like milk",
           .unit = "1/m",
           .from = 0,
           .to = 1e6,
           .instead = "of the material"});
    visit("scattering_color", s.scattering_color,
          {.sentence = "part of the light that a cloudy liquid sends back",
           .from = 0,
           .to = 1,
           .instead = "of the material"});
    visit("emission", s.emission,
          {.sentence = "light that the liquid itself gives off, as lava does; a white board in the sun has about 3",
           .from = 0,
           .to = 1000,
           .instead = "of the material"});
    visit("anisotropy", s.anisotropy,
          {.sentence = "where smoke sends the light it scatters: -0.9 back, 0 everywhere alike, 0.9 straight on",
           .from = -0.95,
           .to = 0.95});
    visit(
        "glow", s.glow,
        {.sentence = "how bright a metre of gas is where the substance `temperature` is one above ambient; 0 is dark, "
                     "30 a flame",
         .from = 0,
         .to = 1e6});
    visit(
        "glow_kelvin", s.glow_kelvin,
        {.sentence = "the temperature of a black body of the same colour there: 1000 is red, 1500 orange, 3000 yellow",
         .unit = "K",
         .from = 500,
         .to = 20000});
    visit("shutter", s.shutter,
          {.sentence = "for how much of a frame's time the shutter is open: drops of spray are stretched along their "
                       "way; 0 freezes them",
           .from = 0,
           .to = 1});
    visit("exposure", s.exposure, {.sentence = "factor on all light in the PNG pictures", .above = 0, .to = 1e6});
}

}  // namespace scene

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
    visit.table("level-set", s.level_set,
                {.sentence = "Settings of the methods level-set and particle-level-set-2002."});
    visit.table("particles", s.particles, {.sentence = "Settings of the method particle-level-set-2002."});
    visit.table("flow", s.flow,
                {.sentence = "A given velocity, for tests of how well a surface is advected: with it, the methods "
                             "level-set and particle-level-set-2002 move the surface alone."});
    visit.table("gas", s.gas, {.sentence = "Settings of the methods stable-fluids-1999 and gas."});
    visit.list("substance", s.substance, {.sentence = "What a gas advects: smoke, heat, dye."});
    visit.list("force", s.force, {.sentence = "What drives a liquid, besides gravity, or a gas."});
    visit.table("texture", s.texture,
                {.sentence = "A texture that goes with a gas: in 2D it is the picture, in 3D detail in the smoke."});
    visit.list("liquid", s.liquid, {.sentence = "Liquid that is there at the start."});
    visit.list("solid", s.solid, {.sentence = "Obstacles that stand, or move as `offset` says."});
    visit.list("source", s.source, {.sentence = "Shapes that keep pouring liquid."});
    visit.list("wind", s.wind, {.sentence = "Winds that drive or calm the liquid's surface."});
    visit.list("probe", s.probe,
               {.sentence = "Measurements over time, written to probes/NAME.csv and plotted in the report."});
    visit.table("output", s.output, {.sentence = "What is written to the run's folder."});
    visit.table("camera", s.camera, {.sentence = "Where the pictures are taken from."});
    visit.table("render", s.render, {.sentence = "Light and colours of the pictures."});
}

}  // namespace spindrift
