// SPDX-License-Identifier: Apache-2.0
// What the pictures of a run will show, from the scene alone: a camera that fits it and colours that mean the same
// stay as they are in every frame, when frames are rendered again, and after a run was resumed.
#pragma once

#include <functional>
#include <optional>

#include "scene/description.h"

namespace spindrift {

// The box around a mesh where the scene has it, m; nothing where its file cannot be read.  No file is read here.
using MeshExtent = std::function<std::optional<Box<double, 3>>(const scene::Mesh&)>;

// Where in the box the liquid of a 3D scene, its sources and the solids that are shown will be seen over the run, with
// headroom for splashes, however many frames it has.  All of the box for a gas.  A mesh of unknown extent counts as
// large as the box.
Box<double, 3> visible_region(const SceneDescription& scene, const MeshExtent& mesh_extent = {});

// First and last value of the colours that lie over a 2D liquid: camera.overlay_min and overlay_max where they are
// given.  Speeds reach to twice that of a liquid that turns all the energy of its start into motion; pressures to that
// under the liquid's highest point at rest.
Vec<double, 2> overlay_range(const SceneDescription& scene);

// Height of the sea around the box, along up, m: render.sea_level where it is given.
double sea_level(const SceneDescription& scene);

// The part of a 2D scene that is shown, m.
Box<double, 2> shown_part(const SceneDescription& scene);

// Width and height of the pictures, pixels.
Vec<int, 2> picture_size(const SceneDescription& scene);

}  // namespace spindrift
