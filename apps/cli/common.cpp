// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/common.h"

#include <charconv>
#include <cmath>
#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "scene/read_scene.h"
#include "session/catalogue.h"

namespace spindrift::cli {

int complain(const Errors& errors) {
    for (const Error& error : errors) fmt::print(stderr, "spindrift: {}\n", text(error));
    return kInputIsWrong;
}

void add_scene_options(CLI::App& verb, SceneOptions& options) {
    verb.add_option("SCENE", options.scene, "a scene file, or a name in the catalogue (see: spindrift scenes)")
        ->required();
    verb.add_option("--resolution", options.resolution, "cells along the longest side")->check(CLI::Range(4, 16384));
    verb.add_option("--method", options.method, "who simulates it");
    verb.add_option("--seed", options.seed, "another number gives another run where chance plays a part");
    verb.add_option("--set", options.set, "any setting of the scene: --set time.fps=30")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all();
}

std::vector<std::string> overrides_of(const SceneOptions& options) {
    std::vector<std::string> all = options.set;
    if (options.resolution > 0) all.push_back(fmt::format("domain.resolution={}", options.resolution));
    if (!options.method.empty()) all.push_back("method=" + options.method);
    if (!options.seed.empty()) all.push_back("seed=" + options.seed);
    return all;
}

Result<SceneDescription> read_scene_of(const SceneOptions& options) {
    const auto file = find_scene(options.scene);
    if (!file) return file.errors();
    return read_scene(file.value(), overrides_of(options));
}

Result<FrameRange> parse_frames(const std::string& text) {
    const char* end = text.data() + text.size();
    FrameRange range;
    auto number = std::from_chars(text.data(), end, range.last);
    if (number.ec == std::errc() && number.ptr != end && *number.ptr == '-') {
        range.first = range.last;
        number = std::from_chars(number.ptr + 1, end, range.last);
    }
    if (number.ec != std::errc() || number.ptr != end || range.first < 0 || range.last < 1 || range.last < range.first)
        return Error{.what = fmt::format("--frames {}: is neither a number of frames nor a range", text),
                     .remedy = "write --frames 120, or --frames 40-80 for files of these frames alone"};
    return range;
}

}  // namespace spindrift::cli
