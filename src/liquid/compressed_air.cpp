// SPDX-License-Identifier: Apache-2.0
#include "liquid/compressed_air.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spindrift {
namespace {

constexpr double kGamma = 1.4;  // of air
// Air that is pulled apart keeps this part of the pressure of the open air.
constexpr double kLeastPressure = 0.01;

// Pressures of `before` at their cells; NaN elsewhere.
template <int Dim>
Field<float, Dim> pressure_before(const AirCells& before, const TilesPtr<Dim>& tiles) {
    constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
    Field<float, Dim> field(tiles, kUnknown);
    field.fill(kUnknown);
    for (std::size_t n = 0; n < before.pressure.size(); ++n) {
        Index<Dim> cell;
        for (int a = 0; a < Dim; ++a) cell[a] = static_cast<int>(before.place[n * Dim + static_cast<std::size_t>(a)]);
        const Slot slot = tiles->find(tile_of_cell(cell));
        if (slot != kNoTile) field.tile(slot)[offset_in_tile(cell)] = before.pressure[n];
    }
    return field;
}

// The pressure with which a bubble enters the step.  Where there was neither enclosed air nor liquid there was open
// air, with a pressure of zero.  A bubble that has moved on by more than its size has the pressure of the liquid it is
// in.
template <int Dim>
double mean_pressure(const CellGroup& bubble, const Field<float, Dim>& before, const Field<float, Dim>& pressure) {
    double sum = 0, in_liquid = 0;
    std::size_t count = 0;
    for (const auto& [slot, cell] : bubble) {
        const float air = before.empty() ? std::numeric_limits<float>::quiet_NaN() : before.tile(slot)[cell];
        const float any = pressure.tile(slot)[cell];
        if (std::isnan(air) && any != 0) {
            in_liquid += double{any};
            continue;
        }
        sum += std::isnan(air) ? 0.0 : double{air};
        ++count;
    }
    return count > 0 ? sum / static_cast<double>(count) : in_liquid / static_cast<double>(bubble.size());
}

// In cells: of the bubble's own, and of those parts of the liquid cells beside it that the surface leaves to the air.
template <int Dim>
double volume_in_cells(const CellGroup& bubble, const Field<float, Dim>& phi, const Boundary<Dim>& b) {
    const auto dx = static_cast<float>(b.domain.grid.dx);
    const auto air_part = [&](float level) { return std::clamp(0.5F + level / dx, 0.0F, 1.0F); };
    double volume = 0;
    for (const auto& [slot, n] : bubble) {
        const Index<Dim> cell = phi.tiles().origin(slot) + cell_in_tile<Dim>(n);
        const float part = b.has_solids() ? b.volume.tile(slot)[n] : 1.0F;
        volume += double{part * air_part(phi.tile(slot)[n])};
        for (int axis = 0; axis < Dim; ++axis)
            for (const bool above : {false, true}) {
                const Index<Dim> beside = above ? cell + unit<Dim>(axis) : cell - unit<Dim>(axis);
                const float level = phi.at(beside), open = b.open[axis].at(above ? beside : cell);
                if (level < 0) volume += double{open * air_part(level)};
            }
    }
    return volume;
}

}  // namespace

template <int Dim>
EnclosedAir enclosed_air(const Field<float, Dim>& phi, const LiquidDomain<Dim>& domain) {
    if (!domain.settings.enclosed_air) return {};
    const World<Dim>& world = domain.world;
    if (world.sinks.empty()) return enclosed_air(phi, domain.boundaries);
    return enclosed_air<Dim>(phi, domain.boundaries, [&](const Index<Dim>& cell) {
        const Vec<double, Dim> place = world.grid.world_of_centre(cell);
        return std::any_of(world.sinks.begin(), world.sinks.end(),
                           [&](const LiquidSink<Dim>& sink) { return sink.distance(place) < 0; });
    });
}

template <int Dim>
std::vector<BubbleGas> gas_of_bubbles(const EnclosedAir& air, const AirCells& before, const Field<float, Dim>& pressure,
                                      const Field<float, Dim>& phi, const Boundary<Dim>& b, double atmosphere,
                                      double dt) {
    if (air.bubbles.empty()) return {};
    const Field<float, Dim> known =
        before.pressure.empty() ? Field<float, Dim>() : pressure_before<Dim>(before, phi.tiles_ptr());
    std::vector<BubbleGas> gas;
    for (std::size_t n = 0; n < air.bubbles.size(); ++n) {
        const CellGroup& bubble = air.bubbles[n];
        const double own = mean_pressure(bubble, known, pressure);
        const double absolute = std::max(atmosphere + own, kLeastPressure * atmosphere);
        gas.push_back({.volume = volume_in_cells(bubble, phi, b) + air.untiled[n],
                       .pressure = absolute - atmosphere,
                       .stiffness = kGamma * absolute,
                       .dt = dt});
    }
    return gas;
}

template <int Dim>
std::vector<BubbleGas> gas_of_bubbles(const EnclosedAir& air, const LiquidState<Dim>& liquid,
                                      const LiquidDomain<Dim>& domain, double dt) {
    const double atmosphere = domain.settings.air_pressure / domain.world.density;
    if (!std::isfinite(atmosphere)) return {};
    return gas_of_bubbles(air, liquid.air, liquid.pressure, liquid.phi, domain.boundaries, atmosphere, dt);
}

template <int Dim>
AirCells cells_of_bubbles(const std::vector<CellGroup>& bubbles, const Field<float, Dim>& pressure) {
    AirCells cells;
    for (const CellGroup& bubble : bubbles)
        for (const auto& [slot, n] : bubble) {
            const Index<Dim> cell = pressure.tiles().origin(slot) + cell_in_tile<Dim>(n);
            for (int a = 0; a < Dim; ++a) cells.place.push_back(cell[a]);
            cells.pressure.push_back(pressure.tile(slot)[n]);
        }
    return cells;
}

#define INSTANTIATE(Dim)                                                                                            \
    template std::vector<BubbleGas> gas_of_bubbles(const EnclosedAir&, const AirCells&, const Field<float, Dim>&,   \
                                                   const Field<float, Dim>&, const Boundary<Dim>&, double, double); \
    template EnclosedAir enclosed_air(const Field<float, Dim>&, const LiquidDomain<Dim>&);                          \
    template std::vector<BubbleGas> gas_of_bubbles(const EnclosedAir&, const LiquidState<Dim>&,                     \
                                                   const LiquidDomain<Dim>&, double);                               \
    template AirCells cells_of_bubbles(const std::vector<CellGroup>&, const Field<float, Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
