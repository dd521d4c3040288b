// SPDX-License-Identifier: Apache-2.0
#include "liquid/bodies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "grid/beside.h"
#include "grid/regions.h"

namespace spindrift {
namespace {

// Cells whose centres are less than this many cells outside the surface hold liquid, if the surface is flat.
constexpr float kWet = 0.5F;
// Layers of cells around a body that count as beside it: as far as volume control moves φ, and one more.
constexpr int kHalo = 4;
// Beyond these layers they continue into solids by as many as a stencil of φ sees.
constexpr int kHaloInSolids = 2;
// A film that is this part short of what it should hold, and by more than a cell, has lost the rest: if it thins out as
// a whole it does not become a drop of its volume.  A step of a flow that is resolved loses far less.
constexpr double kMostMissing = 0.2;
// Cells: a body that is nowhere deeper is a film.
constexpr double kFilmDepth = 1;

// The faces through which liquid is joined: those that are open, and those of the mouths of sources, where its velocity
// is given.
template <int Dim>
FaceField<Dim> joining_faces(const Boundary<Dim>& b) {
    FaceField<Dim> faces = b.open;
    for (const GivenFace<Dim>& face : b.given) faces[face.axis].tile(face.slot)[face.cell] = 1;
    return faces;
}

// Which cells of a tile have no open face: what little room a solid leaves in them belongs to their neighbours.
template <int Dim>
std::array<bool, kTileCells<Dim>> shut_cells(const FaceField<Dim>& faces, Slot slot) {
    std::array<bool, kTileCells<Dim>> is_shut;
    is_shut.fill(true);
    for (int axis = 0; axis < Dim; ++axis) {
        const float* open = faces[axis].tile(slot);
        const TileValues<Dim> above = values_above(faces[axis], slot, axis);
        for (int n = 0; n < kTileCells<Dim>; ++n)
            is_shut[static_cast<std::size_t>(n)] &= !(open[n] > 0) && !(above[n] > 0);
    }
    return is_shut;
}

// Marks the wet cells of a tile.
template <int Dim>
void mark_wet(std::uint16_t* label, const Field<float, Dim>& phi, const Boundary<Dim>& b, const FaceField<Dim>& faces,
              float limit, Slot slot) {
    const float* level = phi.tile(slot);
    const Index<Dim> origin = phi.tiles().origin(slot);
    const IndexBox<Dim> tile{origin, origin + Index<Dim>(kTileSide)};
    const bool is_inside = intersection(b.domain.box, tile) == tile;
    int count = 0;
    for (int n = 0; n < kTileCells<Dim>; ++n) {
        const bool is_wet = level[n] < limit && (is_inside || b.domain.box.contains(origin + cell_in_tile<Dim>(n)));
        label[n] = is_wet ? 0 : Regions<Dim>::kUnmarked;
        count += is_wet ? 1 : 0;
    }
    if (count == 0 || !b.has_solids()) return;
    const auto is_shut = shut_cells(faces, slot);
    for (int n = 0; n < kTileCells<Dim>; ++n)
        if (is_shut[static_cast<std::size_t>(n)] || !(b.volume.tile(slot)[n] > 0)) label[n] = Regions<Dim>::kUnmarked;
}

// Gives cells without a label that of a neighbour, as a negative number, the smallest if there are several: through
// open faces, or through all of them into solids and what they have shut off.
template <int Dim>
void add_layer(Field<float, Dim>& label, const Field<float, Dim>& phi, const FaceField<Dim>& faces, float reach,
               bool into_solids) {
    Field<float, Dim> next = label;
    for_each_tile(label.tiles(), [&](Slot slot) {
        const float *own = label.tile(slot), *level = phi.tile(slot);
        if (std::none_of(own, own + kTileCells<Dim>, [](float v) { return v == 0; })) return;
        if (std::none_of(level, level + kTileCells<Dim>, [reach](float v) { return v < reach; })) return;
        std::array<bool, kTileCells<Dim>> is_shut{};
        if (into_solids) is_shut = shut_cells(faces, slot);
        float* to = next.tile(slot);
        for (int axis = 0; axis < Dim; ++axis) {
            const float* open = faces[axis].tile(slot);
            const TileValues<Dim> below = values_below(label, slot, axis), above = values_above(label, slot, axis),
                                  open_above = values_above(faces[axis], slot, axis);
            const auto take = [&](int n, float there) {
                if (there != 0 && (to[n] == 0 || -std::abs(there) > to[n])) to[n] = -std::abs(there);
            };
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                if (own[n] != 0 || (into_solids && !is_shut[static_cast<std::size_t>(n)])) continue;
                if (into_solids || open[n] > 0) take(n, below[n]);
                if (into_solids || open_above[n] > 0) take(n, above[n]);
            }
        }
    });
    label = std::move(next);
}

template <int Dim>
Index<Dim> cell_at(const Vec<double, Dim>& place) {
    return map([](double x) { return static_cast<int>(std::floor(x)); }, place);
}

// Cells that hold liquid now, by the body they are in and the body they were in.
struct Overlap {
    double cells = 0;  // those that were wet then
    double beside = 0;
};
using Overlaps = std::map<std::pair<std::size_t, std::size_t>, Overlap>;  // by old and new number

template <int Dim>
Overlaps overlaps(const BodyLabels<Dim>& found, const BodyMove<Dim>& move, const Field<float, Dim>& phi,
                  const Boundary<Dim>& b) {
    std::vector<Overlaps> parts(phi.tiles().count());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float *level = phi.tile(slot), *from = move.came_from.tile(slot);
        const float* volume = b.has_solids() ? b.volume.tile(slot) : nullptr;
        Overlaps& here = parts[static_cast<std::size_t>(slot)];
        std::pair<std::size_t, std::size_t> last{0, 0};
        Overlap* overlap = nullptr;
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            if (from[n] == 0 || !(level[n] < kWet * b.domain.grid.dx)) continue;
            if (!found.field.empty() && !(found.field.tile(slot)[n] > 0)) continue;
            const std::pair key{static_cast<std::size_t>(std::abs(from[n])), found.at(slot, n)};
            if (overlap == nullptr || key != last) overlap = &here[last = key];
            const double part =
                std::clamp(0.5 - level[n] / b.domain.grid.dx, 0.0, 1.0) * (volume != nullptr ? volume[n] : 1);
            (from[n] > 0 ? overlap->cells : overlap->beside) += part;
        }
    });
    Overlaps all;
    for (const Overlaps& here : parts)
        for (const auto& [key, overlap] : here) {
            all[key].cells += overlap.cells;
            all[key].beside += overlap.beside;
        }
    return all;
}

