// SPDX-License-Identifier: Apache-2.0
#include "session/flow_simulation.h"

#include <array>

namespace spindrift {
namespace {

// The velocities of a tile's faces along one axis, all at once.
template <int Dim>
void evaluate_tile(Field<float, Dim>& faces, Slot slot, int axis, const GridTransform<Dim>& grid,
                   const FieldValue& value, double time) {
    constexpr std::size_t kCells = kTileCells<Dim>;
    std::array<std::array<double, kCells>, 3> place{};
    std::array<double, kCells> result{};
    const Index<Dim> origin = faces.tiles().origin(slot);
    for (std::size_t n = 0; n < kCells; ++n) {
        const Vec<double, Dim> x = grid.world_of_face(axis, origin + cell_in_tile<Dim>(static_cast<int>(n)));
        for (int a = 0; a < Dim; ++a) place[static_cast<std::size_t>(a)][n] = x[a];
    }
    value.evaluate(result, {place[0], place[1], place[2]}, time);
    for (std::size_t n = 0; n < kCells; ++n) faces.tile(slot)[n] = static_cast<float>(result[n]);
}

template <int Dim>
typename GivenFlow<Dim>::Velocity velocity_of(const SceneDescription& scene, const GridTransform<Dim>& grid) {
    return [flow = *scene.flow.velocity, grid](FaceField<Dim>& velocity, double time) {
        for_each_tile(velocity.tiles(), [&](Slot slot) {
            for (int axis = 0; axis < Dim; ++axis)
                evaluate_tile(velocity[axis], slot, axis, grid, flow.component[static_cast<std::size_t>(axis)], time);
        });
    };
}

}  // namespace

template <int Dim>
FlowSimulation<Dim>::FlowSimulation(SceneDescription scene, LiquidScene<Dim> start)
    : SurfaceSimulation<Dim>(std::move(scene), std::move(start.shown)),
      method_(start.world, velocity_of<Dim>(this->scene_, start.world.grid),
              GivenFlowSettings{particle_settings(this->scene_), this->scene_.time.cfl}) {
    this->liquid_ = method_.initial_state(start.distance);
}

template <int Dim>
StepReport FlowSimulation<Dim>::measures() const {
    return {.tiles = this->liquid_.tiles().count(), .volume = this->liquid_.ledger.expected()};
}

template class FlowSimulation<2>;
template class FlowSimulation<3>;

}  // namespace spindrift
