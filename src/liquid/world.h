// SPDX-License-Identifier: Apache-2.0
// What surrounds a liquid: the container, solids, forces and the fluid's constants.  Read-only during a run.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "grid/transform.h"
#include "liquid/attraction.h"
#include "liquid/control.h"
#include "liquid/sources.h"
#include "liquid/wind.h"
#include "schemes/boundary.h"
#include "schemes/forces.h"
#include "schemes/solid_force.h"

namespace spindrift {

// A solid that goes its own way.
template <int Dim>
struct MovingSolid {
    std::function<double(const Vec<double, Dim>&, double time)> distance;            // m, negative inside
    std::function<Vec<double, Dim>(const Vec<double, Dim>&, double time)> velocity;  // m/s
    // No part of it is faster than this at that time, m/s: limits the step.
    std::function<double(double time)> fastest;
};

// One of the liquids that mix.
struct LiquidComponent {
    std::string name{};
    double density = 1000;  // kg/m³
    double viscosity = 0;   // Pa·s
};

// The cells beyond an open side, from the side's plane outwards.
struct Margin {
    int axis;
    bool upper;
    int side;  // the cell whose lower face lies in the plane
};

template <int Dim>
struct World {
    GridTransform<Dim> grid;                           // origin and cell size, m
    IndexBox<Dim> domain;                              // what the scene shows, in cells
    IndexBox<Dim> box;                                 // the same with the margins of open sides
    Index<Dim> period{};                               // in tiles, 0 along axes that do not repeat
    std::array<std::array<SideKind, 2>, Dim> sides{};  // below and above along each axis; no-slip ones are prescribed

    // Signed distance to the solids that stand still, m, negative inside; empty when there are none.
    std::function<double(const Vec<double, Dim>&)> solid_distance;
    bool solid_slip = true;  // all of them, moving ones too
    // Only where some slip and others do not: whether the nearest one does.
    std::function<bool(const Vec<double, Dim>&, double time)> solid_slips_at;
    std::vector<MovingSolid<Dim>> moving_solids;
    NamedSolids<Dim> named_solids;  // forces on these are reported

    std::vector<LiquidSource<Dim>> sources;
    std::vector<LiquidSink<Dim>> sinks;
    std::vector<Margin> outlets;  // margins through which liquid leaves
    std::vector<Wind<Dim>> winds;

    std::function<Vec<double, Dim>(double time)> gravity;  // m/s²
    std::vector<Force<Dim>> forces;                        // besides
    std::vector<Control<Dim>> controls;
    std::vector<Attraction<Dim>> attractions;
    double density = 1000;       // kg/m³
    double viscosity = 0;        // Pa·s
    double surface_tension = 0;  // N/m
    // Of a mixture, see mixture.h: the first is the liquid that is described above.  Empty: there is but one.
    std::vector<LiquidComponent> components{};

    // No moving solid is faster at this time, m/s.
    double fastest_solid(double time) const {
        double speed = 0;
        for (const MovingSolid<Dim>& solid : moving_solids) speed = std::max(speed, solid.fastest(time));
        return speed;
    }
};

// The solids at this time, moving ones too; empty when there are none.
template <int Dim>
std::function<double(const Vec<double, Dim>&)> solids_at(const World<Dim>& world, double time);

template <int Dim>
bool has_solids(const World<Dim>& world) {
    return static_cast<bool>(world.solid_distance) || !world.moving_solids.empty();
}

// The box with no walls along axes that repeat.
template <int Dim>
IndexBox<Dim> walled_box(const World<Dim>& world);

// The box without the margins beyond open sides and the last cells before them.
template <int Dim>
IndexBox<Dim> box_between_outlets(const World<Dim>& world);

// Lets liquid out through a side: it flows on into a margin of cells beyond, where it is taken away.
template <int Dim>
void open_side(World<Dim>& world, int axis, bool upper);

// Ends the sources where open sides are: what one would let out beyond is not in the world.
template <int Dim>
void end_sources_at_outlets(World<Dim>& world);

// Lets liquid in through a side, below `level` (m, along the axis `up`; everywhere when empty): the margin beyond is a
// source, and above the level a wall.
template <int Dim>
void let_in(World<Dim>& world, int axis, bool upper,
            std::function<Vec<double, Dim>(const Vec<double, Dim>&, double time)> velocity,
            std::function<double(double time)> level, int up);

// In the margins of open sides: straight out, as fast as through the side, so that what has left keeps its volume until
// it is counted and taken away.
template <int Dim>
void lead_out(FaceField<Dim>& velocity, const World<Dim>& world);

// All that moves by itself at this time: solids, and the mouths of sources that are on.
template <int Dim>
std::vector<MovingPart<Dim>> moving_parts(const World<Dim>& world, double time);

}  // namespace spindrift
