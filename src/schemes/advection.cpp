// SPDX-License-Identifier: Apache-2.0
#include "schemes/advection.h"

#include "grid/sampler.h"

namespace spindrift {
namespace {

// In cells: nearer to the surface than this the error estimate would mix in extrapolated velocities.
constexpr float kCorrectedDepth = 1.0F;
// Faces up to here beyond the surface get a value of their own.
constexpr float kCarriedBeyond = 1.5F;

template <int Dim>
using Point = Vec<float, Dim>;

template <int Dim>
Point<Dim> clamped(Point<Dim> p, const Point<Dim>& lo, const Point<Dim>& hi) {
    return max(lo, min(hi, p));
}

// Characteristics through the velocity field, in cells; they end at the container's walls.
template <int Dim>
class Tracer {
  public:
    Tracer(const FaceField<Dim>& velocity, const Boundaries<Dim>& b, double cells_per_speed)
        : velocity_(velocity),
          sample_(velocity),
          step_(static_cast<float>(cells_per_speed)),
          lo_(Point<Dim>(b.box.lo) + Point<Dim>(0.5F)),
          hi_(Point<Dim>(b.box.hi) - Point<Dim>(0.5F)) {}

    // Where what is at a face (x in cells) now will be after dt, or was (sign −1).
    Point<Dim> operator()(int axis, Slot slot, int cell, const Point<Dim>& x, float sign) {
        const Point<Dim> middle = x + velocity_at_face(axis, slot, cell, x) * (0.5F * sign * step_);
        return x + velocity(middle) * (sign * step_);
    }

  private:
    Point<Dim> velocity(const Point<Dim>& x) { return sample_(clamped(x, lo_, hi_)); }

    // The same at a face, where the other components are means of four: most often all in the face's own tile.
    Point<Dim> velocity_at_face(int axis, Slot slot, int cell, const Point<Dim>& x) {
        const Index<Dim> at = cell_in_tile<Dim>(cell);
        bool inside = at[axis] > 0;
        for (int other = 0; other < Dim; ++other) inside &= other == axis || at[other] < kTileSide - 1;
        if (!inside) return velocity(x);
        const int back = tile_stride<Dim>(axis);
        Point<Dim> u;
        for (int other = 0; other < Dim; ++other) {
            const float* v = velocity_[other].tile(slot) + cell;
            const int up = tile_stride<Dim>(other);
            u[other] = other == axis ? *v : 0.25F * ((v[-back] + v[0]) + (v[up - back] + v[up]));
        }
        return u;
    }

    const FaceField<Dim>& velocity_;
    FaceSampler<Dim> sample_;
    float step_;
    Point<Dim> lo_, hi_;
};

// One component's values, sampled within the container: up to the walls along its own axis, to the last centres along
// others.
template <int Dim>
struct ComponentSampler {
    ComponentSampler(const Field<float, Dim>& field, int axis, const Boundaries<Dim>& b)
        : sample(field, face_centre<Dim>(axis)),
          lo(Point<Dim>(b.box.lo) + face_centre<Dim>(axis)),
          hi(Point<Dim>(b.box.hi) - face_centre<Dim>(axis)) {}

    float operator()(const Point<Dim>& x) { return sample(clamped(x, lo, hi)); }
    ValueAndRange with_range(const Point<Dim>& x) { return sample.value_and_range(clamped(x, lo, hi)); }

    LinearSampler<Dim> sample;
    Point<Dim> lo, hi;
};

// Calls f(slot, cell, position of its face, φ at the face in cells) for the faces to be carried.
template <int Dim, class MakeWorker>
void for_each_carried_face(int axis, const Field<float, Dim>& phi, const Boundaries<Dim>& b, MakeWorker&& make_worker) {
    const int stride = tile_stride<Dim>(axis);
    const float per_cell = static_cast<float>(1 / b.grid.dx);
    parallel_ranges(phi.tiles().count(), kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
        auto work = make_worker();
        for (std::size_t n = begin; n < end; ++n) {
            const auto slot = static_cast<Slot>(n);
            const float* here = phi.tile(slot);
            const Slot below = phi.tiles().neighbour(slot, side_neighbour<Dim>(axis, false));
            const float* open = b.open[axis].tile(slot);
            const Point<Dim> corner = Point<Dim>(phi.tiles().origin(slot)) + face_centre<Dim>(axis);
            for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
                if (!(open[cell] > 0)) continue;
                const float beside = (cell / stride) % kTileSide > 0 ? here[cell - stride]
                                     : below == kNoTile              ? phi.background()
                                                                     : phi.tile(below)[cell + stride * (kTileSide - 1)];
                const float depth = std::min(here[cell], beside) * per_cell;
                if (depth > kCarriedBeyond) continue;
                work(slot, cell, corner + Point<Dim>(cell_in_tile<Dim>(cell)), depth);
            }
        }
    });
}

}  // namespace

template <int Dim>
void advect(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundaries<Dim>& b, double dt,
            VelocityAdvection scheme) {
    check_same_tiles("advect", "phi", phi.tiles(), "velocity", velocity.tiles());
    check_same_tiles("advect", "phi", phi.tiles(), "boundaries", b.open.tiles());
    const double cells_per_speed = dt / b.grid.dx;
    FaceField<Dim> carried = velocity;
    for (int axis = 0; axis < Dim; ++axis) {
        const Field<float, Dim>& old = velocity[axis];

        // Where it came from.
        const bool corrects = scheme == VelocityAdvection::maccormack;
        Field<float, Dim> least, most;
        if (corrects) {
            least = Field<float, Dim>::unfilled(phi.tiles_ptr());
            most = Field<float, Dim>::unfilled(phi.tiles_ptr());
        }
        for_each_carried_face(axis, phi, b, [&] {
            return [&, trace = Tracer<Dim>(velocity, b, cells_per_speed), sample = ComponentSampler<Dim>(old, axis, b)](
                       Slot slot, int cell, const Point<Dim>& x, float) mutable {
                const ValueAndRange found = sample.with_range(trace(axis, slot, cell, x, -1));
                carried[axis].tile(slot)[cell] = found.value;
                if (!corrects) return;
                least.tile(slot)[cell] = found.least;
                most.tile(slot)[cell] = found.most;
            };
        });
        if (!corrects) continue;

        // Carried back again it should be what it was; half the difference is the error.
        Field<float, Dim> corrected = carried[axis];
        for_each_carried_face(axis, phi, b, [&] {
            return [&, trace = Tracer<Dim>(velocity, b, cells_per_speed),
                    sample = ComponentSampler<Dim>(carried[axis], axis, b)](Slot slot, int cell, const Point<Dim>& x,
                                                                            float depth) mutable {
                if (depth > -kCorrectedDepth) return;
                const float again = sample(trace(axis, slot, cell, x, 1));
                const float better = carried[axis].tile(slot)[cell] + 0.5F * (old.tile(slot)[cell] - again);
                corrected.tile(slot)[cell] = std::clamp(better, least.tile(slot)[cell], most.tile(slot)[cell]);
            };
        });
        std::swap(carried[axis], corrected);
    }
    velocity = std::move(carried);
}

template void advect(FaceField<2>&, const Field<float, 2>&, const Boundaries<2>&, double, VelocityAdvection);
template void advect(FaceField<3>&, const Field<float, 3>&, const Boundaries<3>&, double, VelocityAdvection);

}  // namespace spindrift
