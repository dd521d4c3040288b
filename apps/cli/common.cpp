// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/common.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "scene/read_scene.h"
#include "session/catalogue.h"

namespace spindrift::cli {

void print_note(const std::string& text) {
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

int complain(const Errors& errors) {
    for (const Error& error : errors) print_note(fmt::format("spindrift: {}\n", text(error)));
    return kInputIsWrong;
}

namespace {

// An option that is short for a --set.
struct Short {
    std::string set, option, value;
};
std::vector<Short> shorts_of(const SceneOptions& options) {
    std::vector<Short> list;
    const auto add = [&](const char* path, const char* option, const std::string& value) {
        list.push_back({fmt::format("{}={}", path, value), option, value});
    };
    if (options.resolution > 0) add("domain.resolution", "--resolution", std::to_string(options.resolution));
    if (!options.method.empty()) add("method", "--method", options.method);
    if (!options.seed.empty()) add("seed", "--seed", options.seed);
    return list;
}

}  // namespace

void add_scene_options(const Verb& verb, SceneOptions& options) {
    verb.add_required("SCENE", options.scene,
                      "a scene file, a name in the catalogue (see: spindrift scenes), or - for standard input");
    verb.add_number("--resolution", options.resolution, 4, 16384, "number of cells along the longest side");
    verb.add_text("--method", options.method, "simulation method");
    verb.add_text("--seed", options.seed, "seed of the random numbers");
    verb.add_settings(options.set, "change any setting of the scene, such as --set time.fps=30");
}

std::vector<std::string> overrides_of(const SceneOptions& options) {
    std::vector<std::string> all = options.set;
    for (const Short& one : shorts_of(options)) all.push_back(one.set);
    return all;
}

std::string quoted_for_shell(const std::string& word) {
    const auto is_plain = [](unsigned char c) {
        return std::isalnum(c) != 0 || std::string_view("-_./=,:+@%").find(static_cast<char>(c)) != std::string::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
    std::string text = "'";
    for (const char c : word) c == '\'' ? text += "'\\''" : text += c;
    return text + "'";
}

std::string typed(const SceneOptions& options) {
    std::string text = quoted_for_shell(options.scene);
    for (const Short& one : shorts_of(options)) text += fmt::format(" {} {}", one.option, quoted_for_shell(one.value));
    for (const std::string& set : options.set) text += " --set " + quoted_for_shell(set);
    return text;
}

Errors as_typed(const Errors& errors, const SceneOptions& options) {
    Errors told;
    for (Error error : errors) {
        for (const Short& one : shorts_of(options))
            if (error.where.file == "--set " + one.set) error.where = {.file = one.option + " " + one.value};
        told.add(std::move(error));
    }
    return told;
}

Result<SceneDescription> read_scene_of(SceneOptions& options) {
    const auto file = find_scene(options.scene);
    if (!file) return file.errors();
    if (!options.text) {
        auto text = read_scene_text(file.value());
        if (!text) return std::move(text).errors();
        options.text = std::move(text).value();
    }
    auto scene = parse_scene(*options.text, file.value().string(), overrides_of(options));
    return scene ? std::move(scene) : as_typed(scene.errors(), options);
}

Result<FrameRange> parse_frames(const std::string& text) {
    const char* end = text.data() + text.size();
    FrameRange range;
    auto number = std::from_chars(text.data(), end, range.last);
    if (number.ec == std::errc() && number.ptr != end && *number.ptr == '-') {
        range.first = range.last;
        number = std::from_chars(number.ptr + 1, end, range.last);
    }
    if (number.ec != std::errc() || number.ptr != end || range.first < 0 || range.last < 1 ||
        range.last < range.first || range.last > 1000000)
        return Error{.what = fmt::format("--frames {}: is neither a number of frames nor a range", text),
                     .remedy = "write --frames 120, or --frames 40-80 for files of these frames alone"};
    return range;
}

}  // namespace spindrift::cli
