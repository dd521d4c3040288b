// SPDX-License-Identifier: Apache-2.0
#include "gas/stable_fluids_1999.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/profile.h"
#include "gas/amounts.h"
#include "gas/forces.h"
#include "gas/sparse_tiles.h"
#include "gas/texture.h"
#include "grid/measure.h"
#include "grid/refit.h"
#include "schemes/diffusion.h"
#include "schemes/divergence.h"
#include "schemes/solid_forces.h"
#include "schemes/step_report.h"

namespace spindrift {
namespace {

template <int Dim>
GhostSide<Dim> wall_end(const WallValue<Dim>& wall, double time) {
    if (wall.kind != WallValueKind::fixed) return {GhostRule::even, 0, {}};
    if (wall.is_uniform) return {GhostRule::odd, static_cast<float>(wall.at({}, time)), {}};
    return {GhostRule::odd, 0, [&wall, time](const Vec<double, Dim>& x) { return wall.at(x, time); }};
}

template <int Dim>
FieldLayout<Dim> substance_layout(const Domain<Dim>& domain, const Substance<Dim>& s, double time) {
    FieldLayout<Dim> layout{.face_axis = -1, .box = domain.box, .grid = domain.grid, .sides = {}};
    for (int a = 0; a < Dim; ++a)
        for (const bool above : {false, true}) {
            const DomainSide<Dim>& side = domain.side(a, above);
            GhostSide<Dim>& end = layout.sides[static_cast<std::size_t>(a)][above ? 1 : 0];
            const bool is_inflow = side.kind == SideKind::prescribed && side.velocity && !side.is_lid;
            const bool comes_in = side.kind == SideKind::open || is_inflow;
            const auto& own = s.at_sides[static_cast<std::size_t>(a)][above ? 1 : 0];
            if (side.kind == SideKind::periodic)
                end.rule = GhostRule::none;
            else if (is_wall(side) && own)
                end = wall_end(*own, time);
            else if (comes_in)
                end = {GhostRule::constant, static_cast<float>(s.ambient), {}};
            else if (s.at_walls)
                end = {GhostRule::odd, static_cast<float>(*s.at_walls), {}};
            else
                end.rule = GhostRule::even;
        }
    return layout;
}

template <int Dim>
DiffusionWalls<Dim> substance_walls(const Substance<Dim>& s, double time) {
    DiffusionWalls<Dim> walls{.slip = true, .solids = s.at_solids, .time = time};
    for (std::size_t a = 0; a < Dim; ++a)
        for (std::size_t end = 0; end < 2; ++end)
            if (const auto& side = s.at_sides[a][end]; side && side->kind == WallValueKind::flux)
                walls.flux[a][end] = &*side;
    return walls;
}

// Neither has divergence, so it has none.
template <int Dim>
FaceField<Dim> mean(const FaceField<Dim>& a, const FaceField<Dim>& b) {
    FaceField<Dim> between;
    for (int axis = 0; axis < Dim; ++axis) {
        between[axis] = Field<float, Dim>::unfilled(a.tiles_ptr());
        for_each_tile(a.tiles(), [&](Slot slot) {
            const float *x = a[axis].tile(slot), *y = b[axis].tile(slot);
            float* to = between[axis].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) to[n] = 0.5F * (x[n] + y[n]);
        });
    }
    return between;
}

}  // namespace

template <int Dim>
struct StableFluids1999<Dim>::Work {
    GasWorld<Dim> world;
    GasSettings settings;
    std::vector<FieldLayout<Dim>> layouts;  // of the substances
    FieldLayout<Dim> texture_ends{};
    DomainBoundary<Dim> boundary{};
    double boundary_time = 0;  // when solids are where it has them
    DomainProjection<Dim> projection{};
    PoissonSolver<Dim> solver{};
    SolveReport before_step{.converged = true};  // of projections since the last step
    Field<float, Dim> balance{};  // the part of the step's pressure that balances forces, as GasState::pressure

