// SPDX-License-Identifier: Apache-2.0
#include "geometry/contour_vertices.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "geometry/contour_samples.h"

namespace spindrift::contouring {
namespace {

// In cells.  A patch of a smooth surface moves less than this; one in the middle of a thin sheet, where φ has no clear
// slope, is better left where it was.
constexpr float kFarthestMove = 0.25F;

// Surfaces that meet at less than some 10° have no clear meeting line: this is the square of its sine.
constexpr float kNearlyParallel = 0.03F;

// What a tile's samples are, as bits.
constexpr unsigned kInside = 1, kOutside = 2;

// Of one sample.  On a side of the box it is taken for both, whatever rounding says later.
template <int Dim>
unsigned signs_in_box(const Box<double, Dim>& box, const GridTransform<Dim>& transform, const Index<Dim>& cell) {
    const Vec<double, Dim> p = transform.world_of_centre(cell);
    const double margin = 1e-5 * transform.dx;
    return (box.expanded(margin).contains(p) ? kInside : 0) | (box.expanded(-margin).contains(p) ? 0 : kOutside);
}

template <int Dim>
std::vector<std::uint8_t> signs_of_tiles(const Field<float, Dim>& phi, const GridTransform<Dim>& transform,
                                         const ContourOptions<Dim>& options) {
    std::vector<std::uint8_t> signs(phi.tiles().count());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* values = phi.tile(slot);
        const float* solid = options.solid == nullptr ? nullptr : options.solid->tile(slot);
        const Index<Dim> origin = phi.tiles().origin(slot);
        unsigned found = 0;
        for (int i = 0; i < kTileCells<Dim> && found != (kInside | kOutside); ++i) {
            if (!(values[i] < 0) || (solid != nullptr && !(-solid[i] - options.overlap < 0)))
                found |= kOutside;
            else
                found |= options.box ? signs_in_box(*options.box, transform, origin + cell_in_tile<Dim>(i)) : kInside;
        }
        signs[static_cast<std::size_t>(slot)] = static_cast<std::uint8_t>(found);
    });
    return signs;
}

// kNoTile also where space repeats itself: the surface of one period ends at its sides.
template <int Dim>
Slot neighbour_in_period(const Tiles<Dim>& tiles, Slot slot, const Index<Dim>& side) {
    const Index<Dim> coordinate = tiles.coordinate(slot) + side;
    return tiles.wrapped(coordinate) == coordinate ? tiles.neighbour(slot, neighbour_number(side)) : kNoTile;
}

// Tiles that hold the lowest sample of a cube with corners both inside and outside: a sample belongs to cubes of its
// own tile and of those below it.
template <int Dim>
TilesPtr<Dim> tiles_with_surface(const Tiles<Dim>& tiles, const std::vector<std::uint8_t>& signs) {
    std::vector<Index<Dim>> wanted;
    const IndexBox<Dim> below{Index<Dim>(-1), Index<Dim>(1)}, above{Index<Dim>(0), Index<Dim>(2)};
    for (std::size_t i = 0; i < tiles.count(); ++i) {
        const auto slot = static_cast<Slot>(i);
        unsigned found = 0;
        for_each_index(above, [&](const Index<Dim>& side) {
            const Slot other = neighbour_in_period(tiles, slot, side);
            found |= other == kNoTile ? kOutside : signs[static_cast<std::size_t>(other)];
        });
        if (found == (kInside | kOutside)) wanted.push_back(tiles.coordinate(slot));
        if ((signs[i] & kInside) == 0) continue;
        for_each_index(below, [&](const Index<Dim>& side) {
            if (neighbour_in_period(tiles, slot, side) == kNoTile) wanted.push_back(tiles.coordinate(slot) + side);
        });
    }
    return Tiles<Dim>::from_coordinates(std::move(wanted));
}

template <int Dim>
Vec<float, Dim> normalised(const Vec<float, Dim>& v) {
    const float l = length(v);
    return l > 0 ? v / l : v;
}

// Solves A x = b for a symmetric A with unit diagonal, by elimination; false where it is nearly singular.
template <int Dim>
bool solve(std::array<Vec<float, Dim>, Dim>& a, Vec<float, Dim>& x, int size) {
    const auto row = [&](int i) -> Vec<float, Dim>& { return a[static_cast<std::size_t>(i)]; };
    for (int i = 0; i < size; ++i) {
        if (!(row(i)[i] > kNearlyParallel)) return false;
        for (int j = i + 1; j < size; ++j) {
            const float factor = row(j)[i] / row(i)[i];
            row(j) -= row(i) * factor;
            x[j] -= factor * x[i];
        }
    }
    for (int i = size - 1; i >= 0; --i) {
        for (int j = i + 1; j < size; ++j) x[i] -= row(i)[j] * x[j];
        x[i] /= row(i)[i];
    }
    return true;
}

// One tile's cubes and vertices, from its samples.
template <int Dim>
class TileContour {
  public:
    struct Output {
        std::vector<Vec<float, Dim>> positions, normals;
    };
    TileContour(const GridTransform<Dim>& transform, Output& output) : transform_(transform), output_(output) {}

