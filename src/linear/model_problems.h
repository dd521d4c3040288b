// SPDX-License-Identifier: Apache-2.0
// Poisson problems of the shape that animation meets, for tests and benchmarks.
#pragma once

#include "grid/field.h"

namespace spindrift {

template <int Dim>
struct ModelProblem {
    IndexBox<Dim> box;             // the container, in cells
    Field<float, Dim> level;       // in cells, negative in the liquid
    FaceField<Dim> open;           // open fraction of each face
    Field<float, Dim> right_side;  // smooth, so that all wavelengths down to the box take part
};

enum class Obstacle { none, sphere };  // the sphere lies in the liquid and cuts faces

// A dam that has begun to break: a closed box of n cells a side, deep on one side, with waves on its surface; the
// surface cuts between cell centres (`sub_cell`), or cells are either full or empty.
template <int Dim>
ModelProblem<Dim> dam_problem(int n, Obstacle obstacle = Obstacle::sphere, bool sub_cell = true);

// A still pool that fills a fraction of the box from below.
template <int Dim>
ModelProblem<Dim> pool_problem(int n, double fraction);

// The whole box is liquid and closed: nothing holds the pressure.
template <int Dim>
ModelProblem<Dim> closed_problem(int n, Obstacle obstacle = Obstacle::sphere);

// The whole box is liquid with p = 0 on the cells around it.
template <int Dim>
ModelProblem<Dim> full_problem(int n);

}  // namespace spindrift
