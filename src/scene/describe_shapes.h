// SPDX-License-Identifier: Apache-2.0
// All settings of shapes, and of what has a shape: liquids, solids and sources; part of describe.h.
#pragma once

#include "base/setting.h"
#include "scene/describe_gas.h"
#include "scene/description.h"

namespace spindrift::scene {

constexpr auto choices(ShapeOp) {
    return std::array{Choice{ShapeOp::add, "add", "joins it to the shapes above"},
                      Choice{ShapeOp::subtract, "subtract", "cuts it out of the shapes above"}};
}
constexpr auto choices(Wall) {
    return std::array{Choice{Wall::slip, "slip", "the liquid slides along it"},
                      Choice{Wall::no_slip, "no-slip", "the liquid sticks to it"}};
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
void describe(Visit& visit, Heightmap& s) {
    visit("image", s.image,
          {.sentence = "a PNG picture of 8 or 16 bits, grey or coloured, relative to the scene file; it lies as seen "
                       "from above, its lower edge in front, and in 2D is cut through its middle",
           .required = true});
    visit("min", s.min,
          {.sentence = "lower corner of the box that the picture fills: where it begins, and the height of black",
           .unit = "m",
           .required = true});
    visit("max", s.max,
          {.sentence = "upper corner: where the picture ends, and the height of white", .unit = "m", .required = true});
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
constexpr Setting kEntryComponent{.sentence = "which [[component]] it consists of", .instead = "the liquid of [fluid]"};
constexpr Setting kEntryOp{.sentence = "how it joins the shapes above it in the same list"};

template <class Visit>
void describe(Visit& visit, Liquid& s) {
    visit("name", s.name, kEntryName);
    visit.one_of("shape", s.shape, kEntryShape);
    visit("op", s.op, kEntryOp);
    visit("velocity", s.velocity, {.sentence = "initial velocity", .unit = "m/s"});
    visit("component", s.component, kEntryComponent);
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
    visit("component", s.component, kEntryComponent);
    visit("substance", s.substance, {.sentence = "what a source of a gas gives; without one it only blows"});
    visit("rate", s.rate, {.sentence = "how much of the substance a source of a gas adds", .unit = "1/s"});
    visit("value", s.value, {.sentence = "how much of the substance there is at least in a source of a gas"});
}

}  // namespace spindrift::scene
