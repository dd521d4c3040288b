// SPDX-License-Identifier: Apache-2.0
#include "scene/warnings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "base/readable.h"
#include "liquid/step_limit.h"
#include "scene/framing.h"
#include "scene/motion.h"
#include "scene/shape_extent.h"

namespace spindrift {
namespace {

using scene::Vec3;

// Moments of a run at which what varies in time is looked at.
constexpr int kMoments = 256;

class Warnings {
  public:
    explicit Warnings(const SceneDescription& scene) : scene_(scene) {}

    Errors all() {
        liquid();
        grid();
        time();
        gravity();
        for (std::size_t i = 0; i < scene_.liquid.size(); ++i) shape("liquid", i, scene_.liquid[i].shape);
        for (std::size_t i = 0; i < scene_.solid.size(); ++i) shape("solid", i, scene_.solid[i].shape);
        for (std::size_t i = 0; i < scene_.source.size(); ++i) shape("source", i, scene_.source[i].shape);
        for (std::size_t i = 0; i < scene_.liquid.size(); ++i) buried("liquid", i, scene_.liquid[i].shape);
        for (std::size_t i = 0; i < scene_.source.size(); ++i) buried("source", i, scene_.source[i].shape);
        moving_solids();
        thickness_of_liquid();
        viscosity();
        heights();
        winds();
        levels();
        flow();
        output();
        no_effect();
        return std::move(list_);
    }

  private:
    void warn(const std::string& path, std::string what, std::string remedy = "") {
        list_.add({.what = std::move(what), .remedy = std::move(remedy), .where = place_of(scene_, path)});
    }
    static std::string entry(std::string_view list, std::size_t i) { return fmt::format("{}[{}]", list, i); }
    double end() const { return end_time(scene_); }

    void liquid() {
        const auto& sides = scene_.domain.sides.sides;
        const bool flows_in = std::any_of(sides.begin(), sides.end(),
                                          [](const scene::Side& s) { return s.kind == scene::SideKind::inflow; });
        const bool starts = std::any_of(scene_.liquid.begin(), scene_.liquid.end(),
                                        [](const scene::Liquid& l) { return l.op == scene::ShapeOp::add; });
        if (scene::is_gas(scene_.method)) {
            if (scene_.substance.empty() && !scene_.texture.is_there())
                warn("", "the gas carries no substance: there will be nothing to see", "add a [[substance]]");
        } else if (!starts && !flows_in && scene_.source.empty())
            warn("", "there is no liquid in this scene", "add a [[liquid]], a [[source]] or an inflow");
        first_subtracts("liquid", scene_.liquid);
        first_subtracts("solid", scene_.solid);
        for (std::size_t i = 0; i < scene_.source.size(); ++i)
            if (scene_.source[i].start >= end())
                warn(entry("source", i) + ".start",
                     fmt::format("{} starts at {} s, but the run ends at {:.4g} s", entry("source", i),
                                 scene_.source[i].start, end()),
                     "start it earlier or make more frames");
    }
    template <class S>
    void first_subtracts(std::string_view kind, const std::vector<S>& list) {
        if (!list.empty() && list.front().op == scene::ShapeOp::subtract)
            warn(entry(kind, 0) + ".op", fmt::format("{} is cut out of nothing", entry(kind, 0)),
                 "entries apply in order: put what it is cut out of before it");
    }

    void grid() {
        const double dx = cell_size(scene_);
        const Vec<int, 3> cells = cell_counts(scene_);
        for (int axis = 0; axis < scene_.dim; ++axis) {
            const double exact = scene_.domain.size[axis] / dx;
            if (std::abs(exact - cells[axis]) > 0.01)
                warn("domain.size",
                     fmt::format("the box is {:.4g} cells long along {}; {} are used, {:.6g} m instead of "
                                 "{:.6g} m",
                                 exact, "xyz"[axis], cells[axis], cells[axis] * dx, scene_.domain.size[axis]),
                     "make the sides whole multiples of the cell");
            if (cells[axis] < 4)
                warn("domain.size",
                     fmt::format("only {} along {}: too few for anything to flow there",
                                 count_text(cells[axis], "cell"), "xyz"[axis]),
                     "raise domain.resolution, or make the scene 2D");
        }
    }

