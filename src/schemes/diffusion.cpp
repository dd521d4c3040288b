// SPDX-License-Identifier: Apache-2.0
#include "schemes/diffusion.h"

#include "schemes/diffusion_system.h"
#include "schemes/patch.h"

namespace spindrift {
namespace {

// Relative to the change that the step makes.
constexpr double kTolerance = 1e-5;

// In cells: what is farther from all solids than this is not touched by them.
constexpr float kBesideSolids = 2;
// In cells: ways along an axis to solids beyond this are cut off.
constexpr float kLongestWay = 1e6F;
// Cells with an open face have at least this part of a volume, and those around faces, which take explicit steps too,
// this one.
constexpr float kLeastVolume = 0.01F, kLeastFaceVolume = 0.1F;

// The points of one tile, those around it, and what lies between them.
template <int Dim>
class TileProblem {
  public:
    TileProblem(const Field<float, Dim>& field, const FieldLayout<Dim>& layout, const DomainBoundary<Dim>& boundary,
                const DiffusionWalls<Dim>& walls, double kappa)
        : field_(field),
          layout_(layout),
          boundary_(boundary),
          domain_(boundary.domain),
          walls_(walls),
          flux_scale_(boundary.domain.grid.dx / kappa) {}

    void load(Slot slot) {
        slot_ = slot;
        load_cells(kind_, boundary_, slot);
        values_.load(field_, layout_, slot, 2);
        origin_ = boundary_.tiles->origin(slot);
        if (!boundary_.has_solids()) return;
        for (int a = 0; a < Dim; ++a) open_[static_cast<std::size_t>(a)].load(boundary_.open[a], slot);
        volume_.load(boundary_.volume, slot);
        if (has_distance())
            distance_.load(on_faces() ? boundary_.distance[layout_.face_axis] : boundary_.centre_distance, slot);
        if (!on_faces() && !boundary_.nearest_solid.empty()) nearest_.load(boundary_.nearest_solid, slot);
        if (on_faces() && has_distance() && boundary_.solids_move())
            solid_velocity_.load(boundary_.wall_velocity[layout_.face_axis], slot);
    }

    // A centre that is not in a wall; a face with no wall beside it.  Not where a wall's value is given.
    bool is_unknown(const Index<Dim>& c) const {
        if (slot_of(c) == kNoTile || is(kind_, c, CellKind::wall) || is_pinned(c)) return false;
        if (!on_faces()) return true;
        if (is(kind_, c - unit<Dim>(layout_.face_axis), CellKind::wall)) return false;
        return !boundary_.has_solids() || own_open(c) > 0;
    }
    // Within a tenth of a cell of a solid that gives the value, or inside it.  Gas may still pass a face that is.
    bool is_pinned(const Index<Dim>& c) const {
        if (!has_distance() || distance_(c) > kBesideWall || !gives_value(c)) return false;
        const Slot slot = slot_of(c);
        return slot != kNoTile && boundary_.plain[static_cast<std::size_t>(slot)] == 0;
    }
    // The value of a point that is pinned: on the lines from the wall to the points beyond, and inside a solid the
    // solid's; but an open face whose centre is inside lies on the lines' extension, as what flows past it does.
    float pinned_value(const Index<Dim>& c) const {
        const float wall = wall_value(c, domain_.grid.world_from_cell(place(c))), here = distance_(c);
        if (here <= 0 && !(on_faces() && own_open(c) > 0)) return wall;
        float sum = 0, weights = 0;
        for (int axis = 0; axis < Dim; ++axis)
            for (const int side : {-1, 1}) {
                const Index<Dim> next = c + unit<Dim>(axis) * side;
                if (!(distance_(next) > kBesideWall) || !is_unknown(next)) continue;
                const float away = distance_(next) - here, weight = away * away;
                const float wall_there = on_faces() ? wall_value(next, {}) : wall;  // a solid may turn
                sum += weight * (value(next) - wall_there) / distance_(next);
                weights += weight;
            }
        return weights > 0 ? wall + here * sum / weights : wall;
    }

    float value(const Index<Dim>& c) const { return *values_.at(c); }

