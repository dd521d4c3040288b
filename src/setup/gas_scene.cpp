// SPDX-License-Identifier: Apache-2.0
#include "setup/gas_scene.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scene/shape_extent.h"
#include "setup/field_function.h"
#include "setup/scene_domain.h"
#include "setup/scene_forces.h"
#include "setup/scene_solids.h"
#include "setup/scene_sources.h"
#include "setup/texture_pattern.h"

namespace spindrift {
namespace {

bool is_finite(double value) { return std::isfinite(value); }
bool is_finite(const Vec<double, 3>& v) { return is_finite(v[0]) && is_finite(v[1]) && is_finite(v[2]); }

template <int Dim>
void check_inside(Errors& errors, const SceneDescription& scene, const std::string& path, const scene::Shape& shape) {
    const auto box = extent(shape, Dim);
    if (!box) return;
    for (int a = 0; a < Dim; ++a) {
        const double lo = scene.domain.origin[a], hi = lo + scene.domain.size[a];
        if (box->hi[a] > lo && box->lo[a] < hi) continue;
        errors.add({.what = fmt::format("{} lies outside the domain: {:.4g} to {:.4g} m along {}, the domain {:.4g} to "
                                        "{:.4g} m",
                                        path, box->lo[a], box->hi[a], "xyz"[a], lo, hi),
                    .remedy = "move it inside, or make the domain larger",
                    .where = place_of(scene, path)});
        return;
    }
}

// Neither beside the box, as a plane may be, nor between cells, as something small may be, at any time.  Cells on the
// rim, up to half a cell away, take their share.
template <int Dim>
void check_reaches_a_cell(Errors& errors, const SceneDescription& scene, const std::string& path,
                          const Domain<Dim>& domain, const GasSource<Dim>& source, bool moves) {
    constexpr int kMoments = 32;  // of one that moves
    const double on = std::min(source.end, end_time(scene)) - source.start;
    bool reached = false;
    for (int k = 0; k < (moves ? kMoments : 1) && !reached; ++k) {
        const double time = source.start + on * k / kMoments;
        for_each_index(domain.box, [&](const Index<Dim>& cell) {
            if (!reached) reached = source.distance(domain.grid.world_of_centre(cell), time) < 0.5 * domain.grid.dx;
        });
    }
    if (!reached)
        errors.add({.what = path + " reaches the centre of no cell of the domain: it would give nothing",
                    .remedy = "make it larger, move it inside, or raise domain.resolution",
                    .where = place_of(scene, path)});
}

template <int Dim>
WallValue<Dim> wall_of(const scene::WallValue& from) {
    using Kind = scene::WallValueKind;
    WallValue<Dim> wall;
    wall.kind = from.kind == Kind::fixed  ? WallValueKind::fixed
                : from.kind == Kind::flux ? WallValueKind::flux
                                          : WallValueKind::insulated;
    wall.value = field_function<Dim>(from.value);
    wall.is_uniform = !from.value.varies_in_space();
    return wall;
}

// What a substance does at each side and solid that has something of its own to say of it.
template <int Dim>
void add_walls(Substance<Dim>& substance, const SceneDescription& scene) {
    const auto own = [&](const std::optional<scene::WallValues>& walls) -> const scene::WallValue* {
        if (!walls) return nullptr;
        const auto found = walls->of.find(substance.name);
        return found == walls->of.end() ? nullptr : &found->second;
    };
    for (int a = 0; a < Dim; ++a)
        for (const bool upper : {false, true})
            if (const scene::WallValue* wall = own(scene.domain.sides.at(a, upper).wall_values))
                substance.at_sides[static_cast<std::size_t>(a)][upper ? 1 : 0] = wall_of<Dim>(*wall);
    bool any = false;
    for (const scene::Solid& solid : scene.solid) {
        const scene::WallValue* wall = own(solid.wall_values);
        substance.at_solids.push_back(wall != nullptr ? wall_of<Dim>(*wall) : WallValue<Dim>{});
        any |= wall != nullptr;
    }
    if (!any) substance.at_solids.clear();
}

// What a gas asks of solids.
template <int Dim>
void add_solids(GasWorld<Dim>& world, const SceneDescription& scene, const SolidSet<Dim>& solids) {
    using Place = Vec<double, Dim>;
    if (solids.empty()) return;
    world.named_solids = named_solids(solids);
    world.solids.distance = [solids](const Place& x, double t) { return solids.distance(x, t); };
    if (std::ranges::any_of(scene.solid, [](const scene::Solid& s) { return s.wall_values.has_value(); }))
        world.solids.nearest = [solids](const Place& x, double t) { return static_cast<int>(solids.at(t).owner(x)); };
    const SlipOfSolids<Dim> slip = slip_of(solids);
    world.solids.slip = slip.all;
    world.solids.slips_at = slip.at;
    world.solids_move = !solids.movers().empty();
    if (world.solids_move)
        world.solids.velocity = [solids](const Place& x, double t) { return solids.at(t).velocity(x); };
}

template <int Dim>
void add_substance(GasWorld<Dim>& world, Errors& errors, const SceneDescription& scene, std::size_t number) {
    const scene::GasSubstance& from = scene.substance[number];
    Substance<Dim>& s = world.substances.emplace_back();
    s.name = from.name;
    s.diffusion = from.diffusion;
    s.dissipation = from.dissipation;
    s.ambient = from.ambient;
    s.at_walls = from.wall_value;
    add_walls(s, scene);
    s.buoyancy = from.buoyancy;
    s.expansion = from.expansion;
    const auto fixed = [&](const char* name, const std::optional<FieldValue>& value) {
        std::function<double(const Vec<double, Dim>&)> out;
        if (!value) return out;
        check_finite<Dim>(errors, scene, fmt::format("substance[{}].{}", number, name), world.domain, *value);
        out = [v = *value](const Vec<double, Dim>& x) { return v.at(in_space(x), 0); };
        return out;
    };
    s.ambient_at = fixed("ambient_profile", from.ambient_profile);
    s.at_start = fixed("initial", from.initial);
}

template <int Dim>
void add_source(GasWorld<Dim>& world, Errors& errors, const SceneDescription& scene, std::size_t number) {
    const scene::Source& from = scene.source[number];
    const std::string path = fmt::format("source[{}]", number);
    const std::size_t errors_before = errors.size();
    const bool moves = from.motion.is_there();
    if (!moves) check_inside<Dim>(errors, scene, path, from.shape);
    GasSource<Dim>& source = world.sources.emplace_back(GasSource<Dim>{scene_source<Dim>(errors, scene, number)});
    if (errors.size() == errors_before) check_reaches_a_cell(errors, scene, path, world.domain, source, moves);
    source.substance = substance_number(scene, from.substance);
    // Cells on the rim ask as well.
    const auto check_inside_it = [&](const char* name, const auto& value) {
        check_finite<Dim>(errors, scene, path + name, world.domain, [&](const Vec<double, 3>& x) {
            return source.distance(components<Dim>(x), source.start) >= 0.5 * world.domain.grid.dx ||
                   is_finite(value.at(x, source.start));
        });
    };
    if (from.rate) {
        check_inside_it(".rate", *from.rate);
        source.rate = field_function<Dim>(*from.rate);
    }
    if (from.value) {
        check_inside_it(".value", *from.value);
        source.value = field_function<Dim>(*from.value);
    }
    if (const FieldVector none; scene.places.of.contains(path + ".velocity") || !(from.velocity == none))
        check_inside_it(".velocity", from.velocity);
    else
        source.velocity = nullptr;
}

}  // namespace

template <int Dim>
Result<GasScene<Dim>> gas_scene(const SceneDescription& scene) {
    Errors errors;
    GasScene<Dim> out;
    GasWorld<Dim>& world = out.world;
    Domain<Dim>& domain = world.domain;
    domain = scene_domain<Dim>(scene);
    // The outermost layer of cells below an open upper side is air at rest pressure.  A box of one cell would be
    // nothing else, so this layer lies beyond it.
    for (int a = 0; a < Dim; ++a)
        if (domain.box.hi[a] == 1 && domain.side(a, true).kind == SideKind::open) domain.box.hi[a] = 2;
    for (int a = 0; a < Dim; ++a)
        for (const bool upper : {false, true})
            check_finite<Dim>(errors, scene,
                              fmt::format("domain.sides.{}.velocity", side_name(a, upper, scene.domain.up)), domain,
                              scene.domain.sides.at(a, upper).velocity);
    world.viscosity = scene.gas.viscosity;
    world.density = scene.gas.density;
    world.up_axis = up_axis(scene);
    const SolidSet<Dim> solids = scene_solids<Dim>(errors, scene);
    add_solids(world, scene, solids);
    out.shown = shown_solids(scene, solids);
    for (std::size_t i = 0; i < scene.substance.size(); ++i) add_substance(world, errors, scene, i);
    for (std::size_t i = 0; i < scene.source.size(); ++i) add_source(world, errors, scene, i);
    world.forces = scene_forces(errors, scene, domain);

    if (const FieldVector none; !(scene.gas.velocity == none)) {
        check_finite<Dim>(errors, scene, "gas.velocity", domain, scene.gas.velocity);
        world.velocity_at_start = [v = scene.gas.velocity](const Vec<double, Dim>& x) {
            return components<Dim>(v.at(in_space(x), 0));
        };
    }
    if (scene.texture.is_there()) world.texture_period = scene.texture.period;
    if (scene.texture.image)
        if (auto pattern = texture_pattern(scene); !pattern) errors.add(std::move(pattern).errors());
    if (!errors.empty()) return errors;
    return out;
}

GasSettings gas_settings(const SceneDescription& scene) {
    const scene::Gas& from = scene.gas;
    const bool house = scene.method == scene::Method::gas;
    const scene::GasAdvection carrying =
        from.advection.value_or(house ? scene::GasAdvection::cubic : scene::GasAdvection::semi_lagrangian);
    GasSettings out;
    out.trace_rule = from.tracing == scene::GasTracing::adaptive ? TraceRule::adaptive : TraceRule::midpoint;
    out.scheme = carrying == scene::GasAdvection::cubic        ? AdvectionScheme::cubic
                 : carrying == scene::GasAdvection::maccormack ? AdvectionScheme::maccormack
                                                               : AdvectionScheme::semi_lagrangian;
    out.splitting = house ? Splitting::second_order : Splitting::first_order;
    out.vorticity = from.vorticity_confinement.value_or(0);
    out.solver = from.solver == scene::GasSolver::automatic   ? PressureSolver::automatic
                 : from.solver == scene::GasSolver::multigrid ? PressureSolver::multigrid
                                                              : PressureSolver::fourier;
    out.pressure_tolerance = from.pressure_tolerance;
    out.cfl = from.cfl;
    if (from.sparse) out.sparse_threshold = from.threshold;
    return out;
}

template Result<GasScene<2>> gas_scene(const SceneDescription&);
template Result<GasScene<3>> gas_scene(const SceneDescription&);

}  // namespace spindrift
