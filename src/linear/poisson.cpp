// SPDX-License-Identifier: Apache-2.0
#include "linear/poisson.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "grid/halo.h"

namespace spindrift {
namespace {

// The fields of a liquid's pressure problem as its kernel sees them.
template <int Dim>
struct FreeSurfaceInput {
    const float* level;
    const float* open[Dim];
    const float* level_outside;  // a tile of the background
    const float* open_outside[Dim];
    const Slot* neighbours;
    float mass;
    float smallest_theta;
};

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "linear/free_surface.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

template <int Dim>
std::string text(const Index<Dim>& cell) {
    std::string out = "(";
    for (int a = 0; a < Dim; ++a) out += fmt::format("{}{}", a > 0 ? ", " : "", cell[a]);
    return out + ")";
}

template <int Dim>
constexpr std::size_t kClosedSets = std::size_t{1} << (2 * Dim);

// A tile of zeros, a tile of ones, then the inverse diagonals of uniform tiles for every set of closed sides.
// Made once per mass and shared: levels, steps and fields of one simulation keep asking for the same few.
template <int Dim>
std::shared_ptr<const Buffer<float>> make_constants(float mass) {
    constexpr std::size_t kCells = kTileCells<Dim>;
    auto constants = std::make_shared<Buffer<float>>((2 + kClosedSets<Dim>)*kCells);
    std::fill_n(constants->data(), kCells, 0.0F);
    std::fill_n(constants->data() + kCells, kCells, 1.0F);
    for (std::size_t closed = 0; closed < kClosedSets<Dim>; ++closed) {
        float* inverse = constants->data() + (2 + closed) * kCells;
        for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
            const Index<Dim> at = cell_in_tile<Dim>(cell);
            float diagonal = mass;
            for (int axis = 0; axis < Dim; ++axis) {
                const bool shut_below = at[axis] == 0 && (closed >> (2 * axis) & 1U) != 0;
                const bool shut_above = at[axis] == kTileSide - 1 && (closed >> (2 * axis + 1) & 1U) != 0;
                diagonal += static_cast<float>(2 - shut_below - shut_above);
            }
            inverse[cell] = 1 / diagonal;
        }
    }
    return constants;
}

template <int Dim>
std::shared_ptr<const Buffer<float>> shared_constants(float mass) {
    static std::mutex mutex;
    static std::map<float, std::weak_ptr<const Buffer<float>>> known;
    const std::lock_guard lock(mutex);
    std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
    std::weak_ptr<const Buffer<float>>& entry = known[mass];
    std::shared_ptr<const Buffer<float>> constants = entry.lock();
    if (!constants) entry = constants = make_constants<Dim>(mass);
    return constants;
}

// The diagonal of every cell.
template <int Dim>
void fill_diagonals(float (&diagonal)[kTileCells<Dim>], const TileSystem<Dim>& s) {
    std::copy_n(s.ground, kTileCells<Dim>, diagonal);
    for (int axis = 0; axis < Dim; ++axis) {
        const int stride = tile_stride<Dim>(axis), slab = stride * kTileSide, last = slab - stride;
        for (int n = 0; n < kTileCells<Dim>; ++n) diagonal[n] += s.lower[axis][n];
        for (int at = 0; at < kTileCells<Dim>; at += slab) {
            for (int n = at; n < at + last; ++n) diagonal[n] += s.lower[axis][n + stride];
            for (int n = 0; n < stride; ++n) diagonal[at + last + n] += s.upper[axis][at / kTileSide + n];
        }
    }
}

// Whether all faces of a side conduct the same: 1, 0, or neither (-1).
template <int Dim>
int side_conductance(const TileSystem<Dim>& s, int axis, bool above) {
    int ones = 0, zeros = 0;
    for (int n = 0; n < TileSystem<Dim>::kSideCells; ++n) {
        const float c = above ? s.upper[axis][n] : s.lower[axis][first_layer_cell<Dim>(axis, n)];
        ones += c == 1 ? 1 : 0;
        zeros += c == 0 ? 1 : 0;
    }
    return ones == TileSystem<Dim>::kSideCells ? 1 : zeros == TileSystem<Dim>::kSideCells ? 0 : -1;
}

template <int Dim>
bool conducts_one_inside(const TileSystem<Dim>& s) {
    int others = 0;
    for (int axis = 0; axis < Dim; ++axis) {
        const int stride = tile_stride<Dim>(axis), slab = stride * kTileSide;
        for (int at = 0; at < kTileCells<Dim>; at += slab)
            for (int n = at + stride; n < at + slab; ++n) others += s.lower[axis][n] != 1 ? 1 : 0;
    }
    return others == 0;
}

struct Classified {
    std::int32_t kind;  // kEmptyTile, kUniformTile minus its closed sides, or 0 for general
    int unknowns;
};

template <int Dim>
Classified classify(const TileSystem<Dim>& s, float mass) {
    int other_grounds = 0;
    for (int n = 0; n < kTileCells<Dim>; ++n) other_grounds += s.ground[n] != mass ? 1 : 0;
    if (other_grounds == 0 && conducts_one_inside(s)) {
        std::int32_t closed = 0;
        bool plain = true;
        for (int axis = 0; axis < Dim; ++axis)
            for (const bool above : {false, true}) {
                const int c = side_conductance(s, axis, above);
                plain &= c >= 0;
                if (c == 0) closed |= 1 << (2 * axis + (above ? 1 : 0));
            }
        if (plain) return {kUniformTile - closed, kTileCells<Dim>};
    }
    float diagonal[kTileCells<Dim>];
    fill_diagonals(diagonal, s);
    int unknowns = 0;
    for (int n = 0; n < kTileCells<Dim>; ++n) unknowns += diagonal[n] > 0 ? 1 : 0;
    return {unknowns > 0 ? 0 : kEmptyTile, unknowns};
}

bool all_finite_and_not_negative(const float* values, int count) {
    int bad = 0;
    for (int n = 0; n < count; ++n) bad += values[n] >= 0 && values[n] <= std::numeric_limits<float>::max() ? 0 : 1;
    return bad == 0;
}

template <int Dim>
void check_coefficients(const TileSystem<Dim>& s, const Index<Dim>& origin) {
    const auto check = [&](const char* what, const float* values, int count, auto cell_of) {
        if (all_finite_and_not_negative(values, count)) return;
        int n = 0;
        while (all_finite_and_not_negative(values + n, 1)) ++n;
        CHECK(false, "Poisson operator: {} of cell {} is {}; it must be finite and not negative", what,
              text(origin + cell_in_tile<Dim>(cell_of(n))), values[n]);
    };
    check("the ground", s.ground, kTileCells<Dim>, [](int n) { return n; });
    for (int axis = 0; axis < Dim; ++axis) {
        check("the lower face", s.lower[axis], kTileCells<Dim>, [](int n) { return n; });
        check("the upper face", s.upper[axis], TileSystem<Dim>::kSideCells,
              [axis](int n) { return first_layer_cell<Dim>(axis, n) + tile_stride<Dim>(axis) * (kTileSide - 1); });
    }
}

}  // namespace

