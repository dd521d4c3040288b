// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "scene/describe.h"
#include "scene/estimate.h"
#include "scene/estimate_samples.h"

namespace spindrift {
namespace {

// Fields per cell besides state and the state kept for steps that fail: per axis for advection and pressure, per
// substance to keep its amount, for a viscous solve, and for multigrid with what solids leave open.  Measured, as
// docs/estimates.md says.
constexpr double kWorkPerAxis = 4.25, kWorkPerSubstance = 2.5, kViscous = 4, kMultigrid = 9;

// Seconds of one core per cell and step: for each field that is advected, for a viscous solve, and for multigrid.
constexpr double kFieldSeconds2 = 0.055e-6, kFieldSeconds3 = 0.1e-6;
constexpr double kViscousSeconds = 0.2e-6, kMultigridSeconds = 0.15e-6;
constexpr double kMovingSeconds = 0.45e-6;  // besides, where solids move
constexpr double kLinear = 0.5;             // semi-Lagrangian against higher orders
constexpr double kTextureSeconds = 0.9;     // a coordinate of a texture against another field

// A warm ball of width d and acceleration a rises this many times as fast as √(a d), as it takes in air; what is
// warmed all the time falls upwards, as it were, √(2 a h) through the height h of the box.
constexpr double kRise = 1.5;
// Flow around things is so much faster than the flow that comes to them.
constexpr double kPassing = 1.3;

// Where there is something other than the air around at the start, and how much at most, in each substance.
struct Smoke {
    std::vector<char> marked{};
    std::vector<double> most{};
};

Smoke smoke_of(const SceneDescription& scene, const Samples& samples) {
    Smoke smoke{.marked = std::vector<char>(samples.wet.size()), .most = std::vector<double>(scene.substance.size())};
    for (std::size_t s = 0; s < scene.substance.size(); ++s) {
        const scene::GasSubstance& substance = scene.substance[s];
        const auto note = [&](double value) {
            const double excess = std::abs(value - substance.ambient);
            if (std::isfinite(excess)) smoke.most[s] = std::max(smoke.most[s], excess);
            return excess > scene.gas.threshold;
        };
        if (substance.wall_value) note(*substance.wall_value);
        if (substance.initial)
            for_each_index<3>({{}, samples.counts}, [&](const Index<3>& i) {
                if (note(substance.initial->at(samples.place(i), 0))) smoke.marked[samples.slot(i)] = 1;
            });
        for (const scene::Source& source : scene.source) {
            if (source.substance != substance.name) continue;
            const Vec<double, 3> middle = scene.domain.origin + scene.domain.size * 0.5;
            if (source.value) note(source.value->at(middle, source.start));
            if (source.rate) note(substance.ambient + source.rate->at(middle, source.start) * end_time(scene));
        }
    }
    for (const scene::Source& source : scene.source)
        for (const std::size_t slot : samples_in(source.shape, samples, scene)) smoke.marked[slot] = 1;
    return smoke;
}

// The fastest gas, m/s: what is given, and what buoyancy and forces make of it.
struct Speeds {
    double all = 0;
    double rise = 0;  // of smoke, upwards
};
Speeds speeds_of(const SceneDescription& scene, const Samples& samples, const Smoke& smoke) {
    double given = 0, squares = 0;
    const Vec<double, 3> middle = scene.domain.origin + scene.domain.size * 0.5;
    for (const scene::Side& side : scene.domain.sides.sides)
        given = std::max(given, length(side.velocity.at(middle, 0.5 * end_time(scene))));
    for (const scene::Source& source : scene.source)
        given = std::max(given, length(source.velocity.at(middle, source.start)));
    for_each_index<3>({{}, samples.counts}, [&](const Index<3>& i) {
        const double start = length(scene.gas.velocity.at(samples.place(i), 0));
        if (std::isfinite(start)) given = std::max(given, start);
    });
    const double width = std::pow(samples.share(smoke.marked) * product(scene.domain.size), 1.0 / scene.dim);
    double lift = 0;
    for (std::size_t s = 0; s < scene.substance.size(); ++s)
        lift += std::abs(scene.substance[s].buoyancy) * smoke.most[s];
    for (const scene::Force& force : scene.force) {
        const double size =
            force.kind == scene::ForceKind::constant ? length(force.acceleration.at(middle, force.start)) * width
            : force.kind == scene::ForceKind::drag   ? 0
                                                     : std::abs(force.strength.at(force.start)) * force.radius;
        if (std::isfinite(size)) squares += size;
    }
    const bool is_fed = std::any_of(scene.source.begin(), scene.source.end(),
                                    [](const scene::Source& source) { return source.substance.has_value(); });
    const double rise =
        is_fed ? std::sqrt(2 * lift * scene.domain.size[up_axis(scene)]) : kRise * std::sqrt(lift * width);
    if (!scene.solid.empty()) given *= kPassing;
    const double all = std::sqrt(given * given + rise * rise + squares);
    return {.all = std::isfinite(all) ? all : 0, .rise = std::isfinite(rise) ? rise : 0};
}

// The smoke at the end: it has risen, and widened by a tenth of its way as plumes do.
std::vector<char> risen(const SceneDescription& scene, const Samples& samples, const Smoke& smoke, double way) {
    constexpr double kWidening = 0.1;
    std::vector<char> marked = smoke.marked;
    const int up = up_axis(scene);
    for_each_index<3>({{}, samples.counts}, [&](const Index<3>& i) {
        if (smoke.marked[samples.slot(i)] == 0) return;
        const int rows = static_cast<int>(std::min(way / samples.spacing[up], 1.0 * samples.counts[up]));
        for (int k = 0; k <= rows && i[up] + k < samples.counts[up]; ++k) {
            Index<3> lo = i, hi = i + Index<3>(1);
            for (int axis = 0; axis < scene.dim; ++axis) {
                const int wide = axis == up ? 0 : static_cast<int>(kWidening * k);
                lo[axis] = std::max(0, lo[axis] - wide);
                hi[axis] = std::min(samples.counts[axis], hi[axis] + wide);
            }
            lo[up] = i[up] + k, hi[up] = lo[up] + 1;
            for_each_index<3>({lo, hi}, [&](const Index<3>& j) { marked[samples.slot(j)] = 1; });
        }
    });
    return marked;
}

}  // namespace

void detail::estimate_gas(SceneEstimate& e, const SceneDescription& scene, const CellCosts& /*of liquids*/) {
    const Samples samples = sampled(scene);
    const Smoke smoke = smoke_of(scene, samples);
    const Speeds speeds = speeds_of(scene, samples, smoke);

    // All cells of the box, in whole tiles; or those at most a tile from the smoke.
    e.is_complete = !scene.gas.sparse;
    e.active_cells = e.most_cells = all_tile_cells(scene);
    if (scene.gas.sparse) {
        const double way = speeds.rise * end_time(scene);
        e.most_cells = std::min(e.most_cells, tile_cells(scene, samples, risen(scene, samples, smoke, way), 8));
        e.active_cells = std::min(e.most_cells, tile_cells(scene, samples, smoke.marked, 8));
    }
    e.liquid_cells = e.active_cells;
    e.mean_cells = 0.5 * (e.active_cells + e.most_cells);

    // Steps: as many as a frame must have, or as the CFL number of a gas asks for.
    e.steps_per_frame = scene.time.min_substeps.value_or(1);
    if (scene.gas.cfl) {
        const double needed = speeds.all / (*scene.gas.cfl * e.cell_size * scene.time.fps) + 0.5;
        e.steps_per_frame = std::clamp<double>(needed, e.steps_per_frame, scene.time.max_substeps);
    }

    // Fields of the state, twice, and those that a step takes for itself.
    const double textures = scene.texture.is_there() ? 3.0 * scene.dim : 0.0;
    const double substances = static_cast<double>(scene.substance.size());
    const bool is_viscous = scene.gas.viscosity > 0, has_solids = !scene.solid.empty();
    const bool is_moving = std::any_of(scene.solid.begin(), scene.solid.end(),
                                       [](const scene::Solid& solid) { return solid.motion.is_there(); });
    const bool is_iterative = has_solids || scene.gas.solver == scene::GasSolver::multigrid;
    const double fields = 2 * (scene.dim + 1 + substances + textures) + kWorkPerAxis * scene.dim +
                          kWorkPerSubstance * substances + (is_viscous ? kViscous : 0) +
                          (is_iterative ? kMultigrid : 0);
    e.field_bytes = e.most_cells * 4 * fields;

    const scene::GasAdvection advection = scene.gas.advection.value_or(
        scene.method == scene::Method::gas ? scene::GasAdvection::cubic : scene::GasAdvection::semi_lagrangian);
    const double carried = scene.dim + substances + kTextureSeconds * textures;
    const double cell = carried * (scene.dim == 2 ? kFieldSeconds2 : kFieldSeconds3) *
                            (advection == scene::GasAdvection::semi_lagrangian ? kLinear : 1) +
                        (is_viscous ? kViscousSeconds : 0) + (is_iterative ? kMultigridSeconds : 0) +
                        (is_moving ? kMovingSeconds : 0);
    e.core_seconds = frame_count(scene) * e.steps_per_frame * e.mean_cells * cell;
}

}  // namespace spindrift
