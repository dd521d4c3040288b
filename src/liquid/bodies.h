// SPDX-License-Identifier: Apache-2.0
// Bodies of liquid: wet cells that hang together across open faces.  Solids part them, and so does air.
//
// Each body has its own account of the volume that it should have, and its errors are corrected within it: what one
// pool has lost never appears in another.  After each move of the surface the bodies found are matched with those
// before by tracing their cells back along the flow.  Where bodies have joined, their accounts are added; where one has
// parted, its account is divided in proportion to the volumes of the parts.  A body of which nothing is left goes on as
// drops, and so does what a film lacks (break_up in escaped.h); what no drop takes is lost: counted, given to nobody.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "schemes/boundary.h"
#include "surface/level_set.h"

namespace spindrift {

// Which cells belong to which body.  Bodies are numbered from 1; 0 is none of them.
template <int Dim>
struct BodyLabels {
    std::size_t count = 0;
    // The number of the body in its wet cells, the same negative in cells within a few of it, 0 elsewhere.  Empty while
    // there is at most one body, to which everything belongs.
    Field<float, Dim> field;

    std::size_t at(Slot slot, int cell) const {
        if (field.empty()) return count;
        return static_cast<std::size_t>(std::abs(field.tile(slot)[cell]));
    }
    std::size_t at(const Index<Dim>& cell) const {
        return field.empty() ? count : static_cast<std::size_t>(std::abs(field.at(cell)));
    }
};

// The accounts, in m³ (m²).
template <int Dim>
struct LiquidBodies {
    BodyLabels<Dim> labels;
    std::vector<double> expected{0.0};  // volume that each should have, by number; [0] is always zero
    double lost = 0;                    // since the beginning: held by no body any more
};

// The bodies that there are: regions of cells nearer than half a cell to the liquid, which are those that hold some.
template <int Dim>
BodyLabels<Dim> found_bodies(const Field<float, Dim>& phi, const Boundary<Dim>& boundaries,
                             const LevelSetGrid<Dim>& grid);

// Gives the cells of the only body a label, so that others may come beside it.
template <int Dim>
void label_every_body(BodyLabels<Dim>& labels, const Field<float, Dim>& phi);

// The volume of each body in cells, by number; [0] is what lies in none.
template <int Dim>
std::vector<double> body_cells(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                               const Field<float, Dim>* room, const BodyLabels<Dim>& labels);

// A move of the surface, by which bodies are matched.
template <int Dim>
struct BodyMove {
    const FaceField<Dim>* velocity;
    double dt;
    // For each cell within one of the liquid, the label that there was where it came from; not filled in where there
    // was at most one body.
    Field<float, Dim> came_from;

    std::size_t from(const BodyLabels<Dim>& before, Slot slot, int cell) const {
        if (came_from.empty()) return before.count;
        return static_cast<std::size_t>(std::abs(came_from.tile(slot)[cell]));
    }
};
template <int Dim>
BodyMove<Dim> traced_move(const BodyLabels<Dim>& before, const Field<float, Dim>& phi, const FaceField<Dim>& velocity,
                          double dt, const LevelSetGrid<Dim>& grid);

// What became of bodies, by the number that they had.
struct BodyMatch {
    std::vector<std::size_t> heir;  // the body that has most of it now; 0 if there is none
    std::vector<double> vanished;   // m³ (m²): accounts of those without an heir
};

// Brings the accounts to the bodies found after a move, which have these volumes, in m³ (m²).  The accounts of bodies
// that vanished are returned and stand in no account any more.
template <int Dim>
BodyMatch follow(LiquidBodies<Dim>& bodies, BodyLabels<Dim> found, const std::vector<double>& volumes,
                 const BodyMove<Dim>& move, const Field<float, Dim>& phi, const Boundary<Dim>& boundaries);

// By body, what films that hold far less than they should lack beyond a step's error: they could not regain it without
// swelling into something else.  Volumes in m³ (m²).
template <int Dim>
std::vector<double> missing_from_films(const LiquidBodies<Dim>& bodies, const std::vector<double>& volumes,
                                       const Field<float, Dim>& phi, double dx);

}  // namespace spindrift
