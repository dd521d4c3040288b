// SPDX-License-Identifier: Apache-2.0
#include "gas/forces.h"

#include <cmath>

#include "base/random.h"
#include "gas/patch.h"
#include "grid/halo.h"

namespace spindrift {
namespace {

constexpr Purpose kNoise{"gas noise"};

// A value at a face: the mean of the cells on its sides.
template <int Dim>
struct FaceMean {
    FaceMean(const Field<float, Dim>& field, Slot slot, int axis)
        : own(field.tile(slot)), stride(tile_stride<Dim>(axis)), outside(field.background()) {
        const Slot b = field.tiles().neighbour(slot, side_neighbour<Dim>(axis, false));
        below = b == kNoTile ? nullptr : field.tile(b);
    }
    float operator()(int n) const {
        const bool first = (n / stride) % kTileSide == 0;
        const float beside = !first             ? own[n - stride]
                             : below == nullptr ? outside
                                                : below[n + stride * (kTileSide - 1)];
        return 0.5F * (own[n] + beside);
    }
    const float* own;
    const float* below;
    int stride;
    float outside;
};

template <int Dim>
void add_lift(FaceField<Dim>& velocity, const Field<float, Dim>& a, const Substance<Dim>& substance,
              const GasWorld<Dim>& world, double dt) {
    const int up = world.up_axis;
    const auto push = static_cast<float>(substance.lift * dt), ambient = static_cast<float>(substance.ambient);
    const GridTransform<Dim>& grid = world.enclosure.grid;
    for_each_tile(velocity.tiles(), [&](Slot slot) {
        float* u = velocity[up].tile(slot);
        const FaceMean<Dim> mean(a, slot, up);
        const Index<Dim> origin = velocity.tiles().origin(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const float around =
                substance.surroundings
                    ? static_cast<float>(substance.surroundings(grid.world_of_face(up, origin + cell_in_tile<Dim>(n))))
                    : ambient;
            u[n] += push * (mean(n) - around);
        }
    });
}

template <int Dim>
void add_force(FaceField<Dim>& velocity, const GasState<Dim>& gas, const GasForce<Dim>& force,
               const GridTransform<Dim>& grid, double dt) {
    const auto kept = static_cast<float>(std::exp(-force.drag * dt));
    const Vec<double, Dim> everywhere = force.is_uniform ? force.acceleration({}, gas.time) : Vec<double, Dim>{};
    for_each_tile(velocity.tiles(), [&](Slot slot) {
        const Index<Dim> origin = velocity.tiles().origin(slot);
        for (int a = 0; a < Dim; ++a) {
            float* u = velocity[a].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Vec<double, Dim> x = grid.world_of_face(a, origin + cell_in_tile<Dim>(n));
                if (force.distance && force.distance(x) > 0) continue;
                float weight = 1;
                if (force.substance >= 0)
                    weight = FaceMean<Dim>(gas.substances[static_cast<std::size_t>(force.substance)], slot, a)(n);
                if (weight == 0) continue;
                if (force.acceleration) {
                    const Vec<double, Dim> f = force.is_uniform ? everywhere : force.acceleration(x, gas.time);
                    u[n] += weight * static_cast<float>(f[a] * dt);
                }
                if (force.drag > 0) u[n] *= 1 - weight * (1 - kept);
            }
        }
    });
}

}  // namespace

template <int Dim>
void add_forces(FaceField<Dim>& velocity, const GasState<Dim>& gas, const GasWorld<Dim>& world, double dt) {
    for (std::size_t s = 0; s < world.substances.size(); ++s)
        if (world.substances[s].lift != 0) add_lift(velocity, gas.substances[s], world.substances[s], world, dt);
    for (const GasForce<Dim>& force : world.forces)
        if (force.is_on(gas.time)) add_force(velocity, gas, force, world.enclosure.grid, dt);
}

