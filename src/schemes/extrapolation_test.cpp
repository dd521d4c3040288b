// SPDX-License-Identifier: Apache-2.0
#include "schemes/extrapolation.h"

#include <limits>

#include "base/simd.h"
#include "schemes/test_support.h"

namespace spindrift {
namespace {

template <class D>
class ExtrapolationTest : public ::testing::Test {
  protected:
    static constexpr int kDim = D::kDim;
    static Basin<kDim> ball_in_a_box() {
        return basin<kDim>(Index<kDim>(36), 0.1,
                           [](const Vec<double, kDim>& p) { return length(p - Vec<double, kDim>(1.77)) - 0.61; });
    }
};
TYPED_TEST_SUITE(ExtrapolationTest, Dimensions);

// Steps along the axes from each face to the nearest known one.
template <int Dim>
Field<int, Dim> steps_from_liquid(const Basin<Dim>& b, int axis, int most) {
    Field<int, Dim> steps(b.tiles(), most + 1);
    assign(steps, [&](const Index<Dim>& cell) { return b.wet_face(axis, cell) ? 0 : most + 1; });
    for (int layer = 1; layer <= most; ++layer) {
        const Field<int, Dim> before = steps;
        assign(steps, [&](const Index<Dim>& cell) {
            int least = before.at(cell);
            for (int a = 0; a < Dim; ++a)
                for (const int side : {-1, 1}) least = std::min(least, before.at(cell + unit<Dim>(a) * side) + 1);
            return least;
        });
    }
    return steps;
}

// A stream stays a stream as far as it is asked for; beyond there is nothing.  What was there before does not show.
TYPED_TEST(ExtrapolationTest, AUniformStreamGoesOnForTheLayersAskedFor) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = this->ball_in_a_box();
    for (const int layers : {0, 1, 5}) {
        FaceField<Dim> u = scrambled_velocity(b);
        for (int axis = 0; axis < Dim; ++axis)
            assign(u[axis], [&](const Index<Dim>& cell) {
                return b.wet_face(axis, cell) ? 2.5F + static_cast<float>(axis) : scrambled(cell);
            });
        extrapolate(u, b.phi, b.boundaries, layers);
        for (int axis = 0; axis < Dim; ++axis) {
            const Field<int, Dim> steps = steps_from_liquid(b, axis, layers);
            for_each_index(b.box(), [&](const Index<Dim>& cell) {
                const float expected = steps.at(cell) <= layers ? 2.5F + static_cast<float>(axis) : 0.0F;
                EXPECT_NEAR(u[axis].at(cell), expected, 1e-5) << "axis " << axis << ", " << layers << " layers";
            });
        }
    }
}

TYPED_TEST(ExtrapolationTest, NothingKnownIsChangedAndNothingNewIsLarger) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = this->ball_in_a_box();
    const FaceField<Dim> before = scrambled_velocity(b);
    FaceField<Dim> after = before;
    extrapolate(after, b.phi, b.boundaries, 6);
    for (int axis = 0; axis < Dim; ++axis) {
        float least = std::numeric_limits<float>::infinity(), most = -least;
        for_each_index(b.box(), [&](const Index<Dim>& cell) {
            if (!b.wet_face(axis, cell)) return;
            least = std::min(least, before[axis].at(cell));
            most = std::max(most, before[axis].at(cell));
            EXPECT_EQ(after[axis].at(cell), before[axis].at(cell));
        });
        for_each_index(b.box(), [&](const Index<Dim>& cell) {
            const float u = after[axis].at(cell);
            EXPECT_TRUE(u == 0 || (u >= least - 1e-6F && u <= most + 1e-6F));
        });
    }
}

// ∇φ·∇u = 0: what varies along a level surface does not vary away from it.
TYPED_TEST(ExtrapolationTest, VelocityIsConstantAlongTheNormalOfALevelSurface) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kLayers = 6;
    const auto b = basin<Dim>(Index<Dim>(24), 0.1, [](const Vec<double, Dim>& p) { return p[1] - 0.83; });
    const auto shear = [](const Vec<double, Dim>& p) {
        Vec<double, Dim> u(0.0);
        for (int a = 0; a < Dim; ++a) u[a] = 1 + a + 3 * p[0] - 2 * p[Dim - 1] * (Dim - 2);
        return u;
    };
    FaceField<Dim> u = velocity_of(b, shear);
    stop_at_walls(u, b.boundaries);
    extrapolate(u, b.phi, b.boundaries, kLayers);
    // Faces farther from the side walls than the layers reach, at rows above the surface: of v the one on top of the
    // last wet cell (7) is known, too.
    for (int axis = 0; axis < Dim; ++axis)
        for_each_index(b.box().expanded(-kLayers - 1), [&](Index<Dim> cell) {
            const int top = axis == 1 ? 8 : 7;
            if (cell[1] <= top || cell[1] > top + kLayers) return;
            const float got = u[axis].at(cell);
            cell[1] = top;
            EXPECT_FLOAT_EQ(got, u[axis].at(cell));
        });
}

