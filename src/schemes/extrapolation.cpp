// SPDX-License-Identifier: Apache-2.0
#include "schemes/extrapolation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "grid/beside.h"

namespace spindrift {
namespace {

// What a layer is computed from, as kernels see it.
struct ExtrapolationLayer {
    const float* velocity;        // the whole field
    const float *values, *known;  // of the tiles with unknown faces, one after the other; 1, 0 or kNever
    const std::int32_t* number;   // by slot: which of these tiles it is; −1: all faces are known
    const float *zeros, *ones;    // a tile of each
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

// Whether all cells of a tile and those below them are in the box.
template <int Dim>
bool is_inside(const Index<Dim>& origin, const IndexBox<Dim>& box) {
    return box.expanded(-1).contains(origin) && box.contains(origin + Index<Dim>(kTileSide - 1));
}

// Which faces of a tile the liquid's own velocity is known on.  The container's walls and what lies beyond stay at
// zero, as where there is no tile.
template <int Dim>
void find_known(float* known, int axis, const Field<float, Dim>& phi, const Boundary<Dim>& b, Slot slot) {
    const float *here = phi.tile(slot), *open = b.open[axis].tile(slot);
    const TileValues<Dim> below = values_below(phi, slot, axis);
    for (int n = 0; n < kTileCells<Dim>; ++n) known[n] = (open[n] > 0) & ((here[n] < 0) | (below[n] < 0)) ? 1.0F : 0.0F;
    const Index<Dim> origin = phi.tiles().origin(slot);
    if (is_inside(origin, b.domain.box)) return;
    for (int n = 0; n < kTileCells<Dim>; ++n) {
        if (open[n] > 0) continue;
        const Index<Dim> cell = origin + cell_in_tile<Dim>(n);
        if (!b.domain.box.contains(cell) || !b.domain.box.contains(cell - unit<Dim>(axis))) known[n] = kNever;
    }
}

// The values of the tiles where some are not known, twice: a layer is read from one copy and written to the other.  All
// work is in these tiles: deep in the liquid there is nothing to do.
template <int Dim>
class UnknownValues {
  public:
    // find_known(known, slot) marks the values of a tile that are; where is_all_known(slot), they all are.
    template <class IsAllKnown, class FindKnown>
    UnknownValues(const Field<float, Dim>& field, IsAllKnown&& is_all_known, FindKnown&& find_known)
        : field_(field), number_(field.tiles().count(), -1) {
        std::vector<std::uint8_t> lacking(number_.size(), 0);
        for_each_tile(field.tiles(), [&](Slot slot) {
            if (is_all_known(slot)) return;
            std::array<float, kTileCells<Dim>> known;
            find_known(known.data(), slot);
            lacking[static_cast<std::size_t>(slot)] =
                std::any_of(known.begin(), known.end(), [](float k) { return k != 1; }) ? 1 : 0;
        });
        for (std::size_t n = 0; n < lacking.size(); ++n)
            if (lacking[n] != 0) {
                number_[n] = static_cast<std::int32_t>(slots_.size());
                slots_.push_back(static_cast<Slot>(n));
            }
        for (auto* side : {&values_, &known_})
            for (Buffer<float>& copy : *side) copy = Buffer<float>(slots_.size() * kTileCells<Dim>);
        for_each(slots_.size(), [&](std::size_t n) { find_known(tile(known_[0], n), slots_[n]); });
    }

    void mark_known(Slot slot, int cell) {
        if (const std::int32_t n = number_[static_cast<std::size_t>(slot)]; n >= 0)
            tile(known_[0], static_cast<std::size_t>(n))[cell] = 1;
    }

