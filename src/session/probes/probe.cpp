// SPDX-License-Identifier: Apache-2.0
// Probes read the state at the end of a step.
//
// Values at a point are interpolated between cells that hold fluid; where some of the cells around it do not, as beside
// walls, solids and the surface, a linear function is fitted to those that do, so that a hydrostatic pressure is exact
// up to the wall.  Fluxes are sums over a grid of points half a cell apart.
#include "session/probes/probe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "grid/sampler.h"
#include "scene/checks.h"
#include "scene/methods.h"
#include "scene/write_scene.h"
#include "session/probes/totals.h"

namespace spindrift {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

bool is_periodic(const SceneDescription& scene, int axis) {
    return scene.domain.sides.at(axis, false).kind == scene::SideKind::periodic;
}

// A simulation as probes see it.
template <int Dim>
class Meter {
  public:
    Meter(const SceneDescription& scene, const Simulation& simulation)
        : scene_(scene), fields_(simulation.fields()), time_(simulation.time()) {
        fluid_.grid = {.origin = components<Dim>(scene.domain.origin), .dx = cell_size(scene)};
        const Vec<int, 3> cells = cell_counts(scene);
        for (int a = 0; a < Dim; ++a) {
            fluid_.domain.hi[a] = cells[a];
            fluid_.open[static_cast<std::size_t>(a)][1] = scene.domain.sides.at(a, true).kind == scene::SideKind::open;
        }
        fluid_.velocity = find_field<FaceField<Dim>>(fields_, "velocity");
        fluid_.surface = find_field<Field<float, Dim>>(fields_, "surface");
        if (auto distance = simulation.solid_distance())
            fluid_.solid_distance = [distance = std::move(distance)](const Vec<double, Dim>& x) {
                return distance(in_space(x));
            };
    }

    const FluidFields<Dim>& fluid() const { return fluid_; }
    double time() const { return time_; }
    double dx() const { return fluid_.grid.dx; }

    Vec<double, Dim> velocity(const Vec<double, Dim>& place) const {
        Vec<double, Dim> u;
        for (int a = 0; a < Dim; ++a) u[a] = component(a, fluid_.grid.cell_from_world(place));
        return u;
    }
    // The part of a small region around a place that is fluid, by the distances to surface and solids.
    double fluid_part(const Vec<double, Dim>& place, double width) const {
        double part = 1;
        if (fluid_.surface != nullptr) part = std::clamp(0.5 - phi(place) / width, 0.0, 1.0);
        if (part > 0 && fluid_.solid_distance) part *= std::clamp(0.5 + fluid_.solid_distance(place) / width, 0.0, 1.0);
        return part;
    }
    double phi(const Vec<double, Dim>& place) const {
        LinearSampler<Dim> sample(*fluid_.surface);
        Vec<double, Dim> at = fluid_.grid.cell_from_world(place);
        for (int a = 0; a < Dim; ++a)
            if (!is_periodic(scene_, a)) at[a] = std::clamp(at[a], 0.5, fluid_.domain.hi[a] - 0.5);
        return double{sample(Vec<float, Dim>(at))};
    }

    // A field at cell centres, in its unit.
    double value(std::string_view name, const Vec<double, Dim>& place) const {
        for (const FieldView& view : fields_)
            if (view.name == name)
                if (const auto* values = std::get_if<const Field<float, Dim>*>(&view.values))
                    return view.scale * interpolated(**values, place);
        return kNothing;
    }

    double cell_value(std::string_view name, const Index<Dim>& cell) const {
        const auto* field = find_field<Field<float, Dim>>(fields_, name);
        return field == nullptr ? kNothing : double{field->at(cell)};
    }

  private:
    // Within half a cell of a wall there is no velocity point beyond: there the flow slips, or falls linearly to rest.
    double component(int a, Vec<double, Dim> at) const {
        double part = 1;
        for (int b = 0; b < Dim; ++b) {
            if (b == a || is_periodic(scene_, b)) continue;
            const double inside = std::clamp(at[b], 0.5, fluid_.domain.hi[b] - 0.5);
            if (scene_.domain.sides.at(b, at[b] > inside).kind == scene::SideKind::no_slip)
                part *= 1 - 2 * std::abs(at[b] - inside);
            at[b] = inside;
        }
        LinearSampler<Dim> sample((*fluid_.velocity)[a], face_centre<Dim>(a));
        return part * double{sample(Vec<float, Dim>(at))};
    }
    bool holds_fluid(const Index<Dim>& cell) const {
        for (int a = 0; a < Dim; ++a)
            if (!is_periodic(scene_, a) && (cell[a] < 0 || cell[a] >= fluid_.domain.hi[a])) return false;
        if (fluid_.surface != nullptr && !(fluid_.surface->at(cell) < 0)) return false;
        return !fluid_.solid_distance || fluid_.solid_distance(fluid_.grid.world_of_centre(cell)) > 0;
    }

