// SPDX-License-Identifier: Apache-2.0
#include "session/frame_files.h"

#include <chrono>

namespace spindrift {

Result<void> write_frame_files(const OutputFolder& folder, const std::vector<FrameOutput>& outputs,
                               const FrameStamp& stamp, FrameRecord& record) {
    using Clock = std::chrono::steady_clock;
    for (const FrameOutput& output : outputs) {
        const Clock::time_point start = Clock::now();
        if (auto made = folder.make_inside(output.folder); !made) return made;
        const std::string file = folder.frame_file(output.folder, record.frame, output.extension);
        if (auto written = output.write(folder.path() / file, stamp); !written) return written;
        const auto checksum = file_checksum(folder.path() / file);
        if (!checksum) return checksum.errors();
        record.files.push_back({file, checksum.value()});
        record.stages.emplace_back(output.stage.empty() ? output.folder : output.stage,
                                   std::chrono::duration<double>(Clock::now() - start).count());
    }
    return {};
}

}  // namespace spindrift
