// SPDX-License-Identifier: Apache-2.0
// Interpolation where semi-Lagrangian steps need it: cells in tile order, displaced by up to two cells.
#include <cmath>

#include <fmt/format.h>

#include "bench/bench.h"
#include "grid/cubic_sampler.h"
#include "grid/sampler.h"

namespace spindrift::bench {
namespace {

constexpr double kFloat = sizeof(float);

// Samples at every cell's centre minus a smooth displacement.
template <class MakeSampler>
Measurement measure_sampler(const std::string& kind, const TilesPtr<3>& tiles, double bytes, const Settings& settings,
                            MakeSampler&& make) {
    Field<float, 3> out(tiles);
    Measurement m{"sample", fmt::format("{}^3", tiles->cell_bounds().size()[0])};
    m.seconds = best_seconds(settings, [&] {
        parallel_ranges(tiles->count(), kTilesPerBlock<3>, [&](std::size_t begin, std::size_t end) {
            auto sampler = make();
            for (std::size_t slot = begin; slot < end; ++slot) {
                const Vec<float, 3> corner(tiles->origin(static_cast<Slot>(slot)));
                const Vec<float, 3> shift(1.7F, -0.6F - 0.01F * static_cast<float>(slot % 100), 0.9F);
                for (int i = 0; i < kTileCells<3>; ++i)
                    out.tile(static_cast<Slot>(slot))[i] =
                        sampler(corner + Vec<float, 3>(cell_in_tile<3>(i)) + Vec<float, 3>(0.5F) - shift);
            }
        });
    });
    m.cells = static_cast<double>(tiles->cell_count());
    m.bytes_per_cell = bytes;
    m.remark = kind;
    return m;
}

void run_sample(const Settings& settings, const Report& report) {
    const int n = settings.size > 0 ? settings.size : 128;
    const TilesPtr<3> tiles = Tiles<3>::covering({Index<3>(0), Index<3>(n)});
    Field<float, 3> field(tiles);
    assign(field, [](const Index<3>& c) {
        return std::sin(0.1F * static_cast<float>(c[0] + c[1])) + static_cast<float>(c[2]);
    });
    FaceField<3> faces(tiles, 1.0F);
    report(measure_sampler("linear", tiles, 2 * kFloat, settings, [&] { return LinearSampler<3>(field); }));
    report(
        measure_sampler("monotone cubic", tiles, 2 * kFloat, settings, [&] { return MonotoneCubicSampler<3>(field); }));
    report(measure_sampler("velocity: three linear at once", tiles, 4 * kFloat, settings, [&] {
        return [sampler = FaceSampler<3>(faces)](const Vec<float, 3>& p) mutable {
            const Vec<float, 3> v = sampler(p);
            return v[0] + v[1] + v[2];
        };
    }));
}

}  // namespace

std::vector<Case> sample_cases() { return {{"sample", "interpolation at back-traced positions", run_sample}}; }

}  // namespace spindrift::bench