    void time() {
        if (scene_.time.cfl > 5)
            warn("time.cfl",
                 fmt::format("time.cfl is {}: above 5 splashes lose volume and thin walls may leak", scene_.time.cfl),
                 "3 is a good compromise");
        capillary_steps();
        if (scene_.time.end && std::abs(*scene_.time.end - end()) > 1e-6 * end())
            warn("time.end", fmt::format("the last frame lies at {:.6g} s, not at {:.6g} s", end(), *scene_.time.end));
    }

    // Small cells and much surface tension make short steps.
    void capillary_steps() {
        constexpr double kMany = 10;
        if (scene::is_gas(scene_.method) || scene_.flow.velocity) return;
        const double dx = cell_size(scene_);
        const double dt = capillary_dt(scene_.fluid.density, scene_.fluid.surface_tension, dx);
        const double steps = std::ceil(1 / (scene_.time.fps * dt));
        const std::string needed = fmt::format(
            "surface tension of {:.4g} N/m on cells of {:.3g} m needs time steps of at most {:.2g} s, {} per "
            "frame",
            scene_.fluid.surface_tension, dx, dt, rounded_text(steps));
        if (steps > scene_.time.max_substeps)
            warn("time.max_substeps",
                 fmt::format("{}, more than time.max_substeps = {}: the run will stop in frame 1", needed,
                             scene_.time.max_substeps),
                 "raise time.max_substeps, make the cells larger or lower fluid.surface_tension");
        else if (steps > std::max<double>(kMany, scene_.time.min_substeps.value_or(1)))
            warn(
                "fluid.surface_tension", needed + ": the run takes that much longer",
                "larger cells need fewer; where surface tension does not matter, fluid.surface_tension = 0 needs none");
    }

    void gravity() {
        if (scene::is_gas(scene_.method)) return;  // its substances have their own buoyancy
        const Vec3 g = gravity_at(scene_, 0);
        if (g[up_axis(scene_)] > 0 && !(scene_.gravity.vector && scene_.gravity.vector->varies()))
            warn("gravity", "gravity points up",
                 "a number pulls down when it is positive, a vector when it is negative");
        for (int axis = 0; axis < scene_.dim; ++axis)
            if (g[axis] != 0 && scene_.domain.sides.at(axis, false).kind == scene::SideKind::periodic)
                warn("domain.sides",
                     fmt::format("gravity pulls along {}, where the sides are periodic: the liquid falls "
                                 "for ever",
                                 "xyz"[axis]));
    }

    void shape(std::string_view list, std::size_t i, const scene::Shape& s) {
        const std::string path = entry(list, i);
        const double dx = cell_size(scene_);
        const auto box = extent(s, scene_.dim);
        if (list == "solid" && scene_.solid[i].motion.is_there()) return;  // see moving_solids()
        const bool is_gas_source = scene::is_gas(scene_.method) && list == "source";
        if (const auto axis = box ? axis_outside(*box) : std::nullopt) {
            if (!is_gas_source) outside(path, *box, *axis);  // an error there, told with the others
            return;
        }
        if (std::holds_alternative<scene::Plane>(s) && !is_gas_source && !holds_a_corner(s))
            return warn(path, fmt::format("{} lies outside the domain: its plane passes by", path),
                        "it will have no effect");
        if (list == "solid" && !scene::is_gas(scene_.method)) return;  // see wall_warnings()
        if (list == "liquid") return;                                  // see thickness_of_liquid()
        const auto thin = thickness(s, scene_.dim);
        if (thin && *thin < dx)
            warn(path,
                 fmt::format("{} is {:.4g} m thin, less than a cell ({:.4g} m): it will hardly be seen", path, *thin,
                             dx),
                 "make it thicker or the cells smaller");
    }

