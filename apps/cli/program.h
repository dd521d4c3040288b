// SPDX-License-Identifier: Apache-2.0
// The command line: spindrift VERB …
#pragma once

namespace spindrift::cli {

// All of main(): returns the exit code.  Apart from it so that tests can run the program inside their own process.
int program(int argc, char** argv);

}  // namespace spindrift::cli