    // Brings the boundary to the tiles of the gas, and moving solids to the time.
    void prepare(const GasState<Dim>& gas, double time) {
        if (boundary.tiles == gas.tiles_ptr() && (!world.solids_move || boundary_time == time)) return;
        refit(boundary, gas.tiles_ptr(), world.solids, time);
        boundary_time = time;
        projection.forget();
    }
    // Moves solids on.  What is advected out of places that they leave is what was beside it.
    void move_solids(GasState<Dim>& gas, double time) {
        for (Field<float, Dim>& a : gas.substances) extrapolate_into_solids(a, boundary);
        for (Field<float, Dim>& way : gas.texture) extrapolate_into_solids(way, boundary);
        prepare(gas, time);
    }
    std::optional<Field<float, Dim>> wanted_divergence(const GasState<Dim>& gas) const;
    std::optional<Field<float, Dim>> wanted_outflow(const GasState<Dim>& gas) const;

    // The four steps of the velocity, and of a substance.
    void vstep(GasState<Dim>& gas, double dt, StepReport& report);
    void vstep_second_order(GasState<Dim>& gas, const FaceField<Dim>& before, double dt, StepReport& report);
    void sstep(GasState<Dim>& gas, const FaceField<Dim>& advecting, double flow_time, double dt, StepReport& report);

    bool is_pushed(const GasState<Dim>& gas, double dt) const;
    void push(GasState<Dim>& gas, double dt, StepReport& report);
    void project(GasState<Dim>& gas, Field<float, Dim>& q, double time, const Field<float, Dim>* wanted_outflow,
                 StepReport& report);
    void transport(GasState<Dim>& gas, const FaceField<Dim>& velocity, double time, double dt) const;
    void diffuse_substance(GasState<Dim>& gas, std::size_t s, double dt, StepReport& report);

    std::vector<SolidForce> forces_on_solids(const GasState<Dim>& gas, double dt) const;

    double cell_volume() const { return std::pow(world.domain.grid.dx, Dim); }
    Amount amount_of(const GasState<Dim>& gas, std::size_t s) const {
        return amount(gas.substances[s], world.substances[s].ambient, boundary);
    }
    void recount(GasState<Dim>& gas) const;
};

template <int Dim>
StableFluids1999<Dim>::StableFluids1999(GasWorld<Dim> world, GasSettings settings) : work_(std::make_unique<Work>()) {
    work_->world = std::move(world);
    work_->settings = settings;
    work_->texture_ends = texture_layout(work_->world.domain);
    const bool diffuses = std::ranges::any_of(work_->world.substances, [](const auto& s) { return s.diffusion > 0; });
    work_->boundary = make_boundary(work_->world.domain, work_->world.solids,
                                    {.friction = work_->world.viscosity > 0, .diffusion = diffuses});
}
template <int Dim>
StableFluids1999<Dim>::~StableFluids1999() = default;
template <int Dim>
StableFluids1999<Dim>::StableFluids1999(StableFluids1999&&) noexcept = default;

template <int Dim>
const GasWorld<Dim>& StableFluids1999<Dim>::world() const {
    return work_->world;
}
template <int Dim>
const GasSettings& StableFluids1999<Dim>::settings() const {
    return work_->settings;
}
template <int Dim>
std::vector<Force<Dim>>& StableFluids1999<Dim>::forces() {
    return work_->world.forces;
}
template <int Dim>
std::vector<GasSource<Dim>>& StableFluids1999<Dim>::sources() {
    return work_->world.sources;
}

template <int Dim>
GasState<Dim> StableFluids1999<Dim>::initial_state() const {
    const GasWorld<Dim>& w = work_->world;
    const GridTransform<Dim>& grid = w.domain.grid;
    const TilesPtr<Dim> tiles = w.domain.all_tiles();
    GasState<Dim> gas;
    gas.velocity = FaceField<Dim>(tiles);
    gas.pressure = Field<float, Dim>(tiles);
    if (w.velocity_at_start)
        for (int axis = 0; axis < Dim; ++axis)
            assign(gas.velocity[axis], [&](const Index<Dim>& cell) {
                return static_cast<float>(w.velocity_at_start(grid.world_of_face(axis, cell))[axis]);
            });
    for (const Substance<Dim>& s : w.substances) {
        Field<float, Dim>& a = gas.substances.emplace_back(tiles, static_cast<float>(s.ambient));
        if (s.at_start)
            assign(a, [&](const Index<Dim>& cell) {
                return static_cast<float>(w.domain.box.contains(cell) ? s.at_start(grid.world_of_centre(cell))
                                                                      : s.ambient);
            });
    }
    if (w.texture_period) gas.texture = texture_at_rest(tiles);
    if (work_->settings.sparse_threshold) refit_to_smoke(gas, w, *work_->settings.sparse_threshold);
    if (w.velocity_at_start) {
        take_out_divergence(gas);
    } else {
        work_->prepare(gas, 0);
        set_wall_velocity(gas.velocity, work_->boundary, 0);
    }
    gas.amounts.resize(gas.substances.size());
    work_->recount(gas);
    return gas;
}

