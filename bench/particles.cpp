// SPDX-License-Identifier: Apache-2.0
// Particles carried by the flow: all in a layer around a surface, as trackers have them.
#include <fmt/format.h>

#include "base/random.h"
#include "bench/bench.h"
#include "particles/move.h"

namespace spindrift::bench {
namespace {

constexpr Purpose kBenchPlaces{"benchmark places"};
constexpr int kPerCell = 16;

// Particles in all cells of the middle third, six cells thick at 18.
ParticleSet<3> layer(const TilesPtr<3>& tiles, int size) {
    ParticleSet<3> particles(tiles);
    std::vector<std::vector<NewParticle<3>>> added(tiles->count());
    for_each_tile(*tiles, [&](Slot slot) {
        const auto n = static_cast<std::size_t>(slot);
        Random rng(1, n, 0, kBenchPlaces);
        for (int i = 0; i < kTileCells<3>; ++i) {
            const Index<3> cell = cell_in_tile<3>(i);
            if (std::abs(tiles->origin(slot)[1] + cell[1] - size / 2) > 3) continue;
            for (int k = 0; k < kPerCell; ++k)
                added[n].push_back(
                    {Vec<float, 3>(cell) + Vec<float, 3>(rng.uniform(), rng.uniform(), rng.uniform()), 1});
        }
    });
    add_particles(particles, added);
    return particles;
}

void run_particles(const Settings& settings, const Report& report) {
    const int size = settings.size > 0 ? settings.size : 128;
    const IndexBox<3> box{Index<3>(0), Index<3>(size)};
    const TilesPtr<3> tiles = Tiles<3>::covering(box);
    FaceField<3> u(tiles);
    const float scale = 6.2832F / static_cast<float>(size);
    for (int axis = 0; axis < 3; ++axis)
        assign(u[axis], [&](const Index<3>& cell) {
            return 0.5F * std::sin(scale * static_cast<float>(cell[(axis + 1) % 3] + 5 * axis));
        });
    const ParticleSet<3> start = layer(tiles, size);
    const auto count = static_cast<double>(start.count());
    const double bytes = 2 * 3 * sizeof(float);  // each place is read and written

    ParticleSet<3> moved = start;
    Measurement m{"particles", fmt::format("{}^3", size)};
    m.cells = count;
    m.bytes_per_cell = bytes;
    m.remark = "moves";
    m.seconds = best_seconds(settings, [&] {
        // Back and forth, so that no rebinning is needed.
        move_particles(moved, u, 0.5, 1, box);
        move_particles(moved, u, -0.5, 1, box);
    });
    m.seconds /= 2;
    report(m);

    moved = start;
    m.remark = "moves, and each to its new tile";
    double dt = 0.5;
    m.seconds = best_seconds(settings, [&] {
        move_particles(moved, u, dt, 1, box);
        rebin(moved, tiles);
        dt = -dt;
    });
    report(m);
}

}  // namespace

std::vector<Case> particle_cases() { return {{"particles", "particles advected by the flow", run_particles}}; }

}  // namespace spindrift::bench
