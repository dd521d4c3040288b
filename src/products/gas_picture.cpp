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

// A displacement, m, and how it changes over a cell along each axis: by the quadratic B-spline, since the kinks of
// linear interpolation would show as dots in the lines that a flow draws a texture out to.
struct Drawn {
    Vec<float, 2> moved{};
    std::array<Vec<float, 2>, 2> over_a_cell{};
    std::array<float, 2> rms_over_a_cell{};  // of the changes between the cells around

    Drawn(const AdvectedTexture<2>& texture, int set, const Vec<float, 2>& at) {
        std::array<std::array<float, 3>, 2> weight, slope;
        std::array<std::array<float, 2>, 2> between;  // weights of the changes from cell to cell
        Vec<float, 2> middle;
        for (int a = 0; a < 2; ++a) {
            middle[a] = std::floor(at[a]) + 0.5F;
            const float t = at[a] - middle[a];
            const auto n = static_cast<std::size_t>(a);
            weight[n] = {0.5F * (0.5F - t) * (0.5F - t), 0.75F - t * t, 0.5F * (0.5F + t) * (0.5F + t)};
            slope[n] = {t - 0.5F, -2 * t, t + 0.5F};
            between[n] = {0.5F - t, 0.5F + t};
        }
        std::array<std::array<Vec<float, 2>, 3>, 3> there;
        for (int a = 0; a < 2; ++a) {
            LinearSampler<2> value(*texture.displacements[texture_field<2>(set, a)]);
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j)
                    there[i][j][a] =
                        value(middle + Vec<float, 2>{static_cast<float>(i) - 1, static_cast<float>(j) - 1});
        }
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                moved += there[i][j] * (weight[0][i] * weight[1][j]);
                over_a_cell[0] += there[i][j] * (slope[0][i] * weight[1][j]);
                over_a_cell[1] += there[i][j] * (weight[0][i] * slope[1][j]);
            }
        const auto square = [](const Vec<float, 2>& v) { return dot(v, v); };
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                rms_over_a_cell[0] += between[0][i] * weight[1][j] * square(there[i + 1][j] - there[i][j]);
                rms_over_a_cell[1] += between[1][i] * weight[0][j] * square(there[j][i + 1] - there[j][i]);
            }
        for (float& change : rms_over_a_cell) change = std::sqrt(change);
    }
};

// The texture at x, which lies at `at` in cells; its mean over a pixel, as a flow may draw it out to lines much finer
// than that.
Rgb texture_color(const AdvectedTexture<2>& texture, const GridTransform<2>& grid, const Vec<double, 2>& x,
                  const Vec<float, 2>& at, double pixel) {
    std::vector<Drawn> sets;
    for (std::size_t set = 0; set < texture.weights.size(); ++set)
        sets.emplace_back(texture, static_cast<int>(set), at);
    const auto look = [&](const Vec<float, 3>& from, int set) {
        std::array<Vec<float, 3>, 2> sides;
        for (std::size_t a = 0; a < 2; ++a) {
            // Where a cell spans more of the pattern than its smallest parts, nothing finer than the cell is known.
            // There the change varies from cell to cell, in dots; its mean square is the same along a line.
            const Drawn& drawn = sets[static_cast<std::size_t>(set)];
            const float here = length(drawn.over_a_cell[a]), rms = drawn.rms_over_a_cell[a];
            const float spans = rms / static_cast<float>(texture.pattern->detail());
            const float t = std::clamp(spans - 0.5F, 0.0F, 1.0F), more = 1 + (here > 0 ? t * (rms / here - 1) : 0);
            const double width = pixel + (grid.dx - pixel) * double{t};
            const Vec<float, 2> side = drawn.over_a_cell[a] * (more * static_cast<float>(width / grid.dx));
            sides[a] = {side[0], side[1], 0};
            sides[a][static_cast<int>(a)] += static_cast<float>(width);
        }
        return texture.pattern->color(from, sides[0], sides[1]);
    };
    const Vec<float, 2> place(x - grid.origin);
    const auto displacement = [&](int set, int axis) { return sets[static_cast<std::size_t>(set)].moved[axis]; };
    return texture.blend<Rgb>({place[0], place[1], 0}, displacement, look);
}

// Dye stops light of the colours that are not its own, as ink on paper.
Image picture(const SceneDescription& scene, const GasWorld<2>& world, const GasPictureFields<2>& fields,
              const AdvectedTexture<2>& texture, double time) {
    const Vec<int, 2> size = picture_size(scene);
    const int width = size[0], height = size[1];
    const Frame frame(shown_part(scene), width, height);
    const Domain<2>& e = world.domain;
    const auto drawn = fields.solids.drawn_at(time);
    return sampled_image(width, height, [&](double column, double row) {
        const Vec<double, 2> x{frame.x(column), frame.y(row, height)};
        const Vec<double, 2> cell = e.grid.cell_from_world(x);
        Vec<float, 2> at;
        for (int a = 0; a < 2; ++a) {
            const double n = e.box.hi[a];
            if (!(cell[a] >= 0 && cell[a] <= n)) return kBeside;
            at[a] = static_cast<float>(e.is_periodic(a) ? cell[a] : std::clamp(cell[a], 0.5, n - 0.5));
        }
        if (world.solids.any() && world.solids.distance(x, time) < 0) return drawn && drawn(x) < 0 ? kSolid : kPaper;
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
    view.solid_distance = fields.solids.drawn_at(time);
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
