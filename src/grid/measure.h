// SPDX-License-Identifier: Apache-2.0
// Numbers that sum a field up.  They run over the cells of its tiles, not over its background, in double, in an order
// that no thread count changes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hash.h"
#include "grid/field.h"

namespace spindrift {

template <int Dim>
double sum(const Field<float, Dim>& field);
template <int Dim>
double inner_product(const Field<float, Dim>& a, const Field<float, Dim>& b);
template <int Dim>
double l2_norm(const Field<float, Dim>& field);

// NaN when any value is; 0, +∞ and -∞ when there are no cells.
template <int Dim>
float max_abs(const Field<float, Dim>& field);
template <int Dim>
float minimum(const Field<float, Dim>& field);
template <int Dim>
float maximum(const Field<float, Dim>& field);

// Values that are infinite or NaN.
template <int Dim>
std::size_t count_nonfinite(const Field<float, Dim>& field);

template <int Dim>
std::uint64_t state_hash(const Tiles<Dim>& tiles) {
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(tiles.count()));
    if (tiles.is_periodic()) hasher.add(tiles.period());
    for (std::size_t slot = 0; slot < tiles.count(); ++slot) hasher.add(tiles.coordinate(static_cast<Slot>(slot)));
    return hasher.digest();
}

// Of where a field lives, its background and the bits of its values: the same for fields that behave the same, and the
// same for a block of tiles whoever hashes it.
template <class T, int Dim>
std::uint64_t state_hash(const Field<T, Dim>& field) {
    const std::size_t count = field.tiles().count();
    std::vector<std::uint64_t> blocks((count + kTilesPerBlock<Dim> - 1) / kTilesPerBlock<Dim>);
    parallel_ranges(count, kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
        const auto values = field.values().subspan(begin * kTileCells<Dim>, (end - begin) * kTileCells<Dim>);
        blocks[begin / kTilesPerBlock<Dim>] = hash_bytes(std::as_bytes(values));
    });
    return Hasher().add(state_hash(field.tiles())).add(field.background()).add(blocks).digest();
}
template <int Dim>
std::uint64_t state_hash(const FaceField<Dim>& faces) {
    Hasher hasher;
    for (const auto& component : faces.component) hasher.add(state_hash(component));
    return hasher.digest();
}

}  // namespace spindrift
