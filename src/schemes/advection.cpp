// SPDX-License-Identifier: Apache-2.0
#include "schemes/advection.h"

#include "grid/collocate.h"
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

// Where what is at a cell's centre was dt ago (sign −1), or will be (+1), from there, in cells: the midpoint rule along
// the flow, ended at the container's walls.  Cells farther than `beyond` (cells) outside the liquid stay.
template <int Dim>
VectorField<Dim> displacements(const FaceField<Dim>& velocity, const VectorField<Dim>& centred,
                               const Field<float, Dim>& phi, const Boundaries<Dim>& b, double dt, float sign,
                               float beyond) {
    const auto step = static_cast<float>(sign * dt / b.grid.dx), edge = static_cast<float>(beyond * b.grid.dx);
    const Point<Dim> lo = Point<Dim>(b.box.lo) + Point<Dim>(0.5F), hi = Point<Dim>(b.box.hi) - Point<Dim>(0.5F);
    VectorField<Dim> moved;
    for (int axis = 0; axis < Dim; ++axis) moved[axis] = Field<float, Dim>::unfilled(phi.tiles_ptr());
    parallel_ranges(phi.tiles().count(), kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
        FaceSampler<Dim> sample(velocity);
        for (std::size_t n = begin; n < end; ++n) {
            const auto slot = static_cast<Slot>(n);
            const float* level = phi.tile(slot);
            const float* from[Dim];
            float* to[Dim];
            for (int axis = 0; axis < Dim; ++axis)
                from[axis] = centred[axis].tile(slot), to[axis] = moved[axis].tile(slot);
            const Point<Dim> corner = Point<Dim>(phi.tiles().origin(slot)) + kCellCentre<Dim>;
            for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
                if (!(level[cell] < edge)) {
                    unrolled<Dim>([&](auto a) { to[a][cell] = 0; });
                    continue;
                }
                Point<Dim> middle = corner + Point<Dim>(cell_in_tile<Dim>(cell));
                unrolled<Dim>([&](auto a) { middle[a] += 0.5F * step * from[a][cell]; });
                const Point<Dim> u = sample(clamped(middle, lo, hi));
                unrolled<Dim>([&](auto a) { to[a][cell] = step * u[a]; });
            }
        }
    });
    return moved;
}

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

// A face to be carried, and the cell below it.
template <int Dim>
struct CarriedFace {
    Slot slot, slot_below;
    int cell, cell_below;
    Point<Dim> place;  // in cells
    float depth;       // the smaller φ of the two, in cells

    // What passes the face goes as far as the mean of what passes the centres on both sides.
    Point<Dim> moved(const VectorField<Dim>& displacement) const {
        Point<Dim> x = place;
        unrolled<Dim>([&](auto a) {
            const Field<float, Dim>& d = displacement.component[a];
            x[a] += 0.5F * (d.tile(slot)[cell] + d.tile(slot_below)[cell_below]);
        });
        return x;
    }
};

// Calls make_worker()(face) for the faces to be carried; each worker serves a stretch of tiles.
template <int Dim, class MakeWorker>
void for_each_carried_face(int axis, const Field<float, Dim>& phi, const Boundaries<Dim>& b, MakeWorker&& make_worker) {
    const int stride = tile_stride<Dim>(axis), across = stride * (kTileSide - 1);
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
                const bool first = (cell / stride) % kTileSide == 0;
                if (!(open[cell] > 0) || (first && below == kNoTile)) continue;
                CarriedFace<Dim> face{slot, first ? below : slot, cell, first ? cell + across : cell - stride, {}, 0};
                face.depth = std::min(here[cell], phi.tile(face.slot_below)[face.cell_below]) * per_cell;
                if (face.depth > kCarriedBeyond) continue;
                face.place = corner + Point<Dim>(cell_in_tile<Dim>(cell));
                work(face);
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
    const bool corrects = scheme == VelocityAdvection::maccormack;
    const VectorField<Dim> centred = collocated(velocity);
    const VectorField<Dim> back = displacements(velocity, centred, phi, b, dt, -1, kCarriedBeyond + 1.1F);
    VectorField<Dim> ahead;
    Field<float, Dim> least, most;
    if (corrects) {
        ahead = displacements(velocity, centred, phi, b, dt, 1, 1.1F - kCorrectedDepth);
        least = Field<float, Dim>::unfilled(phi.tiles_ptr());
        most = Field<float, Dim>::unfilled(phi.tiles_ptr());
    }
    for (int axis = 0; axis < Dim; ++axis) {
        const Field<float, Dim> old = std::move(velocity[axis]);

        // Where it came from.
        Field<float, Dim> carried = old;
        for_each_carried_face(axis, phi, b, [&] {
            return [&, sample = ComponentSampler<Dim>(old, axis, b)](const CarriedFace<Dim>& face) mutable {
                const ValueAndRange found = sample.with_range(face.moved(back));
                carried.tile(face.slot)[face.cell] = found.value;
                if (!corrects) return;
                least.tile(face.slot)[face.cell] = found.least;
                most.tile(face.slot)[face.cell] = found.most;
            };
        });
        if (!corrects) {
            velocity[axis] = std::move(carried);
            continue;
        }

        // Carried back again it should be what it was; half the difference is the error.
        velocity[axis] = carried;
        for_each_carried_face(axis, phi, b, [&] {
            return [&, sample = ComponentSampler<Dim>(carried, axis, b)](const CarriedFace<Dim>& face) mutable {
                if (face.depth > -kCorrectedDepth) return;
                const float again = sample(face.moved(ahead));
                float& value = velocity[axis].tile(face.slot)[face.cell];
                const float better = value + 0.5F * (old.tile(face.slot)[face.cell] - again);
                value = std::clamp(better, least.tile(face.slot)[face.cell], most.tile(face.slot)[face.cell]);
            };
        });
    }
}

template void advect(FaceField<2>&, const Field<float, 2>&, const Boundaries<2>&, double, VelocityAdvection);
template void advect(FaceField<3>&, const Field<float, 3>&, const Boundaries<3>&, double, VelocityAdvection);

}  // namespace spindrift
