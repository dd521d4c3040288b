// SPDX-License-Identifier: Apache-2.0
// Records as JSON and back.  Reading throws what the JSON library throws.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "session/output/records.h"

namespace spindrift {

nlohmann::ordered_json json_from(const FrameRecord& frame);
nlohmann::ordered_json json_from(const StepRecord& step);
FrameRecord frame_from(const nlohmann::ordered_json& json);

// The other way round of hex().
Hash128 hash_from_hex(const std::string& digits);

}  // namespace spindrift
