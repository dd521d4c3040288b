// SPDX-License-Identifier: Apache-2.0
#include "schemes/viscous_stress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "grid/beside.h"
#include "grid/halo.h"
#include "grid/plane_fraction.h"
#include "linear/conjugate_gradients.h"
#include "linear/multigrid.h"
#include "linear/tile_vectors.h"

namespace spindrift {
namespace {

// A velocity, what it is multiplied by, and the stress between, as kernels see them: first tiles, by component or pair
// of axes.
template <int Dim>
struct ViscousFields {
    const Slot* neighbours;
    const float* zeros;
    const float* cell;
    std::array<const float*, kShearPlanes<Dim>> edge{};
    std::array<float*, kShearPlanes<Dim>> shear{};
    std::array<const float*, Dim> mass{}, inverse{}, p{};
    std::array<float*, Dim> q{};
};

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "schemes/viscous_stress.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

// A face of a liquid cell weighs at least this part of its volume, for the sake of the solve.  The velocity of faces
// between cells of air is not the liquid's: they follow the stress and weigh next to nothing, their liquid counts with
// the faces beside them.  If its velocity were extrapolated, each step would take 0.5 % of its turning from a drop of
// 20 cells.
constexpr float kLeastMass = 0.02F, kDryMass = 1e-4F;
// Kinds of tiles.
constexpr std::uint8_t kDryTile = 0, kFullTile = 1, kSurfaceTile = 2;
// Above this ν dt / dx² a V-cycle for each component saves more iterations than it costs.
constexpr double kStiff = 4;

// The level around a tile, continued beyond the walls of the domain as it is beside them.
template <int Dim>
class LevelAround {
  public:
    LevelAround(const Field<float, Dim>& phi, const Boundary<Dim>& b, Slot slot) : dx_(b.domain.grid.dx) {
        values_.load(phi, slot);
        const Index<Dim> origin = phi.tiles().origin(slot);
        for (int a = 0; a < Dim; ++a) {
            lowest_[a] = b.domain.is_periodic(a) ? -1 : std::max(-1, b.domain.box.lo[a] - origin[a]);
            highest_[a] = b.domain.is_periodic(a) ? kTileSide : std::min(kTileSide, b.domain.box.hi[a] - 1 - origin[a]);
        }
        for (int a = 0; a < Dim; ++a) is_outside_ |= highest_[a] < lowest_[a];
        least_ = std::numeric_limits<float>::max();
        most_ = -least_;
        if (is_outside_) return;
        for_each_index(IndexBox<Dim>{lowest_, highest_ + Index<Dim>(1)}, [&](const Index<Dim>& c) {
            least_ = std::min(least_, values_(c));
            most_ = std::max(most_, values_(c));
        });
    }
    bool is_dry() const { return is_outside_ || least_ >= 2 * dx_; }
    bool is_full() const { return !is_outside_ && most_ <= -2 * dx_; }

    // The part of a unit volume around a point that is liquid: around a cell's centre, or half a cell lower along some
    // axes, a bit for each.
    float liquid_part(const Index<Dim>& c, int lower) const {
        // The mean of the cells that the point lies between, and its slope.
        double level = 0;
        Vec<double, Dim> slope;
        int count = 0;
        for (int corner = 0; corner < 1 << Dim; ++corner) {
            if ((corner & ~lower) != 0) continue;
            Index<Dim> at = c;
            for (int a = 0; a < Dim; ++a) at[a] -= corner >> a & 1;
            const double here = value(at);
            level += here;
            for (int a = 0; a < Dim; ++a) {
                if ((lower >> a & 1) != 0)
                    slope[a] += (corner >> a & 1) != 0 ? -2 * here : 2 * here;
                else
                    slope[a] += 0.5 * (value(at + unit<Dim>(a)) - value(at - unit<Dim>(a)));
            }
            ++count;
        }
        return static_cast<float>(fraction_below<Dim>(level / (count * dx_), slope / (count * dx_)));
    }

