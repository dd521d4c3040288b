// SPDX-License-Identifier: Apache-2.0
#include "schemes/advection.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace spindrift {
namespace {

// The faces of a tile across an axis, beside cells of a liquid.
struct TileFaces {
    int axis;
    const float *phi, *phi_below, *open;
};

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "schemes/advection.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

// What goes out through a side knows nothing of what is beyond: there it is as on the side.
template <int Dim>
FieldLayout<Dim> outflow_layout(FieldLayout<Dim> layout) {
    for (auto& ends : layout.sides)
        for (GhostSide<Dim>& end : ends)
            if (end.rule == GhostRule::constant) end.rule = GhostRule::copy;
    return layout;
}

// In cells: faces of a liquid up to here beyond the surface are advected.
constexpr double kAdvectedBeyond = 1.5;
// In cells: nearer to the surface than this the error estimate of MacCormack would mix in extrapolated velocities.
constexpr double kCorrectedDepth = 1;

// Which points of a tile are advected: all, or the faces of a liquid no farther than a limit from it, m.
template <int Dim>
class AdvectedPoints {
  public:
    AdvectedPoints(const LiquidFaces<Dim>* liquid, float limit) : liquid_(liquid), limit_(limit), rows_(kAllRows<Dim>) {
        if (liquid_ != nullptr) no_liquid_.assign(kTileCells<Dim>, std::numeric_limits<float>::max());
    }

    void begin(Slot slot, int axis) {
        if (liquid_ == nullptr) return;
        const Tiles<Dim>& tiles = liquid_->phi.tiles();
        const Slot below = tiles.neighbour(slot, side_neighbour<Dim>(axis, false));
        faces_ = {axis, liquid_->phi.tile(slot), below == kNoTile ? no_liquid_.data() : liquid_->phi.tile(below),
                  liquid_->open[axis].tile(slot)};
        SPINDRIFT_PICK(find_rows<Dim>)(rows_, faces_, limit_);
    }
    const TracedRows<Dim>& rows() const { return rows_; }
    // The other points of these rows keep their own values.
    void keep_others(float* out, const float* own) const {
        if (liquid_ != nullptr) SPINDRIFT_PICK(keep_other_faces<Dim>)(out, own, rows_, faces_, limit_);
    }

  private:
    const LiquidFaces<Dim>* liquid_;
    float limit_;
    TracedRows<Dim> rows_;
    TileFaces faces_{};
    std::vector<float> no_liquid_;  // a tile of φ where there is none
};

// A pass over all tiles that traces points and interpolates at the ends of their paths.
template <int Dim>
struct Pass {
    std::span<const AdvectedField<Dim>> fields;
    const Flow<Dim>& flow;
    const LiquidFaces<Dim>* liquid;
    TraceRule trace_rule;
    bool cubic;

