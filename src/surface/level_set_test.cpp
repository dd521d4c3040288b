// SPDX-License-Identifier: Apache-2.0
// Distances that stay distances, shapes that are advected without change, tiles that follow the surface.
#include "surface/level_set.h"

#include <functional>

#include <fmt/format.h>

#include "base/simd.h"
#include "grid/measure.h"
#include "grid/refit.h"
#include "grid/sampler.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

constexpr double kDx = 0.1;  // m; not one, so that a length in the wrong unit shows
constexpr int kBand = 9;

template <int Dim>
using Place = Vec<double, Dim>;  // in cells

template <int Dim>
LevelSetGrid<Dim> container(const Index<Dim>& cells, int band = kBand) {
    return {kDx, {Index<Dim>(0), cells}, band};
}

// φ on all tiles of the container from f, positions and values in cells; cut off at the band.
template <int Dim, class F>
Field<float, Dim> level_of(const LevelSetGrid<Dim>& grid, F&& f) {
    const double band = grid.band * grid.dx;
    auto phi = Field<float, Dim>::unfilled(Tiles<Dim>::covering(grid.box), static_cast<float>(band));
    assign(phi, [&](const Index<Dim>& cell) {
        const double value = f(Place<Dim>(cell) + Place<Dim>(0.5)) * grid.dx;
        return static_cast<float>(std::clamp(value, -band, band));
    });
    return phi;
}

template <int Dim>
auto ball(const Place<Dim>& centre, double radius) {
    return [=](const Place<Dim>& x) { return length(x - centre) - radius; };
}
template <int Dim>
double ball_volume(double radius) {
    return Dim == 2 ? M_PI * radius * radius : 4.0 / 3 * M_PI * radius * radius * radius;
}

// The centre of the liquid, in cells, cells counted by a ramp across the surface.
template <int Dim>
Place<Dim> centre_of(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid) {
    Place<Dim> sum(0.0);
    double total = 0;
    for_each_index(grid.box, [&](const Index<Dim>& cell) {
        const double part = std::clamp(0.5 - phi.at(cell) / grid.dx, 0.0, 1.0);
        sum += (Place<Dim>(cell) + Place<Dim>(0.5)) * part;
        total += part;
    });
    return sum / total;
}

// The largest |φ − exact| in cells where the exact distance is below `within` cells.
template <int Dim, class F>
double largest_error(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid, double within, F&& exact) {
    double most = 0;
    for_each_index(grid.box, [&](const Index<Dim>& cell) {
        const double d = exact(Place<Dim>(cell) + Place<Dim>(0.5));
        if (std::abs(d) < within) most = std::max(most, std::abs(phi.at(cell) / grid.dx - d));
    });
    return most;
}

// The largest distance from where φ changes its sign between neighbours to the exact surface, in cells.
template <int Dim, class F>
double surface_error(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid, F&& exact) {
    double most = 0;
    for_each_index(grid.box, [&](const Index<Dim>& cell) {
        for (int axis = 0; axis < Dim; ++axis) {
            const Index<Dim> next = cell + unit<Dim>(axis);
            const double a = phi.at(cell), b = phi.at(next);
            if (!grid.box.contains(next) || (a < 0) == (b < 0)) continue;
            Place<Dim> x = Place<Dim>(cell) + Place<Dim>(0.5);
            x[axis] += a / (a - b);
            most = std::max(most, std::abs(exact(x)));
        }
    });
    return most;
}

// u at faces from f, positions and velocities in cells.
template <int Dim, class F>
FaceField<Dim> flow(const TilesPtr<Dim>& tiles, F&& f) {
    FaceField<Dim> u(tiles);
    for (int axis = 0; axis < Dim; ++axis)
        assign(u[axis], [&](const Index<Dim>& cell) {
            return static_cast<float>(kDx * f(Place<Dim>(cell) + Place<Dim>(face_centre<Dim>(axis)))[axis]);
        });
    return u;
}

