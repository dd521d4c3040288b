// SPDX-License-Identifier: Apache-2.0
#include "session/surface_simulation.h"

#include <limits>

#include <fmt/core.h>

#include "products/liquid_outputs.h"
#include "session/particle_snapshot.h"
#include "setup/liquid_scene.h"

namespace spindrift {
namespace {

// The one list of what a liquid's state is made of: `part` either adds or reads each.
template <int Dim, class Part>
void for_each_part(Part&& part, LiquidState<Dim>& liquid) {
    part("time", liquid.time);
    part("step", liquid.step);
    part("phi", liquid.phi);
    part("velocity", liquid.velocity);
    part("velocity_time", liquid.velocity_time);
    part("pressure", liquid.pressure);
    part("air/place", liquid.air.place);
    part("air/pressure", liquid.air.pressure);
    part("ledger/initial", liquid.ledger.initial);
    part("ledger/flowed_in", liquid.ledger.flowed_in);
    part("ledger/flowed_out", liquid.ledger.flowed_out);
    part("ledger/overflowed", liquid.ledger.overflowed);
    part("ledger/poured_until", liquid.ledger.poured_until);
    part("bodies/expected", liquid.bodies.expected);
    part("bodies/lost", liquid.bodies.lost);
    part("overflow", liquid.overflow);
}

void add_to(Snapshot& snapshot, const char* name, const std::vector<double>& values) {
    snapshot.add(name, std::span<const double>(values));
}
template <class T>
void add_to(Snapshot& snapshot, const char* name, const T& value) {
    snapshot.add(name, value);
}

std::string part_name(std::size_t number) { return fmt::format("mixture/part/{}", number + 1); }

}  // namespace

template <int Dim>
Snapshot SurfaceSimulation<Dim>::snapshot() const {
    Snapshot snapshot;
    // Only read, but the list serves both ways.
    for_each_part<Dim>([&](const char* name, const auto& value) { add_to(snapshot, name, value); },
                       const_cast<LiquidState<Dim>&>(liquid_));
    if (!liquid_.acceleration[0].empty()) {
        snapshot.add("acceleration", liquid_.acceleration);
        snapshot.add("path_acceleration", liquid_.path_acceleration);
    }
    if (!liquid_.bodies.labels.field.empty()) snapshot.add("bodies/label", liquid_.bodies.labels.field);
    if (liquid_.mixture.is_there()) {
        for (std::size_t i = 0; i < liquid_.mixture.parts.size(); ++i)
            snapshot.add(part_name(i), liquid_.mixture.parts[i]);
        add_to(snapshot, "mixture/expected", liquid_.mixture.expected);
        add_to(snapshot, "mixture/in_drops", liquid_.mixture.in_drops);
    }
    if (particle_sides(scene_) != ParticleSides::none) {
        add_particles(snapshot, "particles", liquid_.particles);
        add_particles<Dim>(snapshot, "spray", liquid_.spray);
        add_absorbed(snapshot, "absorbed", liquid_.absorbed);
    }
    return snapshot;
}

template <int Dim>
Result<void> SurfaceSimulation<Dim>::load(const Snapshot& snapshot) {
    LiquidState<Dim> loaded;
    SnapshotReader read(snapshot);
    for_each_part<Dim>(read, loaded);
    // Where there is but one body there are no labels.
    loaded.bodies.labels.count = loaded.bodies.expected.empty() ? 0 : loaded.bodies.expected.size() - 1;
    if (loaded.bodies.labels.count > 1) read("bodies/label", loaded.bodies.labels.field);
    // There is none before the first step, in given flows, and in steps of first order.
    const bool accelerates = !scene_.flow.velocity && scene_.level_set.time_order > 1;
    if (accelerates && loaded.step > 0) {
        read("acceleration", loaded.acceleration);
        read("path_acceleration", loaded.path_acceleration);
    }
    if (!scene_.component.empty()) {
        loaded.mixture.parts.resize(scene_.component.size());
        for (std::size_t i = 0; i < scene_.component.size(); ++i) read(part_name(i), loaded.mixture.parts[i]);
        read("mixture/expected", loaded.mixture.expected);
        read("mixture/in_drops", loaded.mixture.in_drops);
    }
    if (!read.errors().empty()) return read.errors();
    loaded.particles = ParticleSet<Dim>(loaded.phi.tiles_ptr());
    if (particle_sides(scene_) != ParticleSides::none) {
        if (auto found = read_particles(read, "particles", loaded.particles, loaded.phi.tiles_ptr()); !found)
            return found;
        if (auto found = read_particles<Dim>(read, "spray", loaded.spray); !found) return found;
        if (auto found = read_absorbed(read, "absorbed", loaded.absorbed); !found) return found;
    }
    liquid_ = std::move(loaded);
    shows_kept_ = false;
    return {};
}

template <int Dim>
std::vector<FrameOutput> SurfaceSimulation<Dim>::outputs() const {
    return liquid_outputs(scene_, world(), shown_solids_, shown(), whitewater_);
}

template <int Dim>
std::vector<FieldView> SurfaceSimulation<Dim>::fields() const {
    // Before the first step no pressure is known, and where the flow is given there is none.
    const bool has_pressure = shown().step > 0 && !scene_.flow.velocity;
    std::vector<FieldView> views{
        {"surface", "m", "signed distance to the surface, negative in the liquid", &shown().phi},
        {"velocity", "m/s", "velocity on cell faces", &shown().velocity},
        {"pressure", "Pa", "pressure above that of the open air", &shown().pressure,
         has_pressure ? world().density : std::numeric_limits<double>::quiet_NaN()}};
    for (std::size_t i = 0; i < shown().mixture.parts.size(); ++i)
        views.push_back({scene_.component[i].name, "1", "part of the liquid's volume", &shown().mixture.parts[i]});
    return views;
}

template <int Dim>
std::function<double(const Vec<double, 3>&)> SurfaceSimulation<Dim>::solid_distance() const {
    auto distance = solids_at(world(), liquid_.time);
    if (!distance) return {};
    return [distance = std::move(distance)](const Vec<double, 3>& place) { return distance(components<Dim>(place)); };
}

template class SurfaceSimulation<2>;
template class SurfaceSimulation<3>;

}  // namespace spindrift
