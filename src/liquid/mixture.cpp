// SPDX-License-Identifier: Apache-2.0
#include "liquid/mixture.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/profile.h"
#include "grid/beside.h"
#include "grid/halo.h"
#include "schemes/extrapolation.h"

namespace spindrift {
namespace {

// The largest part of the way to the bounds of what they were made of that cells are moved in a step.
constexpr double kMostOfTheWay = 0.5;
// Of three and more, what one gives up another may have no place for; so they are given back in turns.
constexpr int kMostRounds = 12;
// A component without viscosity has this part of the largest: its logarithm is asked for.
constexpr double kLeastViscosity = 1e-9;
// Layers of cells beyond the liquid, more than there are: drops come off anywhere, and ask what they are made of.
constexpr int kEverywhere = 64;

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

// The parts of all components, the first of which has what the others leave.
std::vector<double> with_first(std::vector<double> others) {
    others.insert(others.begin(), 1 - sum_of(others));
    return others;
}

template <int Dim>
std::vector<double> parts_at(const Mixture<Dim>& mixture, const Index<Dim>& cell) {
    std::vector<double> others;
    for (const Field<float, Dim>& part : mixture.parts) others.push_back(part.at(cell));
    return with_first(std::move(others));
}

template <int Dim>
Index<Dim> cell_at(const Vec<double, Dim>& place) {
    return map([](double x) { return static_cast<int>(std::floor(x)); }, place);
}

template <int Dim>
Field<float, Dim> liquid_in_cells(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain) {
    return liquid_parts(liquid.phi, domain.grid, domain.open_volume());
}

// Σ liquid · part, in cells.
template <int Dim>
double volume_in_cells(const Field<float, Dim>& liquid, const Field<float, Dim>& part) {
    return sum_over_tiles(liquid.tiles(), 0.0, [&](Slot slot) {
        const float *has = liquid.tile(slot), *of = part.tile(slot);
        double sum = 0;
        for (int n = 0; n < kTileCells<Dim>; ++n) sum += double{has[n]} * double{of[n]};
        return sum;
    });
}

template <int Dim>
std::vector<double> volumes_in(const Field<float, Dim>& liquid, const Mixture<Dim>& mixture, double cell_volume) {
    const Field<float, Dim>& all = liquid;
    std::vector<double> volumes{sum_over_tiles(all.tiles(), 0.0, [&](Slot slot) {
        return std::accumulate(all.tile(slot), all.tile(slot) + kTileCells<Dim>, 0.0);
    })};
    for (const Field<float, Dim>& part : mixture.parts) {
        volumes.push_back(volume_in_cells(liquid, part));
        volumes[0] -= volumes.back();
    }
    for (double& volume : volumes) volume *= cell_volume;
    return volumes;
}

// Nothing goes through the walls.
template <int Dim>
FieldLayout<Dim> component_layout(const Domain<Dim>& domain) {
    FieldLayout<Dim> layout{.face_axis = -1, .box = domain.box, .grid = domain.grid, .sides = {}};
    for (int axis = 0; axis < Dim; ++axis)
        for (GhostSide<Dim>& end : layout.sides[static_cast<std::size_t>(axis)])
            end.rule = domain.is_periodic(axis) ? GhostRule::none : GhostRule::even;
    return layout;
}

// Of each cell, by how much of its size it has moved, at most 1.
template <int Dim>
Field<float, Dim> way_in_cells(const FaceField<Dim>& velocity, double dt, double dx) {
    Field<float, Dim> way(velocity.tiles_ptr());
    for_each_tile(velocity.tiles(), [&](Slot slot) {
        float* to = way.tile(slot);
        for (int axis = 0; axis < Dim; ++axis) {
            const float* below = velocity[axis].tile(slot);
            const TileValues<Dim> above = values_above(velocity[axis], slot, axis);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float u = 0.5F * (below[n] + above[n]);
                to[n] += u * u;
            }
        }
        for (int n = 0; n < kTileCells<Dim>; ++n)
            to[n] = std::min(1.0F, static_cast<float>(dt / dx) * std::sqrt(to[n]));
    });
    return way;
}

// Moves a component by `missing`, in cells, within its limits, where the liquid has moved.
template <int Dim>
void give_back(Field<float, Dim>& part, const AdvectionLimits<Dim>& limits, const Field<float, Dim>& liquid,
               const Field<float, Dim>& way, double missing) {
    const Field<float, Dim>& bound = missing > 0 ? limits.most : limits.least;
    const auto headroom = [&](Slot slot, int n) {
        const float most = bound.tile(slot)[n] - part.tile(slot)[n];
        return way.tile(slot)[n] * (missing > 0 ? std::max(most, 0.0F) : std::min(most, 0.0F));
    };
    const double room = sum_over_tiles(part.tiles(), 0.0, [&](Slot slot) {
        double sum = 0;
        for (int n = 0; n < kTileCells<Dim>; ++n) sum += double{liquid.tile(slot)[n]} * double{headroom(slot, n)};
        return sum;
    });
    if (room == 0) return;
    const auto share = static_cast<float>(std::min(missing / room, kMostOfTheWay));
    for_each_tile(part.tiles(), [&](Slot slot) {
        for (int n = 0; n < kTileCells<Dim>; ++n) part.tile(slot)[n] += share * headroom(slot, n);
    });
}

// Gives what advection has lost or gained in each cell, within the limits, to the cells around it that have room for
// it: where bounds cut off what a sharp boundary needs, half of its motion would be missing.
template <int Dim>
void give_back_nearby(Field<float, Dim>& part, const AdvectionLimits<Dim>& limits, const Field<float, Dim>& liquid) {
    const IndexBox<Dim> around{Index<Dim>(-1), Index<Dim>(2)};
    // Of each cell, the part of the way to their bounds by which it moves those around it.
    Field<float, Dim> move(part.tiles_ptr());
    for_each_tile(part.tiles(), [&](Slot slot) {
        const float *missing = limits.missing.tile(slot), *holds = liquid.tile(slot);
        float* to = move.tile(slot);
        bool any = false;
        for (int n = 0; n < kTileCells<Dim>; ++n) any |= missing[n] * holds[n] != 0;
        if (!any) return;
        const HaloBlock<float, Dim, 1> value(part, slot), least(limits.least, slot), most(limits.most, slot),
            volume(liquid, slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const float lacks = missing[n] * holds[n];
            if (lacks == 0) continue;
            float room = 0;
            for_each_index(around, [&](const Index<Dim>& step) {
                const Index<Dim> c = cell_in_tile<Dim>(n) + step;
                room += volume(c) * std::max(0.0F, lacks > 0 ? most(c) - value(c) : value(c) - least(c));
            });
            to[n] = room > 0 ? std::clamp(lacks / room, -1.0F, 1.0F) : 0.0F;
        }
    });
    for_each_tile(part.tiles(), [&](Slot slot) {
        const HaloBlock<float, Dim, 1> moves(move, slot);
        float* value = part.tile(slot);
        const float *least = limits.least.tile(slot), *most = limits.most.tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const float up = std::max(0.0F, most[n] - value[n]), down = std::max(0.0F, value[n] - least[n]);
            if (up == 0 && down == 0) continue;
            float sum = 0;
            for_each_index(around, [&](const Index<Dim>& step) {
                const float by = moves(cell_in_tile<Dim>(n) + step);
                sum += by * (by > 0 ? up : down);
            });
            value[n] += std::clamp(sum, -down, up);
        }
    });
}

