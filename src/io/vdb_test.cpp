// SPDX-License-Identifier: Apache-2.0
#include "io/vdb.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/hash.h"
#include "base/random.h"
#include "base/test_folder.h"
#include "io/safe_file.h"
#include "io/vdb_grids.h"

namespace spindrift {
namespace {

namespace fs = std::filesystem;
constexpr Purpose kValues{"vdb_test values"};

class Vdb : public TestFolder {
  protected:
    void SetUp() override { openvdb::initialize(); }
    fs::path file(const std::string& name = "field.vdb") const { return TestFolder::file(name); }
};

// Tiles here and there, on both sides of the origin and far from it.
template <int Dim>
TilesPtr<Dim> scattered_tiles() {
    std::vector<Index<Dim>> tiles;
    for_each_index(IndexBox<Dim>{Index<Dim>(-3), Index<Dim>(3)}, [&](const Index<Dim>& t) {
        if ((t[0] * 7 + t[1] * 3 + t[Dim - 1]) % 3 != 0) tiles.push_back(t);
    });
    tiles.push_back(Index<Dim>(1000));
    tiles.push_back(Index<Dim>(-1000));
    return Tiles<Dim>::from_coordinates(tiles);
}

// Noise, zeros of both signs, infinities, NaN, denormals, cells at the background, and one tile that is all background.
template <int Dim>
Field<float, Dim> awkward_field(float background, std::uint64_t seed = 1) {
    Field<float, Dim> field(scattered_tiles<Dim>(), background);
    const float special[] = {0.0F,
                             -0.0F,
                             std::numeric_limits<float>::infinity(),
                             std::numeric_limits<float>::quiet_NaN(),
                             std::numeric_limits<float>::denorm_min(),
                             background,
                             -background};
    for_each_tile(field.tiles(), [&](Slot slot) {
        if (slot == 3) return;
        Random rng(seed, static_cast<std::uint64_t>(slot), 0, kValues);
        for (int i = 0; i < kTileCells<Dim>; ++i)
            field.tile(slot)[i] = rng.uniform() < 0.5F ? special[rng.uniform_int(7)] : rng.normal();
    });
    return field;
}

template <int Dim>
void expect_same(const Field<float, Dim>& a, const Field<float, Dim>& b) {
    ASSERT_TRUE(same_tiles(a.tiles(), b.tiles())) << a.tiles().describe() << " / " << b.tiles().describe();
    EXPECT_EQ(hash128_bytes(std::as_bytes(a.values())), hash128_bytes(std::as_bytes(b.values())));
    EXPECT_TRUE(detail::same_bits(a.background(), b.background())) << a.background() << " / " << b.background();
}

template <int Dim>
void expect_round_trip(const fs::path& file) {
    const GridTransform<Dim> transform{.origin = Vec<double, Dim>(0.1), .dx = 0.3 / 7};
    for (const float background : {0.0F, 2.5F, -0.0F}) {
        const auto phi = awkward_field<Dim>(background), density = awkward_field<Dim>(0, 9);
        FaceField<Dim> velocity;
        for (int a = 0; a < Dim; ++a) velocity[a] = awkward_field<Dim>(background, static_cast<std::uint64_t>(20 + a));
        ASSERT_TRUE(write_vdb<Dim>(file, {{"surface", &phi, transform, VdbClass::level_set, {{"unit", "m"}}},
                                          {"density", &density, transform, VdbClass::fog_volume},
                                          {"vel", &velocity, transform}}));

        const auto surface = read_vdb<Dim>(file, "surface");
        ASSERT_TRUE(surface) << surface.errors().text();
        expect_same(surface.value().values, phi);
        EXPECT_EQ(surface.value().transform, transform);
        EXPECT_EQ(surface.value().kind, VdbClass::level_set);
        EXPECT_EQ(surface.value().metadata, (VdbMetadata{{"unit", "m"}}));
        expect_same(read_vdb<Dim>(file, "density").value().values, density);

        const auto vel = read_vdb_faces<Dim>(file, "vel");
        ASSERT_TRUE(vel) << vel.errors().text();
        EXPECT_EQ(vel.value().kind, VdbClass::staggered);
        for (int a = 0; a < Dim; ++a) expect_same(vel.value().values[a], velocity[a]);
    }
}
TEST_F(Vdb, FieldsComeBackBitForBit2D) { expect_round_trip<2>(file()); }
TEST_F(Vdb, FieldsComeBackBitForBit3D) { expect_round_trip<3>(file()); }

TEST_F(Vdb, FieldWithoutTilesComesBack) {
    const Field<float, 3> none(Tiles<3>::from_coordinates({}), 4);
    ASSERT_TRUE(write_vdb<3>(file(), {{"none", &none}}));
    expect_same(read_vdb<3>(file(), "none").value().values, none);
}

TEST_F(Vdb, TileIsALeafWithTheSameOrder) {
    const auto field = awkward_field<3>(1);
    const auto grid = grid_from_field(field);
    EXPECT_EQ(grid->tree().leafCount(), field.tiles().count());
    for (Slot slot = 0; slot < static_cast<Slot>(field.tiles().count()); ++slot) {
        const Index<3> o = field.tiles().origin(slot);
        const auto* leaf = grid->tree().probeConstLeaf(openvdb::Coord(o[0], o[1], o[2]));
        ASSERT_NE(leaf, nullptr);
        EXPECT_EQ(std::memcmp(leaf->buffer().data(), field.tile(slot), 512 * sizeof(float)), 0);
        for (int i = 0; i < 512; ++i) {
            const Index<3> cell = o + cell_in_tile<3>(i);
            const openvdb::Coord voxel(cell[0], cell[1], cell[2]);
            EXPECT_TRUE(detail::same_bits(leaf->getValue(voxel), field.at(cell)));
            EXPECT_EQ(leaf->isValueOn(voxel), !detail::same_bits(field.at(cell), 1));
        }
    }
}

// What a stock tool sees: the file class of OpenVDB, values looked up by voxel, positions by the transform.
TEST_F(Vdb, StockReaderFindsValuesAtCellCentres) {
    Field<float, 2> density(Tiles<2>::covering({{-8, 0}, {8, 8}}));
    density.ref({-3, 5}) = 7;
    const GridTransform<2> transform{.origin = {2.0, -1.0}, .dx = 0.25};
    ASSERT_TRUE(
        write_vdb<2>(file(), {{"density", &density, transform, VdbClass::fog_volume}},
                     {{"frame", 12}, {"fps", 24.0}, {"up", "y"}, {"looped", true}, {"id", std::int64_t{1} << 40}}));
    openvdb::io::File stock(file().string());
    stock.open(false);
    const auto metadata = stock.getMetadata();
    EXPECT_EQ(metadata->metaValue<std::int32_t>("frame"), 12);
    EXPECT_EQ(metadata->metaValue<double>("fps"), 24.0);
    const auto grid = openvdb::gridPtrCast<openvdb::FloatGrid>(stock.readGrid("density"));
    EXPECT_EQ(grid->activeVoxelCount(), 1U);
    EXPECT_EQ(grid->tree().getValue({-3, 5, 0}), 7);
    EXPECT_EQ(grid->getGridClass(), openvdb::GRID_FOG_VOLUME);
    const openvdb::Vec3d place = grid->indexToWorld(openvdb::Coord(-3, 5, 0));
    EXPECT_NEAR(place[0], 2 + (-3 + 0.5) * 0.25, 1e-12);
    EXPECT_NEAR(place[1], -1 + (5 + 0.5) * 0.25, 1e-12);

    const auto contents = read_vdb_contents(file());
    ASSERT_TRUE(contents);
    ASSERT_EQ(contents.value().grids.size(), 1U);
    EXPECT_EQ(contents.value().grids[0].name, "density");
    EXPECT_EQ(contents.value().grids[0].type, "float");
    EXPECT_EQ(contents.value().grids[0].kind, VdbClass::fog_volume);
    EXPECT_EQ(
        contents.value().metadata,
        (VdbMetadata{{"frame", 12}, {"fps", 24.0}, {"up", "y"}, {"looped", true}, {"id", std::int64_t{1} << 40}}));
}

TEST_F(Vdb, VdbPrintReadsTheFile) {
    ASSERT_EQ(std::system("command -v vdb_print > /dev/null"), 0) << "install libopenvdb-tools: make deps";
    const auto phi = awkward_field<3>(1);
    const FaceField<3> velocity(phi.tiles_ptr(), 1);
    ASSERT_TRUE(write_vdb<3>(file(), {{"surface", &phi}, {"vel", &velocity}}));
    std::FILE* pipe = ::popen(fmt::format("vdb_print -l -m '{}' 2>&1", file().string()).c_str(), "r");
    std::string output;
    for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
    EXPECT_EQ(::pclose(pipe), 0) << output;
    EXPECT_NE(output.find("surface"), std::string::npos) << output;
    EXPECT_NE(output.find("staggered"), std::string::npos) << output;
}

TEST_F(Vdb, SameFieldsGiveTheSameBytes) {
    const auto phi = awkward_field<3>(1);
    const int before = thread_count();
    ASSERT_TRUE(write_vdb<3>(file("a.vdb"), {{"surface", &phi}}));
    set_thread_count(3);
    ASSERT_TRUE(write_vdb<3>(file("b.vdb"), {{"surface", &phi}}));
    set_thread_count(before);
    EXPECT_TRUE(bytes_of(file("a.vdb")) == bytes_of(file("b.vdb")));
    EXPECT_FALSE(fs::exists(file("a.vdb.partial")));
}

// ——— What goes wrong ———

template <class T>
std::string failure_of(const Result<T>& result) {
    return result ? "no failure" : result.errors().text();
}

TEST_F(Vdb, MissingFileMissingGridWrongTypeWrongDimension) {
    const auto plane = awkward_field<2>(0);
    ASSERT_TRUE(write_vdb<2>(file(), {{"surface", &plane}}));
    EXPECT_NE(failure_of(read_vdb<2>(file("none.vdb"), "surface")).find("No such file"), std::string::npos);
    EXPECT_NE(failure_of(read_vdb<2>(file().parent_path(), "surface")).find("directory"), std::string::npos);
    EXPECT_NE(failure_of(read_vdb<2>(file(), "density")).find("no grid 'density'\n    it has 'surface'"),
              std::string::npos);
    EXPECT_NE(failure_of(read_vdb_faces<2>(file(), "surface")).find("holds float values; vec3s were asked for"),
              std::string::npos);
    EXPECT_NE(failure_of(read_vdb<3>(file(), "surface")).find("2-dimensional"), std::string::npos);
}

TEST_F(Vdb, OtherFilesAreNotVdbFiles) {
    for (const char* bytes : {"", "short", "this is a text, and no volume at all"}) {
        write_bytes(file(), bytes);
        EXPECT_NE(failure_of(read_vdb<3>(file(), "a")).find("is not a VDB file"), std::string::npos) << bytes;
        EXPECT_FALSE(read_vdb_contents(file()));
    }
}

TEST_F(Vdb, EveryTruncationAndEveryChangedByteIsAnError) {
    const auto phi = awkward_field<2>(1);
    ASSERT_TRUE(write_vdb<2>(file("whole.vdb"), {{"a", &phi}, {"b", &phi}}));
    const std::string whole = bytes_of(file("whole.vdb"));
    const std::size_t step = std::max<std::size_t>(1, whole.size() / 400);
    for (std::size_t size = 0; size < whole.size(); size += size < 700 || size + 100 > whole.size() ? 1 : step) {
        write_bytes(file(), whole.substr(0, size));
        EXPECT_FALSE(read_vdb<2>(file(), "b")) << "cut to " << size << " of " << whole.size();
        EXPECT_FALSE(read_vdb_contents(file())) << "cut to " << size << " of " << whole.size();
    }
    for (std::size_t at = 0; at < whole.size(); at += at < 700 || at + 100 > whole.size() ? 1 : step) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0x10);
        write_bytes(file(), changed);
        EXPECT_FALSE(read_vdb<2>(file(), "b")) << "byte " << at << " of " << whole.size();
    }
}

