// SPDX-License-Identifier: Apache-2.0
// What the verbs share.
#pragma once

#include <string>
#include <vector>

#include "base/readable.h"
#include "base/result.h"
#include "scene/description.h"

namespace CLI {
class App;
}

namespace spindrift::cli {

constexpr int kAllGood = 0;
constexpr int kFellShort = 1;     // a run failed or a check fell short
constexpr int kInputIsWrong = 2;  // the user's or the machine's files
constexpr int kStopped = 130;     // by the user; resumable

// Prints the errors on standard error and returns the exit code for them.
int complain(const Errors& errors);

// Options that change what a scene says.
struct SceneOptions {
    std::string scene;
    std::string method;
    int resolution = 0;
    std::string seed;
    std::vector<std::string> set;
};
void add_scene_options(CLI::App& verb, SceneOptions& options);

// All options as "path=value".
std::vector<std::string> overrides_of(const SceneOptions& options);
Result<SceneDescription> read_scene_of(const SceneOptions& options);

// "120" (from 0 on) or "40-80".
struct FrameRange {
    int first = 0;
    int last = 0;
};
Result<FrameRange> parse_frames(const std::string& text);

}  // namespace spindrift::cli
