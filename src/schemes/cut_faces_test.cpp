// SPDX-License-Identifier: Apache-2.0
#include "schemes/cut_faces.h"

#include <random>
#include <utility>

#include "grid/measure.h"
#include "schemes/divergence.h"
#include "schemes/domain_boundary.h"
#include "schemes/test_support.h"

namespace spindrift {
namespace {

template <class T>
class CutFaces : public ::testing::Test {};
TYPED_TEST_SUITE(CutFaces, Dimensions);

// A solid below a plane, and a gas that is sheared along it:  u = U + s d t,  d the distance from the plane, t a
// direction in it.  The solid moves at U.
template <int Dim>
struct Shear {
    static constexpr int kCells = 24;
    DomainBoundary<Dim> boundary;
    FaceField<Dim> velocity;

    explicit Shear(unsigned seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> any(-1, 1);
        Vec<double, Dim> normal, along, drift;
        for (int a = 0; a < Dim; ++a) normal[a] = any(random), along[a] = any(random), drift[a] = any(random);
        normal = normal / length(normal);
        along -= normal * dot(along, normal);
        along = along / length(along);
        const double offset = 0.2 * any(random) / kCells;
        const Domain<Dim> domain = unit_domain<Dim>(kCells, TestSides::closed);
        Solids<Dim> solids;
        solids.distance = [=](const Vec<double, Dim>& x, double) {
            return dot(x - Vec<double, Dim>(0.5), normal) - offset;
        };
        solids.velocity = [=](const Vec<double, Dim>&, double) { return drift; };
        boundary = make_boundary(domain, solids, {.friction = true});
        refit(boundary, domain.all_tiles(), solids, 0);
        velocity = FaceField<Dim>(boundary.tiles);
        for (int a = 0; a < Dim; ++a)
            assign(velocity[a], [&](const Index<Dim>& face) {
                const double d = solids.distance(domain.grid.world_of_face(a, face), 0);
                return static_cast<float>(drift[a] + d * kCells * along[a]);
            });
    }
    // The largest outflow of a cell away from the sides, per shear, beside what is wanted.
    double largest(const Field<float, Dim>& wanted) const {
        Field<float, Dim> out = outflow<Dim>(velocity, boundary.level, boundary);
        double most = 0;
        for_each_index(IndexBox<Dim>{Index<Dim>(2), Index<Dim>(kCells - 2)}, [&](const Index<Dim>& cell) {
            most = std::max(most, std::abs(double{out.at(cell)} - wanted.at(cell)));
        });
        return most;
    }
};

// Such a flow has no divergence.  What is left is that of faces that count as closed, or open, because they are so but
// for a hundredth; velocities at the centres of faces alone are off by more than a hundred times as much.
TYPED_TEST(CutFaces, AShearAlongAPlaneHasNoDivergence) {
    constexpr int Dim = TypeParam::kDim;
    double at_centres = 0, in_middles = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const Shear<Dim> shear(seed);
        Field<float, Dim> wanted(shear.boundary.tiles);
        at_centres += shear.largest(wanted);
        allow_for_cut_faces(wanted, shear.velocity, shear.boundary.level, shear.boundary.wall_velocity,
                            shear.boundary.cut);
        EXPECT_LT(shear.largest(wanted), 0.002) << "seed " << seed;
        in_middles += shear.largest(wanted);
    }
    EXPECT_GT(at_centres, 100 * in_middles);
}

// Tiles gather what one face after the other would scatter, bit by bit.
TYPED_TEST(CutFaces, TilesGatherWhatFacesScatter) {
    constexpr int Dim = TypeParam::kDim;
    const Shear<Dim> shear(5);
    const DomainBoundary<Dim>& b = shear.boundary;
    ASSERT_GT(b.cut.faces.size(), 20U);
    Field<float, Dim> gathered(b.tiles), scattered(b.tiles);
    allow_for_cut_faces(gathered, shear.velocity, b.level, b.wall_velocity, b.cut);
    for (const CutFace<Dim>& face : b.cut.faces) {
        const auto past_wall = [&](const CellPlace& at) {
            return shear.velocity[face.axis].tile(at.slot)[at.cell] - b.wall_velocity[face.axis].tile(at.slot)[at.cell];
        };
        float flux = 0;
        for (std::size_t a = 0; a < Dim; ++a)
            if (face.lever[a] > 0) flux += face.lever[a] * (past_wall(face.next[a]) - past_wall(face.face));
        for (const auto& [cell, more] : {std::pair(face.face, flux), std::pair(face.below, -flux)})
            if (cell.slot != kNoTile && b.level.tile(cell.slot)[cell.cell] < 0)
                scattered.tile(cell.slot)[cell.cell] += more;
    }
    EXPECT_EQ(state_hash(gathered), state_hash(scattered));
    EXPECT_GT(max_abs(gathered), 0);
}

}  // namespace
}  // namespace spindrift