    // An axis along which a box does not meet the domain.
    std::optional<int> axis_outside(const Box<double, 3>& box) const {
        const Vec3 lo = scene_.domain.origin, hi = lo + scene_.domain.size;
        for (int axis = 0; axis < scene_.dim; ++axis)
            if (box.hi[axis] <= lo[axis] || box.lo[axis] >= hi[axis]) return axis;
        return std::nullopt;
    }
    void outside(const std::string& path, const Box<double, 3>& box, int axis) {
        const double from = scene_.domain.origin[axis];
        warn(path,
             fmt::format("{} lies outside the domain: {:.4g} to {:.4g} m along {}, the domain {:.4g} to {:.4g} m", path,
                         box.lo[axis], box.hi[axis], "xyz"[axis], from, from + scene_.domain.size[axis]),
             "it will have no effect");
    }
    bool holds_a_corner(const scene::Shape& s) const {
        bool found = false;
        for (int corner = 0; corner < 8; ++corner) {
            Vec3 place = scene_.domain.origin;
            for (int axis = 0; axis < scene_.dim; ++axis)
                place[axis] += (corner >> axis & 1) * scene_.domain.size[axis];
            found = found || holds(s, place);
        }
        return found;
    }

    // Liquid that solids leave no room for, by samples.
    void buried(std::string_view list, std::size_t i, const scene::Shape& s) {
        constexpr int kSamples = 16;
        const auto box = extent(s, scene_.dim);
        const bool is_cut_out = list == "liquid" && scene_.liquid[i].op == scene::ShapeOp::subtract;
        if (!box || scene_.solid.empty() || is_cut_out) return;
        Vec3 lo = scene_.domain.origin, hi = lo + scene_.domain.size;
        for (int axis = 0; axis < scene_.dim; ++axis) {
            lo[axis] = std::max(lo[axis], box->lo[axis]);
            hi[axis] = std::min(hi[axis], box->hi[axis]);
        }
        int inside = 0, free = 0;
        const Index<3> counts{kSamples, kSamples, scene_.dim == 2 ? 1 : kSamples};
        for_each_index<3>({{}, counts}, [&](const Index<3>& k) {
            Vec3 place = lo;
            for (int axis = 0; axis < scene_.dim; ++axis)
                place[axis] += (k[axis] + 0.5) / kSamples * (hi[axis] - lo[axis]);
            if (!holds(s, place)) return;
            ++inside;
            bool solid = false;
            for (const scene::Solid& one : scene_.solid)
                if (holds(one.shape, place)) solid = one.op == scene::ShapeOp::add;
            if (!solid) ++free;
        });
        if (inside > 0 && free == 0)
            warn(entry(list, i), fmt::format("{} lies inside the solids: there is no room for it", entry(list, i)),
                 "move it out, or cut a hollow out of the solid with op = \"subtract\"");
    }

    bool holds(const scene::Shape& s, const Vec3& place) const {
        return contains(s, place, scene_.dim, up_axis(scene_)).value_or(false);
    }

    // Whether some place inside a shape, moved, is held by others: by samples.
    template <class Entry>
    bool meets(const scene::Shape& s, const Box<double, 3>& box, const RigidTransform<3>& to,
               const std::vector<Entry>& others) const {
        constexpr int kSamples = 9;
        const Index<3> counts{kSamples, kSamples, scene_.dim == 2 ? 1 : kSamples};
        bool met = false;
        for_each_index<3>({{}, counts}, [&](const Index<3>& k) {
            Vec3 place = box.lo;
            for (int axis = 0; axis < scene_.dim; ++axis)
                place[axis] += (k[axis] + 0.5) / kSamples * (box.hi[axis] - box.lo[axis]);
            if (met || !holds(s, place)) return;
            for (const Entry& other : others)
                if (holds(other.shape, to.world_from_local(place))) met = other.op == scene::ShapeOp::add;
        });
        return met;
    }

