// SPDX-License-Identifier: Apache-2.0
#include "linear/poisson.h"

#include <limits>

#include <gtest/gtest.h>

#include "grid/measure.h"
#include "linear/test_support.h"

namespace spindrift {
namespace {

template <class T>
class Poisson : public ::testing::Test {};
TYPED_TEST_SUITE(Poisson, Dimensions);

// Rounding of a dozen operations on numbers of the diagonal's size: at most 2 Dim + 5 + mass here.
constexpr double kRounding = 1e-5;

TYPED_TEST(Poisson, RandomSystemsHaveTilesOfEveryKind) {
    constexpr int Dim = TypeParam::kDim;
    int uniform_open = 0, uniform_closed = 0, general = 0, empty = 0;
    for (const unsigned seed : {1U, 2U, 3U}) {
        const PoissonOperator<Dim> a = random_system<Dim>(seed).make_operator();
        for (std::size_t n = 0; n < a.tiles().count(); ++n) {
            const auto slot = static_cast<Slot>(n);
            bool closed = false;
            for (int axis = 0; a.is_uniform(slot) && axis < Dim; ++axis)
                closed |= a.is_closed(slot, axis, false) || a.is_closed(slot, axis, true);
            ++(a.is_empty(slot) ? empty : !a.is_uniform(slot) ? general : closed ? uniform_closed : uniform_open);
        }
    }
    EXPECT_GT(uniform_closed, 0);
    EXPECT_GT(general, 0);
    EXPECT_GT(empty, 0);
    EXPECT_GT(uniform_open, Dim == 2 ? 0 : -1);  // among 27 tiles in space one open on all six sides is rare
}

TYPED_TEST(Poisson, ApplyIsItsDefinition) {
    constexpr int Dim = TypeParam::kDim;
    for (const unsigned seed : {1U, 2U, 3U})
        for (const float mass : {0.0F, 0.7F}) {
            const System<Dim> system = random_system<Dim>(seed, mass);
            const PoissonOperator<Dim> a = system.make_operator();
            const Field<float, Dim> x = random_field<Dim>(system.tiles(), seed);
            Field<float, Dim> y(system.tiles(), 0);
            y.fill(99);  // what it held before must not matter
            const double xy = a.apply(y, x);

            const auto worst = difference(y, [&](const Index<Dim>& cell) { return system.applied(cell, x); });
            EXPECT_LT(worst.largest, kRounding) << worst << ", seed " << seed << ", mass " << mass;
            EXPECT_NEAR(xy, inner_product(x, y), 1e-6 * std::abs(xy));
        }
}

TYPED_TEST(Poisson, SymmetricAndPositive) {
    constexpr int Dim = TypeParam::kDim;
    for (const unsigned seed : {4U, 5U, 6U}) {
        const System<Dim> system = random_system<Dim>(seed);
        const PoissonOperator<Dim> a = system.make_operator();
        const Field<float, Dim> x = random_field<Dim>(system.tiles(), 10 + seed);
        const Field<float, Dim> y = random_field<Dim>(system.tiles(), 20 + seed);
        Field<float, Dim> ax(system.tiles()), ay(system.tiles());
        const double xax = a.apply(ax, x);
        const double yay = a.apply(ay, y);
        EXPECT_GT(xax, 0);
        EXPECT_NEAR(inner_product(y, ax), inner_product(x, ay), 1e-7 * (xax + yay)) << "seed " << seed;
    }
}

TYPED_TEST(Poisson, ConstantIsInTheNullSpaceOfAClosedBox) {
    constexpr int Dim = TypeParam::kDim;
    // Aligned with tiles, and cutting through them on both sides of the origin.
    for (const IndexBox<Dim>& box :
         {IndexBox<Dim>{Index<Dim>(-8), Index<Dim>(16)}, IndexBox<Dim>{Index<Dim>(-5), Index<Dim>(11)}}) {
        System<Dim> system = closed_box(box);
        for (const bool cut : {false, true}) {
            if (cut)
                for (int axis = 0; axis < Dim; ++axis)
                    assign(system.conductance[axis], [](const Index<Dim>& cell) { return std::abs(scrambled(cell)); });
            const PoissonOperator<Dim> a = system.make_operator();
            Field<float, Dim> x(system.tiles()), y(system.tiles());
            x.fill(3.7F);
            EXPECT_EQ(a.apply(y, x), 0);
            EXPECT_EQ(max_abs(y), 0);
            EXPECT_EQ(a.unknown_count(), static_cast<std::size_t>(product(box.size())));
        }
    }
}

TYPED_TEST(Poisson, ExpandGivesBackTheFields) {
    constexpr int Dim = TypeParam::kDim;
    for (const float mass : {0.0F, 0.7F}) {
        const System<Dim> system = random_system<Dim>(7, mass);
        const PoissonOperator<Dim> a = system.make_operator();
        std::size_t unknowns = 0;
        TileSystem<Dim> tile;
        for (std::size_t n = 0; n < a.tiles().count(); ++n) {
            a.expand(static_cast<Slot>(n), tile);
            for (int i = 0; i < kTileCells<Dim>; ++i) {
                const Index<Dim> cell = a.tiles().origin(static_cast<Slot>(n)) + cell_in_tile<Dim>(i);
                unknowns += system.diagonal(cell) > 0 ? 1 : 0;
                ASSERT_EQ(tile.ground[i], system.hold(cell)) << text(cell);
                for (int axis = 0; axis < Dim; ++axis) {
                    ASSERT_EQ(tile.lower[axis][i], system.lower(cell, axis)) << text(cell) << ", axis " << axis;
                    ASSERT_EQ(tile.upper_of(axis, i), system.upper(cell, axis)) << text(cell) << ", axis " << axis;
                }
            }
        }
        EXPECT_EQ(a.unknown_count(), unknowns);
    }
}

TYPED_TEST(Poisson, UniformTilesStoreNothing) {
    constexpr int Dim = TypeParam::kDim;
    System<Dim> system = closed_box<Dim>({Index<Dim>(-8), Index<Dim>(16)});
    {
        const PoissonOperator<Dim> a = system.make_operator();
        EXPECT_EQ(a.general_tile_count(), 0U);
        const Slot corner = a.tiles().find(Index<Dim>(-1));
        for (int axis = 0; axis < Dim; ++axis) {
            EXPECT_TRUE(a.is_uniform(corner));
            EXPECT_TRUE(a.is_closed(corner, axis, false));
            EXPECT_FALSE(a.is_closed(corner, axis, true));
        }
    }
    // A face inside a tile concerns that tile alone, one between two tiles both.
    system.conductance[0].ref(Index<Dim>(3)) = 0.5F;
    EXPECT_EQ(system.make_operator().general_tile_count(), 1U);
    system.conductance[0].ref(Index<Dim>(8)) = 0.5F;
    EXPECT_EQ(system.make_operator().general_tile_count(), 3U);
}

TYPED_TEST(Poisson, ResidualIsItsDefinitionAndMayOverwriteTheRightSide) {
    constexpr int Dim = TypeParam::kDim;
    const System<Dim> system = random_system<Dim>(8, 0.2F);
    const PoissonOperator<Dim> a = system.make_operator();
    const Field<float, Dim> x = random_field<Dim>(system.tiles(), 1), b = random_field<Dim>(system.tiles(), 2);
    Field<float, Dim> r(system.tiles()), in_place = b;
    const double rr = a.residual(r, b, x);
    const auto worst = difference(r, [&](const Index<Dim>& cell) {
        return system.diagonal(cell) > 0 ? static_cast<double>(b.at(cell)) - system.applied(cell, x) : 0.0;
    });
    EXPECT_LT(worst.largest, kRounding) << worst;
    EXPECT_NEAR(rr, inner_product(r, r), 1e-6 * rr);
    EXPECT_EQ(a.residual(in_place, in_place, x), rr);
    EXPECT_EQ(state_hash(in_place), state_hash(r));
}

// A relaxed cell's own equation holds exactly, and the other colour is as it was.
TYPED_TEST(Poisson, RelaxSolvesTheCellsOfOneColour) {
    constexpr int Dim = TypeParam::kDim;
    for (const float mass : {0.0F, 0.7F})
        for (const float weight : {1.0F, 1.7F})
            for (const Colour colour : {Colour::red, Colour::black}) {
                const System<Dim> system = random_system<Dim>(9, mass);
                const PoissonOperator<Dim> a = system.make_operator();
                Field<float, Dim> in = random_field<Dim>(system.tiles(), 3), out(system.tiles());
                const Field<float, Dim> b = random_field<Dim>(system.tiles(), 4);
                a.keep_unknowns(in);
                a.relax(out, in, b, colour, weight);

                double largest = 0;
                for_each_cell(*system.tiles(), [&](const Index<Dim>& cell) {
                    if (is_red(cell) != (colour == Colour::red)) {
                        ASSERT_EQ(out.at(cell), in.at(cell)) << text(cell);
                        return;
                    }
                    const double d = system.diagonal(cell), old = in.at(cell);
                    if (d == 0) {
                        ASSERT_EQ(out.at(cell), 0) << text(cell);
                        return;
                    }
                    // Small diagonals magnify rounding in x, not in the equation.
                    const double solved = (b.at(cell) + system.neighbours(cell, in)) / d;
                    const double expected = old + weight * (solved - old);
                    largest = std::max(largest, d * std::abs(out.at(cell) - expected) / (1 + std::abs(solved)));
                });
                EXPECT_LT(largest, kRounding) << "mass " << mass << ", weight " << weight;
            }
}

TYPED_TEST(Poisson, RelaxZeroIsRelaxationOfNothing) {
    constexpr int Dim = TypeParam::kDim;
    const System<Dim> system = random_system<Dim>(10, 0.3F);
    const PoissonOperator<Dim> a = system.make_operator();
    const Field<float, Dim> zero(system.tiles()), b = random_field<Dim>(system.tiles(), 5);
    for (const Colour colour : {Colour::red, Colour::black}) {
        Field<float, Dim> expected(system.tiles()), out(system.tiles());
        out.fill(99);
        a.relax(expected, zero, b, colour);
        a.relax_zero(out, b, colour);
        EXPECT_GT(max_abs(out), 0);
        EXPECT_EQ(difference(out, [&](const Index<Dim>& cell) { return expected.at(cell); }).largest, 0);
    }
}

TYPED_TEST(Poisson, KeepUnknownsClearsEverythingElse) {
    constexpr int Dim = TypeParam::kDim;
    const System<Dim> system = random_system<Dim>(11);
    const PoissonOperator<Dim> a = system.make_operator();
    const Field<float, Dim> before = random_field<Dim>(system.tiles(), 6);
    Field<float, Dim> x = before;
    a.keep_unknowns(x);
    const auto worst = difference(
        x, [&](const Index<Dim>& cell) { return system.diagonal(cell) > 0 ? double{before.at(cell)} : 0.0; });
    EXPECT_EQ(worst.largest, 0) << worst;
}

// The 2D system laid along any two of three axes, with closed ends, is the 2D system in each slice.
TEST(PoissonExtrusion, EachSliceIsThePlaneProblem) {
    const System<2> flat = random_system<2>(12, 0.1F);
    const Field<float, 2> x = random_field<2>(flat.tiles(), 7);
    Field<float, 2> y(flat.tiles());
    flat.make_operator().apply(y, x);
    for (int along = 0; along < 3; ++along) {
        const auto flattened = [&](const Index<3>& cell) {
            return along == 0   ? Index<2>(cell[1], cell[2])
                   : along == 1 ? Index<2>(cell[0], cell[2])
                                : Index<2>(cell[0], cell[1]);
        };
        std::vector<Index<3>> coordinates;
        for (std::size_t n = 0; n < flat.tiles()->count(); ++n)
            for (const int layer : {-1, 0}) {
                const Index<2> tile = flat.tiles()->coordinate(static_cast<Slot>(n));
                coordinates.push_back(along == 0   ? Index<3>(layer, tile[0], tile[1])
                                      : along == 1 ? Index<3>(tile[0], layer, tile[1])
                                                   : Index<3>(tile[0], tile[1], layer));
            }
        System<3> solid(Tiles<3>::from_coordinates(coordinates), flat.mass);
        assign(solid.unknown, [&](const Index<3>& cell) { return flat.unknown.at(flattened(cell)); });
        assign(solid.ground, [&](const Index<3>& cell) { return flat.ground.at(flattened(cell)); });
        for (int axis = 0; axis < 3; ++axis)
            assign(solid.conductance[axis], [&](const Index<3>& cell) {
                return axis == along ? 1.0F : flat.conductance[axis < along ? axis : axis - 1].at(flattened(cell));
            });
        Field<float, 3> x3(solid.tiles()), y3(solid.tiles());
        assign(x3, [&](const Index<3>& cell) { return x.at(flattened(cell)); });
        solid.make_operator().apply(y3, x3);
        const auto worst = difference(y3, [&](const Index<3>& cell) { return y.at(flattened(cell)); });
        EXPECT_LT(worst.largest, kRounding) << worst << ", along axis " << along;
    }
}

TYPED_TEST(Poisson, RelabelledAxesGiveTheRelabelledResult) {
    constexpr int Dim = TypeParam::kDim;
    const System<Dim> system = random_system<Dim>(13, 0.1F);
    const Field<float, Dim> x = random_field<Dim>(system.tiles(), 8), b = random_field<Dim>(system.tiles(), 9);
    Field<float, Dim> r(system.tiles());
    system.make_operator().residual(r, b, x);

    // Axis a of the turned system is axis a + 1 of the first one.
    const auto turned = [](const Index<Dim>& v) {
        Index<Dim> out;
        for (int a = 0; a < Dim; ++a) out[a] = v[(a + 1) % Dim];
        return out;
    };
    const auto back = [](const Index<Dim>& v) {
        Index<Dim> out;
        for (int a = 0; a < Dim; ++a) out[(a + 1) % Dim] = v[a];
        return out;
    };
    std::vector<Index<Dim>> coordinates;
    for (std::size_t n = 0; n < system.tiles()->count(); ++n)
        coordinates.push_back(turned(system.tiles()->coordinate(static_cast<Slot>(n))));
    System<Dim> other(Tiles<Dim>::from_coordinates(coordinates), system.mass);
    const auto take = [&](auto& to, const auto& from) {
        assign(to, [&](const Index<Dim>& cell) { return from.at(back(cell)); });
    };
    take(other.unknown, system.unknown);
    take(other.ground, system.ground);
    for (int axis = 0; axis < Dim; ++axis) take(other.conductance[axis], system.conductance[(axis + 1) % Dim]);
    Field<float, Dim> other_x(other.tiles()), other_b(other.tiles()), other_r(other.tiles());
    take(other_x, x);
    take(other_b, b);
    other.make_operator().residual(other_r, other_b, other_x);
    const auto worst = difference(other_r, [&](const Index<Dim>& cell) { return r.at(back(cell)); });
    EXPECT_LT(worst.largest, kRounding) << worst;
}

// Unknown where level < 0; the surface between two cells is where their levels, taken as linear, vanish.
TYPED_TEST(Poisson, FreeSurfaceIsTheGhostFluidFormula) {
    constexpr int Dim = TypeParam::kDim;
    const TilesPtr<Dim> tiles = ragged_tiles<Dim>(Dim == 2 ? 4 : 1, 0.8, 3);
    Field<float, Dim> level = random_field<Dim>(tiles, 10);
    for (float& v : level.values()) v = v * v * v - 0.1F;  // crossings at every distance, some below the smallest
    const Field<float, Dim> inside = level;
    level = Field<float, Dim>(tiles, 0.4F);  // beyond the tiles: outside the liquid, but a surface to reckon with
    assign(level, [&](const Index<Dim>& cell) { return inside.at(cell); });
    FaceField<Dim> open(tiles, 0.25F);
    for (int axis = 0; axis < Dim; ++axis)
        assign(open[axis], [&](const Index<Dim>& cell) { return std::abs(scrambled(cell + Index<Dim>(axis))); });
    const float mass = 0.3F;
    const PoissonOperator<Dim> a = free_surface_operator(level, open, mass);

    int crossings = 0, clamped = 0;
    TileSystem<Dim> tile;
    for (std::size_t n = 0; n < tiles->count(); ++n) {
        a.expand(static_cast<Slot>(n), tile);
        for (int i = 0; i < kTileCells<Dim>; ++i) {
            const Index<Dim> cell = tiles->origin(static_cast<Slot>(n)) + cell_in_tile<Dim>(i);
            const double here = level.at(cell);
            double ground = here < 0 ? double{mass} : 0.0;
            for (int axis = 0; axis < Dim; ++axis)
                for (const int side : {-1, 1}) {
                    const double beyond = level.at(cell + unit<Dim>(axis) * side);
                    const double face = open[axis].at(side < 0 ? cell : cell + unit<Dim>(axis));
                    const double conducts = here < 0 && beyond < 0 ? face : 0;
                    ASSERT_EQ(side < 0 ? tile.lower[axis][i] : tile.upper_of(axis, i), conducts) << text(cell);
                    if (here >= 0 || beyond < 0) continue;
                    const double theta = here / (here - beyond);
                    ground += face / std::max(theta, 0.01);
                    ++crossings;
                    clamped += theta < 0.01 ? 1 : 0;
                }
            ASSERT_NEAR(tile.ground[i], ground, 1e-4 * (1 + ground)) << text(cell);
        }
    }
    EXPECT_GT(crossings, 1000);
    EXPECT_GT(clamped, 5);
}

TEST(PoissonDeathTest, FieldsOnOtherTilesAreRefusedAndBothAreDescribed) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const System<2> system = closed_box<2>({Index<2>(0), Index<2>(16)});
    const PoissonOperator<2> a = system.make_operator();
    Field<float, 2> here(system.tiles()), there(Tiles<2>::covering({Index<2>(0), Index<2>(24)}));
    EXPECT_DEATH(a.apply(here, there), R"(the operator lives on 4 tiles .* x on 9 tiles over cells \(0, 0\) to \(24)");
    EXPECT_DEATH(a.residual(here, there, here), "the operator lives on 4 tiles .* b on 9 tiles");
    EXPECT_DEATH(a.relax(there, here, here, Colour::red), "the operator lives on 4 tiles .* out on 9 tiles");
    FaceField<2> open(there.tiles_ptr());
    EXPECT_DEATH(free_surface_operator(here, open), "level lives on 4 tiles .* open on 9 tiles");
    EXPECT_DEATH(PoissonOperator<2>(open, here, system.unknown), "unknown lives on 4 tiles .* conductance on 9 tiles");
}

TEST(PoissonDeathTest, CoefficientsThatCannotBeAreRefusedWithTheirCell) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const System<3> system = closed_box<3>({Index<3>(-8), Index<3>(8)});
    const auto with_face = [&](const Index<3>& cell, float value) {
        System<3> changed = system;
        changed.conductance[1].ref(cell) = value;
        return changed.make_operator().unknown_count();
    };
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    EXPECT_DEATH(with_face({-3, -2, 1}, nan), R"(the lower face of cell \(-3, -2, 1\) is nan)");
    EXPECT_DEATH(with_face({4, 5, 6}, -0.5F), R"(the lower face of cell \(4, 5, 6\) is -0.5)");
    EXPECT_DEATH(with_face({4, 5, 6}, inf), R"(the lower face of cell \(4, 5, 6\) is inf)");
    System<3> grounded = system;
    grounded.ground.ref({7, 0, -8}) = -1;
    EXPECT_DEATH(grounded.make_operator(), R"(the ground of cell \(7, 0, -8\) is -1)");
    EXPECT_DEATH(closed_box<3>({Index<3>(0), Index<3>(8)}, nan).make_operator(), "the mass is nan");
}

TEST(PoissonDeathTest, RelaxingInPlaceIsRefused) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const System<2> system = closed_box<2>({Index<2>(0), Index<2>(16)});
    const PoissonOperator<2> a = system.make_operator();
    Field<float, 2> x(system.tiles()), b(system.tiles());
    EXPECT_DEATH(a.relax(x, x, b, Colour::red), "reads and writes the same field");
}

// Liquid that goes on where there are no tiles has no equation there: the problem is not what the caller thinks.
TEST(PoissonDeathTest, LiquidBeyondTheTilesIsRefused) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const TilesPtr<2> tiles = Tiles<2>::covering({Index<2>(0), Index<2>(16)});
    const Field<float, 2> level(tiles, -1.0F);
    EXPECT_DEATH(free_surface_operator(level, FaceField<2>(tiles, 1.0F)), "background");
    const Field<std::uint8_t, 2> unknown(tiles, 1);
    EXPECT_DEATH(PoissonOperator<2>(FaceField<2>(tiles, 1.0F), Field<float, 2>(tiles), unknown), "background");
}

}  // namespace
}  // namespace spindrift
