// SPDX-License-Identifier: Apache-2.0
#include "schemes/viscosity.h"

#include <algorithm>
#include <vector>

#include "grid/beside.h"
#include "grid/halo.h"
#include "schemes/diffusion_system.h"
#include "schemes/viscous_stress.h"

namespace spindrift {
namespace {

// What a face is to its neighbours: beyond the liquid, unknown, or closed.
constexpr float kDryFace = 0, kUnknownFace = 1, kClosedFace = 2;

// Faces of one component as the kernel sees them: fields, and a tile of each for where there is none.
struct SlipFaces {
    const float *values, *kinds;
    const float *zeros, *closed;
    const Slot* neighbours;
};

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "schemes/viscosity.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

// Below this one explicit step differs from the implicit one by the square of it: less than a solve's tolerance.
constexpr double kExplicit = 1e-3;

// What surrounds the faces of one component in a tile: see diffusion_system.h.
template <int Dim>
class LiquidFaceProblem {
  public:
    LiquidFaceProblem(int axis, const Field<float, Dim>& u, const Field<float, Dim>& phi, const Boundary<Dim>& b)
        : axis_(axis), u_(u), phi_(phi), b_(b) {}

    void load(Slot slot) {
        origin_ = phi_.tiles().origin(slot);
        values_.load(u_, slot);
        level_.load(phi_, slot);
        open_.load(b_.open[axis_], slot);
        if (b_.anything_moves()) wall_.load(b_.wall_velocity[axis_], slot);
    }
    float value(const Index<Dim>& c) const { return values_(c); }
    // Unknown are the open faces of liquid cells.
    bool is_unknown(const Index<Dim>& c) const {
        return open_(c) > 0 && (level_(c) < 0 || level_(c - unit<Dim>(axis_)) < 0);
    }
    // Half way to the faces beside it, and to a wall that holds it, which makes a flow between walls the exact
    // parabola.
    Vec<float, Dim> extents(const Index<Dim>& c) const {
        Vec<float, Dim> all(1.0F);
        for (int along = 0; along < Dim; ++along)
            for (const bool above : {false, true})
                if (is_held(c, along, above)) all[along] -= 0.25F;
        return all;
    }
    float open_volume(const Index<Dim>&) const { return 1; }
    float inflow(const Index<Dim>&) const { return 0; }
    float conductance(const Index<Dim>&, int, bool) const { return 1; }
    // The mean of what both points say of it keeps the system symmetric.
    float area(const Vec<float, Dim>& own, int axis, const Index<Dim>& next) const {
        const Vec<float, Dim> other = extents(next);
        return 0.5F * (product(own) / own[axis] + product(other) / other[axis]);
    }
    float own_area(const Vec<float, Dim>& own, int axis, const Index<Dim>& next) const { return area(own, axis, next); }
    // Along the component itself a closed face stands a cell away; beside it is a wall, half a cell away, which holds
    // the flow only where it does not slip.  Across the surface there is no stress.
    Tie tie(const Index<Dim>& c, int along, bool above) const {
        const Index<Dim> next = above ? c + unit<Dim>(along) : c - unit<Dim>(along);
        const float wall = b_.anything_moves() ? wall_(next) : 0.0F;
        if (along == axis_) return open_(next) > 0 ? Tie{} : Tie{1, wall};
        return is_held(c, along, above) ? Tie{2, wall} : Tie{};
    }

  private:
    // Whether a wall beside the face, half a cell away, holds it.
    bool is_held(const Index<Dim>& c, int along, bool above) const {
        const Index<Dim> next = above ? c + unit<Dim>(along) : c - unit<Dim>(along);
        return along != axis_ && !(open_(next) > 0) && !slips(along, above, next);
    }
    // What closes a face.
    bool slips(int along, bool above, const Index<Dim>& face) const {
        if (!b_.domain.box.contains(origin_ + face)) return b_.domain.side(along, above).kind != SideKind::prescribed;
        return b_.solid_slip ||
               (b_.solid_slips_at && b_.solid_slips_at(b_.domain.grid.world_of_face(axis_, origin_ + face)));
    }