  private:
    double value(Index<Dim> c) const {
        for (int a = 0; a < Dim; ++a) c[a] = std::clamp(c[a], lowest_[a], highest_[a]);
        return values_(c);
    }

    double dx_;
    HaloBlock<float, Dim, 1> values_;
    Index<Dim> lowest_{}, highest_{};
    float least_ = 0, most_ = 0;
    bool is_outside_ = false;
};

// 1 at faces whose velocity is given: in mouths.  Nothing when there are none.
template <int Dim>
FaceField<Dim> given_faces(const Boundary<Dim>& b, const TilesPtr<Dim>& tiles) {
    if (b.given.empty()) return {};
    FaceField<Dim> given(tiles);
    for (const GivenFace<Dim>& face : b.given) given[face.axis].tile(face.slot)[face.cell] = 1;
    return given;
}

// What surrounds the faces of a tile.
template <int Dim>
class FacesAround {
  public:
    FacesAround(const Boundary<Dim>& b, const FaceField<Dim>& given, Slot slot)
        : b_(b), origin_(b.tiles->origin(slot)), moves_(b.anything_moves()), has_given_(!given[0].empty()) {
        for (int a = 0; a < Dim; ++a) {
            open_[a].load(b.open[a], slot);
            if (has_given_) given_[a].load(given[a], slot);
            if (moves_) wall_[a].load(b.wall_velocity[a], slot);
        }
    }
    bool is_open(int axis, const Index<Dim>& c) const { return open_[axis](c) > 0 && !is_given(axis, c); }
    bool is_closed(int axis, const Index<Dim>& c) const { return !(open_[axis](c) > 0) && !is_given(axis, c); }
    float wall(int axis, const Index<Dim>& c) const { return moves_ ? wall_[axis](c) : 0.0F; }

    // How many of the four faces at an edge are closed.
    int closed_at_edge(const Index<Dim>& c, int a, int b) const {
        return is_closed(a, c) + is_closed(a, c - unit<Dim>(b)) + is_closed(b, c) + is_closed(b, c - unit<Dim>(a));
    }
    // Whether the stress at an edge is that of the four faces.  Where one of them is closed by a wall that holds the
    // flow, as beside a slope, it is the wall's; where more are, the edge lies on the wall: see tie().
    bool is_regular(const Index<Dim>& c, int a, int b) const {
        const int closed = closed_at_edge(c, a, b);
        if (closed != 1) return closed == 0;
        if (is_closed(a, c)) return !slips(b, true, a, c);
        if (is_closed(a, c - unit<Dim>(b))) return !slips(b, false, a, c - unit<Dim>(b));
        if (is_closed(b, c)) return !slips(a, true, b, c);
        return !slips(a, false, b, c - unit<Dim>(a));
    }
    // Whether a wall half a cell from a face of component a holds it, below or above it along b.
    bool is_held(const Index<Dim>& c, int a, int b, bool above) const {
        const Index<Dim> next = above ? c + unit<Dim>(b) : c - unit<Dim>(b), edge = above ? next : c;
        return is_closed(a, next) && closed_at_edge(edge, a, b) > 1 && !slips(b, above, a, next);
    }
    // The velocity that such a wall pulls to: its own, continued to the face, for a wall that turns must not shear what
    // turns with it.
    float pull(const Index<Dim>& c, int a, int b, bool above) const {
        if (!moves_) return 0;
        const Index<Dim> way = above ? unit<Dim>(b) : -unit<Dim>(b), next = c + way, beyond = next + way;
        return is_closed(a, beyond) ? 2 * wall(a, next) - wall(a, beyond) : wall(a, next);
    }

  private:
    bool is_given(int axis, const Index<Dim>& c) const { return has_given_ && given_[axis](c) > 0; }
    // What closes a face of component a that lies below or above along b.
    bool slips(int along, bool above, int axis, const Index<Dim>& c) const {
        const Index<Dim> face = origin_ + c;
        if (!b_.domain.box.contains(face)) return b_.domain.side(along, above).kind != SideKind::prescribed;
        return b_.solid_slip || (b_.solid_slips_at && b_.solid_slips_at(b_.domain.grid.world_of_face(axis, face)));
    }