template <class D>
class LevelSetTest : public ::testing::Test {
  protected:
    void note(const std::string& name, double value) { this->RecordProperty(name, fmt::format("{:.3g}", value)); }
};
TYPED_TEST_SUITE(LevelSetTest, Dimensions);

// Slopes wrong by a tenth, differently along the surface: as a step of a lively flow leaves them.  One pass brings the
// surface's neighbours back, a second the cells around.
TYPED_TEST(LevelSetTest, ADistortedSurfaceBecomesADistance) {
    constexpr int Dim = TypeParam::kDim;
    const auto grid = container<Dim>(Index<Dim>(48));
    const auto exact = ball<Dim>(Place<Dim>(23.7), 12.3);
    Field<float, Dim> phi = level_of(
        grid, [&](const Place<Dim>& x) { return exact(x) * (1 + 0.1 * std::sin(0.4 * x[0]) * std::cos(0.3 * x[1])); });
    const double before = largest_error(phi, grid, 3, exact);
    EXPECT_GT(before, 0.2);
    redistance(phi, grid);
    EXPECT_LT(largest_error(phi, grid, 1, exact), 0.04);
    EXPECT_LT(surface_error(phi, grid, exact), 0.03);
    this->note("first", largest_error(phi, grid, 1, exact));
    this->note("band", largest_error(phi, grid, kBand - 1, exact));
    this->note("moved", surface_error(phi, grid, exact));
    redistance(phi, grid);
    EXPECT_LT(largest_error(phi, grid, 1, exact), 0.015);
    EXPECT_LT(largest_error(phi, grid, 3, exact), 0.06);
    EXPECT_LT(largest_error(phi, grid, kBand - 1, exact), 0.9);
    EXPECT_LT(surface_error(phi, grid, exact), 0.03);
    this->note("first_twice", largest_error(phi, grid, 1, exact));
    this->note("near_twice", largest_error(phi, grid, 3, exact));
    this->note("band_twice", largest_error(phi, grid, kBand - 1, exact));
}

// What is a distance already stays one, and far cells sit at the band's edge.
TYPED_TEST(LevelSetTest, ADistanceStaysADistance) {
    constexpr int Dim = TypeParam::kDim;
    const auto grid = container<Dim>(Index<Dim>(40));
    Place<Dim> normal(0.31);
    normal[0] = 0.83;
    normal = normal / length(normal);
    const auto plane = [&](const Place<Dim>& x) { return dot(normal, x - Place<Dim>(20.3)); };
    Field<float, Dim> phi = level_of(grid, plane);
    redistance(phi, grid);
    // Away from the walls, where a slanted plane has a kink.
    double near = 0, band = 0;
    for_each_index(grid.box.expanded(-8), [&](const Index<Dim>& cell) {
        const double d = plane(Place<Dim>(cell) + Place<Dim>(0.5)), error = std::abs(phi.at(cell) / kDx - d);
        if (std::abs(d) < 3) near = std::max(near, error);
        if (std::abs(d) < kBand - 1) band = std::max(band, error);
        if (std::abs(d) < kBand + 1) return;
        EXPECT_FLOAT_EQ(std::abs(phi.at(cell)), static_cast<float>(kBand * kDx));
    });
    this->note("near", near);
    this->note("band", band);
    EXPECT_LT(near, 1e-3);
    EXPECT_LT(band, 0.5);
}

// A band may be wider than a tile: long steps need one of 15 cells.
TYPED_TEST(LevelSetTest, AWideBandIsADistanceThroughout) {
    constexpr int Dim = TypeParam::kDim;
    for (const int wide : {12, 13, 15, 21}) {
        const auto grid = container<Dim>(Index<Dim>(48), wide);
        for (const double at : {16.3, 20.3, 23.6}) {
            const auto plane = [&](const Place<Dim>& x) { return x[0] - at; };
            Field<float, Dim> phi = level_of(grid, plane);
            redistance(phi, grid);
            EXPECT_LT(largest_error(phi, grid, wide - 0.5, plane), 0.1) << wide << " cells around " << at;
        }
    }
}