template <int Dim>
void TileSystem<Dim>::clear() {
    std::fill_n(&lower[0][0], Dim * kCells, 0.0F);
    std::fill_n(&upper[0][0], Dim * kSideCells, 0.0F);
    std::fill_n(ground, kCells, 0.0F);
}

template <int Dim>
float TileSystem<Dim>::upper_of(int axis, int cell) const {
    const int stride = tile_stride<Dim>(axis);
    if ((cell / stride) % kTileSide < kTileSide - 1) return lower[axis][cell + stride];
    return upper[axis][number_in_layer<Dim>(axis, cell)];
}

template <int Dim>
PoissonOperator<Dim>::PoissonOperator(TilesPtr<Dim> tiles, float mass, const TileSystemSource<Dim>& source)
    : tiles_(std::move(tiles)), mass_(mass), kind_(tiles_->count()), constants_(shared_constants<Dim>(mass)) {
    CHECK(std::isfinite(mass) && mass >= 0, "Poisson operator: the mass is {}; it must be finite and not negative",
          mass);

    // Sort the tiles into kinds.  Coefficients of general tiles are kept block by block until it is known how many.
    std::vector<std::vector<float>> kept((tiles_->count() + kTilesPerBlock<Dim> - 1) / kTilesPerBlock<Dim>);
    unknowns_ = sum_over_tiles(*tiles_, std::size_t{0}, [&](Slot slot) {
        TileSystem<Dim> system;
        source(slot, system);
        check_coefficients(system, tiles_->origin(slot));
        const Classified tile = classify(system, mass_);
        kind_[static_cast<std::size_t>(slot)] = tile.kind;
        if (tile.kind >= 0) {
            std::vector<float>& to = kept[static_cast<std::size_t>(slot) / kTilesPerBlock<Dim>];
            if (to.empty()) to.reserve(kTilesPerBlock<Dim> * kPoissonBlock<Dim>);
            to.insert(to.end(), &system.lower[0][0], &system.lower[0][0] + Dim * kTileCells<Dim>);
            to.insert(to.end(), system.ground, system.ground + kTileCells<Dim>);
        }
        return static_cast<std::size_t>(tile.unknowns);
    });

    // Number the general ones in the order of their slots, and put their coefficients side by side.
    std::int32_t general = 0;
    for (std::int32_t& kind : kind_)
        if (kind >= 0) kind = general++;
    blocks_ = Buffer<float>(static_cast<std::size_t>(general) * kPoissonBlock<Dim>);
    std::size_t at = 0;
    for (std::vector<float>& block : kept) {
        std::copy(block.begin(), block.end(), blocks_.data() + at);
        at += block.size();
        block = {};
    }
}

