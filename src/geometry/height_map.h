// SPDX-License-Identifier: Apache-2.0
// Heights on a regular lattice, as a picture has them: 0 to 1 over the unit square, its first and last samples on the
// square's sides.
#pragma once

#include <vector>

namespace spindrift {

struct HeightMap {
    int columns = 0, rows = 0;
    std::vector<float> values{};  // row by row

    // Smooth between the samples and nowhere beyond the two beside the place; beyond the square, the height at its
    // side. A single row is the same for each v.
    double at(double u, double v) const;
};

// On a coarser lattice: each sample is the mean of the heights around it, as far as half way to the next ones.  A slope
// stays what it is.
HeightMap smoothed(const HeightMap& map, int columns, int rows);

}  // namespace spindrift
