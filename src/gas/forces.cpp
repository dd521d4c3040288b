// SPDX-License-Identifier: Apache-2.0
#include "gas/forces.h"

#include <cmath>
#include <numeric>

#include "schemes/face_means.h"
#include "schemes/patch.h"

#define SPINDRIFT_KERNEL_FILE "gas/forces.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

template <int Dim>
void add_buoyancy(FaceField<Dim>& velocity, const Field<float, Dim>& a, const Substance<Dim>& substance,
                  const GasWorld<Dim>& world, double dt) {
    const int up = world.up_axis;
    const auto push = static_cast<float>(substance.buoyancy * dt), ambient = static_cast<float>(substance.ambient);
    const GridTransform<Dim>& grid = world.domain.grid;
    for_each_tile(velocity.tiles(), [&](Slot slot) {
        float* u = velocity[up].tile(slot);
        const TileValues<Dim> mean = face_means(a, slot, up);
        if (!substance.ambient_at) {
            for (int n = 0; n < kTileCells<Dim>; ++n) u[n] += push * (mean[n] - ambient);
            return;
        }
        const Index<Dim> origin = velocity.tiles().origin(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Vec<double, Dim> x = grid.world_of_face(up, origin + cell_in_tile<Dim>(n));
            u[n] += push * (mean[n] - static_cast<float>(substance.ambient_at(x)));
        }
    });
}

}  // namespace

template <int Dim>
void add_forces(FaceField<Dim>& velocity, const GasState<Dim>& gas, const GasWorld<Dim>& world, double dt) {
    const ForcedFluid<Dim> fluid{world.domain.grid, gas.substances};
    const TimeSpan step{gas.time, gas.time + dt};
    add_half_of_drag(velocity, world.forces, fluid, step);
    for (std::size_t s = 0; s < world.substances.size(); ++s)
        if (world.substances[s].buoyancy != 0)
            add_buoyancy(velocity, gas.substances[s], world.substances[s], world, dt);
    add_accelerations(velocity, world.forces, fluid, step);
    add_half_of_drag(velocity, world.forces, fluid, step);
}

template <int Dim>
void confine_vorticity(FaceField<Dim>& velocity, const DomainBoundary<Dim>& boundary, double time, double strength,
                       double dt) {
    const Domain<Dim>& domain = boundary.domain;
    if (strength == 0) return;
    constexpr int kParts = Dim == 3 ? 3 : 1;
    std::array<Field<float, Dim>, kParts> curl;
    for (auto& part : curl) part = Field<float, Dim>::unfilled(boundary.tiles);
    auto size = Field<float, Dim>::unfilled(boundary.tiles);
    std::array<FieldLayout<Dim>, Dim> layout;
    for (int a = 0; a < Dim; ++a) layout[static_cast<std::size_t>(a)] = velocity_layout(domain, a, time);

    parallel_ranges(boundary.tiles->count(), kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
        std::array<Patch<Dim>, Dim> u;
        for (std::size_t s = begin; s < end; ++s) {
            const auto slot = static_cast<Slot>(s);
            PatchView<Dim> around[Dim];
            float* parts[kParts];
            for (int a = 0; a < Dim; ++a) {
                const auto n = static_cast<std::size_t>(a);
                u[n].load(velocity[a], layout[n], slot, 2);
                around[a] = u[n].view();
            }
            for (int n = 0; n < kParts; ++n) parts[n] = curl[static_cast<std::size_t>(n)].tile(slot);
            SPINDRIFT_PICK(curl_of_tile<Dim>)(around, parts, size.tile(slot));
        }
    });

    // f at cell centres.  ω is per cell, so ε dx ω/dx needs no dx.
    FaceField<Dim> force;
    for (int a = 0; a < Dim; ++a) force[a] = Field<float, Dim>::unfilled(boundary.tiles);
    const auto push = static_cast<float>(strength * dt);
    const FieldLayout<Dim> endless{.face_axis = -1, .box = domain.box, .grid = domain.grid, .sides = {}};
    parallel_ranges(boundary.tiles->count(), kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
        Patch<Dim> around;
        for (std::size_t s = begin; s < end; ++s) {
            const auto slot = static_cast<Slot>(s);
            const float* parts[kParts];
            float* out[Dim];
            for (int n = 0; n < kParts; ++n) parts[n] = curl[static_cast<std::size_t>(n)].tile(slot);
            for (int a = 0; a < Dim; ++a) out[a] = force[a].tile(slot);
            around.load(size, endless, slot, 1);
            SPINDRIFT_PICK(confining_push<Dim>)(around.view(), parts, push, out);
            if (boundary.plain[s] != 0) continue;
            for (int n = 0; n < kTileCells<Dim>; ++n)
                if (boundary.cells.tile(slot)[n] != static_cast<std::uint8_t>(CellKind::fluid))
                    for (int a = 0; a < Dim; ++a) out[a][n] = 0;
        }
    });
    for_each_tile(*boundary.tiles, [&](Slot slot) {
        for (int a = 0; a < Dim; ++a) {
            const TileValues<Dim> mean = face_means(force[a], slot, a);
            float* u = velocity[a].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) u[n] += mean[n];
        }
    });
}

