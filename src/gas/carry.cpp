// SPDX-License-Identifier: Apache-2.0
// Tile by tile: the velocity and the fields around a tile are copied to patches as wide as the step reaches, and all
// points of the tile are traced and sampled there.  Where the flow crosses more cells than a patch holds, points are
// followed through the tiles one by one.
#include "gas/carry.h"

#include <cmath>

#include "gas/patch.h"

namespace spindrift {
namespace {

template <int Dim>
using Point = Vec<float, Dim>;

// The adaptive tracer is content when the two ways to trace a step end within so many cells, or after so many
// halvings.
constexpr float kSamePlace = 0.05F;
constexpr int kMostHalvings = 6;

// Characteristics end at walls.  An open side lets them out by a cell, where what comes in from outside is found.
template <int Dim>
struct Bounds {
    Point<Dim> lo, hi;

    Bounds(const GasEnclosure<Dim>& e, const Index<Dim>& origin) {
        for (int a = 0; a < Dim; ++a) {
            const auto edge = [&](bool above) {
                const float out = is_wall(e.side(a, above)) ? 0.0F : e.is_periodic(a) ? 1e6F : 1.0F;
                return static_cast<float>((above ? e.box.hi[a] : e.box.lo[a]) - origin[a]) + (above ? out : -out);
            };
            lo[a] = edge(false);
            hi[a] = edge(true);
        }
    }
    // Within a patch, too: it ends just before the last point above which there is another.
    Bounds within(int reach) const {
        Bounds b = *this;
        b.lo = max(lo, Point<Dim>(0.5F - static_cast<float>(reach)));
        b.hi = min(hi, Point<Dim>(static_cast<float>(reach + kTileSide) - 1.01F));
        return b;
    }
    SPINDRIFT_INLINE Point<Dim> clamp(const Point<Dim>& x) const { return max(lo, min(hi, x)); }
};

// Where the flow brings x in the time for which `cells` is the way at unit speed; u(x) is the velocity.
template <int Dim, class Velocity>
SPINDRIFT_INLINE Point<Dim> midpoint(const Point<Dim>& x, const Point<Dim>& u_at_x, float cells, Velocity&& u) {
    return x + u(x + u_at_x * (0.5F * cells)) * cells;
}
template <int Dim, class Velocity>
Point<Dim> adaptive(const Point<Dim>& x, const Point<Dim>& u_at_x, float cells, Velocity&& u, int halvings = 0) {
    const Point<Dim> whole = midpoint<Dim>(x, u_at_x, cells, u);
    const Point<Dim> half = midpoint<Dim>(x, u_at_x, 0.5F * cells, u);
    const Point<Dim> twice = midpoint<Dim>(half, u(half), 0.5F * cells, u);
    float apart = 0;
    for (int a = 0; a < Dim; ++a) apart = std::max(apart, std::abs(whole[a] - twice[a]));
    if (!(apart > kSamePlace) || halvings == kMostHalvings) return twice;
    const Point<Dim> middle = adaptive<Dim>(x, u_at_x, 0.5F * cells, u, halvings + 1);
    return adaptive<Dim>(middle, u(middle), 0.5F * cells, u, halvings + 1);
}

// Reads of single points anywhere, for steps that reach far.
template <int Dim>
float value_at(const Field<float, Dim>& field, const Lattice<Dim>& lattice, const Index<Dim>& i) {
    float scale = 1, offset = 0;
    Index<Dim> at = i;
    for (int a = 0; a < Dim; ++a)
        while (lattice.is_beyond(a, at[a])) {
            const Folded<Dim> f = lattice.fold(at, a);
            offset += scale * f.offset;
            scale *= f.scale;
            if (f.at == at || scale == 0) {
                at = f.at;
                break;
            }
            at = f.at;
        }
    return scale == 0 ? offset : scale * field.at(at) + offset;
}

template <int Dim>
typename Patch<Dim>::Range sample_far(const Field<float, Dim>& field, const Lattice<Dim>& lattice,
                                      const Index<Dim>& origin, const Point<Dim>& x) {
    const Point<Dim> p = x - lattice.stagger();
    Index<Dim> below;
    Point<Dim> t;
    for (int a = 0; a < Dim; ++a) {
        const float f = std::floor(p[a]);
        below[a] = static_cast<int>(f);
        t[a] = p[a] - f;
    }
    float value = 0, least = std::numeric_limits<float>::infinity(), most = -least;
    for (int n = 0; n < (1 << Dim); ++n) {
        float weight = 1;
        Index<Dim> at = origin + below;
        for (int a = 0; a < Dim; ++a) {
            const int up = n >> a & 1;
            at[a] += up;
            weight *= up != 0 ? t[a] : 1 - t[a];
        }
        if (weight == 0) continue;
        const float v = value_at(field, lattice, at);
        value += weight * v;
        least = std::min(least, v);
        most = std::max(most, v);
    }
    return {std::clamp(value, least, most), least, most};
}

// Velocity in patches around a tile; points count from the tile's corner, in cells.
template <int Dim>
class NearFlow {
  public:
    void load(const Flow<Dim>& flow, Slot slot, int reach) {
        for (int a = 0; a < Dim; ++a)
            patches_[static_cast<std::size_t>(a)].load(flow.velocity[a], flow.lattices[static_cast<std::size_t>(a)],
                                                       slot, reach);
        reach_ = static_cast<float>(reach);
    }
    SPINDRIFT_INLINE Point<Dim> operator()(const Point<Dim>& x) const {
        Point<Dim> u;
        for (int a = 0; a < Dim; ++a) {
            Point<Dim> p = x + Point<Dim>(reach_ - 0.5F);
            p[a] += 0.5F;
            const Patch<Dim>& patch = patches_[static_cast<std::size_t>(a)];
            u[a] = patch.sample(p);
        }
        return u;
    }
    const Patch<Dim>& patch(int axis) const { return patches_[static_cast<std::size_t>(axis)]; }
    // At a point of the lattice of faces across `axis`, or of centres: means of the faces around it.
    SPINDRIFT_INLINE Point<Dim> at_lattice(int axis, const Index<Dim>& cell) const {
        Point<Dim> u;
        for (int b = 0; b < Dim; ++b) {
            const Patch<Dim>& patch = patches_[static_cast<std::size_t>(b)];
            const float* v = patch.at(cell);
            const int up = patch.stride(b);
            if (axis < 0)
                u[b] = 0.5F * (v[0] + v[up]);
            else if (axis == b)
                u[b] = v[0];
            else {
                const int back = patch.stride(axis);
                u[b] = 0.25F * ((v[0] + v[-back]) + (v[up] + v[up - back]));
            }
        }
        return u;
    }

