// SPDX-License-Identifier: Apache-2.0
// Extrapolation into cells whose values are not known, layer by layer: each takes on the mean of those beside it that
// are known or lie in an earlier layer.  Where they lie is found once for a boundary, and serves many fields.
#pragma once

#include <array>
#include <vector>

#include "grid/field.h"
#include "schemes/cell_place.h"
#include "schemes/domain.h"

namespace spindrift {

template <int Dim>
struct UnknownCell {
    CellPlace at{};
    int count = 0;                            // of the cells beside it that say something
    std::array<CellPlace, 2 * Dim> beside{};  // these
};

template <int Dim>
using UnknownCells = std::vector<std::vector<UnknownCell<Dim>>>;  // by layer

// As many layers as interpolation and a limiter read, of the cells of the domain that are marked with 0.
template <int Dim>
UnknownCells<Dim> unknown_cells(Field<std::uint8_t, Dim> known, const Domain<Dim>& domain);

template <int Dim>
void extrapolate(Field<float, Dim>& field, const UnknownCells<Dim>& unknown);

}  // namespace spindrift