    TileSamples<Dim> samples;

    void run(const Index<Dim>& origin, Cube* cubes) {
        origin_ = origin;
        const std::size_t before = output_.positions.size();
        for (int i = 0; i < kTileCells<Dim>; ++i) {
            const Index<Dim> cube = cell_in_tile<Dim>(i);
            const unsigned inside = corners_inside(cube);
            if (inside == 0 || inside == kAllInside<Dim>) continue;
            const auto first = static_cast<std::uint32_t>(output_.positions.size() - before);
            const unsigned joined = joined_faces(cube, inside);
            add_patches(cube, patches<Dim>(inside, joined));
            const unsigned doubled = Dim == 3 ? add_doubled(cube, inside, joined) : 0;
            cubes[i] = Cube(inside, joined, doubled, first);
        }
    }

  private:
    unsigned corners_inside(const Index<Dim>& cube) const {
        unsigned inside = 0;
        for (int c = 0; c < kCorners<Dim>; ++c)
            if (samples.value(cube + corner_offset<Dim>(c)) < 0) inside |= 1U << c;
        return inside;
    }

    // Of the ambiguous faces those whose inner corners are joined: where the saddle of the bilinear interpolant is
    // inside [Nielson91].  The products take the face's corners in the same order from both its sides.
    unsigned joined_faces(const Index<Dim>& cube, unsigned inside) const {
        const unsigned ambiguous = ambiguous_faces<Dim>(inside);
        unsigned joined = 0;
        for (int f = 0; ambiguous != 0 && f < kFaces<Dim>; ++f) {
            if (!has(ambiguous, f)) continue;
            const auto corner = face_of<Dim>(f).corner;
            const auto v = [&](std::size_t i) { return samples.value(cube + corner_offset<Dim>(corner[i])); };
            const float even = v(0) * v(2), odd = v(1) * v(3);
            if (has(inside, corner[0]) ? even > odd : odd > even) joined |= 1U << f;
        }
        return joined;
    }

    void add_patches(const Index<Dim>& cube, const Patches<Dim>& patches) {
        for (int patch = 0; patch < patches.count; ++patch) {
            Vec<float, Dim> sum;
            float count = 0;
            Functions functions = 0;
            for (int e = 0; e < kEdges<Dim>; ++e) {
                if (patches.of_edge[static_cast<std::size_t>(e)] != patch) continue;
                const Crossing<Dim> crossing = samples.crossing(cube, e);
                sum += crossing.place;
                functions |= 1U << crossing.function;
                ++count;
            }
            add_vertex(cube, moved_to_surface(cube, sum / count, functions), functions);
        }
    }

    // Lower faces whose two arcs join the same two patches, and so the same two vertices twice: each arc gets a vertex
    // of its own between them.
    unsigned add_doubled(const Index<Dim>& cube, unsigned inside, unsigned joined) {
        const unsigned ambiguous = ambiguous_faces<Dim>(inside);
        unsigned doubled = 0;
        for (int axis = 0; ambiguous != 0 && axis < Dim; ++axis) {
            if (!has(ambiguous, 2 * axis)) continue;
            const Index<Dim> other = cube - unit<Dim>(axis);
            const unsigned other_inside = corners_inside(other);
            if (!one_patch(patches<Dim>(inside, joined), face_of<Dim>(2 * axis)) ||
                !one_patch(patches<Dim>(other_inside, joined_faces(other, other_inside)), face_of<Dim>(2 * axis + 1)))
                continue;
            doubled |= 1U << axis;
            add_arc_vertices(cube, inside, has(joined, 2 * axis), 2 * axis);
        }
        return doubled;
    }

    static bool one_patch(const Patches<Dim>& patches, const Face<Dim>& face) {
        const auto patch = [&](std::size_t i) { return patches.of_edge[static_cast<std::size_t>(face.edge[i])]; };
        return patch(0) == patch(1) && patch(0) == patch(2) && patch(0) == patch(3);
    }

    void add_arc_vertices(const Index<Dim>& cube, unsigned inside, bool joined, int face) {
        for (int arc = 0; arc < 2; ++arc) {
            Vec<float, Dim> sum;
            Functions functions = 0;
            for (const int e : face_of<Dim>(face).edge) {
                if (arc_of_edge<Dim>(inside, joined, face, e) != arc) continue;
                const Crossing<Dim> crossing = samples.crossing(cube, e);
                sum += crossing.place * 0.5F;
                functions |= 1U << crossing.function;
            }
            add_vertex(cube, sum, functions);
        }
    }

