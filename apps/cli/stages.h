// SPDX-License-Identifier: Apache-2.0
// spindrift mesh, render, film: what is made of a run's volumes afterwards.
#pragma once

namespace CLI {
class App;
}

namespace spindrift::cli {

// `status` becomes the exit code.
void add_stages(CLI::App& app, int& status);

}  // namespace spindrift::cli