    double interpolated(const Field<float, Dim>& field, const Vec<double, Dim>& place) const {
        const Vec<double, Dim> at = fluid_.grid.cell_from_world(place);
        Index<Dim> first;
        for (int a = 0; a < Dim; ++a) first[a] = static_cast<int>(std::floor(at[a] - 0.5));
        bool all = true;
        for_each_index(IndexBox<Dim>{first, first + Index<Dim>(2)},
                       [&](const Index<Dim>& cell) { all = all && holds_fluid(cell); });
        if (!all) return fitted(field, at, first);
        LinearSampler<Dim> sample(field);
        return double{sample(Vec<float, Dim>(at))};
    }

    // The linear function nearest to the cells around that hold fluid, least squares; their mean where they are too
    // few.
    double fitted(const Field<float, Dim>& field, const Vec<double, Dim>& at, const Index<Dim>& first) const {
        constexpr int kUnknowns = Dim + 1;
        std::array<std::array<double, kUnknowns + 1>, kUnknowns> m{};
        int cells = 0;
        for_each_index(IndexBox<Dim>{first - Index<Dim>(1), first + Index<Dim>(3)}, [&](const Index<Dim>& cell) {
            if (!holds_fluid(cell)) return;
            ++cells;
            std::array<double, kUnknowns + 1> row{1};
            double away = 0;
            for (int a = 0; a < Dim; ++a) {
                row[static_cast<std::size_t>(a) + 1] = cell[a] + 0.5 - at[a];
                away += std::pow(cell[a] + 0.5 - at[a], 2);
            }
            row[kUnknowns] = double{field.at(cell)};
            const double weight = 1 / (1 + away * away);
            for (std::size_t i = 0; i < kUnknowns; ++i)
                for (std::size_t j = 0; j <= kUnknowns; ++j) m[i][j] += weight * row[i] * row[j];
        });
        if (cells == 0) return kNothing;
        const double mean = m[0][kUnknowns] / m[0][0];
        for (std::size_t i = 0; i < kUnknowns; ++i) {
            if (!(m[i][i] > 1e-9 * m[0][0])) return mean;  // all in a line or plane
            for (std::size_t k = i + 1; k < kUnknowns; ++k) {
                const double f = m[k][i] / m[i][i];
                for (std::size_t j = i; j <= kUnknowns; ++j) m[k][j] -= f * m[i][j];
            }
        }
        std::array<double, kUnknowns> solution{};
        for (std::size_t i = kUnknowns; i-- > 0;) {
            double rest = m[i][kUnknowns];
            for (std::size_t j = i + 1; j < kUnknowns; ++j) rest -= m[i][j] * solution[j];
            solution[i] = rest / m[i][i];
        }
        return solution[0];
    }

    const SceneDescription& scene_;
    std::vector<FieldView> fields_;
    double time_;
    FluidFields<Dim> fluid_{};
};

std::vector<std::string> substances(const SceneDescription& scene) {
    std::vector<std::string> names;
    if (scene::uses(scene.method, "substance"))
        for (const scene::GasSubstance& s : scene.substance) names.push_back(s.name);
    return names;
}

double density(const SceneDescription& scene) {
    return scene::uses(scene.method, "fluid") ? scene.fluid.density : scene.gas.density;
}

// Columns and measurement of each kind.
template <int Dim>
struct ProbeMaker {
    const SceneDescription& scene;
    Probe& probe;

    // "kg m/s" in 3D, "kg m/s/m" in 2D, where all is per metre of depth.
    static std::string extensive(const std::string& unit) { return Dim == 3 ? unit : unit + "/m"; }
    void column(std::string name, std::string unit) const {
        probe.columns.push_back({std::move(name), std::move(unit)});
    }
    void vector_columns(const std::string& name, const std::string& unit) const {
        for (int a = 0; a < Dim; ++a) column(fmt::format("{}_{}", name, "xyz"[a]), unit);
    }
    template <class F>
    void measure(F&& f) const {
        probe.measure = [scene = scene, f](const Simulation& simulation, const StepReport&) {
            return f(Meter<Dim>(scene, simulation));
        };
    }
    // f(solid, add) adds the values of the columns.  Empty before the first step, whose forces are not known.
    template <class F>
    void measure_solid(const std::string& name, F&& f) const {
        probe.measure = [name, f, count = probe.columns.size()](const Simulation&, const StepReport& step) {
            const auto solid = std::find_if(step.solids.begin(), step.solids.end(),
                                            [&](const SolidForce& s) { return s.name == name; });
            if (solid == step.solids.end()) return std::vector<double>(count, kNothing);
            std::vector<double> row;
            f(*solid, row);
            return row;
        };
    }

