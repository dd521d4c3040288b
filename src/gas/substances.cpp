// SPDX-License-Identifier: Apache-2.0
#include "gas/substances.h"

#include <algorithm>
#include <utility>

#include "base/profile.h"
#include "gas/amounts.h"
#include "gas/texture.h"

namespace spindrift {
namespace {

template <int Dim>
GhostSide<Dim> wall_end(const WallValue<Dim>& wall, double time) {
    if (wall.kind != WallValueKind::fixed) return {GhostRule::even, 0, {}};
    if (wall.is_uniform) return {GhostRule::odd, static_cast<float>(wall.at({}, time)), {}};
    return {GhostRule::odd, 0, [&wall, time](const Vec<double, Dim>& x) { return wall.at(x, time); }};
}

template <int Dim>
FieldLayout<Dim> substance_layout(const Domain<Dim>& domain, const Substance<Dim>& s, double time) {
    FieldLayout<Dim> layout{.face_axis = -1, .box = domain.box, .grid = domain.grid, .sides = {}};
    for (int a = 0; a < Dim; ++a)
        for (const bool above : {false, true}) {
            const DomainSide<Dim>& side = domain.side(a, above);
            GhostSide<Dim>& end = layout.sides[static_cast<std::size_t>(a)][above ? 1 : 0];
            const bool is_inflow = side.kind == SideKind::prescribed && side.velocity && !side.is_lid;
            const bool comes_in = side.kind == SideKind::open || is_inflow;
            const auto& own = s.at_sides[static_cast<std::size_t>(a)][above ? 1 : 0];
            if (side.kind == SideKind::periodic)
                end.rule = GhostRule::none;
            else if (is_wall(side) && own)
                end = wall_end(*own, time);
            else if (comes_in)
                end = {GhostRule::constant, static_cast<float>(s.ambient), {}};
            else if (s.at_walls)
                end = {GhostRule::odd, static_cast<float>(*s.at_walls), {}};
            else
                end.rule = GhostRule::even;
        }
    return layout;
}

template <int Dim>
Amount amount_of(const GasState<Dim>& gas, std::size_t s, const GasDomain<Dim>& domain) {
    return amount(gas.substances[s], domain.world.substances[s].ambient, domain.boundary);
}

// Advection that keeps the amount of each substance, but for what leaves and what swells.
template <int Dim>
void transport(GasState<Dim>& gas, const GasDomain<Dim>& domain, const std::vector<FieldLayout<Dim>>& layouts,
               const Flow<Dim>& flow, double dt) {
    if (gas.substances.empty() && gas.texture.empty()) return;
    const GasWorld<Dim>& world = domain.world;
    const GasSettings& settings = domain.settings;
    const auto successors = [](const std::vector<Field<float, Dim>>& fields) {
        std::vector<Field<float, Dim>> fields_after;
        for (const Field<float, Dim>& a : fields)
            fields_after.push_back(Field<float, Dim>::unfilled(a.tiles_ptr(), a.background()));
        return fields_after;
    };
    std::vector<Field<float, Dim>> next = successors(gas.substances), moved = successors(gas.texture);
    std::vector<AdvectionLimits<Dim>> limits(gas.substances.size());
    std::vector<AdvectedField<Dim>> list;
    for (std::size_t s = 0; s < gas.substances.size(); ++s) {
        for (Field<float, Dim>* field : {&limits[s].least, &limits[s].most, &limits[s].missing})
            *field = Field<float, Dim>::unfilled(gas.tiles_ptr());
        list.push_back({.from = &gas.substances[s],
                        .to = &next[s],
                        .layout = &layouts[s],
                        .limits = &limits[s],
                        .ambient = static_cast<float>(world.substances[s].ambient)});
    }
    const FieldLayout<Dim> texture_ends = texture_layout(world.domain);
    for (std::size_t n = 0; n < gas.texture.size(); ++n)
        list.push_back({&gas.texture[n], &moved[n], &texture_ends, static_cast<int>(n) % Dim});
    advect<Dim>(list, flow, dt, {settings.trace_rule, settings.scheme});

    const std::optional<Field<float, Dim>> expansion = wanted_divergence(gas, world);
    for (std::size_t s = 0; s < gas.substances.size(); ++s) {
        const double ambient = world.substances[s].ambient;
        AmountLedger& ledger = gas.amounts[s];
        ledger.expected -= domain.cell_volume() * outflow(limits[s].left, gas.substances[s], ambient, flow.velocity,
                                                          domain.boundary, dt, settings.scheme);
        if (expansion)
            ledger.expected += domain.cell_volume() *
                               add_swelling(limits[s].missing, next[s], ambient, *expansion, domain.boundary, dt);
        keep_amount(next[s], limits[s], ledger.expected / domain.cell_volume(), ambient, domain.boundary);
    }
    gas.substances = std::move(next);
    gas.texture = std::move(moved);
}

template <int Dim>
void diffuse_substance(GasState<Dim>& gas, std::size_t s, GasDomain<Dim>& domain, const FieldLayout<Dim>& layout,
                       double dt, StepReport& report) {
    const Substance<Dim>& substance = domain.world.substances[s];
    const DomainBoundary<Dim>& boundary = domain.boundary;
    if (substance.diffusion == 0) return;
    const DiffusionWalls<Dim> walls = substance_walls(substance, gas.time + dt);
    // What goes through walls and beyond the tiles is known only from what is left; solids cut cells to size there.
    bool exchanges = !boundary.fills_box || boundary.has_solids();
    for (std::size_t axis = 0; axis < Dim; ++axis)
        for (std::size_t end = 0; end < 2; ++end) {
            const GhostRule how = layout.sides[axis][end].rule;
            exchanges |= how == GhostRule::constant || how == GhostRule::odd || walls.flux[axis][end] != nullptr;
        }
    const double before = exchanges ? amount_of(gas, s, domain).net : 0;
    merge(report.diffusion,
          diffuse(gas.substances[s], layout, boundary, walls, substance.diffusion, dt, domain.solver));
    if (exchanges) gas.amounts[s].expected += (amount_of(gas, s, domain).net - before) * domain.cell_volume();
}

}  // namespace

template <int Dim>
DiffusionWalls<Dim> substance_walls(const Substance<Dim>& s, double time) {
    DiffusionWalls<Dim> walls{.slip = true, .solids = s.at_solids, .time = time};
    for (std::size_t a = 0; a < Dim; ++a)
        for (std::size_t end = 0; end < 2; ++end)
            if (const auto& side = s.at_sides[a][end]; side && side->kind == WallValueKind::flux)
                walls.flux[a][end] = &*side;
    return walls;
}

template <int Dim>
std::optional<Field<float, Dim>> wanted_divergence(const GasState<Dim>& gas, const GasWorld<Dim>& world) {
    std::optional<Field<float, Dim>> wanted;
    for (std::size_t s = 0; s < world.substances.size(); ++s) {
        const Substance<Dim>& substance = world.substances[s];
        if (substance.expansion == 0) continue;
        if (!wanted) wanted.emplace(gas.tiles_ptr());
        for_each_tile(gas.tiles(), [&](Slot slot) {
            for (int n = 0; n < kTileCells<Dim>; ++n)
                wanted->tile(slot)[n] += static_cast<float>(
                    substance.expansion * (double{gas.substances[s].tile(slot)[n]} - substance.ambient));
        });
    }
    return wanted;
}

template <int Dim>
void recount(GasState<Dim>& gas, const GasDomain<Dim>& domain) {
    for (std::size_t s = 0; s < gas.substances.size(); ++s) {
        const Amount now = amount_of(gas, s, domain);
        AmountLedger& ledger = gas.amounts[s];
        ledger.expected += now.net * domain.cell_volume() - ledger.found;
        ledger.found = now.net * domain.cell_volume();
        ledger.largest = std::max(ledger.largest, now.absolute * domain.cell_volume());
    }
}

template <int Dim>
void advance_substances(GasState<Dim>& gas, GasDomain<Dim>& domain, const FaceField<Dim>& advecting, double flow_time,
                        double dt, StepReport& report) {
    const ProfileScope scope("substances");
    const GasWorld<Dim>& world = domain.world;
    const DomainBoundary<Dim>& boundary = domain.boundary;
    std::vector<FieldLayout<Dim>> layouts;
    for (const Substance<Dim>& s : world.substances)
        layouts.push_back(substance_layout(world.domain, s, gas.time + dt));
    if (!gas.texture.empty()) return_texture(gas.texture, gas.time, gas.time + dt, *world.texture_period);
    transport(gas, domain, layouts, {advecting, world.domain, flow_time}, dt);
    for (std::size_t s = 0; s < gas.substances.size(); ++s) {
        const Substance<Dim>& substance = world.substances[s];
        diffuse_substance(gas, s, domain, layouts[s], dt, report);
        Field<float, Dim>& a = gas.substances[s];
        const auto kept = static_cast<float>(1 / (1 + dt * substance.dissipation));
        const auto ambient = static_cast<float>(substance.ambient);
        const bool clears = boundary.has_solids() || !boundary.fills_box || substance.dissipation > 0;
        for_each_tile(a.tiles(), [&](Slot slot) {
            float* values = a.tile(slot);
            if (substance.dissipation > 0)
                for (int n = 0; n < kTileCells<Dim>; ++n) values[n] = ambient + kept * (values[n] - ambient);
            if (!clears && boundary.plain[static_cast<std::size_t>(slot)] != 0) return;
            for (int n = 0; n < kTileCells<Dim>; ++n)
                if (boundary.cells.tile(slot)[n] == static_cast<std::uint8_t>(CellKind::wall)) values[n] = ambient;
        });
        AmountLedger& ledger = gas.amounts[s];
        ledger.expected *= double{kept};
        const Amount left = amount_of(gas, s, domain);
        ledger.found = left.net * domain.cell_volume();
        ledger.largest = std::max(ledger.largest, left.absolute * domain.cell_volume());
    }
}

#define INSTANTIATE(Dim)                                                                                     \
    template void advance_substances(GasState<Dim>&, GasDomain<Dim>&, const FaceField<Dim>&, double, double, \
                                     StepReport&);                                                           \
    template void recount(GasState<Dim>&, const GasDomain<Dim>&);                                            \
    template std::optional<Field<float, Dim>> wanted_divergence(const GasState<Dim>&, const GasWorld<Dim>&); \
    template DiffusionWalls<Dim> substance_walls(const Substance<Dim>&, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
