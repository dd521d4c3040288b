// SPDX-License-Identifier: Apache-2.0
#include "render/smoke_picture.h"

#include <cmath>

#include "render/floor.h"
#include "render/pixel_samples.h"
#include "render/sea.h"
#include "render/smoke_light.h"

namespace spindrift {
namespace {

const Rgb kDeepSea{0.06F, 0.22F, 0.30F};  // part of the light that clear water sends back, about

class SmokeShading {
  public:
    SmokeShading(const SmokeView3& view, const Light& light)
        : view_(view),
          light_(light),
          scene_({.grid = view.grid,
                  .container = view.container,
                  .distance = view.solid_distance,
                  .up_axis = view.up_axis,
                  .floor = view.floor != FloorKind::none,
                  .sea_level = view.floor == FloorKind::sea ? std::optional(view.sea_level) : std::nullopt}),
          floor_(scene_, view.floor, view.floor_color),
          sea_(scene_, light, filtered(light.sky * 0.5F + light.sun * 0.08F, kDeepSea)),
          bricks_(view, scene_.cells()),
          smoke_(view, scene_, bricks_, light),
          to_sun_(Vec3f(normalized(light.to_sun))) {}

    const SolidScene& scene() const { return scene_; }

    Rgb radiance(const Vec3f& origin, const Vec3f& direction, float pixel, float jitter) const {
        const Hit hit = scene_.nearest_solid(origin, direction);
        const Rgb behind = hit.kind == HitKind::floor   ? floor_radiance(hit, direction, pixel)
                           : hit.kind == HitKind::sea   ? sea_radiance(hit, direction, pixel)
                           : hit.kind == HitKind::solid ? solid_radiance(hit)
                                                        : background(direction);
        SolidScene::Interval through;
        if (!scene_.clip_to_container(origin, direction, through) || through.in >= hit.t) return behind;
        // From where the ray comes in: a float cannot count small steps from a camera far away.
        const float end = std::min(through.out, hit.t) - through.in;
        const SmokeLight::Scattered scattered =
            smoke_.march(origin + direction * through.in, direction, 0, end, jitter);
        return behind * scattered.left + scattered.light;
    }

  private:
    Rgb sky(const Vec3f& direction) const {
        return sky_radiance(light_, direction[scene_.up_axis()], dot(direction, to_sun_));
    }
    Rgb background(const Vec3f& direction) const {
        return background_radiance(light_, direction[scene_.up_axis()], dot(direction, to_sun_));
    }
    // The sun's light at a place: behind solids none, behind smoke what it leaves.
    Rgb sun_at(const Vec3f& place) const {
        if (scene_.nearest_solid(place, to_sun_).kind == HitKind::solid) return {};
        return light_.sun * std::exp(-bricks_.depth(place, to_sun_));
    }
    Rgb floor_radiance(const Hit& hit, const Vec3f& direction, float pixel) const {
        const Rgb color = floor_.color_at(
            hit.point, RayFootprint::spreading(direction, pixel).on_plane(direction, hit.normal, hit.t));
        const Rgb sun = sun_at(hit.point) * std::max(to_sun_[scene_.up_axis()], 0.0F);
        const Rgb glow = smoke_.lamps().on_surface(hit.point, along(scene_.up_axis(), 1));
        const Rgb lit = filtered(color, sun + light_.sky + glow);
        return floor_.in_haze(lit, direction, hit.t, [&](const Vec3f& level) { return background(level); });
    }
    Rgb sea_radiance(const Hit& hit, const Vec3f& direction, float pixel) const {
        const Rgb water = sea_.radiance(hit, direction, hit.t * pixel);
        return floor_.in_haze(water, direction, hit.t, [&](const Vec3f& level) { return sky(level); });
    }
    Rgb solid_radiance(const Hit& hit) const {
        const float facing = dot(hit.normal, to_sun_);
        const Rgb sun = facing > 0 ? sun_at(hit.point + hit.normal * 0.02F) * facing : Rgb{};
        const Rgb glow = smoke_.lamps().on_surface(hit.point + hit.normal * 0.02F, hit.normal);
        const Rgb around = ambient_light(light_, hit.normal[scene_.up_axis()], view_.floor_color);
        return filtered(view_.solid_color, sun + around + glow);
    }

    const SmokeView3& view_;
    const Light& light_;
    SolidScene scene_;
    Floor floor_;
    Sea sea_;
    SmokeBricks bricks_;
    SmokeLight smoke_;
    Vec3f to_sun_;
};

}  // namespace

Image render_smoke(const SmokeView3& view, const Camera& camera, const Light& light) {
    const SmokeShading shading(view, light);
    const CameraRays rays(camera);
    const Vec3f eye = shading.scene().from_world(camera.position);
    const auto pixel = static_cast<float>(rays.pixel_angle());
    return sampled_image(camera.width, camera.height, [&](double x, double y) {
        return tone_mapped(
            shading.radiance(eye, Vec3f(rays.ray(x, y).direction), pixel, pixel_jitter(x, y, view.frame)),
            light.exposure);
    });
}

}  // namespace spindrift
