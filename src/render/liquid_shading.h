// SPDX-License-Identifier: Apache-2.0
// The light that comes along a ray [Whitted80]: at the liquid it splits into a reflected and a refracted part by
// Fresnel's equations, in the liquid it fades as exp(−a s) (Beer and Lambert), on floor and solids it is sun and sky
// times their colour.  A drop of spray is a lens of water: the ray goes in and out of it by the same laws.  A cloudy
// liquid sends back, as a matt surface does, what it does not let through.
//
// A ray has a width, which grows along it and where curved surfaces spread it [Amanatides84]: patterns that are finer
// melt together.
#pragma once

#include "render/floor.h"
#include "render/floor_light.h"
#include "render/light.h"
#include "render/sea.h"

namespace spindrift {

class LiquidShading {
  public:
    LiquidShading(const LiquidView3& view, const RayScene& scene, const Light& light);

    // `pixel` is the angle that a picture's pixel covers, radians.
    Rgb radiance(const Vec3f& origin, const Vec3f& direction, bool in_liquid, float pixel) const;

  private:
    // One leg of a path.
    struct Leg {
        Vec3f origin, direction;
        Vec3f before;  // see bend()
        bool in_liquid;
        int bends;            // surfaces passed before
        float weight;         // part of the pixel that it decides
        float travelled;      // length of the path before, cells
        float width, spread;  // of the ray: cells at its origin, and how much more per cell
        Rgb sent_back{};      // by cloudy liquid that it has come into
        bool sees_drops = true;

        float width_at(float t) const { return width + spread * t; }
    };
    Rgb follow(const Leg& leg) const;
    Rgb first_met(const Leg& leg, const Hit& hit) const;
    Rgb straight_on(const Leg& leg) const;
    Rgb behind_drop(const Leg& leg, const DropTree::Met& met, float weight) const;
    Rgb behind_surface(const Leg& leg, const Hit& hit) const;
    Rgb floor_radiance(const Leg& leg, const Hit& hit) const;
    Rgb sea_radiance(const Leg& leg, const Hit& hit) const;
    Rgb solid_radiance(const Hit& hit, bool in_liquid) const;
    Rgb sent_back_at(const Hit& hit) const;
    Rgb through_liquid(const Leg& leg, const Rgb& radiance, float way) const;
    Rgb sky(const Vec3f& direction, bool with_sun) const;
    Rgb sun_through(Vec3f origin, bool in_liquid) const;
    Rgb left_after(float way) const;
    float edge_cover(const Leg& leg, float t_end) const;
    void add_glass(Rgb& radiance, const Leg& leg, float end) const;
    void add_panes(Rgb& radiance, const Leg& leg, float end) const;
    void add_rim(Rgb& radiance, const Leg& leg, float end) const;

    const RayScene& scene_;
    const Light& light_;
    Vec3f to_sun_;
    LiquidLook look_;
    Rgb absorption_, extinction_;  // per cell
    Rgb skin_;                     // left by a surface, however thin what it bounds
    Rgb glow_;                     // of liquid without end, by the light scattered in it
    Rgb solid_color_, floor_color_;
    Floor floor_;
    bool has_floor_, draw_container_;
    Sea sea_;
    FloorLight floor_light_;
};

}  // namespace spindrift
