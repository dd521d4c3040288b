// SPDX-License-Identifier: Apache-2.0
#include "tests/program.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
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
    int err = ::open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const fs::path in_file = folder / fmt::format(".in{}", mine);
    write_file(in_file, surroundings.input);
    const int in = ::open(in_file.c_str(), O_RDONLY);
    if (surroundings.terminal_columns > 0) {
        terminal_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (terminal_ >= 0 && ::grantpt(terminal_) == 0 && ::unlockpt(terminal_) == 0) {
            ::close(err);
            err = ::open(::ptsname(terminal_), O_RDWR | O_NOCTTY);
            winsize size{};
            size.ws_row = 24;
            size.ws_col = static_cast<unsigned short>(surroundings.terminal_columns);
            ::ioctl(err, TIOCSWINSZ, &size);
        }
    }
    process_ = ::fork();
    if (process_ == 0) {
        ::dup2(in, STDIN_FILENO);
        ::dup2(out, STDOUT_FILENO);
        int unread[2];
        if (surroundings.nobody_reads_errors && ::pipe(unread) == 0) {
            ::close(unread[0]);
            ::dup2(unread[1], STDERR_FILENO);
        } else {
            ::dup2(err, STDERR_FILENO);
        }
        if (surroundings.file_size_limit > 0) {
            const rlimit limit{surroundings.file_size_limit, surroundings.file_size_limit};
            ::setrlimit(RLIMIT_FSIZE, &limit);
        }
        if (surroundings.user != 0 && (::setgid(surroundings.user) != 0 || ::setuid(surroundings.user) != 0))
            ::_exit(126);
        ::execv(words[0], words.data());
        ::_exit(127);
    }
    ::close(in);
    ::close(out);
    ::close(err);
}

Program::~Program() {
    if (terminal_ >= 0) ::close(terminal_);
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
    // A terminal holds a few pages; whoever writes more waits for a reader.
    std::string shown;
    char page[4096];
    for (ssize_t n = 0; terminal_ >= 0 && (n = ::read(terminal_, page, sizeof page)) > 0;)
        shown.append(page, static_cast<std::size_t>(n));
    if (!ended_) ::waitpid(process_, &status_, 0);
    ended_ = true;
    return {.code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_),
            .out = read_file(out_),
            .err = terminal_ >= 0 ? shown : read_file(err_)};
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
    for (const char* inside : {"frames", "mesh", "whitewater", "images"})
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