template <int Dim>
void confine_vorticity(FaceField<Dim>& velocity, const GasRoom<Dim>& room, const GasEnclosure<Dim>& e, double time,
                       double strength, double dt) {
    if (strength == 0) return;
    constexpr int kParts = Dim == 3 ? 3 : 1;
    std::array<Field<float, Dim>, kParts> curl;
    for (auto& part : curl) part = Field<float, Dim>::unfilled(room.tiles);
    auto size = Field<float, Dim>::unfilled(room.tiles);
    std::array<Lattice<Dim>, Dim> lattice;
    for (int a = 0; a < Dim; ++a) lattice[static_cast<std::size_t>(a)] = velocity_lattice(e, a, time);

    // ω at cell centres, per cell side: central differences of the velocity there.
    parallel_ranges(room.tiles->count(), kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
        std::array<Patch<Dim>, Dim> u;
        for (std::size_t s = begin; s < end; ++s) {
            const auto slot = static_cast<Slot>(s);
            for (int a = 0; a < Dim; ++a)
                u[static_cast<std::size_t>(a)].load(velocity[a], lattice[static_cast<std::size_t>(a)], slot, 2);
            // ∂u_b/∂x_a.
            const auto slope = [&](const Index<Dim>& c, int b, int a) {
                const Patch<Dim>& patch = u[static_cast<std::size_t>(b)];
                const float* v = patch.at(c);
                const int up = patch.stride(b), along = patch.stride(a);
                return 0.25F * ((v[along] + v[up + along]) - (v[-along] + v[up - along]));
            };
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Index<Dim> c = cell_in_tile<Dim>(n);
                float squares = 0;
                for (int part = 0; part < kParts; ++part) {
                    const int i = Dim == 3 ? (part + 1) % 3 : 0, j = Dim == 3 ? (part + 2) % 3 : 1;
                    const float w = slope(c, j, i) - slope(c, i, j);
                    curl[static_cast<std::size_t>(part)].tile(slot)[n] = w;
                    squares += w * w;
                }
                size.tile(slot)[n] = std::sqrt(squares);
            }
        }
    });

    // f at cell centres, halved: each face takes from both its cells.  ω is per cell, so ε dx ω/dx needs no dx.
    std::array<Field<float, Dim>, Dim> force;
    for (auto& f : force) f = Field<float, Dim>(room.tiles);
    const auto push = static_cast<float>(0.5 * strength * dt);
    for_each_tile(*room.tiles, [&](Slot slot) {
        const HaloBlock<float, Dim, 1> around(size, slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            if (room.cells.tile(slot)[n] != static_cast<std::uint8_t>(GasCell::gas)) continue;
            const Index<Dim> c = cell_in_tile<Dim>(n);
            Vec<float, Dim> slope;
            for (int a = 0; a < Dim; ++a) slope[a] = 0.5F * (around(c + unit<Dim>(a)) - around(c - unit<Dim>(a)));
            const float steep = length(slope);
            if (!(steep > 1e-6F)) continue;
            const Vec<float, Dim> normal = slope / steep;
            const auto w = [&](int part) { return curl[static_cast<std::size_t>(part)].tile(slot)[n]; };
            for (int a = 0; a < Dim; ++a) {
                float f = 0;
                if constexpr (Dim == 3)
                    f = normal[(a + 1) % 3] * w((a + 2) % 3) - normal[(a + 2) % 3] * w((a + 1) % 3);
                else
                    f = a == 0 ? normal[1] * w(0) : -normal[0] * w(0);
                force[static_cast<std::size_t>(a)].tile(slot)[n] = push * f;
            }
        }
    });
    for (int a = 0; a < Dim; ++a)
        for_each_tile(*room.tiles, [&](Slot slot) {
            const FaceMean<Dim> mean(force[static_cast<std::size_t>(a)], slot, a);
            float* u = velocity[a].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) u[n] += 2 * mean(n);
        });
}

template <int Dim>
void add_sources(GasState<Dim>& gas, const GasWorld<Dim>& world, double dt) {
    const GridTransform<Dim>& grid = world.enclosure.grid;
    const double half_diagonal = 0.5 * kTileSide * std::sqrt(double{Dim}) * grid.dx;
    for (const GasSource<Dim>& source : world.sources) {
        if (!source.is_on(gas.time)) continue;
        Field<float, Dim>* a =
            source.substance >= 0 ? &gas.substances[static_cast<std::size_t>(source.substance)] : nullptr;
        for_each_tile(gas.tiles(), [&](Slot slot) {
            const Index<Dim> origin = gas.tiles().origin(slot);
            const Vec<double, Dim> middle =
                grid.world_from_cell(Vec<double, Dim>(origin) + Vec<double, Dim>(0.5 * kTileSide));
            if (source.distance(middle) > half_diagonal) return;
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Index<Dim> cell = origin + cell_in_tile<Dim>(n);
                const Vec<double, Dim> x = grid.world_of_centre(cell);
                // Cells on the rim take part by how deep they lie: a source that moves or is small does not flicker.
                const auto share = static_cast<float>(std::clamp(0.5 - source.distance(x) / grid.dx, 0.0, 1.0));
                if (a != nullptr && share > 0) {
                    float& v = a->tile(slot)[n];
                    if (source.rate) v += share * static_cast<float>(source.rate(x, gas.time) * dt);
                    if (source.value) v = std::max(v, share * static_cast<float>(source.value(x, gas.time)));
                }
                if (!source.velocity) continue;
                for (int axis = 0; axis < Dim; ++axis) {
                    const Vec<double, Dim> face = grid.world_of_face(axis, cell);
                    if (source.distance(face) < 0)
                        gas.velocity[axis].tile(slot)[n] = static_cast<float>(source.velocity(face, gas.time)[axis]);
                }
            }
        });
    }
}

template <int Dim>
Vec<double, Dim> vector_noise(const Vec<double, Dim>& place, double time, std::uint64_t seed) {
    const auto smooth = [](double t) { return t * t * (3 - 2 * t); };
    std::array<double, Dim + 1> at;
    for (int a = 0; a < Dim; ++a) at[static_cast<std::size_t>(a)] = place[a];
    at[Dim] = time;
    Vec<double, Dim> sum{};
    for (unsigned corner = 0; corner < (1U << (Dim + 1)); ++corner) {
        double weight = 1;
        std::uint64_t id = 0;
        std::uint32_t when = 0;
        for (unsigned a = 0; a <= Dim; ++a) {
            const double below = std::floor(at[a]);
            const unsigned up = corner >> a & 1U;
            const double t = smooth(at[a] - below);
            weight *= up != 0 ? t : 1 - t;
            const auto point = static_cast<std::uint32_t>(static_cast<std::int64_t>(below) + up);
            if (a < Dim)
                id = id << 21 | (point & 0x1fffffU);
            else
                when = point;
        }
        if (weight == 0) continue;
        Random rng(seed, id, when, kNoise);
        for (int a = 0; a < Dim; ++a) sum[a] += weight * double{rng.uniform(-1, 1)};
    }
    return sum;
}

#define INSTANTIATE(Dim)                                                                                            \
    template void add_forces(FaceField<Dim>&, const GasState<Dim>&, const GasWorld<Dim>&, double);                  \
    template void confine_vorticity(FaceField<Dim>&, const GasRoom<Dim>&, const GasEnclosure<Dim>&, double, double, \
                                    double);                                                                        \
    template void add_sources(GasState<Dim>&, const GasWorld<Dim>&, double);                                        \
    template Vec<double, Dim> vector_noise(const Vec<double, Dim>&, double, std::uint64_t);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
