// SPDX-License-Identifier: Apache-2.0
// What lies under and around the container in a picture.
#pragma once

namespace spindrift {

enum class FloorKind {
    checker,  // squares, which show distances
    plain,    // one colour
    sea,      // water to the horizon, around the container
    none      // nothing: below the horizon the haze goes on
};

}  // namespace spindrift
