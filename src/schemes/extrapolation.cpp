// SPDX-License-Identifier: Apache-2.0
#include "schemes/extrapolation.h"

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
Field<float, Dim> known_faces(int axis, const Field<float, Dim>& phi, const Boundaries<Dim>& b) {
    auto known = Field<float, Dim>::unfilled(phi.tiles_ptr(), 0);
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float *here = phi.tile(slot), *open = b.open[axis].tile(slot);
        const TileValues<Dim> below = values_below(phi, slot, axis);
        float* out = known.tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n)
            out[n] = (open[n] > 0) & ((here[n] < 0) | (below[n] < 0)) ? 1.0F : 0.0F;
        const Index<Dim> origin = phi.tiles().origin(slot);
        if (b.box.expanded(-1).contains(origin) && b.box.contains(origin + Index<Dim>(kTileSide - 1))) return;
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            if (open[n] > 0) continue;
            const Index<Dim> cell = origin + cell_in_tile<Dim>(n);
            if (!b.box.contains(cell) || !b.box.contains(cell - unit<Dim>(axis))) out[n] = kNever;
        }
    });
    for (const GivenFace<Dim>& face : b.given)
        if (face.axis == axis) known.tile(face.slot)[face.cell] = 1;
    return known;
}

}  // namespace

template <int Dim>
void extrapolate(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundaries<Dim>& b, int layers) {
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
}

template void extrapolate(FaceField<2>&, const Field<float, 2>&, const Boundaries<2>&, int);
template void extrapolate(FaceField<3>&, const Field<float, 3>&, const Boundaries<3>&, int);

}  // namespace spindrift
