// SPDX-License-Identifier: Apache-2.0
#include "session/gas_simulation.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gas/texture.h"
#include "grid/collocate.h"
#include "grid/measure.h"
#include "io/vdb.h"
#include "products/gas_picture.h"
#include "setup/gas_scene.h"
#include "setup/texture_pattern.h"

namespace spindrift {
namespace {

// The one list of what a gas's state is made of: `part` either adds or reads each.
template <int Dim, class Part>
void for_each_part(Part&& part, GasState<Dim>& gas, const std::vector<Substance<Dim>>& substances) {
    part("time", gas.time);
    part("step", gas.step);
    part("velocity", gas.velocity);
    part("pressure", gas.pressure);
    part("pressure_dt", gas.pressure_dt);
    for (std::size_t s = 0; s < substances.size(); ++s) part("substance/" + substances[s].name, gas.substances[s]);
    for (std::size_t s = 0; s < substances.size(); ++s) {
        part("amount/" + substances[s].name + "/expected", gas.amounts[s].expected);
        part("amount/" + substances[s].name + "/found", gas.amounts[s].found);
        part("amount/" + substances[s].name + "/largest", gas.amounts[s].largest);
    }
    for (std::size_t n = 0; n < gas.texture.size(); ++n)
        part(fmt::format("texture/{}/{}", n / Dim, "xyz"[n % Dim]), gas.texture[n]);
}

}  // namespace

template <int Dim>
GasSimulation<Dim>::GasSimulation(SceneDescription scene, GasScene<Dim> start)
    : scene_(std::move(scene)),
      shown_solids_(std::move(start.shown)),
      method_(std::move(start.world), gas_settings(scene_)),
      gas_(method_.initial_state()) {
    if (!scene_.texture.is_there() || !scene_.output.images) return;
    auto pattern = texture_pattern(scene_);
    CHECK(pattern, "a texture that could be read when the scene was checked: {}", pattern.errors().text());
    pattern_.emplace(std::move(pattern).value());
}

template <int Dim>
StepReport GasSimulation<Dim>::advance(double dt) {
    return method_.step(gas_, dt);
}

template <int Dim>
StepReport GasSimulation<Dim>::measures() const {
    StepReport report;
    for (int a = 0; a < Dim; ++a) report.max_speed = std::max(report.max_speed, double{max_abs(gas_.velocity[a])});
    report.cells = gas_.tiles().cell_count();
    report.tiles = gas_.tiles().count();
    return report;
}

template <int Dim>
std::vector<SubstanceAmount> GasSimulation<Dim>::amounts() const {
    std::vector<SubstanceAmount> list;
    for (std::size_t s = 0; s < gas_.amounts.size(); ++s)
        list.push_back({method_.world().substances[s].name, gas_.amounts[s].found, gas_.amounts[s].error()});
    return list;
}

template <int Dim>
Snapshot GasSimulation<Dim>::snapshot() const {
    Snapshot snapshot;
    // Only read, but the list serves both ways.
    for_each_part<Dim>([&](const std::string& name, const auto& value) { snapshot.add(name, value); },
                       const_cast<GasState<Dim>&>(gas_), method_.world().substances);
    return snapshot;
}

template <int Dim>
Result<void> GasSimulation<Dim>::load(const Snapshot& snapshot) {
    GasState<Dim> loaded;
    loaded.substances.resize(method_.world().substances.size());
    loaded.amounts.resize(method_.world().substances.size());
    if (method_.world().texture_period) loaded.texture.resize(kTextureSets * Dim);
    SnapshotReader read(snapshot);
    for_each_part<Dim>(read, loaded, method_.world().substances);
    if (!read.errors().empty()) return read.errors();
    gas_ = std::move(loaded);
    return {};
}

template <int Dim>
std::vector<FrameOutput> GasSimulation<Dim>::outputs() const {
    std::vector<FrameOutput> list;
    if (scene_.output.volumes)
        list.push_back({"frames", "vdb", [this](const std::filesystem::path& file, const FrameStamp& stamp) {
                            return write_volumes(file, stamp);
                        }});
    if (scene_.output.images)
        list.push_back({"images", "png", [this](const std::filesystem::path& file, const FrameStamp& stamp) {
                            GasPictureFields<Dim> fields{.pattern = pattern_ ? &*pattern_ : nullptr,
                                                         .solids = shown_solids_};
                            for (const Field<float, Dim>& a : gas_.substances) fields.substances.push_back(&a);
                            for (const Field<float, Dim>& way : gas_.texture) fields.texture.push_back(&way);
                            return write_gas_picture<Dim>(file, scene_, method_.world(), fields, stamp.time);
                        }});
    return list;
}

template <int Dim>
Result<void> GasSimulation<Dim>::write_volumes(const std::filesystem::path& file, const FrameStamp& stamp) const {
    const GasWorld<Dim>& world = method_.world();
    std::vector<VdbItem<Dim>> items;
    const auto name_of = [&](const std::string& field) {
        const auto renamed = scene_.output.names.find(field);
        return renamed == scene_.output.names.end() ? field : renamed->second;
    };
    for (std::size_t s = 0; s < gas_.substances.size(); ++s)
        items.emplace_back(name_of(world.substances[s].name), &gas_.substances[s], world.domain.grid,
                           VdbClass::fog_volume, VdbMetadata{});
    // The ways of the texture's points, for renderers and for pictures made later.
    std::array<FaceField<Dim>, kTextureSets> ways;
    for (int set = 0; set < kTextureSets && !gas_.texture.empty(); ++set) {
        FaceField<Dim>& way = ways[static_cast<std::size_t>(set)];
        for (int axis = 0; axis < Dim; ++axis) way[axis] = gas_.texture[texture_field<Dim>(set, axis)];
        items.emplace_back(texture_grid(set), &way, world.domain.grid, VdbMetadata{{"unit", "m"}}).kind =
            VdbClass::unknown;
    }
    FaceField<Dim> centred;
    Field<float, Dim> pressure;
    for (const std::string& field : scene_.output.fields) {
        if (field == "velocity") {
            centred.component = collocated(gas_.velocity).component;
            items.emplace_back(name_of(field), &centred, world.domain.grid, VdbMetadata{{"unit", "m/s"}}).kind =
                VdbClass::unknown;
        }
        if (field == "pressure") {
            const double scale = gas_.pressure_dt > 0 ? world.domain.grid.dx / gas_.pressure_dt : 0;
            pressure = gas_.pressure;
            transform_values(pressure, [k = static_cast<float>(scale)](float q) { return k * q; });
            items.emplace_back(name_of(field), &pressure, world.domain.grid, VdbClass::unknown,
                               VdbMetadata{{"unit", "m2/s2"}});
        }
        if (field == "vel")
            items.emplace_back(name_of(field), &gas_.velocity, world.domain.grid, VdbMetadata{{"unit", "m/s"}});
    }
    return write_vdb<Dim>(file, items,
                          {{"fps", stamp.fps},
                           {"frame", std::int64_t{stamp.frame}},
                           {"time", stamp.time},
                           {"up_axis", up_axis(scene_) == 1 ? std::string("y") : std::string("z")},
                           {"version", std::string("spindrift " SPINDRIFT_VERSION)},
                           {"scene_hash", stamp.scene_hash},
                           {"state_hash", stamp.state_hash}});
}

template <int Dim>
std::vector<FieldView> GasSimulation<Dim>::fields() const {
    const double per_density = world().domain.grid.dx / gas_.pressure_dt;  // see GasState::pressure
    std::vector<FieldView> list{
        {"velocity", "m/s", "velocity on cell faces", &gas_.velocity},
        {"pressure", "Pa", "pressure above ambient, without the part that balances forces", &gas_.pressure,
         gas_.pressure_dt > 0 ? scene_.gas.density * per_density : std::numeric_limits<double>::quiet_NaN()}};
    for (std::size_t s = 0; s < gas_.substances.size(); ++s)
        list.push_back({world().substances[s].name, "", "substance", &gas_.substances[s]});
    return list;
}

template <int Dim>
std::function<double(const Vec<double, 3>&)> GasSimulation<Dim>::solid_distance() const {
    if (!world().solids.any()) return {};
    return [&solids = world().solids, time = gas_.time](const Vec<double, 3>& place) {
        return solids.distance(components<Dim>(place), time);
    };
}

template class GasSimulation<2>;
template class GasSimulation<3>;

}  // namespace spindrift