    const Boundary<Dim>& b_;
    Index<Dim> origin_;
    bool moves_, has_given_;
    std::array<HaloBlock<float, Dim, 2>, Dim> open_, given_, wall_;
};

template <int Dim>
double dot(const FaceField<Dim>& a, const FaceField<Dim>& b) {
    double sum = 0;
    for (int axis = 0; axis < Dim; ++axis) sum += dot(a[axis], b[axis]);
    return sum;
}

// The space conjugate gradients works in.
template <int Dim>
struct FaceSpace {
    using Vector = FaceField<Dim>;
    ViscousOperator<Dim>& a;
    Field<float, Dim> scratch{};
    std::deque<PoissonOperator<Dim>> components{};
    std::deque<Multigrid<Dim>> multigrid{};

    void use_multigrid() {
        scratch = Field<float, Dim>(a.tiles());
        for (int axis = 0; axis < Dim; ++axis) multigrid.emplace_back(components.emplace_back(a.component(axis)));
    }

    double apply(Vector& q, const Vector& p) { return a.apply(q, p); }
    double precondition(Vector& z, const Vector& r) {
        double sum = 0;
        for (int axis = 0; axis < Dim; ++axis) {
            if (!multigrid.empty()) {
                multigrid[static_cast<std::size_t>(axis)].apply(z[axis], r[axis], scratch);
                sum += dot(r[axis], z[axis]);
                continue;
            }
            const float* inverse = a.inverse_diagonal()[axis].tile(0);
            sum += parallel_sum(r[axis].values().size(), kTilesPerBlock<Dim> * kTileCells<Dim>, 0.0,
                                [&](std::size_t begin, std::size_t end) {
                                    return SPINDRIFT_PICK(scale_rows)(z[axis].tile(0) + begin, r[axis].tile(0) + begin,
                                                                      inverse + begin, end - begin);
                                });
        }
        return sum;
    }
    double advance(Vector& x, Vector& r, double alpha, const Vector& p, const Vector& q) {
        double sum = 0;
        for (int axis = 0; axis < Dim; ++axis)
            sum += advance_pair(x[axis], r[axis], static_cast<float>(alpha), p[axis], q[axis]);
        return sum;
    }
    void turn(Vector& p, const Vector& z, double beta) {
        for (int axis = 0; axis < Dim; ++axis) {
            if (beta == 0)
                copy(p[axis], z[axis]);
            else
                axpby(p[axis], 1.0F, z[axis], static_cast<float>(beta));
        }
    }
};

}  // namespace

template <int Dim>
ViscousOperator<Dim>::ViscousOperator(const FaceField<Dim>& velocity, const Field<float, Dim>& phi,
                                      const Boundary<Dim>& b, double number, const LiquidProperties<Dim>& relative)
    : tiles_(phi.tiles_ptr()),
      inverse_number_(static_cast<float>(1 / number)),
      active_(tiles_->count()),
      cell_(tiles_),
      mass_(tiles_),
      inverse_(tiles_),
      right_(tiles_) {
    check_same_tiles("viscosity", "phi", *tiles_, "velocity", velocity.tiles());
    for (std::size_t plane = 0; plane < kShearPlanes<Dim>; ++plane)
        edge_[plane] = shear_[plane] = Field<float, Dim>(tiles_);
    const FaceField<Dim> given = given_faces(b, tiles_);
    fill_weights(phi, b, given, relative);
    fill_faces(velocity, phi, b, given, relative);

    // b = ties to walls − (A without its mass) u.
    FaceField<Dim> product(tiles_);
    multiply(product, velocity, 0);
    for (int axis = 0; axis < Dim; ++axis) axpby(right_[axis], -1.0F, product[axis], 1.0F);
}

// The liquid part of cells and edges; that of faces goes to mass_ for the time being.
template <int Dim>
void ViscousOperator<Dim>::fill_weights(const Field<float, Dim>& phi, const Boundary<Dim>& b,
                                        const FaceField<Dim>& given, const LiquidProperties<Dim>& relative) {
    for_each_tile(*tiles_, [&](Slot slot) {
        const LevelAround<Dim> level(phi, b, slot);
        if (level.is_dry()) return;
        active_[static_cast<std::size_t>(slot)] = level.is_full() ? kFullTile : kSurfaceTile;
        const FacesAround<Dim> faces(b, given, slot);
        HaloBlock<float, Dim, 1> viscosity;
        if (relative.viscosity != nullptr) viscosity.load(*relative.viscosity, slot);
        const auto part = [&](const Index<Dim>& c, int lower) {
            return level.is_full() ? 1.0F : level.liquid_part(c, lower);
        };
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> c = cell_in_tile<Dim>(n);
            if (b.domain.contains(tiles_->origin(slot) + c))
                cell_.tile(slot)[n] = 2 * part(c, 0) * (relative.viscosity != nullptr ? viscosity(c) : 1.0F);
            for (int a = 0; a < Dim; ++a) {
                mass_[a].tile(slot)[n] = part(c, 1 << a);
                for (int e = a + 1; e < Dim; ++e) {
                    if (!faces.is_regular(c, a, e)) continue;
                    float& weight = edge_[shear_plane(a, e)].tile(slot)[n];
                    weight = part(c, 1 << a | 1 << e);
                    if (relative.viscosity == nullptr) continue;
                    const Index<Dim> below = c - unit<Dim>(a), left = c - unit<Dim>(e);
                    weight *=
                        0.25F * (viscosity(c) + viscosity(below) + viscosity(left) + viscosity(below - unit<Dim>(e)));
                }
            }
        }
    });
}

