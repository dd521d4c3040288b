// SPDX-License-Identifier: Apache-2.0
// What the verbs of a liquid's step read besides its state: the world, the settings, and the boundaries on the
// liquid's tiles at the time they were brought to.
#pragma once

#include <optional>

#include "liquid/settings.h"
#include "liquid/state.h"
#include "liquid/world.h"

namespace spindrift {

template <int Dim>
struct LiquidDomain {
    World<Dim> world;
    LiquidSettings settings;
    LevelSetGrid<Dim> grid;
    Boundary<Dim> boundaries;
    // When and on which tiles the boundaries are.
    struct Placed {
        double time;
        TilesPtr<Dim> tiles;
    };
    std::optional<Placed> placed{};

    LiquidDomain(World<Dim> world, const LiquidSettings& settings);

    SurfaceTracking<Dim> tracking() const { return {grid, settings.particles}; }
    bool has_particles() const { return settings.particles.sides != ParticleSides::none; }
    // Layers of velocity beyond the surface: as far as a step can reach.
    int reach() const;
    double cell_volume() const;      // m³ (m²)
    double particle_volume() const;  // a particle's share of a cell
    // The open volume fraction of cells; null where there are no solids.
    const Field<float, Dim>* open_volume() const { return boundaries.has_solids() ? &boundaries.volume : nullptr; }
    double volume(const Field<float, Dim>& phi) const { return liquid_cells(phi, grid, open_volume()) * cell_volume(); }
};

// Brings solids and sources to where they are at this time, on the liquid's tiles.
template <int Dim>
void refit_boundaries(LiquidDomain<Dim>& domain, const LiquidState<Dim>& liquid, double time);

// Brings the liquid, and the boundaries, to other tiles.  Particles outside them become spray.
template <int Dim>
void refit(LiquidState<Dim>& liquid, const TilesPtr<Dim>& tiles, LiquidDomain<Dim>& domain);

// The same to the tiles that the liquid needs.
template <int Dim>
void refit_tiles(LiquidState<Dim>& liquid, LiquidDomain<Dim>& domain);

extern template struct LiquidDomain<2>;
extern template struct LiquidDomain<3>;

}  // namespace spindrift