template <int Dim>
void StableFluids1999<Dim>::recount(GasState<Dim>& gas) const {
    work_->prepare(gas, gas.time);
    work_->recount(gas);
}

template <int Dim>
void StableFluids1999<Dim>::take_out_divergence(GasState<Dim>& gas) const {
    work_->prepare(gas, gas.time);
    set_wall_velocity(gas.velocity, work_->boundary, gas.time);
    Field<float, Dim> taken_out(gas.tiles_ptr());
    const DomainProjectionReport projected = work_->projection.project(
        gas.velocity, taken_out, work_->boundary, nullptr, work_->settings.solver, work_->settings.pressure_tolerance);
    merge(work_->before_step, projected.solve);
}

template <int Dim>
double StableFluids1999<Dim>::stable_dt(const GasState<Dim>& gas) const {
    if (!work_->settings.cfl) return std::numeric_limits<double>::infinity();
    double fastest = 0;
    for (int a = 0; a < Dim; ++a) fastest = std::max(fastest, double{max_abs(gas.velocity[a])});
    return *work_->settings.cfl * work_->world.domain.grid.dx / fastest;
}

template <int Dim>
StepReport StableFluids1999<Dim>::step(GasState<Dim>& gas, double dt) {
    Work& w = *work_;
    StepReport report{.dt = dt};
    const SolveReport before_step = std::exchange(w.before_step, {.converged = true});
    if (!before_step.converged) merge(report.pressure, before_step);
    {
        const ProfileScope scope("tiles");
        const TilesPtr<Dim> before = gas.tiles_ptr();
        if (w.settings.sparse_threshold) refit_to_smoke(gas, w.world, *w.settings.sparse_threshold);
        w.prepare(gas, gas.time);
        // What was left in tiles that have gone has left.
        if (gas.tiles_ptr() != before) w.recount(gas);
    }

    // [Stam99] §3.1: the velocity first, then all that it advects.
    if (w.settings.splitting == Splitting::first_order) {
        w.vstep(gas, dt, report);
        w.sstep(gas, gas.velocity, gas.time + dt, dt, report);
    } else {
        const FaceField<Dim> before = gas.velocity;
        w.vstep_second_order(gas, before, dt, report);
        w.sstep(gas, mean(before, gas.velocity), gas.time + 0.5 * dt, dt, report);
    }

    gas.time += dt;
    ++gas.step;
    report.solids = w.forces_on_solids(gas, dt);
    report.tiles = gas.tiles().count();
    for (int a = 0; a < Dim; ++a) report.max_speed = std::max(report.max_speed, double{max_abs(gas.velocity[a])});
    report.failure = failure_of(report);
    if (report.failure.empty() &&
        !std::ranges::all_of(gas.amounts, [](const AmountLedger& a) { return std::isfinite(a.found); }))
        report.failure = "a substance is not finite";
    return report;
}

template <int Dim>
std::vector<SolidForce> StableFluids1999<Dim>::Work::forces_on_solids(const GasState<Dim>& gas, double dt) const {
    if (world.named_solids.names.empty() || !boundary.has_solids()) return {};
    Field<float, Dim> pressure(gas.tiles_ptr());
    const auto scale = static_cast<float>(world.domain.grid.dx / dt);
    for_each_tile(gas.tiles(), [&](Slot slot) {
        const float *bends = gas.pressure.tile(slot), *balances = balance.tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) pressure.tile(slot)[n] = scale * (bends[n] + balances[n]);
    });
    std::vector<SolidForce> forces = solid_forces<Dim>(world.named_solids, gas.velocity, pressure, boundary.level,
                                                       boundary, {world.density, world.viscosity, gas.time});
    for (std::size_t s = 0; s < gas.substances.size(); ++s) {
        const Substance<Dim>& substance = world.substances[s];
        if (substance.at_solids.empty() || !(substance.diffusion > 0)) continue;
        const std::vector<double> fluxes =
            solid_fluxes<Dim>(world.named_solids, gas.substances[s], boundary.level, boundary,
                              substance_walls(substance, gas.time), substance.diffusion);
        for (std::size_t n = 0; n < forces.size(); ++n) forces[n].fluxes.push_back({substance.name, fluxes[n]});
    }
    return forces;
}