// The liquid around faces between cells of air, shared among the faces of liquid cells beside each.
template <int Dim>
FaceField<Dim> ViscousOperator<Dim>::shared_liquid(const Field<float, Dim>& phi, const Boundary<Dim>& b,
                                                   const FaceField<Dim>& given) const {
    FaceField<Dim> shares(tiles_);
    for_each_tile(*tiles_, [&](Slot slot) {
        if (active_[static_cast<std::size_t>(slot)] != kSurfaceTile) return;
        const FacesAround<Dim> faces(b, given, slot);
        const HaloBlock<float, Dim, 2> level(phi, slot);
        for (int a = 0; a < Dim; ++a) {
            const auto is_wet = [&](const Index<Dim>& c) { return level(c) < 0 || level(c - unit<Dim>(a)) < 0; };
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Index<Dim> c = cell_in_tile<Dim>(n);
                const float part = mass_[a].tile(slot)[n];
                if (!(part > 0) || is_wet(c)) continue;
                int count = 0;
                for (int e = 0; e < Dim; ++e)
                    for (const Index<Dim>& next : {c - unit<Dim>(e), c + unit<Dim>(e)})
                        count += faces.is_open(a, next) && is_wet(next) ? 1 : 0;
                if (count > 0) shares[a].tile(slot)[n] = part / static_cast<float>(count);
            }
        }
    });
    return shares;
}