template <int Dim>
void add_sources(GasState<Dim>& gas, const GasWorld<Dim>& world, const DomainBoundary<Dim>& boundary, double dt) {
    const GridTransform<Dim>& grid = world.domain.grid;
    const double half_diagonal = 0.5 * kTileSide * std::sqrt(double{Dim}) * grid.dx;
    for (const GasSource<Dim>& source : world.sources) {
        if (!source.is_on(gas.time)) continue;
        Field<float, Dim>* a =
            source.substance >= 0 ? &gas.substances[static_cast<std::size_t>(source.substance)] : nullptr;
        std::vector<double> given(gas.tiles().count());  // by tile
        for_each_tile(gas.tiles(), [&](Slot slot) {
            const Index<Dim> origin = gas.tiles().origin(slot);
            const Vec<double, Dim> middle =
                grid.world_from_cell(Vec<double, Dim>(origin) + Vec<double, Dim>(0.5 * kTileSide));
            if (source.distance(middle, gas.time) > half_diagonal) return;
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Index<Dim> cell = origin + cell_in_tile<Dim>(n);
                const Vec<double, Dim> x = grid.world_of_centre(cell);
                // Cells on the rim take part by how deep they lie: a source that moves or is small does not flicker.
                const auto share =
                    static_cast<float>(std::clamp(0.5 - source.distance(x, gas.time) / grid.dx, 0.0, 1.0));
                if (a != nullptr && share > 0) {
                    float& v = a->tile(slot)[n];
                    const float before = v;
                    if (source.rate) v += share * static_cast<float>(source.rate(x, gas.time) * dt);
                    if (source.value) v = std::max(v, share * static_cast<float>(source.value(x, gas.time)));
                    if (holds_fluid(boundary, slot, n))
                        given[static_cast<std::size_t>(slot)] += double{v} - double{before};
                }
                if (!source.velocity) continue;
                for (int axis = 0; axis < Dim; ++axis) {
                    const Vec<double, Dim> face = grid.world_of_face(axis, cell);
                    if (source.distance(face, gas.time) < 0)
                        gas.velocity[axis].tile(slot)[n] = static_cast<float>(source.velocity(face, gas.time)[axis]);
                }
            }
        });
        if (a == nullptr) continue;
        gas.amounts[static_cast<std::size_t>(source.substance)].expected +=
            std::accumulate(given.begin(), given.end(), 0.0) * std::pow(grid.dx, Dim);
    }
}

#define INSTANTIATE(Dim)                                                                                  \
    template void add_forces(FaceField<Dim>&, const GasState<Dim>&, const GasWorld<Dim>&, double);        \
    template void confine_vorticity(FaceField<Dim>&, const DomainBoundary<Dim>&, double, double, double); \
    template void add_sources(GasState<Dim>&, const GasWorld<Dim>&, const DomainBoundary<Dim>&, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
