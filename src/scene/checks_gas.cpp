// SPDX-License-Identifier: Apache-2.0
// What a gas needs to be simulated.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/suggest.h"
#include "scene/describe_gas.h"
#include "scene/methods.h"
#include "scene/wall_values.h"

namespace spindrift {
namespace {

// What flows in through one side, m³/s (m²/s in 2D), by samples.
double flow_through(const SceneDescription& scene, int dim, int axis, bool upper, double t) {
    constexpr int kAcross = 16;
    const scene::Side& side = scene.domain.sides.at(axis, upper);
    if (side.kind != scene::SideKind::inflow) return 0;
    Index<3> counts(kAcross);
    counts[axis] = 1;
    if (dim == 2) counts[2] = 1;
    double sum = 0, area = 1;
    for (int a = 0; a < dim; ++a)
        if (a != axis) area *= scene.domain.size[a] / counts[a];
    for_each_index<3>({{}, counts}, [&](const Index<3>& k) {
        Vec<double, 3> place = scene.domain.origin;
        for (int a = 0; a < dim; ++a)
            place[a] += scene.domain.size[a] * (a == axis ? (upper ? 1 : 0) : (k[a] + 0.5) / counts[a]);
        sum += side.velocity.at(place, t)[axis] * area;
    });
    return upper ? -sum : sum;
}

// A gas is incompressible and fills the domain: what comes in must go out.
void check_balance(const SceneDescription& scene, int dim, const Complain& complain) {
    constexpr double kBalanced = 0.01;  // of what flows, about what the samples know
    const auto& sides = scene.domain.sides.sides;
    if (std::any_of(sides.begin(), sides.end(), [](const auto& s) { return s.kind == scene::SideKind::open; })) return;
    for (const double t : {0.0, 0.5 * end_time(scene), end_time(scene)}) {
        double net = 0, all = 0;
        for (int axis = 0; axis < dim; ++axis)
            for (const bool upper : {false, true}) {
                const double in = flow_through(scene, dim, axis, upper, t);
                net += in;
                all += std::abs(in);
            }
        if (!(std::abs(net) > kBalanced * all)) continue;
        return complain(
            "domain.sides",
            fmt::format("let {:.3g} {} more {} than {} at {:.3g} s, but a gas in a closed box is incompressible",
                        std::abs(net), dim == 2 ? "m²/s" : "m³/s", net > 0 ? "in" : "out", net > 0 ? "out" : "in", t),
            "make one side open, or let as much out as in");
    }
}

// A texture needs coordinates to go with, something to be seen on, and a whole number of repeats in a periodic box.
void check_texture(const SceneDescription& scene, int dim, const Complain& complain) {
    const scene::Texture& texture = scene.texture;
    if (texture == scene::Texture{}) return;
    if (!texture.is_there())
        return complain("texture", "has neither a pattern nor an image", "write pattern = \"…\" or image = \"….png\"");
    if (texture.pattern && texture.image)
        complain("texture.image", "stands beside a pattern", "leave out one of the two");
    const auto is_smoke = [](const scene::GasSubstance& s) {
        return s.opacity.value_or(s.name == "temperature" ? 0 : 1) > 0;
    };
    if (dim == 3 && std::none_of(scene.substance.begin(), scene.substance.end(), is_smoke))
        complain("texture", "has nothing to be seen on: no substance stops light", "add a [[substance]]");
    // The height of an image is known when it is read.
    for (int axis = 0; axis < (texture.image ? 1 : dim); ++axis) {
        if (scene.domain.sides.at(axis, false).kind != scene::SideKind::periodic) continue;
        const double repeats = scene.domain.size[axis] / texture.scale;
        if (repeats > 0.5 && std::abs(repeats - std::round(repeats)) < 1e-3) continue;
        complain("texture.scale",
                 fmt::format("fits {:.4g} times into the periodic box along {}: there would be a seam", repeats,
                             "xyz"[axis]),
                 fmt::format("write {:.6g}", scene.domain.size[axis] / std::max(1.0, std::round(repeats))));
    }
}

}  // namespace

void check_gas(const SceneDescription& scene, int dim, const std::set<std::string>& unread, const Complain& complain) {
    const bool domain_is_read = !unread.contains("domain") && !unread.contains("time");
    if (domain_is_read) check_balance(scene, dim, complain);
    std::vector<std::string> names;
    for (const scene::GasSubstance& s : scene.substance) names.push_back(s.name);
    const auto check_known = [&](std::string_view path, const std::string& name) {
        if (unread.contains("substance") || std::find(names.begin(), names.end(), name) != names.end()) return;
        const Error error = unknown_word("substance", name, names);
        complain(path, "names one that is not there: " + error.what, error.remedy);
    };
    for (std::size_t i = 0; i < scene.force.size() && !unread.contains("force"); ++i)
        if (scene.force[i].substance) check_known(fmt::format("force[{}].substance", i), *scene.force[i].substance);
    for (std::size_t i = 0; i < scene.source.size() && !unread.contains("source"); ++i) {
        const scene::Source& source = scene.source[i];
        const std::string path = fmt::format("source[{}]", i);
        if (source.substance) check_known(path + ".substance", *source.substance);
        if (source.substance && !source.rate && !source.value)
            complain(path, "gives a substance, but not how much", "write rate (1/s) or value");
        if (!source.substance && (source.rate || source.value))
            complain(path, "has a rate or a value, but of no substance", "write substance = \"…\"");
    }

    for_each_wall_values(scene, dim, [&](const std::string& path, const scene::WallValues& walls) {
        for (const auto& [name, wall] : walls.of) {
            check_known(path + "." + name, name);
            const auto is_it = [&name = name](const scene::GasSubstance& s) { return s.name == name; };
            const auto substance = std::find_if(scene.substance.begin(), scene.substance.end(), is_it);
            if (wall.kind == scene::WallValueKind::flux && substance != scene.substance.end() &&
                substance->diffusion == 0)
                complain(path + "." + name, fmt::format("is a flux, but {} does not diffuse: none can come in", name),
                         "write its diffusion, or a [[source]] at the wall");
        }
    });

    const auto& sides = scene.domain.sides;
    bool all_periodic = true;
    for (int axis = 0; axis < dim; ++axis) all_periodic &= sides.at(axis, false).kind == scene::SideKind::periodic;
    const scene::GasSolver solver = scene.gas.solver;
    if (solver == scene::GasSolver::fft && !all_periodic && domain_is_read)
        complain("gas.solver", "is fft, but not all sides are periodic", "use cosine, multigrid or automatic");
    if (solver == scene::GasSolver::fft || solver == scene::GasSolver::cosine) {
        if (!scene.solid.empty())
            complain("gas.solver", fmt::format("is {}, but there are solids", choice_name(solver)),
                     "use multigrid or automatic");
        if (scene.gas.sparse)
            complain("gas.solver", fmt::format("is {}, but gas.sparse is true", choice_name(solver)),
                     "use multigrid or automatic, or sparse = false");
    }
    if (domain_is_read && !unread.contains("texture") && !unread.contains("substance"))
        check_texture(scene, dim, complain);
}

}  // namespace spindrift
