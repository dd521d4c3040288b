// SPDX-License-Identifier: Apache-2.0
#include "grid/tiles.h"

#include <algorithm>
#include <array>
#include <bit>

namespace spindrift {
namespace {

// Tiles in a block along each axis, as a power of two.
constexpr int kBlockBits = 3;
constexpr std::int32_t kNoBlock = -1;

// Bits of a tile's coordinate along each axis: 2^20 tiles, 8 million cells, each way in 3D.  In 2D cells, which are
// ints, end first.
template <int Dim>
constexpr int kCoordinateBits = Dim == 2 ? 32 - kTileBits : 21;

// Where a tile comes in the order of slots: by block, then within its block, each with the last axis fastest.
// Coordinates are biased to be positive, so a tile always comes after its lower neighbours along every axis.
template <int Dim>
std::uint64_t order_of(const Index<Dim>& tile) {
    std::uint64_t blocks = 0, within = 0;
    for (int a = 0; a < Dim; ++a) {
        const auto biased = static_cast<std::uint64_t>(tile[a] + (1 << (kCoordinateBits<Dim> - 1)));
        blocks = blocks << (kCoordinateBits<Dim> - kBlockBits) | biased >> kBlockBits;
        within = within << kBlockBits | (biased & ((1U << kBlockBits) - 1));
    }
    return blocks << (Dim * kBlockBits) | within;
}

template <int Dim>
bool representable(const Index<Dim>& tile) {
    constexpr int kLimit = 1 << (kCoordinateBits<Dim> - 1);
    for (int a = 0; a < Dim; ++a)
        if (tile[a] <= -kLimit || tile[a] >= kLimit - 1) return false;
    return true;
}

template <int Dim>
constexpr int kBlockTiles = 1 << (Dim * kBlockBits);

template <int Dim>
Index<Dim> block_of(const Index<Dim>& tile) {
    return map([](int c) { return c >> kBlockBits; }, tile);
}
template <int Dim>
int place_in_block(const Index<Dim>& tile) {
    int place = 0;
    for (int a = 0; a < Dim; ++a) place = place << kBlockBits | (tile[a] & ((1 << kBlockBits) - 1));
    return place;
}

template <int Dim>
std::size_t table_start(const Index<Dim>& block, std::size_t table_size) {
    std::uint64_t mixed = 0;
    for (int a = 0; a < Dim; ++a) mixed = (mixed ^ static_cast<std::uint32_t>(block[a])) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(mixed >> 32) & (table_size - 1);
}

template <int Dim>
std::string text(const Index<Dim>& v) {
    std::string out = "(";
    for (int a = 0; a < Dim; ++a) out += fmt::format("{}{}", a > 0 ? ", " : "", v[a]);
    return out + ")";
}

}  // namespace

template <int Dim>
TilesPtr<Dim> Tiles<Dim>::from_coordinates(std::vector<Index<Dim>> coordinates, const Index<Dim>& period) {
    CHECK(min(period, Index<Dim>{}) == Index<Dim>{}, "tiles with the period {}", text(period));
    for (Index<Dim>& c : coordinates) {
        CHECK(representable(c), "tile {} is too far from the origin to be numbered", text(c));
        c = wrap(c, period);
    }
    std::vector<std::pair<std::uint64_t, Index<Dim>>> coded(coordinates.size());
    for (std::size_t i = 0; i < coded.size(); ++i) coded[i] = {order_of(coordinates[i]), coordinates[i]};
    if (!std::is_sorted(coded.begin(), coded.end())) std::sort(coded.begin(), coded.end());
    coded.erase(std::unique(coded.begin(), coded.end()), coded.end());
    coordinates.resize(coded.size());
    for (std::size_t i = 0; i < coded.size(); ++i) coordinates[i] = coded[i].second;
    return TilesPtr<Dim>(new Tiles(std::move(coordinates), period));
}

template <int Dim>
TilesPtr<Dim> Tiles<Dim>::covering(const IndexBox<Dim>& cells, const Index<Dim>& period) {
    std::vector<Index<Dim>> coordinates;
    if (!cells.empty()) {
        const Index<Dim> last = tile_of_cell(cells.hi - Index<Dim>(1));
        for_each_index(IndexBox<Dim>{tile_of_cell(cells.lo), last + Index<Dim>(1)},
                       [&](const Index<Dim>& tile) { coordinates.push_back(tile); });
    }
    return from_coordinates(std::move(coordinates), period);
}

template <int Dim>
Tiles<Dim>::Tiles(std::vector<Index<Dim>> sorted, const Index<Dim>& period)
    : period_(period), coordinates_(std::move(sorted)) {
    // The blocks, and the tiles in each.
    for (std::size_t slot = 0; slot < count(); ++slot) {
        const Index<Dim> block = block_of(coordinates_[slot]);
        if (blocks_.empty() || blocks_.back() != block) {
            blocks_.push_back(block);
            block_slots_.resize(blocks_.size() * kBlockTiles<Dim>, kNoTile);
        }
        block_slots_[(blocks_.size() - 1) * kBlockTiles<Dim> +
                     static_cast<std::size_t>(place_in_block(coordinates_[slot]))] = static_cast<Slot>(slot);
    }
    block_table_.assign(std::bit_ceil(std::max<std::size_t>(2 * blocks_.size(), 2)), kNoBlock);
    for (std::size_t n = 0; n < blocks_.size(); ++n) {
        std::size_t at = table_start(blocks_[n], block_table_.size());
        while (block_table_[at] != kNoBlock) at = (at + 1) & (block_table_.size() - 1);
        block_table_[at] = static_cast<std::int32_t>(n);
    }

    // Each tile's neighbours, corners included.  Blocks around are looked up once for all tiles of a block.
    neighbours_.resize(count() * kNeighbours<Dim>);
    parallel_ranges(blocks_.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            std::array<std::int32_t, kNeighbours<Dim>> around;
            for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& offset) {
                around[static_cast<std::size_t>(neighbour_number(offset))] = find_block(blocks_[n] + offset);
            });
            for (int place = 0; place < kBlockTiles<Dim>; ++place) {
                const Slot slot = block_slots_[n * kBlockTiles<Dim> + static_cast<std::size_t>(place)];
                if (slot == kNoTile) continue;
                Slot* to = &neighbours_[static_cast<std::size_t>(slot) * kNeighbours<Dim>];
                for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& offset) {
                    const Index<Dim> tile = coordinate(slot) + offset;
                    if (is_periodic() && wrapped(tile) != tile) {
                        *to++ = find(tile);
                        return;
                    }
                    const std::int32_t block =
                        around[static_cast<std::size_t>(neighbour_number(block_of(tile) - blocks_[n]))];
                    *to++ = block == kNoBlock ? kNoTile
                                              : block_slots_[static_cast<std::size_t>(block) * kBlockTiles<Dim> +
                                                             static_cast<std::size_t>(place_in_block(tile))];
                });
            }
        }
    });

    if (count() == 0) return;
    IndexBox<Dim> tile_bounds{coordinates_[0], coordinates_[0] + Index<Dim>(1)};
    for (const Index<Dim>& c : coordinates_) tile_bounds = bounds(tile_bounds, {c, c + Index<Dim>(1)});
    bounds_ = {first_cell(tile_bounds.lo), first_cell(tile_bounds.hi)};
}