    void operator()(const scene::PointProbe& point) const {
        vector_columns("velocity", "m/s");
        column("pressure", "Pa");
        for (const std::string& name : substances(scene)) column(name, "");
        measure([at = components<Dim>(point.position), names = substances(scene), dim = Dim](const Meter<Dim>& meter) {
            if (!(meter.fluid_part(at, 1e-6 * meter.dx()) > 0))
                return std::vector<double>(static_cast<std::size_t>(dim) + 1 + names.size(), kNothing);
            std::vector<double> row;
            const Vec<double, Dim> u = meter.velocity(at);
            for (int a = 0; a < Dim; ++a) row.push_back(u[a]);
            row.push_back(meter.value("pressure", at));
            for (const std::string& name : names) row.push_back(meter.value(name, at));
            return row;
        });
    }

    void operator()(const scene::HeightProbe& line) const {
        column("height", "m");
        measure([from = components<Dim>(line.from), to = components<Dim>(line.to)](const Meter<Dim>& meter) {
            const double all = length(to - from);
            const int steps = std::max(1, static_cast<int>(std::ceil(4 * all / meter.dx())));
            double height = 0, before = meter.phi(from);
            for (int k = 1; k <= steps; ++k) {
                const double here = meter.phi(from + (to - from) * (static_cast<double>(k) / steps));
                if (before < 0 && here >= 0) height = all / steps * (k - 1 + before / (before - here));
                before = here;
            }
            return std::vector<double>{before < 0 ? all : height};
        });
    }

    void operator()(const scene::FluxProbe& flux) const {
        column("volume_flux", Dim == 3 ? "m3/s" : "m2/s");
        for (const std::string& name : substances(scene)) column(name + "_flux", Dim == 3 ? "m3/s" : "m2/s");
        Vec<double, Dim> lo = components<Dim>(flux.min), hi = components<Dim>(flux.max);
        int axis = 0;
        for (int a = 0; a < Dim; ++a)
            if (lo[a] == hi[a]) axis = a;
        // The last faces of the domain may lie on no tile.
        const double last = scene.domain.origin[axis] + scene.domain.size[axis] - cell_size(scene);
        if (!is_periodic(scene, axis)) lo[axis] = hi[axis] = std::min(lo[axis], last);
        measure([lo, hi, axis, names = substances(scene)](const Meter<Dim>& meter) {
            Index<Dim> counts(1);
            double area = 1, width = 0;
            for (int a = 0; a < Dim; ++a) {
                if (a == axis) continue;
                counts[a] = std::max(1, static_cast<int>(std::ceil(2 * (hi[a] - lo[a]) / meter.dx() - 1e-6)));
                area *= (hi[a] - lo[a]) / counts[a];
                width = std::max(width, (hi[a] - lo[a]) / counts[a]);
            }
            std::vector<double> row(1 + names.size());
            for_each_index(IndexBox<Dim>{Index<Dim>(0), counts}, [&](const Index<Dim>& k) {
                Vec<double, Dim> at = lo;
                for (int a = 0; a < Dim; ++a)
                    if (a != axis) at[a] += (k[a] + 0.5) / counts[a] * (hi[a] - lo[a]);
                const double part = meter.fluid_part(at, width);
                if (!(part > 0)) return;
                const double flow = meter.velocity(at)[axis] * area * part;
                row[0] += flow;
                for (std::size_t s = 0; s < names.size(); ++s)
                    if (const double a = meter.value(names[s], at); std::isfinite(a)) row[s + 1] += flow * a;
            });
            return row;
        });
    }

    void operator()(const scene::ForceProbe& probed) const {
        for (const std::string part : {"", "viscous_"}) {
            vector_columns(part + "force", extensive("N"));
            for (int a = 3 - FluidTotals<Dim>::kTurns; a < 3; ++a)
                column(fmt::format("{}torque_{}", part, "xyz"[a]), extensive("N m"));
        }
        measure_solid(probed.solid, [](const SolidForce& solid, std::vector<double>& row) {
            const auto add = [&](const Vec<double, 3>& force, const Vec<double, 3>& torque) {
                for (int a = 0; a < Dim; ++a) row.push_back(force[a]);
                for (int a = 3 - FluidTotals<Dim>::kTurns; a < 3; ++a) row.push_back(torque[a]);
            };
            add(solid.force(), solid.torque());
            add(solid.viscous, solid.viscous_torque);
        });
    }

