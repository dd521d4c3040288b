// SPDX-License-Identifier: Apache-2.0
// The fields of a simulation by name, without copying them.  A view lives no longer than the simulation's state.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grid/field.h"

namespace spindrift {

struct FieldView {
    std::string name;     // as in output.fields, or of a substance
    std::string unit;     // of values × scale, SI; empty for a number
    std::string meaning;  // for people
    std::variant<const Field<float, 2>*, const Field<float, 3>*, const FaceField<2>*, const FaceField<3>*> values;
    double scale = 1;  // not a number where there are no values yet, such as a pressure before the first step
};

// The values of the field with this name; null where there is none of this kind.
template <class F>
const F* find_field(const std::vector<FieldView>& fields, std::string_view name) {
    for (const FieldView& view : fields)
        if (view.name == name)
            if (const auto* values = std::get_if<const F*>(&view.values)) return *values;
    return nullptr;
}

}  // namespace spindrift
