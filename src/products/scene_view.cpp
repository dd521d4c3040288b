// SPDX-License-Identifier: Apache-2.0
#include "products/scene_view.h"

#include "scene/framing.h"
#include "setup/scene_shapes.h"

namespace spindrift {
namespace {

// Made ready once for all pictures: see add_shape().
std::optional<Box<double, 3>> extent_of(const SceneDescription& scene, const scene::Mesh& mesh) {
    ShapeSet<3> set;
    Errors errors;
    add_shape(set, errors, scene, "", mesh, scene::ShapeOp::add);
    if (!errors.empty()) return std::nullopt;
    return bounding_box(set);
}

}  // namespace

Camera camera_of(const SceneDescription& scene, double time) {
    const scene::Camera& c = scene.camera;
    const Vec<int, 2> size = picture_size(scene);
    const auto region = visible_region(scene, [&](const scene::Mesh& mesh) { return extent_of(scene, mesh); });
    Camera camera = frame_box(region, size[0], size[1], up_axis(scene), c.fov_degrees.at(time));
    if (c.position) camera.position = c.position->at(time);
    if (c.look_at) camera.look_at = c.look_at->at(time);
    if (c.up) camera.up = *c.up;
    return camera;
}

Light light_of(const SceneDescription& scene, const Camera& camera, double time) {
    Light light = light_for(camera, up_axis(scene));
    light.sun = rgb_of(scene.render.sun_color);
    light.sky = rgb_of(scene.render.sky_color);
    light.exposure = static_cast<float>(scene.render.exposure);
    light.background = scene.render.background;
    if (scene.render.sun_direction) light.to_sun = scene.render.sun_direction->at(time);
    return light;
}

}  // namespace spindrift
