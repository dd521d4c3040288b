// SPDX-License-Identifier: Apache-2.0
#include "setup/shown_solids.h"

#include <algorithm>

#include "scene/methods.h"

namespace spindrift {

template <int Dim>
auto ShownSolids<Dim>::drawn_at(double time) const -> Distance {
    if (drawn.empty()) return nullptr;
    return [now = drawn.at(time)](const Vec<double, Dim>& x) { return now.distance(x); };
}

template <int Dim>
auto ShownSolids<Dim>::standing(const SolidSet<Dim>& solids) -> Distance {
    if (solids.still().parts.empty()) return nullptr;
    return [solids](const Vec<double, Dim>& x) { return signed_distance(solids.still(), x); };
}

template <int Dim>
std::function<Vec<double, Dim>(const Vec<double, Dim>&)> ShownSolids<Dim>::mesh_normal_at(double time) const {
    if constexpr (Dim == 3) {
        const auto is_mesh = [](const Solid<3>& s) { return std::holds_alternative<MeshSolid>(s.part.shape); };
        if (std::ranges::any_of(drawn.all(), is_mesh))
            return [now = drawn.at(time)](const Vec<double, 3>& x) { return now.mesh_normal(x); };
    }
    return nullptr;
}

// Glass is drawn with liquids alone, and where it stands.
template <int Dim>
ShownSolids<Dim> shown_solids(const SceneDescription& scene, const SolidSet<Dim>& solids) {
    using S = Solid<Dim>;
    if (!scene::has_surface(scene.method)) return {.drawn = those(solids, [](const S& s) { return s.visible; })};
    return {.drawn = those(solids, [](const S& s) { return s.visible && (!s.glass || s.pose.moves()); }),
            .glass = those(solids, [](const S& s) { return s.visible && s.glass; }),
            .hidden = those(solids, [](const S& s) { return !s.visible || s.glass; })};
}

template struct ShownSolids<2>;
template struct ShownSolids<3>;
template ShownSolids<2> shown_solids(const SceneDescription&, const SolidSet<2>&);
template ShownSolids<3> shown_solids(const SceneDescription&, const SolidSet<3>&);

}  // namespace spindrift
