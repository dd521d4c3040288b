// SPDX-License-Identifier: Apache-2.0
// What tests of fields share: both dimensions, ragged tile sets, and the same bits on any number of threads.
#pragma once

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "grid/field.h"

namespace spindrift {

template <int N>
struct Dimension {
    static constexpr int kDim = N;
};
using Dimensions = ::testing::Types<Dimension<2>, Dimension<3>>;

// A blob of tiles around the origin with holes and loose ends: about `keep` of those in [-reach, reach].
template <int Dim>
TilesPtr<Dim> ragged_tiles(int reach, double keep, unsigned seed = 1) {
    std::mt19937 rng(seed);
    std::bernoulli_distribution kept(keep);
    std::vector<Index<Dim>> tiles;
    for_each_index(IndexBox<Dim>{Index<Dim>(-reach), Index<Dim>(reach + 1)}, [&](const Index<Dim>& tile) {
        if (kept(rng)) tiles.push_back(tile);
    });
    return Tiles<Dim>::from_coordinates(std::move(tiles));
}

// Different in every cell, repeatable, between -1 and 1.
template <int Dim>
float scrambled(const Index<Dim>& cell) {
    std::uint32_t h = 2166136261U;
    for (int a = 0; a < Dim; ++a) h = (h ^ static_cast<std::uint32_t>(cell[a])) * 16777619U, h ^= h >> 13;
    h *= 0x9e3779b1U;
    return static_cast<float>(h >> 8) / 8388608.0F - 1.0F;
}

template <int Dim>
Vec<float, Dim> random_position(std::mt19937& rng, float lo, float hi) {
    std::uniform_real_distribution<float> along(lo, hi);
    Vec<float, Dim> p;
    for (int a = 0; a < Dim; ++a) p[a] = along(rng);
    return p;
}

// Expects compute() to return the same on 1, 2, 3 and 7 threads.
template <class F>
void expect_same_on_any_threads(F&& compute) {
    const int before = thread_count();
    set_thread_count(1);
    const auto expected = compute();
    for (const int threads : {2, 3, 7}) {
        EXPECT_EQ(set_thread_count(threads), threads);
        EXPECT_EQ(compute(), expected) << "on " << threads << " threads";
    }
    set_thread_count(before);
}

}  // namespace spindrift
