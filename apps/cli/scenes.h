// SPDX-License-Identifier: Apache-2.0
// spindrift scenes: the catalogue.
#pragma once

namespace CLI {
class App;
}

namespace spindrift::cli {

// `status` becomes the exit code.
void add_scenes(CLI::App& app, int& status);

}  // namespace spindrift::cli
