// SPDX-License-Identifier: Apache-2.0
// Entries of lists by their names in messages: `solid "cup".radius is …`, not "solid[0].radius is …".
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "scene/description.h"

namespace spindrift {

// "solid[0]" and its name, for those that have one.
using EntryNames = std::map<std::string, std::string>;
EntryNames entry_names(const SceneDescription& scene);

Errors with_names(const Errors& errors, const EntryNames& names);
inline Errors with_names(const Errors& errors, const SceneDescription& scene) {
    return with_names(errors, entry_names(scene));
}

}  // namespace spindrift
