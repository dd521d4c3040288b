// SPDX-License-Identifier: Apache-2.0
#include "schemes/domain_projection.h"

#include <cmath>

#include "grid/beside.h"
#include "grid/measure.h"
#include "schemes/patch.h"
#include "schemes/step_report.h"

namespace spindrift {
namespace {

// Divergence per cell and speed above which a second solve follows.
constexpr double kTooMuch = 5e-6;

template <int Dim>
using Kinds = HaloBlock<std::uint8_t, Dim, 1>;

// Open part of each face of a tile and the layer above it, 1 without solids.
template <int Dim>
struct OpenFaces {
    OpenFaces(const DomainBoundary<Dim>& boundary, Slot slot) : has_solids(boundary.has_solids()) {
        for (int a = 0; has_solids && a < Dim; ++a) block[static_cast<std::size_t>(a)].load(boundary.open[a], slot);
    }
    bool has_solids;
    std::array<HaloBlock<float, Dim, 1>, Dim> block;
};

// What the cells of a row have to do with those on one side of them.
template <int Dim>
void fill_row(TileSystem<Dim>& system, int row, int axis, bool above, const std::uint8_t* kind,
              const std::uint8_t* beside, const float* open) {
    constexpr auto kFluid = static_cast<std::uint8_t>(CellKind::fluid),
                   kOpen = static_cast<std::uint8_t>(CellKind::open);
    float through[kTileSide], ground[kTileSide];
    for (int n = 0; n < kTileSide; ++n) {
        const float part = kind[n] != kFluid ? 0.0F : open == nullptr ? 1.0F : open[n];
        through[n] = beside[n] == kFluid ? part : 0.0F;
        ground[n] = beside[n] == kOpen ? static_cast<float>(kOpenWeight) * part : 0.0F;
    }
    for (int n = 0; n < kTileSide; ++n) system.ground[row + n] += ground[n];
    if (!above) {
        std::copy_n(through, kTileSide, system.lower[axis] + row);
        return;
    }
    // Of the faces above only those of the tile's last layer are its own.
    if (axis == Dim - 1)
        system.upper[axis][number_in_layer<Dim>(axis, row)] = through[kTileSide - 1];
    else if (cell_in_tile<Dim>(row)[axis] == kTileSide - 1)
        std::copy_n(through, kTileSide, system.upper[axis] + number_in_layer<Dim>(axis, row));
}

template <int Dim>
void fill_system(TileSystem<Dim>& system, const DomainBoundary<Dim>& boundary, const Domain<Dim>& domain, Slot slot) {
    system.clear();
    if (boundary.plain[static_cast<std::size_t>(slot)] != 0) {
        std::fill_n(&system.lower[0][0], Dim * kTileCells<Dim>, 1.0F);
        std::fill_n(&system.upper[0][0], Dim * TileSystem<Dim>::kSideCells, 1.0F);
        return;
    }
    Kinds<Dim> kind;
    load_cells(kind, boundary, domain, slot);
    const OpenFaces<Dim> open(boundary, slot);
    for (int a = 0; a < Dim; ++a)
        for (const bool above : {false, true})
            for (int row = 0; row < kTileCells<Dim>; row += kTileSide) {
                const Index<Dim> first = cell_in_tile<Dim>(row);
                const Index<Dim> beside = above ? first + unit<Dim>(a) : first - unit<Dim>(a);
                fill_row(
                    system, row, a, above, kind.at(first), kind.at(beside),
                    open.has_solids ? open.block[static_cast<std::size_t>(a)].at(above ? beside : first) : nullptr);
            }
}

// What flows out of each fluid cell, Σ ± open u, times dx.
template <int Dim>
class Outflow {
  public:
    Outflow(const FaceField<Dim>& velocity, const DomainBoundary<Dim>& boundary, const Domain<Dim>& domain, double time)
        : velocity_(velocity), boundary_(boundary), layout_(velocity_layouts(domain, time)) {}

