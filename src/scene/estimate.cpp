// SPDX-License-Identifier: Apache-2.0
#include "scene/estimate.h"

#include <algorithm>
#include <cmath>

#include "liquid/step_limit.h"
#include "scene/seen.h"
#include "scene/shape_extent.h"

namespace spindrift {
namespace {

// Places asked along the longest side: 1/64 of it is the error of a surface's position, good for an estimate.
constexpr int kSamples = 64;

// Tiles reach this many cells beyond the liquid, besides the cells that it may cross in a step: the stencils, and on
// average half a tile.
constexpr double kReach = 8;

// Liquid that falls by a share of the box's height wets this many times that share more cells.
constexpr double kSpread = 4;
constexpr double kMostSpread = 2;

// The fastest liquid of a splash against a free fall from its top to where it comes to rest: jets are faster.
constexpr double kJet = 1.5;

// Pictures: of one core, on disk as PNG and as part of a film, and in memory while they are made.
constexpr double kPixelSeconds2 = 0.2e-6, kPixelSeconds3 = 1.2e-6;
constexpr double kPixelBytes2 = 0.15, kPixelBytes3 = 0.85, kFilmBytes = 0.04;
constexpr double kPixelMemory = 18;

// The box in samples, and what is in each.
struct Samples {
    Index<3> counts{};
    Vec<double, 3> spacing{};  // m
    std::vector<char> wet{};
    std::vector<char> solid{};
    bool is_complete = true;

