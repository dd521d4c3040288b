// SPDX-License-Identifier: Apache-2.0
#include "schemes/extrapolation.h"

#include <algorithm>
#include <vector>

#include "grid/beside.h"

namespace spindrift {
namespace {

// The fields of one layer's work, as kernels see them.
struct ExtrapolationLayer {
    const float* values;
    const float* known;  // 1 or 0 per face, or kNever
    const float* zeros;  // a tile of them
    const Slot* neighbours;
};

// Marks a face that is not to be filled: not zero, and nothing beside a one.
constexpr float kNever = 1e-30F;

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "schemes/extrapolation.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

// Which faces the liquid's own velocity is known on.  The container's walls and what lies beyond stay at zero, as where
// there is no tile.
template <int Dim>
Field<float, Dim> known_faces(int axis, const Field<float, Dim>& phi, const Boundary<Dim>& b) {
    auto known = Field<float, Dim>::unfilled(phi.tiles_ptr(), 0);
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float *here = phi.tile(slot), *open = b.open[axis].tile(slot);
        const TileValues<Dim> below = values_below(phi, slot, axis);
        float* out = known.tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n)
            out[n] = (open[n] > 0) & ((here[n] < 0) | (below[n] < 0)) ? 1.0F : 0.0F;
        const Index<Dim> origin = phi.tiles().origin(slot);
        if (b.domain.box.expanded(-1).contains(origin) && b.domain.box.contains(origin + Index<Dim>(kTileSide - 1)))
            return;
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            if (open[n] > 0) continue;
            const Index<Dim> cell = origin + cell_in_tile<Dim>(n);
            if (!b.domain.box.contains(cell) || !b.domain.box.contains(cell - unit<Dim>(axis))) out[n] = kNever;
        }
    });
    for (const GivenFace<Dim>& face : b.given)
        if (face.axis == axis) known.tile(face.slot)[face.cell] = 1;
    return known;
}

// A face closed by a solid is at its side when it is no deeper inside than this, in cells.
constexpr float kSide = 0.5F;

// The flow at a face relative to the solid there, and the solid's normal (of any length).
template <int Dim>
struct AtSolid {
    Vec<float, Dim> flow, normal;
};
template <int Dim>
AtSolid<Dim> at_solid(const FaceField<Dim>& velocity, const Boundary<Dim>& b, int axis, const Index<Dim>& cell) {
    const Index<Dim> below = cell - unit<Dim>(axis);
    const auto relative = [&](int a, const Index<Dim>& face) {
        return velocity[a].at(face) - (b.anything_moves() ? b.wall_velocity[a].at(face) : 0.0F);
    };
    AtSolid<Dim> at;
    for (int a = 0; a < Dim; ++a) {
        const Index<Dim> up = unit<Dim>(a);
        if (a == axis) {
            at.flow[a] = relative(a, cell);
            at.normal[a] = b.centre_distance.at(cell) - b.centre_distance.at(below);
        } else {
            at.flow[a] =
                0.25F * (relative(a, cell) + relative(a, cell + up) + relative(a, below) + relative(a, below + up));
            at.normal[a] = 0.25F * (b.centre_distance.at(cell + up) - b.centre_distance.at(cell - up) +
                                    b.centre_distance.at(below + up) - b.centre_distance.at(below - up));
        }
    }
    return at;
}

// Takes the flow through the sides of solids off the faces they close, where solids are wet.  Where they are dry, φ ≥ 0
// inside, liquid is on its way to them or has let go.
template <int Dim>
void hold_at_sides(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundary<Dim>& b) {
    if (!b.has_solids()) return;
    struct Held {
        int axis, cell;
        float change;
    };
    std::vector<std::vector<Held>> held(phi.tiles().count());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* solid = b.centre_distance.tile(slot);
        const auto [least, most] = std::minmax_element(solid, solid + kTileCells<Dim>);
        if (*least > 1 || *most < -2) return;
        const Index<Dim> origin = phi.tiles().origin(slot);
        for (int axis = 0; axis < Dim; ++axis) {
            const float* open = b.open[axis].tile(slot);
            const TileValues<Dim> solid_below = values_below(b.centre_distance, slot, axis);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float distance = 0.5F * (solid[n] + solid_below[n]);
                if (open[n] > 0 || std::abs(distance) > kSide) continue;
                const Index<Dim> cell = origin + cell_in_tile<Dim>(n), below = cell - unit<Dim>(axis);
                if (!b.domain.box.contains(cell) || !b.domain.box.contains(below)) continue;
                const bool is_wet = phi.at(solid[n] < solid_below[n] ? cell : below) < 0;
                if (!is_wet) continue;
                const AtSolid<Dim> at = at_solid(velocity, b, axis, cell);
                const float across = dot(at.flow, at.normal), size2 = dot(at.normal, at.normal);
                if (size2 > 0)
                    held[static_cast<std::size_t>(slot)].push_back({axis, n, across / size2 * at.normal[axis]});
            }
        }
    });
    for_each_tile(phi.tiles(), [&](Slot slot) {
        for (const Held& face : held[static_cast<std::size_t>(slot)])
            velocity[face.axis].tile(slot)[face.cell] -= face.change;
    });
}

}  // namespace

template <int Dim>
void extrapolate(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundary<Dim>& b, int layers) {
    check_same_tiles("extrapolate", "phi", phi.tiles(), "velocity", velocity.tiles());
    check_same_tiles("extrapolate", "phi", phi.tiles(), "boundaries", b.open.tiles());
    const Buffer<float> zeros = [] {
        Buffer<float> tile(kTileCells<Dim>);
        std::fill_n(tile.data(), kTileCells<Dim>, 0.0F);
        return tile;
    }();
    set_given_faces(velocity, b);
    for (int axis = 0; axis < Dim; ++axis) {
        Field<float, Dim> known = known_faces(axis, phi, b);
        // Tiles with a face still to be filled; the others are done.
        std::vector<Slot> todo;
        {
            std::vector<std::uint8_t> lacking(phi.tiles().count());
            for_each_tile(phi.tiles(), [&](Slot slot) {
                const float* k = known.tile(slot);
                lacking[static_cast<std::size_t>(slot)] =
                    std::any_of(k, k + kTileCells<Dim>, [](float v) { return v == 0; }) ? 1 : 0;
            });
            for (std::size_t n = 0; n < lacking.size(); ++n)
                if (lacking[n] != 0) todo.push_back(static_cast<Slot>(n));
        }
        // What is neither known nor reached stays zero.
        for_each_tile(phi.tiles(), [&](Slot slot) {
            float* u = velocity[axis].tile(slot);
            const float* k = known.tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) u[n] = k[n] == 1 ? u[n] : 0;
        });
        Field<float, Dim> next = velocity[axis], next_known = known;
        for (int layer = 0; layer < layers; ++layer) {
            const ExtrapolationLayer in{velocity[axis].tile(0), known.tile(0), zeros.data(), phi.tiles().neighbours()};
            parallel_ranges(todo.size(), kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
                for (std::size_t n = begin; n < end; ++n)
                    SPINDRIFT_PICK(extrapolate_tile<Dim>)(in, next.tile(todo[n]), next_known.tile(todo[n]), todo[n]);
            });
            std::swap(velocity[axis], next);
            std::swap(known, next_known);
        }
    }
    hold_at_sides(velocity, phi, b);
}

template void extrapolate(FaceField<2>&, const Field<float, 2>&, const Boundary<2>&, int);
template void extrapolate(FaceField<3>&, const Field<float, 3>&, const Boundary<3>&, int);

}  // namespace spindrift
