// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/program.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/cli/common.h"
#include "apps/cli/verbs.h"
#include "base/suggest.h"

namespace {

using namespace spindrift;

std::vector<std::string> verbs_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
    return names;
}

// The innermost verb that was recognised.
const CLI::App* innermost(const CLI::App& app) {
    const CLI::App* verb = &app;
    while (!verb->get_subcommands().empty()) verb = verb->get_subcommands().front();
    return verb;
}

// "spindrift scenes show"
std::string command_of(const CLI::App& verb) {
    const CLI::App* outer = verb.get_parent();
    return outer == nullptr ? "spindrift" : command_of(*outer) + " " + verb.get_name();
}

// An option that does not exist gets the nearest that does.
int complain_of_option(const CLI::App& app, const CLI::ExtrasError& error) {
    const CLI::App* verb = innermost(app);
    std::vector<std::string> known;
    for (const CLI::Option* option : verb->get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (std::string word : app.remaining(true)) {
        word.resize(std::min(word.size(), word.find('=')));
        if (word.starts_with("-")) return cli::complain(unknown_word("option", word, known));
        return cli::complain(Error{.what = fmt::format("unexpected argument '{}'", word),
                                   .remedy = fmt::format("see: {} --help", command_of(*verb))});
    }
    return cli::complain(Error{.what = error.what()});
}

// A word that is missing or cannot be understood.
int complain_of_words(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App* verb = innermost(app);
    if (verb == &app) {
        fmt::print(stderr, "{}", app.help());
        return cli::kInputIsWrong;
    }
    std::string what = error.what();
    if (const std::size_t at = what.find(": 1 required "); at != std::string::npos)
        what = what.substr(0, at) + " needs a value";
    return cli::complain(Error{.what = std::move(what), .remedy = fmt::format("see: {} --help", command_of(*verb))});
}

int run(int argc, char** argv) {
    CLI::App app{"Spindrift animates liquids and gases."};
    app.set_version_flag("--version", "spindrift " SPINDRIFT_VERSION);
    app.require_subcommand(1);
    int status = cli::kAllGood;
    const cli::Verb program(app);
    cli::add_run(program, status);
    cli::add_stages(program, status);
    cli::add_check(program, status);
    cli::add_info(program, status);
    cli::add_verify(program, status);
    cli::add_compare(program, status);
    cli::add_scenes(program, status);
    cli::add_validate(program, status);
    cli::add_bench(program, status);

    // A mistyped verb gets the nearest right one.
    const std::vector<std::string> verbs = verbs_of(app);
    const std::string first = argc > 1 ? argv[1] : "";
    if (!first.empty() && first[0] != '-' && std::find(verbs.begin(), verbs.end(), first) == verbs.end())
        return cli::complain(unknown_word("command", first, verbs));
    const std::vector<std::string> options{"--help", "--version"};
    if (first.starts_with("-") && first != "-h" && std::find(options.begin(), options.end(), first) == options.end())
        return cli::complain(unknown_word("option", first, options));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ExtrasError& error) {
        return complain_of_option(app, error);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
        return complain_of_words(app, error);
    }
    return status;
}

}  // namespace

namespace spindrift::cli {

int program(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "spindrift: %s\n", error.what());
        return kFellShort;
    }
}

}  // namespace spindrift::cli
