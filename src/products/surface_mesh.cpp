// SPDX-License-Identifier: Apache-2.0
#include "products/surface_mesh.h"

#include <algorithm>

#include "geometry/contour.h"
#include "geometry/mesh_files.h"
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

Result<void> write_surface_mesh(const std::filesystem::path& file, const World<3>& world, double time,
                                const Field<float, 3>& phi, const FaceField<3>* velocity) {
    ContourOptions<3> options{.velocity = velocity};
    options.box = {world.grid.world_from_cell(Vec<double, 3>(world.domain.lo)),
                   world.grid.world_from_cell(Vec<double, 3>(world.domain.hi))};
    Field<float, 3> solid;
    if (has_solids(world)) {
        solid = solid_field(world, time, phi.tiles_ptr(), phi.background());
        options.solid = &solid;
    }
    const std::filesystem::path partial = partial_path(file);
    if (auto written = write_ply(contour(phi, world.grid, options), partial); !written) {
        std::error_code ignored;
        std::filesystem::remove(partial, ignored);
        return written;
    }
    return publish_file(partial, file);
}

}  // namespace spindrift
