// SPDX-License-Identifier: Apache-2.0
#include "scene/estimate.h"

#include <algorithm>

#include "scene/framing.h"
#include "scene/methods.h"

namespace spindrift {
namespace {

// Pictures: of one core, on disk as PNG and as part of a film, and in memory while they are made.
constexpr double kPixelSeconds2 = 0.2e-6, kSmokeSeconds3 = 1.5e-6, kPixelSeconds3 = 1.4e-6;
// Besides, in 3D, where liquid is seen: rays are refracted and reflected at each surface.  Glass alone has but two.
constexpr double kLiquidSeconds3 = 4e-6, kGlassSeconds3 = 0.3e-6;
// Besides, where all of it splashes: rays pass many surfaces and drops.
constexpr double kSplashSeconds = 10e-6;
// Besides, where a texture is advected.  In 2D a pixel shows its mean over all that the flow has drawn into it: most
// pixels take five places, each place two or three layers of the texture, and each layer some ten samples along it.
constexpr double kTextureSeconds2 = 5e-6, kTextureSeconds3 = 5e-6;
constexpr double kPixelBytes2 = 0.15, kPixelBytes3 = 0.85, kFilmBytes = 0.04;
constexpr double kPixelMemory = 18;

// Bytes of a value of a volume while it is written: OpenVDB has leaves of 8³ values, of which a 2D field fills a slice.
constexpr double kValueMemory2 = 32, kValueMemory3 = 4;

// Of a particle of whitewater: ten doubles and an id, twice while they are moved; ten floats and an id in a file.  A
// part of the budget is there on average.
constexpr double kWhitewaterMemory = 200, kWhitewaterFileBytes = 44, kWhitewaterShare = 0.25;

// Frame 0 shows the start.
int shown_frames(const SceneDescription& scene) { return frame_count(scene) + 1; }

double pixels(const SceneDescription& scene) { return product(Vec<double, 2>(picture_size(scene))); }

// Values per cell that volumes hold: those of output.fields, and of a gas its substances and the ways of its texture.
double volume_values(const SceneDescription& scene) {
    const bool is_gas = scene::uses(scene.method, "gas");
    double values = 0;
    for (const std::string& field : scene.output.fields) {
        if (is_gas && (field == "surface" || field == "collision")) continue;  // which a gas does not have
        values += field == "velocity" || field == "vel" ? 3 : 1;
    }
    if (is_gas) values += static_cast<double>(scene.substance.size()) + (scene.texture.is_there() ? 9.0 : 0.0);
    return values;
}

double disk_bytes(const SceneDescription& scene, const SceneEstimate& e, const CellCosts& costs) {
    const scene::Output& out = scene.output;
    double frame = 0;
    if (out.volumes) frame += e.mean_cells * costs.volume_bytes * static_cast<double>(out.fields.size()) / 2;
    if (out.mesh && scene.dim == 3) frame += e.mean_cells * costs.mesh_bytes;
    if (out.images) frame += pixels(scene) * (scene.dim == 2 ? kPixelBytes2 : kPixelBytes3);
    if (out.images && out.film) frame += pixels(scene) * kFilmBytes;
    if (scene.whitewater.is_there()) frame += kWhitewaterShare * scene.whitewater.most * kWhitewaterFileBytes;
    double all = shown_frames(scene) * frame;
    if (out.checkpoint_every > 0) {
        const int written = frame_count(scene) / out.checkpoint_every + 1;
        const int kept = out.keep_checkpoints > 0 ? std::min(written, out.keep_checkpoints) : written;
        all += kept * e.mean_cells * costs.checkpoint_bytes;
    }
    return all;
}

double file_seconds(const SceneDescription& scene, const SceneEstimate& e, const CellCosts& costs) {
    const bool has_files = scene.output.volumes || (scene.output.mesh && scene.dim == 3);
    return has_files ? shown_frames(scene) * e.mean_cells * costs.file_seconds : 0;
}

double picture_seconds(const SceneDescription& scene, const SceneEstimate& e) {
    if (!scene.output.images) return 0;
    double pixel = scene.dim == 2 ? kPixelSeconds2
                   : !scene::has_surface(scene.method)
                       ? kSmokeSeconds3
                       : kPixelSeconds3 + kGlassSeconds3 * e.shown.glass +
                             (kLiquidSeconds3 + kSplashSeconds * e.splash) * e.shown.liquid;
    if (scene.texture.is_there()) pixel += scene.dim == 2 ? kTextureSeconds2 : kTextureSeconds3;
    return shown_frames(scene) * pixels(scene) * pixel;
}

}  // namespace

SceneEstimate estimate(const SceneDescription& scene, const CellCosts& costs) {
    SceneEstimate e;
    e.cell_size = cell_size(scene);
    e.cells = cell_counts(scene);
    e.box_cells = product(Vec<double, 3>(e.cells));
    scene::row(scene.method).estimate(e, scene, costs);
    e.memory_bytes = costs.program_bytes + e.field_bytes;
    if (scene.output.images) e.memory_bytes += kPixelMemory * pixels(scene);
    if (scene.output.volumes)
        e.memory_bytes += e.most_cells * volume_values(scene) * (scene.dim == 2 ? kValueMemory2 : kValueMemory3);
    if (scene.whitewater.is_there()) e.memory_bytes += scene.whitewater.most * kWhitewaterMemory;
    e.disk_bytes = disk_bytes(scene, e, costs);
    e.picture_seconds = picture_seconds(scene, e);
    e.core_seconds += costs.program_seconds + file_seconds(scene, e, costs) + e.picture_seconds;
    return e;
}

}  // namespace spindrift