// The volume of each new body that comes from each old one.  Bodies that come from no wet cell come from the body they
// are beside.
template <int Dim>
std::map<std::pair<std::size_t, std::size_t>, double> origins(const BodyLabels<Dim>& found,
                                                              const std::vector<double>& volumes,
                                                              const BodyMove<Dim>& move, const Field<float, Dim>& phi,
                                                              const Boundary<Dim>& b) {
    std::map<std::pair<std::size_t, std::size_t>, double> volume;
    if (move.came_from.empty()) {
        for (std::size_t j = 1; j <= found.count; ++j) volume[{1, j}] = volumes[j];
        return volume;
    }
    const Overlaps all = overlaps(found, move, phi, b);
    std::vector<Overlap> sums(found.count + 1);
    for (const auto& [key, overlap] : all) {
        sums[key.second].cells += overlap.cells;
        sums[key.second].beside += overlap.beside;
    }
    for (const auto& [key, overlap] : all) {
        const Overlap& sum = sums[key.second];
        const double part = sum.cells > 0    ? overlap.cells / sum.cells
                            : sum.beside > 0 ? overlap.beside / sum.beside
                                             : 0;
        if (part > 0) volume[key] = part * volumes[key.second];
    }
    return volume;
}

// For the bodies of `wanted` the new body in which one of their cells has ended, if any.
template <int Dim>
void find_heirs(std::vector<std::size_t>& heir, const std::vector<bool>& wanted, const BodyLabels<Dim>& before,
                const BodyLabels<Dim>& found, const BodyMove<Dim>& move, const Field<float, Dim>& phi, double dx) {
    const FaceField<Dim>& velocity = *move.velocity;
    for (std::size_t tile = 0; tile < phi.tiles().count(); ++tile) {
        const auto slot = static_cast<Slot>(tile);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const float label = before.field.tile(slot)[n];
            if (!(label > 0)) continue;
            const auto i = static_cast<std::size_t>(label);
            if (!wanted[i] || heir[i] != 0) continue;
            const Index<Dim> cell = phi.tiles().origin(slot) + cell_in_tile<Dim>(n);
            Vec<double, Dim> end = Vec<double, Dim>(cell) + Vec<double, Dim>(0.5);
            for (int axis = 0; axis < Dim; ++axis)
                end[axis] += 0.5 * move.dt / dx * (velocity[axis].at(cell) + velocity[axis].at(cell + unit<Dim>(axis)));
            const Index<Dim> there = cell_at(end);
            if (phi.at(there) < kWet * dx) heir[i] = found.at(there);
        }
    }
}