// Nor does it dent the shape, which an error that grows from pass to pass would do first.
TYPED_TEST(LevelSetTest, RedistancingAgainAndAgainDoesNotMoveTheSurface) {
    constexpr int Dim = TypeParam::kDim;
    const auto grid = container<Dim>(Index<Dim>(40));
    const auto exact = ball<Dim>(Place<Dim>(20.2), 8);
    Field<float, Dim> phi = level_of(grid, exact);
    const double before = liquid_cells(phi, grid);
    for (int n = 0; n < 20; ++n) redistance(phi, grid);
    const double drift = liquid_cells(phi, grid) / before - 1;
    this->note("drift", drift);
    EXPECT_LT(std::abs(drift), 2e-4);
    EXPECT_LT(surface_error(phi, grid, exact), 0.02);
    for (int n = 0; n < 80; ++n) redistance(phi, grid);
    this->note("drift_100", liquid_cells(phi, grid) / before - 1);
    this->note("moved_100", surface_error(phi, grid, exact));
    EXPECT_LT(std::abs(liquid_cells(phi, grid) / before - 1), 3e-3);
    EXPECT_LT(surface_error(phi, grid, exact), 0.06);
}

// Liquid thinner than the stencil and single cells are not lost.
TYPED_TEST(LevelSetTest, RedistancingKeepsASingleCell) {
    constexpr int Dim = TypeParam::kDim;
    const auto grid = container<Dim>(Index<Dim>(24));
    Field<float, Dim> phi = level_of(grid, ball<Dim>(Place<Dim>(12.5), 0.6));
    const double before = liquid_cells(phi, grid);
    for (int n = 0; n < 20; ++n) redistance(phi, grid);
    EXPECT_LT(phi.at(Index<Dim>(12)), 0);
    this->note("left", liquid_cells(phi, grid) / before);
    EXPECT_NEAR(liquid_cells(phi, grid), before, 0.01 * before);
}

// Advects in steps and redistances after each, as a liquid does.
template <int Dim>
void advect(Field<float, Dim>& phi, const FaceField<Dim>& u, const LevelSetGrid<Dim>& grid, double dt, int steps) {
    for (int n = 0; n < steps; ++n) {
        advect_level_set(phi, u, dt, grid);
        redistance(phi, grid);
    }
}

TYPED_TEST(LevelSetTest, ABallAdvectedAtAnAngleKeepsItsVolumeAndArrives) {
    constexpr int Dim = TypeParam::kDim;
    const auto grid = container<Dim>(Index<Dim>(44));
    const Place<Dim> start(16.4);
    Place<Dim> way(6.1);
    way[0] = 10.7;
    Field<float, Dim> phi = level_of(grid, ball<Dim>(start, 8));
    const double before = liquid_cells(phi, grid);
    const auto u = flow<Dim>(phi.tiles_ptr(), [&](const Place<Dim>&) { return way; });
    advect(phi, u, grid, 1 / 40.0, 40);
    const double volume = liquid_cells(phi, grid) / before - 1, off = length(centre_of(phi, grid) - start - way);
    this->note("volume", volume);
    this->note("off", off);
    EXPECT_LT(std::abs(volume), 1e-3);
    EXPECT_LT(off, 0.005);
    EXPECT_LT(surface_error(phi, grid, ball<Dim>(start + way, 8)), 0.05);
}

