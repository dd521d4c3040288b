// SPDX-License-Identifier: Apache-2.0
// What a linear solve did, whichever solver did it.
#pragma once

#include <cstddef>
#include <string>

namespace spindrift {

struct [[nodiscard]] SolveReport {
    bool converged = false;
    int iterations = 0;  // 0 for a direct solve
    double residual =
        0;  // ‖b − A x‖ / ‖b‖ in the 2-norm as the solver reckons it, what convergence is judged by; 0 when b is 0
    // The same for x as it is stored.  Single precision keeps it above about ε ‖A‖ ‖x‖ / ‖b‖, however well x was solved
    // for.
    double measured_residual = 0;
    double seconds = 0;
    // Regions tied to no fixed value, whose right side had its mean removed so that a solution exists.
    std::size_t regions_made_compatible = 0;
    std::string failure{};  // empty when there is none, e.g. "the right side is nan at cell (3, 4, 5)"
};

}  // namespace spindrift
