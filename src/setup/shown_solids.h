// SPDX-License-Identifier: Apache-2.0
// The solids of a scene as pictures show them.
#pragma once

#include <functional>

#include "bodies/solids.h"
#include "scene/description.h"

namespace spindrift {

template <int Dim>
struct ShownSolids {
    SolidSet<Dim> drawn{};
    SolidSet<Dim> glass{};   // drawn as panes of glass
    SolidSet<Dim> hidden{};  // a liquid goes on in these, where nobody looks

    // m, negative inside; none where there are no such solids.
    using Distance = std::function<double(const Vec<double, Dim>&)>;
    Distance drawn_at(double time) const;
    Distance standing_glass() const { return standing(glass); }
    Distance standing_hidden() const { return standing(hidden); }
    // Out of what is drawn, at a place on it, where that is a mesh; zero elsewhere; none where there is no mesh.
    std::function<Vec<double, Dim>(const Vec<double, Dim>&)> mesh_normal_at(double time) const;

  private:
    static Distance standing(const SolidSet<Dim>& solids);
};

template <int Dim>
ShownSolids<Dim> shown_solids(const SceneDescription& scene, const SolidSet<Dim>& solids);

extern template struct ShownSolids<2>;
extern template struct ShownSolids<3>;

}  // namespace spindrift
