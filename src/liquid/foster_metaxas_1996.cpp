// SPDX-License-Identifier: Apache-2.0
// The algorithm of [FM96 §6]:
//
//   3. determine cell contents from the surface        6. perform the pressure iteration for all full cells
//   4. set boundary conditions                         7. recalculate boundary velocities of surface cells
//   5. compute ũ for all cells of liquid               8. update the position of the surface
#include "liquid/foster_metaxas_1996.h"

#include <algorithm>
#include <cmath>

#include "base/profile.h"
#include "grid/sampler.h"
#include "schemes/cell_boundary.h"
#include "schemes/explicit_step.h"
#include "surface/level_set.h"

namespace spindrift {
namespace {

// Cells on each side of the surface in which φ is a distance.
constexpr int kBand = 3;

// Walls within this many cells of liquid show it as going on in them, where they hide it.
constexpr int kBehindWalls = 2;

// Cells of walls get the mean of their neighbours that are known, layer by layer.
template <int Dim>
void extend_into_walls(Dense<double, Dim>& part, const CellFlow<Dim>& flow) {
    Dense<std::uint8_t, Dim> known(flow.kind.box());
    for_each_cell(flow.kind.box(), [&](const Index<Dim>& cell) {
        known[cell] = flow.box.contains(cell) && !is_wall(flow.kind[cell]) ? 1 : 0;
    });
    for (int layer = 0; layer < kBehindWalls; ++layer) {
        Dense<std::uint8_t, Dim> next = known;
        for_each_cell(flow.kind.box(), [&](const Index<Dim>& cell) {
            if (known[cell] != 0) return;
            double sum = 0;
            int count = 0;
            for_each_index<Dim>({Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& step) {
                const Index<Dim> beside = cell + step;
                if (!known.box().contains(beside) || known[beside] == 0) return;
                sum += part[beside];
                ++count;
            });
            if (count == 0) return;
            part[cell] = sum / count;
            next[cell] = 1;
        });
        known = next;
    }
}

template <int Dim>
double cell_volume(double dx) {
    return std::pow(dx, Dim);
}

}  // namespace

template <int Dim>
FosterMetaxas1996<Dim>::FosterMetaxas1996(FosterMetaxasWorld<Dim> scene, FosterMetaxasSettings settings)
    : scene_(std::move(scene)), settings_(settings), standing_(scene_.world.domain.expanded(1), CellContent::empty) {
    const World<Dim>& w = scene_.world;
    for_each_index(standing_.box(), [&](const Index<Dim>& cell) {
        const Vec<double, Dim> place = w.grid.world_of_centre(cell);
        const bool is_solid = w.solid_distance && w.solid_distance(place) < 0;
        const bool slips = w.solid_slips_at ? w.solid_slips_at(place, 0) : w.solid_slip;
        if (is_solid) standing_[cell] = slips ? CellContent::solid : CellContent::no_slip;
    });
    for (const LiquidSource<Dim>& source : w.sources) {
        Dense<std::uint8_t, Dim>& inside = in_source_.emplace_back();
        if (source.motion) continue;
        inside = Dense<std::uint8_t, Dim>(standing_.box());
        for_each_index(w.domain, [&](const Index<Dim>& cell) {
            inside[cell] = source.distance(w.grid.world_of_centre(cell), 0) < 0 ? 1 : 0;
        });
    }
}

// What is not liquid at this time; all else empty.
template <int Dim>
void FosterMetaxas1996<Dim>::place_boundaries(CellFlow<Dim>& flow, double time) const {
    const World<Dim>& w = scene_.world;
    flow.kind = standing_;
    for_each_index(flow.kind.box(), [&](const Index<Dim>& cell) {
        CellContent& kind = flow.kind[cell];
        if (flow.box.contains(cell)) {
            for (std::size_t s = 0; s < w.sources.size() && kind == CellContent::empty; ++s) {
                const LiquidSource<Dim>& source = w.sources[s];
                if (!source.is_on(time)) continue;
                const bool inside = in_source_[s].empty() ? source.distance(w.grid.world_of_centre(cell), time) < 0
                                                          : in_source_[s][cell] != 0;
                if (inside) kind = CellContent::inflow;
            }
            return;
        }
        // Edges and corners of the layer are walls.
        int beyond = 0, axis = 0;
        for (int a = 0; a < Dim; ++a)
            if (cell[a] < flow.box.lo[a] || cell[a] >= flow.box.hi[a]) ++beyond, axis = a;
        const std::size_t upper = cell[axis] >= flow.box.hi[axis] ? 1 : 0;
        const CellSide<Dim>& side = scene_.sides[static_cast<std::size_t>(axis)][upper];
        const bool is_no_slip = side.kind == CellContent::no_slip;
        if (beyond > 1) {
            kind = is_no_slip ? CellContent::no_slip : CellContent::solid;
        } else if (side.kind == CellContent::inflow) {
            const bool is_below = !side.level || w.grid.world_of_centre(cell)[scene_.up] < side.level(time);
            kind = time >= side.outflow_after ? CellContent::outflow
                   : is_below                 ? CellContent::inflow
                                              : CellContent::solid;
        } else if (kind == CellContent::empty || side.kind != CellContent::outflow) {
            kind = side.kind;  // a solid goes on beyond an open side
        }
    });
}

template <int Dim>
double FosterMetaxas1996<Dim>::inflow_velocity(int axis, const Index<Dim>& face, double time) const {
    const World<Dim>& w = scene_.world;
    const Vec<double, Dim> place = w.grid.world_of_face(axis, face);
    const bool at_lower = face[axis] == w.domain.lo[axis], at_upper = face[axis] == w.domain.hi[axis];
    if (at_lower || at_upper) {
        const CellSide<Dim>& side = scene_.sides[static_cast<std::size_t>(axis)][at_upper ? 1 : 0];
        if (side.kind == CellContent::inflow) return side.velocity(place, time)[axis];
    }
    const LiquidSource<Dim>* nearest = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const LiquidSource<Dim>& source : w.sources) {
        if (!source.is_on(time)) continue;
        const double distance = source.distance(place, time);
        if (distance < least) least = distance, nearest = &source;
    }
    return nearest != nullptr ? nearest->velocity(place, time)[axis] : 0;
}

