// SPDX-License-Identifier: Apache-2.0
// The discrete Poisson and Helmholtz operator, matrix-free on tiles:
//
//   (A x)_i = ground_i x_i + Σ_faces c_f (x_i − x_neighbour)
//
// c_f is the conductance of a face between two unknowns (its open fraction, 0..1, times whatever varies in space);
// ground_i ties a cell to a fixed value: the ghost-fluid diagonal open / θ of a Dirichlet surface θ cells away
// [Gibou02], plus the mass of a Helmholtz problem.  Spacing is one: the caller puts dx² into the right side. A cell
// with neither conductance nor ground is no unknown; x is zero there.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/memory.h"
#include "grid/beside.h"
#include "grid/field.h"

namespace spindrift {

// The coefficients of one tile, as whoever sets up a problem gives them.
template <int Dim>
struct TileSystem {
    static constexpr int kCells = kTileCells<Dim>;
    static constexpr int kSideCells = kCells / kTileSide;

    alignas(64) float lower[Dim][kCells];      // each cell's lower face
    alignas(64) float upper[Dim][kSideCells];  // the faces above the tile's last layer, in the order of its cells
    alignas(64) float ground[kCells];

    void clear();
    float upper_of(int axis, int cell) const;  // the face above any cell of the tile
};

// Fills in the system of the tile in a slot.  Called once per tile, from several threads.  Both tiles at a side must
// say the same of its faces; where there is no tile beyond, they conduct nothing.
template <int Dim>
using TileSystemSource = std::function<void(Slot, TileSystem<Dim>&)>;

enum class Colour : int { red = 0, black = 1 };  // red: cells whose coordinates add to an even number

// Kinds of tiles.  Uniform: all cells are unknowns, every face inside conducts 1, and each side either conducts 1
// everywhere or nothing; it stores no coefficients.  General: a block of coefficients.  Empty: no unknowns.
constexpr std::int32_t kEmptyTile = -1;
constexpr std::int32_t kUniformTile = -2;  // kUniformTile − (a bit per closed side); >= 0 is a general tile's block

// A general tile's block: lower faces along each axis, then ground.
template <int Dim>
constexpr std::size_t kPoissonBlock = static_cast<std::size_t>(Dim + 1) * kTileCells<Dim>;

// The operator as kernels see it.
template <int Dim>
struct PoissonView {
    std::size_t tile_count;
    const std::int32_t* kind;
    const Slot* neighbours;
    const float* blocks;
    const float* zeros;     // a tile of zeros
    const float* ones;      // a tile of ones
    const float* inverses;  // 1 / diagonal of uniform tiles, one tile per set of closed sides
    float mass;
};

template <int Dim>
class PoissonOperator {
  public:
    // `mass` is the part of ground that every unknown has: 0 for Poisson; for Helmholtz, u − ν dt ∇²u = b divided by
    // ν dt / dx², it is dx² / (ν dt).
    PoissonOperator(TilesPtr<Dim> tiles, float mass, const TileSystemSource<Dim>& source);
    // From fields: conductance of each lower face (counted only between two unknowns) and ground without the mass.
    PoissonOperator(const FaceField<Dim>& conductance, const Field<float, Dim>& ground,
                    const Field<std::uint8_t, Dim>& unknown, float mass = 0);

    const Tiles<Dim>& tiles() const { return *tiles_; }
    const TilesPtr<Dim>& tiles_ptr() const { return tiles_; }
    float mass() const { return mass_; }
    std::size_t unknown_count() const { return unknowns_; }
    std::size_t general_tile_count() const { return blocks_.size() / kPoissonBlock<Dim>; }
    std::size_t bytes() const;

    // y = A x; returns x·y.
    double apply(Field<float, Dim>& y, const Field<float, Dim>& x) const;
    // r = b − A x on unknowns, 0 elsewhere; returns r·r.  r may be b.
    double residual(Field<float, Dim>& r, const Field<float, Dim>& b, const Field<float, Dim>& x) const;
    // One colour of Gauss–Seidel, out ≠ in; the other colour is copied.  `weight` over-relaxes.
    void relax(Field<float, Dim>& out, const Field<float, Dim>& in, const Field<float, Dim>& b, Colour colour,
               float weight = 1) const;
    // The same for one colour of x = 0.
    void relax_zero(Field<float, Dim>& out, const Field<float, Dim>& b, Colour colour) const;
    // Sets x to zero where there is no unknown.
    void keep_unknowns(Field<float, Dim>& x) const;

    // What a tile holds, whichever way it is stored.
    void expand(Slot slot, TileSystem<Dim>& system) const;
    // The conductances of its lower faces along an axis: of those between its own cells, or of those at its lower side.
    const float* lower_faces(Slot slot, int axis, bool at_side) const;
    bool is_uniform(Slot slot) const { return kind_[static_cast<std::size_t>(slot)] <= kUniformTile; }
    bool is_empty(Slot slot) const { return kind_[static_cast<std::size_t>(slot)] == kEmptyTile; }
    // For a uniform tile: no flow through this side.
    bool is_closed(Slot slot, int axis, bool above) const {
        return ((kUniformTile - kind_[static_cast<std::size_t>(slot)]) >> (2 * axis + (above ? 1 : 0)) & 1) != 0;
    }

    // What kernels need, as plain pointers.
    PoissonView<Dim> view() const;

  private:
    TilesPtr<Dim> tiles_;
    float mass_;
    std::size_t unknowns_ = 0;
    std::vector<std::int32_t> kind_;
    Buffer<float> blocks_;
    std::shared_ptr<const Buffer<float>> constants_;
};

// A liquid's pressure problem: unknown where level < 0, x = 0 on level = 0 between cell centres (second order, the
// surface never closer than kSmallestTheta cells), no flow through the closed part of each face.
template <int Dim>
PoissonOperator<Dim> free_surface_operator(const Field<float, Dim>& level, const FaceField<Dim>& open, float mass = 0);

// Keeps the diagonal bounded; 0.01 cells is far below the accuracy of the surface.
constexpr float kSmallestTheta = 0.01F;

// The distance from an unknown to the Dirichlet surface towards a neighbour above it, in cells.
inline float surface_theta(float level_inside, float level_outside) {
    return std::max(level_inside / (level_inside - level_outside), kSmallestTheta);
}

extern template class PoissonOperator<2>;
extern template class PoissonOperator<3>;

}  // namespace spindrift
