// SPDX-License-Identifier: Apache-2.0
// Preconditioned conjugate gradients, with no grid in it.
//
// A Space knows its vectors and offers, each in one pass over memory:
//   apply(q, p)                   q = A p, returns p·q
//   precondition(z, r)            z ≈ A⁻¹ r, returns r·z
//   advance(x, r, alpha, p, q)    x += alpha p, r −= alpha q, returns r·r
//   turn(p, z, beta)              p = z + beta p
#pragma once

#include <cmath>

namespace spindrift {

struct KrylovResult {
    int iterations = 0;
    double residual_squared = 0;  // of the recurrence
    bool broke_down = false;      // A or the preconditioner is not positive definite, or a number is not finite
};

// x and its residual r are advanced until r·r <= target or the iterations are used up.
template <class Vector, class Space>
KrylovResult conjugate_gradients(Space& space, Vector& x, Vector& r, Vector& p, Vector& z, Vector& q, double target,
                                 int max_iterations) {
    KrylovResult result;
    double rz_before = 0;
    while (result.iterations < max_iterations) {
        const double rz = space.precondition(z, r);
        space.turn(p, z, result.iterations == 0 ? 0.0 : rz / rz_before);
        rz_before = rz;

        const double pq = space.apply(q, p);
        if (!(rz > 0) || !(pq > 0) || !std::isfinite(rz / pq)) {
            result.broke_down = true;
            break;
        }
        result.residual_squared = space.advance(x, r, rz / pq, p, q);
        ++result.iterations;
        if (result.residual_squared <= target) break;
    }
    return result;
}

}  // namespace spindrift
