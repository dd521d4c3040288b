// SPDX-License-Identifier: Apache-2.0
#include "gas/texture.h"

#include <cmath>
#include <numbers>

namespace spindrift {
namespace {

// Periods since a set's first return, in whole numbers and parts.
double turns(int set, double time, double period) { return time / period - static_cast<double>(set) / kTextureSets; }

}  // namespace

std::array<double, kTextureSets> texture_weights(double time, double period) {
    std::array<double, kTextureSets> weights;
    for (int set = 0; set < kTextureSets; ++set) {
        const double sine = std::sin(std::numbers::pi * turns(set, time, period));
        weights[static_cast<std::size_t>(set)] = 2.0 / kTextureSets * sine * sine;
    }
    return weights;
}

template <int Dim>
std::vector<Field<float, Dim>> texture_at_rest(const TilesPtr<Dim>& tiles) {
    std::vector<Field<float, Dim>> texture;
    for (int n = 0; n < kTextureSets * Dim; ++n) texture.emplace_back(tiles);
    return texture;
}

template <int Dim>
FieldLayout<Dim> texture_layout(const Domain<Dim>& domain) {
    FieldLayout<Dim> layout{.face_axis = -1, .box = domain.box, .grid = domain.grid, .sides = {}};
    for (int a = 0; a < Dim; ++a)
        for (auto& end : layout.sides[static_cast<std::size_t>(a)])
            end.rule = domain.is_periodic(a) ? GhostRule::none : GhostRule::copy;
    return layout;
}

template <int Dim>
void return_texture(std::vector<Field<float, Dim>>& texture, double from, double to, double period) {
    for (int set = 0; set < kTextureSets; ++set) {
        if (std::floor(turns(set, from, period)) == std::floor(turns(set, to, period))) continue;
        for (int axis = 0; axis < Dim; ++axis) texture[texture_field<Dim>(set, axis)].fill(0);
    }
}

#define INSTANTIATE(Dim)                                                           \
    template std::vector<Field<float, Dim>> texture_at_rest(const TilesPtr<Dim>&); \
    template FieldLayout<Dim> texture_layout(const Domain<Dim>&);                  \
    template void return_texture(std::vector<Field<float, Dim>>&, double, double, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
