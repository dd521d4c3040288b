// SPDX-License-Identifier: Apache-2.0
// Random valid scenes, each checked, run with all its outputs and verified by the program itself, in a process of its
// own.  A scene fails when the program crashes, hangs or throws, when a run ends otherwise than `check` has let expect,
// when a value of a file is not finite, when volume is lost without a word, or when a resumed run on another number of
// threads has another result.
//
//   random_scenes [--first ID] [--count N] [--jobs N] [--tally]     scenes ID, ID + 1, …; fails if one of them does
//   random_scenes --draw [--first ID] [--count N] [--tally]         only draws them; fails if a setting is never drawn
//   random_scenes --id ID [--folder DIR]                            one again, here, with all that is said and written
#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/cli/common.h"
#include "apps/cli/program.h"
#include "grid/measure.h"
#include "io/vdb.h"
#include "scene/read_scene.h"
#include "tests/fuzz/random_scene.h"

namespace spindrift::fuzz {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// Processor seconds of one scene, most of which take a tenth of one; sanitizers take ten times as many.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr rlim_t kMostSeconds = 600;
#else
constexpr rlim_t kMostSeconds = 60;
#endif
constexpr unsigned kWaitFactor = 10;  // the machine may be busy with other work

// What a run may have lost without a warning; session/run.cpp warns above it.
constexpr double kVolumeDrift = 0.05;
constexpr double kAmountDrift = 0.02;
constexpr std::uint32_t kMostAttempts = 1000;

std::string read_text(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

struct Fault {
    std::string what;
};

// The first attempt that is a valid scene.
struct ValidScene {
    RandomScene scene{};
    int dim = 2;
    std::vector<std::string> refused{};  // what was wrong with attempts before it
};

// The files that scenes name lie in the folder; what is wrong with a first attempt is written there.
ValidScene valid_scene(std::uint64_t id, const fs::path& folder) {
    ValidScene valid;
    for (std::uint32_t attempt = 0; attempt < kMostAttempts; ++attempt) {
        valid.scene = random_scene(id, attempt);
        const auto parsed = parse_scene(valid.scene.text, (folder / "scene.toml").string());
        if (parsed) {
            valid.dim = parsed.value().dim;
            valid.scene.written.push_back(attempt == 0 ? "valid at once" : "valid at a later attempt");
            return valid;
        }
        for (const Error& error : parsed.errors()) valid.refused.push_back(error.what);
        if (attempt == 0) std::ofstream(folder / "refused.txt") << parsed.errors().text() << valid.scene.text;
    }
    throw Fault{fmt::format("{} attempts and no valid scene; see refused.txt", kMostAttempts)};
}

struct Ended {
    int code = 0;
    std::string out{}, err{};
};

class Trial {
  public:
    Trial(std::uint64_t id, fs::path folder) : id_(id), folder_(std::move(folder)) {}

    // "fine", "stopped" at the most time steps, or "refused" by check and run alike.  Throws a Fault.
    std::string verdict() {
        write_scene();
        const Ended checked = spindrift({"check", path("scene.toml"), "--json"});
        const Ended ran = run("out", {"--threads", "1"});
        if (checked.code == cli::kInputIsWrong && ran.code == cli::kInputIsWrong) return "refused";
        if (checked.code != cli::kAllGood) fail("check", checked);
        const bool is_stopped = ran.code == cli::kFellShort && ran.err.find("time steps") != std::string::npos;
        if (ran.code != cli::kAllGood && !is_stopped) fail("run", ran);
        if (const Ended verified = spindrift({"verify", path("out")}); verified.code != cli::kAllGood)
            fail("verify", verified);
        inspect_frames(ran);
        inspect_volumes();
        if (is_stopped) return "stopped";
        if (id_ % 5 == 0) resume(ran);
        if (id_ % 5 == 1) later_stages();
        return "fine";
    }
    const std::vector<std::string>& written() const { return written_; }

  private:
    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    void write_scene() {
        fs::create_directories(folder_);
        write_scene_files(folder_);
        ValidScene valid = valid_scene(id_, folder_);
        dim_ = valid.dim;
        written_ = std::move(valid.scene.written);
        std::ofstream(folder_ / "scene.toml", std::ios::binary) << valid.scene.text;
    }

    // The program, inside this process; what it prints goes to files.
    Ended spindrift(std::vector<std::string> words) const {
        words.insert(words.begin(), "spindrift");
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        const auto redirect = [this](int stream, const std::string& name) {
            const int kept = ::dup(stream);
            const int file = ::open(path(name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
            ::dup2(file, stream);
            ::close(file);
            return kept;
        };
        const auto restore = [](int stream, int kept) {
            ::dup2(kept, stream);
            ::close(kept);
        };
        std::fflush(nullptr);
        const int out = redirect(STDOUT_FILENO, "stdout.txt"), err = redirect(STDERR_FILENO, "stderr.txt");
        Ended ended{.code = cli::program(static_cast<int>(arguments.size()), arguments.data())};
        std::fflush(nullptr);
        restore(STDOUT_FILENO, out);
        restore(STDERR_FILENO, err);
        ended.out = read_text(path("stdout.txt"));
        ended.err = read_text(path("stderr.txt"));
        return ended;
    }
    Ended run(const std::string& folder, const std::vector<std::string>& more) const {
        std::vector<std::string> words{"run", path("scene.toml"), "-o", path(folder), "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return spindrift(words);
    }
    [[noreturn]] static void fail(const std::string& verb, const Ended& ended) {
        throw Fault{fmt::format("{} ends with code {}\n{}{}", verb, ended.code, ended.err, ended.out)};
    }

    static std::vector<Json> lines_of(const Ended& ended) {
        std::vector<Json> lines;
        for (std::size_t at = 0; at < ended.out.size();) {
            const std::size_t end = ended.out.find('\n', at);
            lines.push_back(Json::parse(ended.out.substr(at, end - at)));
            at = end + 1;
        }
        return lines;
    }

    // Numbers are finite, which JSON shows as null, and what was lost was told.
    static void inspect_frames(const Ended& ran) {
        const bool is_warned = ran.err.find("volume") != std::string::npos;
        for (const Json& line : lines_of(ran)) {
            for (const auto& [key, value] : line.items())
                if (value.is_null()) throw Fault{fmt::format("{} is not finite in {}", key, line.dump())};
            const double error = line.value("volume_error", 0.0);
            if (std::abs(error) > kVolumeDrift && !is_warned)
                throw Fault{fmt::format("the volume is off by {} without a warning", error)};
            const Json amounts = line.value("amounts", Json::object());
            for (const auto& [name, a] : amounts.items()) {
                if (a["amount"].is_null() || a["error"].is_null())
                    throw Fault{fmt::format("the amount of {} is not finite", name)};
                const double off = a["error"];
                if (std::abs(off) > kAmountDrift &&
                    ran.err.find(fmt::format("of {} is off by", name)) == std::string::npos)
                    throw Fault{fmt::format("the amount of {} is off by {} without a warning", name, off)};
            }
        }
    }

    void inspect_volumes() const {
        if (!fs::exists(path("out/frames"))) return;
        for (const auto& entry : fs::directory_iterator(path("out/frames"))) {
            if (entry.path().extension() != ".vdb") continue;
            dim_ == 2 ? inspect_volume<2>(entry.path()) : inspect_volume<3>(entry.path());
        }
    }
    template <int Dim>
    static void inspect_volume(const fs::path& file) {
        const auto contents = read_vdb_contents(file);
        if (!contents) throw Fault{contents.errors().text()};
        for (const VdbContents::Grid& grid : contents.value().grids) {
            const auto look_at = [&](const Field<float, Dim>& field) {
                for (Slot slot = 0; slot < static_cast<Slot>(field.tiles().count()); ++slot)
                    for (const float value : std::span(field.tile(slot), kTileCells<Dim>))
                        if (!std::isfinite(value))
                            throw Fault{fmt::format("{} holds {} in {}", file.string(), value, grid.name)};
            };
            if (grid.type.find("vec3") == std::string::npos) {
                const auto read = read_vdb<Dim>(file, grid.name);
                if (!read) throw Fault{read.errors().text()};
                look_at(read.value().values);
            } else {
                const auto read = read_vdb_faces<Dim>(file, grid.name);
                if (!read) throw Fault{read.errors().text()};
                for (int axis = 0; axis < Dim; ++axis) look_at(read.value().values[axis]);
            }
        }
    }

    // To frame 1, and on from there with three threads: the same states.
    void resume(const Ended& whole) const {
        const std::vector<Json> before = lines_of(whole);
        const Ended first = run("again", {"--threads", "3", "--frames", "1"});
        if (first.code != cli::kAllGood) fail("run --frames 1", first);
        const std::string last = std::to_string(before.size() - 1);
        const Ended rest = run("again", {"--threads", "3", "--resume", "--frames", last});
        if (rest.code != cli::kAllGood) fail("run --resume", rest);
        std::map<int, std::string> hashes;
        for (const Ended* part : {&first, &rest})
            for (const Json& line : lines_of(*part)) hashes[line["frame"]] = line["state_hash"];
        for (const Json& line : before)
            if (hashes[line["frame"]] != line["state_hash"])
                throw Fault{fmt::format("frame {} is another one after --resume with 3 threads", line["frame"].dump())};
    }

    // Each makes its files, or says why not.
    void later_stages() const {
        const std::vector<std::vector<std::string>> all{{"mesh", path("out")},
                                                        {"render", path("out"), "--set", "camera.fov_degrees=70"},
                                                        {"report", path("out")},
                                                        {"info", path("out"), "--json"},
                                                        {"verify", path("out")}};
        for (const std::vector<std::string>& words : all) {
            const Ended ended = spindrift(words);
            const bool is_refused = ended.code == cli::kInputIsWrong && !ended.err.empty();
            const bool may_refuse = words[0] == "mesh" || words[0] == "render";
            if (ended.code != cli::kAllGood && !(is_refused && may_refuse)) fail(words[0], ended);
        }
    }

    std::uint64_t id_;
    fs::path folder_;
    int dim_ = 2;
    std::vector<std::string> written_{};
};

// One scene; its verdict and what it tried go to result.txt, line by line.
int try_scene(std::uint64_t id, const fs::path& folder) {
    Trial trial(id, folder);
    std::string verdict;
    try {
        verdict = trial.verdict();
    } catch (const Fault& fault) {
        verdict = "fault " + fault.what;
    } catch (const std::exception& error) {
        verdict = fmt::format("fault exception: {}", error.what());
    }
    std::ofstream result(folder / "result.txt");
    result << verdict.substr(0, verdict.find('\n')) << '\n';
    for (const std::string& what : trial.written()) result << what << '\n';
    if (!verdict.starts_with("fault")) return 0;
    std::ofstream(folder / "fault.txt") << verdict.substr(6) << '\n';
    return 1;
}

struct Options {
    std::uint64_t first = 1, count = 100;
    int jobs = 1;
    bool tally = false;
    bool draw = false;
    bool one = false;
    fs::path folder{};
};

class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string pattern = (fs::temp_directory_path() / "random_scenes.XXXXXX").string();
        path_ = ::mkdtemp(pattern.data());
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

using Tally = std::map<std::string, std::uint64_t>;

// Without the numbers, which make each message another one.
std::string kind_of(const std::string& message) {
    std::string out;
    for (const char c : message)
        if (std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') out += c;
    return out;
}

void print(const Tally& tally) {
    for (const auto& [what, times] : tally) fmt::print("{:8} {}\n", times, what);
}

// What valid scenes hold, without running them: a setting or a choice that none of them has is not tested.
int draw(const Options& options) {
    const TemporaryFolder folder;
    write_scene_files(folder.path());
    Tally tally;
    for (std::uint64_t k = 0; k < options.count; ++k) {
        const ValidScene valid = valid_scene(options.first + k, folder.path());
        for (const std::string& what : valid.scene.possible) tally[what];
        for (const std::string& what : valid.scene.written) ++tally[what];
        for (const std::string& what : valid.refused) ++tally["refused: " + kind_of(what)];
    }
    if (options.tally) print(tally);
    std::erase_if(tally, [](const auto& entry) { return entry.second > 0; });
    for (const auto& [what, times] : tally) fmt::print("never drawn: {}\n", what);
    fmt::print("{} scenes drawn, {} to {}\n", options.count, options.first, options.first + options.count - 1);
    return tally.empty() ? 0 : 1;
}

class Campaign {
  public:
    explicit Campaign(const Options& options) : options_(options) {}

    int run() {
        const auto start = std::chrono::steady_clock::now();
        for (std::uint64_t k = 0; k < options_.count; ++k) {
            if (running_.size() >= static_cast<std::size_t>(options_.jobs)) wait_for_one();
            begin(options_.first + k);
        }
        while (!running_.empty()) wait_for_one();
        if (options_.tally) print(tally_);
        for (const auto& [what, ids] : faults_)
            fmt::print("{} × {}: scenes {}\n", ids.size(), what, fmt::join(ids, ", "));
        fmt::print(
            "{} scenes, {} to {}: {} fine, {} stopped at max_substeps, {} refused by check, {} FAILED, {:.0f} s, "
            "{:.0f} s of processors\n",
            options_.count, options_.first, options_.first + options_.count - 1, verdicts_["fine"],
            verdicts_["stopped"], verdicts_["refused"], verdicts_["fault"],
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), processor_seconds_);
        fmt::print("longest: {}\n", fmt::join(longest(), ", "));
        return verdicts_["fault"] == 0 && verdicts_["fine"] > 0 ? 0 : 1;
    }

  private:
    fs::path folder_of(std::uint64_t id) const { return folder_.path() / std::to_string(id); }

    void begin(std::uint64_t id) {
        std::fflush(nullptr);
        const pid_t child = ::fork();
        if (child < 0) {
            std::perror("fork");
            std::exit(2);
        }
        if (child > 0) {
            running_[child] = id;
            return;
        }
        const rlimit seconds{kMostSeconds, kMostSeconds}, no_core{0, 0};
        ::setrlimit(RLIMIT_CPU, &seconds);
        ::setrlimit(RLIMIT_CORE, &no_core);
        ::alarm(static_cast<unsigned>(kMostSeconds) * kWaitFactor);
        fs::create_directories(folder_of(id));
        // What a sanitizer says as the process dies.
        const int said = ::open((folder_of(id) / "died.txt").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        ::dup2(said, STDERR_FILENO);
        // Without destructors of libraries, some of which wait for threads that a child does not have.
        ::_exit(try_scene(id, folder_of(id)));
    }

    void wait_for_one() {
        int status = 0;
        rusage use{};
        const pid_t child = ::wait4(-1, &status, 0, &use);
        const auto found = running_.find(child);
        if (found == running_.end()) return;
        const auto seconds_of = [](const timeval& t) {
            return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
        };
        const double seconds = seconds_of(use.ru_utime) + seconds_of(use.ru_stime);
        processor_seconds_ += seconds;
        by_seconds_.emplace(seconds, found->second);
        judge(found->second, status);
        running_.erase(found);
    }

    // The scenes that took most of the processors' time.
    std::vector<std::string> longest() const {
        constexpr std::size_t kShown = 5;
        std::vector<std::string> out;
        for (auto at = by_seconds_.rbegin(); at != by_seconds_.rend() && out.size() < kShown; ++at)
            out.push_back(fmt::format("scene {} {:.1f} s", at->second, at->first));
        return out;
    }

    void judge(std::uint64_t id, int status) {
        std::ifstream result(folder_of(id) / "result.txt");
        std::string verdict = "fault", line;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && std::getline(result, line)) verdict = line;
        ++verdicts_[verdict];
        while (std::getline(result, line)) ++tally_[line];
        if (verdict == "fault") complain(id, status);
        std::error_code ignored;
        fs::remove_all(folder_of(id), ignored);
    }

    void complain(std::uint64_t id, int status) {
        std::string what = read_text(folder_of(id) / "fault.txt");
        if (WIFSIGNALED(status)) {
            const int number = WTERMSIG(status);
            const bool is_late = number == SIGXCPU || number == SIGALRM || number == SIGKILL;
            what = is_late ? fmt::format("took more than {} s\n", kMostSeconds)
                           : fmt::format("died: {}\n", ::strsignal(number));
        }
        if (what.empty()) what = fmt::format("ended with code {}\n", WEXITSTATUS(status));
        const std::string said = read_text(folder_of(id) / "stderr.txt") + read_text(folder_of(id) / "died.txt");
        fmt::print("——— scene {} {}", id, what);
        if (what.find('\n') + 1 == what.size()) fmt::print("{}", said);
        fmt::print("——— to see it again: random_scenes --id {}\n{}——— end of scene {}\n", id,
                   read_text(folder_of(id) / "scene.toml"), id);
        std::fflush(stdout);
        faults_[essence(what + said)].push_back(id);
    }
    // The line that tells one kind of fault from another.
    static std::string essence(const std::string& said) {
        for (const char* sign : {"must hold", "ERROR: AddressSanitizer", "runtime error", "failed "})
            if (const std::size_t at = said.find(sign); at != std::string::npos) {
                const std::size_t begin = said.rfind('\n', at) + 1;  // npos + 1 is the start
                return said.substr(begin, said.find('\n', at) - begin);
            }
        return said.substr(0, said.find('\n'));
    }

    Options options_;
    TemporaryFolder folder_{};
    std::map<pid_t, std::uint64_t> running_{};
    Tally verdicts_{}, tally_{};
    std::map<std::string, std::vector<std::uint64_t>> faults_{};
    double processor_seconds_ = 0;
    std::multimap<double, std::uint64_t> by_seconds_{};
};

// One scene in this process, for a debugger as well.
int repeat(const Options& options) {
    const fs::path folder =
        options.folder.empty() ? fs::path(fmt::format("random_scene_{}", options.first)) : options.folder;
    fs::remove_all(folder);
    const int code = try_scene(options.first, folder);
    fmt::print("{}\n{}{}", read_text(folder / "scene.toml"), read_text(folder / "fault.txt"),
               code == 0 ? read_text(folder / "result.txt") : "");
    fmt::print("its files: {}\n", folder.string());
    return code;
}

bool read_number(const char* text, std::uint64_t& value) {
    const char* end = text + std::strlen(text);
    const auto [stop, fault] = std::from_chars(text, end, value);
    return fault == std::errc() && stop == end;
}

bool read_options(int argc, char** argv, Options& options) {
    std::uint64_t jobs = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--tally" || word == "--draw") {
            (word == "--tally" ? options.tally : options.draw) = true;
            continue;
        }
        if (++i == argc) return false;
        if (word == "--folder") {
            options.folder = argv[i];
        } else if (word == "--first" || word == "--id") {
            options.one |= word == "--id";
            if (!read_number(argv[i], options.first)) return false;
        } else if (word == "--count" || word == "--jobs") {
            if (!read_number(argv[i], word == "--count" ? options.count : jobs) || jobs < 1) return false;
        } else {
            return false;
        }
    }
    options.jobs = static_cast<int>(jobs);
    return true;
}

}  // namespace
}  // namespace spindrift::fuzz

int main(int argc, char** argv) {
    spindrift::fuzz::Options options;
    if (!spindrift::fuzz::read_options(argc, argv, options)) {
        std::fputs(
            "usage: random_scenes [--first ID] [--count N] [--jobs N] [--draw] [--tally] | --id ID [--folder DIR]\n",
            stderr);
        return 2;
    }
    if (options.draw) return spindrift::fuzz::draw(options);
    return options.one ? spindrift::fuzz::repeat(options) : spindrift::fuzz::Campaign(options).run();
}