// Which faces are unknown, what they weigh, and what walls add.
template <int Dim>
void ViscousOperator<Dim>::fill_faces(const FaceField<Dim>& velocity, const Field<float, Dim>& phi,
                                      const Boundary<Dim>& b, const FaceField<Dim>& given,
                                      const LiquidProperties<Dim>& relative) {
    const FaceField<Dim> shares = shared_liquid(phi, b, given);
    for_each_tile(*tiles_, [&](Slot slot) {
        if (active_[static_cast<std::size_t>(slot)] == kDryTile) return;
        const FacesAround<Dim> faces(b, given, slot);
        HaloBlock<float, Dim, 1> viscosity;
        if (relative.viscosity != nullptr) viscosity.load(*relative.viscosity, slot);
        HaloBlock<float, Dim, 1> density;
        if (relative.density != nullptr) density.load(*relative.density, slot);
        for (int a = 0; a < Dim; ++a) {
            // What the stress around each face adds to the diagonal.
            std::array<float, kTileCells<Dim>> stress;
            const float* cell = cell_.tile(slot);
            const TileValues<Dim> cell_below = values_below(cell_, slot, a);
            for (int n = 0; n < kTileCells<Dim>; ++n) stress[static_cast<std::size_t>(n)] = cell[n] + cell_below[n];
            for (int e = 0; e < Dim; ++e) {
                if (e == a) continue;
                const Field<float, Dim>& edges = edge_[shear_plane(a, e)];
                const TileValues<Dim> above = values_above(edges, slot, e);
                for (int n = 0; n < kTileCells<Dim>; ++n)
                    stress[static_cast<std::size_t>(n)] += edges.tile(slot)[n] + above[n];
            }
            std::array<float, kTileCells<Dim>> shared{};
            if (active_[static_cast<std::size_t>(slot)] == kSurfaceTile) {
                const HaloBlock<float, Dim, 1> around(shares[a], slot);
                for (int n = 0; n < kTileCells<Dim>; ++n)
                    for (int e = 0; e < Dim; ++e)
                        shared[static_cast<std::size_t>(n)] +=
                            around(cell_in_tile<Dim>(n) - unit<Dim>(e)) + around(cell_in_tile<Dim>(n) + unit<Dim>(e));
            }
            float *mass = mass_[a].tile(slot), *inverse = inverse_[a].tile(slot), *right = right_[a].tile(slot);
            const float *u = velocity[a].tile(slot), *level = phi.tile(slot);
            const TileValues<Dim> level_below = values_below(phi, slot, a);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Index<Dim> c = cell_in_tile<Dim>(n);
                const float part = std::exchange(mass[n], 0.0F), around = stress[static_cast<std::size_t>(n)];
                if (!faces.is_open(a, c) || !(part > 0 || around > 0)) continue;
                // A face beside a wall that holds it stands for three quarters of a cell, half way to the next face and
                // to the wall: with this, a flow between walls is the exact parabola.
                const float hold =
                    2 * part *
                    (relative.viscosity != nullptr ? 0.5F * (viscosity(c) + viscosity(c - unit<Dim>(a))) : 1.0F);
                float size = 1, tie = 0, pull = 0;
                for (int e = 0; e < Dim; ++e)
                    for (const bool above : {false, true}) {
                        if (e == a || !faces.is_held(c, a, e, above)) continue;
                        size *= 0.75F;
                        tie += hold;
                        pull += hold * (faces.pull(c, a, e, above) - u[n]);
                    }
                const bool is_wet = level[n] < 0 || level_below[n] < 0;
                if (relative.density != nullptr) size *= 0.5F * (density(c) + density(c - unit<Dim>(a)));
                mass[n] = (is_wet ? std::max(part + shared[static_cast<std::size_t>(n)], kLeastMass) : kDryMass) *
                              size * inverse_number_ +
                          tie;
                inverse[n] = 1 / (mass[n] + around);
                right[n] = pull;
            }
        }
    });
}

template <int Dim>
PoissonOperator<Dim> ViscousOperator<Dim>::component(int axis) const {
    const Field<float, Dim>& inverse = inverse_[axis];
    return PoissonOperator<Dim>(tiles_, inverse_number_, [&](Slot slot, TileSystem<Dim>& system) {
        system.clear();
        const float* here = inverse.tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) system.ground[n] = mass_[axis].tile(slot)[n];
        for (int e = 0; e < Dim; ++e) {
            const TileValues<Dim> below = values_below(inverse, slot, e), above = values_above(inverse, slot, e);
            // A cell's own stress is that between its face and the next one; an edge's that between its face and the
            // one before.
            const Field<float, Dim>& weights = e == axis ? cell_ : edge_[shear_plane(axis, e == axis ? axis + 1 : e)];
            const float scale = e == axis ? 0.5F : 1.0F;
            const TileValues<Dim> other = e == axis ? values_below(weights, slot, e) : values_above(weights, slot, e);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                if (!(here[n] > 0)) continue;
                const float own = scale * weights.tile(slot)[n], next = scale * other[n];
                const float lower = e == axis ? next : own, upper = e == axis ? own : next;
                (below[n] > 0 ? system.lower[e][n] : system.ground[n]) += lower;
                if (!(above[n] > 0))
                    system.ground[n] += upper;
                else if (cell_in_tile<Dim>(n)[e] == kTileSide - 1)
                    system.upper[e][number_in_layer<Dim>(e, n)] = upper;
            }
        }
    });
}

