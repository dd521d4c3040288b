// SPDX-License-Identifier: Apache-2.0
// Lists of particles as point clouds that other programs read: binary PLY of points alone.  x y z, then the attributes
// in their order, a scalar by its name, a vector as NAME_x NAME_y NAME_z (velocity as vx vy vz), all as floats; then
// id. In 2D the third components are zero.  A list that gives ids to new particles has its next one in a comment.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "particles/particle_list.h"

namespace spindrift {

// Numbers as a file holds them: a simulation that goes on from these goes on from the file as well.
template <int Dim>
void round_as_in_file(ParticleList<Dim>& particles);

template <int Dim>
Result<void> write_particles(const std::filesystem::path& file, const ParticleList<Dim>& particles);

// Into a list without particles, what write_particles() wrote, rounded to floats.  Attributes that the list has and the
// file has not (older files) are initial; those that only the file has are added.
template <int Dim>
Result<void> read_particles(const std::filesystem::path& file, ParticleList<Dim>& particles);

}  // namespace spindrift
