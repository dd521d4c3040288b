// SPDX-License-Identifier: Apache-2.0
// No particle is lost or mixed up on its way from tile to tile, and the order never depends on threads.
#include "particles/particle_set.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "grid/test_support.h"

namespace spindrift {
namespace {

template <int Dim>
using Lists = std::vector<std::vector<NewParticle<Dim>>>;

// `per_tile` particles in each tile, their radii all different.
template <int Dim>
ParticleSet<Dim> scattered(const TilesPtr<Dim>& tiles, int per_tile, unsigned seed = 1) {
    std::mt19937 rng(seed);
    ParticleSet<Dim> particles(tiles);
    Lists<Dim> added(tiles->count());
    float radius = 1;
    for (auto& list : added)
        for (int n = 0; n < per_tile; ++n) list.push_back({random_position<Dim>(rng, 0, kTileSide), radius++});
    add_particles(particles, added);
    return particles;
}

// Moves each by a few cells, the same for the same particle.
template <int Dim>
void shake(ParticleSet<Dim>& particles, float cells) {
    for (std::size_t n = 0; n < particles.count(); ++n) {
        std::mt19937 rng(particles.id[n]);
        particles.set_place(n, particles.place(n) + random_position<Dim>(rng, -cells, cells));
    }
}

template <int Dim>
void expect_sound(const ParticleSet<Dim>& particles) {
    ASSERT_EQ(particles.first.size(), particles.tiles->count() + 1);
    EXPECT_EQ(particles.first.back(), particles.count());
    std::size_t outside = 0;
    for (std::size_t n = 0; n < particles.count(); ++n)
        for (int a = 0; a < Dim; ++a)
            outside += particles.place(n)[a] >= 0 && particles.place(n)[a] < static_cast<float>(kTileSide) ? 0 : 1;
    EXPECT_EQ(outside, 0U) << "particles are not in their tile";
}

template <class D>
class ParticleSetTest : public ::testing::Test {};
TYPED_TEST_SUITE(ParticleSetTest, Dimensions);

// A scalar and a vector that belong to each particle's id: on its way from tile to tile, beside particles that come and
// go.
TYPED_TEST(ParticleSetTest, NamedAttributesStayWithTheirParticles) {
    constexpr int Dim = TypeParam::kDim;
    ParticleSet<Dim> particles = scattered<Dim>(ragged_tiles<Dim>(3, 0.7), 20);
    const std::size_t bytes = column_bytes(particles);
    particles.add_attribute("age", 1, -1);
    particles.add_attribute("velocity", Dim);
    EXPECT_EQ(column_bytes(particles), bytes + particles.count() * (1 + Dim) * sizeof(float));
    const std::uint64_t at_first = state_hash(particles);
    const std::uint32_t known = particles.next_id;
    for (std::size_t n = 0; n < particles.count(); ++n) {
        const auto id = static_cast<float>(particles.id[n]);
        particles.attribute("age").component[0][n] = id;
        for (int a = 0; a < Dim; ++a)
            particles.attribute("velocity").component[static_cast<std::size_t>(a)][n] =
                id + 0.25F * static_cast<float>(1 + a);
    }
    EXPECT_NE(state_hash(particles), at_first);

    shake(particles, 11);
    for (std::size_t n = 0; n < particles.count(); n += 7) particles.radius[n] = 0;
    rebin(particles, ragged_tiles<Dim>(3, 0.7));
    Lists<Dim> added(particles.tiles->count());
    for (auto& list : added) list.push_back({Vec<float, Dim>(1.5F), 1});
    add_particles(particles, added);
    rebin(particles, particles.tiles);

    const ParticleSet<Dim>& result = particles;
    std::size_t fresh = 0;
    for (std::size_t n = 0; n < result.count(); ++n) {
        const bool is_new = result.id[n] >= known;
        fresh += is_new ? 1 : 0;
        EXPECT_EQ(result.attribute("age").component[0][n], is_new ? -1 : static_cast<float>(result.id[n]));
        for (int a = 0; a < Dim; ++a)
            EXPECT_EQ(result.attribute("velocity").component[static_cast<std::size_t>(a)][n],
                      is_new ? 0 : static_cast<float>(result.id[n]) + 0.25F * static_cast<float>(1 + a));
    }
    EXPECT_EQ(fresh, added.size());
}

TYPED_TEST(ParticleSetTest, ChangingTilesKeepsEveryParticleAndItsPlace) {
    constexpr int Dim = TypeParam::kDim;
    ParticleSet<Dim> particles = scattered<Dim>(ragged_tiles<Dim>(3, 0.7), 20);
    shake(particles, 11);
    std::map<std::uint32_t, Particle<Dim>> before;
    for (const auto& p : listed(particles)) before[p.id] = p;
    const auto lost = rebin(particles, particles.tiles);
    expect_sound(particles);

    auto all = listed(particles);
    EXPECT_GT(lost.size(), 0U) << "the case tests nothing at the edge";
    EXPECT_GT(all.size(), lost.size());
    for (const auto& p : lost)
        EXPECT_EQ(particles.tiles->find(
                      tile_of_cell(map([](double x) { return static_cast<int>(std::floor(x)); }, p.position))),
                  kNoTile);
    all.insert(all.end(), lost.begin(), lost.end());
    ASSERT_EQ(all.size(), before.size());
    for (const auto& p : all) {
        ASSERT_TRUE(before.contains(p.id));
        EXPECT_EQ(p.radius, before[p.id].radius);
        EXPECT_LT(length(p.position - before[p.id].position), 1e-5);
        before.erase(p.id);
    }
}

TYPED_TEST(ParticleSetTest, ParticlesFollowTheirTilesToAnotherSet) {
    constexpr int Dim = TypeParam::kDim;
    ParticleSet<Dim> particles = scattered<Dim>(ragged_tiles<Dim>(2, 0.8, 1), 10);
    const auto before = listed(particles);
    const TilesPtr<Dim> other = ragged_tiles<Dim>(2, 0.6, 2);
    const auto lost = rebin(particles, other);
    expect_sound(particles);
    EXPECT_EQ(particles.tiles, other);
    EXPECT_GT(particles.count(), 0U);
    EXPECT_EQ(particles.count() + lost.size(), before.size());
    for (const auto& p : listed(particles)) {
        EXPECT_EQ(p.position, before[p.id].position);
        EXPECT_EQ(p.radius, before[p.id].radius);
    }
}

TYPED_TEST(ParticleSetTest, RemovedAndNotFiniteOnesAreGone) {
    constexpr int Dim = TypeParam::kDim;
    ParticleSet<Dim> particles = scattered<Dim>(ragged_tiles<Dim>(2, 0.8), 10);
    const std::size_t count = particles.count();
    std::size_t removed = 0;
    for (std::size_t n = 0; n < count; n += 3, ++removed) particles.radius[n] = 0;
    particles.position[0][1] = NAN;
    EXPECT_TRUE(rebin(particles, particles.tiles).empty());
    expect_sound(particles);
    EXPECT_EQ(particles.count(), count - removed - 1);
}

// A particle just below zero rounds to the upper edge of the tile below when counted from there.
TYPED_TEST(ParticleSetTest, AHairBeyondATilesEdgeIsInTheNextTile) {
    constexpr int Dim = TypeParam::kDim;
    ParticleSet<Dim> particles(Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(2 * kTileSide)}));
    Lists<Dim> added(particles.tiles->count());
    added.back().push_back({Vec<float, Dim>(-1e-9F), 1});
    add_particles(particles, added);
    EXPECT_TRUE(rebin(particles, particles.tiles).empty());
    expect_sound(particles);
    EXPECT_EQ(particles.begin(0), 0U);
    EXPECT_EQ(particles.end(0), 1U);
}

