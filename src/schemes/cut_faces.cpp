// SPDX-License-Identifier: Apache-2.0
#include "schemes/cut_faces.h"

#include <algorithm>
#include <cmath>

namespace spindrift {
namespace {

constexpr std::size_t kFacesPerBlock = 4096;

// The middle of the part of a face where  here + slope·x > 0,  x from its centre, in cells; zero where that is all of
// it, or nothing.
Vec<double, 1> open_middle(double here, const Vec<double, 1>& slope) {
    const double reach = 0.5 * std::abs(slope[0]);
    if (!(reach > std::abs(here))) return {};
    return Vec<double, 1>(std::copysign(0.5 * (0.5 - here / (2 * reach)), slope[0]));
}
Vec<double, 2> open_middle(double here, const Vec<double, 2>& slope) {
    // The corners that are open, and where the edges between them cross the wall, are those of the open part.
    static constexpr std::array<std::array<double, 2>, 4> kCorners{
        {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}};
    std::array<Vec<double, 2>, 8> outline{};
    std::size_t count = 0;
    for (std::size_t n = 0; n < 4; ++n) {
        const Vec<double, 2> a(kCorners[n][0], kCorners[n][1]), b(kCorners[(n + 1) % 4][0], kCorners[(n + 1) % 4][1]);
        const double at_a = here + dot(slope, a), at_b = here + dot(slope, b);
        if (at_a > 0) outline[count++] = a;
        if ((at_a > 0) != (at_b > 0)) outline[count++] = a + (b - a) * (at_a / (at_a - at_b));
    }
    Vec<double, 2> sum{};
    double area = 0;
    for (std::size_t n = 1; n + 1 < count; ++n) {
        const Vec<double, 2> u = outline[n] - outline[0], v = outline[n + 1] - outline[0];
        const double part = 0.5 * (u[0] * v[1] - u[1] * v[0]);
        sum += (outline[0] + outline[n] + outline[n + 1]) * (part / 3);
        area += part;
    }
    return area > 0 ? sum / area : Vec<double, 2>{};
}

}  // namespace

template <int Dim>
CutFaces<Dim> cut_faces(const Boundary<Dim>& boundary) {
    const Tiles<Dim>& tiles = *boundary.tiles;
    std::vector<std::vector<CutFace<Dim>>> by_tile(tiles.count());
    for_each_tile(tiles, [&](Slot slot) {
        for (int axis = 0; axis < Dim; ++axis) {
            const float* open = boundary.open[axis].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                if (!(open[n] > 0 && open[n] < 1)) continue;
                const Index<Dim> cell = tiles.origin(slot) + cell_in_tile<Dim>(n);
                const auto distance = [&](const Index<Dim>& c) { return double{boundary.distance[axis].at(c)}; };
                Vec<double, Dim - 1> slope;
                for (int a = 0, k = 0; a < Dim; ++a)
                    if (a != axis) slope[k++] = 0.5 * (distance(cell + unit<Dim>(a)) - distance(cell - unit<Dim>(a)));
                const Vec<double, Dim - 1> middle = open_middle(distance(cell), slope);
                CutFace<Dim> cut{.axis = axis, .face = {slot, n}, .below = place_of(tiles, cell - unit<Dim>(axis))};
                bool matters = false;
                for (int a = 0, k = 0; a < Dim; ++a) {
                    if (a == axis) continue;
                    const double away = middle[k++];
                    const CellPlace next = place_of(tiles, cell + unit<Dim>(a) * (away > 0 ? 1 : -1));
                    if (away == 0 || next.slot == kNoTile || !(boundary.open[axis].tile(next.slot)[next.cell] > 0))
                        continue;
                    cut.next[static_cast<std::size_t>(a)] = next;
                    cut.lever[static_cast<std::size_t>(a)] = open[n] * static_cast<float>(std::abs(away));
                    matters = true;
                }
                if (matters) by_tile[static_cast<std::size_t>(slot)].push_back(cut);
            }
        }
    });
    CutFaces<Dim> cut;
    for (const auto& faces : by_tile) {
        cut.first.push_back(cut.faces.size());
        cut.faces.insert(cut.faces.end(), faces.begin(), faces.end());
    }
    cut.first.push_back(cut.faces.size());
    return cut;
}

template <int Dim>
void allow_for_cut_faces(Field<float, Dim>& wanted_outflow, const FaceField<Dim>& velocity,
                         const Field<float, Dim>& level, const FaceField<Dim>& wall_velocity,
                         const CutFaces<Dim>& cut) {
    if (cut.empty()) return;
    const Tiles<Dim>& tiles = wanted_outflow.tiles();
    CHECK(cut.first.size() == tiles.count() + 1, "allow_for_cut_faces: faces of {} tiles, {} tiles",
          cut.first.size() - 1, tiles.count());
    const bool moves = !wall_velocity.component[0].empty();
    std::vector<float> flux(cut.faces.size(), 0.0F);
    parallel_ranges(flux.size(), kFacesPerBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            const CutFace<Dim>& face = cut.faces[n];
            const auto past_wall = [&](const CellPlace& at) {
                const float wall = moves ? wall_velocity[face.axis].tile(at.slot)[at.cell] : 0.0F;
                return velocity[face.axis].tile(at.slot)[at.cell] - wall;
            };
            const float here = past_wall(face.face);
            for (std::size_t a = 0; a < Dim; ++a)
                if (face.lever[a] > 0) flux[n] += face.lever[a] * (past_wall(face.next[a]) - here);
        }
    });
    // Each tile gathers what flows into and out of its own cells: its own faces, and the lower ones of those above it,
    // in the order of slots.
    for_each_tile(tiles, [&](Slot slot) {
        std::array<Slot, Dim + 1> from;
        from[Dim] = slot;
        for (int a = 0; a < Dim; ++a)
            from[static_cast<std::size_t>(a)] = tiles.neighbour(slot, side_neighbour<Dim>(a, true));
        std::ranges::sort(from);
        const auto repeated = std::ranges::unique(from);  // a tile may be above itself where the domain is periodic
        const auto add = [&](const CellPlace& cell, float more) {
            if (cell.slot == slot && level.tile(slot)[cell.cell] < 0) wanted_outflow.tile(slot)[cell.cell] += more;
        };
        for (auto tile = from.begin(); tile != repeated.begin(); ++tile) {
            if (*tile == kNoTile) continue;
            const auto number = static_cast<std::size_t>(*tile);
            for (std::size_t n = cut.first[number]; n < cut.first[number + 1]; ++n) {
                add(cut.faces[n].face, flux[n]);
                add(cut.faces[n].below, -flux[n]);
            }
        }
    });
}

#define INSTANTIATE(Dim)                                                                                   \
    template CutFaces<Dim> cut_faces(const Boundary<Dim>&);                                                \
    template void allow_for_cut_faces(Field<float, Dim>&, const FaceField<Dim>&, const Field<float, Dim>&, \
                                      const FaceField<Dim>&, const CutFaces<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
