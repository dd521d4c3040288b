// SPDX-License-Identifier: Apache-2.0
// A liquid as the marker particles in it [HarlowWelch65, FM96 §4.1]: cells with a marker hold liquid.  Markers have no
// mass; each remembers the volume that it was seeded for, by which pictures and measures know how full a cell is.
//
// A place is counted in cells from the middle of the box, so that the mirror image of a marker is its negative, and
// what is computed from mirrored markers in a mirrored flow is mirrored bit by bit.
#pragma once

#include <cstdint>
#include <functional>

#include "grid/cell_flow.h"
#include "grid/transform.h"
#include "particles/particle_list.h"

namespace spindrift {

// Places in cells, from the middle of the box, and as attribute the volume of each, in cells.
template <int Dim>
struct Markers : ParticleList<Dim> {
    double owed = 0;  // markers of inflows that are due, less than one

    Markers() { this->add_attribute("volume", 1); }
    void add(const Vec<double, Dim>& at, double volume) {
        ParticleList<Dim>::add(at, this->next_id++);
        volumes().back() = volume;
    }
    CountedVector<double>& volumes() { return this->attributes[0].component[0]; }
    const CountedVector<double>& volumes() const { return this->attributes[0].component[0]; }
};

// Where places are counted from, in cells.
template <int Dim>
Vec<double, Dim> middle_of(const IndexBox<Dim>& box) {
    return (Vec<double, Dim>(box.lo) + Vec<double, Dim>(box.hi)) * 0.5;
}

// A lattice of `across` markers along each axis of a cell, in all cells that are no walls, where `distance` (m, world
// positions) is negative.
template <int Dim>
void seed(Markers<Dim>& markers, const CellFlow<Dim>& flow, const GridTransform<Dim>& grid, int across,
          const std::function<double(const Vec<double, Dim>&)>& distance);

// Velocities by area weighting, that is linear between faces, at places counted in cells from the middle of the box.
template <int Dim>
class AreaWeighting {
  public:
    explicit AreaWeighting(const CellFlow<Dim>& flow) : flow_(flow), middle_(middle_of(flow.box)) {}
    Vec<double, Dim> operator()(const Vec<double, Dim>& place) const;

  private:
    const CellFlow<Dim>& flow_;
    Vec<double, Dim> middle_;
};

// The cell that a place lies in.
template <int Dim>
Index<Dim> cell_of(const Vec<double, Dim>& place, const IndexBox<Dim>& box);

// Where the flow brings a place in dt (m/s and cells of flow.dx), by the trapezoidal rule.  It stays out of walls.
template <int Dim>
Vec<double, Dim> moved(const Vec<double, Dim>& place, const AreaWeighting<Dim>& velocity, const CellFlow<Dim>& flow,
                       double dt);

struct MarkerReport {
    double flowed_out = 0;  // cells, removed in outflows and in inflow cells that draw liquid in
    double flowed_in = 0;   // cells, put in by inflows
    std::size_t added = 0, removed = 0;
};

// Moves all markers, and removes those that come into outflow or inflow cells.
template <int Dim>
MarkerReport move(Markers<Dim>& markers, const CellFlow<Dim>& flow, double dt);

// Puts markers into what has come through the faces of inflow cells in dt: one for each 1 / `per_cell` cells, or
// `per_second`, where that is not 0.
template <int Dim>
MarkerReport emit(Markers<Dim>& markers, const CellFlow<Dim>& flow, double dt, int per_cell, double per_second,
                  std::uint64_t seed, std::uint32_t step);

// Cells with a marker become liquid, all others that are no walls, inflows or outflows empty.  Returns the volume of
// the liquid, in cells: full ones, and the part of surface cells that their markers were seeded for.
template <int Dim>
double label_cells(CellFlow<Dim>& flow, const Markers<Dim>& markers);

// The part of each cell that is liquid: the volumes of the markers near its centre, with weights that fall off linearly
// to zero one cell away.  Inflow cells are full, and full cells at least three quarters so.
template <int Dim>
Dense<double, Dim> liquid_part(const CellFlow<Dim>& flow, const Markers<Dim>& markers);

}  // namespace spindrift
