// SPDX-License-Identifier: Apache-2.0
// How strong the forces of a scene are: for estimates and warnings.
#pragma once

#include "scene/description.h"

namespace spindrift {

// The largest acceleration by one force while it acts, m/s², as samples of the domain show it; 0 for drag and where it
// has no finite value.
double force_strength(const SceneDescription& scene, const scene::Force& force, double t);

// The sum over those that act at a time, and shapes that attract.
double force_strength(const SceneDescription& scene, double t);

// What the forces of the whole run add to the speed of a fluid at most, m/s, as far as can be told: the work of one
// that is the same everywhere over the longest way through the domain; of others, which may drive it round and round,
// the impulse.
double speed_by_forces(const SceneDescription& scene);

}  // namespace spindrift
