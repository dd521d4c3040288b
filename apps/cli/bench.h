// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace spindrift::cli {

// The verb `bench`; status becomes the exit code.
void add_bench(CLI::App& app, int& status);

}  // namespace spindrift::cli