template <int Dim>
std::int32_t Tiles<Dim>::find_block(const Index<Dim>& block) const {
    for (std::size_t at = table_start(block, block_table_.size());; at = (at + 1) & (block_table_.size() - 1)) {
        const std::int32_t n = block_table_[at];
        if (n == kNoBlock || blocks_[static_cast<std::size_t>(n)] == block) return n;
    }
}

template <int Dim>
Slot Tiles<Dim>::find(const Index<Dim>& anywhere) const {
    const Index<Dim> coordinate = is_periodic() ? wrapped(anywhere) : anywhere;
    const std::int32_t block = find_block(block_of(coordinate));
    if (block == kNoBlock) return kNoTile;
    return block_slots_[static_cast<std::size_t>(block) * kBlockTiles<Dim> +
                        static_cast<std::size_t>(place_in_block(coordinate))];
}

template <int Dim>
std::size_t Tiles<Dim>::bytes() const {
    return (coordinates_.size() + blocks_.size()) * sizeof(Index<Dim>) +
           (neighbours_.size() + block_slots_.size()) * sizeof(Slot) + block_table_.size() * sizeof(block_table_[0]);
}

template <int Dim>
std::string Tiles<Dim>::describe() const {
    if (count() == 0) return "no tiles";
    const std::string repeat = is_periodic() ? fmt::format(", repeated every {} tiles", text(period_)) : "";
    return fmt::format("{} tiles over cells {} to {}{}", count(), text(bounds_.lo), text(bounds_.hi), repeat);
}

template <int Dim>
bool same_tiles(const Tiles<Dim>& a, const Tiles<Dim>& b) {
    if (&a == &b) return true;
    if (a.count() != b.count() || a.period() != b.period()) return false;
    for (std::size_t slot = 0; slot < a.count(); ++slot)
        if (a.coordinate(static_cast<Slot>(slot)) != b.coordinate(static_cast<Slot>(slot))) return false;
    return true;
}

template class Tiles<2>;
template class Tiles<3>;
template bool same_tiles(const Tiles<2>&, const Tiles<2>&);
template bool same_tiles(const Tiles<3>&, const Tiles<3>&);

}  // namespace spindrift
