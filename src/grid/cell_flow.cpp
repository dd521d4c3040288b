// SPDX-License-Identifier: Apache-2.0
#include "grid/cell_flow.h"

namespace spindrift {

template <int Dim>
CellFlow<Dim>::CellFlow(const IndexBox<Dim>& domain, double cell_size)
    : box(domain), dx(cell_size), kind(domain.expanded(1), CellContent::solid), pressure(domain.expanded(1)) {
    velocity.fill(Dense<double, Dim>(domain.expanded(1)));
}

template <int Dim>
void label_surface(CellFlow<Dim>& flow) {
    const auto is_beside_air = [&](std::ptrdiff_t cell) {
        for (int a = 0; a < Dim; ++a)
            for (const int side : {-1, 1})
                if (flow.kind[cell + side * flow.kind.stride(a)] == CellContent::empty) return true;
        return false;
    };
    // Full and surface cells count alike as neighbours, so that cells may be labelled while others are looked at.
    Dense<std::uint8_t, Dim> beside(flow.kind.box());
    for_each_cell(flow.box, [&](const Index<Dim>& cell) {
        const std::ptrdiff_t n = flow.kind.offset(cell);
        beside[n] = is_liquid(flow.kind[n]) && is_beside_air(n) ? 1 : 0;
    });
    for_each_cell(flow.box, [&](const Index<Dim>& cell) {
        const std::ptrdiff_t n = flow.kind.offset(cell);
        if (is_liquid(flow.kind[n])) flow.kind[n] = beside[n] != 0 ? CellContent::surface : CellContent::full;
    });
}

template struct CellFlow<2>;
template struct CellFlow<3>;
template void label_surface(CellFlow<2>&);
template void label_surface(CellFlow<3>&);

}  // namespace spindrift
