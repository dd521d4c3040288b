// SPDX-License-Identifier: Apache-2.0
#include "session/output/records.h"

#include <algorithm>
#include <array>
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

// By name; nothing where there are none.
void add_solids(Json& json, const std::vector<SolidForce>& solids) {
    const auto vector = [](const Vec<double, 3>& v) { return Json::array({v[0], v[1], v[2]}); };
    for (const SolidForce& s : solids) {
        Json& solid = json["solids"][s.name] = {{"pressure_force", vector(s.pressure)},
                                                {"viscous_force", vector(s.viscous)},
                                                {"pressure_torque", vector(s.pressure_torque)},
                                                {"viscous_torque", vector(s.viscous_torque)}};
        for (const SubstanceFlux& f : s.fluxes) solid["fluxes"][f.substance] = f.flux;
    }
}

constexpr std::array kCounts{&StepReport::corrections, &StepReport::escaped,    &StepReport::seeded,
                             &StepReport::removed,     &StepReport::separating, &StepReport::clamped_faces};

}  // namespace

void accumulate(StepReport& frame, const StepReport& step) {
    StepReport sum = step;
    const auto solve = [](SolveReport& all, const SolveReport& before) {
        SolveReport both = before;
        merge(both, all);
        all = both;
    };
    solve(sum.pressure, frame.pressure);
    solve(sum.viscosity, frame.viscosity);
    solve(sum.diffusion, frame.diffusion);
    solve(sum.extrapolation, frame.extrapolation);
    sum.divergence = std::max(frame.divergence, step.divergence);
    for (const auto count : kCounts) sum.*count += frame.*count;
    sum.surface_steps += frame.surface_steps;
    sum.control_energy += frame.control_energy;
    frame = sum;
}

StepReport frame_report(StepReport steps, StepReport shown) {
    shown.pressure = shown.viscosity = shown.diffusion = shown.extrapolation = {.converged = true};
    for (const auto count : kCounts) shown.*count = 0;
    shown.divergence = 0;
    shown.surface_steps = 0;
    shown.control_energy = 0;
    shown.bubbles =
        std::max(shown.bubbles, steps.bubbles);  // found by pressure solves, of which a shown frame has none
    accumulate(steps, shown);
    return steps;
}

namespace {

void add_report(Json& json, const StepReport& report, bool has_volume) {
    for_each_number(report, has_volume, [&](const std::string& name, const auto& value) { json[name] = value; });
}

}  // namespace

Json json_from(const FrameRecord& frame) {
    Json json{{"frame", frame.frame},     {"time", frame.time},       {"steps", frame.steps},
              {"retries", frame.retries}, {"seconds", frame.seconds}, {"particles", frame.particles}};
    add_report(json, frame.report, frame.has_volume);
    json.update(Json{{"unconverged", frame.unconverged}, {"rss_mib", frame.rss_mib}, {"state_hash", frame.state_hash}});
    add_amounts(json, frame.amounts);
    Json& stages = json["stages"] = Json::object();
    for (const auto& [stage, seconds] : frame.stages) stages[stage] = seconds;
    Json& files = json["files"] = Json::array();
    for (const FileRecord& file : frame.files)
        files.push_back({{"path", file.path}, {"bytes", file.checksum.bytes}, {"xxh128", hex(file.checksum.hash)}});
    return json;
}

Json json_from(const StepRecord& step) {
    Json json{{"frame", step.frame},
              {"step", step.step},
              {"time", step.time},
              {"dt", step.report.dt},
              {"halvings", step.halvings},
              {"seconds", step.seconds},
              {"particles", step.report.particles}};
    add_report(json, step.report, step.has_volume);
    add_amounts(json, step.amounts);
    add_solids(json, step.report.solids);
    return json;
}

FrameRecord frame_from(const Json& json) {
    FrameRecord frame{.frame = json.at("frame"),
                      .time = number_at(json, "time"),
                      .steps = json.at("steps"),
                      .retries = json.at("retries"),
                      .seconds = number_at(json, "seconds"),
                      .particles = json.at("particles"),
                      .has_volume = json.contains("volume"),
                      .unconverged = json.value("unconverged", 0),
                      .rss_mib = number_at(json, "rss_mib"),
                      .state_hash = json.at("state_hash")};
    // Runs of earlier versions tell less.
    for_each_number(frame.report, frame.has_volume, [&](const std::string& name, auto& value) {
        if (!json.contains(name)) return;
        if constexpr (std::is_same_v<decltype(value), double&>)
            value = number_at(json, name.c_str());
        else
            json.at(name).get_to(value);
    });
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
