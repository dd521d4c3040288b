// SPDX-License-Identifier: Apache-2.0
// probes/NAME.csv: a header with units and a row for each step, or for each 1/rate seconds.
//
// Between two steps a value is taken to change linearly: rows at a rate hold it at their time and its mean since the
// row before, both exact for that.  A value that is not there, as above the surface of a liquid, is an empty cell and
// does not count in means.  Each row is written by one call, and a checkpoint remembers how long the files are, so that
// a run that was killed goes on with the same bytes.
#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "io/snapshot.h"
#include "session/probes/probe.h"

namespace spindrift {

constexpr const char* kProbeFolder = "probes";

class ProbeLog {
  public:
    ProbeLog(std::filesystem::path folder, std::vector<Probe> probes);

    bool empty() const { return entries_.empty(); }
    // Begins all files anew.
    Result<void> begin();
    // Cuts the files back to where they were; probes that the checkpoint does not know begin here.
    Result<void> resume(const Snapshot& checkpoint);
    Snapshot snapshot() const;

    // Measures after a step, or before the first with an empty report, and writes the rows that are due.
    Result<void> add(const Simulation& simulation, const StepReport& step);

    // From the run's folder.
    std::vector<std::string> files() const;

  private:
    struct Entry {
        Probe probe;
        std::int64_t bytes = 0;  // of the file
        std::int64_t next = 0;   // number of the next row, at next / rate
        double time = -1;        // s, of the last measurement; none yet if negative
        std::vector<double> values{};
        std::vector<double> integral{}, duration{};  // since the last row
    };
    std::filesystem::path path(const Entry& entry) const;
    Result<void> write(Entry& entry, const std::string& text) const;
    Result<void> start_file(Entry& entry) const;
    Result<void> advance(Entry& entry, double time, const std::vector<double>& values) const;

    std::filesystem::path folder_;
    std::vector<Entry> entries_{};
};

// A probe's file: names of columns with their units, and by column the values of all rows; gaps are not numbers.
struct ProbeTable {
    std::vector<std::string> names;
    std::vector<std::vector<double>> columns;
};
Result<ProbeTable> read_probe_file(const std::filesystem::path& file);

}  // namespace spindrift