    // A body that moves and already stands in the way of something.
    void moving_solids() {
        for (std::size_t i = 0; i < scene_.solid.size(); ++i) {
            const scene::Solid& solid = scene_.solid[i];
            const auto box = extent(solid.shape, scene_.dim);
            if (!solid.motion.is_there()) continue;
            const Pose<3> pose = pose_in_space(scene_, solid.motion, solid.shape);
            jumps("solid", i, solid.motion, solid.shape);
            if (!box || stays_outside(i, *box, pose)) continue;
            const RigidTransform<3> start = pose.at(0).world_from_body;
            const Box<double, 3> at_start = moved(*box, start);
            const Vec3 lo = scene_.domain.origin, hi = lo + scene_.domain.size;
            for (int axis = 0; axis < scene_.dim; ++axis)
                if (at_start.lo[axis] < lo[axis] || at_start.hi[axis] > hi[axis]) {
                    warn(entry("solid", i),
                         fmt::format("{} moves and starts partly outside the box, along {}: there it only closes the "
                                     "part that is inside",
                                     entry("solid", i), "xyz"[axis]),
                         "move it in, or let it come in from outside on purpose");
                    break;
                }
            if (meets(solid.shape, *box, start, scene_.liquid))
                warn(entry("solid", i),
                     fmt::format("{} moves and starts inside the liquid: the liquid it takes the place of is left out",
                                 entry("solid", i)),
                     "start it above, unless this is meant");
            std::vector<scene::Solid> still = scene_.solid;
            std::erase_if(still, [](const scene::Solid& s) { return s.motion.is_there(); });
            if (meets(solid.shape, *box, start, still))
                warn(entry("solid", i),
                     fmt::format("{} moves and starts inside a solid that stands", entry("solid", i)),
                     "start it beside the solid, unless this is meant");
        }
        for (std::size_t i = 0; i < scene_.source.size(); ++i)
            if (scene_.source[i].motion.is_there()) jumps("source", i, scene_.source[i].motion, scene_.source[i].shape);
    }

    // A body that never comes in.
    bool stays_outside(std::size_t i, const Box<double, 3>& box, const Pose<3>& pose) {
        for (int k = 0; k <= kMoments; ++k)
            if (!axis_outside(moved(box, pose.at(end() * k / kMoments).world_from_body))) return false;
        const Box<double, 3> start = moved(box, pose.at(0).world_from_body);
        outside(entry("solid", i), start, *axis_outside(start));
        return true;
    }

    // What jumps pushes nothing on its way: found by halving the time in which it goes far.
    void jumps(std::string_view list, std::size_t i, const scene::Motion& motion, const scene::Shape& s) {
        if (motion.offset) jumps_of(list, i, "offset", 1, " m", [&](double t) { return motion.offset->at(t); });
        if (!motion.rotation_degrees) return;
        // By how much the farthest corner of the shape moves for a degree.
        const Box<double, 3> domain{scene_.domain.origin, scene_.domain.origin + scene_.domain.size};
        const Pose<3> pose = pose_in_space(scene_, motion, s);
        const Box<double, 3> box = intersection(extent(s, scene_.dim).value_or(domain), domain);
        const Vec3 arm = max(max(box.hi - pose.pivot, pose.pivot - box.lo), Vec3(0.0));
        const double per_degree = std::max(length(arm), cell_size(scene_)) * std::numbers::pi / 180;
        const scene::Turn& turn = *motion.rotation_degrees;
        jumps_of(list, i, "rotation_degrees", per_degree, "°",
                 [&](double t) { return turn.angles ? turn.angles->at(t) : Vec3(turn.angle.at(t), 0, 0); });
    }
    template <class Way>
    void jumps_of(std::string_view list, std::size_t i, const char* name, double metres, const char* unit, Way&& way) {
        const double dx = cell_size(scene_);
        for (int k = 0; k < kMoments; ++k) {
            double from = end() * k / kMoments, to = end() * (k + 1) / kMoments;
            if (!(length(way(to) - way(from)) * metres > dx)) continue;
            for (int halving = 0; halving < 40; ++halving) {
                const double middle = 0.5 * (from + to);
                const bool early = length(way(middle) - way(from)) > length(way(to) - way(middle));
                (early ? to : from) = middle;
            }
            const double jump = length(way(to) - way(from));
            if (!(jump * metres > 0.5 * dx)) continue;
            return warn(entry(list, i) + "." + name,
                        fmt::format("{} jumps by {:.3g}{} at t = {:.4g} s: it pushes nothing on its way, and "
                                    "liquid where it arrives may be lost",
                                    entry(list, i), jump, unit, to),
                        "let it move there, with keyframes or smoothstep(…)");
        }
    }

