// SPDX-License-Identifier: Apache-2.0
// Shapes of a description as shapes of geometry/.
#pragma once

#include <string>

#include "base/result.h"
#include "geometry/mesh.h"
#include "geometry/shapes.h"
#include "scene/description.h"

namespace spindrift {

// Puts the shape on the set or cuts it out.  `path` ("solid[2]") places what is wrong with it; then nothing is added.
template <int Dim>
void add_shape(ShapeSet<Dim>& set, Errors& errors, const SceneDescription& scene, const std::string& path,
               const scene::Shape& shape, scene::ShapeOp op);

// What lies below heights or a heightmap, as a solid: with the distance of its surface, where that of add_shape() is
// one near the surface alone.
template <int Dim>
typename ShapeSet<Dim>::Part ground_part(const SceneDescription& scene, const scene::Shape& shape);

// The mesh of a file, scaled, turned and moved to where the scene has it.
Result<TriangleMesh> placed_mesh(const SceneDescription& scene, const scene::Mesh& mesh);

}  // namespace spindrift
