// SPDX-License-Identifier: Apache-2.0
#include "schemes/divergence.h"

#include <algorithm>

namespace spindrift {
namespace {

bool is_plain(std::span<const std::uint8_t> plain, Slot slot) {
    return !plain.empty() && plain[static_cast<std::size_t>(slot)] != 0;
}

template <int Dim>
bool has_pressure(const float* level) {
    return std::any_of(level, level + kTileCells<Dim>, [](float v) { return v < 0; });
}

}  // namespace

template <int Dim>
Field<float, Dim> outflow(const FaceField<Dim>& velocity, const Field<float, Dim>& level, const Boundary<Dim>& b,
                          std::span<const std::uint8_t> plain) {
    auto out = Field<float, Dim>::unfilled(level.tiles_ptr());
    for_each_tile(level.tiles(), [&](Slot slot) {
        float* to = out.tile(slot);
        std::fill_n(to, kTileCells<Dim>, 0.0F);
        const bool open_everywhere = is_plain(plain, slot);
        const float* inside = level.tile(slot);
        if (!open_everywhere && !has_pressure<Dim>(inside)) return;
        for (int axis = 0; axis < Dim; ++axis) {
            const float* u = velocity[axis].tile(slot);
            const TileValues<Dim> u_above = values_above(velocity[axis], slot, axis);
            if (open_everywhere) {
                for (int n = 0; n < kTileCells<Dim>; ++n) to[n] += u_above[n] - u[n];
                continue;
            }
            const float* open = b.open[axis].tile(slot);
            const TileValues<Dim> open_above = values_above(b.open[axis], slot, axis);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float net = open_above[n] * u_above[n] - open[n] * u[n];
                to[n] += inside[n] < 0 ? net : 0;
            }
            if (!b.anything_moves()) continue;
            const float* wall = b.wall_velocity[axis].tile(slot);
            const TileValues<Dim> wall_above = values_above(b.wall_velocity[axis], slot, axis);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float net = (1 - open_above[n]) * wall_above[n] - (1 - open[n]) * wall[n];
                to[n] += inside[n] < 0 ? net : 0;
            }
        }
    });
    return out;
}

template <int Dim>
void subtract_gradient(FaceField<Dim>& velocity, const Field<float, Dim>& q, const Field<float, Dim>& level_field,
                       const FaceField<Dim>& open_part, const GradientOptions<Dim>& options) {
    const SurfacePressure<Dim> none(nullptr, 0);
    const SurfacePressure<Dim>& surface = options.surface != nullptr ? *options.surface : none;
    const float part = options.part;
    for_each_tile(q.tiles(), [&](Slot slot) {
        const float *level = level_field.tile(slot), *pressure = q.tile(slot);
        for (int axis = 0; axis < Dim; ++axis) {
            float* u = velocity[axis].tile(slot);
            if (is_plain(options.plain, slot)) {
                const TileValues<Dim> pressure_below = values_below(q, slot, axis);
                for (int n = 0; n < kTileCells<Dim>; ++n) u[n] -= part * (pressure[n] - pressure_below[n]);
                continue;
            }
            const TileValues<Dim> level_below = values_below(level_field, slot, axis);
            const bool crosses = surface_between(level, level_below);
            if (!crosses && !has_pressure<Dim>(level)) continue;
            const float* open = open_part[axis].tile(slot);
            const TileValues<Dim> pressure_below = values_below(q, slot, axis);
            if (!crosses) {  // along this axis there is a pressure on both sides of a face, or on none
                for (int n = 0; n < kTileCells<Dim>; ++n)
                    u[n] -= (open[n] > 0) & (level[n] < 0) ? part * (pressure[n] - pressure_below[n]) : 0.0F;
                continue;
            }
            const auto on_surface = surface.in_tile(slot, axis);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float here = level[n], below = level_below[n];
                if (!(open[n] > 0) || (here >= 0 && below >= 0)) continue;
                if (here < 0 && below < 0) {
                    u[n] -= part * (pressure[n] - pressure_below[n]);
                } else if (here < 0) {
                    const float theta = surface_theta(here, below);
                    u[n] -= part * (pressure[n] - on_surface.below(n, theta, true)) / theta;
                } else {
                    const float theta = surface_theta(below, here);
                    u[n] += part * (pressure_below[n] - on_surface.below(n, theta, false)) / theta;
                }
            }
        }
    });
}

#define INSTANTIATE(Dim)                                                                                      \
    template Field<float, Dim> outflow(const FaceField<Dim>&, const Field<float, Dim>&, const Boundary<Dim>&, \
                                       std::span<const std::uint8_t>);                                        \
    template void subtract_gradient(FaceField<Dim>&, const Field<float, Dim>&, const Field<float, Dim>&,      \
                                    const FaceField<Dim>&, const GradientOptions<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
