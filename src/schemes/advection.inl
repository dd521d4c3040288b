// SPDX-License-Identifier: Apache-2.0
// Kernels of advection, a tile at a time in rows of eight points.

// Subtracts half of the error that advecting `once` back to `again` shows, within the range; adds what that cuts off to
// `cut`, if there is such.
template <int Dim>
SPINDRIFT_KERNEL void correct_rows(float* out, const float* old, const float* once, const float* again,
                                   const float* least, const float* most, float* cut, const TracedRows<Dim>& rows) {
    for (int r = 0; r < rows.count; ++r) {
        const int n = rows.row[static_cast<unsigned>(r)] * kRow;
        const Row better = load_row(once + n) + fill_row(0.5F) * (load_row(old + n) - load_row(again + n));
        const Row lo = load_row(least + n), hi = load_row(most + n), above = select(better < lo, lo, better);
        const Row kept = select(above > hi, hi, above);
        store_row(out + n, kept);
        if (cut != nullptr) store_row(cut + n, load_row(cut + n) + (better - kept));
    }
}

// A row of a field on a tile, one cell lower along the axis; `below` is the tile there.
template <int Dim>
SPINDRIFT_INLINE Row row_below(const float* own, const float* below, int axis, int row) {
    const int at = row * kRow;
    if (axis == Dim - 1) return shift_up(load_row(own + at), below[at + kRow - 1]);
    const int stride = axis == Dim - 2 ? kRow : kRow * kTileSide;
    const bool first = (at / stride) % kTileSide == 0;
    return load_row(first ? below + at + stride * (kTileSide - 1) : own + at - stride);
}

// Which faces of a row are open and have a cell beside them with φ at most `limit`.
template <int Dim>
SPINDRIFT_INLINE RowMask faces_within(const TileFaces& faces, int row, float limit) {
    const Row here = load_row(faces.phi + row * kRow), edge = fill_row(limit);
    const Row below = row_below<Dim>(faces.phi, faces.phi_below, faces.axis, row);
    return (load_row(faces.open + row * kRow) > fill_row(0)) & ((here <= edge) | (below <= edge));
}

// The rows that have such a face.
template <int Dim>
SPINDRIFT_KERNEL void find_rows(TracedRows<Dim>& rows, const TileFaces& faces, float limit) {
    rows.count = 0;
    for (int row = 0; row < kTileCells<Dim> / kRow; ++row)
        if (any_lane(faces_within<Dim>(faces, row, limit)))
            rows.row[static_cast<unsigned>(rows.count++)] = static_cast<std::uint8_t>(row);
}

// Gives faces other than these their own values back.
template <int Dim>
SPINDRIFT_KERNEL void keep_other_faces(float* out, const float* own, const TracedRows<Dim>& rows,
                                       const TileFaces& faces, float limit) {
    for (int r = 0; r < rows.count; ++r) {
        const int at = rows.row[static_cast<unsigned>(r)] * kRow;
        const RowMask within = faces_within<Dim>(faces, rows.row[static_cast<unsigned>(r)], limit);
        store_row(out + at, select(within, load_row(out + at), load_row(own + at)));
    }
}
