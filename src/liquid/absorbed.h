// SPDX-License-Identifier: Apache-2.0
// Drops and air that the liquid has absorbed, both too fine for the grid.  Where a drop went in, the liquid grows by
// its volume; where air went under, it shrinks by the volume that it gained when the surface closed over the air.
//
// In a single step that would be a blow, the harder the shorter the step.  The growth is spread over a time T instead,
// with a smooth start and end, so that the pressure it needs does not depend on the step:  at the age t the part
//
//   s² (3 − 2s),   s = t / T,   T = 0.01 s
//
// of it is done.  The pressure solve gives the velocity the divergence that this needs, and the age advances with the
// surface, which that velocity moves: what is pending is what the surface does not show yet.
#pragma once

#include <vector>

#include "base/vec.h"
#include "grid/field.h"
#include "liquid/bodies.h"

namespace spindrift {

template <int Dim>
struct Absorbed {
    Vec<double, Dim> place;  // cells
    double volume = 0;       // m³ (m²), of a drop; of air, negative
    double age = 0;          // s

    Index<Dim> cell() const;
    double pending() const;          // m³ (m²): by how much the liquid is still to grow,
    double growth(double dt) const;  // and by how much in the next dt
};

template <int Dim>
double pending_volume(const std::vector<Absorbed<Dim>>& absorbed);
// The same by body.
template <int Dim>
std::vector<double> pending_volume(const std::vector<Absorbed<Dim>>& absorbed, const BodyLabels<Dim>& labels);

// Adds what makes room for it over the dt to come to the divergence of liquid cells, 1/s.
template <int Dim>
void add_expansion(Field<float, Dim>& expansion, const std::vector<Absorbed<Dim>>& absorbed,
                   const Field<float, Dim>& phi, double cell_volume, double dt);

// Moves with the flow for dt.
template <int Dim>
void advect(std::vector<Absorbed<Dim>>& absorbed, const FaceField<Dim>& velocity, double dt, double dx);

// Removes what is done, and what is not in the liquid any more: its body's account makes up for that.
template <int Dim>
void remove_done(std::vector<Absorbed<Dim>>& absorbed, const Field<float, Dim>& phi);

}  // namespace spindrift
