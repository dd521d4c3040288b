// SPDX-License-Identifier: Apache-2.0
// All settings of files and pictures; part of describe.h.
#pragma once

#include "base/setting.h"
#include "scene/description.h"

namespace spindrift {

constexpr auto choices(FloorKind) {
    return std::array{Choice{FloorKind::checker, "checker", "squares, which show distances"},
                      Choice{FloorKind::plain, "plain", "one colour, `floor_color`"},
                      Choice{FloorKind::sea, "sea", "water up to the horizon around the box, at `sea_level`"},
                      Choice{FloorKind::none, "none", "no ground: the haze of the horizon goes on below"}};
}
// Scenes may also say whether there is a floor.
constexpr FloorKind choice_of_flag(FloorKind, bool flag) { return flag ? FloorKind::checker : FloorKind::none; }

namespace scene {

constexpr auto choices(Overlay) {
    return std::array{Choice{Overlay::none, "none", "the liquid alone"},
                      Choice{Overlay::velocity, "velocity", "arrows"},
                      Choice{Overlay::pressure, "pressure", "colours"}};
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
    visit("show_controls", s.show_controls,
          {.sentence = "draws the curves of controls over the picture, with arrows where they act"});
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

}  // namespace spindrift
