// SPDX-License-Identifier: Apache-2.0
#include "session/stages/later_stages.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/log.h"
#include "gas/texture.h"
#include "grid/collocate.h"
#include "grid/refit.h"
#include "io/particle_file.h"
#include "io/vdb.h"
#include "products/gas_picture.h"
#include "products/mixture_look.h"
#include "products/picture.h"
#include "products/surface_mesh.h"
#include "products/whitewater_frames.h"
#include "scene/methods.h"
#include "scene/read_scene.h"
#include "session/make_run.h"
#include "session/output/manifest.h"
#include "session/output/output_folder.h"
#include "session/stages/make_film.h"
#include "setup/gas_scene.h"
#include "setup/liquid_scene.h"
#include "setup/texture_pattern.h"

namespace spindrift {
namespace {

// A run that is opened to be added to; without a lock while it is in progress.
struct OpenRun {
    std::optional<FolderLock> lock;
    Manifest manifest;
    SceneDescription scene;

    bool in_progress() const { return !lock.has_value(); }
};

Error run_error(const StageSettings& settings, const std::string& what, const std::string& remedy) {
    return {.what = what, .remedy = remedy, .where = {.file = settings.folder.string()}};
}

enum class InProgress { refused, allowed };

Result<OpenRun> open_run(const StageSettings& settings, InProgress in_progress) {
    auto manifest = read_manifest(settings.folder);
    if (!manifest) return std::move(manifest).errors();
    std::optional<FolderLock> lock;
    if (in_progress == InProgress::refused || !is_locked(settings.folder)) {
        auto taken = FolderLock::take(settings.folder);
        if (!taken) return std::move(taken).errors();
        lock.emplace(std::move(taken).value());
    }
    std::vector<std::string> overrides = manifest.value().overrides;
    overrides.insert(overrides.end(), settings.overrides.begin(), settings.overrides.end());
    auto scene = parse_scene(manifest.value().scene_text, manifest.value().scene_file, overrides);
    if (!scene) return std::move(scene).errors();
    const auto identity = run_identity(scene.value());
    if (!identity) return identity.errors();
    if (identity.value().scene_hash != manifest.value().identity.scene_hash)
        return run_error(settings, "these settings would need another simulation",
                         "change camera, render, whitewater and output alone, or use spindrift run with another -o");
    return OpenRun{std::move(lock), std::move(manifest).value(), std::move(scene).value()};
}

// The file of a frame that lies in a folder of the run, or null.
const FileRecord* file_in(const FrameRecord& frame, const std::string& folder) {
    const auto found = std::find_if(frame.files.begin(), frame.files.end(),
                                    [&](const FileRecord& file) { return file.path.starts_with(folder + "/"); });
    return found == frame.files.end() ? nullptr : &*found;
}

Error missing_file(const OpenRun& run, const StageSettings& settings, const FileRecord& file, int frame) {
    return {.what = "is missing, and this stage is made of it",
            .remedy = fmt::format("make it again: spindrift run {} -o {} --from {}", run.manifest.scene_file,
                                  settings.folder.string(), frame),
            .where = {.file = (settings.folder / file.path).string()}};
}

bool is_there(const StageSettings& settings, const FileRecord& file) {
    std::error_code ignored;
    return std::filesystem::exists(settings.folder / file.path, ignored);
}

// What a stage makes of a frame's volume.
using Make = std::function<Result<void>(const std::filesystem::path& volume, const std::filesystem::path& file,
                                        const FrameRecord& frame)>;

struct Kind {
    std::string folder;
    std::string extension;
};

std::string grid_name(const SceneDescription& scene, const std::string& field) {
    const auto renamed = scene.output.names.find(field);
    return renamed == scene.output.names.end() ? field : renamed->second;
}

// A grid of the volume that may be missing.
template <class Read>
auto optional_grid(const VdbContents& contents, const std::string& name, Read&& read)
    -> Result<std::optional<typename decltype(read())::Value>> {
    const bool is_there = std::any_of(contents.grids.begin(), contents.grids.end(),
                                      [&](const VdbContents::Grid& grid) { return grid.name == name; });
    if (!is_there) return std::optional<typename decltype(read())::Value>();
    auto grid = read();
    if (!grid) return std::move(grid).errors();
    return std::optional(std::move(grid).value());
}

// A liquid's fields, handed to make(world, fields).
template <int Dim, class F>
Result<void> with_liquid(const SceneDescription& scene, const World<Dim>& world, const std::filesystem::path& volume,
                         F&& make) {
    const auto phi = read_vdb<Dim>(volume, grid_name(scene, "surface"));
    if (!phi) return phi.errors();
    const auto contents = read_vdb_contents(volume);
    if (!contents) return contents.errors();
    const std::string vel = grid_name(scene, "vel"), p = grid_name(scene, "pressure");
    const auto velocity = optional_grid(contents.value(), vel, [&] { return read_vdb_faces<Dim>(volume, vel); });
    if (!velocity) return velocity.errors();
    const auto pressure = optional_grid(contents.value(), p, [&] { return read_vdb<Dim>(volume, p); });
    if (!pressure) return pressure.errors();
    std::vector<Field<float, Dim>> parts;
    for (const scene::Component& component : scene.component) {
        auto part = read_vdb<Dim>(volume, grid_name(scene, component.name));
        if (!part) return std::move(part).errors();
        parts.push_back(std::move(part).value().values);
    }
    return make(world, PictureFields<Dim>{.phi = &phi.value().values,
                                          .velocity = velocity.value() ? &velocity.value()->values : nullptr,
                                          .pressure = pressure.value() ? &pressure.value()->values : nullptr,
                                          .components = pointers_to(parts)});
}

Result<void> list_file(const StageSettings& settings, Manifest& manifest, FrameRecord& frame, const std::string& name) {
    const auto checksum = file_checksum(settings.folder / name);
    if (!checksum) return checksum.errors();
    std::erase_if(frame.files, [&](const FileRecord& file) { return file.path == name; });
    frame.files.push_back({name, checksum.value()});
    return write_manifest(settings.folder, manifest);
}

Result<int> for_each_frame(OpenRun& run, const StageSettings& settings, const StageObserver& observer, const Kind& kind,
                           const Make& make) {
    const OutputFolder folder(settings.folder, run.manifest.name);
    const std::string inside = run.in_progress() ? kPreviewFolder : kind.folder;
    if (auto made = folder.make_inside(inside); !made) return std::move(made).errors();
    if (run.in_progress())
        log_info("this run is in progress: frames up to {} are there; what is made of them goes to {}",
                 run.manifest.frames.empty() ? 0 : run.manifest.frames.back().frame,
                 (settings.folder / inside).string());
    int count = 0;
    for (FrameRecord& frame : run.manifest.frames) {
        if (frame.frame < settings.first_frame || frame.frame > settings.last_frame) continue;
        const FileRecord* volume = file_in(frame, "frames");
        if (volume == nullptr) continue;
        if (observer.stop_wanted && observer.stop_wanted()) break;
        if (!is_there(settings, *volume)) return missing_file(run, settings, *volume, frame.frame);
        const std::string name = folder.frame_file(inside, frame.frame, kind.extension);
        if (auto made = make(settings.folder / volume->path, settings.folder / name, frame); !made)
            return std::move(made).errors();
        if (!run.in_progress())
            if (auto listed = list_file(settings, run.manifest, frame, name); !listed)
                return std::move(listed).errors();
        ++count;
        if (observer.frame_done) observer.frame_done(frame.frame, run.manifest.frames.back().frame);
    }
    if (count == 0)
        return run_error(settings, "holds no volumes of these frames",
                         "this stage reads frames/*.vdb: run the scene with output.volumes = true");
    return count;
}

}  // namespace

Result<int> mesh_run(const StageSettings& settings, const StageObserver& observer) {
    auto run = open_run(settings, InProgress::allowed);
    if (!run) return std::move(run).errors();
    const SceneDescription& scene = run.value().scene;
    if (scene.dim != 3) return run_error(settings, "is a 2D run, which has no surface to mesh", "");
    if (!scene::has_surface(scene.method)) return run_error(settings, "is a gas, which has no surface to mesh", "");
    const auto start = liquid_scene<3>(scene);
    if (!start) return start.errors();
    return for_each_frame(
        run.value(), settings, observer, {"mesh", "ply"},
        [&](const std::filesystem::path& volume, const std::filesystem::path& file, const FrameRecord& frame) {
            return with_liquid<3>(scene, start.value().world, volume, [&](const auto& world, const auto& fields) {
                return write_surface_mesh(file, world, frame.time, *fields.phi, fields.velocity,
                                          mixture_colors<3>(scene, fields.components));
            });
        });
}

namespace {

// Files know nothing of periodic sides, across which pictures interpolate as well.
template <int Dim>
void make_periodic(Field<float, Dim>& field, const Index<Dim>& period) {
    std::vector<Index<Dim>> coordinates;
    for (std::size_t slot = 0; slot < field.tiles().count(); ++slot)
        coordinates.push_back(field.tiles().coordinate(static_cast<Slot>(slot)));
    refit(field, Tiles<Dim>::from_coordinates(std::move(coordinates), period));
}

// The liquid's velocity at cell centres, from whichever grid of it there is.
template <int Dim>
Result<VectorField<Dim>> centred_velocity(const SceneDescription& scene, const std::filesystem::path& volume) {
    const auto contents = read_vdb_contents(volume);
    if (!contents) return contents.errors();
    const std::string centred = grid_name(scene, "velocity"), staggered = grid_name(scene, "vel");
    auto velocity = optional_grid(contents.value(), centred, [&] { return read_vdb_faces<Dim>(volume, centred); });
    if (!velocity) return std::move(velocity).errors();
    if (velocity.value()) return VectorField<Dim>{std::move(velocity.value()->values.component)};
    auto faces = optional_grid(contents.value(), staggered, [&] { return read_vdb_faces<Dim>(volume, staggered); });
    if (!faces) return std::move(faces).errors();
    if (faces.value()) return collocated(faces.value()->values);
    return Error{.what = "holds no velocity, which whitewater is made of",
                 .remedy = "run the scene again with \"surface\" and \"velocity\" among output.fields",
                 .where = {.file = volume.string()}};
}

template <int Dim>
Result<int> make_whitewater(OpenRun& run, const StageSettings& settings, const StageObserver& observer) {
    const auto start = liquid_scene<Dim>(run.scene);
    if (!start) return start.errors();
    const World<Dim>& world = start.value().world;
    WhitewaterFrames<Dim> frames;
    return for_each_frame(run, settings, observer, {kWhitewaterFolder, "ply"},
                          [&](const std::filesystem::path& volume, const std::filesystem::path& file,
                              const FrameRecord& frame) -> Result<void> {
                              auto phi = read_vdb<Dim>(volume, grid_name(run.scene, "surface"));
                              if (!phi) return std::move(phi).errors();
                              auto velocity = centred_velocity<Dim>(run.scene, volume);
                              if (!velocity) return std::move(velocity).errors();
                              if (world.period != Index<Dim>{}) {
                                  make_periodic(phi.value().values, world.period);
                                  for (Field<float, Dim>& u : velocity.value().component)
                                      make_periodic(u, world.period);
                              }
                              return frames.write(file, run.scene, world, phi.value().values, velocity.value(),
                                                  {.frame = frame.frame, .time = frame.time, .fps = run.manifest.fps});
                          });
}

}  // namespace

Result<int> whitewater_run(const StageSettings& settings, const StageObserver& observer) {
    auto run = open_run(settings, InProgress::refused);
    if (!run) return std::move(run).errors();
    const SceneDescription& scene = run.value().scene;
    if (!scene::uses(scene.method, "whitewater"))
        return run_error(settings, "is a gas, which has no surface to entrain air", "");
    if (!scene.whitewater.is_there())
        return run_error(settings, "has whitewater.amount = 0, which makes none", "add --set whitewater.amount=1");
    return scene.dim == 2 ? make_whitewater<2>(run.value(), settings, observer)
                          : make_whitewater<3>(run.value(), settings, observer);
}

namespace {

// The drops or the whitewater of a frame, from the files in a folder; none where the run has none.
template <class Particles>
Result<Particles> particles_in(const char* folder, const OpenRun& run, const StageSettings& settings,
                               const FrameRecord& frame) {
    const FileRecord* file = file_in(frame, folder);
    Particles particles;
    if (file == nullptr) return particles;
    if (!is_there(settings, *file)) return missing_file(run, settings, *file, frame.frame);
    if (auto read = read_particles<Particles::kDim>(settings.folder / file->path, particles); !read)
        return read.errors();
    return particles;
}

template <int Dim>
Result<int> render_liquid_run(OpenRun& run, const StageSettings& settings, const StageObserver& observer) {
    const auto start = liquid_scene<Dim>(run.scene);
    if (!start) return start.errors();
    const bool no_spray = std::none_of(run.manifest.frames.begin(), run.manifest.frames.end(),
                                       [](const FrameRecord& frame) { return file_in(frame, "particles") != nullptr; });
    if (throws_spray(run.scene) && no_spray)
        log_warning("{} kept no files of spray (output.spray = false): these pictures show none",
                    settings.folder.string());
    return for_each_frame(
        run, settings, observer, {"images", "png"},
        [&](const std::filesystem::path& volume, const std::filesystem::path& file,
            const FrameRecord& frame) -> Result<void> {
            const auto spray = particles_in<Spray<Dim>>("particles", run, settings, frame);
            if (!spray) return spray.errors();
            const auto whitewater = particles_in<Whitewater<Dim>>(kWhitewaterFolder, run, settings, frame);
            if (!whitewater) return whitewater.errors();
            return with_liquid<Dim>(run.scene, start.value().world, volume, [&](const auto& world, auto fields) {
                fields.spray = &spray.value();
                fields.whitewater = &whitewater.value();
                fields.solids = start.value().shown;
                return write_picture(file, run.scene, world, fields, frame.time);
            });
        });
}

// What a gas's picture is made of, read from a volume.
template <int Dim>
struct ReadGas {
    std::vector<Field<float, Dim>> substances{};
    std::vector<FaceField<Dim>> ways{};

