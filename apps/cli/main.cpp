// SPDX-License-Identifier: Apache-2.0
// The command line: spindrift VERB …
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/cli/bench.h"
#include "base/suggest.h"

namespace {

constexpr int kRunFailed = 1;
constexpr int kInputIsWrong = 2;

int run(int argc, char** argv) {
    CLI::App app{"Spindrift animates liquids and gases."};
    app.set_version_flag("--version", "spindrift " SPINDRIFT_VERSION);
    app.require_subcommand(1);
    int status = 0;
    spindrift::cli::add_bench(app, status);

    // A mistyped verb gets the nearest right one.
    std::vector<std::string> verbs;
    for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
    const std::string first = argc > 1 ? argv[1] : "";
    if (!first.empty() && first[0] != '-' && std::find(verbs.begin(), verbs.end(), first) == verbs.end()) {
        fmt::print(stderr, "spindrift: {}\n", text(spindrift::unknown_word("command", first, verbs)));
        return kInputIsWrong;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kInputIsWrong;
    }
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "spindrift: %s\n", error.what());
        return kRunFailed;
    }
}