template <int Dim>
CellFlow<Dim> FosterMetaxas1996<Dim>::flow_of(const LiquidState<Dim>& liquid, const Markers<Dim>& markers) const {
    CellFlow<Dim> flow(scene_.world.domain, scene_.world.grid.dx);
    place_boundaries(flow, liquid.time);
    for (int a = 0; a < Dim; ++a) copy(flow.velocity[static_cast<std::size_t>(a)], liquid.velocity[a]);
    copy(flow.pressure, liquid.pressure);
    label_cells(flow, markers);
    return flow;
}

template <int Dim>
void FosterMetaxas1996<Dim>::start(LiquidState<Dim>& liquid, Markers<Dim>& markers,
                                   const std::function<double(const Vec<double, Dim>&)>& distance,
                                   const std::function<Vec<double, Dim>(const Vec<double, Dim>&)>& velocity) const {
    const World<Dim>& w = scene_.world;
    // The upper faces of the box belong to the cells beyond.
    const TilesPtr<Dim> tiles = Tiles<Dim>::covering({w.domain.lo, w.domain.hi + Index<Dim>(1)});
    liquid.phi = Field<float, Dim>(tiles, static_cast<float>(kBand * w.grid.dx));
    liquid.velocity = FaceField<Dim>(tiles);
    liquid.pressure = Field<float, Dim>(tiles);
    CellFlow<Dim> flow(w.domain, w.grid.dx);
    place_boundaries(flow, 0);
    seed(markers, flow, w.grid, settings_.markers_across, distance);
    const double volume = label_cells(flow, markers);
    for (int axis = 0; axis < Dim; ++axis)
        for_each_index(w.domain, [&](const Index<Dim>& face) {
            const std::ptrdiff_t n = flow.kind.offset(face);
            if (is_liquid(flow.kind[n]) || is_liquid(flow.kind[n - flow.kind.stride(axis)]))
                liquid.velocity[axis].ref(face) = static_cast<float>(velocity(w.grid.world_of_face(axis, face))[axis]);
        });
    liquid.ledger.initial = volume * cell_volume<Dim>(w.grid.dx);
    find_surface(liquid, markers);
}

