// SPDX-License-Identifier: Apache-2.0
// Values and vectors of a scene as functions of place and time, as worlds hold them.
#pragma once

#include <algorithm>

#include "base/vec.h"
#include "scene/description.h"

namespace spindrift {

template <int Dim>
auto field_function(const FieldValue& value) {
    return [value](const Vec<double, Dim>& x, double t) { return value.at(in_space(x), t); };
}

template <int Dim>
auto field_function(const FieldVector& vector) {
    return [vector](const Vec<double, Dim>& x, double t) { return components<Dim>(vector.at(in_space(x), t)); };
}

inline bool varies_in_space(const FieldVector& vector) {
    return std::ranges::any_of(vector.component, [](const FieldValue& c) { return c.varies_in_space(); });
}

}  // namespace spindrift
