// SPDX-License-Identifier: Apache-2.0
#include "schemes/advection.h"
#include "schemes/test_support.h"

namespace spindrift {
namespace {

template <class D>
class AdvectionTest : public ::testing::Test {};
TYPED_TEST_SUITE(AdvectionTest, Dimensions);

constexpr AdvectionScheme kSchemes[] = {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack,
                                        AdvectionScheme::cubic};

TYPED_TEST(AdvectionTest, AUniformStreamIsNotChanged) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(20), 0.1, full<Dim>);
    Vec<double, Dim> stream(-0.7);
    stream[0] = 1.3;
    const FaceField<Dim> before = velocity_of(b, [&](const Vec<double, Dim>&) { return stream; });
    for (const AdvectionScheme scheme : kSchemes) {
        FaceField<Dim> u = before;
        advect(u, b.phi, b.boundaries, 0.2, scheme);  // 2.6 cells
        EXPECT_LT(largest_difference(u, before), 1e-6);
    }
}

// Shear waves e f(k·x) across a stream U, e ⊥ k, are carried by it as they are: e f(k·(x − U t)) is exact.
template <int Dim>
struct ShearWave {
    static constexpr double kLength = 0.5;
    Vec<double, Dim> stream, across, along;
    ShearWave() : stream(0.6), across(0.0), along(0.0) {
        stream[0] = 1.1;
        across[0] = across[1] = 0.3;
        along[0] = 1, along[1] = -1;
        if (Dim == 3) across[2] = -0.2;
    }
    Vec<double, Dim> operator()(const Vec<double, Dim>& x, double t) const {
        return stream + across * std::sin(2 * M_PI / kLength * dot(along, x - stream * t));
    }
};

// The mean error over the middle of the box, where no wall has been felt yet.
template <int Dim>
double wave_error(int cells, AdvectionScheme scheme) {
    constexpr double kTime = 0.125;
    const ShearWave<Dim> wave;
    Index<Dim> size(cells);
    if (Dim == 3) size[2] = cells;
    const auto b = basin<Dim>(size, 1.0 / cells, full<Dim>);
    FaceField<Dim> u = velocity_of(b, [&](const Vec<double, Dim>& x) { return wave(x, 0); });
    const int steps = cells / 4;  // up to 0.8 cells a step
    for (int n = 0; n < steps; ++n) advect(u, b.phi, b.boundaries, kTime / steps, scheme);
    double sum = 0, count = 0;
    for (int axis = 0; axis < Dim; ++axis)
        for_each_index(b.box().expanded(-3 * cells / 8), [&](const Index<Dim>& cell) {
            const Vec<double, Dim> exact = wave(b.boundaries.domain.grid.world_of_face(axis, cell), kTime);
            sum += std::abs(u[axis].at(cell) - exact[axis]);
            ++count;
        });
    return sum / count;
}

TYPED_TEST(AdvectionTest, SemiLagrangianIsFirstOrderAndMacCormackSecond) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kCoarse = 24;
    const double linear = wave_error<Dim>(kCoarse, AdvectionScheme::semi_lagrangian);
    const double linear_fine = wave_error<Dim>(2 * kCoarse, AdvectionScheme::semi_lagrangian);
    const double corrected = wave_error<Dim>(kCoarse, AdvectionScheme::maccormack);
    const double corrected_fine = wave_error<Dim>(2 * kCoarse, AdvectionScheme::maccormack);
    const double first = std::log2(linear / linear_fine), second = std::log2(corrected / corrected_fine);
    EXPECT_GT(first, 0.7);
    EXPECT_GT(second, 1.6);
    EXPECT_LT(corrected_fine, 0.4 * linear_fine);
    EXPECT_LT(wave_error<Dim>(2 * kCoarse, AdvectionScheme::cubic), corrected_fine);
    this->RecordProperty("semi_lagrangian_order", std::to_string(first));
    this->RecordProperty("maccormack_order", std::to_string(second));
    this->RecordProperty("semi_lagrangian_error", std::to_string(linear_fine));
    this->RecordProperty("maccormack_error", std::to_string(corrected_fine));
}

// No new extremes, whatever is carried: otherwise a splash could gain speed out of nothing.
TYPED_TEST(AdvectionTest, NothingIsCarriedBeyondTheValuesThereWere) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(20), 0.1, full<Dim>);
    const FaceField<Dim> before = scrambled_velocity(b);
    for (const AdvectionScheme scheme : kSchemes) {
        FaceField<Dim> u = before;
        advect(u, b.phi, b.boundaries, 0.23, scheme);
        EXPECT_GT(largest_difference(u, before), 0.1);
        for (int axis = 0; axis < Dim; ++axis) {
            EXPECT_LE(maximum(u[axis]), maximum(before[axis]));
            EXPECT_GE(minimum(u[axis]), minimum(before[axis]));
        }
    }
}

