// SPDX-License-Identifier: Apache-2.0
#include "gas/carry.h"

#include <gtest/gtest.h>

#include "base/simd.h"
#include "gas/test_support.h"

namespace spindrift {
namespace {

template <class D>
class Carry : public testing::Test {};
TYPED_TEST_SUITE(Carry, Dimensions);

// A box of gas that swirls, and something in it.
template <int Dim>
struct Swirl {
    GasWorld<Dim> world;
    FaceField<Dim> velocity;
    Field<float, Dim> smoke;
    Lattice<Dim> lattice;
    VelocityLattices<Dim> velocity_ends;  // when it is carried itself

    Swirl(int cells, TestSides sides) : world(gas_box<Dim>(cells, sides)) {
        const GridTransform<Dim>& grid = world.enclosure.grid;
        const TilesPtr<Dim> tiles = world.enclosure.all_tiles();
        velocity = FaceField<Dim>(tiles);
        for (int a = 0; a < Dim; ++a)
            assign(velocity[a], [&](const Index<Dim>& c) {
                const Vec<double, Dim> x = grid.world_of_face(a, c) * (2 * std::numbers::pi);
                return static_cast<float>(std::sin(x[a]) * std::cos(x[(a + 1) % Dim]) + 0.3 * a);
            });
        smoke = Field<float, Dim>(tiles);
        assign(smoke, [&](const Index<Dim>& c) {
            const Vec<double, Dim> x = grid.world_of_centre(c);
            return static_cast<float>(std::sin(9 * x[0]) + std::cos(7 * x[1]) * x[Dim - 1]);
        });
        velocity_ends = carried_velocity_lattices(world.enclosure, 0);
        lattice = {.face_axis = -1, .box = world.enclosure.box, .grid = grid, .ends = {}};
        for (int a = 0; a < Dim; ++a)
            for (const std::size_t end : {0U, 1U}) {
                const bool above = end == 1, repeats = world.enclosure.is_periodic(a);
                const bool open = world.enclosure.side(a, above).kind == GasSideKind::open;
                lattice.ends[static_cast<std::size_t>(a)][end].how = repeats ? Beyond::inside
                                                                     : open  ? Beyond::copy
                                                                             : Beyond::mirror;
            }
    }

    std::vector<Field<float, Dim>> carried(double dt, const CarrySettings<Dim>& how) const {
        const Flow<Dim> flow(velocity, world.enclosure, 0);
        std::vector<Field<float, Dim>> results(Dim + 1, Field<float, Dim>(smoke.tiles_ptr()));
        std::vector<CarriedField<Dim>> list{{&smoke, &results[Dim], &lattice}};
        for (int a = 0; a < Dim; ++a) {
            const auto n = static_cast<std::size_t>(a);
            list.push_back({&velocity[a], &results[n], &velocity_ends[n]});
        }
        carry<Dim>(list, flow, dt, how);
        return results;
    }
};

// One value, wherever it lies.
template <int Dim>
double value_of(const Field<float, Dim>& field, const Lattice<Dim>& lattice, const Index<Dim>& i) {
    for (int a = 0; a < Dim; ++a) {
        if (!lattice.is_beyond(a, i[a])) continue;
        const Folded<Dim> f = lattice.fold(i, a);
        return f.scale == 0 ? f.offset : f.scale * value_of(field, lattice, f.at) + f.offset;
    }
    return field.at(i);
}

// Of the polynomial through four points, t beyond the second.
double cubic_weight(int point, double t) {
    double weight = 1;
    for (int other = 0; other < 4; ++other)
        if (other != point) weight *= (t + 1 - other) / (point - other);
    return weight;
}

template <int Dim>
double value_between(const Field<float, Dim>& field, const Lattice<Dim>& lattice, const Vec<double, Dim>& x,
                     Sharpness sharpness = Sharpness::linear) {
    Index<Dim> below;
    Vec<double, Dim> t;
    for (int a = 0; a < Dim; ++a) {
        const double p = x[a] - double{lattice.stagger()[a]};
        below[a] = static_cast<int>(std::floor(p));
        t[a] = p - below[a];
    }
    double sum = 0, least = std::numeric_limits<double>::infinity(), most = -least;
    for (int corner = 0; corner < 1 << Dim; ++corner) {
        double weight = 1;
        Index<Dim> at = below;
        for (int a = 0; a < Dim; ++a) {
            const bool up = (corner >> a & 1) != 0;
            weight *= up ? t[a] : 1 - t[a];
            if (up) ++at[a];
        }
        const double value = value_of(field, lattice, at);
        least = std::min(least, value);
        most = std::max(most, value);
        if (weight > 0) sum += weight * value;
    }
    if (sharpness == Sharpness::linear) return sum;
    sum = 0;
    for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(4)}, [&](const Index<Dim>& n) {
        double weight = 1;
        for (int a = 0; a < Dim; ++a) weight *= cubic_weight(n[a], t[a]);
        if (weight != 0) sum += weight * value_of(field, lattice, below + n - Index<Dim>(1));
    });
    return std::clamp(sum, least, most);
}

