// SPDX-License-Identifier: Apache-2.0
// Particles and what the liquid has absorbed in snapshots, as NAME/… lists of numbers.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "io/snapshot.h"
#include "liquid/absorbed.h"
#include "particles/particle_list.h"
#include "particles/particle_set.h"

namespace spindrift {

template <int Dim>
void add_particles(Snapshot& snapshot, const std::string& name, const ParticleSet<Dim>& particles);
// Onto these tiles, which they were on.
template <int Dim>
Result<void> read_particles(SnapshotReader& read, const std::string& name, ParticleSet<Dim>& particles,
                            const TilesPtr<Dim>& tiles);

template <int Dim>
void add_particles(Snapshot& snapshot, const std::string& name, const ParticleList<Dim>& particles);
// Into a list without particles, whose attributes must be there; others are added.
template <int Dim>
Result<void> read_particles(SnapshotReader& read, const std::string& name, ParticleList<Dim>& particles);

template <int Dim>
void add_absorbed(Snapshot& snapshot, const std::string& name, const std::vector<Absorbed<Dim>>& absorbed);
template <int Dim>
Result<void> read_absorbed(SnapshotReader& read, const std::string& name, std::vector<Absorbed<Dim>>& absorbed);

}  // namespace spindrift
