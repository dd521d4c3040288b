// SPDX-License-Identifier: Apache-2.0
// spindrift run: simulate a scene.
#pragma once

namespace CLI {
class App;
}

namespace spindrift::cli {

// `status` becomes the exit code.
void add_run(CLI::App& app, int& status);

}  // namespace spindrift::cli
