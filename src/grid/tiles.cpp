// SPDX-License-Identifier: Apache-2.0
#include "grid/tiles.h"

#include <algorithm>
#include <bit>

namespace spindrift {
namespace {

// Bits of a tile's coordinate along each axis, so that a Morton code fits 64 bits: 2^20 tiles, 8 million cells, each
// way.
template <int Dim>
constexpr int kCoordinateBits = Dim == 2 ? 32 : 21;

// Bits of v moved apart so that Dim - 1 zeros stand between them.
template <int Dim>
std::uint64_t spread(std::uint64_t v) {
    if constexpr (Dim == 2) {
        v = (v | v << 16) & 0x0000ffff0000ffffULL;
        v = (v | v << 8) & 0x00ff00ff00ff00ffULL;
        v = (v | v << 4) & 0x0f0f0f0f0f0f0f0fULL;
        v = (v | v << 2) & 0x3333333333333333ULL;
        return (v | v << 1) & 0x5555555555555555ULL;
    } else {
        v = (v | v << 32) & 0x001f00000000ffffULL;
        v = (v | v << 16) & 0x001f0000ff0000ffULL;
        v = (v | v << 8) & 0x100f00f00f00f00fULL;
        v = (v | v << 4) & 0x10c30c30c30c30c3ULL;
        return (v | v << 2) & 0x1249249249249249ULL;
    }
}

// Coordinates are biased to be positive: a tile then always comes after its lower neighbours along every axis.
template <int Dim>
std::uint64_t morton_code(const Index<Dim>& tile) {
    std::uint64_t code = 0;
    for (int a = 0; a < Dim; ++a) {
        const std::int64_t biased = std::int64_t{tile[a]} + (std::int64_t{1} << (kCoordinateBits<Dim> - 1));
        code |= spread<Dim>(static_cast<std::uint64_t>(biased)) << (Dim - 1 - a);
    }
    return code;
}

template <int Dim>
bool representable(const Index<Dim>& tile) {
    // Cells are ints, so a tile may be at most 2^31 / 8 away even where its code has room for more.
    constexpr int kLimit = 1 << std::min(kCoordinateBits<Dim> - 1, 31 - kTileBits);
    for (int a = 0; a < Dim; ++a)
        if (tile[a] < -kLimit + 1 || tile[a] > kLimit - 2) return false;
    return true;
}

std::size_t table_start(std::uint64_t code, std::size_t table_size) {
    return static_cast<std::size_t>((code * 0x9e3779b97f4a7c15ULL) >> 32) & (table_size - 1);
}

template <int Dim>
std::string text(const Index<Dim>& v) {
    std::string out = "(";
    for (int a = 0; a < Dim; ++a) out += fmt::format("{}{}", a > 0 ? ", " : "", v[a]);
    return out + ")";
}

}  // namespace

template <int Dim>
TilesPtr<Dim> Tiles<Dim>::from_coordinates(std::vector<Index<Dim>> coordinates) {
    for (const Index<Dim>& c : coordinates)
        CHECK(representable(c), "tile {} is too far from the origin to be numbered", text(c));
    std::vector<std::pair<std::uint64_t, Index<Dim>>> coded(coordinates.size());
    for (std::size_t i = 0; i < coded.size(); ++i) coded[i] = {morton_code(coordinates[i]), coordinates[i]};
    if (!std::is_sorted(coded.begin(), coded.end())) std::sort(coded.begin(), coded.end());
    coded.erase(std::unique(coded.begin(), coded.end()), coded.end());
    coordinates.resize(coded.size());
    for (std::size_t i = 0; i < coded.size(); ++i) coordinates[i] = coded[i].second;
    return TilesPtr<Dim>(new Tiles(std::move(coordinates)));
}

template <int Dim>
TilesPtr<Dim> Tiles<Dim>::covering(const IndexBox<Dim>& cells) {
    std::vector<Index<Dim>> coordinates;
    if (!cells.empty()) {
        const Index<Dim> last = tile_of_cell(cells.hi - Index<Dim>(1));
        for_each_index(IndexBox<Dim>{tile_of_cell(cells.lo), last + Index<Dim>(1)},
                       [&](const Index<Dim>& tile) { coordinates.push_back(tile); });
    }
    return from_coordinates(std::move(coordinates));
}

template <int Dim>
Tiles<Dim>::Tiles(std::vector<Index<Dim>> sorted) : coordinates_(std::move(sorted)) {
    // The table that finds a slot by its coordinate.
    table_.assign(std::bit_ceil(std::max<std::size_t>(2 * count(), 2)), kNoTile);
    for (std::size_t slot = 0; slot < count(); ++slot) {
        std::size_t at = table_start(morton_code(coordinates_[slot]), table_.size());
        while (table_[at] != kNoTile) at = (at + 1) & (table_.size() - 1);
        table_[at] = static_cast<Slot>(slot);
    }

    // Each tile's neighbours, corners included.
    neighbours_.resize(count() * kNeighbours<Dim>);
    for_each_tile(*this, [&](Slot slot) {
        Slot* around = &neighbours_[static_cast<std::size_t>(slot) * kNeighbours<Dim>];
        for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& offset) {
            around[neighbour_number(offset)] = find(coordinate(slot) + offset);
        });
    });

    if (count() == 0) return;
    IndexBox<Dim> tile_bounds{coordinates_[0], coordinates_[0] + Index<Dim>(1)};
    for (const Index<Dim>& c : coordinates_) tile_bounds = bounds(tile_bounds, {c, c + Index<Dim>(1)});
    bounds_ = {first_cell(tile_bounds.lo), first_cell(tile_bounds.hi)};
}

template <int Dim>
Slot Tiles<Dim>::find(const Index<Dim>& coordinate) const {
    if (!representable(coordinate)) return kNoTile;
    for (std::size_t at = table_start(morton_code(coordinate), table_.size());; at = (at + 1) & (table_.size() - 1)) {
        const Slot slot = table_[at];
        if (slot == kNoTile || coordinates_[static_cast<std::size_t>(slot)] == coordinate) return slot;
    }
}

template <int Dim>
std::size_t Tiles<Dim>::bytes() const {
    return coordinates_.size() * sizeof(Index<Dim>) + (neighbours_.size() + table_.size()) * sizeof(Slot);
}

template <int Dim>
std::string Tiles<Dim>::describe() const {
    if (count() == 0) return "no tiles";
    return fmt::format("{} tiles over cells {} to {}", count(), text(bounds_.lo), text(bounds_.hi));
}

template <int Dim>
bool same_tiles(const Tiles<Dim>& a, const Tiles<Dim>& b) {
    if (&a == &b) return true;
    if (a.count() != b.count()) return false;
    for (std::size_t slot = 0; slot < a.count(); ++slot)
        if (a.coordinate(static_cast<Slot>(slot)) != b.coordinate(static_cast<Slot>(slot))) return false;
    return true;
}

template class Tiles<2>;
template class Tiles<3>;
template bool same_tiles(const Tiles<2>&, const Tiles<2>&);
template bool same_tiles(const Tiles<3>&, const Tiles<3>&);

}  // namespace spindrift