    Result<void> read(const SceneDescription& scene, const Domain<Dim>& domain, const std::filesystem::path& volume) {
        for (const scene::GasSubstance& s : scene.substance) {
            auto grid = read_vdb<Dim>(volume, grid_name(scene, s.name));
            if (!grid) return std::move(grid).errors();
            substances.push_back(std::move(grid).value().values);
        }
        for (int set = 0; set < kTextureSets && scene.texture.is_there(); ++set) {
            auto grid = read_vdb_faces<Dim>(volume, texture_grid(set));
            if (!grid) return std::move(grid).errors();
            ways.push_back(std::move(grid).value().values);
        }
        if (const Index<Dim> period = domain.period(); period != Index<Dim>{}) {
            for (Field<float, Dim>& field : substances) make_periodic(field, period);
            for (FaceField<Dim>& way : ways)
                for (Field<float, Dim>& component : way.component) make_periodic(component, period);
        }
        return {};
    }
    GasPictureFields<Dim> fields(const std::optional<Pattern>& pattern, const ShownSolids<Dim>& solids) const {
        GasPictureFields<Dim> list{.pattern = pattern ? &*pattern : nullptr, .solids = solids};
        for (const auto& a : substances) list.substances.push_back(&a);
        for (const FaceField<Dim>& way : ways)
            for (const auto& component : way.component) list.texture.push_back(&component);
        return list;
    }
};

template <int Dim>
Result<int> render_gas_run(OpenRun& run, const StageSettings& settings, const StageObserver& observer) {
    const auto start = gas_scene<Dim>(run.scene);
    if (!start) return start.errors();
    const GasWorld<Dim>& world = start.value().world;
    std::optional<Pattern> pattern;
    if (run.scene.texture.is_there()) {
        auto made = texture_pattern(run.scene);
        if (!made) return std::move(made).errors();
        pattern.emplace(std::move(made).value());
    }
    return for_each_frame(run, settings, observer, {"images", "png"},
                          [&](const std::filesystem::path& volume, const std::filesystem::path& file,
                              const FrameRecord& frame) -> Result<void> {
                              ReadGas<Dim> gas;
                              if (auto read = gas.read(run.scene, world.domain, volume); !read)
                                  return std::move(read).errors();
                              return write_gas_picture<Dim>(file, run.scene, world,
                                                            gas.fields(pattern, start.value().shown), frame.time);
                          });
}

}  // namespace

Result<int> render_run(const StageSettings& settings, const StageObserver& observer) {
    auto run = open_run(settings, InProgress::allowed);
    if (!run) return std::move(run).errors();
    const SceneDescription& scene = run.value().scene;
    if (scene::row(scene.method).phase == scene::Phase::gas)
        return scene.dim == 2 ? render_gas_run<2>(run.value(), settings, observer)
                              : render_gas_run<3>(run.value(), settings, observer);
    return scene.dim == 2 ? render_liquid_run<2>(run.value(), settings, observer)
                          : render_liquid_run<3>(run.value(), settings, observer);
}

Result<int> film_run(const StageSettings& settings) {
    auto run = open_run(settings, InProgress::refused);
    if (!run) return std::move(run).errors();
    Manifest& manifest = run.value().manifest;
    const auto has_picture = [](const FrameRecord& frame) {
        return std::any_of(frame.files.begin(), frame.files.end(),
                           [](const FileRecord& file) { return file.path.starts_with("images/"); });
    };
    if (std::count_if(manifest.frames.begin(), manifest.frames.end(), has_picture) < 2)
        return run_error(settings, "holds no pictures to make a film of",
                         fmt::format("make them first: spindrift render {}", settings.folder.string()));
    if (auto made = make_film(settings.folder, manifest, film_fps(run.value().scene)); !made)
        return std::move(made).errors();
    if (auto listed = write_manifest(settings.folder, manifest); !listed) return std::move(listed).errors();
    return 1;
}

}  // namespace spindrift
