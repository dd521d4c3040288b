// SPDX-License-Identifier: Apache-2.0
// spindrift check: every error and warning of a scene, and what it will need.
#pragma once

namespace CLI {
class App;
}

namespace spindrift::cli {

// `status` becomes the exit code.
void add_check(CLI::App& app, int& status);

}  // namespace spindrift::cli
