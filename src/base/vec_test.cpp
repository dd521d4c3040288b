// SPDX-License-Identifier: Apache-2.0
#include "base/vec.h"

#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

TEST(Vec, ComponentsAreTreatedAlike) {
    constexpr Vec<double, 3> a(1, 2, 3), b(4, 0, -1);
    static_assert(a + b == Vec<double, 3>(5, 2, 2));
    static_assert(a - b == Vec<double, 3>(-3, 2, 4));
    static_assert(-a == Vec<double, 3>(-1, -2, -3));
    static_assert(a * 2.0 == Vec<double, 3>(2, 4, 6) && 2.0 * a == a * 2.0);
    static_assert(a / 2.0 == Vec<double, 3>(0.5, 1, 1.5));
    static_assert(min(a, b) == Vec<double, 3>(1, 0, -1) && max(a, b) == Vec<double, 3>(4, 2, 3));
    static_assert(dot(a, b) == 1 && product(a) == 6);
    EXPECT_EQ(length(Vec<float, 2>(3, 4)), 5.0f);

    // By division, not by multiplication with an inexact reciprocal.
    EXPECT_EQ((Vec<float, 2>(49, 7) / 49.0f)[0], 1.0f);
}

TEST(Vec, ChangesInPlaceLikeItsOperators) {
    Vec<int, 2> v(1, 2);
    v += {10, 20};
    EXPECT_EQ(v, (Vec<int, 2>(11, 22)));
    v -= {1, 2};
    EXPECT_EQ(v, (Vec<int, 2>(10, 20)));
    v *= 3;
    EXPECT_EQ(v, (Vec<int, 2>(30, 60)));
    const Vec<int, 2>& itself = v;
    v -= itself;
    EXPECT_EQ(v, (Vec<int, 2>{}));
}

TEST(Vec, IsZeroUnlessToldOtherwise) {
    EXPECT_EQ((Vec<float, 3>()), (Vec<float, 3>(0, 0, 0)));
    EXPECT_EQ((Vec<float, 3>(7)), (Vec<float, 3>(7, 7, 7)));
}

TEST(Vec, OrdersByItsFirstAxisFirst) {
    EXPECT_LT((Index<3>(1, 9, 9)), (Index<3>(2, 0, 0)));
    EXPECT_LT((Index<3>(1, 2, 3)), (Index<3>(1, 3, 0)));
    EXPECT_LT((Index<3>(-1, 2, 2)), (Index<3>(-1, 2, 3)));
}

TEST(Vec, ConvertsTypesOnlyWhenAsked) {
    EXPECT_EQ((Vec<int, 2>(Vec<double, 2>(1.9, -1.9))), (Vec<int, 2>(1, -1)));
    static_assert(!std::is_convertible_v<Vec<double, 2>, Vec<float, 2>>);
    static_assert(!std::is_convertible_v<float, Vec<float, 2>>);
    static_assert(!std::is_constructible_v<Vec<float, 3>, float, float>, "a missing component must not become 0");
    static_assert(std::is_trivially_copyable_v<Vec<float, 3>> && sizeof(Vec<float, 3>) == 12);
}

TEST(Vec, MapMayChangeTheType) {
    const auto positive = map([](double x) { return x > 0; }, Vec<double, 3>(-1, 0, 1));
    static_assert(std::is_same_v<decltype(positive), const Vec<bool, 3>>);
    EXPECT_EQ(positive, (Vec<bool, 3>(false, false, true)));
}

TEST(Unit, PointsAlongOneAxis) {
    EXPECT_EQ(unit<2>(1), (Index<2>(0, 1)));
    EXPECT_EQ(unit<3>(0), (Index<3>(1, 0, 0)));
}

TEST(Box, HoldsItsLowerEndAndNotItsUpper) {
    constexpr IndexBox<2> box{{-2, 3}, {4, 5}};
    EXPECT_TRUE(box.contains({-2, 3}));
    EXPECT_TRUE(box.contains({3, 4}));
    EXPECT_FALSE(box.contains({4, 4}));
    EXPECT_FALSE(box.contains({3, 5}));
    EXPECT_FALSE(box.contains({-3, 3}));
    EXPECT_EQ(box.size(), (Index<2>(6, 2)));
}

TEST(Box, IsEmptyWhenAnyAxisIs) {
    EXPECT_FALSE((IndexBox<2>{{0, 0}, {1, 1}}.empty()));
    EXPECT_TRUE((IndexBox<2>{{0, 0}, {1, 0}}.empty()));
    EXPECT_TRUE((IndexBox<2>{{0, 2}, {1, 1}}.empty()));
}

// Against the definition: a cell is in the intersection if and only if it is in both.
TEST(Box, IntersectionIsWhatBothHold) {
    const std::vector<IndexBox<2>> boxes{{{0, 0}, {4, 4}}, {{2, 1}, {6, 3}}, {{4, 0}, {5, 4}}, {{-1, -1}, {7, 7}}};
    for (const auto& a : boxes)
        for (const auto& b : boxes) {
            const auto both = intersection(a, b);
            for_each_index(IndexBox<2>{{-2, -2}, {8, 8}}, [&](const Index<2>& i) {
                EXPECT_EQ(both.contains(i), a.contains(i) && b.contains(i));
                EXPECT_TRUE(bounds(a, b).contains(i) || !(a.contains(i) || b.contains(i)));
            });
        }
    EXPECT_EQ(bounds(boxes[0], boxes[1]), (IndexBox<2>{{0, 0}, {6, 4}}));
    EXPECT_EQ(boxes[1].expanded(2), (IndexBox<2>{{0, -1}, {8, 5}}));
    EXPECT_TRUE(boxes[0].expanded(-2).empty());
}

template <int Dim>
void expect_all_visited(const IndexBox<Dim>& box) {
    std::vector<Index<Dim>> visited;
    for_each_index(box, [&](const Index<Dim>& i) { visited.push_back(i); });
    ASSERT_EQ(static_cast<int>(visited.size()), product(box.size()));
    for (const auto& i : visited) EXPECT_TRUE(box.contains(i));
    // Rising order with the last axis fastest is the order of Vec, so nothing comes twice.
    for (std::size_t n = 1; n < visited.size(); ++n) EXPECT_LT(visited[n - 1], visited[n]);
}

TEST(ForEachIndex, VisitsEachCellOnceLastAxisFastest) {
    expect_all_visited<1>({Vec<int, 1>(-2), Vec<int, 1>(3)});
    expect_all_visited<2>({{-1, 2}, {3, 4}});
    expect_all_visited<3>({{-1, 0, 5}, {1, 3, 9}});
    expect_all_visited<3>({{0, 0, 0}, {1, 1, 1}});
}

TEST(ForEachIndex, DoesNothingInAnEmptyBox) {
    // In a vector, since the compiler warns of loops over boxes that it knows to be empty.
    const std::vector<IndexBox<3>> boxes{
        {{0, 0, 0}, {4, 0, 4}}, {{0, 0, 0}, {0, 4, 4}}, {{0, 0, 3}, {4, 4, 1}}, {{5, 5, 5}, {5, 5, 5}}};
    int calls = 0;
    for (const auto& box : boxes) for_each_index(box, [&](const auto&) { ++calls; });
    EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace spindrift
