// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/scene_plan.h"

#include <vector>

#include <fmt/core.h>

#include "scene/describe.h"

namespace spindrift::fuzz {
namespace {

void plan_box(Plan& plan, Dice& dice) {
    plan.dim = dice.chance(0.6) ? 2 : 3;
    // Most are as small as the cases they hold allow; some have tiles with neighbours on all sides.
    const bool is_large = dice.chance(0.2);
    const int most = plan.dim == 2 ? (is_large ? 40 : 20) : (is_large ? 20 : 10);
    const int cells = dice.from_to(4, most);
    plan.dx = (dice.chance(0.6) ? dice.between(0.2, 3) : dice.power(-2.5, 2.5)) / cells;
    for (int axis = 0; axis < plan.dim; ++axis) {
        int& n = plan.cells[axis];
        n = dice.chance(0.3) ? cells : dice.from_to(std::max(1, cells / 6), cells);
        if (dice.chance(0.1)) n = dice.from_to(1, 4);  // a thin box
    }
    plan.cells[dice.below(plan.dim)] = cells;

    // Sides; a box that repeats itself has whole tiles.
    constexpr std::array<scene::SideKind, 4> kKinds{scene::SideKind::slip, scene::SideKind::no_slip,
                                                    scene::SideKind::open, scene::SideKind::inflow};
    const bool has_ends = plan.method == scene::Method::foster_metaxas_1996;
    const bool repeats = !has_ends && dice.chance(0.06);  // along all axes, as Fourier solves ask for
    for (int axis = 0; axis < plan.dim; ++axis) {
        const bool is_periodic = repeats || (!has_ends && dice.chance(0.2));
        if (is_periodic && dice.chance(0.97)) plan.cells[axis] = 8 * dice.from_to(1, std::max(1, most / 8));
        for (const int upper : {0, 1}) {
            scene::SideKind kind = dice.any(kKinds);
            if (dice.chance(0.3) || (plan.has_flow && kind != scene::SideKind::no_slip)) kind = scene::SideKind::slip;
            if (is_periodic) kind = scene::SideKind::periodic;
            plan.sides[static_cast<std::size_t>(2 * axis + upper)] = kind;
        }
    }
    // A gas needs a way out for what comes in.
    const auto is_inflow = [](scene::SideKind kind) { return kind == scene::SideKind::inflow; };
    if (plan.is_gas && dice.chance(0.8) && std::any_of(plan.sides.begin(), plan.sides.end(), is_inflow))
        *std::find_if(plan.sides.begin(), plan.sides.end(), is_inflow) = scene::SideKind::open;

    // The longest side is a whole number of cells; the others are rounded to that.
    const int most_cells = std::max({plan.cells[0], plan.cells[1], plan.cells[2]});
    for (int axis = 0; axis < plan.dim; ++axis) {
        plan.size[axis] = plan.cells[axis] * plan.dx;
        const bool is_round = plan.cells[axis] == most_cells ||
                              plan.sides[2 * static_cast<std::size_t>(axis)] == scene::SideKind::periodic;
        if (!is_round) plan.size[axis] *= dice.between(0.97, 1.03);
        if (dice.chance(0.2)) plan.origin[axis] = dice.between(-3, 3) * plan.size[axis];
    }
    plan.z_up = plan.dim == 3 && dice.chance(0.2);
}

}  // namespace

Plan planned_scene(std::uint64_t id, std::uint32_t attempt) {
    Dice dice(id, attempt, "plan");
    Plan plan;
    std::vector<scene::Method> built;
    for (const auto& choice : choices(scene::Method{}))
        if (scene::is_available(choice.value)) built.push_back(choice.value);
    plan.method = dice.any(built);
    plan.is_gas = scene::row(plan.method).phase == scene::Phase::gas;
    plan.has_flow = scene::uses(plan.method, "flow") && dice.chance(0.08);
    plan_box(plan, dice);
    plan.substances = plan.is_gas ? dice.from_to(0, 3) : 0;
    const bool mixes = scene::uses(plan.method, "component") && !plan.has_flow;
    plan.components = mixes && dice.chance(0.3) ? dice.from_to(1, 3) : 0;

    // Frames in which things cross from a tenth of a cell to a few.
    plan.frames = dice.from_to(1, plan.dim == 2 ? 3 : 2);
    plan.fps = plan.speed() / plan.dx / dice.power(-1, 0.8);
    constexpr std::array<double, 6> kUsual{1, 24, 25, 29.97, 60, 240};
    if (plan.longest() > 0.3 && dice.chance(0.2)) plan.fps = dice.any(kUsual);
    // A liquid takes at least 24 steps a second, whatever the frames.
    plan.fps = std::clamp(plan.fps, plan.is_gas ? 1e-3 : 8.0, 9e4);
    return plan;
}

std::string planned_probes(std::uint64_t id, std::uint32_t attempt, const Plan& plan) {
    Dice dice(id, attempt, "probes");
    if (!dice.chance(0.3)) return "";
    Vec3 lo = plan.origin, hi = plan.origin + plan.size;
    const int axis = dice.below(plan.dim);
    lo[axis] = hi[axis] = plan.origin[axis] + 0.5 * plan.size[axis];
    const std::string rate = dice.chance(0.5) ? fmt::format("rate = {}\n", 3 * plan.fps) : "";
    const auto text = [&](const Vec3& v) {
        return plan.dim == 2 ? fmt::format("[{}, {}]", v[0], v[1]) : fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
    };
    return fmt::format(
        "\n[[probe]]\nname = \"all\"\nkind = \"total\"\n{0}\n[[probe]]\nname = \"middle\"\nkind = \"flux\"\nmin = {1}\n"
        "max = {2}\n{0}",
        rate, text(lo), text(hi));
}

}  // namespace spindrift::fuzz
