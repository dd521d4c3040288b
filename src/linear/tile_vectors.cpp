// SPDX-License-Identifier: Apache-2.0
#include "linear/tile_vectors.h"

#define SPINDRIFT_KERNEL_FILE "linear/tile_vectors.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

// Ranges of values that are whole tiles: fixed blocks, as everywhere.
template <int Dim>
constexpr std::size_t kGrain = kTilesPerBlock<Dim>* kTileCells<Dim>;

}  // namespace

template <int Dim>
double dot(const Field<float, Dim>& a, const Field<float, Dim>& b) {
    check_same_tiles("dot", "the left field", a.tiles(), "the right field", b.tiles());
    return parallel_sum(a.values().size(), kGrain<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        return SPINDRIFT_PICK(dot_rows)(a.tile(0) + begin, b.tile(0) + begin, end - begin);
    });
}

template <int Dim>
void axpby(Field<float, Dim>& y, float a, const Field<float, Dim>& x, float b) {
    check_same_tiles("axpby", "y", y.tiles(), "x", x.tiles());
    parallel_ranges(y.values().size(), kGrain<Dim>, [&](std::size_t begin, std::size_t end) {
        SPINDRIFT_PICK(axpby_rows)(y.tile(0) + begin, a, x.tile(0) + begin, b, end - begin);
    });
}

template <int Dim>
void copy(Field<float, Dim>& to, const Field<float, Dim>& from) {
    check_same_tiles("copy", "to", to.tiles(), "from", from.tiles());
    parallel_ranges(to.values().size(), kGrain<Dim>, [&](std::size_t begin, std::size_t end) {
        std::copy_n(from.tile(0) + begin, end - begin, to.tile(0) + begin);
    });
}

template <int Dim>
double advance_pair(Field<float, Dim>& x, Field<float, Dim>& r, float alpha, const Field<float, Dim>& p,
                    const Field<float, Dim>& q) {
    check_same_tiles("advance_pair", "x", x.tiles(), "r", r.tiles());
    check_same_tiles("advance_pair", "x", x.tiles(), "p", p.tiles());
    check_same_tiles("advance_pair", "x", x.tiles(), "q", q.tiles());
    return parallel_sum(x.values().size(), kGrain<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        return SPINDRIFT_PICK(advance_rows)(x.tile(0) + begin, r.tile(0) + begin, alpha, p.tile(0) + begin,
                                            q.tile(0) + begin, end - begin);
    });
}

#define INSTANTIATE(Dim)                                                                                  \
    template double dot(const Field<float, Dim>&, const Field<float, Dim>&);                              \
    template void axpby(Field<float, Dim>&, float, const Field<float, Dim>&, float);                      \
    template void copy(Field<float, Dim>&, const Field<float, Dim>&);                                     \
    template double advance_pair(Field<float, Dim>&, Field<float, Dim>&, float, const Field<float, Dim>&, \
                                 const Field<float, Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