// A file of another program: constant regions, grids that share values, no seal; cut short it is an error all the same.
TEST_F(Vdb, FilesOfOtherProgramsAreRead) {
    auto grid = openvdb::FloatGrid::create(3);
    grid->setName("sphere");
    grid->setTransform(openvdb::math::Transform::createLinearTransform(0.5));
    grid->denseFill({{0, 0, 0}, {15, 15, 15}}, -3, false);  // inactive tiles inside, as level sets have
    grid->sparseFill({{16, 0, 0}, {31, 15, 15}}, 1, true);
    grid->tree().setValue({-1, -2, -3}, 8);
    auto instance = openvdb::FloatGrid::create(*grid);
    instance->setTree(grid->treePtr());
    instance->setName("again");
    openvdb::io::File(file("foreign.vdb").string()).write(openvdb::GridCPtrVec{grid, instance});

    for (const char* name : {"sphere", "again"}) {
        const auto read = read_vdb<3>(file("foreign.vdb"), name);
        ASSERT_TRUE(read) << read.errors().text();
        EXPECT_EQ(read.value().transform.dx, 0.5);
        EXPECT_NEAR(read.value().transform.origin[0], -0.25, 1e-12);
        for_each_index(IndexBox<3>{{-9, -9, -9}, {40, 24, 24}}, [&](const Index<3>& c) {
            EXPECT_EQ(read.value().values.at(c), grid->tree().getValue({c[0], c[1], c[2]}));
        });
        EXPECT_FALSE(read_vdb<2>(file("foreign.vdb"), name));
    }

    const std::string whole = bytes_of(file("foreign.vdb"));
    for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 300) {
        write_bytes(file(), whole.substr(0, size));
        EXPECT_FALSE(read_vdb<3>(file(), "again")) << "cut to " << size << " of " << whole.size();
    }
}

