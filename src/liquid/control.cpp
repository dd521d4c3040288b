// SPDX-License-Identifier: Apache-2.0
#include "liquid/control.h"

#include <algorithm>
#include <cmath>

#include "grid/beside.h"
#include "schemes/face_means.h"

namespace spindrift {
namespace {

template <int Dim>
bool is_beside_liquid(const Field<float, Dim>& phi, Slot slot, int cell, const TileValues<Dim>& below) {
    return phi.tile(slot)[cell] < 0 || below[cell] < 0;
}

// Whether the whole tile lies outside, as the distance at its middle shows.
template <int Dim>
bool is_out_of_reach(const Control<Dim>& control, const typename Control<Dim>::Field& field,
                     const GridTransform<Dim>& grid, const Index<Dim>& origin) {
    if (!control.is_distance_exact) return false;
    const Vec<double, Dim> middle = grid.world_from_cell(Vec<double, Dim>(origin) + Vec<double, Dim>(0.5 * kTileSide));
    return field(middle).distance > (0.5 * kTileSide * std::sqrt(double{Dim}) + 1) * grid.dx;
}

template <int Dim>
std::vector<ControlledFace<Dim>> faces_in_tile(const Control<Dim>& control, const typename Control<Dim>::Field& field,
                                               double share, const Field<float, Dim>& phi,
                                               const GridTransform<Dim>& grid, Slot slot) {
    std::vector<ControlledFace<Dim>> faces;
    const Index<Dim> origin = phi.tiles().origin(slot);
    for (int axis = 0; axis < Dim; ++axis) {
        const TileValues<Dim> below = values_below(phi, slot, axis);
        for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
            if (!is_beside_liquid(phi, slot, cell, below)) continue;
            const Vec<double, Dim> place = grid.world_of_face(axis, origin + cell_in_tile<Dim>(cell));
            if (control.region && !control.region->contains(place)) continue;
            const WantedVelocity<Dim> wanted = field(place);
            const double inside = std::clamp(0.5 - wanted.distance / grid.dx, 0.0, 1.0);
            if (inside > 0) faces.push_back({slot, cell, axis, share * inside, wanted.velocity, wanted.normal});
        }
    }
    return faces;
}

// The part of the way from one cell's centre to the next that lies in the liquid.
double wet_part(float a, float b) {
    if (a < 0 && b < 0) return 1;
    if (!(a < 0) && !(b < 0)) return 0;
    const double inside = -std::min(a, b), outside = std::max(a, b);
    return inside / (inside + outside);
}

// The whole velocity at a face: across it its own, along it the means of the four around.
template <int Dim>
Vec<double, Dim> velocity_at(const FaceField<Dim>& velocity, const ControlledFace<Dim>& face) {
    const Index<Dim> cell = velocity.tiles().origin(face.slot) + cell_in_tile<Dim>(face.cell);
    const Index<Dim> before = cell - unit<Dim>(face.axis);
    Vec<double, Dim> u;
    for (int a = 0; a < Dim; ++a) {
        const Field<float, Dim>& component = velocity[a];
        const Index<Dim> up = unit<Dim>(a);
        u[a] = a == face.axis ? double{component.tile(face.slot)[face.cell]}
                              : 0.25 * (double{component.at(cell)} + component.at(cell + up) + component.at(before) +
                                        component.at(before + up));
    }
    return u;
}

// What a control adds to the velocity at a face.
template <int Dim>
double change(const FaceField<Dim>& velocity, const ControlledFace<Dim>& face, ControlParts parts) {
    if (parts == ControlParts::both)
        return face.share * (face.velocity[face.axis] - double{velocity[face.axis].tile(face.slot)[face.cell]});
    const Vec<double, Dim> missing = face.velocity - velocity_at(velocity, face);
    const double along = face.normal[face.axis] * dot(face.normal, missing);
    return face.share * (parts == ControlParts::normal ? along : missing[face.axis] - along);
}

}  // namespace

template <int Dim>
TimeSpan Control<Dim>::acting(const TimeSpan& step) const {
    const double from = std::max(step.from, start);
    return {from, std::max(from, std::min(step.to, end))};
}

