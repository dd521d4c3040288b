// SPDX-License-Identifier: Apache-2.0
#include "linear/multigrid.h"

#include <array>
#include <utility>

namespace spindrift {
namespace {

template <int Dim>
constexpr int kChildren = 1 << Dim;

// The fine tile that covers an octant (quadrant) of a coarse one.
template <int Dim>
constexpr Index<Dim> child_offset(int child) {
    Index<Dim> offset;
    for (int a = 0; a < Dim; ++a) offset[a] = child >> (Dim - 1 - a) & 1;
    return offset;
}

// Integrated over a cell, fluxes through faces of side h are conductance × h^(Dim−2): from one level to the next the
// equations of the children add up, divided by this power of two.
template <int Dim>
constexpr float kSumScale = Dim == 2 ? 1.0F : 0.5F;

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "linear/multigrid_kernels.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

// Coarsening stops when so few unknowns are left that relaxing them solves for them.
constexpr std::size_t kFewUnknowns = 16;

// How far the way from the coarse cell's centre to the fine one's weakens the hold of a Dirichlet surface.  Along one
// axis it is half a fine cell, β = 1/2; cells that meet the surface on several sides are held more firmly than that.
// 1/4 took the fewest iterations on surfaces at any angle (8 against 10 at 64³ and 128³).
constexpr float kGroundReach = 0.25F;

template <int Dim>
TilesPtr<Dim> coarsen(const Tiles<Dim>& fine) {
    std::vector<Index<Dim>> coordinates;
    for (std::size_t slot = 0; slot < fine.count(); ++slot) {
        const Index<Dim> coarse = map([](int c) { return c >> 1; }, fine.coordinate(static_cast<Slot>(slot)));
        if (coordinates.empty() || coordinates.back() != coarse) coordinates.push_back(coarse);
    }
    // An odd number of tiles has no half: the coarse level does not go round there.
    const Index<Dim> period = map([](int p) { return p % 2 == 0 ? p / 2 : 0; }, fine.period());
    return Tiles<Dim>::from_coordinates(std::move(coordinates), period);
}

template <int Dim>
std::vector<Slot> find_children(const Tiles<Dim>& coarse, const Tiles<Dim>& fine) {
    std::vector<Slot> children(coarse.count() * kChildren<Dim>);
    for_each_tile(coarse, [&](Slot slot) {
        for (int c = 0; c < kChildren<Dim>; ++c) {
            const Index<Dim> child = coarse.coordinate(slot) * 2 + child_offset<Dim>(c);
            children[static_cast<std::size_t>(slot * kChildren<Dim> + c)] =
                fine.wrapped(child) == child ? fine.find(child) : kNoTile;
        }
    });
    return children;
}

// The system of one coarse tile from those of its children.
// Nothing flows through a side where the finer level goes round and the coarser one does not.
template <int Dim>
void close_ends(TileSystem<Dim>& system, const Tiles<Dim>& tiles, const Index<Dim>& fine_period, Slot slot) {
    for (int axis = 0; axis < Dim; ++axis) {
        if (fine_period[axis] == 0 || tiles.period()[axis] > 0) continue;
        for (int n = 0; n < TileSystem<Dim>::kSideCells; ++n) {
            if (tiles.neighbour(slot, side_neighbour<Dim>(axis, false)) == kNoTile)
                system.lower[axis][first_layer_cell<Dim>(axis, n)] = 0;
            if (tiles.neighbour(slot, side_neighbour<Dim>(axis, true)) == kNoTile) system.upper[axis][n] = 0;
        }
    }
}

template <int Dim>
void coarsen_tile(TileSystem<Dim>& coarse, const PoissonOperator<Dim>& fine, const Slot* children) {
    coarse.clear();
    TileSystem<Dim> child;
    for (int c = 0; c < kChildren<Dim>; ++c) {
        if (children[c] == kNoTile || fine.is_empty(children[c])) continue;
        fine.expand(children[c], child);
        SPINDRIFT_PICK(coarsen_child<Dim>)(coarse, child, c, fine.mass(), kGroundReach);
    }
}

}  // namespace

template <int Dim>
Multigrid<Dim>::Multigrid(const PoissonOperator<Dim>& finest, MultigridOptions options)
    : finest_(finest), options_(options) {
    CHECK(options.fine_half_sweeps >= 2 && options.coarse_half_sweeps >= 2 && options.bottom_half_sweeps >= 2,
          "multigrid: each level needs both colours relaxed at least once");
    while (level(coarse_.size()).unknown_count() > kFewUnknowns) {
        const PoissonOperator<Dim>& fine = level(coarse_.size());
        TilesPtr<Dim> tiles = coarsen(fine.tiles());
        std::vector<Slot> children = find_children(*tiles, fine.tiles());
        PoissonOperator<Dim> a(tiles, 4 * fine.mass(), [&](Slot slot, TileSystem<Dim>& system) {
            coarsen_tile(system, fine, &children[static_cast<std::size_t>(slot) * kChildren<Dim>]);
            close_ends(system, *tiles, fine.tiles().period(), slot);
        });
        // Cells with no connection left on the coarse level (a closed pocket that became one cell) are solved for
        // already.
        if (a.unknown_count() == 0) break;
        using F = Field<float, Dim>;
        coarse_.push_back({std::move(a), std::move(children), F(tiles), F(tiles), F(tiles)});
    }
}

template <int Dim>
void Multigrid<Dim>::apply(Field<float, Dim>& z, const Field<float, Dim>& r, Field<float, Dim>& scratch) {
    cycle(0, z, r, scratch);
}

template <int Dim>
void Multigrid<Dim>::cycle(std::size_t n, Field<float, Dim>& x, const Field<float, Dim>& b,
                           Field<float, Dim>& scratch) {
    const PoissonOperator<Dim>& a = level(n);
    const bool bottom = n == coarse_.size();
    const int half_sweeps = bottom   ? options_.bottom_half_sweeps
                            : n == 0 ? options_.fine_half_sweeps
                                     : options_.coarse_half_sweeps;

    // Relaxation goes back and forth between two fields; their number of turns is odd, so it ends in x.
    Field<float, Dim>*now = &scratch, *next = &x;
    const auto relax = [&](int half_sweep) {
        a.relax(*next, *now, b, half_sweep % 2 == 0 ? Colour::red : Colour::black);
        std::swap(now, next);
    };

    // Down: relax from zero, hand the residual to the coarser level.
    a.relax_zero(*now, b, Colour::red);
    for (int s = 1; s < half_sweeps; ++s) relax(s);
    if (!bottom) {
        Level& coarse = coarse_[n];
        parallel_ranges(coarse.a.tiles().count(), std::max<std::size_t>(kTilesPerBlock<Dim> / kChildren<Dim>, 1),
                        [&, view = a.view()](std::size_t begin, std::size_t end) {
                            SPINDRIFT_PICK(restrict_tiles<Dim>)
                            (view, coarse.children.data(), coarse.b.tile(0), b.tile(0), now->tile(0), begin, end);
                        });
        cycle(n + 1, coarse.x, coarse.b, coarse.scratch);

        // Up: add its answer, relax the colours in the opposite order.
        parallel_ranges(coarse.a.tiles().count(), std::max<std::size_t>(kTilesPerBlock<Dim> / kChildren<Dim>, 1),
                        [&](std::size_t begin, std::size_t end) {
                            SPINDRIFT_PICK(prolong_tiles<Dim>)
                            (coarse.children.data(), now->tile(0), coarse.x.tile(0), begin, end);
                        });
    }
    for (int s = half_sweeps; s-- > 0;) relax(s);
}

template <int Dim>
std::size_t Multigrid<Dim>::bytes() const {
    std::size_t bytes = 0;
    for (const Level& l : coarse_)
        bytes += l.a.bytes() + l.a.tiles().bytes() + l.children.size() * sizeof(Slot) + l.x.bytes() + l.b.bytes() +
                 l.scratch.bytes();
    return bytes;
}

template class Multigrid<2>;
template class Multigrid<3>;

}  // namespace spindrift