TEST_F(Vdb, GridsThatAreNotCubesAlongTheAxesAreRefused) {
    auto grid = openvdb::FloatGrid::create(0);
    grid->setName("turned");
    auto turned = openvdb::math::Transform::createLinearTransform(0.5);
    turned->preRotate(0.3, openvdb::math::Z_AXIS);
    grid->setTransform(turned);
    openvdb::io::File(file().string()).write(openvdb::GridCPtrVec{grid});
    EXPECT_NE(failure_of(read_vdb<3>(file(), "turned")).find("turned, stretched"), std::string::npos);
}

TEST_F(Vdb, RegionsBeyondMemoryAreRefused) {
    auto grid = openvdb::FloatGrid::create(0);
    grid->setName("huge");
    grid->tree().addTile(3, {0, 0, 0}, 1, true);
    openvdb::io::File(file().string()).write(openvdb::GridCPtrVec{grid});
    EXPECT_NE(failure_of(read_vdb<3>(file(), "huge")).find("too many for memory"), std::string::npos);
}

TEST_F(Vdb, FailedWriteLeavesTheOldFileAndNoPartialOne) {
    const auto phi = awkward_field<3>(1);
    ASSERT_TRUE(write_vdb<3>(file(), {{"surface", &phi}}));
    const std::string before = bytes_of(file());

    // A disk with no room: files may grow to 10 kB, then writing fails as it does on a full disk.
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit small{.rlim_cur = 10000, .rlim_max = limit.rlim_max};
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &small);
    const auto full = write_vdb<3>(file(), {{"surface", &phi}});
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, old_handler);
    EXPECT_NE(failure_of(full).find("cannot be written: File too large\n    make room on the disk"), std::string::npos)
        << failure_of(full);
    EXPECT_EQ(bytes_of(file()), before);
    EXPECT_FALSE(fs::exists(partial_path(file())));

    EXPECT_NE(failure_of(write_vdb<3>(file("no/such/folder.vdb"), {{"surface", &phi}})).find("No such file"),
              std::string::npos);
    EXPECT_NE(failure_of(write_vdb<3>(file(), {{"a", &phi}, {"a", &phi}})).find("two grids named 'a'"),
              std::string::npos);
    EXPECT_NE(failure_of(write_vdb<3>(file(), {{"", &phi}})).find("without a name"), std::string::npos);
}

}  // namespace
}  // namespace spindrift