template <int Dim>
PoissonView<Dim> PoissonOperator<Dim>::view() const {
    const float* c = constants_->data();
    return {tiles_->count(),         kind_.data(), tiles_->neighbours(), blocks_.data(), c, c + kTileCells<Dim>,
            c + 2 * kTileCells<Dim>, mass_};
}

template <int Dim>
std::size_t PoissonOperator<Dim>::bytes() const {
    return kind_.size() * sizeof(kind_[0]) + (blocks_.size() + constants_->size()) * sizeof(float);
}

template <int Dim>
const float* PoissonOperator<Dim>::lower_faces(Slot slot, int axis, bool at_side) const {
    const PoissonView<Dim> v = view();
    if (slot == kNoTile || is_empty(slot)) return v.zeros;
    if (is_uniform(slot)) return at_side && is_closed(slot, axis, false) ? v.zeros : v.ones;
    return v.blocks + static_cast<std::size_t>(v.kind[slot]) * kPoissonBlock<Dim> + axis * kTileCells<Dim>;
}

template <int Dim>
void PoissonOperator<Dim>::expand(Slot slot, TileSystem<Dim>& system) const {
    for (int axis = 0; axis < Dim; ++axis) {
        const float* at_side = lower_faces(slot, axis, true);
        const float* above = lower_faces(tiles_->neighbour(slot, side_neighbour<Dim>(axis, true)), axis, true);
        std::copy_n(lower_faces(slot, axis, false), kTileCells<Dim>, system.lower[axis]);
        for (int n = 0; n < TileSystem<Dim>::kSideCells; ++n) {
            const int first = first_layer_cell<Dim>(axis, n);
            system.lower[axis][first] = at_side[first];
            system.upper[axis][n] = above[first];
        }
    }
    const bool uniform = is_uniform(slot);
    if (uniform || is_empty(slot))
        std::fill_n(system.ground, kTileCells<Dim>, uniform ? mass_ : 0);
    else
        std::copy_n(lower_faces(slot, 0, false) + Dim * kTileCells<Dim>, kTileCells<Dim>, system.ground);
}