// None below zero, and together at most one.
template <int Dim>
void normalise(Mixture<Dim>& mixture) {
    for_each_tile(mixture.parts[0].tiles(), [&](Slot slot) {
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            float sum = 0;
            for (Field<float, Dim>& part : mixture.parts) {
                float& c = part.tile(slot)[n];
                c = std::max(c, 0.0F);
                sum += c;
            }
            if (!(sum > 1)) continue;
            for (Field<float, Dim>& part : mixture.parts) part.tile(slot)[n] /= sum;
        }
    });
}

// What drops hold in all is known by their volume; what has left them has gone into the liquid.
template <int Dim>
void settle_drops(LiquidState<Dim>& liquid) {
    std::vector<double>& in_drops = liquid.mixture.in_drops;
    double held = volume_of(liquid.spray);
    for (const Absorbed<Dim>& one : liquid.absorbed) held += std::max(one.pending(), 0.0);
    const double entered = sum_of(in_drops), part = entered > 0 ? held / entered : 0;
    for (double& volume : in_drops) volume *= part;
}

// By component, m³ (m²): what air that went under makes the liquid seem to hold, until it is drawn together.
template <int Dim>
std::vector<double> air_to_come_out(const LiquidState<Dim>& liquid) {
    std::vector<double> volumes(liquid.mixture.expected.size(), 0.0);
    for (const Absorbed<Dim>& one : liquid.absorbed) {
        if (!(one.volume < 0)) continue;
        const std::vector<double> parts = parts_at(liquid.mixture, one.cell());
        for (std::size_t i = 0; i < parts.size(); ++i) volumes[i] -= one.pending() * parts[i];
    }
    return volumes;
}