template <int Dim>
double FosterMetaxas1996<Dim>::largest_inflow(const CellFlow<Dim>& flow, double time) const {
    double most = 0;
    for (int a = 0; a < Dim; ++a)
        for_each_index(flow.faces(a), [&](const Index<Dim>& face) {
            const std::ptrdiff_t n = flow.kind.offset(face);
            if (flow.kind[n] == CellContent::inflow || flow.kind[n - flow.kind.stride(a)] == CellContent::inflow)
                most = std::max(most, std::abs(inflow_velocity(a, face, time)));
        });
    return most;
}

template <int Dim>
StepLimit FosterMetaxas1996<Dim>::step_limit(const LiquidState<Dim>& liquid, const Markers<Dim>& markers) const {
    const World<Dim>& w = scene_.world;
    const CellFlow<Dim> flow = flow_of(liquid, markers);
    const double speed = fastest_face(flow), inflow = largest_inflow(flow, liquid.time), dx = w.grid.dx;
    const double viscosity = w.viscosity / w.density;
    // Gravity adds to the speed during the step itself: v dt + g dt² = courant dx.
    const double pull = length(w.gravity(liquid.time)), reach = settings_.courant * dx;
    const double fastest = std::max(speed, inflow), root = std::sqrt(fastest * fastest + 4 * pull * reach);
    StepLimit limit{kLongestStep, "what changes in time by itself"};
    const auto shorten = [&](double dt, std::string_view cause) {
        if (dt < limit.dt) limit = {dt, cause};
    };
    if (fastest + root > 0)
        shorten(2 * reach / (fastest + root), 4 * pull * reach > fastest * fastest ? "gravity"
                                              : inflow > speed                     ? "the speed of an inflow"
                                                                                   : "the speed of the liquid");
    shorten(explicit_dt(0, viscosity, dx, Dim, settings_.courant), "viscosity, which is explicit");
    // Waves of the shortest length follow gravity explicitly: see ParticleLevelSet2002::step_limit.
    if (pull > 0) shorten(std::sqrt(dx / pull), "gravity (the shortest waves, at this cell size)");
    return limit;
}

