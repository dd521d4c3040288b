// SPDX-License-Identifier: Apache-2.0
#include "scene/description.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/check.h"

namespace spindrift {

Location place_of(const SceneDescription& scene, const std::string& path) {
    for (std::string outer = path; !outer.empty();) {
        const auto found = scene.places.of.find(outer);
        if (found != scene.places.of.end()) return found->second;
        const std::size_t cut = outer.find_last_of(".[");
        outer.resize(cut == std::string::npos ? 0 : cut);
    }
    return {.file = scene.places.file};
}

std::string place_text(const Vec<double, 3>& place, int dim) {
    return dim == 2 ? fmt::format("({:.4g}, {:.4g})", place[0], place[1])
                    : fmt::format("({:.4g}, {:.4g}, {:.4g})", place[0], place[1], place[2]);
}

std::filesystem::path resolved(const SceneDescription& scene, const scene::FilePath& file) {
    return std::filesystem::path(scene.places.file).parent_path() / file.text;
}

std::size_t component_number(const SceneDescription& scene, const std::optional<std::string>& name) {
    for (std::size_t i = 0; name && i < scene.component.size(); ++i)
        if (scene.component[i].name == *name) return i + 1;
    return 0;
}

int up_axis(const SceneDescription& scene) { return scene.domain.up == scene::Up::y ? 1 : 2; }

Vec<double, 3> gravity_at(const SceneDescription& scene, double t) {
    if (scene.gravity.vector) return scene.gravity.vector->at(t);
    Vec<double, 3> g;
    g[up_axis(scene)] = -scene.gravity.down.at(t);
    return g;
}

double cell_size(const SceneDescription& scene) {
    const scene::Domain& domain = scene.domain;
    CHECK(domain.resolution || domain.cell_size, "a scene without a resolution");
    if (domain.cell_size) return *domain.cell_size;
    return std::max({domain.size[0], domain.size[1], domain.size[2]}) / *domain.resolution;
}

Vec<int, 3> cell_counts(const SceneDescription& scene) {
    const double dx = cell_size(scene);
    return map([dx](double side) { return std::max(1, static_cast<int>(std::lround(side / dx))); }, scene.domain.size);
}

int frame_count(const SceneDescription& scene) {
    if (scene.time.frames) return *scene.time.frames;
    if (!scene.time.end) return scene::kDefaultFrames;
    // A frame more only if the end lies clearly behind the last one: 0.1 s at 30 fps is 3 frames, not 4.
    return std::max(1, static_cast<int>(std::ceil(*scene.time.end * scene.time.fps - 1e-6)));
}

double end_time(const SceneDescription& scene) { return frame_count(scene) / scene.time.fps; }

double film_fps(const SceneDescription& scene) {
    // Fewer than a dozen pictures a second are not seen as motion; more than sixty few screens can show.
    const double fps = scene.time.fps;
    return scene.output.film_fps.value_or(fps < 12 ? 24 : std::min(fps, 60.0));
}

}  // namespace spindrift
