// SPDX-License-Identifier: Apache-2.0
#include "grid/plane_fraction.h"

#include <algorithm>
#include <cmath>

namespace spindrift {

template <int Dim>
double fraction_below(double phi, Vec<double, Dim> gradient) {
    double sum = 0;
    for (int a = 0; a < Dim; ++a) sum += std::abs(gradient[a]);
    if (!(sum > 0)) return phi < 0 ? 1 : 0;
    // Unit weights m with m·x < alpha; none so small that the formula loses its digits.
    constexpr double kSmallest = 1e-5;
    Vec<double, Dim> m;
    double total = 0;
    for (int a = 0; a < Dim; ++a) total += m[a] = std::max(std::abs(gradient[a]) / sum, kSmallest);
    m = m / total;
    const double alpha = 0.5 - phi / sum;
    if (alpha <= 0) return 0;
    if (alpha >= 1) return 1;
    // Inclusion and exclusion of the corners that the plane has passed.
    double volume = 0, factor = 1;
    for (int corner = 0; corner < (1 << Dim); ++corner) {
        double left = alpha;
        int sign = 1;
        for (int a = 0; a < Dim; ++a)
            if ((corner >> a & 1) != 0) {
                left -= m[a];
                sign = -sign;
            }
        if (left > 0) volume += sign * left * left * (Dim == 3 ? left : 1);
    }
    for (int a = 0; a < Dim; ++a) factor *= m[a] * (a + 1);
    return std::clamp(volume / factor, 0.0, 1.0);
}

template double fraction_below(double, Vec<double, 2>);
template double fraction_below(double, Vec<double, 3>);

}  // namespace spindrift
