// SPDX-License-Identifier: Apache-2.0
// The verbs of the command line, each in a file of its name.  When one is chosen, `status` becomes the exit code.
#pragma once

#include "apps/cli/verb.h"

namespace spindrift::cli {

void add_run(const Verb& app, int& status);
void add_stages(const Verb& app, int& status);  // mesh, render, film and report
void add_check(const Verb& app, int& status);
void add_info(const Verb& app, int& status);
void add_verify(const Verb& app, int& status);
void add_compare(const Verb& app, int& status);
void add_scenes(const Verb& app, int& status);
void add_validate(const Verb& app, int& status);
void add_bench(const Verb& app, int& status);

}  // namespace spindrift::cli