    // Calls f(tracer, field number, slot, points) for all fields in all tiles with points to advect, when they are
    // traced over a time.  `limit` is in cells.
    template <class F>
    void operator()(double dt, double limit, F&& f) const {
        const auto metres = static_cast<float>(limit * flow.domain.grid.dx);
        parallel_ranges(
            flow.velocity.tiles().count(), kTilesPerBlock<Dim> / 2, [&](std::size_t begin, std::size_t end) {
                BackTracer<Dim> tracer(flow, dt, trace_rule, cubic);
                AdvectedPoints<Dim> points(liquid, metres);
                for (std::size_t n = begin; n < end; ++n) {
                    const auto slot = static_cast<Slot>(n);
                    bool has_begun = false;
                    for (std::size_t k = 0; k < fields.size(); ++k) {
                        const FieldLayout<Dim>& layout = *fields[k].layout;
                        const bool same_points = k > 0 && layout.face_axis == fields[k - 1].layout->face_axis;
                        if (!same_points) points.begin(slot, layout.face_axis);
                        if (points.rows().count == 0) continue;
                        if (!std::exchange(has_begun, true)) tracer.begin(slot);
                        if (!same_points) tracer.trace(layout, points.rows());
                        f(tracer, k, slot, points);
                    }
                }
            });
    }
};

template <int Dim>
void advect_once(const Pass<Dim>& pass, double dt) {
    std::vector<FieldLayout<Dim>> going_out;
    for (const AdvectedField<Dim>& f : pass.fields) going_out.push_back(outflow_layout(*f.layout));
    pass(-dt, kAdvectedBeyond,
         [&](BackTracer<Dim>& tracer, std::size_t k, Slot slot, const AdvectedPoints<Dim>& points) {
             const AdvectedField<Dim>& f = pass.fields[k];
             float* to = f.to->tile(slot);
             if (f.limits == nullptr) {
                 tracer.find({to}, *f.from, *f.layout);
                 if (f.displacement_axis >= 0) tracer.add_displacement(to, f.displacement_axis);
                 return points.keep_others(to, f.from->tile(slot));
             }
             float *least = f.limits->least.tile(slot), *most = f.limits->most.tile(slot),
                   *missing = f.limits->missing.tile(slot);
             const Found found{to, least, most, missing};
             tracer.find(found, *f.from, *f.layout);
             SideMarks<Dim> marks;
             const bool near_side = tracer.mark_ends_near_open_sides(*f.layout, pass.cubic ? 1.5F : 0.5F, marks);
             if (near_side) tracer.find_again(found, *f.from, going_out[k], marks);
             tracer.add_missing(missing, to, f.ambient);
             for (int c = 0; near_side && c < kTileCells<Dim>; ++c)
                 if ((marks[static_cast<std::size_t>(c)] & kComesIn) != 0) missing[c] = 0;
         });
}

// Advected there and back again a field should be what it was; half the difference is the error.
template <int Dim>
void advect_and_correct(const Pass<Dim>& pass, double dt) {
    const std::span<const AdvectedField<Dim>> fields = pass.fields;
    std::vector<Field<float, Dim>> once;
    std::vector<AdvectionLimits<Dim>> own_limits(fields.size());
    std::vector<AdvectionLimits<Dim>*> limits;
    for (std::size_t k = 0; k < fields.size(); ++k) {
        const TilesPtr<Dim>& tiles = fields[k].from->tiles_ptr();
        once.push_back(pass.liquid != nullptr ? *fields[k].from
                                              : Field<float, Dim>::unfilled(tiles, fields[k].from->background()));
        limits.push_back(fields[k].limits != nullptr ? fields[k].limits : &own_limits[k]);
        if (fields[k].limits != nullptr) continue;
        own_limits[k].least = Field<float, Dim>::unfilled(tiles);
        own_limits[k].most = Field<float, Dim>::unfilled(tiles);
    }
    pass(-dt, kAdvectedBeyond,
         [&](BackTracer<Dim>& tracer, std::size_t k, Slot slot, const AdvectedPoints<Dim>& points) {
             const AdvectedField<Dim>& f = fields[k];
             float *to = once[k].tile(slot), *missing = f.limits != nullptr ? f.limits->missing.tile(slot) : nullptr;
             const Found found{to, limits[k]->least.tile(slot), limits[k]->most.tile(slot), missing};
             tracer.find(found, *f.from, *f.layout);
             for (float* values : {found.value, found.least, found.most})
                 if (f.displacement_axis >= 0) tracer.add_displacement(values, f.displacement_axis);
             points.keep_others(to, f.from->tile(slot));
             if (missing == nullptr) return;
             tracer.add_missing(missing, to, f.ambient);
             SideMarks<Dim> marks;
             const bool near_side = tracer.mark_ends_near_open_sides(*f.layout, 0.5F, marks);
             for (int c = 0; near_side && c < kTileCells<Dim>; ++c)
                 if ((marks[static_cast<std::size_t>(c)] & kComesIn) != 0) missing[c] = 0;
         });
    for (std::size_t k = 0; pass.liquid != nullptr && k < fields.size(); ++k) *fields[k].to = once[k];
    pass(dt, -kCorrectedDepth,
         [&](BackTracer<Dim>& tracer, std::size_t k, Slot slot, const AdvectedPoints<Dim>& points) {
             float again[kTileCells<Dim>];
             tracer.find({again}, once[k], *fields[k].layout);
             if (fields[k].displacement_axis >= 0) tracer.add_displacement(again, fields[k].displacement_axis);
             // Where the way back leads out, it says nothing of the error.
             const float* old = fields[k].from->tile(slot);
             const bool keeps = fields[k].limits != nullptr;
             SideMarks<Dim> marks;
             if (keeps && tracer.mark_ends_near_open_sides(*fields[k].layout, 0.5F, marks))
                 for (int c = 0; c < kTileCells<Dim>; ++c)
                     if (marks[static_cast<std::size_t>(c)] != 0) again[c] = old[c];
             float* to = fields[k].to->tile(slot);
             SPINDRIFT_PICK(correct_rows<Dim>)
             (to, old, once[k].tile(slot), again, limits[k]->least.tile(slot), limits[k]->most.tile(slot),
              keeps ? fields[k].limits->missing.tile(slot) : nullptr, points.rows());
             points.keep_others(to, once[k].tile(slot));
         });
}

}  // namespace

