// SPDX-License-Identifier: Apache-2.0
// Kernels of vorticity confinement, a tile at a time.

template <int Dim>
SPINDRIFT_INLINE int row_in_patch(const int* stride, int row) {
    return Dim == 3 ? row / kTileSide * stride[0] + row % kTileSide * stride[1] : row * stride[0];
}

// ω at cell centres, per cell side: central differences of the velocity there.
template <int Dim>
SPINDRIFT_KERNEL void curl_of_tile(const PatchView<Dim>* velocity, float* const* curl, float* size) {
    constexpr int kParts = Dim == 3 ? 3 : 1;
    for (int row = 0; row < kTileCells<Dim> / kRow; ++row) {
        // ∂u_b/∂x_a.
        const auto slope = [&](int b, int a) {
            const PatchView<Dim>& patch = velocity[b];
            const float* v = patch.tile + row_in_patch<Dim>(patch.stride, row);
            const int up = patch.stride[b], along = patch.stride[a];
            return fill_row(0.25F) * ((load_row(v + along) + load_row(v + up + along)) -
                                      (load_row(v - along) + load_row(v + up - along)));
        };
        Row squares{};
#pragma GCC unroll 3
        for (int part = 0; part < kParts; ++part) {
            const int i = Dim == 3 ? (part + 1) % 3 : 0, j = Dim == 3 ? (part + 2) % 3 : 1;
            const Row w = slope(j, i) - slope(i, j);
            store_row(curl[part] + row * kRow, w);
            squares += w * w;
        }
        store_row(size + row * kRow, square_root(squares));
    }
}

// push · (N × ω),  N the direction in which |ω| grows.
template <int Dim>
SPINDRIFT_KERNEL void confining_push(const PatchView<Dim>& size, const float* const* curl, float push,
                                     float* const* out) {
    for (int row = 0; row < kTileCells<Dim> / kRow; ++row) {
        const float* v = size.tile + row_in_patch<Dim>(size.stride, row);
        Row normal[Dim], squares{};
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) {
            normal[a] = fill_row(0.5F) * (load_row(v + size.stride[a]) - load_row(v - size.stride[a]));
            squares += normal[a] * normal[a];
        }
        const Row steep = square_root(squares);
        // Where |ω| is level there is no direction.
        const RowMask has_normal = steep > fill_row(1e-6F);
        const Row scale = select(has_normal, fill_row(push) / select(has_normal, steep, fill_row(1)), Row{});
        const auto w = [&](int part) { return load_row(curl[part] + row * kRow); };
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) {
            Row f;
            if constexpr (Dim == 3)
                f = normal[(a + 1) % 3] * w((a + 2) % 3) - normal[(a + 2) % 3] * w((a + 1) % 3);
            else
                f = a == 0 ? normal[1] * w(0) : -normal[0] * w(0);
            store_row(out[a] + row * kRow, scale * f);
        }
    }
}