// Whether anything changes the velocity in a step of dt that begins now, but for the gas itself.
template <int Dim>
bool StableFluids1999<Dim>::Work::is_pushed(const GasState<Dim>& gas, double dt) const {
    const auto rises = [](const Substance<Dim>& s) { return s.buoyancy != 0; };
    const auto acts = [&](const Force<Dim>& f) { return f.acts({gas.time, gas.time + dt}); };
    const auto drives = [&](const GasSource<Dim>& s) { return s.velocity && s.is_on(gas.time); };
    return settings.vorticity != 0 || std::ranges::any_of(world.substances, rises) ||
           std::ranges::any_of(world.forces, acts) || std::ranges::any_of(world.sources, drives);
}

// Forces, without the part that is a gradient: pressure balances that part at once, so that it moves nothing.  Left
// to the projection at the end of the step, it would first move whatever the step advects.
template <int Dim>
void StableFluids1999<Dim>::Work::push(GasState<Dim>& gas, double dt, StepReport& report) {
    const bool pushed = is_pushed(gas, dt);
    // What has flowed out so far is what was wanted; past cut faces, what the last projection left off their centres.
    std::optional<Field<float, Dim>> wanted;
    {
        const ProfileScope scope("forces");
        if (pushed && !boundary.cut.empty())
            wanted = outflow<Dim>(gas.velocity, boundary.level, boundary, boundary.plain);
        add_sources(gas, world, boundary, dt);
        add_forces(gas.velocity, gas, world, dt);
        confine_vorticity(gas.velocity, boundary, gas.time, settings.vorticity, dt);
        set_wall_velocity(gas.velocity, boundary, gas.time);
    }
    balance = Field<float, Dim>(gas.tiles_ptr());
    if (!pushed) return;
    if (!wanted) wanted = wanted_outflow(gas);
    project(gas, balance, gas.time, wanted ? &*wanted : nullptr, report);
}

template <int Dim>
void StableFluids1999<Dim>::Work::project(GasState<Dim>& gas, Field<float, Dim>& q, double time,
                                          const Field<float, Dim>* wanted, StepReport& report) {
    const ProfileScope scope("pressure");
    const DomainProjectionReport projected =
        projection.project(gas.velocity, q, boundary, wanted, settings.solver, settings.pressure_tolerance);
    set_wall_velocity(gas.velocity, boundary, time);
    merge(report.pressure, projected.solve);
    report.divergence = projected.divergence;
    report.cells = projected.cells;
    report.direct = projected.direct;
}

// w0 → add force → w1 → advect → w2 → diffuse → w3 → project → w4   [Stam99] §2.2;  w1 is projected as well.
template <int Dim>
void StableFluids1999<Dim>::Work::vstep(GasState<Dim>& gas, double dt, StepReport& report) {
    const Domain<Dim>& domain = world.domain;
    const double after = gas.time + dt;
    FaceField<Dim>& w = gas.velocity;
    push(gas, dt, report);
    {
        const ProfileScope scope("advection");
        w = advected<Dim>(w, advected_velocity_layouts(domain, gas.time), {w, domain, gas.time}, dt,
                          {settings.trace_rule, settings.scheme});
        move_solids(gas, after);
        set_wall_velocity(w, boundary, after);
    }
    {
        const ProfileScope scope("diffusion");
        for (int a = 0; a < Dim; ++a)
            merge(report.viscosity, diffuse(w[a], velocity_layout(domain, a, after), boundary,
                                            {.slip = world.solids.slip}, world.viscosity, dt, solver));
    }
    const auto wanted = wanted_outflow(gas);
    project(gas, gas.pressure, after, wanted ? &*wanted : nullptr, report);
    gas.pressure_dt = dt;
}