    Index<3> stride() const { return {counts[1] * counts[2], counts[2], 1}; }
    double share(const std::vector<char>& marked) const {
        return static_cast<double>(std::count(marked.begin(), marked.end(), 1)) / static_cast<double>(marked.size());
    }
};

// Entries apply in order.
template <class Entry>
bool holds(const std::vector<Entry>& entries, const Vec<double, 3>& place, const SceneDescription& scene,
           bool& is_complete) {
    bool inside = false;
    for (const Entry& entry : entries) {
        const std::optional<bool> hit = contains(entry.shape, place, scene.dim, up_axis(scene));
        is_complete &= hit.has_value();
        if (hit.value_or(false)) inside = entry.op == scene::ShapeOp::add;
    }
    return inside;
}

Samples sampled(const SceneDescription& scene) {
    Samples out;
    const Vec<double, 3> size = scene.domain.size;
    const double h = std::max({size[0], size[1], size[2]}) / kSamples;
    out.counts = map([h](double side) { return std::max(1, static_cast<int>(std::lround(side / h))); }, size);
    for (int axis = 0; axis < 3; ++axis) out.spacing[axis] = size[axis] / out.counts[axis];
    bool solids_complete = true;  // a solid mesh only displaces liquid
    for_each_index<3>({{}, out.counts}, [&](const Index<3>& i) {
        Vec<double, 3> place = scene.domain.origin;
        for (int axis = 0; axis < scene.dim; ++axis) place[axis] += (i[axis] + 0.5) * out.spacing[axis];
        const bool solid = holds(scene.solid, place, scene, solids_complete);
        out.solid.push_back(solid ? 1 : 0);
        out.wet.push_back(holds(scene.liquid, place, scene, out.is_complete) && !solid ? 1 : 0);
    });
    return out;
}

// All samples within `reach` (samples along each axis) of a wet one.
std::vector<char> widened(const Samples& samples, const Vec<int, 3>& reach) {
    std::vector<char> now = samples.wet;
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<char> next = now;
        const auto stride = static_cast<std::ptrdiff_t>(samples.stride()[axis]);
        std::ptrdiff_t slot = 0;
        for_each_index<3>({{}, samples.counts}, [&](const Index<3>& i) {
            const int lo = std::max(0, i[axis] - reach[axis]);
            const int hi = std::min(samples.counts[axis] - 1, i[axis] + reach[axis]);
            if (now[static_cast<std::size_t>(slot)] != 0)
                for (int k = lo; k <= hi; ++k) next[static_cast<std::size_t>(slot + (k - i[axis]) * stride)] = 1;
            ++slot;
        });
        now = std::move(next);
    }
    return now;
}

// Area of the liquid's surface in the air, m² (m in 2D), by the faces between samples.
double surface_area(const Samples& samples, int dim) {
    double area = 0;
    for (int axis = 0; axis < dim; ++axis) {
        double face = 1;
        for (int a = 0; a < dim; ++a)
            if (a != axis) face *= samples.spacing[a];
        const auto stride = static_cast<std::size_t>(samples.stride()[axis]);
        std::size_t slot = 0;
        for_each_index<3>({{}, samples.counts}, [&](const Index<3>& i) {
            const std::size_t here = slot++, next = here + stride;
            if (i[axis] + 1 == samples.counts[axis]) return;
            const bool in_air = samples.solid[here] == 0 && samples.solid[next] == 0;
            if (in_air && samples.wet[here] != samples.wet[next]) area += face;
        });
    }
    return area;
}

// In a band on each side of the surface [EMF02 §3.2].
double particle_count(const SceneDescription& scene, const SceneEstimate& e, const Samples& samples) {
    constexpr double kBand = 3;  // cells
    if (scene.method != scene::Method::particle_level_set_2002 || scene.particles.sides == scene::ParticleSides::none)
        return 0;
    const double sides = scene.particles.sides == scene::ParticleSides::both ? 2 : 1;
    const double cells = surface_area(samples, scene.dim) / std::pow(e.cell_size, scene.dim - 1) * kBand * sides;
    return std::min(cells, e.active_cells) * scene.particles.per_cell;
}

// What gravity has to gain: the liquid as it is, against the same liquid come to rest.
struct Fall {
    double mean = 0;      // m, of the centre of mass
    double from_top = 0;  // m, of the highest liquid
};

Fall fall_of(const Samples& samples, int up) {
    std::vector<double> wet(static_cast<std::size_t>(samples.counts[up])), room = wet;
    std::size_t slot = 0;
    for_each_index<3>({{}, samples.counts}, [&](const Index<3>& i) {
        const auto layer = static_cast<std::size_t>(i[up]);
        wet[layer] += samples.wet[slot];
        room[layer] += 1 - samples.solid[slot];
        ++slot;
    });
    double all = 0, now = 0, top = 0;
    for (std::size_t k = 0; k < wet.size(); ++k) {
        all += wet[k];
        now += wet[k] * (static_cast<double>(k) + 0.5);
        if (wet[k] > 0) top = static_cast<double>(k) + 1;
    }
    if (!(all > 0)) return {};
    double left = all, rest = 0, level = 0;
    for (std::size_t k = 0; k < wet.size() && left > 0; ++k) {
        const double filled = std::min(left, room[k]);
        rest += filled * (static_cast<double>(k) + 0.5);
        if (room[k] > 0) level = static_cast<double>(k) + filled / room[k];
        left -= filled;
    }
    const double h = samples.spacing[up];
    return {.mean = std::max(0.0, now - rest) / all * h, .from_top = std::max(0.0, top - level - 1) * h};
}

// The velocity that the scene gives to anything, m/s.
double given_speed(const SceneDescription& scene) {
    const Vec<double, 3> middle = scene.domain.origin + scene.domain.size * 0.5;
    double most = 0;
    for (const scene::Liquid& entry : scene.liquid) most = std::max(most, length(entry.velocity.at(middle, 0)));
    for (const scene::Source& entry : scene.source)
        most = std::max(most, length(entry.velocity.at(middle, entry.start)));
    if (scene.flow.velocity) most = std::max(most, length(scene.flow.velocity->at(middle, 0)));
    for (const scene::Side& side : scene.domain.sides.sides) most = std::max(most, length(side.velocity.at(middle, 0)));
    return std::isfinite(most) ? most : 0;
}

// Liquid that flows in falls as well, all the way.
double speed_of(const SceneDescription& scene, const Fall& fall) {
    const bool is_poured = !scene.source.empty();
    const double height = is_poured ? scene.domain.size[up_axis(scene)] : fall.from_top;
    const double drop = kJet * kJet * 2 * length(gravity_at(scene, 0)) * height;
    return std::sqrt(std::pow(given_speed(scene), 2) + (std::isfinite(drop) ? drop : 0));
}

double disk_bytes(const SceneDescription& scene, const SceneEstimate& e, const CellCosts& costs) {
    const scene::Output& out = scene.output;
    const double pixels = product(Vec<double, 2>(picture_size(scene)));
    double frame = 0;
    if (out.volumes) frame += e.active_cells * costs.volume_bytes * static_cast<double>(out.fields.size()) / 2;
    if (out.mesh && scene.dim == 3) frame += e.active_cells * costs.mesh_bytes;
    if (out.images) frame += pixels * (scene.dim == 2 ? kPixelBytes2 : kPixelBytes3);
    if (out.images && out.film) frame += pixels * kFilmBytes;
    double all = frame_count(scene) * frame;
    if (out.checkpoint_every > 0) {
        const int written = frame_count(scene) / out.checkpoint_every + 1;
        const int kept = out.keep_checkpoints > 0 ? std::min(written, out.keep_checkpoints) : written;
        all += kept * e.active_cells * costs.checkpoint_bytes;
    }
    return all;
}

double core_seconds(const SceneDescription& scene, const SceneEstimate& e, const CellCosts& costs) {
    const double cells = 0.5 * (e.active_cells + e.most_cells);
    double frame = e.steps_per_frame * cells * (scene.dim == 2 ? costs.step_seconds_2d : costs.step_seconds_3d);
    if (scene.output.volumes || (scene.output.mesh && scene.dim == 3)) frame += cells * costs.file_seconds;
    if (scene.output.images)
        frame += product(Vec<double, 2>(picture_size(scene))) * (scene.dim == 2 ? kPixelSeconds2 : kPixelSeconds3);
    return costs.program_seconds + frame_count(scene) * frame;
}

// All cells of the box; with tiles that follow the smoke it is less.  Bytes per cell: velocity and its successor, a
// guess at the pressure and what a solve takes, and each substance with its successor.
SceneEstimate gas_estimate(const SceneDescription& scene, const CellCosts& costs, SceneEstimate e) {
    // Seconds of one core per cell and step, measured on smoke-plume at 64³ and ink-in-2d at 256².
    constexpr double kStepSeconds = 0.4e-6;
    e.is_complete = !scene.gas.follow;
    e.liquid_cells = e.active_cells = e.most_cells = e.box_cells;
    e.steps_per_frame = scene.time.min_substeps.value_or(1);
    const double textures = scene.texture.is_there() ? 3.0 * scene.dim : 0.0;
    const double substances = static_cast<double>(scene.substance.size()) + textures;
    e.memory_bytes = costs.program_bytes + e.box_cells * 4 * (2.0 * scene.dim + 6 + 2 * substances);
    e.disk_bytes = disk_bytes(scene, e, costs);
    CellCosts gas = costs;
    gas.step_seconds_2d = gas.step_seconds_3d = kStepSeconds;
    e.core_seconds = core_seconds(scene, e, gas);
    return e;
}

}  // namespace

