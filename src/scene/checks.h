// SPDX-License-Identifier: Apache-2.0
// What must hold between settings that are each in range.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "scene/description.h"

namespace spindrift {

// Told with the name of the setting to blame (or "" for the table as a whole), what is wrong with it, and what to do.
using Complain = std::function<void(std::string_view name, std::string what, std::string remedy)>;

template <class S>
void check_settings(const S&, int, const Complain&) {}

void check_settings(const scene::Domain& domain, int dim, const Complain& complain);
void check_settings(const scene::Time& time, int dim, const Complain& complain);
void check_settings(const scene::Box& box, int dim, const Complain& complain);
void check_settings(const scene::Cylinder& cylinder, int dim, const Complain& complain);
void check_settings(const scene::Cone& cone, int dim, const Complain& complain);
void check_settings(const scene::Torus& torus, int dim, const Complain& complain);
void check_settings(const scene::Polygon& polygon, int dim, const Complain& complain);
void check_settings(const scene::Plane& plane, int dim, const Complain& complain);
void check_settings(const scene::Heightmap& heightmap, int dim, const Complain& complain);
void check_settings(const scene::Solid& solid, int dim, const Complain& complain);
void check_settings(const scene::Source& source, int dim, const Complain& complain);
void check_settings(const scene::Force& force, int dim, const Complain& complain);
void check_settings(const scene::Wind& wind, int dim, const Complain& complain);
void check_settings(const scene::CurveControl& curve, int dim, const Complain& complain);
void check_settings(const scene::AttractControl& control, int dim, const Complain& complain);
void check_settings(const scene::Control& control, int dim, const Complain& complain);
void check_settings(const scene::Output& output, int dim, const Complain& complain);

// Settings of different tables.  Tables and lists in `unread` have mistakes of their own and are not looked at, so that
// no mistake is told twice.
void check_scene(const SceneDescription& scene, int dim, const std::set<std::string>& unread, const Complain& complain);

// A side of the domain by its name, "left" or "x_min".
struct NamedSide {
    int axis;
    bool upper;
};
std::optional<NamedSide> side_of_name(std::string_view name, int dim, scene::Up up);

// Speeds along curves, over the run.
void check_controls(const SceneDescription& scene, const Complain& complain);

void check_probes(const SceneDescription& scene, int dim, const Complain& complain);

// Velocities, forces, ways of solids and of the camera have a value wherever and whenever they are used.
void check_finite(const SceneDescription& scene, int dim, const Complain& complain);

}  // namespace spindrift