    // How far along an axis what a value stands for reaches, in cells: half way to the values beside it and to a wall
    // that holds it.  Differences of fluxes over this length are exact for parabolas.
    float extent(const Index<Dim>& c, int axis) const {
        const auto& [below, above] = layout_.sides[static_cast<std::size_t>(axis)];
        const int at = origin_[axis] + c[axis];
        float length = 1;
        if (axis != layout_.face_axis) {
            if (at == domain_.box.lo[axis] && below.rule == GhostRule::odd) length -= 0.25F;
            if (at == domain_.box.hi[axis] - 1 && above.rule == GhostRule::odd) length -= 0.25F;
        }
        if (!has_distance() || distance_(c) > kBesideSolids) return length;
        for (const int side : {-1, 1}) {
            const Index<Dim> next = c + unit<Dim>(axis) * side;
            if (!is_pinned(next)) continue;
            const float way = way_to_solid(c, next);
            if (way <= 1 + 2 * kBesideWall) length -= 0.5F * (1 - way);  // else it runs beside the wall
        }
        return length;
    }
    Vec<float, Dim> extents(const Index<Dim>& c) const {
        Vec<float, Dim> all;
        for (int a = 0; a < Dim; ++a) all[a] = extent(c, a);
        return all;
    }
    // Of what lies between a point and the next along an axis, both unknowns: the mean of what they say of it, which
    // keeps the system symmetric.
    float area(const Vec<float, Dim>& own, int axis, const Index<Dim>& next) const {
        const float here = product(own) / own[axis];
        if (!boundary_.has_solids()) return here;
        if (boundary_.plain[static_cast<std::size_t>(slot_of(next))] != 0) return 1;
        const Vec<float, Dim> other = extents(next);
        return 0.5F * (here + product(other) / other[axis]);
    }
    // The right-hand side takes what the point itself says: then what diffuses comes to rest in the solution of
    // second order [ShortleyWeller38], although the matrix that leads there is symmetric.
    float own_area(const Vec<float, Dim>& own, int axis, const Index<Dim>&) const { return product(own) / own[axis]; }

    // The part of a cell that is not solid: of cut cells whose solid lets a flux in, or none; around a face, the mean
    // of its cells.
    float open_volume(const Index<Dim>& c) const {
        if (on_faces()) {
            if (!boundary_.has_solids() || sticks(c)) return 1;
            return std::max(kLeastFaceVolume, 0.5F * (volume_(c) + volume_(c - unit<Dim>(layout_.face_axis))));
        }
        return is_cut(c) && !gives_value(c) ? std::max(kLeastVolume, volume_(c)) : 1;
    }

    // Through the face between a point and the next; both are unknowns.  0 where a solid closes it.
    float conductance(const Index<Dim>& c, int axis, bool above) const {
        if (!boundary_.has_solids() || axis == layout_.face_axis) return 1;
        const Index<Dim> next = above ? c + unit<Dim>(axis) : c - unit<Dim>(axis);
        const auto& faces = open_[static_cast<std::size_t>(axis)];
        const float open = faces(above ? next : c);
        if (on_faces())
            return sticks(c) || sticks(next) ? 1
                                             : 0.5F * (open + faces((above ? next : c) - unit<Dim>(layout_.face_axis)));
        const bool whole = open > 0 && has_distance() && (gives_value(c) || gives_value(next));
        return whole ? 1 : open;
    }

    // Towards a neighbour that is no unknown, or behind a closed face.
    Tie tie(const Index<Dim>& c, int axis, bool above) const {
        const Index<Dim> next = above ? c + unit<Dim>(axis) : c - unit<Dim>(axis);
        const Index<Dim> at = origin_ + next;
        const float here = value(c), there = value(next);
        const bool beyond =
            !domain_.is_periodic(axis) && (at[axis] < domain_.box.lo[axis] || at[axis] >= domain_.box.hi[axis]);
        if (!beyond && is_pinned(next)) return tie_to_solid(c, next, axis, above);
        if (axis == layout_.face_axis) return {1, there};  // the wall's own face
        if (beyond) return tie_to_side(c, axis, above, here, there);
        // A solid too thin for the points to see: half a cell away.
        if (slot_of(next) == kNoTile || !has_distance() || !gives_value(c) || (on_faces() && !is_solid_face(next)))
            return {};
        return {2, on_faces() ? wall_value_towards(c, next, axis, above, 0.5F)
                              : wall_value(c, domain_.grid.world_from_cell(towards(c, axis, above, 0.5)))};
    }

