// SPDX-License-Identifier: Apache-2.0
// The light that comes along a ray [Whitted80]: at the liquid it splits into a reflected and a refracted part by
// Fresnel's equations, in the liquid it fades as exp(−a s) (Beer and Lambert), on floor and solids it is sun and sky
// times their colour.  A drop of spray is a lens of water: the ray goes in and out of it by the same laws.  A cloudy
// liquid sends back, as a matt surface does, what it does not let through.
//
// A ray stands for a pixel: what it meets is averaged over the ray's footprint, which curved surfaces spread.
#pragma once

#include "render/floor.h"
#include "render/floor_light.h"
#include "render/light.h"
#include "render/liquid_medium.h"
#include "render/ray_footprint.h"
#include "render/sea.h"

namespace spindrift {

class LiquidShading {
  public:
    LiquidShading(const LiquidView3& view, const RayScene& scene, const Light& light);

    // `pixel` is the angle that a picture's pixel covers, radians.
    Rgb radiance(const Vec3f& origin, const Vec3f& direction, bool in_liquid, float pixel) const;

  private:
    // One segment of a path.
    struct Segment {
        Vec3f origin, direction;
        Vec3f before;  // see refract_ray()
        bool in_liquid;
        int depth;          // surfaces passed before
        float weight;       // part of the pixel that it decides
        float path_length;  // length of the path before, cells
        RayFootprint footprint;
        float pixel;          // spread of the footprint where the path began, radians
        Rgb backscattered{};  // by cloudy liquid that it has come into
        bool sees_drops = true;

        float width_at(float t) const { return footprint.width_at(t); }
        // Of the surfaces passed: 0 when they were flat, 1 when they spread the pixel as a lens does.
        float curvature() const { return std::clamp((footprint.spread() / pixel - 2) / 4, 0.0F, 1.0F); }
    };
    Rgb trace(const Segment& segment) const;
    Rgb radiance_at(const Segment& segment, const Hit& hit) const;
    Rgb radiance_straight_on(const Segment& segment) const;
    Rgb through_drop(const Segment& segment, const DropTree::DropHit& met, float weight) const;
    Rgb foam_radiance(const Segment& segment, const DropTree::DropHit& met) const;
    Rgb at_surface(const Segment& segment, const Hit& hit) const;
    Rgb floor_radiance(const Segment& segment, const Hit& hit) const;
    Rgb sea_radiance(const Segment& segment, const Hit& hit) const;
    Rgb solid_radiance(const Hit& hit, bool in_liquid) const;
    Rgb backscattered_at(const Hit& hit) const;
    Rgb through_liquid(const Segment& segment, const Rgb& radiance, float distance) const;
    Rgb background(const Vec3f& direction) const;
    Rgb sky_behind(const Segment& segment) const;
    Rgb sun_on_solid(const Vec3f& place, const Vec3f& normal, bool in_liquid) const;
    Rgb sun_through(Vec3f origin, bool in_liquid) const;
    Rgb through_mixture(const Segment& segment, const Rgb& radiance, float distance) const;
    Rgb glow_at(const Vec3f& position) const;
    Rgb skin_at(const Vec3f& position) const;
    float edge_cover(const Segment& segment, float t_end) const;
    void add_glass(Rgb& radiance, const Segment& segment, float end) const;
    void add_panes(Rgb& radiance, const Segment& segment, float end) const;
    void add_rim(Rgb& radiance, const Segment& segment, float end) const;

    const RayScene& scene_;
    const Light& light_;
    LightRig rig_;
    Vec3f to_sun_;
    LiquidMedium medium_;
    LiquidLook look_;  // of the first component
    bool is_cloudy_;   // some component is
    Rgb absorption_;   // per cell
    Rgb skin_;         // left by a surface, however thin what it bounds
    Rgb glow_;         // of liquid without end, by the light scattered in it
    Rgb solid_color_, floor_color_;
    Floor floor_;
    bool has_floor_, draw_container_;
    Sea sea_;
    FloorLight floor_light_;
};

}  // namespace spindrift