// The mean over a cell: by samples, where those at its corners differ.
template <int Dim>
std::vector<double> mean_parts(const ComponentParts<Dim>& parts, const Index<Dim>& cell,
                               const GridTransform<Dim>& grid) {
    constexpr int kAcross = Dim == 2 ? 16 : 4;
    const auto at = [&](const Vec<double, Dim>& place) {
        return parts(grid.world_from_cell(Vec<double, Dim>(cell) + place));
    };
    const std::vector<double> first = at(Vec<double, Dim>(0.0));
    bool differ = false;
    for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(2)},
                   [&](const Index<Dim>& corner) { differ |= at(Vec<double, Dim>(corner)) != first; });
    if (!differ) return first;
    std::vector<double> sum(first.size(), 0.0);
    for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(kAcross)}, [&](const Index<Dim>& k) {
        const std::vector<double> here = at((Vec<double, Dim>(k) + Vec<double, Dim>(0.5)) / double{kAcross});
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += here[i];
    });
    for (double& part : sum) part /= std::pow(kAcross, Dim);
    return sum;
}

}  // namespace

template <int Dim>
std::vector<double> component_volumes(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain) {
    return volumes_in(liquid_in_cells(liquid, domain), liquid.mixture, domain.cell_volume());
}

template <int Dim>
ComponentVolumes component_totals(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain) {
    ComponentVolumes totals{component_volumes(liquid, domain), liquid.mixture.expected};
    const std::vector<double> air = air_to_come_out(liquid);
    for (std::size_t i = 0; i < totals.has.size(); ++i) totals.has[i] += liquid.mixture.in_drops[i] - air[i];
    return totals;
}

template <int Dim>
void start_mixture(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, const ComponentParts<Dim>& parts) {
    const std::size_t count = domain.world.components.size();
    if (count < 2) return;
    Mixture<Dim>& mixture = liquid.mixture;
    mixture.parts.assign(count - 1, Field<float, Dim>(liquid.phi.tiles_ptr()));
    for_each_tile(liquid.tiles(), [&](Slot slot) {
        const Index<Dim> origin = liquid.tiles().origin(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const std::vector<double> mean = mean_parts(parts, origin + cell_in_tile<Dim>(n), domain.world.grid);
            for (std::size_t i = 0; i < mean.size(); ++i) mixture.parts[i].tile(slot)[n] = static_cast<float>(mean[i]);
        }
    });
    mixture.in_drops.assign(count, 0.0);
    mixture.expected = component_volumes(liquid, domain);
    // Liquid that was too thin for the grid is on the ledger, too.
    if (const double all = sum_of(mixture.expected); all > 0)
        for (double& volume : mixture.expected) volume *= liquid.ledger.initial / all;
}