    // What a solid with a given flux lets into a cell that it cuts: over the area of its surface there, which is what
    // the open parts of opposite faces differ by.
    float inflow(const Index<Dim>& c) const {
        if (!is_cut(c) || wall_of(c) == nullptr || wall_of(c)->kind != WallValueKind::flux) return 0;
        Vec<double, Dim> area;
        for (int a = 0; a < Dim; ++a)
            area[a] = open_past_solids<Dim>(boundary_, a, origin_ + c + unit<Dim>(a)) -
                      open_past_solids<Dim>(boundary_, a, origin_ + c);
        return static_cast<float>(length(area) * flux_scale_ *
                                  wall_of(c)->at(domain_.grid.world_from_cell(place(c)), walls_.time));
    }

  private:
    bool on_faces() const { return layout_.face_axis >= 0; }
    // Whether the field's points know how far they are from solids: those of velocity if solids hold it.
    bool has_distance() const {
        return on_faces() ? !walls_.slip && boundary_.has_friction() : !boundary_.centre_distance.empty();
    }
    bool is_cut(const Index<Dim>& c) const { return !on_faces() && has_distance() && distance_(c) < kBesideSolids; }
    float own_open(const Index<Dim>& c) const { return open_[static_cast<std::size_t>(layout_.face_axis)](c); }
    bool is_solid_face(const Index<Dim>& c) const {
        return is(kind_, c, CellKind::wall) || is(kind_, c - unit<Dim>(layout_.face_axis), CellKind::wall) ||
               !(own_open(c) > 0);
    }

    // What a substance does at the solid nearest to a cell; null: it is insulated.
    const WallValue<Dim>* wall_of(const Index<Dim>& c) const {
        const std::size_t solid = boundary_.nearest_solid.empty() ? 0 : nearest_(c);
        return solid < walls_.solids.size() ? &walls_.solids[solid] : nullptr;
    }
    // Whether a solid that does not slip holds the velocity around a face.
    bool sticks(const Index<Dim>& c) const { return has_distance() && distance_(c) < kBesideSolids && gives_value(c); }
    // Whether the solid near a point gives the value there.
    bool gives_value(const Index<Dim>& c) const {
        if (on_faces())
            return !boundary_.solid_slips_at || !boundary_.solid_slips_at(domain_.grid.world_from_cell(place(c)));
        return distance_(c) < kBesideSolids && wall_of(c) != nullptr && wall_of(c)->kind == WallValueKind::fixed;
    }
    float wall_value(const Index<Dim>& c, const Vec<double, Dim>& at) const {
        if (on_faces()) return boundary_.solids_move() ? solid_velocity_(c) : 0.0F;
        return static_cast<float>(wall_of(c)->at(at, walls_.time));
    }

    // On the way from a point towards the next, so many cells away.  The velocity of a solid that turns is linear
    // there.
    float wall_value_towards(const Index<Dim>& c, const Index<Dim>& next, int axis, bool above, float way) const {
        if (on_faces() && boundary_.solids_move())
            return solid_velocity_(c) + way * (solid_velocity_(next) - solid_velocity_(c));
        return wall_value(next, domain_.grid.world_from_cell(towards(c, axis, above, double{way})));
    }

    // How far the solid is on the way past the next point, in cells: here / (here − there).  Beside a wall that the way
    // hardly comes nearer to it is long, and rightly so: the next point then has nearly the same value.
    float way_to_solid(const Index<Dim>& c, const Index<Dim>& next) const {
        const float here = std::max(distance_(c), kBesideWall), nearer = here - std::min(distance_(next), here);
        return here / std::max(nearer, here / kLongestWay);
    }
    Tie tie_to_solid(const Index<Dim>& c, const Index<Dim>& next, int axis, bool above) const {
        const float way = way_to_solid(c, next);
        const float to_wall = std::min(way, kBesideSolids);
        return {1 / way, wall_value_towards(c, next, axis, above, to_wall)};
    }
    Tie tie_to_side(const Index<Dim>& c, int axis, bool above, float here, float there) const {
        const std::size_t side = above ? 1 : 0;
        if (const WallValue<Dim>* wall = walls_.flux[static_cast<std::size_t>(axis)][side]) {
            const Vec<double, Dim> x = domain_.grid.world_from_cell(towards(c, axis, above, 0.5));
            return {0, 0, static_cast<float>(flux_scale_ * wall->at(x, walls_.time))};
        }
        const GhostRule how = layout_.sides[static_cast<std::size_t>(axis)][side].rule;
        if (how == GhostRule::odd) return {2, 0.5F * (here + there)};
        if (how == GhostRule::constant) return {1, there};
        return {};
    }

