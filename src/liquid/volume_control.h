// SPDX-License-Identifier: Apache-2.0
// Keeping the volume that each body's account expects, in two ways, both within that body.
//
// Moving the surface takes a little or adds a little.  restore_volume gives it back at once, along the normals, in
// proportion to how far the surface has just moved: that is where it was lost, and still water stays where it is.  What
// that cannot correct (a surface at rest, more than a tenth of the way) is left to a divergence in the pressure solve
// that swells or shrinks all of the body.
#pragma once

#include "liquid/accounts.h"

namespace spindrift {

// Moves the surface so that each body holds the volume that is wanted instead of what it has, both in cells, by number;
// `open` is the open volume fraction of cells, or null.  Returns how far it has moved outwards, m.
struct VolumeChange {
    std::vector<double> has, wanted;
};
template <int Dim>
[[nodiscard]] Field<float, Dim> restore_volume(Field<float, Dim>& phi, const FaceField<Dim>& velocity, double dt,
                                               const VolumeChange& volumes, const LevelSetGrid<Dim>& grid,
                                               const Field<float, Dim>* open, const BodyLabels<Dim>& bodies);

// The divergence, 1/s, that takes off a relative error of the volume over the next steps.  [Kim07]
double controlling_divergence(double volume_error, double dt);

// Adds the divergence of each body, by number, to that of its cells, 1/s.
template <int Dim>
void add_divergence(Field<float, Dim>& expansion, const std::vector<double>& divergence, const Field<float, Dim>& phi,
                    const Field<float, Dim>* open, const BodyLabels<Dim>& bodies);

// Moves the surface of each body with its particles, after it has moved with `velocity` for dt, to where the body holds
// what it should instead of `volumes`, m³ (m²).  Nothing is done where the settings ask for no volume control.
template <int Dim>
void restore_volumes(LiquidState<Dim>& liquid, const FaceField<Dim>& velocity, const LiquidDomain<Dim>& domain,
                     double dt, const std::vector<double>& volumes);

// The divergence wanted in each liquid cell over the next dt, 1/s: for what is pending of what the liquid has absorbed,
// and with volume control what corrects the error of its body.
template <int Dim>
Field<float, Dim> wanted_expansion(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt);

}  // namespace spindrift
