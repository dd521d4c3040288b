// SPDX-License-Identifier: Apache-2.0
#include "schemes/back_trace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace spindrift {

// A tile whose points are traced.  Places are in cells, from the tile's corner.
template <int Dim>
struct TracedTile {
    PatchView<Dim> velocity[Dim];
    const TracedRows<Dim>* rows;
    int axis;  // of the faces; -1: cell centres
    float stagger[Dim];
    float lo[Dim], hi[Dim];  // paths end there
    float* ends[Dim];
};

namespace {

struct Extent {
    float least, most;
};
constexpr float kLargest = std::numeric_limits<float>::max();

// The weights of five values in a row in the slopes at each of them: of fourth order in the middle, of second order
// elsewhere, where sharper differences would see more noise than slope.
constexpr float kSlopes[5][5] = {{-1.5F, 2, -0.5F, 0, 0},
                                 {-0.5F, 0, 0.5F, 0, 0},
                                 {1.0F / 12, -2.0F / 3, 0, 2.0F / 3, -1.0F / 12},
                                 {0, 0, -0.5F, 0, 0.5F},
                                 {0, 0, 0.5F, -2, 1.5F}};
// The first of the five inside a tile that count at a place.
constexpr int first_of_five(int place) { return std::clamp(place - 2, 0, kTileSide - 5); }

// By value of a row: its weights in the slopes along the row.
constexpr auto kAlongRow = [] {
    std::array<std::array<float, kTileSide>, kTileSide> weights{};
    for (int place = 0; place < kTileSide; ++place)
        for (int n = 0; n < 5; ++n)
            weights[static_cast<std::size_t>(first_of_five(place) + n)][static_cast<std::size_t>(place)] =
                kSlopes[place - first_of_five(place)][n];
    return weights;
}();

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "schemes/back_trace.inl"
#include "base/each_instruction_set.h"

namespace spindrift {

template <int Dim>
using Point = Vec<float, Dim>;

// Characteristics end at walls.  An open side lets them out by a cell, where what comes in from outside is found.
template <int Dim>
struct PathBounds {
    Point<Dim> lo, hi;

