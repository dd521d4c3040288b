// SPDX-License-Identifier: Apache-2.0
#include "liquid/sources.h"

#include <algorithm>
#include <cmath>

#include "geometry/face_fractions.h"
#include "grid/beside.h"
#include "grid/regions.h"

namespace spindrift {
namespace {

// A shape farther from a tile's middle than this, m, is this many cells away from all in it.
template <int Dim>
double reach(double cells, double dx) {
    return (cells + 0.5 * kTileSide * std::sqrt(double{Dim})) * dx;
}

template <int Dim>
Vec<double, Dim> middle_of(const Tiles<Dim>& tiles, Slot slot, const GridTransform<Dim>& transform) {
    return transform.world_from_cell(Vec<double, Dim>(tiles.origin(slot)) + Vec<double, Dim>(0.5 * kTileSide));
}

}  // namespace

template <int Dim>
TilesPtr<Dim> tiles_of(const LiquidSource<Dim>& source, double time, const GridTransform<Dim>& transform,
                       const LevelSetGrid<Dim>& grid, const IndexBox<Dim>& box, const Index<Dim>& period) {
    std::vector<Index<Dim>> wanted;
    const IndexBox<Dim> coordinates{tile_of_cell(box.lo), tile_of_cell(box.hi - Index<Dim>(1)) + Index<Dim>(1)};
    for_each_index(coordinates, [&](const Index<Dim>& tile) {
        const Vec<double, Dim> middle =
            transform.world_from_cell(Vec<double, Dim>(first_cell(tile)) + Vec<double, Dim>(0.5 * kTileSide));
        if (source.distance(middle, time) < reach<Dim>(grid.band, grid.dx)) wanted.push_back(tile);
    });
    return Tiles<Dim>::from_coordinates(std::move(wanted), period);
}

template <int Dim>
bool is_near(const LiquidSource<Dim>& source, const Tiles<Dim>& tiles, Slot slot, double time,
             const GridTransform<Dim>& transform, double cells) {
    return source.distance(middle_of(tiles, slot, transform), time) < reach<Dim>(cells, transform.dx);
}

template <int Dim>
double fill_source(Field<float, Dim>& phi, const LiquidSource<Dim>& source, double time,
                   const GridTransform<Dim>& transform, const LevelSetGrid<Dim>& grid) {
    const double band = grid.band * grid.dx;
    const Tiles<Dim>& tiles = phi.tiles();
    return parallel_max(tiles.count(), kTilesPerBlock<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        float change = 0;
        for (std::size_t tile = begin; tile < end; ++tile) {
            const auto slot = static_cast<Slot>(tile);
            if (!is_near(source, tiles, slot, time, transform, grid.band)) continue;
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Index<Dim> cell = tiles.origin(slot) + cell_in_tile<Dim>(n);
                const double in = source.distance(transform.world_of_centre(cell), time);
                float& value = phi.tile(slot)[n];
                const float filled = std::min(value, static_cast<float>(std::max(in, -band)));
                change = std::max(change, value - filled);
                value = filled;
            }
        }
        return static_cast<double>(change);
    });
}

template <int Dim>
void set_velocity_in(const LiquidSource<Dim>& source, FaceField<Dim>& velocity, double time,
                     const GridTransform<Dim>& transform) {
    for_each_tile(velocity.tiles(), [&](Slot slot) {
        if (!is_near(source, velocity.tiles(), slot, time, transform, 1)) return;
        const Index<Dim> origin = velocity.tiles().origin(slot);
        for (int axis = 0; axis < Dim; ++axis)
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Vec<double, Dim> face = transform.world_of_face(axis, origin + cell_in_tile<Dim>(n));
                if (source.distance(face, time) < 0)
                    velocity[axis].tile(slot)[n] = static_cast<float>(source.velocity(face, time)[axis]);
            }
    });
}

template <int Dim>
double fastest_in(const LiquidSource<Dim>& source, double time, const GridTransform<Dim>& transform,
                  const Tiles<Dim>& tiles) {
    return parallel_max(tiles.count(), kTilesPerBlock<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        double most = 0;
        for (std::size_t n = begin; n < end; ++n) {
            const auto slot = static_cast<Slot>(n);
            if (!is_near(source, tiles, slot, time, transform, 1)) continue;
            for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
                const Vec<double, Dim> p = transform.world_of_centre(tiles.origin(slot) + cell_in_tile<Dim>(cell));
                if (source.distance(p, time) < transform.dx) most = std::max(most, length(source.velocity(p, time)));
            }
        }
        return most;
    });
}

