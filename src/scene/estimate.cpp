// SPDX-License-Identifier: Apache-2.0
#include "scene/estimate.h"

#include <algorithm>
#include <cmath>

#include "scene/shape_extent.h"

namespace spindrift {
namespace {

// Places asked along the longest side: 1/64 of it is the error of a surface's position, good for an estimate.
constexpr int kSamples = 64;

// The liquid's tiles reach a band of about this many cells beyond its surface.
constexpr double kBand = 8;

struct Filled {
    double share = 0;    // of the box
    double surface = 0;  // m² (m in 2D)
    bool is_complete = true;
};

// Entries apply in order; solids displace what is there.
bool is_liquid(const SceneDescription& scene, const Vec<double, 3>& place, bool& is_complete) {
    bool inside = false;
    for (const scene::Liquid& entry : scene.liquid) {
        const std::optional<bool> hit = contains(entry.shape, place, scene.dim);
        is_complete &= hit.has_value();
        if (hit.value_or(false)) inside = entry.op == scene::ShapeOp::add;
    }
    bool solid = false;
    for (const scene::Solid& entry : scene.solid)
        if (contains(entry.shape, place, scene.dim).value_or(false)) solid = entry.op == scene::ShapeOp::add;
    return inside && !solid;
}

Filled filled(const SceneDescription& scene) {
    Filled out;
    const Vec<double, 3> size = scene.domain.size;
    const double h = std::max({size[0], size[1], size[2]}) / kSamples;
    const Index<3> counts =
        map([h](double side) { return std::max(1, static_cast<int>(std::lround(side / h))); }, size);
    std::vector<char> wet(static_cast<std::size_t>(product(counts)));
    std::size_t slot = 0;
    double sum = 0;
    const Index<3> stride{counts[1] * counts[2], counts[2], 1};
    double faces = 0;
    for_each_index<3>({{}, counts}, [&](const Index<3>& i) {
        Vec<double, 3> place = scene.domain.origin;
        for (int axis = 0; axis < scene.dim; ++axis) place[axis] += (i[axis] + 0.5) / counts[axis] * size[axis];
        wet[slot] = is_liquid(scene, place, out.is_complete) ? 1 : 0;
        sum += wet[slot];
        for (int axis = 0; axis < scene.dim; ++axis)
            if (i[axis] > 0 && wet[slot] != wet[slot - static_cast<std::size_t>(stride[axis])]) ++faces;
        ++slot;
    });
    out.share = sum / static_cast<double>(wet.size());
    out.surface = faces * std::pow(h, scene.dim - 1);
    return out;
}

}  // namespace

SceneEstimate estimate(const SceneDescription& scene, const CellCosts& costs) {
    SceneEstimate e;
    e.cell_size = cell_size(scene);
    e.cells = cell_counts(scene);
    e.box_cells = product(Vec<double, 3>(e.cells));
    const Filled liquid = filled(scene);
    e.is_complete = liquid.is_complete && scene.source.empty();
    for (const scene::Side& side : scene.domain.sides.sides) e.is_complete &= side.kind != scene::SideKind::inflow;

    e.liquid_cells = liquid.share * e.box_cells;
    const double surface_cells = liquid.surface / std::pow(e.cell_size, scene.dim - 1);
    e.active_cells = std::min(e.box_cells, e.liquid_cells + kBand * surface_cells);
    e.memory_bytes = e.active_cells * costs.memory_bytes;
    e.disk_bytes = frame_count(scene) * e.active_cells *
                   ((scene.output.volumes ? costs.volume_bytes : 0) + (scene.output.mesh ? costs.mesh_bytes : 0));
    if (scene.output.checkpoint_every > 0) {
        const int written = frame_count(scene) / scene.output.checkpoint_every;
        const int kept = scene.output.keep_checkpoints > 0 ? std::min(written, scene.output.keep_checkpoints) : written;
        e.disk_bytes += kept * e.active_cells * costs.checkpoint_bytes;
    }
    return e;
}

}  // namespace spindrift