    void operator()(const scene::WallFluxProbe& wall) const {
        column(wall.substance + "_flux", Dim == 3 ? "m3/s" : "m2/s");
        // A solid that gives neither value nor flux is insulated.
        if (wall.solid)
            return measure_solid(*wall.solid,
                                 [name = wall.substance](const SolidForce& solid, std::vector<double>& row) {
                                     row.push_back(0);
                                     for (const SubstanceFlux& f : solid.fluxes)
                                         if (f.substance == name) row[0] = f.flux;
                                 });
        const NamedSide side = *side_of_name(*wall.side, Dim, scene.domain.up);
        const auto substance = std::find_if(scene.substance.begin(), scene.substance.end(),
                                            [&](const scene::GasSubstance& s) { return s.name == wall.substance; });
        // What holds there: a value, a flux, or nothing goes through.
        std::optional<scene::WallValue> given;
        if (substance->wall_value)
            given = scene::WallValue{.kind = scene::WallValueKind::fixed, .value = FieldValue{*substance->wall_value}};
        if (const auto& values = scene.domain.sides.at(side.axis, side.upper).wall_values)
            if (const auto found = values->of.find(wall.substance); found != values->of.end()) given = found->second;
        measure([side, given, name = wall.substance, diffusion = substance->diffusion](const Meter<Dim>& meter) {
            if (!given || given->kind == scene::WallValueKind::insulated) return std::vector<double>{0.0};
            const double dx = meter.dx();
            double area = 1, sum = 0;
            for (int a = 1; a < Dim; ++a) area *= dx;
            IndexBox<Dim> layer = meter.fluid().domain;
            if (side.upper)
                layer.lo[side.axis] = layer.hi[side.axis] - 1;
            else
                layer.hi[side.axis] = layer.lo[side.axis] + 1;
            for_each_index(layer, [&](const Index<Dim>& cell) {
                Vec<double, 3> place = in_space(meter.fluid().grid.world_of_centre(cell));
                place[side.axis] += side.upper ? 0.5 * dx : -0.5 * dx;
                const double at_wall = given->value.at(place, meter.time());
                if (given->kind == scene::WallValueKind::flux) {
                    sum += at_wall * area;
                    return;
                }
                // The slope at the wall of the parabola through it and two cells, of second order.
                const double near = meter.cell_value(name, cell);
                const double next = meter.cell_value(name, cell + unit<Dim>(side.axis) * (side.upper ? -1 : 1));
                sum += diffusion * (8 * at_wall - 9 * near + next) / (3 * dx) * area;
            });
            return std::vector<double>{sum};
        });
    }

    void operator()(const scene::TotalProbe& total) const {
        column("volume", Dim == 3 ? "m3" : "m2");
        column("mass", extensive("kg"));
        column("kinetic_energy", extensive("J"));
        column("potential_energy", extensive("J"));
        vector_columns("momentum", extensive("kg m/s"));
        for (int a = 3 - FluidTotals<Dim>::kTurns; a < 3; ++a)
            column(fmt::format("angular_momentum_{}", "xyz"[a]), extensive("kg m2/s"));
        vector_columns("centre_of_mass", "m");
        column("enstrophy", Dim == 3 ? "m3/s2" : "m2/s2");
        const Vec<double, Dim> about = components<Dim>(total.about.value_or(Vec<double, 3>{}));
        const bool has_weight = scene::uses(scene.method, "gravity");
        measure([about, has_weight, rho = density(scene), scene = scene](const Meter<Dim>& meter) {
            const FluidTotals<Dim> t = fluid_totals(meter.fluid(), about);
            const Vec<double, 3> g = has_weight ? gravity_at(scene, meter.time()) : Vec<double, 3>{};
            double potential = 0;
            for (int a = 0; a < Dim; ++a) potential -= rho * g[a] * t.first_moment[a];
            std::vector<double> row{t.volume, rho * t.volume, 0.5 * rho * t.squared_speed, potential};
            for (int a = 0; a < Dim; ++a) row.push_back(rho * t.momentum[a]);
            for (int a = 0; a < FluidTotals<Dim>::kTurns; ++a) row.push_back(rho * t.angular_momentum[a]);
            for (int a = 0; a < Dim; ++a) row.push_back(t.volume > 0 ? t.first_moment[a] / t.volume : kNothing);
            row.push_back(t.enstrophy);
            return row;
        });
    }
};

}  // namespace

std::vector<Probe> make_probes(const SceneDescription& scene) {
    std::vector<Probe> probes;
    for (const scene::Probe& one : scene.probe) {
        SceneDescription alone;
        alone.dim = scene.dim;
        alone.probe = {one};
        Probe& probe = probes.emplace_back();
        probe.name = one.name;
        probe.text = canonical_text(alone);
        probe.rate = one.rate;
        if (scene.dim == 2)
            std::visit(ProbeMaker<2>{scene, probe}, one.kind);
        else
            std::visit(ProbeMaker<3>{scene, probe}, one.kind);
    }
    return probes;
}

}  // namespace spindrift
