// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/common.h"
#include "apps/cli/verbs.h"
#include "base/parallel.h"
#include "base/suggest.h"
#include "validate/cases.h"

namespace spindrift::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
    std::vector<std::string> names;
    int threads = 0;
    bool slow = false;
    bool json = false;
    bool list = false;
};

std::string with_unit(double value, const std::string& unit) {
    return unit.empty() ? fmt::format("{:.4g}", value) : fmt::format("{:.4g} {}", value, unit);
}

// "≤ 0.5 %", "± 0.5 %", "0.95 to 1.05".
std::string bounds_text(const Figure& f) {
    if (!f.is_judged()) return "";
    if (!f.least) return "≤ " + with_unit(*f.most, f.unit);
    if (!f.most) return "≥ " + with_unit(*f.least, f.unit);
    if (*f.least == -*f.most) return "± " + with_unit(*f.most, f.unit);
    return fmt::format("{:.4g} to {}", *f.least, with_unit(*f.most, f.unit));
}

std::string verdict(const Figure& f) { return !f.is_judged() ? "" : f.is_ok() ? "ok" : "falls short"; }

void print_row(const std::string& name, const Figure& f, double seconds) {
    fmt::print("{:<18} {:<30} {:<22} {:<14} {:>12} {:>10} {:>20}  {:<11} {:>7.1f} s\n", name, f.name, f.variant, f.grid,
               with_unit(f.measured, f.unit), f.reference ? fmt::format("{:.4g}", *f.reference) : "", bounds_text(f),
               verdict(f), seconds);
    std::fflush(stdout);
}

void print_json(const std::string& name, const Figure& f, double seconds) {
    const auto or_null = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
    // What is no number cannot be said in JSON otherwise.
    const Json measured = std::isfinite(f.measured) ? Json(f.measured) : Json();
    fmt::print("{}\n", Json{{"case", name},
                            {"figure", f.name},
                            {"variant", f.variant},
                            {"grid", f.grid},
                            {"measured", measured},
                            {"unit", f.unit},
                            {"reference", or_null(f.reference)},
                            {"least", or_null(f.least)},
                            {"most", or_null(f.most)},
                            {"verdict", !f.is_judged() ? Json() : Json(verdict(f))},
                            {"seconds", seconds}}
                           .dump());
    std::fflush(stdout);
}

int list_cases(bool json) {
    for (const ValidationCase& c : validation_cases())
        if (json)
            fmt::print("{}\n", Json{{"case", c.name}, {"sentence", c.sentence}, {"slow", c.is_slow}}.dump());
        else
            fmt::print("{:<20} {}{}\n", c.name, c.sentence, c.is_slow ? " (slow)" : "");
    return kAllGood;
}

// Those named, or all that do not take long.
Result<std::vector<const ValidationCase*>> chosen_cases(const Options& options) {
    std::vector<std::string> known;
    for (const ValidationCase& c : validation_cases()) known.push_back(c.name);
    std::vector<const ValidationCase*> chosen;
    Errors errors;
    for (const std::string& name : options.names) {
        const auto found = std::find(known.begin(), known.end(), name);
        if (found == known.end())
            errors.add(unknown_word("validation case", name, known));
        else
            chosen.push_back(&validation_cases()[static_cast<std::size_t>(found - known.begin())]);
    }
    if (!errors.empty()) return errors;
    if (chosen.empty())
        for (const ValidationCase& c : validation_cases())
            if (options.slow || !c.is_slow) chosen.push_back(&c);
    return chosen;
}

int run_validate(const Options& options) {
    if (options.list) return list_cases(options.json);
    const auto chosen = chosen_cases(options);
    if (!chosen) return complain(chosen.errors());
    set_thread_count(options.threads);

    using Clock = std::chrono::steady_clock;
    int judged = 0, short_of = 0, failed = 0;
    for (const ValidationCase* c : chosen.value()) {
        Clock::time_point since = Clock::now();
        const auto found = [&](const Figure& f) {
            const double seconds = std::chrono::duration<double>(Clock::now() - since).count();
            since = Clock::now();
            judged += f.is_judged() ? 1 : 0;
            short_of += f.is_ok() ? 0 : 1;
            (options.json ? print_json : print_row)(c->name, f, seconds);
        };
        const auto ran = c->run({.found = found});
        if (ran) continue;
        ++failed;
        complain(ran.errors());
    }
    if (!options.json)
        fmt::print("{} of {} figures are within their limits{}\n", judged - short_of, judged,
                   failed > 0 ? fmt::format("; {} cases could not be run to their end", failed) : "");
    return short_of + failed > 0 ? kFellShort : kAllGood;
}

}  // namespace

void add_validate(const Verb& app, int& status) {
    auto options = std::make_shared<Options>();
    const Verb verb =
        app.add_verb("validate", "measure runs against experiments, exact solutions and tables; 1 if one falls short");
    verb.add_texts("CASE", options->names, "which (all but the slow ones when none is named; see --list)");
    verb.add_flag("--slow", options->slow, "those that take minutes as well");
    verb.add_flag("--list", options->list, "what there is");
    verb.add_flag("--json", options->json, "one JSON object per line");
    verb.add_number("--threads", options->threads, 1, 1024, "threads (default: one per core)");
    verb.when_chosen([options, &status] { status = run_validate(*options); });
}

}  // namespace spindrift::cli
