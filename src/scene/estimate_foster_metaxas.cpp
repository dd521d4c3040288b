// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "grid/dimension.h"
#include "liquid/step_limit.h"
#include "scene/estimate.h"
#include "scene/estimate_samples.h"

namespace spindrift {
namespace {

// Moments of the run at which speeds are asked.
constexpr int kMoments = 24;

// The fastest liquid over the run, in the mean, against a free fall from its top to where it comes to rest.
constexpr double kMostly = 0.6;

// Bytes per cell of the box with its layer of fields and scratch, which are doubles, and of what is kept of the state.
constexpr double kCellBytes2 = 170, kCellBytes3 = 240;
// A marker, the one that is kept of it, and room to grow.
constexpr double kMarkerBytes2 = 80, kMarkerBytes3 = 105;

// Seconds of a core: per cell and step, per cell and sweep, per marker and step.
constexpr double kStepSeconds = 0.4e-6, kSweepSeconds = 20e-9, kMarkerSeconds2 = 0.06e-6, kMarkerSeconds3 = 0.15e-6;
constexpr double kSweeps = 40;

// The longest stable step, as FosterMetaxas1996::step_limit chooses it, s.
double stable_step(const SceneDescription& scene, double speed, double t) {
    const double dx = cell_size(scene), reach = scene.foster_metaxas.courant * dx;
    const double pull = length(gravity_at(scene, t)), viscosity = scene.fluid.viscosity / scene.fluid.density;
    const double sum = speed + std::sqrt(speed * speed + 4 * pull * reach);
    double dt = sum > 0 ? 2 * reach / sum : std::numeric_limits<double>::infinity();
    if (viscosity > 0) dt = std::min(dt, reach * dx / (2 * scene.dim * viscosity));
    if (pull > 0) dt = std::min(dt, std::sqrt(dx / pull));
    return std::min(dt, kLongestStep);
}

}  // namespace

void detail::estimate_foster_metaxas(SceneEstimate& e, const SceneDescription& scene, const CellCosts& costs) {
    const Samples samples = sampled(scene);
    e.is_complete = samples.is_complete;
    const Poured pour = poured(scene, samples);
    const Fall fall = fall_of(samples, up_axis(scene));

    // Whole tiles of the box and its upper faces, from the start.
    e.active_cells = 1;
    for (int a = 0; a < scene.dim; ++a) e.active_cells *= kTileSide * (e.cells[a] / kTileSide + 1);
    e.most_cells = e.mean_cells = e.active_cells;
    e.liquid_cells = samples.share(samples.wet) * e.box_cells;
    e.poured_cells = pour.volume / std::pow(e.cell_size, scene.dim);
    e.splash = pour.volume > 0 ? 1 : std::min(1.0, 4 * fall.mean / scene.domain.size[up_axis(scene)]);
    e.shown = picture_shares(scene, samples, pour.volume > 0 ? pour.wet : samples.wet);
    const double per_cell = std::pow(scene.foster_metaxas.markers_across, scene.dim);
    e.particles = e.liquid_cells * per_cell;
    e.most_particles = std::min(e.box_cells, e.liquid_cells + e.poured_cells) * per_cell;
    if (scene.foster_metaxas.inflow_markers && e.poured_cells > 0)
        e.most_particles = e.particles + *scene.foster_metaxas.inflow_markers * end_time(scene);

    const double frame = 1 / scene.time.fps, g = length(gravity_at(scene, 0));
    const double fallen = std::sqrt(2 * g * std::max(fall.from_top, pour.height));
    double steps = 0;
    for (int k = 0; k < kMoments; ++k) {
        const double t = end_time(scene) * (k + 0.5) / kMoments;
        const double speed = std::hypot(given_speed(scene, t), kMostly * fallen);
        // A step ends at each frame; what is left of it is divided evenly.
        const double needed =
            std::max<double>(scene.time.min_substeps.value_or(1), frame / stable_step(scene, speed, t));
        steps += std::min<double>(scene.time.max_substeps, std::ceil(needed)) / kMoments;
    }
    e.steps_per_frame = steps;
    const bool is_flat = scene.dim == 2;
    e.field_bytes = e.most_cells * (is_flat ? kCellBytes2 : kCellBytes3) +
                    e.most_particles * (is_flat ? kMarkerBytes2 : kMarkerBytes3);
    const double step = e.mean_cells * (kStepSeconds + kSweeps * kSweepSeconds) +
                        0.5 * (e.particles + e.most_particles) * (is_flat ? kMarkerSeconds2 : kMarkerSeconds3);
    e.core_seconds = frame_count(scene) * e.steps_per_frame * step + e.active_cells * costs.setup_seconds;
}

}  // namespace spindrift
