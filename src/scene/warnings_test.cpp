// SPDX-License-Identifier: Apache-2.0
#include "scene/warnings.h"

#include <gtest/gtest.h>

#include "scene/estimate.h"
#include "scene/read_scene.h"
#include "scene/reference.h"
#include "scene/shape_extent.h"

namespace spindrift {
namespace {

const std::string kPool =
    "spindrift = 1\n[domain]\nsize = [1, 1]\nresolution = 32\n[[liquid]]\nshape = 'box'\nmin = [0, 0]\nmax = [1, "
    "0.5]\n";

SceneDescription parsed(const std::string& text, const std::vector<std::string>& overrides = {}) {
    Result<SceneDescription> scene = parse_scene(text, "s.toml", overrides);
    EXPECT_TRUE(scene) << scene.errors().text();
    return scene ? std::move(scene).value() : SceneDescription{};
}
std::string warnings(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return scene_warnings(parsed(text, overrides)).text();
}

TEST(Warnings, AGoodSceneHasNone) {
    EXPECT_EQ(warnings(kPool), "");
    EXPECT_EQ(warnings(std::string(kExampleScene)), "");
}

TEST(Warnings, TellWhatWillDisappoint) {
    const auto expect = [](const std::string& words, const std::string& text, std::vector<std::string> overrides) {
        const std::string told = warnings(text, overrides);
        EXPECT_NE(told.find(words), std::string::npos) << "expected: " << words << "\nwas told: " << told;
    };
    expect("there is no liquid", "spindrift = 1\ndomain = {size = [1, 1], resolution = 32}\n", {});
    expect("s.toml:5:1: liquid[0] lies outside the domain: 2 to 3 m along x, the domain 0 to 1 m", kPool,
           {"liquid[0].min=[2, 0]", "liquid[0].max=[3, 1]"});
    expect("liquid[0] is 0.01 m thin, less than a cell of 0.03125 m", kPool, {"liquid[0].max=[1, 0.01]"});
    expect("liquid[0] is 0.01 m thin", kPool, {"liquid[0].min=[0, -1]", "liquid[0].max=[1, 0.01]"});
    expect("time.cfl is 8: above 5", kPool, {"time.cfl=8"});
    expect("needs time steps of at most 4.6e-05 s, 903 per frame, more than time.max_substeps = 200: the run will stop",
           kPool,
           {"domain.size=[0.0125, 0.0125]", "liquid[0].max=[1, 0.01]", "domain.resolution=100", "time.fps=24",
            "fluid.surface_tension=0.0728"});
    expect("steps of at most 0.002 s, 21 per frame: the run takes that much longer", kPool,
           {"domain.size=[0.05, 0.05]"});
    const std::string pushed = kPool + "[[force]]\nkind = 'attractor'\n";
    expect("force[0] starts at 9 s, but the run ends at 5 s", pushed, {"force[0].start=9"});
    expect("force[0] lies outside the domain: 1.9 to 2.1 m along x", pushed, {"force[0].center=[2, 0.5]"});
    expect("force[0].frequency has no effect: a force of kind \"attractor\" has none", pushed,
           {"force[0].frequency=3"});
    const std::string led = kPool + "[[control]]\nkind = 'curve'\npoints = [[0.2, 0.2], [0.8, 0.3]]\nradius = 0.1\n";
    EXPECT_EQ(warnings(led), "");
    expect("s.toml:9:1: control[0] lies outside the domain: 1.9 to 2.9 m along x", led,
           {"control[0].points=[[2, 0.2], [2.8, 0.3]]"});
    expect("control[0] leaves the domain through the side right, which is closed, at (", led,
           {"control[0].points=[[0.2, 0.2], [1.8, 0.3]]"});
    EXPECT_EQ(warnings(led, {"control[0].points=[[0.2, 0.2], [1.8, 0.3]]", "domain.sides={right='open'}"}), "");
    const std::string blocked = led + "[[solid]]\nshape = 'sphere'\ncenter = [0.5, 0.25]\nradius = 0.1\n";
    expect("control[0] runs into solid[0] at (0.4", blocked, {});
    expect("control[0].radius is 0.01 m, less than a cell of 0.03125 m", led, {"control[0].radius=0.01"});
    expect("control[0].speed is not monotonic: it rises and falls, about 1 s", led,
           {"control[0].speed=[[0, 1], [1, 2], [2, 0.5]]"});
    expect("control[0] starts at 9 s, but the run ends at 5 s", led, {"control[0].start=9"});
    expect("control[0] lies outside the domain: 2 to 3 m along x", led,
           {"control[0].region_min=[2, 0]", "control[0].region_max=[3, 1]"});
    expect("control[0].stretch has no effect: the curve is no longer than that", led, {"control[0].stretch=1"});
    const std::string pushing =
        kPool + "[[control]]\nkind = 'volume'\nshape = 'box'\nmin = [0.5, 0]\nmax = [1, 1]\nvelocity = [1, 0]\n";
    expect("control[0] pushes liquid into the side right, which is closed, at (", pushing, {});
    EXPECT_EQ(warnings(pushing, {"control[0].velocity=[0.05, 1]", "domain.sides={top='open'}"}), "");
    const std::string drawn = kPool +
                              "[[control]]\nkind = 'attract'\nshape = 'sphere'\ncenter = [0.5, 0.6]\nradius = 0.2\n"
                              "reach = 0.2\n";
    EXPECT_EQ(warnings(drawn), "");
    expect("control[0].rate has no effect: a control of kind \"attract\" has none", drawn, {"control[0].rate=3"});
    expect("control[0] lies outside the domain: 1.6 to 2.4 m along x", drawn, {"control[0].center=[2, 0.5]"});
    expect("control[0] is 0.04 m thin, less than two cells of 0.03125 m", drawn, {"control[0].radius=0.02"});
    expect("control[0].strength is 5 m/s², less than the weight that liquid keeps, 9.81 m/s²", drawn,
           {"control[0].strength=5", "control[0].weight=1"});
    expect("gravity points up", kPool, {"gravity=[0, 9.81]"});
    expect("the liquid falls for ever", kPool, {"domain.sides={top='periodic', bottom='periodic'}"});
    expect("25.6 cells long along y; 26 are used", kPool, {"domain.size=[1, 0.8]"});
    expect("only 2 cells along y", kPool, {"domain.size=[1, 0.0625]", "liquid[0].max=[1, 0.06]"});
    expect("liquid[0] is cut out of nothing", kPool, {"liquid[0].op=subtract"});
    expect("nothing will be written", kPool,
           {"output.volumes=false", "output.mesh=false", "output.images=false", "output.film=false"});
    expect("an even width and height", kPool, {"camera.resolution=[961, 540]"});
    expect("the last frame lies at 1.04167 s, not at 1.02 s", kPool, {"time.end=1.02"});
    expect("source[0] starts at 9 s, but the run ends at 5 s",
           kPool + "[[source]]\nshape = 'sphere'\ncenter = [0.5, 0.8]\nradius = 0.1\nstart = 9\n", {});
    expect("liquid[1] rises to 1.3 m at (0.5, 0), above the top of the box, 1 m",
           kPool + "[[liquid]]\nshape = 'heights'\nheight = '0.5 + 0.8 * exp(-10 * (x - 0.5)^2)'\n", {});
    expect("solid[0] moves and starts inside the liquid",
           kPool + "[[solid]]\nshape = 'sphere'\ncenter = [0.5, 0.3]\nradius = 0.1\noffset = [0, '-t']\n", {});
    expect("solid[0] moves and starts partly outside the box, along y",
           kPool + "[[solid]]\nshape = 'sphere'\ncenter = [0.5, 0.95]\nradius = 0.1\noffset = [0, '-t']\n", {});
    expect("solid[0] moves and starts inside the liquid",
           kPool + "[[solid]]\nshape = 'sphere'\ncenter = [0.5, 0.55]\nradius = 0.1\noffset = [0, '-t']\n", {});
    expect("solid[1] moves and starts inside a solid that stands",
           kPool + "[[solid]]\nshape = 'box'\nmin = [0, 0.6]\nmax = [0.4, 1]\n" +
               "[[solid]]\nshape = 'sphere'\ncenter = [0.2, 0.8]\nradius = 0.1\noffset = [0.2, '-t']\n",
           {});
    const auto bar_that_turns = [](const std::string& angle) {
        return kPool + "[[solid]]\nshape = 'box'\nmin = [0.2, 0.7]\nmax = [0.8, 0.8]\nrotation_degrees = " + angle +
               "\n";
    };
    expect("solid[0] jumps by 90° at t = 1 s: it pushes nothing on its way",
           bar_that_turns("{keyframes = [[0, 0], [1, 90]], interpolation = 'step'}"), {});
    EXPECT_EQ(warnings(bar_that_turns("'3600 * t'"), {}).find("jumps"), std::string::npos);
    const std::string ball_with_pivot = "shape = 'sphere'\ncenter = [0.5, 0.8]\nradius = 0.1\npivot = [0, 0]\n";
    expect("source[0].pivot has no effect: it does not turn", kPool + "[[source]]\n" + ball_with_pivot, {});
    EXPECT_EQ(warnings(kPool + "[[solid]]\n" + ball_with_pivot), "") << "torque is about it";
    const auto ball_that_goes = [](const std::string& offset) {
        return kPool + "[[solid]]\nshape = 'sphere'\ncenter = [0.5, 0.8]\nradius = 0.1\noffset = " + offset + "\n";
    };
    expect("solid[0] jumps by 0.4 m at t = 0.05 s", ball_that_goes("[0, 't > 0.05 ? -0.4 : 0']"), {});
    EXPECT_EQ(warnings(ball_that_goes("[0, '-0.4 * smoothstep(0.05, 0.06, t)']")), "") << "fast, but it moves";
    expect("solid[0] lies outside the domain: 1.9 to 2.1 m along x", ball_that_goes("[1.5, '-t']"), {});
    EXPECT_EQ(warnings(ball_that_goes("['2 - min(t, 2)', 0]")).find("no effect"), std::string::npos) << "it comes in";
    expect("wind[0] lies outside the domain", kPool + "[[wind]]\nvelocity = [1, 0]\nmin = [2, 0]\nmax = [3, 1]\n", {});
    expect("liquid[1] rises to -1 m, not above the bottom of the box",
           kPool + "[[liquid]]\nshape = 'heights'\nheight = -1\n", {});
    expect("liquid[1] lies outside the domain: its plane passes by",
           kPool + "[[liquid]]\nshape = 'plane'\npoint = [0, -1]\nnormal = [0, 1]\n", {});
    expect("domain.sides.left.level is at most -0.5 m", kPool,
           {"domain.sides={right='open', left={kind='inflow', velocity=[1, 0], level='-0.5 - t'}}"});
    expect("gas.viscosity has no effect: the method is particle-level-set-2002; it is for stable-fluids-1999 or gas",
           kPool, {"gas.viscosity=0.1"});
    expect("source[0].rate has no effect",
           kPool + "[[source]]\nshape = 'sphere'\ncenter = [0.5, 0.8]\nradius = 0.1\nrate = 1\n", {});
    const std::string smoke =
        "spindrift = 1\nmethod = 'gas'\n[domain]\nsize = [1, 1]\nresolution = 32\n[[substance]]\nname = 'smoke'\n";
    EXPECT_EQ(warnings(smoke), "");
    expect("particles.per_cell has no effect: the method is gas; it is for particle-level-set-2002", smoke,
           {"particles.per_cell=4"});
    expect("fluid.density has no effect", smoke, {"fluid.density=1"});
    expect("substance[0].ambient_profile varies in time", smoke, {"substance[0].ambient_profile='t'"});
    expect("texture has no effect: it has neither a pattern nor an image", smoke + "[texture]\n", {});
    expect("camera.position has no effect: a 2D scene", kPool, {"camera.position=[0, 0]"});
    expect("render.exposure has no effect: a 2D scene", kPool, {"render.exposure=2"});
    expect("solid[0].glass has no effect: panes of glass are drawn in pictures of 3D liquids",
           kPool + "[[solid]]\nshape = \"sphere\"\ncenter = [0.5, 0]\nradius = 0.1\nglass = true\n", {});
    expect("output.mesh has no effect", kPool, {"output.mesh=true"});
    expect("output.film has no effect", kPool, {"output.film=true", "output.images=false"});
    expect("output.names has no effect: pressure is not among", kPool, {"output.names={pressure='p'}"});
    expect("output.fields has no effect: output.volumes is false", kPool,
           {"output.volumes=false", "output.fields=['surface']"});
    expect("whitewater.lifetime has no effect: whitewater.amount is 0", kPool, {"whitewater.lifetime=5"});
    expect("there is no solid for the field collision", kPool, {"output.fields=['surface', 'collision']"});
    const std::string ball = "center = [0.5, 0.5]\nradius = 0.2\n";
    const std::string rock = kPool + "[[solid]]\nshape = 'sphere'\n" + ball;
    expect("liquid[1] lies inside the solids",
           rock + "[[liquid]]\nshape = 'sphere'\ncenter = [0.5, 0.5]\nradius = 0.1\n", {});
    EXPECT_EQ(warnings(rock + "[[liquid]]\nshape = 'sphere'\ncenter = [0.6, 0.5]\nradius = 0.2\n"), "")
        << "part of it has room";
    expect("liquid[1].velocity has no effect",
           kPool + "[[liquid]]\nshape = 'sphere'\ncenter = [0.5, 0.4]\n" +
               "radius = 0.1\nop = 'subtract'\nvelocity = [1, 0]\n",
           {});
}

TEST(Extent, HoldsTheShapeTightly) {
    const scene::Box turned{.min = {-1, -1, -1}, .max = {1, 1, 1}, .rotate_degrees = {{0, 0, 45}}};
    EXPECT_NEAR(extent(turned, 3)->hi[0], std::sqrt(2.0), 1e-12);
    EXPECT_NEAR(extent(turned, 3)->hi[2], 1, 1e-12);
    EXPECT_TRUE(*contains(turned, {1.3, 0, 0}, 3, 1));
    EXPECT_FALSE(*contains(turned, {0.9, 0.9, 0}, 3, 1));

    const scene::Cylinder lying{.from = {0, 0, 0}, .to = {2, 0, 0}, .radius = 0.5};
    EXPECT_EQ(extent(lying, 3)->lo, (Vec<double, 3>{0, -0.5, -0.5}));
    EXPECT_FALSE(*contains(lying, {2.1, 0, 0}, 3, 1));
    const scene::Capsule capsule{.from = {0, 0, 0}, .to = {2, 0, 0}, .radius = 0.5};
    EXPECT_TRUE(*contains(capsule, {2.1, 0, 0}, 3, 1));
    EXPECT_EQ(extent(scene::Mesh{}, 3), std::nullopt);
    EXPECT_TRUE(*contains(scene::Plane{.point = {0, 1, 0}, .normal = {0, 2, 0}}, {5, 0.9, 5}, 3, 1));

    const scene::Ellipsoid egg{.center = {1, 0, 0}, .radii = {1, 2, 3}, .rotate_degrees = {{90, 0, 0}}};
    EXPECT_NEAR(extent(egg, 3)->hi[1], 3, 1e-12);
    EXPECT_TRUE(*contains(egg, {1, 2.9, 0}, 3, 1));
}

TEST(Estimate, CountsTheLiquid) {
    const SceneEstimate e = estimate(parsed(kPool));
    EXPECT_EQ(e.cells, (Vec<int, 3>{32, 32, 1}));
    EXPECT_EQ(e.box_cells, 1024);
    EXPECT_NEAR(e.liquid_cells, 512, 20);
    EXPECT_GT(e.active_cells, e.liquid_cells);
    EXPECT_LE(e.active_cells, e.box_cells);
    EXPECT_TRUE(e.is_complete);
    EXPECT_GT(e.disk_bytes, 0);

    // Two cells on each side of a level of 32 cells.
    EXPECT_NEAR(e.particles, 32 * 4 * parsed(kPool).particles.per_cell, 20);
    EXPECT_EQ(estimate(parsed(kPool, {"method=level-set"})).particles, 0);
    EXPECT_LT(estimate(parsed(kPool, {"method=level-set"})).memory_bytes, e.memory_bytes);

    // Waves are counted as they stand.
    const SceneEstimate wave =
        estimate(parsed("spindrift = 1\n[domain]\nsize = [1, 1]\nresolution = 32\n[[liquid]]\nshape = 'heights'\n"
                        "height = '0.25 + 0.5 * x'\n"));
    EXPECT_NEAR(wave.liquid_cells, 512, 20);
    EXPECT_TRUE(wave.is_complete);

    // The dam of 0.3 m³ in a box of 2 m³.
    const SceneEstimate dam = estimate(parsed(std::string(kExampleScene)));
    EXPECT_NEAR(dam.liquid_cells / dam.box_cells, 0.15, 0.01);
}

TEST(Estimate, CountsWhatIsPoured) {
    // A stream 0.2 m wide that leaves its source with 1 m/s downwards, for a second: 0.2 m² and the source itself.
    const std::string spout =
        "[time]\nend = 2\n[[source]]\nshape = 'box'\nmin = [0.4, 0.8]\nmax = [0.6, 0.9]\nvelocity = [0, -1]\nend = 1\n";
    const SceneEstimate pouring = estimate(parsed(kPool + spout));
    EXPECT_TRUE(pouring.is_complete);
    EXPECT_NEAR(pouring.poured_cells, 0.22 * pouring.box_cells, 0.03 * pouring.box_cells);
    EXPECT_GE(pouring.most_cells, pouring.active_cells);

    // A plane has no bounds, and this one only touches the box.
    const SceneEstimate touching = estimate(
        parsed(kPool + "[[source]]\nshape = 'plane'\npoint = [0, 0]\nnormal = [1, 0.001]\nvelocity = [1, 0]\n"));
    EXPECT_LE(touching.poured_cells, touching.box_cells);

    // An empty cup is filled before the floor around it gets wet.
    const std::string hall = "spindrift = 1\n[domain]\nsize = [4, 1]\nresolution = 2048\n";
    const std::string cup =
        "[[solid]]\nshape = 'box'\nmin = [0.3, 0]\nmax = [0.7, 0.5]\n"
        "[[solid]]\nshape = 'box'\nmin = [0.35, 0.05]\nmax = [0.65, 0.6]\nop = 'subtract'\n";
    const double filled = estimate(parsed(hall + cup + spout, {"source[0].end=0.5"})).most_cells;
    const double spilled = estimate(parsed(hall + spout, {"source[0].end=0.5"})).most_cells;
    EXPECT_GT(spilled, 1.1 * filled);

    // What comes in through a side leaves by another.
    const std::string through =
        "spindrift = 1\n[domain]\nsize = [1, 1]\nresolution = 32\n"
        "sides = {left = {kind = 'inflow', velocity = [1, 0], level = 0.2}, right = 'open'}\n[time]\nend = 100\n";
    EXPECT_LT(estimate(parsed(through)).poured_cells, 1024);
}

TEST(Estimate, CountsTheStepsOfAGas) {
    const std::string room =
        "spindrift = 1\nmethod = 'gas'\n[domain]\nsize = [1, 1]\nresolution = 50\n"
        "sides = {all = 'no-slip', top = {kind = 'inflow', velocity = [2, 0]}}\n[time]\nfps = 10\n";
    EXPECT_EQ(estimate(parsed(room)).steps_per_frame, 1);
    // 0.2 m in a frame, 0.02 m in a step.
    const SceneEstimate fine = estimate(parsed(room + "[gas]\ncfl = 1\n"));
    EXPECT_NEAR(fine.steps_per_frame, 10, 1);
    EXPECT_GT(fine.core_seconds, estimate(parsed(room)).core_seconds);
    EXPECT_EQ(estimate(parsed(room, {"time.min_substeps=3"})).steps_per_frame, 3);
}

}  // namespace
}  // namespace spindrift