    PathBounds(const Domain<Dim>& domain, const Index<Dim>& origin) {
        for (int a = 0; a < Dim; ++a) {
            const auto edge = [&](bool above) {
                const float out = is_wall(domain.side(a, above)) ? 0.0F : domain.is_periodic(a) ? 1e6F : 1.0F;
                return static_cast<float>((above ? domain.box.hi[a] : domain.box.lo[a]) - origin[a]) +
                       (above ? out : -out);
            };
            lo[a] = edge(false);
            hi[a] = edge(true);
        }
    }
    // Within a patch, too, with a margin: it ends just before the last point above which there is another.
    PathBounds within(const IndexBox<Dim>& patch, int margin) const {
        PathBounds b = *this;
        const auto inside = static_cast<float>(margin);
        b.lo = max(lo, Point<Dim>(patch.lo) + Point<Dim>(0.5F + inside));
        b.hi = min(hi, Point<Dim>(patch.hi) - Point<Dim>(1.01F + inside));
        return b;
    }
    SPINDRIFT_INLINE Point<Dim> clamp(const Point<Dim>& x) const { return max(lo, min(hi, x)); }
};

namespace {

// The adaptive tracer is content when the two ways to trace a step end within so many cells, or after so many
// halvings.
constexpr float kSamePlace = 0.05F;
constexpr int kMostHalvings = 6;

// Values in a patch, beyond which it is first found out where the points get to (adaptive tracing asks for velocities
// anywhere on the way), and beyond which they are traced one by one.
constexpr std::int64_t kMostNear = 4500;
constexpr std::int64_t kMostInPatch = 40000;

// Cells by which a place may grow when it is counted from the corner of a patch, and be rounded anew.
constexpr float kRounding = 1e-3F;

// Where the flow brings x in the time for which `cells` is the way at unit speed; u(x) is the velocity.
template <int Dim, class Velocity>
SPINDRIFT_INLINE Point<Dim> midpoint(const Point<Dim>& x, const Point<Dim>& u_at_x, float cells, Velocity&& u,
                                     int rounds = 0) {
    Point<Dim> middle = x + u_at_x * (0.5F * cells);
    for (int round = 0; round < rounds; ++round) middle = x + u(middle) * (0.5F * cells);
    return x + u(middle) * cells;
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
float value_at(const Field<float, Dim>& field, const FieldLayout<Dim>& layout, const Index<Dim>& i) {
    float scale = 1, offset = 0;
    Index<Dim> at = i;
    for (int a = 0; a < Dim; ++a)
        while (layout.is_ghost(a, at[a])) {
            const GhostValue<Dim> f = layout.ghost_value(at, a);
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

struct Range {
    float value, least, most;
};
template <int Dim>
Range sample_far(const Field<float, Dim>& field, const FieldLayout<Dim>& layout, const Index<Dim>& origin,
                 const Point<Dim>& x) {
    const Point<Dim> p = x - layout.stagger();
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
        const float v = value_at(field, layout, at);
        value += weight * v;
        least = std::min(least, v);
        most = std::max(most, v);
    }
    return {std::clamp(value, least, most), least, most};
}

// By cubics, and the range of the points around, which it should not pass.
template <int Dim>
Range sample_far_cubic(const Field<float, Dim>& field, const FieldLayout<Dim>& layout, const Index<Dim>& origin,
                       const Point<Dim>& x) {
    const Point<Dim> p = x - layout.stagger();
    Index<Dim> below;
    float weights[Dim][4];
    for (int a = 0; a < Dim; ++a) {
        const float f = std::floor(p[a]), t = p[a] - f;
        below[a] = static_cast<int>(f);
        weights[a][0] = -t * (t - 1) * (t - 2) / 6;
        weights[a][1] = (t + 1) * (t - 1) * (t - 2) / 2;
        weights[a][2] = -(t + 1) * t * (t - 2) / 2;
        weights[a][3] = (t + 1) * t * (t - 1) / 6;
    }
    float value = 0;
    for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(4)}, [&](const Index<Dim>& n) {
        float weight = 1;
        for (int a = 0; a < Dim; ++a) weight *= weights[a][n[a]];
        if (weight != 0) value += weight * value_at(field, layout, origin + below + n - Index<Dim>(1));
    });
    const Range around = sample_far(field, layout, origin, x);
    return {value, around.least, around.most};
}

}  // namespace

template <int Dim>
Flow<Dim>::Flow(const FaceField<Dim>& velocity_, const Domain<Dim>& domain_, double time)
    : Flow(velocity_, domain_, velocity_layouts(domain_, time)) {}

template <int Dim>
Flow<Dim>::Flow(const FaceField<Dim>& velocity_, const Domain<Dim>& domain_, VelocityLayouts<Dim> layouts_)
    : velocity(velocity_), layouts(std::move(layouts_)), domain(domain_), speeds(velocity_.tiles().count()) {
    for_each_tile(velocity.tiles(), [&](Slot slot) {
        Box<float, Dim>& range = speeds[static_cast<std::size_t>(slot)];
        for (int a = 0; a < Dim; ++a) {
            const Extent extent = SPINDRIFT_PICK(extent_of_rows<Dim>)(velocity[a].tile(slot), kAllRows<Dim>);
            range.lo[a] = extent.least;
            range.hi[a] = extent.most;
        }
    });
    for (const FieldLayout<Dim>& layout : layouts)
        for (const auto& ends : layout.sides)
            for (const GhostSide<Dim>& end : ends) fastest_side = std::max(fastest_side, std::abs(end.constant));
}

template <int Dim>
BackTracer<Dim>::BackTracer(const Flow<Dim>& flow, double dt, TraceRule trace_rule, bool cubic)
    : flow_(flow),
      margin_(cubic ? 1 : 0),
      cells_(static_cast<float>(dt / flow.domain.grid.dx)),
      cell_size_(static_cast<float>(flow.domain.grid.dx)),
      trace_rule_(trace_rule),
      ends_(static_cast<std::size_t>(Dim) * kTileCells<Dim>) {}

template <int Dim>
void BackTracer<Dim>::begin(Slot slot) {
    slot_ = slot;
    origin_ = flow_.velocity.tiles().origin(slot);
    const IndexBox<Dim> reach = cells_in_reach();
    near_ = trace_rule_ != TraceRule::first_order && Patch<Dim>::is_around_tile(reach) &&
            (trace_rule_ == TraceRule::adaptive || Patch<Dim>::size_of(reach) <= kMostNear);
    ahead_box_ = {};
    const IndexBox<Dim> beside{Index<Dim>(-1), Index<Dim>(kTileSide + 1)};
    box_ = near_ ? reach : beside;
    for (int a = 0; a < Dim; ++a)
        around_[static_cast<std::size_t>(a)].load(flow_.velocity[a], flow_.layouts[static_cast<std::size_t>(a)], slot,
                                                  *box_);
}

template <int Dim>
void BackTracer<Dim>::trace(const FieldLayout<Dim>& layout, const TracedRows<Dim>& rows) {
    rows_ = &rows;
    const PathBounds<Dim> anywhere(flow_.domain, origin_);
    const PathBounds<Dim> bounds = near_ ? anywhere.within(*box_, margin_) : anywhere;
    stagger_ = layout.stagger();
    face_axis_ = layout.face_axis;
    if (trace_rule_ == TraceRule::adaptive)
        trace_each(bounds);
    else
        trace_tile(layout.face_axis, bounds);
    if (!near_) box_ = box_of_ends();
    stretch_is_known_ = false;
}

template <int Dim>
void BackTracer<Dim>::find(const Found& to, const Field<float, Dim>& from, const FieldLayout<Dim>& layout) {
    if (box_)
        find_in_patch(to, from, layout);
    else
        find_each(to, from, layout);
}

template <int Dim>
void BackTracer<Dim>::add_missing(float* missing, const float* found, float ambient) {
    if (!stretch_is_known_) {
        const float* places[Dim];
        for (int a = 0; a < Dim; ++a) places[a] = ends(a);
        SPINDRIFT_PICK(stretch_of_tile<Dim>)(places, stretch_.data());
        stretch_is_known_ = true;
    }
    SPINDRIFT_PICK(add_stretched_rows)(missing, stretch_.data(), found, ambient, kTileCells<Dim>);
}

template <int Dim>
bool BackTracer<Dim>::mark_ends_near_open_sides(const FieldLayout<Dim>& layout, float cells, SideMarks<Dim>& marks) {
    bool any = false;
    for (int a = 0; a < Dim; ++a)
        for (const bool above : {false, true}) {
            if (layout.sides[static_cast<std::size_t>(a)][above ? 1 : 0].rule != GhostRule::constant) continue;
            const float side = static_cast<float>((above ? layout.box.hi[a] : layout.box.lo[a]) - origin_[a]);
            const Extent extent = SPINDRIFT_PICK(extent_of_rows<Dim>)(ends(a), *rows_);
            if (above ? extent.most < side - cells : extent.least > side + cells) continue;
            if (!std::exchange(any, true)) marks.fill(0);
            for (int c = 0; c < kTileCells<Dim>; ++c) {
                const float start = static_cast<float>(cell_in_tile<Dim>(c)[a]) + stagger_[a], end = ends(a)[c];
                if (!(above ? end > side - cells : end < side + cells)) continue;
                marks[static_cast<std::size_t>(c)] |= (above ? end <= start : end >= start) ? kGoesOut : kComesIn;
            }
        }
    return any;
}

template <int Dim>
void BackTracer<Dim>::find_again(const Found& to, const Field<float, Dim>& from, const FieldLayout<Dim>& layout,
                                 const SideMarks<Dim>& marks) {
    float again[4][kTileCells<Dim>];
    float* const out[4] = {to.value, to.least, to.most, to.cut};
    find({again[0], again[1], again[2], again[3]}, from, layout);
    for (int c = 0; c < kTileCells<Dim>; ++c)
        for (int n = 0; n < 4 && marks[static_cast<std::size_t>(c)] == kGoesOut; ++n) out[n][c] = again[n][c];
}

template <int Dim>
Vec<float, Dim> BackTracer<Dim>::end(int c) const {
    Point<Dim> x;
    for (int a = 0; a < Dim; ++a) x[a] = ends_[static_cast<std::size_t>(a * kTileCells<Dim> + c)];
    return x;
}

template <int Dim>
IndexBox<Dim> BackTracer<Dim>::cells_in_reach() const {
    Point<Dim> least(-flow_.fastest_side), most(flow_.fastest_side);
    for (int n = 0; n < kNeighbours<Dim>; ++n) {
        const Slot beside = flow_.velocity.tiles().neighbour(slot_, n);
        if (beside == kNoTile) continue;
        const Box<float, Dim>& speeds = flow_.speeds[static_cast<std::size_t>(beside)];
        least = min(least, speeds.lo);
        most = max(most, speeds.hi);
    }
    IndexBox<Dim> reach;
    for (int a = 0; a < Dim; ++a) {
        // Too far is far enough.
        const auto way = [&](float u) { return std::clamp(u * cells_, -2.0F * kTileSide, 2.0F * kTileSide); };
        const float back = std::min(way(least[a]), way(most[a])), ahead = std::max(way(least[a]), way(most[a]));
        // Points lie up to half a cell above cells' corners, and so do those of the fields they ask for.
        reach.lo[a] = std::min(-1, static_cast<int>(std::floor(back - 0.51F))) - margin_;
        reach.hi[a] = kTileSide + std::max(1, static_cast<int>(std::floor(ahead - 0.49F)) + 2) + margin_;
    }
    return reach;
}

template <int Dim>
bool BackTracer<Dim>::reaches_beyond_sides() const {
    const Domain<Dim>& domain = flow_.domain;
    for (int a = 0; a < Dim; ++a)
        if (!domain.is_periodic(a) &&
            (origin_[a] + box_->lo[a] < domain.box.lo[a] || origin_[a] + box_->hi[a] > domain.box.hi[a]))
            return true;
    return false;
}

template <int Dim>
void BackTracer<Dim>::trace_tile(int axis, const PathBounds<Dim>& bounds) {
    TracedTile<Dim> tile;
    tile.axis = axis;
    tile.rows = rows_;
    for (int a = 0; a < Dim; ++a) {
        tile.velocity[a] = around_[static_cast<std::size_t>(a)].view();
        tile.stagger[a] = stagger_[a];
        tile.lo[a] = bounds.lo[a];
        tile.hi[a] = bounds.hi[a];
        tile.ends[a] = ends(a);
    }
    if (trace_rule_ == TraceRule::first_order) return SPINDRIFT_PICK(go_straight<Dim>)(tile, cells_);
    SPINDRIFT_PICK(go_straight<Dim>)(tile, 0.5F * cells_);
    for (int round = 0; round < rounds_of(axis); ++round) {
        if (!look_ahead(tile)) return trace_each(bounds);
        SPINDRIFT_PICK(go_from_there<Dim>)(tile, 0.5F * cells_);
    }
    if (!look_ahead(tile)) return trace_each(bounds);
    SPINDRIFT_PICK(go_from_there<Dim>)(tile, cells_);
}

template <int Dim>
bool BackTracer<Dim>::look_ahead(TracedTile<Dim>& tile) {
    if (near_) return true;
    const std::optional<IndexBox<Dim>> box = box_of_ends();
    if (!box) return false;
    load_ahead(*box);
    for (int a = 0; a < Dim; ++a) tile.velocity[a] = ahead_[static_cast<std::size_t>(a)].view();
    return true;
}

template <int Dim>
void BackTracer<Dim>::load_ahead(const IndexBox<Dim>& box) {
    if (bounds(ahead_box_, box) == ahead_box_) return;
    ahead_box_ = box.expanded(1);
    for (int a = 0; a < Dim; ++a)
        ahead_[static_cast<std::size_t>(a)].load(flow_.velocity[a], flow_.layouts[static_cast<std::size_t>(a)], slot_,
                                                 ahead_box_);
}

template <int Dim>
void BackTracer<Dim>::trace_each(const PathBounds<Dim>& bounds) {
    const auto u = [&](const Point<Dim>& x) {
        Point<Dim> found;
        for (int a = 0; a < Dim; ++a) {
            const auto n = static_cast<std::size_t>(a);
            found[a] = near_ ? around_[n].sample(bounds.clamp(x))
                             : sample_far(flow_.velocity[a], flow_.layouts[n], origin_, bounds.clamp(x)).value;
        }
        return found;
    };
    for_each_point([&](int c) {
        const Point<Dim> x = Point<Dim>(cell_in_tile<Dim>(c)) + stagger_;
        const Point<Dim> end = trace_rule_ == TraceRule::midpoint
                                   ? midpoint<Dim>(x, u(x), cells_, u, rounds_of(face_axis_))
                                   : adaptive<Dim>(x, u(x), cells_, u);
        for (int a = 0; a < Dim; ++a) ends(a)[c] = bounds.clamp(end)[a];
    });
}

template <int Dim>
std::optional<IndexBox<Dim>> BackTracer<Dim>::box_of_ends() {
    IndexBox<Dim> box;
    for (int a = 0; a < Dim; ++a) {
        const Extent extent = SPINDRIFT_PICK(extent_of_rows<Dim>)(ends(a), *rows_);
        box.lo[a] = static_cast<int>(std::floor(extent.least - 0.5F)) - margin_;
        box.hi[a] = static_cast<int>(std::floor(extent.most + kRounding)) + 2 + margin_;
        if (flow_.domain.is_periodic(a)) continue;
        // What counts beyond a side is found up to two cells inside.
        const int first = flow_.domain.box.lo[a] - origin_[a], end = flow_.domain.box.hi[a] - origin_[a];
        if (box.lo[a] <= first) box.hi[a] = std::max(box.hi[a], first + 2);
        if (box.hi[a] >= end) box.lo[a] = std::min(box.lo[a], end - 2);
    }
    return Patch<Dim>::size_of(box) <= kMostInPatch ? std::optional(box) : std::nullopt;
}

template <int Dim>
void BackTracer<Dim>::find_in_patch(const Found& to, const Field<float, Dim>& from, const FieldLayout<Dim>& layout) {
    const auto [out, least, most, cut] = to;
    // The velocity itself is there already, unless something else counts beyond the sides when it is advected.
    const int axis = layout.face_axis;
    const bool is_there = near_ && axis >= 0 && &from == &flow_.velocity[axis] &&
                          (&layout == &flow_.layouts[static_cast<std::size_t>(axis)] || !reaches_beyond_sides());
    if (!is_there) loaded_.load(from, layout, slot_, *box_);
    const PatchView<Dim> view = is_there ? around_[static_cast<std::size_t>(axis)].view() : loaded_.view();
    const float* places[Dim];
    for (int a = 0; a < Dim; ++a) places[a] = ends(a);
    if (cut != nullptr) std::fill_n(cut, kTileCells<Dim>, 0.0F);
    if (margin_ > 0 && least != nullptr)
        SPINDRIFT_PICK(sample_tile_cubic_with_range<Dim>)(view, *rows_, places, out, least, most, cut);
    else if (margin_ > 0)
        SPINDRIFT_PICK(sample_tile_cubic<Dim>)(view, *rows_, places, out);
    else if (least == nullptr)
        SPINDRIFT_PICK(sample_tile<Dim>)(view, *rows_, places, out);
    else
        SPINDRIFT_PICK(sample_tile_with_range<Dim>)(view, *rows_, places, out, least, most);
}

template <int Dim>
void BackTracer<Dim>::find_each(const Found& to, const Field<float, Dim>& from, const FieldLayout<Dim>& layout) {
    for_each_point([&](int c) {
        const Range found =
            margin_ > 0 ? sample_far_cubic(from, layout, origin_, end(c)) : sample_far(from, layout, origin_, end(c));
        to.value[c] = std::clamp(found.value, found.least, found.most);
        if (to.cut != nullptr) to.cut[c] = found.value - to.value[c];
        if (to.least == nullptr) return;
        to.least[c] = found.least;
        to.most[c] = found.most;
    });
}

template <int Dim>
void BackTracer<Dim>::add_displacement(float* values, int axis) {
    for (int c = 0; c < kTileCells<Dim>; ++c) {
        const float start = static_cast<float>(cell_in_tile<Dim>(c)[axis]) + stagger_[axis];
        values[c] += (ends(axis)[c] - start) * cell_size_;
    }
}

template struct Flow<2>;
template struct Flow<3>;
template class BackTracer<2>;
template class BackTracer<3>;

}  // namespace spindrift