SceneEstimate estimate(const SceneDescription& scene, const CellCosts& costs) {
    SceneEstimate e;
    e.cell_size = cell_size(scene);
    e.cells = cell_counts(scene);
    e.box_cells = product(Vec<double, 3>(e.cells));
    if (scene::is_gas(scene.method)) return gas_estimate(scene, costs, e);
    const Samples samples = sampled(scene);
    e.is_complete = samples.is_complete && scene.source.empty();
    for (const scene::Side& side : scene.domain.sides.sides) e.is_complete &= side.kind != scene::SideKind::inflow;

    // Cells.
    Vec<int, 3> reach{};
    for (int axis = 0; axis < scene.dim; ++axis)
        reach[axis] = static_cast<int>(std::lround((scene.time.cfl + kReach) * e.cell_size / samples.spacing[axis]));
    const Fall fall = fall_of(samples, up_axis(scene));
    e.liquid_cells = samples.share(samples.wet) * e.box_cells;
    e.active_cells = samples.share(widened(samples, reach)) * e.box_cells;
    const double spread = 1 + kSpread * fall.mean / scene.domain.size[up_axis(scene)];
    e.most_cells = std::min(e.box_cells, e.active_cells * std::min(kMostSpread, spread));

    // Steps: the speed grows and fades, so that only part of the frames need as many as the fastest.
    const double longest = scene.time.cfl * e.cell_size * scene.time.fps;
    e.steps_per_frame = std::max<double>(scene.time.min_substeps.value_or(1), 0.5 + speed_of(scene, fall) / longest);
    if (!scene.flow.velocity) {
        const double capillary = capillary_dt(scene.fluid.density, scene.fluid.surface_tension, e.cell_size);
        e.steps_per_frame = std::max(e.steps_per_frame, 1 / (scene.time.fps * capillary));
    }
    e.steps_per_frame = std::min<double>(scene.time.max_substeps, e.steps_per_frame);

    e.particles = particle_count(scene, e, samples);
    e.memory_bytes = costs.program_bytes + e.most_cells * costs.memory_bytes + e.particles * costs.particle_bytes;
    if (scene.output.images) e.memory_bytes += kPixelMemory * product(Vec<double, 2>(picture_size(scene)));
    e.disk_bytes = disk_bytes(scene, e, costs);
    e.core_seconds = core_seconds(scene, e, costs);
    return e;
}

}  // namespace spindrift
