// SPDX-License-Identifier: Apache-2.0
#include "products/gas_picture.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "gas/texture.h"
#include "grid/sampler.h"
#include "io/png.h"
#include "products/scene_view.h"
#include "render/advected_texture.h"
#include "render/pixel_samples.h"
#include "render/smoke_picture.h"
#include "scene/framing.h"

namespace spindrift {
namespace {

const Rgb kBeside{0.02F, 0.02F, 0.025F};
const Rgb kPaper{0.93F, 0.93F, 0.90F};
const Rgb kSolid = rgb_from_srgb8(125, 125, 130);
const Rgb kSmoke{0.9F, 0.9F, 0.9F};
constexpr double kSmokeInBox = 30;  // opacity of a unit of smoke times the width of the box

Rgb dye_color(const scene::GasSubstance& substance, std::size_t number) {
    if (substance.color) return Rgb(substance.color->rgb);
    static const std::array<Rgb, 6> kDyes{rgb_from_srgb8(20, 60, 140),  rgb_from_srgb8(190, 50, 30),
                                          rgb_from_srgb8(230, 170, 30), rgb_from_srgb8(40, 130, 70),
                                          rgb_from_srgb8(120, 50, 140), rgb_from_srgb8(40, 40, 45)};
    return kDyes[number % kDyes.size()];
}

// Where in the world a place in the picture lies: what is shown fills the picture.
struct Frame {
    double left, bottom, pixel;

