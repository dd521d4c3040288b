// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint.h"

#include <csignal>
#include <iterator>
#include <limits>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/random.h"
#include "base/test_folder.h"

namespace spindrift {
namespace {

namespace fs = std::filesystem;
constexpr Purpose kValues{"checkpoint_test values"};

class Checkpoint : public TestFolder {
  protected:
    fs::path file(const std::string& name = "state.h5") const { return TestFolder::file(name); }
};

template <int Dim>
struct State {
    double time = 0;
    std::int64_t step = 0;
    std::string note{};
    Field<float, Dim> phi{}, apart{};
    FaceField<Dim> velocity{};
};

// Noise with values that only bits tell apart; phi and velocity on the same tiles, one field on others.
template <int Dim>
State<Dim> awkward_state() {
    const auto tiles = Tiles<Dim>::covering({Index<Dim>(-20), Index<Dim>(30)});
    State<Dim> state{.time = 1.0 / 3, .step = std::int64_t{1} << 40, .note = "τέλος\n"};
    const auto noise = [](const TilesPtr<Dim>& where, std::uint64_t seed) {
        Field<float, Dim> field(where, -0.0F);
        for_each_tile(field.tiles(), [&](Slot slot) {
            Random rng(seed, static_cast<std::uint64_t>(slot), 0, kValues);
            for (int i = 0; i < kTileCells<Dim>; ++i) field.tile(slot)[i] = rng.normal();
            field.tile(slot)[0] = std::numeric_limits<float>::quiet_NaN();
            field.tile(slot)[1] = -0.0F;
            field.tile(slot)[2] = std::numeric_limits<float>::denorm_min();
        });
        return field;
    };
    state.phi = noise(tiles, 1);
    state.apart = noise(Tiles<Dim>::from_coordinates({Index<Dim>(-1000), Index<Dim>(7)}), 2);
    for (int a = 0; a < Dim; ++a) state.velocity[a] = noise(tiles, static_cast<std::uint64_t>(3 + a));
    return state;
}

template <int Dim>
Snapshot snapshot_of(const State<Dim>& state) {
    Snapshot snapshot;
    snapshot.add("time", state.time);
    snapshot.add("step", state.step);
    snapshot.add("note", state.note);
    snapshot.add("phi", state.phi);
    snapshot.add("apart", state.apart);
    snapshot.add("velocity", state.velocity);
    return snapshot;
}

template <int Dim>
void expect_round_trip(const fs::path& file) {
    const State<Dim> state = awkward_state<Dim>();
    const Snapshot snapshot = snapshot_of(state);
    const auto written = write_checkpoint(file, snapshot);
    ASSERT_TRUE(written) << written.errors().text();
    const auto read = read_checkpoint(file);
    ASSERT_TRUE(read) << read.errors().text();
    EXPECT_EQ(hex(read.value().hash()), hex(snapshot.hash()));

    State<Dim> back;
    SnapshotReader reader(read.value());
    reader("time", back.time);
    reader("step", back.step);
    reader("note", back.note);
    reader("phi", back.phi);
    reader("apart", back.apart);
    reader("velocity", back.velocity);
    ASSERT_TRUE(reader.errors().empty()) << reader.errors().text();
    EXPECT_EQ(back.note, state.note);
    EXPECT_EQ(hex(snapshot_of(back).hash()), hex(snapshot.hash()));
    EXPECT_EQ(back.phi.tiles_ptr(), back.velocity.tiles_ptr())
        << "fields that shared their tiles must share them again";
}
TEST_F(Checkpoint, StateComesBackBitForBit2D) { expect_round_trip<2>(file()); }
TEST_F(Checkpoint, StateComesBackBitForBit3D) { expect_round_trip<3>(file()); }

TEST_F(Checkpoint, SpaceThatRepeatsComesBack) {
    const Field<float, 2> field(Tiles<2>::covering({{0, 0}, {24, 16}}, {3, 0}), 0.5F);
    Snapshot snapshot;
    snapshot.add("field", field);
    ASSERT_TRUE(write_checkpoint(file(), snapshot));
    const auto loaded = read_checkpoint(file());
    ASSERT_TRUE(loaded);
    SnapshotReader read(loaded.value());
    Field<float, 2> back;
    read("field", back);
    ASSERT_TRUE(read.errors().empty()) << read.errors().text();
    EXPECT_TRUE(same_tiles(back.tiles(), field.tiles()));
}

TEST_F(Checkpoint, SameStateGivesSameBytes) {
    const State<3> state = awkward_state<3>();
    ASSERT_TRUE(write_checkpoint(file("a.h5"), snapshot_of(state)));
    ::sleep(1);  // a time in the file would differ
    ASSERT_TRUE(write_checkpoint(file("b.h5"), snapshot_of(awkward_state<3>())));
    EXPECT_TRUE(bytes_of(file("a.h5")) == bytes_of(file("b.h5")));
}

TEST_F(Checkpoint, HashSeesEveryPart) {
    const State<2> state = awkward_state<2>();
    const Hash128 hash = snapshot_of(state).hash();
    State<2> other = state;
    other.time = std::nextafter(state.time, 1);
    EXPECT_NE(snapshot_of(other).hash(), hash);
    other = state;
    other.velocity[1].values()[100] += 1;
    EXPECT_NE(snapshot_of(other).hash(), hash);
    other = state;
    other.phi.values()[1] = 0.0F;  // was -0
    EXPECT_NE(snapshot_of(other).hash(), hash);
}

TEST_F(Checkpoint, EveryCutAndEveryKindOfChangeIsRefused) {
    ASSERT_TRUE(write_checkpoint(file(), snapshot_of(awkward_state<2>())));
    const std::string whole = bytes_of(file());
    for (const std::size_t keep : {std::size_t{0}, std::size_t{1}, std::size_t{47}, std::size_t{511}, std::size_t{512},
                                   std::size_t{3000}, whole.size() / 2, whole.size() - 1}) {
        write_bytes(file(), whole.substr(0, keep));
        EXPECT_FALSE(read_checkpoint(file())) << "cut to " << keep << " bytes";
    }
    Random rng(1, 0, 0, kValues);
    for (int i = 0; i < 100; ++i) {
        std::string changed = whole;
        const std::size_t at = i < 48 ? static_cast<std::size_t>(i)
                                      : 512 + rng.uniform_int(static_cast<std::uint32_t>(whole.size() - 512));
        changed[at] = static_cast<char>(changed[at] ^ (1 << rng.uniform_int(8)));
        write_bytes(file(), changed);
        EXPECT_FALSE(read_checkpoint(file())) << "changed byte " << at;
    }
    write_bytes(file(), whole + "more");
    EXPECT_FALSE(read_checkpoint(file()));
    write_bytes(file(), whole);
    EXPECT_TRUE(read_checkpoint(file()));
}

TEST_F(Checkpoint, MissingAndStrangeFilesAreNamed) {
    const auto missing = read_checkpoint(file("missing.h5"));
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.errors().text().find("missing.h5"), std::string::npos);
    EXPECT_FALSE(read_checkpoint(file("").parent_path()));
    EXPECT_FALSE(write_checkpoint(file("no_folder/state.h5"), snapshot_of(awkward_state<2>())));
}

TEST_F(Checkpoint, ReaderNamesWhatIsMissingOrOfAnotherKind) {
    const State<2> state = awkward_state<2>();
    const Snapshot snapshot = snapshot_of(state);
    SnapshotReader reader(snapshot);
    double number = 0;
    Field<float, 3> field;
    reader("absent", number);
    reader("note", number);
    reader("phi", field);
    EXPECT_EQ(reader.errors().size(), 3U) << reader.errors().text();
}

// A disk that fills up: the error says so, what was there before stays, nothing half-written is left.
TEST_F(Checkpoint, FullDiskLeavesTheOldFile) {
    const State<3> state = awkward_state<3>();
    ASSERT_TRUE(write_checkpoint(file(), snapshot_of(state)));
    const std::string before = bytes_of(file());
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit old{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
    for (const rlim_t room :
         {rlim_t{100}, rlim_t{10000}, static_cast<rlim_t>(before.size()) / 2, static_cast<rlim_t>(before.size()) - 1}) {
        const rlimit small{room, old.rlim_max};
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
        const auto written = write_checkpoint(file(), snapshot_of(awkward_state<3>()));
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
        ASSERT_FALSE(written) << room;
        EXPECT_NE(written.errors().text().find("too large"), std::string::npos)
            << room << ": " << written.errors().text();
        EXPECT_TRUE(bytes_of(file()) == before);
        EXPECT_EQ(std::distance(fs::directory_iterator(file("").parent_path()), {}), 1);
    }
    EXPECT_TRUE(write_checkpoint(file(), snapshot_of(state)));
}

}  // namespace
}  // namespace spindrift
