// SPDX-License-Identifier: Apache-2.0
#include "session/output/verify.h"

#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/common.h"
#include "apps/cli/verbs.h"

namespace spindrift::cli {
namespace {

struct Options {
    std::string folder;
    bool json = false;
};

int verify_folder(const Options& options) {
    const auto read = verify_run(options.folder);
    if (!read) return complain(read.errors());
    const Verdict& verdict = read.value();
    if (options.json) {
        nlohmann::ordered_json line{{"frames", verdict.frames},        {"files", verdict.files},
                                    {"bytes", verdict.bytes},          {"checkpoints", verdict.checkpoints},
                                    {"complete", verdict.is_complete}, {"faults", nlohmann::ordered_json::array()}};
        for (const Error& fault : verdict.faults)
            line["faults"].push_back({{"file", fault.where.file}, {"what", fault.what}});
        fmt::print("{}\n", line.dump());
    } else {
        for (const Error& fault : verdict.faults) fmt::print("{}\n", text(fault));
        fmt::print("{}, {}, {}, {}: {}{}\n", count_text(verdict.frames, "frame"), count_text(verdict.files, "file"),
                   bytes_text(static_cast<double>(verdict.bytes)), count_text(verdict.checkpoints, "checkpoint"),
                   verdict.faults.empty() ? "all good" : fmt::format("{} damaged", verdict.faults.size()),
                   verdict.is_complete ? "" : "; the run is not complete");
    }
    return verdict.faults.empty() ? kAllGood : kFellShort;
}

}  // namespace

void add_verify(const Verb& app, int& status) {
    auto options = std::make_shared<Options>();
    const Verb verb = app.add_verb("verify", "check every file of a run against its manifest");
    verb.add_required("DIR", options->folder, "output folder of the run");
    verb.add_flag("--json", options->json, "print one JSON object");
    verb.when_chosen([options, &status] { status = verify_folder(*options); });
}

}  // namespace spindrift::cli
