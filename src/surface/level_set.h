// SPDX-License-Identifier: Apache-2.0
// A surface as the zero of its signed distance φ, kept on tiles in a band around it.
//
//   φ_t + u·∇φ = 0           semi-Lagrangian [Enright05], with paths of third order and weighted cubic interpolation
//   φ_τ = S(φ)(1 − |∇φ|)     back to a distance, by fifth-order WENO in Hamilton–Jacobi form [JiangPeng00]; cells next
//                            to the surface are pulled towards the ratio of φ on both sides that says where it crosses,
//                            so that it does not move [Hartmann10, HCR-2]
//
// At the container's walls φ is mirrored, so the surface meets them at a right angle.
#pragma once

#include <vector>

#include "grid/field.h"

namespace spindrift {

template <int Dim>
struct LevelSetGrid {
    double dx;          // m
    IndexBox<Dim> box;  // the container, in cells
    int band;           // cells on each side of the surface in which φ is a distance; beyond it is ± band · dx
};

// How fast a surface is, m/s, by velocities at cell centres; NaN where a velocity is.
struct SurfaceSpeed {
    double axis_sum = 0;  // Σ|u| over the axes, the largest within the band
    double liquid = 0;    // |u|, the largest in the liquid
};
template <int Dim>
SurfaceSpeed surface_speed(const Field<float, Dim>& phi, const FaceField<Dim>& velocity, const LevelSetGrid<Dim>& grid);

// Cells along each axis that paths of φ lead at most.  Longer ones are cut off: the liquid must be slower, and air that
// is squeezed out of gaps may be faster, but has no volume to be kept.
constexpr float kLongestPath = 6;

// A step of the surface, φ(x) = φ_before(p(x)), where p(x) is the place from which the flow brings x, traced as
// particles are (particles/move.h).  Between cells φ_before is cubic, or a parabola on the smoother side of a kink.
// Cells that stay farther from the surface than redistance() asks for keep their values: it comes next.
template <int Dim>
void advect_level_set(Field<float, Dim>& phi, const FaceField<Dim>& velocity, double dt, const LevelSetGrid<Dim>& grid);

// Cells from the surface within which redistancing is of high order; farther away first order will do.
constexpr double kAccurateCells = 4.5;

// Makes φ a distance again in the whole band.
template <int Dim>
void redistance(Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid);

// The tiles φ needs: those with liquid, or within the band of the surface.  The same set when nothing changes.
template <int Dim>
TilesPtr<Dim> tiles_for(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid);

// The fraction of each cell below the surface, taken as a plane through it, summed over the container; in cells.
// `room` is the part of each cell that is not solid, where given.
template <int Dim>
double liquid_cells(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                    const Field<float, Dim>* room = nullptr);

// The same of each cell.
template <int Dim>
Field<float, Dim> liquid_parts(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                               const Field<float, Dim>* room = nullptr);

// The same sum by the magnitude of each cell's label, a whole number from 0 to `count`.
template <int Dim>
std::vector<double> liquid_cells_by_label(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                                          const Field<float, Dim>* room, const Field<float, Dim>& label,
                                          std::size_t count);

}  // namespace spindrift