// At the side of a solid the flow is along it, whichever way it lies, and so is what the liquid's flow goes on as: a
// film on it must not sink into it.  Deeper inside, the flow goes on.
TYPED_TEST(ExtrapolationTest, NothingFlowsThroughTheSidesOfSolids) {
    constexpr int Dim = TypeParam::kDim;
    for (const double slope : {0.0, 0.7}) {
        Vec<double, Dim> normal(0.0);
        normal[0] = -slope / std::hypot(1, slope);
        normal[1] = 1 / std::hypot(1, slope);
        const auto solid = [&](const Vec<double, Dim>& p) { return dot(p, normal) - (slope > 0 ? 0.2 : 0.8); };
        const auto b = basin<Dim>(Index<Dim>(24), 0.1, full<Dim>, solid);
        Vec<double, Dim> along(0.0);
        along[0] = normal[1];
        along[1] = -normal[0];
        FaceField<Dim> u = velocity_of(b, [&](const Vec<double, Dim>&) { return along * 3.0 - normal * 2.0; });
        extrapolate(u, b.phi, b.boundaries, 6);
        double through = 0, deeper = 0;
        int sides = 0;
        for (int axis = 0; axis < Dim; ++axis)
            for_each_index(b.box().expanded(-7), [&](const Index<Dim>& cell) {
                if (b.boundaries.open[axis].at(cell) > 0) return;
                const double depth = -solid(b.boundaries.domain.grid.world_of_face(axis, cell)) / b.dx();
                const double kept = 3 * along[axis], all = kept - 2 * normal[axis];
                if (depth < 0.45) {
                    ++sides;
                    through = std::max(through, std::abs(u[axis].at(cell) - kept));
                } else if (depth > 0.55 && depth < 4) {
                    deeper = std::max(deeper, std::abs(u[axis].at(cell) - all));
                }
            });
        EXPECT_GT(sides, 2) << slope;
        EXPECT_LT(through, 1e-4) << slope;
        EXPECT_LT(deeper, 1e-4) << slope;
    }
}

// Liquid that has let go of a lid, so that φ is positive in it, falls off; liquid that has not stays.
TYPED_TEST(ExtrapolationTest, LiquidThatHasLetGoOfASolidFlowsOff) {
    constexpr int Dim = TypeParam::kDim;
    const auto lid = [](const Vec<double, Dim>& p) { return 1.2 - p[1]; };
    for (const bool has_let_go : {false, true}) {
        const auto level = [&](const Vec<double, Dim>& p) { return has_let_go ? p[1] - 1.2 : -1.0; };
        const auto b = basin<Dim>(Index<Dim>(24), 0.1, level, lid);
        FaceField<Dim> u = velocity_of(b, [](const Vec<double, Dim>&) { return Vec<double, Dim>(-1.0); });
        extrapolate(u, b.phi, b.boundaries, 3);
        EXPECT_NEAR(u[1].at(Index<Dim>(12)), has_let_go ? -1 : 0, 1e-6);
        EXPECT_NEAR(u[0].at(Index<Dim>(12)), -1, 1e-6);
    }
}

TYPED_TEST(ExtrapolationTest, BitsDoNotDependOnThreadsOrInstructionSet) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(Dim == 2 ? 140 : 36), 0.1,
                              [](const Vec<double, Dim>& p) { return p[1] - 1.2 - 0.4 * std::sin(5 * p[0]); });
    const FaceField<Dim> start = scrambled_velocity(b);
    const auto hashes = [&] {
        FaceField<Dim> u = start;
        extrapolate(u, b.phi, b.boundaries, 5);
        return state_hash(u);
    };
    expect_same_on_any_threads(hashes);
    const auto expected = hashes();
    const InstructionSet best = instruction_set();
    set_instruction_set(InstructionSet::baseline);
    EXPECT_EQ(hashes(), expected);
    set_instruction_set(best);
}

}  // namespace
}  // namespace spindrift