// The same terms, but pressure and friction act on the gas along all of its path: for a part 1 − θ of the step where it
// comes from, with the pressure of the last step, and for the rest where it arrives  [SpiegelmanKatz06].  What is then
// left to project is the pressure's change [VanKan86].
//   w1 = w0 + dt Pf + (1 − θ) dt (ν∇²w0 − ∇p),  w2 = w1 advected by w½,  (1 − θ dt ν∇²) w3 = w2 − θ dt ∇p,  w4 = w3 −
//   ∇q
// p is what bends the flow, without what balances f, which P has taken out; w½ is w1 with half of dt Pf.
// With first-order splitting each step of a swirl advects it straight on and lets the pressure bend it back, at the
// cost of its energy  [Zehnder18].
template <int Dim>
void StableFluids1999<Dim>::Work::vstep_second_order(GasState<Dim>& gas, const FaceField<Dim>& before, double dt,
                                                     StepReport& report) {
    const Domain<Dim>& domain = world.domain;
    const double after = gas.time + dt, theta = implicit_part<Dim>(world.viscosity, dt, domain.grid.dx);
    const double same_pressure = gas.pressure_dt > 0 ? dt / gas.pressure_dt : 0;
    const bool slip = world.solids.slip;
    // What forces change in the step, and half of that for the velocity in its middle.
    const bool pushed = is_pushed(gas, dt);
    push(gas, dt, report);
    FaceField<Dim> push_of_step = std::exchange(gas.velocity, before);
    FaceField<Dim>& w = gas.velocity;
    if (pushed) add_scaled(push_of_step, before, -1);
    {
        const ProfileScope scope("diffusion");
        for (int a = 0; a < Dim; ++a)
            add_diffusion(w[a], velocity_layout(domain, a, gas.time), boundary, {.slip = slip}, world.viscosity,
                          (1 - theta) * dt);
        subtract_gradient<Dim>(w, gas.pressure, boundary.level, boundary.open,
                               {.part = static_cast<float>((1 - theta) * same_pressure), .plain = boundary.plain});
        if (pushed) add_scaled(w, push_of_step, 0.5);
        set_wall_velocity(w, boundary, gas.time);
        for (int a = 0; a < Dim; ++a)
            follow_walls(w[a], velocity_layout(domain, a, gas.time), boundary, {.slip = slip});
    }
    {
        const ProfileScope scope("advection");
        // The advecting velocity is that in the middle of the step; first order in dt is enough for that.  Beyond open
        // sides it is as on them: the still air that comes in has been drawn up to that speed by then.  At rest
        // there, it would advect nothing in after a long step, and the gas on the side would go on as fast as it is,
        // or faster, with nothing to slow it down.
        const double middle = gas.time + 0.5 * dt;
        const AdvectionSettings<Dim> half_way{
            settings.trace_rule == TraceRule::midpoint ? TraceRule::first_order : settings.trace_rule,
            settings.scheme == AdvectionScheme::cubic ? AdvectionScheme::cubic : AdvectionScheme::semi_lagrangian};
        FaceField<Dim> advecting =
            advected<Dim>(w, velocity_layouts(domain, gas.time), {before, domain, gas.time}, 0.5 * dt, half_way);
        set_wall_velocity(advecting, boundary, middle);
        if (pushed) add_scaled(w, push_of_step, 0.5);
        w = advected<Dim>(w, advected_velocity_layouts(domain, middle), {advecting, domain, middle}, dt,
                          {settings.trace_rule, settings.scheme});
        move_solids(gas, after);
        set_wall_velocity(w, boundary, after);
    }
    {
        const ProfileScope scope("diffusion");
        subtract_gradient<Dim>(w, gas.pressure, boundary.level, boundary.open,
                               {.part = static_cast<float>(theta * same_pressure), .plain = boundary.plain});
        for (int a = 0; a < Dim; ++a)
            merge(report.viscosity, diffuse(w[a], velocity_layout(domain, a, after), boundary, {.slip = slip},
                                            world.viscosity, theta * dt, solver));
    }
    Field<float, Dim> change(gas.tiles_ptr());
    const auto wanted = wanted_outflow(gas);
    project(gas, change, after, wanted ? &*wanted : nullptr, report);
    const auto same = static_cast<float>(same_pressure);
    for_each_tile(gas.tiles(), [&](Slot slot) {
        float* p = gas.pressure.tile(slot);
        const float* more = change.tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) p[n] = same * p[n] + more[n];
    });
    gas.pressure_dt = dt;
    extrapolate_into_slivers(gas.pressure, boundary);
    // Cells that a solid leaves begin with the pressure beside them: from none at all, the next step would push the gas
    // there to and fro, and the solid's friction take some of that up.
    if (world.solids_move) extrapolate_into_solids(gas.pressure, boundary);
}