template <int Dim>
MixtureLimits<Dim> advect_mixture(LiquidState<Dim>& liquid, const FaceField<Dim>& velocity,
                                  const LiquidDomain<Dim>& domain, double dt) {
    if (!liquid.mixture.is_there()) return {};
    const ProfileScope scope("mixture");
    std::vector<Field<float, Dim>>& parts = liquid.mixture.parts;
    const Field<float, Dim> known = liquid_in_cells(liquid, domain);
    for (Field<float, Dim>& part : parts) extrapolate(part, known, domain.grid.box, kEverywhere);

    const FieldLayout<Dim> layout = component_layout(domain.boundaries.domain);
    MixtureLimits<Dim> limits(parts.size());
    std::vector<Field<float, Dim>> next;
    std::vector<AdvectedField<Dim>> list;
    for (const Field<float, Dim>& part : parts) next.push_back(Field<float, Dim>::unfilled(part.tiles_ptr()));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (Field<float, Dim>* field : {&limits[i].least, &limits[i].most, &limits[i].missing})
            *field = Field<float, Dim>(parts[i].tiles_ptr());
        list.push_back({.from = &parts[i], .to = &next[i], .layout = &layout, .limits = &limits[i]});
    }
    const Domain<Dim>& sides = domain.boundaries.domain;
    advect<Dim>(list, {velocity, sides, stored_velocity_layouts(sides, 0)}, dt, {.scheme = domain.settings.advection});
    parts = std::move(next);
    normalise(liquid.mixture);
    return limits;
}

template <int Dim>
void fill_sources_with_components(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double time,
                                  MixtureLimits<Dim>* limits) {
    std::vector<Field<float, Dim>>& parts = liquid.mixture.parts;
    if (parts.empty()) return;
    const GridTransform<Dim>& grid = domain.world.grid;
    for (const LiquidSource<Dim>& source : domain.world.sources) {
        if (!source.is_on(liquid.time)) continue;
        const std::vector<double> flow =
            let_out(source, liquid.phi, liquid.time, grid, domain.grid, domain.open_volume(), liquid.bodies.labels);
        if (sum_of(flow) < 0) continue;
        for_each_tile(liquid.tiles(), [&](Slot slot) {
            if (!is_near(source, liquid.tiles(), slot, time, grid, 0)) return;
            const Index<Dim> origin = liquid.tiles().origin(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                if (!(source.distance(grid.world_of_centre(origin + cell_in_tile<Dim>(n)), time) < 0)) continue;
                for (std::size_t i = 0; i < parts.size(); ++i) {
                    const float value = source.component == i + 1 ? 1.0F : 0.0F;
                    parts[i].tile(slot)[n] = value;
                    if (limits == nullptr) continue;
                    (*limits)[i].least.tile(slot)[n] = (*limits)[i].most.tile(slot)[n] = value;
                }
            }
        });
    }
}

template <int Dim>
void mix_in_landed_drops(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt) {
    Mixture<Dim>& mixture = liquid.mixture;
    const double held = sum_of(mixture.in_drops);
    if (!mixture.is_there() || !(held > 0)) return;
    for (const Absorbed<Dim>& one : liquid.absorbed) {
        const Index<Dim> cell = one.cell();
        const Slot slot = liquid.tiles().find(tile_of_cell(cell));
        const double more = one.growth(dt) / domain.cell_volume();
        if (slot == kNoTile || !(more > 0)) continue;
        for (std::size_t i = 0; i < mixture.parts.size(); ++i) {
            float& c = mixture.parts[i].tile(slot)[offset_in_tile(cell)];
            c += static_cast<float>((mixture.in_drops[i + 1] / held - double{c}) * more / (1 + more));
        }
    }
}

