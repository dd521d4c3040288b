// SPDX-License-Identifier: Apache-2.0
// Connected regions of unknowns that nothing holds: no ground anywhere, so that a constant may be added to x and the
// right side must sum to zero over each.  Found exactly, by joining cells across conducting faces.
#pragma once

#include <cstdint>
#include <vector>

#include "grid/regions.h"
#include "linear/poisson.h"

namespace spindrift {

template <int Dim>
class NullSpace {
  public:
    explicit NullSpace(const PoissonOperator<Dim>& a);

    std::size_t region_count() const { return region_cells_.size(); }
    std::size_t bytes() const { return regions_.piece.bytes(); }  // of blocks; little else where regions are large
    // Takes the mean off in every free region: makes a right side compatible, or picks the solution of zero mean.
    void remove_means(Field<float, Dim>& field) const;

  private:
    static constexpr std::int32_t kHeld = -1;  // a region with ground

    // The sum of value(slot, cell in tile) over each free region.
    template <class Value>
    std::vector<double> region_sums(Value&& value) const;
    // Calls f(cell in tile, piece) for the tile's cells that belong to free regions.
    template <class F>
    void for_each_free_cell(Slot slot, F&& f) const;

    Regions<Dim> regions_;                     // of unknowns, where any is free
    std::vector<std::int32_t> free_of_piece_;  // the number among free regions, or kHeld
    std::vector<std::uint64_t> region_cells_;  // per free region
};

extern template class NullSpace<2>;
extern template class NullSpace<3>;

}  // namespace spindrift
