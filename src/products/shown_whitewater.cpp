// SPDX-License-Identifier: Apache-2.0
#include "products/shown_whitewater.h"

#include <algorithm>

namespace spindrift {
namespace {

constexpr double kFading = 0.3;  // of its lifetime, at the end of which a particle shrinks away

DropKind kind_of(WhitewaterType type) {
    switch (type) {
        case WhitewaterType::spray: return DropKind::foam;
        case WhitewaterType::foam: return DropKind::foam;
        case WhitewaterType::bubble: break;
    }
    return DropKind::bubble;
}

}  // namespace

template <int Dim>
void add_shown_whitewater(std::vector<Drop<Dim>>& drops, const Whitewater<Dim>& whitewater) {
    for (std::size_t n = 0; n < whitewater.count(); ++n) {
        const WhitewaterParticle<Dim> p = whitewater.particle(n);
        const double left = std::clamp((p.lifetime - p.age) / (kFading * p.lifetime), 0.0, 1.0);
        drops.push_back({.position = Vec<float, Dim>(p.position),
                         .radius = static_cast<float>(p.radius * left),
                         .velocity = Vec<float, Dim>(p.velocity),
                         .kind = kind_of(p.type)});
    }
}

template void add_shown_whitewater(std::vector<Drop<2>>&, const Whitewater<2>&);
template void add_shown_whitewater(std::vector<Drop<3>>&, const Whitewater<3>&);

}  // namespace spindrift
