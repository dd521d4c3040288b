// SPDX-License-Identifier: Apache-2.0
// The surface of a frame as triangles in a file.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "grid/field.h"
#include "liquid/world.h"
#include "products/mixture_look.h"

namespace spindrift {

// The solids at this time.  Where nothing is known of them, they count as `far` away (m).
template <int Dim>
Field<float, Dim> solid_field(const World<Dim>& world, double time, const TilesPtr<Dim>& tiles, float far);

// A PLY, cut off at solids and at the container; with velocities unless `velocity` is null, and with colours where
// there are some.
Result<void> write_surface_mesh(const std::filesystem::path& file, const World<3>& world, double time,
                                const Field<float, 3>& phi, const FaceField<3>* velocity,
                                const MixtureColors<3>& colors);

}  // namespace spindrift
