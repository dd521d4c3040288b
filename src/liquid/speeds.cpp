// SPDX-License-Identifier: Apache-2.0
#include "liquid/speeds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "grid/beside.h"
#include "grid/measure.h"

namespace spindrift {

template <int Dim>
double largest_component(const FaceField<Dim>& velocity) {
    double most = 0;
    for (const Field<float, Dim>& component : velocity.component) {
        const double here = max_abs(component);
        if (std::isnan(here)) return here;
        most = std::max(most, here);
    }
    return most;
}

template <int Dim>
double largest_speed(const FaceField<Dim>& velocity, const Field<float, Dim>& phi) {
    return parallel_max(phi.tiles().count(), kTilesPerBlock<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        float most = 0;
        for (std::size_t n = begin; n < end; ++n) {
            const auto slot = static_cast<Slot>(n);
            const float* level = phi.tile(slot);
            if (std::none_of(level, level + kTileCells<Dim>, [](float v) { return v < 0; })) continue;
            std::array<float, kTileCells<Dim>> speed2{};
            for (int axis = 0; axis < Dim; ++axis) {
                const float* below = velocity[axis].tile(slot);
                const TileValues<Dim> above = values_above(velocity[axis], slot, axis);
                for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
                    const float u = 0.5F * (below[cell] + above[cell]);
                    speed2[static_cast<std::size_t>(cell)] += u * u;
                }
            }
            for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
                const float here = level[cell] < 0 ? speed2[static_cast<std::size_t>(cell)] : 0;
                if (here != here) return double{here};
                most = std::max(most, here);
            }
        }
        return std::sqrt(double{most});
    });
}

template <int Dim>
std::size_t limit_speed(FaceField<Dim>& velocity, double limit) {
    const auto most = static_cast<float>(limit);
    return sum_over_tiles(velocity.tiles(), std::size_t{0}, [&](Slot slot) {
        std::size_t count = 0;
        for (Field<float, Dim>& component : velocity.component)
            for (float& u : std::span(component.tile(slot), kTileCells<Dim>)) {
                count += std::abs(u) > most ? 1 : 0;
                u = std::clamp(u, -most, most);
            }
        return count;
    });
}

#define INSTANTIATE(Dim)                                                            \
    template double largest_component(const FaceField<Dim>&);                       \
    template double largest_speed(const FaceField<Dim>&, const Field<float, Dim>&); \
    template std::size_t limit_speed(FaceField<Dim>&, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
