// SPDX-License-Identifier: Apache-2.0
#include "products/shown_drops.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace spindrift {
namespace {

constexpr Purpose kCloud{"cloud of drops"};
constexpr float kMaxShown = 8;   // drops for one that stands for many; more would hardly be told apart
constexpr float kCloudSize = 3;  // radius of the cloud that they form, in radii of a ball of all their water
// Of the cloud's speed: its drops part from each other, else their streaks would look like hatching.
constexpr float kCloudSpeeds = 0.35F;

template <int Dim>
Vec<float, Dim> in_unit_ball(Random& rng) {
    Vec<float, Dim> place;
    do place = map([&](float) { return rng.uniform(-1, 1); }, place);
    while (dot(place, place) > 1);
    return place;
}

template <int Dim>
void add_cloud(std::vector<Drop<Dim>>& drops, const Drop<Dim>& drop, float volume, std::uint32_t id) {
    const auto many = volume / static_cast<float>(sphere_volume<Dim>(drop.radius));
    if (!(many > 1.5F)) return drops.push_back(drop);
    const auto cloud = kCloudSize * static_cast<float>(sphere_radius<Dim>(volume));
    const float shown = std::min(std::ceil(many), kMaxShown), speeds = kCloudSpeeds * length(drop.velocity);
    Random rng(0, id, 0, kCloud);
    for (float n = 0; n < shown; ++n) {
        Drop<Dim> one = drop;
        one.position += in_unit_ball<Dim>(rng) * cloud;
        one.velocity += in_unit_ball<Dim>(rng) * speeds;
        one.radius *= rng.uniform(0.5F, 1);
        one.count = volume / (shown * static_cast<float>(sphere_volume<Dim>(one.radius)));
        drops.push_back(one);
    }
}

}  // namespace

template <int Dim>
std::vector<Drop<Dim>> shown_drops(const Spray<Dim>& spray, const Box<double, Dim>& container,
                                   const Index<Dim>& period) {
    std::vector<Drop<Dim>> drops;
    for (std::size_t n = 0; n < spray.count(); ++n) {
        const SprayDrop<Dim> from = spray.drop(n);
        Vec<double, Dim> place(Vec<float, Dim>(from.position));
        for (int axis = 0; axis < Dim; ++axis) {
            if (period[axis] == 0) continue;
            const double size = container.size()[axis], off = place[axis] - container.lo[axis];
            place[axis] -= size * std::floor(off / size);
        }
        const Drop<Dim> drop{.position = Vec<float, Dim>(place),
                             .radius = static_cast<float>(from.radius),
                             .velocity = Vec<float, Dim>(from.velocity)};
        add_cloud(drops, drop, static_cast<float>(from.volume), from.id);
    }
    return drops;
}

template std::vector<Drop<2>> shown_drops(const Spray<2>&, const Box<double, 2>&, const Index<2>&);
template std::vector<Drop<3>> shown_drops(const Spray<3>&, const Box<double, 3>&, const Index<3>&);

}  // namespace spindrift
