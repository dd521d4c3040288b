// SPDX-License-Identifier: Apache-2.0
// What is missing, and how far cells are from their bounds, is gathered at the corners of tiles with the weights of
// linear interpolation between these.  Given back with the same weights, each corner gives exactly what it has
// gathered, and the correction has no seams between tiles.
#include "gas/amounts.h"

#include <algorithm>
#include <cmath>

namespace spindrift {
namespace {

// The largest part of the way to their bounds that cells are moved: for what is missing beside them, and for what is
// missing anywhere.
constexpr double kMostNearby = 0.5;
constexpr double kMostAnywhere = 0.1;

template <int Dim>
constexpr int kCorners = 1 << Dim;

// Of a tile's corner, from this tile or from all tiles around it.  Bit a of a corner's number: the upper one along a.
struct CornerSum {
    double missing = 0, up = 0, down = 0;  // Σ most − a, Σ a − least
};
template <int Dim>
using CornerSums = std::array<CornerSum, kCorners<Dim>>;
struct CornerMove {
    float up = 0, down = 0;  // parts of the way to the bounds
};

// How far a cell is on its way from the lower to the upper side of its tile.
constexpr float place_in_tile(int cell) { return (static_cast<float>(cell) + 0.5F) / kTileSide; }

// Σ over the tile's cells of values(n), by corners.
template <int Dim, class Values>
void gather(CornerSums<Dim>& to, double CornerSum::*which, Values&& values) {
    for (int row = 0; row < kTileCells<Dim>; row += kTileSide) {
        float all = 0, above = 0;
        for (int n = 0; n < kTileSide; ++n) {
            const float v = values(row + n);
            all += v;
            above += v * place_in_tile(n);
        }
        if (all == 0 && above == 0) continue;
        const Index<Dim> cell = cell_in_tile<Dim>(row);
        for (int corner = 0; corner < kCorners<Dim>; ++corner) {
            float weight = 1;
            for (int a = 0; a < Dim - 1; ++a) {
                const float place = place_in_tile(cell[a]);
                weight *= (corner >> a & 1) != 0 ? place : 1 - place;
            }
            const float part = (corner >> (Dim - 1) & 1) != 0 ? above : all - above;
            to[static_cast<std::size_t>(corner)].*which += double{weight} * double{part};
        }
    }
}

// The tiles around a corner, each with the number that the corner has there; the same for all of them.
template <int Dim, class F>
void for_each_tile_at_corner(const Tiles<Dim>& tiles, Slot slot, int corner, F&& f) {
    for (int m = 0; m < kCorners<Dim>; ++m) {
        Index<Dim> offset;
        for (int a = 0; a < Dim; ++a) offset[a] = (m >> a & 1) - ((corner >> a & 1) != 0 ? 0 : 1);
        const Slot beside = tiles.neighbour(slot, neighbour_number(offset));
        if (beside != kNoTile) f(beside, kCorners<Dim> - 1 - m);
    }
}

// Sums over all corners, each counted once.
template <int Dim, class F>
double sum_over_corners(const Tiles<Dim>& tiles, F&& f) {
    return parallel_sum(tiles.count(), kTilesPerBlock<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t s = begin; s < end; ++s)
            for (int corner = 0; corner < kCorners<Dim>; ++corner) {
                int sharing = 0;
                for_each_tile_at_corner(tiles, static_cast<Slot>(s), corner, [&](Slot, int) { ++sharing; });
                sum += f(s, static_cast<std::size_t>(corner)) / sharing;
            }
        return sum;
    });
}

template <int Dim>
void move_tile(float* a, const float* least, const float* most, const std::array<CornerMove, kCorners<Dim>>& moves) {
    for (int row = 0; row < kTileCells<Dim>; row += kTileSide) {
        // Along the row from its lower end to its upper one.
        CornerMove ends[2];
        const Index<Dim> cell = cell_in_tile<Dim>(row);
        for (int corner = 0; corner < kCorners<Dim>; ++corner) {
            float weight = 1;
            for (int axis = 0; axis < Dim - 1; ++axis) {
                const float place = place_in_tile(cell[axis]);
                weight *= (corner >> axis & 1) != 0 ? place : 1 - place;
            }
            CornerMove& end = ends[corner >> (Dim - 1) & 1];
            end.up += weight * moves[static_cast<std::size_t>(corner)].up;
            end.down += weight * moves[static_cast<std::size_t>(corner)].down;
        }
        for (int n = 0; n < kTileSide; ++n) {
            const float t = place_in_tile(n), lo = least[row + n], hi = most[row + n], v = a[row + n];
            const float up = ends[0].up + t * (ends[1].up - ends[0].up);
            const float down = ends[0].down + t * (ends[1].down - ends[0].down);
            const float moved = v + up * (hi - v) - down * (v - lo);
            a[row + n] = std::max(std::min(moved, hi), lo);
        }
    }
}

}  // namespace