  private:
    std::array<Patch<Dim>, Dim> patches_;
    float reach_ = 0;
};

// Follows points of tiles through the flow.
template <int Dim>
class Tracer {
  public:
    Tracer(const Flow<Dim>& flow, double dt, Tracing tracing)
        : flow_(flow), cells_(static_cast<float>(dt / flow.enclosure.grid.dx)), tracing_(tracing) {}

    // Cells that points of a tile may travel, with one for interpolation; more than a patch holds when far.
    int reach(Slot slot) const {
        float fastest = flow_.fastest_side;
        for (int n = 0; n < kNeighbours<Dim>; ++n) {
            const Slot beside = flow_.velocity.tiles().neighbour(slot, n);
            if (beside != kNoTile) fastest = std::max(fastest, flow_.fastest[static_cast<std::size_t>(beside)]);
        }
        const float far = fastest * std::abs(cells_);
        return far < Patch<Dim>::kMostReach - 2 ? static_cast<int>(far) + 2 : Patch<Dim>::kMostReach + 1;
    }

    void load(Slot slot, int reach) { near_.load(flow_, slot, reach); }
    const Patch<Dim>& patch(int axis) const { return near_.patch(axis); }

    // Where the points of a lattice in the tile are after dt (or were: dt < 0), from the tile's corner.
    void find_ends(std::vector<Point<Dim>>& ends, int axis, const Bounds<Dim>& bounds) const {
        const auto u = [&](const Point<Dim>& p) { return near_(bounds.clamp(p)); };
        const Point<Dim> stagger = axis < 0 ? kCellCentre<Dim> : face_centre<Dim>(axis);
        for (int c = 0; c < kTileCells<Dim>; ++c) {
            const Index<Dim> cell = cell_in_tile<Dim>(c);
            ends[static_cast<std::size_t>(c)] =
                bounds.clamp(end_of(Point<Dim>(cell) + stagger, near_.at_lattice(axis, cell), u));
        }
    }
    void find_far_ends(std::vector<Point<Dim>>& ends, int axis, const Bounds<Dim>& bounds,
                       const Index<Dim>& origin) const {
        const auto u = [&](const Point<Dim>& p) {
            Point<Dim> v;
            for (int a = 0; a < Dim; ++a)
                v[a] =
                    sample_far(flow_.velocity[a], flow_.lattices[static_cast<std::size_t>(a)], origin, bounds.clamp(p))
                        .value;
            return v;
        };
        const Point<Dim> stagger = axis < 0 ? kCellCentre<Dim> : face_centre<Dim>(axis);
        for (int c = 0; c < kTileCells<Dim>; ++c) {
            const Point<Dim> x = Point<Dim>(cell_in_tile<Dim>(c)) + stagger;
            ends[static_cast<std::size_t>(c)] = bounds.clamp(end_of(x, u(x), u));
        }
    }

