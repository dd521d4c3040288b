// SPDX-License-Identifier: Apache-2.0
// A bubble rises in a thick liquid: the second case of [Hysing09], for which three programs give about the same.
#include <cmath>

#include <fmt/format.h>

#include "liquid/gauges.h"
#include "validate/cases.h"
#include "validate/trial.h"

namespace spindrift {
namespace {

constexpr double kRadius = 0.25, kStart = 0.5, kInterval = 0.1;  // m, m, s
// Heights are of the bubble alone: the surface lies at 2 m.
constexpr double kTop = 1.8;

}  // namespace

Result<void> validate_bubble(const ValidationSettings& settings) {
    for (const std::string method : {"particle-level-set-2002", "level-set"}) {
        auto trial = Trial::of_catalogue(
            "rising-bubble-2d",
            {"method=" + method, fmt::format("domain.resolution={}", std::lround(176 * settings.scale))});
        if (!trial) return std::move(trial).errors();
        Trial& t = trial.value();
        double height = kStart, fastest = 0, lost = 0;
        for (int n = 1; n <= 30; ++n) {
            const auto ran = t.run_until(n * kInterval);
            if (!ran) return ran.errors();
            const AirBelow air = air_below(t.liquid<2>(), t.liquid_world<2>(), kTop);
            // Its first and highest speed; later its ends come off in some programs and not in others.
            if (n <= 12) fastest = std::max(fastest, (air.height - height) / kInterval);
            height = air.height;
            lost = 1 - air.volume / (M_PI * kRadius * kRadius);
        }
        const auto figure = [&](const char* name, double measured, const char* unit) {
            return Figure{.name = name, .variant = method, .grid = t.grid(), .measured = measured, .unit = unit};
        };
        settings.found(figure("highest speed, m/s", fastest, "").near(0.251, 0.01));
        settings.found(figure("height after 3 s, m", height, "").near(1.1315, 0.01));
        settings.found(figure("air lost", 100 * lost, "%").within(5));
    }
    return {};
}

}  // namespace spindrift
