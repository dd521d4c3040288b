// SPDX-License-Identifier: Apache-2.0
// spindrift verify: whether a run's folder holds what it should.
#pragma once

namespace CLI {
class App;
}

namespace spindrift::cli {

// `status` becomes the exit code.
void add_verify(CLI::App& app, int& status);

}  // namespace spindrift::cli
