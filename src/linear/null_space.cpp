// SPDX-License-Identifier: Apache-2.0
#include "linear/null_space.h"

#include <algorithm>

namespace spindrift {
namespace {

// Unknowns are the cells with ground or a conducting face.
template <int Dim>
void mark_unknowns(std::uint16_t* label, const PoissonOperator<Dim>& a, Slot slot) {
    std::fill_n(label, kTileCells<Dim>, a.is_uniform(slot) ? std::uint16_t{0} : Regions<Dim>::kUnmarked);
    if (a.is_uniform(slot) || a.is_empty(slot)) return;
    TileSystem<Dim> system;
    a.expand(slot, system);
    const auto mark = [&](int cell, float coefficient) {
        label[cell] = coefficient > 0 ? std::uint16_t{0} : label[cell];
    };
    for (int n = 0; n < kTileCells<Dim>; ++n) mark(n, system.ground[n]);
    for (int axis = 0; axis < Dim; ++axis) {
        const float* lower = system.lower[axis];
        const int stride = tile_stride<Dim>(axis), slab = stride * kTileSide, last = slab - stride;
        for (int n = 0; n < kTileCells<Dim>; ++n) mark(n, lower[n]);
        for (int at = 0; at < kTileCells<Dim>; at += slab) {
            for (int n = at; n < at + last; ++n) mark(n, lower[n + stride]);
            for (int n = 0; n < stride; ++n) mark(at + last + n, system.upper[axis][at / kTileSide + n]);
        }
    }
}

template <int Dim>
const float* ground_of(const PoissonOperator<Dim>& a, Slot slot) {
    return a.lower_faces(slot, 0, false) + Dim * kTileCells<Dim>;
}

}  // namespace

template <int Dim>
NullSpace<Dim>::NullSpace(const PoissonOperator<Dim>& a) {
    if (a.mass() > 0) return;
    regions_ = connected_regions<Dim>(
        a.tiles_ptr(), [&](Slot slot, int axis, bool at_side) { return a.lower_faces(slot, axis, at_side); },
        [&](Slot slot, std::uint16_t* label) { mark_unknowns(label, a, slot); });

    // Ground is in general tiles alone.
    std::vector<bool> is_held(regions_.count);
    for (std::size_t n = 0; n < a.tiles().count(); ++n) {
        const auto slot = static_cast<Slot>(n);
        if (a.is_uniform(slot) || a.is_empty(slot)) continue;
        const float* ground = ground_of(a, slot);
        for (int cell = 0; cell < kTileCells<Dim>; ++cell)
            if (ground[cell] > 0) is_held[regions_.at(slot, cell)] = true;
    }
    std::int32_t count = 0;
    std::vector<std::int32_t> free_of_region(regions_.count, kHeld);
    for (std::size_t r = 0; r < regions_.count; ++r)
        if (!is_held[r]) free_of_region[r] = count++;
    if (count == 0) {
        regions_ = {};
        return;
    }
    for (const std::uint32_t region : regions_.region_of) free_of_piece_.push_back(free_of_region[region]);

    // Their sizes: the sum of ones.
    region_cells_.resize(static_cast<std::size_t>(count));
    const std::vector<double> sums = region_sums([](Slot, int) { return 1.0; });
    for (std::size_t r = 0; r < sums.size(); ++r) region_cells_[r] = static_cast<std::uint64_t>(sums[r]);
}

template <int Dim>
template <class Value>
std::vector<double> NullSpace<Dim>::region_sums(Value&& value) const {
    // Pieces belong to tiles and are summed in parallel; regions collect their pieces in order.
    std::vector<double> piece_sum(free_of_piece_.size(), 0.0);
    for_each_tile(regions_.piece.tiles(), [&](Slot slot) {
        for_each_free_cell(slot, [&](int cell, std::size_t piece) { piece_sum[piece] += value(slot, cell); });
    });
    std::vector<double> sums(region_cells_.size(), 0.0);
    for (std::size_t p = 0; p < piece_sum.size(); ++p)
        if (free_of_piece_[p] != kHeld) sums[static_cast<std::size_t>(free_of_piece_[p])] += piece_sum[p];
    return sums;
}

template <int Dim>
template <class F>
void NullSpace<Dim>::for_each_free_cell(Slot slot, F&& f) const {
    const auto n = static_cast<std::size_t>(slot);
    const std::size_t first = regions_.first_piece[n];
    const auto is_free = [&](std::size_t piece) { return free_of_piece_[piece] != kHeld; };
    bool any_free = false;
    for (std::size_t p = first; p < regions_.first_piece[n + 1]; ++p) any_free |= is_free(p);
    if (!any_free) return;
    const std::uint16_t* label = regions_.piece.tile(slot);
    for (int cell = 0; cell < kTileCells<Dim>; ++cell)
        if (label[cell] != Regions<Dim>::kUnmarked && is_free(first + label[cell])) f(cell, first + label[cell]);
}

template <int Dim>
void NullSpace<Dim>::remove_means(Field<float, Dim>& field) const {
    if (region_cells_.empty()) return;
    check_same_tiles("remove_means", "the operator", regions_.piece.tiles(), "the field", field.tiles());
    std::vector<double> mean =
        region_sums([&](Slot slot, int cell) { return static_cast<double>(field.tile(slot)[cell]); });
    for (std::size_t r = 0; r < mean.size(); ++r) mean[r] /= static_cast<double>(region_cells_[r]);
    for_each_tile(field.tiles(), [&](Slot slot) {
        for_each_free_cell(slot, [&](int cell, std::size_t piece) {
            // In double: a mean much larger than what varies, rounded, would leave a part of itself everywhere.
            float& value = field.tile(slot)[cell];
            value = static_cast<float>(value - mean[static_cast<std::size_t>(free_of_piece_[piece])]);
        });
    });
}

template class NullSpace<2>;
template class NullSpace<3>;

}  // namespace spindrift
