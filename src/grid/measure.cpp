// SPDX-License-Identifier: Apache-2.0
#include "grid/measure.h"

#include <cmath>
#include <limits>

namespace spindrift {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct Extremes {
    float least, greatest;
};

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "grid/measure.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

// Values handed to a thread at a time, in floats.
template <int Dim>
constexpr std::size_t kGrain = kTilesPerBlock<Dim>* kTileCells<Dim>;

// The largest of measure(extremes) over all runs, NaN when there is one.
template <int Dim, class Measure>
float largest(const Field<float, Dim>& field, float floor, Measure&& measure) {
    const float* values = field.values().data();
    return parallel_max(field.values().size(), kGrain<Dim>, floor, [&](std::size_t begin, std::size_t end) {
        return measure(SPINDRIFT_PICK(extremes_of_rows)(values + begin, end - begin));
    });
}

}  // namespace

template <int Dim>
double sum(const Field<float, Dim>& field) {
    const float* values = field.values().data();
    return parallel_sum(field.values().size(), kGrain<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        return SPINDRIFT_PICK(sum_rows)(values + begin, end - begin);
    });
}

template <int Dim>
double inner_product(const Field<float, Dim>& a, const Field<float, Dim>& b) {
    check_same_tiles("inner_product", "left", a.tiles(), "right", b.tiles());
    const float* left = a.values().data();
    const float* right = b.values().data();
    return parallel_sum(a.values().size(), kGrain<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        return SPINDRIFT_PICK(dot_rows)(left + begin, right + begin, end - begin);
    });
}

template <int Dim>
double l2_norm(const Field<float, Dim>& field) {
    return std::sqrt(inner_product(field, field));
}

template <int Dim>
float max_abs(const Field<float, Dim>& field) {
    return largest(field, 0.0F, [](const Extremes& e) { return std::max(-e.least, e.greatest); });
}
template <int Dim>
float minimum(const Field<float, Dim>& field) {
    return -largest(field, -kInfinity, [](const Extremes& e) { return -e.least; });
}
template <int Dim>
float maximum(const Field<float, Dim>& field) {
    return largest(field, -kInfinity, [](const Extremes& e) { return e.greatest; });
}

template <int Dim>
std::size_t count_nonfinite(const Field<float, Dim>& field) {
    const float* values = field.values().data();
    return parallel_sum(field.values().size(), kGrain<Dim>, std::size_t{0}, [&](std::size_t begin, std::size_t end) {
        return SPINDRIFT_PICK(count_nonfinite_rows)(values + begin, end - begin);
    });
}

#define SPINDRIFT_INSTANTIATE(Dim)                                                     \
    template double sum(const Field<float, Dim>&);                                     \
    template double inner_product(const Field<float, Dim>&, const Field<float, Dim>&); \
    template double l2_norm(const Field<float, Dim>&);                                 \
    template float max_abs(const Field<float, Dim>&);                                  \
    template float minimum(const Field<float, Dim>&);                                  \
    template float maximum(const Field<float, Dim>&);                                  \
    template std::size_t count_nonfinite(const Field<float, Dim>&);
SPINDRIFT_INSTANTIATE(2)
SPINDRIFT_INSTANTIATE(3)
#undef SPINDRIFT_INSTANTIATE

}  // namespace spindrift
