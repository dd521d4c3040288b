// SPDX-License-Identifier: Apache-2.0
// Benchmarks of the engine: how fast its kernels and solvers are, and how far from what the memory allows.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace spindrift::bench {

// One line of the table.  Bytes are counted as the algorithm needs them: one read or write of each field a pass must
// touch, nothing for what the caches fetch twice.
struct Measurement {
    std::string name;    // of the case
    std::string size;    // "256^3"
    double seconds = 0;  // the best of several runs
    double cells = 0;    // worked on: unknowns, samples, values
    double bytes_per_cell = 0;
    std::optional<int> iterations{};
    std::optional<double> residual{};
    std::string remark{};
};

struct Settings {
    int size = 0;        // cells along each side; 0 for each case's own
    double seconds = 1;  // to spend on each measurement, at least
};

using Report = std::function<void(const Measurement&)>;

struct Case {
    std::string name;
    std::string sentence;
    std::function<void(const Settings&, const Report&)> run;
};
const std::vector<Case>& cases();

// Bytes per second of a = b + s c on arrays far larger than the caches, counting two reads and a write [McCalpin95].
double triad_bandwidth(const Settings& settings);

// The shortest time of f(), run again and again for settings.seconds and at least three times after a first try.
double best_seconds(const Settings& settings, const std::function<void()>& f);

// For the files that define cases.
std::vector<Case> kernel_cases();
std::vector<Case> solve_cases();
std::vector<Case> sample_cases();
std::vector<Case> particle_cases();
std::vector<Case> gas_cases();

}  // namespace spindrift::bench
