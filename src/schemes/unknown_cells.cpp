// SPDX-License-Identifier: Apache-2.0
#include "schemes/unknown_cells.h"

#include <algorithm>

namespace spindrift {
namespace {

constexpr int kLayers = 2;
constexpr std::size_t kCellsPerBlock = 4096;

}  // namespace

template <int Dim>
UnknownCells<Dim> unknown_cells(Field<std::uint8_t, Dim> known, const Domain<Dim>& domain) {
    const Tiles<Dim>& tiles = known.tiles();
    UnknownCells<Dim> layers(kLayers);
    for (auto& layer : layers) {
        std::vector<std::vector<UnknownCell<Dim>>> found(tiles.count());
        for_each_tile(tiles, [&](Slot slot) {
            const std::uint8_t* own = known.tile(slot);
            if (std::all_of(own, own + kTileCells<Dim>, [](std::uint8_t k) { return k != 0; })) return;
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Index<Dim> cell = tiles.origin(slot) + cell_in_tile<Dim>(n);
                if (own[n] != 0 || !domain.box.contains(cell)) continue;
                UnknownCell<Dim> one{.at = {slot, n}};
                for (int a = 0; a < Dim; ++a)
                    for (const int side : {-1, 1}) {
                        const CellPlace beside = place_of(tiles, cell + unit<Dim>(a) * side);
                        if (beside.slot == kNoTile || known.tile(beside.slot)[beside.cell] == 0) continue;
                        one.beside[static_cast<std::size_t>(one.count++)] = beside;
                    }
                if (one.count > 0) found[static_cast<std::size_t>(slot)].push_back(one);
            }
        });
        for (const auto& some : found) layer.insert(layer.end(), some.begin(), some.end());
        for (const UnknownCell<Dim>& one : layer) known.tile(one.at.slot)[one.at.cell] = 1;
    }
    return layers;
}

template <int Dim>
void extrapolate(Field<float, Dim>& field, const UnknownCells<Dim>& unknown) {
    for (const auto& layer : unknown)
        parallel_ranges(layer.size(), kCellsPerBlock, [&](std::size_t begin, std::size_t end) {
            for (std::size_t n = begin; n < end; ++n) {
                const UnknownCell<Dim>& one = layer[n];
                float sum = 0;
                for (int k = 0; k < one.count; ++k) {
                    const CellPlace& beside = one.beside[static_cast<std::size_t>(k)];
                    sum += field.tile(beside.slot)[beside.cell];
                }
                field.tile(one.at.slot)[one.at.cell] = sum / static_cast<float>(one.count);
            }
        });
}

#define INSTANTIATE(Dim)                                                                    \
    template UnknownCells<Dim> unknown_cells(Field<std::uint8_t, Dim>, const Domain<Dim>&); \
    template void extrapolate(Field<float, Dim>&, const UnknownCells<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
