// SPDX-License-Identifier: Apache-2.0
// Small vectors and boxes of any dimension.  Index<Dim> counts cells or tiles, Vec<float, Dim> is a place or a
// velocity.
#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <cstddef>

namespace spindrift {

template <class T, int N>
struct Vec {
    std::array<T, N> data{};

    constexpr Vec() = default;
    constexpr explicit Vec(T all) { data.fill(all); }
    template <class... Rest>
    requires(sizeof...(Rest) + 2 == N) constexpr Vec(T first, T second, Rest... rest)
        : data{first, second, static_cast<T>(rest)...} {}
    template <class U>
    constexpr explicit Vec(const Vec<U, N>& other) {
        for (int i = 0; i < N; ++i) (*this)[i] = static_cast<T>(other[i]);
    }

    constexpr T& operator[](int i) { return data[static_cast<std::size_t>(i)]; }
    constexpr const T& operator[](int i) const { return data[static_cast<std::size_t>(i)]; }

    constexpr Vec& operator+=(const Vec& b) { return *this = *this + b; }
    constexpr Vec& operator-=(const Vec& b) { return *this = *this - b; }
    constexpr Vec& operator*=(T s) { return *this = *this * s; }

    friend constexpr bool operator==(const Vec&, const Vec&) = default;
    friend constexpr auto operator<=>(const Vec&, const Vec&) = default;
};

template <int Dim>
using Index = Vec<int, Dim>;

// One function applied component by component: what every operator below is made of.
template <class F, class T, int N, class... More>
constexpr auto map(F&& f, const Vec<T, N>& a, const More&... more) {
    Vec<decltype(f(a[0], more[0]...)), N> out;
    for (int i = 0; i < N; ++i) out[i] = f(a[i], more[i]...);
    return out;
}

template <class T, int N>
constexpr Vec<T, N> operator+(const Vec<T, N>& a, const Vec<T, N>& b) {
    return map([](T x, T y) { return static_cast<T>(x + y); }, a, b);
}
template <class T, int N>
constexpr Vec<T, N> operator-(const Vec<T, N>& a, const Vec<T, N>& b) {
    return map([](T x, T y) { return static_cast<T>(x - y); }, a, b);
}
template <class T, int N>
constexpr Vec<T, N> operator-(const Vec<T, N>& a) {
    return map([](T x) { return static_cast<T>(-x); }, a);
}
template <class T, int N>
constexpr Vec<T, N> operator*(const Vec<T, N>& a, T s) {
    return map([s](T x) { return static_cast<T>(x * s); }, a);
}
template <class T, int N>
constexpr Vec<T, N> operator*(T s, const Vec<T, N>& a) {
    return a * s;
}
template <class T, int N>
constexpr Vec<T, N> operator/(const Vec<T, N>& a, T s) {
    return map([s](T x) { return static_cast<T>(x / s); }, a);
}
template <class T, int N>
constexpr Vec<T, N> min(const Vec<T, N>& a, const Vec<T, N>& b) {
    return map([](T x, T y) { return x < y ? x : y; }, a, b);
}
template <class T, int N>
constexpr Vec<T, N> max(const Vec<T, N>& a, const Vec<T, N>& b) {
    return map([](T x, T y) { return x < y ? y : x; }, a, b);
}

template <class T, int N>
constexpr T dot(const Vec<T, N>& a, const Vec<T, N>& b) {
    T sum{};
    for (int i = 0; i < N; ++i) sum += a[i] * b[i];
    return sum;
}
template <class T, int N>
T length(const Vec<T, N>& a) {
    return std::sqrt(dot(a, a));
}
template <class T, int N>
constexpr T product(const Vec<T, N>& a) {
    T p{1};
    for (int i = 0; i < N; ++i) p *= a[i];
    return p;
}

template <class T>
constexpr Vec<T, 3> cross(const Vec<T, 3>& a, const Vec<T, 3>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// A place or vector of the plane in space, with z = 0.
template <class T, int Dim>
constexpr Vec<T, 3> in_space(const Vec<T, Dim>& v) {
    Vec<T, 3> out;
    for (int axis = 0; axis < Dim; ++axis) out[axis] = v[axis];
    return out;
}

// The unit step along an axis.
template <int Dim>
constexpr Index<Dim> unit(int axis) {
    Index<Dim> e;
    e[axis] = 1;
    return e;
}

// Half-open: lo is inside, hi is not.  Empty when any hi <= lo.
template <class T, int N>
struct Box {
    Vec<T, N> lo, hi;

    constexpr Vec<T, N> size() const { return hi - lo; }
    constexpr bool empty() const {
        for (int i = 0; i < N; ++i)
            if (hi[i] <= lo[i]) return true;
        return false;
    }
    constexpr bool contains(const Vec<T, N>& p) const {
        for (int i = 0; i < N; ++i)
            if (p[i] < lo[i] || p[i] >= hi[i]) return false;
        return true;
    }
    constexpr Box expanded(T by) const { return {lo - Vec<T, N>(by), hi + Vec<T, N>(by)}; }
    friend constexpr bool operator==(const Box&, const Box&) = default;
};

template <class T, int N>
constexpr Box<T, N> intersection(const Box<T, N>& a, const Box<T, N>& b) {
    return {max(a.lo, b.lo), min(a.hi, b.hi)};
}
template <class T, int N>
constexpr Box<T, N> bounds(const Box<T, N>& a, const Box<T, N>& b) {
    return {min(a.lo, b.lo), max(a.hi, b.hi)};
}

template <int Dim>
using IndexBox = Box<int, Dim>;

// Visits the cells of a box with the last axis fastest, the order in which tiles store them.
template <int Dim, class F>
constexpr void for_each_index(const IndexBox<Dim>& box, F&& f) {
    if (box.empty()) return;
    Index<Dim> i = box.lo;
    for (;;) {
        f(i);
        int axis = Dim - 1;
        while (axis >= 0 && ++i[axis] == box.hi[axis]) {
            i[axis] = box.lo[axis];
            --axis;
        }
        if (axis < 0) return;
    }
}

}  // namespace spindrift