    Field<float, Dim> operator()() const {
        auto out = Field<float, Dim>::unfilled(boundary_.tiles);
        parallel_ranges(boundary_.tiles->count(), kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
            Patch<Dim> u, solid;
            for (std::size_t s = begin; s < end; ++s) {
                const auto slot = static_cast<Slot>(s);
                float* to = out.tile(slot);
                std::fill_n(to, kTileCells<Dim>, 0.0F);
                if (boundary_.plain[s] != 0)
                    of_plain_tile(to, slot);
                else if (boundary_.has_solids())
                    of_tile_with_solids(to, slot, u, solid);
                else
                    of_tile_at_side(to, slot, u);
            }
        });
        return out;
    }

  private:
    // Along an axis on which nothing lies beyond the tile but other tiles, or none.
    void add_inside(float* to, Slot slot, int axis) const {
        const float* own = velocity_[axis].tile(slot);
        const TileValues<Dim> above = values_above(velocity_[axis], slot, axis);
        for (int n = 0; n < kTileCells<Dim>; ++n) to[n] += above[n] - own[n];
    }
    void of_plain_tile(float* to, Slot slot) const {
        for (int a = 0; a < Dim; ++a) add_inside(to, slot, a);
    }

    void of_tile_at_side(float* to, Slot slot, Patch<Dim>& u) const {
        const Index<Dim> origin = boundary_.tiles->origin(slot);
        for (int a = 0; a < Dim; ++a) {
            const FieldLayout<Dim>& layout = layout_[static_cast<std::size_t>(a)];
            if (!layout.is_ghost(a, origin[a]) && !layout.is_ghost(a, origin[a] + kTileSide)) {
                add_inside(to, slot, a);
                continue;
            }
            u.load(velocity_[a], layout, slot, 1);
            const int up = u.stride(a);
            for (int row = 0; row < kTileCells<Dim>; row += kTileSide) {
                const float* v = u.at(cell_in_tile<Dim>(row));
                for (int n = 0; n < kTileSide; ++n) to[row + n] += v[n + up] - v[n];
            }
        }
        keep_fluid(to, slot);
    }

    void of_tile_with_solids(float* to, Slot slot, Patch<Dim>& u, Patch<Dim>& solid) const {
        const OpenFaces<Dim> open(boundary_, slot);
        for (int a = 0; a < Dim; ++a) {
            const FieldLayout<Dim>& layout = layout_[static_cast<std::size_t>(a)];
            u.load(velocity_[a], layout, slot, 1);
            if (boundary_.solids_move()) solid.load(boundary_.solid_velocity[a], layout, slot, 1);
            for (int row = 0; row < kTileCells<Dim>; row += kTileSide) {
                const Index<Dim> here = cell_in_tile<Dim>(row);
                float below[kTileSide], above[kTileSide];
                find_through(below, open, u, solid, a, here);
                find_through(above, open, u, solid, a, here + unit<Dim>(a));
                for (int n = 0; n < kTileSide; ++n) to[row + n] += above[n] - below[n];
            }
        }
        keep_fluid(to, slot);
    }
    // What flows through a row of faces of which solids leave a part.
    void find_through(float* out, const OpenFaces<Dim>& open, const Patch<Dim>& u, const Patch<Dim>& solid, int axis,
                      const Index<Dim>& first) const {
        const float *part = open.block[static_cast<std::size_t>(axis)].at(first), *gas = u.at(first);
        for (int n = 0; n < kTileSide; ++n) out[n] = part[n] * gas[n];
        if (!boundary_.solids_move()) return;
        const float* moved = solid.at(first);
        for (int n = 0; n < kTileSide; ++n) out[n] += (1 - part[n]) * moved[n];
    }

    // Nothing flows out of other cells.
    void keep_fluid(float* to, Slot slot) const {
        const std::uint8_t* kind = boundary_.cells.tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n)
            to[n] = kind[n] == static_cast<std::uint8_t>(CellKind::fluid) ? to[n] : 0.0F;
    }

