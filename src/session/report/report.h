// SPDX-License-Identifier: Apache-2.0
// report.html: what a run did, for people.  One file that needs no other and no network: film and pictures are inside
// it. Made from the folder alone: the same folder gives the same bytes.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "session/output/manifest.h"

namespace spindrift {

constexpr const char* kReportName = "report.html";

// Writes the report into the folder.  Files that are missing are left out; an error is a report that cannot be written.
Result<void> write_report(const std::filesystem::path& folder, const Manifest& manifest, bool is_under_way = false);

// Of the run that is in the folder, whatever it is doing.
Result<void> report_run(const std::filesystem::path& folder);

}  // namespace spindrift
