// SPDX-License-Identifier: Apache-2.0
// Ghost values beyond the sides, patches with them filled in, and paths through a flow.
#include "schemes/back_trace.h"

#include "schemes/test_support.h"

namespace spindrift {
namespace {

template <class D>
class BackTraceTest : public ::testing::Test {};
TYPED_TEST_SUITE(BackTraceTest, Dimensions);

// What a field holds somewhere, through all the sides it lies beyond.
template <int Dim>
double value_at(const Field<float, Dim>& field, const FieldLayout<Dim>& layout, Index<Dim> at) {
    double scale = 1, offset = 0;
    for (int a = 0; a < Dim; ++a)
        if (layout.is_ghost(a, at[a])) {
            const GhostValue<Dim> ghost = layout.ghost_value(at, a);
            offset += scale * ghost.offset;
            scale *= ghost.scale;
            at = ghost.at;
        }
    return scale * field.at(at) + offset;
}

template <int Dim>
Field<float, Dim> scrambled_field(const TilesPtr<Dim>& tiles, int number) {
    Field<float, Dim> field(tiles);
    assign(field, [&](const Index<Dim>& cell) { return scrambled(cell + Index<Dim>(1000 * number)); });
    return field;
}

// Half way between a ghost value and its image lies the side: there no-slip walls have their velocity, slip walls stop
// what goes through and leave alone what goes along.
TYPED_TEST(BackTraceTest, GhostValuesKeepWhatTheSidesAskFor) {
    constexpr int Dim = TypeParam::kDim;
    constexpr float kLid = 1.5F;
    Domain<Dim> domain = unit_domain<Dim>(20, TestSides::closed);
    domain.sides[1][1].kind = SideKind::prescribed;
    domain.sides[1][1].velocity = [](const Vec<double, Dim>&, double) { return Vec<double, Dim>(double{kLid}); };
    const TilesPtr<Dim> tiles = domain.all_tiles();
    for (int component = 0; component < Dim; ++component) {
        const FieldLayout<Dim> layout = velocity_layout(domain, component, 0);
        const Field<float, Dim> u = scrambled_field<Dim>(tiles, component);
        Index<Dim> inside(9), beyond(9);
        for (int k = 0; k < 3; ++k) {
            // Above the lid.
            inside[1] = 19 - k, beyond[1] = 20 + k + (component == 1 ? 1 : 0);
            EXPECT_NEAR(value_at(u, layout, beyond) + u.at(inside), 2 * kLid, 1e-5) << component;
            // Below the floor.
            inside[1] = k + (component == 1 ? 1 : 0), beyond[1] = -1 - k;
            EXPECT_NEAR(value_at(u, layout, beyond), (component == 1 ? -1 : 1) * u.at(inside), 1e-6) << component;
        }
        if (component != 1) continue;
        inside[1] = 0;
        EXPECT_EQ(value_at(u, layout, inside), 0);
        inside[1] = 20;
        EXPECT_EQ(value_at(u, layout, inside), kLid);
    }
}

// A patch is the field with its ghost values, wherever the tile lies and however far the patch reaches.
TYPED_TEST(BackTraceTest, PatchesHoldTheFieldAndItsGhostValues) {
    constexpr int Dim = TypeParam::kDim;
    for (const TestSides sides : {TestSides::closed, TestSides::no_slip, TestSides::open_top}) {
        const Domain<Dim> domain = unit_domain<Dim>(20, sides);
        const TilesPtr<Dim> tiles = domain.all_tiles();
        for (int component = 0; component < Dim; ++component) {
            const FieldLayout<Dim> layout = velocity_layout(domain, component, 0);
            const Field<float, Dim> u = scrambled_field<Dim>(tiles, component);
            for (const int reach : {1, 4, 7})
                for (std::size_t n = 0; n < tiles->count(); ++n) {
                    const auto slot = static_cast<Slot>(n);
                    Patch<Dim> patch;
                    patch.load(u, layout, slot, reach);
                    double off = 0;
                    for_each_index(IndexBox<Dim>{Index<Dim>(-reach), Index<Dim>(kTileSide + reach)},
                                   [&](const Index<Dim>& cell) {
                                       const Index<Dim> at = tiles->origin(slot) + cell;
                                       bool is_near = true;  // farther out nothing is interpolated
                                       for (int a = 0; a < Dim; ++a) is_near &= at[a] >= -reach && at[a] < 20 + reach;
                                       if (!is_near) return;
                                       off = std::max(off, std::abs(*patch.at(cell) - value_at(u, layout, at)));
                                   });
                    EXPECT_LT(off, 1e-5) << "component " << component << ", reach " << reach;
                }
        }
    }
}

// Fluid that turns by an angle comes from there, to third order in the angle; far paths as near ones.
TYPED_TEST(BackTraceTest, PathsTurnWithTheFlow) {
    constexpr int Dim = TypeParam::kDim;
    const Domain<Dim> domain = unit_domain<Dim>(40, TestSides::closed);
    const TilesPtr<Dim> tiles = domain.all_tiles();
    FaceField<Dim> u(tiles);
    for (int axis = 0; axis < 2; ++axis)
        assign(u[axis], [&](const Index<Dim>& cell) {
            const Vec<double, Dim> x = domain.grid.world_of_face(axis, cell) - Vec<double, Dim>(0.5);
            return static_cast<float>(axis == 0 ? -x[1] : x[0]);
        });
    const Flow<Dim> flow(u, domain, 0);
    const FieldLayout<Dim> cells{.face_axis = -1, .box = domain.box, .grid = domain.grid, .sides = {}};
    // Where points come from, told by a field that is linear in the place.
    Field<float, Dim> place(tiles);
    assign(place, [&](const Index<Dim>& cell) { return static_cast<float>(domain.grid.world_of_centre(cell)[0]); });
    const auto error = [&](double angle) {
        double most = 0;
        for (std::size_t n = 0; n < tiles->count(); ++n) {
            const auto slot = static_cast<Slot>(n);
            BackTracer<Dim> tracer(flow, -angle, TraceRule::midpoint, false);
            std::array<float, kTileCells<Dim>> found;
            tracer.begin(slot);
            tracer.trace(cells, kAllRows<Dim>);
            tracer.find({found.data()}, place, cells);
            for (int c = 0; c < kTileCells<Dim>; ++c) {
                const Vec<double, Dim> x =
                    domain.grid.world_of_centre(tiles->origin(slot) + cell_in_tile<Dim>(c)) - Vec<double, Dim>(0.5);
                if (std::hypot(x[0], x[1]) > 0.4) continue;
                const double from = 0.5 + x[0] * std::cos(angle) + x[1] * std::sin(angle);
                most = std::max(most, std::abs(found[static_cast<std::size_t>(c)] - from));
            }
        }
        return most;
    };
    const double coarse = error(0.8), fine = error(0.4);
    EXPECT_LT(fine, 0.4 * std::pow(0.4, 3) / 6);
    EXPECT_GT(std::log2(coarse / fine), 2.5);
}

}  // namespace
}  // namespace spindrift
