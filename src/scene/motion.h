// SPDX-License-Identifier: Apache-2.0
// How entries of a scene move: from what is written to a pose (bodies/pose.h).
#pragma once

#include "bodies/pose.h"
#include "scene/description.h"

namespace spindrift {

// `middle` is that of the shape, and finite: what it turns about where the scene names no pivot.
template <int Dim>
Pose<Dim> pose_of(const SceneDescription& scene, const scene::Motion& motion, const Vec<double, Dim>& middle);

// In space also where the scene is 2D, by what the description says of the shape; a mesh, whose file is not read here,
// turns about the middle of the domain.
Pose<3> pose_in_space(const SceneDescription& scene, const scene::Motion& motion, const scene::Shape& shape);

// No part of the shape within the domain is faster at this time, m/s.
double fastest_part(const SceneDescription& scene, const scene::Motion& motion, const scene::Shape& shape, double t);

}  // namespace spindrift