template <int Dim>
bool is_film(const Field<float, Dim>& phi, const BodyLabels<Dim>& labels, std::size_t body, double dx) {
    for (std::size_t tile = 0; tile < phi.tiles().count(); ++tile)
        for (int n = 0; n < kTileCells<Dim>; ++n)
            if (phi.tile(static_cast<Slot>(tile))[n] < -kFilmDepth * dx &&
                labels.at(static_cast<Slot>(tile), n) == body)
                return false;
    return true;
}

}  // namespace

template <int Dim>
BodyLabels<Dim> found_bodies(const Field<float, Dim>& phi, const Boundary<Dim>& b, const LevelSetGrid<Dim>& grid) {
    const auto dx = static_cast<float>(grid.dx);
    FaceField<Dim> joining;
    if (!b.given.empty()) joining = joining_faces(b);
    const FaceField<Dim>& faces = b.given.empty() ? b.open : joining;
    const Regions<Dim> regions = connected_regions<Dim>(
        faces, [&](Slot slot, std::uint16_t* label) { mark_wet(label, phi, b, faces, kWet * dx, slot); });
    BodyLabels<Dim> found{.count = regions.count, .field = {}};
    if (found.count <= 1) return found;
    found.field = Field<float, Dim>::unfilled(phi.tiles_ptr());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        for (int n = 0; n < kTileCells<Dim>; ++n)
            found.field.tile(slot)[n] = regions.is_marked(slot, n) ? static_cast<float>(regions.at(slot, n) + 1) : 0.0F;
    });
    const float reach = (kHalo + 2) * dx;
    for (int layer = 0; layer < kHalo; ++layer) add_layer(found.field, phi, faces, reach, false);
    for (int layer = 0; b.has_solids() && layer < kHaloInSolids; ++layer)
        add_layer(found.field, phi, faces, reach, true);
    return found;
}

template <int Dim>
void label_every_body(BodyLabels<Dim>& labels, const Field<float, Dim>& phi) {
    if (labels.count == 0 || !labels.field.empty()) return;
    labels.field = Field<float, Dim>(phi.tiles_ptr());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        for (int n = 0; n < kTileCells<Dim>; ++n) labels.field.tile(slot)[n] = phi.tile(slot)[n] < 0 ? 1.0F : 0.0F;
    });
}

template <int Dim>
std::vector<double> body_cells(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                               const Field<float, Dim>* volume, const BodyLabels<Dim>& labels) {
    if (!labels.field.empty()) return liquid_cells_by_label(phi, grid, volume, labels.field, labels.count);
    std::vector<double> cells(labels.count + 1, 0.0);
    cells.back() = liquid_cells(phi, grid, volume);
    return cells;
}

template <int Dim>
BodyMove<Dim> traced_move(const BodyLabels<Dim>& before, const Field<float, Dim>& phi, const FaceField<Dim>& velocity,
                          double dt, const LevelSetGrid<Dim>& grid) {
    BodyMove<Dim> move{&velocity, dt, {}};
    if (before.field.empty()) return move;
    const auto dx = static_cast<float>(grid.dx), cells_per_speed = static_cast<float>(dt / grid.dx);
    // Where the liquid is as deep as φ tells, all that a step can reach is of the same body.
    const float deep = -(static_cast<float>(grid.band) - 1) * dx;
    move.came_from = Field<float, Dim>(phi.tiles_ptr());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float *level = phi.tile(slot), *label = before.field.tile(slot);
        if (std::none_of(level, level + kTileCells<Dim>, [dx](float v) { return v < dx; })) return;
        float* from = move.came_from.tile(slot);
        std::array<TileValues<Dim>, Dim> above;
        for (int axis = 0; axis < Dim; ++axis)
            above[static_cast<std::size_t>(axis)] = values_above(velocity[axis], slot, axis);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            if (!(level[n] < dx)) continue;
            if (level[n] < deep && label[n] > 0) {
                from[n] = label[n];
                continue;
            }
            const Index<Dim> cell = phi.tiles().origin(slot) + cell_in_tile<Dim>(n);
            Vec<double, Dim> start = Vec<double, Dim>(cell) + Vec<double, Dim>(0.5);
            for (int axis = 0; axis < Dim; ++axis)
                start[axis] -=
                    0.5F * cells_per_speed * (velocity[axis].tile(slot)[n] + above[static_cast<std::size_t>(axis)][n]);
            from[n] = before.field.at(cell_at(start));
        }
    });
    return move;
}

