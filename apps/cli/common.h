// SPDX-License-Identifier: Apache-2.0
// What the verbs share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/verb.h"
#include "base/readable.h"
#include "base/result.h"
#include "scene/description.h"

namespace spindrift::cli {

constexpr int kAllGood = 0;
constexpr int kFellShort = 1;     // a run failed or a check fell short
constexpr int kInputIsWrong = 2;  // the user's or the machine's files
constexpr int kStopped = 130;     // by the user; resumable

// Prints on standard error.  A terminal that went away is no reason to stop.
void print_note(const std::string& text);

// Prints the errors on standard error and returns the exit code for them.
int complain(const Errors& errors);

// Options that change what a scene says.
struct SceneOptions {
    std::string scene;
    std::string method;
    int resolution = 0;
    std::string seed;
    std::vector<std::string> set;
    std::optional<std::string> text{};  // of the scene once it is read: a pipe can be read but once
};
void add_scene_options(const Verb& verb, SceneOptions& options);

// All options as "path=value".
std::vector<std::string> overrides_of(const SceneOptions& options);
// All options as they are typed, for a command to be copied.
std::string typed(const SceneOptions& options);
std::string quoted_for_shell(const std::string& word);
// What is wrong with an option that is short for a --set is told of the option.
Errors as_typed(const Errors& errors, const SceneOptions& options);
Result<SceneDescription> read_scene_of(SceneOptions& options);

// "120" (from 0 on) or "40-80".
struct FrameRange {
    int first = 0;
    int last = 0;
};
Result<FrameRange> parse_frames(const std::string& text);

}  // namespace spindrift::cli