template <int Dim>
void advect(std::span<const AdvectedField<Dim>> fields, const Flow<Dim>& flow, double dt,
            const AdvectionSettings<Dim>& how, const LiquidFaces<Dim>* liquid) {
    if (fields.empty()) return;
    for (const AdvectedField<Dim>& f : fields) {
        check_same_tiles("advect", "the velocity", flow.velocity.tiles(), "what is advected", f.from->tiles());
        check_same_tiles("advect", "the velocity", flow.velocity.tiles(), "the result", f.to->tiles());
    }
    const Pass<Dim> pass{fields, flow, liquid, how.trace_rule, how.scheme == AdvectionScheme::cubic};
    if (how.scheme == AdvectionScheme::maccormack) return advect_and_correct(pass, dt);
    for (std::size_t k = 0; liquid != nullptr && k < fields.size(); ++k) *fields[k].to = *fields[k].from;
    advect_once(pass, dt);
}

template <int Dim>
FaceField<Dim> advected(const FaceField<Dim>& velocity, const VelocityLayouts<Dim>& layouts, const Flow<Dim>& flow,
                        double dt, const AdvectionSettings<Dim>& how, const LiquidFaces<Dim>* liquid) {
    FaceField<Dim> result;
    std::vector<AdvectedField<Dim>> fields;
    for (int a = 0; a < Dim; ++a) {
        result[a] = Field<float, Dim>::unfilled(velocity.tiles_ptr());
        fields.push_back({&velocity[a], &result[a], &layouts[static_cast<std::size_t>(a)]});
    }
    advect<Dim>(fields, flow, dt, how, liquid);
    return result;
}

template <int Dim>
void advect(FaceField<Dim>& velocity, const FaceField<Dim>& by, const Field<float, Dim>& phi, const Boundary<Dim>& b,
            double dt, AdvectionScheme scheme) {
    check_same_tiles("advect", "phi", phi.tiles(), "velocity", velocity.tiles());
    check_same_tiles("advect", "phi", phi.tiles(), "boundary", b.open.tiles());
    const Flow<Dim> flow(by, b.domain, stored_velocity_layouts(b.domain, 0));
    const LiquidFaces<Dim> faces{phi, b.open};
    velocity = advected<Dim>(velocity, flow.layouts, flow, dt, {.scheme = scheme}, &faces);
}

#define INSTANTIATE(Dim)                                                                                               \
    template void advect(std::span<const AdvectedField<Dim>>, const Flow<Dim>&, double, const AdvectionSettings<Dim>&, \
                         const LiquidFaces<Dim>*);                                                                     \
    template FaceField<Dim> advected<Dim>(const FaceField<Dim>&, const VelocityLayouts<Dim>&, const Flow<Dim>&,        \
                                          double, const AdvectionSettings<Dim>&, const LiquidFaces<Dim>*);             \
    template void advect(FaceField<Dim>&, const FaceField<Dim>&, const Field<float, Dim>&, const Boundary<Dim>&,       \
                         double, AdvectionScheme);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
