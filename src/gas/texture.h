// SPDX-License-Identifier: Apache-2.0
// Textures that go with the gas [Stam99] §4, after [Max92]: three sets of coordinates are advected like substances.
// Each returns to the place itself once in a period, so that nothing is stretched without end; the three do so in turn,
// a third of a period apart, and a set counts for nothing when it returns, so that no picture jumps.
//
// A set's coordinates X obey X_t + u·∇X = 0.  Kept is the displacement X − x since the last return, in metres: unlike X
// it has no seam where a box repeats itself.
#pragma once

#include <array>

#include "gas/state.h"
#include "schemes/field_layout.h"

namespace spindrift {

constexpr int kTextureSets = 3;

// How much each set counts at a time: 2/3 sin²(π φ), where φ is the part of the period since its return.  Three of them
// a third apart sum to 1.
std::array<double, kTextureSets> texture_weights(double time, double period);

// The fields of a set, one per axis, among those of a state.
template <int Dim>
constexpr std::size_t texture_field(int set, int axis) {
    return static_cast<std::size_t>(set * Dim + axis);
}

// Coordinates that are the places themselves.
template <int Dim>
std::vector<Field<float, Dim>> texture_at_rest(const TilesPtr<Dim>& tiles);

// Ghost values: gas that comes in has moved like that inside.
template <int Dim>
FieldLayout<Dim> texture_layout(const Domain<Dim>& domain);

// Brings back the sets that return between two times.
template <int Dim>
void return_texture(std::vector<Field<float, Dim>>& texture, double from, double to, double period);

}  // namespace spindrift
