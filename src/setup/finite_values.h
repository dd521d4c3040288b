// SPDX-License-Identifier: Apache-2.0
// Expressions must have a finite value in every cell in which they will be evaluated.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "scene/description.h"
#include "schemes/domain.h"

namespace spindrift {

// Adds an error that names the first cell at whose centre `is_finite` does not hold.
template <int Dim>
void check_finite(Errors& errors, const SceneDescription& scene, const std::string& path, const Domain<Dim>& domain,
                  const std::function<bool(const Vec<double, 3>& place)>& is_finite);

// The same of an expression, at one time.
template <int Dim>
void check_finite(Errors& errors, const SceneDescription& scene, const std::string& path, const Domain<Dim>& domain,
                  const FieldValue& value, double time = 0);
template <int Dim>
void check_finite(Errors& errors, const SceneDescription& scene, const std::string& path, const Domain<Dim>& domain,
                  const FieldVector& value, double time = 0);

}  // namespace spindrift
