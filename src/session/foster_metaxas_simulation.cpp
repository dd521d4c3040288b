// SPDX-License-Identifier: Apache-2.0
#include "session/foster_metaxas_simulation.h"

#include <cmath>

#include "session/particle_snapshot.h"
#include "setup/field_function.h"

namespace spindrift {
namespace {

template <int Dim>
CellSide<Dim> cell_side(const scene::Side& side) {
    switch (side.kind) {
        case scene::SideKind::no_slip: return {.kind = CellContent::no_slip};
        case scene::SideKind::open: return {.kind = CellContent::outflow};
        case scene::SideKind::inflow: {
            CellSide<Dim> inflow{.kind = CellContent::inflow, .velocity = field_function<Dim>(side.velocity)};
            if (side.level) inflow.level = [level = *side.level](double t) { return level.at(t); };
            if (side.outflow_after) inflow.outflow_after = *side.outflow_after;
            return inflow;
        }
        case scene::SideKind::slip:
        case scene::SideKind::periodic: break;  // the latter is refused by check_foster_metaxas
    }
    return {.kind = CellContent::solid};
}

// The box ends at its sides: what other liquids have beyond them is left out.
template <int Dim>
FosterMetaxasWorld<Dim> world_of(const SceneDescription& scene, World<Dim> world) {
    FosterMetaxasWorld<Dim> out{.world = std::move(world), .up = up_axis(scene)};
    World<Dim>& w = out.world;
    w.sources.erase(w.sources.begin(), w.sources.end() - static_cast<std::ptrdiff_t>(scene.source.size()));
    w.sinks.clear();
    w.outlets.clear();
    w.box = w.domain;
    for (int axis = 0; axis < Dim; ++axis)
        for (const bool upper : {false, true})
            out.sides[static_cast<std::size_t>(axis)][upper ? 1 : 0] =
                cell_side<Dim>(scene.domain.sides.at(axis, upper));
    return out;
}

FosterMetaxasSettings settings_of(const SceneDescription& scene) {
    const scene::FosterMetaxas& s = scene.foster_metaxas;
    return {.markers_across = s.markers_across,
            .markers_per_second = s.inflow_markers.value_or(0),
            .courant = s.courant,
            .donor_cell = s.donor_cell,
            .pressure = {.method = s.pressure == scene::CellPressure::multigrid ? CellPressure::multigrid
                                                                                : CellPressure::relaxation,
                         .tolerance = s.pressure_tolerance,
                         .over_relaxation = s.over_relaxation,
                         .max_sweeps = s.max_sweeps},
            .seed = scene.seed};
}

// The one list of what the state is made of besides markers: `part` either adds or reads each.
template <int Dim, class Part>
void for_each_part(Part&& part, LiquidState<Dim>& liquid) {
    part("time", liquid.time);
    part("step", liquid.step);
    part("velocity", liquid.velocity);
    part("pressure", liquid.pressure);
    part("ledger/initial", liquid.ledger.initial);
    part("ledger/flowed_in", liquid.ledger.flowed_in);
    part("ledger/flowed_out", liquid.ledger.flowed_out);
    part("ledger/overflowed", liquid.ledger.overflowed);
}

}  // namespace

template <int Dim>
FosterMetaxasSimulation<Dim>::FosterMetaxasSimulation(SceneDescription scene, LiquidScene<Dim> start)
    : SurfaceSimulation<Dim>(std::move(scene), std::move(start.shown)),
      method_(world_of<Dim>(this->scene_, std::move(start.world)), settings_of(this->scene_)) {
    method_.start(this->liquid_, markers_, start.distance, start.velocity);
}

// φ is for frames alone, at which steps end.
template <int Dim>
StepReport FosterMetaxasSimulation<Dim>::advance(double dt) {
    constexpr double kRounding = 1e-6;  // of a frame
    StepReport report = method_.step(this->liquid_, markers_, dt);
    const double frame = this->liquid_.time * this->scene_.time.fps;
    if (report.failure.empty() && std::abs(frame - std::round(frame)) < kRounding)
        method_.find_surface(this->liquid_, markers_);
    report.drops = this->liquid_.spray.count();
    return report;
}

// For probes, which look between frames as well.
template <int Dim>
StepReport FosterMetaxasSimulation<Dim>::show(double) {
    method_.find_surface(this->liquid_, markers_);
    return measures();
}

template <int Dim>
Snapshot FosterMetaxasSimulation<Dim>::snapshot() const {
    Snapshot snapshot;
    // Only read, but the list serves both ways.
    for_each_part<Dim>([&](const char* name, const auto& value) { snapshot.add(name, value); },
                       const_cast<LiquidState<Dim>&>(this->liquid_));
    add_particles<Dim>(snapshot, "markers", markers_);
    snapshot.add("markers/owed", markers_.owed);
    return snapshot;
}

template <int Dim>
Result<void> FosterMetaxasSimulation<Dim>::load(const Snapshot& snapshot) {
    LiquidState<Dim> loaded;
    SnapshotReader read(snapshot);
    for_each_part<Dim>(read, loaded);
    Markers<Dim> markers;
    read("markers/owed", markers.owed);
    if (auto found = read_particles<Dim>(read, "markers", markers); !found) return found;
    const Box<double, Dim> box{Vec<double, Dim>(world().domain.lo), Vec<double, Dim>(world().domain.hi)};
    for (std::size_t n = 0; n < markers.count(); ++n)
        if (!box.contains(markers.place(n) + middle_of(world().domain)))
            return Error{.what = "the snapshot's markers are damaged: some are outside the box"};
    loaded.phi = Field<float, Dim>(loaded.velocity.tiles_ptr(), this->liquid_.phi.background());
    this->liquid_ = std::move(loaded);
    markers_ = std::move(markers);
    this->shows_kept_ = false;
    method_.find_surface(this->liquid_, markers_);
    return {};
}

template class FosterMetaxasSimulation<2>;
template class FosterMetaxasSimulation<3>;

}  // namespace spindrift