TYPED_TEST(LevelSetTest, ABallTurnedOnceKeepsItsVolumeAndComesBack) {
    constexpr int Dim = TypeParam::kDim;
    Index<Dim> cells(48);
    if (Dim == 3) cells[2] = 32;
    const auto grid = container<Dim>(cells);
    Place<Dim> axis(24.0), start(24.0);
    if (Dim == 3) start[2] = axis[2] = 16;
    start[0] += 11.3;
    Field<float, Dim> phi = level_of(grid, ball<Dim>(start, 8));
    const double before = liquid_cells(phi, grid);
    const auto u = flow<Dim>(phi.tiles_ptr(), [&](const Place<Dim>& x) {
        Place<Dim> v(0.0);
        v[0] = -2 * M_PI * (x[1] - axis[1]);
        v[1] = 2 * M_PI * (x[0] - axis[0]);
        return v;
    });
    // The fastest corner stays below one cell a step.
    advect(phi, u, grid, 1 / 320.0, 320);
    const double volume = liquid_cells(phi, grid) / before - 1, off = length(centre_of(phi, grid) - start);
    this->note("volume", volume);
    this->note("off", off);
    this->note("surface", surface_error(phi, grid, ball<Dim>(start, 8)));
    EXPECT_LT(std::abs(volume), 5e-3);
    EXPECT_LT(off, 0.03);
    EXPECT_LT(surface_error(phi, grid, ball<Dim>(start, 8)), 0.1);
}

// The error of a plane wave advected over a third of its length, at `cells` per wave.
template <int Dim>
double wave_error(int cells) {
    LevelSetGrid<Dim> grid = container<Dim>(Index<Dim>(32), 100);
    Place<Dim> k(2 * M_PI / cells);
    k[1] *= -1;  // oblique in 3D, too, but of the same length along each axis
    const auto wave = [&](const Place<Dim>& x) { return 0.2 * cells * std::sin(dot(k, x - Place<Dim>(16.0))); };
    Field<float, Dim> phi = level_of(grid, wave);
    Place<Dim> velocity(1.0);
    velocity[0] = 2;
    const double time = cells / 12.0;
    const auto u = flow<Dim>(phi.tiles_ptr(), [&](const Place<Dim>&) { return velocity; });
    const int steps = cells / 3;  // of half a cell along the first axis
    for (int n = 0; n < steps; ++n) advect_level_set(phi, u, time / steps, grid);
    double most = 0;
    for_each_index(IndexBox<Dim>{Index<Dim>(12), Index<Dim>(20)}, [&](const Index<Dim>& cell) {
        const double exact = wave(Place<Dim>(cell) + Place<Dim>(0.5) - velocity * time);
        most = std::max(most, std::abs(phi.at(cell) / kDx - exact));
    });
    return most / cells;
}

TYPED_TEST(LevelSetTest, SmoothSurfacesAreAdvectedToThirdOrder) {
    constexpr int Dim = TypeParam::kDim;
    const double coarse = wave_error<Dim>(12), fine = wave_error<Dim>(24);
    this->note("coarse", coarse);
    this->note("order", std::log2(coarse / fine));
    EXPECT_GT(std::log2(coarse / fine), 2.9);
    EXPECT_LT(coarse, 0.02);
}

// Between the two sides of a sheet φ has a kink.  A cubic through it would thicken sheets of two cells to 2.8 in these
// steps; what gives way to the smoother side neither thickens them nor thins them out.
TYPED_TEST(LevelSetTest, ASheetKeepsItsThickness) {
    constexpr int Dim = TypeParam::kDim;
    const auto grid = container<Dim>(Index<Dim>(Dim == 2 ? 64 : 40));
    Place<Dim> normal(0.0), velocity(0.21);
    normal[0] = 0.8, normal[1] = 0.6, velocity[0] = 0.37;
    for (const double thickness : {2.0, 3.0}) {
        const double middle = grid.box.hi[0] * 0.55;
        Field<float, Dim> phi =
            level_of(grid, [&](const Place<Dim>& x) { return std::abs(dot(normal, x) - middle) - thickness / 2; });
        advect(phi, flow<Dim>(phi.tiles_ptr(), [&](const Place<Dim>&) { return velocity; }), grid, 1, 24);
        // Along rows in the middle, which cut the sheet at an angle.
        double sum = 0;
        const int first = grid.box.hi[1] / 2 - 4;
        for (int j = first; j < first + 8; ++j)
            for (int i = 2; i < grid.box.hi[0] - 2; ++i) {
                Index<Dim> cell(grid.box.hi[0] / 2);
                cell[0] = i, cell[1] = j;
                sum += std::clamp(0.5 - phi.at(cell) / kDx / normal[0], 0.0, 1.0);
            }
        this->note("thickness", sum / 8 * normal[0]);
        EXPECT_NEAR(sum / 8 * normal[0], thickness, 0.1);
    }
}

