// SPDX-License-Identifier: Apache-2.0
// The wall values of a scene, wherever they are written.
#pragma once

#include <fmt/format.h>

#include "scene/description.h"

namespace spindrift {

// Calls f(path, walls) for all sides and solids that have wall values.
template <class F>
void for_each_wall_values(const SceneDescription& scene, int dim, F&& f) {
    for (int axis = 0; axis < dim; ++axis)
        for (const bool upper : {false, true})
            if (const auto& walls = scene.domain.sides.at(axis, upper).wall_values)
                f(fmt::format("domain.sides.{}.wall_values", side_name(axis, upper, scene.domain.up)), *walls);
    for (std::size_t i = 0; i < scene.solid.size(); ++i)
        if (const auto& walls = scene.solid[i].wall_values) f(fmt::format("solid[{}].wall_values", i), *walls);
}

}  // namespace spindrift
