// SPDX-License-Identifier: Apache-2.0
#include "io/film.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "io/png.h"
#include "io/safe_file.h"

extern char** environ;

namespace spindrift {
namespace {

namespace fs = std::filesystem;
constexpr int kEncoderThreads = 4;  // fixed: x264 makes other bytes on another number of threads
constexpr std::size_t kLastLines = 6;

std::vector<std::string> arguments(const fs::path& output, const FilmFormat& format) {
    return {
        format.ffmpeg.string(), "-hide_banner", "-nostdin", "-loglevel", "error", "-y",
        // What comes through the pipe.
        "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", fmt::format("{}x{}", format.width, format.height),
        "-framerate", fmt::format("{}", format.fps), "-i", "pipe:0",
        // What is made of it.
        "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-colorspace",
        "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv", "-c:v", "libx264", "-crf",
        fmt::format("{}", format.quality), "-preset", "medium", "-threads", fmt::format("{}", kEncoderThreads),
        // The same bytes for the same frames: no versions, no times.
        "-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1", "-movflags", "+faststart", "-f", "mp4",
        // As a path, so that no name is taken for an option or a protocol.
        "file:" + output.string()};
}

std::string last_lines(std::FILE* messages) {
    std::rewind(messages);
    std::vector<std::string> lines(1);
    for (int c = std::fgetc(messages); c != EOF; c = std::fgetc(messages)) {
        if (c == '\n')
            lines.emplace_back();
        else
            lines.back() += static_cast<char>(c);
    }
    if (lines.back().empty()) lines.pop_back();
    std::string text;
    for (std::size_t i = lines.size() > kLastLines ? lines.size() - kLastLines : 0; i < lines.size(); ++i)
        text += (text.empty() ? "" : "\n") + lines[i];
    return text;
}

Error no_pictures(const fs::path& path) {
    return {.what = "no pictures to make a film of", .remedy = "render them first", .where = {.file = path.string()}};
}

}  // namespace

struct Film::Pipe {
    fs::path path, partial;
    FilmFormat format;
    pid_t child = -1;
    std::int64_t added = 0;         // frames
    int frames = -1;                // our end of a socket: writing to it, unlike to a pipe, can be told not to signal
    std::FILE* messages = nullptr;  // what ffmpeg says; a file, as a second pipe could fill up and block both of us

    Pipe() = default;
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        if (child > 0) {
            ::kill(child, SIGKILL);
            wait();
            std::error_code ignored;
            fs::remove(partial, ignored);
        }
        close_frames();
        if (messages != nullptr) std::fclose(messages);
    }

    void close_frames() {
        if (frames >= 0) ::close(frames);
        frames = -1;
    }
    // The child's status as waitpid tells it.
    int wait() {
        int status = 0;
        while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        child = -1;
        return status;
    }

    Result<void> start();
    // Ends the child and says why it failed.
    Error failure();
};

Result<void> Film::Pipe::start() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return file_error(path, "no pipe to ffmpeg can be made", errno);
    frames = ends[0];
    messages = std::tmpfile();
    if (messages == nullptr) {
        ::close(ends[1]);
        return file_error(path, "no temporary file can be made", errno);
    }
    // Our file of messages must not be left open in programs started later.
    ::fcntl(::fileno(messages), F_SETFD, FD_CLOEXEC);

    std::vector<std::string> words = arguments(partial, format);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ::fileno(messages), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ::fileno(messages), STDERR_FILENO);
    const int reason = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (reason == 0) return {};

    child = -1;
    Error error = file_error(path, "ffmpeg cannot be started", reason);
    error.remedy =
        fmt::format("install ffmpeg, or say where it is ('{}' was not found or is no program)", format.ffmpeg.string());
    return error;
}

Error Film::Pipe::failure() {
    close_frames();
    const int status = wait();
    std::error_code ignored;
    fs::remove(partial, ignored);
    const std::string ended = WIFSIGNALED(status) ? fmt::format("was ended by signal {}", WTERMSIG(status))
                                                  : fmt::format("failed with exit code {}", WEXITSTATUS(status));
    const std::string said = last_lines(messages);
    return {.what = fmt::format("no film was made: ffmpeg {}{}{}", ended, said.empty() ? "" : ":\n", said),
            .remedy = "check that the folder can be written and the disk has room, and that ffmpeg has libx264",
            .where = {.file = path.string()}};
}

Film::Film(std::unique_ptr<Pipe> pipe) : pipe_(std::move(pipe)) {}
Film::Film(Film&&) noexcept = default;
Film& Film::operator=(Film&&) noexcept = default;
Film::~Film() = default;

Result<Film> Film::open(const fs::path& path, const FilmFormat& format) {
    CHECK(format.width > 0 && format.height > 0 && format.fps > 0, "a film of {} × {} pixels, {} per second",
          format.width, format.height, format.fps);
    auto pipe = std::make_unique<Pipe>();
    pipe->path = path;
    pipe->partial = partial_path(path);
    pipe->format = format;
    if (auto started = pipe->start(); !started) return std::move(started).errors();
    return Film(std::move(pipe));
}

Result<void> Film::add(std::span<const std::uint8_t> rgb) {
    CHECK(pipe_ != nullptr && pipe_->child > 0, "a frame for a film that has ended");
    const auto pixels = static_cast<std::size_t>(pipe_->format.width) * static_cast<std::size_t>(pipe_->format.height);
    CHECK(rgb.size() == 3 * pixels, "film: {} bytes for {} × {} pixels", rgb.size(), pipe_->format.width,
          pipe_->format.height);
    while (!rgb.empty()) {
        const ssize_t sent = ::send(pipe_->frames, rgb.data(), rgb.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return pipe_->failure();
        rgb = rgb.subspan(static_cast<std::size_t>(sent));
    }
    ++pipe_->added;
    return {};
}

Result<void> Film::finish() {
    CHECK(pipe_ != nullptr && pipe_->child > 0, "a film was finished that has ended");
    if (pipe_->added == 0) {  // of which ffmpeg would make an empty file and be content
        const fs::path path = pipe_->path;
        pipe_.reset();
        return no_pictures(path);
    }
    pipe_->close_frames();
    siginfo_t ended{};
    while (::waitid(P_PID, static_cast<id_t>(pipe_->child), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    if (ended.si_code != CLD_EXITED || ended.si_status != 0) return pipe_->failure();
    pipe_->wait();
    return publish_file(pipe_->partial, pipe_->path);
}

Result<void> film_from_pngs(const fs::path& path, std::span<const fs::path> frames, FilmFormat format) {
    if (frames.empty()) return no_pictures(path);
    auto first = read_png(frames[0]);
    if (!first) return std::move(first).errors();
    format.width = first.value().width;
    format.height = first.value().height;
    auto film = Film::open(path, format);
    if (!film) return std::move(film).errors();
    for (const fs::path& frame : frames) {
        const auto pixels = read_png(frame);
        if (!pixels) return pixels.errors();
        if (pixels.value().width != format.width || pixels.value().height != format.height)
            return Error{.what = fmt::format("is {} × {} pixels, the pictures before it {} × {}", pixels.value().width,
                                             pixels.value().height, format.width, format.height),
                         .remedy = "render all pictures of a film with the same resolution",
                         .where = {.file = frame.string()}};
        if (auto added = film.value().add(pixels.value().rgb); !added) return added;
    }
    return film.value().finish();
}

}  // namespace spindrift