    void winds() {
        for (std::size_t i = 0; i < scene_.wind.size(); ++i) {
            const scene::Wind& wind = scene_.wind[i];
            if (!wind.min || !wind.max) continue;
            const Box<double, 3> box{*wind.min, *wind.max};
            if (const auto axis = axis_outside(box)) outside(entry("wind", i), box, *axis);
        }
    }

    // Inflows whose level never rises above the floor.
    void levels() {
        const double floor = scene_.domain.origin[up_axis(scene_)];
        for (int axis = 0; axis < scene_.dim; ++axis)
            for (const bool upper : {false, true}) {
                const scene::Side& side = scene_.domain.sides.at(axis, upper);
                if (side.kind != scene::SideKind::inflow || !side.level || axis == up_axis(scene_)) continue;
                double highest = side.level->at(0);
                for (int k = 1; k <= kMoments; ++k) highest = std::max(highest, side.level->at(end() * k / kMoments));
                const std::string path = fmt::format("domain.sides.{}", side_name(axis, upper, scene_.domain.up));
                if (highest <= floor)
                    warn(path + ".level",
                         fmt::format("{}.level is at most {:.4g} m, not above the bottom of the box, {:.4g} m: nothing "
                                     "flows in",
                                     path, highest, floor),
                         "it is measured as heights are, from the world's origin");
            }
    }

    // Liquid of which the box holds less than the grid can: it is thinner than a cell by itself, or where sides of the
    // box cut it.
    void thickness_of_liquid() {
        const double dx = cell_size(scene_);
        for (std::size_t i = 0; i < scene_.liquid.size(); ++i) {
            if (scene_.liquid[i].op != scene::ShapeOp::add) continue;
            const scene::Shape& s = scene_.liquid[i].shape;
            double thin = thickness(s, scene_.dim).value_or(std::numeric_limits<double>::infinity());
            if (const auto box = extent(s, scene_.dim))
                for (int axis = 0; axis < scene_.dim; ++axis) {
                    const double lo = std::max(box->lo[axis], scene_.domain.origin[axis]);
                    const double hi = std::min(box->hi[axis], scene_.domain.origin[axis] + scene_.domain.size[axis]);
                    if (hi > lo) thin = std::min(thin, hi - lo);
                }
            if (thin < dx)
                warn(entry("liquid", i),
                     fmt::format("{} is {:.4g} m thin, less than a cell of {:.4g} m: the grid cannot hold it, and what "
                                 "is thinner than half a cell vanishes (\"lost\" says how much)",
                                 entry("liquid", i), thin, dx),
                     fmt::format("make it thicker, or the cells {:.3g} m or smaller", thin));
        }
    }