TYPED_TEST(ParticleSetTest, IdsAreNeverUsedTwice) {
    constexpr int Dim = TypeParam::kDim;
    ParticleSet<Dim> particles = scattered<Dim>(ragged_tiles<Dim>(2, 0.8), 5);
    Lists<Dim> more(particles.tiles->count());
    for (auto& list : more) list.resize(3, {Vec<float, Dim>(1.0F), 2.0F});
    add_particles(particles, more);
    std::set<std::uint32_t> ids;
    for (const auto& p : listed(particles)) ids.insert(p.id);
    EXPECT_EQ(ids.size(), particles.count());
    EXPECT_EQ(particles.next_id, particles.count());
}

TYPED_TEST(ParticleSetTest, TheOrderIsTheSameOnAnyThreads) {
    constexpr int Dim = TypeParam::kDim;
    expect_same_on_any_threads([] {
        ParticleSet<Dim> particles = scattered<Dim>(ragged_tiles<Dim>(Dim == 2 ? 12 : 4, 0.8), 20);
        for (int n = 0; n < 3; ++n) {
            shake(particles, 5);
            rebin(particles, particles.tiles);
        }
        return state_hash(particles);
    });
}

TEST(ParticleSet, TakesNoMoreMemoryThanPromised) {
    const ParticleSet<3> particles = scattered<3>(ragged_tiles<3>(2, 0.8), 100);
    EXPECT_LE(column_bytes(particles), 28 * particles.count());
}

}  // namespace
}  // namespace spindrift
