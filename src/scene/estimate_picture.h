// SPDX-License-Identifier: Apache-2.0
// What a 3D picture of a liquid shows, for estimates: rays that meet liquid or glass cost more than those that do not.
#pragma once

#include <vector>

#include "scene/estimate_samples.h"

namespace spindrift {

// Parts of the picture in the middle of the run, from 0 to 1.
struct PictureShares {
    double liquid = 0, glass = 0;
};

PictureShares picture_shares(const SceneDescription& scene, const Samples& samples, const std::vector<char>& wet);

}  // namespace spindrift
