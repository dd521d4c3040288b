// SPDX-License-Identifier: Apache-2.0
#include "schemes/enclosed_air.h"

#include <set>

#include "schemes/projection.h"
#include "schemes/test_support.h"

namespace spindrift {
namespace {

template <class D>
class EnclosedAirTest : public ::testing::Test {};
TYPED_TEST_SUITE(EnclosedAirTest, Dimensions);

constexpr double kDt = 0.01, kGravity = 9.81;

template <int Dim>
struct Ball {
    Vec<double, Dim> centre;
    double radius;
    double distance(const Vec<double, Dim>& p) const { return length(p - centre) - radius; }
};

// Water up to a height, with balls of air in it.
template <int Dim>
Basin<Dim> with_bubbles(int cells, double dx, double height, std::vector<Ball<Dim>> balls,
                        std::function<double(const Vec<double, Dim>&)> solid = nullptr) {
    const auto level = [=](const Vec<double, Dim>& p) {
        double d = p[1] - height;
        for (const Ball<Dim>& ball : balls) d = std::max(d, -ball.distance(p));
        return d;
    };
    return basin<Dim>(Index<Dim>(cells), dx, level, std::move(solid));
}

template <int Dim>
Vec<double, Dim> place(double x, double y) {
    Vec<double, Dim> p(0.85);
    p[0] = x;
    p[1] = y;
    return p;
}

template <int Dim>
std::set<Index<Dim>> cells_of(const EnclosedAir& air, const Basin<Dim>& b) {
    std::set<Index<Dim>> cells;
    for (const CellGroup& bubble : air.bubbles)
        for (const auto& [slot, cell] : bubble) cells.insert(b.tiles()->origin(slot) + cell_in_tile<Dim>(cell));
    return cells;
}

template <int Dim, class Wanted>
std::set<Index<Dim>> air_cells(const Basin<Dim>& b, Wanted&& is_wanted) {
    std::set<Index<Dim>> cells;
    for_each_index(b.box(), [&](const Index<Dim>& cell) {
        if (!b.wet(cell) && is_wanted(b.centre(cell))) cells.insert(cell);
    });
    return cells;
}

// Across the corners of tiles or inside one, and each of them whole; the air above the water is not among them.
TYPED_TEST(EnclosedAirTest, FindsEveryBubble) {
    constexpr int Dim = TypeParam::kDim;
    const Basin<Dim> b =
        with_bubbles<Dim>(20, 0.1, 1.5, {{place<Dim>(0.8, 0.8), 0.35}, {place<Dim>(1.61, 0.45), 0.22}});
    const EnclosedAir air = enclosed_air(b.phi, b.boundaries);
    EXPECT_EQ(air.bubbles.size(), 2u);
    EXPECT_EQ(cells_of(air, b), air_cells(b, [](const Vec<double, Dim>& p) { return p[1] < 1.3; }));
}

// The only air there is.  In a closed tank its volume is that which the liquid leaves, whatever its pressure.
TYPED_TEST(EnclosedAirTest, TheLargestIsOpenIfNothingElseIs) {
    constexpr int Dim = TypeParam::kDim;
    const Basin<Dim> one = with_bubbles<Dim>(20, 0.1, 9, {{place<Dim>(0.8, 0.8), 0.35}});
    EXPECT_TRUE(enclosed_air(one.phi, one.boundaries).bubbles.empty());
    const Basin<Dim> two = with_bubbles<Dim>(20, 0.1, 9, {{place<Dim>(0.6, 0.6), 0.25}, {place<Dim>(1.4, 1.4), 0.35}});
    EXPECT_EQ(cells_of(enclosed_air(two.phi, two.boundaries), two),
              air_cells(two, [](const Vec<double, Dim>& p) { return p[1] < 1; }));
}

// A bell of solid over the air keeps it in; with a hole in its top it does not.
TYPED_TEST(EnclosedAirTest, SolidsKeepItInToo) {
    constexpr int Dim = TypeParam::kDim;
    for (const bool with_hole : {false, true}) {
        const auto bell = [=](const Vec<double, Dim>& p) {
            const double shell = std::abs(length(p - place<Dim>(0.8, 0.6)) - 0.5) - 0.1;
            double sideways = 0;
            for (int a = 0; a < Dim; ++a)
                if (a != 1) sideways = std::max(sideways, std::abs(p[a] - place<Dim>(0.8, 0.6)[a]));
            const double hole = std::max(sideways - 0.16, 0.6 - p[1]);
            return std::max({shell, 0.6 - p[1], with_hole ? -hole : -1.0});
        };
        const Basin<Dim> b = with_bubbles<Dim>(16, 0.1, 0.72, {}, bell);
        const EnclosedAir air = enclosed_air(b.phi, b.boundaries);
        EXPECT_EQ(air.bubbles.size(), with_hole ? 0u : 1u);
        for (const Index<Dim>& cell : cells_of(air, b)) EXPECT_LT(bell(b.centre(cell)), 0.55);
        EXPECT_EQ(air.bubbles.empty(), with_hole);
    }
}

TYPED_TEST(EnclosedAirTest, OutletsAndOpenSidesLetItOut) {
    constexpr int Dim = TypeParam::kDim;
    const Basin<Dim> b = with_bubbles<Dim>(32, 0.1, 2.9, {{place<Dim>(0.8, 0.8), 0.35}, {place<Dim>(2.0, 0.4), 0.5}});
    ASSERT_EQ(enclosed_air(b.phi, b.boundaries).bubbles.size(), 2u);
    const Index<Dim> in_first(8);
    const std::function<bool(const Index<Dim>&)> is_outlet = [&](const Index<Dim>& cell) { return cell == in_first; };
    EXPECT_EQ(cells_of(enclosed_air(b.phi, b.boundaries, is_outlet), b),
              air_cells(b, [](const Vec<double, Dim>& p) { return p[0] > 1.3 && p[1] < 1; }));

    Basin<Dim> over_a_grate = b;  // which the second touches
    over_a_grate.boundaries.domain.sides[1][0].kind = SideKind::open;
    const auto cells = cells_of(enclosed_air(b.phi, over_a_grate.boundaries), b);
    EXPECT_EQ(cells, air_cells(b, [](const Vec<double, Dim>& p) { return p[0] < 1.3 || p[1] > 2; }));

    // Without the tiles on top the air above goes on where there are none: it is the largest.
    std::vector<Index<Dim>> kept;
    for (std::size_t n = 0; n < b.tiles()->count(); ++n)
        if (const Index<Dim>& at = b.tiles()->coordinate(static_cast<Slot>(n)); (at[1] + 1) * kTileSide < 32)
            kept.push_back(at);
    Basin<Dim> cut = with_bubbles<Dim>(32, 0.1, 1.9, {{place<Dim>(0.8, 0.8), 0.35}});
    const TilesPtr<Dim> tiles = Tiles<Dim>::from_coordinates(kept);
    Field<float, Dim> phi = Field<float, Dim>::unfilled(tiles, 1.0F);
    assign(phi, [&](const Index<Dim>& cell) { return cut.phi.at(cell); });
    refit(cut.boundaries, tiles);
    const EnclosedAir air = enclosed_air(phi, cut.boundaries);
    EXPECT_EQ(air.bubbles.size(), 1u);
    EXPECT_EQ(air.bubbles[0].size(), air_cells(cut, [](const Vec<double, Dim>& p) { return p[1] < 1.3; }).size());
}

// A sheet of water from wall to wall, with tiles around it alone, parts a tank that is open on one side: the air on the
// other side is enclosed, all of it.  In a tank that is closed the larger half is the open air.
TYPED_TEST(EnclosedAirTest, ASheetOfWaterCutsAirOff) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kCells = 80, kSheetBegin = 36, kSheetEnd = 39;
    const double dx = 0.1, middle = 0.5 * (kSheetBegin + kSheetEnd) * dx, half = 0.5 * (kSheetEnd - kSheetBegin) * dx;
    Index<Dim> size(16);
    size[0] = kCells;
    Basin<Dim> b = basin<Dim>(size, dx, [&](const Vec<double, Dim>& p) { return std::abs(p[0] - middle) - half; });
    std::vector<Index<Dim>> near_sheet;
    for (std::size_t n = 0; n < b.tiles()->count(); ++n)
        if (const Index<Dim>& at = b.tiles()->coordinate(static_cast<Slot>(n)); at[0] >= 3 && at[0] <= 5)
            near_sheet.push_back(at);
    const TilesPtr<Dim> tiles = Tiles<Dim>::from_coordinates(near_sheet);
    Field<float, Dim> phi = Field<float, Dim>::unfilled(tiles, 1.0F);
    assign(phi, [&](const Index<Dim>& cell) { return b.phi.at(cell); });
    refit(b.boundaries, tiles);

