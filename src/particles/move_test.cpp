// SPDX-License-Identifier: Apache-2.0
// Particles go where the flow takes them, to third order, and not through walls.
#include "particles/move.h"

#include <random>

#include "base/simd.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

constexpr double kDx = 0.1;  // m; not one, so that a length in the wrong unit shows

template <int Dim>
using Place = Vec<double, Dim>;  // in cells

// u at faces from f, positions and velocities in cells.
template <int Dim, class F>
FaceField<Dim> flow(const TilesPtr<Dim>& tiles, F&& f) {
    FaceField<Dim> u(tiles);
    for (int axis = 0; axis < Dim; ++axis)
        assign(u[axis], [&](const Index<Dim>& cell) {
            return static_cast<float>(kDx * f(Place<Dim>(cell) + Place<Dim>(face_centre<Dim>(axis)))[axis]);
        });
    return u;
}

// Particles at random places between lo and hi cells along each axis.
template <int Dim>
ParticleSet<Dim> scattered(const TilesPtr<Dim>& tiles, int count, float lo, float hi) {
    std::mt19937 rng(3);
    ParticleSet<Dim> particles(tiles);
    std::vector<std::vector<NewParticle<Dim>>> added(tiles->count());
    for (int n = 0; n < count; ++n) added[0].push_back({random_position<Dim>(rng, lo, hi), 1});
    add_particles(particles, added);
    rebin(particles, tiles);
    return particles;
}

template <int Dim>
Place<Dim> turning(const Place<Dim>& x, double about) {
    Place<Dim> u(0.0);
    u[0] = about - x[1];
    u[1] = x[0] - about;
    return u;
}

template <class D>
class MoveTest : public ::testing::Test {};
TYPED_TEST_SUITE(MoveTest, Dimensions);

// One turn about the middle: linear velocities are interpolated exactly, so what is left is the error in time.
TYPED_TEST(MoveTest, ATurnComesBackToThirdOrder) {
    constexpr int Dim = TypeParam::kDim;
    const IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(32)};
    const TilesPtr<Dim> tiles = Tiles<Dim>::covering(box);
    const FaceField<Dim> u = flow<Dim>(tiles, [](const Place<Dim>& x) { return turning(x, 16.0); });
    const auto error = [&](int steps) {
        ParticleSet<Dim> particles = scattered<Dim>(tiles, 300, 9, 23);
        const auto before = listed(particles);
        for (int n = 0; n < steps; ++n) {
            move_particles(particles, u, 2 * M_PI / steps, kDx, box);
            EXPECT_TRUE(rebin(particles, tiles).empty());
        }
        std::vector<Place<Dim>> start(before.size());
        for (const auto& p : before) start[p.id] = p.position;
        double most = 0;
        for (const auto& p : listed(particles)) most = std::max(most, length(p.position - start[p.id]));
        return most;
    };
    const double coarse = error(25), fine = error(50);
    EXPECT_LT(fine, 0.012);
    EXPECT_NEAR(coarse / fine, 8, 1);
}

// In a part of a step some go farther than the block around their tile: the slower way must lead to the same place.
TYPED_TEST(MoveTest, LongStepsLeadToTheSamePlace) {
    constexpr int Dim = TypeParam::kDim;
    const IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(64)};
    const TilesPtr<Dim> tiles = Tiles<Dim>::covering(box);
    const FaceField<Dim> u = flow<Dim>(tiles, [](const Place<Dim>& x) { return turning(x, 32.0); });
    constexpr double dt = 0.9;
    const auto turned = [](const Place<Dim>& x) { return turning(x, 32.0); };
    const auto moved = [&](const Place<Dim>& x) {
        const Place<Dim> second = turned(x + turned(x) * (dt / 3));
        return x + (turned(x) * 0.25 + turned(x + second * (2 * dt / 3)) * 0.75) * dt;
    };
    ParticleSet<Dim> particles = scattered<Dim>(tiles, 300, 16, 48);
    const auto before = listed(particles);
    std::vector<Place<Dim>> start(before.size());
    for (const auto& p : before) start[p.id] = p.position;
    move_particles(particles, u, dt, kDx, box);
    rebin(particles, tiles);
    double longest = 0;
    for (const auto& p : listed(particles)) {
        EXPECT_LT(length(p.position - moved(start[p.id])), 1e-3);
        longest = std::max(longest, length(p.position - start[p.id]));
    }
    EXPECT_GT(longest, 15) << "the case tests nothing far away";
}