// Sources were added with the forces; advect, diffuse, dissipate.  [Stam99] §2.3
template <int Dim>
void StableFluids1999<Dim>::Work::sstep(GasState<Dim>& gas, const FaceField<Dim>& advecting, double flow_time,
                                        double dt, StepReport& report) {
    const ProfileScope scope("substances");
    layouts.clear();
    for (const Substance<Dim>& s : world.substances)
        layouts.push_back(substance_layout(world.domain, s, gas.time + dt));
    if (!gas.texture.empty()) return_texture(gas.texture, gas.time, gas.time + dt, *world.texture_period);
    transport(gas, advecting, flow_time, dt);
    for (std::size_t s = 0; s < gas.substances.size(); ++s) {
        const Substance<Dim>& substance = world.substances[s];
        diffuse_substance(gas, s, dt, report);
        Field<float, Dim>& a = gas.substances[s];
        const auto kept = static_cast<float>(1 / (1 + dt * substance.dissipation));
        const auto ambient = static_cast<float>(substance.ambient);
        const bool clears = boundary.has_solids() || !boundary.fills_box || substance.dissipation > 0;
        for_each_tile(a.tiles(), [&](Slot slot) {
            float* values = a.tile(slot);
            if (substance.dissipation > 0)
                for (int n = 0; n < kTileCells<Dim>; ++n) values[n] = ambient + kept * (values[n] - ambient);
            if (!clears && boundary.plain[static_cast<std::size_t>(slot)] != 0) return;
            for (int n = 0; n < kTileCells<Dim>; ++n)
                if (boundary.cells.tile(slot)[n] == static_cast<std::uint8_t>(CellKind::wall)) values[n] = ambient;
        });
        AmountLedger& ledger = gas.amounts[s];
        ledger.expected *= double{kept};
        const Amount left = amount_of(gas, s);
        ledger.found = left.net * cell_volume();
        ledger.largest = std::max(ledger.largest, left.absolute * cell_volume());
    }
}

// Advection that keeps the amount of each substance, but for what leaves and what swells.
template <int Dim>
void StableFluids1999<Dim>::Work::transport(GasState<Dim>& gas, const FaceField<Dim>& velocity, double time,
                                            double dt) const {
    if (gas.substances.empty() && gas.texture.empty()) return;
    const Flow<Dim> flow(velocity, world.domain, time);
    const auto successors = [](const std::vector<Field<float, Dim>>& fields) {
        std::vector<Field<float, Dim>> fields_after;
        for (const Field<float, Dim>& a : fields)
            fields_after.push_back(Field<float, Dim>::unfilled(a.tiles_ptr(), a.background()));
        return fields_after;
    };
    std::vector<Field<float, Dim>> next = successors(gas.substances), moved = successors(gas.texture);
    std::vector<AdvectionLimits<Dim>> limits(gas.substances.size());
    std::vector<AdvectedField<Dim>> list;
    for (std::size_t s = 0; s < gas.substances.size(); ++s) {
        for (Field<float, Dim>* field : {&limits[s].least, &limits[s].most, &limits[s].missing})
            *field = Field<float, Dim>::unfilled(gas.tiles_ptr());
        list.push_back({.from = &gas.substances[s],
                        .to = &next[s],
                        .layout = &layouts[s],
                        .limits = &limits[s],
                        .ambient = static_cast<float>(world.substances[s].ambient)});
    }
    for (std::size_t n = 0; n < gas.texture.size(); ++n)
        list.push_back({&gas.texture[n], &moved[n], &texture_ends, static_cast<int>(n) % Dim});
    advect<Dim>(list, flow, dt, {settings.trace_rule, settings.scheme});

    const std::optional<Field<float, Dim>> expansion = wanted_divergence(gas);
    for (std::size_t s = 0; s < gas.substances.size(); ++s) {
        const double ambient = world.substances[s].ambient;
        AmountLedger& ledger = gas.amounts[s];
        ledger.expected -= cell_volume() *
                           outflow(limits[s].left, gas.substances[s], ambient, velocity, boundary, dt, settings.scheme);
        if (expansion)
            ledger.expected +=
                cell_volume() * add_swelling(limits[s].missing, next[s], ambient, *expansion, boundary, dt);
        keep_amount(next[s], limits[s], ledger.expected / cell_volume(), ambient, boundary);
    }
    gas.substances = std::move(next);
    gas.texture = std::move(moved);
}