    const auto section = static_cast<double>(Dim == 2 ? 16 : 16 * 16);
    const auto expect_enclosed = [&](double cells, double x) {
        const EnclosedAir air = enclosed_air(phi, b.boundaries);
        ASSERT_EQ(air.bubbles.size(), 1u);
        EXPECT_EQ(static_cast<double>(air.bubbles[0].size()) + air.untiled[0], cells);
        const auto [slot, cell] = air.bubbles[0][0];
        EXPECT_EQ(b.centre(tiles->origin(slot) + cell_in_tile<Dim>(cell))[0] < middle, x < middle);
    };
    expect_enclosed(kSheetBegin * section, 0);  // the right half is the larger
    b.boundaries.domain.sides[0][0].kind = SideKind::open;
    expect_enclosed((kCells - kSheetEnd) * section, kCells * dx);
    b.boundaries.domain.sides[0][1].kind = SideKind::open;
    EXPECT_TRUE(enclosed_air(phi, b.boundaries).bubbles.empty());
    for (auto& side : b.boundaries.domain.sides[0]) side.kind = SideKind::slip;
    b.boundaries.domain.sides[1][1].kind = SideKind::open;  // the top of both
    EXPECT_TRUE(enclosed_air(phi, b.boundaries).bubbles.empty());
}

// What gravity does to water at rest in a step.
template <int Dim>
FaceField<Dim> falling(const Basin<Dim>& b) {
    FaceField<Dim> u(b.tiles());
    u[1].fill(static_cast<float>(-kGravity * kDt));
    stop_at_walls(u, b.boundaries);
    return u;
}

// Calls f(inflow, where in metres) for each face between a bubble and the liquid.
template <int Dim, class F>
void for_each_inflow(const FaceField<Dim>& u, const Basin<Dim>& b, const std::set<Index<Dim>>& bubble, F&& f) {
    for (const Index<Dim>& cell : bubble)
        for (int axis = 0; axis < Dim; ++axis)
            for (const bool above : {false, true}) {
                const Index<Dim> beside = above ? cell + unit<Dim>(axis) : cell - unit<Dim>(axis);
                if (bubble.contains(beside)) continue;
                const Index<Dim>& face = above ? beside : cell;
                f((above ? -1.0 : 1.0) * double{u[axis].at(face)}, b.boundaries.domain.grid.world_of_face(axis, face));
            }
}

// What flows into it, over what flows either way.
template <int Dim>
double net_inflow(const FaceField<Dim>& u, const Basin<Dim>& b, const std::set<Index<Dim>>& bubble) {
    double net = 0, all = 0;
    for_each_inflow(u, b, bubble, [&](double in, const Vec<double, Dim>&) { net += in, all += std::abs(in); });
    return net / all;
}

// The speed at which its middle rises: ∮ y u·n over its volume.
template <int Dim>
double rise(const FaceField<Dim>& u, const Basin<Dim>& b, const std::set<Index<Dim>>& bubble) {
    double sum = 0;
    for_each_inflow(u, b, bubble, [&](double in, const Vec<double, Dim>& p) { sum -= in * p[1]; });
    return sum / (static_cast<double>(bubble.size()) * b.dx());
}

// Water falls into a hole that is empty; a bubble it flows around.
TYPED_TEST(EnclosedAirTest, KeepsItsVolume) {
    constexpr int Dim = TypeParam::kDim;
    const Basin<Dim> b = with_bubbles<Dim>(24, 0.1, 2, {{place<Dim>(0.8, 0.8), 0.35}, {place<Dim>(1.75, 1.15), 0.06}});
    const EnclosedAir air = enclosed_air(b.phi, b.boundaries);
    ASSERT_EQ(air.bubbles.size(), 2u);
    const auto large = air_cells(b, [](const Vec<double, Dim>&p) { return p[0] < 1.3 && p[1] < 1.3; }),
               small = air_cells(b, [](const Vec<double, Dim>&p) { return p[0] > 1.3 && p[1] < 1.3; });
    ASSERT_EQ(small.size(), 1u) << "as small as can be";
    for (const bool is_kept : {false, true}) {
        FaceField<Dim> u = falling(b);
        Field<float, Dim> pressure(b.tiles());
        PoissonSolver<Dim> solver;
        ProjectionSettings<Dim> settings;
        if (is_kept) settings.bubbles = &air.bubbles;
        const ProjectionReport report = project(u, pressure, b.phi, b.boundaries, kDt, settings, solver);
        EXPECT_TRUE(report.solve.converged);
        EXPECT_LT(report.divergence, 1e-3);
        for (const auto& bubble : {large, small}) {
            if (is_kept)
                EXPECT_LT(std::abs(net_inflow(u, b, bubble)), 1e-3);
            else
                EXPECT_GT(net_inflow(u, b, bubble), 0.5);
        }
    }
}

// A weightless ball starts to rise with 2g, a weightless cylinder with g: it has to move as much water as fills half of
// it, or all of it.
TYPED_TEST(EnclosedAirTest, RisesAsFastAsTheWaterMakesWay) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kCells = Dim == 2 ? 96 : 48;
    const double radius = 0.6;
    const Vec<double, Dim> middle(0.05 * kCells);
    const Basin<Dim> b = with_bubbles<Dim>(kCells, 0.1, 99, {{middle, radius}});
    // Not the open air, which is what it would be taken for.
    const auto bubble = air_cells(b, [](const Vec<double, Dim>&) { return true; });
    EnclosedAir air{.bubbles = std::vector<CellGroup>(1), .untiled = {0.0}};
    for (const Index<Dim>& cell : bubble)
        air.bubbles[0].push_back({b.tiles()->find(tile_of_cell(cell)), offset_in_tile(cell)});
    FaceField<Dim> u = falling(b);
    Field<float, Dim> pressure(b.tiles());
    PoissonSolver<Dim> solver;
    ProjectionSettings<Dim> settings;
    settings.bubbles = &air.bubbles;
    EXPECT_TRUE(project(u, pressure, b.phi, b.boundaries, kDt, settings, solver).solve.converged);
    // The tank is not endless.
    EXPECT_NEAR(rise(u, b, bubble) / (kGravity * kDt), Dim == 2 ? 1 : 2, Dim == 2 ? 0.06 : 0.15);
}