// As exact in the thousandth tile as in the first: the same bits, in fact.
TYPED_TEST(MoveTest, FarFromTheOriginNothingIsLost) {
    constexpr int Dim = TypeParam::kDim;
    const auto places = [](int tiles_away) {
        const Index<Dim> shift(tiles_away * kTileSide);
        const IndexBox<Dim> box{shift, shift + Index<Dim>(32)};
        const TilesPtr<Dim> tiles = Tiles<Dim>::covering(box);
        const FaceField<Dim> u =
            flow<Dim>(tiles, [&](const Place<Dim>& x) { return turning(x - Place<Dim>(shift), 16.0); });
        ParticleSet<Dim> particles = scattered<Dim>(tiles, 200, 9, 23);
        for (int n = 0; n < 50; ++n) {
            move_particles(particles, u, 0.05, kDx, box);
            rebin(particles, tiles);
        }
        std::vector<float> all;
        for (std::size_t n = 0; n < particles.count(); ++n)
            for (int a = 0; a < Dim; ++a) all.push_back(particles.place(n)[a]);
        return all;
    };
    EXPECT_EQ(places(0), places(1000));
}

// A flow straight at the walls: none gets through.
TYPED_TEST(MoveTest, WallsHold) {
    constexpr int Dim = TypeParam::kDim;
    const IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(20)};  // ends inside a tile
    const TilesPtr<Dim> tiles = Tiles<Dim>::covering(box);
    const FaceField<Dim> u = flow<Dim>(tiles, [](const Place<Dim>&) { return Place<Dim>(5.0); });
    ParticleSet<Dim> particles = scattered<Dim>(tiles, 300, 0, 20);
    for (int n = 0; n < 10; ++n) {
        move_particles(particles, u, 1, kDx, box);
        EXPECT_TRUE(rebin(particles, tiles).empty());
    }
    EXPECT_EQ(particles.count(), 300U);
    for (const auto& p : listed(particles))
        for (int a = 0; a < Dim; ++a) {
            EXPECT_LT(p.position[a], 20);
            EXPECT_GT(p.position[a], 19.9);
        }
}

// The flow beside a wall slips along it: half a cell from the wall a particle is as fast as the cell it is in.
TYPED_TEST(MoveTest, ParticlesSlipAlongWalls) {
    constexpr int Dim = TypeParam::kDim;
    const IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(20)};
    const TilesPtr<Dim> tiles = Tiles<Dim>::covering(box);
    FaceField<Dim> u = flow<Dim>(tiles, [&](const Place<Dim>& x) {
        Place<Dim> v(0.0);
        v[0] = x[1] > 0 && x[1] < 20 ? 1.0 : 0.0;  // nothing is known beyond the walls
        return v;
    });
    ParticleSet<Dim> particles(tiles);
    std::vector<std::vector<NewParticle<Dim>>> added(tiles->count());
    for (const float y : {0.01F, 0.3F, 10.0F, 19.7F, 19.99F}) {
        Vec<float, Dim> at(5.0F);
        at[1] = y;
        added[0].push_back({at, 1});
    }
    add_particles(particles, added);
    rebin(particles, tiles);
    move_particles(particles, u, 2, kDx, box);
    for (const auto& p : listed(particles)) EXPECT_NEAR(p.position[0], 7, 1e-4) << "at height " << p.position[1];
}

TYPED_TEST(MoveTest, SameBitsOnAnyThreadsAndInstructionSet) {
    constexpr int Dim = TypeParam::kDim;
    const IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(Dim == 2 ? 128 : 48)};
    const TilesPtr<Dim> tiles = Tiles<Dim>::covering(box);
    const double middle = box.hi[0] / 2.0;
    const FaceField<Dim> u = flow<Dim>(tiles, [&](const Place<Dim>& x) { return turning(x, middle); });
    const auto result = [&] {
        ParticleSet<Dim> particles = scattered<Dim>(tiles, 5000, 1, static_cast<float>(box.hi[0] - 1));
        for (int n = 0; n < 5; ++n) {
            move_particles(particles, u, 0.1, kDx, box);
            rebin(particles, tiles);
        }
        return state_hash(particles);
    };
    expect_same_on_any_threads(result);
    const auto best = result();
    const InstructionSet before = instruction_set();
    set_instruction_set(InstructionSet::baseline);
    EXPECT_EQ(result(), best);
    set_instruction_set(before);
}

}  // namespace
}  // namespace spindrift
