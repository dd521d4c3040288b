// SPDX-License-Identifier: Apache-2.0
// The command line program from outside: started, watched, stopped, killed.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/types.h>

namespace spindrift::testing {

struct Ended {
    int code = -1;  // 128 + the signal's number when it was killed
    std::string out{}, err{};
    // One JSON object per line of standard output; throws when a line is none.
    std::vector<nlohmann::json> lines() const;
};

// A program under way.
class Program {
  public:
    struct Surroundings {
        std::size_t file_size_limit = 0;   // bytes; 0: none
        unsigned user = 0;                 // run as this user; 0: as the one who tests
        bool nobody_reads_errors = false;  // standard error cannot be written to
        int terminal_columns = 0;          // standard error is a terminal of this width; 0: a file
        std::string input{};               // what standard input holds
    };
    // `arguments` follow the program's name; output goes to files in `folder`.
    Program(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
            const Surroundings& surroundings);
    Program(const std::filesystem::path& folder, const std::vector<std::string>& arguments)
        : Program(folder, arguments, Surroundings{}) {}
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void send(int signal) const;
    bool has_ended();
    Ended wait();
    std::string out() const;  // so far

  private:
    std::filesystem::path out_, err_;
    int terminal_ = -1;  // what the program writes to its terminal is read here
    pid_t process_ = -1;
    int status_ = 0;
    bool ended_ = false;
};

// A folder of its own for each test, gone afterwards, and the program in it.
class CommandLine : public ::testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;

    Ended spindrift(const std::vector<std::string>& arguments, const Program::Surroundings& surroundings = {}) const;
    std::filesystem::path path(const std::string& name) const { return folder_ / name; }
    std::string text(const std::string& name) const { return (folder_ / name).string(); }
    // A small breaking dam in 2D, a second or two to run; returns its path.
    std::string small_scene(const std::string& more = "") const;

    std::filesystem::path folder_;
};

void write_file(const std::filesystem::path& file, const std::string& content);
std::string read_file(const std::filesystem::path& file);
// Content of all files below a folder that are part of the result: not logs, manifest or checkpoints.
std::map<std::string, std::string> results_of(const std::filesystem::path& folder);
// The state of each frame, from the manifest.
std::vector<std::string> state_hashes_of(const std::filesystem::path& folder);

}  // namespace spindrift::testing
