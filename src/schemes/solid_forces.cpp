// SPDX-License-Identifier: Apache-2.0
#include "schemes/solid_forces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "grid/halo.h"
#include "grid/regions.h"
#include "schemes/wall_slope.h"

namespace spindrift {
namespace {

// Twelve sums for each solid: of pressure and friction, force and torque.
constexpr std::size_t kSums = 12, kOfPressure = 0, kOfFriction = 6;

// A piece of a solid's surface in a cell.
template <int Dim>
struct SurfacePiece {
    Index<Dim> cell{};         // in the tile
    Vec<double, Dim> way{};    // from its centre to the surface, in cells
    Vec<double, Dim> place{};  // m
    Vec<double, Dim> area{};   // m² (m), out of the fluid
    double pressure = 0;       // over density
    std::size_t owner = 0;
};

// Velocities around a tile, and how far they are from solids, in cells: less than 0 where they are not the fluid's.
template <int Dim>
struct NearWalls {
    static constexpr int kWidth = WallSlope<Dim>::kReach + 1;
    std::array<HaloBlock<float, Dim, kWidth>, Dim> velocity, distance;
    Index<Dim> origin{};

    // ∂(u − U)/∂n, per second.
    Vec<double, Dim> slope(const SurfacePiece<Dim>& piece, const NamedSolids<Dim>& solids,
                           const GridTransform<Dim>& grid, double time) const {
        Vec<double, Dim> slopes;
        const Vec<double, Dim> normal = piece.area * (-1 / length(piece.area)),
                               foot = grid.cell_from_world(piece.place);
        // A rigid motion is linear.
        const Vec<double, Dim> at_foot = solids.velocity(piece.owner, piece.place, time);
        std::array<Vec<double, Dim>, Dim> per_cell;
        for (int b = 0; b < Dim; ++b) {
            Vec<double, Dim> beside = piece.place;
            beside[b] += grid.dx;
            per_cell[static_cast<std::size_t>(b)] = solids.velocity(piece.owner, beside, time) - at_foot;
        }
        for (int a = 0; a < Dim; ++a) {
            const std::size_t axis = static_cast<std::size_t>(a);
            WallSlope<Dim> fit(foot, normal);
            IndexBox<Dim> around{piece.cell - Index<Dim>(WallSlope<Dim>::kReach),
                                 piece.cell + Index<Dim>(WallSlope<Dim>::kReach + 1)};
            ++around.hi[a];
            const Vec<double, Dim> first = Vec<double, Dim>(origin) + Vec<double, Dim>(face_centre<Dim>(a));
            for_each_index(around, [&](const Index<Dim>& c) {
                const Vec<double, Dim> place = first + Vec<double, Dim>(c);
                if (!(distance[axis](c) > 0) || !fit.counts(place, double{distance[axis](c)})) return;
                double wall = at_foot[a];
                for (int b = 0; b < Dim; ++b) wall += (place[b] - foot[b]) * per_cell[static_cast<std::size_t>(b)][a];
                fit.add(place, double{distance[axis](c)}, velocity[axis](c) - wall);
            });
            slopes[a] = fit.slope() / grid.dx;
        }
        return slopes;
    }
};

// Adds what acts at places to the solids that they belong to.
template <int Dim, class Add>
class Pushes {
  public:
    Pushes(const NamedSolids<Dim>& solids, const FluidForces& fluid, const GridTransform<Dim>& grid, Add& add)
        : solids_(solids), fluid_(fluid), grid_(grid), add_(add) {}

    void press(SurfacePiece<Dim>& piece) {
        piece.owner = solids_.names.size() == 1 ? 0 : solids_.owner(piece.place, fluid_.time);
        push(piece, kOfPressure, piece.area * piece.pressure);
    }
    void rub(const SurfacePiece<Dim>& piece, const NearWalls<Dim>& near) {
        const Vec<double, Dim> slope = near.slope(piece, solids_, grid_, fluid_.time);
        push(piece, kOfFriction, slope * (fluid_.viscosity * length(piece.area)));
    }

  private:
    void push(const SurfacePiece<Dim>& piece, std::size_t kind, const Vec<double, Dim>& force) {
        const Vec<double, 3> f = in_space(force);
        const Vec<double, 3> torque = cross(in_space(piece.place - solids_.pivot(piece.owner, fluid_.time)), f);
        for (int a = 0; a < 3; ++a) {
            const std::size_t label = piece.owner * kSums + kind + static_cast<std::size_t>(a);
            if (f[a] != 0) add_(label, f[a]);
            if (torque[a] != 0) add_(label + 3, torque[a]);
        }
    }