template <int Dim>
ControlledFaces<Dim> controlled_faces(const std::vector<Control<Dim>>& controls, const Field<float, Dim>& phi,
                                      const GridTransform<Dim>& grid, const TimeSpan& step) {
    ControlledFaces<Dim> controlled;
    for (const Control<Dim>& one : controls) {
        const TimeSpan acting = one.acting(step);
        if (!(acting.length() > 0)) continue;
        const double share = one.rate ? -std::expm1(-one.rate(acting.middle()) * acting.length()) : 1;
        const auto field = share > 0 ? one.field_at(acting.to) : nullptr;
        if (!field) continue;
        std::vector<std::vector<ControlledFace<Dim>>> by_tile(phi.tiles().count());
        for_each_tile(phi.tiles(), [&](Slot slot) {
            const float* level = phi.tile(slot);
            const bool is_near = std::any_of(level, level + kTileCells<Dim>,
                                             [&](float v) { return v < static_cast<float>(2 * grid.dx); });
            if (!is_near || is_out_of_reach(one, field, grid, phi.tiles().origin(slot))) return;
            by_tile[static_cast<std::size_t>(slot)] = faces_in_tile(one, field, share, phi, grid, slot);
        });
        typename ControlledFaces<Dim>::Group group{one.parts, {}};
        for (const auto& faces : by_tile) group.faces.insert(group.faces.end(), faces.begin(), faces.end());
        if (!group.faces.empty()) controlled.groups.push_back(std::move(group));
    }
    return controlled;
}

template <int Dim>
void control(FaceField<Dim>& velocity, FaceField<Dim>& free, const ControlledFaces<Dim>& controlled) {
    for (const auto& [parts, faces] : controlled.groups) {
        // All changes of a control are found before the first is made.
        std::vector<float> changes;
        changes.reserve(faces.size());
        for (const ControlledFace<Dim>& face : faces) changes.push_back(static_cast<float>(change(free, face, parts)));
        for (std::size_t n = 0; n < faces.size(); ++n)
            for (FaceField<Dim>* field : {&velocity, &free})
                (*field)[faces[n].axis].tile(faces[n].slot)[faces[n].cell] += changes[n];
    }
}

template <int Dim>
void release(FaceField<Dim>& acceleration, const ControlledFaces<Dim>& controlled) {
    for (const auto& group : controlled.groups)
        for (const ControlledFace<Dim>& face : group.faces)
            acceleration[face.axis].tile(face.slot)[face.cell] *= static_cast<float>(1 - face.share);
}

template <int Dim>
double wet_product(const FaceField<Dim>& u, const FaceField<Dim>& v, const Field<float, Dim>& phi,
                   const Boundary<Dim>& boundaries) {
    return sum_over_tiles(phi.tiles(), 0.0, [&](Slot slot) {
        double sum = 0;
        const float* level = phi.tile(slot);
        for (int axis = 0; axis < Dim; ++axis) {
            const TileValues<Dim> below = values_below(phi, slot, axis);
            const float *a = u[axis].tile(slot), *b = v[axis].tile(slot);
            const float* open = boundaries.has_solids() ? boundaries.open[axis].tile(slot) : nullptr;
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const double liquid = wet_part(level[n], below[n]) * (open != nullptr ? open[n] : 1.0F);
                if (liquid > 0) sum += liquid * double{a[n]} * double{b[n]};
            }
        }
        return sum;
    });
}

template <int Dim>
double fastest_control(const std::vector<Control<Dim>>& controls, const Field<float, Dim>& phi,
                       const GridTransform<Dim>& grid, const TimeSpan& step) {
    double fastest = 0;
    for (const auto& group : controlled_faces(controls, phi, grid, step).groups)
        for (const ControlledFace<Dim>& face : group.faces) fastest = std::max(fastest, length(face.velocity));
    return fastest;
}

#define INSTANTIATE(Dim)                                                                                       \
    template struct Control<Dim>;                                                                              \
    template ControlledFaces<Dim> controlled_faces(const std::vector<Control<Dim>>&, const Field<float, Dim>&, \
                                                   const GridTransform<Dim>&, const TimeSpan&);                \
    template void control(FaceField<Dim>&, FaceField<Dim>&, const ControlledFaces<Dim>&);                      \
    template void release(FaceField<Dim>&, const ControlledFaces<Dim>&);                                       \
    template double wet_product(const FaceField<Dim>&, const FaceField<Dim>&, const Field<float, Dim>&,        \
                                const Boundary<Dim>&);                                                         \
    template double fastest_control(const std::vector<Control<Dim>>&, const Field<float, Dim>&,                \
                                    const GridTransform<Dim>&, const TimeSpan&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
