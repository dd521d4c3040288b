// SPDX-License-Identifier: Apache-2.0
// Forces that a scene applies to a fluid:  ∂u/∂t = f − k u,  with an acceleration f and a drag k  [Stam99] §2.2.
//
// A step adds the impulse of each force, by the midpoint rule over the part of the step in which it acts.  Drag acts
// half before the accelerations and half after them, so that u tends to f/k to second order in dt.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "grid/field.h"
#include "grid/transform.h"
#include "schemes/turbulence.h"

namespace spindrift {

struct TimeSpan {
    double from = 0, to = 0;  // s
    double length() const { return to - from; }
    double middle() const { return 0.5 * (from + to); }
};

template <int Dim>
struct Force {
    std::function<Vec<double, Dim>(const Vec<double, Dim>& place, double time)> acceleration{};  // m/s²; none: zero
    bool is_uniform = false;                    // the acceleration is the same everywhere
    std::optional<Turbulence> turbulence{};     // an acceleration besides, known to be noise: much faster
    std::function<double(double time)> drag{};  // 1/s; none: zero
    int substance = -1;                         // of a gas: all of this is proportional to it; -1: to none
    double start = 0, end = std::numeric_limits<double>::infinity();  // s

    // The part of a step in which it acts; without length when it does not.
    TimeSpan acting(const TimeSpan& step) const {
        const double from = std::max(step.from, start);
        return {from, std::max(from, std::min(step.to, end))};
    }
    bool acts(const TimeSpan& step) const { return acting(step).length() > 0; }
};

// What forces act on: all of a gas; of a liquid, the faces of its cells.
template <int Dim>
struct ForcedFluid {
    GridTransform<Dim> grid;
    std::span<const Field<float, Dim>> substances{};
    const Field<float, Dim>* phi = nullptr;  // of a liquid: negative in it
};

// u += ∫ f dt
template <int Dim>
void add_accelerations(FaceField<Dim>& velocity, const std::vector<Force<Dim>>& forces, const ForcedFluid<Dim>& fluid,
                       const TimeSpan& step);

// u ← u exp(−½ ∫ k dt)
template <int Dim>
void add_half_of_drag(FaceField<Dim>& velocity, const std::vector<Force<Dim>>& forces, const ForcedFluid<Dim>& fluid,
                      const TimeSpan& step);

// No liquid cell is accelerated by more than this at the beginning of the step, m/s².
template <int Dim>
double strongest_acceleration(const std::vector<Force<Dim>>& forces, const ForcedFluid<Dim>& liquid,
                              const TimeSpan& step);

// Of something small, such as a drop: the mean acceleration in the step, m/s², and ∫ k dt.
template <int Dim>
Vec<double, Dim> mean_acceleration(const std::vector<Force<Dim>>& forces, const Vec<double, Dim>& place,
                                   const TimeSpan& step);
template <int Dim>
double drag_over(const std::vector<Force<Dim>>& forces, const TimeSpan& step);

}  // namespace spindrift
