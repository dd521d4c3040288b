// SPDX-License-Identifier: Apache-2.0
// The whitewater of a run, frame by frame.  A frame's file is all that the next one needs: what goes on from the files
// of a run that was stopped has the same bits, and so has what is made of the run's volumes later.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "liquid/whitewater.h"
#include "liquid/world.h"
#include "products/frame_output.h"
#include "scene/description.h"

namespace spindrift {

constexpr const char* kWhitewaterFolder = "whitewater";

template <int Dim>
class WhitewaterFrames {
  public:
    // Makes the frame of these fields (velocity at cell centres) and writes it; its file is FOLDER/NAME.0012.ply.  If
    // the frame made last is not the one before, that one is read from its file; without a file there is none yet.
    Result<void> write(const std::filesystem::path& file, const SceneDescription& scene, const World<Dim>& world,
                       const Field<float, Dim>& phi, const VectorField<Dim>& velocity, const FrameStamp& stamp);

    // Of the frame made last.
    const Whitewater<Dim>& shown() const { return whitewater_; }

  private:
    Result<void> take_up(const std::filesystem::path& before, int frame);

    Whitewater<Dim> whitewater_{};
    int frame_ = -1;
    bool has_warned_ = false;
};

}  // namespace spindrift
