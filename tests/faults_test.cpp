// SPDX-License-Identifier: Apache-2.0
// Full disks, folders that cannot be written, damaged files: each is named, nothing that is good is lost.
#include <filesystem>

#include <fmt/format.h>
#include <sys/mount.h>
#include <unistd.h>

#include "tests/program.h"

namespace spindrift::testing {
namespace {

namespace fs = std::filesystem;
using Faults = CommandLine;

// A file system of its own, gone at the end; only root can make one.
class SmallDisk {
  public:
    SmallDisk(const fs::path& place, std::size_t bytes) : place_(place) {
        fs::create_directories(place);
        mounted_ = ::mount("none", place.c_str(), "tmpfs", 0, fmt::format("size={}", bytes).c_str()) == 0;
    }
    ~SmallDisk() {
        if (mounted_) ::umount2(place_.c_str(), MNT_DETACH);
    }
    bool is_there() const { return mounted_; }
    bool grow(std::size_t bytes) const {
        return ::mount("none", place_.c_str(), "tmpfs", MS_REMOUNT, fmt::format("size={}", bytes).c_str()) == 0;
    }

  private:
    fs::path place_;
    bool mounted_ = false;
};

TEST_F(Faults, FullDiskKeepsWhatIsGoodAndGoesOnLater) {
    const std::string scene = small_scene();
    ASSERT_EQ(spindrift({"run", scene, "-o", text("whole")}).code, 0);
    std::size_t size = 0;
    for (const auto& entry : fs::recursive_directory_iterator(path("whole")))
        if (entry.is_regular_file()) size += entry.file_size();
    for (const double share : {0.05, 0.3, 0.6, 0.9}) {
        const SmallDisk disk(path("disk"), static_cast<std::size_t>(share * static_cast<double>(size)));
        if (!disk.is_there()) GTEST_SKIP() << "only root can make a small disk";
        const std::string folder = text("disk/run");
        const auto full = spindrift({"run", scene, "-o", folder});
        EXPECT_EQ(full.code, 2) << full.err;
        EXPECT_NE(full.err.find("No space left on device"), std::string::npos) << full.err;
        EXPECT_NE(full.err.find("make room"), std::string::npos) << full.err;
        if (fs::exists(path("disk/run/manifest.json"))) {
            EXPECT_EQ(spindrift({"verify", folder}).code, 0);
        }
        ASSERT_TRUE(disk.grow(4 * size));
        const auto later = spindrift({"run", scene, "-o", folder, "--resume"});
        ASSERT_EQ(later.code, 0) << later.err;
        EXPECT_EQ(state_hashes_of(path("whole")), state_hashes_of(folder));
        EXPECT_TRUE(results_of(path("whole")) == results_of(folder));
    }
}

TEST_F(Faults, FileSizeLimitIsAFullDisk) {
    const std::string scene = small_scene();
    const auto full = spindrift({"run", scene, "-o", text("out")}, {.file_size_limit = 20000});
    EXPECT_EQ(full.code, 2) << full.err;
    EXPECT_NE(full.err.find("File too large"), std::string::npos) << full.err;
    EXPECT_EQ(spindrift({"run", scene, "-o", text("out"), "--resume"}).code, 0);
}

TEST_F(Faults, PlacesThatCannotBeWrittenAreNamed) {
    const std::string scene = small_scene();
    write_file(path("file"), "");
    const auto file = spindrift({"run", scene, "-o", text("file")});
    EXPECT_EQ(file.code, 2);
    EXPECT_NE(file.err.find(text("file")), std::string::npos) << file.err;
    const auto below = spindrift({"run", scene, "-o", text("file/below")});
    EXPECT_EQ(below.code, 2);
    EXPECT_NE(below.err.find("is a file, not a folder"), std::string::npos) << below.err;

    // Root may write anywhere; somebody else may not.
    constexpr unsigned kNobody = 65534;
    fs::create_directories(path("locked"));
    constexpr fs::perms kLookOnly = fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                                    fs::perms::others_read | fs::perms::others_exec;
    fs::permissions(path("locked"), kLookOnly);
    fs::permissions(folder_, kLookOnly);
    const auto locked = spindrift({"run", scene, "-o", text("locked/out")}, {.user = ::getuid() == 0 ? kNobody : 0});
    if (locked.code == 126 || locked.code == 127) GTEST_SKIP() << "the program cannot be run by another user";
    EXPECT_EQ(locked.code, 2);
    EXPECT_NE(locked.err.find("Permission denied"), std::string::npos) << locked.err;
}

TEST_F(Faults, DamagedFilesAreNamed) {
    const std::string scene = small_scene();
    const std::string folder = text("out");
    ASSERT_EQ(spindrift({"run", scene, "-o", folder}).code, 0);
    const auto whole = results_of(folder);
    const auto expect_named = [&](const std::string& name, const std::string& content) {
        const fs::path file = path("out") / name;
        const std::string before = read_file(file);
        write_file(file, content);
        const auto verdict = spindrift({"verify", folder});
        EXPECT_EQ(verdict.code, 1);
        EXPECT_NE(verdict.out.find(file.filename().string()), std::string::npos) << verdict.out;
        write_file(file, before);
        EXPECT_EQ(spindrift({"verify", folder}).code, 0);
    };
    const auto damaged = [&](const std::string& name, std::size_t at) {
        std::string content = read_file(path("out") / name);
        content[std::min(at, content.size() - 1)] ^= 4;
        return content;
    };
    const std::string frame = "frames/dam.0004.vdb", checkpoint = "checkpoints/dam.0008.h5";
    expect_named(frame, read_file(path("out") / frame).substr(0, 1000));
    expect_named(frame, damaged(frame, 2000));
    expect_named(frame, read_file(path("out") / "frames/dam.0005.vdb"));
    expect_named(frame, "");
    expect_named(checkpoint, damaged(checkpoint, 5000));
    expect_named("manifest.json", damaged("manifest.json", 300));

    // A run goes on from the checkpoint before a damaged one, and says so.
    write_file(path("out") / checkpoint, damaged(checkpoint, 5000));
    const auto longer = spindrift({"run", scene, "-o", folder, "--resume", "--frames", "9"});
    EXPECT_EQ(longer.code, 0) << longer.err;
    EXPECT_NE(longer.err.find("dam.0008.h5"), std::string::npos) << longer.err;
    for (const auto& [name, content] : whole) EXPECT_TRUE(read_file(path("out") / name) == content) << name;

    // A damaged manifest is never guessed at.
    write_file(path("out/manifest.json"), "{");
    const auto lost = spindrift({"run", scene, "-o", folder, "--resume"});
    EXPECT_EQ(lost.code, 2);
    EXPECT_NE(lost.err.find("manifest.json"), std::string::npos) << lost.err;
}

TEST_F(Faults, AnotherRunIsNotTouched) {
    const std::string scene = small_scene();
    const std::string folder = text("out");
    ASSERT_EQ(spindrift({"run", scene, "-o", folder, "--frames", "2"}).code, 0);
    const auto before = results_of(folder);
    const auto again = spindrift({"run", scene, "-o", folder, "--frames", "2"});
    EXPECT_EQ(again.code, 2);
    EXPECT_NE(again.err.find("--resume"), std::string::npos) << again.err;
    const auto other = spindrift({"run", scene, "-o", folder, "--resume", "--set", "gravity=5"});
    EXPECT_EQ(other.code, 2);
    EXPECT_NE(other.err.find("gravity"), std::string::npos) << other.err;
    const auto seed = spindrift({"run", scene, "-o", folder, "--resume", "--seed", "7"});
    EXPECT_EQ(seed.code, 2);
    EXPECT_NE(seed.err.find("seed"), std::string::npos) << seed.err;
    EXPECT_TRUE(results_of(folder) == before);
}

}  // namespace
}  // namespace spindrift::testing
