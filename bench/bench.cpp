// SPDX-License-Identifier: Apache-2.0
#include "bench/bench.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/memory.h"
#include "base/parallel.h"

namespace spindrift::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr std::size_t kTriadValues = std::size_t{1}
                                     << 25;  // 128 MiB per array, beyond the caches of any machine we know

}  // namespace

double best_seconds(const Settings& settings, const std::function<void()>& f) {
    f();
    double best = std::numeric_limits<double>::infinity();
    const Clock::time_point start = Clock::now();
    for (int n = 0; n < 3 || seconds_since(start) < settings.seconds; ++n) {
        const Clock::time_point before = Clock::now();
        f();
        best = std::min(best, seconds_since(before));
    }
    return best;
}

double triad_bandwidth(const Settings& settings) {
    Buffer<float> a(kTriadValues), b(kTriadValues), c(kTriadValues);
    constexpr std::size_t kGrain = std::size_t{1} << 14;
    // Pages are first touched by the threads that use them.
    parallel_ranges(kTriadValues, kGrain, [&](std::size_t begin, std::size_t end) {
        std::fill(a.data() + begin, a.data() + end, 0.0F);
        std::fill(b.data() + begin, b.data() + end, 1.0F);
        std::fill(c.data() + begin, c.data() + end, 2.0F);
    });
    const double seconds = best_seconds(settings, [&] {
        parallel_ranges(kTriadValues, kGrain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) a[i] = b[i] + 0.5F * c[i];
        });
    });
    return 3.0 * sizeof(float) * static_cast<double>(kTriadValues) / seconds;
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all = [] {
        std::vector<Case> list;
        for (auto part : {kernel_cases(), solve_cases(), sample_cases(), particle_cases(), gas_cases()})
            list.insert(list.end(), part.begin(), part.end());
        return list;
    }();
    return all;
}

}  // namespace spindrift::bench
