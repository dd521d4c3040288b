// SPDX-License-Identifier: Apache-2.0
#include "session/output/manifest.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/parallel.h"
#include "base/simd.h"
#include "io/safe_file.h"
#include "session/output/records_json.h"

namespace spindrift {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr const char* kSeal = "seal";
constexpr RunStatus kStatuses[] = {RunStatus::running, RunStatus::finished, RunStatus::stopped, RunStatus::failed};

std::string cpu_name() {
    std::ifstream stream("/proc/cpuinfo");
    for (std::string line; std::getline(stream, line);)
        if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
    return "unknown";
}

Json json_from(const Machine& machine) {
    return {{"cpu", machine.cpu},
            {"system", machine.system},
            {"instruction_set", machine.instruction_set},
            {"cores", machine.cores},
            {"threads", machine.threads}};
}
Machine machine_from(const Json& json) {
    return {.cpu = json.at("cpu"),
            .system = json.at("system"),
            .instruction_set = json.at("instruction_set"),
            .cores = json.at("cores"),
            .threads = json.at("threads")};
}

Json json_from(const FileRecord& file) {
    return {{"path", file.path}, {"bytes", file.checksum.bytes}, {"xxh128", hex(file.checksum.hash)}};
}

Json json_from(const Manifest& m) {
    Json json{{"spindrift_manifest", kFormat},
              {"name", m.name},
              {"title", m.title},
              {"status", name(m.status)},
              {"failure", m.failure},
              {"version", m.identity.version},
              {"method", m.method},
              {"dimensions", m.dim},
              {"seed", m.identity.seed},
              {"fps", m.fps},
              {"last_frame", m.last_frame},
              {"scene", Json{{"file", m.scene_file},
                             {"hash", m.identity.scene_hash},
                             {"overrides", m.overrides},
                             {"warnings", m.warnings},
                             {"text", m.scene_text},
                             {"simulation", m.identity.simulation}}},
              {"machine", json_from(m.machine)},
              {"frames", Json::array()},
              {"products", Json::array()}};
    for (const FrameRecord& frame : m.frames) json["frames"].push_back(json_from(frame));
    for (const FileRecord& file : m.products) json["products"].push_back(json_from(file));
    return json;
}

Manifest manifest_from(const Json& json) {
    const Json& scene = json.at("scene");
    Manifest m{.name = json.at("name"),
               .title = json.at("title"),
               .method = json.at("method"),
               .dim = json.at("dimensions"),
               .fps = json.at("fps"),
               .last_frame = json.at("last_frame"),
               .status = RunStatus::running,
               .failure = json.at("failure"),
               .identity = {.version = json.at("version"),
                            .scene_hash = scene.at("hash"),
                            .simulation = scene.at("simulation"),
                            .seed = json.at("seed")},
               .scene_file = scene.at("file"),
               .scene_text = scene.at("text"),
               .overrides = scene.at("overrides"),
               .warnings = scene.value("warnings", std::vector<std::string>{}),  // older runs have none
               .machine = machine_from(json.at("machine"))};
    for (const RunStatus status : kStatuses)
        if (json.at("status") == name(status)) m.status = status;
    for (const Json& frame : json.at("frames")) m.frames.push_back(frame_from(frame));
    for (const Json& file : json.at("products"))
        m.products.push_back(
            {file.at("path"), {file.at("bytes"), hash_from_hex(file.at("xxh128").get<std::string>())}});
    return m;
}

std::string text_of(const Json& json) { return json.dump(1) + "\n"; }

std::string seal_of(const Json& json) {
    const std::string text = text_of(json);
    return hex(hash128_bytes(std::as_bytes(std::span(text))));
}

// A scene's normalised text as path and value: {"solid[0].radius", "0.2"}.
std::map<std::string, std::string> settings_of(const std::string& text) {
    std::map<std::string, std::string> settings;
    std::map<std::string, int> entries;
    std::string table;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        const std::size_t equals = line.find(" = ");
        if (line.starts_with("[[")) {
            const std::string list = line.substr(2, line.size() - 4);
            table = fmt::format("{}[{}].", list, entries[list]++);
        } else if (line.starts_with('[')) {
            table = line.substr(1, line.size() - 2) + ".";
        } else if (equals != std::string::npos) {
            settings[table + line.substr(0, equals)] = line.substr(equals + 3);
        }
    }
    return settings;
}

}  // namespace

