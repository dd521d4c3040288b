// SPDX-License-Identifier: Apache-2.0
// What the hybrid surface of 2001 keeps of shapes that flows draw out, and where its particles count.
#include "surface/hybrid_surface.h"

#include "base/random.h"
#include "grid/measure.h"
#include "grid/test_support.h"
#include "surface/interface_cases.h"
#include "surface/upwind_advection.h"

namespace spindrift {
namespace {

constexpr double kDx = 0.1;  // m; not one, so that a length in the wrong unit shows
constexpr int kCells = 32;
constexpr int kBand = 8;

template <int Dim>
using Place = Vec<double, Dim>;  // in cells

template <int Dim>
LevelSetGrid<Dim> container() {
    return {kDx, {Index<Dim>(0), Index<Dim>(kCells)}, kBand};
}

// φ from f, positions and values in cells.
template <int Dim, class F>
Field<float, Dim> level_of(F&& f, double band = kBand) {
    Field<float, Dim> phi(Tiles<Dim>::covering(container<Dim>().box), static_cast<float>(band * kDx));
    assign(phi, [&](const Index<Dim>& cell) {
        return static_cast<float>(kDx * std::clamp<double>(f(Place<Dim>(cell) + Place<Dim>(0.5)), -band, band));
    });
    return phi;
}
template <int Dim>
double plane(const Place<Dim>& x) {
    return x[0] - 16.3;
}

template <int Dim>
FaceField<Dim> steady(const TilesPtr<Dim>& tiles, const Place<Dim>& velocity) {
    FaceField<Dim> u(tiles);
    for (int axis = 0; axis < Dim; ++axis) u[axis].fill(static_cast<float>(velocity[axis] * kDx));
    return u;
}

ParticleLevelSetSettings settings_of(ParticleSides sides = ParticleSides::inside) {
    ParticleLevelSetSettings settings = trial_settings();
    settings.sides = sides;
    settings.per_cell = 8;
    return hybrid_surface(settings);
}

template <int Dim>
SurfaceTracking<Dim> tracking(const ParticleLevelSetSettings& settings = settings_of()) {
    return {container<Dim>(), settings};
}

template <int Dim>
void add(ParticleSet<Dim>& particles, const std::vector<Place<Dim>>& places, float radius) {
    std::vector<std::vector<NewParticle<Dim>>> added(particles.tiles->count());
    for (const Place<Dim>& place : places) {
        const Index<Dim> cell = map([](double x) { return static_cast<int>(std::floor(x)); }, place);
        const Slot slot = particles.tiles->find(tile_of_cell(cell));
        const Vec<float, Dim> local(place - Place<Dim>(particles.tiles->origin(slot)));
        added[static_cast<std::size_t>(slot)].push_back({local, radius});
    }
    add_particles(particles, added);
}

template <class D>
class HybridSurfaceTest : public ::testing::Test {
  protected:
    void note(const std::string& name, double value) { this->RecordProperty(name, fmt::format("{:.3g}", value)); }
};
TYPED_TEST_SUITE(HybridSurfaceTest, Dimensions);

// The error of a plane wave that is advected obliquely over a third of its length, at `cells` per wave.
template <int Dim>
double wave_error(int cells) {
    const LevelSetGrid<Dim> grid{kDx, {Index<Dim>(0), Index<Dim>(kCells)}, 100};
    Place<Dim> k(2 * M_PI / cells);
    k[1] *= -1;
    const auto wave = [&](const Place<Dim>& x) { return 0.2 * cells * std::sin(dot(k, x - Place<Dim>(16.0))); };
    Field<float, Dim> phi = level_of<Dim>(wave, 100);
    Place<Dim> velocity(1.0);
    velocity[0] = 2;
    const double time = cells / 12.0;
    const int steps = advect_level_set_upwind(phi, steady<Dim>(phi.tiles_ptr(), velocity), time, grid);
    EXPECT_GE(steps, (Dim + 1) * time - 1e-3);
    EXPECT_LT(steps, (Dim + 1) * time + 1.001);
    double most = 0;
    for_each_index(IndexBox<Dim>{Index<Dim>(13), Index<Dim>(19)}, [&](const Index<Dim>& cell) {
        const double exact = wave(Place<Dim>(cell) + Place<Dim>(0.5) - velocity * time);
        most = std::max(most, std::abs(phi.at(cell) / kDx - exact));
    });
    return most / cells;
}

// Steps as long as are stable: the error is that of the Runge–Kutta rule.
TYPED_TEST(HybridSurfaceTest, UpwindDifferencesAreOfThirdOrder) {
    constexpr int Dim = TypeParam::kDim;
    const double coarse = wave_error<Dim>(12), fine = wave_error<Dim>(24);
    this->note("coarse", coarse);
    this->note("order", std::log2(coarse / fine));
    EXPECT_LT(coarse, 0.02);
    EXPECT_GT(std::log2(coarse / fine), 2.8);
}

// Air beside a gap may be fast; it neither shortens the sub-steps nor makes them unstable.
TYPED_TEST(HybridSurfaceTest, FastAirIsSlowedDown) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> phi = level_of<Dim>(plane<Dim>);
    FaceField<Dim> u = steady<Dim>(phi.tiles_ptr(), Place<Dim>(0.0));
    assign(u[1], [](const Index<Dim>& cell) { return cell[0] > 19 ? 50.0F * static_cast<float>(kDx) : 0.0F; });
    EXPECT_EQ(advect_level_set_upwind(phi, u, 1, container<Dim>()), 1);
    for_each_index(container<Dim>().box, [&](const Index<Dim>& cell) {
        const double exact = std::clamp<double>(plane(Place<Dim>(cell) + Place<Dim>(0.5)), -kBand, kBand);
        EXPECT_NEAR(phi.at(cell) / kDx, exact, 1e-5);
    });
}

// Particles that jitter about a plane: half of them poke out, and none counts.
TYPED_TEST(HybridSurfaceTest, NoiseLeavesAPlaneAlone) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> phi = level_of<Dim>(plane<Dim>);
    ParticleSet<Dim> particles(phi.tiles_ptr());
    std::vector<Place<Dim>> places;
    Random rng(1, 2, 3, Purpose{"noise"});
    for (int n = 0; n < 3000; ++n) {
        Place<Dim> at;
        for (int a = 0; a < Dim; ++a) at[a] = rng.uniform(0.01F, kCells - 0.01F);
        at[0] = 16.3 + rng.uniform(-0.8F, 0.8F);
        places.push_back(at);
    }
    add(particles, places, -0.4F);
    const Field<float, Dim> before = phi;
    EXPECT_EQ(correct_level_set(phi, particles, tracking<Dim>()).count(), 0U);
    EXPECT_EQ(state_hash(phi), state_hash(before));
    auto every = settings_of();
    every.least_curvature = 0;
    EXPECT_GT(correct_level_set(phi, particles, tracking<Dim>(every)).count(), 1000U);
}