  private:
    template <class Velocity>
    SPINDRIFT_INLINE Point<Dim> end_of(const Point<Dim>& x, const Point<Dim>& u_at_x, Velocity&& u) const {
        return tracing_ == Tracing::midpoint ? midpoint<Dim>(x, u_at_x, cells_, u)
                                             : adaptive<Dim>(x, u_at_x, cells_, u);
    }

    const Flow<Dim>& flow_;
    float cells_;
    Tracing tracing_;
    NearFlow<Dim> near_;
};

// Calls f(field number, slot, cell in tile, what is found at the end of its characteristic) for all cells.  `from`
// gives the fields to sample.
template <int Dim, class F>
void follow(std::span<const Field<float, Dim>* const> from, std::span<const CarriedField<Dim>> fields,
            const Flow<Dim>& flow, double dt, Tracing tracing, F&& f) {
    const Tiles<Dim>& tiles = flow.velocity.tiles();
    const auto cell = static_cast<float>(flow.enclosure.grid.dx);
    parallel_ranges(tiles.count(), kTilesPerBlock<Dim> / 4, [&](std::size_t begin, std::size_t end) {
        Tracer<Dim> tracer(flow, dt, tracing);
        Patch<Dim> loaded;
        std::vector<Point<Dim>> ends(kTileCells<Dim>);
        for (std::size_t n = begin; n < end; ++n) {
            const auto slot = static_cast<Slot>(n);
            const Index<Dim> origin = tiles.origin(slot);
            const Bounds<Dim> bounds(flow.enclosure, origin);
            const int reach = tracer.reach(slot);
            const bool near = reach <= Patch<Dim>::kMostReach;
            if (near) tracer.load(slot, reach);
            for (std::size_t k = 0; k < fields.size(); ++k) {
                const Lattice<Dim>& lattice = *fields[k].lattice;
                const int axis = lattice.face_axis;
                if (k == 0 || axis != fields[k - 1].lattice->face_axis) {
                    if (near)
                        tracer.find_ends(ends, axis, bounds.within(reach));
                    else
                        tracer.find_far_ends(ends, axis, bounds, origin);
                }
                // The way a point has come in this step, if that counts.
                const int way_axis = fields[k].way_axis;
                const auto with_way = [&](typename Patch<Dim>::Range found, int c) {
                    if (way_axis < 0) return found;
                    const float start =
                        static_cast<float>(cell_in_tile<Dim>(c)[way_axis]) + lattice.stagger()[way_axis];
                    const float way = (ends[static_cast<std::size_t>(c)][way_axis] - start) * cell;
                    return typename Patch<Dim>::Range{found.value + way, found.least + way, found.most + way};
                };
                if (!near) {
                    for (int c = 0; c < kTileCells<Dim>; ++c)
                        f(k, slot, c, [&](auto) {
                            return with_way(sample_far(*from[k], lattice, origin, ends[static_cast<std::size_t>(c)]),
                                            c);
                        });
                    continue;
                }
                // The velocity itself is there already.
                const bool is_flow = axis >= 0 && from[k] == &flow.velocity[axis];
                if (!is_flow) loaded.load(*from[k], lattice, slot, reach);
                const Patch<Dim>& patch = is_flow ? tracer.patch(axis) : loaded;
                const Point<Dim> shift = Point<Dim>(static_cast<float>(reach)) - lattice.stagger();
                for (int c = 0; c < kTileCells<Dim>; ++c)
                    f(k, slot, c, [&](auto with_range) {
                        const Point<Dim> p = ends[static_cast<std::size_t>(c)] + shift;
                        if constexpr (with_range.value)
                            return with_way(patch.sample_with_range(p), c);
                        else
                            return with_way({patch.sample(p), 0, 0}, c);
                    });
            }
        }
    });
}

constexpr std::true_type kWithRange{};
constexpr std::false_type kValueAlone{};

}  // namespace

template <int Dim>
Flow<Dim>::Flow(const FaceField<Dim>& velocity_, const GasEnclosure<Dim>& enclosure_, double time)
    : velocity(velocity_), enclosure(enclosure_), fastest(velocity_.tiles().count()) {
    for (int a = 0; a < Dim; ++a) lattices[static_cast<std::size_t>(a)] = velocity_lattice(enclosure, a, time);
    for_each_tile(velocity.tiles(), [&](Slot slot) {
        float most = 0;
        for (int a = 0; a < Dim; ++a) {
            const float* v = velocity[a].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) most = std::max(most, std::abs(v[n]));
        }
        fastest[static_cast<std::size_t>(slot)] = most;
    });
    for (const Lattice<Dim>& lattice : lattices)
        for (const auto& ends : lattice.ends)
            for (const LatticeEnd<Dim>& end : ends) fastest_side = std::max(fastest_side, 2 * std::abs(end.constant));
}

