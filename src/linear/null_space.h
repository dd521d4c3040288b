// SPDX-License-Identifier: Apache-2.0
// Connected regions of unknowns that nothing holds: no ground anywhere, so that a constant may be added to x and the
// right side must sum to zero over each.  Found exactly, by joining cells across conducting faces.
#pragma once

#include <cstdint>
#include <vector>

#include "linear/poisson.h"

namespace spindrift {

template <int Dim>
class NullSpace {
  public:
    explicit NullSpace(const PoissonOperator<Dim>& a);

    std::size_t region_count() const { return region_cells_.size(); }
    // Takes the mean off in every free region: makes a right side compatible, or picks the solution of zero mean.
    void remove_means(Field<float, Dim>& field) const;

  private:
    static constexpr std::int32_t kHeld = -1;        // a region with ground, or no region
    static constexpr std::uint32_t kOneLabel = ~0U;  // all unknowns of the tile are connected inside it

    // The sum of value(slot, cell in tile) over each free region.
    template <class Value>
    std::vector<double> region_sums(Value&& value) const;
    // Calls f(cell in tile, piece) for the tile's cells that belong to free regions.
    template <class F>
    void for_each_free_cell(Slot slot, F&& f) const;

    const PoissonOperator<Dim>& a_;
    // Each tile's unknowns fall into one or more pieces connected inside the tile; pieces are numbered tile by tile.
    std::vector<std::uint32_t> first_piece_;   // per tile, and one more
    std::vector<std::uint32_t> label_block_;   // per tile: its block in labels_, or kOneLabel
    std::vector<std::uint16_t> labels_;        // piece within the tile, per cell
    std::vector<std::int32_t> piece_region_;   // per piece: free region, or kHeld
    std::vector<std::uint64_t> region_cells_;  // per free region
};

extern template class NullSpace<2>;
extern template class NullSpace<3>;

}  // namespace spindrift
