// SPDX-License-Identifier: Apache-2.0
// What a scene says of probes; part of description.h, described in describe_probe.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/vec.h"

namespace spindrift::scene {

struct PointProbe {
    static constexpr std::string_view kName = "point";
    Vec<double, 3> position{};
    friend bool operator==(const PointProbe&, const PointProbe&) = default;
};
struct HeightProbe {
    static constexpr std::string_view kName = "height";
    Vec<double, 3> from{}, to{};
    friend bool operator==(const HeightProbe&, const HeightProbe&) = default;
};
// A rectangle across one axis, along which min and max are equal; in 2D a segment.
struct FluxProbe {
    static constexpr std::string_view kName = "flux";
    Vec<double, 3> min{}, max{};
    friend bool operator==(const FluxProbe&, const FluxProbe&) = default;
};
// Through a side of the domain or the surface of a solid, by its name: one of them.
struct WallFluxProbe {
    static constexpr std::string_view kName = "wall_flux";
    std::optional<std::string> side{}, solid{};
    std::string substance{};
    friend bool operator==(const WallFluxProbe&, const WallFluxProbe&) = default;
};
struct ForceProbe {
    static constexpr std::string_view kName = "force";
    std::string solid{};
    friend bool operator==(const ForceProbe&, const ForceProbe&) = default;
};
struct TotalProbe {
    static constexpr std::string_view kName = "total";
    std::optional<Vec<double, 3>> about{};
    friend bool operator==(const TotalProbe&, const TotalProbe&) = default;
};
using ProbeKind = std::variant<PointProbe, HeightProbe, FluxProbe, WallFluxProbe, ForceProbe, TotalProbe>;

struct Probe {
    std::string name{};
    ProbeKind kind{};
    std::optional<double> rate{};
    friend bool operator==(const Probe&, const Probe&) = default;
};

}  // namespace spindrift::scene
