// SPDX-License-Identifier: Apache-2.0
// Values on tiles, plus one background value for everywhere else.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "base/memory.h"
#include "grid/tiles.h"

namespace spindrift {

template <class T, int Dim>
class Field {
  public:
    Field() = default;
    explicit Field(TilesPtr<Dim> tiles, T background = T{}) : Field(std::move(tiles), background, NotFilled{}) {
        fill(background);
    }
    // For a field whose every value is about to be written.
    static Field unfilled(TilesPtr<Dim> tiles, T background = T{}) {
        return Field(std::move(tiles), background, NotFilled{});
    }

    bool empty() const { return tiles_ == nullptr; }
    const Tiles<Dim>& tiles() const { return *tiles_; }
    const TilesPtr<Dim>& tiles_ptr() const { return tiles_; }
    T background() const { return background_; }
    std::size_t bytes() const { return values_.size() * sizeof(T); }

    T* tile(Slot slot) { return values_.data() + static_cast<std::size_t>(slot) * kTileCells<Dim>; }
    const T* tile(Slot slot) const { return values_.data() + static_cast<std::size_t>(slot) * kTileCells<Dim>; }
    std::span<const T> values() const { return {values_.data(), values_.size()}; }
    std::span<T> values() { return {values_.data(), values_.size()}; }

    // One cell, found by a search: for set-up and tests.  Kernels go by tile, scattered reads through a sampler.
    T at(const Index<Dim>& cell) const {
        const Slot slot = tiles_->find(tile_of_cell(cell));
        return slot == kNoTile ? background_ : tile(slot)[offset_in_tile(cell)];
    }
    T& ref(const Index<Dim>& cell) {
        const Slot slot = tiles_->find(tile_of_cell(cell));
        CHECK(slot != kNoTile, "field on {}: a cell outside it was to be written", tiles_->describe());
        return tile(slot)[offset_in_tile(cell)];
    }

    void fill(T value) {
        for_each_tile(*tiles_, [&](Slot slot) { std::fill_n(tile(slot), kTileCells<Dim>, value); });
    }

  private:
    struct NotFilled {};
    Field(TilesPtr<Dim> tiles, T background, NotFilled)
        : tiles_(std::move(tiles)), values_(tiles_->cell_count()), background_(background) {}

    TilesPtr<Dim> tiles_;
    Buffer<T> values_;
    T background_{};
};

// One field per axis; the value at a cell belongs to its lower face along that axis.
template <int Dim>
struct FaceField {
    std::array<Field<float, Dim>, Dim> component;

    FaceField() = default;
    explicit FaceField(const TilesPtr<Dim>& tiles, float background = 0) {
        for (auto& c : component) c = Field<float, Dim>(tiles, background);
    }
    const Tiles<Dim>& tiles() const { return component[0].tiles(); }
    const TilesPtr<Dim>& tiles_ptr() const { return component[0].tiles_ptr(); }

    Field<float, Dim>& operator[](int axis) { return component[static_cast<std::size_t>(axis)]; }
    const Field<float, Dim>& operator[](int axis) const { return component[static_cast<std::size_t>(axis)]; }
};

// Stops the program when a field does not live where it must.
template <int Dim>
void check_same_tiles(std::string_view where, std::string_view a_name, const Tiles<Dim>& a, std::string_view b_name,
                      const Tiles<Dim>& b) {
    CHECK(same_tiles(a, b), "{}: {} lives on {}, {} on {}", where, a_name, a.describe(), b_name, b.describe());
}

// Replaces each value by f(value).
template <class T, int Dim, class F>
void transform_values(Field<T, Dim>& field, F&& f) {
    for_each_tile(field.tiles(), [&](Slot slot) {
        T* values = field.tile(slot);
        for (int i = 0; i < kTileCells<Dim>; ++i) values[i] = f(values[i]);
    });
}

// to += factor · more
template <int Dim>
void add_scaled(FaceField<Dim>& to, const FaceField<Dim>& more, double factor) {
    for_each_tile(to.tiles(), [&, k = static_cast<float>(factor)](Slot slot) {
        for (int axis = 0; axis < Dim; ++axis) {
            const float* from = more[axis].tile(slot);
            float* values = to[axis].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) values[n] += k * from[n];
        }
    });
}

// Sets each cell of the tiles to f(cell).
template <class T, int Dim, class F>
void assign(Field<T, Dim>& field, F&& f) {
    for_each_tile(field.tiles(), [&](Slot slot) {
        T* values = field.tile(slot);
        const Index<Dim> origin = field.tiles().origin(slot);
        for (int i = 0; i < kTileCells<Dim>; ++i) values[i] = f(origin + cell_in_tile<Dim>(i));
    });
}

}  // namespace spindrift
