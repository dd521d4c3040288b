// SPDX-License-Identifier: Apache-2.0
// Where the values of a field sit on the staggered grid (cell centres, or faces across one axis) and which values its
// ghost cells beyond the sides of the domain have, so that stencils and interpolation need not know of the sides: a
// ghost value is an affine function of one inside.
//
//   cell centres, side of the domain at e:   even     v(e − 1 − k) = v(e + k)           Neumann: no flux
//                                            odd      v(e − 1 − k) = 2 w − v(e + k)     Dirichlet: w on the side
//                                            copy     v(e − 1 − k) = v(e)               open
//                                            constant v(e − 1 − k) = w                  inflow from outside
//   faces along their own axis:              odd      v(e) = w, v(e − k) = 2 w − v(e + k);   copy as above
//                                            stored   v(e − k) = v(e), which the field has itself
#pragma once

#include "schemes/domain.h"

namespace spindrift {

enum class GhostRule { none, even, odd, copy, constant, stored };

// One value inside the domain, scaled and shifted.
template <int Dim>
struct GhostValue {
    Index<Dim> at;
    float scale, offset;
};

template <int Dim>
struct GhostSide {
    GhostRule rule = GhostRule::none;
    float constant = 0;                                            // w
    std::function<double(const Vec<double, Dim>& place)> value{};  // instead, where it varies
};

template <int Dim>
struct FieldLayout {
    int face_axis = -1;  // -1: cell centres
    IndexBox<Dim> box;
    GridTransform<Dim> grid;
    std::array<std::array<GhostSide<Dim>, 2>, Dim> sides{};

    Vec<float, Dim> stagger() const { return face_axis < 0 ? kCellCentre<Dim> : face_centre<Dim>(face_axis); }

    // Whether a point with this coordinate along an axis has a ghost value.
    bool is_ghost(int axis, int c) const {
        const auto& [lower, upper] = sides[static_cast<std::size_t>(axis)];
        const bool on_faces = axis == face_axis;
        if (lower.rule != GhostRule::none &&
            (c < box.lo[axis] || (on_faces && lower.rule == GhostRule::odd && c == box.lo[axis])))
            return true;
        return upper.rule != GhostRule::none && c >= box.hi[axis] + (upper.rule == GhostRule::stored ? 1 : 0);
    }

    // The ghost value beyond one side; `at` may still be beyond another.
    GhostValue<Dim> ghost_value(const Index<Dim>& i, int axis) const {
        const bool above = i[axis] >= box.hi[axis] && i[axis] > box.lo[axis];
        const GhostSide<Dim>& end = sides[static_cast<std::size_t>(axis)][above ? 1 : 0];
        const bool on_faces = axis == face_axis;
        const int edge = above ? box.hi[axis] : box.lo[axis], last = above ? edge - 1 : edge;
        GhostValue<Dim> f{i, 1, 0};
        switch (end.rule) {
            case GhostRule::none: break;
            case GhostRule::even: f.at[axis] = on_faces ? 2 * edge - i[axis] : 2 * edge - 1 - i[axis]; break;
            case GhostRule::copy: f.at[axis] = last; break;
            case GhostRule::stored: f.at[axis] = edge; return f;
            case GhostRule::constant:
                f.at[axis] = last;
                f.scale = 0;
                f.offset = value_on(end, i, axis, edge);
                break;
            case GhostRule::odd: {
                const float w = value_on(end, i, axis, edge);
                const bool on_side = on_faces && i[axis] == edge;
                f.at[axis] = on_side ? last : on_faces ? 2 * edge - i[axis] : 2 * edge - 1 - i[axis];
                f.scale = on_side ? 0.0F : -1.0F;
                f.offset = on_side ? w : 2 * w;
                break;
            }
        }
        f.at[axis] = std::clamp(f.at[axis], box.lo[axis], box.hi[axis] - 1);
        return f;
    }

  private:
    float value_on(const GhostSide<Dim>& end, const Index<Dim>& i, int axis, int edge) const {
        if (!end.value) return end.constant;
        Vec<double, Dim> cell = Vec<double, Dim>(i) + Vec<double, Dim>(stagger());
        cell[axis] = edge;
        return static_cast<float>(end.value(grid.world_from_cell(cell)));
    }
};

// The layout of a velocity component, with the sides of the domain as they are at a time.
template <int Dim>
FieldLayout<Dim> velocity_layout(const Domain<Dim>& domain, int component, double time) {
    FieldLayout<Dim> layout{.face_axis = component, .box = domain.box, .grid = domain.grid, .sides = {}};
    for (int a = 0; a < Dim; ++a)
        for (const bool above : {false, true}) {
            const DomainSide<Dim>& side = domain.side(a, above);
            GhostSide<Dim>& end = layout.sides[static_cast<std::size_t>(a)][above ? 1 : 0];
            switch (side.kind) {
                case SideKind::periodic: end.rule = GhostRule::none; break;
                case SideKind::open: end.rule = GhostRule::copy; break;
                case SideKind::slip: end.rule = a == component ? GhostRule::odd : GhostRule::even; break;
                case SideKind::prescribed:
                    end.rule = GhostRule::odd;
                    if (side.velocity && side.is_uniform)
                        end.constant = static_cast<float>(side.velocity({}, time)[component]);
                    else if (side.velocity)
                        end.value = [velocity = side.velocity, component, time](const Vec<double, Dim>& x) {
                            return velocity(x, time)[component];
                        };
                    break;
            }
        }
    return layout;
}

// Of all components.
template <int Dim>
using VelocityLayouts = std::array<FieldLayout<Dim>, Dim>;
template <int Dim>
VelocityLayouts<Dim> velocity_layouts(const Domain<Dim>& domain, double time) {
    VelocityLayouts<Dim> all;
    for (int a = 0; a < Dim; ++a) all[static_cast<std::size_t>(a)] = velocity_layout(domain, a, time);
    return all;
}

// The same, of a velocity that has its values on walls itself.
template <int Dim>
VelocityLayouts<Dim> stored_velocity_layouts(const Domain<Dim>& domain, double time) {
    VelocityLayouts<Dim> all = velocity_layouts(domain, time);
    for (int a = 0; a < Dim; ++a)
        for (GhostSide<Dim>& side : all[static_cast<std::size_t>(a)].sides[static_cast<std::size_t>(a)])
            if (side.rule != GhostRule::none) side = {GhostRule::stored, 0, {}};
    return all;
}

// The same, of a velocity that is advected: what comes in through an open side was at rest outside.  It then
// brings no energy with it: on the last cell of its way u du/dx = −dp/dx from u = p = 0, so that p = −u²/2 inside.
// If it came with the velocity of the gas on the side, with p = 0 there, swirls would draw u²/2 from it and grow.
template <int Dim>
VelocityLayouts<Dim> advected_velocity_layouts(const Domain<Dim>& domain, double time) {
    VelocityLayouts<Dim> all = velocity_layouts(domain, time);
    for (FieldLayout<Dim>& layout : all)
        for (int a = 0; a < Dim; ++a)
            for (const bool above : {false, true})
                if (domain.side(a, above).kind == SideKind::open)
                    layout.sides[static_cast<std::size_t>(a)][above ? 1 : 0] = {GhostRule::constant, 0, {}};
    return all;
}

}  // namespace spindrift
