// SPDX-License-Identifier: Apache-2.0
#include "schemes/medium.h"

#include <algorithm>

#include "linear/poisson.h"

namespace spindrift {
namespace {

// How well faces inside a bubble conduct: its pressure is the same everywhere, and this lets multigrid know.
constexpr float kInsideBubbles = 100;

}  // namespace

template <int Dim>
Medium<Dim>::Medium(const Field<float, Dim>& phi, const Boundary<Dim>& b, const FaceField<Dim>& open,
                    const std::vector<CellGroup>* bubbles)
    : phi_(phi), open_(open) {
    if (bubbles == nullptr || bubbles->empty()) return;
    level_ = phi;
    for (int axis = 0; axis < Dim; ++axis) {
        conductance_[axis] = Field<float, Dim>::unfilled(phi.tiles_ptr(), 0);  // none where there are no tiles
        std::ranges::copy(open_[axis].values(), conductance_[axis].values().begin());
    }
    for (const CellGroup& bubble : *bubbles)
        for (const auto& [slot, cell] : bubble) {
            level_.tile(slot)[cell] = -static_cast<float>(b.domain.grid.dx);
            add_faces(slot, cell);
        }
}

// Those below the cell, and those above it that are not below another cell of the bubble.
template <int Dim>
void Medium<Dim>::add_faces(Slot slot, int n) {
    const Index<Dim> cell = phi_.tiles().origin(slot) + cell_in_tile<Dim>(n);
    const float here = phi_.tile(slot)[n];
    for (int axis = 0; axis < Dim; ++axis) {
        const Index<Dim> above = cell + unit<Dim>(axis);
        if (phi_.tiles().find(tile_of_cell(cell - unit<Dim>(axis))) == kNoTile) {
            conductance_[axis].tile(slot)[n] = 0;
            hollow_.push_back({axis, slot, n});
        } else {
            add_face({axis, slot, n, 0, false}, here, phi_.at(cell - unit<Dim>(axis)));
        }
        const Slot slot_above = phi_.tiles().find(tile_of_cell(above));
        if (slot_above != kNoTile && phi_.at(above) < 0)
            add_face({axis, slot_above, offset_in_tile(above), 0, true}, here, phi_.at(above));
    }
}

template <int Dim>
void Medium<Dim>::add_face(BubbleFace face, float in_bubble, float beside) {
    float& conductance = conductance_[face.axis].tile(face.slot)[face.cell];
    if (!(conductance > 0)) return;
    if (!(beside < 0)) {
        conductance *= kInsideBubbles;
        return;
    }
    face.theta = surface_theta(beside, in_bubble);
    conductance /= face.theta;
    faces_.push_back(face);
}

template class Medium<2>;
template class Medium<3>;

}  // namespace spindrift
