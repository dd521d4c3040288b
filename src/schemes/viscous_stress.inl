// SPDX-License-Identifier: Apache-2.0
// Kernels of the viscous stress.

#include "grid/tile_star.inl"

// A field on tiles as kernels see it.
SPINDRIFT_INLINE const float* tile_of(const float* field, Slot slot, int cells) {
    return field + static_cast<std::size_t>(slot) * static_cast<std::size_t>(cells);
}

// Where a tile of a field continues; zero where there is no tile.
template <int Dim>
SPINDRIFT_INLINE Sides sides_of(const float* field, const ViscousFields<Dim>& f, Slot slot) {
    return make_sides<Dim>([&](int along, bool above, int near_layer, int) {
        const Slot n = neighbour<Dim>(f.neighbours, slot, along, above);
        return n == kNoTile ? f.zeros : tile_of(field, n, kTileCells<Dim>) + near_layer;
    });
}

// Each cell's neighbour along an axis.
template <int Dim, int Axis>
SPINDRIFT_INLINE Row row_below(const Star& s) {
    if constexpr (Axis == Dim - 1) return s.below_k;
    if constexpr (Axis == Dim - 2) return s.below_j;
    return s.below_i;
}
template <int Dim, int Axis>
SPINDRIFT_INLINE Row row_above(const Star& s) {
    if constexpr (Axis == Dim - 1) return s.above_k;
    if constexpr (Axis == Dim - 2) return s.above_j;
    return s.above_i;
}

// The stress at the edges of one pair of axes: V (∂_b u_a + ∂_a u_b).
template <int Dim, int A, int B>
SPINDRIFT_INLINE void shear_plane_of_tile(const ViscousFields<Dim>& f, Slot slot) {
    const int plane = A + B - 1;
    const float* weight = tile_of(f.edge[plane], slot, kTileCells<Dim>);
    float* to = f.shear[plane] + static_cast<std::size_t>(slot) * kTileCells<Dim>;
    const float *first = tile_of(f.p[A], slot, kTileCells<Dim>), *second = tile_of(f.p[B], slot, kTileCells<Dim>);
    const Sides first_sides = sides_of(f.p[A], f, slot), second_sides = sides_of(f.p[B], f, slot);
    for (int i = 0; i < kTilePlanes<Dim>; ++i) {
        const Plane a = plane_at<Dim>(first, first_sides, i), b = plane_at<Dim>(second, second_sides, i);
#pragma GCC unroll 8
        for (int j = 0; j < kTileSide; ++j) {
            const Star u = star<Dim>(a, j), v = star<Dim>(b, j);
            const Row strain = (u.here - row_below<Dim, B>(u)) + (v.here - row_below<Dim, A>(v));
            store_row(to + row_offset(i, j), load_row(weight + row_offset(i, j)) * strain);
        }
    }
}

template <int Dim>
SPINDRIFT_KERNEL void shear_tile(const ViscousFields<Dim>& f, Slot slot) {
    shear_plane_of_tile<Dim, 0, 1>(f, slot);
    if constexpr (Dim == 3) {
        shear_plane_of_tile<Dim, 0, 2>(f, slot);
        shear_plane_of_tile<Dim, 1, 2>(f, slot);
    }
}

// What the shear of one pair of axes adds to a component: the difference of the stress at its two edges.
template <int Dim, int A, int B>
SPINDRIFT_INLINE Row shear_difference(const Plane& shear, int j) {
    const Star s = star<Dim>(shear, j);
    return s.here - row_above<Dim, B>(s);
}

// q_a = mass p_a − Σ differences of the stress, on unknowns; returns p_a·q_a, or q_a·q_a.
template <int Dim, int A>
SPINDRIFT_INLINE double component_of_tile(const ViscousFields<Dim>& f, Slot slot, float mass_factor) {
    constexpr int B = A == 0 ? 1 : 0, C = A == 2 ? 1 : 2;
    const Row factor = fill_row(mass_factor), zero = fill_row(0);
    const float *p = tile_of(f.p[A], slot, kTileCells<Dim>), *cell = tile_of(f.cell, slot, kTileCells<Dim>);
    const float *mass = tile_of(f.mass[A], slot, kTileCells<Dim>),
                *inverse = tile_of(f.inverse[A], slot, kTileCells<Dim>);
    const float* first = tile_of(f.shear[A + B - 1], slot, kTileCells<Dim>);
    const Sides p_sides = sides_of(f.p[A], f, slot), cell_sides = sides_of(f.cell, f, slot);
    const Sides first_sides = sides_of(f.shear[A + B - 1], f, slot);
    const float* second = Dim == 3 ? tile_of(f.shear[Dim == 3 ? A + C - 1 : 0], slot, kTileCells<Dim>) : first;
    const Sides second_sides = Dim == 3 ? sides_of(f.shear[Dim == 3 ? A + C - 1 : 0], f, slot) : first_sides;
    float* to = f.q[A] + static_cast<std::size_t>(slot) * kTileCells<Dim>;
    RowSum sum;
    for (int i = 0; i < kTilePlanes<Dim>; ++i) {
        const Plane values = plane_at<Dim>(p, p_sides, i), weights = plane_at<Dim>(cell, cell_sides, i);
        const Plane shear_b = plane_at<Dim>(first, first_sides, i), shear_c = plane_at<Dim>(second, second_sides, i);
#pragma GCC unroll 8
        for (int j = 0; j < kTileSide; ++j) {
            const Star u = star<Dim>(values, j), w = star<Dim>(weights, j);
            const int at = row_offset(i, j);
            Row out = factor * load_row(mass + at) * u.here;
            out += row_below<Dim, A>(w) * (u.here - row_below<Dim, A>(u)) - w.here * (row_above<Dim, A>(u) - u.here);
            out += shear_difference<Dim, A, B>(shear_b, j);
            if constexpr (Dim == 3) out += shear_difference<Dim, A, C>(shear_c, j);
            out = select(load_row(inverse + at) > zero, out, zero);
            store_row(to + at, out);
            sum.add_products(u.here, out);
        }
        sum.flush();
    }
    return sum.total();
}

template <int Dim>
SPINDRIFT_KERNEL double multiply_tile(const ViscousFields<Dim>& f, Slot slot, float mass_factor) {
    double sum = component_of_tile<Dim, 0>(f, slot, mass_factor) + component_of_tile<Dim, 1>(f, slot, mass_factor);
    if constexpr (Dim == 3) sum += component_of_tile<Dim, 2>(f, slot, mass_factor);
    return sum;
}

// z = r · inverse; returns r·z.
SPINDRIFT_KERNEL double scale_rows(float* z, const float* r, const float* inverse, std::size_t size) {
    RowSum sum;
    for (std::size_t i = 0; i < size; i += kPlaneCells) {
        for (std::size_t j = i; j < i + kPlaneCells; j += kRow) {
            const Row old = load_row(r + j), scaled = old * load_row(inverse + j);
            store_row(z + j, scaled);
            sum.add_products(old, scaled);
        }
        sum.flush();
    }
    return sum.total();
}
