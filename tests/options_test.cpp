// SPDX-License-Identifier: Apache-2.0
// Messages and documentation name only commands and options that exist.
#include <regex>
#include <set>

#include "tests/program.h"

namespace spindrift::testing {
namespace {

namespace fs = std::filesystem;
using Options = std::set<std::string>;

// "--frames" and "-o" in a text, with their place.
std::vector<std::string> options_in(const std::string& text) {
    static const std::regex kOption("(?:^|[\\s'\"(`,\\[])(--[a-z][a-z-]*|-[a-z])(?![\\w-])");
    std::vector<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), kOption), end; at != end; ++at) found.push_back((*at)[1]);
    return found;
}

// Literals of a C++ source, those that stand side by side joined.
std::vector<std::string> literals_in(const std::string& source) {
    static const std::regex kLine("^\\s*//.*|#include.*"), kLiteral("\"((?:[^\"\\\\]|\\\\.)*)\"");
    std::vector<std::string> found;
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line);) {
        if (std::regex_search(line, kLine)) continue;
        for (std::sregex_iterator at(line.begin(), line.end(), kLiteral), end; at != end; ++at)
            found.push_back((*at)[1]);
    }
    return found;
}

class OptionNames : public CommandLine {
  protected:
    void SetUp() override {
        CommandLine::SetUp();
        const std::string all = spindrift({"--help"}).out;
        static const std::regex kVerb("^  ([a-z]+) {2,}");
        std::istringstream lines(all);
        bool verbs = false;
        for (std::string line; std::getline(lines, line);) {
            verbs |= line.starts_with("Subcommands");
            std::smatch verb;
            if (!verbs || !std::regex_search(line, verb, kVerb)) continue;
            for (const std::string& option : options_in(spindrift({verb[1], "--help"}).out))
                of_[verb[1]].insert(option);
        }
        of_["scenes"].insert({"show", "copy"});
        for (const auto& [verb, options] : of_) known_.insert(options.begin(), options.end());
        known_.insert("--version");
    }

    // Each "spindrift VERB … --option" of a text.
    void expect_commands_exist(const std::string& text, const std::string& where) const {
        static const std::regex kCommand("(?:bin/|see: |`|again: |^|\\$ )spindrift ([a-z]+)([^\\n`\\\\]*)",
                                         std::regex::ECMAScript | std::regex::multiline);
        for (std::sregex_iterator at(text.begin(), text.end(), kCommand), end; at != end; ++at) {
            const std::string verb = (*at)[1];
            const auto options = of_.find(verb);
            // Prose such as "spindrift animates" is no command.
            if (options == of_.end()) continue;
            for (const std::string& option : options_in((*at)[2]))
                EXPECT_TRUE(options->second.contains(option))
                    << where << ": spindrift " << verb << " has no " << option;
        }
    }

    std::map<std::string, Options> of_;
    Options known_;
};

TEST_F(OptionNames, AreFoundInTheHelp) {
    ASSERT_TRUE(of_.contains("run"));
    for (const char* option : {"--resume", "--from", "-o", "--output", "--set", "-q", "--help"})
        EXPECT_TRUE(of_.at("run").contains(option)) << option;
    EXPECT_FALSE(of_.at("check").contains("--resume"));
    EXPECT_TRUE(of_.contains("film"));
}

TEST_F(OptionNames, InMessagesExist) {
    // Those of other programs that this one starts.
    const Options others{"-v", "-i", "-y", "-f", "-r", "-c", "-x", "-n", "-s", "-framerate"};
    int seen = 0;
    for (const char* folder : {"src", "apps"})
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(SPINDRIFT_SOURCE_DIR) / folder)) {
            const std::string name = entry.path().filename().string();
            if ((!name.ends_with(".cpp") && !name.ends_with(".h")) || name.ends_with("_test.cpp")) continue;
            for (const std::string& literal : literals_in(read_file(entry.path()))) {
                for (const std::string& option : options_in(literal)) {
                    EXPECT_TRUE(known_.contains(option) || others.contains(option))
                        << entry.path() << ": there is no option " << option << " (\"" << literal << "\")";
                    ++seen;
                }
                expect_commands_exist(literal, entry.path().string());
            }
        }
    EXPECT_GT(seen, 40);
}

TEST_F(OptionNames, InTheDocumentationExist) {
    std::vector<fs::path> files{fs::path(SPINDRIFT_SOURCE_DIR) / "README.md"};
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SPINDRIFT_SOURCE_DIR) / "docs"))
        if (entry.path().extension() == ".md") files.push_back(entry.path());
    for (const fs::path& file : files) expect_commands_exist(read_file(file), file.string());
}

}  // namespace
}  // namespace spindrift::testing
