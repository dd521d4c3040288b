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

// What the bodies of liquid go through in a step.
template <int Dim>
struct BodyChange {
    BodyMove<Dim> move;
    BodyLabels<Dim> before{};
    BodyMatch match{};
};

template <int Dim>
struct Surroundings {
    World<Dim> world;
    LiquidSettings settings;
    LevelSetGrid<Dim> grid;
    Boundaries<Dim> boundaries;
    // When and on which tiles the boundaries stand.
    struct Placed {
        double time;
        TilesPtr<Dim> tiles;
    };
    std::optional<Placed> placed{};

    Surroundings(World<Dim> world, const LiquidSettings& settings);

    bool has_particles() const { return settings.particles.sides != ParticleSides::none; }
    // Layers of velocity beyond the surface: as far as a step can reach.
    int reach() const;
    double cell_volume() const;
    double particle_volume() const;  // a particle's share of a cell
    const Field<float, Dim>* room() const { return boundaries.has_solids() ? &boundaries.room : nullptr; }
    double volume(const Field<float, Dim>& phi) const { return liquid_cells(phi, grid, room()) * cell_volume(); }

    // Solids and mouths where they are at this time, on the liquid's tiles; nothing to do where they are there already.
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
    void enter(LiquidState<Dim>& liquid, std::vector<double> flow, double factor) const;
    // Makes a body of liquid that is in none, which has this volume.
    void open_account(LiquidState<Dim>& liquid, double volume) const;
    // Fills the sources that are on at this time; returns the largest change of φ, in cells.
    double fill_sources(LiquidState<Dim>& liquid, double time);
    // Empties the sinks, and enters what they took in the ledger.
    void drain_sinks(LiquidState<Dim>& liquid, const BodyMove<Dim>& move);

    // By body, m³ (m²): what lies within the surface; and together with what is still to come of what it swallowed.
    std::vector<double> body_volumes(const LiquidState<Dim>& liquid) const;
    std::vector<double> volumes_in_the_end(const LiquidState<Dim>& liquid) const;
    // Matches the bodies of liquid with those before the step's move.
    void follow_bodies(LiquidState<Dim>& liquid, BodyChange<Dim>& change) const;
    // What no drop has taken from bodies that vanished or shrank is lost.
    void close_accounts(LiquidState<Dim>& liquid, const BodyMatch& match) const;

    // Particles of the liquid that the surface has left behind become drops, which together weigh what their body has
    // lost.  `change` is what the bodies have gone through in the move that left the particles behind, if any.
    void throw_spray(LiquidState<Dim>& liquid, std::vector<Particle<Dim>> lost, BodyChange<Dim>* change) const;
    std::vector<Particle<Dim>> vanished_drops(LiquidState<Dim>& liquid, const BodyChange<Dim>& change) const;
    std::size_t account_of(const Particle<Dim>& particle, const LiquidState<Dim>& liquid,
                           const BodyChange<Dim>* change) const;
    // Particles of air that the surface has closed over hold what their body has gained.
    void swallow_air(LiquidState<Dim>& liquid, const std::vector<Particle<Dim>>& escaped) const;
    // Drops in flight: `swelling` receives by how much cells grow or shrink by what was swallowed.
    void fly_spray(LiquidState<Dim>& liquid, Field<float, Dim>& swelling, double dt, StepReport& report) const;
    // By body, m³ (m²), how much the swelling of its cells is.
    std::vector<double> growth_by_body(const Field<float, Dim>& swelling, const BodyLabels<Dim>& labels) const;

    // The air that the liquid encloses; sinks let it out.
    EnclosedAir enclosed_air(const Field<float, Dim>& phi) const;
    // Where liquid has let go of a solid the surface ends at its side; inside solids that move there is what follows
    // them.  Particles inside solids that say otherwise mean nothing.
    void part_from_solids(LiquidState<Dim>& liquid, const CellSet<Dim>& let_go);
};

extern template struct Surroundings<2>;
extern template struct Surroundings<3>;

}  // namespace spindrift
