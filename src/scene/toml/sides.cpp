// SPDX-License-Identifier: Apache-2.0
// Reading of the box's sides, which have two names each: by axis, and as seen by one who stands before the box, with
// up on top and x to the right.
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scene/toml/table.h"

namespace spindrift {
namespace {

struct SideName {
    std::string_view name;
    int axis;
    bool upper;
};

// z comes towards the viewer when y is up; y goes away from the viewer when z is up.
constexpr std::array<SideName, 12> side_names(scene::Up up) {
    const bool y_up = up == scene::Up::y;
    const int height = y_up ? 1 : 2, depth = y_up ? 2 : 1;
    return {{{"left", 0, false},
             {"right", 0, true},
             {"bottom", height, false},
             {"top", height, true},
             {"back", depth, !y_up},
             {"front", depth, y_up},
             {"x_min", 0, false},
             {"x_max", 0, true},
             {"y_min", 1, false},
             {"y_max", 1, true},
             {"z_min", 2, false},
             {"z_max", 2, true}}};
}

// One word, or a table with a kind and what belongs to it.
bool read_side(TomlValues& values, const TomlItem& item, scene::Side& out) {
    scene::Side side;
    const toml::table* table = item.node.as_table();
    const bool has_velocity = table != nullptr && table->contains("velocity");
    if (table != nullptr) {
        if (!TomlTable(*table, item.path, values).read(side)) return false;
    } else if (!values.read(item, side.kind, {})) {
        return false;
    }
    if (side.kind == scene::SideKind::inflow && !has_velocity)
        return values.fail(item, "is an inflow without a velocity", "write {kind = \"inflow\", velocity = […]}");
    if (side.kind != scene::SideKind::inflow && (has_velocity || side.level))
        return values.fail(item, fmt::format("is {}, which has neither velocity nor level", choice_name(side.kind)),
                           "these belong to kind = \"inflow\"");
    if (side.wall_values && (side.kind == scene::SideKind::open || side.kind == scene::SideKind::periodic))
        return values.fail(item, fmt::format("is {}, which is no wall and has no wall_values", choice_name(side.kind)),
                           "[[substance]] ambient says what the air outside holds");
    out = std::move(side);
    return true;
}

}  // namespace

std::string_view side_name(int axis, bool upper, scene::Up up) {
    const std::array<SideName, 12> names = side_names(up);
    return std::find_if(names.begin(), names.end(),
                        [&](const SideName& n) { return n.axis == axis && n.upper == upper; })
        ->name;
}

bool TomlValues::read(const TomlItem& item, scene::Sides& out, const Setting&) {
    const toml::table* table = item.node.as_table();
    if (table == nullptr) return wrong_type(item, "a table such as {all = \"slip\", top = \"open\"}");
    const std::size_t before = errors.size();
    const std::array<SideName, 12> names = side_names(up);
    std::vector<std::string> known{"all"};
    for (const SideName& n : names)
        if (dim != 2 || n.axis < 2) known.emplace_back(n.name);

    // First those that are not named, then each by its name.
    scene::Sides sides;
    if (const toml::node* all = table->get("all")) {
        scene::Side side;
        // In 2D there are four.
        if (read_side(*this, {*all, item.path + ".all"}, side))
            std::fill_n(sides.sides.begin(), dim == 2 ? 4 : 6, side);
    }
    std::array<const toml::key*, 6> written{};
    for (const auto& [key, value] : *table) {
        const std::string_view name = key.str();
        if (name == "all") continue;
        const auto found = std::find_if(names.begin(), names.end(), [&](const SideName& n) { return name == n.name; });
        if (found == names.end() || (dim == 2 && found->axis == 2)) {
            const std::string guess = did_you_mean(name, known);
            fail(place(key.source()),
                 fmt::format("{} has no side '{}'{}", item.path, name.substr(0, 60),
                             found == names.end() ? "" : " in 2D"),
                 guess.empty() || found != names.end() ? fmt::format("there are: {}", fmt::join(known, ", ")) : guess);
            continue;
        }
        const toml::key*& other = written[static_cast<std::size_t>(2 * found->axis + (found->upper ? 1 : 0))];
        const TomlItem side_item{value, joined(item.path, name)};
        places.of[side_item.path] = place(value);
        if (other != nullptr)
            fail(side_item, fmt::format("is the same side as {}", other->str()), "keep one of them");
        else
            read_side(*this, side_item, sides.at(found->axis, found->upper));
        other = &key;
    }

    for (int axis = 0; axis < (dim == 2 ? 2 : 3) && errors.size() == before; ++axis)
        if ((sides.at(axis, false).kind == scene::SideKind::periodic) !=
            (sides.at(axis, true).kind == scene::SideKind::periodic))
            fail(item, fmt::format("is periodic on one side only along {}", "xyz"[axis]),
                 "what leaves on one side comes in on the other: make both periodic");
    if (errors.size() != before) return false;
    out = std::move(sides);
    return true;
}

}  // namespace spindrift
