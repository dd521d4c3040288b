// SPDX-License-Identifier: Apache-2.0
// The files that show a frame.
#pragma once

#include <vector>

#include "products/frame_output.h"
#include "session/output/output_folder.h"
#include "session/output/records.h"

namespace spindrift {

// Writes them into the folder and lists them in the record, with the time that each took.
Result<void> write_frame_files(const OutputFolder& folder, const std::vector<FrameOutput>& outputs,
                               const FrameStamp& stamp, FrameRecord& record);

}  // namespace spindrift
