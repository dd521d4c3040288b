// SPDX-License-Identifier: Apache-2.0
#include "render/glow_lamps.h"

#include <array>
#include <cmath>
#include <numbers>

#include "render/smoke_light.h"

namespace spindrift {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kFaintShadow = 0.01F;  // of the same, before the angle
constexpr float kFaint = 1e-4F;        // of a white board in the sun: light from a lamp that cannot be seen a cell away

// Light of a part of the gas: all of it, where it comes from, and how far it is spread.
struct Sum {
    Vec<double, 3> light{}, moment{};
    double weight = 0, square = 0;

    void add(const Rgb& glow, const Vec<double, 3>& place) {
        const double w = luminance(glow);
        light += Vec<double, 3>(glow);
        moment += place * w;
        weight += w;
        square += w * dot(place, place);
    }
    void add(const Sum& other) {
        light += other.light;
        moment += other.moment;
        weight += other.weight;
        square += other.square;
    }
};
using Eighths = std::array<Sum, 8>;

Eighths light_of_tile(const SmokeView3& view, const SolidScene& scene, Slot slot) {
    Eighths sums;
    const Field<float, 3>& field = *view.glow.field;
    const Index<3> middle = scene.cells().lo + scene.cells().size() / 2;
    for (int n = 0; n < kTileCells<3>; ++n) {
        const Index<3> cell = field.tiles().origin(slot) + cell_in_tile<3>(n);
        const float kelvin = (field.tile(slot)[n] - view.glow.ambient) * view.glow.kelvin;
        if (!(kelvin > 0) || !scene.cells().contains(cell)) continue;
        std::size_t eighth = 0;
        for (int a = 0; a < 3; ++a) eighth = 2 * eighth + (cell[a] >= middle[a] ? 1 : 0);
        sums[eighth].add(black_body(kelvin, view.glow.kelvin) * (view.glow.strength * scene.cell()),
                         Vec<double, 3>(cell - scene.cells().lo) + Vec<double, 3>(0.5));
    }
    return sums;
}

}  // namespace

GlowLamps::GlowLamps(const SmokeView3& view, const SolidScene& scene) : scene_(scene) {
    if (view.glow.field == nullptr || !(view.glow.strength > 0)) return;
    const Tiles<3>& tiles = view.glow.field->tiles();
    std::vector<Eighths> parts(tiles.count());
    for_each_tile(tiles, [&](Slot slot) { parts[static_cast<std::size_t>(slot)] = light_of_tile(view, scene, slot); });
    Eighths sums;
    for (const Eighths& part : parts)
        for (std::size_t n = 0; n < sums.size(); ++n) sums[n].add(part[n]);
    for (const Sum& sum : sums) {
        if (!(sum.weight > kFaint)) continue;
        const Vec<double, 3> place = sum.moment / sum.weight;
        const double spread = sum.square / sum.weight - dot(place, place);
        lamps_.push_back({Vec3f(place), Rgb(sum.light), static_cast<float>(std::max(spread, 1.0))});
    }
}

Rgb GlowLamps::reaching(const Lamp& lamp, const Vec3f& offset, const Vec3f& place) const {
    const float square = dot(offset, offset);
    const float distance = std::sqrt(square);
    const Rgb light = lamp.intensity / (square + lamp.size2);
    // Shadows take most of the time: none where they could not be seen.
    if (distance > 1 && luminance(light) > kFaintShadow) {
        const Hit hit = scene_.nearest_solid(place, offset / distance);
        if (hit.kind == HitKind::solid && hit.t < distance) return {};
    }
    return light;
}

Rgb GlowLamps::on_surface(const Vec3f& place, const Vec3f& normal) const {
    Rgb sum;
    for (const Lamp& lamp : lamps_) {
        const Vec3f offset = lamp.place - place;
        const float facing = dot(offset, normal) / std::sqrt(dot(offset, offset) + lamp.size2);
        if (facing > 0) sum += reaching(lamp, offset, place) * (facing / kPi);
    }
    return sum;
}

Rgb GlowLamps::on_smoke(const Vec3f& place) const {
    Rgb sum;
    for (const Lamp& lamp : lamps_) sum += reaching(lamp, lamp.place - place, place) / (4 * kPi);
    return sum;
}

}  // namespace spindrift
