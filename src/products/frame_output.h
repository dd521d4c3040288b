// SPDX-License-Identifier: Apache-2.0
// What a frame is turned into: the files of which it consists.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"

namespace spindrift {

// What stands in the files of a frame beside their values.
struct FrameStamp {
    int frame = 0;
    double time = 0;  // s
    double fps = 24;
    std::string scene_hash{};
    std::string state_hash{};
};

// A file that shows a frame: FOLDER/NAME.0001.EXTENSION.
struct FrameOutput {
    std::string folder;
    std::string extension;
    std::function<Result<void>(const std::filesystem::path& file, const FrameStamp& stamp)> write;
    std::string stage{};  // what the time it takes is listed under; the folder's name if not given
};

}  // namespace spindrift