// What stands beyond the walls, and on faces of the walls that run through a tile, is never seen.
TYPED_TEST(AdvectionTest, NothingComesFromBeyondTheWalls) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(13), 0.1, full<Dim>);
    const FaceField<Dim> clean = scrambled_velocity(b);
    FaceField<Dim> dirty = clean;
    for (int axis = 0; axis < Dim; ++axis)
        assign(dirty[axis], [&](const Index<Dim>& cell) {
            // A wall's own face belongs to the box.
            const bool at_box = b.box().contains(cell) || b.box().contains(cell - unit<Dim>(axis));
            return at_box ? clean[axis].at(cell) : 1e6F;
        });
    for (const AdvectionScheme scheme : kSchemes) {
        FaceField<Dim> u = clean, v = dirty;
        advect(u, b.phi, b.boundaries, 0.4, scheme);
        advect(v, b.phi, b.boundaries, 0.4, scheme);
        // Places are rounded otherwise where values of 1e6 make a tile reach for another patch.
        EXPECT_LT(largest_on_wet_faces(b, [&](int axis, const Index<Dim>& c) { return u[axis].at(c) - v[axis].at(c); }),
                  1e-5);
        EXPECT_EQ(largest_on_wet_faces(b,
                                       [&](int axis, const Index<Dim>& c) {
                                           return b.boundaries.open[axis].at(c) > 0 ? 0.0F : u[axis].at(c);
                                       }),
                  0.0);
    }
}

// Far from the liquid nothing is worked out; near it, everything.
TYPED_TEST(AdvectionTest, FacesFarFromTheLiquidKeepTheirValues) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(24), 0.1, [](const Vec<double, Dim>& p) { return p[1] - 0.9; });
    const FaceField<Dim> before = scrambled_velocity(b);
    FaceField<Dim> u = before;
    advect(u, b.phi, b.boundaries, 0.2, AdvectionScheme::maccormack);
    std::size_t changed = 0;
    for_each_index(b.box().expanded(-1), [&](const Index<Dim>& cell) {
        const bool differs = u[0].at(cell) != before[0].at(cell);
        EXPECT_FALSE(differs && cell[1] > 12);
        changed += differs && cell[1] < 9 ? 1 : 0;
    });
    EXPECT_GT(changed, std::pow(20, Dim - 1) * 8 * 0.9);
}

TEST(Advection, EverySliceOfAnExtrudedFlowIsTheFlatOne) {
    const auto flat =
        basin<2>({20, 16}, 0.1, [](const Vec<double, 2>& p) { return p[1] - 1.13 - 0.2 * std::sin(4 * p[0]); });
    const auto deep =
        basin<3>({20, 16, 10}, 0.1, [](const Vec<double, 3>& p) { return p[1] - 1.13 - 0.2 * std::sin(4 * p[0]); });
    const auto swirl = [](const auto& x) {
        auto u = x * 0.0;
        u[0] = std::sin(3 * x[1]) + 0.4, u[1] = std::cos(4 * x[0]) - 0.2;
        return u;
    };
    for (const AdvectionScheme scheme : kSchemes) {
        FaceField<2> slice = velocity_of(flat, swirl);
        FaceField<3> whole = velocity_of(deep, swirl);
        stop_at_walls(slice, flat.boundaries);
        stop_at_walls(whole, deep.boundaries);
        advect(slice, flat.phi, flat.boundaries, 0.15, scheme);
        advect(whole, deep.phi, deep.boundaries, 0.15, scheme);
        for_each_index(deep.box(), [&](const Index<3>& cell) {
            for (int axis = 0; axis < 2; ++axis)
                EXPECT_NEAR(whole[axis].at(cell), slice[axis].at({cell[0], cell[1]}), 1e-5);
            EXPECT_EQ(whole[2].at(cell), 0.0F);
        });
    }
}

TYPED_TEST(AdvectionTest, BitsDoNotDependOnThreads) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(Dim == 2 ? 140 : 36), 0.1,
                              [](const Vec<double, Dim>& p) { return p[1] - 1.2 - 0.4 * std::sin(5 * p[0]); });
    const FaceField<Dim> start = scrambled_velocity(b);
    expect_same_on_any_threads([&] {
        FaceField<Dim> u = start;
        advect(u, b.phi, b.boundaries, 0.3, AdvectionScheme::maccormack);
        return state_hash(u);
    });
}

}  // namespace
}  // namespace spindrift
