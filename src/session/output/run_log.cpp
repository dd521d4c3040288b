// SPDX-License-Identifier: Apache-2.0
#include "session/output/run_log.h"

#include <cerrno>

#include <fmt/format.h>

#include "io/safe_file.h"

namespace spindrift {
namespace {

// A killed run may have left half a line.
bool ends_in_mid_line(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream.seekg(-1, std::ios::end)) return false;
    return stream.get() != '\n';
}

}  // namespace

Result<RunLog> RunLog::open(const std::filesystem::path& file) {
    const bool torn = ends_in_mid_line(file);
    errno = 0;
    std::ofstream stream(file, std::ios::binary | std::ios::app);
    if (torn) stream << '\n' << std::flush;
    if (!stream) return file_error(file, "cannot be written", errno);
    return RunLog(file, std::move(stream));
}

Result<void> RunLog::event(const std::string& event, const std::string& fields) {
    errno = 0;
    stream_ << fmt::format("{{\"event\":\"{}\"{}{}}}\n", event, fields.empty() ? "" : ",", fields) << std::flush;
    if (!stream_) return file_error(file_, "cannot be written", errno);
    return {};
}

Result<void> RunLog::add(const StepRecord& step) {
    const std::string line = json_line(step);
    return event("step", line.substr(1, line.size() - 2));
}
Result<void> RunLog::add(const FrameRecord& frame) {
    const std::string line = json_line(frame);
    return event("frame", line.substr(1, line.size() - 2));
}

}  // namespace spindrift