// A half ball on the floor is a ball as the mirror sees it.
TYPED_TEST(LevelSetTest, AHalfBallSlidesAlongAWall) {
    constexpr int Dim = TypeParam::kDim;
    Index<Dim> cells(24);
    cells[0] = 48;
    const auto grid = container<Dim>(cells);
    Place<Dim> start(12.2), way(0.0);
    start[1] = 0;
    way[0] = 17.4;
    Field<float, Dim> phi = level_of(grid, ball<Dim>(start, 8));
    const double before = liquid_cells(phi, grid);
    EXPECT_NEAR(before, 0.5 * ball_volume<Dim>(8), 5e-3 * before);
    const auto u = flow<Dim>(phi.tiles_ptr(), [&](const Place<Dim>&) { return way; });
    advect(phi, u, grid, 1 / 40.0, 40);
    const double volume = liquid_cells(phi, grid) / before - 1;
    this->note("volume", volume);
    EXPECT_LT(std::abs(volume), 1e-3);
    EXPECT_LT(surface_error(phi, grid, ball<Dim>(start + way, 8)), 0.05);
}

TYPED_TEST(LevelSetTest, VolumeIsSecondOrder) {
    constexpr int Dim = TypeParam::kDim;
    const auto error = [&](double radius, int size) {
        double most = 0;
        for (const double shift : {0.0, 0.21, 0.5, 0.77}) {
            const auto grid = container<Dim>(Index<Dim>(size));
            const Field<float, Dim> phi = level_of(grid, ball<Dim>(Place<Dim>(size / 2 + shift), radius));
            most = std::max(most, std::abs(liquid_cells(phi, grid) / ball_volume<Dim>(radius) - 1));
        }
        return most;
    };
    const double coarse = error(4, 16), fine = error(12, 32);
    this->note("coarse", coarse);
    this->note("fine", fine);
    EXPECT_LT(coarse, 0.02);
    EXPECT_GT(std::log(coarse / fine) / std::log(3.0), 1.8);
}

// Above a floor that cuts cells at 0.3 of their height: a film on it, water beside it, water that has let go of it.
TYPED_TEST(LevelSetTest, RoomInCellsCountsTheVolume) {
    constexpr int Dim = TypeParam::kDim;
    const auto grid = container<Dim>(Index<Dim>(20));
    const double columns = std::pow(20, Dim - 1);
    const auto volume = [&](auto level) {
        const Field<float, Dim> phi = level_of(grid, level);
        Field<float, Dim> room(phi.tiles_ptr());
        assign(room, [](const Index<Dim>& cell) { return cell[1] < 5 ? 0.0F : cell[1] == 5 ? 0.7F : 1.0F; });
        return liquid_cells(phi, grid, &room);
    };
    EXPECT_NEAR(volume([](const Place<Dim>& p) { return p[1] - 5.6; }), 0.3 * columns, 1e-4 * columns);
    EXPECT_NEAR(volume([](const Place<Dim>& p) { return p[0] - 9.6; }), 14.7 * 9.6 / 20 * columns, 1e-4 * columns);
    EXPECT_NEAR(volume([](const Place<Dim>& p) { return 5.3 - p[1]; }), 14.7 * columns, 1e-4 * columns);
    // The pool ends at the walls although its tiles go on.
    const Field<float, Dim> full = level_of(grid, [](const Place<Dim>&) { return -5.0; });
    EXPECT_EQ(liquid_cells(full, grid), std::pow(20, Dim));
}

