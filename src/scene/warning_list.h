// SPDX-License-Identifier: Apache-2.0
// The list of warnings that the parts of scene_warnings() add to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scene/description.h"

namespace spindrift {

// Moments of a run at which what varies in time is looked at.
constexpr int kMoments = 256;

class SceneWarnings {
  public:
    explicit SceneWarnings(const SceneDescription& scene) : scene_(scene) {}

    // `path` is a setting as in --set.
    void warn(const std::string& path, std::string what, std::string remedy = "");
    // Settings that are written and have no effect; all settings of a table, or the one of that name.
    void idle(const std::vector<std::string>& paths, const std::string& why);
    void idle_table(std::string_view table, const std::string& why);
    // Something that does not meet the domain along an axis.
    void outside(const std::string& path, const Box<double, 3>& box, int axis);

    const Errors& all() const { return list_; }

  private:
    const SceneDescription& scene_;
    Errors list_{};
};

// "liquid[2]".
std::string entry(std::string_view list, std::size_t i);
// An axis along which a box does not meet the domain.
std::optional<int> axis_outside(const SceneDescription& scene, const Box<double, 3>& box);
// Whether output.fields names it.
bool writes_field(const SceneDescription& scene, std::string_view field);

// Shapes outside the domain, too thin or inside solids, and solids that move.
void warn_of_shapes(SceneWarnings& list, const SceneDescription& scene);

}  // namespace spindrift
