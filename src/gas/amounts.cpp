// SPDX-License-Identifier: Apache-2.0
// What is missing, and how far cells are from their bounds, is gathered at the corners of tiles with the weights of
// linear interpolation between these.  Given back with the same weights, each corner gives exactly what it has
// gathered, and the correction has no seams between tiles.
#include "gas/amounts.h"

#include <algorithm>
#include <cmath>

namespace spindrift {
namespace {

// The largest part of the way to their bounds that cells are moved in a step.
constexpr double kMostOfTheWay = 0.5;
// Shares of the remainder are raised so often where others have reached their bounds; what is left waits for the next
// step.
constexpr int kMostRounds = 8;

template <int Dim>
constexpr int kCorners = 1 << Dim;

// Of a tile's corner, from this tile or from all tiles around it.  Bit a of a corner's number: the upper one along a.
struct CornerSum {
    double missing = 0, doubt = 0;  // Σ missing, Σ |missing|
    double up = 0, down = 0;        // Σ most − a, Σ a − least
    double share = 1;               // of this tile in the corner, so that sums over tiles count it once

    CornerSum& operator+=(const CornerSum& more) {
        missing += more.missing, doubt += more.doubt, up += more.up, down += more.down;
        return *this;
    }
};
template <int Dim>
using CornerSums = std::array<CornerSum, kCorners<Dim>>;
struct CornerMove {
    float up = 0, down = 0;  // parts of the way to the bounds
};

// How far a cell is on its way from the lower to the upper side of its tile.
constexpr float place_in_tile(int cell) { return (static_cast<float>(cell) + 0.5F) / kTileSide; }

// The weight of a cell, by its place along an axis, in the lower or the upper corners of its tile.
constexpr float weight_at(int cell, bool upper) { return upper ? place_in_tile(cell) : 1 - place_in_tile(cell); }

// Whether nothing is missing from a tile and nothing in it can be moved.
template <int Dim>
bool is_settled(const float* least, const float* most, const float* missing) {
    bool moves = false;
    for (int n = 0; n < kTileCells<Dim>; ++n) moves |= (most[n] != least[n]) | (missing[n] != 0);
    return !moves;
}

// Axis by axis: rows are added up to layers, each towards both of its ends, and layers to the tile.
template <int Dim>
void gather(CornerSums<Dim>& to, const float* a, const float* least, const float* most, const float* missing) {
    constexpr int kSums = 4, kLayers = Dim == 3 ? kTileSide : 1;
    using Rows = float[kSums][kTileSide];
    const auto add = [](Rows& sums, const Rows& more, float weight) {
        for (int k = 0; k < kSums; ++k)
            for (int n = 0; n < kTileSide; ++n) sums[k][n] += weight * more[k][n];
    };
    Rows tile[kCorners<Dim> / 2] = {};
    for (int layer = 0; layer < kLayers; ++layer) {
        Rows ends[2] = {};
        for (int row = 0; row < kTileSide; ++row) {
            const int first = (layer * kTileSide + row) * kTileSide;
            Rows values;
            for (int n = 0; n < kTileSide; ++n) {
                values[0][n] = missing[first + n];
                values[1][n] = std::abs(missing[first + n]);
                values[2][n] = most[first + n] - a[first + n];
                values[3][n] = a[first + n] - least[first + n];
            }
            for (const bool upper : {false, true}) add(ends[upper ? 1 : 0], values, weight_at(row, upper));
        }
        // Bit a of a corner's number is that of axis a: layers are along axis 0, rows along the one before the last.
        for (int corner = 0; corner < kCorners<Dim> / 2; ++corner)
            add(tile[corner], ends[corner >> (Dim - 2) & 1], Dim == 3 ? weight_at(layer, (corner & 1) != 0) : 1);
    }
    constexpr double CornerSum::*kWhich[kSums]{&CornerSum::missing, &CornerSum::doubt, &CornerSum::up,
                                               &CornerSum::down};
    for (std::size_t corner = 0; corner < kCorners<Dim>; ++corner)
        for (int k = 0; k < kSums; ++k)
            for (int n = 0; n < kTileSide; ++n)
                to[corner].*kWhich[k] += double{weight_at(n, corner >= kCorners<Dim> / 2)} *
                                         double{tile[corner % (kCorners<Dim> / 2)][k][n]};
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

// Σ f over all corners, each counted once.
template <class Corners, class F>
double sum_over_corners(const std::vector<Corners>& all, F&& f) {
    constexpr std::size_t kTilesAtOnce = 256;
    return parallel_sum(all.size(), kTilesAtOnce, 0.0, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t s = begin; s < end; ++s)
            for (const CornerSum& corner : all[s]) sum += corner.share * f(corner);
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
            for (int axis = 0; axis < Dim - 1; ++axis) weight *= weight_at(cell[axis], (corner >> axis & 1) != 0);
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

// By what each corner is moved: by what is missing beside it, and by its share of what the ledger still misses, which
// is as large as the doubt about what is missing there.
class CornerShares {
  public:
    static double nearby(const CornerSum& c) {
        return std::clamp(c.missing, -kMostOfTheWay * c.down, kMostOfTheWay * c.up);
    }

    template <class Corners>
    CornerShares(const std::vector<Corners>& all, double rest) : sign_(rest < 0 ? -1 : 1) {
        double given = 0, raised = 0;
        for (int round = 0; round < kMostRounds && std::abs(rest) > given; ++round) {
            raised = sum_over_corners(all, [&](const CornerSum& c) { return reaches_bounds(c) ? 0 : c.doubt; });
            if (!(raised > 0)) break;
            per_doubt_ += (std::abs(rest) - given) / raised;
            given = sum_over_corners(all, [&](const CornerSum& c) { return more(c); });
        }
    }

    double of(const CornerSum& c) const { return nearby(c) + sign_ * more(c); }

  private:
    double headroom(const CornerSum& c) const {
        return std::max(0.0, kMostOfTheWay * (sign_ > 0 ? c.up : c.down) - sign_ * nearby(c));
    }
    bool reaches_bounds(const CornerSum& c) const { return per_doubt_ * c.doubt >= headroom(c); }
    double more(const CornerSum& c) const { return std::min(per_doubt_ * c.doubt, headroom(c)); }

    double sign_;
    double per_doubt_ = 0;
};

// What the sharper schemes advect out of the last cell that leaves, of which the part f has been swept, beyond f times
// its value: the sum of what they take from the values around without putting it into a cell of the domain.
double beyond_swept(AdvectionScheme scheme, double f, double ahead, double here, double behind) {
    // MacCormack's correction ends with the cells whose way back stays inside.
    if (scheme == AdvectionScheme::maccormack) return 0.5 * f * (1 - f) * (here - behind);
    if (scheme != AdvectionScheme::cubic) return 0;
    const double t = 1 - f;
    const double w0 = -t * (t - 1) * (t - 2) / 6, w2 = -(t + 1) * t * (t - 2) / 2, w3 = (t + 1) * t * (t - 1) / 6;
    return -w3 * ahead + (1 - w2 - w3 - f) * here + w0 * behind;
}

}  // namespace

template <int Dim>
Amount amount(const Field<float, Dim>& a, double ambient, const DomainBoundary<Dim>& boundary) {
    using Sums = Vec<double, 2>;
    const auto around = static_cast<float>(ambient);
    const Sums sums =
        parallel_sum(boundary.tiles->count(), kTilesPerBlock<Dim>, Sums{}, [&](std::size_t begin, std::size_t end) {
            Sums part{};
            for (std::size_t s = begin; s < end; ++s) {
                const auto slot = static_cast<Slot>(s);
                float above[kTileCells<Dim>];
                for (int n = 0; n < kTileCells<Dim>; ++n) above[n] = a.tile(slot)[n] - around;
                for_each_other_cell(boundary, slot, [&](int n) { above[n] = 0; });
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
double outflow(std::vector<double>& by_tile, const Field<float, Dim>& a, double ambient, const FaceField<Dim>& velocity,
               const DomainBoundary<Dim>& boundary, double dt, AdvectionScheme scheme) {
    const Domain<Dim>& domain = boundary.domain;
    const double cells = dt / domain.grid.dx;
    by_tile.assign(boundary.tiles->count(), 0);
    double sum = 0;
    for (int axis = 0; axis < Dim; ++axis)
        for (const bool above : {false, true}) {
            const DomainSide<Dim>& side = domain.side(axis, above);
            if (side.kind != SideKind::open && !(side.kind == SideKind::prescribed && side.velocity)) continue;
            const int last = above ? domain.box.hi[axis] - 1 : domain.box.lo[axis];
            // Beyond an open upper side there is no face: the last one counts.
            const int face = side.kind == SideKind::open ? last : above ? last + 1 : last;
            const double out = above ? 1 : -1;
            const Index<Dim> inwards = unit<Dim>(axis) * (above ? -1 : 1);

            // The gas that passes the side comes from ever further inside: as far as it gets in the step.
            const auto leaves_through = [&](Index<Dim> cell) {
                Index<Dim> at_side = cell;
                at_side[axis] = face;
                const double through = out * double{velocity[axis].at(at_side)} * cells;
                double left = 0, time = 0, ahead = double{a.at(cell)} - ambient;
                while (through > 0 && time < 1 && domain.box.contains(cell)) {
                    const double speed =
                        0.5 * out * cells *
                        (double{velocity[axis].at(cell)} + double{velocity[axis].at(cell + unit<Dim>(axis))});
                    const bool is_last = above && cell[axis] == last && side.kind == SideKind::open;
                    const double speed_here = is_last ? through : speed;
                    const double stays = speed_here > 0 ? std::min(1 / speed_here, 1 - time) : 1 - time;
                    const double here = double{a.at(cell)} - ambient;
                    left += through * stays * here;
                    time += stays;
                    cell += inwards;
                    // The cell that has been swept in part.
                    if (time >= 1 && domain.box.contains(cell))
                        left += beyond_swept(scheme, std::clamp(speed_here * stays, 0.0, 1.0), ahead, here,
                                             double{a.at(cell)} - ambient);
                    ahead = here;
                }
                return left;
            };
            sum += parallel_sum(boundary.tiles->count(), kTilesPerBlock<Dim>, 0.0,
                                [&](std::size_t begin, std::size_t end) {
                                    double left = 0;
                                    for (std::size_t s = begin; s < end; ++s) {
                                        const auto slot = static_cast<Slot>(s);
                                        const int layer = last - boundary.tiles->origin(slot)[axis];
                                        if (layer < 0 || layer >= kTileSide) continue;
                                        for (int n = 0; n < kTileCells<Dim>; ++n) {
                                            const Index<Dim> local = cell_in_tile<Dim>(n);
                                            if (local[axis] != layer || !holds_fluid(boundary, slot, n)) continue;
                                            const double leaves = leaves_through(boundary.tiles->origin(slot) + local);
                                            left += leaves;
                                            by_tile[s] += std::abs(leaves);
                                        }
                                    }
                                    return left;
                                });
        }
    return sum;
}

template <int Dim>
double add_swelling(Field<float, Dim>& missing, const Field<float, Dim>& a, double ambient,
                    const Field<float, Dim>& divergence, const DomainBoundary<Dim>& boundary, double dt) {
    return parallel_sum(boundary.tiles->count(), kTilesPerBlock<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t s = begin; s < end; ++s) {
            const auto slot = static_cast<Slot>(s);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                if (boundary.full[s] == 0 && !holds_fluid(boundary, slot, n)) continue;
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
                 const DomainBoundary<Dim>& boundary) {
    const Tiles<Dim>& tiles = *boundary.tiles;
    std::vector<CornerSums<Dim>> own(tiles.count()), all(tiles.count());
    for_each_tile(tiles, [&](Slot slot) {
        const auto s = static_cast<std::size_t>(slot);
        float *value = a.tile(slot), *least = limits.least.tile(slot), *most = limits.most.tile(slot),
              *missing = limits.missing.tile(slot);
        for_each_other_cell(boundary, slot, [&](int n) { least[n] = most[n] = value[n], missing[n] = 0; });
        if (!is_settled<Dim>(least, most, missing)) gather<Dim>(own[s], value, least, most, missing);
        // What leaves is in doubt, too.
        if (!limits.left.empty())
            for (CornerSum& corner : own[s]) corner.doubt += limits.left[s] / kCorners<Dim>;
    });
    for_each_tile(tiles, [&](Slot slot) {
        for (int corner = 0; corner < kCorners<Dim>; ++corner) {
            CornerSum& sum = all[static_cast<std::size_t>(slot)][static_cast<std::size_t>(corner)];
            int sharing = 0;
            for_each_tile_at_corner(tiles, slot, corner, [&](Slot beside, int number) {
                sum += own[static_cast<std::size_t>(beside)][static_cast<std::size_t>(number)];
                ++sharing;
            });
            sum.share = 1.0 / sharing;
        }
    });

    const double given = sum_over_corners(all, [&](const CornerSum& c) { return CornerShares::nearby(c); });
    const CornerShares shares(all, wanted - amount(a, ambient, boundary).net - given);
    for_each_tile(tiles, [&](Slot slot) {
        std::array<CornerMove, kCorners<Dim>> moves;
        bool moved = false;
        for (std::size_t corner = 0; corner < moves.size(); ++corner) {
            const CornerSum& sum = all[static_cast<std::size_t>(slot)][corner];
            const double amount = shares.of(sum);
            if (amount > 0 && sum.up > 0) moves[corner].up = static_cast<float>(amount / sum.up);
            if (amount < 0 && sum.down > 0) moves[corner].down = static_cast<float>(-amount / sum.down);
            moved |= amount != 0;
        }
        if (moved) move_tile<Dim>(a.tile(slot), limits.least.tile(slot), limits.most.tile(slot), moves);
    });
}

#define INSTANTIATE(Dim)                                                                                         \
    template Amount amount(const Field<float, Dim>&, double, const DomainBoundary<Dim>&);                        \
    template double outflow(std::vector<double>&, const Field<float, Dim>&, double, const FaceField<Dim>&,       \
                            const DomainBoundary<Dim>&, double, AdvectionScheme);                                \
    template double add_swelling(Field<float, Dim>&, const Field<float, Dim>&, double, const Field<float, Dim>&, \
                                 const DomainBoundary<Dim>&, double);                                            \
    template void keep_amount(Field<float, Dim>&, AdvectionLimits<Dim>&, double, double, const DomainBoundary<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
