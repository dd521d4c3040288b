// SPDX-License-Identifier: Apache-2.0
#include "session/liquid_simulation.h"

#include <algorithm>
#include <cmath>

#include "grid/measure.h"
#include "session/particle_snapshot.h"

namespace spindrift {
namespace {

// The one list of what a liquid's state is made of: `part` either adds or reads each.
template <int Dim, class Part>
void for_each_part(Part&& part, LiquidState<Dim>& liquid) {
    part("time", liquid.time);
    part("step", liquid.step);
    part("phi", liquid.phi);
    part("velocity", liquid.velocity);
    part("pressure", liquid.pressure);
    part("ledger/initial", liquid.ledger.initial);
    part("ledger/flowed_in", liquid.ledger.flowed_in);
    part("ledger/flowed_out", liquid.ledger.flowed_out);
    part("ledger/overflowed", liquid.ledger.overflowed);
    part("ledger/poured_until", liquid.ledger.poured_until);
}

template <int Dim>
std::size_t count_negative(const Field<float, Dim>& phi) {
    return sum_over_tiles(phi.tiles(), std::size_t{0}, [&](Slot slot) {
        return static_cast<std::size_t>(
            std::count_if(phi.tile(slot), phi.tile(slot) + kTileCells<Dim>, [](float value) { return value < 0; }));
    });
}

}  // namespace

template <int Dim>
LiquidSimulation<Dim>::LiquidSimulation(SceneDescription scene, LiquidScene<Dim> start)
    : scene_(std::move(scene)),
      method_(std::move(start.world), liquid_settings(scene_)),
      liquid_(method_.initial_state(start.distance, start.velocity)) {}

template <int Dim>
StepReport LiquidSimulation<Dim>::measures() const {
    double squares = 0;
    for (int axis = 0; axis < Dim; ++axis) squares += std::pow(double{max_abs(liquid_.velocity[axis])}, 2);
    return {.max_speed = std::sqrt(squares),
            .volume = liquid_.ledger.expected(),
            .cells = count_negative(liquid_.phi),
            .tiles = liquid_.tiles().count()};
}

template <int Dim>
Snapshot LiquidSimulation<Dim>::snapshot() const {
    Snapshot snapshot;
    // Only read, but the list serves both ways.
    for_each_part<Dim>([&](const char* name, const auto& value) { snapshot.add(name, value); },
                       const_cast<LiquidState<Dim>&>(liquid_));
    if (method_.has_particles()) {
        add_particles(snapshot, "particles", liquid_.particles);
        add_spray(snapshot, "spray", liquid_.spray);
    }
    return snapshot;
}

template <int Dim>
Result<void> LiquidSimulation<Dim>::load(const Snapshot& snapshot) {
    LiquidState<Dim> loaded;
    SnapshotReader read(snapshot);
    for_each_part<Dim>(read, loaded);
    if (!read.errors().empty()) return read.errors();
    if (method_.has_particles()) {
        if (auto found = read_particles(read, "particles", loaded.particles, loaded.phi.tiles_ptr()); !found)
            return found;
        if (auto found = read_spray(read, "spray", loaded.spray); !found) return found;
    }
    liquid_ = std::move(loaded);
    return {};
}

template class LiquidSimulation<2>;
template class LiquidSimulation<3>;

}  // namespace spindrift