    const FaceField<Dim>& velocity_;
    const DomainBoundary<Dim>& boundary_;
    VelocityLayouts<Dim> layout_;
};

// b = what should flow out less what does.
template <int Dim>
void subtract_from_goal(Field<float, Dim>& b, const Field<float, Dim>* expansion, float dx,
                        const DomainBoundary<Dim>& boundary) {
    for_each_tile(*boundary.tiles, [&](Slot slot) {
        float* to = b.tile(slot);
        if (expansion == nullptr) {
            for (int n = 0; n < kTileCells<Dim>; ++n) to[n] = -to[n];
            return;
        }
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const bool gas = boundary.cells.tile(slot)[n] == static_cast<std::uint8_t>(CellKind::fluid);
            to[n] = (gas ? expansion->tile(slot)[n] * dx : 0.0F) - to[n];
        }
    });
}

template <int Dim>
IndexBox<Dim> cells_of_tiles(const Domain<Dim>& domain) {
    return {first_cell(domain.tile_box().lo), first_cell(domain.tile_box().hi)};
}

// The fluid cells of a block of tiles without solids, and what its sides mean to the direct solver.
template <int Dim>
std::pair<IndexBox<Dim>, typename FourierSolver<Dim>::Sides> direct_problem(const IndexBox<Dim>& block,
                                                                            const Domain<Dim>& domain) {
    IndexBox<Dim> box = domain.box;
    const IndexBox<Dim> all = cells_of_tiles(domain);
    typename FourierSolver<Dim>::Sides sides{};
    for (int a = 0; a < Dim; ++a)
        for (const bool above : {false, true}) {
            FourierSide& side = sides[static_cast<std::size_t>(a)][above ? 1 : 0];
            const SideKind kind = domain.side(a, above).kind;
            const bool inside = above ? block.hi[a] < all.hi[a] : block.lo[a] > all.lo[a];
            if (inside) {
                // Where tiles end in the midst of the domain their outermost cells are open.
                side = FourierSide::fixed_face;
                (above ? box.hi[a] : box.lo[a]) = above ? block.hi[a] - 1 : block.lo[a] + 1;
            } else {
                side = kind == SideKind::periodic ? FourierSide::periodic
                       : kind == SideKind::open   ? FourierSide::fixed_face
                                                  : FourierSide::closed;
                if (above && kind == SideKind::open) --box.hi[a];
            }
        }
    return {box, sides};
}

// Tiles that end within a period leave a gap that no block shows.
template <int Dim>
bool spans_periods(const DomainBoundary<Dim>& boundary, const Domain<Dim>& domain) {
    const IndexBox<Dim> all = cells_of_tiles(domain);
    for (int a = 0; a < Dim; ++a)
        if (domain.is_periodic(a) && (boundary.block->lo[a] != all.lo[a] || boundary.block->hi[a] != all.hi[a]))
            return false;
    return true;
}

// The largest of what flows out of fluid cells, against what is wanted there.
template <int Dim>
double largest_in_fluid(const Field<float, Dim>& field, const Field<float, Dim>* wanted, float dx,
                        const DomainBoundary<Dim>& boundary) {
    if (wanted == nullptr) return double{max_abs(field)};  // nothing flows out of other cells
    return parallel_max(boundary.tiles->count(), kTilesPerBlock<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        float most = 0;
        for (std::size_t s = begin; s < end; ++s) {
            const auto slot = static_cast<Slot>(s);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                if (boundary.cells.tile(slot)[n] != static_cast<std::uint8_t>(CellKind::fluid)) continue;
                const float off = std::abs(field.tile(slot)[n] - wanted->tile(slot)[n] * dx);
                if (!(off <= most)) most = off;
            }
        }
        return static_cast<double>(most);
    });
}

}  // namespace