    Frame(const Box<double, 2>& shown, int width, int height) {
        const Vec<double, 2> size = shown.size();
        pixel = std::max(size[0] / width, size[1] / height);
        left = shown.lo[0] + 0.5 * (size[0] - pixel * width);
        bottom = shown.lo[1] + 0.5 * (size[1] - pixel * height);
    }
    double x(double column) const { return left + column * pixel; }
    double y(double row, int height) const { return bottom + (height - row) * pixel; }
};

// As dark, of the opposite hue: less of a substance than the air around holds must not look like more.
Rgb opposite(const Rgb& dye) {
    const float most = std::max({dye[0], dye[1], dye[2]}), least = std::min({dye[0], dye[1], dye[2]});
    if (most - least < 0.05F) return {0.55F, 0.08F, 0.04F};  // grey has no hue
    return Rgb(most + least) - dye;
}

// The texture at x, which lies at `at` in cells; its mean over a pixel, as a flow may draw it out to lines much finer
// than that.
Rgb texture_color(const AdvectedTexture<2>& texture, const GridTransform<2>& grid, const Vec<double, 2>& x,
                  const Vec<float, 2>& at, double pixel) {
    // All that is read lies within a cell of the place: samplers that stay need not look for its tile again.
    std::vector<LinearSampler<2>> samplers;
    samplers.reserve(texture.displacements.size());
    for (const Field<float, 2>* field : texture.displacements) samplers.emplace_back(*field);
    const auto displacement = [&](int set, const Vec<float, 2>& cell) {
        Vec<float, 2> moved;
        for (int a = 0; a < 2; ++a) moved[a] = samplers[texture_field<2>(set, a)](cell);
        return moved;
    };
    // How the displacements differ from one side to the other of a square around the place.
    const auto drawn_over = [&](int set, double width, int axis) {
        Vec<float, 2> step;
        step[axis] = static_cast<float>(0.5 * width / grid.dx);
        return displacement(set, at + step) - displacement(set, at - step);
    };
    const auto look = [&](const Vec<float, 3>& from, int set) {
        std::array<Vec<float, 3>, 2> sides;
        for (int a = 0; a < 2; ++a) {
            // Where a cell spans more of the pattern than its smallest parts, nothing finer than the cell is known.
            const Vec<float, 2> fine = drawn_over(set, pixel, a), coarse = drawn_over(set, grid.dx, a);
            const float spans = length(coarse) / static_cast<float>(texture.pattern->detail());
            const float t = std::clamp(spans - 1, 0.0F, 1.0F);
            const Vec<float, 2> drawn = fine + (coarse - fine) * t;
            const auto own = static_cast<float>(pixel + (grid.dx - pixel) * double{t});
            sides[static_cast<std::size_t>(a)] = {drawn[0] + (a == 0 ? own : 0), drawn[1] + (a == 1 ? own : 0), 0};
        }
        return texture.pattern->color(from, sides[0], sides[1]);
    };
    const Vec<float, 2> place(x - grid.origin);
    return texture.blend<Rgb>(
        {place[0], place[1], 0}, [&](int set, int axis) { return samplers[texture_field<2>(set, axis)](at); }, look);
}

// Dye stops light of the colours that are not its own, as ink on paper.
Image picture(const SceneDescription& scene, const GasWorld<2>& world, const GasPictureFields<2>& fields,
              const AdvectedTexture<2>& texture, double time) {
    const Vec<int, 2> size = picture_size(scene);
    const int width = size[0], height = size[1];
    const Frame frame(shown_part(scene), width, height);
    const Domain<2>& e = world.domain;
    return sampled_image(width, height, [&](double column, double row) {
        const Vec<double, 2> x{frame.x(column), frame.y(row, height)};
        const Vec<double, 2> cell = e.grid.cell_from_world(x);
        Vec<float, 2> at;
        for (int a = 0; a < 2; ++a) {
            const double n = e.box.hi[a];
            if (!(cell[a] >= 0 && cell[a] <= n)) return kBeside;
            at[a] = static_cast<float>(e.is_periodic(a) ? cell[a] : std::clamp(cell[a], 0.5, n - 0.5));
        }
        if (world.solids.any() && world.solids.distance(x, time) < 0)
            return world.solids.shown && world.solids.shown(x, time) < 0 ? kSolid : kPaper;
        Rgb color = kPaper;
        if (texture.is_there()) {
            color = mixed(color, texture_color(texture, e.grid, x, at, frame.pixel), texture.amount);
        }
        for (std::size_t s = 0; s < fields.substances.size(); ++s) {
            const auto ambient = static_cast<float>(scene.substance[s].ambient);
            const float above = LinearSampler<2>(*fields.substances[s])(at) - ambient;
            const Rgb dye = dye_color(scene.substance[s], s);
            color = mixed(color, filtered(color, above >= 0 ? dye : opposite(dye)), std::min(std::abs(above), 1.0F));
        }
        return color;
    });
}

std::array<bool, 6> open_sides(const Domain<3>& domain) {
    std::array<bool, 6> open{};
    for (int axis = 0; axis < 3; ++axis)
        for (const bool above : {false, true})
            open[static_cast<std::size_t>(2 * axis + (above ? 1 : 0))] =
                domain.side(axis, above).kind == SideKind::open;
    return open;
}

// What light meets: all substances but the heat, which shines.
Image picture(const SceneDescription& scene, const GasWorld<3>& world, const GasPictureFields<3>& fields,
              const AdvectedTexture<3>& texture, double time) {
    const auto& substances = fields.substances;
    const Domain<3>& e = world.domain;
    SmokeView3 view{.texture = texture,
                    .grid = e.grid,
                    .container = {e.grid.world_from_cell(Vec<double, 3>(e.box.lo)),
                                  e.grid.world_from_cell(Vec<double, 3>(e.box.hi))},
                    .open_sides = open_sides(e),
                    .anisotropy = static_cast<float>(scene.render.anisotropy),
                    .frame = static_cast<int>(std::lround(time * scene.time.fps)),
                    .up_axis = up_axis(scene),
                    .floor = scene.render.floor,
                    .sea_level = scene.render.floor == FloorKind::sea ? sea_level(scene) : 0,
                    .floor_color = rgb_of(scene.render.floor_color)};
    for (std::size_t s = 0; s < substances.size(); ++s) {
        const scene::GasSubstance& substance = scene.substance[s];
        const bool is_heat = substance.name == "temperature";
        const auto ambient = static_cast<float>(substance.ambient);
        if (is_heat)
            view.glow = {.field = substances[s],
                         .ambient = ambient,
                         .kelvin = static_cast<float>(scene.render.glow_kelvin),
                         .strength = static_cast<float>(scene.render.glow)};
        const double opacity = substance.opacity.value_or(is_heat ? 0 : kSmokeInBox / scene.domain.size[0]);
        if (opacity > 0)
            view.layers.push_back({.field = substances[s],
                                   .ambient = ambient,
                                   .opacity = static_cast<float>(opacity),
                                   .color = substance.color ? rgb_of(*substance.color) : kSmoke});
    }
    if (world.solids.shown) view.solid_distance = [&](const Vec<double, 3>& x) { return world.solids.shown(x, time); };
    const Camera camera = camera_of(scene, time);
    return render_smoke(view, camera, light_of(scene, camera, time));
}

template <int Dim>
AdvectedTexture<Dim> advected_texture(const SceneDescription& scene, const GasPictureFields<Dim>& fields, double time) {
    AdvectedTexture<Dim> texture{.pattern = fields.pattern, .displacements = fields.texture};
    for (const double weight : texture_weights(time, scene.texture.period))
        texture.weights.push_back(static_cast<float>(weight));
    texture.amount = static_cast<float>(scene.texture.amount);
    return texture;
}

}  // namespace

template <int Dim>
Result<void> write_gas_picture(const std::filesystem::path& file, const SceneDescription& scene,
                               const GasWorld<Dim>& world, const GasPictureFields<Dim>& fields, double time) {
    const Image image = picture(scene, world, fields, advected_texture<Dim>(scene, fields, time), time);
    return write_png(file, image.width, image.height, srgb8(image, Dither::on));
}

template Result<void> write_gas_picture(const std::filesystem::path&, const SceneDescription&, const GasWorld<2>&,
                                        const GasPictureFields<2>&, double);
template Result<void> write_gas_picture(const std::filesystem::path&, const SceneDescription&, const GasWorld<3>&,
                                        const GasPictureFields<3>&, double);

}  // namespace spindrift
