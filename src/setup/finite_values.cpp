// SPDX-License-Identifier: Apache-2.0
#include "setup/finite_values.h"

#include <cmath>

#include <fmt/format.h>

#include "setup/scene_solids.h"

namespace spindrift {

template <int Dim>
void check_finite(Errors& errors, const SceneDescription& scene, const std::string& path, const DomainCells<Dim>& cells,
                  const std::function<bool(const Vec<double, 3>& place)>& is_finite) {
    bool told = false;
    for_each_index(cells.box, [&](const Index<Dim>& cell) {
        if (told) return;
        const Vec<double, 3> x = in_space(cells.grid.world_of_centre(cell));
        if (is_finite(x)) return;
        told = true;
        errors.add({.what = fmt::format("{} has no finite value at {}", path, place_text(x, Dim)),
                    .remedy = "keep divisions, roots and logarithms away from such places",
                    .where = place_of(scene, path)});
    });
}

template <int Dim>
void check_finite(Errors& errors, const SceneDescription& scene, const std::string& path, const DomainCells<Dim>& cells,
                  const FieldValue& value, double time) {
    if (!value.varies_in_space() && std::isfinite(value.at({}, time))) return;
    check_finite<Dim>(errors, scene, path, cells,
                      [&](const Vec<double, 3>& x) { return std::isfinite(value.at(x, time)); });
}

template <int Dim>
void check_finite(Errors& errors, const SceneDescription& scene, const std::string& path, const DomainCells<Dim>& cells,
                  const FieldVector& value, double time) {
    for (std::size_t a = 0; a < Dim; ++a) check_finite<Dim>(errors, scene, path, cells, value.component[a], time);
}

#define INSTANTIATE(Dim)                                                                                      \
    template void check_finite(Errors&, const SceneDescription&, const std::string&, const DomainCells<Dim>&, \
                               const std::function<bool(const Vec<double, 3>&)>&);                            \
    template void check_finite(Errors&, const SceneDescription&, const std::string&, const DomainCells<Dim>&, \
                               const FieldValue&, double);                                                    \
    template void check_finite(Errors&, const SceneDescription&, const std::string&, const DomainCells<Dim>&, \
                               const FieldVector&, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
