// SPDX-License-Identifier: Apache-2.0
// The solids of a scene, for liquids and gases alike.
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

// The shape of an entry by itself with its pose; empty if something is wrong with it.
template <int Dim, class Entry>
SolidSet<Dim> placed_shape(Errors& errors, const SceneDescription& scene, const std::string& path, const Entry& entry);

// Along which solids a fluid slips.
template <int Dim>
struct SlipOfSolids {
    bool all = true;
    // Where some slip and others do not: whether the nearest one does.
    std::function<bool(const Vec<double, Dim>& place, double time)> at{};
};
template <int Dim>
SlipOfSolids<Dim> slip_of(const SolidSet<Dim>& solids);

}  // namespace spindrift
