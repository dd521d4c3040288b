// SPDX-License-Identifier: Apache-2.0
// What substances do at walls, as scenes say it.
#include <gtest/gtest.h>

#include "scene/read_scene.h"
#include "scene/warnings.h"
#include "scene/write_scene.h"

namespace spindrift {
namespace {

std::string scene_with(const std::string& sides, const std::string& solid, const std::string& method = "gas",
                       const std::string& substance = "name = \"temperature\"\ndiffusion = 0.1\n") {
    return "spindrift = 1\nmethod = \"" + method + "\"\n[domain]\nsize = [1, 1]\nresolution = 16\nsides = {" + sides +
           "}\n" + (substance.empty() ? "" : "[[substance]]\n" + substance) +
           "[[solid]]\nshape = \"sphere\"\ncenter = [0.5, 0.5]\nradius = 0.2\n" + solid;
}

TEST(WallValues, AreReadAndWrittenInAllTheirForms) {
    const std::string text = scene_with(
        "bottom = {kind = \"no-slip\", wall_values = {temperature = 350}}, "
        "top = {kind = \"inflow\", velocity = [1, 0], wall_values = {temperature = \"insulated\"}}, "
        "left = {kind = \"slip\", wall_values = {temperature = {flux = \"0.1 * y\"}}}",
        "wall_values = {temperature = [[0, 300], [1, 400]]}\n");
    const auto scene = parse_scene(text, "walls.toml");
    ASSERT_TRUE(scene) << scene.errors().text();
    const scene::Sides& sides = scene.value().domain.sides;
    using Kind = scene::WallValueKind;
    const auto wall = [](const std::optional<scene::WallValues>& walls) { return walls->of.at("temperature"); };
    EXPECT_EQ(wall(sides.at(1, false).wall_values).kind, Kind::fixed);
    EXPECT_EQ(wall(sides.at(1, false).wall_values).value.at({}, 0), 350);
    EXPECT_EQ(wall(sides.at(1, true).wall_values).kind, Kind::insulated);
    EXPECT_EQ(wall(sides.at(0, false).wall_values).kind, Kind::flux);
    EXPECT_DOUBLE_EQ(wall(sides.at(0, false).wall_values).value.at({0, 2, 0}, 0), 0.2);
    EXPECT_FALSE(sides.at(0, true).wall_values);
    EXPECT_DOUBLE_EQ(wall(scene.value().solid[0].wall_values).value.at({}, 0.5), 350);

    const auto again = parse_scene(canonical_text(scene.value()), "again.toml");
    ASSERT_TRUE(again) << again.errors().text();
    EXPECT_EQ(again.value(), scene.value());
}

TEST(WallValues, MistakesAreToldWithTheirPlace) {
    const auto expect = [](const std::string& text, const std::string& what) {
        const auto scene = parse_scene(text, "walls.toml");
        ASSERT_FALSE(scene) << text;
        EXPECT_NE(scene.errors().text().find(what), std::string::npos) << scene.errors().text();
    };
    expect(scene_with("", "wall_values = {temprature = 350}\n"), "temperature");
    expect(scene_with("top = {kind = \"slip\", wall_values = {smoke = 1}}", ""), "domain.sides.top.wall_values.smoke");
    expect(scene_with("top = {kind = \"open\", wall_values = {temperature = 1}}", ""), "is open, which is no wall");
    expect(scene_with("", "wall_values = {temperature = {flow = 1}}\n"), "neither a value nor a flux");
    expect(scene_with("", "wall_values = {temperature = true}\n"), "solid[0].wall_values.temperature");
    expect(scene_with("", "wall_values = 350\n"), "a table of substances");
    expect(scene_with("", "op = \"subtract\"\nwall_values = {temperature = 1}\n"), "cut out");
    expect(scene_with("", "wall_values = {temperature = {flux = 1}}\n", "gas", "name = \"temperature\"\n"),
           "does not diffuse");
    expect(scene_with("", "wall_values = {temperature = \"1 / (t - 1)\"}\n"), "no finite value");
    expect(scene_with("", "wall_values = {temperature = 350}\n", "level-set", ""),
           "cannot be simulated by method \"level-set\"");
}

TEST(WallValues, AValueThatCannotSpreadIsWarnedOf) {
    const std::string walls = "wall_values = {temperature = 350}\n";
    const auto still = parse_scene(scene_with("", walls, "gas", "name = \"temperature\"\n"), "walls.toml");
    const auto spreads = parse_scene(scene_with("", walls), "walls.toml");
    ASSERT_TRUE(still && spreads);
    EXPECT_NE(scene_warnings(still.value()).text().find("does not diffuse"), std::string::npos);
    EXPECT_EQ(scene_warnings(spreads.value()).text().find("does not diffuse"), std::string::npos);
}

}  // namespace
}  // namespace spindrift
