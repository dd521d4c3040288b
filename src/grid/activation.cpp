// SPDX-License-Identifier: Apache-2.0
#include "grid/activation.h"

#include <algorithm>

namespace spindrift {
namespace {

template <int Dim>
std::vector<Index<Dim>> coordinates_of(const Tiles<Dim>& tiles) {
    std::vector<Index<Dim>> all(tiles.count());
    for (std::size_t slot = 0; slot < all.size(); ++slot) all[slot] = tiles.coordinate(static_cast<Slot>(slot));
    return all;
}

// Offsets of -1, 0 or 1 along each axis, by neighbour number.
template <int Dim>
constexpr std::array<Index<Dim>, kNeighbours<Dim>> neighbour_offsets() {
    std::array<Index<Dim>, kNeighbours<Dim>> offsets;
    for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)},
                   [&](const Index<Dim>& side) { offsets[static_cast<std::size_t>(neighbour_number(side))] = side; });
    return offsets;
}

// Replaces each tile by the run from n below to n above it along one axis, each tile of the union once.
template <int Dim>
void dilate_along(std::vector<Index<Dim>>& tiles, int axis, int n) {
    const auto line_and_place = [axis](Index<Dim> tile) {
        std::swap(tile[axis], tile[Dim - 1]);
        return tile;
    };
    std::sort(tiles.begin(), tiles.end(),
              [&](const Index<Dim>& a, const Index<Dim>& b) { return line_and_place(a) < line_and_place(b); });

    std::vector<Index<Dim>> dilated;
    dilated.reserve(tiles.size() * 2);
    for (const Index<Dim>& tile : tiles) {
        int from = tile[axis] - n;
        if (!dilated.empty()) {
            Index<Dim> same_line = dilated.back();
            same_line[axis] = tile[axis];
            if (same_line == tile) from = std::max(from, dilated.back()[axis] + 1);
        }
        Index<Dim> next = tile;
        for (next[axis] = from; next[axis] <= tile[axis] + n; ++next[axis]) dilated.push_back(next);
    }
    tiles = std::move(dilated);
}

// Which of the tiles around it a tile's marked cells reach when each spreads by n < kTileSide cells: a bit per
// neighbour number.  The reach of a cell is a box, so it is found axis by axis: here for the cells that share the
// coordinates before `Axis`, over the axes from there on.
template <int Dim, int Axis = 0>
std::uint32_t reached_neighbours(const std::uint8_t* mask, int n) {
    if constexpr (Axis == Dim) {
        return *mask != 0 ? 1U : 0U;
    } else {
        constexpr int kBits = (Dim - 1 - Axis == 0) ? 1 : (Dim - 1 - Axis == 1) ? 3 : 9;  // neighbours over later axes
        std::uint32_t reached = 0;
        for (int i = 0; i < kTileSide; ++i) {
            const std::uint32_t later = reached_neighbours<Dim, Axis + 1>(mask + i * tile_stride<Dim>(Axis), n);
            if (i < n) reached |= later;
            reached |= later << kBits;
            if (i + n >= kTileSide) reached |= later << 2 * kBits;
        }
        return reached;
    }
}

// Tiles within n < kTileSide cells of a marked one.
template <int Dim>
TilesPtr<Dim> tiles_in_reach(const Field<std::uint8_t, Dim>& mask, int n) {
    const Tiles<Dim>& tiles = mask.tiles();
    std::vector<std::uint32_t> reached(tiles.count());
    for_each_tile(tiles, [&](Slot slot) {
        reached[static_cast<std::size_t>(slot)] = reached_neighbours<Dim>(mask.tile(slot), n);
    });

    // Tiles of the mask that a neighbour or they themselves reach: each asks, so that none writes for another.
    std::vector<std::uint8_t> marks(tiles.count());
    for_each_tile(tiles, [&](Slot slot) {
        for (int number = 0; number < kNeighbours<Dim>; ++number) {
            const Slot from = tiles.neighbour(slot, number);
            const int back = kNeighbours<Dim> - 1 - number;
            if (from != kNoTile && (reached[static_cast<std::size_t>(from)] >> back & 1U) != 0)
                marks[static_cast<std::size_t>(slot)] = 1;
        }
    });

    // Tiles that the mask lacks.
    std::vector<Index<Dim>> beyond;
    constexpr auto kOffsets = neighbour_offsets<Dim>();
    for (std::size_t slot = 0; slot < tiles.count(); ++slot)
        for (int number = 0; number < kNeighbours<Dim>; ++number)
            if ((reached[slot] >> number & 1U) != 0 && tiles.neighbour(static_cast<Slot>(slot), number) == kNoTile)
                beyond.push_back(tiles.coordinate(static_cast<Slot>(slot)) +
                                 kOffsets[static_cast<std::size_t>(number)]);

    const TilesPtr<Dim> within = detail::marked_tiles<Dim>(mask.tiles_ptr(), marks);
    return beyond.empty() ? within : unite(within, Tiles<Dim>::from_coordinates(std::move(beyond), tiles.period()));
}

}  // namespace