template <int Dim>
void StableFluids1999<Dim>::Work::diffuse_substance(GasState<Dim>& gas, std::size_t s, double dt, StepReport& report) {
    const Substance<Dim>& substance = world.substances[s];
    if (substance.diffusion == 0) return;
    const DiffusionWalls<Dim> walls = substance_walls(substance, gas.time + dt);
    // What goes through walls and beyond the tiles is known only from what is left; solids cut cells to size there.
    bool exchanges = !boundary.fills_box || boundary.has_solids();
    for (std::size_t axis = 0; axis < Dim; ++axis)
        for (std::size_t end = 0; end < 2; ++end) {
            const GhostRule how = layouts[s].sides[axis][end].rule;
            exchanges |= how == GhostRule::constant || how == GhostRule::odd || walls.flux[axis][end] != nullptr;
        }
    const double before = exchanges ? amount_of(gas, s).net : 0;
    merge(report.diffusion, diffuse(gas.substances[s], layouts[s], boundary, walls, substance.diffusion, dt, solver));
    if (exchanges) gas.amounts[s].expected += (amount_of(gas, s).net - before) * cell_volume();
}

// Takes what there is now as what there should be, but for the error that there was before.
template <int Dim>
void StableFluids1999<Dim>::Work::recount(GasState<Dim>& gas) const {
    for (std::size_t s = 0; s < gas.substances.size(); ++s) {
        const Amount now = amount_of(gas, s);
        AmountLedger& ledger = gas.amounts[s];
        ledger.expected += now.net * cell_volume() - ledger.found;
        ledger.found = now.net * cell_volume();
        ledger.largest = std::max(ledger.largest, now.absolute * cell_volume());
    }
}

template <int Dim>
std::optional<Field<float, Dim>> StableFluids1999<Dim>::Work::wanted_divergence(const GasState<Dim>& gas) const {
    std::optional<Field<float, Dim>> wanted;
    for (std::size_t s = 0; s < world.substances.size(); ++s) {
        const Substance<Dim>& substance = world.substances[s];
        if (substance.expansion == 0) continue;
        if (!wanted) wanted.emplace(gas.tiles_ptr());
        for_each_tile(gas.tiles(), [&](Slot slot) {
            for (int n = 0; n < kTileCells<Dim>; ++n)
                wanted->tile(slot)[n] += static_cast<float>(
                    substance.expansion * (double{gas.substances[s].tile(slot)[n]} - substance.ambient));
        });
    }
    return wanted;
}

// What should flow out of each cell through the centres of its faces: what swells, less what flows through cut faces
// off their centres.
template <int Dim>
std::optional<Field<float, Dim>> StableFluids1999<Dim>::Work::wanted_outflow(const GasState<Dim>& gas) const {
    std::optional<Field<float, Dim>> wanted = wanted_divergence(gas);
    if (wanted) {
        const auto dx = static_cast<float>(world.domain.grid.dx);
        for_each_tile(gas.tiles(), [&](Slot slot) {
            const float* level = boundary.level.tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) wanted->tile(slot)[n] *= level[n] < 0 ? dx : 0.0F;
        });
    }
    if (boundary.cut.empty()) return wanted;
    if (!wanted) wanted.emplace(gas.tiles_ptr());
    allow_for_cut_faces(*wanted, gas.velocity, boundary.level, boundary.wall_velocity, boundary.cut);
    return wanted;
}

template class StableFluids1999<2>;
template class StableFluids1999<3>;

}  // namespace spindrift