// The pressure of a drawn-together surface is inside the bubble, and nothing moves.
TYPED_TEST(EnclosedAirTest, SurfaceTensionRaisesItsPressure) {
    constexpr int Dim = TypeParam::kDim;
    const Basin<Dim> b = with_bubbles<Dim>(24, 0.1, 2, {{place<Dim>(0.8, 0.8), 0.45}});
    const EnclosedAir air = enclosed_air(b.phi, b.boundaries);
    constexpr float kTension = -0.5F;  // the liquid's surface curves the other way
    Field<float, Dim> tension(b.tiles());
    assign(tension, [&](const Index<Dim>& cell) { return b.centre(cell)[1] < 1.5 ? kTension : 0.0F; });
    FaceField<Dim> u(b.tiles());
    Field<float, Dim> pressure(b.tiles());
    PoissonSolver<Dim> solver;
    ProjectionSettings<Dim> settings;
    settings.bubbles = &air.bubbles;
    settings.surface_pressure = &tension;
    EXPECT_TRUE(project(u, pressure, b.phi, b.boundaries, kDt, settings, solver).solve.converged);
    EXPECT_LT(largest_on_wet_faces(b, [&](int axis, const Index<Dim>& cell) { return u[axis].at(cell); }), 1e-4);
    for_each_index(b.box(), [&](const Index<Dim>& cell) {
        if (b.wet(cell)) {
            EXPECT_NEAR(pressure.at(cell), 0, 1e-3);
        }
    });
    for (const auto& [slot, cell] : air.bubbles[0]) EXPECT_NEAR(pressure.tile(slot)[cell], -kTension, 1e-3);
}

}  // namespace
}  // namespace spindrift
