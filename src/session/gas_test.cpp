// SPDX-License-Identifier: Apache-2.0
// A gas from its scene: what is wrong with it is told, it resumes, and hands can work on it.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "grid/measure.h"
#include "io/png.h"
#include "products/gas_picture.h"
#include "scene/read_scene.h"
#include "session/interactive_gas.h"
#include "setup/gas_scene.h"

namespace spindrift {
namespace {

constexpr std::string_view kAir = R"(
spindrift = 1
method = "gas"
[domain]
size = [1, 1]
resolution = 32
sides = {all = "slip", top = "open"}
[[substance]]
name = "smoke"
buoyancy = 3
)";

SceneDescription air(const std::string& more = "") {
    auto scene = parse_scene(std::string(kAir) + more, "air.toml");
    EXPECT_TRUE(scene) << scene.errors().text();
    return std::move(scene).value();
}

TEST(GasScene, SourceOutsideTheDomainIsAnError) {
    const auto world =
        gas_scene<2>(air("[[source]]\nshape = \"sphere\"\ncenter = [3, 0.5]\nradius = 0.1\n"
                         "substance = \"smoke\"\nvalue = 1\n"));
    ASSERT_FALSE(world);
    EXPECT_NE(world.errors().text().find("air.toml:11:"), std::string::npos) << world.errors().text();
    EXPECT_NE(world.errors().text().find("lies outside the domain"), std::string::npos);
}

TEST(GasScene, SourceBetweenTheCellsIsAnError) {
    for (const char* shape : {"shape = \"sphere\"\ncenter = [0.5, 0.5]\nradius = 0.005\n",
                              "shape = \"plane\"\npoint = [0, -1]\nnormal = [0, 1]\n"}) {
        const auto world = gas_scene<2>(air(std::string("[[source]]\nsubstance = \"smoke\"\nvalue = 1\n") + shape));
        ASSERT_FALSE(world);
        EXPECT_NE(world.errors().text().find("air.toml:11:1: source[0] reaches the centre of no cell"),
                  std::string::npos)
            << world.errors().text();
    }
}

TEST(GasScene, ExpressionWithoutAValueAtSomeCellIsAnError) {
    // Such a fine one that reading the scene does not come upon it.
    SceneDescription scene =
        air("[[force]]\nkind = \"constant\"\nacceleration = [\"sqrt(abs(y - 0.9023) - 0.002)\", 0]\n");
    scene.domain.resolution = 128;
    const auto world = gas_scene<2>(scene);
    ASSERT_FALSE(world);
    EXPECT_NE(world.errors().text().find("force[0].acceleration has no finite value at (0.003906, 0.9023)"),
              std::string::npos)
        << world.errors().text();
}

TEST(GasScene, ASourcesExpressionNeedsNoValueOutsideIt) {
    const std::string ball =
        "[[source]]\nshape = \"sphere\"\ncenter = [0.5, 0.5]\nradius = 0.2\nsubstance = \"smoke\"\n";
    const std::string dome = "value = \"sqrt({} - (x - 0.5)^2 - (y - 0.5)^2)\"\n";
    EXPECT_TRUE(gas_scene<2>(air(ball + fmt::format(fmt::runtime(dome), 0.06))));
    const auto too_small = gas_scene<2>(air(ball + fmt::format(fmt::runtime(dome), 0.04)));
    ASSERT_FALSE(too_small) << "cells on the rim ask as well";
    EXPECT_NE(too_small.errors().text().find("source[0].value has no finite value"), std::string::npos);
}

TEST(GasSimulation, ContinuesFromASnapshotWithTheSameBits) {
    for (const char* sparse :
         {"[gas]\nsparse = true\n", "[gas]\nsparse = false\n", "[texture]\npattern = \"noise\"\nperiod = 0.3\n"}) {
        const SceneDescription scene =
            air(std::string(sparse) + "[[source]]\nshape = \"sphere\"\ncenter = [0.5, 0.2]\nradius = 0.1\n" +
                "substance = \"smoke\"\nvalue = 1\n");
        GasSimulation<2> straight(scene, gas_scene<2>(scene).value()), resumed(scene, gas_scene<2>(scene).value());
        for (int step = 0; step < 4; ++step) EXPECT_EQ(straight.advance(0.05).failure, "");
        ASSERT_TRUE(resumed.load(straight.snapshot()));
        for (int step = 0; step < 4; ++step) {
            EXPECT_EQ(straight.advance(0.05).failure, "");
            EXPECT_EQ(resumed.advance(0.05).failure, "");
        }
        EXPECT_EQ(hex(straight.snapshot().hash()), hex(resumed.snapshot().hash())) << sparse;
    }
}

// What the default settings make of resolved flow: a channel at Reynolds number 100 keeps its parabola, and swirls
// decay as they should.  Vorticity confinement would push both.
TEST(GasDefaults, LeaveResolvedFlowAlone) {
    const auto run = [](const std::string& text, double end) {
        auto scene = parse_scene("spindrift = 1\nmethod = \"gas\"\n" + text, "resolved.toml");
        EXPECT_TRUE(scene) << scene.errors().text();
        auto gas = std::make_unique<GasSimulation<2>>(scene.value(), gas_scene<2>(scene.value()).value());
        const int steps = static_cast<int>(std::ceil(end / gas->stable_dt()));
        for (int step = 0; step < steps; ++step) EXPECT_TRUE(gas->advance(end / steps).failure.empty());
        return gas;
    };
    const auto channel =
        run("domain = {size = [1, 1], resolution = 32, sides = {all = \"no-slip\", left = \"periodic\", right = "
            "\"periodic\"}}\n"
            "[gas]\nviscosity = 0.01\ncfl = 1\nvelocity = [\"4*y*(1-y)\", 0]\n"
            "[[force]]\nkind = \"constant\"\nacceleration = [0.08, 0]\n",
            4);
    for (int y = 0; y < 32; ++y) {
        const double exact = 4 * (y + 0.5) / 32 * (1 - (y + 0.5) / 32);
        EXPECT_NEAR(channel->state().velocity[0].at({5, y}), exact, 1e-4) << "row " << y;
    }

    const auto energy = [](const GasSimulation<2>& gas) {
        double sum = 0;
        for (int a = 0; a < 2; ++a)
            for_each_index(IndexBox<2>{{0, 0}, {32, 32}},
                           [&](const Index<2>& cell) { sum += std::pow(double{gas.state().velocity[a].at(cell)}, 2); });
        return sum / (2 * 32 * 32 * 0.25);
    };
    const auto vortices =
        run("domain = {size = [1, 1], resolution = 32, sides = {all = \"periodic\"}}\n"
            "[gas]\nviscosity = 0.01\ncfl = 1\nvelocity = [\"sin(tau*x)*cos(tau*y)\", \"-cos(tau*x)*sin(tau*y)\"]\n",
            1);
    const double tau = 2 * std::numbers::pi;
    EXPECT_NEAR(energy(*vortices) / std::exp(-4 * 0.01 * tau * tau), 1, 0.015);
}

// The picture of a gas as it is.
template <int Dim>
Pixels8 picture_of(const GasSimulation<Dim>& gas) {
    const auto file = std::filesystem::temp_directory_path() / fmt::format("spindrift_gas_test_{}.png", ::getpid());
    for (const FrameOutput& output : gas.outputs())
        if (output.extension == "png") {
            FrameStamp stamp;
            stamp.time = gas.time();
            EXPECT_TRUE(output.write(file, stamp));
        }
    auto picture = read_png(file);
    std::filesystem::remove(file);
    EXPECT_TRUE(picture) << picture.errors().text();
    return std::move(picture).value();
}

// A lid drags the gas along but lets nothing in: beside it and the other walls a box full of dye stays full.
TEST(GasScene, ALidLetsNothingIn) {
    const auto scene = parse_scene(
        "spindrift = 1\nmethod = \"gas\"\n[domain]\nsize = [1, 1]\nresolution = 24\n"
        "[domain.sides]\nall = \"no-slip\"\ntop = {kind = \"inflow\", velocity = [1, 0]}\n"
        "[gas]\nviscosity = 0.01\n[[substance]]\nname = \"dye\"\ninitial = 1\ndiffusion = 0.001\n",
        "lid.toml");
    ASSERT_TRUE(scene) << scene.errors().text();
    auto gas = InteractiveGas<2>::make(scene.value());
    ASSERT_TRUE(gas) << gas.errors().text();
    for (int step = 0; step < 10; ++step) EXPECT_EQ(gas.value().step(0.05).failure, "");
    EXPECT_GT(gas.value().velocity()[0].at({12, 23}), 0.1F);
    const Field<float, 2>& dye = *gas.value().substance("dye");
    for_each_index(IndexBox<2>{Index<2>(0), Index<2>(24)},
                   [&](const Index<2>& cell) { ASSERT_NEAR(dye.at(cell), 1, 1e-4) << cell[0] << " " << cell[1]; });
}

// More of a substance than the air around holds and less of it have different colours.
TEST(GasPicture, LessThanAmbientDoesNotLookLikeMore) {
    SceneDescription scene = air("initial = 0\n[camera]\nresolution = [32, 32]\n");
    const GasWorld<2> world = gas_scene<2>(scene).value().world;
    const auto drawn = [&](float value) {
        const Field<float, 2> smoke(world.domain.all_tiles(), value);
        Field<float, 2> filled = smoke;
        filled.fill(value);
        const auto file = std::filesystem::temp_directory_path() / fmt::format("spindrift_below_{}.png", ::getpid());
        EXPECT_TRUE(write_gas_picture<2>(file, scene, world, {.substances = {&filled}}, 0));
        const auto pixels = read_png(file);
        std::filesystem::remove(file);
        const std::size_t middle = 3 * (16 * 32 + 16);
        return std::array<int, 3>{pixels.value().rgb[middle], pixels.value().rgb[middle + 1],
                                  pixels.value().rgb[middle + 2]};
    };
    const auto more = drawn(0.8F), less = drawn(-0.8F), none = drawn(0);
    EXPECT_GT(more[2], more[0] + 40) << "blue";
    EXPECT_GT(less[0], less[2] + 40) << "its opposite";
    EXPECT_LT(std::abs(none[0] - none[2]), 20) << "paper";
}

// Solids that pictures shall not show are there for the gas alone, standing or moving.
TEST(GasPicture, HiddenSolidsAreNotSeen) {
    const auto shown = [](const std::string& solids) {
        const auto picture = [](const auto& scene, auto dim) {
            constexpr int kDim = decltype(dim)::value;
            EXPECT_TRUE(scene) << scene.errors().text();
            return picture_of(GasSimulation<kDim>(scene.value(), gas_scene<kDim>(scene.value()).value())).rgb;
        };
        const std::string camera = "[camera]\nresolution = [64, 48]\n";
        const auto flat = parse_scene(std::string(kAir) + solids + camera, "air.toml");
        std::string deep = std::string(kAir) + solids + camera;
        for (const char* word : {"size = [1, 1", "center = [0.5, 0.4", "offset = [0.1, 0"})
            if (const auto at = deep.find(word); at != std::string::npos)
                deep.insert(at + std::string_view(word).size(), word[0] == 's'   ? ", 1"
                                                                : word[0] == 'o' ? ", 0"
                                                                                 : ", 0.5");
        return std::pair(picture(flat, std::integral_constant<int, 2>()),
                         picture(parse_scene(deep, "air.toml"), std::integral_constant<int, 3>()));
    };
    const std::string ball = "[[solid]]\nshape = \"sphere\"\ncenter = [0.5, 0.4]\nradius = 0.2\n";
    const auto empty = shown(""), seen = shown(ball), hidden = shown(ball + "visible = false\n");
    EXPECT_NE(seen.first, empty.first);
    EXPECT_NE(seen.second, empty.second);
    EXPECT_EQ(hidden.first, empty.first);
    EXPECT_EQ(hidden.second, empty.second);
    const auto moving = shown(ball + "visible = false\noffset = [0.1, 0]\n");
    EXPECT_EQ(moving.first, empty.first);
    EXPECT_EQ(moving.second, empty.second);
}

// Every picture of a gas that repeats itself tiles: across its sides colours change no more than inside it.
TEST(GasPicture, TextureOfAPeriodicGasTilesWithoutASeam) {
    constexpr int kPixels = 96;
    auto scene = parse_scene(R"scene(
spindrift = 1
method = "stable-fluids-1999"
[domain]
size = [1, 1]
resolution = 32
sides = {all = "periodic"}
[gas]
velocity = ["sin(tau*y)", "sin(tau*x)"]
[texture]
pattern = "noise"
scale = 0.5
period = 0.5
[camera]
resolution = [96, 96]
)scene",
                             "texture.toml");
    ASSERT_TRUE(scene) << scene.errors().text();
    GasSimulation<2> gas(scene.value(), gas_scene<2>(scene.value()).value());
    for (int step = 0; step < 10; ++step) EXPECT_EQ(gas.advance(0.04).failure, "");
    const Pixels8 picture = picture_of(gas);
    const auto at = [&](int x, int y) {
        return int{picture.rgb[static_cast<std::size_t>(3 * (y % kPixels * kPixels + x % kPixels))]};
    };
    int seam = 0, inside = 0;
    for (int i = 0; i < kPixels; ++i)
        for (int j = 0; j < kPixels; ++j) {
            int& most = j + 1 == kPixels ? seam : inside;
            most = std::max({most, std::abs(at(j, i) - at(j + 1, i)), std::abs(at(i, j) - at(i, j + 1))});
        }
    EXPECT_LE(seam, inside + 2);
    EXPECT_GT(inside, 4);
}

