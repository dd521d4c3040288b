// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "liquid/step_limit.h"
#include "scene/estimate.h"
#include "scene/estimate_picture.h"
#include "scene/estimate_samples.h"
#include "scene/force_strength.h"
#include "scene/methods.h"
#include "scene/motion.h"

namespace spindrift {
namespace {

// Cells around the liquid that are kept besides those that it may cross in a step: see liquid/domain.cpp and
// liquid/given_flow.cpp.
constexpr int kReach = 5;

// Liquid that falls by a share of the box's height wets this many times that share more cells.
constexpr double kSpread = 4;
constexpr double kMostSpread = 2;
// A given flow draws the liquid out.
constexpr double kFlowSpread = 1.3;

// The fastest liquid of a splash against a free fall from its top to where it comes to rest: jets are faster.
constexpr double kJet = 1.5;

// A frame between two steps is shown by a copy of the state that is moved on: this part of a step.
constexpr double kShown = 0.5;

// Bytes per active cell of a given flow, which has neither a pressure nor a state to go back to.
constexpr double kFlowBytes = 54;

// The surface's speed in the mean over the run against the fastest.
constexpr double kMostly = 0.5;

// Moments of the run at which speeds are asked.
constexpr int kMoments = 24;

double finite(double value) { return std::isfinite(value) ? value : 0; }

// Of the fastest solid, m/s.
double solid_speed(const SceneDescription& scene, double t) {
    double most = 0;
    for (const scene::Solid& solid : scene.solid)
        most = std::max(most, fastest_part(scene, solid.motion, solid.shape, t));
    return finite(most);
}

// Of a given flow where there is liquid, as a sum over the axes, m/s.
double flow_speed(const SceneDescription& scene, const Samples& samples, double t) {
    double most = 0;
    for_each_index<3>({{}, samples.counts}, [&](const Index<3>& i) {
        if (samples.wet[samples.slot(i)] == 0) return;
        const Vec<double, 3> u = scene.flow.velocity->at(samples.place(i), t);
        most = std::max(most, std::abs(u[0]) + std::abs(u[1]) + std::abs(u[2]));
    });
    return finite(most);
}

// The longest stable step at a speed, as the methods choose it, s.
double stable_step(const SceneDescription& scene, double speed, double t) {
    const double dx = cell_size(scene), reach = scene.time.cfl * dx;
    if (scene.flow.velocity) return speed > 0 ? reach / speed : std::numeric_limits<double>::infinity();
    const double pull = finite(length(gravity_at(scene, t))) + force_strength(scene, t);
    const double sum = speed + std::sqrt(speed * speed + 4 * pull * reach);
    double dt = sum > 0 ? 2 * reach / sum : std::numeric_limits<double>::infinity();
    if (pull > 0) dt = std::min(dt, std::sqrt(dx / pull));  // the shortest wave of the grid
    if (scene.fluid.surface_tension > 0)
        dt = std::min(
            dt, std::sqrt(scene.fluid.density * dx * dx * dx / (4 * std::numbers::pi * scene.fluid.surface_tension)));
    return std::min(dt, kLongestStep);
}

// Steps per frame and cells that the surface crosses in each, in the mean over the run.
struct Steps {
    double per_frame = 0, cells = 0;
};
Steps steps_of(const SceneDescription& scene, const Samples& samples, const Fall& fall, const Poured& pour) {
    const double frame = 1 / scene.time.fps, g = finite(length(gravity_at(scene, 0)));
    const double splash = kJet * std::sqrt(2 * g * fall.from_top), jet = std::sqrt(2 * g * pour.height);
    const double forced = kMostly * speed_by_forces(scene);
    Steps mean;
    for (int k = 0; k < kMoments; ++k) {
        const double t = end_time(scene) * (k + 0.5) / kMoments;
        double speed = std::hypot(given_speed(scene, t), std::max(splash, jet), forced);
        if (scene.flow.velocity) speed = flow_speed(scene, samples, t);
        const double bound = std::max(speed, scene.time.cfl / kSolidCfl * solid_speed(scene, t));
        // A liquid's steps do not know of frames; those of a given flow divide them evenly, which costs half a step.
        const double needed = frame / stable_step(scene, bound, t);
        const double least = scene.time.min_substeps.value_or(scene.flow.velocity ? 1 : 0);
        const double steps =
            std::min<double>(scene.time.max_substeps, std::max(least, needed + (scene.flow.velocity ? 0.5 : 0.0)));
        mean.per_frame += steps / kMoments;
        mean.cells += std::min(scene.time.cfl, kMostly * speed * frame / steps / cell_size(scene)) / kMoments;
    }
    return mean;
}

// Whether expressions of the place say where the liquid is at first, or how it moves.
bool is_by_expressions(const SceneDescription& scene) {
    return std::any_of(scene.liquid.begin(), scene.liquid.end(), [](const scene::Liquid& liquid) {
        const auto& v = liquid.velocity.component;
        return std::holds_alternative<scene::Heights>(liquid.shape) ||
               std::any_of(v.begin(), v.end(), [](const FieldValue& value) { return value.varies_in_space(); });
    });
}

}  // namespace

void detail::estimate_liquid(SceneEstimate& e, const SceneDescription& scene, const CellCosts& costs) {
    const Samples samples = sampled(scene);
    e.is_complete = samples.is_complete;
    const Poured pour = scene.flow.velocity ? Poured{.wet = samples.wet} : poured(scene, samples);
    const Fall fall = scene.flow.velocity ? Fall{} : fall_of(samples, up_axis(scene));

    // Cells, in whole tiles.
    const int band = static_cast<int>(std::ceil(scene.time.cfl)) + kReach;
    const std::vector<char> everywhere(samples.wet.size(), 1);
    const double room = tile_cells(scene, samples, everywhere, band);
    const double spread = scene.flow.velocity
                              ? kFlowSpread
                              : std::min(kMostSpread, 1 + kSpread * fall.mean / scene.domain.size[up_axis(scene)]);
    e.splash = scene.flow.velocity ? 0 : pour.volume > 0 ? 1 : (spread - 1) / (kMostSpread - 1);
    // What is poured has wetted most of its way soon after it began.
    const double late = pour.volume > 0 ? 2.0 / 3 : 0.5;
    const PictureShares first = picture_shares(scene, samples, samples.wet);
    e.shown = pour.volume > 0 ? picture_shares(scene, samples, pour.wet) : first;
    e.shown.liquid = (1 - late) * first.liquid + late * e.shown.liquid;
    e.liquid_cells = samples.share(samples.wet) * e.box_cells;
    e.poured_cells = pour.volume / std::pow(e.cell_size, scene.dim);
    e.active_cells = tile_cells(scene, samples, samples.wet, band);
    e.most_cells = std::min(room, tile_cells(scene, samples, pour.wet, band) * spread);
    e.mean_cells = (1 - late) * e.active_cells + late * e.most_cells;

    // Particles: in a band on each side of the surface [EMF02 §3.2]; the first ones also beside some of the walls.
    constexpr double kBand = 2;  // cells
    constexpr double kBesideWalls = 0.25;
    if (const scene::ParticleSides on = scene::particle_sides(scene); on != scene::ParticleSides::none) {
        const double sides = on == scene::ParticleSides::both ? 2 : 1;
        const double per_area = kBand * scene.particles.per_cell / std::pow(e.cell_size, scene.dim - 1);
        const SurfaceArea at_start = surface_area(samples, samples.wet, scene.dim);
        const SurfaceArea at_end = surface_area(samples, pour.wet, scene.dim);
        const auto limited = [&](double count, double cells) {
            return std::min(count, cells * scene.particles.per_cell);
        };
        e.particles = limited(per_area * sides * at_start.in_air, e.active_cells);
        e.most_particles = limited(per_area * std::max(sides * at_start.in_air + kBesideWalls * at_start.on_walls,
                                                       sides * spread * at_end.in_air),
                                   e.most_cells);
    }

    const Steps steps = steps_of(scene, samples, fall, pour);
    e.steps_per_frame = steps.per_frame;
    const double cell_bytes = scene.flow.velocity ? kFlowBytes
                              : scene.dim == 2    ? costs.memory_bytes_2d
                                               : costs.memory_bytes_3d + (scene.solid.empty() ? 0 : costs.solid_bytes);
    e.field_bytes = e.most_cells * cell_bytes + e.most_particles * costs.particle_bytes;
    const double cell = (scene.dim == 2 ? costs.step_seconds_2d : costs.step_seconds_3d) +
                        (scene.solid.empty() ? 0 : costs.solid_seconds) + steps.cells * costs.surface_seconds;
    const double particle =
        (scene.dim == 2 ? costs.particle_seconds_2d : costs.particle_seconds_3d) + steps.cells * costs.path_seconds;
    const double mean_particles = 0.5 * (e.particles + e.most_particles);
    const double steps_and_shown = e.steps_per_frame + (scene.flow.velocity ? 0 : kShown);
    e.core_seconds =
        frame_count(scene) * steps_and_shown * (e.mean_cells * cell + mean_particles * particle) +
        e.active_cells * (costs.setup_seconds + (is_by_expressions(scene) ? costs.setup_expression_seconds : 0));
}

}  // namespace spindrift
