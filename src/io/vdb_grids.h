// SPDX-License-Identifier: Apache-2.0
// Fields as OpenVDB grids in memory, and back.  Brings in OpenVDB's headers: for vdb.cpp and tests alone.
#pragma once

#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <variant>
#include <vector>

// Their headers are not ours to warn about.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wextra"
#include <openvdb/openvdb.h>
#pragma GCC diagnostic pop

#include "grid/field.h"

namespace spindrift {

static_assert(openvdb::FloatTree::LeafNodeType::DIM == kTileSide, "a tile is a leaf");

namespace detail {

inline bool same_bits(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }
inline bool same_bits(const openvdb::Vec3s& a, const openvdb::Vec3s& b) {
    return same_bits(a[0], b[0]) && same_bits(a[1], b[1]) && same_bits(a[2], b[2]);
}

// Cells of a leaf that a tile has: all in 3D, those with k = 0 in 2D.  Both have the last axis fastest.
template <int Dim>
constexpr int leaf_offset(int cell_of_tile) {
    return Dim == 3 ? cell_of_tile : cell_of_tile * kTileSide;
}
template <int Dim>
openvdb::Coord coord_of(const Index<Dim>& cell) {
    return {cell[0], cell[1], Dim == 3 ? cell[Dim - 1] : 0};
}
template <int Dim>
Index<Dim> index_of(const openvdb::Coord& c) {
    Index<Dim> cell;
    for (int a = 0; a < Dim; ++a) cell[a] = c[a];
    return cell;
}

// A grid with a leaf for each tile; fill(slot, values) writes the 512 values of a leaf, of which those that differ from
// the background become active.
template <class Grid, int Dim, class Fill>
typename Grid::Ptr grid_on_tiles(const Tiles<Dim>& tiles, const typename Grid::ValueType& background, Fill&& fill) {
    using Leaf = typename Grid::TreeType::LeafNodeType;
    std::vector<std::unique_ptr<Leaf>> leaves(tiles.count());
    for_each_tile(tiles, [&](Slot slot) {
        auto leaf = std::make_unique<Leaf>(openvdb::PartialCreate(), coord_of(tiles.origin(slot)), background, false);
        leaf->allocate();
        auto* values = leaf->buffer().data();
        fill(slot, values);
        for (openvdb::Index word = 0; word < Leaf::SIZE / 64; ++word) {
            std::uint64_t active = 0;
            for (unsigned bit = 0; bit < 64; ++bit)
                active |= std::uint64_t{!same_bits(values[word * 64 + bit], background)} << bit;
            leaf->getValueMask().template getWord<std::uint64_t>(word) = active;
        }
        leaves[static_cast<std::size_t>(slot)] = std::move(leaf);
    });

    // Tiles come in spatial order, so that the accessor finds each leaf's place close to the last one's.
    typename Grid::Ptr grid = Grid::create(background);
    auto accessor = grid->getAccessor();
    for (auto& leaf : leaves) accessor.addLeaf(leaf.release());
    return grid;
}

// Where a grid has values: leaves, and regions with one value for all.
template <class Grid>
struct GridLayout {
    struct Region {
        openvdb::CoordBBox box;
        typename Grid::ValueType value;
    };
    std::vector<const typename Grid::TreeType::LeafNodeType*> leaves;
    std::vector<Region> regions;
};

template <class Grid>
GridLayout<Grid> layout_of(const Grid& grid) {
    GridLayout<Grid> layout;
    grid.tree().getNodes(layout.leaves);
    auto it = grid.tree().cbeginValueAll();
    it.setMaxDepth(it.getLeafDepth() - 1);
    for (; it; ++it)
        if (it.isValueOn() || !same_bits(*it, grid.background())) layout.regions.push_back({it.getBoundingBox(), *it});
    return layout;
}

// A grid may hold regions far larger than memory; 4 million tiles of floats are 8 GiB.
constexpr double kMostTiles = 4194304;

// The tiles that hold all values, or what is wrong with the grid.
template <int Dim, class Grid>
std::variant<TilesPtr<Dim>, std::string> tiles_of(const GridLayout<Grid>& layout) {
    double count = static_cast<double>(layout.leaves.size());
    for (const auto& region : layout.regions) count += static_cast<double>(region.box.volume()) / kTileCells<3>;
    if (count > kMostTiles)
        return fmt::format("holds constant regions of {:.3g} cells, too many for memory", count * kTileCells<3>);

    std::vector<Index<Dim>> tiles;
    for (const auto* leaf : layout.leaves) {
        if (Dim == 2 && leaf->origin().z() != 0) return "holds more than the plane k = 0";
        tiles.push_back(tile_of_cell(index_of<Dim>(leaf->origin())));
    }
    for (const auto& region : layout.regions) {
        if (Dim == 2) return "holds more than the plane k = 0";
        const IndexBox<Dim> box{tile_of_cell(index_of<Dim>(region.box.min())),
                                tile_of_cell(index_of<Dim>(region.box.max())) + Index<Dim>(1)};
        for_each_index(box, [&](const Index<Dim>& tile) { tiles.push_back(tile); });
    }
    return Tiles<Dim>::from_coordinates(std::move(tiles));
}

// Calls copy(slot, 512 values) for each leaf and fill(slot, value) for each tile of a region.
template <int Dim, class Grid, class Copy, class Fill>
void visit_values(const Tiles<Dim>& tiles, const GridLayout<Grid>& layout, Copy&& copy, Fill&& fill) {
    parallel_ranges(layout.leaves.size(), kTilesPerBlock<3>, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            copy(tiles.find(tile_of_cell(index_of<Dim>(layout.leaves[i]->origin()))),
                 layout.leaves[i]->buffer().data());
    });
    for (const auto& region : layout.regions) {
        const IndexBox<Dim> box{tile_of_cell(index_of<Dim>(region.box.min())),
                                tile_of_cell(index_of<Dim>(region.box.max())) + Index<Dim>(1)};
        for_each_index(box, [&](const Index<Dim>& tile) { fill(tiles.find(tile), region.value); });
    }
}

}  // namespace detail

