// SPDX-License-Identifier: Apache-2.0
// From a scene's description to what a liquid is simulated with: world, settings, and the liquid at the start.
#pragma once

#include <functional>

#include "base/result.h"
#include "geometry/shapes.h"
#include "liquid/particle_level_set_2002.h"
#include "liquid/world.h"
#include "scene/description.h"
#include "setup/shown_solids.h"

namespace spindrift {

template <int Dim>
struct LiquidScene {
    World<Dim> world;
    ShownSolids<Dim> shown;
    // Of the liquid at time 0, by world position: signed distance in m, and velocity in m/s.
    std::function<double(const Vec<double, Dim>&)> distance;
    std::function<Vec<double, Dim>(const Vec<double, Dim>&)> velocity;
    ComponentParts<Dim> parts;  // of what it consists, where there are components
};

// Errors name what the scene asks for and no method has yet, and files that cannot be read.
template <int Dim>
Result<LiquidScene<Dim>> liquid_scene(const SceneDescription& scene);

LiquidSettings liquid_settings(const SceneDescription& scene);
// The same for liquids and for surfaces in a given flow.
ParticleLevelSetSettings particle_settings(const SceneDescription& scene);
// None but for methods that have particles.
ParticleSides particle_sides(const SceneDescription& scene);
// Whether drops may come off it.
bool throws_spray(const SceneDescription& scene);

}  // namespace spindrift
