// SPDX-License-Identifier: Apache-2.0
#include "session/picture.h"

#include <cmath>

#include <fmt/format.h>

#include "io/png.h"
#include "render/flat_picture.h"
#include "render/liquid_picture.h"
#include "session/scene_view.h"

namespace spindrift {
namespace {

template <int Dim>
Box<double, Dim> container_of(const World<Dim>& world) {
    return {world.grid.world_from_cell(Vec<double, Dim>(world.domain.lo)),
            world.grid.world_from_cell(Vec<double, Dim>(world.domain.hi))};
}

// As floats, which files of spray hold; in the container where it repeats itself.
template <int Dim>
std::vector<Drop<Dim>> drops_of(const PictureFields<Dim>& fields, const World<Dim>& world) {
    std::vector<Drop<Dim>> drops;
    if (fields.spray == nullptr) return drops;
    const Box<double, Dim> container = container_of(world);
    for (const SprayDrop<Dim>& from : *fields.spray) {
        Vec<double, Dim> place(Vec<float, Dim>(from.position));
        for (int axis = 0; axis < Dim; ++axis) {
            if (world.period[axis] == 0) continue;
            const double size = container.size()[axis], off = place[axis] - container.lo[axis];
            place[axis] -= size * std::floor(off / size);
        }
        drops.push_back({.position = Vec<float, Dim>(place),
                         .radius = static_cast<float>(from.radius),
                         .speed = length(Vec<float, Dim>(from.velocity))});
    }
    return drops;
}

Image picture(const SceneDescription& scene, const World<2>& world, const PictureFields<2>& fields, double time) {
    FlatView view{.phi = fields.phi,
                  .grid = world.grid,
                  .container = container_of(world),
                  .solid_distance = shown_solids_at(world, time),
                  .drops = drops_of(fields, world),
                  .velocity = fields.velocity,
                  .pressure = fields.pressure,
                  .pressure_unit = static_cast<float>(world.density),
                  .caption = fmt::format("{:.2f} s", time)};
    if (scene.camera.overlay == scene::Overlay::velocity && fields.velocity != nullptr)
        view.overlay = FlatOverlay::velocity;
    if (scene.camera.overlay == scene::Overlay::pressure && fields.pressure != nullptr)
        view.overlay = FlatOverlay::pressure;
    return render_flat(view, scene.camera.resolution[0], scene.camera.resolution[1]);
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
    const LiquidView3 view{.phi = fields.phi,
                           .grid = world.grid,
                           .container = container_of(world),
                           .solid_distance = shown_solids_at(world, time),
                           .drops = drops_of(fields, world),
                           .up_axis = up_axis(scene),
                           .water_color = rgb_of(scene.render.water_color),
                           .floor = scene.render.floor,
                           .floor_color = rgb_of(scene.render.floor_color)};
    const Camera camera = camera_of(scene, view.container, time);
    return render_liquid(view, camera, light_of(scene, camera, time));
}

}  // namespace

template <int Dim>
Result<void> write_picture(const std::filesystem::path& file, const SceneDescription& scene, const World<Dim>& world,
                           const PictureFields<Dim>& fields, double time) {
    PictureFields<Dim> seen = fields;
    Field<float, Dim> cut;
    if (world.hidden_solids) {
        cut = cut_by(*fields.phi, world.hidden_solids, world.grid);
        seen.phi = &cut;
    }
    const Image image = picture(scene, world, seen, time);
    return write_png(file, image.width, image.height, srgb8(image, Dither::on));
}

template Result<void> write_picture(const std::filesystem::path&, const SceneDescription&, const World<2>&,
                                    const PictureFields<2>&, double);
template Result<void> write_picture(const std::filesystem::path&, const SceneDescription&, const World<3>&,
                                    const PictureFields<3>&, double);

}  // namespace spindrift
