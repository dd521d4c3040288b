// SPDX-License-Identifier: Apache-2.0
#include "products/liquid_outputs.h"

#include <algorithm>

#include "grid/collocate.h"
#include "io/particle_file.h"
#include "io/vdb.h"
#include "products/mixture_look.h"
#include "products/picture.h"
#include "products/surface_mesh.h"
#include "setup/liquid_scene.h"

namespace spindrift {
namespace {

// Those that the scene asks for, and the one that colours its pictures, so that `render` can make these again.
std::vector<std::string> written_fields(const SceneDescription& scene) {
    std::vector<std::string> fields = scene.output.fields;
    const scene::Overlay overlay = scene.dim == 2 ? scene.camera.overlay : scene::Overlay::none;
    const std::string shown = overlay == scene::Overlay::velocity   ? "vel"
                              : overlay == scene::Overlay::pressure ? "pressure"
                                                                    : "";
    const bool is_taken = std::any_of(scene.output.names.begin(), scene.output.names.end(),
                                      [&](const auto& renamed) { return renamed.second == shown; });
    if (!shown.empty() && !is_taken && std::find(fields.begin(), fields.end(), shown) == fields.end())
        fields.push_back(shown);
    return fields;
}

template <int Dim>
Result<void> write_volumes(const std::filesystem::path& file, const SceneDescription& scene, const World<Dim>& world,
                           const LiquidState<Dim>& liquid, const FrameStamp& stamp) {
    std::vector<VdbItem<Dim>> items;
    FaceField<Dim> centred;
    Field<float, Dim> collision;
    for (const std::string& field : written_fields(scene)) {
        const auto renamed = scene.output.names.find(field);
        const std::string name = renamed == scene.output.names.end() ? field : renamed->second;
        if (field == "surface")
            items.emplace_back(name, &liquid.phi, world.grid, VdbClass::level_set, VdbMetadata{{"unit", "m"}});
        if (field == "velocity") {
            centred.component = collocated(liquid.velocity).component;
            items.emplace_back(name, &centred, world.grid, VdbMetadata{{"unit", "m/s"}}).kind = VdbClass::unknown;
        }
        if (field == "vel") items.emplace_back(name, &liquid.velocity, world.grid, VdbMetadata{{"unit", "m/s"}});
        if (field == "pressure")
            items.emplace_back(name, &liquid.pressure, world.grid, VdbClass::unknown, VdbMetadata{{"unit", "m2/s2"}});
        if (field == "collision" && has_solids(world)) {
            collision = solid_field(world, stamp.time, liquid.phi.tiles_ptr(), liquid.phi.background());
            items.emplace_back(name, &collision, world.grid, VdbClass::level_set, VdbMetadata{{"unit", "m"}});
        }
    }
    const std::vector<Field<float, Dim>> parts = shown_parts(liquid);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto renamed = scene.output.names.find(scene.component[i].name);
        items.emplace_back(renamed == scene.output.names.end() ? scene.component[i].name : renamed->second, &parts[i],
                           world.grid, VdbClass::fog_volume, VdbMetadata{{"unit", "1"}});
    }
    return write_vdb<Dim>(file, items,
                          {{"fps", stamp.fps},
                           {"frame", std::int64_t{stamp.frame}},
                           {"time", stamp.time},
                           {"up_axis", up_axis(scene) == 1 ? std::string("y") : std::string("z")},
                           {"version", std::string("spindrift " SPINDRIFT_VERSION)},
                           {"scene_hash", stamp.scene_hash},
                           {"state_hash", stamp.state_hash}});
}

}  // namespace

template <int Dim>
std::vector<FrameOutput> liquid_outputs(const SceneDescription& scene, const World<Dim>& world,
                                        const ShownSolids<Dim>& solids, const LiquidState<Dim>& liquid,
                                        WhitewaterFrames<Dim>& whitewater) {
    std::vector<FrameOutput> list;
    if (scene.output.volumes)
        list.push_back({"frames", "vdb", [&](const std::filesystem::path& file, const FrameStamp& stamp) {
                            return write_volumes(file, scene, world, liquid, stamp);
                        }});
    if constexpr (Dim == 3)
        if (scene.output.mesh)
            list.push_back({"mesh", "ply", [&](const std::filesystem::path& file, const FrameStamp& stamp) {
                                const std::vector<Field<float, 3>> parts = shown_parts(liquid);
                                return write_surface_mesh(file, world, stamp.time, liquid.phi, &liquid.velocity,
                                                          mixture_colors(scene, pointers_to(parts)));
                            }});
    if (scene.output.spray && throws_spray(scene))
        list.push_back({.folder = "particles",
                        .extension = "ply",
                        .write = [&](const std::filesystem::path& file,
                                     const FrameStamp&) { return write_particles<Dim>(file, liquid.spray); },
                        .stage = "spray"});
    if (scene.whitewater.is_there())
        list.push_back({kWhitewaterFolder, "ply", [&](const std::filesystem::path& file, const FrameStamp& stamp) {
                            const VectorField<Dim> centred = collocated(liquid.velocity);
                            return whitewater.write(file, scene, world, liquid.phi, centred, stamp);
                        }});
    if (scene.output.images)
        list.push_back(
            {"images", "png", [&](const std::filesystem::path& file, const FrameStamp& stamp) {
                 const std::vector<Field<float, Dim>> parts = shown_parts(liquid);
                 const PictureFields<Dim> fields{
                     &liquid.phi,   &liquid.velocity,   &liquid.pressure,
                     &liquid.spray, pointers_to(parts), scene.whitewater.is_there() ? &whitewater.shown() : nullptr,
                     solids};
                 return write_picture(file, scene, world, fields, stamp.time);
             }});
    return list;
}

template std::vector<FrameOutput> liquid_outputs(const SceneDescription&, const World<2>&, const ShownSolids<2>&,
                                                 const LiquidState<2>&, WhitewaterFrames<2>&);
template std::vector<FrameOutput> liquid_outputs(const SceneDescription&, const World<3>&, const ShownSolids<3>&,
                                                 const LiquidState<3>&, WhitewaterFrames<3>&);

}  // namespace spindrift
