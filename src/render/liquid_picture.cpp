// SPDX-License-Identifier: Apache-2.0
#include "render/liquid_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/check.h"
#include "base/parallel.h"
#include "render/liquid_shading.h"

namespace spindrift {
namespace {

constexpr int kBlock = 16;              // pixels; rays of a block pass through the same bricks
constexpr float kVisibleStep = 0.045F;  // of the screen's range: a larger one between neighbours looks jagged

// A square turned so that no two samples share a row or a column.
constexpr std::array<Vec<double, 2>, 4> kSamples{{{-0.125, -0.375}, {0.375, -0.125}, {-0.375, 0.125}, {0.125, 0.375}}};

template <class F>
void for_each_pixel(const Image& image, F&& f) {
    const int across = (image.width + kBlock - 1) / kBlock, down = (image.height + kBlock - 1) / kBlock;
    parallel_blocks(static_cast<std::size_t>(across) * static_cast<std::size_t>(down), [&](std::size_t block) {
        const int x0 = static_cast<int>(block) % across * kBlock, y0 = static_cast<int>(block) / across * kBlock;
        for (int y = y0; y < std::min(y0 + kBlock, image.height); ++y)
            for (int x = x0; x < std::min(x0 + kBlock, image.width); ++x) f(x, y);
    });
}

// In steps as the eye sees them, about.
float contrast(const Rgb& a, const Rgb& b) {
    float most = 0;
    for (int c = 0; c < 3; ++c) most = std::max(most, std::abs(std::sqrt(a[c]) - std::sqrt(b[c])));
    return most;
}

bool looks_jagged(const Image& image, int x, int y) {
    const Rgb& here = image.at(x, y);
    for (const auto& [dx, dy] : {std::pair{1, 0}, std::pair{-1, 0}, std::pair{0, 1}, std::pair{0, -1}}) {
        const int u = x + dx, v = y + dy;
        if (u < 0 || v < 0 || u >= image.width || v >= image.height) continue;
        if (contrast(here, image.at(u, v)) > kVisibleStep) return true;
    }
    return false;
}

}  // namespace

Image render_liquid(const LiquidView3& view, const Camera& camera, const Light& light) {
    CHECK(view.up_axis == 1 || view.up_axis == 2, "the axis {} as up", view.up_axis);
    const RayScene scene(view);
    const LiquidShading shading(view, scene, light);
    const CameraRays rays(camera);
    const Vec3f eye = scene.from_world(camera.position);
    const bool in_liquid = scene.holds_liquid(eye);
    const auto pixel = static_cast<float>(rays.pixel_angle());
    const auto sample = [&](double x, double y) {
        return displayed(shading.radiance(eye, Vec3f(rays.ray(x, y).direction), in_liquid, pixel), light.exposure);
    };

    // One ray per pixel; more where neighbours differ.  They are averaged as the screen shows them: a glint of the sun
    // would else outshine the other samples.
    Image coarse(camera.width, camera.height);
    for_each_pixel(coarse, [&](int x, int y) { coarse.at(x, y) = sample(x + 0.5, y + 0.5); });
    Image fine = coarse;
    for_each_pixel(fine, [&](int x, int y) {
        if (!looks_jagged(coarse, x, y)) return;
        Rgb sum;
        for (const Vec<double, 2>& s : kSamples) sum += sample(x + 0.5 + s[0], y + 0.5 + s[1]);
        fine.at(x, y) = sum / static_cast<float>(kSamples.size());
    });
    return fine;
}

}  // namespace spindrift