template <int Dim>
TilesPtr<Dim> detail::marked_tiles(const TilesPtr<Dim>& tiles, std::span<const std::uint8_t> marks) {
    CHECK(marks.size() == tiles->count(), "marked_tiles: {} marks for {}", marks.size(), tiles->describe());
    std::vector<Index<Dim>> kept;
    for (std::size_t slot = 0; slot < marks.size(); ++slot)
        if (marks[slot] != 0) kept.push_back(tiles->coordinate(static_cast<Slot>(slot)));
    return kept.size() == tiles->count() ? tiles : Tiles<Dim>::from_coordinates(std::move(kept), tiles->period());
}

template <int Dim>
TilesPtr<Dim> dilate_tiles(const TilesPtr<Dim>& tiles, int n) {
    CHECK(n >= 0, "dilate_tiles: by {} tiles", n);
    if (n == 0 || tiles->count() == 0) return tiles;

    // Whatever is not in the set but near it is as near to one of its outermost tiles, so only these need to spread.
    std::vector<Index<Dim>> outermost;
    for (std::size_t slot = 0; slot < tiles->count(); ++slot)
        for (int number = 0; number < kNeighbours<Dim>; ++number)
            if (tiles->neighbour(static_cast<Slot>(slot), number) == kNoTile) {
                outermost.push_back(tiles->coordinate(static_cast<Slot>(slot)));
                break;
            }
    for (int axis = 0; axis < Dim; ++axis) dilate_along(outermost, axis, n);

    std::vector<Index<Dim>> all = coordinates_of(*tiles);
    all.insert(all.end(), outermost.begin(), outermost.end());
    return Tiles<Dim>::from_coordinates(std::move(all), tiles->period());
}

template <int Dim>
TilesPtr<Dim> dilate_cells(const Field<std::uint8_t, Dim>& mask, int n) {
    CHECK(n >= 0, "dilate_cells: by {} cells", n);
    CHECK(mask.background() == 0, "dilate_cells: the mask marks everything outside {}", mask.tiles().describe());
    // Whole tiles of the distance move a cell's reach by whole tiles.
    return dilate_tiles(tiles_in_reach(mask, n % kTileSide), n / kTileSide);
}

template <int Dim>
TilesPtr<Dim> unite(const TilesPtr<Dim>& a, const TilesPtr<Dim>& b) {
    const auto holds_all = [](const Tiles<Dim>& outer, const Tiles<Dim>& inner) {
        for (std::size_t slot = 0; slot < inner.count(); ++slot)
            if (outer.find(inner.coordinate(static_cast<Slot>(slot))) == kNoTile) return false;
        return true;
    };
    CHECK(a->period() == b->period(), "unite: {}, and {}", a->describe(), b->describe());
    if (holds_all(*a, *b)) return a;
    if (holds_all(*b, *a)) return b;
    std::vector<Index<Dim>> all = coordinates_of(*a);
    const std::vector<Index<Dim>> more = coordinates_of(*b);
    all.insert(all.end(), more.begin(), more.end());
    return Tiles<Dim>::from_coordinates(std::move(all), a->period());
}

template <int Dim>
TilesPtr<Dim> clip(const TilesPtr<Dim>& tiles, const IndexBox<Dim>& cells) {
    std::vector<std::uint8_t> marks(tiles->count());
    for_each_tile(*tiles, [&](Slot slot) {
        const Index<Dim> origin = tiles->origin(slot);
        marks[static_cast<std::size_t>(slot)] =
            !cells.empty() && !intersection(cells, {origin, origin + Index<Dim>(kTileSide)}).empty();
    });
    return detail::marked_tiles<Dim>(tiles, marks);
}

#define SPINDRIFT_INSTANTIATE(Dim)                                                                    \
    template TilesPtr<Dim> detail::marked_tiles(const TilesPtr<Dim>&, std::span<const std::uint8_t>); \
    template TilesPtr<Dim> dilate_tiles(const TilesPtr<Dim>&, int);                                   \
    template TilesPtr<Dim> dilate_cells(const Field<std::uint8_t, Dim>&, int);                        \
    template TilesPtr<Dim> unite(const TilesPtr<Dim>&, const TilesPtr<Dim>&);                         \
    template TilesPtr<Dim> clip(const TilesPtr<Dim>&, const IndexBox<Dim>&);
SPINDRIFT_INSTANTIATE(2)
SPINDRIFT_INSTANTIATE(3)
#undef SPINDRIFT_INSTANTIATE

}  // namespace spindrift
