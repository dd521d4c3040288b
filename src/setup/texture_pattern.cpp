// SPDX-License-Identifier: Apache-2.0
#include "setup/texture_pattern.h"

#include <cmath>

#include <fmt/format.h>

#include "io/png.h"

namespace spindrift {
namespace {

Result<Pattern> image_pattern(const SceneDescription& scene) {
    const scene::Texture& from = scene.texture;
    auto pixels = read_png(resolved(scene, scene::FilePath{from.image->text}));
    if (!pixels) return std::move(pixels).errors();
    const Pixels8& p = pixels.value();
    Image image(p.width, p.height);
    for (std::size_t n = 0; n < image.pixels.size(); ++n)
        image.pixels[n] = rgb_from_srgb8(p.rgb[3 * n], p.rgb[3 * n + 1], p.rgb[3 * n + 2]);

    const double height = from.scale * p.height / p.width, repeats = scene.domain.size[1] / height;
    const bool fits = repeats > 0.5 && std::abs(repeats - std::round(repeats)) < 1e-3;
    if (scene.domain.sides.at(1, false).kind == scene::SideKind::periodic && !fits)
        return Error{
            .what = fmt::format("texture.image is {:.4g} m high, which fits {:.4g} times into the periodic box "
                                "along y: there would be a seam",
                                height, repeats),
            .remedy = "choose another scale, or a picture of another shape",
            .where = place_of(scene, "texture.image")};
    return Pattern(std::move(image), from.scale);
}

}  // namespace

std::string texture_grid(int set) { return fmt::format("texture{}", set); }

Result<Pattern> texture_pattern(const SceneDescription& scene) {
    const scene::Texture& from = scene.texture;
    if (from.image) return image_pattern(scene);
    using Kind = scene::TexturePattern;
    Pattern::Rule rule{.scale = from.scale,
                       .dim = scene.dim,
                       .seed = scene.seed,
                       .low = Rgb(from.low.rgb),
                       .high = Rgb(from.high.rgb)};
    rule.kind = from.pattern == Kind::stripes  ? PatternKind::stripes
                : from.pattern == Kind::noise  ? PatternKind::noise
                : from.pattern == Kind::marble ? PatternKind::marble
                                               : PatternKind::checker;
    for (int axis = 0; axis < scene.dim; ++axis)
        if (scene.domain.sides.at(axis, false).kind == scene::SideKind::periodic)
            rule.period[axis] = scene.domain.size[axis];
    return Pattern(rule);
}

}  // namespace spindrift
