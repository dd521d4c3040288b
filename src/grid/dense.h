// SPDX-License-Identifier: Apache-2.0
// Values of all cells of a small box in one array, the last axis fastest: scratch of methods that visit every cell of
// their box.  What outlives a step is kept on tiles (grid/field.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/memory.h"
#include "base/parallel.h"
#include "grid/field.h"

namespace spindrift {

template <class T, int Dim>
class Dense {
  public:
    Dense() = default;
    explicit Dense(const IndexBox<Dim>& box, T value = T{})
        : box_(box), values_(static_cast<std::size_t>(product(Vec<std::int64_t, Dim>(box.size())))) {
        fill(value);
    }

    const IndexBox<Dim>& box() const { return box_; }
    bool empty() const { return values_.size() == 0; }
    std::size_t size() const { return values_.size(); }
    const T* data() const { return values_.data(); }

    // Distance between neighbours along an axis.
    std::ptrdiff_t stride(int axis) const {
        std::ptrdiff_t s = 1;
        for (int a = Dim - 1; a > axis; --a) s *= box_.hi[a] - box_.lo[a];
        return s;
    }
    std::ptrdiff_t offset(const Index<Dim>& cell) const {
        std::ptrdiff_t o = 0;
        for (int a = 0; a < Dim; ++a) o = o * (box_.hi[a] - box_.lo[a]) + cell[a] - box_.lo[a];
        return o;
    }

    T& operator[](std::ptrdiff_t offset) { return values_[static_cast<std::size_t>(offset)]; }
    const T& operator[](std::ptrdiff_t offset) const { return values_[static_cast<std::size_t>(offset)]; }
    T& operator[](const Index<Dim>& cell) { return (*this)[offset(cell)]; }
    const T& operator[](const Index<Dim>& cell) const { return (*this)[offset(cell)]; }

    void fill(T value) { std::fill_n(values_.data(), values_.size(), value); }

  private:
    IndexBox<Dim> box_{};
    Buffer<T> values_;
};

// One per axis; the value at a cell belongs to its lower face.
template <int Dim>
using DenseFaces = std::array<Dense<double, Dim>, Dim>;

// Rows along the last axis that a thread takes at a time: fixed, so that sums do not depend on the threads.
template <int Dim>
constexpr std::size_t rows_per_block(const IndexBox<Dim>& box) {
    constexpr int kCells = 4096;
    return static_cast<std::size_t>(std::max(1, kCells / std::max(1, box.hi[Dim - 1] - box.lo[Dim - 1])));
}

namespace detail {

// f(cell) for the cells of rows begin … end of a box.
template <int Dim, class F>
void for_cells_of_rows(const IndexBox<Dim>& box, std::size_t begin, std::size_t end, F&& f) {
    for (std::size_t row = begin; row < end; ++row) {
        Index<Dim> cell = box.lo;
        std::size_t rest = row;
        for (int a = Dim - 2; a >= 0; --a) {
            const auto length = static_cast<std::size_t>(box.hi[a] - box.lo[a]);
            cell[a] = box.lo[a] + static_cast<int>(rest % length);
            rest /= length;
        }
        for (cell[Dim - 1] = box.lo[Dim - 1]; cell[Dim - 1] < box.hi[Dim - 1]; ++cell[Dim - 1]) f(cell);
    }
}

template <int Dim>
std::size_t row_count(const IndexBox<Dim>& box) {
    std::size_t rows = box.empty() ? 0 : 1;
    for (int a = 0; a < Dim - 1 && rows > 0; ++a) rows *= static_cast<std::size_t>(box.hi[a] - box.lo[a]);
    return rows;
}

}  // namespace detail

// Calls f(cell) for every cell of the box, in parallel.
template <int Dim, class F>
void for_each_cell(const IndexBox<Dim>& box, F&& f) {
    parallel_ranges(detail::row_count(box), rows_per_block(box),
                    [&](std::size_t begin, std::size_t end) { detail::for_cells_of_rows(box, begin, end, f); });
}

// The sum, or the largest, of what f(cell) returns, the same on any number of threads.
template <class T, int Dim, class F>
T sum_over_cells(const IndexBox<Dim>& box, T zero, F&& f) {
    return parallel_sum(detail::row_count(box), rows_per_block(box), zero, [&](std::size_t begin, std::size_t end) {
        T sum = zero;
        detail::for_cells_of_rows(box, begin, end, [&](const Index<Dim>& cell) { sum += f(cell); });
        return sum;
    });
}
template <int Dim, class F>
double largest_over_cells(const IndexBox<Dim>& box, F&& f) {
    return parallel_max(detail::row_count(box), rows_per_block(box), 0.0, [&](std::size_t begin, std::size_t end) {
        double most = 0;
        detail::for_cells_of_rows(box, begin, end, [&](const Index<Dim>& cell) {
            if (const double value = f(cell); !(value <= most)) most = value;
        });
        return most;
    });
}

// From tiles and back.  Cells on no tile have the background, and are left out on the way back.
template <int Dim>
void copy(Dense<double, Dim>& to, const Field<float, Dim>& from) {
    to.fill(from.background());
    for_each_tile(from.tiles(), [&](Slot slot) {
        const Index<Dim> origin = from.tiles().origin(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n)
            if (const Index<Dim> cell = origin + cell_in_tile<Dim>(n); to.box().contains(cell))
                to[cell] = from.tile(slot)[n];
    });
}
template <int Dim>
void copy(Field<float, Dim>& to, const Dense<double, Dim>& from) {
    for_each_tile(to.tiles(), [&](Slot slot) {
        const Index<Dim> origin = to.tiles().origin(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n)
            if (const Index<Dim> cell = origin + cell_in_tile<Dim>(n); from.box().contains(cell))
                to.tile(slot)[n] = static_cast<float>(from[cell]);
    });
}

}  // namespace spindrift
