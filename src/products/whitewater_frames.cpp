// SPDX-License-Identifier: Apache-2.0
#include "products/whitewater_frames.h"

#include <fmt/format.h>

#include "base/log.h"
#include "io/particle_file.h"
#include "setup/whitewater_scene.h"

namespace spindrift {
namespace {

// NAME.0011.ply of NAME.0012.ply.
std::filesystem::path file_before(const std::filesystem::path& file, int frame) {
    const std::string name = file.stem().stem().string();
    return file.parent_path() / fmt::format("{}.{:04}{}", name, frame - 1, file.extension().string());
}

}  // namespace

template <int Dim>
Result<void> WhitewaterFrames<Dim>::take_up(const std::filesystem::path& before, int frame) {
    whitewater_ = {};
    frame_ = frame - 1;
    std::error_code ignored;
    if (frame > 0 && std::filesystem::exists(before, ignored)) return read_particles<Dim>(before, whitewater_);
    if (frame > 0) log_warning("whitewater begins at frame {}: there is no {}", frame, before.string());
    return {};
}

template <int Dim>
Result<void> WhitewaterFrames<Dim>::write(const std::filesystem::path& file, const SceneDescription& scene,
                                          const World<Dim>& world, const Field<float, Dim>& phi,
                                          const VectorField<Dim>& velocity, const FrameStamp& stamp) {
    if (stamp.frame == 0 || frame_ != stamp.frame - 1)
        if (auto taken = take_up(file_before(file, stamp.frame), stamp.frame); !taken) return taken;
    if (stamp.frame > 0) {
        const WhitewaterReport report =
            advance_whitewater(whitewater_, whitewater_flow(scene, world, phi, velocity, stamp.time), 1 / stamp.fps,
                               whitewater_settings(scene), static_cast<std::uint32_t>(stamp.frame));
        if (report.is_limited && !has_warned_) {
            has_warned_ = true;
            log_warning(
                "frame {}: whitewater.most = {} is reached: from here on less is born than whitewater.amount "
                "asks for; allow more, or make particles larger with whitewater.radius",
                stamp.frame, scene.whitewater.most);
        }
    }
    round_as_in_file<Dim>(whitewater_);
    frame_ = stamp.frame;
    return write_particles<Dim>(file, whitewater_);
}

template class WhitewaterFrames<2>;
template class WhitewaterFrames<3>;

}  // namespace spindrift