// As a liquid does it: advected, made a distance, brought to the tiles it needs.
TYPED_TEST(LevelSetTest, TilesFollowAMovingBall) {
    constexpr int Dim = TypeParam::kDim;
    Index<Dim> cells(52);
    if (Dim == 3) cells[2] = 30;
    const auto grid = container<Dim>(cells);
    Place<Dim> at(15.0);
    Place<Dim> way(20.0);
    if (Dim == 3) way[2] = 0;
    Field<float, Dim> phi = level_of(grid, ball<Dim>(at, 4));
    refit(phi, tiles_for(phi, grid));
    const std::size_t first = phi.tiles().count();
    const double volume = liquid_cells(phi, grid);
    constexpr int kSteps = 30;
    for (int n = 0; n < kSteps; ++n) {
        const auto u = flow<Dim>(phi.tiles_ptr(), [&](const Place<Dim>&) { return way; });
        advect_level_set(phi, u, 1.0 / kSteps, grid);
        redistance(phi, grid);
        const TilesPtr<Dim> tiles = tiles_for(phi, grid);
        refit(phi, tiles);
        at += way / double{kSteps};
        std::size_t missing = 0;
        for_each_index(grid.box, [&](const Index<Dim>& cell) {
            const double d = ball<Dim>(at, 4)(Place<Dim>(cell) + Place<Dim>(0.5));
            if (d < kBand - 1 && tiles->find(tile_of_cell(cell)) == kNoTile) ++missing;
        });
        EXPECT_EQ(missing, 0U) << "after step " << n;
        for (std::size_t s = 0; s < tiles->count(); ++s) {
            const Index<Dim> origin = tiles->origin(static_cast<Slot>(s));
            EXPECT_FALSE(intersection(grid.box, IndexBox<Dim>{origin, origin + Index<Dim>(kTileSide)}).empty());
        }
    }
    EXPECT_EQ(phi.tiles().find(tile_of_cell(Index<Dim>(8))), kNoTile) << "a tile was left behind";
    EXPECT_LT(phi.tiles().count(), 2 * first);
    EXPECT_NEAR(liquid_cells(phi, grid), volume, 0.02 * volume);
    EXPECT_EQ(tiles_for(phi, grid), phi.tiles_ptr()) << "nothing changed, but the set did";
}

TYPED_TEST(LevelSetTest, AllOfTheLiquidHasTiles) {
    constexpr int Dim = TypeParam::kDim;
    const auto grid = container<Dim>(Index<Dim>(60));
    Field<float, Dim> phi = level_of(grid, [](const Place<Dim>& x) { return x[1] - 30; });
    const TilesPtr<Dim> tiles = tiles_for(phi, grid);
    for_each_index(grid.box, [&](const Index<Dim>& cell) {
        const bool has_tile = tiles->find(tile_of_cell(cell)) != kNoTile;
        ASSERT_TRUE(has_tile || cell[1] >= 30 + kBand - 1);
        ASSERT_FALSE(has_tile && cell[1] >= 56);
    });
}