template <int Dim>
StepReport FosterMetaxas1996<Dim>::step(LiquidState<Dim>& liquid, Markers<Dim>& markers, double dt) const {
    const World<Dim>& w = scene_.world;
    const double time = liquid.time;
    StepReport report{.dt = dt};
    const auto inflow = [&](int axis, const Index<Dim>& face) { return inflow_velocity(axis, face, time); };

    // 3, 4: cell contents, then boundary conditions from these alone.
    CellFlow<Dim> flow = [&] {
        const ProfileScope scope("boundaries");
        CellFlow<Dim> labelled = flow_of(liquid, markers);
        set_air_pressure(labelled);
        set_closed_faces<Dim>(labelled, inflow);
        set_surface_faces(labelled);
        set_faces_beyond(labelled);
        return labelled;
    }();

    // 5: equation (2).
    {
        const ProfileScope scope("explicit step");
        advance_explicitly(flow, w.gravity(time), w.viscosity / w.density, settings_.donor_cell, dt);
        set_outflow_faces(flow);
    }

    // 6, 7: no divergence in full cells, then in surface cells.
    {
        const ProfileScope scope("pressure");
        const CellPressureReport solved = solve_cell_pressure(flow, dt, settings_.pressure);
        report.pressure = solved.solve;
        report.divergence = solved.divergence;
        liquid.ledger.overflowed += solved.overflow * dt;
        set_surface_faces(flow);
        set_faces_beyond(flow);
    }
    report.max_speed = fastest_face(flow);
    if (!std::isfinite(report.max_speed)) {
        report.failure = "a velocity is not finite";
        return report;
    }

    // 8: the surface.
    {
        const ProfileScope scope("markers");
        const double cell = cell_volume<Dim>(w.grid.dx);
        const MarkerReport moved_on = move(markers, flow, dt);
        const int per_cell = static_cast<int>(std::lround(std::pow(settings_.markers_across, Dim)));
        const MarkerReport put_in = emit(markers, flow, dt, per_cell, settings_.markers_per_second, settings_.seed,
                                         static_cast<std::uint32_t>(liquid.step));
        liquid.ledger.flowed_out += moved_on.flowed_out * cell;
        liquid.ledger.flowed_in += put_in.flowed_in * cell;
        report.seeded = put_in.added;
        report.removed = moved_on.removed;
    }
    for (int a = 0; a < Dim; ++a) copy(liquid.velocity[a], flow.velocity[static_cast<std::size_t>(a)]);
    copy(liquid.pressure, flow.pressure);
    liquid.time += dt;
    ++liquid.step;

    const StepReport now = measured(liquid, markers);
    report.cells = now.cells;
    report.tiles = now.tiles;
    report.particles = now.particles;
    report.volume = now.volume;
    report.volume_error = now.volume_error;
    report.overflowed = now.overflowed;
    return report;
}

template <int Dim>
StepReport FosterMetaxas1996<Dim>::measured(const LiquidState<Dim>& liquid, const Markers<Dim>& markers) const {
    CellFlow<Dim> flow(scene_.world.domain, scene_.world.grid.dx);
    place_boundaries(flow, liquid.time);
    StepReport report{.tiles = liquid.tiles().count(), .particles = markers.count()};
    report.volume = label_cells(flow, markers) * cell_volume<Dim>(flow.dx);
    report.cells = sum_over_cells(flow.box, std::size_t{0}, [&](const Index<Dim>& cell) {
        return is_liquid(flow.kind[cell]) ? std::size_t{1} : std::size_t{0};
    });
    const double expected = liquid.ledger.expected();
    report.volume_error = expected > 0 ? (report.volume - expected) / expected : 0;
    report.overflowed = liquid.ledger.overflowed;
    return report;
}

template <int Dim>
void FosterMetaxas1996<Dim>::find_surface(LiquidState<Dim>& liquid, const Markers<Dim>& markers) const {
    const ProfileScope scope("surface for files");
    const World<Dim>& w = scene_.world;
    const CellFlow<Dim> flow = flow_of(liquid, markers);
    Dense<double, Dim> part = liquid_part(flow, markers);
    extend_into_walls(part, flow);
    const double far = kBand * w.grid.dx;
    assign(liquid.phi, [&](const Index<Dim>& cell) {
        return static_cast<float>(part.box().contains(cell) ? (0.5 - part[cell]) * w.grid.dx : far);
    });
    redistance(liquid.phi, LevelSetGrid<Dim>{w.grid.dx, w.domain, kBand});

    // Markers outside it.
    liquid.spray.clear();
    LinearSampler<Dim> phi(liquid.phi);
    FaceSampler<Dim> velocity(liquid.velocity);
    for (std::size_t n = 0; n < markers.count(); ++n) {
        const Vec<double, Dim> place = markers.place(n) + middle_of(w.domain);
        if (!(phi(Vec<float, Dim>(place)) > 0)) continue;
        const double volume = markers.volumes()[n] * cell_volume<Dim>(w.grid.dx);
        liquid.spray.add({w.grid.world_from_cell(place), Vec<double, Dim>(velocity(Vec<float, Dim>(place))), volume,
                          sphere_radius<Dim>(volume), markers.id[n]});
    }
}

template class FosterMetaxas1996<2>;
template class FosterMetaxas1996<3>;

}  // namespace spindrift
