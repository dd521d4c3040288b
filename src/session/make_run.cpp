// SPDX-License-Identifier: Apache-2.0
#include "session/make_run.h"

#include <fmt/format.h>

#include "scene/describe.h"
#include "scene/entry_names.h"
#include "scene/methods.h"
#include "scene/read_scene.h"
#include "scene/write_scene.h"
#include "session/flow_simulation.h"
#include "session/foster_metaxas_simulation.h"
#include "session/gas_simulation.h"
#include "session/liquid_simulation.h"
#include "setup/gas_scene.h"
#include "setup/memory_needed.h"
#include "setup/plausible_speed.h"

namespace spindrift {
namespace {

template <int Dim>
Result<std::unique_ptr<Simulation>> make_liquid(const SceneDescription& scene) {
    auto start = liquid_scene<Dim>(scene);
    if (!start) return std::move(start).errors();
    if (scene.flow.velocity) return std::make_unique<FlowSimulation<Dim>>(scene, std::move(start).value());
    return std::make_unique<LiquidSimulation<Dim>>(scene, std::move(start).value());
}

template <int Dim>
Result<std::unique_ptr<Simulation>> make_foster_metaxas(const SceneDescription& scene) {
    auto start = liquid_scene<Dim>(scene);
    if (!start) return std::move(start).errors();
    return std::make_unique<FosterMetaxasSimulation<Dim>>(scene, std::move(start).value());
}

template <int Dim>
Result<std::unique_ptr<Simulation>> make_gas(const SceneDescription& scene) {
    auto start = gas_scene<Dim>(scene);
    if (!start) return std::move(start).errors();
    return std::make_unique<GasSimulation<Dim>>(scene, std::move(start).value());
}

template <class T>
Result<void> errors_of(const Result<T>& result) {
    return result ? Result<void>() : result.errors();
}

template <class Entry>
void clear_names(std::vector<Entry>& entries) {
    for (Entry& entry : entries) entry.name.clear();
}

// Without what may change on the way, as it changes no frame that is there: how many frames and steps there may be, and
// how things are called and look.
std::string simulation_text(SceneDescription scene) {
    scene.time.frames.reset();
    scene.time.end.reset();
    scene.time.max_substeps = scene::Time{}.max_substeps;
    clear_names(scene.liquid);
    clear_names(scene.solid);
    clear_names(scene.source);
    clear_names(scene.wind);
    clear_names(scene.control);
    clear_names(scene.force);
    for (scene::Solid& solid : scene.solid) solid.visible = true;
    for (scene::GasSubstance& substance : scene.substance) {
        substance.color.reset();
        substance.opacity.reset();
    }
    return canonical_text(scene, ScenePart::simulation);
}

template <class Entry>
void add_files(std::vector<scene::FilePath>& files, const std::vector<Entry>& entries) {
    for (const Entry& entry : entries) {
        if (const auto* mesh = std::get_if<scene::Mesh>(&entry.shape)) files.push_back(mesh->file);
        if (const auto* ground = std::get_if<scene::Heightmap>(&entry.shape)) files.push_back({ground->image.text});
    }
}

struct ShapeEntry {
    scene::Shape shape;
};
std::vector<ShapeEntry> control_shapes(const SceneDescription& scene) {
    std::vector<ShapeEntry> shapes;
    for (const scene::Control& control : scene.control)
        std::visit(
            [&](const auto& kind) {
                if constexpr (requires { kind.shape; }) shapes.push_back({kind.shape});
            },
            control.kind);
    return shapes;
}

// The files' own name may be too long to be followed by a frame's number.
Result<void> check_output_name(const SceneDescription& scene) {
    constexpr std::size_t kLongest = 200;  // bytes, as of output.name
    const std::string name = output_name(scene);
    if (name.size() <= kLongest) return {};
    return Error{
        .what = fmt::format("the scene's name is {} bytes long, and names of files begin with it: {} are the most",
                            name.size(), kLongest),
        .remedy = "write a shorter output.name",
        .where = {.file = scene.places.file}};
}

Result<std::unique_ptr<Simulation>> made(const SceneDescription& scene) {
    if (auto good = check_output_name(scene); !good) return std::move(good).errors();
    if (auto fits = check_memory(scene); !fits) return std::move(fits).errors();
    switch (scene::row(scene.method).engine) {
        case scene::Engine::level_set: return scene.dim == 2 ? make_liquid<2>(scene) : make_liquid<3>(scene);
        case scene::Engine::foster_metaxas:
            return scene.dim == 2 ? make_foster_metaxas<2>(scene) : make_foster_metaxas<3>(scene);
        case scene::Engine::stable_fluids: return scene.dim == 2 ? make_gas<2>(scene) : make_gas<3>(scene);
        case scene::Engine::none: break;
    }
    return Error{.what = fmt::format("the method \"{}\" is not available yet", choice_name(scene.method)),
                 .remedy = fmt::format("available: {}", scene::available_methods()),
                 .where = place_of(scene, "method")};
}

Result<void> checked(const SceneDescription& scene) {
    if (auto good = check_output_name(scene); !good) return good;
    if (auto fits = check_memory(scene); !fits) return fits;
    if (scene::row(scene.method).engine == scene::Engine::stable_fluids)
        return scene.dim == 2 ? errors_of(gas_scene<2>(scene)) : errors_of(gas_scene<3>(scene));
    return scene.dim == 2 ? errors_of(liquid_scene<2>(scene)) : errors_of(liquid_scene<3>(scene));
}

}  // namespace

Result<std::unique_ptr<Simulation>> make_simulation(const SceneDescription& scene) {
    auto result = made(scene);
    if (!result) return with_names(result.errors(), scene);
    return result;
}

Result<void> check_simulation(const SceneDescription& scene) {
    auto result = checked(scene);
    if (!result) return with_names(result.errors(), scene);
    return result;
}

Result<RunIdentity> run_identity(const SceneDescription& scene) {
    RunIdentity identity{.version = SPINDRIFT_VERSION, .simulation = simulation_text(scene), .seed = scene.seed};
    Hasher hasher;
    hasher.add(identity.simulation);
    std::vector<scene::FilePath> files;
    add_files(files, scene.liquid);
    add_files(files, scene.solid);
    add_files(files, scene.source);
    add_files(files, control_shapes(scene));
    if (scene.texture.image) files.push_back({scene.texture.image->text});
    for (const scene::FilePath& file : files) {
        const auto checksum = file_checksum(resolved(scene, file));
        if (!checksum) return checksum.errors();
        hasher.add(checksum.value().hash.high).add(checksum.value().hash.low);
    }
    identity.scene_hash = hex(hasher.digest128());
    return identity;
}

std::string output_name(const SceneDescription& scene) {
    if (!scene.output.name.empty()) return scene.output.name;
    const std::string stem = std::filesystem::path(scene.places.file).stem().string();
    return stem.empty() || stem == kStandardInput ? "scene" : stem;
}

Result<Manifest> new_manifest(const SceneDescription& scene, const std::vector<std::string>& overrides) {
    auto identity = run_identity(scene);
    if (!identity) return std::move(identity).errors();
    // What came through a pipe cannot be read again.
    std::error_code ignored;
    const bool is_file = std::filesystem::is_regular_file(scene.places.file, ignored);
    auto text = is_file ? read_text_file(scene.places.file) : canonical_text(scene);
    return Manifest{.name = output_name(scene),
                    .title = scene.title,
                    .method = std::string(choice_name(scene.method)),
                    .dim = scene.dim,
                    .fps = scene.time.fps,
                    .last_frame = frame_count(scene),
                    .identity = std::move(identity).value(),
                    .scene_file = std::filesystem::absolute(scene.places.file).string(),
                    .scene_text = text ? std::move(text).value() : canonical_text(scene),
                    .overrides = overrides,
                    .machine = this_machine()};
}

RunSettings run_settings(const SceneDescription& scene) {
    return {.last_frame = frame_count(scene),
            .fps = scene.time.fps,
            .min_substeps = scene.time.min_substeps,
            .max_substeps = scene.time.max_substeps,
            .checkpoint_every = scene.output.checkpoint_every,
            .keep_checkpoints = scene.output.keep_checkpoints,
            .film = scene.output.film,
            .film_fps = film_fps(scene),
            .probes = make_probes(scene),
            .plausible_speed = plausible_speed(scene)};
}

Result<RunOutcome> run_scene(const SceneDescription& scene, const RunSettings& settings, const RunObserver& observer,
                             const std::vector<std::string>& overrides) {
    auto manifest = new_manifest(scene, overrides);
    if (!manifest) return std::move(manifest).errors();
    auto simulation = make_simulation(scene);
    if (!simulation) return std::move(simulation).errors();
    return run(*simulation.value(), std::move(manifest).value(), settings, observer);
}

}  // namespace spindrift