    // Liquids so thick that viscosity acts across many cells in a step: it is stable, but bends the result.
    void viscosity() {
        if (scene::is_gas(scene_.method) || scene_.flow.velocity || !(scene_.fluid.viscosity > 0)) return;
        constexpr double kMost = 1;  // of ν dt / dx²
        const double dx = cell_size(scene_), nu = scene_.fluid.viscosity / scene_.fluid.density;
        const double frame = 1 / scene_.time.fps;
        // Thick liquids are slow: nothing shortens their steps but gravity and what the method allows at most.
        double pull = 0;
        const Vec3 g = gravity_at(scene_, 0);
        for (int axis = 0; axis < scene_.dim; ++axis) pull += g[axis] * g[axis];
        double dt = kLongestStep;
        if (pull > 0) dt = std::min(dt, std::sqrt(dx / std::sqrt(pull)));
        if (scene_.time.min_substeps) dt = std::min(dt, frame / *scene_.time.min_substeps);
        const double number = nu * dt / (dx * dx);
        if (!(number > kMost)) return;
        const double substeps = std::ceil(frame * nu / (kMost * dx * dx));
        warn("fluid.viscosity",
             fmt::format("the liquid is so thick that a step of {:.2g} s diffuses its motion over {:.2g} cells: at "
                         "its surface it flows too fast, by tens of per cent",
                         dt, std::sqrt(number)),
             fmt::format("set time.min_substeps to {:.0f} or a part of that, and compare", substeps));
    }

    // Waves that are cut off by the top of the box, or lie under its floor.
    void heights() {
        constexpr int kAcross = 65;
        const int up = up_axis(scene_);
        const double top = scene_.domain.origin[up] + scene_.domain.size[up];
        for (std::size_t i = 0; i < scene_.liquid.size(); ++i) {
            const auto* wave = std::get_if<scene::Heights>(&scene_.liquid[i].shape);
            if (wave == nullptr) continue;
            double highest = -std::numeric_limits<double>::infinity();
            Vec3 crest{};
            Index<3> counts(kAcross);
            counts[up] = 1;
            if (scene_.dim == 2) counts[2] = 1;
            for_each_index<3>({{}, counts}, [&](const Index<3>& k) {
                Vec3 place = scene_.domain.origin;
                for (int axis = 0; axis < scene_.dim; ++axis)
                    if (axis != up) place[axis] += scene_.domain.size[axis] * k[axis] / (kAcross - 1);
                const double height = wave->height.at(place, 0);
                if (height > highest) highest = height, crest = place;
            });
            if (highest > top)
                warn(entry("liquid", i) + ".height",
                     fmt::format(
                         "{} rises to {:.4g} m at {}, above the top of the box, {:.4g} m: what is above is cut off",
                         entry("liquid", i), highest, place_text(crest, scene_.dim), top),
                     "make the box higher or the wave lower");
            if (highest <= scene_.domain.origin[up])
                warn(entry("liquid", i) + ".height",
                     fmt::format("{} rises to {:.4g} m, not above the bottom of the box, {:.4g} m", entry("liquid", i),
                                 highest, scene_.domain.origin[up]),
                     "it will have no effect: make the wave higher");
        }
    }

    // A given flow that swells and shrinks what it carries.
    void flow() {
        if (!scene_.flow.velocity) return;
        const Vec3 size = scene_.domain.size;
        const double h = 1e-4 * std::max({size[0], size[1], size[2]});
        constexpr int kAcross = 5;
        const Index<3> counts{kAcross, kAcross, scene_.dim == 2 ? 1 : kAcross};
        bool told = false;
        for_each_index<3>({{}, counts}, [&](const Index<3>& i) {
            Vec3 place = scene_.domain.origin;
            for (int axis = 0; axis < scene_.dim; ++axis) place[axis] += (i[axis] + 0.37) / kAcross * size[axis];
            for (const double t : {0.0, 0.31 * end()}) {
                double divergence = 0, slopes = 0;
                for (int axis = 0; axis < scene_.dim; ++axis) {
                    Vec3 step{};
                    step[axis] = h;
                    const double slope = (scene_.flow.velocity->at(place + step, t)[axis] -
                                          scene_.flow.velocity->at(place - step, t)[axis]) /
                                         (2 * h);
                    divergence += slope;
                    slopes += std::abs(slope);
                }
                if (told || !(std::abs(divergence) > 1e-3 * slopes) || !(std::abs(divergence) > 1e-6)) continue;
                told = true;
                warn("flow.velocity",
                     fmt::format(
                         "flow.velocity has a divergence of {:.3g}/s at {}, t = {:.4g} s: the liquid is carried as it "
                         "says and changes its volume",
                         divergence, place_text(place, scene_.dim), t),
                     "volume_error shows by how much");
            }
        });
    }

