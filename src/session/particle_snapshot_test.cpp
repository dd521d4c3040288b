// SPDX-License-Identifier: Apache-2.0
// Particles come back from a snapshot as they were, with all their attributes.
#include "session/particle_snapshot.h"

#include <gtest/gtest.h>

#include "liquid/spray.h"

namespace spindrift {
namespace {

ParticleSet<2> with_attributes(const TilesPtr<2>& tiles) {
    ParticleSet<2> particles(tiles);
    std::vector<std::vector<NewParticle<2>>> added(tiles->count());
    for (auto& list : added)
        for (const float x : {0.5F, 3.25F}) list.push_back({Vec<float, 2>(x, 7 - x), x - 2});
    add_particles(particles, added);
    particles.add_attribute("age", 1, 2.5F);
    particles.add_attribute("velocity", 2);
    for (std::size_t n = 0; n < particles.count(); ++n)
        for (std::size_t a = 0; a < 2; ++a)
            particles.attribute("velocity").component[a][n] = static_cast<float>(10 * n + a);
    return particles;
}

TEST(ParticleSnapshot, HoldsNamedAttributes) {
    const TilesPtr<2> tiles = Tiles<2>::covering({Index<2>(0), Index<2>(16)});
    const ParticleSet<2> particles = with_attributes(tiles);
    Snapshot snapshot;
    add_particles(snapshot, "particles", particles);
    SnapshotReader read(snapshot);
    ParticleSet<2> found;
    ASSERT_TRUE(read_particles(read, "particles", found, tiles));
    EXPECT_EQ(state_hash(found), state_hash(particles));
    ASSERT_EQ(found.attributes.size(), 2U);
    EXPECT_EQ(found.attribute("age").initial, 2.5F);
    EXPECT_EQ(found.attribute("velocity").component[1][3], 31);
}

TEST(ParticleSnapshot, RefusesAnAttributeThatIsTooShort) {
    const TilesPtr<2> tiles = Tiles<2>::covering({Index<2>(0), Index<2>(16)});
    ParticleSet<2> particles = with_attributes(tiles);
    particles.attribute("age").component[0] = Buffer<float>(0);
    Snapshot snapshot;
    add_particles(snapshot, "particles", particles);
    SnapshotReader read(snapshot);
    ParticleSet<2> found;
    EXPECT_FALSE(read_particles(read, "particles", found, tiles));
}

// Drops come back with what else is known of them; without what every drop has they are no drops.
TEST(ParticleSnapshot, HoldsSpray) {
    Spray<2> drops{{.position = {1, 2}, .velocity = {3, 4}, .volume = 5, .radius = 1.0 / 3, .id = 0xFFFFFFFF}};
    drops.add_attribute("heat", 1, 7);
    for (const bool is_whole : {true, false}) {
        Snapshot snapshot;
        if (!is_whole) drops.attributes[1].name = "size";
        add_particles<2>(snapshot, "spray", drops);
        SnapshotReader read(snapshot);
        Spray<2> found;
        ASSERT_EQ(static_cast<bool>(read_particles<2>(read, "spray", found)), is_whole);
        if (!is_whole) continue;
        Hasher before, after;
        add_columns(before, drops);
        add_columns(after, found);
        EXPECT_EQ(after.digest(), before.digest());
        EXPECT_EQ(found.drop(0).radius, 1.0 / 3);
        EXPECT_EQ(found.attribute("heat").initial, 7);
    }
}

}  // namespace
}  // namespace spindrift
