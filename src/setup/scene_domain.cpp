// SPDX-License-Identifier: Apache-2.0
#include "setup/scene_domain.h"

#include "setup/field_function.h"

namespace spindrift {
namespace {

template <int Dim>
DomainSide<Dim> side_of(const scene::Side& side, int axis) {
    switch (side.kind) {
        case scene::SideKind::slip: return {SideKind::slip, {}};
        case scene::SideKind::no_slip: return {SideKind::prescribed, {}};
        case scene::SideKind::open: return {SideKind::open, {}};
        case scene::SideKind::periodic: return {SideKind::periodic, {}};
        case scene::SideKind::inflow: break;
    }
    return {.kind = SideKind::prescribed,
            .velocity = field_function<Dim>(side.velocity),
            .is_uniform = !varies_in_space(side.velocity),
            .is_lid = side.velocity.component[static_cast<std::size_t>(axis)] == FieldValue(0.0)};
}

}  // namespace

template <int Dim>
Domain<Dim> scene_domain(const SceneDescription& scene) {
    Domain<Dim> domain{.grid = {.origin = components<Dim>(scene.domain.origin), .dx = cell_size(scene)},
                       .box = {{}, components<Dim>(cell_counts(scene))}};
    for (int axis = 0; axis < Dim; ++axis)
        for (const bool upper : {false, true})
            domain.sides[static_cast<std::size_t>(axis)][upper ? 1 : 0] =
                side_of<Dim>(scene.domain.sides.at(axis, upper), axis);
    return domain;
}

template Domain<2> scene_domain(const SceneDescription&);
template Domain<3> scene_domain(const SceneDescription&);

}  // namespace spindrift