template <int Dim>
void settle_mixture(LiquidState<Dim>& liquid, MixtureLimits<Dim>& limits, const FaceField<Dim>& velocity,
                    const LiquidDomain<Dim>& domain, double dt) {
    Mixture<Dim>& mixture = liquid.mixture;
    if (!mixture.is_there()) return;
    const ProfileScope scope("mixture");
    settle_drops(liquid);
    const Field<float, Dim> in_cells = liquid_in_cells(liquid, domain);
    const Field<float, Dim> way = way_in_cells(velocity, dt, domain.grid.dx);
    for (std::size_t i = 0; i < mixture.parts.size(); ++i) give_back_nearby(mixture.parts[i], limits[i], in_cells);
    if (mixture.parts.size() > 1) normalise(mixture);
    // Together they fill what there is of the liquid: its own error is for volume control to take off.
    std::vector<double> has = volumes_in(in_cells, mixture, domain.cell_volume()), wanted = mixture.expected;
    const std::vector<double> air = air_to_come_out(liquid);
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = std::max(0.0, wanted[i] - mixture.in_drops[i] + air[i]);
    const double all = sum_of(wanted), scale = all > 0 ? sum_of(has) / all : 0;
    // Those that have too much first: that makes room for the others.
    const int rounds = mixture.parts.size() > 1 ? kMostRounds : 1;
    for (int round = 0; round < rounds; ++round) {
        if (round > 0) has = volumes_in(in_cells, mixture, domain.cell_volume());
        for (const double sign : {-1, 1})
            for (std::size_t i = 0; i < mixture.parts.size(); ++i)
                if (const double missing = scale * wanted[i + 1] - has[i + 1]; sign * missing > 0)
                    give_back(mixture.parts[i], limits[i], in_cells, way, missing / domain.cell_volume());
        if (rounds > 1) normalise(mixture);
    }
}

template <int Dim>
MixedProperties<Dim> mixed_properties(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain) {
    MixedProperties<Dim> mixed;
    const std::vector<LiquidComponent>& components = domain.world.components;
    if (!liquid.mixture.is_there()) return mixed;
    const auto differ = [&](double LiquidComponent::*what) {
        return std::any_of(components.begin(), components.end(),
                           [&](const LiquidComponent& c) { return c.*what != components[0].*what; });
    };
    // What every component adds to where there is none but the first.
    const auto sum = [&](auto&& value) {
        Field<float, Dim> field(liquid.phi.tiles_ptr());
        for_each_tile(liquid.tiles(), [&](Slot slot) {
            float* to = field.tile(slot);
            std::fill_n(to, kTileCells<Dim>, static_cast<float>(value(0)));
            for (std::size_t i = 1; i < components.size(); ++i) {
                const float* part = liquid.mixture.parts[i - 1].tile(slot);
                const auto more = static_cast<float>(value(i) - value(0));
                for (int n = 0; n < kTileCells<Dim>; ++n) to[n] += part[n] * more;
            }
        });
        return field;
    };
    if (differ(&LiquidComponent::density)) {
        mixed.density = sum([&](std::size_t i) { return components[i].density / components[0].density; });
        mixed.lightness = FaceField<Dim>(liquid.phi.tiles_ptr());
        for (int axis = 0; axis < Dim; ++axis)
            for_each_tile(liquid.tiles(), [&](Slot slot) {
                const float *phi = liquid.phi.tile(slot), *density = mixed.density.tile(slot);
                const TileValues<Dim> phi_below = values_below(liquid.phi, slot, axis),
                                      density_below = values_below(mixed.density, slot, axis);
                float* to = mixed.lightness[axis].tile(slot);
                for (int n = 0; n < kTileCells<Dim>; ++n) {
                    // Of the liquid's side alone, where the other is air.
                    const bool here = phi[n] < 0, below = phi_below[n] < 0;
                    const float mean = 0.5F * (density[n] + density_below[n]);
                    to[n] = here == below ? (here ? 1 / mean : 1.0F) : 1 / (here ? density[n] : density_below[n]);
                }
            });
    }
    if (differ(&LiquidComponent::viscosity)) {
        double most = 0;
        for (const LiquidComponent& c : components) most = std::max(most, c.viscosity);
        mixed.viscosity =
            sum([&](std::size_t i) { return std::log(std::max(components[i].viscosity / most, kLeastViscosity)); });
        transform_values(mixed.viscosity, [](float log_of_part) { return std::exp(log_of_part); });
    }
    return mixed;
}

