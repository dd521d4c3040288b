// SPDX-License-Identifier: Apache-2.0
// spindrift info: what is in a run's folder or in a file.
#pragma once

namespace CLI {
class App;
}

namespace spindrift::cli {

// `status` becomes the exit code.
void add_info(CLI::App& app, int& status);

}  // namespace spindrift::cli
