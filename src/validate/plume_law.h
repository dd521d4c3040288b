// SPDX-License-Identifier: Apache-2.0
// What passes through the levels of a plume, in the mean over time and around its axis:
//   volume Q = ∫ w dA,   momentum M = ∫ w² dA,   buoyancy F = ∫ w g' dA
// The plume with the same fluxes whose speed and buoyancy are even all across it ("top hat") has
//   radius b = Q / √(π M),   speed w = M / Q,   buoyancy g' = F / Q,
// takes in air by its entrainment a,  dQ/dz = 2π a b w,  and far from its source follows  [MortonTaylorTurner56]
//   b = (6 a / 5) z,   w ~ z^−⅓,   g' ~ z^−5/3,   Q ~ z^5/3,   F the same everywhere,
// where z begins at a virtual origin near the source.
#pragma once

#include <vector>

#include "gas/state.h"
#include "grid/transform.h"

namespace spindrift {

struct PlumeLevel {
    double height = 0;    // m
    double volume = 0;    // m³/s
    double momentum = 0;  // m⁴/s²
    double buoyancy = 0;  // m⁴/s³
};

// M^¾ / F^½, over which buoyancy gives a plume as much momentum as it was let out with.
// It is a jet at first and forgets that after five of these lengths  [PapanicolaouList88].
double momentum_length(const PlumeLevel& level);

// Γ = 5 Q² F / (8 √π a M^{5/2}) with the entrainment a: 1 in a plume, less in a jet, more where it is too slow for what
// lifts it  [HuntKaye05].
double plume_parameter(const PlumeLevel& level, double entrainment);

// Means on rings as wide as a cell around a vertical axis (y).
class PlumeMean {
  public:
    // The axis goes through a point in the middle of the box.
    PlumeMean(const GridTransform<3>& grid, const Index<3>& cells);

    // Of what the gas is now: its speed upwards and its first substance, which is the buoyancy.
    void add(const GasState<3>& gas);

    // Between two heights.  The plume ends where the speed is less than a small part of the fastest on the level.
    std::vector<PlumeLevel> levels(double from, double to) const;

  private:
    struct Ring {
        double cells = 0, speed = 0, flux = 0;  // sums over times and cells
    };
    GridTransform<3> grid_;
    Index<3> cells_;
    int ring_count_;
    std::vector<int> ring_of_;  // by x and z
    std::vector<Ring> rings_;   // by level and distance
    int times_ = 0;
};

struct PlumeLaw {
    double origin = 0;  // m: where Q^⅗, which should grow evenly with height, would be 0
    // Exponents over the height above it.
    double radius = 0, speed = 0, buoyancy = 0, buoyancy_flux = 0;
    double entrainment = 0;
};
PlumeLaw plume_law(const std::vector<PlumeLevel>& levels);

}  // namespace spindrift
