// SPDX-License-Identifier: Apache-2.0
// Steps along paths, eight places at a time.

// Linear along each axis; places are counted from the block's first value and never negative.
template <int Dim, int kSide>
SPINDRIFT_INLINE Row interpolate(const float* block, const Row* place) {
    Row t[Dim];
    RowMask offset{};
#pragma GCC unroll 3
    for (int a = 0; a < Dim; ++a) {
        const RowMask below = __builtin_convertvector(place[a], RowMask);
        t[a] = place[a] - __builtin_convertvector(below, Row);
        offset = offset * kSide + below;
    }
    alignas(32) int at[kRow];
    __builtin_memcpy(at, &offset, sizeof at);
    const auto between = [](Row a, Row b, Row s) { return a + s * (b - a); };
    const auto plane = [&](const float* first) {
        const RowPair low = gather_pairs(first, at), high = gather_pairs(first + kSide, at);
        return between(between(low.first, low.second, t[Dim - 1]), between(high.first, high.second, t[Dim - 1]),
                       t[Dim - 2]);
    };
    if constexpr (Dim == 2)
        return plane(block);
    else
        return between(plane(block), plane(block + kSide * kSide), t[0]);
}

// Each component at its own faces: half a cell below the others along its own axis.
template <int Dim>
SPINDRIFT_INLINE void velocity_at(Row* u, const MoveTile<Dim>& tile, const Row* place) {
#pragma GCC unroll 3
    for (int axis = 0; axis < Dim; ++axis) {
        Row from_first[Dim];
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) from_first[a] = place[a] + fill_row(kReach - (a == axis ? 0.0F : 0.5F));
        u[axis] = interpolate<Dim, kBlockSide>(tile.velocity[axis], from_first);
    }
}

// Where a part of a step leads with velocity u; places beyond the block are noted in `near` and put back to the start.
template <int Dim>
SPINDRIFT_INLINE void go(Row* place, const Row* start, const Row* u, Row cells, RowMask& near) {
    // From a cell above the lowest, where the component half a cell lower still finds its neighbours, to the highest.
    const Row lowest = fill_row(1 - kReach), highest = fill_row(kTileSide + kReach - 2);
    for (int a = 0; a < Dim; ++a) {
        place[a] = start[a] + u[a] * cells;
        near &= (place[a] >= lowest) & (place[a] <= highest);
    }
    for (int a = 0; a < Dim; ++a) place[a] = select(near, place[a], fill_row(0));
}

// Moves `count` places, at most a row's, and returns a bit for each that asks for velocities beyond the block: it
// stays as it was.
template <int Dim>
SPINDRIFT_INLINE unsigned move_row(const MoveTile<Dim>& tile, float* const* place, int count) {
    const Row cells = fill_row(tile.cells);
    Row start[Dim], middle[Dim], u[Dim];
    RowMask near = ~RowMask{};
    for (int a = 0; a < Dim; ++a) start[a] = load_row(place[a]);
    velocity_at<Dim>(u, tile, start);
    Row first[Dim];
    for (int a = 0; a < Dim; ++a) first[a] = u[a];
    go<Dim>(middle, start, u, fill_row(1 / 3.0F * tile.cells), near);
    velocity_at<Dim>(u, tile, middle);
    go<Dim>(middle, start, u, fill_row(2 / 3.0F * tile.cells), near);
    velocity_at<Dim>(u, tile, middle);
    for (int a = 0; a < Dim; ++a) u[a] = first[a] * fill_row(0.25F) + u[a] * fill_row(0.75F);
    unsigned far = 0;
    for (int n = 0; n < count; ++n) far |= near[n] != 0 ? 0U : 1U << n;
    for (int a = 0; a < Dim; ++a) {
        const Row end = select(near, start[a] + u[a] * cells, start[a]);
        if (count == kRow)
            store_row(place[a], end);
        else
            for (int n = 0; n < count; ++n) place[a][n] = end[n];
    }
    return far;
}

// Moves all places of a tile; the numbers of those that go far are written to `far`, and their number returned.
template <int Dim>
SPINDRIFT_KERNEL std::size_t move_rows(const MoveTile<Dim>& tile, std::uint32_t* far) {
    std::size_t found = 0;
    for (std::size_t first = 0; first < tile.count; first += kRow) {
        const int count = tile.count - first < kRow ? static_cast<int>(tile.count - first) : kRow;
        float* place[Dim];
        alignas(32) float rest[Dim][kRow] = {};
        for (int a = 0; a < Dim; ++a) {
            place[a] = tile.place[a] + first;
            if (count == kRow) continue;
            for (int n = 0; n < count; ++n) rest[a][n] = place[a][n];
            place[a] = rest[a];
        }
        unsigned bits = move_row<Dim>(tile, place, count);
        if (count < kRow)
            for (int a = 0; a < Dim; ++a)
                for (int n = 0; n < count; ++n) tile.place[a][first + static_cast<std::size_t>(n)] = rest[a][n];
        for (; bits != 0; bits &= bits - 1)
            far[found++] = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(__builtin_ctz(bits));
    }
    return found;
}
