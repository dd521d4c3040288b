// SPDX-License-Identifier: Apache-2.0
#include "bench/bench.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/common.h"
#include "apps/cli/verbs.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "base/suggest.h"

namespace spindrift::cli {
namespace {

struct Options {
    std::vector<std::string> names;
    bench::Settings settings;
    int threads = 0;
    bool json = false;
    bool list = false;
};

std::string per_second(double rate) {
    return rate >= 1e9 ? fmt::format("{:.2f} G/s", rate / 1e9) : fmt::format("{:.1f} M/s", rate / 1e6);
}

void print_row(const bench::Measurement& m, double bandwidth) {
    const double rate = m.cells / m.seconds;
    fmt::print("{:<16} {:>7} {:>12.3f} ms {:>12} {:>8.1f} {:>6.0f} % {:>5} {:>9}  {}\n", m.name, m.size,
               1e3 * m.seconds, per_second(rate), m.bytes_per_cell, 100 * rate * m.bytes_per_cell / bandwidth,
               m.iterations ? fmt::format("{}", *m.iterations) : "",
               m.residual ? fmt::format("{:.1e}", *m.residual) : "", m.remark);
    std::fflush(stdout);
}

void print_json(const bench::Measurement& m, double bandwidth) {
    const double rate = m.seconds > 0 ? m.cells / m.seconds : 0;
    nlohmann::ordered_json line{{"case", m.name},
                                {"size", m.size},
                                {"threads", thread_count()},
                                {"seconds", m.seconds},
                                {"cells", m.cells},
                                {"cells_per_s", rate},
                                {"bytes_per_cell", m.bytes_per_cell},
                                {"bandwidth_fraction", rate * m.bytes_per_cell / bandwidth},
                                {"triad_bytes_per_s", bandwidth}};
    if (m.iterations) line["iterations"] = *m.iterations;
    if (m.residual) line["residual"] = *m.residual;
    if (!m.remark.empty()) line["remark"] = m.remark;
    fmt::print("{}\n", line.dump());
    std::fflush(stdout);
}

int run_bench(const Options& options) {
    if (options.list) {
        for (const bench::Case& c : bench::cases()) fmt::print("{:<16} {}\n", c.name, c.sentence);
        return 0;
    }
    std::vector<const bench::Case*> chosen;
    std::vector<std::string> known;
    for (const bench::Case& c : bench::cases()) known.push_back(c.name);
    for (const std::string& name : options.names) {
        const auto found = std::find(known.begin(), known.end(), name);
        if (found == known.end()) {
            fmt::print(stderr, "spindrift: {}\n", text(unknown_word("benchmark", name, known)));
            return 2;
        }
        chosen.push_back(&bench::cases()[static_cast<std::size_t>(found - known.begin())]);
    }
    if (chosen.empty())
        for (const bench::Case& c : bench::cases()) chosen.push_back(&c);

    set_thread_count(options.threads);
    double bandwidth = bench::triad_bandwidth(options.settings);
    if (!options.json) {
        fmt::print("{} threads, {} kernels, {:.1f} GB/s by triad\n\n", thread_count(), name(instruction_set()),
                   bandwidth / 1e9);
        fmt::print("{:<16} {:>7} {:>15} {:>12} {:>8} {:>8} {:>5} {:>9}\n", "case", "size", "time", "cells", "B/cell",
                   "of triad", "iter", "residual");
    }
    for (const bench::Case* c : chosen) {
        // The yardstick is the most that the memory has shown so far in this run: a busy moment must not flatter a
        // case.
        if (c != chosen.front()) bandwidth = std::max(bandwidth, bench::triad_bandwidth({.seconds = 0.2}));
        c->run(options.settings, [&](const bench::Measurement& m) {
            if (options.json)
                print_json(m, bandwidth);
            else
                print_row(m, bandwidth);
        });
    }
    return 0;
}

}  // namespace

void add_bench(const Verb& app, int& status) {
    auto options = std::make_shared<Options>();
    const Verb verb = app.add_verb("bench", "time kernels and solvers, and compare them with the memory's speed");
    verb.add_texts("CASE", options->names, "which (all when none is named; see --list)");
    verb.add_flag("--json", options->json, "one JSON object per line");
    verb.add_flag("--list", options->list, "what there is");
    verb.add_number("--size", options->settings.size, 8, 1024, "cells along each side, instead of each case's own");
    verb.add_seconds("--seconds", options->settings.seconds, "how long to repeat each measurement (default 1)");
    verb.add_number("--threads", options->threads, 1, 1024, "threads (default: one per core)");
    verb.when_chosen([options, &status] { status = run_bench(*options); });
}

}  // namespace spindrift::cli