// A jet two cells thick, worn off and shorter in the level set than in its particles: they bring half of it back, and
// no more than there was.
TYPED_TEST(HybridSurfaceTest, ParticlesKeepAJet) {
    constexpr int Dim = TypeParam::kDim;
    const auto from_axis = [](const Place<Dim>& x) {
        Place<Dim> off = x - Place<Dim>(16.1);
        off[0] = 0;
        return length(off);
    };
    const auto jet = [&](const Place<Dim>& x, double tip) {
        Place<Dim> end(16.1);
        end[0] = tip - 1;
        const double spike = x[0] > end[0] ? length(x - end) - 1 : from_axis(x) - 1;
        return std::min(plane(x) + 6, spike);
    };
    Field<float, Dim> phi = level_of<Dim>([&](const Place<Dim>& x) { return jet(x, 22); });
    ParticleSet<Dim> particles(phi.tiles_ptr());
    auto settings = settings_of();
    settings.per_cell = 16;
    settings.escape_distance = 0.15;
    reseed(particles, phi, tracking<Dim>(settings), 0);
    const double whole = liquid_cells(phi, container<Dim>());
    // Worn off by 0.4 cells all around, and two cells shorter.
    phi = level_of<Dim>([&](const Place<Dim>& x) {
        Place<Dim> end(16.1);
        end[0] = 19;
        const double spike = x[0] > end[0] ? length(x - end) - 0.6 : from_axis(x) - 0.6;
        return std::min(plane(x) + 6, spike);
    });
    const double lost = whole - liquid_cells(phi, container<Dim>());
    EXPECT_GT(lost, 2);
    const auto still = steady<Dim>(phi.tiles_ptr(), Place<Dim>(0.0));
    for (int n = 0; n < 3; ++n) advance_hybrid(phi, particles, still, 1, tracking<Dim>(settings));
    const double left = (whole - liquid_cells(phi, container<Dim>())) / lost;
    this->note("still_lost", left);
    EXPECT_GT(left, 0);
    EXPECT_LT(left, 0.65);
}

