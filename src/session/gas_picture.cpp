// SPDX-License-Identifier: Apache-2.0
#include "session/gas_picture.h"

#include <cmath>

#include "grid/sampler.h"
#include "io/png.h"
#include "render/image.h"

namespace spindrift {
namespace {

const Rgb kPaper{0.93F, 0.93F, 0.90F};
const Rgb kSolid = rgb_from_srgb8(125, 125, 130);
// What a metre of smoke at density 1 stops, times the size of the box.
constexpr float kSmokeInBox = 12;

Rgb dye_color(const scene::GasSubstance& substance, std::size_t number) {
    if (substance.color) return Rgb(substance.color->rgb);
    static const std::array<Rgb, 6> kDyes{rgb_from_srgb8(20, 60, 140),  rgb_from_srgb8(190, 50, 30),
                                          rgb_from_srgb8(230, 170, 30), rgb_from_srgb8(40, 130, 70),
                                          rgb_from_srgb8(120, 50, 140), rgb_from_srgb8(40, 40, 45)};
    return kDyes[number % kDyes.size()];
}

// Where in the world a pixel lies: the box fills the picture, its axes across and up.
struct Frame {
    double left, bottom, pixel;

    Frame(const SceneDescription& scene, int width, int height, int across, int up) {
        const double w = scene.domain.size[across], h = scene.domain.size[up];
        pixel = std::max(w / width, h / height);
        left = scene.domain.origin[across] + 0.5 * (w - pixel * width);
        bottom = scene.domain.origin[up] + 0.5 * (h - pixel * height);
    }
    double x(int column) const { return left + (column + 0.5) * pixel; }
    double y(int row, int height) const { return bottom + (height - row - 0.5) * pixel; }
};

// Dye stops light of the colours that are not its own, as ink on paper.
Image picture(const SceneDescription& scene, const GasWorld<2>& world,
              std::span<const Field<float, 2>* const> substances, double time) {
    const int width = scene.camera.resolution[0], height = scene.camera.resolution[1];
    Image image(width, height, Rgb{0.02F, 0.02F, 0.025F});
    const Frame frame(scene, width, height, 0, 1);
    parallel_ranges(static_cast<std::size_t>(height), 16, [&](std::size_t begin, std::size_t end) {
        std::vector<LinearSampler<2>> sample;
        for (const Field<float, 2>* field : substances) sample.emplace_back(*field);
        for (auto row = static_cast<int>(begin); row < static_cast<int>(end); ++row)
            for (int column = 0; column < width; ++column) {
                const Vec<double, 2> x{frame.x(column), frame.y(row, height)};
                const Vec<double, 2> cell = world.enclosure.grid.cell_from_world(x);
                bool inside = true;
                Vec<float, 2> at;
                for (int a = 0; a < 2; ++a) {
                    const double n = world.enclosure.box.hi[a];
                    inside &= cell[a] >= 0 && cell[a] <= n;
                    at[a] = static_cast<float>(world.enclosure.is_periodic(a) ? cell[a]
                                                                              : std::clamp(cell[a], 0.5, n - 0.5));
                }
                if (!inside) continue;
                Rgb& pixel = image.at(column, row);
                pixel = kPaper;
                if (world.solids.any() && world.solids.distance(x, time) < 0) {
                    pixel = kSolid;
                    continue;
                }
                for (std::size_t s = 0; s < sample.size(); ++s) {
                    const auto ambient = static_cast<float>(scene.substance[s].ambient);
                    const float there = std::clamp(std::abs(sample[s](at) - ambient), 0.0F, 1.0F);
                    pixel = mixed(pixel, filtered(pixel, dye_color(scene.substance[s], s)), there);
                }
            }
    });
    return image;
}

// Smoke in front of a dark sky: what is stopped on the way through the box, lit from above.  A sibling of the volume
// renderer for a quick look: parallel rays, no perspective.
Image picture(const SceneDescription& scene, const GasWorld<3>& world,
              std::span<const Field<float, 3>* const> substances, double time) {
    const int width = scene.camera.resolution[0], height = scene.camera.resolution[1];
    const int up = up_axis(scene), depth = up == 1 ? 2 : 1;
    Image image(width, height, Rgb{0.015F, 0.02F, 0.03F});
    if (substances.empty()) return image;
    const Frame frame(scene, width, height, 0, up);
    const GasEnclosure<3>& e = world.enclosure;
    const int steps = e.box.hi[depth];
    const auto stop = kSmokeInBox * static_cast<float>(e.grid.dx) / static_cast<float>(scene.domain.size[0]);
    parallel_ranges(static_cast<std::size_t>(height), 8, [&](std::size_t begin, std::size_t end) {
        LinearSampler<3> smoke(*substances[0]);
        for (auto row = static_cast<int>(begin); row < static_cast<int>(end); ++row)
            for (int column = 0; column < width; ++column) {
                Vec<double, 3> x{};
                x[0] = frame.x(column);
                x[up] = frame.y(row, height);
                x[depth] = scene.domain.origin[depth];
                Vec<double, 3> cell = e.grid.cell_from_world(x);
                if (cell[0] < 0 || cell[0] >= e.box.hi[0] || cell[up] < 0 || cell[up] >= e.box.hi[up]) continue;
                float through = 1, light = 0;
                for (int step = steps - 1; step >= 0 && through > 0.005F; --step) {
                    cell[depth] = step + 0.5;
                    if (world.solids.any() && world.solids.distance(e.grid.world_from_cell(cell), time) < 0) {
                        light += through * 0.15F;
                        through = 0;
                        break;
                    }
                    Vec<float, 3> at(cell);
                    const float d = std::max(smoke(at), 0.0F);
                    if (d == 0) continue;
                    // A few looks towards the light stand for the shadow.
                    float above = 0;
                    for (int k = 1; k <= 6; ++k) {
                        Vec<float, 3> higher = at;
                        higher[up] += 3.0F * static_cast<float>(k);
                        higher[0] -= 1.5F * static_cast<float>(k);
                        above += std::max(smoke(higher), 0.0F);
                    }
                    const float kept = std::exp(-stop * d);
                    light += through * (1 - kept) * (0.12F + 0.88F * std::exp(-stop * 3 * above));
                    through *= kept;
                }
                Rgb& pixel = image.at(column, row);
                pixel = pixel * through + Rgb{0.92F, 0.93F, 0.95F} * light;
            }
    });
    return image;
}

}  // namespace

template <int Dim>
Result<void> write_gas_picture(const std::filesystem::path& file, const SceneDescription& scene,
                               const GasWorld<Dim>& world, std::span<const Field<float, Dim>* const> substances,
                               double time) {
    const Image image = picture(scene, world, substances, time);
    return write_png(file, image.width, image.height, srgb8(image, Dither::on));
}

template Result<void> write_gas_picture(const std::filesystem::path&, const SceneDescription&, const GasWorld<2>&,
                                        std::span<const Field<float, 2>* const>, double);
template Result<void> write_gas_picture(const std::filesystem::path&, const SceneDescription&, const GasWorld<3>&,
                                        std::span<const Field<float, 3>* const>, double);

}  // namespace spindrift
