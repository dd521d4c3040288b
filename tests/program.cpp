// SPDX-License-Identifier: Apache-2.0
#include "tests/program.h"

#include <atomic>
#include <csignal>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace spindrift::testing {

namespace fs = std::filesystem;

std::vector<nlohmann::json> Ended::lines() const {
    std::vector<nlohmann::json> all;
    std::istringstream stream(out);
    for (std::string line; std::getline(stream, line);) all.push_back(nlohmann::json::parse(line));
    return all;
}

Program::Program(const fs::path& folder, const std::vector<std::string>& arguments, const Surroundings& surroundings) {
    static std::atomic<int> number{0};
    const int mine = number++;
    out_ = folder / fmt::format(".out{}", mine);
    err_ = folder / fmt::format(".err{}", mine);
    std::vector<char*> words{const_cast<char*>(SPINDRIFT_PROGRAM)};
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    const int out = ::open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int err = ::open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    process_ = ::fork();
    if (process_ == 0) {
        ::dup2(out, STDOUT_FILENO);
        ::dup2(err, STDERR_FILENO);
        if (surroundings.file_size_limit > 0) {
            const rlimit limit{surroundings.file_size_limit, surroundings.file_size_limit};
            ::setrlimit(RLIMIT_FSIZE, &limit);
        }
        if (surroundings.user != 0 && (::setgid(surroundings.user) != 0 || ::setuid(surroundings.user) != 0))
            ::_exit(126);
        ::execv(words[0], words.data());
        ::_exit(127);
    }
    ::close(out);
    ::close(err);
}

Program::~Program() {
    if (ended_ || process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, &status_, 0);
}

void Program::send(int signal) const { ::kill(process_, signal); }

bool Program::has_ended() {
    if (!ended_) ended_ = ::waitpid(process_, &status_, WNOHANG) == process_;
    return ended_;
}

Ended Program::wait() {
    if (!ended_) ::waitpid(process_, &status_, 0);
    ended_ = true;
    return {.code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_),
            .out = read_file(out_),
            .err = read_file(err_)};
}

std::string Program::out() const { return read_file(out_); }

void CommandLine::SetUp() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              fmt::format("spindrift_{}_{}_{}", test->test_suite_name(), test->name(), ::getpid());
    fs::create_directories(folder_);
}
void CommandLine::TearDown() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

Ended CommandLine::spindrift(const std::vector<std::string>& arguments,
                             const Program::Surroundings& surroundings) const {
    return Program(folder_, arguments, surroundings).wait();
}

std::string CommandLine::small_scene(const std::string& more) const {
    const fs::path file = folder_ / "dam.toml";
    write_file(file,
               "spindrift = 1\n"
               "title = \"Small dam\"\n" +
                   more +
                   "[domain]\nsize = [1.0, 0.5]\nresolution = 48\n"
                   "[time]\nframes = 8\n"
                   "[output]\ncheckpoint_every = 2\nfilm = false\n[camera]\nresolution = [160, 80]\n"
                   "[[liquid]]\nshape = \"box\"\nmin = [0.0, 0.0]\nmax = [0.3, 0.4]\n");
    return file.string();
}

void write_file(const fs::path& file, const std::string& content) {
    std::ofstream(file, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

std::string read_file(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::map<std::string, std::string> results_of(const fs::path& folder) {
    std::map<std::string, std::string> found;
    for (const char* inside : {"frames", "mesh", "images"})
        if (fs::is_directory(folder / inside))
            for (const auto& entry : fs::directory_iterator(folder / inside))
                found[fs::relative(entry.path(), folder).string()] = read_file(entry.path());
    return found;
}

std::vector<std::string> state_hashes_of(const fs::path& folder) {
    std::vector<std::string> hashes;
    const auto manifest = nlohmann::json::parse(read_file(folder / "manifest.json"));
    for (const auto& frame : manifest.at("frames")) hashes.push_back(frame.at("state_hash"));
    return hashes;
}

}  // namespace spindrift::testing
