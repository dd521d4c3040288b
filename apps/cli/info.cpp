// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "apps/cli/common.h"
#include "apps/cli/verbs.h"
#include "io/checkpoint.h"
#include "io/vdb.h"
#include "session/output/manifest.h"
#include "session/output/output_folder.h"

namespace spindrift::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Options {
    std::string path;
    bool json = false;
};

std::string readable(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_number_float() ? fmt::format("{:.6g}", value.get<double>()) : value.dump();
}

// What is known is put into JSON first; people get the same as lines.
void print(const Json& json, bool as_json) {
    if (as_json) return fmt::print("{}\n", json.dump());
    for (const auto& [key, value] : json.items()) {
        if (!value.is_array()) {
            if (!value.is_string() || !value.get<std::string>().empty())
                fmt::print("{:<21} {}\n", key, readable(value));
            continue;
        }
        if (!value.empty()) fmt::print("{}\n", key);
        for (const Json& row : value) {
            std::string line;
            for (const auto& [name, cell] : row.items()) line += fmt::format("  {} {}", name, readable(cell));
            fmt::print(" {}\n", line);
        }
    }
}

Result<Json> info_of_run(const fs::path& folder) {
    const auto read = read_manifest(folder);
    if (!read) return read.errors();
    const Manifest& m = read.value();
    std::uint64_t bytes = 0;
    double seconds = 0, peak_rss = 0, worst_volume = 0, worst_body = 0, lost = 0, worst_amount = 0;
    for (const FrameRecord& frame : m.frames) {
        seconds += frame.seconds;
        peak_rss = std::max(peak_rss, frame.rss_mib);
        worst_volume = std::max(worst_volume, std::abs(frame.report.volume_error));
        worst_body = std::max(worst_body, frame.report.largest_body_error);
        lost = frame.report.lost;
        for (const SubstanceAmount& a : frame.amounts) worst_amount = std::max(worst_amount, std::abs(a.error));
        for (const FileRecord& file : frame.files) bytes += file.checksum.bytes;
    }
    Json json{{"kind", "run"},
              {"name", m.name},
              {"title", m.title},
              {"status", status_text(m.status, is_locked(folder))},
              {"method", m.method},
              {"dimensions", m.dim},
              {"frames", m.frames.empty() ? 0 : m.frames.back().frame},
              {"of", m.last_frame},
              {"fps", m.fps},
              {"scene", m.scene_file},
              {"scene_hash", m.identity.scene_hash},
              {"overrides", Json::array()},
              {"seed", m.identity.seed},
              {"version", m.identity.version},
              {"cpu", m.machine.cpu},
              {"instruction_set", m.machine.instruction_set},
              {"seconds", seconds},
              {"rss_mib", peak_rss},
              {"bytes", bytes}};
    if (m.frames.empty() || m.frames.back().has_volume) {
        json.update({{"largest_volume_error", worst_volume}, {"largest_body_error", worst_body}, {"lost", lost}});
    }
    if (!m.frames.empty() && !m.frames.back().amounts.empty()) {
        json["largest_amount_error"] = worst_amount;
        Json& amounts = json["amounts"] = Json::array();
        for (const SubstanceAmount& a : m.frames.back().amounts)
            amounts.push_back({{"substance", a.name}, {"amount", a.amount}, {"error", a.error}});
    }
    if (!m.failure.empty()) json["failure"] = m.failure;
    for (const std::string& text : m.overrides) json["overrides"].push_back({{"set", text}});
    Json& products = json["products"] = Json::array();
    for (const FileRecord& file : m.products) products.push_back({{"file", file.path}, {"bytes", file.checksum.bytes}});
    Json& checkpoints = json["checkpoints"] = Json::array();
    for (const CheckpointFile& file : OutputFolder(folder, m.name).checkpoints())
        checkpoints.push_back({{"frame", file.frame}, {"steps", file.steps}, {"file", file.path.filename().string()}});
    return json;
}

Result<Json> info_of_vdb(const fs::path& file) {
    const auto contents = read_vdb_contents(file);
    if (!contents) return contents.errors();
    Json json{{"kind", "volume"}};
    for (const auto& [key, value] : contents.value().metadata)
        std::visit([&, &name = key](const auto& v) { json[name] = v; }, value);
    json["grids"] = Json::array();
    const char* kinds[] = {"unknown", "level set", "fog volume", "staggered"};
    for (const auto& grid : contents.value().grids)
        json["grids"].push_back(
            {{"name", grid.name}, {"type", grid.type}, {"class", kinds[static_cast<std::size_t>(grid.kind)]}});
    return json;
}

Result<Json> info_of_checkpoint(const fs::path& file) {
    const auto snapshot = read_checkpoint(file);
    if (!snapshot) return snapshot.errors();
    Json json{{"kind", "checkpoint"}};
    SnapshotReader read(snapshot.value());
    std::int64_t frame = 0, steps = 0;
    double time = 0;
    std::string scene_hash;
    read("run/frame", frame);
    read("run/steps", steps);
    read("run/scene_hash", scene_hash);
    read("state/time", time);
    if (read.errors().empty())
        json.update({{"frame", frame}, {"steps", steps}, {"time", time}, {"scene_hash", scene_hash}});
    json["state_hash"] = hex(snapshot.value().folder("state").hash());
    json["arrays"] = Json::array();
    for (const auto& [name, item] : snapshot.value().items())
        if (!item.shape.empty() && item.type != Snapshot::Type::text)
            json["arrays"].push_back({{"name", name}, {"shape", fmt::format("{}", fmt::join(item.shape, "×"))}});
    return json;
}

int show_info(const Options& options) {
    const fs::path path = options.path;
    const auto info = [&]() -> Result<Json> {
        std::error_code ignored;
        if (fs::is_directory(path, ignored)) return info_of_run(path);
        if (path.filename() == kManifestName) return info_of_run(path.has_parent_path() ? path.parent_path() : ".");
        if (path.extension() == ".vdb") return info_of_vdb(path);
        if (path.extension() == ".h5") return info_of_checkpoint(path);
        return Error{.what = fs::exists(path, ignored) ? "is not a file of a run" : "does not exist",
                     .remedy = "name an output folder, a .vdb or a checkpoint (.h5); for scenes: spindrift check",
                     .where = {.file = path.string()}};
    }();
    if (!info) return complain(info.errors());
    print(info.value(), options.json);
    return kAllGood;
}

}  // namespace

void add_info(const Verb& app, int& status) {
    auto options = std::make_shared<Options>();
    const Verb verb = app.add_verb("info", "show what is in an output folder, a volume or a checkpoint");
    verb.add_required("PATH", options->path, "folder or file");
    verb.add_flag("--json", options->json, "print one JSON object");
    verb.when_chosen([options, &status] { status = show_info(*options); });
}

}  // namespace spindrift::cli