template <int Dim>
std::vector<double> let_out(const LiquidSource<Dim>& source, const Field<float, Dim>& phi, double time,
                            const GridTransform<Dim>& transform, const LevelSetGrid<Dim>& grid,
                            const Field<float, Dim>* room, const BodyLabels<Dim>& labels, const PartOfFlow<Dim>& part) {
    const auto shape = [&](const Vec<double, Dim>& p) { return source.distance(p, time); };
    std::vector<Index<Dim>> near;
    for (std::size_t n = 0; n < phi.tiles().count(); ++n)
        if (is_near(source, phi.tiles(), static_cast<Slot>(n), time, transform, 1))
            near.push_back(phi.tiles().coordinate(static_cast<Slot>(n)));
    const FaceField<Dim> outside =
        open_fractions<Dim>(Tiles<Dim>::from_coordinates(std::move(near), phi.tiles().period()), transform, shape,
                            {.slit = 0, .sliver = 0, .close_thin_walls = false});
    std::vector<double> flow = sums_by_label(outside.tiles(), labels.count + 1, [&](Slot slot, auto&& add) {
        const Slot in_phi = phi.tiles().find(outside.tiles().coordinate(slot));
        std::array<TileValues<Dim>, Dim> above;
        for (int axis = 0; axis < Dim; ++axis)
            above[static_cast<std::size_t>(axis)] = values_above(outside[axis], slot, axis);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            // The surface of the shape in the cell is what its faces are open by on one side and not on the other.
            Vec<double, Dim> surface;
            for (int axis = 0; axis < Dim; ++axis)
                surface[axis] = double{above[static_cast<std::size_t>(axis)][n]} - double{outside[axis].tile(slot)[n]};
            const Index<Dim> cell = outside.tiles().origin(slot) + cell_in_tile<Dim>(n);
            if (surface == Vec<double, Dim>(0.0) || !grid.box.contains(cell)) continue;
            const Vec<double, Dim> centre = transform.world_of_centre(cell);
            Vec<double, Dim> relative = source.velocity(centre, time);
            if (source.motion) relative -= source.motion(centre, time);
            const double out = dot(relative, surface);
            // Liquid other than the source's own, which ends where the shape does.
            const double wet = std::clamp((shape(centre) - phi.tile(in_phi)[n]) / grid.dx, 0.0, 1.0);
            double flow_here = (out > 0 ? out : wet * out) * (room != nullptr ? room->tile(in_phi)[n] : 1);
            if (part.drawn_in != nullptr && flow_here != 0) {
                Index<Dim> beyond = cell;
                for (int axis = 0; axis < Dim; ++axis)
                    if (std::abs(surface[axis]) > 0.5 * length(surface)) beyond[axis] += surface[axis] > 0 ? 1 : -1;
                flow_here *= out > 0 ? part.let_out : double{part.drawn_in->at(beyond)};
            }
            add(labels.at(in_phi, n), flow_here);
        }
    });
    for (double& volume : flow) volume *= std::pow(grid.dx, Dim - 1);
    return flow;
}

template <int Dim>
void drain(Field<float, Dim>& phi, const LiquidSink<Dim>& sink, const GridTransform<Dim>& transform,
           const LevelSetGrid<Dim>& grid) {
    const double band = grid.band * grid.dx;
    for_each_tile(phi.tiles(), [&](Slot slot) {
        if (sink.distance(middle_of(phi.tiles(), slot, transform)) > reach<Dim>(grid.band, grid.dx)) return;
        const Index<Dim> origin = phi.tiles().origin(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const double out = -sink.distance(transform.world_of_centre(origin + cell_in_tile<Dim>(n)));
            float& value = phi.tile(slot)[n];
            value = std::max(value, static_cast<float>(std::min(out, band)));
        }
    });
}

#define INSTANTIATE(Dim)                                                                                            \
    template TilesPtr<Dim> tiles_of(const LiquidSource<Dim>&, double, const GridTransform<Dim>&,                    \
                                    const LevelSetGrid<Dim>&, const IndexBox<Dim>&, const Index<Dim>&);             \
    template bool is_near(const LiquidSource<Dim>&, const Tiles<Dim>&, Slot, double, const GridTransform<Dim>&,     \
                          double);                                                                                  \
    template double fill_source(Field<float, Dim>&, const LiquidSource<Dim>&, double, const GridTransform<Dim>&,    \
                                const LevelSetGrid<Dim>&);                                                          \
    template void set_velocity_in(const LiquidSource<Dim>&, FaceField<Dim>&, double, const GridTransform<Dim>&);    \
    template double fastest_in(const LiquidSource<Dim>&, double, const GridTransform<Dim>&, const Tiles<Dim>&);     \
    template std::vector<double> let_out(const LiquidSource<Dim>&, const Field<float, Dim>&, double,                \
                                         const GridTransform<Dim>&, const LevelSetGrid<Dim>&,                       \
                                         const Field<float, Dim>*, const BodyLabels<Dim>&, const PartOfFlow<Dim>&); \
    template void drain(Field<float, Dim>&, const LiquidSink<Dim>&, const GridTransform<Dim>&,                      \
                        const LevelSetGrid<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
