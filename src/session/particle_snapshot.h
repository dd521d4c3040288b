// SPDX-License-Identifier: Apache-2.0
// Particles, spray and what the liquid has absorbed in snapshots, as NAME/… lists of numbers.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "io/snapshot.h"
#include "liquid/spray.h"
#include "particles/particle_set.h"

namespace spindrift {

template <int Dim>
void add_particles(Snapshot& snapshot, const std::string& name, const ParticleSet<Dim>& particles);
// Onto these tiles, which they were on.
template <int Dim>
Result<void> read_particles(SnapshotReader& read, const std::string& name, ParticleSet<Dim>& particles,
                            const TilesPtr<Dim>& tiles);

template <int Dim>
void add_spray(Snapshot& snapshot, const std::string& name, const std::vector<SprayDrop<Dim>>& drops);
template <int Dim>
Result<void> read_spray(SnapshotReader& read, const std::string& name, std::vector<SprayDrop<Dim>>& drops);

template <int Dim>
void add_absorbed(Snapshot& snapshot, const std::string& name, const std::vector<Absorbed<Dim>>& absorbed);
template <int Dim>
Result<void> read_absorbed(SnapshotReader& read, const std::string& name, std::vector<Absorbed<Dim>>& absorbed);

}  // namespace spindrift
