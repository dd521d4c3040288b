// SPDX-License-Identifier: Apache-2.0
// What a liquid exchanges with the world around it in a step: sources and sinks, drops of spray, solids it lets go of,
// and the tiles it lives on; each entered in the ledger against which its volume is checked.
#pragma once

#include <optional>
#include <vector>

#include "liquid/settings.h"
#include "liquid/state.h"
#include "liquid/step_report.h"
#include "liquid/world.h"
#include "schemes/enclosed_air.h"
#include "schemes/separation.h"

namespace spindrift {

template <int Dim>
struct Surroundings {
    World<Dim> world;
    LiquidSettings settings;
    LevelSetGrid<Dim> grid;
    Boundaries<Dim> boundaries;
    std::vector<SunkAir<Dim>> sunk_air;  // since the last pressure solve

    Surroundings(World<Dim> world, const LiquidSettings& settings);

    bool has_particles() const { return settings.particles.sides != ParticleSides::none; }
    // Layers of velocity beyond the surface: as far as a step can reach.
    int reach() const;
    double cell_volume() const;
    double particle_volume() const;  // a particle's share of a cell
    const Field<float, Dim>* room() const { return boundaries.has_solids() ? &boundaries.room : nullptr; }
    double volume(const Field<float, Dim>& phi) const { return liquid_cells(phi, grid, room()) * cell_volume(); }

    // Solids and mouths where they are at this time, on the liquid's tiles.
    void refit_boundaries(const LiquidState<Dim>& liquid, double time);
    // The liquid on other tiles; on those it needs.
    void refit_to(LiquidState<Dim>& liquid, const TilesPtr<Dim>& tiles);
    void refit_tiles(LiquidState<Dim>& liquid);

    std::vector<const LiquidSource<Dim>*> sources_on(double time) const;
    // The largest speed in them, m/s.
    double fastest_source(double time) const;
    // Gives the sources that are on the tiles they need, their liquid and its velocity.  What leaves them is entered in
    // the ledger as it flows; what fills them at first, here.
    void pour(LiquidState<Dim>& liquid);
    // What the sources let out in dt goes into the ledger.
    void enter_inflow(LiquidState<Dim>& liquid, double dt) const;
    // Fills the sources that are on at this time; returns the largest change of φ, in cells.
    double fill_sources(LiquidState<Dim>& liquid, double time);
    // Empties the sinks, and enters what they took in the ledger.
    void drain_sinks(LiquidState<Dim>& liquid);

    // Of the liquid's volume, what is not inside the surface, m³: in drops, less the air that went under.
    double beyond_surface(const LiquidState<Dim>& liquid) const;
    // Particles of the liquid that the surface has left behind become drops, which together weigh what it has lost.
    void throw_spray(LiquidState<Dim>& liquid, std::vector<Particle<Dim>> lost);
    // Particles of air that the surface has closed over hold what it has gained.
    void sink_air(const LiquidState<Dim>& liquid, const std::vector<Particle<Dim>>& escaped);
    // Drops in flight; returns by how much the cells swell that they land in, or shrink where air went under.
    std::optional<Field<float, Dim>> fly_spray(LiquidState<Dim>& liquid, double dt, StepReport& report);

    // The air that the liquid encloses; sinks let it out.
    std::vector<CellGroup> enclosed_air(const Field<float, Dim>& phi) const;
    // Where liquid has let go of a solid the surface ends at its side, and particles of liquid inside it mean nothing.
    void part_from_solids(LiquidState<Dim>& liquid, const CellSet<Dim>& let_go);
};

extern template struct Surroundings<2>;
extern template struct Surroundings<3>;

}  // namespace spindrift
