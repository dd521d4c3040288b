// SPDX-License-Identifier: Apache-2.0
// Scene files that nobody would write: each must be read, or told what is wrong with it; what was read must come back
// equal from its canonical text.
//
// With clang this is a libFuzzer target.  With any other compiler it is a program:
//
//   scene_fuzz SECONDS FOLDER…     all files of the folders, then accidents to them until the time is up
//   scene_fuzz --id N FOLDER…      one accident again, with its text
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "scene/estimate.h"
#include "scene/read_scene.h"
#include "scene/warnings.h"
#include "scene/write_scene.h"

namespace {

using namespace spindrift;

// What follows a zero byte is a --set.
void read_or_complain(std::string_view input) {
    const std::size_t zero = input.find('\0');
    std::vector<std::string> overrides;
    if (zero != std::string_view::npos) overrides.emplace_back(input.substr(zero + 1));
    const Result<SceneDescription> scene = parse_scene(input.substr(0, zero), "fuzz.toml", overrides);
    if (!scene) {
        CHECK(!scene.errors().text().empty(), "an error without words");
        return;
    }
    const std::string canonical = canonical_text(scene.value());
    const Result<SceneDescription> again = parse_scene(canonical, "fuzz.toml");
    CHECK(again, "the canonical text is not a scene:\n{}\n{}", canonical, again.errors().text());
    CHECK(again.value() == scene.value(), "the canonical text is another scene:\n{}", canonical);
    const Errors warnings = scene_warnings(scene.value());
    if (scene.value().dim == 2) CHECK(estimate(scene.value()).box_cells > 0, "a box without cells");
}

}  // namespace

#if SPINDRIFT_LIBFUZZER

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    read_or_complain({reinterpret_cast<const char*>(data), size});
    return 0;
}

#else

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "scene/test_support.h"

#if __has_include(<sanitizer/common_interface_defs.h>) && defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#define SPINDRIFT_HAS_DEATH_CALLBACK 1
#endif

namespace {

constexpr Purpose kAccidents{"scene accidents"};
std::uint64_t current_id = 0;

void say_how_to_repeat() {
    std::fprintf(stderr, "\nto see it again: scene_fuzz --id %llu FOLDER…\n",
                 static_cast<unsigned long long>(current_id));
}

std::vector<std::string> texts_of(std::span<char*> folders) {
    std::vector<std::filesystem::path> files;
    for (const char* folder : folders)
        for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<std::string> texts;
    for (const auto& file : files) {
        std::ifstream stream(file, std::ios::binary);
        texts.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
    return texts;
}

std::string line_of(const std::string& text, Random& rng) {
    if (text.empty()) return "";
    const std::size_t at = rng.uniform_int(static_cast<std::uint32_t>(text.size()));
    const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is the start
    return text.substr(begin, text.find('\n', begin) - begin);
}

// The same for the same id, on every machine.
std::string accident(const std::vector<std::string>& texts, std::uint64_t id) {
    Random rng{1, id, 0, kAccidents};
    const auto any = [&]() -> const std::string& {
        return texts[rng.uniform_int(static_cast<std::uint32_t>(texts.size()))];
    };
    std::string text = any();
    // Lines of other scenes at random places.
    for (std::uint32_t lines = rng.uniform_int(3); lines > 0 && !text.empty(); --lines) {
        const std::size_t at = text.find('\n', rng.uniform_int(static_cast<std::uint32_t>(text.size())));
        text.insert(at == std::string::npos ? text.size() : at + 1, line_of(any(), rng) + "\n");
    }
    if (rng.uniform_int(4) != 0) text = mutated(std::move(text), rng);
    if (rng.uniform_int(4) == 0) text += '\0' + mutated(line_of(any(), rng), rng);
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
    const bool one = argc > 3 && std::string_view(argv[1]) == "--id";
    if (argc < 3) {
        std::fputs("usage: scene_fuzz SECONDS FOLDER…\n", stderr);
        return 2;
    }
    const std::vector<std::string> texts = texts_of(arguments.subspan(one ? 3 : 2));
    if (texts.empty()) {
        std::fputs("scene_fuzz: no files in these folders\n", stderr);
        return 2;
    }
    if (one) {
        const std::string text = accident(texts, std::strtoull(argv[2], nullptr, 10));
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
        read_or_complain(text);
        return 0;
    }

    std::signal(SIGABRT, [](int) { say_how_to_repeat(); });
#if SPINDRIFT_HAS_DEATH_CALLBACK
    __sanitizer_set_death_callback(say_how_to_repeat);
#endif
    for (const std::string& text : texts) read_or_complain(text);
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::atof(argv[1]));
    while (std::chrono::steady_clock::now() < end) {
        read_or_complain(accident(texts, current_id));
        ++current_id;
    }
    std::printf("%zu files and %llu accidents to them read\n", texts.size(),
                static_cast<unsigned long long>(current_id));
    return current_id > 0 ? 0 : 1;
}

#endif
