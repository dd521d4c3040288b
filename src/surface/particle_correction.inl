// SPDX-License-Identifier: Apache-2.0
// φ at the particles of a tile, eight at a time.

#include "grid/place_rows.inl"

// The particles of a row, and φ at them in cells, seen from their own side: negative where they have escaped.
struct ParticleRow {
    int count;  // of lanes in use
    Row radius;
    Row distance;
};

template <int Dim>
SPINDRIFT_INLINE ParticleRow particle_row(const LevelTile<Dim>& tile, std::size_t first) {
    constexpr int kSide = kTileSide + 2, kPlane = Dim == 3 ? kSide * kSide : 0;
    ParticleRow row{tile.count - first < kRow ? static_cast<int>(tile.count - first) : kRow, {}, {}};
    const auto load = [&](const float* from) {
        if (row.count == kRow) return load_row(from + first);
        Row some{};
        for (int n = 0; n < row.count; ++n) some[n] = from[first + static_cast<std::size_t>(n)];
        return some;
    };
    Row t[Dim], v[1 << Dim];
    RowInts offset{};
#pragma GCC unroll 3
    for (int a = 0; a < Dim; ++a) {
        // Never negative, so that rounding towards zero is rounding down.
        const Row from_edge = load(tile.place[a]) - fill_row(0.5F) + fill_row(1);
        const RowInts below = __builtin_convertvector(from_edge, RowInts);
        t[a] = from_edge - __builtin_convertvector(below, Row);
        offset = offset * kSide + below;
    }
    alignas(32) int at[kRow];
    __builtin_memcpy(at, &offset, sizeof at);
#pragma GCC unroll 4
    for (int n = 0; n < 1 << (Dim - 1); ++n) {
        const RowPair pair = gather_pairs(tile.block + (n >> 1) * kPlane + (n & 1) * kSide, at);
        v[2 * n] = pair.first;
        v[2 * n + 1] = pair.second;
    }
    const Row level = join_cells<Dim>(v, t) * fill_row(tile.per_cell);
    row.radius = load(tile.radius);
    row.distance = select(row.radius < fill_row(0), -level, level);
    return row;
}

SPINDRIFT_INLINE std::size_t list_lanes(RowMask wanted, int lanes, std::size_t first, std::uint32_t* out) {
    if (!any_lane(wanted)) return 0;
    std::size_t found = 0;
    for (int n = 0; n < lanes; ++n)
        if (wanted[n] != 0) out[found++] = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(n);
    return found;
}

// Lists the particles nearer than part · radius + more, and returns how many there are.
template <int Dim>
SPINDRIFT_KERNEL std::size_t find_nearer(const LevelTile<Dim>& tile, float part, float more, std::uint32_t* found) {
    std::size_t count = 0;
    for (std::size_t first = 0; first < tile.count; first += kRow) {
        const ParticleRow row = particle_row(tile, first);
        const Row size = select(row.radius < fill_row(0), -row.radius, row.radius);
        const RowMask near = row.distance < size * fill_row(part) + fill_row(more);
        count += list_lanes(near, row.count, first, found + count);
    }
    return count;
}

// Lets each sphere touch the surface, and lists those that have escaped by more than `escape`, which keep their radius.
template <int Dim>
SPINDRIFT_KERNEL std::size_t fit_radii(const LevelTile<Dim>& tile, float* radius, float escape, bool keeps_escaped,
                                       std::uint32_t* escaped) {
    const Row least = fill_row(kLeastRadius), most = fill_row(kLargestRadius);
    std::size_t count = 0;
    for (std::size_t first = 0; first < tile.count; first += kRow) {
        const ParticleRow row = particle_row(tile, first);
        const Row d = row.distance;
        const Row clamped = select(d < least, least, select(d > most, most, d));
        const Row known = select(row.radius < fill_row(0), -row.radius, row.radius);
        const Row size = select(d < -least, keeps_escaped ? known : most, clamped);
        const RowMask far = d < fill_row(-escape);
        const Row fitted = select(far, row.radius, select(row.radius < fill_row(0), -size, size));
        count += list_lanes(far, row.count, first, escaped + count);
        if (row.count == kRow)
            store_row(radius + first, fitted);
        else
            for (int n = 0; n < row.count; ++n) radius[first + static_cast<std::size_t>(n)] = fitted[n];
    }
    return count;
}
