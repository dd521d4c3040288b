// SPDX-License-Identifier: Apache-2.0
#include "setup/finite_values.h"

#include <cmath>

#include <fmt/format.h>

namespace spindrift {

template <int Dim>
void check_finite(Errors& errors, const SceneDescription& scene, const std::string& path, const Domain<Dim>& domain,
                  const std::function<bool(const Vec<double, 3>& place)>& is_finite) {
    bool told = false;
    for_each_index(domain.box, [&](const Index<Dim>& cell) {
        if (told) return;
        const Vec<double, 3> x = in_space(domain.grid.world_of_centre(cell));
        if (is_finite(x)) return;
        told = true;
        errors.add({.what = fmt::format("{} has no finite value at {}", path, place_text(x, Dim)),
                    .remedy = "keep divisions, roots and logarithms away from such places",
                    .where = place_of(scene, path)});
    });
}

template <int Dim>
void check_finite(Errors& errors, const SceneDescription& scene, const std::string& path, const Domain<Dim>& domain,
                  const FieldValue& value, double time) {
    if (!value.varies_in_space() && std::isfinite(value.at({}, time))) return;
    check_finite<Dim>(errors, scene, path, domain,
                      [&](const Vec<double, 3>& x) { return std::isfinite(value.at(x, time)); });
}

template <int Dim>
void check_finite(Errors& errors, const SceneDescription& scene, const std::string& path, const Domain<Dim>& domain,
                  const FieldVector& value, double time) {
    for (std::size_t a = 0; a < Dim; ++a) check_finite<Dim>(errors, scene, path, domain, value.component[a], time);
}

#define INSTANTIATE(Dim)                                                                                 \
    template void check_finite(Errors&, const SceneDescription&, const std::string&, const Domain<Dim>&, \
                               const std::function<bool(const Vec<double, 3>&)>&);                       \
    template void check_finite(Errors&, const SceneDescription&, const std::string&, const Domain<Dim>&, \
                               const FieldValue&, double);                                               \
    template void check_finite(Errors&, const SceneDescription&, const std::string&, const Domain<Dim>&, \
                               const FieldVector&, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