    // From the mean of the crossings to where the functions that caused them are all zero, on the shortest way.
    Vec<float, Dim> moved_to_surface(const Index<Dim>& cube, const Vec<float, Dim>& mean, Functions functions) const {
        const int active = std::popcount(functions);
        if (active > Dim) return mean;
        std::array<CubeInterpolant<Dim>, Dim> function;
        for (auto [left, i] = std::pair(functions, std::size_t{0}); left != 0; left &= left - 1, ++i)
            function[i] = samples.interpolant(std::countr_zero(left), cube);

        Vec<float, Dim> place = mean;
        for (int step = 0; step < 3; ++step) {
            std::array<Vec<float, Dim>, Dim> direction, gram;
            Vec<float, Dim> x;
            for (int i = 0; i < active; ++i) {
                const auto f = function[static_cast<std::size_t>(i)](place);
                const float slope = length(f.gradient);
                if (!(slope > 0)) return mean;
                direction[static_cast<std::size_t>(i)] = f.gradient / slope;
                x[i] = -f.value / slope;
            }
            for (int i = 0; i < active; ++i)
                for (int j = 0; j < active; ++j)
                    gram[static_cast<std::size_t>(i)][j] =
                        dot(direction[static_cast<std::size_t>(i)], direction[static_cast<std::size_t>(j)]);
            if (!solve<Dim>(gram, x, active)) return mean;
            for (int i = 0; i < active; ++i) place += direction[static_cast<std::size_t>(i)] * x[i];
            place = min(max(place, Vec<float, Dim>(0.0F)), Vec<float, Dim>(1.0F));
        }
        return active == 1 && !(length(place - mean) < kFarthestMove) ? mean : place;
    }

    void add_vertex(const Index<Dim>& cube, const Vec<float, Dim>& place, Functions functions) {
        Vec<float, Dim> normal;
        for (Functions left = functions; left != 0; left &= left - 1)
            normal += normalised(samples.smooth_gradient(std::countr_zero(left), cube, place));
        const auto cell =
            Vec<double, Dim>(origin_ + cube) + Vec<double, Dim>(kCellCentre<Dim>) + Vec<double, Dim>(place);
        output_.positions.push_back(Vec<float, Dim>(transform_.world_from_cell(cell)));
        output_.normals.push_back(normalised(normal));
    }

    const GridTransform<Dim>& transform_;
    Output& output_;
    Index<Dim> origin_;
};

template <class T>
void append_in_order(std::vector<T>& all, const std::vector<std::size_t>& offsets, std::size_t block,
                     const std::vector<T>& part) {
    std::copy(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(offsets[block]));
}

// The mean of a patch's crossings may lie beyond a side, where it has not been moved to the place at which surfaces
// meet.
template <int Dim>
void keep_inside(std::vector<Vec<float, Dim>>& positions, const Box<double, Dim>& box) {
    Vec<float, Dim> lo(box.lo), hi(box.hi);
    for (int a = 0; a < Dim; ++a) {
        if (lo[a] < box.lo[a]) lo[a] = std::nextafter(lo[a], hi[a]);
        if (hi[a] > box.hi[a]) hi[a] = std::nextafter(hi[a], lo[a]);
    }
    parallel_ranges(positions.size(), 4096, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) positions[i] = max(min(positions[i], hi), lo);
    });
}

}  // namespace

template <int Dim>
Vertices<Dim> find_vertices(const Field<float, Dim>& phi, const GridTransform<Dim>& transform,
                            const ContourOptions<Dim>& options) {
    Vertices<Dim> out;
    out.tiles = tiles_with_surface(phi.tiles(), signs_of_tiles(phi, transform, options));
    const std::size_t count = out.tiles->count();
    out.cubes.resize(out.tiles->cell_count());
    out.first.resize(count);

    // Each block of tiles fills vectors of its own.
    constexpr std::size_t kGrain = kTilesPerBlock<Dim>;
    std::vector<typename TileContour<Dim>::Output> parts((count + kGrain - 1) / kGrain);
    parallel_ranges(count, kGrain, [&](std::size_t begin, std::size_t end) {
        auto& part = parts[begin / kGrain];
        TileContour<Dim> contour(transform, part);
        for (std::size_t i = begin; i < end; ++i) {
            const auto slot = static_cast<Slot>(i);
            out.first[i] = static_cast<std::uint32_t>(part.positions.size());
            contour.samples.load(phi, transform, options, out.tiles->coordinate(slot));
            contour.run(out.tiles->origin(slot), &out.cubes[i * kTileCells<Dim>]);
        }
    });

    std::vector<std::size_t> offsets(parts.size() + 1);
    for (std::size_t b = 0; b < parts.size(); ++b) offsets[b + 1] = offsets[b] + parts[b].positions.size();
    out.positions.resize(offsets.back());
    out.normals.resize(offsets.back());
    parallel_blocks(parts.size(), [&](std::size_t b) {
        append_in_order(out.positions, offsets, b, parts[b].positions);
        append_in_order(out.normals, offsets, b, parts[b].normals);
        for (std::size_t i = b * kGrain; i < std::min(count, (b + 1) * kGrain); ++i)
            out.first[i] += static_cast<std::uint32_t>(offsets[b]);
    });
    if (options.box) keep_inside(out.positions, *options.box);
    return out;
}

template Vertices<2> find_vertices(const Field<float, 2>&, const GridTransform<2>&, const ContourOptions<2>&);
template Vertices<3> find_vertices(const Field<float, 3>&, const GridTransform<3>&, const ContourOptions<3>&);

}  // namespace spindrift::contouring
