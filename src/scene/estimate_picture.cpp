// SPDX-License-Identifier: Apache-2.0
#include "scene/estimate_picture.h"

#include <algorithm>
#include <cmath>

#include "render/camera.h"
#include "scene/framing.h"

namespace spindrift {
namespace {

// Parts of the picture that are told apart, along its sides.
constexpr int kColumns = 64, kRows = 36;

// The camera of the pictures in the middle of the run; a mesh counts as large as the box.
Camera camera_in_the_middle(const SceneDescription& scene) {
    const scene::Camera& c = scene.camera;
    const double time = 0.5 * end_time(scene);
    Camera camera = frame_box(visible_region(scene), kColumns, kRows, up_axis(scene),
                              std::clamp(c.fov_degrees.at(time), 1.0, 175.0));
    if (c.position) camera.position = c.position->at(time);
    if (c.look_at) camera.look_at = c.look_at->at(time);
    if (c.up) camera.up = *c.up;
    return camera;
}

// Where marked samples appear, each as large as it is.
double share_seen(const SceneDescription& scene, const Samples& samples, const std::vector<char>& marked) {
    const Camera camera = camera_in_the_middle(scene);
    if (!(length(camera.look_at - camera.position) > 0)) return 1;
    const CameraRays rays(camera);
    const double half = 0.5 * std::max({samples.spacing[0], samples.spacing[1], samples.spacing[2]});
    std::vector<char> seen(static_cast<std::size_t>(kColumns) * kRows);
    for_each_index<3>({{}, samples.counts}, [&](const Index<3>& i) {
        if (marked[samples.slot(i)] == 0) return;
        const Vec<double, 3> at = rays.picture_from_world(samples.place(i));
        if (!(at[2] > 0)) return;
        const double reach = half / (at[2] * rays.pixel_angle());
        const auto from = [&](double x) { return static_cast<int>(std::clamp(std::floor(x - reach + 0.5), 0.0, 1e4)); };
        const auto to = [&](double x, int end) {
            return static_cast<int>(std::clamp<double>(std::floor(x + reach + 0.5), 0, end));
        };
        for (int y = from(at[1]); y < to(at[1], kRows); ++y)
            for (int x = from(at[0]); x < to(at[0], kColumns); ++x)
                seen[static_cast<std::size_t>(y) * kColumns + static_cast<std::size_t>(x)] = 1;
    });
    return static_cast<double>(std::count(seen.begin(), seen.end(), 1)) / static_cast<double>(seen.size());
}

// Glass in the domain; what is cut out of a solid is none.
std::vector<char> glass_of(const SceneDescription& scene, const Samples& samples) {
    std::vector<char> glass(samples.wet.size());
    for (const scene::Solid& solid : scene.solid) {
        const bool is_glass = solid.glass && solid.visible && solid.op == scene::ShapeOp::add;
        for (const std::size_t slot : samples_in(solid.shape, samples, scene)) glass[slot] = is_glass;
    }
    return glass;
}

}  // namespace

PictureShares picture_shares(const SceneDescription& scene, const Samples& samples, const std::vector<char>& wet) {
    if (scene.dim == 2 || !scene.output.images) return {};
    return {.liquid = share_seen(scene, samples, wet), .glass = share_seen(scene, samples, glass_of(scene, samples))};
}

}  // namespace spindrift