    const NamedSolids<Dim>& solids_;
    const FluidForces& fluid_;
    const GridTransform<Dim>& grid_;
    Add& add_;
};

// collect(slot, pushes) adds what acts in a tile, over density.
template <int Dim, class Collect>
std::vector<SolidForce> collected(const NamedSolids<Dim>& solids, const Tiles<Dim>& tiles,
                                  const GridTransform<Dim>& grid, const FluidForces& fluid, Collect&& collect) {
    const std::size_t count = solids.names.size();
    const std::vector<double> sums = sums_by_label(tiles, count * kSums, [&](Slot slot, auto&& add) {
        Pushes<Dim, std::remove_reference_t<decltype(add)>> pushes(solids, fluid, grid, add);
        collect(slot, pushes);
    });
    std::vector<SolidForce> forces(count);
    for (std::size_t n = 0; n < count; ++n) {
        forces[n].name = solids.names[n];
        const auto vector = [&](std::size_t first) {
            const double* s = sums.data() + n * kSums + first;
            return Vec<double, 3>(s[0], s[1], s[2]) * fluid.density;
        };
        forces[n].pressure = vector(kOfPressure);
        forces[n].pressure_torque = vector(kOfPressure + 3);
        forces[n].viscous = vector(kOfFriction);
        forces[n].viscous_torque = vector(kOfFriction + 3);
    }
    return forces;
}

// From the centre of a cell to the surface in it, in cells: the centre is `distance` away.
template <int Dim>
Vec<double, Dim> way_to_surface(const Vec<double, Dim>& area, double distance) {
    return area * (std::clamp(distance, -1.0, 1.0) / length(area));
}

// Where no solid is near the fluid.
template <int Dim>
std::vector<SolidForce> unpushed(const NamedSolids<Dim>& solids) {
    std::vector<SolidForce> forces;
    for (const std::string& name : solids.names) forces.push_back({.name = name});
    return forces;
}

// The surface in a cell, and the pressure on it: from that of the cell's centre along its slope, which the neighbours
// tell that fluid can come from.
template <int Dim>
struct CutCell {
    Vec<double, Dim> slope{};  // of the pressure, per cell
    double pressure = 0;       // at the centre

