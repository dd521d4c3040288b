// SPDX-License-Identifier: Apache-2.0
#include "schemes/advection.h"

#include <numbers>

#include <gtest/gtest.h>

#include "base/simd.h"
#include "schemes/test_support.h"

namespace spindrift {
namespace {

template <class D>
class Advection : public testing::Test {};
TYPED_TEST_SUITE(Advection, Dimensions);

// A box of gas that swirls, and something in it.
template <int Dim>
struct Swirl {
    Domain<Dim> domain;
    FaceField<Dim> velocity;
    Field<float, Dim> smoke;
    FieldLayout<Dim> layout;
    VelocityLayouts<Dim> advected_layouts;  // when it is advected itself

    Swirl(int cells, TestSides sides) : domain(unit_domain<Dim>(cells, sides)) {
        const GridTransform<Dim>& grid = domain.grid;
        const TilesPtr<Dim> tiles = domain.all_tiles();
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
        advected_layouts = advected_velocity_layouts(domain, 0);
        layout = {.face_axis = -1, .box = domain.box, .grid = grid, .sides = {}};
        for (int a = 0; a < Dim; ++a)
            for (const std::size_t end : {0U, 1U}) {
                const bool above = end == 1, repeats = domain.is_periodic(a);
                const bool open = domain.side(a, above).kind == SideKind::open;
                layout.sides[static_cast<std::size_t>(a)][end].rule = repeats ? GhostRule::none
                                                                      : open  ? GhostRule::copy
                                                                              : GhostRule::even;
            }
    }