    // In cells of the box.
    Vec<double, Dim> place(const Index<Dim>& c) const {
        return Vec<double, Dim>(origin_ + c) + Vec<double, Dim>(layout_.stagger());
    }
    Vec<double, Dim> towards(const Index<Dim>& c, int axis, bool above, double way) const {
        Vec<double, Dim> x = place(c);
        x[axis] += above ? way : -way;
        return x;
    }
    Slot slot_of(const Index<Dim>& c) const {
        Index<Dim> side{};
        for (int a = 0; a < Dim; ++a) side[a] = c[a] < 0 ? -1 : c[a] >= kTileSide ? 1 : 0;
        return boundary_.tiles->neighbour(slot_, neighbour_number(side));
    }

    const Field<float, Dim>& field_;
    const FieldLayout<Dim>& layout_;
    const DomainBoundary<Dim>& boundary_;
    const Domain<Dim>& domain_;
    const DiffusionWalls<Dim>& walls_;
    double flux_scale_;  // from a flux to what it adds to the right side of a cell
    Slot slot_ = 0;
    Index<Dim> origin_{};
    HaloBlock<std::uint8_t, Dim, 2> kind_;
    std::array<HaloBlock<float, Dim, 2>, Dim> open_;
    HaloBlock<float, Dim, 2> distance_, solid_velocity_, volume_;
    HaloBlock<std::uint16_t, Dim, 2> nearest_;
    Patch<Dim> values_;
};

// Whether nothing but fluid surrounds the points of a tile.
template <int Dim>
auto plain_tiles(const DomainBoundary<Dim>& boundary) {
    return [&boundary](Slot slot) { return boundary.plain[static_cast<std::size_t>(slot)] != 0; };
}

}  // namespace

template <int Dim>
SolveReport diffuse(Field<float, Dim>& field, const FieldLayout<Dim>& layout, const DomainBoundary<Dim>& boundary,
                    const DiffusionWalls<Dim>& walls, double kappa, double dt, PoissonSolver<Dim>& solver) {
    const double number = kappa * dt / (boundary.domain.grid.dx * boundary.domain.grid.dx);
    if (!(number > kNegligibleDiffusion)) return {.converged = true};
    const auto problem = [&] { return TileProblem<Dim>(field, layout, boundary, walls, kappa); };
    const auto is_plain = plain_tiles(boundary);
    SolveReport report = solve_diffusion(field, problem, is_plain, number, kTolerance, solver);
    follow_walls(field, layout, boundary, walls);
    return report;
}

template <int Dim>
void follow_walls(Field<float, Dim>& field, const FieldLayout<Dim>& layout, const DomainBoundary<Dim>& boundary,
                  const DiffusionWalls<Dim>& walls) {
    const bool has_walls = layout.face_axis >= 0 ? !walls.slip && boundary.has_friction() : boundary.has_solids();
    if (!has_walls) return;
    const auto is_plain = plain_tiles(boundary);
    Field<float, Dim> pinned = field;
    for_each_tile(*boundary.tiles, [&](Slot slot) {
        if (is_plain(slot)) return;
        TileProblem<Dim> around(field, layout, boundary, walls, 1);
        around.load(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> c = cell_in_tile<Dim>(n);
            if (around.is_pinned(c)) pinned.tile(slot)[n] = around.pinned_value(c);
        }
    });
    field = std::move(pinned);
}

template <int Dim>
void add_diffusion(Field<float, Dim>& field, const FieldLayout<Dim>& layout, const DomainBoundary<Dim>& boundary,
                   const DiffusionWalls<Dim>& walls, double kappa, double dt) {
    const double dx = boundary.domain.grid.dx;
    const auto number = static_cast<float>(kappa * dt / (dx * dx));
    if (!(number > static_cast<float>(kNegligibleDiffusion))) return;
    const auto problem = [&] { return TileProblem<Dim>(field, layout, boundary, walls, kappa); };
    step_diffusion(field, problem, plain_tiles(boundary), number);
}

#define INSTANTIATE(Dim)                                                                                  \
    template void follow_walls(Field<float, Dim>&, const FieldLayout<Dim>&, const DomainBoundary<Dim>&,   \
                               const DiffusionWalls<Dim>&);                                               \
    template SolveReport diffuse(Field<float, Dim>&, const FieldLayout<Dim>&, const DomainBoundary<Dim>&, \
                                 const DiffusionWalls<Dim>&, double, double, PoissonSolver<Dim>&);        \
    template void add_diffusion(Field<float, Dim>&, const FieldLayout<Dim>&, const DomainBoundary<Dim>&,  \
                                const DiffusionWalls<Dim>&, double, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