template <int Dim>
void carry(std::span<const CarriedField<Dim>> fields, const Flow<Dim>& flow, double dt, const CarrySettings<Dim>& how) {
    if (fields.empty()) return;
    std::vector<const Field<float, Dim>*> from;
    for (const CarriedField<Dim>& f : fields) {
        check_same_tiles("carry", "the velocity", flow.velocity.tiles(), "what is carried", f.from->tiles());
        check_same_tiles("carry", "the velocity", flow.velocity.tiles(), "the result", f.to->tiles());
        from.push_back(f.from);
    }
    if (how.sharpness == Sharpness::linear) {
        follow<Dim>(from, fields, flow, -dt, how.tracing, [&](std::size_t k, Slot slot, int c, auto&& found) {
            fields[k].to->tile(slot)[c] = found(kValueAlone).value;
        });
        return;
    }

    // Carried there and back again a field should be what it was; half the difference is the error.
    std::vector<Field<float, Dim>> once, least, most;
    for (const CarriedField<Dim>& f : fields) {
        once.push_back(Field<float, Dim>::unfilled(f.from->tiles_ptr(), f.from->background()));
        least.push_back(Field<float, Dim>::unfilled(f.from->tiles_ptr()));
        most.push_back(Field<float, Dim>::unfilled(f.from->tiles_ptr()));
    }
    follow<Dim>(from, fields, flow, -dt, how.tracing, [&](std::size_t k, Slot slot, int c, auto&& found) {
        const auto [value, lowest, highest] = found(kWithRange);
        once[k].tile(slot)[c] = value;
        least[k].tile(slot)[c] = lowest;
        most[k].tile(slot)[c] = highest;
    });
    std::vector<const Field<float, Dim>*> back;
    for (const Field<float, Dim>& f : once) back.push_back(&f);
    follow<Dim>(back, fields, flow, dt, how.tracing, [&](std::size_t k, Slot slot, int c, auto&& found) {
        const float better = once[k].tile(slot)[c] + 0.5F * (fields[k].from->tile(slot)[c] - found(kValueAlone).value);
        fields[k].to->tile(slot)[c] = std::clamp(better, least[k].tile(slot)[c], most[k].tile(slot)[c]);
    });
}

#define INSTANTIATE(Dim)       \
    template struct Flow<Dim>; \
    template void carry(std::span<const CarriedField<Dim>>, const Flow<Dim>&, double, const CarrySettings<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