    // is_joined(axis, above): whether the fluid of the next cell is that of this one.
    template <class Joined>
    CutCell(const HaloBlock<float, Dim, 1>& p, const Index<Dim>& c, Joined&& is_joined) : pressure(p(c)) {
        for (int a = 0; a < Dim; ++a) {
            double sum = 0;
            int count = 0;
            if (is_joined(a, false)) sum += pressure - p(c - unit<Dim>(a)), ++count;
            if (is_joined(a, true)) sum += p(c + unit<Dim>(a)) - pressure, ++count;
            if (count > 0) slope[a] = sum / count;
        }
    }
    double pressure_at(const Vec<double, Dim>& way) const { return pressure + dot(slope, way); }
};

// The open parts of a tile's faces and of those around it.
template <int Dim>
using OpenFaces = std::array<HaloBlock<float, Dim, 1>, Dim>;
template <int Dim>
OpenFaces<Dim> open_faces(const FaceField<Dim>& open, Slot slot) {
    OpenFaces<Dim> faces;
    for (int a = 0; a < Dim; ++a) faces[static_cast<std::size_t>(a)].load(open[a], slot);
    return faces;
}

// Faces with fluid on one of their sides.  Where their own distance from solids is not known, it is the mean of both.
template <int Dim>
void load_near_walls(NearWalls<Dim>& near, const FaceField<Dim>& velocity, const Field<float, Dim>& levels,
                     const Boundary<Dim>& boundary, Slot slot) {
    constexpr int kWidth = NearWalls<Dim>::kWidth;
    const HaloBlock<float, Dim, kWidth> level(levels, slot), centre(boundary.centre_distance, slot);
    near.origin = levels.tiles().origin(slot);
    for (int a = 0; a < Dim; ++a) {
        const std::size_t axis = static_cast<std::size_t>(a);
        near.velocity[axis].load(velocity[a], slot);
        const bool is_known = !boundary.distance[a].empty();
        if (is_known) near.distance[axis].load(boundary.distance[a], slot);
        for_each_index(IndexBox<Dim>{Index<Dim>(-kWidth), Index<Dim>(kTileSide + kWidth)}, [&](const Index<Dim>& c) {
            const Index<Dim> below = c - unit<Dim>(a);
            float& distance = near.distance[axis](c);
            if (below[a] < -kWidth || !(level(c) < 0 || level(below) < 0))
                distance = -1;
            else if (!is_known)
                distance = 0.5F * (centre(c) + centre(below));
        });
    }
}

// Calls f(piece, open) for the surface in each cell of a tile that solids cut; without pressure and owner.
template <int Dim, class F>
void for_each_piece(const Boundary<Dim>& boundary, Slot slot, F&& f) {
    const float* distance = boundary.centre_distance.tile(slot);
    if (std::none_of(distance, distance + kTileCells<Dim>, [](float d) { return std::abs(d) < 1; })) return;
    const GridTransform<Dim>& grid = boundary.domain.grid;
    const double side = std::pow(grid.dx, Dim - 1);
    const OpenFaces<Dim> open = open_faces(boundary.open, slot);
    const Index<Dim> origin = boundary.tiles->origin(slot);
    for (int n = 0; n < kTileCells<Dim>; ++n) {
        const Index<Dim> c = cell_in_tile<Dim>(n), cell = origin + c;
        if (!(std::abs(distance[n]) < 1) || !boundary.domain.contains(cell)) continue;
        Vec<double, Dim> area;
        for (int a = 0; a < Dim; ++a)
            area[a] = open_past_solids(boundary, a, cell) - open_past_solids(boundary, a, cell + unit<Dim>(a));
        if (area == Vec<double, Dim>{}) continue;
        const Vec<double, Dim> way = way_to_surface(area, double{distance[n]});
        f(
            SurfacePiece<Dim>{
                .cell = c, .way = way, .place = grid.world_of_centre(cell) + way * grid.dx, .area = area * side},
            open);
    }
}

}  // namespace

template <int Dim>
std::vector<SolidForce> solid_forces(const NamedSolids<Dim>& solids, const FaceField<Dim>& velocity,
                                     const Field<float, Dim>& pressure, const Field<float, Dim>& levels,
                                     const Boundary<Dim>& boundary, const FluidForces& fluid) {
    if (solids.names.empty() || !boundary.has_solids()) return unpushed(solids);
    const bool rubs = fluid.viscosity > 0 && !boundary.solid_slip;
    return collected(solids, *boundary.tiles, boundary.domain.grid, fluid, [&](Slot slot, auto& pushes) {
        std::optional<HaloBlock<float, Dim, 1>> p, level;
        std::optional<NearWalls<Dim>> near;
        for_each_piece(boundary, slot, [&](SurfacePiece<Dim> piece, const OpenFaces<Dim>& open) {
            if (!p) {
                p.emplace(pressure, slot);
                level.emplace(levels, slot);
            }
            const Index<Dim> c = piece.cell;
            const CutCell<Dim> cut(*p, c, [&](int a, bool above) {
                const Index<Dim> next = above ? c + unit<Dim>(a) : c - unit<Dim>(a);
                return (*level)(c) < 0 && (*level)(next) < 0 && open[static_cast<std::size_t>(a)](above ? next : c) > 0;
            });
            piece.pressure = cut.pressure_at(piece.way);
            pushes.press(piece);
            const bool slips = boundary.solid_slips_at && boundary.solid_slips_at(piece.place);
            if (!rubs || slips || !((*level)(c) < 0)) return;
            if (!near) load_near_walls(near.emplace(), velocity, levels, boundary, slot);
            pushes.rub(piece, *near);
        });
    });
}

template <int Dim>
std::vector<double> solid_fluxes(const NamedSolids<Dim>& solids, const Field<float, Dim>& substance,
                                 const Field<float, Dim>& levels, const Boundary<Dim>& boundary,
                                 const DiffusionWalls<Dim>& walls, double kappa) {
    const GridTransform<Dim>& grid = boundary.domain.grid;
    return sums_by_label(*boundary.tiles, solids.names.size(), [&](Slot slot, auto&& add) {
        if (!boundary.has_solids()) return;
        constexpr int kWidth = WallSlope<Dim>::kReach;
        const Index<Dim> origin = boundary.tiles->origin(slot);
        std::optional<HaloBlock<float, Dim, kWidth>> values, away, level;
        for_each_piece(boundary, slot, [&](const SurfacePiece<Dim>& piece, const auto&) {
            const std::size_t owner = solids.owner(piece.place, walls.time), number = solids.numbers[owner];
            if (number >= walls.solids.size()) return;
            const WallValue<Dim>& wall = walls.solids[number];
            const double size = length(piece.area);
            if (wall.kind == WallValueKind::flux) add(owner, wall.at(piece.place, walls.time) * size);
            if (wall.kind != WallValueKind::fixed) return;
            if (!values) {
                values.emplace(substance, slot);
                away.emplace(boundary.centre_distance, slot);
                level.emplace(levels, slot);
            }
            const Vec<double, Dim> normal = piece.area * (-1 / size);
            WallSlope<Dim> fit(grid.cell_from_world(piece.place), normal);
            for_each_index(IndexBox<Dim>{piece.cell - Index<Dim>(kWidth), piece.cell + Index<Dim>(kWidth + 1)},
                           [&](const Index<Dim>& c) {
                               const float d = (*away)(c);
                               if (!((*level)(c) < 0 && d > 0)) return;
                               const Vec<double, Dim> x = grid.world_of_centre(origin + c);
                               const Vec<double, Dim> foot = x - normal * (d * grid.dx);
                               fit.add(grid.cell_from_world(x), double{d}, (*values)(c)-wall.at(foot, walls.time));
                           });
            add(owner, -kappa * fit.slope() / grid.dx * size);
        });
    });
}

#define INSTANTIATE(Dim)                                                                              \
    template std::vector<SolidForce> solid_forces(const NamedSolids<Dim>&, const FaceField<Dim>&,     \
                                                  const Field<float, Dim>&, const Field<float, Dim>&, \
                                                  const Boundary<Dim>&, const FluidForces&);          \
    template std::vector<double> solid_fluxes(const NamedSolids<Dim>&, const Field<float, Dim>&,      \
                                              const Field<float, Dim>&, const Boundary<Dim>&,         \
                                              const DiffusionWalls<Dim>&, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