template <int Dim>
openvdb::FloatGrid::Ptr grid_from_field(const Field<float, Dim>& field) {
    return detail::grid_on_tiles<openvdb::FloatGrid>(field.tiles(), field.background(), [&](Slot slot, float* values) {
        if constexpr (Dim == 3) {
            std::memcpy(values, field.tile(slot), kTileCells<3> * sizeof(float));
        } else {
            std::fill_n(values, kTileCells<3>, field.background());
            for (int i = 0; i < kTileCells<2>; ++i) values[detail::leaf_offset<2>(i)] = field.tile(slot)[i];
        }
    });
}

template <int Dim>
openvdb::Vec3SGrid::Ptr grid_from_faces(const FaceField<Dim>& faces) {
    openvdb::Vec3s background(0);
    for (int a = 0; a < Dim; ++a) {
        check_same_tiles("VDB", "the first component", faces.tiles(), "another component", faces[a].tiles());
        background[a] = faces[a].background();
    }
    return detail::grid_on_tiles<openvdb::Vec3SGrid>(faces.tiles(), background, [&](Slot slot, openvdb::Vec3s* values) {
        std::fill_n(values, kTileCells<3>, background);
        for (int a = 0; a < Dim; ++a)
            for (int i = 0; i < kTileCells<Dim>; ++i) values[detail::leaf_offset<Dim>(i)][a] = faces[a].tile(slot)[i];
    });
}

// What is wrong with the grid is left in `problem`, and an empty field returned.
template <int Dim>
Field<float, Dim> field_from_grid(const openvdb::FloatGrid& grid, std::string& problem) {
    const auto layout = detail::layout_of(grid);
    const auto tiles = detail::tiles_of<Dim>(layout);
    if (const auto* text = std::get_if<std::string>(&tiles)) return problem = *text, Field<float, Dim>();
    auto field = Field<float, Dim>::unfilled(std::get<TilesPtr<Dim>>(tiles), grid.background());
    detail::visit_values<Dim>(
        field.tiles(), layout,
        [&](Slot slot, const float* values) {
            if constexpr (Dim == 3)
                std::memcpy(field.tile(slot), values, kTileCells<3> * sizeof(float));
            else
                for (int i = 0; i < kTileCells<2>; ++i) field.tile(slot)[i] = values[detail::leaf_offset<2>(i)];
        },
        [&](Slot slot, float value) { std::fill_n(field.tile(slot), kTileCells<Dim>, value); });
    return field;
}

template <int Dim>
FaceField<Dim> faces_from_grid(const openvdb::Vec3SGrid& grid, std::string& problem) {
    const auto layout = detail::layout_of(grid);
    const auto tiles = detail::tiles_of<Dim>(layout);
    if (const auto* text = std::get_if<std::string>(&tiles)) return problem = *text, FaceField<Dim>();
    FaceField<Dim> faces;
    for (int a = 0; a < Dim; ++a)
        faces[a] = Field<float, Dim>::unfilled(std::get<TilesPtr<Dim>>(tiles), grid.background()[a]);
    detail::visit_values<Dim>(
        faces.tiles(), layout,
        [&](Slot slot, const openvdb::Vec3s* values) {
            for (int a = 0; a < Dim; ++a)
                for (int i = 0; i < kTileCells<Dim>; ++i)
                    faces[a].tile(slot)[i] = values[detail::leaf_offset<Dim>(i)][a];
        },
        [&](Slot slot, const openvdb::Vec3s& value) {
            for (int a = 0; a < Dim; ++a) std::fill_n(faces[a].tile(slot), kTileCells<Dim>, value[a]);
        });
    return faces;
}

}  // namespace spindrift
