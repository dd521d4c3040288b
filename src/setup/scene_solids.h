// SPDX-License-Identifier: Apache-2.0
// The solids of a scene, and sources that move, for liquids and gases alike.
#pragma once

#include "base/result.h"
#include "bodies/solids.h"
#include "scene/description.h"
#include "schemes/solid_force.h"

namespace spindrift {

// Numbered as in the scene; what is wrong with one is added to the errors, and then it is left out.
template <int Dim>
SolidSet<Dim> scene_solids(Errors& errors, const SceneDescription& scene);

// Those that are added: forces on the surface of what is cut out act on what it is cut out of.
template <int Dim>
NamedSolids<Dim> named_solids(const SolidSet<Dim>& solids);

// The shape of a source where it is at a time, and how what comes out of it moves: as the source does, and with the
// velocity that is written, which turns with the source.
template <int Dim>
struct PlacedSource {
    SolidSet<Dim> shape;
    FieldVector written;

    bool moves() const { return !shape.movers().empty(); }
    double distance(const Vec<double, Dim>& x, double t) const { return shape.distance(x, t); }
    // Of the shape, m/s.
    Vec<double, Dim> motion(const Vec<double, Dim>& x, double t) const { return shape.at(t).velocity(x); }
    // Of what comes out of it, m/s.
    Vec<double, Dim> velocity(const Vec<double, Dim>& x, double t) const;
};
template <int Dim>
PlacedSource<Dim> placed_source(Errors& errors, const SceneDescription& scene, std::size_t number);

template <int Dim>
Vec<double, 3> in_space(const Vec<double, Dim>& place) {
    Vec<double, 3> where;
    for (int axis = 0; axis < Dim; ++axis) where[axis] = place[axis];
    return where;
}

}  // namespace spindrift
