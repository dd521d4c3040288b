// SPDX-License-Identifier: Apache-2.0
#include "products/picture.h"

#include <fmt/format.h>

#include "io/png.h"
#include "products/drawn_controls.h"
#include "products/mixture_look.h"
#include "products/scene_view.h"
#include "products/shown_drops.h"
#include "products/shown_whitewater.h"
#include "render/flat_layout.h"
#include "render/flat_picture.h"
#include "render/liquid_picture.h"
#include "scene/framing.h"

namespace spindrift {
namespace {

template <int Dim>
Box<double, Dim> container_of(const World<Dim>& world) {
    return {world.grid.world_from_cell(Vec<double, Dim>(world.domain.lo)),
            world.grid.world_from_cell(Vec<double, Dim>(world.domain.hi))};
}

template <int Dim>
std::vector<Drop<Dim>> drops_of(const PictureFields<Dim>& fields, const World<Dim>& world) {
    std::vector<Drop<Dim>> drops;
    if (fields.spray != nullptr) drops = shown_drops(*fields.spray, container_of(world), world.period);
    if (fields.whitewater != nullptr) add_shown_whitewater(drops, *fields.whitewater);
    return drops;
}

Image picture(const SceneDescription& scene, const World<2>& world, const PictureFields<2>& fields, double time) {
    FlatView view{.phi = fields.phi,
                  .grid = world.grid,
                  .container = container_of(world),
                  .shown = shown_part(scene),
                  .solid_distance = fields.solids.drawn_at(time),
                  .drops = drops_of(fields, world),
                  .velocity = fields.velocity,
                  .pressure = fields.pressure,
                  .pressure_unit = static_cast<float>(world.density),
                  .caption = fmt::format("{:.2f} s", time)};
    if (scene.camera.overlay == scene::Overlay::velocity) view.overlay = FlatOverlay::velocity;
    if (scene.camera.overlay == scene::Overlay::pressure) view.overlay = FlatOverlay::pressure;
    if (view.overlay != FlatOverlay::none) view.range = Vec<float, 2>(overlay_range(scene));
    if (const MixtureColors<2> mixture = mixture_colors<2>(scene, fields.components); mixture.is_there()) {
        view.liquid_color = mixture.colors[0];
        for (std::size_t i = 0; i < mixture.parts.size(); ++i)
            view.components.push_back({mixture.parts[i], mixture.colors[i + 1]});
    }
    const Vec<int, 2> size = picture_size(scene);
    Image image = render_flat(view, size[0], size[1]);
    if (!scene.camera.show_controls) return image;
    const FlatLayout layout(view.shown.empty() ? view.container : view.shown, true, view.overlay != FlatOverlay::none,
                            size[0], size[1]);
    draw_controls(image, scene, time, [&](const Vec<double, 3>& place) {
        return std::optional(Place(layout.pixel({place[0], place[1]})));
    });
    return image;
}

// The liquid as solids that are not shown leave it: it goes on inside them, where nobody looks.
template <int Dim>
Field<float, Dim> cut_by(const Field<float, Dim>& phi, const std::function<double(const Vec<double, Dim>&)>& solid,
                         const GridTransform<Dim>& grid) {
    Field<float, Dim> cut = phi;
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const Index<Dim> origin = phi.tiles().origin(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const double inside = -solid(grid.world_of_centre(origin + cell_in_tile<Dim>(n)));
            cut.tile(slot)[n] = std::max(phi.tile(slot)[n], std::min(static_cast<float>(inside), phi.background()));
        }
    });
    return cut;
}

Image picture(const SceneDescription& scene, const World<3>& world, const PictureFields<3>& fields, double time) {
    LiquidView3 view{.phi = fields.phi,
                     .grid = world.grid,
                     .container = container_of(world),
                     .solid_distance = fields.solids.drawn_at(time),
                     .solid_normal = fields.solids.mesh_normal_at(time),
                     .glass_distance = fields.solids.standing_glass(),
                     .drops = drops_of(fields, world),
                     .shutter = static_cast<float>(scene.render.shutter / scene.time.fps),
                     .up_axis = up_axis(scene),
                     .look = look_of(scene),
                     .floor = scene.render.floor,
                     .sea_level = scene.render.floor == FloorKind::sea ? sea_level(scene) : 0,
                     .floor_color = rgb_of(scene.render.floor_color),
                     .draw_container = scene.render.outline};
    for (std::size_t i = 0; i < fields.components.size(); ++i)
        view.components.push_back({look_of_component(scene, i), fields.components[i]});
    const Camera camera = camera_of(scene, time);
    Image image = render_liquid(view, camera, light_of(scene, camera, time));
    if (!scene.camera.show_controls) return image;
    const CameraRays rays(camera);
    draw_controls(image, scene, time, [&](const Vec<double, 3>& place) -> std::optional<Place> {
        const Vec<double, 3> at = rays.picture_from_world(place);
        if (!(at[2] > 0)) return std::nullopt;
        return Place(static_cast<float>(at[0]), static_cast<float>(at[1]));
    });
    return image;
}

}  // namespace

template <int Dim>
Result<void> write_picture(const std::filesystem::path& file, const SceneDescription& scene, const World<Dim>& world,
                           const PictureFields<Dim>& fields, double time) {
    const bool no_velocity = scene.camera.overlay == scene::Overlay::velocity && fields.velocity == nullptr;
    const bool no_pressure = scene.camera.overlay == scene::Overlay::pressure && fields.pressure == nullptr;
    if (Dim == 2 && (no_velocity || no_pressure))
        return Error{.what = fmt::format("camera.overlay is \"{}\", which the volumes of this run do not hold",
                                         no_velocity ? "velocity" : "pressure"),
                     .remedy = fmt::format("run the scene again with \"{}\" among output.fields",
                                           no_velocity ? "vel" : "pressure")};
    PictureFields<Dim> shown = fields;
    Field<float, Dim> cut;
    if (const auto hidden = fields.solids.standing_hidden()) {
        cut = cut_by(*fields.phi, hidden, world.grid);
        shown.phi = &cut;
    }
    const Image image = picture(scene, world, shown, time);
    return write_png(file, image.width, image.height, srgb8(image, Dither::on));
}

template Result<void> write_picture(const std::filesystem::path&, const SceneDescription&, const World<2>&,
                                    const PictureFields<2>&, double);
template Result<void> write_picture(const std::filesystem::path&, const SceneDescription&, const World<3>&,
                                    const PictureFields<3>&, double);

}  // namespace spindrift