template <int Dim>
Amount amount(const Field<float, Dim>& a, double ambient, const GasRoom<Dim>& room, const GasEnclosure<Dim>& e) {
    using Sums = Vec<double, 2>;
    const auto surroundings = static_cast<float>(ambient);
    const Sums sums =
        parallel_sum(room.tiles->count(), kTilesPerBlock<Dim>, Sums{}, [&](std::size_t begin, std::size_t end) {
            Sums part{};
            for (std::size_t s = begin; s < end; ++s) {
                const auto slot = static_cast<Slot>(s);
                float above[kTileCells<Dim>];
                for (int n = 0; n < kTileCells<Dim>; ++n) above[n] = a.tile(slot)[n] - surroundings;
                if (room.plain[s] == 0)
                    for (int n = 0; n < kTileCells<Dim>; ++n)
                        if (!counts_as_gas(room, e, slot, n)) above[n] = 0;
                for (int row = 0; row < kTileCells<Dim>; row += kTileSide) {
                    float net = 0, absolute = 0;
                    for (int n = row; n < row + kTileSide; ++n) net += above[n], absolute += std::abs(above[n]);
                    part += Sums{net, absolute};
                }
            }
            return part;
        });
    return {sums[0], sums[1]};
}

template <int Dim>
double outflow(const Field<float, Dim>& a, double ambient, const FaceField<Dim>& velocity, const GasRoom<Dim>& room,
               const GasEnclosure<Dim>& e, double dt) {
    const double cells = dt / e.grid.dx;
    double sum = 0;
    for (int axis = 0; axis < Dim; ++axis)
        for (const bool above : {false, true}) {
            const GasSide<Dim>& side = e.side(axis, above);
            if (side.kind != GasSideKind::open && !(side.kind == GasSideKind::fixed && side.velocity)) continue;
            const int last = above ? e.box.hi[axis] - 1 : e.box.lo[axis];
            // Beyond an open upper side there is no face: the last one counts.
            const int face = side.kind == GasSideKind::open ? last : above ? last + 1 : last;
            const double out = above ? 1 : -1;
            sum += parallel_sum(room.tiles->count(), kTilesPerBlock<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
                double left = 0;
                for (std::size_t s = begin; s < end; ++s) {
                    const auto slot = static_cast<Slot>(s);
                    const int layer = last - room.tiles->origin(slot)[axis];
                    if (layer < 0 || layer >= kTileSide) continue;
                    for (int n = 0; n < kTileCells<Dim>; ++n) {
                        Index<Dim> local = cell_in_tile<Dim>(n);
                        if (local[axis] != layer || !counts_as_gas(room, e, slot, n)) continue;
                        Index<Dim> cell = room.tiles->origin(slot) + local, at_side = cell;
                        at_side[axis] = face;
                        const double through = out * double{velocity[axis].at(at_side)} * cells;
                        // The gas that passes the side comes from ever further inside: as far as it gets in the step.
                        double time = 0;
                        while (through > 0 && time < 1 && e.box.contains(cell)) {
                            const double speed =
                                0.5 * out * cells *
                                (double{velocity[axis].at(cell)} + double{velocity[axis].at(cell + unit<Dim>(axis))});
                            const bool is_last = above && cell[axis] == last && side.kind == GasSideKind::open;
                            const double here = is_last ? through : speed;
                            const double stays = here > 0 ? std::min(1 / here, 1 - time) : 1 - time;
                            left += through * stays * (double{a.at(cell)} - ambient);
                            time += stays;
                            cell[axis] += above ? -1 : 1;
                        }
                    }
                }
                return left;
            });
        }
    return sum;
}

template <int Dim>
double add_swelling(Field<float, Dim>& missing, const Field<float, Dim>& a, double ambient,
                    const Field<float, Dim>& divergence, const GasRoom<Dim>& room, const GasEnclosure<Dim>& e,
                    double dt) {
    return parallel_sum(room.tiles->count(), kTilesPerBlock<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t s = begin; s < end; ++s) {
            const auto slot = static_cast<Slot>(s);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                if (room.plain[s] == 0 && !counts_as_gas(room, e, slot, n)) continue;
                const double more = dt * double{divergence.tile(slot)[n]} * (double{a.tile(slot)[n]} - ambient);
                missing.tile(slot)[n] += static_cast<float>(more);
                sum += more;
            }
        }
        return sum;
    });
}

