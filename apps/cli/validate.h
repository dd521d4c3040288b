// SPDX-License-Identifier: Apache-2.0
// spindrift validate: physical figures of runs against experiments, exact solutions and the tables of others.
#pragma once

namespace CLI {
class App;
}

namespace spindrift::cli {

// `status` becomes the exit code.
void add_validate(CLI::App& app, int& status);

}  // namespace spindrift::cli