template <int Dim>
std::vector<double> components_let_out(const LiquidState<Dim>& liquid, const LiquidSource<Dim>& source,
                                       const LiquidDomain<Dim>& domain, double flow) {
    std::vector<double> flows{flow};
    for (std::size_t i = 0; i < liquid.mixture.parts.size(); ++i) {
        flows.push_back(sum_of(let_out(
            source, liquid.phi, liquid.time, domain.world.grid, domain.grid, domain.open_volume(), liquid.bodies.labels,
            {.let_out = source.component == i + 1 ? 1.0 : 0.0, .drawn_in = &liquid.mixture.parts[i]})));
        flows[0] -= flows.back();
    }
    return flows;
}

template <int Dim>
void enter_change_of_components(LiquidState<Dim>& liquid, const std::vector<double>& before,
                                const LiquidDomain<Dim>& domain) {
    if (!liquid.mixture.is_there()) return;
    const std::vector<double> after = component_volumes(liquid, domain);
    for (std::size_t i = 0; i < after.size(); ++i) liquid.mixture.expected[i] += after[i] - before[i];
}

template <int Dim>
void enter_new_drops(LiquidState<Dim>& liquid, std::size_t first, const LiquidDomain<Dim>& domain) {
    if (!liquid.mixture.is_there()) return;
    for (std::size_t n = first; n < liquid.spray.count(); ++n) {
        const SprayDrop<Dim> drop = liquid.spray.drop(n);
        const Index<Dim> cell = cell_at(domain.world.grid.cell_from_world(drop.position));
        const double all = sum_of(liquid.mixture.expected);
        std::vector<double> parts = parts_at(liquid.mixture, cell);
        if (liquid.mixture.parts[0].tiles().find(tile_of_cell(cell)) == kNoTile && all > 0)
            for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = liquid.mixture.expected[i] / all;
        for (std::size_t i = 0; i < parts.size(); ++i) liquid.mixture.in_drops[i] += drop.volume * parts[i];
    }
}

template <int Dim>
void enter_outflow_of_drops(LiquidState<Dim>& liquid, double volume) {
    std::vector<double>& in_drops = liquid.mixture.in_drops;
    const double held = sum_of(in_drops);
    if (!(held > 0)) return;
    for (std::size_t i = 0; i < in_drops.size(); ++i) {
        const double out = std::min(volume / held, 1.0) * in_drops[i];
        in_drops[i] -= out;
        liquid.mixture.expected[i] -= out;
    }
}

#define INSTANTIATE(Dim)                                                                                               \
    template std::vector<double> component_volumes(const LiquidState<Dim>&, const LiquidDomain<Dim>&);                 \
    template ComponentVolumes component_totals(const LiquidState<Dim>&, const LiquidDomain<Dim>&);                     \
    template void start_mixture(LiquidState<Dim>&, const LiquidDomain<Dim>&, const ComponentParts<Dim>&);              \
    template MixtureLimits<Dim> advect_mixture(LiquidState<Dim>&, const FaceField<Dim>&, const LiquidDomain<Dim>&,     \
                                               double);                                                                \
    template void fill_sources_with_components(LiquidState<Dim>&, const LiquidDomain<Dim>&, double,                    \
                                               MixtureLimits<Dim>*);                                                   \
    template void mix_in_landed_drops(LiquidState<Dim>&, const LiquidDomain<Dim>&, double);                            \
    template void settle_mixture(LiquidState<Dim>&, MixtureLimits<Dim>&, const FaceField<Dim>&,                        \
                                 const LiquidDomain<Dim>&, double);                                                    \
    template std::vector<double> components_let_out(const LiquidState<Dim>&, const LiquidSource<Dim>&,                 \
                                                    const LiquidDomain<Dim>&, double);                                 \
    template MixedProperties<Dim> mixed_properties(const LiquidState<Dim>&, const LiquidDomain<Dim>&);                 \
    template void enter_change_of_components(LiquidState<Dim>&, const std::vector<double>&, const LiquidDomain<Dim>&); \
    template void enter_new_drops(LiquidState<Dim>&, std::size_t, const LiquidDomain<Dim>&);                           \
    template void enter_outflow_of_drops(LiquidState<Dim>&, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
