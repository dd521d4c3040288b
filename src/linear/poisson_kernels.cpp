// SPDX-License-Identifier: Apache-2.0
#include "linear/poisson.h"

#define SPINDRIFT_KERNEL_FILE "linear/poisson_kernels.inl"
#include "base/each_instruction_set.h"

namespace spindrift {

template <int Dim>
double PoissonOperator<Dim>::apply(Field<float, Dim>& y, const Field<float, Dim>& x) const {
    check_same_tiles("apply", "the operator", tiles(), "x", x.tiles());
    check_same_tiles("apply", "the operator", tiles(), "y", y.tiles());
    return parallel_sum(tiles().count(), kTilesPerBlock<Dim>, 0.0, [&, a = view()](std::size_t begin, std::size_t end) {
        return SPINDRIFT_PICK(apply_tiles<Dim>)(a, y.tile(0), x.tile(0), begin, end);
    });
}

template <int Dim>
double PoissonOperator<Dim>::residual(Field<float, Dim>& r, const Field<float, Dim>& b,
                                      const Field<float, Dim>& x) const {
    check_same_tiles("residual", "the operator", tiles(), "x", x.tiles());
    check_same_tiles("residual", "the operator", tiles(), "b", b.tiles());
    check_same_tiles("residual", "the operator", tiles(), "r", r.tiles());
    return parallel_sum(tiles().count(), kTilesPerBlock<Dim>, 0.0, [&, a = view()](std::size_t begin, std::size_t end) {
        return SPINDRIFT_PICK(residual_tiles<Dim>)(a, r.tile(0), b.tile(0), x.tile(0), begin, end);
    });
}

template <int Dim>
void PoissonOperator<Dim>::relax(Field<float, Dim>& out, const Field<float, Dim>& in, const Field<float, Dim>& b,
                                 Colour colour, float weight) const {
    check_same_tiles("relax", "the operator", tiles(), "in", in.tiles());
    check_same_tiles("relax", "the operator", tiles(), "b", b.tiles());
    check_same_tiles("relax", "the operator", tiles(), "out", out.tiles());
    CHECK(&out != &in, "relax: reads and writes the same field; a tile's neighbours read it while it is written");
    parallel_ranges(tiles().count(), kTilesPerBlock<Dim>, [&, a = view()](std::size_t begin, std::size_t end) {
        if (weight == 1)
            SPINDRIFT_PICK(relax_tiles<Dim, false>)(a, out.tile(0), in.tile(0), b.tile(0), colour, weight, begin, end);
        else
            SPINDRIFT_PICK(relax_tiles<Dim, true>)(a, out.tile(0), in.tile(0), b.tile(0), colour, weight, begin, end);
    });
}

template <int Dim>
void PoissonOperator<Dim>::relax_zero(Field<float, Dim>& out, const Field<float, Dim>& b, Colour colour) const {
    check_same_tiles("relax_zero", "the operator", tiles(), "b", b.tiles());
    check_same_tiles("relax_zero", "the operator", tiles(), "out", out.tiles());
    parallel_ranges(tiles().count(), kTilesPerBlock<Dim>, [&, a = view()](std::size_t begin, std::size_t end) {
        SPINDRIFT_PICK(relax_zero_tiles<Dim>)(a, out.tile(0), b.tile(0), colour, begin, end);
    });
}

template <int Dim>
void PoissonOperator<Dim>::keep_unknowns(Field<float, Dim>& x) const {
    check_same_tiles("keep_unknowns", "the operator", tiles(), "x", x.tiles());
    parallel_ranges(tiles().count(), kTilesPerBlock<Dim>, [&, a = view()](std::size_t begin, std::size_t end) {
        SPINDRIFT_PICK(keep_unknown_tiles<Dim>)(a, x.tile(0), begin, end);
    });
}

#define INSTANTIATE(Dim)                                                                                              \
    template double PoissonOperator<Dim>::apply(Field<float, Dim>&, const Field<float, Dim>&) const;                  \
    template double PoissonOperator<Dim>::residual(Field<float, Dim>&, const Field<float, Dim>&,                      \
                                                   const Field<float, Dim>&) const;                                   \
    template void PoissonOperator<Dim>::relax(Field<float, Dim>&, const Field<float, Dim>&, const Field<float, Dim>&, \
                                              Colour, float) const;                                                   \
    template void PoissonOperator<Dim>::relax_zero(Field<float, Dim>&, const Field<float, Dim>&, Colour) const;       \
    template void PoissonOperator<Dim>::keep_unknowns(Field<float, Dim>&) const;
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