// a(p(x, −dt)), followed alone and in double.
template <int Dim>
double followed(const Swirl<Dim>& s, const Flow<Dim>& flow, const Field<float, Dim>& field, const Lattice<Dim>& lattice,
                const Index<Dim>& cell, double dt, const CarrySettings<Dim>& how) {
    const GasEnclosure<Dim>& e = s.world.enclosure;
    const auto inside = [&](Vec<double, Dim> x) {
        for (int a = 0; a < Dim; ++a) {
            if (e.is_periodic(a)) continue;
            x[a] = std::max(x[a], e.box.lo[a] - (is_wall(e.side(a, false)) ? 0.0 : 1.0));
            x[a] = std::min(x[a], e.box.hi[a] + (is_wall(e.side(a, true)) ? 0.0 : 1.0));
        }
        return x;
    };
    const auto speed = [&](const Vec<double, Dim>& x) {
        Vec<double, Dim> u;
        for (int a = 0; a < Dim; ++a)
            u[a] = value_between(s.velocity[a], flow.lattices[static_cast<std::size_t>(a)], x) / e.grid.dx;
        return u;
    };
    const Vec<double, Dim> x = Vec<double, Dim>(cell) + Vec<double, Dim>(lattice.stagger());
    Vec<double, Dim> middle = x;
    const int halves = how.tracing == Tracing::straight ? 0 : lattice.face_axis < 0 ? 1 + kMidpointRounds : 1;
    for (int n = 0; n < halves; ++n) middle = inside(x - speed(middle) * (0.5 * dt));
    return value_between(field, lattice, inside(x - speed(middle) * dt), how.sharpness);
}

