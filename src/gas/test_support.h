// SPDX-License-Identifier: Apache-2.0
// What tests of gases share: boxes with sides, random forces, and measures.
#pragma once

#include <cmath>
#include <numbers>

#include "gas/forces.h"
#include "gas/stable_fluids_1999.h"
#include "grid/measure.h"
#include "grid/test_support.h"
#include "schemes/test_support.h"

namespace spindrift {

template <int Dim>
GasWorld<Dim> gas_box(int cells, TestSides kind) {
    GasWorld<Dim> w;
    w.domain = unit_domain<Dim>(cells, kind);
    return w;
}

template <int Dim>
void add_substance(GasWorld<Dim>& w, const std::string& name, std::function<double(const Vec<double, Dim>&)> start) {
    Substance<Dim>& s = w.substances.emplace_back();
    s.name = name;
    s.at_start = std::move(start);
}

// Noise that pushes every swirl of the size of a tenth of the box another way each step.
template <int Dim>
void add_random_force(GasWorld<Dim>& w, double strength) {
    Force<Dim>& force = w.forces.emplace_back();
    force.acceleration = [strength](const Vec<double, Dim>& x, double t) {
        return vector_noise<Dim>(x * 10.0, t * 1000, 7) * strength;
    };
}

template <int Dim>
std::uint64_t hash_of(const GasState<Dim>& gas) {
    Hasher hasher;
    hasher.add(state_hash(gas.velocity)).add(state_hash(gas.pressure));
    for (const auto& a : gas.substances) hasher.add(state_hash(a));
    for (const auto& way : gas.texture) hasher.add(state_hash(way));
    return hasher.digest();
}

template <int Dim>
double largest_speed(const GasState<Dim>& gas) {
    double most = 0;
    for (int a = 0; a < Dim; ++a) most = std::max(most, double{max_abs(gas.velocity[a])});
    return most;
}

template <int Dim>
double sum_of_squares(const FaceField<Dim>& velocity, const IndexBox<Dim>& box) {
    double sum = 0;
    for (int a = 0; a < Dim; ++a)
        for_each_index(box, [&](const Index<Dim>& c) { sum += double{velocity[a].at(c)} * double{velocity[a].at(c)}; });
    return sum;
}

// Over the cells of the box.
template <int Dim>
Vec<float, 2> range_in_box(const Field<float, Dim>& field, const IndexBox<Dim>& box) {
    Vec<float, 2> range{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
    for_each_index(box, [&](const Index<Dim>& c) {
        range[0] = std::min(range[0], field.at(c));
        range[1] = std::max(range[1], field.at(c));
    });
    return range;
}

template <int Dim>
double largest_difference(const FaceField<Dim>& a, const FaceField<Dim>& b, const IndexBox<Dim>& box) {
    double most = 0;
    for (int axis = 0; axis < Dim; ++axis)
        for_each_index(box, [&](const Index<Dim>& c) {
            most = std::max(most, std::abs(double{a[axis].at(c)} - double{b[axis].at(c)}));
        });
    return most;
}

}  // namespace spindrift
