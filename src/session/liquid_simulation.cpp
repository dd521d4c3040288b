// SPDX-License-Identifier: Apache-2.0
#include "session/liquid_simulation.h"

#include <algorithm>

#include "liquid/foster_fedkiw_2001.h"
#include "liquid/particle_level_set_2002.h"

namespace spindrift {
namespace {

template <int Dim>
std::size_t count_negative(const Field<float, Dim>& phi) {
    return sum_over_tiles(phi.tiles(), std::size_t{0}, [&](Slot slot) {
        return static_cast<std::size_t>(
            std::count_if(phi.tile(slot), phi.tile(slot) + kTileCells<Dim>, [](float value) { return value < 0; }));
    });
}

template <int Dim>
std::unique_ptr<LiquidMethod<Dim>> method_of(const SceneDescription& scene, World<Dim> world) {
    const LiquidSettings settings = liquid_settings(scene);
    if (scene.method == scene::Method::foster_fedkiw_2001)
        return std::make_unique<FosterFedkiw2001<Dim>>(std::move(world), settings);
    return std::make_unique<ParticleLevelSet2002<Dim>>(std::move(world), settings);
}

}  // namespace

template <int Dim>
LiquidSimulation<Dim>::LiquidSimulation(SceneDescription scene, LiquidScene<Dim> start)
    : SurfaceSimulation<Dim>(std::move(scene), std::move(start.shown)),
      method_(method_of<Dim>(this->scene_, std::move(start.world))) {
    this->liquid_ = method_->initial_state(start.distance, start.velocity, start.parts);
}

template <int Dim>
StepReport LiquidSimulation<Dim>::advance(double dt) {
    last_ = method_->step(this->liquid_, dt);
    last_time_ = this->liquid_.time;
    return last_;
}

// The step that led to this state knows its solves besides.
template <int Dim>
StepReport LiquidSimulation<Dim>::measures() const {
    if (last_time_ == this->liquid_.time) return last_;
    StepReport report = method_->measured(this->liquid_);
    report.cells = count_negative(this->liquid_.phi);
    return report;
}

template <int Dim>
StepReport LiquidSimulation<Dim>::show(double time) {
    constexpr double kRounding = 1e-12;  // s
    const double ahead = time - this->liquid_.time;
    this->shows_kept_ = ahead > kRounding || this->scene_.level_set.time_order > 1;
    if (!this->shows_kept_) return measures();
    this->kept_ = this->liquid_;
    StepReport report = method_->show(this->kept_, ahead > kRounding ? ahead : 0);
    report.cells = count_negative(this->kept_.phi);
    return ahead > kRounding ? report : measures();
}

template <int Dim>
std::vector<SubstanceAmount> LiquidSimulation<Dim>::amounts() const {
    std::vector<SubstanceAmount> list;
    if (!this->shown().mixture.is_there()) return list;
    const ComponentVolumes volumes = method_->components(this->shown());
    const double all = this->shown().ledger.expected();
    for (std::size_t i = 0; i < volumes.has.size(); ++i)
        list.push_back({.name = world().components[i].name,
                        .amount = volumes.has[i],
                        .error = all > 0 ? (volumes.has[i] - volumes.expected[i]) / all : 0});
    return list;
}

template class LiquidSimulation<2>;
template class LiquidSimulation<3>;

}  // namespace spindrift