template <int Dim>
BodyMatch follow(LiquidBodies<Dim>& bodies, BodyLabels<Dim> found, const std::vector<double>& volumes,
                 const BodyMove<Dim>& move, const Field<float, Dim>& phi, const Boundary<Dim>& b) {
    const std::size_t count = bodies.labels.count;
    const auto from =
        count == 0 ? std::map<std::pair<std::size_t, std::size_t>, double>() : origins(found, volumes, move, phi, b);
    std::vector<double> total(count + 1, 0.0), most(count + 1, 0.0);
    BodyMatch match{.heir = std::vector<std::size_t>(count + 1, 0), .vanished = std::vector<double>(count + 1, 0.0)};
    std::vector<bool> is_known(found.count + 1, false);
    for (const auto& [key, volume] : from) {
        const auto [i, j] = key;
        total[i] += volume;
        if (volume > most[i]) most[i] = volume, match.heir[i] = j;
        is_known[j] = true;
    }

    // What is known to come from somewhere: joined and divided.
    std::vector<double> expected(found.count + 1, 0.0);
    for (const auto& [key, volume] : from)
        if (total[key.first] > 0) expected[key.second] += bodies.expected[key.first] * volume / total[key.first];

    // Bodies without a cell that comes from them may have ended inside another.
    std::vector<bool> is_missing(count + 1, false);
    for (std::size_t i = 1; i <= count; ++i) is_missing[i] = match.heir[i] == 0;
    if (!move.came_from.empty() && std::find(is_missing.begin(), is_missing.end(), true) != is_missing.end())
        find_heirs(match.heir, is_missing, bodies.labels, found, move, phi, b.domain.grid.dx);
    for (std::size_t i = 1; i <= count; ++i) {
        if (!is_missing[i]) continue;
        (match.heir[i] != 0 ? expected[match.heir[i]] : match.vanished[i]) += bodies.expected[i];
    }

    // A body that comes from nowhere has what was lost before, as far as there is such.
    for (std::size_t j = 1; j <= found.count; ++j) {
        if (is_known[j]) continue;
        const double regained = std::clamp(bodies.lost, 0.0, volumes[j]);
        bodies.lost -= regained;
        expected[j] += regained;
    }
    bodies.expected = std::move(expected);
    bodies.labels = std::move(found);
    return match;
}

template <int Dim>
std::vector<double> missing_from_films(const LiquidBodies<Dim>& bodies, const std::vector<double>& volumes,
                                       const Field<float, Dim>& phi, double dx) {
    const double cell_volume = std::pow(dx, Dim);
    std::vector<double> missing(bodies.expected.size(), 0.0);
    for (std::size_t j = 1; j < missing.size(); ++j) {
        const double most = volumes[j] + std::max(kMostMissing * volumes[j], cell_volume);
        if (bodies.expected[j] > most && is_film(phi, bodies.labels, j, dx)) missing[j] = bodies.expected[j] - most;
    }
    return missing;
}

#define INSTANTIATE(Dim)                                                                                             \
    template BodyLabels<Dim> found_bodies(const Field<float, Dim>&, const Boundary<Dim>&, const LevelSetGrid<Dim>&); \
    template void label_every_body(BodyLabels<Dim>&, const Field<float, Dim>&);                                      \
    template std::vector<double> body_cells(const Field<float, Dim>&, const LevelSetGrid<Dim>&,                      \
                                            const Field<float, Dim>*, const BodyLabels<Dim>&);                       \
    template BodyMove<Dim> traced_move(const BodyLabels<Dim>&, const Field<float, Dim>&, const FaceField<Dim>&,      \
                                       double, const LevelSetGrid<Dim>&);                                            \
    template BodyMatch follow(LiquidBodies<Dim>&, BodyLabels<Dim>, const std::vector<double>&, const BodyMove<Dim>&, \
                              const Field<float, Dim>&, const Boundary<Dim>&);                                       \
    template std::vector<double> missing_from_films(const LiquidBodies<Dim>&, const std::vector<double>&,            \
                                                    const Field<float, Dim>&, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
