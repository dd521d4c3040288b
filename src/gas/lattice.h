// SPDX-License-Identifier: Apache-2.0
// Where the values of a field sit (cell centres, or faces across one axis) and what counts beyond the box, so that
// stencils and interpolation need not know of its sides: a value beyond is an affine function of one inside.
//
//   centre lattice, edge e at the box:   mirror   v(e − 1 − k) = v(e + k)           no flux
//                                        odd      v(e − 1 − k) = 2 w − v(e + k)     w on the side
//                                        copy     v(e − 1 − k) = v(e)               open
//                                        constant v(e − 1 − k) = w                  what comes in from outside
//   face lattice along its own axis:     odd      v(e) = w, v(e − k) = 2 w − v(e + k);   copy as above
#pragma once

#include "gas/enclosure.h"

namespace spindrift {

enum class Beyond { inside, mirror, odd, copy, constant };

// One value inside the box, scaled and moved.
template <int Dim>
struct Folded {
    Index<Dim> at;
    float scale, offset;
};

template <int Dim>
struct LatticeEnd {
    Beyond how = Beyond::inside;
    float constant = 0;                                            // w
    std::function<double(const Vec<double, Dim>& place)> value{};  // instead, where it varies
};

template <int Dim>
struct Lattice {
    int face_axis = -1;  // -1: cell centres
    IndexBox<Dim> box;
    GridTransform<Dim> grid;
    std::array<std::array<LatticeEnd<Dim>, 2>, Dim> ends{};

    Vec<float, Dim> stagger() const { return face_axis < 0 ? kCellCentre<Dim> : face_centre<Dim>(face_axis); }

    // Whether a coordinate along an axis has no value of its own.
    bool is_beyond(int axis, int c) const {
        const auto& e = ends[static_cast<std::size_t>(axis)];
        const bool on_faces = axis == face_axis;
        if (e[0].how != Beyond::inside &&
            (c < box.lo[axis] || (on_faces && e[0].how == Beyond::odd && c == box.lo[axis])))
            return true;
        return e[1].how != Beyond::inside && c >= box.hi[axis];
    }

    // The value that counts at a place beyond one side; `at` may still be beyond another.
    Folded<Dim> fold(const Index<Dim>& i, int axis) const {
        const bool above = i[axis] >= box.hi[axis] && i[axis] > box.lo[axis];
        const LatticeEnd<Dim>& end = ends[static_cast<std::size_t>(axis)][above ? 1 : 0];
        const bool on_faces = axis == face_axis;
        const int edge = above ? box.hi[axis] : box.lo[axis], last = above ? edge - 1 : edge;
        Folded<Dim> f{i, 1, 0};
        switch (end.how) {
            case Beyond::inside: break;
            case Beyond::mirror: f.at[axis] = on_faces ? 2 * edge - i[axis] : 2 * edge - 1 - i[axis]; break;
            case Beyond::copy: f.at[axis] = last; break;
            case Beyond::constant:
                f.at[axis] = last;
                f.scale = 0;
                f.offset = value_on(end, i, axis, edge);
                break;
            case Beyond::odd: {
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
    float value_on(const LatticeEnd<Dim>& end, const Index<Dim>& i, int axis, int edge) const {
        if (!end.value) return end.constant;
        Vec<double, Dim> cell = Vec<double, Dim>(i) + Vec<double, Dim>(stagger());
        cell[axis] = edge;
        return static_cast<float>(end.value(grid.world_from_cell(cell)));
    }
};

// The lattice of a velocity component, with the sides as they are at a time.
template <int Dim>
Lattice<Dim> velocity_lattice(const GasEnclosure<Dim>& e, int component, double time) {
    Lattice<Dim> lattice{.face_axis = component, .box = e.box, .grid = e.grid, .ends = {}};
    for (int a = 0; a < Dim; ++a)
        for (const bool above : {false, true}) {
            const GasSide<Dim>& side = e.side(a, above);
            LatticeEnd<Dim>& end = lattice.ends[static_cast<std::size_t>(a)][above ? 1 : 0];
            switch (side.kind) {
                case GasSideKind::periodic: end.how = Beyond::inside; break;
                case GasSideKind::open: end.how = Beyond::copy; break;
                case GasSideKind::slip: end.how = a == component ? Beyond::odd : Beyond::mirror; break;
                case GasSideKind::fixed:
                    end.how = Beyond::odd;
                    if (side.velocity && side.is_uniform)
                        end.constant = static_cast<float>(side.velocity({}, time)[component]);
                    else if (side.velocity)
                        end.value = [velocity = side.velocity, component, time](const Vec<double, Dim>& x) {
                            return velocity(x, time)[component];
                        };
                    break;
            }
        }
    return lattice;
}

// Of all components.
template <int Dim>
using VelocityLattices = std::array<Lattice<Dim>, Dim>;
template <int Dim>
VelocityLattices<Dim> velocity_lattices(const GasEnclosure<Dim>& e, double time) {
    VelocityLattices<Dim> all;
    for (int a = 0; a < Dim; ++a) all[static_cast<std::size_t>(a)] = velocity_lattice(e, a, time);
    return all;
}

// The same, of a velocity that is carried along: what comes in through an open side was at rest outside.  It then
// brings no energy with it: on the last cell of its way u du/dx = −dp/dx from u = p = 0, so that p = −u²/2 inside.
// If it came with the velocity of the gas on the side, with p = 0 there, swirls would draw u²/2 from it and grow.
template <int Dim>
VelocityLattices<Dim> carried_velocity_lattices(const GasEnclosure<Dim>& e, double time) {
    VelocityLattices<Dim> all = velocity_lattices(e, time);
    for (Lattice<Dim>& lattice : all)
        for (int a = 0; a < Dim; ++a)
            for (const bool above : {false, true})
                if (e.side(a, above).kind == GasSideKind::open)
                    lattice.ends[static_cast<std::size_t>(a)][above ? 1 : 0] = {Beyond::constant, 0, {}};
    return all;
}

}  // namespace spindrift
