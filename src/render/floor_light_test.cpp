// SPDX-License-Identifier: Apache-2.0
#include "render/floor_light.h"

#include <cmath>

#include <gtest/gtest.h>

#include "render/fresnel.h"
#include "render/test_support.h"

namespace spindrift {
namespace {

// `absorption` is per cell.
LiquidMedium liquid_of(const RayScene& scene, const Rgb& absorption) {
    LiquidView3 view;
    view.look.absorption = absorption / scene.cell();
    return {view, scene};
}

constexpr int kCells = 32;

Vec3f sun(float x, float y, float z) {
    const Vec3f v{x, y, z};
    return v / length(v);
}

TEST(FloorLight, AnEmptyBoxCastsNoShadow) {
    const auto air = banded_field<3>(Index<3>(kCells), 1.0 / kCells, [](const Vec<double, 3>&) { return -1.0; });
    Field<float, 3> phi(air.tiles_ptr(), 1.0F);
    const RayScene scene(unit_cube(phi, kCells));
    const FloorLight light(scene, sun(-0.5F, 1, 0.3F), liquid_of(scene, Rgb(0.1F)));
    for (float x = -60; x < 100; x += 0.7F)
        for (float z = -60; z < 100; z += 1.3F) ASSERT_NEAR(light.at({x, 0, z})[1], 1, 1e-4F) << x << ' ' << z;
}

// What Fresnel and Lambert leave of the sun, everywhere the same: the lattice of rays makes no noise.
TEST(FloorLight, StillWaterDimsItEvenly) {
    const auto phi =
        banded_field<3>(Index<3>(kCells), 1.0 / kCells, [](const Vec<double, 3>& p) { return p[1] - 0.5; });
    const RayScene scene(unit_cube(phi, kCells));
    const Vec3f to_sun = sun(-0.5F, 1, 0.3F);
    const Rgb absorption{0.05F, 0.01F, 0.002F};
    const FloorLight light(scene, to_sun, liquid_of(scene, absorption));

    const Vec3f bent = refracted(-to_sun, {0, 1, 0}, 1 / kWaterIndex);
    const float passed = 1 - fresnel(to_sun[1], 1 / kWaterIndex), distance = 16 / -bent[1];
    // Where no light comes in through the sides, nor back from them.
    for (float x = 20; x < 25; x += 0.31F)
        for (float z = 5; z < 12; z += 0.43F)
            for (int c = 0; c < 3; ++c)
                ASSERT_NEAR(light.at({x, 0, z})[c], passed * std::exp(-absorption[c] * distance), 2e-3F)
                    << x << ' ' << z;
}

// A round drop is a lens: bright in the middle of its shadow.
TEST(FloorLight, ADropGathersLight) {
    const auto phi = banded_field<3>(Index<3>(kCells), 1.0 / kCells, [](const Vec<double, 3>& p) {
        return length(p - Vec<double, 3>(0.5, 0.35, 0.5)) - 0.25;
    });
    const RayScene scene(unit_cube(phi, kCells));
    const FloorLight light(scene, {0, 1, 0}, liquid_of(scene, Rgb{}));
    EXPECT_GT(light.at({16, 0, 16})[0], 3);
    EXPECT_LT(light.at({16, 0, 22.5F})[0], 0.5F);
    EXPECT_NEAR(light.at({16, 0, 30})[0], 1, 1e-3F);

    // None of it is made: what arrives is at most what was sent.
    double sum = 0;
    int places = 0;
    for (float x = 2; x < 30; x += 0.25F)
        for (float z = 2; z < 30; z += 0.25F, ++places) sum += light.at({x, 0, z})[0];
    EXPECT_LT(sum / places, 1.005);
    EXPECT_GT(sum / places, 0.8);
}

TEST(FloorLight, SolidsCastShadowsWhereTheSunIsNot) {
    Field<float, 3> air(Tiles<3>::covering({Index<3>(0), Index<3>(kCells)}), 1.0F);
    LiquidView3 view = unit_cube(air, kCells);
    view.solid_distance = [](const Vec<double, 3>& p) { return length(p - Vec<double, 3>(0.5, 0.5, 0.5)) - 0.2; };
    const RayScene scene(view);
    const FloorLight light(scene, sun(-1, 1, 0), liquid_of(scene, Rgb{}));
    EXPECT_EQ(light.at({32, 0, 16})[0], 0);  // as far to the right as it is high
    EXPECT_NEAR(light.at({16, 0, 16})[0], 1, 1e-4F);
    EXPECT_NEAR(light.at({32, 0, 24})[0], 1, 1e-4F);
}

TEST(FloorLight, NoneAtNight) {
    Field<float, 3> air(Tiles<3>::covering({Index<3>(0), Index<3>(kCells)}), 1.0F);
    const RayScene scene(unit_cube(air, kCells));
    EXPECT_EQ(FloorLight(scene, sun(1, -0.2F, 0), liquid_of(scene, Rgb{})).at({16, 0, 16})[0], 0);
}

}  // namespace
}  // namespace spindrift
