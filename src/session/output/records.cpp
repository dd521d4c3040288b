// SPDX-License-Identifier: Apache-2.0
#include "session/output/records.h"

#include <limits>
#include <stdexcept>

#include "session/output/records_json.h"

namespace spindrift {

using Json = nlohmann::ordered_json;

namespace {

// JSON has no NaN and no infinity: they are written as null.
double number_at(const Json& json, const char* name) {
    const Json& value = json.at(name);
    return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

// By name; nothing where there are none.
void add_amounts(Json& json, const std::vector<SubstanceAmount>& amounts) {
    for (const SubstanceAmount& a : amounts) json["amounts"][a.name] = {{"amount", a.amount}, {"error", a.error}};
}

}  // namespace

Json json_from(const FrameRecord& frame) {
    Json json{{"frame", frame.frame},        {"time", frame.time},       {"steps", frame.steps},
              {"retries", frame.retries},    {"seconds", frame.seconds}, {"cells", frame.cells},
              {"particles", frame.particles}};
    if (frame.has_volume)
        json.update(Json{{"volume", frame.volume},
                         {"volume_error", frame.volume_error},
                         {"largest_body_error", frame.largest_body_error},
                         {"lost", frame.lost},
                         {"overflow", frame.overflow}});
    json.update(Json{{"max_speed", frame.max_speed},
                     {"divergence", frame.divergence},
                     {"pressure_iterations", frame.pressure_iterations},
                     {"unconverged", frame.unconverged},
                     {"rss_mib", frame.rss_mib},
                     {"state_hash", frame.state_hash}});
    add_amounts(json, frame.amounts);
    Json& stages = json["stages"] = Json::object();
    for (const auto& [stage, seconds] : frame.stages) stages[stage] = seconds;
    Json& files = json["files"] = Json::array();
    for (const FileRecord& file : frame.files)
        files.push_back({{"path", file.path}, {"bytes", file.checksum.bytes}, {"xxh128", hex(file.checksum.hash)}});
    return json;
}

Json json_from(const StepRecord& step) {
    const StepReport& report = step.report;
    Json json{{"frame", step.frame},       {"step", step.step},       {"time", step.time},     {"dt", report.dt},
              {"halvings", step.halvings}, {"seconds", step.seconds}, {"cells", report.cells}, {"tiles", report.tiles}};
    if (step.has_volume)
        json.update(Json{{"volume", report.volume},
                         {"volume_error", report.volume_error},
                         {"largest_body_error", report.largest_body_error},
                         {"bodies", report.bodies},
                         {"lost", report.lost},
                         {"surface_steps", report.surface_steps}});
    json.update(Json{{"max_speed", report.max_speed},
                     {"divergence", report.divergence},
                     {"pressure_iterations", report.pressure.iterations},
                     {"pressure_residual", report.pressure.residual},
                     {"pressure_converged", report.pressure.converged}});
    add_amounts(json, step.amounts);
    return json;
}

FrameRecord frame_from(const Json& json) {
    const bool has_volume = json.contains("volume");
    FrameRecord frame{.frame = json.at("frame"),
                      .time = number_at(json, "time"),
                      .steps = json.at("steps"),
                      .retries = json.at("retries"),
                      .seconds = number_at(json, "seconds"),
                      .cells = json.at("cells"),
                      .particles = json.at("particles"),
                      .has_volume = has_volume,
                      .volume = has_volume ? number_at(json, "volume") : 0,
                      .volume_error = has_volume ? number_at(json, "volume_error") : 0,
                      .largest_body_error = json.value("largest_body_error", 0.0),
                      .lost = json.value("lost", 0.0),
                      .overflow = json.value("overflow", 0.0),
                      .max_speed = number_at(json, "max_speed"),
                      .divergence = number_at(json, "divergence"),
                      .pressure_iterations = json.at("pressure_iterations"),
                      .unconverged = json.value("unconverged", 0),
                      .rss_mib = number_at(json, "rss_mib"),
                      .state_hash = json.at("state_hash")};
    if (json.contains("amounts"))
        for (const auto& [name, a] : json.at("amounts").items())
            frame.amounts.push_back({name, number_at(a, "amount"), number_at(a, "error")});
    for (const auto& [stage, seconds] : json.at("stages").items()) frame.stages.emplace_back(stage, seconds);
    for (const Json& file : json.at("files"))
        frame.files.push_back(
            {file.at("path"), {file.at("bytes"), hash_from_hex(file.at("xxh128").get<std::string>())}});
    return frame;
}

Hash128 hash_from_hex(const std::string& digits) {
    if (digits.size() != 32 || digits.find_first_not_of("0123456789abcdef") != std::string::npos)
        throw std::invalid_argument("'" + digits + "' is not a hash");
    return {std::stoull(digits.substr(0, 16), nullptr, 16), std::stoull(digits.substr(16), nullptr, 16)};
}

std::string json_line(const StepRecord& step) { return json_from(step).dump(); }

std::string json_line(const FrameRecord& frame) {
    Json json = json_from(frame);
    json.erase("files");
    return json.dump();
}

}  // namespace spindrift