template <int Dim>
double ViscousOperator<Dim>::multiply(FaceField<Dim>& q, const FaceField<Dim>& p, float mass_factor) {
    const std::vector<float> zeros(kTileCells<Dim>, 0.0F);
    ViscousFields<Dim> f{.neighbours = tiles_->neighbours(), .zeros = zeros.data(), .cell = cell_.tile(0)};
    for (std::size_t plane = 0; plane < kShearPlanes<Dim>; ++plane) {
        f.edge[plane] = edge_[plane].tile(0);
        f.shear[plane] = shear_[plane].tile(0);
    }
    for (int a = 0; a < Dim; ++a) {
        const auto n = static_cast<std::size_t>(a);
        f.mass[n] = mass_[a].tile(0);
        f.inverse[n] = inverse_[a].tile(0);
        f.p[n] = p[a].tile(0);
        f.q[n] = q[a].tile(0);
    }
    const auto is_active = [&](std::size_t tile) { return active_[tile] != kDryTile; };
    parallel_ranges(tiles_->count(), kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
        for (std::size_t tile = begin; tile < end; ++tile)
            if (is_active(tile)) SPINDRIFT_PICK(shear_tile<Dim>)(f, static_cast<Slot>(tile));
    });
    return parallel_sum(tiles_->count(), kTilesPerBlock<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t tile = begin; tile < end; ++tile)
            if (is_active(tile)) sum += SPINDRIFT_PICK(multiply_tile<Dim>)(f, static_cast<Slot>(tile), mass_factor);
        return sum;
    });
}

template <int Dim>
SolveReport add_viscous_stress(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundary<Dim>& boundaries,
                               double kinematic, double dt, const ViscousStressSettings& settings,
                               const LiquidProperties<Dim>& relative) {
    const auto start = std::chrono::steady_clock::now();
    SolveReport report{.converged = true};
    const double number = kinematic * dt / (boundaries.domain.grid.dx * boundaries.domain.grid.dx);
    if (!(number > 0)) return report;
    ViscousOperator<Dim> a(velocity, phi, boundaries, number, relative);
    const TilesPtr<Dim>& tiles = a.tiles();
    FaceField<Dim> r = a.right_side(), x(tiles), p(tiles), z(tiles), q(tiles);
    const double b_squared = dot(r, r), target = settings.tolerance * settings.tolerance * b_squared;
    if (!std::isfinite(b_squared)) report.failure = "a velocity is not finite";
    if (b_squared > 0 && report.failure.empty()) {
        FaceSpace<Dim> space{a};
        if (number > kStiff) space.use_multigrid();
        const KrylovResult krylov = conjugate_gradients(space, x, r, p, z, q, target, settings.max_iterations);
        if (krylov.broke_down) report.failure = "conjugate gradients broke down: the operator is not positive";
        report.iterations = krylov.iterations;
        report.converged = krylov.residual_squared <= target;
        report.residual = report.measured_residual = std::sqrt(krylov.residual_squared / b_squared);
        for (int axis = 0; axis < Dim; ++axis) axpby(velocity[axis], 1.0F, x[axis], 1.0F);
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

template class ViscousOperator<2>;
template class ViscousOperator<3>;
template SolveReport add_viscous_stress(FaceField<2>&, const Field<float, 2>&, const Boundary<2>&, double, double,
                                        const ViscousStressSettings&, const LiquidProperties<2>&);
template SolveReport add_viscous_stress(FaceField<3>&, const Field<float, 3>&, const Boundary<3>&, double, double,
                                        const ViscousStressSettings&, const LiquidProperties<3>&);

}  // namespace spindrift