template <int Dim>
void keep_amount(Field<float, Dim>& a, AdvectionLimits<Dim>& limits, double wanted, double ambient,
                 const GasRoom<Dim>& room, const GasEnclosure<Dim>& e) {
    const Tiles<Dim>& tiles = *room.tiles;
    std::vector<CornerSums<Dim>> own(tiles.count()), all(tiles.count());
    for_each_tile(tiles, [&](Slot slot) {
        float *value = a.tile(slot), *least = limits.least.tile(slot), *most = limits.most.tile(slot),
              *missing = limits.missing.tile(slot);
        if (room.plain[static_cast<std::size_t>(slot)] == 0)
            for (int n = 0; n < kTileCells<Dim>; ++n)
                if (!counts_as_gas(room, e, slot, n)) least[n] = most[n] = value[n], missing[n] = 0;
        CornerSums<Dim>& sums = own[static_cast<std::size_t>(slot)];
        gather<Dim>(sums, &CornerSum::missing, [&](int n) { return missing[n]; });
        gather<Dim>(sums, &CornerSum::up, [&](int n) { return most[n] - value[n]; });
        gather<Dim>(sums, &CornerSum::down, [&](int n) { return value[n] - least[n]; });
    });
    for_each_tile(tiles, [&](Slot slot) {
        for (int corner = 0; corner < kCorners<Dim>; ++corner) {
            CornerSum& sum = all[static_cast<std::size_t>(slot)][static_cast<std::size_t>(corner)];
            for_each_tile_at_corner(tiles, slot, corner, [&](Slot beside, int number) {
                const CornerSum& part = own[static_cast<std::size_t>(beside)][static_cast<std::size_t>(number)];
                sum.missing += part.missing;
                sum.up += part.up;
                sum.down += part.down;
            });
        }
    });

    // What a corner gives for itself, and what it could still give for others.
    const auto nearby = [](const CornerSum& c) {
        return std::clamp(c.missing, -kMostNearby * c.down, kMostNearby * c.up);
    };
    const double given = sum_over_corners(tiles, [&](std::size_t s, std::size_t c) { return nearby(all[s][c]); });
    const double rest = wanted - amount(a, ambient, room, e).net - given;
    const auto more = [&](const CornerSum& c) {
        return rest > 0 ? std::max(0.0, c.up - std::max(0.0, nearby(c)))
                        : std::max(0.0, c.down + std::min(0.0, nearby(c)));
    };
    const double room_for_more = sum_over_corners(tiles, [&](std::size_t s, std::size_t c) { return more(all[s][c]); });
    const double part = room_for_more > 0 ? std::clamp(rest / room_for_more, -kMostAnywhere, kMostAnywhere) : 0;

    for_each_tile(tiles, [&](Slot slot) {
        std::array<CornerMove, kCorners<Dim>> moves;
        bool moved = false;
        for (std::size_t corner = 0; corner < moves.size(); ++corner) {
            const CornerSum& sum = all[static_cast<std::size_t>(slot)][corner];
            const double amount = nearby(sum) + part * more(sum);
            if (amount > 0 && sum.up > 0) moves[corner].up = static_cast<float>(amount / sum.up);
            if (amount < 0 && sum.down > 0) moves[corner].down = static_cast<float>(-amount / sum.down);
            moved |= amount != 0;
        }
        if (moved) move_tile<Dim>(a.tile(slot), limits.least.tile(slot), limits.most.tile(slot), moves);
    });
}

#define INSTANTIATE(Dim)                                                                                         \
    template Amount amount(const Field<float, Dim>&, double, const GasRoom<Dim>&, const GasEnclosure<Dim>&);     \
    template double outflow(const Field<float, Dim>&, double, const FaceField<Dim>&, const GasRoom<Dim>&,        \
                            const GasEnclosure<Dim>&, double);                                                   \
    template double add_swelling(Field<float, Dim>&, const Field<float, Dim>&, double, const Field<float, Dim>&, \
                                 const GasRoom<Dim>&, const GasEnclosure<Dim>&, double);                         \
    template void keep_amount(Field<float, Dim>&, AdvectionLimits<Dim>&, double, double, const GasRoom<Dim>&,    \
                              const GasEnclosure<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
