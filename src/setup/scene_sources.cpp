// SPDX-License-Identifier: Apache-2.0
#include "setup/scene_sources.h"

#include <fmt/core.h>

#include "setup/field_function.h"
#include "setup/scene_solids.h"

namespace spindrift {

template <int Dim>
Source<Dim> scene_source(Errors& errors, const SceneDescription& scene, std::size_t number) {
    using Place = Vec<double, Dim>;
    const scene::Source& entry = scene.source[number];
    const SolidSet<Dim> shape = placed_shape<Dim>(errors, scene, fmt::format("source[{}]", number), entry);
    Source<Dim> source;
    source.distance = [shape](const Place& x, double t) { return shape.distance(x, t); };
    source.velocity = field_function<Dim>(entry.velocity);
    if (!shape.movers().empty()) {
        source.motion = [shape](const Place& x, double t) { return shape.at(t).velocity(x); };
        source.velocity = [shape, written = field_function<Dim>(entry.velocity)](const Place& x, double t) {
            const Placement<Dim>& placed = shape.at(t).placement(0);
            const Place own = written(placed.body_from_world(x), t);
            return placed.velocity_at(x) + placed.world_from_body.rotated(own);
        };
    }
    source.start = entry.start;
    if (entry.end) source.end = *entry.end;
    return source;
}

template Source<2> scene_source(Errors&, const SceneDescription&, std::size_t);
template Source<3> scene_source(Errors&, const SceneDescription&, std::size_t);

}  // namespace spindrift