Machine this_machine() {
    utsname system{};
    ::uname(&system);
    return {.cpu = cpu_name(),
            .system = fmt::format("{} {} {}", system.sysname, system.release, system.machine),
            .instruction_set = name(instruction_set()),
            .cores = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)),
            .threads = thread_count()};
}

std::string name(RunStatus status) {
    switch (status) {
        case RunStatus::running: return "running";
        case RunStatus::finished: return "finished";
        case RunStatus::stopped: return "stopped";
        case RunStatus::failed: return "failed";
    }
    return "?";
}

std::string status_text(RunStatus status, bool is_under_way) {
    return status == RunStatus::running && !is_under_way ? "interrupted" : name(status);
}

Result<void> write_manifest(const std::filesystem::path& folder, const Manifest& manifest) {
    Json json = json_from(manifest);
    json[kSeal] = seal_of(json);
    return write_text_file(folder / kManifestName, text_of(json));
}

Result<void> check_run_folder(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (!std::filesystem::exists(folder, ignored)) return file_error(folder, "cannot be read", ENOENT);
    if (std::filesystem::exists(folder / kManifestName, ignored)) return {};
    return Error{.what = fmt::format("holds no run: there is no {} in it", kManifestName),
                 .remedy = "name the folder given to run with -o",
                 .where = {.file = folder.string()}};
}

Result<Manifest> read_manifest(const std::filesystem::path& folder) {
    if (auto there = check_run_folder(folder); !there) return std::move(there).errors();
    const std::filesystem::path file = folder / kManifestName;
    const auto text = read_text_file(file);
    if (!text) return text.errors();
    const auto damaged = [&](const std::string& what) {
        return Error{.what = what,
                     .remedy = "restore it from a copy, or run the scene again into another folder with -o",
                     .where = {.file = file.string()}};
    };
    try {
        Json json = Json::parse(text.value());
        if (json.at("spindrift_manifest") != kFormat)
            return damaged("is a manifest in a format of another version of Spindrift");
        const std::string seal = json.at(kSeal);
        json.erase(kSeal);
        if (seal_of(json) != seal) return damaged("was changed after it was written: its hash does not match");
        return manifest_from(json);
    } catch (const std::exception& e) {
        return damaged(fmt::format("is damaged: {}", e.what()));
    }
}

std::vector<std::string> differences(const RunIdentity& there, const RunIdentity& here) {
    std::vector<std::string> found;
    if (there.version != here.version)
        found.push_back(fmt::format("Spindrift is {}; the run was begun with {}", here.version, there.version));
    const std::map<std::string, std::string> before = settings_of(there.simulation), now = settings_of(here.simulation);
    for (const auto& [path, value] : now) {
        const auto was = before.find(path);
        if (was == before.end())
            found.push_back(fmt::format("{} is {}; the run was begun without it", path, value));
        else if (was->second != value)
            found.push_back(fmt::format("{} is {}; the run was begun with {}", path, value, was->second));
    }
    for (const auto& [path, value] : before)
        if (!now.contains(path)) found.push_back(fmt::format("{} is left out; the run was begun with {}", path, value));
    if (there.seed != here.seed && found.empty())
        found.push_back(fmt::format("the seed is {}; the run was begun with {}", here.seed, there.seed));
    if (found.empty() && there.scene_hash != here.scene_hash)
        found.push_back("a file that the scene names has changed, or the order of its entries");
    return found;
}

}  // namespace spindrift