TEST(LevelSet, EverySliceOfAnExtrudedSurfaceIsTheFlatOne) {
    const auto flat = container<2>({32, 28});
    const auto deep = container<3>({32, 28, 12});
    const auto shape = [](double x, double y) {
        return (std::hypot(x - 14.2, 1.3 * (y - 15.1)) - 7.3) * (1 + 0.2 * std::sin(x / 3));
    };
    Field<float, 2> slice = level_of(flat, [&](const Place<2>& x) { return shape(x[0], x[1]); });
    Field<float, 3> whole = level_of(deep, [&](const Place<3>& x) { return shape(x[0], x[1]); });
    const auto swirl = [](const auto& x) {
        auto v = x * 0.0;
        v[0] = 0.9 * std::cos(x[1] / 7), v[1] = -0.7 * std::sin(x[0] / 5);
        return v;
    };
    advect(slice, flow<2>(slice.tiles_ptr(), swirl), flat, 0.5, 6);
    advect(whole, flow<3>(whole.tiles_ptr(), swirl), deep, 0.5, 6);
    double apart = 0;
    for_each_index(deep.box, [&](const Index<3>& cell) {
        apart = std::max(apart, std::abs(double{whole.at(cell)} - slice.at({cell[0], cell[1]})));
    });
    EXPECT_LT(apart, 1e-4 * kDx);
    EXPECT_NEAR(liquid_cells(whole, deep), 12 * liquid_cells(slice, flat), 1e-3 * liquid_cells(whole, deep));
}

TYPED_TEST(LevelSetTest, NoAxisIsSpecial) {
    constexpr int Dim = TypeParam::kDim;
    const auto turned = [](auto v) {
        std::rotate(v.data.begin(), v.data.begin() + 1, v.data.end());
        return v;
    };
    Index<Dim> cells(20);
    cells[0] = 28;
    const auto grid = container<Dim>(cells), other = container<Dim>(turned(cells));
    const auto shape = [](const Place<Dim>& x) { return length(x - Place<Dim>(11.3)) - 6 + 1.5 * std::sin(x[0] / 2); };
    const auto swirl = [](const Place<Dim>& x) {
        Place<Dim> v(0.3);
        v[0] = 0.9 * std::cos(x[1] / 7), v[1] = -0.7 * std::sin(x[0] / 5);
        return v;
    };
    // Rotating Dim times is nothing: back is Dim − 1 times.
    const auto back = [&](auto v) {
        for (int n = 1; n < Dim; ++n) v = turned(v);
        return v;
    };
    Field<float, Dim> a = level_of(grid, shape);
    Field<float, Dim> b = level_of(other, [&](const Place<Dim>& x) { return shape(back(x)); });
    advect(a, flow<Dim>(a.tiles_ptr(), swirl), grid, 0.5, 5);
    advect(b, flow<Dim>(b.tiles_ptr(), [&](const Place<Dim>& x) { return turned(swirl(back(x))); }), other, 0.5, 5);
    double apart = 0;
    for_each_index(grid.box, [&](const Index<Dim>& cell) {
        apart = std::max(apart, std::abs(double{a.at(cell)} - b.at(turned(cell))));
    });
    EXPECT_LT(apart, 1e-4 * kDx);
    EXPECT_NEAR(liquid_cells(a, grid), liquid_cells(b, other), 1e-4 * liquid_cells(a, grid));
}

TYPED_TEST(LevelSetTest, BitsDoNotDependOnThreadsOrInstructionSet) {
    constexpr int Dim = TypeParam::kDim;
    const auto grid = container<Dim>(Index<Dim>(Dim == 2 ? 150 : 40));
    const auto hashes = [&] {
        Field<float, Dim> phi = level_of(grid, [](const Place<Dim>& x) {
            return (x[1] - 19.3 - 4 * std::sin(x[0] / 4)) * (1 + 0.2 * std::cos(x[0]));
        });
        const auto u = flow<Dim>(phi.tiles_ptr(),
                                 [](const Place<Dim>& x) { return map([](double v) { return std::sin(v); }, x); });
        advect(phi, u, grid, 0.3, 3);
        const TilesPtr<Dim> tiles = tiles_for(phi, grid);
        return std::vector{state_hash(phi), state_hash(*tiles), std::bit_cast<std::uint64_t>(liquid_cells(phi, grid))};
    };
    expect_same_on_any_threads(hashes);
    const InstructionSet best = instruction_set();
    const auto expected = hashes();
    set_instruction_set(InstructionSet::baseline);
    EXPECT_EQ(hashes(), expected);
    set_instruction_set(best);
}

}  // namespace
}  // namespace spindrift