    int axis_;
    const Field<float, Dim>&u_, &phi_;
    const Boundary<Dim>& b_;
    Index<Dim> origin_{};
    HaloBlock<float, Dim, 1> values_;
    HaloBlock<float, Dim, 2> level_, open_, wall_;
};

// By tile: whether there is nothing but open liquid in it and beside it.
template <int Dim>
std::vector<std::uint8_t> plain_tiles(const Field<float, Dim>& phi, const Boundary<Dim>& b) {
    std::vector<std::uint8_t> full(phi.tiles().count()), plain(full.size());
    const auto all = [](const float* values, auto&& holds) {
        return std::all_of(values, values + kTileCells<Dim>, holds);
    };
    for_each_tile(phi.tiles(), [&](Slot slot) {
        bool is_full = all(phi.tile(slot), [](float v) { return v < 0; });
        for (int axis = 0; axis < Dim && is_full; ++axis)
            is_full = all(b.open[axis].tile(slot), [](float v) { return v > 0; });
        full[static_cast<std::size_t>(slot)] = is_full ? 1 : 0;
    });
    for_each_tile(phi.tiles(), [&](Slot slot) {
        bool is_plain = full[static_cast<std::size_t>(slot)] != 0;
        for (int n = 0; n < kNeighbours<Dim> && is_plain; ++n) {
            const Slot beside = phi.tiles().neighbour(slot, n);
            is_plain = beside != kNoTile && full[static_cast<std::size_t>(beside)] != 0;
        }
        plain[static_cast<std::size_t>(slot)] = is_plain ? 1 : 0;
    });
    return plain;
}

// u += ν dt ∇²u where all walls slip: a row at a time.
template <int Dim>
void slipping_step(int axis, Field<float, Dim>& u, const Field<float, Dim>& phi, const Boundary<Dim>& b, float number) {
    auto values = Field<float, Dim>::unfilled(phi.tiles_ptr()), kinds = Field<float, Dim>::unfilled(phi.tiles_ptr());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float *level = phi.tile(slot), *open = b.open[axis].tile(slot), *from = u.tile(slot);
        const float* wall = b.anything_moves() ? b.wall_velocity[axis].tile(slot) : nullptr;
        const TileValues<Dim> below = values_below(phi, slot, axis);
        float *value = values.tile(slot), *kind = kinds.tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const float wet = (level[n] < 0) | (below[n] < 0) ? kUnknownFace : kDryFace;
            kind[n] = open[n] > 0 ? wet : kClosedFace;
            value[n] = open[n] > 0 ? from[n] : wall != nullptr ? wall[n] : 0.0F;
        }
    });
    const std::vector<float> zeros(kTileCells<Dim>, 0.0F), closed(kTileCells<Dim>, kClosedFace);
    const SlipFaces faces{values.tile(0), kinds.tile(0), zeros.data(), closed.data(), phi.tiles().neighbours()};
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* kind = kinds.tile(slot);
        if (std::none_of(kind, kind + kTileCells<Dim>, [](float k) { return k == kUnknownFace; })) return;
        SPINDRIFT_PICK(slip_tile<Dim>)(u.tile(slot), faces, axis, slot, number);
    });
}

bool all_slip(const auto& b) {
    bool all = b.solid_slip || !b.has_solids();
    for (const auto& sides : b.domain.sides)
        for (const auto& side : sides) all &= side.kind != SideKind::prescribed;
    return all;
}

}  // namespace

template <int Dim>
SolveReport diffuse(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundary<Dim>& b, double kinematic,
                    double dt) {
    const SolveReport done{.converged = true};
    const double number = kinematic * dt / (b.domain.grid.dx * b.domain.grid.dx);
    if (!(number > kNegligibleDiffusion)) return done;
    if (number >= kExplicit) return add_viscous_stress(velocity, phi, b, kinematic, dt);
    if (all_slip(b)) {
        for (int axis = 0; axis < Dim; ++axis) slipping_step(axis, velocity[axis], phi, b, static_cast<float>(number));
        return done;
    }
    const std::vector<std::uint8_t> plain = plain_tiles(phi, b);
    const auto is_plain = [&](Slot slot) { return plain[static_cast<std::size_t>(slot)] != 0; };
    for (int axis = 0; axis < Dim; ++axis)
        step_diffusion(
            velocity[axis], [&] { return LiquidFaceProblem<Dim>(axis, velocity[axis], phi, b); }, is_plain,
            static_cast<float>(number));
    return done;
}

template SolveReport diffuse(FaceField<2>&, const Field<float, 2>&, const Boundary<2>&, double, double);
template SolveReport diffuse(FaceField<3>&, const Field<float, 3>&, const Boundary<3>&, double, double);

}  // namespace spindrift
