// SPDX-License-Identifier: Apache-2.0
// Kernels of advection, a tile at a time.  `Values` gives a field's values at rows of places: from the tiles
// around it (WindowValues), or from anywhere (FarValues).

#include "grid/window_rows.inl"

template <int Dim>
struct FarValues {
    LinearSampler<Dim>* sample;  // at centres: places count from where cell 0 has its value

    SPINDRIFT_INLINE Row operator()(const Row* place) const {
        Row out;
        for (int n = 0; n < kRow; ++n) out[n] = (*sample)(lane(place, n));
        return out;
    }
    SPINDRIFT_INLINE RowRange with_range(const Row* place) const {
        RowRange out;
        for (int n = 0; n < kRow; ++n) {
            const ValueAndRange found = sample->value_and_range(lane(place, n));
            out.value[n] = found.value, out.least[n] = found.least, out.most[n] = found.most;
        }
        return out;
    }

  private:
    SPINDRIFT_INLINE static Vec<float, Dim> lane(const Row* place, int n) {
        Vec<float, Dim> p;
        for (int a = 0; a < Dim; ++a) p[a] = place[a][n];
        return p;
    }
};

// Where the flow takes the centres of a tile's cells: x + step u(x + step u(x) / 2), less x.  see(values, axis, places)
// makes ready the values of that component.
template <int Dim, class Values, class See>
SPINDRIFT_INLINE void trace_tile(const TracedTile<Dim>& tile, Values& values, float step, See&& see) {
    constexpr int kRows = kTileCells<Dim> / kRow;
    RowPlaces<Dim> middle, places;
    middle.count = places.count = kRows;
    for (int row = 0; row < kRows; ++row) {
        Row* at = middle.at[row];
        row_place<Dim>(at, tile.corner, row);
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) {
            at[a] += fill_row(0.5F * step) * load_row(tile.centred[a] + row * kRow);
            at[a] = limited(at[a], tile.lo[a], tile.hi[a]);
        }
    }
    for (int axis = 0; axis < Dim; ++axis) {
        // Each component has its values half a cell lower along its own axis.
        for (int row = 0; row < kRows; ++row)
            for (int a = 0; a < Dim; ++a) places.at[row][a] = middle.at[row][a] - fill_row(a == axis ? 0.0F : 0.5F);
        see(values, axis, places);
        for (int row = 0; row < kRows; ++row)
            store_row(tile.moved[axis] + row * kRow, fill_row(step) * values(places.at[row]));
    }
}

// A row of a field on a tile and the row one cell lower along the axis.
template <int Dim>
SPINDRIFT_INLINE Row row_below(const float* own, const float* below, int axis, int row) {
    const int at = row * kRow;
    if (axis == Dim - 1) return shift_up(load_row(own + at), below[at + kRow - 1]);
    const int stride = axis == Dim - 2 ? kRow : kRow * kTileSide;
    const bool first = (at / stride) % kTileSide == 0;
    return load_row(first ? below + at + stride * (kTileSide - 1) : own + at - stride);
}

// Where a row of faces comes from or goes to: as far as the mean of the cells on both sides.
template <int Dim>
SPINDRIFT_INLINE void face_places(Row* place, const CarriedTile<Dim>& tile, int row) {
    row_place<Dim>(place, tile.corner, row);
#pragma GCC unroll 3
    for (int a = 0; a < Dim; ++a) {
        const Row here = load_row(tile.moved[a] + row * kRow);
        const Row below = row_below<Dim>(tile.moved[a], tile.moved_below[a], tile.axis, row);
        place[a] = limited(place[a] + fill_row(0.5F) * (here + below), tile.lo[a], tile.hi[a]);
    }
}

// Which faces are open and have a cell beside them with φ at most `edge`.
template <int Dim>
SPINDRIFT_INLINE RowMask faces_within(const CarriedTile<Dim>& tile, int row, float edge) {
    const Row here = load_row(tile.level + row * kRow);
    const Row below = row_below<Dim>(tile.level, tile.level_below, tile.axis, row);
    return (load_row(tile.open + row * kRow) > fill_row(0)) & ((here <= fill_row(edge)) | (below <= fill_row(edge)));
}

