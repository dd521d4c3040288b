// SPDX-License-Identifier: Apache-2.0
// A scene as normalised text: every setting with its value, defaults among them, in alphabetical order.  Two scenes
// that mean the same have the same text, however they were written; reading it gives an equal description.
#pragma once

#include <string>

#include "scene/description.h"

namespace spindrift {

enum class ScenePart {
    all,
    simulation  // without names, pictures and output: while this stays, caches and checkpoints stay good
};

// Meshes are named, not held: hash their files beside the text.
std::string canonical_text(const SceneDescription& scene, ScenePart part = ScenePart::all);

}  // namespace spindrift
