// SPDX-License-Identifier: Apache-2.0
#include "schemes/solid_forces.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/face_fractions.h"
#include "grid/halo.h"
#include "grid/regions.h"
#include "schemes/wall_slope.h"

namespace spindrift {
namespace {

template <int Dim>
Vec<double, 3> in_space(const Vec<double, Dim>& v) {
    Vec<double, 3> out;
    for (int a = 0; a < Dim; ++a) out[a] = v[a];
    return out;
}

Vec<double, 3> cross(const Vec<double, 3>& a, const Vec<double, 3>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

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
        const Vec<double, Dim> normal = piece.area * (-1 / length(piece.area));
        for (int a = 0; a < Dim; ++a) {
            const std::size_t axis = static_cast<std::size_t>(a);
            WallSlope<Dim> fit(grid.cell_from_world(piece.place), normal);
            IndexBox<Dim> around{piece.cell - Index<Dim>(WallSlope<Dim>::kReach),
                                 piece.cell + Index<Dim>(WallSlope<Dim>::kReach + 1)};
            ++around.hi[a];
            for_each_index(around, [&](const Index<Dim>& c) {
                if (!(distance[axis](c) > 0)) return;
                const Vec<double, Dim> x = grid.world_of_face(a, origin + c);
                fit.add(grid.cell_from_world(x), double{distance[axis](c)},
                        velocity[axis](c) - solids.velocity(piece.owner, x, time)[a]);
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

template <int Dim>
void load_near_walls(NearWalls<Dim>& near, const FaceField<Dim>& velocity, const DomainBoundary<Dim>& boundary,
                     const Domain<Dim>& domain, Slot slot) {
    near.origin = boundary.tiles->origin(slot);
    for (int a = 0; a < Dim; ++a) {
        const std::size_t axis = static_cast<std::size_t>(a);
        near.velocity[axis].load(velocity[a], slot);
        near.distance[axis].load(boundary.distance[a], slot);
    }
    constexpr int kWidth = NearWalls<Dim>::kWidth;
    for_each_index(IndexBox<Dim>{Index<Dim>(-kWidth), Index<Dim>(kTileSide + kWidth)}, [&](const Index<Dim>& c) {
        for (int a = 0; a < Dim; ++a)
            for (int b = 0; b < Dim; ++b) {
                const int at = near.origin[b] + c[b], last = domain.box.hi[b] - (a == b ? 0 : 1);
                if (!domain.is_periodic(b) && (at < domain.box.lo[b] || at > last))
                    near.distance[static_cast<std::size_t>(a)](c) = -1;
            }
    });
}

// Faces with liquid on one of their sides; solids are as far as from the middle between the two.
template <int Dim>
void load_near_walls(NearWalls<Dim>& near, const FaceField<Dim>& velocity, const Field<float, Dim>& phi,
                     const Boundaries<Dim>& b, Slot slot) {
    constexpr int kWidth = NearWalls<Dim>::kWidth;
    const HaloBlock<float, Dim, kWidth> level(phi, slot), solid(b.solid, slot);
    near.origin = phi.tiles().origin(slot);
    const auto dx = static_cast<float>(b.grid.dx);
    for (int a = 0; a < Dim; ++a) {
        const std::size_t axis = static_cast<std::size_t>(a);
        near.velocity[axis].load(velocity[a], slot);
        IndexBox<Dim> faces{Index<Dim>(-kWidth), Index<Dim>(kTileSide + kWidth)};
        for_each_index(faces, [&](const Index<Dim>& c) { near.distance[axis](c) = -1; });
        ++faces.lo[a];
        for_each_index(faces, [&](const Index<Dim>& c) {
            const Index<Dim> below = c - unit<Dim>(a);
            if (level(c) < 0 || level(below) < 0) near.distance[axis](c) = (solid(c) + solid(below)) / (2 * dx);
        });
    }
}

// Calls f(piece, cells, open) for the surface in each cell of a tile that solids cut; without pressure and owner.
template <int Dim, class F>
void for_each_piece(const DomainBoundary<Dim>& boundary, const Domain<Dim>& domain,
                    const std::function<double(const Vec<double, Dim>&)>& distance, Slot slot, F&& f) {
    const double dx = domain.grid.dx, side = std::pow(dx, Dim - 1);
    const OpenFaces<Dim> open = open_faces(boundary.open, slot);
    HaloBlock<std::uint8_t, Dim, 1> kind;
    load_cells(kind, boundary, domain, slot);
    const Index<Dim> origin = boundary.tiles->origin(slot);
    for (int n = 0; n < kTileCells<Dim>; ++n) {
        const Index<Dim> c = cell_in_tile<Dim>(n);
        if (!is(kind, c, CellKind::fluid) || !domain.box.contains(origin + c)) continue;
        Vec<double, Dim> area;
        for (int a = 0; a < Dim; ++a) {
            const auto& faces = open[static_cast<std::size_t>(a)];
            area[a] = faces(c) - faces(c + unit<Dim>(a));
        }
        if (area == Vec<double, Dim>{}) continue;
        const Vec<double, Dim> centre = domain.grid.world_of_centre(origin + c);
        const Vec<double, Dim> way = way_to_surface(area, distance(centre) / dx);
        f(SurfacePiece<Dim>{.cell = c, .way = way, .place = centre + way * dx, .area = area * side}, kind, open);
    }
}

}  // namespace

template <int Dim>
std::vector<SolidForce> solid_forces(const NamedSolids<Dim>& solids, const FaceField<Dim>& velocity,
                                     const Field<float, Dim>& pressure, const DomainBoundary<Dim>& boundary,
                                     const Domain<Dim>& domain,
                                     const std::function<double(const Vec<double, Dim>&)>& distance,
                                     const FluidForces& fluid) {
    if (solids.names.empty() || !boundary.has_solids()) return unpushed(solids);
    const bool rubs = fluid.viscosity > 0 && boundary.has_no_slip_solids();
    return collected(solids, *boundary.tiles, domain.grid, fluid, [&](Slot slot, auto& pushes) {
        if (boundary.plain[static_cast<std::size_t>(slot)] != 0) return;
        const HaloBlock<float, Dim, 1> p(pressure, slot);
        NearWalls<Dim> near;
        if (rubs) load_near_walls(near, velocity, boundary, domain, slot);
        for_each_piece(boundary, domain, distance, slot,
                       [&](SurfacePiece<Dim> piece, const auto& kind, const OpenFaces<Dim>& open) {
                           const Index<Dim> c = piece.cell;
                           const CutCell<Dim> cut(p, c, [&](int a, bool above) {
                               const Index<Dim> next = above ? c + unit<Dim>(a) : c - unit<Dim>(a);
                               return is(kind, next, CellKind::fluid) &&
                                      open[static_cast<std::size_t>(a)](above ? next : c) > 0;
                           });
                           piece.pressure = cut.pressure_at(piece.way);
                           pushes.press(piece);
                           if (rubs) pushes.rub(piece, near);
                       });
    });
}

template <int Dim>
std::vector<double> solid_fluxes(const NamedSolids<Dim>& solids, const Field<float, Dim>& substance,
                                 const DomainBoundary<Dim>& boundary, const Domain<Dim>& domain,
                                 const std::function<double(const Vec<double, Dim>&)>& distance,
                                 const DiffusionWalls<Dim>& walls, double kappa) {
    const GridTransform<Dim>& grid = domain.grid;
    return sums_by_label(*boundary.tiles, solids.names.size(), [&](Slot slot, auto&& add) {
        if (!boundary.has_solids() || boundary.plain[static_cast<std::size_t>(slot)] != 0) return;
        constexpr int kWidth = WallSlope<Dim>::kReach;
        const HaloBlock<float, Dim, kWidth> values(substance, slot), away(boundary.centre_distance, slot);
        HaloBlock<std::uint8_t, Dim, kWidth> kinds;
        load_cells(kinds, boundary, domain, slot);
        const Index<Dim> origin = boundary.tiles->origin(slot);
        for_each_piece(boundary, domain, distance, slot, [&](const SurfacePiece<Dim>& piece, const auto&, const auto&) {
            const std::size_t owner = solids.owner(piece.place, walls.time), number = solids.numbers[owner];
            if (number >= walls.solids.size()) return;
            const WallValue<Dim>& wall = walls.solids[number];
            const double size = length(piece.area);
            if (wall.kind == WallValueKind::flux) add(owner, wall.at(piece.place, walls.time) * size);
            if (wall.kind != WallValueKind::fixed) return;
            const Vec<double, Dim> normal = piece.area * (-1 / size);
            WallSlope<Dim> fit(grid.cell_from_world(piece.place), normal);
            for_each_index(IndexBox<Dim>{piece.cell - Index<Dim>(kWidth), piece.cell + Index<Dim>(kWidth + 1)},
                           [&](const Index<Dim>& c) {
                               if (!is(kinds, c, CellKind::fluid) || !(away(c) > 0)) return;
                               const Vec<double, Dim> x = grid.world_of_centre(origin + c);
                               const Vec<double, Dim> foot = x - normal * (away(c) * grid.dx);
                               fit.add(grid.cell_from_world(x), double{away(c)}, values(c) - wall.at(foot, walls.time));
                           });
            add(owner, -kappa * fit.slope() / grid.dx * size);
        });
    });
}

template <int Dim>
std::vector<SolidForce> solid_forces(const NamedSolids<Dim>& solids, const FaceField<Dim>& velocity,
                                     const Field<float, Dim>& pressure, const Field<float, Dim>& phi,
                                     const Boundaries<Dim>& b,
                                     const std::function<double(const Vec<double, Dim>&)>& distance,
                                     const FluidForces& fluid) {
    if (solids.names.empty() || !b.has_solids()) return unpushed(solids);
    const double dx = b.grid.dx, side = std::pow(dx, Dim - 1);
    const bool rubs = fluid.viscosity > 0 && !b.solid_slip;
    // Walls of the container close faces as solids do; what solids close of these their corners tell.
    const auto open_at_wall = [&](int axis, const Index<Dim>& cell) {
        const auto at = [&](const Index<Dim>& corner) {
            return distance(b.grid.world_from_cell(Vec<double, Dim>(corner)));
        };
        const Index<Dim> u = unit<Dim>((axis + 1) % Dim);
        if constexpr (Dim == 2) {
            return open_fraction(std::array{at(cell), at(cell + u)});
        } else {
            const Index<Dim> v = unit<Dim>((axis + 2) % Dim);
            return open_fraction(std::array{at(cell), at(cell + u), at(cell + u + v), at(cell + v)});
        }
    };
    return collected(solids, phi.tiles(), b.grid, fluid, [&](Slot slot, auto& pushes) {
        const float* solid = b.solid.tile(slot);
        if (std::none_of(solid, solid + kTileCells<Dim>, [&](float d) { return std::abs(d) < 2 * dx; })) return;
        const OpenFaces<Dim> open = open_faces(b.open, slot);
        const HaloBlock<float, Dim, 1> p(pressure, slot), level(phi, slot);
        NearWalls<Dim> near;
        if (rubs) load_near_walls(near, velocity, phi, b, slot);
        const Index<Dim> origin = phi.tiles().origin(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> c = cell_in_tile<Dim>(n), cell = origin + c;
            if (std::abs(solid[n]) > dx || !b.box.contains(cell)) continue;
            Vec<double, Dim> area;
            for (int a = 0; a < Dim; ++a) {
                const auto& f = open[static_cast<std::size_t>(a)];
                const double below = cell[a] == b.box.lo[a] ? open_at_wall(a, cell) : f(c);
                const double above =
                    cell[a] + 1 == b.box.hi[a] ? open_at_wall(a, cell + unit<Dim>(a)) : f(c + unit<Dim>(a));
                area[a] = below - above;
            }
            if (area == Vec<double, Dim>{}) continue;
            const CutCell<Dim> cut(p, c, [&](int a, bool above) {
                const Index<Dim> next = above ? c + unit<Dim>(a) : c - unit<Dim>(a);
                return level(c) < 0 && level(next) < 0 && open[static_cast<std::size_t>(a)](above ? next : c) > 0;
            });
            const Vec<double, Dim> way = way_to_surface(area, solid[n] / dx);
            SurfacePiece<Dim> piece{.cell = c,
                                    .way = way,
                                    .place = b.grid.world_of_centre(cell) + way * dx,
                                    .area = area * side,
                                    .pressure = cut.pressure_at(way)};
            pushes.press(piece);
            const bool slips = b.solid_slips_at && b.solid_slips_at(piece.place);
            if (rubs && !slips && level(c) < 0) pushes.rub(piece, near);
        }
    });
}

#define INSTANTIATE(Dim)                                                                                      \
    template std::vector<SolidForce> solid_forces(                                                            \
        const NamedSolids<Dim>&, const FaceField<Dim>&, const Field<float, Dim>&, const DomainBoundary<Dim>&, \
        const Domain<Dim>&, const std::function<double(const Vec<double, Dim>&)>&, const FluidForces&);       \
    template std::vector<SolidForce> solid_forces(                                                            \
        const NamedSolids<Dim>&, const FaceField<Dim>&, const Field<float, Dim>&, const Field<float, Dim>&,   \
        const Boundaries<Dim>&, const std::function<double(const Vec<double, Dim>&)>&, const FluidForces&);   \
    template std::vector<double> solid_fluxes(                                                                \
        const NamedSolids<Dim>&, const Field<float, Dim>&, const DomainBoundary<Dim>&, const Domain<Dim>&,    \
        const std::function<double(const Vec<double, Dim>&)>&, const DiffusionWalls<Dim>&, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
