// SPDX-License-Identifier: Apache-2.0
#include "session/interactive_gas.h"

#include <cmath>
#include <utility>

#include "scene/methods.h"
#include "setup/gas_scene.h"

namespace spindrift {
namespace {

// Adds amount · (1 − r²/R²)² to the values around a place that lies at `centre` on the field's own lattice, in cells.
template <int Dim>
void add_bump(Field<float, Dim>& field, const Vec<double, Dim>& centre, double radius, double amount) {
    IndexBox<Dim> reach;
    for (int a = 0; a < Dim; ++a) {
        reach.lo[a] = static_cast<int>(std::floor(centre[a] - radius));
        reach.hi[a] = static_cast<int>(std::ceil(centre[a] + radius)) + 1;
    }
    const IndexBox<Dim> tiles{tile_of_cell(reach.lo), tile_of_cell(reach.hi - Index<Dim>(1)) + Index<Dim>(1)};
    for_each_index(tiles, [&](const Index<Dim>& tile) {
        const Slot slot = field.tiles().find(tile);
        if (slot == kNoTile) return;
        const Index<Dim> origin = first_cell(tile);
        for_each_index(intersection(reach, {origin, origin + Index<Dim>(kTileSide)}), [&](const Index<Dim>& cell) {
            const Vec<double, Dim> away = Vec<double, Dim>(cell) - centre;
            const double share = 1 - dot(away, away) / (radius * radius);
            if (share > 0) field.tile(slot)[offset_in_tile(cell)] += static_cast<float>(amount * share * share);
        });
    });
}

}  // namespace

template <int Dim>
Result<InteractiveGas<Dim>> InteractiveGas<Dim>::make(const SceneDescription& scene) {
    if (scene.dim != Dim || scene::row(scene.method).engine != scene::Engine::stable_fluids)
        return Error{.what = fmt::format("this is no gas in {} dimensions", Dim),
                     .remedy = "only gases can be worked on while they run",
                     .where = place_of(scene, "method")};
    auto start = gas_scene<Dim>(scene);
    if (!start) return std::move(start).errors();
    return InteractiveGas(std::make_unique<GasSimulation<Dim>>(scene, std::move(start).value()));
}

template <int Dim>
void InteractiveGas<Dim>::push(const Vec<double, Dim>& place, const Vec<double, Dim>& velocity, double radius) {
    const Vec<double, Dim> cell = grid().cell_from_world(place);
    FaceField<Dim>& u = simulation_->state().velocity;
    for (int a = 0; a < Dim; ++a)
        add_bump(u[a], cell - Vec<double, Dim>(face_centre<Dim>(a)), radius / grid().dx, velocity[a]);
    pushed_ = true;
}

template <int Dim>
StepReport InteractiveGas<Dim>::step(double dt) {
    if (std::exchange(pushed_, false)) simulation_->method().take_out_divergence(simulation_->state());
    if (std::exchange(poured_, false)) simulation_->method().recount(simulation_->state());
    return simulation_->advance(dt);
}

template <int Dim>
bool InteractiveGas<Dim>::pour(std::string_view substance, const Vec<double, Dim>& place, double amount,
                               double radius) {
    const int number = number_of(substance);
    if (number < 0) return false;
    const Vec<double, Dim> cell = grid().cell_from_world(place) - Vec<double, Dim>(kCellCentre<Dim>);
    add_bump(simulation_->state().substances[static_cast<std::size_t>(number)], cell, radius / grid().dx, amount);
    poured_ = true;
    return true;
}

template <int Dim>
const Field<float, Dim>* InteractiveGas<Dim>::substance(std::string_view name) const {
    const int number = number_of(name);
    return number < 0 ? nullptr : &simulation_->state().substances[static_cast<std::size_t>(number)];
}

template <int Dim>
int InteractiveGas<Dim>::number_of(std::string_view substance) const {
    const auto& list = simulation_->method().world().substances;
    for (std::size_t s = 0; s < list.size(); ++s)
        if (list[s].name == substance) return static_cast<int>(s);
    return -1;
}

template class InteractiveGas<2>;
template class InteractiveGas<3>;

}  // namespace spindrift
