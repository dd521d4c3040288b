// SPDX-License-Identifier: Apache-2.0
#include "products/surface_mesh.h"

#include <algorithm>
#include <cmath>

#include "geometry/contour.h"
#include "geometry/mesh_files.h"
#include "grid/sampler.h"
#include "io/safe_file.h"

namespace spindrift {

template <int Dim>
Field<float, Dim> solid_field(const World<Dim>& world, double time, const TilesPtr<Dim>& tiles, float far) {
    const auto distance = solids_at(world, time);
    auto solid = Field<float, Dim>::unfilled(tiles, far);
    assign(solid, [&](const Index<Dim>& cell) {
        return std::clamp(static_cast<float>(distance(world.grid.world_of_centre(cell))), -far, far);
    });
    return solid;
}
template Field<float, 2> solid_field(const World<2>&, double, const TilesPtr<2>&, float);
template Field<float, 3> solid_field(const World<3>&, double, const TilesPtr<3>&, float);

namespace {

// At each position, of the liquid there.
std::vector<Vec<std::uint8_t, 3>> colours_of(const TriangleMesh& mesh, const MixtureColors<3>& mixture,
                                             const World<3>& world) {
    // Half a cell inside the walls, beyond which nothing is known.
    const Vec<float, 3> least = Vec<float, 3>(world.domain.lo) + Vec<float, 3>(0.5F),
                        most = Vec<float, 3>(world.domain.hi) - Vec<float, 3>(0.5F);
    std::vector<LinearSampler<3>> parts;
    for (const Field<float, 3>* part : mixture.parts) parts.emplace_back(*part);
    std::vector<Vec<std::uint8_t, 3>> colours;
    for (const Vec<float, 3>& position : mesh.positions) {
        const Vec<float, 3> cell(world.grid.cell_from_world(Vec<double, 3>(position)));
        Rgb color = mixture.colors[0];
        for (std::size_t i = 0; i < parts.size(); ++i)
            color += (mixture.colors[i + 1] - mixture.colors[0]) *
                     std::clamp(parts[i](max(least, min(most, cell))), 0.0F, 1.0F);
        colours.push_back(Vec<std::uint8_t, 3>(
            map([](float c) { return std::round(255 * srgb_from_linear(std::clamp(c, 0.0F, 1.0F))); }, color)));
    }
    return colours;
}

}  // namespace

Result<void> write_surface_mesh(const std::filesystem::path& file, const World<3>& world, double time,
                                const Field<float, 3>& phi, const FaceField<3>* velocity,
                                const MixtureColors<3>& colors) {
    ContourOptions<3> options{.velocity = velocity};
    options.box = {world.grid.world_from_cell(Vec<double, 3>(world.domain.lo)),
                   world.grid.world_from_cell(Vec<double, 3>(world.domain.hi))};
    Field<float, 3> solid;
    if (has_solids(world)) {
        solid = solid_field(world, time, phi.tiles_ptr(), phi.background());
        options.solid = &solid;
    }
    TriangleMesh mesh = contour(phi, world.grid, options);
    if (colors.is_there()) mesh.colours = colours_of(mesh, colors, world);
    const std::filesystem::path partial = partial_path(file);
    if (auto written = write_ply(mesh, partial); !written) {
        std::error_code ignored;
        std::filesystem::remove(partial, ignored);
        return written;
    }
    return publish_file(partial, file);
}

}  // namespace spindrift
