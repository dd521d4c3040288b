// SPDX-License-Identifier: Apache-2.0
#include "render/liquid_picture.h"

#include "render/liquid_shading.h"
#include "render/pixel_samples.h"

namespace spindrift {

Image render_liquid(const LiquidView3& view, const Camera& camera, const Light& light) {
    const RayScene scene(view);
    const LiquidShading shading(view, scene, light);
    const CameraRays rays(camera);
    const Vec3f eye = scene.from_world(camera.position);
    const bool in_liquid = scene.holds_liquid(eye);
    const auto pixel = static_cast<float>(rays.pixel_angle());
    return sampled_image(camera.width, camera.height, [&](double x, double y) {
        return tone_mapped(shading.radiance(eye, Vec3f(rays.ray(x, y).direction), in_liquid, pixel), light.exposure);
    });
}

}  // namespace spindrift
