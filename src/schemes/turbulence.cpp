// SPDX-License-Identifier: Apache-2.0
#include "schemes/turbulence.h"

#include <cmath>

#include "base/random.h"

namespace spindrift {
namespace {

constexpr Purpose kNoise{"gas noise"};  // part of what a seed gives, in liquids too

// Points of the lattice around a tile, beyond which noise is so fine that faces share none.
constexpr double kMostPoints = 2000;

double smooth(double t) { return t * t * (3 - 2 * t); }

// The vector at a point of the lattice.
template <int Dim>
Vec<double, Dim> vector_at(const Vec<std::int64_t, Dim>& point, std::int64_t when, std::uint64_t seed) {
    std::uint64_t id = 0;
    for (int a = 0; a < Dim; ++a) id = id << 21 | (static_cast<std::uint32_t>(point[a]) & 0x1fffffU);
    Random rng(seed, id, static_cast<std::uint32_t>(when), kNoise);
    Vec<double, Dim> v;
    for (int a = 0; a < Dim; ++a) v[a] = double{rng.uniform(-1, 1)};
    return v;
}

}  // namespace

template <int Dim>
Vec<double, Dim> vector_noise(const Vec<double, Dim>& place, double time, std::uint64_t seed) {
    Vec<double, Dim> sum{};
    for (unsigned corner = 0; corner < (1U << (Dim + 1)); ++corner) {
        double weight = 1;
        const auto join = [&](double x, int axis) {
            const double below = std::floor(x);
            const bool up = (corner >> axis & 1U) != 0;
            const double t = smooth(x - below);
            weight *= up ? t : 1 - t;
            return static_cast<std::int64_t>(below) + (up ? 1 : 0);
        };
        Vec<std::int64_t, Dim> point;
        for (int a = 0; a < Dim; ++a) point[a] = join(place[a], a);
        const std::int64_t when = join(time, Dim);
        if (weight != 0) sum += vector_at<Dim>(point, when, seed) * weight;
    }
    return sum;
}

template <int Dim>
TurbulenceOnTile<Dim>::TurbulenceOnTile(const Turbulence& force, const GridTransform<Dim>& grid, double time)
    : force_(force), grid_(grid), time_(time), strength_(force.strength(time)) {}

template <int Dim>
void TurbulenceOnTile<Dim>::begin(const Index<Dim>& tile_origin) {
    origin_ = tile_origin;
    vectors_.clear();
    const Vec<double, Dim> first = grid_.world_from_cell(Vec<double, Dim>(origin_)) / force_.size;
    const double cell = grid_.dx / force_.size;
    if (std::pow(kTileSide * cell + 2, Dim) > kMostPoints) return;

    // Where faces and centres lie between points.
    Vec<std::int64_t, Dim> lowest;
    for (int a = 0; a < Dim; ++a) {
        lowest[a] = static_cast<std::int64_t>(std::floor(first[a]));
        const auto place = [&](Between& between, double stagger) {
            for (int n = 0; n < kTileSide; ++n) {
                const double x = first[a] + (n + stagger) * cell, below = std::floor(x);
                between.below[n] = static_cast<int>(static_cast<std::int64_t>(below) - lowest[a]);
                between.share[n] = smooth(x - below);
            }
        };
        place(on_faces_[a], 0);
        place(on_centres_[a], 0.5);
        points_.hi[a] = on_centres_[a].below[kTileSide - 1] + 2;
    }

    // The vectors there, joined in time.
    const double now = time_ * force_.frequency, before = std::floor(now), share = smooth(now - before);
    const auto when = static_cast<std::int64_t>(before);
    for_each_index(points_, [&](const Index<Dim>& n) {
        Vec<std::int64_t, Dim> point = lowest;
        for (int a = 0; a < Dim; ++a) point[a] += n[a];
        vectors_.push_back(vector_at<Dim>(point, when, force_.seed) * (1 - share) +
                           vector_at<Dim>(point, when + 1, force_.seed) * share);
    });
}

template <int Dim>
void TurbulenceOnTile<Dim>::find(int axis, float* out) const {
    if (!vectors_.empty()) return join_faces(axis, out);
    for (int n = 0; n < kTileCells<Dim>; ++n) {
        const Vec<double, Dim> x = grid_.world_of_face(axis, origin_ + cell_in_tile<Dim>(n));
        out[n] = static_cast<float>(force_.at(x, time_)[axis]);
    }
}

// Axis by axis: a layer of faces lies between few points, and so does a row of it.
template <int Dim>
void TurbulenceOnTile<Dim>::join_faces(int axis, float* out) const {
    const auto along = [&](int a) -> const Between& { return a == axis ? on_faces_[a] : on_centres_[a]; };
    const auto between = [](double a, double b, double share) { return a + share * (b - a); };
    const int count = points_.hi[Dim - 1], plane = count * points_.hi[Dim - 2];
    const auto vector = [&](int at) { return strength_ * vectors_[static_cast<std::size_t>(at)][axis]; };
    const Between &second = along(Dim - 2), &last = along(Dim - 1);
    std::vector<double> layer(static_cast<std::size_t>(plane)), line(static_cast<std::size_t>(count));
    for (int i = 0; i < kTileCells<Dim> / (kTileSide * kTileSide); ++i) {
        for (int n = 0; n < plane; ++n) {
            const int at = Dim == 3 ? along(0).below[i] * plane + n : n;
            layer[static_cast<std::size_t>(n)] =
                Dim == 3 ? between(vector(at), vector(at + plane), along(0).share[i]) : vector(at);
        }
        for (int j = 0; j < kTileSide; ++j) {
            const double* points = layer.data() + second.below[j] * count;
            for (int k = 0; k < count; ++k)
                line[static_cast<std::size_t>(k)] = between(points[k], points[k + count], second.share[j]);
            float* row = out + (i * kTileSide + j) * kTileSide;
            for (int k = 0; k < kTileSide; ++k) {
                const double* ends = line.data() + last.below[k];
                row[k] = static_cast<float>(between(ends[0], ends[1], last.share[k]));
            }
        }
    }
}

#define INSTANTIATE(Dim)                                                                    \
    template Vec<double, Dim> vector_noise(const Vec<double, Dim>&, double, std::uint64_t); \
    template class TurbulenceOnTile<Dim>;
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
