// SPDX-License-Identifier: Apache-2.0
#include "session/probes/probe_log.h"

#include <cerrno>
#include <cmath>
#include <limits>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "io/safe_file.h"
#include "io/whole_file.h"

namespace spindrift {
namespace {

namespace fs = std::filesystem;

std::string column_title(const ProbeColumn& column, const char* suffix = "") {
    return column.unit.empty() ? column.name + suffix : fmt::format("{}{} [{}]", column.name, suffix, column.unit);
}

std::string header(const Probe& probe) {
    std::string text = "time [s]";
    for (const ProbeColumn& column : probe.columns) text += "," + column_title(column);
    if (probe.rate)
        for (const ProbeColumn& column : probe.columns) text += "," + column_title(column, "_mean");
    return text + "\n";
}

// Enough digits to be read back exactly; nothing for what is not a number.
std::string cell(double value) { return std::isfinite(value) ? fmt::format(",{}", value) : ","; }

}  // namespace

ProbeLog::ProbeLog(fs::path folder, std::vector<Probe> probes) : folder_(std::move(folder)) {
    for (Probe& probe : probes) {
        Entry& entry = entries_.emplace_back();
        entry.probe = std::move(probe);
        entry.integral.resize(entry.probe.columns.size());
        entry.duration.resize(entry.probe.columns.size());
    }
}

fs::path ProbeLog::path(const Entry& entry) const { return folder_ / kProbeFolder / (entry.probe.name + ".csv"); }

std::vector<std::string> ProbeLog::files() const {
    std::vector<std::string> list;
    for (const Entry& entry : entries_) list.push_back(fmt::format("{}/{}.csv", kProbeFolder, entry.probe.name));
    return list;
}

Result<void> ProbeLog::write(Entry& entry, const std::string& text) const {
    const fs::path file = path(entry);
    const int out = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (out < 0) return file_error(file, "cannot be written", errno);
    const ssize_t written = ::write(out, text.data(), text.size());
    const int failure = written < 0 ? errno : ENOSPC;
    ::close(out);
    if (written != static_cast<ssize_t>(text.size())) return file_error(file, "cannot be written", failure);
    entry.bytes += static_cast<std::int64_t>(text.size());
    return {};
}

Result<void> ProbeLog::start_file(Entry& entry) const {
    std::error_code failure;
    fs::create_directories(folder_ / kProbeFolder, failure);
    if (failure) return file_error(folder_ / kProbeFolder, "cannot be made a folder", failure.value());
    if (auto made = write_text_file(path(entry), ""); !made) return made;
    entry.bytes = 0;
    return write(entry, header(entry.probe));
}

Result<void> ProbeLog::begin() {
    for (Entry& entry : entries_)
        if (auto made = start_file(entry); !made) return made;
    return {};
}

Result<void> ProbeLog::resume(const Snapshot& checkpoint) {
    for (Entry& entry : entries_) {
        const Snapshot kept = checkpoint.folder(entry.probe.name);
        if (kept.items().empty()) {
            if (auto made = start_file(entry); !made) return made;
            continue;
        }
        SnapshotReader read(kept);
        std::string text;
        read("text", text);
        read("bytes", entry.bytes);
        read("next", entry.next);
        read("time", entry.time);
        read("values", entry.values);
        read("integral", entry.integral);
        read("duration", entry.duration);
        if (!read.errors().empty()) return read.errors();
        const fs::path file = path(entry);
        if (text != entry.probe.text)
            return Error{.what = "was measured by a probe of this name that is set otherwise",
                         .remedy = "give the changed probe another name",
                         .where = {.file = file.string()}};
        std::error_code failure;
        const auto size = fs::file_size(file, failure);
        if (failure || size < static_cast<std::uintmax_t>(entry.bytes))
            return Error{.what = "is shorter than when the checkpoint was written",
                         .remedy = "restore it, or make the run again with --from 0",
                         .where = {.file = file.string()}};
        fs::resize_file(file, static_cast<std::uintmax_t>(entry.bytes), failure);
        if (failure) return file_error(file, "cannot be written", failure.value());
    }
    return {};
}

Snapshot ProbeLog::snapshot() const {
    Snapshot all;
    for (const Entry& entry : entries_) {
        Snapshot one;
        one.add("text", entry.probe.text);
        one.add("bytes", entry.bytes);
        one.add("next", entry.next);
        one.add("time", entry.time);
        one.add("values", std::span<const double>(entry.values));
        one.add("integral", std::span<const double>(entry.integral));
        one.add("duration", std::span<const double>(entry.duration));
        all.add_folder(entry.probe.name, one);
    }
    return all;
}

Result<void> ProbeLog::add(const Simulation& simulation, const StepReport& step) {
    for (Entry& entry : entries_)
        if (auto written = advance(entry, simulation.time(), entry.probe.measure(simulation, step)); !written)
            return written;
    return {};
}

Result<void> ProbeLog::advance(Entry& entry, double time, const std::vector<double>& values) const {
    const std::size_t columns = values.size();
    std::string rows;
    if (!entry.probe.rate) {
        rows = fmt::format("{}", time);
        for (const double value : values) rows += cell(value);
        rows += "\n";
    } else {
        // Before the first measurement nothing is known; a value that appears holds since the one before.
        const bool is_first = entry.time < 0;
        const double from = is_first ? time : entry.time;
        const auto at = [&](std::size_t c, double t) {
            const double a = is_first ? values[c] : entry.values[c], b = values[c];
            if (t >= time || !std::isfinite(a)) return b;
            return std::isfinite(b) ? a + (b - a) * (t - from) / (time - from) : b;
        };
        double done = from;
        const auto integrate_until = [&](double t) {
            for (std::size_t c = 0; c < columns; ++c) {
                const double mean = 0.5 * (at(c, done) + at(c, t));
                if (!std::isfinite(mean)) continue;
                entry.integral[c] += mean * (t - done);
                entry.duration[c] += t - done;
            }
            done = t;
        };
        constexpr double kRounding = 1e-9;  // of an interval
        for (double due = static_cast<double>(entry.next) / *entry.probe.rate;
             due <= time + kRounding / *entry.probe.rate; due = static_cast<double>(entry.next) / *entry.probe.rate) {
            if (due > done) integrate_until(std::min(due, time));
            rows += fmt::format("{}", due);
            for (std::size_t c = 0; c < columns; ++c) rows += cell(at(c, due));
            for (std::size_t c = 0; c < columns; ++c) {
                rows += cell(entry.duration[c] > 0 ? entry.integral[c] / entry.duration[c] : at(c, due));
                entry.integral[c] = entry.duration[c] = 0;
            }
            rows += "\n";
            ++entry.next;
        }
        if (time > done) integrate_until(time);
    }
    entry.time = time;
    entry.values = values;
    return rows.empty() ? Result<void>{} : write(entry, rows);
}

Result<ProbeTable> read_probe_file(const fs::path& file) {
    const auto text = read_text_file(file);
    if (!text) return text.errors();
    ProbeTable table;
    std::istringstream stream(text.value());
    std::string line, word;
    std::getline(stream, line);
    for (std::istringstream words(line); std::getline(words, word, ',');) table.names.push_back(word);
    table.columns.resize(table.names.size());
    while (std::getline(stream, line)) {
        std::istringstream words(line);
        for (std::vector<double>& column : table.columns) {
            word.clear();
            std::getline(words, word, ',');
            column.push_back(word.empty() ? std::numeric_limits<double>::quiet_NaN()
                                          : std::strtod(word.c_str(), nullptr));
        }
    }
    return table;
}

}  // namespace spindrift