TEST(InteractiveGas, HandsMoveTheGasAndFillIt) {
    auto gas = InteractiveGas<2>::make(air());
    ASSERT_TRUE(gas) << gas.errors().text();
    InteractiveGas<2>& hands = gas.value();
    EXPECT_FALSE(hands.pour("nothing", {0.5, 0.5}, 1, 0.1));
    EXPECT_TRUE(hands.pour("smoke", {0.5, 0.5}, 1, 0.1));
    hands.push({0.5, 0.5}, {1, 0}, 0.2);
    EXPECT_NEAR(hands.substance("smoke")->at({16, 16}), 1, 0.1);
    EXPECT_TRUE(hands.step(0.02).failure.empty());
    EXPECT_GT(hands.velocity()[0].at({16, 16}), 0.2F);
    EXPECT_GT(sum(*hands.substance("smoke")), 0);
    EXPECT_FALSE(InteractiveGas<3>::make(air()));
}

// A push all over a closed box finds nowhere to go: it moves nothing.
TEST(InteractiveGas, PushedAgainstAWallTheGasStays) {
    SceneDescription closed = air("initial = \"x\"\n");
    closed.domain.sides.at(1, true).kind = scene::SideKind::slip;
    closed.substance[0].buoyancy = 0;
    auto gas = InteractiveGas<2>::make(closed);
    ASSERT_TRUE(gas) << gas.errors().text();
    InteractiveGas<2>& hands = gas.value();
    const Field<float, 2> before = *hands.substance("smoke");
    hands.push({0.5, 0.5}, {5, 0}, 60);  // as good as the same everywhere
    EXPECT_GT(max_abs(hands.velocity()[0]), 4.9F);
    EXPECT_EQ(hands.step(0.02).failure, "");
    EXPECT_LT(max_abs(hands.velocity()[0]), 0.01F);
    for_each_index(IndexBox<2>{{0, 0}, {32, 32}}, [&](const Index<2>& cell) {
        EXPECT_NEAR(hands.substance("smoke")->at(cell), before.at(cell), 1e-3);
    });
}

}  // namespace
}  // namespace spindrift
