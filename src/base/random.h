// SPDX-License-Identifier: Apache-2.0
// Random numbers that are a function of (seed, id, step, purpose) and of how many were drawn: no state is carried from
// one step or particle to the next, so neither threads nor a restart can change them.  Philox4x32-10 [Salmon11].
//
// Layout: key = seed xor 64-bit hash of the purpose's name; counter = id (64 bits), step (32), block of draws (32).
// Philox permutes counters under a key, so within a run no two of (id, step, purpose, block) can meet in the same
// place: 2^64 ids, 2^32 steps, 2^34 draws.  Two seeds meet only if their xor is that of two names' hashes.
//
//   constexpr Purpose kSeeding{"seeding"};
//   Random rng{settings.seed, particle_id, step, kSeeding};
//   position[axis] = rng.uniform(lo, hi);
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"

namespace spindrift {

namespace detail {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

// The paper's multipliers; the key grows by the leading digits of the golden ratio and of √3 − 1.
constexpr PhiloxCounter philox4x32(PhiloxCounter c, PhiloxKey key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xD2511F53} * c[0];
        const std::uint64_t p1 = std::uint64_t{0xCD9E8D57} * c[2];
        c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(p1),
             static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(p0)};
        key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
    }
    return c;
}

constexpr std::uint32_t low32(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
constexpr std::uint32_t high32(std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); }

// The natural logarithm for normal x > 0, to some 1e-14.  std::log may differ in the last bit from one C library to the
// next; this is + * / alone, which may not.
constexpr double portable_log(double x) {
    // x = m 2^e with m in [√½, √2).
    const auto bits = std::bit_cast<std::uint64_t>(x);
    auto e = static_cast<int>(bits >> 52) - 1023;
    double m = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFF) | 0x3FF0000000000000);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        ++e;
    }
    // log m = 2 artanh s = 2 (s + s³/3 + s⁵/5 + …), where |s| < 0.172: what follows s¹⁹ is below 1e-15.
    const double s = (m - 1) / (m + 1);
    double sum = 0;
    for (int k = 19; k >= 1; k -= 2) sum = sum * (s * s) + 1.0 / k;
    return e * 0.69314718055994531 + 2 * s * sum;
}

// The p-quantile of the normal distribution for 2^-33 <= p <= 1 - 2^-33, to 1e-7: PPND7 of [Wichura88], in double.
// Its third formula is for p < exp(-25), which 32 bits do not reach.
inline double normal_quantile(double p) {
    const double q = p - 0.5;
    if (std::abs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * (((59.109374720 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179) /
               (((67.187563600 * r + 78.757757664) * r + 17.895169469) * r + 1.0);
    }
    const double r = std::sqrt(-portable_log(q < 0 ? p : 1 - p)) - 1.6;
    const double x = (((0.17023821103 * r + 1.3067284816) * r + 2.7568153900) * r + 1.4234372777) /
                     ((0.12021132975 * r + 0.73700164250) * r + 1.0);
    return q < 0 ? -x : x;
}

}  // namespace detail

// What numbers are drawn for.  Draws for two purposes are independent, even with all else the same; the name alone
// tells them apart, so new ones need no list.
class Purpose {
  public:
    consteval explicit Purpose(std::string_view name) : hash_(0xCBF29CE484222325) {
        // FNV-1a: short, and known at compile time.
        for (const char c : name) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    }
    constexpr std::uint64_t hash() const { return hash_; }
    friend constexpr bool operator==(Purpose, Purpose) = default;

  private:
    std::uint64_t hash_;
};

class Random {
  public:
    constexpr Random(std::uint64_t seed, std::uint64_t id, std::uint32_t step, Purpose purpose)
        : counter_{detail::low32(id), detail::high32(id), step, 0},
          key_{detail::low32(seed ^ purpose.hash()), detail::high32(seed ^ purpose.hash())} {}

    constexpr std::uint32_t next32() {
        if (drawn_ == 4) {
            block_ = detail::philox4x32(counter_, key_);
            ++counter_[3];
            drawn_ = 0;
        }
        return block_[drawn_++];
    }

    // In [0, 1): a multiple of 2^-24, so that every value is exact and equally likely.
    constexpr float uniform() { return static_cast<float>(next32() >> 8) * 0x1p-24f; }

    // In [lo, hi).  Where rounding reaches hi, that half of a spacing belongs to lo, whose own lower half is outside.
    constexpr float uniform(float lo, float hi) {
        DCHECK(lo <= hi, "uniform: the range [{}, {}) is the wrong way round", lo, hi);
        const float x = lo + (hi - lo) * uniform();
        return x < hi ? x : lo;
    }

    // In {0, …, n-1}, each equally likely: the products that would favour some are drawn again [Lemire19].
    constexpr std::uint32_t uniform_int(std::uint32_t n) {
        DCHECK(n > 0, "uniform_int: there is no number below 0");
        std::uint64_t product = std::uint64_t{next32()} * n;
        if (detail::low32(product) < n) {
            const std::uint32_t unfair = (0u - n) % n;
            while (detail::low32(product) < unfair) product = std::uint64_t{next32()} * n;
        }
        return detail::high32(product);
    }

    // Mean 0, variance 1, from one draw, with the same bits on every machine; |normal| < 6.34.
    float normal() { return static_cast<float>(detail::normal_quantile((next32() + 0.5) * 0x1p-32)); }

  private:
    detail::PhiloxCounter counter_;
    detail::PhiloxKey key_;
    detail::PhiloxCounter block_{};
    std::size_t drawn_ = 4;  // of this block
};

}  // namespace spindrift
