// SPDX-License-Identifier: Apache-2.0
// Control: velocities that are wanted on curves, surfaces and in volumes.  [FF01] §10
//
//   u ← u + w (u_c − u),    w = 1 of a hard control, 1 − exp(−rate dt) of a soft one
//
// before the pressure solve, or of its part along the normal of a fake surface, or across it.  u is the velocity that
// the pressure would leave without the control, P u: what is held still in liquid at rest does not lose the support of
// the pressure around it and rise, as it would if its weight alone were taken away.  With the change added, the solve
// that follows gives P (u + w (u_c − P u)).
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "grid/field.h"
#include "grid/transform.h"
#include "schemes/boundary.h"
#include "schemes/forces.h"

namespace spindrift {

template <int Dim>
struct WantedVelocity {
    double distance = 0;          // m, to where it acts: negative inside
    Vec<double, Dim> velocity{};  // m/s
    Vec<double, Dim> normal{};    // of the fake surface, of length 1; zero where it has none
};

enum class ControlParts { both, normal, tangential };

template <int Dim>
struct Control {
    // What is wanted at a place, of the time that it is asked for; empty when nothing is.
    using Field = std::function<WantedVelocity<Dim>(const Vec<double, Dim>& place)>;
    std::function<Field(double time)> field_at;
    bool is_distance_exact = false;  // or at least nowhere too large
    ControlParts parts = ControlParts::both;
    std::function<double(double time)> rate{};  // 1/s; none: hard
    double start = 0, end = std::numeric_limits<double>::infinity();
    std::optional<Box<double, Dim>> region{};  // nothing outside

    TimeSpan acting(const TimeSpan& step) const;
};

// A face of the liquid that is controlled.
template <int Dim>
struct ControlledFace {
    Slot slot;
    int cell;
    int axis;
    double share;  // w
    Vec<double, Dim> velocity, normal;
};

// By control: those that act on no face are not there.
template <int Dim>
struct ControlledFaces {
    struct Group {
        ControlParts parts;
        std::vector<ControlledFace<Dim>> faces;
    };
    std::vector<Group> groups;
    bool empty() const { return groups.empty(); }
};

// Faces beside liquid on which a control acts in a step.  Velocities are those wanted at its end; at the edge of a
// control they fade over a cell.
template <int Dim>
ControlledFaces<Dim> controlled_faces(const std::vector<Control<Dim>>& controls, const Field<float, Dim>& phi,
                                      const GridTransform<Dim>& grid, const TimeSpan& step);

// Brings `free`, the velocity without control, to what is wanted, one control after the other, and adds the same
// changes to `velocity`.
template <int Dim>
void control(FaceField<Dim>& velocity, FaceField<Dim>& free, const ControlledFaces<Dim>& controlled);

// Takes the share of the control off an acceleration: a velocity that is set has none of its own.
template <int Dim>
void release(FaceField<Dim>& acceleration, const ControlledFaces<Dim>& controlled);

// Σ u·v of the liquid over its faces, in cells times m²/s².
template <int Dim>
double wet_product(const FaceField<Dim>& u, const FaceField<Dim>& v, const Field<float, Dim>& phi,
                   const Boundary<Dim>& boundaries);

// m/s, that is wanted of the liquid in a step.
template <int Dim>
double fastest_control(const std::vector<Control<Dim>>& controls, const Field<float, Dim>& phi,
                       const GridTransform<Dim>& grid, const TimeSpan& step);

}  // namespace spindrift
