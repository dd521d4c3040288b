// SPDX-License-Identifier: Apache-2.0
// Shapes advected by given flows and back: what is kept with particles on both sides, and what is lost without.
#include "base/simd.h"
#include "grid/measure.h"
#include "grid/test_support.h"
#include "surface/interface_cases.h"

namespace spindrift {
namespace {

ParticleLevelSetSettings with(ParticleSides sides) {
    ParticleLevelSetSettings settings = trial_settings();
    settings.sides = sides;
    return settings;
}

template <int Dim>
void note(const char* name, const InterfaceRun<Dim>& run) {
    fmt::print("{}: volume {:+.3f} %, difference {:.3f} % of the volume, {} particles\n", name,
               100 * run.volume_error(), 100 * run.after.difference / run.before.volume, run.particles.count());
}

TEST(Interface, ANotchedDiskKeepsItsAreaAndItsFourCorners) {
    const InterfaceCase<2> c = zalesak_disk(100);
    const auto both = run_interface(c, with(ParticleSides::both));
    note("both sides", both);
    EXPECT_LT(std::abs(both.volume_error()), 0.002);
    EXPECT_LT(std::abs(both.after.volume / 582.207 - 1), 0.003);
    EXPECT_EQ(corners_kept(both.phi, c), 4);
    EXPECT_LT(both.after.difference / 144, 0.07);  // cells, over the length of its outline

    const auto alone = run_interface(c, with(ParticleSides::none));
    note("level set alone", alone);
    EXPECT_LT(corners_kept(alone.phi, c), 4);
    EXPECT_GT(alone.after.difference, 3 * both.after.difference);

    // Only what is lost inside is put back: air goes, liquid stays.
    const auto inside = run_interface(c, with(ParticleSides::inside));
    note("inside only", inside);
    EXPECT_GT(inside.volume_error(), 0.01);
    EXPECT_LT(corners_kept(inside.phi, c), 4);
}

TEST(Interface, AVortexGivesBackTheDisk) {
    const InterfaceCase<2> c = single_vortex(128);
    const auto both = run_interface(c, with(ParticleSides::both));
    note("both sides", both);
    EXPECT_LT(std::abs(both.volume_error()), 0.005);
    EXPECT_LT(both.after.difference, 1.2e-3);
    const auto alone = run_interface(c, with(ParticleSides::none));
    note("level set alone", alone);
    // What it keeps of the volume it has in the wrong place: 15 % are lost, 22 % differ.
    EXPECT_LT(alone.volume_error(), -0.1);
    EXPECT_GT(alone.after.difference, 0.2 * alone.before.volume);
}

// What liquids run differs from the trials in two settings: steps of three cells instead of one, and escaped particles
// that are removed as spray.  Longer steps cost little; the spiral that is removed is what liquids show as drops.
TEST(Interface, LongStepsCostLittleAndRemovedParticlesMore) {
    InterfaceCase<2> c = single_vortex(128);
    c.steps = 444;
    const auto kept = run_interface(c, with(ParticleSides::both));
    note("steps of three cells", kept);
    EXPECT_LT(std::abs(kept.volume_error()), 0.005);
    EXPECT_LT(kept.after.difference, 1.2e-3);
    ParticleLevelSetSettings liquid = with(ParticleSides::both);
    liquid.escape_distance = ParticleLevelSetSettings{}.escape_distance;
    const auto removed = run_interface(c, liquid);
    note("escaped particles removed", removed);
    EXPECT_LT(std::abs(removed.volume_error()), 0.04);
    EXPECT_GT(removed.after.difference, kept.after.difference);
}

}  // namespace
}  // namespace spindrift