// Deep ones go, and so do those that the level set leaves out where it is smooth; drops are what is farther off, or
// leaves a rough place.
TYPED_TEST(HybridSurfaceTest, WhatBecomesOfParticlesThatAreNotAtTheSurface) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> phi = level_of<Dim>(plane<Dim>);
    auto settings = settings_of();
    settings.escape_distance = 0.15;
    ParticleSet<Dim> particles(phi.tiles_ptr());
    const auto at = [](double level) {
        Place<Dim> x(16.2);
        x[0] = 16.3 + level;
        return x;
    };
    add<Dim>(particles, {at(-6), at(-3.2), at(-2.8), at(-0.3), at(0.05), at(0.6), at(1.4), at(2.5)}, -0.3F);
    const auto still = steady<Dim>(phi.tiles_ptr(), Place<Dim>(0.0));
    const auto report = advance_hybrid(phi, particles, still, 1, tracking<Dim>(settings));
    rebin(particles, phi.tiles_ptr());
    EXPECT_EQ(report.corrections.count(), 0U);
    ASSERT_EQ(report.removed.size(), 2U);
    for (const auto& drop : report.removed) EXPECT_GT(drop.position[0], 16.3 + 1);
    EXPECT_EQ(particles.count(), 3U);
    for (const auto& p : listed(particles)) EXPECT_GT(p.position[0], 16.3 - 3);
}

// Turned once, a ball keeps its volume to second order, and is where it was.
TYPED_TEST(HybridSurfaceTest, ARotationKeepsTheVolume) {
    constexpr int Dim = TypeParam::kDim;
    InterfaceCase<Dim> c{kCells, kCells * kDx, 1, 80, {}, {}};
    Place<Dim> centre(16.0 * kDx);
    centre[0] += 6 * kDx;
    c.distance = [=](const Place<Dim>& x) { return length(x - centre) - 6 * kDx; };
    c.velocity = [](const Place<Dim>& x) {
        Place<Dim> u(0.0);
        u[0] = -2 * M_PI * (x[1] - 16 * kDx);
        u[1] = 2 * M_PI * (x[0] - 16 * kDx);
        return u;
    };
    const auto run = run_interface(c, settings_of());
    this->note("volume", run.volume_error());
    this->note("difference", run.after.difference / run.before.volume);
    EXPECT_LT(std::abs(run.volume_error()), 0.005);
    EXPECT_LT(run.after.difference / run.before.volume, 0.03);
}

TYPED_TEST(HybridSurfaceTest, SameBitsOnAnyThreads) {
    constexpr int Dim = TypeParam::kDim;
    InterfaceCase<Dim> c{kCells, kCells * kDx, 4, 8, {}, {}};
    c.distance = [](const Place<Dim>& x) { return length(x / kDx - Place<Dim>(15.8)) * kDx - 5 * kDx; };
    c.velocity = [](const Place<Dim>& x) {
        Place<Dim> u(0.0);
        u[0] = 3 * std::sin(3 * x[1]) * kDx;
        u[1] = 3 * std::sin(4 * x[0]) * kDx;
        return u;
    };
    expect_same_on_any_threads([&] {
        auto settings = settings_of();
        settings.reseed_interval = 1.5;
        settings.escape_distance = 0.15;
        const auto run = run_interface(c, settings);
        return std::pair(state_hash(run.phi), state_hash(run.particles));
    });
}

template <int Dim>
void tell(const char* name, const InterfaceRun<Dim>& run) {
    fmt::print("{}: volume {:+.3f} %, difference {:.3f} % of the volume, {} particles\n", name,
               100 * run.volume_error(), 100 * run.after.difference / run.before.volume, run.particles.count());
}

ParticleLevelSetSettings trial(ParticleSides sides) {
    ParticleLevelSetSettings settings = trial_settings();
    settings.sides = sides;
    return hybrid_surface(settings);
}

// Inside particles keep the outer corners; what the slot's inner ones lose of their air they cannot know.
TEST(HybridInterface, ANotchedDiskKeepsItsOuterCorners) {
    const auto hybrid = run_interface(zalesak_disk(100), trial(ParticleSides::inside));
    tell("hybrid", hybrid);
    const auto alone = run_interface(zalesak_disk(100), trial(ParticleSides::none));
    tell("upwind level set alone", alone);
    EXPECT_LT(std::abs(hybrid.volume_error()), 0.03);
    EXPECT_LT(hybrid.after.difference, 0.75 * alone.after.difference);
    EXPECT_EQ(corners_kept(hybrid.phi, zalesak_disk(100)), 2);
}

TEST(HybridInterface, AVortexGivesBackMostOfTheDisk) {
    const auto hybrid = run_interface(single_vortex(128), trial(ParticleSides::inside));
    tell("hybrid", hybrid);
    const auto alone = run_interface(single_vortex(128), trial(ParticleSides::none));
    tell("upwind level set alone", alone);
    EXPECT_LT(std::abs(hybrid.volume_error()), 0.04);
    EXPECT_LT(alone.volume_error(), -0.25);
    EXPECT_LT(hybrid.after.difference, 0.1 * alone.after.difference);
}

}  // namespace
}  // namespace spindrift