template <int Dim>
PoissonOperator<Dim>::PoissonOperator(const FaceField<Dim>& conductance, const Field<float, Dim>& ground,
                                      const Field<std::uint8_t, Dim>& unknown, float mass)
    : PoissonOperator(unknown.tiles_ptr(), mass, [&](Slot slot, TileSystem<Dim>& system) {
          CHECK(unknown.background() == 0,
                "Poisson operator: the background of unknown is {}; no cell can be one where "
                "there are no tiles",
                unknown.background());
          for (int axis = 0; axis < Dim; ++axis)
              check_same_tiles("Poisson operator", "unknown", unknown.tiles(), "conductance",
                               conductance[axis].tiles());
          check_same_tiles("Poisson operator", "unknown", unknown.tiles(), "ground", ground.tiles());
          const HaloBlock<std::uint8_t, Dim, 1> is_unknown(unknown, slot);
          for (int axis = 0; axis < Dim; ++axis) {
              const HaloBlock<float, Dim, 1> face(conductance[axis], slot);
              const Index<Dim> step = unit<Dim>(axis);
              for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
                  const Index<Dim> at = cell_in_tile<Dim>(cell);
                  const bool below = is_unknown(at) != 0 && is_unknown(at - step) != 0;
                  system.lower[axis][cell] = below ? face(at) : 0;
                  if (at[axis] < kTileSide - 1) continue;
                  const bool above = is_unknown(at) != 0 && is_unknown(at + step) != 0;
                  system.upper[axis][number_in_layer<Dim>(axis, cell)] = above ? face(at + step) : 0;
              }
          }
          for (int cell = 0; cell < kTileCells<Dim>; ++cell)
              system.ground[cell] = is_unknown(cell_in_tile<Dim>(cell)) != 0 ? ground.tile(slot)[cell] + mass : 0;
      }) {}

template <int Dim>
PoissonOperator<Dim> free_surface_operator(const Field<float, Dim>& level, const FaceField<Dim>& open, float mass) {
    for (int axis = 0; axis < Dim; ++axis)
        check_same_tiles("free surface operator", "level", level.tiles(), "open", open[axis].tiles());
    CHECK(level.background() >= 0, "free surface operator: the background of level is {}; liquid must lie on tiles",
          level.background());
    // Beyond the tiles both fields have their background: a tile of each.
    std::array<Buffer<float>, Dim + 1> outside;
    FreeSurfaceInput<Dim> input{level.tile(0), {}, {}, {}, level.tiles().neighbours(), mass, kSmallestTheta};
    const auto background_tile = [&](int n, float value) {
        Buffer<float>& tile = outside[static_cast<std::size_t>(n)];
        tile = Buffer<float>(kTileCells<Dim>);
        std::fill_n(tile.data(), kTileCells<Dim>, value);
        return tile.data();
    };
    input.level_outside = background_tile(Dim, level.background());
    for (int axis = 0; axis < Dim; ++axis) {
        input.open[axis] = open[axis].tile(0);
        input.open_outside[axis] = background_tile(axis, open[axis].background());
    }
    return PoissonOperator<Dim>(level.tiles_ptr(), mass, [&](Slot slot, TileSystem<Dim>& system) {
        SPINDRIFT_PICK(fill_free_surface<Dim>)(system, input, slot);
    });
}

template struct TileSystem<2>;
template struct TileSystem<3>;
template class PoissonOperator<2>;
template class PoissonOperator<3>;
template PoissonOperator<2> free_surface_operator(const Field<float, 2>&, const FaceField<2>&, float);
template PoissonOperator<3> free_surface_operator(const Field<float, 3>&, const FaceField<3>&, float);

}  // namespace spindrift
