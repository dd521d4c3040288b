// SPDX-License-Identifier: Apache-2.0
// Where there is a pressure: in the liquid, and in the bubbles of air it encloses.
#pragma once

#include <vector>

#include "schemes/boundary.h"

namespace spindrift {

// A face between liquid and a bubble.
struct BubbleFace {
    int axis;
    Slot slot;
    int cell;     // above it, in the tile
    float theta;  // from the liquid cell to the surface
    bool liquid_above;
};

// A face between a cell of a bubble and a place without a tile in the middle of it.
struct HollowFace {
    int axis;
    Slot slot;
    int cell;  // above it, in the tile
};

// Refers to what it is made of, and holds no more than that where there are no bubbles.
template <int Dim>
class Medium {
  public:
    // `open` is that of the boundaries, or weighted.
    Medium(const Field<float, Dim>& phi, const Boundary<Dim>& boundaries, const FaceField<Dim>& open,
           const std::vector<CellGroup>* bubbles);

    // Negative where there is a pressure; everywhere but in bubbles, φ.
    const Field<float, Dim>& level() const { return level_.empty() ? phi_ : level_; }
    // Of faces between two cells with a pressure: their open part, over θ between liquid and a bubble.
    const FaceField<Dim>& conductance() const { return level_.empty() ? open_ : conductance_; }
    const std::vector<BubbleFace>& bubble_faces() const { return faces_; }
    // Closed: what is beyond has the bubble's pressure, and holds as much air as before.  Those below such a place
    // belong to no tile.
    const std::vector<HollowFace>& hollow_faces() const { return hollow_; }

  private:
    void add_faces(Slot slot, int cell);
    void add_face(BubbleFace face, float in_bubble, float beside);

    const Field<float, Dim>& phi_;
    const FaceField<Dim>& open_;
    Field<float, Dim> level_;
    FaceField<Dim> conductance_;
    std::vector<BubbleFace> faces_;
    std::vector<HollowFace> hollow_;
};

extern template class Medium<2>;
extern template class Medium<3>;

}  // namespace spindrift