    void output() {
        const scene::Output& o = scene_.output;
        if (!o.volumes && !o.mesh && !o.images && !o.film)
            warn("output", "nothing will be written", "switch on volumes, mesh, images or film");
        if (const Vec<int, 2> size = picture_size(scene_); o.film && (size[0] % 2 != 0 || size[1] % 2 != 0))
            warn("camera.resolution", "a film needs an even width and height", "the odd line will be cut off");
    }

    // Settings that are written, and change nothing in this scene.
    // Values that a substance has no way to take on.
    void idle_walls(const std::string& path, const std::optional<scene::WallValues>& walls) {
        if (!walls) return;
        for (const scene::GasSubstance& s : scene_.substance) {
            const auto wall = walls->of.find(s.name);
            if (wall == walls->of.end() || wall->second.kind != scene::WallValueKind::fixed || s.diffusion > 0)
                continue;
            const std::string setting = fmt::format("{}.wall_values.{}", path, s.name);
            warn(setting, fmt::format("{} has next to no effect: {} does not diffuse", setting, s.name),
                 "write the substance's diffusion");
        }
    }

    void no_effect() {
        if (scene_.dim == 2) {
            idle({"camera.position", "camera.look_at", "camera.up", "camera.fov_degrees"},
                 "a 2D scene is seen from the front");
            idle({"render.sky_color", "render.sun_color", "render.sun_direction", "render.floor", "render.floor_color",
                  "render.outline", "render.background", "render.water_color", "render.absorption", "render.scattering",
                  "render.scattering_color", "render.emission", "render.shutter", "render.exposure"},
                 "a 2D scene is drawn, without light");
            if (scene_.output.mesh) idle({"output.mesh"}, "a 2D scene has no surface to mesh");
        } else if (scene_.camera.overlay != scene::Overlay::none) {
            idle({"camera.overlay", "camera.overlay_min", "camera.overlay_max"}, "overlays are drawn in 2D scenes");
        }
        const auto idle_turn = [&](const std::string& path, const scene::Motion& motion) {
            if (!motion.rotation_degrees)
                idle({path + ".rotation_axis", path + ".pivot"}, "it does not turn: rotation_degrees is not written");
            else if (motion.rotation_degrees->angles)
                idle({path + ".rotation_axis"}, "three angles turn about x, then y, then z");
        };
        for (std::size_t i = 0; i < scene_.solid.size(); ++i)
            idle_turn(fmt::format("solid[{}]", i), scene_.solid[i].motion);
        for (std::size_t i = 0; i < scene_.source.size(); ++i)
            idle_turn(fmt::format("source[{}]", i), scene_.source[i].motion);
        for (std::size_t i = 0; i < scene_.solid.size(); ++i) {
            const std::string path = fmt::format("solid[{}].glass", i);
            if (scene_.dim == 2 || scene::is_gas(scene_.method))
                idle({path}, "panes of glass are drawn in pictures of 3D liquids");
            else if (scene_.solid[i].motion.is_there())
                idle({path}, "a solid that moves is drawn as an opaque one");
        }
        if (scene_.dim == 3)
            idle({"camera.min", "camera.max"}, "they frame 2D scenes; use camera.position and look_at");
        if (scene_.camera.overlay == scene::Overlay::none)
            idle({"camera.overlay_min", "camera.overlay_max"}, "camera.overlay is \"none\"");
        if (!scene_.output.film) idle({"output.film_fps"}, "output.film is false");
        if (scene_.flow.velocity) {
            idle({"gravity", "fluid.density", "fluid.viscosity", "fluid.surface_tension", "fluid.material",
                  "level-set.advection", "level-set.time_order", "level-set.volume_control", "level-set.enclosed_air",
                  "level-set.air_pressure", "level-set.pressure_tolerance", "level-set.max_pressure_iterations"},
                 "the flow is given");
            if (has_field("pressure")) idle({"output.fields"}, "a given flow has no pressure");
            for (std::size_t i = 0; i < scene_.liquid.size(); ++i)
                idle({entry("liquid", i) + ".velocity"}, "the flow is given");
        }
        if (scene_.places.of.contains("texture") && !scene_.texture.is_there())
            warn("texture", "texture has no effect: it has neither a pattern nor an image",
                 "write pattern = \"…\" or image = \"….png\"");
        for (std::size_t i = 0; i < scene_.substance.size(); ++i)
            if (const auto& there = scene_.substance[i].ambient_profile; there && there->varies_in_time())
                warn(entry("substance", i) + ".ambient_profile",
                     fmt::format("{}.ambient_profile varies in time, but what it is at the start is kept",
                                 entry("substance", i)),
                     "write an expression of place alone");
        for (int axis = 0; axis < scene_.dim; ++axis)
            for (const bool upper : {false, true})
                idle_walls(fmt::format("domain.sides.{}", side_name(axis, upper, scene_.domain.up)),
                           scene_.domain.sides.at(axis, upper).wall_values);
        for (std::size_t i = 0; i < scene_.solid.size(); ++i)
            idle_walls(entry("solid", i), scene_.solid[i].wall_values);
        if (scene::is_gas(scene_.method)) {
            idle_table("fluid", "a gas has gas.viscosity, and its substances have buoyancy");
            idle_table("level-set", "a gas has no surface");
            idle_table("particles", "a gas has no particles");
            idle({"gravity"}, "substances of a gas have their own buoyancy");
            for (const char* field : {"surface", "collision"})
                if (has_field(field)) idle({"output.fields"}, fmt::format("a gas has no field {}", field));
        } else {
            idle_table("gas", "the method is one of liquids");
            for (std::size_t i = 0; i < scene_.source.size(); ++i)
                for (const char* name : {"substance", "rate", "value"})
                    idle({entry("source", i) + "." + name}, "a source of liquid gives liquid");
        }
        const scene::Output& o = scene_.output;
        if (o.film && !o.images) idle({"output.film"}, "a film is made of images, and output.images is false");
        if (!o.volumes) idle({"output.fields", "output.names"}, "output.volumes is false");
        for (const auto& [field, name] : o.names)
            if (!has_field(field) && std::none_of(scene_.substance.begin(), scene_.substance.end(),
                                                  [&, &grid = field](const auto& s) { return s.name == grid; }))
                idle({"output.names"}, fmt::format("{} is not among output.fields", field));
        if (scene_.solid.empty() && !scene::is_gas(scene_.method) && has_field("collision"))
            idle({"output.fields"}, "there is no solid for the field collision");
        if (scene_.render.floor == FloorKind::none) idle({"render.floor_color"}, "render.floor is \"none\"");
        if (scene_.render.floor != FloorKind::sea) idle({"render.sea_level"}, "render.floor is not \"sea\"");
        for (std::size_t i = 0; i < scene_.liquid.size(); ++i)
            if (scene_.liquid[i].op == scene::ShapeOp::subtract)
                idle({entry("liquid", i) + ".velocity"}, "what is cut out does not move");
    }
    bool has_field(const std::string& field) const {
        const std::vector<std::string>& fields = scene_.output.fields;
        return std::find(fields.begin(), fields.end(), field) != fields.end();
    }
    void idle(const std::vector<std::string>& paths, const std::string& why) {
        for (const std::string& path : paths)
            if (scene_.places.of.contains(path)) warn(path, fmt::format("{} has no effect: {}", path, why));
    }

    // All settings of a table.
    void idle_table(const std::string& table, const std::string& why) {
        std::vector<std::string> paths;
        for (const auto& [path, place] : scene_.places.of)
            if (path.starts_with(table + ".")) paths.push_back(path);
        idle(paths, why);
    }

    const SceneDescription& scene_;
    Errors list_;
};

}  // namespace

Errors scene_warnings(const SceneDescription& scene) { return Warnings(scene).all(); }

}  // namespace spindrift
