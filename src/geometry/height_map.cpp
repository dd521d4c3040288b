// SPDX-License-Identifier: Apache-2.0
#include "geometry/height_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "base/check.h"

namespace spindrift {
namespace {

// Between the middle two of four: the cubic of Catmull and Rom, which may not overshoot.
double between(const std::array<double, 4>& p, double s) {
    const double slope = 0.5 * (p[2] - p[0]), square = p[0] - 2.5 * p[1] + 2 * p[2] - 0.5 * p[3];
    const double value = p[1] + s * (slope + s * (square + s * (0.5 * (p[3] - p[0]) + 1.5 * (p[1] - p[2]))));
    return std::clamp(value, std::min(p[1], p[2]), std::max(p[1], p[2]));
}

// At a place in [0, 1] among `count` samples, which go straight on beyond the ends.
template <class Sample>
double along(int count, double place, Sample&& sample) {
    if (count == 1) return sample(0);
    const double x = std::fmin(std::fmax(place, 0.0), 1.0) * (count - 1);  // 0 for what is no number
    const int n = std::min(static_cast<int>(x), count - 2);
    const double lower = sample(n), upper = sample(n + 1);
    const double below = n > 0 ? sample(n - 1) : 2 * lower - upper;
    const double above = n + 2 < count ? sample(n + 2) : 2 * upper - lower;
    return between({below, lower, upper, above}, x - n);
}

// The integral of straight lines between samples up to each of them.
std::vector<double> integral(const float* values, std::size_t stride, int count) {
    std::vector<double> sum(static_cast<std::size_t>(count));
    for (std::size_t n = 1; n < sum.size(); ++n)
        sum[n] = sum[n - 1] + 0.5 * (double{values[(n - 1) * stride]} + double{values[n * stride]});
    return sum;
}

// One line of samples, `stride` apart, onto fewer.
void smooth_line(float* to, std::size_t to_stride, int to_count, const float* from, std::size_t stride, int count) {
    const std::vector<double> sum = integral(from, stride, count);
    const auto upto = [&](double x) {
        const int n = std::min(static_cast<int>(x), count - 2);
        const double s = x - n, a = from[static_cast<std::size_t>(n) * stride];
        const double b = from[static_cast<std::size_t>(n + 1) * stride];
        return sum[static_cast<std::size_t>(n)] + s * (a + 0.5 * s * (b - a));
    };
    const double spacing = static_cast<double>(count - 1) / (to_count - 1);
    for (int n = 0; n < to_count; ++n) {
        const double x = n * spacing, reach = std::min({0.5 * spacing, x, count - 1 - x});
        float& value = to[static_cast<std::size_t>(n) * to_stride];
        if (n == 0 || n + 1 == to_count)
            value = from[n == 0 ? 0 : static_cast<std::size_t>(count - 1) * stride];
        else
            value = static_cast<float>((upto(x + reach) - upto(x - reach)) / (2 * reach));
    }
}

}  // namespace

double HeightMap::at(double u, double v) const {
    return along(rows, v, [&](int row) {
        const float* line = values.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(columns);
        return along(columns, u, [&](int n) { return double{line[n]}; });
    });
}

HeightMap smoothed(const HeightMap& map, int columns, int rows) {
    CHECK(
        columns <= map.columns && rows <= map.rows && (columns > 1 || map.columns == 1) && (rows > 1 || map.rows == 1),
        "{} × {} heights from {} × {}", columns, rows, map.columns, map.rows);
    HeightMap narrow = map;
    const auto width = static_cast<std::size_t>(map.columns), less = static_cast<std::size_t>(columns);
    if (columns < map.columns) {
        narrow = {columns, map.rows, std::vector<float>(less * static_cast<std::size_t>(map.rows))};
        for (std::size_t row = 0; row < static_cast<std::size_t>(map.rows); ++row)
            smooth_line(&narrow.values[row * less], 1, columns, &map.values[row * width], 1, map.columns);
    }
    if (rows == map.rows) return narrow;
    HeightMap low{columns, rows, std::vector<float>(less * static_cast<std::size_t>(rows))};
    for (std::size_t column = 0; column < less; ++column)
        smooth_line(&low.values[column], less, rows, &narrow.values[column], less, map.rows);
    return low;
}

}  // namespace spindrift
