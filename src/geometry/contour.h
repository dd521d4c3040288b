// SPDX-License-Identifier: Apache-2.0
// The surface φ = 0 of cell-centred samples as triangles, or in 2D as closed lines.
//
// Dual marching cubes [Nielson04]: a vertex for each patch of surface in each cube of eight samples, a quadrilateral
// for each crossed edge between samples, cut along its shorter diagonal.  Vertices are the mean of the patch's
// crossings, moved onto the trilinear interpolant: second order, without the slivers of marching cubes.  Where two
// cubes would be joined twice across one face, two more vertices keep the mesh manifold.  It is closed and manifold for
// any values.
//
// Liquid ends flush with what holds it: the surface is that of max(φ, -solid, box), each function interpolated by
// itself, so flat walls come out flat wherever they lie between samples, and cubes that several of them cross have
// their vertex where these meet: waterlines and edges stay sharp.  φ must go on into the solid, by extrapolation, for
// the waterline to be right; beyond the box it is extrapolated here.
//
// On periodic tiles the surface is that of one period, closed at its sides: the box must lie within it.
#pragma once

#include <optional>
#include <vector>

#include "geometry/mesh.h"
#include "grid/field.h"
#include "grid/transform.h"

namespace spindrift {

template <int Dim>
struct ContourOptions {
    // Distance to the solids on φ's tiles, negative inside (m); the liquid is cut off where it is below -overlap.
    const Field<float, Dim>* solid = nullptr;
    // m.  Some of a cell lets the liquid reach into solids that are drawn from finer geometry, with no gap between.
    float overlap = 0;
    // World space (m).  The liquid is cut off at its sides; without it φ alone decides.
    std::optional<Box<double, Dim>> box{};
    // Gives each vertex a velocity.
    const FaceField<Dim>* velocity = nullptr;
};

// Lines with the inside to their left; all of them closed.
struct Polylines {
    std::vector<Vec<float, 2>> points;
    std::vector<std::uint32_t> starts;  // the first point of each line, and at the end the number of points
    std::vector<Vec<float, 2>> normals;
    std::vector<Vec<float, 2>> velocities;  // empty when there was none to sample

    std::size_t count() const { return starts.empty() ? 0 : starts.size() - 1; }
};

// Outside its tiles φ counts as its background, which must not be negative.  Vertices and triangles are in the order of
// tiles, then cells: the same for any number of threads.
TriangleMesh contour(const Field<float, 3>& phi, const GridTransform<3>& transform,
                     const ContourOptions<3>& options = {});
Polylines contour(const Field<float, 2>& phi, const GridTransform<2>& transform, const ContourOptions<2>& options = {});

}  // namespace spindrift
