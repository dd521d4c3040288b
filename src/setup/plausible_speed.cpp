// SPDX-License-Identifier: Apache-2.0
#include "setup/plausible_speed.h"

#include <algorithm>
#include <cmath>

#include "scene/force_strength.h"
#include "scene/motion.h"

namespace spindrift {
namespace {

// How often a velocity that varies is looked at, along each axis and in time.
constexpr int kAcross = 8, kMoments = 32;

constexpr double kMargin = 3;
constexpr double kIncompressible = 100;  // m/s: a Mach number of 0.3 in air
constexpr double kCrossings = 20;        // of the longest side in a frame

class GivenSpeeds {
  public:
    explicit GivenSpeeds(const SceneDescription& scene) : scene_(scene) {}

    double fastest() {
        for (const scene::Side& side : scene_.domain.sides.sides) look_at(side.velocity);
        for (const scene::Source& source : scene_.source) look_at(source.velocity);
        for (const scene::Liquid& liquid : scene_.liquid) look_at(liquid.velocity);
        for (const scene::Wind& wind : scene_.wind) look_at(wind.velocity);
        for (const scene::Control& control : scene_.control) look_at(control);
        look_at(scene_.gas.velocity);
        if (scene_.flow.velocity) look_at(*scene_.flow.velocity);
        for (const scene::Solid& solid : scene_.solid) look_at(solid.motion, solid.shape);
        for (const scene::Source& source : scene_.source) look_at(source.motion, source.shape);
        return fastest_;
    }

  private:
    double moment(int k) const { return end_time(scene_) * k / kMoments; }
    void note(const Vec<double, 3>& velocity) {
        if (const double speed = length(velocity); std::isfinite(speed)) fastest_ = std::max(fastest_, speed);
    }
    void look_at(const FieldVector& velocity) {
        bool in_space = false, in_time = false;
        for (const FieldValue& c : velocity.component) in_space |= c.varies_in_space(), in_time |= c.varies_in_time();
        Index<3> counts(in_space ? kAcross : 1);
        if (scene_.dim == 2) counts[2] = 1;
        for_each_index<3>({{}, counts}, [&](const Index<3>& k) {
            Vec<double, 3> place = scene_.domain.origin;
            for (int a = 0; a < 3; ++a) place[a] += scene_.domain.size[a] * (k[a] + 0.5) / counts[a];
            for (int t = 0; t <= (in_time ? kMoments : 0); ++t) note(velocity.at(place, moment(t)));
        });
    }
    void look_at(const scene::Control& control) {
        if (const auto* curve = std::get_if<scene::CurveControl>(&control.kind)) {
            for (int t = 0; t <= (curve->speed.varies() ? kMoments : 0); ++t)
                note({curve->speed.at(moment(t)), curve->pull * curve->radius, 0});
        } else if (const auto* volume = std::get_if<scene::VolumeControl>(&control.kind)) {
            look_at(volume->velocity);
        } else if (const auto* surface = std::get_if<scene::SurfaceControl>(&control.kind)) {
            look_at(surface->velocity);
        }
    }
    void look_at(const scene::Motion& motion, const scene::Shape& shape) {
        for (int t = 0; t <= kMoments && motion.is_there(); ++t)
            note({fastest_part(scene_, motion, shape, moment(t)), 0, 0});
    }

    const SceneDescription& scene_;
    double fastest_ = 0;
};

}  // namespace

double plausible_speed(const SceneDescription& scene) {
    const Vec<double, 3>& size = scene.domain.size;
    const double fall = std::sqrt(2 * length(gravity_at(scene, 0)) * length(size));
    const double longest = std::max({size[0], size[1], size[2]});
    return std::max(kMargin * (std::max(GivenSpeeds(scene).fastest(), fall) + speed_by_forces(scene)),
                    std::min(kIncompressible, kCrossings * longest * scene.time.fps));
}

}  // namespace spindrift
