// SPDX-License-Identifier: Apache-2.0
// Random scenes: every setting that describe.h knows may be written, with a value of its type, unit and range, so that
// a new setting takes part without a line here.  Only what makes a scene small and valid is planned (scene_plan.cpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace spindrift::fuzz {

struct RandomScene {
    std::string text;                     // TOML
    std::vector<std::string> written{};   // "domain.sides=periodic", "solid.shape=mesh", "time.cfl": for a tally
    std::vector<std::string> possible{};  // what chance might have written in its place
};

// The same for the same id and attempt on every machine.  Each setting has random numbers of its own, so that a new one
// leaves the others as they are.  Not every attempt is valid: rules between settings are left to the scene's checks.
RandomScene random_scene(std::uint64_t id, std::uint32_t attempt);

// The meshes and the picture that scenes name, to lie beside them.
void write_scene_files(const std::filesystem::path& folder);

}  // namespace spindrift::fuzz
