// SPDX-License-Identifier: Apache-2.0
// Back-traces of the points of a tile through a flow, and interpolation where they end.
//
// Tile by tile.  Where the flow stays among the tiles beside one, the velocity and the fields as far as the step
// reaches are copied to patches, and all points of the tile are traced and sampled there.  Where it goes further, the
// points of a tile still stay together, and patches are copied from where they get to.  Only points that part are
// traced through the tiles one by one.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "schemes/patch.h"

namespace spindrift {

// The explicit midpoint rule draws fluid that turns by the angle θ in a step nearer to the centre, by θ⁴/8 of its
// distance. The implicit one, x½ = x + dt u(x½) / 2, keeps volumes [HairerLubichWanner06].  Fields of cells, whose
// amounts should be kept, are traced by so many iterations of it after the explicit one.
constexpr int kMidpointIterations = 3;

enum class TraceRule { midpoint, adaptive, first_order };

// The velocity that advects, m/s, with its layouts.
template <int Dim>
struct Flow {
    const FaceField<Dim>& velocity;
    VelocityLayouts<Dim> layouts;
    const Domain<Dim>& domain;
    std::vector<Box<float, Dim>> speeds;  // by tile: the range of each component, m/s
    float fastest_side = 0;               // of the sides with a prescribed velocity

    Flow(const FaceField<Dim>& velocity_, const Domain<Dim>& domain_, double time);
    Flow(const FaceField<Dim>& velocity_, const Domain<Dim>& domain_, VelocityLayouts<Dim> layouts_);
};

// The rows of a tile that are traced.
template <int Dim>
struct TracedRows {
    int count = 0;
    std::array<std::uint8_t, kTileCells<Dim> / kRow> row{};

    static constexpr TracedRows all() {
        TracedRows rows;
        for (auto& row : rows.row) row = static_cast<std::uint8_t>(rows.count++);
        return rows;
    }
};
template <int Dim>
constexpr TracedRows<Dim> kAllRows = TracedRows<Dim>::all();

// Of the points of a tile whose paths end near an open side: where they lead.
constexpr std::uint8_t kGoesOut = 1, kComesIn = 2;
template <int Dim>
using SideMarks = std::array<std::uint8_t, kTileCells<Dim>>;

// Of the points of a tile: values at the ends of their paths and, where asked for, the range of the points around each
// end and what that has cut off.
struct Found {
    float *value, *least = nullptr, *most = nullptr, *cut = nullptr;
};

template <int Dim>
struct PathBounds;
template <int Dim>
struct TracedTile;

template <int Dim>
class BackTracer {
  public:
    // Cubic interpolation asks for a point more on all sides.
    BackTracer(const Flow<Dim>& flow, double dt, TraceRule trace_rule, bool cubic);

    void begin(Slot slot);

    // Traces the points of a layout in some rows of the tile.
    void trace(const FieldLayout<Dim>& layout, const TracedRows<Dim>& rows);

    // The values of a field at the ends of paths.
    void find(const Found& to, const Field<float, Dim>& from, const FieldLayout<Dim>& layout);

    // Adds what is missing because paths do not keep volumes.
    void add_missing(float* missing, const float* found, float ambient);

    // Marks the points that end less than so many cells from an open side, or beyond it, by whether they go there or
    // come from there.  False: there is none.
    bool mark_ends_near_open_sides(const FieldLayout<Dim>& layout, float cells, SideMarks<Dim>& marks);

    // Finds again what a field has where marked points end that go out and do not come in elsewhere.
    void find_again(const Found& to, const Field<float, Dim>& from, const FieldLayout<Dim>& layout,
                    const SideMarks<Dim>& marks);

    // Adds the displacement of points along an axis in this step, m.
    void add_displacement(float* values, int axis);

  private:
    template <class F>
    void for_each_point(F&& f) const {
        for (int r = 0; r < rows_->count; ++r)
            for (int n = 0; n < kRow; ++n) f(rows_->row[static_cast<std::size_t>(r)] * kRow + n);
    }
    float* ends(int axis) { return ends_.data() + axis * kTileCells<Dim>; }
    Vec<float, Dim> end(int c) const;
    // The cells that the points of the tile may ask for on their way, if they stay among the tiles beside it.
    IndexBox<Dim> cells_in_reach() const;
    bool reaches_beyond_sides() const;
    void trace_tile(int axis, const PathBounds<Dim>& bounds);
    static int rounds_of(int axis) { return axis < 0 ? kMidpointIterations : 0; }
    // Brings the velocity where the points have got to within reach; false: they are too far apart.
    bool look_ahead(TracedTile<Dim>& tile);
    // The velocity half way.  Points of all layouts get to nearly the same places: a cell more on all sides serves
    // them all.
    void load_ahead(const IndexBox<Dim>& box);
    void trace_each(const PathBounds<Dim>& bounds);
    // The cells around all ends, wherever on a cell a field has its points.  None when they are too many.
    std::optional<IndexBox<Dim>> box_of_ends();
    void find_in_patch(const Found& to, const Field<float, Dim>& from, const FieldLayout<Dim>& layout);
    void find_each(const Found& to, const Field<float, Dim>& from, const FieldLayout<Dim>& layout);

    const Flow<Dim>& flow_;
    int margin_;
    float cells_, cell_size_;
    TraceRule trace_rule_;
    Slot slot_ = 0;
    const TracedRows<Dim>* rows_ = nullptr;
    Index<Dim> origin_{};
    bool near_ = false;  // all that the points may ask for is in patches
    Vec<float, Dim> stagger_{};
    int face_axis_ = -1;
    std::array<Patch<Dim>, Dim> around_, ahead_;  // velocity around the tile, and where its points get to
    IndexBox<Dim> ahead_box_{};
    Patch<Dim> loaded_;
    std::optional<IndexBox<Dim>> box_;              // of the cells that points ask for at their ends; none: too many
    std::vector<float> ends_;                       // of the points last traced, axis by axis
    std::array<float, kTileCells<Dim>> stretch_{};  // of their cells
    bool stretch_is_known_ = false;
};

extern template struct Flow<2>;
extern template struct Flow<3>;
extern template class BackTracer<2>;
extern template class BackTracer<3>;

}  // namespace spindrift