    std::vector<Field<float, Dim>> advected(double dt, const AdvectionSettings<Dim>& how) const {
        const Flow<Dim> flow(velocity, domain, 0);
        std::vector<Field<float, Dim>> results(Dim + 1, Field<float, Dim>(smoke.tiles_ptr()));
        std::vector<AdvectedField<Dim>> list{{&smoke, &results[Dim], &layout}};
        for (int a = 0; a < Dim; ++a) {
            const auto n = static_cast<std::size_t>(a);
            list.push_back({&velocity[a], &results[n], &advected_layouts[n]});
        }
        advect<Dim>(list, flow, dt, how);
        return results;
    }
};

// One value, wherever it lies.
template <int Dim>
double value_of(const Field<float, Dim>& field, const FieldLayout<Dim>& layout, const Index<Dim>& i) {
    for (int a = 0; a < Dim; ++a) {
        if (!layout.is_ghost(a, i[a])) continue;
        const GhostValue<Dim> f = layout.ghost_value(i, a);
        return f.scale == 0 ? f.offset : f.scale * value_of(field, layout, f.at) + f.offset;
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
double value_between(const Field<float, Dim>& field, const FieldLayout<Dim>& layout, const Vec<double, Dim>& x,
                     AdvectionScheme scheme = AdvectionScheme::semi_lagrangian) {
    Index<Dim> below;
    Vec<double, Dim> t;
    for (int a = 0; a < Dim; ++a) {
        const double p = x[a] - double{layout.stagger()[a]};
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
        const double value = value_of(field, layout, at);
        least = std::min(least, value);
        most = std::max(most, value);
        if (weight > 0) sum += weight * value;
    }
    if (scheme == AdvectionScheme::semi_lagrangian) return sum;
    sum = 0;
    for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(4)}, [&](const Index<Dim>& n) {
        double weight = 1;
        for (int a = 0; a < Dim; ++a) weight *= cubic_weight(n[a], t[a]);
        if (weight != 0) sum += weight * value_of(field, layout, below + n - Index<Dim>(1));
    });
    return std::clamp(sum, least, most);
}

// a(p(x, −dt)), traced alone and in double.
template <int Dim>
double traced(const Swirl<Dim>& s, const Flow<Dim>& flow, const Field<float, Dim>& field,
              const FieldLayout<Dim>& layout, const Index<Dim>& cell, double dt, const AdvectionSettings<Dim>& how) {
    const Domain<Dim>& domain = s.domain;
    const auto inside = [&](Vec<double, Dim> x) {
        for (int a = 0; a < Dim; ++a) {
            if (domain.is_periodic(a)) continue;
            x[a] = std::max(x[a], domain.box.lo[a] - (is_wall(domain.side(a, false)) ? 0.0 : 1.0));
            x[a] = std::min(x[a], domain.box.hi[a] + (is_wall(domain.side(a, true)) ? 0.0 : 1.0));
        }
        return x;
    };
    const auto speed = [&](const Vec<double, Dim>& x) {
        Vec<double, Dim> u;
        for (int a = 0; a < Dim; ++a)
            u[a] = value_between(s.velocity[a], flow.layouts[static_cast<std::size_t>(a)], x) / domain.grid.dx;
        return u;
    };
    const Vec<double, Dim> x = Vec<double, Dim>(cell) + Vec<double, Dim>(layout.stagger());
    Vec<double, Dim> middle = x;
    const int halves = how.trace_rule == TraceRule::first_order ? 0
                       : layout.face_axis < 0                   ? 1 + kMidpointIterations
                                                                : 1;
    for (int n = 0; n < halves; ++n) middle = inside(x - speed(middle) * (0.5 * dt));
    return value_between(field, layout, inside(x - speed(middle) * dt), how.scheme);
}

// Whether a step crosses less than a cell or half the box, each point finds what it would find if it went alone.
TYPED_TEST(Advection, PointsOfATileFindWhatEachFindsAlone) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kCells = 32;
    for (const TestSides sides : {TestSides::periodic, TestSides::closed, TestSides::open_top, TestSides::mixed})
        for (const auto& [cells, trace_rule, scheme] :
             {std::tuple{0.6, TraceRule::midpoint, AdvectionScheme::semi_lagrangian},
              {2.7, TraceRule::midpoint, AdvectionScheme::semi_lagrangian},
              {4.5, TraceRule::midpoint, AdvectionScheme::semi_lagrangian},
              {13.0, TraceRule::midpoint, AdvectionScheme::semi_lagrangian},
              {40.0, TraceRule::midpoint, AdvectionScheme::semi_lagrangian},
              {0.6, TraceRule::midpoint, AdvectionScheme::cubic},
              {1.7, TraceRule::midpoint, AdvectionScheme::cubic},
              {4.5, TraceRule::midpoint, AdvectionScheme::cubic},
              {13.0, TraceRule::midpoint, AdvectionScheme::cubic},
              {0.6, TraceRule::first_order, AdvectionScheme::cubic},
              {13.0, TraceRule::first_order, AdvectionScheme::semi_lagrangian}}) {
            const AdvectionSettings<Dim> how{trace_rule, scheme};
            const Swirl<Dim> swirl(kCells, sides);
            const double dt = cells / kCells;
            const Flow<Dim> flow(swirl.velocity, swirl.domain, 0);
            const auto found = swirl.advected(dt, how);
            double most = 0;
            for_each_index(swirl.domain.box, [&](const Index<Dim>& c) {
                if ((c[0] + 3 * c[1] + 5 * c[Dim - 1]) % (how.scheme == AdvectionScheme::cubic ? 47 : 7) != 0) return;
                for (int a = 0; a <= Dim; ++a) {
                    const auto n = static_cast<std::size_t>(a);
                    const Field<float, Dim>& from = a < Dim ? swirl.velocity[a] : swirl.smoke;
                    const FieldLayout<Dim>& layout = a < Dim ? swirl.advected_layouts[n] : swirl.layout;
                    if (layout.is_ghost(a % Dim, c[a % Dim])) continue;
                    const double alone = traced(swirl, flow, from, layout, c, dt, how);
                    most = std::max(most, std::abs(double{found[n].at(c)} - alone));
                }
            });
            // Places are rounded to a millionth of a cell for every ten cells on the way, and in several rounds of it.
            EXPECT_LT(most, 4e-5 * std::max(1.0, cells)) << "sides " << static_cast<int>(sides) << ", cells " << cells;
        }
}

TYPED_TEST(Advection, SameBitsOnAnyInstructionSet) {
    constexpr int Dim = TypeParam::kDim;
    const Swirl<Dim> swirl(24, TestSides::mixed);
    const InstructionSet before = instruction_set();
    for (const auto& [cells, scheme] : {std::pair{0.6, AdvectionScheme::maccormack},
                                        {4.5, AdvectionScheme::maccormack},
                                        {0.6, AdvectionScheme::cubic},
                                        {4.5, AdvectionScheme::cubic}}) {
        const AdvectionSettings<Dim> how{.scheme = scheme};
        const auto found = swirl.advected(cells / 24, how);
        set_instruction_set(InstructionSet::baseline);
        const auto again = swirl.advected(cells / 24, how);
        set_instruction_set(before);
        for (std::size_t n = 0; n < found.size(); ++n) EXPECT_EQ(state_hash(found[n]), state_hash(again[n]));
    }
}

// Where paths end just below a point, rounding may put them on it.  What lies beyond it then counts for nothing, but
// has to be there: memory that another field left full of NaN tells.
TYPED_TEST(Advection, EndsJustBelowAPointFindAllAroundIt) {
    constexpr int Dim = TypeParam::kDim;
    const Domain<Dim> domain = unit_domain<Dim>(2 * kTileSide, TestSides::periodic);
    const auto dx = static_cast<float>(domain.grid.dx);
    const TilesPtr<Dim> tiles = domain.all_tiles();
    FaceField<Dim> velocity(tiles);
    // In the first tile it is fast, so that a large patch is copied; in the others hardly any.
    assign(velocity[0], [&](const Index<Dim>& c) { return (tile_of_cell(c) == Index<Dim>(0) ? 3.0F : 3e-7F) * dx; });
    Field<float, Dim> nothing(tiles, std::numeric_limits<float>::quiet_NaN());
    const Flow<Dim> flow(velocity, domain, 0);
    for (const AdvectionScheme scheme : {AdvectionScheme::semi_lagrangian, AdvectionScheme::cubic}) {
        Field<float, Dim> advected(tiles), ignored(tiles);
        const std::vector<AdvectedField<Dim>> list{{&velocity[0], &advected, flow.layouts.data()},
                                                   {&nothing, &ignored, flow.layouts.data()}};
        advect<Dim>(list, flow, 1, {TraceRule::first_order, scheme});
        int lost = 0;
        for_each_index(domain.box, [&](const Index<Dim>& c) { lost += std::isfinite(advected.at(c)) ? 0 : 1; });
        EXPECT_EQ(lost, 0);
    }
}

}  // namespace
}  // namespace spindrift
