// SPDX-License-Identifier: Apache-2.0
// What a run goes on from, where it cannot be what it seems to be.
#include "session/resume.h"

#include <gtest/gtest.h>

#include "base/test_folder.h"
#include "session/fake_simulation.h"
#include "session/run.h"

namespace spindrift {
namespace {

class Resume : public TestFolder {};

// Of a build that has something else in its state.
struct OtherBuild : FakeSimulation {
    Result<void> load(const Snapshot& snapshot) override {
        SnapshotReader read(snapshot);
        double pressure = 0;
        read("pressure", pressure);
        return read.errors();
    }
};

TEST_F(Resume, ACheckpointOfAnotherVersionSaysSo) {
    RunSettings settings{.folder = folder_ / "out", .last_frame = 2, .fps = 24, .checkpoint_every = 1};
    const Manifest manifest{.name = "fake", .dim = 2, .fps = 24};
    FakeSimulation first;
    ASSERT_TRUE(run(first, manifest, settings));
    settings.last_frame = 4;
    settings.resume = true;
    OtherBuild second;
    const auto resumed = run(second, manifest, settings);
    ASSERT_FALSE(resumed);
    const std::string text = resumed.errors().text();
    EXPECT_NE(text.find(".h5: the checkpoint does not hold the state that this build has (has no 'pressure')"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("another version"), std::string::npos) << text;
}

}  // namespace
}  // namespace spindrift
