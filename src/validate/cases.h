// SPDX-License-Identifier: Apache-2.0
// Physical validation: what a run gives against experiments, exact solutions and the tables of others.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "validate/figure.h"

namespace spindrift {

struct ValidationSettings {
    // Of all resolutions.  The limits of figures hold for 1; tests take less.
    double scale = 1;
    // Called with each figure as soon as it is there.
    std::function<void(const Figure&)> found{};
};

struct ValidationCase {
    std::string name;
    std::string sentence;  // what is run and against whom it is held
    bool is_slow = false;  // takes more than three minutes: not among "all"
    Result<void> (*run)(const ValidationSettings& settings);
};

// In the order in which they are run.
std::span<const ValidationCase> validation_cases();

// Runs a case and gathers its figures.
Result<std::vector<Figure>> figures_of(const ValidationCase& c, double scale = 1);

// The cases.
Result<void> validate_taylor_green(const ValidationSettings& settings);
Result<void> validate_cavity(const ValidationSettings& settings);
Result<void> validate_vortex_street(const ValidationSettings& settings);
Result<void> validate_couette(const ValidationSettings& settings);
Result<void> validate_turning_solid(const ValidationSettings& settings);
Result<void> validate_buoyancy(const ValidationSettings& settings);
Result<void> validate_dipole(const ValidationSettings& settings);
Result<void> validate_plume(const ValidationSettings& settings);
Result<void> validate_thermal(const ValidationSettings& settings);
Result<void> validate_notched_disk(const ValidationSettings& settings);
Result<void> validate_vortex_in_a_box(const ValidationSettings& settings);
Result<void> validate_enright_deformation(const ValidationSettings& settings);
Result<void> validate_standing_wave(const ValidationSettings& settings);
Result<void> validate_dam_break(const ValidationSettings& settings);
Result<void> validate_solitary_wave(const ValidationSettings& settings);
Result<void> validate_bubble(const ValidationSettings& settings);
Result<void> validate_breaking_wave(const ValidationSettings& settings);

}  // namespace spindrift