// Whether a step crosses less than a cell or half the box, each point finds what it would find if it went alone.
TYPED_TEST(Carry, PointsOfATileFindWhatEachFindsAlone) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kCells = 32;
    for (const TestSides sides : {TestSides::periodic, TestSides::closed, TestSides::open_top, TestSides::mixed})
        for (const auto& [cells, tracing, sharpness] : {std::tuple{0.6, Tracing::midpoint, Sharpness::linear},
                                                        {2.7, Tracing::midpoint, Sharpness::linear},
                                                        {4.5, Tracing::midpoint, Sharpness::linear},
                                                        {13.0, Tracing::midpoint, Sharpness::linear},
                                                        {40.0, Tracing::midpoint, Sharpness::linear},
                                                        {0.6, Tracing::midpoint, Sharpness::cubic},
                                                        {1.7, Tracing::midpoint, Sharpness::cubic},
                                                        {4.5, Tracing::midpoint, Sharpness::cubic},
                                                        {13.0, Tracing::midpoint, Sharpness::cubic},
                                                        {0.6, Tracing::straight, Sharpness::cubic},
                                                        {13.0, Tracing::straight, Sharpness::linear}}) {
            const CarrySettings<Dim> how{tracing, sharpness};
            const Swirl<Dim> swirl(kCells, sides);
            const double dt = cells / kCells;
            const Flow<Dim> flow(swirl.velocity, swirl.world.enclosure, 0);
            const auto found = swirl.carried(dt, how);
            double most = 0;
            for_each_index(swirl.world.enclosure.box, [&](const Index<Dim>& c) {
                if ((c[0] + 3 * c[1] + 5 * c[Dim - 1]) % (how.sharpness == Sharpness::cubic ? 47 : 7) != 0) return;
                for (int a = 0; a <= Dim; ++a) {
                    const auto n = static_cast<std::size_t>(a);
                    const Field<float, Dim>& from = a < Dim ? swirl.velocity[a] : swirl.smoke;
                    const Lattice<Dim>& lattice = a < Dim ? swirl.velocity_ends[n] : swirl.lattice;
                    if (lattice.is_beyond(a % Dim, c[a % Dim])) continue;
                    const double alone = followed(swirl, flow, from, lattice, c, dt, how);
                    most = std::max(most, std::abs(double{found[n].at(c)} - alone));
                }
            });
            // Places are rounded to a millionth of a cell for every ten cells on the way, and in several rounds of it.
            EXPECT_LT(most, 4e-5 * std::max(1.0, cells)) << "sides " << static_cast<int>(sides) << ", cells " << cells;
        }
}

TYPED_TEST(Carry, SameBitsOnAnyInstructionSet) {
    constexpr int Dim = TypeParam::kDim;
    const Swirl<Dim> swirl(24, TestSides::mixed);
    const InstructionSet before = instruction_set();
    for (const auto& [cells, sharpness] : {std::pair{0.6, Sharpness::maccormack},
                                           {4.5, Sharpness::maccormack},
                                           {0.6, Sharpness::cubic},
                                           {4.5, Sharpness::cubic}}) {
        const CarrySettings<Dim> how{.sharpness = sharpness};
        const auto found = swirl.carried(cells / 24, how);
        set_instruction_set(InstructionSet::baseline);
        const auto again = swirl.carried(cells / 24, how);
        set_instruction_set(before);
        for (std::size_t n = 0; n < found.size(); ++n) EXPECT_EQ(state_hash(found[n]), state_hash(again[n]));
    }
}

// Where paths end just below a point, rounding may put them on it.  What lies beyond it then counts for nothing, but
// has to be there: memory that another field left full of NaN tells.
TYPED_TEST(Carry, EndsJustBelowAPointFindAllAroundIt) {
    constexpr int Dim = TypeParam::kDim;
    const GasWorld<Dim> world = gas_box<Dim>(2 * kTileSide, TestSides::periodic);
    const auto dx = static_cast<float>(world.enclosure.grid.dx);
    const TilesPtr<Dim> tiles = world.enclosure.all_tiles();
    FaceField<Dim> velocity(tiles);
    // In the first tile it is fast, so that a large patch is copied; in the others hardly any.
    assign(velocity[0], [&](const Index<Dim>& c) { return (tile_of_cell(c) == Index<Dim>(0) ? 3.0F : 3e-7F) * dx; });
    Field<float, Dim> nothing(tiles, std::numeric_limits<float>::quiet_NaN());
    const Flow<Dim> flow(velocity, world.enclosure, 0);
    for (const Sharpness sharpness : {Sharpness::linear, Sharpness::cubic}) {
        Field<float, Dim> carried(tiles), ignored(tiles);
        const std::vector<CarriedField<Dim>> list{{&velocity[0], &carried, flow.lattices.data()},
                                                  {&nothing, &ignored, flow.lattices.data()}};
        carry<Dim>(list, flow, 1, {Tracing::straight, sharpness});
        int lost = 0;
        for_each_index(world.enclosure.box, [&](const Index<Dim>& c) { lost += std::isfinite(carried.at(c)) ? 0 : 1; });
        EXPECT_EQ(lost, 0);
    }
}

}  // namespace
}  // namespace spindrift
