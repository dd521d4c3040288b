// SPDX-License-Identifier: Apache-2.0
// Integrals over the fluid, by cells: each counts with the part of it that is fluid, taken as a plane cuts it.
#pragma once

#include <array>
#include <functional>

#include "grid/field.h"
#include "grid/transform.h"

namespace spindrift {

template <int Dim>
struct FluidFields {
    GridTransform<Dim> grid;
    IndexBox<Dim> domain;                         // in cells
    std::array<std::array<bool, 2>, Dim> open{};  // sides whose upper faces may lie on no tile
    const FaceField<Dim>* velocity = nullptr;     // m/s
    const Field<float, Dim>* surface = nullptr;   // m, negative in the liquid; none for a gas, which is everywhere
    std::function<double(const Vec<double, Dim>&)> solid_distance{};  // m, negative inside; empty without solids
};

template <int Dim>
struct FluidTotals {
    static constexpr int kTurns = Dim == 2 ? 1 : 3;  // planes in which it can turn: xy; or yz, zx, xy
    double volume = 0;                               // m³ (m²)
    double squared_speed = 0;                        // ∫ |u|²
    Vec<double, Dim> momentum{};                     // ∫ u
    Vec<double, Dim> first_moment{};                 // ∫ x
    Vec<double, kTurns> angular_momentum{};          // ∫ (x − about) × u
    double enstrophy = 0;                            // ½ ∫ |ω|²

    FluidTotals& operator+=(const FluidTotals& b);
};

template <int Dim>
FluidTotals<Dim> fluid_totals(const FluidFields<Dim>& fluid, const Vec<double, Dim>& about);

}  // namespace spindrift