template <int Dim>
void subtract_gradient(FaceField<Dim>& velocity, const Field<float, Dim>& q, float part,
                       const DomainBoundary<Dim>& boundary) {
    for_each_tile(*boundary.tiles, [&](Slot slot) {
        const bool plain = boundary.plain[static_cast<std::size_t>(slot)] != 0;
        const float* own = q.tile(slot);
        for (int a = 0; a < Dim; ++a) {
            const TileValues<Dim> below = values_below(q, slot, a);
            float* u = velocity[a].tile(slot);
            if (plain) {
                for (int n = 0; n < kTileCells<Dim>; ++n) u[n] -= part * (own[n] - below[n]);
                continue;
            }
            const std::uint8_t* counts = boundary.gradient[static_cast<std::size_t>(a)].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n)
                u[n] -= part *
                        (static_cast<float>(counts[n] & 15) * own[n] - static_cast<float>(counts[n] >> 4) * below[n]);
        }
    });
}

template <int Dim>
bool DomainProjection<Dim>::has_direct(const DomainBoundary<Dim>& boundary, const Domain<Dim>& domain) {
    return boundary.block && spans_periods(boundary, domain) && !boundary.has_solids() &&
           FourierSolver<Dim>::available();
}

template <int Dim>
DomainProjectionReport DomainProjection<Dim>::project(FaceField<Dim>& velocity, Field<float, Dim>& q,
                                                      const DomainBoundary<Dim>& boundary, const Domain<Dim>& domain,
                                                      const Field<float, Dim>* expansion, double time,
                                                      PressureSolver solver, double tolerance) {
    DomainProjectionReport report;
    const auto dx = static_cast<float>(domain.grid.dx);
    report.direct = solver != PressureSolver::multigrid && has_direct(boundary, domain);
    CHECK(report.direct || solver != PressureSolver::fourier, "gas: a direct pressure solve was asked for on {}",
          boundary.tiles->describe());
    if (report.direct) {
        const auto [box, sides] = direct_problem(*boundary.block, domain);
        if (!fourier_) fourier_.emplace(box, sides);
        report.cells = number_in(box);
    }
    if (!report.direct && !operator_)
        operator_.emplace(boundary.tiles, 0.0F,
                          [&](Slot slot, TileSystem<Dim>& system) { fill_system(system, boundary, domain, slot); });
    if (!report.direct) report.cells = operator_->unknown_count();

    // Takes out what divergence there is; a second time where single precision left too much, as after a sudden start.
    const Outflow<Dim> outflow(velocity, boundary, domain, time);
    Field<float, Dim> left = outflow();
    const auto take_out = [&](Field<float, Dim>& x) {
        subtract_from_goal(left, expansion, dx, boundary);
        const SolveReport solve =
            report.direct ? fourier_->solve(x, left) : solver_.solve(x, left, *operator_, {.tolerance = tolerance});
        subtract_gradient(velocity, x, 1, boundary);
        left = outflow();
        report.divergence = largest_in_fluid(left, expansion, dx, boundary) / domain.grid.dx;
        return solve;
    };
    report.solve = take_out(q);
    double fastest = 0;
    for (int a = 0; a < Dim; ++a) fastest = std::max(fastest, double{max_abs(velocity[a])});
    if (report.solve.converged && report.divergence * domain.grid.dx > kTooMuch * fastest) {
        Field<float, Dim> more(boundary.tiles);
        merge(report.solve, take_out(more));
        for_each_tile(*boundary.tiles, [&](Slot slot) {
            for (int n = 0; n < kTileCells<Dim>; ++n) q.tile(slot)[n] += more.tile(slot)[n];
        });
    }
    return report;
}

template void subtract_gradient(FaceField<2>&, const Field<float, 2>&, float, const DomainBoundary<2>&);
template void subtract_gradient(FaceField<3>&, const Field<float, 3>&, float, const DomainBoundary<3>&);
template class DomainProjection<2>;
template class DomainProjection<3>;

}  // namespace spindrift