    void fill(int layers) {
        // What is neither known nor reached stays zero.
        for_each(slots_.size(), [&](std::size_t n) {
            const float *given = field_.tile(slots_[n]), *known = tile(known_[0], n);
            float* values = tile(values_[0], n);
            for (int c = 0; c < kTileCells<Dim>; ++c) values[c] = known[c] == 1 ? given[c] : 0;
            std::copy_n(values, kTileCells<Dim>, tile(values_[1], n));
            std::copy_n(known, kTileCells<Dim>, tile(known_[1], n));
        });
        const std::vector<float> zeros(kTileCells<Dim>, 0.0F), ones(kTileCells<Dim>, 1.0F);
        const Tiles<Dim>& tiles = field_.tiles();
        // A tile changes only after it or one beside it has; where it has not, both copies are the same.
        std::vector<std::uint8_t> changed(slots_.size(), 1), changes(slots_.size());
        for (int layer = 0; layer < layers; ++layer) {
            const ExtrapolationLayer in{field_.tile(0), values_[0].data(), known_[0].data(),  number_.data(),
                                        zeros.data(),   ones.data(),       tiles.neighbours()};
            for_each(slots_.size(), [&](std::size_t n) {
                bool is_due = changed[n] != 0;
                for (int axis = 0; axis < Dim && !is_due; ++axis)
                    for (const bool above : {false, true}) {
                        const Slot beside = tiles.neighbour(slots_[n], side_neighbour<Dim>(axis, above));
                        const std::int32_t m = beside == kNoTile ? -1 : number_[static_cast<std::size_t>(beside)];
                        is_due |= m >= 0 && changed[static_cast<std::size_t>(m)] != 0;
                    }
                changes[n] = is_due && SPINDRIFT_PICK(extrapolate_tile<Dim>)(in, tile(values_[1], n),
                                                                             tile(known_[1], n), slots_[n])
                                 ? 1
                                 : 0;
            });
            std::swap(values_[0], values_[1]);
            std::swap(known_[0], known_[1]);
            std::swap(changed, changes);
        }
    }

    void write(Field<float, Dim>& field) const {
        for_each(slots_.size(), [&](std::size_t n) {
            std::copy_n(values_[0].data() + n * kTileCells<Dim>, kTileCells<Dim>, field.tile(slots_[n]));
        });
    }

  private:
    static float* tile(Buffer<float>& copy, std::size_t n) { return copy.data() + n * kTileCells<Dim>; }
    template <class F>
    static void for_each(std::size_t count, F&& f) {
        parallel_ranges(count, kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
            for (std::size_t n = begin; n < end; ++n) f(n);
        });
    }

    const Field<float, Dim>& field_;
    std::vector<std::int32_t> number_;  // by slot
    std::vector<Slot> slots_;           // by number
    std::array<Buffer<float>, 2> values_, known_;
};

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
    set_given_faces(velocity, b);
    std::vector<std::uint8_t> full(phi.tiles().count());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* level = phi.tile(slot);
        full[static_cast<std::size_t>(slot)] =
            std::all_of(level, level + kTileCells<Dim>, [](float v) { return v < 0; }) ? 1 : 0;
    });
    for (int axis = 0; axis < Dim; ++axis) {
        UnknownValues<Dim> unknown(
            velocity[axis],
            [&](Slot slot) {
                return full[static_cast<std::size_t>(slot)] != 0 && !b.has_solids() &&
                       is_inside(phi.tiles().origin(slot), b.domain.box);
            },
            [&](float* known, Slot slot) { find_known(known, axis, phi, b, slot); });
        for (const GivenFace<Dim>& face : b.given)
            if (face.axis == axis) unknown.mark_known(face.slot, face.cell);
        unknown.fill(layers);
        unknown.write(velocity[axis]);
    }
    hold_at_sides(velocity, phi, b);
}

template <int Dim>
void extrapolate(Field<float, Dim>& field, const Field<float, Dim>& known, const IndexBox<Dim>& box, int layers) {
    check_same_tiles("extrapolate", "the field", field.tiles(), "what is known", known.tiles());
    UnknownValues<Dim> unknown(
        field, [](Slot) { return false; },
        [&](float* marks, Slot slot) {
            const float* weight = known.tile(slot);
            const Index<Dim> origin = field.tiles().origin(slot);
            const bool whole = box.contains(origin) && box.contains(origin + Index<Dim>(kTileSide - 1));
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const bool is_in_box = whole || box.contains(origin + cell_in_tile<Dim>(n));
                marks[n] = weight[n] > 0 ? 1.0F : is_in_box ? 0.0F : kNever;
            }
        });
    unknown.fill(layers);
    unknown.write(field);
}

#define INSTANTIATE(Dim)                                                                             \
    template void extrapolate(FaceField<Dim>&, const Field<float, Dim>&, const Boundary<Dim>&, int); \
    template void extrapolate(Field<float, Dim>&, const Field<float, Dim>&, const IndexBox<Dim>&, int);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