// The rows with such faces, and the other ends of their paths.
template <int Dim>
SPINDRIFT_INLINE void carried_rows(RowPlaces<Dim>& rows, const CarriedTile<Dim>& tile, float edge) {
    for (int row = 0; row < kTileCells<Dim> / kRow; ++row) {
        if (!any_lane(faces_within(tile, row, edge))) continue;
        face_places<Dim>(rows.at[rows.count], tile, row);
        rows.row[rows.count++] = row;
    }
}

// What was at the other end of each face's path, and the range around it.
template <int Dim, class Values, class See>
SPINDRIFT_INLINE void carry_tile(const CarriedTile<Dim>& tile, Values& values, float edge, float* out, float* least,
                                 float* most, See&& see) {
    RowPlaces<Dim> rows;
    carried_rows(rows, tile, edge);
    if (rows.count == 0) return;
    see(values, rows);
    for (int n = 0; n < rows.count; ++n) {
        const RowRange found = values.with_range(rows.at[n]);
        const int at = rows.row[n] * kRow;
        store_row(out + at, select(faces_within(tile, rows.row[n], edge), found.value, load_row(out + at)));
        if (least == nullptr) continue;
        store_row(least + at, found.least);
        store_row(most + at, found.most);
    }
}

// Takes half of the error off that carrying it back shows, within the range.
template <int Dim, class Values, class See>
SPINDRIFT_INLINE void correct_tile(const CarriedTile<Dim>& tile, Values& values, float edge, const float* old,
                                   const float* least, const float* most, float* out, See&& see) {
    RowPlaces<Dim> rows;
    carried_rows(rows, tile, edge);
    if (rows.count == 0) return;
    see(values, rows);
    for (int n = 0; n < rows.count; ++n) {
        const int at = rows.row[n] * kRow;
        const Row again = values(rows.at[n]), carried = load_row(out + at);
        Row better = carried + fill_row(0.5F) * (load_row(old + at) - again);
        const Row lo = load_row(least + at), hi = load_row(most + at);
        better = select(better < lo, lo, better);
        better = select(better > hi, hi, better);
        store_row(out + at, select(faces_within(tile, rows.row[n], edge), better, carried));
    }
}

// The same with values from the tiles around.
template <int Dim>
SPINDRIFT_KERNEL void trace_near_tile(const TracedTile<Dim>& tile, const WindowView<Dim>* windows, float step) {
    WindowValues<Dim> values;
    trace_tile<Dim>(tile, values, step, [&](auto& v, int axis, const auto& places) { v.see(windows[axis], places); });
}
template <int Dim>
SPINDRIFT_KERNEL void carry_near_tile(const CarriedTile<Dim>& tile, const WindowView<Dim>& window, float edge,
                                      float* out, float* least, float* most) {
    WindowValues<Dim> values;
    carry_tile<Dim>(tile, values, edge, out, least, most, [&](auto& v, const auto& places) { v.see(window, places); });
}
template <int Dim>
SPINDRIFT_KERNEL void correct_near_tile(const CarriedTile<Dim>& tile, const WindowView<Dim>& window, float edge,
                                        const float* old, const float* least, const float* most, float* out) {
    WindowValues<Dim> values;
    correct_tile<Dim>(tile, values, edge, old, least, most, out,
                      [&](auto& v, const auto& places) { v.see(window, places); });
}

// The same with values from anywhere.
template <int Dim>
void trace_far_tile(const TracedTile<Dim>& tile, LinearSampler<Dim>* samplers, float step) {
    FarValues<Dim> values{};
    trace_tile<Dim>(tile, values, step, [&](auto& v, int axis, const auto&) { v.sample = samplers + axis; });
}
template <int Dim>
void carry_far_tile(const CarriedTile<Dim>& tile, LinearSampler<Dim>& sampler, float edge, float* out, float* least,
                    float* most) {
    FarValues<Dim> values{&sampler};
    carry_tile<Dim>(tile, values, edge, out, least, most, [](auto&, const auto&) {});
}
template <int Dim>
void correct_far_tile(const CarriedTile<Dim>& tile, LinearSampler<Dim>& sampler, float edge, const float* old,
                      const float* least, const float* most, float* out) {
    FarValues<Dim> values{&sampler};
    correct_tile<Dim>(tile, values, edge, old, least, most, out, [](auto&, const auto&) {});
}
