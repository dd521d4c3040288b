// SPDX-License-Identifier: Apache-2.0
#include "schemes/enclosed_air.h"

#include <algorithm>
#include <cstdint>

#include "grid/regions.h"

namespace spindrift {
namespace {

// Which cells of a tile are air.
template <int Dim>
void mark_air(std::uint16_t* label, const Field<float, Dim>& phi, const Boundary<Dim>& b, Slot slot) {
    const float *level = phi.tile(slot), *volume = b.has_solids() ? b.volume.tile(slot) : nullptr;
    const Index<Dim> origin = phi.tiles().origin(slot);
    const IndexBox<Dim> tile{origin, origin + Index<Dim>(kTileSide)};
    const bool is_inside = intersection(b.domain.box, tile) == tile;
    for (int n = 0; n < kTileCells<Dim>; ++n) {
        bool is_air = level[n] >= 0 && (volume == nullptr || volume[n] > 0);
        if (is_air && !is_inside) is_air = b.domain.box.contains(origin + cell_in_tile<Dim>(n));
        label[n] = is_air ? 0 : Regions<Dim>::kUnmarked;
    }
}

// Calls open(region) for the regions of a tile that reach an open side of the container.
template <int Dim, class F>
void open_at_sides(const Regions<Dim>& air, const Boundary<Dim>& b, Slot slot, F&& open) {
    const Index<Dim> origin = air.piece.tiles().origin(slot);
    for (int axis = 0; axis < Dim; ++axis)
        for (const bool above : {false, true}) {
            if (b.domain.side(axis, above).kind != SideKind::open) continue;
            const int last_layer = above ? b.domain.box.hi[axis] - 1 : b.domain.box.lo[axis];
            if (last_layer < origin[axis] || last_layer >= origin[axis] + kTileSide) continue;
            for (int n = 0; n < kTileCells<Dim>; ++n)
                if (air.is_marked(slot, n) && origin[axis] + cell_in_tile<Dim>(n)[axis] == last_layer)
                    open(air.at(slot, n));
        }
}

// Which groups of regions are open: those that reach an open side, or the largest when there is none.
template <int Dim>
std::vector<bool> open_groups(const Regions<Dim>& air, const RegionGroups<Dim>& groups, const Boundary<Dim>& b) {
    const Tiles<Dim>& tiles = air.piece.tiles();
    const auto has_air = [&](Slot slot) {
        return air.first_piece[static_cast<std::size_t>(slot)] < air.first_piece[static_cast<std::size_t>(slot) + 1];
    };
    const std::vector<double> ways_out = sums_by_label(tiles, air.count, [&](Slot slot, auto&& add) {
        if (has_air(slot)) open_at_sides(air, b, slot, [&](std::size_t region) { add(region, 1); });
    });
    std::vector<bool> is_open(groups.count);
    for (std::size_t r = 0; r < air.count; ++r)
        if (ways_out[r] > 0) is_open[groups.group_of[r]] = true;
    for (std::size_t g = 0; g < groups.count; ++g)
        for (std::size_t axis = 0; axis < Dim; ++axis)
            for (const std::size_t end : {0, 1})
                if (groups.reaches[g][axis][end] && b.domain.sides[axis][end].kind == SideKind::open) is_open[g] = true;
    if (groups.count == 0 || std::find(is_open.begin(), is_open.end(), true) != is_open.end()) return is_open;
    std::vector<double> cells = groups.untiled;
    const std::vector<double> tiled = sums_by_label(tiles, air.count, [&](Slot slot, auto&& add) {
        for (int n = 0; has_air(slot) && n < kTileCells<Dim>; ++n)
            if (air.is_marked(slot, n)) add(air.at(slot, n), 1);
    });
    for (std::size_t r = 0; r < air.count; ++r) cells[groups.group_of[r]] += tiled[r];
    is_open[static_cast<std::size_t>(std::max_element(cells.begin(), cells.end()) - cells.begin())] = true;
    return is_open;
}

// Whether liquid may flow between the cell and one beside it.
template <int Dim>
bool touches_liquid(const Field<float, Dim>& phi, const Boundary<Dim>& b, const Index<Dim>& cell) {
    bool any = false;
    for (int axis = 0; axis < Dim; ++axis) {
        const Index<Dim> step = unit<Dim>(axis);
        any |= phi.at(cell - step) < 0 && b.open[axis].at(cell) > 0;
        any |= phi.at(cell + step) < 0 && b.open[axis].at(cell + step) > 0;
    }
    return any;
}

// Calls f(slot, cell, group) for the cells of groups that are not open, by tile.
template <int Dim, class F>
void for_each_enclosed(const Regions<Dim>& air, const RegionGroups<Dim>& groups, const std::vector<bool>& is_open,
                       F&& f) {
    for (std::size_t n = 0; n + 1 < air.first_piece.size(); ++n) {
        bool any = false;
        for (std::size_t p = air.first_piece[n]; p < air.first_piece[n + 1]; ++p)
            any |= !is_open[groups.group_of[air.region_of[p]]];
        if (!any) continue;
        const auto slot = static_cast<Slot>(n);
        for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
            if (!air.is_marked(slot, cell)) continue;
            const std::size_t group = groups.group_of[air.at(slot, cell)];
            if (!is_open[group]) f(slot, cell, group);
        }
    }
}

}  // namespace

template <int Dim>
EnclosedAir enclosed_air(const Field<float, Dim>& phi, const Boundary<Dim>& b,
                         const std::function<bool(const Index<Dim>&)>& is_outlet) {
    check_same_tiles("enclosed_air", "phi", phi.tiles(), "boundaries", b.open.tiles());
    const Regions<Dim> air =
        connected_regions<Dim>(b.open, [&](Slot slot, std::uint16_t* label) { mark_air(label, phi, b, slot); });
    const RegionGroups<Dim> groups = grouped_regions(air, b.domain.box);
    std::vector<bool> is_open = open_groups(air, groups, b);
    if (is_outlet)
        for_each_enclosed(air, groups, is_open, [&](Slot slot, int cell, std::size_t group) {
            if (is_outlet(phi.tiles().origin(slot) + cell_in_tile<Dim>(cell))) is_open[group] = true;
        });
    constexpr std::size_t kDry = ~std::size_t{0};
    std::vector<std::size_t> number(groups.count, kDry);
    EnclosedAir enclosed;
    for_each_enclosed(air, groups, is_open, [&](Slot slot, int cell, std::size_t group) {
        if (number[group] != kDry || !touches_liquid(phi, b, phi.tiles().origin(slot) + cell_in_tile<Dim>(cell)))
            return;
        number[group] = enclosed.untiled.size();
        enclosed.untiled.push_back(groups.untiled[group]);
    });
    enclosed.bubbles.resize(enclosed.untiled.size());
    for_each_enclosed(air, groups, is_open, [&](Slot slot, int cell, std::size_t group) {
        if (number[group] != kDry) enclosed.bubbles[number[group]].push_back({slot, cell});
    });
    return enclosed;
}

template EnclosedAir enclosed_air(const Field<float, 2>&, const Boundary<2>&,
                                  const std::function<bool(const Index<2>&)>&);
template EnclosedAir enclosed_air(const Field<float, 3>&, const Boundary<3>&,
                                  const std::function<bool(const Index<3>&)>&);

}  // namespace spindrift
